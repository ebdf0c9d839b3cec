"""The interface of an editor of one field: `value`, `set_value`, `edited`; and the editors of choices."""

from abc import abstractmethod
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, cast

from pydantic.fields import FieldInfo
from PySide6.QtCore import QEvent, QSignalBlocker, Qt, Signal, Slot
from PySide6.QtGui import QCursor, QPaintEvent, QPalette, QStandardItemModel, QWheelEvent
from PySide6.QtWidgets import (
    QAbstractButton,
    QComboBox,
    QStyle,
    QStyleOptionComboBox,
    QStylePainter,
    QToolTip,
    QVBoxLayout,
    QWidget,
)
from typing_extensions import override

from attnviz.definitions.legal import Legal
from attnviz.experiment.fields.knob import titles_of
from attnviz.gui.theme import set_state
from attnviz.gui.widgets.buttons import Switch
from attnviz.gui.widgets.gestures import Gesture
from attnviz.gui.widgets.labels import as_plain
from attnviz.gui.widgets.layouts import row_of
from attnviz.gui.widgets.words import translate

if TYPE_CHECKING:
    _Widget = QWidget
else:
    _Widget = object  # replaced by the widget class in the bases


LABEL_WIDTH = 88
"""The width of the column of labels, at scale 1."""


class Editor(QWidget):
    """Edits one field as a whole value. `edited` is emitted for the user's changes only, never by `set_value`."""

    edited = Signal()
    """The user changed the value."""

    refused = Signal(str)
    """The user's input is not a value: the reason, as a message. The old value stays."""

    below: QWidget | None = None
    """A part below label and editor, as wide as the form."""

    place = ""
    """The part of its field that the user changed last; changes of different parts are separate undo steps."""

    has_own_labels = False
    """Whether it is as wide as the form, with its own label on each line."""

    @property
    def lacks(self) -> str:
        """A message that asks the user for a missing value; "" if there is one."""
        return ""

    @property
    def unread(self) -> str:
        """The reason why its text is not a value, as a message; "" if it is one. A form runs no spec meanwhile."""
        return ""

    def ways(self) -> tuple[tuple[str, Callable[[], object]], ...]:
        """Return titles and functions of buttons that get the missing value."""
        return ()

    fits_any: tuple[Any, ...] = ()
    """One value that is valid in every spec, if most must fit other fields; empty without such a dependence."""

    @abstractmethod
    def value(self) -> Any:
        """Return the user's input, valid or not; the spec validates it."""

    @abstractmethod
    def set_value(self, value: Any) -> None:
        """Show a value."""

    @Slot()
    def take_part(self) -> None:
        """Emit `edited` for a part, an editor whose signal called this, and note the part."""
        part = self.sender()
        assert isinstance(part, Editor)
        self.place = part.place
        self.edited.emit()

    def repair(self, place: tuple[str, ...], value: Any) -> None:
        """Show a value in a part of the field; a plain field has no parts."""
        del place
        self.set_value(value)

    def limit(self, legal: Legal | None) -> None:
        """Restrict slider, wheel and arrow keys to these numbers; None: all within the field's limits."""

    def limit_parts(self, legal: Mapping[str, Legal]) -> None:
        """Restrict the editors of its parts likewise, by part; one that is missing has only its own limits."""

    def brings(self) -> tuple[Mapping[str, Any], ...]:
        """Return changes of other fields that may make room for the value just chosen, to be tried in this order."""
        return ()

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
        """Highlight the field if its value is invalid."""
        for widget in [self, *self.parts()]:
            set_state(widget, "problem", wrong)


class PassedByWheel(_Widget):
    """Mixin before a Qt widget class: the wheel changes the value only with focus, else it scrolls the panel."""

    GESTURES = (Gesture("Up, Down, Wheel", "Change the value that has the focus", "Settings"),)

    @override
    def wheelEvent(self, event: QWheelEvent) -> None:
        super().wheelEvent(event) if self.hasFocus() else event.ignore()


class ChoiceEdit(Editor):
    """One of a few values, each shown with its title; ``helps`` maps values to tooltips."""

    def __init__(self, choices: dict[str, str], helps: dict[str, str] | None = None) -> None:
        super().__init__()
        self._combo = ComboBox()
        for value, title in choices.items():
            self._combo.addItem(title, value)
            self._combo.setItemData(self._combo.count() - 1, (helps or {}).get(value), Qt.ItemDataRole.ToolTipRole)
        self._combo.activated.connect(self.edited)
        row_of(self, self._combo)
        self.setFocusProxy(self._combo)

    @override
    def value(self) -> str:
        return str(self._combo.currentData())

    @override
    def set_value(self, value: Any) -> None:
        self._combo.setCurrentIndex(self._combo.findData(value))


