"""A table of estimators and their errors: the fit first, then its overlays."""

import math

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QGridLayout, QLabel, QWidget

from attnviz.experiment.regression.spec import MOST_OVERLAYS
from attnviz.experiment.regression.trace import RegressionTrace
from attnviz.gui.labs.regression.words import coloured, fit_title
from attnviz.gui.plots.curves.lines import overlay_colour, overlay_sign
from attnviz.gui.theme import Look
from attnviz.gui.widgets.labels import SteadyLabel
from attnviz.gui.widgets.words import number_text, overlay_title

_RIGHT = Qt.AlignmentFlag.AlignRight


class ErrorsTable(QWidget):
    """The lines are made once; one is visible for each curve."""

    def __init__(self, look: Look, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._look = look
        layout = QGridLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setVerticalSpacing(3)
        layout.setHorizontalSpacing(12)
        layout.setColumnStretch(0, 1)
        abouts = (
            self.tr("Estimator"),
            self.tr("Mean squared error of the curve against the function without noise, over the queries in reach"),
            self.tr("Mean squared error at each training point, predicted from all the others"),
        )
        for column, heading in enumerate(("", self.tr("to truth"), self.tr("leave-one-out"))):
            label = QLabel(heading)
            label.setObjectName("caption")
            label.setToolTip(abouts[column])
            layout.addWidget(label, 0, column, _RIGHT if column else Qt.AlignmentFlag.AlignLeft)
        self._lines = [(QLabel(), SteadyLabel(), SteadyLabel()) for _ in range(MOST_OVERLAYS + 1)]
        for row, line in enumerate(self._lines):
            for column, label in enumerate(line):
                label.setObjectName("number")
                layout.addWidget(label, row + 1, column, _RIGHT if column else Qt.AlignmentFlag.AlignLeft)

    def restyle(self, look: Look) -> None:
        """Apply a theme and type scale."""
        self._look = look

    def show_trace(self, trace: RegressionTrace) -> None:
        """Show the errors of a fit and of its overlays."""
        theme = self._look.theme
        lines = [("━", theme.accent, fit_title(trace), trace.error_to_truth, trace.left_out_error)]
        for place, curve in enumerate(trace.curves):
            sign, colour = overlay_sign(place), overlay_colour(self._look, place)
            lines.append((sign, colour, overlay_title(curve.overlay), curve.error_to_truth, curve.left_out_error))
        for row, labels in enumerate(self._lines):
            for label in labels:
                label.setVisible(row < len(lines))
            if row < len(lines):
                sign, colour, title, to_truth, left_out = lines[row]
                labels[0].setText(coloured(sign, colour, title))
                for label, error in zip(labels[1:], (to_truth, left_out), strict=True):
                    label.setText("-" if math.isnan(error) else number_text(error, ".4f"))

    def texts(self) -> list[tuple[str, ...]]:
        """Return the visible numbers, line by line."""
        return [tuple(label.text() for label in line[1:]) for line in self._lines if not line[1].isHidden()]
