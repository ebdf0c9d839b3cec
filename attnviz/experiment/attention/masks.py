"""What ``masks``, ``score_steps`` and ``mechanism_knobs`` of an attention spec hold: knobs of records, by name."""

from collections.abc import Mapping
from typing import Any, ClassVar

from pydantic import GetCoreSchemaHandler
from pydantic_core import CoreSchema, core_schema
from typing_extensions import override

from attnviz.definitions.masks import MASKS
from attnviz.definitions.masks.mask import Mask
from attnviz.definitions.score_steps import SCORE_STEPS
from attnviz.definitions.score_steps.step import ScoreStep
from attnviz.definitions.text import English, said
from attnviz.experiment.chosen_records import ChosenRecords, Frozen
from attnviz.experiment.problems import problem


class FurtherMasks(ChosenRecords):
    """The knobs of each mask that is on, by its name."""

    field: ClassVar[str] = "masks"
    kind: ClassVar[English] = "mask"

    @override
    @classmethod
    def records(cls) -> Mapping[str, Mask]:
        return {mask.name: mask for mask in MASKS.values() if not mask.field}


class ScoreSteps(ChosenRecords):
    """The knobs of each score step that is on, by its name."""

    field: ClassVar[str] = "score_steps"
    kind: ClassVar[English] = "step"

    @override
    @classmethod
    def records(cls) -> Mapping[str, ScoreStep]:
        return SCORE_STEPS


class MechanismKnobs(Frozen[float]):
    """The knobs of the mechanism of a spec, by their names; the spec checks them and fills in those left out."""

    @classmethod
    def __get_pydantic_core_schema__(cls, source: Any, handler: GetCoreSchemaHandler) -> CoreSchema:
        """Return pydantic's schema of a field of this type."""
        written = core_schema.plain_serializer_function_ser_schema(dict)
        return core_schema.no_info_plain_validator_function(cls._parse, serialization=written)

    @classmethod
    def _parse(cls, raw: Any) -> "MechanismKnobs":
        if not isinstance(raw, Mapping):
            sentence: English = "mechanism_knobs {said} must be an object with a number for each knob"
            raise problem("mechanism_knobs", "mechanism_knobs_form", sentence, said=said(raw))
        return cls(raw)
