"""The masks without their own field in the spec: those set by ``masks``, such as ``{"dilated": {"n": 2}}``."""

from collections.abc import Mapping
from typing import ClassVar

from typing_extensions import override

from attnviz.definitions.masks import MASKS
from attnviz.definitions.masks.mask import Mask
from attnviz.definitions.text import English
from attnviz.experiment.chosen_records import ChosenRecords


class FurtherMasks(ChosenRecords):
    """The knobs of each mask that is on, by its name."""

    field: ClassVar[str] = "masks"
    kind: ClassVar[English] = "mask"

    @override
    @classmethod
    def records(cls) -> Mapping[str, Mask]:
        return {mask.name: mask for mask in MASKS.values() if not mask.field}
