"""The line below: facts of the trace on screen, and the state and progress of the run."""

from PySide6.QtCore import Qt, QTimer, Slot
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QProgressBar, QToolButton, QWidget

from attnviz.experiment.labs import Trace
from attnviz.experiment.run import Fact
from attnviz.gui.run.controller import Controller
from attnviz.gui.widgets.explained import explain, place_in_manual
from attnviz.gui.widgets.labels import SteadyLabel
from attnviz.gui.widgets.words import translate

LONG_MS = 100


class StatusBar(QFrame):
    """Says only what the trace says. Progress and Stop appear when a run takes over a tenth of a second."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("statusBar")
        place_in_manual(self, "window#status-bar")
        self.facts = SteadyLabel()
        self.facts.setAccessibleName(self.tr("Facts of the run"))
        self.badge = QLabel()
        self.badge.setObjectName("trainBadge")
        self.badge.hide()
        self.state = SteadyLabel()
        self.state.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        self.progress = QProgressBar()
        self.progress.setTextVisible(False)
        self.progress.setFixedWidth(140)
        self.stop = QToolButton()
        self.stop.setObjectName("tiny")
        self.stop.setText(self.tr("Stop"))
        self._drawn_ms = 0.0
        self._trace: Trace | None = None
        self._said = ""  # the facts, with a place for the time that the drawing took
        self._long = QTimer(self)
        self._long.setSingleShot(True)
        self._long.setInterval(LONG_MS)
        self._long.timeout.connect(self._show_progress)
        layout = QHBoxLayout(self)
        layout.setContentsMargins(16, 4, 16, 4)
        layout.setSpacing(12)
        layout.addWidget(self.badge)
        layout.addWidget(self.facts)
        layout.addStretch(1)
        layout.addWidget(self.state)
        layout.addWidget(self.progress)
        layout.addWidget(self.stop)
        self.setFixedHeight(self.sizeHint().height())
        self.progress.hide()
        self.stop.hide()

    def show_trace(self, trace: Trace | None) -> None:
        """Show the facts of a trace; None where the lab on screen has none yet."""
        if trace is self._trace:
            return
        self._trace = trace
        badge = "" if trace is None else translate(trace.badge)
        self.badge.setText(badge)
        self.badge.setVisible(bool(badge))
        self._said = "" if trace is None else self._facts_of(trace)
        self._show_facts()
        explain(self.facts)
        self.progress.setUpdatesEnabled(False)  # it would paint itself at once, and with it all that waits to be
        self.progress.setRange(0, 0 if trace is None else trace.spec.steps)
        if trace is not None and trace.spec.trains:
            self.progress.setValue(trace.step)
        self.progress.setUpdatesEnabled(True)

    @Slot(float)
    def show_drawing(self, milliseconds: float) -> None:
        """Show how long the picture took to draw."""
        self._drawn_ms = milliseconds
        self._show_facts()

    def show_state(self, text: str, *, busy: bool) -> None:
        """Say what is being waited for; progress and Stop follow after a tenth of a second."""
        self.state.setText(text)
        if not busy:
            self._long.stop()
            self.progress.hide()
            self.stop.hide()
        elif not self._long.isActive() and self.stop.isHidden():
            self._long.start()

    @Slot()
    def _show_progress(self) -> None:
        self.progress.show()
        self.stop.show()

    def _facts_of(self, trace: Trace) -> str:
        parts = [*map(_said, trace.facts()), self.tr("draw {0} ms"), "".join(map(_said, trace.weight_facts()))]
        return "      ".join(parts)

    def _show_facts(self) -> None:
        self.facts.setText(self._said.format(f"{self._drawn_ms:.1f}"))


def _said(fact: Fact) -> str:
    return translate(fact.text).format(*fact.values)


def state_of(controller: Controller, *, loading: bool, has_picture: bool) -> str:
    """Return in a few words what goes on, or what the picture lacks; nothing if there is no more to be said."""
    if loading:
        return translate("loading PyTorch")
    if controller.stopping:
        return translate("stopping")
    if controller.paused:
        return translate("paused")
    if controller.computing:
        return translate("running") if controller.up_to_date else translate("computing")
    if controller.computing_beside:
        return translate("computing beside")
    shown = controller.shown
    if shown is None or not has_picture:
        return ""
    return translate(shown.incomplete) if shown.incomplete and controller.up_to_date else ""
