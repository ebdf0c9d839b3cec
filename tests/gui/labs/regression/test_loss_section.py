"""The loss over w beside a training: asked for once, drawn as the study and the trace have it, on demand for many."""

from typing import Any

import numpy as np
import pytest
from fake_engine import FakeEngine
from hands import Hands
from regression_hands import room_of, wait_beside
from small_specs import independent_run, independent_trace, regression, training
from windows import At, Opener, Settle

from attnviz.definitions.text import Text
from attnviz.engine.run import run
from attnviz.experiment.regression.studies import LossOverW
from attnviz.experiment.run import Cursor, Failure
from attnviz.gui.window.main_window import MainWindow


def section_of(window: MainWindow) -> Any:
    return room_of(window).inspector.loss


def plot_of(window: MainWindow) -> Any:
    return room_of(window).inspector.loss.plot


def curve_of(window: MainWindow) -> tuple[Any, Any]:
    x, y = plot_of(window).curve.data
    return (np.empty(0), np.empty(0)) if x is None else (x, y)


def asked_for(engine: FakeEngine) -> list[LossOverW]:
    asked: list[Any] = engine.asked
    return [each for each in asked if isinstance(each, LossOverW)]


def check_plot(window: MainWindow, trace: Any) -> None:
    """Check everything in the plot against a trace and a study of its own range."""
    plot = plot_of(window)
    w, loss = curve_of(window)
    (study,) = run(LossOverW(of=trace.spec, low=w[0], high=w[-1], count=len(w)))
    np.testing.assert_array_equal(w, study.w)
    np.testing.assert_array_equal(loss, study.loss)
    assert w[0] <= trace.w_path.min() <= trace.w_path.max() <= w[-1]
    for x, y in (plot.way.data, (plot.stops.x, plot.stops.y)):
        np.testing.assert_array_equal(x, trace.w_path[: trace.step, 0])
        np.testing.assert_array_equal(y, trace.loss[: trace.step])
    x, y = plot.here.data
    assert x.tolist() == [trace.w_now]
    (there,) = run(LossOverW(of=trace.spec, low=trace.w_now, high=trace.w_now + 1, count=2))
    assert y[0] == pytest.approx(there.loss[0], rel=0.02)
    best = int(study.loss.argmin())
    assert [each.tolist() for each in plot.least.data] == [[study.w[best]], [study.loss[best]]]
    assert [line.x for line in plot.lines if line.x is not None] == [trace.w_now]


@pytest.mark.parametrize(
    "spec",
    [
        training(learning_rate=0.02, epochs=30),
        training(leave_one_out=False, learning_rate=0.02),
        training(w_init=-2.0, learning_rate=0.01),
        training(w_init=7.0, learning_rate=0.01),
        training(w_init=-0.01, learning_rate=0.5, epochs=20),
        training(optimizer="adam", learning_rate=0.3, epochs=20),
    ],
    ids=lambda spec: f"w {spec.w_init} {spec.optimizer} {spec.leave_one_out}",
)
def test_that_curve_way_and_place_are_the_studys_and_the_traces_numbers(spec: Any, at: At, hands: Hands) -> None:
    window, trace = at(spec), independent_trace(spec)
    wait_beside(window, hands)
    check_plot(window, trace)
    low, high = curve_of(window)[0][[0, -1]]
    assert low == (-high if (trace.w_path < 0).any() else 0)
    assert plot_of(window).isVisible()
    assert not section_of(window).compute.isVisible()


def test_that_each_step_moves_the_place_and_adds_a_dot(at: At, hands: Hands) -> None:
    spec = training(learning_rate=0.05)
    window = at(spec)
    wait_beside(window, hands)
    window.actions_["reset"].trigger()
    traces = independent_run(spec, untrained_first=True)
    for step, trace in enumerate(traces[:4]):
        if step:
            window.actions_["step"].trigger()
        hands.qtbot.waitUntil(lambda step=step: window.controller.shown.step == step)  # type: ignore[union-attr]
        wait_beside(window, hands)
        check_plot(window, trace)


def test_that_looking_back_moves_the_place_and_asks_nothing(
    open_window: Opener, engine: FakeEngine, hands: Hands
) -> None:
    spec = training(learning_rate=0.05)
    window = open_window(spec)
    wait_beside(window, hands)
    assert len(asked_for(engine)) == 1
    trace = independent_run(spec, untrained_first=True)[2]
    window.controller.seek(Cursor(step=2))
    hands.qtbot.waitUntil(lambda: window.controller.shown.step == 2)  # type: ignore[union-attr]
    x, _ = plot_of(window).here.data
    assert x.tolist() == [trace.w_now]
    assert len(plot_of(window).stops.x) == 2
    assert len(asked_for(engine)) == 1


def test_that_it_is_asked_once_a_training_and_not_at_every_step(
    open_window: Opener, engine: FakeEngine, hands: Hands, settle: Settle
) -> None:
    window = open_window(regression())
    assert asked_for(engine) == []
    window.controller.set_pace(200)
    window.controller.propose(training(epochs=30, learning_rate=0.01))
    settle(window)
    wait_beside(window, hands)
    assert len(asked_for(engine)) == 1
    window.controller.run_or_pause()
    settle(window)
    for values in ({"learning_rate": 0.02, "epochs": 9}, {"w_init": 1.0, "optimizer": "adam"}):
        window.controller.propose(training(**{"learning_rate": 0.01} | values))
        settle(window)
        wait_beside(window, hands)
    assert len(asked_for(engine)) == 1
    window.controller.propose(training(learning_rate=0.01, leave_one_out=False))
    settle(window)
    wait_beside(window, hands)
    window.controller.propose(training(learning_rate=0.01, data={"kind": "book"}))
    settle(window)
    wait_beside(window, hands)
    assert len(asked_for(engine)) == 3
    check_plot(window, independent_trace(training(learning_rate=0.01, data={"kind": "book"})))


