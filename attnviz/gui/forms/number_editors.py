"""Editors of numbers: a slider for the usual range beside a box that takes any value; the spec validates it."""

import math
import re
from abc import abstractmethod
from bisect import bisect_left
from collections.abc import Sequence
from typing import Any, cast

from PySide6.QtCore import QEvent, QMetaMethod, QSignalBlocker, QSize, Qt, Slot
from PySide6.QtGui import QKeyEvent, QKeySequence, QValidator
from PySide6.QtWidgets import QDoubleSpinBox, QSlider, QSpinBox, QToolTip, QWidget
from typing_extensions import override

from attnviz.definitions.legal import Legal, between, neighbours, stepped, stops
from attnviz.gui.forms.editor import Editor, PassedByWheel
from attnviz.gui.theme import Look
from attnviz.gui.widgets.buttons import Switch, tiny_button
from attnviz.gui.widgets.layouts import row_of
from attnviz.gui.widgets.slider import Slider

_PAGES = 8
"""The number of Page Down presses that move a slider through its range."""
_MOST_NUMBERS = 100
_WIDE = 30
_FIGURES = (*range(10, 20), *range(20, 50, 2), *range(50, 100, 5))
"""The first two digits of the numbers on a logarithmic scale, with steps of about the same ratio."""
_BOX_WIDTH = 58
_ANY_INT = 2**31 - 1
_ANY_FLOAT = 1e12
_LONGEST_SAID = 20
_ALL_DECIMALS = 323  # Qt rounds to the box's decimals; its maximum keeps all digits of normal numbers


class _Box(PassedByWheel):
    """Mixin before a spin box: any text can be typed, and an invalid one stays, so that it can be explained."""

    pattern: re.Pattern[str]
    """Matches the box's numbers."""
    nothing = ""
    """The text for 0 if that means no number, as an empty box does; "" if 0 is a number."""
    unread: str | None = None
    """The text typed last, if it is no number of the box."""

    @abstractmethod
    def read(self, text: str) -> float | None:
        """Return the number that a text is, None if it is none that the box can hold."""

    def within(self, text: str) -> float | None:
        """Return the number in digits, None if it is too large for the box."""
        box: Any = self  # the two kinds of box share these methods, but not their types
        number = float(text)
        return number if box.minimum() <= number <= box.maximum() else None

    @override
    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.ShortcutOverride and self._leaves(cast("QKeyEvent", event)):
            event.ignore()
            return True
        return super().event(event)

    def _leaves(self, key: QKeyEvent) -> bool:
        """Return whether a key is the window's: "?", which is in no number, and undo unless a text is half typed."""
        box: Any = self
        undoes = key.matches(QKeySequence.StandardKey.Undo) or key.matches(QKeySequence.StandardKey.Redo)
        return key.text() == "?" or (undoes and box.lineEdit().text() == box.textFromValue(box.value()))

    def validate(self, text: str, position: int) -> tuple[QValidator.State, str, int]:
        """Accept every beginning: Qt silently removes an invalid key, and the rest may be another number."""
        known = self.read(text) is not None
        return QValidator.State.Acceptable if known else QValidator.State.Intermediate, text, position

    def setValue(self, value: Any) -> None:
        """Show a number instead of the typed text."""
        self.unread = None
        super().setValue(value)  # type: ignore[misc]

    def fixup(self, text: str) -> str:
        """Note a finished text that is not a number; Qt then shows the value, by `textFromValue`."""
        self.unread = text
        return text


class _IntBox(_Box, QSpinBox):
    """Accepts any typed integer, so that an invalid one can be explained; arrows visit only valid ones."""

    pattern = re.compile(r"[+-]?[0-9]+")

    def __init__(self, low: float, high: float, nothing: str = "") -> None:
        super().__init__()
        self.nothing = nothing
        self._all: Legal = range(int(max(low, -_ANY_INT)), int(min(high, _ANY_INT)) + 1)
        self.legal: Legal = self._all
        """The numbers that arrows, the wheel and a slider visit."""
        self.setRange(-_ANY_INT, _ANY_INT)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setKeyboardTracking(False)

    def limit(self, legal: Legal | None) -> bool:
        """Visit only these numbers, within the field's limits; return whether this is new."""
        old = self.legal
        self.legal = self._all if legal is None else between(legal, self._all[0], self._all[-1]) or self._all
        return self.legal != old

    @override
    def read(self, text: str) -> float | None:
        if self.nothing and text.strip() in ("", self.nothing):
            return 0
        return self.within(text) if self.pattern.fullmatch(text.strip()) else None

    @override
    def valueFromText(self, text: str) -> int:
        self.unread = None
        return int(self.read(text) or 0)

    @override
    def textFromValue(self, value: int) -> str:
        return self._text(value) if self.unread is None else self.unread

    def nearest(self, number: float) -> str:
        """Return the nearest valid number."""
        near = neighbours(self.legal, round(number))
        return self._text(min(near, key=lambda legal: abs(legal - number)))

    def _text(self, number: float) -> str:
        return str(number) if number else self.nothing or "0"

    @override
    def stepBy(self, steps: int) -> None:
        self.setValue(stepped(self.legal, self.value(), steps))


