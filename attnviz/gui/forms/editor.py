"""What every editor of one field speaks: `value`, `set_value`, `edited`."""

from abc import abstractmethod
from typing import Any

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget


class Editor(QWidget):
    """Edits one field as a whole value. `set_value` never makes it say `edited`: only the user does."""

    edited = Signal()
    """The user changed the value."""

    @abstractmethod
    def value(self) -> Any:
        """Return what the user has entered, legal or not; the spec decides."""

    @abstractmethod
    def set_value(self, value: Any) -> None:
        """Show a value."""

    def mark_problem(self, wrong: bool) -> None:
        """Show at the field itself that its value is not legal."""
        for widget in (self, *self.findChildren(QWidget)):
            if widget.property("problem") != wrong:
                widget.setProperty("problem", wrong)
                widget.style().unpolish(widget)
                widget.style().polish(widget)
