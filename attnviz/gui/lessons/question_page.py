"""What is in the place of the picture until a question about it is answered."""

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel, QWidget

from attnviz.experiment.labs import Trace
from attnviz.experiment.lessons.lesson import LessonStep
from attnviz.experiment.lessons.shown import names_of_cells
from attnviz.gui.lessons.cells import HiddenCells
from attnviz.gui.theme import Look
from attnviz.gui.widgets.labels import caption
from attnviz.gui.widgets.layouts import column_of

_MOST_ACROSS = 24
"""The most rows and columns that are drawn; of a larger picture nothing is."""


class QuestionPage(QWidget):
    """Says that the picture comes with the answer, and has its cells without their numbers."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("stage")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.title = QLabel(self.tr("Answer first, then see the picture."))
        self.title.setObjectName("questionTitle")
        self.title.setWordWrap(True)
        self.title.setAlignment(Qt.AlignmentFlag.AlignTop)
        self.said = caption(wraps=True)
        self.cells = HiddenCells()
        column_of(self, self.title, self.said, self.cells, gap=8, wide=(self.cells,)).setContentsMargins(24, 16, 24, 24)

    def ask(self, step: LessonStep, trace: Trace | None) -> None:
        """Show the cells of a step's picture, of whose trace only the size is read."""
        asked = step.block.predict
        takes_marks = asked is not None and bool(asked.cells)
        self.said.setText(
            self.tr("Mark the cells with a click, or with the arrow keys and Space.") if takes_marks else ""
        )
        self.said.setVisible(takes_marks)
        rows, columns = (0, 0) if trace is None else trace.weights.shape[-2:]
        if max(rows, columns) > _MOST_ACROSS and not takes_marks:
            rows = columns = 0
        row_names, column_names = ((), ()) if trace is None or not rows else names_of_cells(trace)
        self.cells.show_cells(row_names, column_names, takes_marks=takes_marks)
        self.cells.setVisible(rows > 0)
        if takes_marks and rows > 0:
            self.cells.setFocus()

    def restyle(self, look: Look) -> None:
        """Take another theme or type scale."""
        self.title.setFont(look.font("large", bold=True))
        self.cells.restyle(look)