class _FloatBox(_Box, QDoubleSpinBox):
    """Accepts any typed number; arrows visit given ones, or change the leading digit within the limits."""

    pattern = re.compile(r"[+-]?([0-9]+[.,]?[0-9]*|[.,][0-9]+)([eE][+-]?[0-9]+)?")

    def __init__(self, low: float, high: float, visited: tuple[float, ...] = ()) -> None:
        super().__init__()
        self.low, self.high = low, high
        self.legal: Legal = ()  # all numbers: a slider beside it has its own stops
        self._instead = ""
        self._chosen = visited
        self.setDecimals(_ALL_DECIMALS)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setRange(-_ANY_FLOAT, _ANY_FLOAT)
        self.setKeyboardTracking(False)

    def show_instead(self, text: str) -> None:
        """Show a text instead of the number, which stays the value; an empty one shows the number again."""
        self.unread = None
        self._instead = text
        self.lineEdit().setText(self.textFromValue(self.value()))

    @override
    def textFromValue(self, value: float) -> str:
        return self._instead or f"{value:.6g}" if self.unread is None else self.unread

    @override
    def valueFromText(self, text: str) -> float:
        self.unread = None
        if text == self.textFromValue(self.value()):
            return self.value()  # the text is rounded, the value is not
        # Qt rounds in setValue but not here: round alike, so that the value is the same when the spec is shown.
        return float(f"{self.read(text) or 0:.{_ALL_DECIMALS}f}")

    @override
    def read(self, text: str) -> float | None:
        if self._instead:
            return self.value()
        return self.within(text.replace(",", ".")) if self.pattern.fullmatch(text.strip()) else None

    def nearest(self, number: float) -> str:
        """Return the nearest valid number."""
        return f"{min(max(number, self.low, -_ANY_FLOAT), self.high, _ANY_FLOAT):.6g}"

    @override
    def stepBy(self, steps: int) -> None:
        if self._chosen:
            self.setValue(stepped(self._chosen, self.value(), steps))
            return
        least = self.low if 0 < self.low < math.inf else 1e-3
        size = 10 ** math.floor(math.log10(max(abs(self.value()), least)))
        step = size / 10 if steps < 0 and abs(self.value()) <= size * 1.0001 else size
        self.setValue(min(max(self.value() + steps * step, self.low), self.high))


class _Slider(PassedByWheel, Slider):
    """A slider that shrinks in a narrow panel."""

    @override
    def minimumSizeHint(self) -> QSize:
        return QSize(40, super().minimumSizeHint().height())


