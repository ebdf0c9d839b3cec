"""A mechanism with a knob that nothing in attnviz knows: one record, and form, file, formula and script have it."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from attention_hands import press_stage, stage_of
from hands import Hands
from PySide6.QtWidgets import QAbstractSpinBox
from registered import registered
from scripts import run_scripts
from small_specs import attention, independent_trace
from windows import Opener

from attnviz.definitions.knobs import NumberKnob
from attnviz.definitions.mechanisms import MECHANISMS
from attnviz.definitions.mechanisms.mechanism import Column
from attnviz.experiment.labs import SpecError, make_spec
from attnviz.experiment.layers.cell import attention_cell
from attnviz.experiment.sweeps.frames import parse_sweep
from attnviz.export.code.script import pytorch_code

GAINED = replace(
    MECHANISMS["multi_head"],
    name="gained",
    title="Multi-head, gained",
    class_name="GainedAttention",
    knobs=(
        NumberKnob(
            name="gain",
            title="Gain",
            help="What each score is multiplied by.",
            default=2,
            least=1,
            greatest=64,
            most=lambda sizes: sizes["num_kvpairs"],
        ),
    ),
    scores=lambda q, k, p, xp: p["gain"] * (q @ k.swapaxes(-2, -1)),
    columns=(
        Column("q", lambda cell: cell.q),
        Column("k", lambda cell: cell.k),
        Column("gain q · k", lambda cell: cell.parameters["gain"] * cell.q * cell.k),
    ),
    latex=r"{gain:g}\,\mathbf{{Q}}\mathbf{{K}}^\top",
    spoken="{gain:g} times Q K transposed",
    score_words="{gain:g} times their dot product",
    torch_scores="gain * (queries @ keys.transpose(-2, -1))",
)

_registered = registered(MECHANISMS, GAINED)


def gained(gain: int | None = None, **values: Any) -> Any:
    knobs = {} if gain is None else {"mechanism_knobs": {"gain": gain}}
    return attention(mechanism="gained", **knobs, **values)


def test_that_the_knob_is_turned_in_the_form_drawn_spoken_and_undone(
    open_window: Opener, hands: Hands, settle: Any
) -> None:
    window = open_window(attention())
    room: Any = window.room
    editor = room.form.editor("mechanism_knobs")
    assert not editor.isVisible()
    hands.pick(room.form.editor("mechanism"), "gained")
    settle(window)
    assert editor.isVisible()
    window.controller.undo_stack.clear()
    box = next(each for each in editor.findChildren(QAbstractSpinBox) if each.isVisible())
    hands.type(box, "3")
    settle(window)
    assert window.controller.spec == gained(3)
    assert window.controller.undo_stack.undoText() == "Settings of the module: Gain 2 → 3"
    np.testing.assert_array_equal(stage_of(window).trace.weights, independent_trace(gained(3)).weights)
    press_stage(window, "scores", hands)
    assert stage_of(window).formula.accessibleName().startswith("3 times Q K transposed over")
    hands.type(box, "60")
    assert room.form.problem("mechanism_knobs") == "Multi-head, gained: Gain 60 must be at most 4; nearest: 4"
    window.actions_["undo"].trigger()
    settle(window)
    assert window.controller.spec == gained()
    assert editor.value() == {"gain": 2}


def test_that_it_reaches_the_module_the_cell_the_file_the_sweep_and_the_script(tmp_path: Path) -> None:
    spec, plain = gained(3), attention(mechanism="multi_head")
    trace, without = independent_trace(spec), independent_trace(plain)
    np.testing.assert_allclose(trace.scores, 3 * without.scores, rtol=1e-6)
    cell = attention_cell(trace.layer, 0, 1, 2, 0)
    assert cell.steps[-1].after == pytest.approx(cell.score, rel=1e-5)
    assert json.loads(spec.model_dump_json())["mechanism_knobs"] == {"gain": 3}
    assert "mechanism_knobs" not in json.loads(gained().model_dump_json()), "as usual"
    assert make_spec(json.loads(spec.model_dump_json())) == spec
    assert [each.value for each in parse_sweep("mechanism_knobs.gain=1:4", gained()).specs] == [1, 2, 3, 4]
    left = run_scripts({"script": pytorch_code(spec)}, tmp_path)["script"]
    assert left["weights"].tobytes() == trace.weights.tobytes()


@pytest.mark.parametrize(
    ("knobs", "words"),
    [
        ({"gain": 99}, "mechanism_knobs.gain 99 must be at most 64; nearest: 64"),
        ({"gain": 9}, "mechanism_knobs.gain 9 must be at most 6; nearest: 6"),
        ({"gian": 2}, "there is no setting 'gian' in mechanism_knobs; nearest: gain"),
        ([2], "mechanism_knobs [2] must be an object with a number for each setting"),
    ],
)
def test_that_a_wrong_number_is_refused_with_the_nearest(knobs: Any, words: str) -> None:
    with pytest.raises(SpecError) as caught:
        make_spec({"mechanism": "gained", "mechanism_knobs": knobs})
    assert words in str(caught.value)