def test_that_a_way_that_leaves_the_range_is_asked_for_in_a_wider_one(
    open_window: Opener, engine: FakeEngine, hands: Hands
) -> None:
    spec = training(optimizer="momentum", learning_rate=0.5, w_init=0.5, epochs=8)
    traces = independent_run(spec, untrained_first=True)
    assert traces[0].w_now < 1
    assert traces[5].w_now > 10
    window = open_window(spec)
    wait_beside(window, hands)
    engine.asked.clear()
    window.actions_["reset"].trigger()
    for step, trace in enumerate(traces[:6]):
        if step:
            window.actions_["step"].trigger()
        hands.qtbot.waitUntil(lambda step=step: window.controller.shown.step == step)  # type: ignore[union-attr]
        wait_beside(window, hands, timeout=1000)
        assert curve_of(window)[0][-1] >= trace.w_now
    assert [(each.low, each.high) for each in asked_for(engine)] == [(0, 5), (0, 10), (0, 20)]
    check_plot(window, traces[5])


def test_that_new_points_bring_their_own_curve_and_the_end_of_their_training(at: At, hands: Hands) -> None:
    window = at(training(learning_rate=0.02))
    window.actions_["reset"].trigger()
    hands.qtbot.waitUntil(lambda: window.controller.shown.step == 0)  # type: ignore[union-attr]
    newer = training(learning_rate=0.02, data={"kind": "synthetic", "n_train": 11, "seed": 5})
    window.controller.propose(newer)
    hands.qtbot.waitUntil(lambda: window.controller.up_to_date)
    wait_beside(window, hands, timeout=1000)
    check_plot(window, independent_trace(newer))


def test_that_many_points_are_computed_on_demand_only(
    open_window: Opener, engine: FakeEngine, hands: Hands, settle: Settle, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("attnviz.gui.labs.regression.inspector.LEFT_OUT_UP_TO", 11)
    window = open_window(training(learning_rate=0.02))
    section = section_of(window)
    hands.qtbot.wait(50)
    assert asked_for(engine) == []
    assert section.compute.isVisible()
    assert not section.plot.isVisible()
    hands.qtbot.mouseClick(section.compute, hands.left)
    wait_beside(window, hands)
    assert len(asked_for(engine)) == 1
    assert not section.compute.isVisible()
    assert section.plot.isVisible()
    check_plot(window, independent_trace(training(learning_rate=0.02)))
    other = training(learning_rate=0.02, data={"kind": "synthetic", "n_train": 13})
    window.controller.propose(other)
    settle(window)
    hands.qtbot.wait(50)
    assert len(asked_for(engine)) == 1
    assert section.compute.isVisible()
    assert not section.plot.isVisible()
    few = training(learning_rate=0.02, data={"kind": "synthetic", "n_train": 11})
    window.controller.propose(few)
    settle(window)
    wait_beside(window, hands)
    assert section.plot.isVisible()
    check_plot(window, independent_trace(few))


@pytest.mark.parametrize("heads", [2, 5, 8])
def test_that_each_of_several_heads_has_a_line_at_its_w_and_no_way(heads: int, at: At, hands: Hands) -> None:
    spec = training(num_heads=heads, learning_rate=0.01)
    window, trace = at(spec), independent_trace(spec)
    wait_beside(window, hands)
    plot = plot_of(window)
    assert [line.x for line in plot.lines if line.x is not None] == trace.w_path[-1].tolist()
    assert len(plot.here.data[0]) == 0
    assert len(plot.stops.x) == 0
    w, loss = curve_of(window)
    assert w[0] <= trace.w_path.min() <= trace.w_path.max() <= w[-1]
    (study,) = run(LossOverW(of=spec, low=w[0], high=w[-1], count=len(w)))
    np.testing.assert_array_equal(loss, study.loss)


def test_that_the_section_is_there_for_trainings_alone(at: At, hands: Hands) -> None:
    for spec, there in ((training(), True), (regression(), False), (training(num_heads=2, learning_rate=0.01), True)):
        window = at(spec)
        assert section_of(window).isVisible() is there
        wait_beside(window, hands)


def test_that_a_training_on_other_points_shows_nothing_of_the_ones_before(
    open_window: Opener, engine: FakeEngine, hands: Hands
) -> None:
    window = open_window(training(learning_rate=0.02))
    wait_beside(window, hands)
    assert len(curve_of(window)[0])
    engine.wrong = lambda asked: Failure(asked, "run_failed", Text("no loss")) if isinstance(asked, LossOverW) else None
    window.controller.propose(training(learning_rate=0.02, data={"kind": "synthetic", "n_train": 9}))
    hands.qtbot.waitUntil(lambda: window.controller.up_to_date)
    wait_beside(window, hands)
    assert len(curve_of(window)[0]) == 0
    assert len(plot_of(window).stops.x) == 0


def test_that_a_loss_that_cannot_be_computed_says_why(open_window: Opener, engine: FakeEngine, hands: Hands) -> None:
    engine.wrong = lambda asked: Failure(asked, "run_failed", Text("no loss")) if isinstance(asked, LossOverW) else None
    window = open_window(training())
    wait_beside(window, hands)
    assert section_of(window).sentence.text() == "no loss"
