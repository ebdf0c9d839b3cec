"""The editor of the source of queries, keys and values."""

from collections.abc import Callable
from typing import Any

from PySide6.QtCore import Slot
from PySide6.QtGui import QHideEvent
from PySide6.QtWidgets import QWidget
from typing_extensions import override

from attnviz.definitions.formats import suffixes_with
from attnviz.experiment.attention.fields import (
    FileInputs,
    IdentityInputs,
    OnesInputs,
    RandomInputs,
    SentenceInputs,
    TwoSentencesInputs,
)
from attnviz.experiment.attention.spec import AttentionSpec
from attnviz.gui.forms.editor import KindEdit, choice_of
from attnviz.gui.forms.text_editors import PathEdit, SentenceEdit
from attnviz.gui.widgets.labels import caption
from attnviz.gui.widgets.layouts import column_of
from attnviz.gui.widgets.words import file_filter


class InputsEdit(KindEdit):
    """The source of queries, keys and values."""

    def __init__(self) -> None:
        super().__init__(choice_of(AttentionSpec.model_fields["inputs"]))
        one, two = SentenceInputs(), TwoSentencesInputs()
        self._text = self._sentence(self.tr("Sentence"), one.text)
        self.add_kind("sentence", self._text)
        self._of_queries = self._sentence(self.tr("Sentence of the queries"), two.text)
        self._of_keys = self._sentence(self.tr("Sentence of the keys"), two.keys_text)
        both, named = QWidget(), (caption(self.tr("Queries")), caption(self.tr("Keys")))
        column_of(both, named[0], self._of_queries, named[1], self._of_keys, gap=4)
        self.add_kind("two_sentences", both)
        self._path = PathEdit(self.tr("Open arrays"), file_filter(self.tr("NumPy arrays"), suffixes_with("arrays")))
        self._path.edited.connect(self._take_file)
        self.add_kind("file", self._path)
        self._ones = OnesInputs()

    def _sentence(self, name: str, text: str) -> SentenceEdit:
        edit = SentenceEdit()
        edit.show_text(text)
        edit.setAccessibleName(name)
        edit.edited.connect(self.edited)
        return edit

    @override
    def value(self) -> Any:
        match self.kind.value():
            case "sentence":
                return {"kind": "sentence", "text": self._text.text}
            case "two_sentences":
                return {"kind": "two_sentences", "text": self._of_queries.text, "keys_text": self._of_keys.text}
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
            case TwoSentencesInputs(text=text, keys_text=keys_text):
                self._of_queries.show_text(text)
                self._of_keys.show_text(keys_text)
            case FileInputs(path=path):
                self._path.set_value(path)
            case OnesInputs():
                self._ones = value
            case RandomInputs() | IdentityInputs():
                pass
        for edit in (self._text, self._of_queries, self._of_keys):
            edit.typing.stop()
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
        for edit in (self._text, self._of_queries, self._of_keys):
            edit.finish()
        super().hideEvent(event)
