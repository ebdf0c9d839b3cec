"""The interface of an editor of one field: `value`, `set_value`, `edited`."""

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
    _Widget = object  # the widget class that it is mixed into follows in the bases


LABEL_WIDTH = 88
"""The width of the column of labels, at scale 1."""


class Editor(QWidget):
    """Edits one field as a whole value. `edited` is emitted for the user's changes only, never by `set_value`."""

    edited = Signal()
    """The user changed the value."""

    refused = Signal(str)
    """The user's input cannot become a value: the reason, as a sentence. The old value stays."""

    below: QWidget | None = None
    """A part below label and editor, as wide as the form."""

    place = ""
    """The place within its field that the user changed last; changes of different places are separate undo steps."""

    has_own_labels = False
    """Whether it is as wide as the form, with its own label on each line."""

    fits_any: tuple[Any, ...] = ()
    """One value that is legal in every spec, if most must fit other fields; empty if there is no such dependence."""

    @abstractmethod
    def value(self) -> Any:
        """Return what the user has entered, legal or not; the spec validates it."""

    @abstractmethod
    def set_value(self, value: Any) -> None:
        """Show a value."""

    def restyle(self, look: Look) -> None:
        """Apply a theme and type scale; most editors follow their font without it."""

    def repair(self, place: tuple[str, ...], value: float) -> None:
        """Show a value at a place within the field; a plain field has no places within."""
        del place
        self.set_value(value)

    def follow(self, spec: Any) -> None:
        """Adapt to the spec's other fields, such as the sizes that the value must fit."""

    def set_name(self, name: str) -> None:
        """Set the accessible name of the editor and of every part that has none."""
        self.setAccessibleName(name)
        for part in self.parts():
            if not part.accessibleName():
                text = part.text() if isinstance(part, QAbstractButton) else ""
                part.setAccessibleName(f"{name}: {text}" if text else name)

    def parts(self) -> list[QWidget]:
        """Return every child widget of this editor, including those of `below`."""
        return self.findChildren(QWidget) + (self.below.findChildren(QWidget) if self.below else [])

    def mark_problem(self, wrong: bool) -> None:
        """Highlight the field if its value is not legal."""
        for widget in [self, *self.parts()]:
            if widget.property("problem") != wrong:
                widget.setProperty("problem", wrong)
                widget.style().unpolish(widget)
                widget.style().polish(widget)


class PassedByWheel(_Widget):
    """Mixin before a Qt widget class: the wheel changes the value only with focus, else it scrolls the panel."""

    @override
    def wheelEvent(self, event: QWheelEvent) -> None:
        super().wheelEvent(event) if self.hasFocus() else event.ignore()


def row_of(widget: QWidget) -> QHBoxLayout:
    """Return a layout without margins that fills a widget from left to right."""
    layout = QHBoxLayout(widget)
    layout.setContentsMargins(0, 0, 0, 0)
    layout.setSpacing(8)
    return layout
