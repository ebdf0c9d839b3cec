"""The header below the strip: the stage's formula with its numbers, and the shapes in and out."""

import html
import re

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QHBoxLayout, QLabel, QVBoxLayout, QWidget

from attnviz.gui.theme import Look
from attnviz.gui.widgets.formula_view import FormulaView


class StageHeader(QWidget):
    """Shows what the stage computes."""

    def __init__(self, look: Look, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.formula = FormulaView(look)
        self.shapes = QLabel()
        self.shapes.setObjectName("caption")
        self.shapes.setAccessibleName(self.tr("Shapes"))
        self.shapes.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.shapes.setMinimumWidth(1)
        said = QVBoxLayout()
        said.setSpacing(0)
        said.addWidget(self.formula, 1)
        said.addWidget(self.shapes)
        self._line = QHBoxLayout(self)
        self._line.setContentsMargins(2, 0, 2, 0)
        self._line.setSpacing(16)
        self._line.addLayout(said, 1)
        self.restyle(look)

    def add(self, widget: QWidget) -> None:
        """Put a widget at the end of the line."""
        self._line.addWidget(widget)

    def show_stage(self, latex: str, spoken: str, shapes: str) -> None:
        """Show a formula, its text for screen readers, and one or two lines of shapes; ``L_q`` gets a subscript."""
        self.formula.show_formula(latex, spoken)
        self.shapes.setText(re.sub(r"_(\w)", r"<sub>\1</sub>", html.escape(shapes)).replace("\n", "<br>"))

    def restyle(self, look: Look) -> None:
        """Apply a theme and type scale."""
        self.formula.restyle(look)
        self.setFixedHeight(look.px(58))
