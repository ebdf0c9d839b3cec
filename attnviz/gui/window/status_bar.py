"""The status bar: facts of the trace on screen, and the state and progress of the run."""

import time
from collections import deque

from PySide6.QtCore import QEvent, QObject, Qt, QTimer, Slot
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QFrame, QProgressBar, QToolButton
from typing_extensions import override

from attnviz.experiment.labs import Trace
from attnviz.gui.run.controller import Controller
from attnviz.gui.widgets.explained import explain, place_in_manual
from attnviz.gui.widgets.labels import ElidingLabel, SteadyLabel, caption, show_text
from attnviz.gui.widgets.layouts import row_of
from attnviz.gui.widgets.words import translate

LONG_MS = 100
_MARGIN, _SIDE, _GAP = 4, 16, 12
_LATELY_S, _SOON_S = 3.0, 1.0
"""The time over which the pace of a training is measured, and the least remaining time worth showing."""


class TimeLeft:
    """Estimates the remaining time of a training from its last steps."""

    def __init__(self) -> None:
        self._seen: deque[tuple[float, int]] = deque()  # when which step was on screen
        self._of: object = None

    def note(self, of: object, step: int, now: float) -> None:
        """Note that a step of a training ``of`` some spec is on screen."""
        if of != self._of or (self._seen and step < self._seen[-1][1]):
            self._seen.clear()
            self._of = of
        self._seen.append((now, step))
        while len(self._seen) > 2 and now - self._seen[0][0] > _LATELY_S:
            self._seen.popleft()

    def seconds(self, steps: int) -> float | None:
        """Return the remaining time to a step; None if it is not known yet."""
        if len(self._seen) < 2:
            return None
        (begun, first), (now, last) = self._seen[0], self._seen[-1]
        return None if last == first else (steps - last) * (now - begun) / (last - first)

    def forget(self) -> None:
        """Reset: nothing runs."""
        self._seen.clear()