class SwitchEdit(Editor):
    """On or off."""

    def __init__(self) -> None:
        super().__init__()
        self._switch = Switch()
        self._switch.toggled.connect(self.edited)
        layout = row_of(self)
        layout.setContentsMargins(0, 3, 0, 0)  # aligns it with the text of its label
        layout.addWidget(self._switch)
        layout.addStretch(1)
        self.setFocusProxy(self._switch)

    @override
    def value(self) -> bool:
        return self._switch.isChecked()

    @override
    def set_value(self, value: Any) -> None:
        with QSignalBlocker(self._switch):
            self._switch.setChecked(bool(value))


class ComboBox(PassedByWheel, QComboBox):
    """A combo box that the wheel changes only when it has the focus. An elided text is in its tooltip."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        self.setMinimumContentsLength(6)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)

    @override
    def showPopup(self) -> None:
        """Open the list, with its height corrected: Qt ignores a few pixels of our focus border."""
        super().showPopup()
        view, popup = self.view(), self.view().window()
        layout = popup.layout()
        if layout is None:
            return
        layout.activate()
        arrows = [part for part in popup.findChildren(QWidget) if part.inherits("QComboBoxPrivateScroller")]
        taken = view.viewport().height() + sum(part.height() for part in arrows if part.isVisible())
        rows = [row for row in range(self.count()) if not view.isRowHidden(row)]  # type: ignore[attr-defined]
        missing = sum(map(view.sizeHintForRow, rows)) - taken
        if 0 < missing < view.sizeHintForRow(0):  # much more is missing where the screen has no room
            for arrow in arrows:
                arrow.hide()
            popup.resize(popup.width(), popup.height() + missing)

    @property
    def whole_text(self) -> str:
        """Its whole text."""
        return self.currentText() if self.currentIndex() >= 0 else self.placeholderText()

    @property
    def shown_text(self) -> str:
        """Its visible text."""
        option = QStyleOptionComboBox()
        self.initStyleOption(option)
        part = QStyle.SubControl.SC_ComboBoxEditField
        room = self.style().subControlRect(QStyle.ComplexControl.CC_ComboBox, option, part, self)
        return self.fontMetrics().elidedText(self.whole_text, Qt.TextElideMode.ElideRight, room.width())

    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        painter, option = QStylePainter(self), QStyleOptionComboBox()
        self.initStyleOption(option)
        painter.drawComplexControl(QStyle.ComplexControl.CC_ComboBox, option)
        if self.currentIndex() < 0:
            option.palette.setBrush(QPalette.ColorRole.ButtonText, option.palette.placeholderText())
        option.currentText = self.shown_text
        painter.drawControl(QStyle.ControlElement.CE_ComboBoxLabel, option)

    @override
    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.ToolTip and self.shown_text != self.whole_text:
            words = "\n".join(filter(None, (self.whole_text, self.toolTip())))
            QToolTip.showText(QCursor.pos(), as_plain(words), self)
            return True
        return super().event(event)

    def add_heading(self, title: str) -> None:
        """Add the title of the entries that follow; it cannot be chosen."""
        self.addItem(title)
        heading = cast("QStandardItemModel", self.model()).item(self.count() - 1)
        heading.setFlags(Qt.ItemFlag.NoItemFlags)
        font = self.font()
        font.setBold(True)
        heading.setFont(font)


def choice_of(field: FieldInfo) -> ChoiceEdit:
    """Return the choice of one of a field's kinds, under their titles."""
    return ChoiceEdit({kind: translate(title) for kind, title in titles_of(field).items()})


class KindEdit(Editor):
    """A choice of kinds, and below it the editors of the chosen kind."""

    def __init__(self, choice: ChoiceEdit) -> None:
        super().__init__()
        self.kinds: dict[str, QWidget] = {}
        self.kind = choice
        self.kind.edited.connect(self._change_kind)
        row_of(self, self.kind)
        self.below = QWidget()
        self._layout = QVBoxLayout(self.below)
        self._layout.setContentsMargins(0, 0, 0, 0)
        self.setFocusProxy(self.kind)

    def add_kind(self, kind: str, part: QWidget) -> None:
        """Show a part while this kind is chosen."""
        self.kinds[kind] = part
        self._layout.addWidget(part)
        part.hide()

    def add_always(self, part: QWidget) -> None:
        """Show a part for every kind."""
        self._layout.addWidget(part)

    def show_kind(self, kind: str) -> None:
        """Show the editors of a kind."""
        self.kind.set_value(kind)
        for name, part in self.kinds.items():
            part.setVisible(name == kind)
        self.show_below(kind in self.kinds)

    def show_below(self, on: bool) -> None:
        """Show or hide the part below the choice."""
        assert self.below is not None
        self.below.setVisible(on)

    @Slot()
    def _change_kind(self) -> None:
        self.show_kind(self.kind.value())
        self.edited.emit()
