"""The editor of the source of queries, keys and values."""

from collections.abc import Callable
from typing import Any

from PySide6.QtCore import QTimer, Signal, Slot
from PySide6.QtGui import QHideEvent
from PySide6.QtWidgets import QPlainTextEdit, QSizePolicy, QWidget
from typing_extensions import override

from attnviz.definitions.formats import suffixes_with
from attnviz.experiment.attention.fields import (
    FileInputs,
    IdentityInputs,
    OnesInputs,
    RandomInputs,
    SentenceInputs,
)
from attnviz.gui.forms.editor import KindEdit, choice_of
from attnviz.gui.forms.text_editors import PathEdit
from attnviz.gui.theme import Look
from attnviz.gui.widgets.words import file_filter

_TYPING_PAUSE_MS = 250


class SentenceEdit(QPlainTextEdit):
    """A few lines of text; an edit takes effect after a short pause in typing."""

    edited = Signal()
    """The user changed the text, and a pause followed."""
    finished = Signal()
    """The text typed takes effect now."""

    def __init__(self, height: int = 62, parent: QWidget | None = None) -> None:
        super().__init__(parent)
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
        """The text, as it was set if nothing was typed since: the widget has no no-break spaces."""
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
        """Let the text typed take effect now."""
        self.typing.stop()
        if self.toPlainText() != self._shown:
            self._held = self._shown = self.toPlainText()
            self.edited.emit()

    def restyle(self, look: Look) -> None:
        """Apply a type scale: the usual height is three lines of text."""
        self.setFixedHeight(look.px(self._height))


class InputsEdit(KindEdit):
    """The source of queries, keys and values."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(choice_of("inputs", "random", "ones", "identity", "sentence", "file"), parent)
        self._text = SentenceEdit()
        self._text.show_text(SentenceInputs().text)
        self._text.setAccessibleName(self.tr("Sentence"))
        self.add_kind("sentence", self._text)
        self._path = PathEdit(self.tr("Open arrays"), file_filter(self.tr("NumPy arrays"), suffixes_with("arrays")))
        self._path.edited.connect(self._take_file)
        self._path.refused.connect(self.refused)
        self.add_kind("file", self._path)
        self._ones = OnesInputs()
        self._text.edited.connect(self.edited)

    @override
    def restyle(self, look: Look) -> None:
        self._text.restyle(look)

    @override
    def value(self) -> Any:
        match self.kind.value():
            case "sentence":
                return {"kind": "sentence", "text": self._text.text}
            case "file":
                return {"kind": "file", "path": self._path.value()}
            case "ones":
                return self._ones
            case kind:
                return {"kind": kind}

    @override
    def set_value(self, value: Any) -> None:
        match value:
            case SentenceInputs(text=text):
                self._text.show_text(text)
            case FileInputs(path=path):
                self._path.set_value(path)
            case OnesInputs():
                self._ones = value
            case RandomInputs() | IdentityInputs():
                pass
        self._text.typing.stop()
        self.show_kind(value.kind)

    @property
    @override
    def lacks(self) -> str:
        asked = self.kind.value() == "file" and not self._path.value()
        return self.tr("Choose a file of arrays, .npz or .npy.") if asked else ""

    @override
    def ways(self) -> tuple[tuple[str, Callable[[], object]], ...]:
        return self._path.ways()

    @Slot()
    def _take_file(self) -> None:
        self.show_kind("file")
        self.edited.emit()

    @override
    def hideEvent(self, event: QHideEvent) -> None:
        # Commit before it is hidden: when the timer fires, the window may show another lab.
        self._text.finish()
        super().hideEvent(event)
