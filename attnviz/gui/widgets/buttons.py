"""Exclusive buttons in one frame; an on/off switch; and small buttons for forms."""

from collections.abc import Callable

from PySide6.QtCore import QRectF, QSize, Qt, Signal, SignalInstance, Slot
from PySide6.QtGui import QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QAbstractButton, QButtonGroup, QFrame, QHBoxLayout, QSizePolicy, QToolButton, QWidget
from typing_extensions import override

from attnviz.gui.theme import LIGHT, Look


class Segments(QFrame):
    """Exclusive buttons, each with a value, a text, and a tooltip."""

    chosen = Signal()
    """The user pressed another button."""

    def __init__(self, name: str, choices: tuple[tuple[str, str, str], ...], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAccessibleName(name)
        self.setObjectName("segments")
        layout = QHBoxLayout(self)
        layout.setContentsMargins(2, 2, 2, 2)
        layout.setSpacing(2)
        self._group = QButtonGroup(self)
        for value, text, help_text in choices:
            button = QToolButton()
            button.setObjectName("segment")
            button.setText(text)
            button.setToolTip(help_text)
            button.setCheckable(True)
            button.setProperty("value", value)
            button.setChecked(value == choices[0][0])
            button.clicked.connect(self._move_focus)
            button.clicked.connect(self.chosen)
            self._group.addButton(button)
            layout.addWidget(button)
        self.setFocusProxy(self._group.buttons()[0])

    @Slot()
    def _move_focus(self) -> None:
        """Move the focus from the button chosen before, whose focus ring would look like a second choice."""
        pressed = self._group.checkedButton()
        if pressed is not None and any(button.hasFocus() for button in self._group.buttons()):
            pressed.setFocus(Qt.FocusReason.TabFocusReason)

    @property
    def value(self) -> str:
        """The checked button's value."""
        pressed = self._group.checkedButton()
        return "" if pressed is None else str(pressed.property("value"))

    def offer(self, value: str, on: bool) -> None:
        """Show or hide a choice; the first replaces a hidden one, without emitting `chosen`."""
        for button in self._group.buttons():
            if button.property("value") == value:
                button.setVisible(on)
                if not on and button.isChecked():
                    self._group.buttons()[0].setChecked(True)

    def show_value(self, value: str) -> None:
        """Check a button, without emitting `chosen`."""
        for button in self._group.buttons():
            if button.property("value") == value:
                button.setChecked(True)

    def press(self, value: str) -> None:
        """Click a button."""
        for button in self._group.buttons():
            if button.property("value") == value:
                button.click()


_LENGTH, _THICKNESS, _HANDLE = 30, 16, 12
_MARGIN, _RING = 2, 1.5
_OFF, _DISABLED = 0.8, 0.45
"""The opacity of the groove of a switch that is off, and of a disabled one."""


class Switch(QAbstractButton):
    """An on/off switch, presented as a check box to keyboard and screen reader, with a focus ring."""

    def __init__(self) -> None:
        super().__init__()
        self._look = Look(LIGHT)
        self.setCheckable(True)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)

    def restyle(self, look: Look) -> None:
        """Take the theme's colours and the type scale."""
        self._look = look
        self.updateGeometry()
        self.update()

    @property
    def groove(self) -> QRectF:
        """The rectangle of the groove."""
        length, thickness = self._look.px(_LENGTH), self._look.px(_THICKNESS)
        return QRectF(_MARGIN, (self.height() - thickness) / 2, length, thickness)

    @property
    def handle(self) -> QRectF:
        """The rectangle of the handle, always within the groove."""
        size, groove = self._look.px(_HANDLE), self.groove
        gap = (groove.height() - size) / 2
        left = groove.right() - gap - size if self.isChecked() else groove.left() + gap
        return QRectF(left, groove.top() + gap, size, size)

    @override
    def sizeHint(self) -> QSize:
        return QSize(self._look.px(_LENGTH) + 2 * _MARGIN, self._look.px(_THICKNESS) + 2 * _MARGIN)

    @override
    def minimumSizeHint(self) -> QSize:
        return self.sizeHint()

    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        groove, round_ = self.groove, self.groove.height() / 2
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setOpacity(self._strength())
        painter.setBrush(self._look.color("accent" if self.isChecked() else "muted"))
        painter.drawRoundedRect(groove, round_, round_)
        painter.setOpacity(1.0)
        painter.setBrush(self._look.color("panel"))
        painter.drawEllipse(self.handle)
        if self.hasFocus():
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.setPen(QPen(self._look.color("text"), _RING))
            painter.drawRoundedRect(groove.adjusted(-1, -1, 1, 1), round_ + 1, round_ + 1)

    def _strength(self) -> float:
        if not self.isEnabled():
            return _DISABLED
        return 1.0 if self.isChecked() else _OFF


def tiny_button(
    text: str, clicked: Callable[[], object] | SignalInstance, tip: str = "", name: str = ""
) -> QToolButton:
    """Return a small button; ``clicked`` is the slot that a click calls, or the signal that it emits.

    A screen reader says its text, or the ``name`` of a button whose text is a sign.
    """
    button = QToolButton()
    button.setObjectName("tiny")
    button.setText(text)
    button.setToolTip(tip)
    button.setAccessibleName(name)
    button.clicked.connect(clicked)
    return button
