"""The view settings of a lab on screen, and the panel in which they are chosen."""

from typing import Any, Generic, TypeVar

from PySide6.QtCore import QObject, QSignalBlocker, Qt, Signal, Slot
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QAbstractButton, QCheckBox, QComboBox, QFormLayout, QFrame, QLabel, QLayout, QWidget
from typing_extensions import override

from attnviz.experiment.view_settings import ViewSettings
from attnviz.gui.widgets.buttons import Segments
from attnviz.gui.widgets.letters import give_letters

ViewT = TypeVar("ViewT", bound=ViewSettings)


class CurrentView(QObject, Generic[ViewT]):
    """Holds the view settings, and those for the next trace while one with other settings is awaited."""

    changed = Signal()
    """The user has changed the settings."""

    def __init__(self, first: ViewT, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.value = first
        """The settings of the trace on screen; assigned without a signal, for the caller draws a trace with them."""
        self.awaited: ViewT | None = None
        """The settings of the next trace, if it has settings of its own."""
        self._bound: list[QCheckBox | QComboBox | Segments] = []

    def bind(self, field: str, widget: QCheckBox | QComboBox | Segments) -> None:
        """Bind a field of the settings to a widget in both directions; the data of a box are the field's values."""
        widget.setProperty("field", field)
        self._bound.append(widget)
        if isinstance(widget, QCheckBox):
            widget.toggled.connect(self._take_choice)
        elif isinstance(widget, QComboBox):
            widget.currentIndexChanged.connect(self._take_choice)
        else:
            widget.chosen.connect(self._take_choice)

    def show_bound(self) -> None:
        """Show the settings in the bound widgets."""
        for widget in self._bound:
            value = getattr(self.value, widget.property("field"))
            with QSignalBlocker(widget):
                if isinstance(widget, QCheckBox):
                    widget.setChecked(value)
                elif isinstance(widget, QComboBox):
                    widget.setCurrentIndex(widget.findData(value))
                else:
                    widget.show_value(value)

    @Slot()
    def _take_choice(self) -> None:
        widget: Any = self.sender()
        if isinstance(widget, QCheckBox):
            value: object = widget.isChecked()
        else:
            value = widget.currentData() if isinstance(widget, QComboBox) else widget.value
        self.propose(**{widget.property("field"): value})

    def propose(self, **changes: Any) -> None:
        """Apply changes of the user, to the awaited trace too; emit `changed` if a value differs."""
        if self.note(**changes):
            self.changed.emit()

    def note(self, **changes: Any) -> bool:
        """Record the current state, such as the locked cell, without a signal; return whether it is new."""
        new = {name: value for name, value in changes.items() if getattr(self.value, name) != value}
        if new:
            self.value = self.value.model_copy(update=new)
            if self.awaited is not None:
                self.awaited = self.awaited.model_copy(update=new)
        return bool(new)

    def insist(self, **changes: Any) -> None:
        """Like `propose`, but set the values for the awaited trace even if the trace on screen has them."""
        if self.awaited is not None:
            self.awaited = self.awaited.model_copy(update=changes)
        self.propose(**changes)


class ViewPanel(QFrame):
    """The view options: a panel below a button, closed by Esc or a click elsewhere."""

    def __init__(self, button: QAbstractButton, parent: QWidget | None = None) -> None:
        super().__init__(parent, Qt.WindowType.Popup)
        self._button = button
        button.clicked.connect(self.open)
        self.setObjectName("viewPanel")
        self.setAccessibleName(self.tr("View"))
        self._form = QFormLayout(self)
        self._form.setContentsMargins(12, 10, 12, 10)
        self._form.setHorizontalSpacing(12)
        self._form.setVerticalSpacing(8)
        self._form.setSizeConstraint(QLayout.SizeConstraint.SetFixedSize)  # choices come and go while it is open

    def add(self, title: str, widget: QWidget, help_text: str = "") -> None:
        """Add a choice under its title; without a title, such as a check box, it takes both columns."""
        if title:
            label = QLabel(title)
            label.setBuddy(widget)
            self._form.addRow(label, widget)
        else:
            self._form.addRow(widget)
        if help_text:
            widget.setToolTip(help_text)
        if not widget.accessibleName():
            widget.setAccessibleName(title)

    def offer(self, widget: QWidget, on: bool) -> None:
        """Show a choice, or hide it if it has no effect."""
        self._form.setRowVisible(widget, on)

    @Slot()
    def open(self) -> None:
        """Show the panel below the button, their right sides aligned."""
        give_letters(self)
        self.adjustSize()
        self._place()
        self.show()
        self.setFocus(Qt.FocusReason.PopupFocusReason)
        self.focusNextChild()

    @override
    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._place()

    def _place(self) -> None:
        corner = self._button.mapToGlobal(self._button.rect().bottomRight())
        self.move(corner.x() + 1 - self.width(), corner.y() + 4)