class _BoxEdit(Editor):
    """A number in a box. An invalid text stays in the box and is reported; the number stays the value."""

    def __init__(self, box: QSpinBox | QDoubleSpinBox) -> None:
        super().__init__()
        self._box: Any = box  # the two kinds of box share their methods, but not the types of these
        self._told = False  # whether the text in the box was refused
        box.setAlignment(Qt.AlignmentFlag.AlignRight)
        box.valueChanged.connect(self._type)
        box.editingFinished.connect(self._finish)

    @property
    @override
    def unread(self) -> str:
        typed = self._box.unread
        if typed is None:
            return ""
        try:
            near = float("".join(typed.split()).replace(",", "."))
        except ValueError:
            near = math.nan
        number = self._box.value() if math.isnan(near) else min(max(near, -_ANY_FLOAT), _ANY_FLOAT)
        nearest = self._box.nearest(number)
        said = typed if len(typed) <= _LONGEST_SAID else f"{typed[:_LONGEST_SAID]} ..."
        if not typed.strip():
            return self.tr("An empty box holds no number; nearest: {0}").format(nearest)
        if self._box.pattern.fullmatch(typed.strip()):
            low, high = map(self._box.nearest, (1 if self._box.nothing else -_ANY_FLOAT, _ANY_FLOAT))
            return self.tr("{0} must be between {1} and {2}; nearest: {3}").format(said, low, high, nearest)
        if isinstance(self._box, QSpinBox):
            return self.tr("“{0}” is not a whole number written with the digits 0 to 9; nearest: {1}").format(
                said, nearest
            )
        return self.tr("“{0}” is not a number such as 2.5 or 1e-3; nearest: {1}").format(said, nearest)

    def _put(self, value: float, text: str) -> None:
        """Set the box's value, unless it is shown already: setting it repaints the box."""
        self._told = False
        if self._box.value() != value or self._box.unread is not None or self._box.lineEdit().text() != text:
            with QSignalBlocker(self._box):
                self._box.setValue(value)

    @Slot()
    def _type(self) -> None:
        self._told = False
        self.edited.emit()

    @Slot()
    def _finish(self) -> None:
        told, self._told = self._told, self._box.unread is not None
        if self._told:
            if not self.isSignalConnected(QMetaMethod.fromSignal(self.refused)):  # a dialog has no room for sentences
                QToolTip.showText(self._box.mapToGlobal(self._box.rect().bottomLeft()), self.unread, self._box)
            self.refused.emit(self.unread)
        elif told:
            self.edited.emit()


class _BoxWithSlider(_BoxEdit):
    """A box that accepts any value, and beside it an optional slider over some of the valid ones.

    The positions of the slider are its stops, evenly spaced.
    """

    def __init__(
        self, box: QSpinBox | QDoubleSpinBox, slider: tuple[Any, Any] | None, before: QWidget | None = None
    ) -> None:
        super().__init__(box)
        self._range = slider
        self._stops: Sequence[float] = ()
        self._followed: tuple[float, Legal] | None = None  # the state that the slider was moved for
        self._slider: QSlider | None = None
        layout = row_of(self)
        if before is not None:  # Tab follows the order in which widgets are added
            layout.addWidget(before)
        if slider is not None:
            self._slider = _Slider()
            self._slider.setFocusPolicy(Qt.FocusPolicy.ClickFocus)  # the box takes the keys, and digits too
            self._slider.valueChanged.connect(self._slide)
            layout.addWidget(self._slider, 1)
        layout.addWidget(box, 0 if slider else 1)
        self.setFocusProxy(before or box)  # Tab would skip widgets before the focus proxy

    def restyle(self, look: Look) -> None:
        """Apply a type scale."""
        if self._slider is not None:  # boxes beside sliders form one column
            self._box.setFixedWidth(look.px(_BOX_WIDTH))

    @Slot(int)
    def _slide(self, position: int) -> None:
        self._box.setValue(self._stops[position])

    def _show(self, value: float) -> None:
        """Set the box's value, unless it is shown already."""
        self._put(value, self._box.textFromValue(value))
        self._follow()

    @Slot()
    @override
    def _type(self) -> None:
        self._follow()
        super()._type()

    def _follow(self) -> None:
        """Move the slider to the box's value, or to the nearest stop; a valid value becomes a stop."""
        if self._slider is None or self._range is None:
            return
        value, (low, high) = self._box.value(), self._range
        if self._slider.isSliderDown() and self._stops[self._slider.value()] == value:
            self._followed = None
            return  # its positions stay as they are while it is dragged
        if self._followed == (value, self._box.legal):
            return
        self._followed = value, self._box.legal
        stops = self._visited()
        is_legal = value in self._box.legal or not self._box.legal
        if low <= value <= high and is_legal and value not in stops:
            stops = sorted((*stops, value))
        self._stops = stops
        with QSignalBlocker(self._slider):
            self._slider.setRange(0, len(stops) - 1)
            self._slider.setPageStep(max(1, round(len(stops) / _PAGES)))
            above = bisect_left(stops, value)
            nearest = range(max(above - 1, 0), min(above + 1, len(stops)))
            self._slider.setValue(min(nearest, key=lambda place: abs(stops[place] - value)))

    @abstractmethod
    def _visited(self) -> Sequence[float]:
        """Return the stops of the slider."""


