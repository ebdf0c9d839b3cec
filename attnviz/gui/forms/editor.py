"""What every editor of one field speaks: `value`, `set_value`, `edited`."""

from abc import abstractmethod
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import Signal
from PySide6.QtGui import QWheelEvent
from PySide6.QtWidgets import QAbstractButton, QHBoxLayout, QWidget
from typing_extensions import override

from attnviz.gui.theme import Look

if TYPE_CHECKING:
    _Widget = QWidget
else:
    _Widget = object  # what it is put before is the widget


LABEL_WIDTH = 88
"""The width of the column of labels, at scale 1."""


class Editor(QWidget):
    """Edits one field as a whole value. `set_value` never makes it say `edited`: only the user does."""

    edited = Signal()
    """The user changed the value."""

    refused = Signal(str)
    """What the user gave cannot become a value; the sentence says why, and the old value stays."""

    below: QWidget | None = None
    """A part that stands under label and editor, over the form's whole width."""

    place = ""
    """Which place within its field the user changed last; changes of different places are different steps of undo."""

    has_own_labels = False
    """Whether it fills the form's whole width, with labels for each of its lines."""

    fits_any: tuple[Any, ...] = ()
    """Holds one value that fits every spec, where most have to fit its other fields; then those do not give way."""

    @abstractmethod
    def value(self) -> Any:
        """Return what the user has entered, legal or not; the spec decides."""

    @abstractmethod
    def set_value(self, value: Any) -> None:
        """Show a value."""

    def restyle(self, look: Look) -> None:
        """Take another type scale; most editors follow their font by themselves."""

    def repair(self, place: tuple[str, ...], value: float) -> None:
        """Show a value at a place within this field's; a plain field has no place within."""
        del place
        self.set_value(value)

    def follow(self, spec: Any) -> None:
        """Take in what else a spec says: the sizes that the value has to fit, for example."""

    def set_name(self, name: str) -> None:
        """Let a screen reader call the editor, and every part without a name of its own, by this name."""
        self.setAccessibleName(name)
        for part in self.parts():
            if not part.accessibleName():
                text = part.text() if isinstance(part, QAbstractButton) else ""
                part.setAccessibleName(f"{name}: {text}" if text else name)

    def parts(self) -> list[QWidget]:
        """Return every widget of this editor, those below it included."""
        return self.findChildren(QWidget) + (self.below.findChildren(QWidget) if self.below else [])

    def mark_problem(self, wrong: bool) -> None:
        """Show at the field itself that its value is not legal."""
        for widget in [self, *self.parts()]:
            if widget.property("problem") != wrong:
                widget.setProperty("problem", wrong)
                widget.style().unpolish(widget)
                widget.style().polish(widget)


class PassedByWheel(_Widget):
    """Put before a Qt widget's class: a wheel that scrolls the panel must not turn the knobs it passes over."""

    @override
    def wheelEvent(self, event: QWheelEvent) -> None:
        super().wheelEvent(event) if self.hasFocus() else event.ignore()


def row_of(widget: QWidget) -> QHBoxLayout:
    """Return a layout without margins that fills a widget from left to right."""
    layout = QHBoxLayout(widget)
    layout.setContentsMargins(0, 0, 0, 0)
    layout.setSpacing(8)
    return layout
