"""Editors of choices: one of a few values, on or off."""

from typing import Any

from PySide6.QtCore import QSignalBlocker, Qt
from PySide6.QtWidgets import QComboBox, QWidget
from typing_extensions import override

from attnviz.gui.forms.editor import Editor, PassedByWheel, row_of
from attnviz.gui.theme import Look
from attnviz.gui.widgets.switch import Switch


class ChoiceEdit(Editor):
    """One of a few values, each shown with its title; ``helps`` maps values to tooltips."""

    def __init__(
        self, choices: dict[str, str], helps: dict[str, str] | None = None, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._combo = ComboBox()
        for value, title in choices.items():
            self._combo.addItem(title, value)
            self._combo.setItemData(self._combo.count() - 1, (helps or {}).get(value), Qt.ItemDataRole.ToolTipRole)
        self._combo.activated.connect(self.edited)
        row_of(self).addWidget(self._combo)
        self.setFocusProxy(self._combo)

    @override
    def value(self) -> str:
        return str(self._combo.currentData())

    @override
    def set_value(self, value: Any) -> None:
        self._combo.setCurrentIndex(self._combo.findData(value))


class SwitchEdit(Editor):
    """On or off."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._switch = Switch()
        self._switch.toggled.connect(self.edited)
        layout = row_of(self)
        layout.setContentsMargins(0, 3, 0, 0)  # aligns it with the text of its label
        layout.addWidget(self._switch)
        layout.addStretch(1)
        self.setFocusProxy(self._switch)

    @override
    def restyle(self, look: Look) -> None:
        self._switch.restyle(look)

    @override
    def value(self) -> bool:
        return self._switch.isChecked()

    @override
    def set_value(self, value: Any) -> None:
        with QSignalBlocker(self._switch):
            self._switch.setChecked(bool(value))


class ComboBox(PassedByWheel, QComboBox):
    """A combo box that the wheel changes only when it has the focus."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        self.setMinimumContentsLength(6)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
