"""A lab has presets, one that it opens with, and explained words; one whose parts do not fit cannot be defined."""

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any, Literal

import pytest
from lab_rules import missing_of

from attnviz.experiment.bases import SpecBase, TraceBase
from attnviz.experiment.labs import LABS, Lab
from attnviz.experiment.layers.source import LayerTrace
from attnviz.experiment.model.trace import ModelTrace
from attnviz.experiment.texts import glossary


@pytest.mark.parametrize("lab", LABS)
def test_that_every_lab_has_presets_an_opening_one_and_explained_words(lab: str) -> None:
    assert missing_of(lab) == []


def test_that_a_lab_without_an_opening_preset_cannot_be_defined() -> None:
    parts = {name: getattr(LABS["attention"], name) for name in ("name", "spec_type", "trace_type", "view_type")}
    with pytest.raises(TypeError, match="opening_preset"):
        Lab(**parts, stages={}, stages_of=lambda _: ())  # type: ignore[call-arg]


def test_that_an_opening_preset_of_another_lab_and_an_unexplained_word_are_found(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(LABS._records, "model", replace(LABS["model"], opening_preset="causal-sentence"))
    monkeypatch.setattr(glossary, "terms_in", lambda text, language: () if text in ("Temperature", "温度") else (1,))
    assert missing_of("model") == [
        "an opening preset of its own",
        "a term for the field temperature in the glossary (en)",
        "a term for the field temperature in the glossary (zh_CN)",
    ]


def test_that_a_lab_of_types_of_another_is_refused() -> None:
    with pytest.raises(TypeError, match=r"AttentionSpec\.lab is 'attention' by default; the lab is called 'model'"):
        replace(LABS["model"], spec_type=LABS["attention"].spec_type)
    with pytest.raises(TypeError, match=r"TrainViewSettings\.lab is 'train' by default; the lab is called 'model'"):
        replace(LABS["model"], view_type=LABS["train"].view_type)
    with pytest.raises(TypeError, match="int, the trace of the lab 'model', is no TraceBase"):
        replace(LABS["model"], trace_type=int)


def test_that_a_lab_whose_spec_or_trace_lacks_a_field_of_every_lab_is_refused() -> None:
    class Spec(SpecBase):
        lab: Literal["model"] = "model"
        device: str = "cpu"

    @dataclass(frozen=True, eq=False)
    class Trace(TraceBase):
        spec: Spec
        weights: object
        step: int
        device: str

    with pytest.raises(TypeError, match="trace of the lab 'model' has no steps, dtype, milliseconds"):
        replace(LABS["model"], spec_type=Spec, trace_type=Trace)


def _a_field() -> Any:
    @dataclass(frozen=True, eq=False, kw_only=True)
    class DeadTrace(LayerTrace):
        num_layers: int

    return DeadTrace


def _a_made_field() -> Any:
    @dataclass(frozen=True, eq=False)
    class DeadTrace(TraceBase):
        num_layers: list[int] = field(default_factory=list)

    return DeadTrace


def _a_field_of_a_spec() -> Any:
    class DeadSpec(SpecBase):
        lab: Literal["dead"] = "dead"
        items_run: int = 1

    return DeadSpec


@pytest.mark.parametrize("defined", [_a_field, _a_made_field, _a_field_of_a_spec])
@pytest.mark.filterwarnings("ignore:Field name:UserWarning")
def test_that_a_field_with_the_name_of_a_property_of_its_base_is_refused_when_it_is_defined(
    defined: Callable[[], Any],
) -> None:
    with pytest.raises(TypeError, match=r"Dead(Trace|Spec)\.(num_layers|items_run) is a field, and a property of"):
        defined()


def test_that_a_field_with_a_default_takes_the_place_of_a_property() -> None:
    @dataclass(frozen=True, eq=False, kw_only=True)
    class Trace(TraceBase):
        num_heads: int = 3

    assert Trace(num_heads=5).num_heads == 5
    assert "incomplete" in ModelTrace.__dataclass_fields__
