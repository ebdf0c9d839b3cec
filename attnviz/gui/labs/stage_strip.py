"""The strip above a lab's stage: the stages of its mechanism, one of them chosen; and their player."""

from collections.abc import Mapping
from itertools import pairwise

from PySide6.QtCore import QEvent, QObject, QRectF, QSize, Qt, QTimer, Signal, Slot
from PySide6.QtGui import QFocusEvent, QFont, QFontMetrics, QHideEvent, QKeyEvent, QKeySequence, QPainter, QPaintEvent
from PySide6.QtWidgets import QApplication, QHBoxLayout, QLabel, QSizePolicy, QToolButton, QWidget
from typing_extensions import override

from attnviz.definitions.text import English, Text
from attnviz.gui.forms.editor import ComboBox
from attnviz.gui.plots.matrix.canvas import BY_KEYBOARD
from attnviz.gui.theme import Look, icon
from attnviz.gui.widgets.gestures import Gesture
from attnviz.gui.widgets.layouts import Placed
from attnviz.gui.widgets.words import translate

_DOT = "•"
_ARROWS = {Qt.Key.Key_Left: -1, Qt.Key.Key_Right: 1}


class StageStrip(Placed):
    """One button per stage, joined by arrows. It takes the focus as a whole, like a tab bar.

    If not all names fit, those far from the chosen one become dots, or their numbers; if these do not fit either, only
    those around the chosen one are shown, between ellipses.
    """

    GESTURES = (
        Gesture("Left, Right", "Previous or next stage", "Stages"),
        Gesture("Home, End", "First or last stage", "Stages"),
    )

    changed = Signal()
    """The user chose another stage."""

    def __init__(self, stages: Mapping[str, English | Text], chosen: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setAccessibleName(self.tr("Stages"))
        self.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Preferred)
        self._ringed = False
        self._lit = True
        self.offered: tuple[str, ...] = ()
        """The stages that can be chosen, in order."""
        self._titles: dict[str, str] = {}
        self._dots: dict[str, str] = {}
        self._widths: dict[str, int] = {}  # of the offered ones in the current font; empty until needed
        self.stage = chosen
        self._buttons: dict[str, QToolButton] = {}
        self._arrows: dict[str, QLabel] = {}
        self.offer_all(stages)

    @property
    def at_end(self) -> bool:
        """Whether the last stage is chosen."""
        return self.stage == self.offered[-1]

    def offer_all(self, stages: Mapping[str, English | Text]) -> None:
        """Offer stages by their titles, known or new."""
        known = set(self._buttons)
        for stage, title in stages.items():
            if stage not in self._buttons:
                self._titles[stage] = title.filled(translate) if isinstance(title, Text) else translate(title)
                self._dots[stage] = str(title.values.get("n", _DOT)) if isinstance(title, Text) else _DOT
                self._make_button(stage)
                self._arrows[stage] = QLabel("›", self)
                self._arrows[stage].setObjectName("caption")
        if known and known != set(self._buttons):  # new ones stand between known ones, for a screen reader too
            self._buttons = {stage: self._buttons[stage] for stage in (*stages, *self._buttons)}
            for button in self._buttons.values():
                button.raise_()
        self.offer(tuple(stages))

    def offer(self, stages: tuple[str, ...]) -> None:
        """Offer a trace's stages; if the chosen one is not among them, choose the nearest before it."""
        if stages == self.offered:
            return
        self.offered, self._widths = stages, {}
        for name in self._buttons:
            self._buttons[name].setVisible(name in stages)
            self._arrows[name].setVisible(name in stages[1:])
        if self.stage not in stages:
            order = list(self._buttons)
            before = [name for name in order[: order.index(self.stage)] if name in stages]
            self.stage = before[-1] if before else stages[0]
        self.press(self.stage)

    def light(self, on: bool) -> None:
        """Show which stage is chosen, or none: on a page that draws no stage."""
        if on != self._lit:
            self._lit = on
            self.press(self.stage)

    def press(self, stage: str) -> None:
        """Choose a stage without a signal."""
        self.stage = stage
        for name, button in self._buttons.items():
            button.setChecked(name == stage and self._lit)
        self._place()
        at = self.offered.index(stage) + 1
        self.setAccessibleDescription(self.tr("{0}, {1} of {2}").format(self._titles[stage], at, len(self.offered)))

    def button_of(self, stage: str) -> QWidget | None:
        """Return the button of a stage; None if it is not offered."""
        return self._buttons.get(stage) if stage in self.offered else None

    def go(self, by: int) -> None:
        """Choose the stage ``by`` positions away, if there is one, and emit `changed`."""
        at = self.offered.index(self.stage) + by
        if 0 <= at < len(self.offered):
            self.press(self.offered[at])
            self.changed.emit()

    @Slot()
    def go_back(self) -> None:
        """Choose the stage before the chosen one."""
        self.go(-1)

    @Slot()
    def go_on(self) -> None:
        """Choose the stage after the chosen one."""
        self.go(1)

    def go_to(self, stage: str) -> None:
        """Choose a stage and emit `changed`."""
        if stage in self.offered and stage != self.stage:
            self.press(stage)
            self.changed.emit()

    @override
    def keyPressEvent(self, event: QKeyEvent) -> None:
        match event.key():
            case Qt.Key.Key_Left | Qt.Key.Key_Right:
                self.go(_ARROWS[Qt.Key(event.key())])
            case Qt.Key.Key_Home:
                self.go_to(self.offered[0])
            case Qt.Key.Key_End:
                self.go_to(self.offered[-1])
            case _:
                super().keyPressEvent(event)

    @override
    def focusInEvent(self, event: QFocusEvent) -> None:
        """Show a focus ring only if the focus came by the keyboard."""
        self._ringed = event.reason() in BY_KEYBOARD
        super().focusInEvent(event)

    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        if self.hasFocus() and self._ringed:
            painter = QPainter(self)
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.setPen(self.palette().highlight().color())
            painter.drawRoundedRect(QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5), 6, 6)

    @Slot()
    def _click(self) -> None:
        stage = self.sender().property("stage")
        self.setFocus(Qt.FocusReason.MouseFocusReason)  # so that Left and Right work from here
        self.press(stage)
        self.changed.emit()

    def _make_button(self, stage: str) -> None:
        button = QToolButton(self)
        button.setObjectName("stageStep")
        button.setText(self._titles[stage])
        button.setToolTip(self._titles[stage])
        button.setAccessibleName(self._titles[stage])
        button.setCheckable(True)
        button.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        button.setProperty("stage", stage)
        button.clicked.connect(self._click)
        self._buttons[stage] = button

    @override
    def sizeHint(self) -> QSize:
        """Return the width of all stage names."""
        names = self._name_widths()
        return QSize(sum(names.values()) + self._arrow_width() * (len(names) - 1), 1)

    def width_in(self, room: int) -> int:
        """Return the width of the contents in a number of pixels: names, dots and arrows."""
        found = self._fitting(room)
        edges = (self.offered[0] not in found) + (self.offered[-1] not in found)
        return sum(found.values()) + self._arrow_width() * (len(found) - 1 + edges)

    @property
    def width_with_neighbours(self) -> int:
        """The width of the names of the chosen stage and of those before and after it, and of the other dots."""
        order, widths = self.offered, self._name_widths()
        at = order.index(self.stage)
        named = order[max(0, at - 1) : at + 2]
        dots = (len(order) - len(named)) * self._dot_width()
        return sum(widths[name] for name in named) + dots + self._arrow_width() * (len(order) - 1)

    @override
    def minimumSizeHint(self) -> QSize:
        """Return the width of the widest stage's name, and a dot for each other one."""
        widths = self._name_widths()
        return QSize(max(widths.values()) + (len(widths) - 1) * (self._dot_width() + self._arrow_width()), 1)

    @override
    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() in (QEvent.Type.FontChange, QEvent.Type.StyleChange):
            self._widths = {}
            self._place()

    @override
    def _place(self) -> None:
        """Place the buttons in a row."""
        found, names, arrow, left = self._fitting(self.width()), self._name_widths(), self._arrow_width(), 0
        for before, name in pairwise(("", *self.offered)):
            button, label = self._buttons[name], self._arrows[name]
            button.setVisible(name in found)
            label.setVisible(bool(before) and not found.keys().isdisjoint((before, name)))
            if not label.isHidden():
                label.setText("›" if found.keys() >= {before, name} else "…")
                label.setGeometry(left, 0, arrow, self.height())
                label.setAlignment(Qt.AlignmentFlag.AlignCenter)
                left += arrow
            if name in found:
                text = self._titles[name] if found[name] == names[name] else self._dots[name]
                if button.text() != text:
                    button.setText(text)
                height = min(self.height(), button.sizeHint().height())
                button.setGeometry(left, (self.height() - height) // 2, found[name], height)
                left += found[name]

    def _fitting(self, room: int) -> dict[str, int]:
        return widths_that_fit(self._name_widths(), self.stage, room, arrow=self._arrow_width(), dot=self._dot_width())

    def _name_widths(self) -> dict[str, int]:
        if not self._widths:
            metrics = QFontMetrics(_bold(self.font()))
            around = round(metrics.height() * 0.75)
            self._widths = {name: metrics.horizontalAdvance(self._titles[name]) + around for name in self.offered}
        return self._widths

    def _arrow_width(self) -> int:
        return round(self.fontMetrics().height() * 0.6)

    def _dot_width(self) -> int:
        height, widest = self.fontMetrics().height(), max(map(len, self._dots.values()))
        return max(round(height * 1.1), self.fontMetrics().horizontalAdvance("0" * widest) + round(height * 0.2))


def widths_that_fit(widths: Mapping[str, int], chosen: str, room: int, *, arrow: int, dot: int) -> dict[str, int]:
    """Return the stages in a strip of ``room`` pixels with their widths: of the name, or of a dot.

    The chosen one has its name, then its neighbours. If not even the dots fit, those far from it are left out.
    """
    order, arrows = list(widths), len(widths) - 1
    if widths[chosen] + (len(order) - 1) * (arrow + dot) > room:
        others = min(max(0, (room - widths[chosen] - 2 * arrow) // (arrow + dot)), len(order) - 1)
        first = min(max(0, order.index(chosen) - others // 2), len(order) - 1 - others)
        arrows = others + (first > 0) + (first + others < len(order) - 1)
        order = order[first : first + others + 1]
    found, middle = {name: widths[name] if name == chosen else dot for name in order}, order.index(chosen)
    width = sum(found.values()) + arrows * arrow
    for distance in range(1, len(order)):
        for place in (middle + distance, middle - distance):
            if 0 <= place < len(order):
                width += widths[order[place]] - dot
                if width > room:
                    return found
                found[order[place]] = widths[order[place]]
    return found


def _bold(font: QFont) -> QFont:
    font = QFont(font)
    font.setWeight(QFont.Weight.DemiBold)
    return font


PACES = (1.0, 2.0, 4.0, 8.0)
"""In seconds per stage."""
_FIRST_PACE = 1
_MODIFIERS = (Qt.Key.Key_Shift, Qt.Key.Key_Control, Qt.Key.Key_Alt, Qt.Key.Key_Meta, Qt.Key.Key_AltGr)

_PRESSING = (Qt.Key.Key_Space, Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Select)
"""The keys that press a button."""


class StagePlayer(QWidget):
    """A play button and its pace. While it plays, any key stops it, and has its usual effect."""

    GESTURES = (Gesture("Any key", "Stop, and do what the key does", "While stages play"),)

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
        """How long each stage is shown; the panel of the view has it."""
        self.pace.setAccessibleName(self.tr("Seconds per stage"))
        self.pace.setToolTip(self.tr("How long each stage is shown"))
        self.pace.setMinimumContentsLength(2)
        for seconds in PACES:
            self.pace.addItem(self.tr("{0} s").format(f"{seconds:g}"), seconds)
        self.pace.setCurrentIndex(_FIRST_PACE)
        self.pace.currentIndexChanged.connect(self._restart)
        layout = QHBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(self.button)
        strip.changed.connect(self._restart)
        self._name_button()

    def say_keys(self, keys: str) -> None:
        """Show the button's shortcut in its tooltip."""
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
        """Stop when another lab is entered or the window closes."""
        self.stop()
        super().hideEvent(event)

    @override
    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Stop at the first key, except for those that press the button, which would play again."""
        if event.type() in (QEvent.Type.ShortcutOverride, QEvent.Type.KeyPress):
            assert isinstance(event, QKeyEvent)
            keys = QKeySequence(event.keyCombination()).toString(QKeySequence.SequenceFormat.NativeText)
            presses = keys == self._keys or (self.button.hasFocus() and event.key() in _PRESSING)
            if event.key() not in _MODIFIERS and not presses:
                self.stop()
        return False

    @Slot()
    def _advance(self) -> None:
        self._strip.go(1)
        if self._strip.at_end:
            self.stop()

    @Slot()
    def _restart(self) -> None:
        """Show a stage that the user chose for the full time, also after another pace was chosen."""
        if self.playing:
            self._timer.start(round(self.pace.currentData() * 1000))

    def _name_button(self) -> None:
        name = self.tr("Stop") if self.playing else self.tr("Play the stages")
        self.button.setAccessibleName(name)
        self.button.setToolTip(f"{name} ({self._keys})" if self._keys else name)
        if self._look is not None:
            sign = "stop" if self.playing else "stages"  # the triangle is that of a training
            self.button.setIcon(icon(sign, self._look.theme.text, self._look.px(16)))
