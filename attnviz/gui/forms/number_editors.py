"""Editors of numbers: a slider for the usual range beside a box that takes any value; the spec validates it."""

import math
from abc import abstractmethod
from typing import Any

from PySide6.QtCore import QSignalBlocker, QSize, Qt, Slot
from PySide6.QtGui import QValidator
from PySide6.QtWidgets import QDoubleSpinBox, QSlider, QSpinBox, QWidget
from typing_extensions import override

from attnviz.gui.forms.editor import Editor, PassedByWheel
from attnviz.gui.theme import Look
from attnviz.gui.widgets.buttons import Switch, tiny_button
from attnviz.gui.widgets.layouts import row_of

_SLIDER_STEPS = 1000
_BOX_WIDTH = 58
_ANY_INT = 2**31 - 1
_ANY_FLOAT = 1e12
_ALL_DECIMALS = 323  # Qt rounds to the box's decimals; its maximum keeps all digits of normal numbers


class _IntBox(PassedByWheel, QSpinBox):
    """Takes any whole number when typed, so that an illegal one can be explained; arrows stay within the limits."""

    def __init__(self, low: int, high: int) -> None:
        super().__init__()
        self.low, self.high = low, high
        self.setRange(-_ANY_INT, _ANY_INT)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setKeyboardTracking(False)

    @override
    def stepBy(self, steps: int) -> None:
        self.setValue(min(max(self.value() + steps, self.low), self.high))


class _FloatBox(PassedByWheel, QDoubleSpinBox):
    """Takes any number when typed; arrows change the leading digit and stay within the limits."""

    def __init__(self, low: float, high: float) -> None:
        super().__init__()
        self._low, self._high = low, high
        self.setDecimals(_ALL_DECIMALS)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setRange(-_ANY_FLOAT, _ANY_FLOAT)
        self.setKeyboardTracking(False)

    @override
    def textFromValue(self, value: float) -> str:
        return f"{value:.6g}"

    @override
    def valueFromText(self, text: str) -> float:
        if text == self.textFromValue(self.value()):
            return self.value()  # the text is rounded, the value is not
        try:
            # Qt rounds in setValue but not here: round alike, so that the value is the same when the spec is shown.
            return float(f"{float(text.replace(',', '.')):.{_ALL_DECIMALS}f}")
        except ValueError:
            return self.value()

    @override
    def validate(self, text: str, position: int) -> tuple[QValidator.State, str, int]:
        # "1e-3" and its beginnings are accepted; letters that occur in no number are not.
        state = QValidator.State.Acceptable if _is_number(text) else QValidator.State.Intermediate
        if set(text) - set("0123456789.,-+eE "):
            state = QValidator.State.Invalid
        return state, text, position

    @override
    def stepBy(self, steps: int) -> None:
        size = 10 ** math.floor(math.log10(max(abs(self.value()), 1e-3)))
        step = size / 10 if steps < 0 and abs(self.value()) <= size * 1.0001 else size
        self.setValue(min(max(self.value() + steps * step, self._low), self._high))


class _Slider(PassedByWheel, QSlider):
    """A slider that shrinks in a narrow panel."""

    @override
    def minimumSizeHint(self) -> QSize:
        return QSize(40, super().minimumSizeHint().height())


class _BoxWithSlider(Editor):
    """A box that takes any value, and beside it an optional slider for the usual range."""

    def __init__(self, box: QSpinBox | QDoubleSpinBox, slider: tuple[int, int] | None, parent: QWidget | None) -> None:
        super().__init__(parent)
        self._box: Any = box  # the two kinds of box share their methods, but not the types of these
        self._slider: QSlider | None = None
        layout = row_of(self)
        if slider is not None:
            self._slider = _Slider(Qt.Orientation.Horizontal)
            self._slider.setRange(*slider)
            self._slider.valueChanged.connect(self._slide)
            layout.addWidget(self._slider, 1)
        layout.addWidget(box, 0 if slider else 1)
        box.setAlignment(Qt.AlignmentFlag.AlignRight)
        box.valueChanged.connect(self._type)
        self.setFocusProxy(self._slider or box)  # Tab would skip widgets before the focus proxy

    @override
    def restyle(self, look: Look) -> None:
        if self._slider is not None:  # boxes beside sliders form one column
            self._box.setFixedWidth(look.px(_BOX_WIDTH))

    @Slot(int)
    def _slide(self, position: int) -> None:
        self._box.setValue(position)

    def _show(self, value: float) -> None:
        """Put a value into the box, unless it is shown already."""
        if self._box.value() != value or self._box.lineEdit().text() != self._box.textFromValue(value):
            with QSignalBlocker(self._box):
                self._box.setValue(value)
        self._follow()

    @Slot()
    def _type(self) -> None:
        # While it is dragged, the slider keeps its position.
        if self._slider is None or not self._slider.isSliderDown():
            self._follow()
        self.edited.emit()

    def _follow(self) -> None:
        """Move the slider to the box's value, clipped to its range."""
        if self._slider is not None:
            with QSignalBlocker(self._slider):
                self._slider.setValue(self._position())

    @abstractmethod
    def _position(self) -> int:
        """Return the slider's position for the box's value."""