class StatusBar(QFrame):
    """Shows only facts of the trace. Progress and Stop appear when a run takes over a tenth of a second."""

    def __init__(self) -> None:
        super().__init__()
        self.setObjectName("statusBar")
        place_in_manual(self, "window#status-bar")
        self.facts = ElidingLabel()
        self.facts.installEventFilter(self)
        self.facts.setAccessibleName(self.tr("Facts of the run"))
        self.badge = caption(name="trainBadge")
        self.badge.hide()
        self.state = SteadyLabel()
        self.state.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        self.progress = QProgressBar(textVisible=False)
        self.progress.setFixedWidth(140)
        self.stop = QToolButton()
        self.stop.setObjectName("tiny")
        self.stop.setText(self.tr("Stop"))
        self._drawn_ms = 0.0
        self._drawn = QTimer(self, singleShot=True, interval=0)
        self._drawn.timeout.connect(self._show_facts)
        self._trace: Trace | None = None
        self._said = ""  # the facts, with a place for the time that the drawing took
        self._time_left = TimeLeft()
        self._long = QTimer(self, singleShot=True, interval=LONG_MS)
        self._long.timeout.connect(self._show_progress)
        parts = (self.badge, self.facts, None, self.state, self.progress, self.stop)
        row_of(self, *parts, gap=_GAP).setContentsMargins(_SIDE, _MARGIN, _SIDE, _MARGIN)
        self.progress.hide()
        self.stop.hide()

    def fit_height(self) -> None:
        """Be as high as its highest part in the type of now, whether that is shown or not."""
        parts = (self.badge, self.state, self.progress, self.stop)  # the facts are as high as the state
        self.setFixedHeight(max(part.sizeHint().height() for part in parts) + 2 * _MARGIN)
        self._fit()

    @override
    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def _fit(self) -> None:
        """Give the facts the remaining width, fixed so that a new text moves nothing."""
        others = [part for part in (self.badge, self.state, self.progress, self.stop) if not part.isHidden()]
        taken = sum((part.minimumWidth() or part.sizeHint().width()) + _GAP for part in others)
        self.facts.setFixedSize(max(1, self.width() - 2 * _SIDE - taken - _GAP), self.height() - 2 * _MARGIN)

    def show_trace(self, trace: Trace | None) -> None:
        """Show the facts of a trace; None if the lab on screen has none yet."""
        if trace is self._trace:
            return
        self._trace = trace
        show_text(self.badge, "" if trace is None else translate(trace.badge))
        self._fit()
        self._said = ""
        if trace is not None:
            drawn, weights = self.tr("draw {0} ms"), "".join(map(translate, trace.weight_facts()))
            self._said = "      ".join((*map(translate, trace.facts()), drawn, weights))
        self._show_facts()
        self.progress.setUpdatesEnabled(False)  # it would paint itself at once, and with it all that waits to be
        self.progress.setRange(0, 0 if trace is None else trace.spec.steps)
        if trace is not None and trace.spec.trains:
            self.progress.setValue(trace.step)
            self._time_left.note(trace.spec, trace.step, time.monotonic())
        self.progress.setUpdatesEnabled(True)

    @override
    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.ToolTip:
            explain(self.facts)  # only now: its terms are looked for in the whole glossary
        return False

    @Slot(float)
    def show_drawing(self, milliseconds: float) -> None:
        """Show the drawing time of the picture, once all of its parts are drawn and the frame is on screen."""
        self._drawn_ms = milliseconds
        self._drawn.start()

    def show_state(self, text: str, *, busy: bool, goal: int | None = None) -> None:
        """Show what is in progress; progress bar and Stop follow after a tenth of a second.

        The remaining time of a training is that to the step ``goal``, or to its end.
        """
        left = self._time_left.seconds(goal or self._trace.spec.steps) if busy and self._trace is not None else None
        if left is not None and left >= _SOON_S:
            text = self.tr("{0}, {1} left").format(text, self._in_words(left))
        if text != self.state.text():
            self.state.setText(text)
        if not busy:
            self._time_left.forget()
            self._long.stop()
            self.progress.hide()
            self.stop.hide()
        elif not self._long.isActive() and self.stop.isHidden():
            self._long.start()
        self._fit()

    def _in_words(self, seconds: float) -> str:
        if seconds < 60:
            return self.tr("{0} s").format(round(seconds))
        return self.tr("{0} min").format(round(seconds / 60))

    @Slot()
    def _show_progress(self) -> None:
        self.progress.show()
        self.stop.show()
        self._fit()

    @Slot()
    def _show_facts(self) -> None:
        self.facts.setText(self._said.format(f"{self._drawn_ms:.1f}"))


def state_of(controller: Controller, *, loading: bool, has_picture: bool) -> str:
    """Return a short text about what is in progress, or missing in the picture; empty for nothing."""
    stored = controller.shows_stored and controller.up_to_date
    awaited = controller.spec.first_waits_for
    if awaited and controller.computing and (controller.shown is None or not controller.shown.spec.first_waits_for):
        return translate(awaited)
    if loading:
        return translate("stored picture, loading PyTorch") if stored else translate("loading PyTorch")
    if controller.stopping:
        return translate("stopping")
    shown, sought = controller.shown, controller.sought
    if sought is not None and shown is not None and shown.spec.trains:
        if sought < shown.step:
            return translate("going back {0} steps to step {1}").format(shown.step - sought, sought)
        return translate("going to step {0}").format(sought)
    if controller.paused:
        return translate("paused")
    if controller.computing:
        return translate("running") if controller.up_to_date else translate("computing")
    if controller.computing_beside:
        return translate("computing beside")
    if shown is None or not has_picture:
        return ""
    if stored:
        return translate("stored picture")
    if controller.up_to_date:
        return translate(shown.incomplete)
    return "" if controller.has_failed else translate("stopped")
