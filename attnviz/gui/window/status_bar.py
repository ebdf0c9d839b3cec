"""The line below: facts of the trace on screen, and the progress of the run."""

import numpy as np
from PySide6.QtCore import Qt, QTimer, Slot
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QProgressBar, QToolButton, QWidget

from attnviz.experiment.attention.spec import AttentionSpec
from attnviz.experiment.attention.trace import AttentionTrace
from attnviz.experiment.labs import Trace
from attnviz.experiment.regression.trace import RegressionTrace
from attnviz.gui.widgets.steady_label import SteadyLabel

LONG_MS = 100


class StatusBar(QFrame):
    """Says only what the trace says. Progress and Stop appear when a run takes over a tenth of a second."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("statusBar")
        self.facts = SteadyLabel()
        self.facts.setAccessibleName(self.tr("Facts of the run"))
        self.badge = QLabel(self.tr("train: dropout on"))
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
        self._trace = trace
        self._show_facts()
        if isinstance(trace, RegressionTrace) and trace.spec.estimator == "parametric":
            self.progress.setUpdatesEnabled(False)  # it would paint itself at once, and with it all that waits to be
            self.progress.setRange(0, trace.spec.epochs)
            self.progress.setValue(trace.step)
            self.progress.setUpdatesEnabled(True)
        else:
            self.progress.setRange(0, 0)

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

    def _show_facts(self) -> None:
        trace = self._trace
        if trace is None:
            self.badge.hide()
            self.facts.setText("")
            return
        parts = [f"{trace.device}, {trace.dtype}"]
        if isinstance(trace, AttentionTrace) and trace.is_given:
            self.badge.hide()
            parts = [self.tr("given, {0}").format(trace.dtype)]
            parts += [self.tr("read {0} ms").format(f"{trace.milliseconds:.1f}")]
            parts += [self.tr("draw {0} ms").format(f"{self._drawn_ms:.1f}"), self._sums(trace)]
            self.facts.setText("      ".join(parts))
            return
        if isinstance(trace, AttentionTrace):
            acts = trace.spec.dropout_acts
            self.badge.setVisible(acts)
            parts += [] if acts else [self._mode(trace.spec)]
        else:
            self.badge.hide()
            if trace.spec.estimator == "parametric":
                parts.append(self.tr("step {0} of {1}").format(trace.step, trace.spec.epochs))
        parts.append(self.tr("seed {0}").format(trace.spec.seed))
        parts.append(self.tr("run {0} ms").format(f"{trace.milliseconds:.1f}"))
        parts.append(self.tr("draw {0} ms").format(f"{self._drawn_ms:.1f}"))
        parts.append(self._sums(trace))
        self.facts.setText("      ".join(parts))

    def _mode(self, spec: AttentionSpec) -> str:
        if spec.training:
            return self.tr("train")
        return self.tr("eval: dropout does nothing") if spec.dropout else self.tr("eval")

    def _sums(self, trace: Trace) -> str:
        said = self._sums_before_dropout(trace)
        if not isinstance(trace, AttentionTrace) or not trace.spec.dropout_acts:
            return said
        after = trace.dropped_row_sums[np.isfinite(trace.dropped_row_sums)]
        if not after.size:
            return said
        return self.tr("{0}; {1} .. {2} after dropout").format(said, f"{after.min():.3f}", f"{after.max():.3f}")

    def _sums_before_dropout(self, trace: Trace) -> str:
        sums = trace.row_sums[trace.row_sums != 0]
        empty = trace.row_sums.size - sums.size
        not_numbers = int(np.isnan(sums).sum())
        is_given = isinstance(trace, AttentionTrace) and trace.is_given
        if not_numbers and not (is_given and not_numbers < sums.size):
            return self.tr("{0} rows are not a number").format(not_numbers)
        sums = sums[~np.isnan(sums)]
        if not sums.size:
            return self.tr("no row has a valid key")
        low, high = f"{sums.min():.3f}", f"{sums.max():.3f}"
        said = self.tr("rows sum to {0}").format(low if low == high else f"{low} .. {high}")
        said += self.tr(", {0} not a number").format(not_numbers) if not_numbers else ""
        return said + (self.tr(", {0} empty").format(empty) if empty else "")
