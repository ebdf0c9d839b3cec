"""Another rate beside a training: it acts from the shown step on, the past stays, and a new training is one button."""

from typing import Any

import numpy as np
import pytest
from hands import Hands, part
from PySide6.QtWidgets import QSlider
from small_specs import independent_trace
from windows import Opener

from attnviz.experiment.run import Cursor
from attnviz.experiment.train.branching import begun_anew, change_text, with_rate_from
from attnviz.experiment.train.spec import RateChange, TrainSpec
from attnviz.gui.window.main_window import MainWindow

SPEC = TrainSpec(
    task={"kind": "repeat", "segment": 3},
    num_tokens=8,
    vocab_size=8,
    num_hiddens=8,
    num_heads=2,
    batch_size=8,
    warmup=0,
    learning_rate=0.02,
    steps=20,
    device="cpu",
)


@pytest.fixture
def trained(open_window: Opener) -> MainWindow:
    """A window with a training that is over."""
    return open_window(SPEC)


def look_back(window: MainWindow, step: int, hands: Hands) -> None:
    window.controller.seek(Cursor(step=step))
    hands.qtbot.waitUntil(lambda: window.controller.shown is not None and window.controller.shown.step == step)


def settle_at(window: MainWindow, hands: Hands, spec: TrainSpec) -> Any:
    hands.qtbot.waitUntil(lambda: window.controller.up_to_date and window.controller.spec == spec, timeout=10_000)
    return window.controller.shown


def test_that_a_rate_edited_at_a_step_acts_from_there_and_keeps_the_past(trained: MainWindow, hands: Hands) -> None:
    look_back(trained, 10, hands)
    hands.type(trained.room.form.editor("learning_rate"), "0.001")
    branch = SPEC.model_copy(update={"changes": (RateChange(step=10, learning_rate=0.001),)})
    assert trained.controller.spec == branch
    assert trained.controller.undo_stack.undoText() == "Learning rate 0.001 from step 10 on"
    trace = settle_at(trained, hands, branch)
    assert trace.step == 10, "the training goes on from the step on screen when it is played"
    trained.actions_["run"].trigger()
    hands.qtbot.waitUntil(lambda: trained.controller.shown.step == 20, timeout=10_000)
    trace, old, new = trained.controller.shown, independent_trace(SPEC), independent_trace(branch)
    assert (trace.weights == new.weights).all()
    assert (trace.history.loss[:11] == old.history.loss[:11]).all(), "ten steps, and the loss before the next"
    assert not np.array_equal(trace.weights, old.weights)
    assert trained.room.form.editor("learning_rate").value() == 0.02
    trained.actions_["undo"].trigger()
    trace = settle_at(trained, hands, SPEC)
    assert (trace.history.loss[:10] == old.history.loss[:10]).all()


def test_that_a_drag_of_the_slider_is_one_rate_from_one_step(trained: MainWindow, hands: Hands) -> None:
    look_back(trained, 10, hands)
    slider = part(trained.room.form.editor("learning_rate"), QSlider)
    for place in (40, 41, 42, 43):
        slider.setValue(place)
    changes = trained.controller.spec.changes  # type: ignore[attr-defined]
    assert [change.step for change in changes] == [10]
    assert trained.controller.undo_stack.count() == 1
    slider.setValue(44)
    assert slider.value() == 44, "what is dragged stays under the hand"


def test_that_a_rate_at_step_0_is_the_first_one(trained: MainWindow, hands: Hands) -> None:
    look_back(trained, 0, hands)
    hands.type(trained.room.form.editor("learning_rate"), "0.001")
    assert trained.controller.spec == SPEC.model_copy(update={"learning_rate": 0.001})


def test_that_a_rate_after_the_last_step_says_that_it_needs_more_steps(trained: MainWindow, hands: Hands) -> None:
    hands.type(trained.room.form.editor("learning_rate"), "0.001")
    assert [change.step for change in trained.controller.spec.changes] == [20]  # type: ignore[attr-defined]
    note = trained.room.form.editor("changes").parentWidget().note
    hands.qtbot.waitUntil(lambda: "raise Steps" in note.text())
    hands.type(trained.room.form.editor("steps"), "24")
    assert not note.isVisible()
    wanted = trained.controller.spec
    hands.qtbot.waitUntil(lambda: trained.controller.up_to_date and trained.controller.paused)
    hands.qtbot.waitUntil(lambda: trained.controller.shown.step == 20)  # the steps before it may come one by one
    hands.qtbot.wait(50)
    assert (trained.controller.shown.step, trained.controller.paused) == (20, True)
    trained.actions_["run"].trigger()
    hands.qtbot.waitUntil(lambda: trained.controller.shown.step == 24, timeout=10_000)
    assert (trained.controller.shown.weights == independent_trace(wanted).weights).all()


def test_that_a_new_training_begins_at_step_0_with_the_rate_of_the_form_and_can_be_undone(
    trained: MainWindow, hands: Hands
) -> None:
    look_back(trained, 10, hands)
    hands.type(trained.room.form.editor("learning_rate"), "0.001")
    branch = trained.controller.spec
    steps: list[int] = []
    trained.controller.trace_accepted.connect(lambda trace: steps.append(trace.step))
    hands.qtbot.mouseClick(trained.room.hand.button, hands.left)
    anew = SPEC.model_copy(update={"learning_rate": 0.001})
    assert trained.controller.spec == anew
    assert trained.controller.undo_stack.undoText() == "New training"
    hands.qtbot.waitUntil(lambda: trained.controller.up_to_date and trained.controller.shown.final, timeout=10_000)
    assert min(steps) == 0
    assert (trained.controller.shown.weights == independent_trace(anew).weights).all()
    trained.actions_["undo"].trigger()
    assert trained.controller.spec == branch


def test_that_a_rate_drops_later_ones_and_one_like_that_before_changes_nothing() -> None:
    spec = with_rate_from(with_rate_from(SPEC, 5, 0.01), 10, 0.001)
    assert [(change.step, change.learning_rate) for change in spec.changes] == [(5, 0.01), (10, 0.001)]
    assert with_rate_from(spec, 7, 0.005).changes == (*spec.changes[:1], RateChange(step=7, learning_rate=0.005))
    assert with_rate_from(spec, 10, 0.01).changes == spec.changes[:1]
    assert with_rate_from(spec, 0, 0.5) == SPEC.model_copy(update={"learning_rate": 0.5})
    assert begun_anew(spec) == SPEC.model_copy(update={"learning_rate": 0.001})
    assert change_text(spec, SPEC).text == "No change of the learning rate from step 5 on"
    assert change_text(SPEC, SPEC.model_copy(update={"seed": 1})).text == ""


def test_that_one_rate_more_than_a_spec_holds_is_said_and_the_training_stays(open_window: Opener, hands: Hands) -> None:
    changes = tuple(RateChange(step=step, learning_rate=0.01 + step / 1e4) for step in range(1, 101))
    full = SPEC.model_copy(update={"steps": 110, "changes": changes})
    window = open_window(full)
    look_back(window, 105, hands)
    hands.type(window.room.form.editor("learning_rate"), "0.001")
    assert window.controller.spec == full, "a session with more of them could not be opened again"
    assert "more than 100" in window.room.form.problem("changes")
    look_back(window, 50, hands)
    hands.type(window.room.form.editor("learning_rate"), "0.002")
    assert len(window.controller.spec.changes) == 50  # type: ignore[attr-defined]
    assert not window.room.form.problem("changes")
