"""What every editor of one field speaks: `value`, `set_value`, `edited`."""

from abc import abstractmethod
from typing import Any

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QWidget


class Editor(QWidget):
    """Edits one field as a whole value. `set_value` never makes it say `edited`: only the user does."""

    edited = Signal()
    """The user changed the value."""

    below: QWidget | None = None
    """A part that stands under label and editor, over the form's whole width."""

    @abstractmethod
    def value(self) -> Any:
        """Return what the user has entered, legal or not; the spec decides."""

    @abstractmethod
    def set_value(self, value: Any) -> None:
        """Show a value."""

    def mark_problem(self, wrong: bool) -> None:
        """Show at the field itself that its value is not legal."""
        parts = [self, *self.findChildren(QWidget)]
        parts += self.below.findChildren(QWidget) if self.below else []
        for widget in parts:
            if widget.property("problem") != wrong:
                widget.setProperty("problem", wrong)
                widget.style().unpolish(widget)
                widget.style().polish(widget)


def row_of(widget: QWidget) -> QHBoxLayout:
    """Return a layout without margins that fills a widget from left to right."""
    layout = QHBoxLayout(widget)
    layout.setContentsMargins(0, 0, 0, 0)
    layout.setSpacing(8)
    return layout