class IntEdit(_BoxWithSlider):
    """A whole number: a slider for the usual range beside a box that takes every legal value."""

    def __init__(self, low: int, high: int, slider: tuple[int, int] | None, parent: QWidget | None = None) -> None:
        super().__init__(_IntBox(low, high), slider, parent)

    def set_limits(self, low: int, high: int) -> None:
        """Set the limits of the arrows."""
        self._box.low, self._box.high = low, high

    @override
    def value(self) -> int:
        return int(self._box.value())

    @override
    def set_value(self, value: Any) -> None:
        self._show(int(value))

    @override
    def _position(self) -> int:
        return self.value()


class OptionalIntEdit(Editor):
    """A whole number or None; None is entered as 0 and shown as the text ``nothing``."""

    def __init__(self, high: int, nothing: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._box = _IntBox(0, high)
        self._box.setMinimum(0)
        self._box.setSpecialValueText(nothing)
        self._box.setAlignment(Qt.AlignmentFlag.AlignRight)
        self._box.valueChanged.connect(self.edited)
        row_of(self, self._box)
        self.setFocusProxy(self._box)

    @override
    def value(self) -> int | None:
        return self._box.value() or None

    @override
    def set_value(self, value: Any) -> None:
        with QSignalBlocker(self._box):
            self._box.setValue(int(value or 0))


class FloatEdit(_BoxWithSlider):
    """A number: a slider, logarithmic where the range spans decades, beside a box that takes every legal value.

    Below them ``clicks`` are values offered as buttons.
    """

    def __init__(
        self,
        low: float,
        high: float,
        slider: tuple[float, float] | None,
        clicks: tuple[float, ...] = (),
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(_FloatBox(low, high), (0, _SLIDER_STEPS) if slider else None, parent)
        self._range = slider
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

    @property
    def _logarithmic(self) -> bool:
        return self._range is not None and self._range[0] > 0 and self._range[1] / self._range[0] >= 30

    @Slot(int)
    @override
    def _slide(self, position: int) -> None:
        assert self._range is not None
        low, high = self._range
        share = position / _SLIDER_STEPS
        value = low * (high / low) ** share if self._logarithmic else low + (high - low) * share
        self._box.setValue(float(f"{value:.2g}") if self._logarithmic else round(value, 2))

    @override
    def _position(self) -> int:
        assert self._range is not None
        low, high = self._range
        value = min(max(self.value(), low), high)
        share = math.log(value / low) / math.log(high / low) if self._logarithmic else (value - low) / (high - low)
        return round(share * _SLIDER_STEPS)


class OptionalFloatEdit(Editor):
    """A number or None, with a switch beside the box."""

    def __init__(self, low: float, high: float, first: float, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._box = _FloatBox(low, high)
        self._switch = Switch()
        row_of(self, self._switch, self._box, wide=(self._box,))
        with QSignalBlocker(self._box):
            self._box.setValue(first)
        self._box.setEnabled(False)
        self._switch.toggled.connect(self._toggle)
        self._box.valueChanged.connect(self.edited)
        self.setFocusProxy(self._switch)

    @override
    def restyle(self, look: Look) -> None:
        self._switch.restyle(look)

    @override
    def value(self) -> float | None:
        return self._box.value() if self._switch.isChecked() else None

    @override
    def set_value(self, value: Any) -> None:
        with QSignalBlocker(self._switch), QSignalBlocker(self._box):
            self._switch.setChecked(value is not None)
            if value is not None:
                self._box.setValue(value)
        self._box.setEnabled(value is not None)

    @Slot(bool)
    def _toggle(self, on: bool) -> None:
        self._box.setEnabled(on)
        self.edited.emit()


def _is_number(text: str) -> bool:
    try:
        return math.isfinite(float(text.replace(",", ".")))
    except ValueError:
        return False
