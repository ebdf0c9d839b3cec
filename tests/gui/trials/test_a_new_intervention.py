"""An intervention that nothing in attnviz knows: one record and one field, and every place that names one has it."""

from collections.abc import Iterator
from dataclasses import MISSING, fields, replace
from pathlib import Path
from typing import Annotated, Any

import numpy as np
import pytest
from hands import Hands
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot
from scripts import run_scripts
from windows import Opener, Settle

import attnviz
from attnviz.definitions.masks.of_layers import BY_HAND
from attnviz.definitions.text import Text
from attnviz.engine.run import run_to_end
from attnviz.experiment.fields.knob import Number, knob
from attnviz.experiment.files import specs_in_files
from attnviz.experiment.labs import LABS, make_spec
from attnviz.experiment.model.interventions.intervention import (
    At,
    ChangesOutputs,
    Divides,
    Forbids,
    InScript,
    Intervention,
    Undo,
)
from attnviz.experiment.model.spec import ModelSpec
from attnviz.experiment.model.trace import ModelTrace
from attnviz.export.code.script import pytorch_code
from attnviz.export.figures.figure import paper_figure
from attnviz.export.figures.settings import FigureSettings
from attnviz.gui.widgets.words import translate


def _louder(gain: float, at: At) -> Any:
    def act(outputs: Any, _first: int) -> None:
        outputs *= gain

    return act if (at.kind, at.layer) == ("self", 0) else None


GAIN = Intervention(
    prepared=lambda spec, run: spec.gain,
    effect=ChangesOutputs(_louder),
    heads=lambda gain: (),
    tokens=lambda gain: (),
    reads_b=False,
    said=lambda spec, name: Text("layer 1 times {gain:g}", {"gain": spec.gain}),
    undo=None,
    script=InScript(
        lambda spec: {"gain": spec.gain},
        "  # of layer 0",
        "if layer == 0:\n    pooled *= gain",
        "",
    ),
)


class LouderSpec(ModelSpec):
    """The model lab with the intervention: one line."""

    gain: Annotated[Number, GAIN] = knob(
        1.0, "Gain", "Outputs of layer 1 times this.", group=("Interventions"), ge=0, le=8
    )


@pytest.fixture(autouse=True)
def _has_gain(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setitem(LABS._records, "model", replace(LABS["model"], spec_type=LouderSpec))
    kept = (specs_in_files.presets, specs_in_files._presets_of, specs_in_files._presets_by_spec)
    for each in kept:  # presets hold specs
        each.cache_clear()
    yield
    for each in kept:
        each.cache_clear()


def louder(**values: Any) -> Any:
    return make_spec({"lab": "model", "device": "cpu", **values})


def run_of(spec: Any) -> ModelTrace:
    trace = run_to_end(spec)
    assert isinstance(trace, ModelTrace), trace
    return trace


def test_that_it_runs_is_named_in_the_figure_and_has_its_lines_in_the_script(tmp_path: Path) -> None:
    plain, trace = run_of(louder()), run_of(louder(gain=2.5))
    np.testing.assert_array_equal(trace.layer_at(0).heads, np.float32(2.5) * plain.layer_at(0).heads)  # type: ignore[arg-type]
    assert not np.array_equal(trace.arrays()["weights"][1], plain.arrays()["weights"][1])
    assert trace.effect is not None
    assert str(trace.badge) == "layer 1 times 2.5"
    assert "layer 1 times 2.5" in trace.summary()
    figure = paper_figure(trace, FigureSettings())
    assert "layer 1 times 2.5" in {text.get_text() for text in figure.findobj(lambda each: hasattr(each, "get_text"))}
    left = run_scripts({"louder": pytorch_code(trace.spec)}, tmp_path)["louder"]
    np.testing.assert_array_equal(left["weights"], trace.arrays()["weights"])
    assert trace.spec.without_changes == louder()
    assert attnviz.run(trace.spec.model_dump()).spec == trace.spec


def test_that_the_window_has_its_knob_badge_inspector_comparison_and_undo(
    open_window: Opener, hands: Hands, settle: Settle, qtbot: QtBot
) -> None:
    window = open_window(louder())
    settle(window)
    room: Any = window.room
    window.controller.undo_stack.clear()
    hands.type(room.form.editor("gain"), "2.5")
    settle(window)
    assert window.controller.spec == louder(gain=2.5)
    assert window.controller.undo_stack.undoText() == "Gain 1 → 2.5"
    assert window.status.badge.isVisible()
    assert window.status.badge.text() == translate(window.controller.shown.badge)  # type: ignore[union-attr]
    assert room.inspector.changed.text().startswith("layer 1 times 2.5\n")
    assert "without interventions" in window.status.facts.text()
    room.current_view.propose(page="compare")
    pair = room.stage.pages.compare.pair
    (button,) = [each for each in pair._further if each.isVisible()]
    qtbot.mouseClick(button, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(pair.difference.isVisible, timeout=20_000)
    assert pair.changes.text() == "B: layer 1 times 2.5"
    window.actions_["undo"].trigger()
    settle(window)
    assert window.controller.spec == louder()
    assert not window.status.badge.isVisible()


PARTS = [each.name for each in fields(Intervention)]


@pytest.mark.parametrize("part", PARTS)
def test_that_an_intervention_without_one_of_its_parts_cannot_be_made(part: str) -> None:
    parts = {each: getattr(GAIN, each) for each in PARTS if each != part}
    with pytest.raises(TypeError, match=part):
        Intervention(**parts)


def test_that_no_part_of_a_part_has_a_default() -> None:
    of = (Intervention, InScript, Undo, Forbids, Divides, ChangesOutputs)
    assert [each.name for kind in of for each in fields(kind) if each.default is not MISSING] == []
    assert Forbids(lambda *_: None, BY_HAND, lambda *_: None).mask is BY_HAND


def test_that_a_field_that_changes_a_run_without_a_record_is_no_class() -> None:
    with pytest.raises(TypeError, match="the fields silent change a run and carry no Intervention"):

        class Silent(ModelSpec):
            silent: Number = knob(1.0, "Silent", "Acts unnamed.", group="Interventions")


@pytest.mark.parametrize("heads", [None, lambda gain: gain, lambda gain: gain.heads, lambda gain: ("1.1",)])
def test_that_an_intervention_with_wrong_heads_is_no_class(heads: Any) -> None:
    with pytest.raises((TypeError, AttributeError), match=r"callable|iterable|has no attribute|heads in the default"):

        class Wrong(ModelSpec):
            gain: Annotated[Number, replace(GAIN, heads=heads)] = knob(1.0, "Gain", "Times", group="Interventions")
