"""The page in place of the picture until a question about it is answered: the inputs, without the result."""

from typing import Any

from PySide6.QtCore import Qt, Slot
from PySide6.QtWidgets import QLabel, QWidget

from attnviz.definitions.counting import are_positions
from attnviz.experiment.labs import Trace
from attnviz.experiment.lessons.lesson import LessonStep
from attnviz.experiment.lessons.shown import names_of_cells
from attnviz.gui.lessons.cells import HiddenCells
from attnviz.gui.lessons.sequence_view import SequenceView
from attnviz.gui.theme import LIGHT, Look, restyle
from attnviz.gui.widgets.labels import caption, show_text
from attnviz.gui.widgets.layouts import column_of

_MOST_ACROSS = 24
"""The most rows and columns that are drawn; a larger picture is left out."""


class QuestionPage(QWidget):
    """Says that the picture comes with the answer, and shows its cells without their numbers."""

    def __init__(self) -> None:
        super().__init__()
        self.setObjectName("stage")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.title = QLabel(self.tr("Answer first, then see the picture."))
        self.title.setObjectName("questionTitle")
        self.title.setWordWrap(True)
        self.title.setAlignment(Qt.AlignmentFlag.AlignTop)
        self.said = caption(wraps=True)
        self.cells, self.sequence = HiddenCells(), SequenceView()
        self.inputs: Any = None
        """The picture of what the run was given, of the lab's own; None without one."""
        self._how = self._awaited = ""
        self._look = Look(LIGHT)
        parts = self.title, self.said, self.sequence, self.cells
        self._column = column_of(self, *parts, gap=8, wide=(self.cells,))
        self._column.setContentsMargins(24, 16, 24, 24)
        self._rest = QWidget()  # takes the remaining room
        self._column.addWidget(self._rest, 1)

    def ask(self, step: LessonStep, trace: Trace | None, inputs: QWidget | None = None) -> None:
        """Show the cells of a step's picture and its inputs, the only part of the trace that is read."""
        self._show_inputs(inputs)
        tokens = () if trace is None else tuple(trace.tokens)
        given = trace is not None and len(tokens) == trace.weights.shape[-1] and not are_positions(tokens)
        self.sequence.show_tokens(tokens if given else ())
        asked = step.block.predict
        takes_marks = asked is not None and bool(asked.cells)
        how = self.tr("Mark the cells with a click, or with the arrow keys and Space.")
        self._how = how if takes_marks and trace is not None else ""
        show_text(self.said, self._how or self._awaited)
        rows, columns = (0, 0) if trace is None else trace.weights.shape[-2:]
        if max(rows, columns) > _MOST_ACROSS and not takes_marks:
            rows = columns = 0
        row_names, column_names = ((), ()) if trace is None or not rows else names_of_cells(trace)
        self.cells.show_cells(row_names, column_names, takes_marks=takes_marks)
        self.cells.setVisible(rows > 0 and (takes_marks or inputs is None))
        self._rest.setVisible(self.cells.isHidden() and inputs is None)
        if takes_marks and rows > 0:
            self.cells.setFocus()

    @Slot(str)
    def say_awaited(self, text: str) -> None:
        """Say what the step waits for; empty once it is there."""
        self._awaited = text
        show_text(self.said, self._how or text)

    def _show_inputs(self, inputs: Any) -> None:
        if inputs is not self.inputs:
            if self.inputs is not None:
                self._column.removeWidget(self.inputs)
                self.inputs.hide()
            self.inputs = inputs
            if inputs is not None:
                restyle(inputs, self._look)
                self._column.insertWidget(2, inputs, 1)
        if inputs is not None:
            inputs.show()

    def restyle(self, look: Look) -> None:
        """Apply a theme and type scale."""
        self._look = look
        self.title.setFont(look.font("large", bold=True))
