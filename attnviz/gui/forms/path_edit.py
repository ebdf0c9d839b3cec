"""The editor of a file's path."""

from typing import Any

from PySide6.QtCore import Slot
from PySide6.QtWidgets import QFileDialog, QHBoxLayout, QLineEdit, QToolButton, QWidget
from typing_extensions import override

from attnviz.gui.forms.editor import Editor


class PathEdit(Editor):
    """A file's path, typed or chosen."""

    def __init__(self, title: str, name_filter: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._title, self._filter = title, name_filter
        self._line = QLineEdit()
        self._line.setPlaceholderText(title)
        self._line.setAccessibleName(title)
        self._line.editingFinished.connect(self._finish)
        self._shown = ""
        choose = QToolButton()
        choose.setText("...")
        choose.setToolTip(title)
        choose.setAccessibleName(title)
        choose.clicked.connect(self._choose)
        layout = QHBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(self._line, 1)
        layout.addWidget(choose)

    @override
    def value(self) -> str:
        return self._line.text()

    @override
    def set_value(self, value: Any) -> None:
        self._shown = value
        self._line.setText(value)

    @Slot()
    def _finish(self) -> None:
        if self._line.text() != self._shown:
            self._shown = self._line.text()
            self.edited.emit()

    @Slot()
    def _choose(self) -> None:
        path, _ = QFileDialog.getOpenFileName(self.window(), self._title, self._line.text(), self._filter)
        if path:
            self.set_value(path)
            self.edited.emit()
