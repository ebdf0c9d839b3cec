"""The editor of a token by its number, or by its name where some are named."""

from collections.abc import Sequence
from typing import Any

from PySide6.QtCore import Slot
from PySide6.QtWidgets import QLineEdit, QWidget
from typing_extensions import override

from attnviz.gui.forms.editor import ComboBox, Editor
from attnviz.gui.widgets.layouts import row_of
from attnviz.gui.widgets.words import translate


class TokenEdit(Editor):
    """A list of named tokens, such as the languages of the folder on screen, into which a number can be typed too."""

    def __init__(self, nothing: str, parent: QWidget | None = None, *, takes_text: bool = False) -> None:
        """``nothing`` stands there for no token; ``takes_text``: any text is a value, also that of a number."""
        super().__init__(parent)
        self._value: Any = None
        self._nothing, self._takes_text = nothing, takes_text
        self._named: tuple[tuple[int, str], ...] = ()
        self.box = ComboBox()
        self.box.setInsertPolicy(ComboBox.InsertPolicy.NoInsert)
        self.box.activated.connect(self._choose)
        line = QLineEdit()
        line.editingFinished.connect(self._type)
        self.box.setLineEdit(line)
        row_of(self, self.box, wide=(self.box,))
        self.setFocusProxy(self.box)
        self.show_named(())

    @override
    def value(self) -> Any:
        return self._value

    @override
    def set_value(self, value: Any) -> None:
        self._value = value
        self._show()

    def show_named(self, named: Sequence[tuple[int, str]]) -> None:
        """Offer tokens by name."""
        if self.box.count() and tuple(named) == self._named:
            return
        self._named = tuple(named)
        self.box.clear()
        self.box.addItem(self._nothing, None)
        for number, name in self._named:
            self.box.addItem(name, number)
        self._show()

    def _show(self) -> None:
        at = self.box.findData(self._value)
        if at >= 0:
            self.box.setCurrentIndex(at)
        number = f"#{self._value}" if self._takes_text and isinstance(self._value, int) else str(self._value)
        self.box.setEditText(self.box.itemText(at) if at >= 0 else number)
        line = self.box.lineEdit()
        assert line is not None
        line.setCursorPosition(0)  # a long name is read from its beginning

    @Slot(int)
    def _choose(self, at: int) -> None:
        self._take(self.box.itemData(at))

    @Slot()
    def _type(self) -> None:
        text = self.box.currentText().strip()
        at = self.box.findText(text)
        if at >= 0 or not text:
            self._take(self.box.itemData(max(at, 0)))
        elif self._takes_text:
            self._take(text)
        elif text.isascii() and text.isdecimal():
            self._take(int(text))
        else:
            self._show()
            said = translate("“{0}” is no token of this folder; type its number, or choose a language")
            self.refused.emit(said.format(text[:40]))

    def _take(self, value: Any) -> None:
        if value != self._value:
            self._value = value
            self.edited.emit()
        self._show()
