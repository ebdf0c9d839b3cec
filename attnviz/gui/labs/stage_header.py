"""One line under the strip: the formula of the stage with its numbers put in, and the shapes in and out."""

import html
import re

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QHBoxLayout, QLabel, QWidget

from attnviz.gui.formula_view import FormulaView
from attnviz.gui.theme import Look


class StageHeader(QWidget):
    """Says what the stage computes."""

    def __init__(self, look: Look, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.formula = FormulaView(look)
        self.shapes = QLabel()
        self.shapes.setObjectName("caption")
        self.shapes.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        self.shapes.setAccessibleName(self.tr("Shapes"))
        self.shapes.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        layout = QHBoxLayout(self)
        layout.setContentsMargins(2, 0, 2, 0)
        layout.setSpacing(16)
        layout.addWidget(self.formula, 1)
        layout.addWidget(self.shapes)
        self.restyle(look)

    def add(self, widget: QWidget) -> None:
        """Put a widget at the end of the line."""
        layout = self.layout()
        assert layout is not None
        layout.addWidget(widget)

    def show_stage(self, latex: str, spoken: str, shapes: str) -> None:
        """Show a formula, how it is read aloud, and a text of one or two lines, in which L_q has a subscript."""
        self.formula.show_formula(latex, spoken)
        self.shapes.setText(re.sub(r"_(\w)", r"<sub>\1</sub>", html.escape(shapes)).replace("\n", "<br>"))

    def restyle(self, look: Look) -> None:
        """Take another theme or type scale."""
        self.formula.restyle(look)
        self.setFixedHeight(look.px(44))
