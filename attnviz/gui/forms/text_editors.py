"""Editors of values written as text: a line, a few lines, the path of a file."""

from collections.abc import Callable
from typing import Any

from PySide6.QtCore import QTimer, Signal, Slot
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QFileDialog, QLineEdit, QPlainTextEdit, QSizePolicy, QToolButton, QWidget
from typing_extensions import override

from attnviz.gui.forms.editor import Editor
from attnviz.gui.theme import Look
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
        """Return a value as typed text."""
        return value if isinstance(value, str) else ", ".join(map(str, value or ()))

    @Slot()
    def _finish(self) -> None:
        if self._line.text() != self._counted:
            self._counted = self._line.text()
            self.edited.emit()


_TYPING_PAUSE_MS = 250


class SentenceEdit(QPlainTextEdit):
    """A few lines of text; an edit takes effect after a short pause in typing."""

    edited = Signal()
    """The user changed the text, and a pause followed."""
    finished = Signal()
    """The typed text takes effect now."""

    def __init__(self, height: int = 62) -> None:
        super().__init__()
        self._height = height
        self._held = self._shown = ""
        self.typing = QTimer(self)
        """Runs during the pause."""
        self.typing.setSingleShot(True)
        self.typing.setInterval(_TYPING_PAUSE_MS)
        self.typing.timeout.connect(self.finish)
        self.textChanged.connect(self.typing.start)
        self.finished.connect(self.finish)
        self.setTabChangesFocus(True)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)

    @property
    def text(self) -> str:
        """The text, as it was set if it is unchanged: the widget has no no-break spaces."""
        typed = self.toPlainText()
        return self._held if typed == self._shown else typed

    def show_text(self, text: str) -> None:
        """Show a text; `edited` is not emitted."""
        if text != self.text:
            self.setPlainText(text)
        self._held, self._shown = text, self.toPlainText()
        self.typing.stop()

    @Slot()
    def finish(self) -> None:
        """Let the typed text take effect now."""
        self.typing.stop()
        if self.toPlainText() != self._shown:
            self._held = self._shown = self.toPlainText()
            self.edited.emit()

    def restyle(self, look: Look) -> None:
        """Apply a type scale: the usual height is three lines of text."""
        self.setFixedHeight(look.px(self._height))


_LONGEST_PATH = 4096


class PathEdit(Editor):
    """A file's path, typed or chosen."""

    def __init__(self, title: str, name_filter: str, hint: str = "", parent: QWidget | None = None) -> None:
        """Create it with the title of its dialog; ``hint`` is shown while it is empty, by default the title."""
        super().__init__(parent)
        self._title, self._filter = title, name_filter
        self._line = QLineEdit()
        self._line.setPlaceholderText(hint or title)
        self._line.setAccessibleName(title)
        self._line.editingFinished.connect(self._finish)
        self._shown = ""
        choose = QToolButton()
        choose.setText("...")
        choose.setToolTip(title)
        choose.setAccessibleName(title)
        choose.clicked.connect(self.choose)
        row_of(self, self._line, choose, gap=-1, wide=(self._line,))
        self.setFocusProxy(self._line)

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
        return (self.tr("Open ..."), self.choose), (self.tr("Paste"), self._paste)

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
    def choose(self) -> None:
        """Ask for a file."""
        path, _ = QFileDialog.getOpenFileName(self.window(), self._title, self._line.text(), self._filter)
        if path:
            self.set_value(path)
            self.edited.emit()
