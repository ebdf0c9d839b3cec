"""The inspector's section on the loss over w: computed at once for few points, on request for many."""

import math

import numpy as np
from PySide6.QtCore import Signal, Slot
from PySide6.QtWidgets import QPushButton, QVBoxLayout, QWidget
from typing_extensions import override

from attnviz.experiment.failure import Failure
from attnviz.experiment.labs import Event
from attnviz.experiment.regression.data import LEFT_OUT_UP_TO
from attnviz.experiment.regression.spec import RegressionSpec
from attnviz.experiment.regression.studies import LossOverW, LossOverWTrace
from attnviz.experiment.regression.trace import RegressionTrace
from attnviz.gui.labs.regression.study_view import StudyView
from attnviz.gui.plots.curves.loss_plot import MOST_STOPS, LossPlot
from attnviz.gui.theme import Look
from attnviz.gui.widgets.words import translate

_LEAST_REACH = 5.0
_AIR = 1.15


class LossSection(StudyView):
    """Requests the study of its training, and draws it."""

    study_type = LossOverW
    wanted_changed = Signal()
    """The result of `wanted` may have changed."""

    def __init__(self, look: Look, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._trace: RegressionTrace | None = None
        self._asked_for: RegressionSpec | None = None
        self.plot = LossPlot(look)
        self.compute = QPushButton(self.tr("Compute"))
        self.compute.clicked.connect(self._compute)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(4)
        layout.addWidget(self.plot)
        layout.addWidget(self.sentence)
        layout.addWidget(self.compute)
        self.restyle(look)

    @override
    def restyle(self, look: Look) -> None:
        self.plot.restyle(look)
        self.plot.setFixedHeight(look.px(132))

    @override
    def study_of(self, spec: RegressionSpec) -> LossOverW | None:
        """Return the study of the training on screen; None if it is slow and the user has not requested it."""
        trace = self._trace
        if trace is None or not trace.w_path.size:
            return None
        of = _canonical(spec)
        if len(trace.x_train) > LEFT_OUT_UP_TO and of != self._asked_for:
            return None
        low, high = _reach(trace.w_path)
        return LossOverW(of=of, low=low, high=high)

    @override
    def follow(self, trace: RegressionTrace) -> None:
        """Show a training."""
        self._trace, self._spec = trace, trace.spec_written_out
        if isinstance(self._event, LossOverWTrace) and self._event.spec.of != _canonical(self._spec):
            self._event = None
            self.plot.show_study(None)
        self.plot.show_trace(trace)
        self.say()

    @override
    def draw_outcome(self, event: Event) -> None:
        self.plot.show_study(event if isinstance(event, LossOverWTrace) else None)

    @override
    def in_words_stopped(self) -> str:
        return self.tr("Stopped.")

    @override
    def say(self) -> None:
        trace = self._trace
        many = trace is not None and self._event is None and not self.wanted(self._spec)
        self.plot.setVisible(not many)
        self.compute.setVisible(many)
        several = trace is not None and trace.num_heads > 1
        if isinstance(self._event, Failure):
            self.sentence.setText(translate(self._event.message))
        elif many:
            self.sentence.setText(self.tr("This takes a while for more than {0} points.").format(LEFT_OUT_UP_TO))
        elif several:
            self.sentence.setText(self.tr("The loss if all heads had the same w; lines mark each head's w."))
        else:
            many_steps = trace is not None and trace.step > MOST_STOPS
            dots = self.tr("Dots are the last {0} steps, ★ is the least.").format(MOST_STOPS)
            self.sentence.setText(dots if many_steps else self.tr("Dots are the steps so far, ★ is the least."))

    @Slot()
    def _compute(self) -> None:
        if self._trace is not None:
            self._asked_for = _canonical(self._spec)
            self.say()
            self.wanted_changed.emit()


def _canonical(spec: RegressionSpec) -> RegressionSpec:
    """Return a spec that is equal for all trainings on the same points: the loss does not depend on rate or steps."""
    return RegressionSpec(data=spec.data, leave_one_out=spec.leave_one_out, device=spec.device)


def _reach(w_path: np.ndarray) -> tuple[float, float]:
    """Return a range of w that contains the whole path, in round numbers, so that it seldom changes."""
    known = w_path[np.isfinite(w_path)]
    farthest = max(_LEAST_REACH, float(np.abs(known).max(initial=0.0)) * _AIR)
    decade = 10.0 ** math.floor(math.log10(farthest))
    high = next(decade * each for each in (1, 2, 5, 10) if decade * each >= farthest)
    return (-high if (known < 0).any() else 0.0), high
