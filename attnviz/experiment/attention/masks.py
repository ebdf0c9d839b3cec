"""The types of ``masks``, ``score_steps`` and ``mechanism_knobs`` of an attention spec: options of records, by name."""

from collections.abc import Mapping
from typing import Any, ClassVar, Self

from typing_extensions import override

from attnviz.definitions.knobs import NumberKnob
from attnviz.definitions.masks import MASKS
from attnviz.definitions.masks.mask import Mask
from attnviz.definitions.mechanisms import MECHANISMS
from attnviz.definitions.mechanisms.mechanism import Mechanism
from attnviz.definitions.score_steps import SCORE_STEPS
from attnviz.definitions.score_steps.step import ScoreStep
from attnviz.definitions.text import English, quoted
from attnviz.experiment.fields.chosen_records import ChosenRecords, KnobsOfRecord, RecordWithKnobs
from attnviz.experiment.fields.problems import problem


class FurtherMasks(ChosenRecords):
    """The options of each active mask, by name."""

    field: ClassVar[str] = "masks"
    kind: ClassVar[English] = "mask"

    @override
    @classmethod
    def records(cls) -> Mapping[str, Mask]:
        return {mask.name: mask for mask in MASKS.values() if not mask.field}


class ScoreSteps(ChosenRecords):
    """The options of each active score step, by name."""

    field: ClassVar[str] = "score_steps"
    kind: ClassVar[English] = "step"

    @override
    @classmethod
    def records(cls) -> Mapping[str, ScoreStep]:
        return SCORE_STEPS


class MechanismKnobs(KnobsOfRecord):
    """The options of a spec's mechanism, by name; the spec validates them and adds defaults."""

    __slots__ = ("_mechanism",)

    def __init__(self, values: Mapping[str, float] | None = None, mechanism: str = "") -> None:
        super().__init__(values)
        self._mechanism = mechanism

    @property
    @override
    def record(self) -> Mechanism:
        return MECHANISMS[self._mechanism]

    @override
    def knobs(self) -> dict[str, tuple[RecordWithKnobs, NumberKnob]]:
        return super().knobs() if self._mechanism else {}

    @override
    @classmethod
    def _parse(cls, raw: Any) -> Self:
        if not isinstance(raw, Mapping):
            sentence: English = "mechanism_knobs {said} must be an object with a number for each setting"
            raise problem("mechanism_knobs", "mechanism_knobs_form", sentence, said=quoted(raw))
        return cls(raw)