class IntEdit(_BoxWithSlider):
    """An integer: a slider for the usual range beside a box that accepts every valid value."""

    def __init__(self, low: float, high: float, slider: tuple[int, int] | None, visited: tuple[int, ...] = ()) -> None:
        super().__init__(_IntBox(low, high), slider)
        self._chosen = visited  # the round numbers that the slider visits; empty: all, or evenly spaced ones
        self._follow()

    @override
    def limit(self, legal: Legal | None) -> None:
        if self._box.limit(legal):
            self._follow()

    @override
    def value(self) -> int:
        return int(self._box.value())

    @override
    def set_value(self, value: Any) -> None:
        self._show(int(value))

    @override
    def _visited(self) -> Sequence[float]:
        assert self._range is not None
        chosen = tuple(number for number in self._chosen if number in self._box.legal)
        return chosen or stops(self._box.legal, *self._range)


class OptionalIntEdit(_BoxEdit):
    """An integer or None; None is an empty box or 0, and shown as the text ``nothing``."""

    def __init__(self, high: float, nothing: str) -> None:
        super().__init__(_IntBox(0, high, nothing))
        self._box.setMinimum(0)
        row_of(self, self._box)
        self.setFocusProxy(self._box)

    @override
    def limit(self, legal: Legal | None) -> None:
        self._box.limit(legal)

    @override
    def value(self) -> int | None:
        return self._box.value() or None

    @override
    def set_value(self, value: Any) -> None:
        number = int(value or 0)
        self._put(number, self._box.textFromValue(number))


class FloatEdit(_BoxWithSlider):
    """A number: a slider, logarithmic if the range spans decades, beside a box that accepts every valid value.

    Below them, ``clicks`` are values offered as buttons.
    """

    def __init__(
        self,
        low: float,
        high: float,
        slider: tuple[float, float] | None,
        clicks: tuple[float, ...] = (),
        visited: tuple[float, ...] = (),
        before: QWidget | None = None,
    ) -> None:
        super().__init__(_FloatBox(low, high, visited), slider, before)
        self._numbers = visited or (_spread(*slider) if slider else ())
        self._follow()
        if clicks:
            self.below = QWidget()
            line = row_of(self.below, None)
            for value in clicks:
                button = tiny_button(f"{value:g}", self._click)
                button.setProperty("number", value)
                line.addWidget(button)

    @override
    def value(self) -> float:
        return float(self._box.value())

    @override
    def set_value(self, value: Any) -> None:
        self._show(value)

    @Slot()
    def _click(self) -> None:
        self._box.setValue(self.sender().property("number"))

    def set_limits(self, low: float, high: float) -> None:
        """Set the range of the arrows."""
        self._box.low, self._box.high = low, high

    @override
    def _visited(self) -> Sequence[float]:
        return self._numbers


class OptionalFloatEdit(FloatEdit):
    """A number or None: a switch before the number, which starts at ``first``; off, the box shows ``nothing``."""

    def __init__(
        self, low: float, high: float, first: float, slider: tuple[float, float] | None = None, nothing: str = ""
    ) -> None:
        self._switch = Switch()
        super().__init__(low, high, slider, before=self._switch)
        self._nothing = nothing
        self._show(first)
        self._allow(False)
        self._switch.toggled.connect(self._toggle)

    @override
    def value(self) -> float | None:  # type: ignore[override]
        return super().value() if self._switch.isChecked() else None

    @override
    def set_value(self, value: Any) -> None:
        with QSignalBlocker(self._switch):
            self._switch.setChecked(value is not None)
        if value is not None:
            self._show(value)
        self._allow(value is not None)

    def _allow(self, on: bool) -> None:
        for part in filter(None, (self._box, self._slider)):
            part.setEnabled(on)
        self._box.show_instead("" if on else self._nothing)

    @Slot(bool)
    def _toggle(self, on: bool) -> None:
        self._allow(on)
        self.edited.emit()


def _spread(low: float, high: float) -> Sequence[float]:
    """Return about a hundred short numbers from ``low`` to ``high``; on a logarithmic scale if these are far apart."""
    if low <= 0 or high / low < _WIDE:
        step = _nice((high - low) / _MOST_NUMBERS)
        inside = (round(place * step, 6) for place in range(math.ceil(low / step), math.floor(high / step) + 1))
    else:
        decades = range(math.floor(math.log10(low)), math.ceil(math.log10(high)))
        inside = (float(f"{figure}e{decade - 1}") for decade in decades for figure in _FIGURES)
    return sorted({low, *(number for number in inside if low <= number <= high), high})


def _nice(step: float) -> float:
    """Return the least of 1, 2 and 5 times a power of ten that is at least a step."""
    power = 10.0 ** math.floor(math.log10(step))
    return next(nice * power for nice in (1, 2, 5, 10) if nice * power >= step * 0.999)
