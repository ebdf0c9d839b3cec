"""Editors of choices: one of a few values, on or off."""

from typing import Any

from PySide6.QtCore import QRectF, QSignalBlocker, Qt
from PySide6.QtGui import QPainter, QPen, QWheelEvent
from PySide6.QtWidgets import QComboBox, QWidget
from superqt.switch import QStyleOptionToggleSwitch, QToggleSwitch
from typing_extensions import override

from attnviz.gui.forms.editor import Editor, row_of
from attnviz.gui.theme import Look


class ChoiceEdit(Editor):
    """One of a few values, each under its title."""

    def __init__(self, choices: dict[str, str], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._combo = ComboBox()
        for value, title in choices.items():
            self._combo.addItem(title, value)
        self._combo.activated.connect(self.edited)
        row_of(self).addWidget(self._combo)
        self.setFocusProxy(self._combo)

    @override
    def value(self) -> str:
        return str(self._combo.currentData())

    @override
    def set_value(self, value: Any) -> None:
        self._combo.setCurrentIndex(self._combo.findData(value))


class Switch(QToggleSwitch):
    """A switch of the house: its handle within its groove, and a ring while it has the keyboard."""

    def restyle(self, look: Look) -> None:
        """Take the theme's colours and the type scale."""
        self.onColor, self.offColor = look.color("accent"), look.color("muted")
        self.handleColor = look.color("panel")
        self.switchWidth, self.switchHeight, self.handleSize = look.px(30), look.px(16), look.px(12)
        self.updateGeometry()

    def setChecked(self, checked: bool) -> None:
        """Turn it on or off; one that is so already is left alone, for its handle would slide to where it is."""
        if checked != self.isChecked():
            super().setChecked(checked)

    @override
    def drawGroove(self, painter: QPainter, rect: QRectF, option: QStyleOptionToggleSwitch) -> None:
        super().drawGroove(painter, rect, option)
        if self.hasFocus():
            painter.setOpacity(1.0)
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.setPen(QPen(option.palette.text().color(), 1.5))
            painter.drawRoundedRect(rect, rect.height() / 2, rect.height() / 2)


class SwitchEdit(Editor):
    """On or off."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._switch = Switch()
        self._switch.toggled.connect(self.edited)
        layout = row_of(self)
        layout.addWidget(self._switch)
        layout.addStretch(1)
        self.setFocusProxy(self._switch)

    @override
    def value(self) -> bool:
        return bool(self._switch.isChecked())

    @override
    def set_value(self, value: Any) -> None:
        with QSignalBlocker(self._switch):
            self._switch.setChecked(bool(value))


class ComboBox(QComboBox):
    """A combo box that a scrolled panel does not change in passing."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        self.setMinimumContentsLength(6)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)

    @override
    def wheelEvent(self, event: QWheelEvent) -> None:
        # A wheel that scrolls the panel must not turn the knobs it passes over.
        super().wheelEvent(event) if self.hasFocus() else event.ignore()
