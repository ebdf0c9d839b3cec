"""Editors of values written as a line of text: document lengths, painted cells, the path of a file."""

from collections.abc import Callable
from typing import Any

from PySide6.QtCore import Slot
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QFileDialog, QLineEdit, QToolButton, QWidget
from typing_extensions import override

from attnviz.experiment.attention import painted
from attnviz.experiment.attention.spec import AttentionSpec
from attnviz.gui.forms.editor import Editor
from attnviz.gui.widgets.layouts import row_of


class TextEdit(Editor):
    """One line. It takes effect on Enter, when it loses the focus, or when its button clears it; not while typing."""

    def __init__(self, nothing: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._line = QLineEdit()
        self._line.setPlaceholderText(nothing)
        self._line.setClearButtonEnabled(True)
        self._line.editingFinished.connect(self._finish)
        for clear in self._line.findChildren(QToolButton):
            clear.clicked.connect(self._finish)
        self._counted = ""
        row_of(self, self._line)
        self.setFocusProxy(self._line)

    @override
    def value(self) -> str:
        return self._line.text()

    @override
    def set_value(self, value: Any) -> None:
        self._counted = self.text_of(value)
        if self._line.text() != self._counted:
            self._line.setText(self._counted)
            self._line.setCursorPosition(0)

    def text_of(self, value: Any) -> str:
        """Return how a value is typed."""
        return value if isinstance(value, str) else ", ".join(map(str, value or ()))

    @Slot()
    def _finish(self) -> None:
        if self._line.text() != self._counted:
            self._counted = self._line.text()
            self.edited.emit()


class PaintedEdit(TextEdit):
    """Painted cells, which are typed from one; those outside new sizes are removed."""

    fits_any = ("",)

    @override
    def value(self) -> painted.Typed:
        return painted.Typed(super().value())

    @override
    def text_of(self, value: Any) -> str:
        return value if isinstance(value, painted.Typed) else painted.typed(value)

    @override
    def follow(self, spec: AttentionSpec) -> None:
        if spec.sizes_known:
            self.set_sizes(spec.num_queries, spec.num_kvpairs)

    def set_sizes(self, queries: int, keys: int) -> None:
        """Adapt to the sizes of the weights, if the text can be parsed."""
        try:
            stored = painted.parse(self.value())
        except ValueError:
            return  # text that cannot be parsed stays as typed, with its message
        kept = painted.conform(stored, queries, keys)
        if kept != stored:
            self.set_value(kept)


_LONGEST_PATH = 4096


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
        row_of(self, self._line, choose, gap=-1, wide=(self._line,))

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

    @override
    def ways(self) -> tuple[tuple[str, Callable[[], object]], ...]:
        return (self.tr("Open ..."), self._choose), (self.tr("Paste"), self._paste)

    @Slot()
    def _paste(self) -> None:
        """Take a file, or its path, from the clipboard."""
        held = QGuiApplication.clipboard().mimeData()
        files = [url.toLocalFile() for url in held.urls() if url.isLocalFile()]
        path = files[0] if files else held.text().strip().strip("\"'")
        if path and "\n" not in path and len(path) < _LONGEST_PATH:
            self.set_value(path)
            self.edited.emit()
        else:
            self.refused.emit(self.tr("The clipboard holds neither a file nor its path; copy one of the two."))

    @Slot()
    def _choose(self) -> None:
        path, _ = QFileDialog.getOpenFileName(self.window(), self._title, self._line.text(), self._filter)
        if path:
            self.set_value(path)
            self.edited.emit()
