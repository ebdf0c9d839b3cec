"""Play: step through the stages at a chosen pace, until the last one or until a key is pressed."""

from PySide6.QtCore import QEvent, QObject, Qt, QTimer, Slot
from PySide6.QtGui import QHideEvent, QKeyEvent
from PySide6.QtWidgets import QApplication, QHBoxLayout, QToolButton, QWidget
from typing_extensions import override

from attnviz.gui.forms.editor import ComboBox
from attnviz.gui.labs.stage_strip import StageStrip
from attnviz.gui.theme import Look, icon

PACES = (1.0, 2.0, 4.0, 8.0)
"""Seconds per stage."""
_FIRST_PACE = 1
_MODIFIERS = (Qt.Key.Key_Shift, Qt.Key.Key_Control, Qt.Key.Key_Alt, Qt.Key.Key_Meta, Qt.Key.Key_AltGr)


class StagePlayer(QWidget):
    """A play button and its pace. While it plays, any key stops it and has no other effect."""

    def __init__(self, strip: StageStrip, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._strip = strip
        self._look: Look | None = None
        self._keys = ""
        self._timer = QTimer(self)
        self._timer.timeout.connect(self._advance)
        self.button = QToolButton()
        self.button.setObjectName("quiet")
        self.button.clicked.connect(self.toggle)
        self.pace = ComboBox()
        self.pace.setAccessibleName(self.tr("Seconds a stage"))
        self.pace.setToolTip(self.tr("How long each stage is shown"))
        self.pace.setMinimumContentsLength(2)
        for seconds in PACES:
            self.pace.addItem(self.tr("{0} s").format(f"{seconds:g}"), seconds)
        self.pace.setCurrentIndex(_FIRST_PACE)
        self.pace.currentIndexChanged.connect(self._set_pace)
        layout = QHBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(4)
        layout.addWidget(self.button)
        layout.addWidget(self.pace)
        strip.changed.connect(self._restart_timer)
        self._name_button()

    def say_keys(self, keys: str) -> None:
        """Name the button's shortcut in its tooltip."""
        self._keys = keys
        self._name_button()

    @property
    def playing(self) -> bool:
        """Whether the stages are being stepped through."""
        return self._timer.isActive()

    def restyle(self, look: Look) -> None:
        """Apply a theme and type scale."""
        self._look = look
        self._name_button()

    @Slot()
    def toggle(self) -> None:
        """Play from the current stage, or from the first if it is the last; or stop."""
        if self.playing:
            self.stop()
            return
        if self._strip.at_end:
            self._strip.go_to(self._strip.offered[0])
        self._timer.start(round(self.pace.currentData() * 1000))
        QApplication.instance().installEventFilter(self)  # type: ignore[union-attr]
        self._name_button()

    @Slot()
    def stop(self) -> None:
        """Stop at the current stage."""
        if not self.playing:
            return
        self._timer.stop()
        QApplication.instance().removeEventFilter(self)  # type: ignore[union-attr]
        self._name_button()

    @override
    def hideEvent(self, event: QHideEvent) -> None:
        """Stop when another lab is entered or the window closes: a hidden player must not swallow keys."""
        self.stop()
        super().hideEvent(event)

    @override
    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Stop at the first key, and consume it."""
        kind = event.type()
        if kind not in (QEvent.Type.ShortcutOverride, QEvent.Type.KeyPress):
            return super().eventFilter(watched, event)
        assert isinstance(event, QKeyEvent)
        if event.key() in _MODIFIERS:
            return False
        event.accept()  # an overridden shortcut is sent again as a plain key press
        if kind == QEvent.Type.KeyPress:
            self.stop()
        return True

    @Slot()
    def _advance(self) -> None:
        self._strip.go(1)
        if self._strip.at_end:
            self.stop()

    @Slot()
    def _restart_timer(self) -> None:
        """Show a stage that the user chose for the full time."""
        if self.playing:
            self._timer.start()

    @Slot()
    def _set_pace(self) -> None:
        if self.playing:
            self._timer.start(round(self.pace.currentData() * 1000))

    def _name_button(self) -> None:
        name = self.tr("Stop") if self.playing else self.tr("Play the stages")
        self.button.setAccessibleName(name)
        self.button.setToolTip(f"{name} ({self._keys})" if self._keys else name)
        if self._look is not None:
            sign = "pause" if self.playing else "run"
            self.button.setIcon(icon(sign, self._look.theme.text, self._look.px(16)))
