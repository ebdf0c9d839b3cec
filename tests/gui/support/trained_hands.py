"""Shared by tests of earlier training steps: user actions, and comparison of pictures with a step."""

from typing import Any

import numpy as np
from hands import Hands
from PySide6.QtCore import QPoint, QPointF
from PySide6.QtWidgets import QSlider, QToolButton
from pytestqt.qtbot import QtBot
from small_specs import independent_run

from attnviz.experiment.labs import Spec
from attnviz.gui.labs.regression.plots.training_plots import HistoryPlot
from attnviz.gui.window.main_window import MainWindow

_OF_ONE_STEP = ("head_kernel_values", "head_weights", "weights", "kernel_values", "y_hat", "shares", "contrast_levels")
_OF_ALL_STEPS = ("loss", "w_path", "mixture_path")


class TrainedHands:
    """Actions on a window with a learned width, and its state."""

    def __init__(self, window: MainWindow, qtbot: QtBot) -> None:
        self.window = window
        self.controller = window.controller
        self.qtbot = qtbot
        self.stage: Any = window.rooms["regression"].stage
        self.history: Any = self.stage.views.history

    @property
    def trace(self) -> Any:
        """The trace on screen."""
        return self.controller.shown

    @property
    def step(self) -> int:
        """The step on screen."""
        return int(self.trace.step)

    @property
    def slider(self) -> QSlider:
        """The slider over the steps."""
        slider: QSlider = self.history.row.slider
        assert slider.isVisible()
        return slider

    def button(self, key: str) -> QToolButton:
        """Return the visible button of an action in the top bar."""
        action = self.window.actions_[key]
        (found,) = [it for it in self.window.top_bar.findChildren(QToolButton) if it.defaultAction() is action]
        assert found.isVisible()
        return found

    def press(self, key: str) -> None:
        """Press a button in the top bar."""
        self.button(key).click()

    def wait_for(self, step: int) -> None:
        """Wait until a step is on screen."""
        self.qtbot.waitUntil(lambda: self.step == step)

    def slide_to(self, step: int) -> None:
        """Move the slider to a step, and wait until it is shown."""
        self.slider.setValue(step)
        self.wait_for(step)

    def press_at(self, plot: Any, step: float) -> None:
        """Press the mouse in the loss plot or the w plot, at a step."""
        view = plot.plot
        middle = view.getViewBox().viewRange()[1]
        place = view.getViewBox().mapViewToScene(QPointF(step, sum(middle) / 2))
        self.qtbot.mousePress(view.viewport(), Hands.left, pos=QPoint(round(place.x()), round(place.y())))
        self.qtbot.mouseRelease(view.viewport(), Hands.left, pos=QPoint(round(place.x()), round(place.y())))

    def wait_paused(self) -> None:
        """Wait until the pending results have arrived and the window shows that it is paused."""
        self.qtbot.waitUntil(lambda: self.controller.paused and self.window.runner.mailbox.quiet)
        self.qtbot.waitUntil(lambda: self.window.status.state.text() == "paused")


def steps_of_run(spec: Spec) -> list[Any]:
    """Return the trace of each step of an independent run, from step 0."""
    return independent_run(spec, untrained_first=True)


def check_shows(hands: TrainedHands, truth: list[Any], step: int, known: int) -> None:
    """Check that a step is shown bit for bit everywhere, with a history up to another step."""
    trace, at_step = hands.trace, truth[step]
    assert trace.spec == at_step.spec
    assert (trace.step, trace.known_steps) == (step, known)
    for name in _OF_ONE_STEP:
        assert getattr(trace, name).tobytes() == getattr(at_step, name).tobytes(), name
    for name in ("x_train", "y_train", "x_test", "y_truth"):
        assert getattr(trace, name).tobytes() == getattr(at_step, name).tobytes(), name
    for name in _OF_ALL_STEPS:
        assert getattr(trace, name).tobytes() == getattr(truth[known], name).tobytes(), name
    for name in ("left_out_error", "error_to_truth", "w_now"):
        assert np.array_equal(getattr(trace, name), getattr(at_step, name), equal_nan=True), name
    _check_plots(hands, truth, step, known)


def _check_axis(plot: HistoryPlot) -> None:
    """Check that an axis labels both ends, and that its range includes all data."""
    drawn = np.concatenate([curve.y for curve in plot.plot.curves])
    if len(drawn):
        axis = plot.plot.getAxis("left")
        ends = [end for end, _ in axis._tickLevels[0]]
        assert min(ends) <= drawn.min() <= drawn.max() <= max(ends)
        assert [text for _, text in axis._tickLevels[0]] == [f"{end:.6g}" for end in ends]
        low, high = plot.plot.getViewBox().viewRange()[1]
        assert low < min(ends) <= max(ends) < high


def _check_plots(hands: TrainedHands, truth: list[Any], step: int, known: int) -> None:
    """Check that the plots show the whole history and mark the step."""
    stage, history, epochs = hands.stage, hands.history, truth[0].spec.epochs
    x, y = stage.fit.curves.fit.data
    assert (x == truth[step].x_test).all()
    assert y.tobytes() == truth[step].y_hat.tobytes()
    if known:
        xs, loss = history.loss.plot.curves[0].data
        assert np.array_equal(xs, np.arange(known))
        assert loss.tobytes() == truth[known].loss.tobytes()
    for head, curve in enumerate(history.w.plot.curves[: truth[0].num_heads]):
        xs, w = curve.data
        assert np.array_equal(xs, np.arange(known + 1))
        assert np.array_equal(w, truth[known].w_path[:, head])
    assert history.loss.plot.here.x == history.w.plot.here.x == step
    for plot in (history.loss, history.w):
        _check_axis(plot)
    assert history.row.steps.text() == f"{step} / {epochs}"
    assert history.row.slider.value() == step
    assert (history.row.slider.minimum(), history.row.slider.maximum()) == (0, epochs)
    assert history.w.now.text() == ", ".join(f"{w:.4g}" for w in truth[known].w_path[step])
    assert history.loss.now.text() == (f"{truth[known].loss[step - 1]:.4g}" if step else "-")
    assert hands.window.rooms["regression"].inspector.training.texts()[0] == f"{step} of {epochs}"
    assert f"step {step} of {epochs}" in hands.window.status.facts.text()
