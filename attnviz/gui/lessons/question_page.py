"""What is in the place of the picture until a question about it is answered."""

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel, QWidget

from attnviz.definitions.counting import are_positions, numbers
from attnviz.experiment.labs import Trace
from attnviz.experiment.lessons.lesson import LessonStep
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
        self.title = QLabel(self.tr("Answer first: then the picture is shown."))
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
        tokens = () if trace is None else tuple(trace.tokens)
        if len(tokens) == rows + columns:  # of the queries, then of the keys
            row_names, column_names = tokens[:rows], tokens[rows:]
        elif len(tokens) == rows == columns:
            row_names = column_names = tokens
        else:
            row_names, column_names = ((), ())
        self.cells.show_cells(
            _names(row_names, rows),
            _names(column_names, columns),
            takes_marks=takes_marks,
        )
        self.cells.setVisible(rows > 0)
        if takes_marks and rows > 0:
            self.cells.setFocus()

    def restyle(self, look: Look) -> None:
        """Take another theme or type scale."""
        self.title.setFont(look.font("large", bold=True))
        self.cells.restyle(look)


def _names(tokens: tuple[str, ...], count: int) -> tuple[str, ...]:
    """Return words as the picture has them, and numbers from one in place of positions."""
    return numbers(count) if are_positions(tokens) else tokens
