"""The editor of the source of queries, keys and values."""

from collections.abc import Callable
from typing import Any

from PySide6.QtCore import Slot
from PySide6.QtGui import QHideEvent
from PySide6.QtWidgets import QWidget
from typing_extensions import override

from attnviz.definitions.formats import suffixes_with
from attnviz.experiment.attention.fields import FileInputs, IdentityInputs, OnesInputs, RandomInputs, SentenceInputs
from attnviz.experiment.attention.spec import AttentionSpec
from attnviz.gui.forms.editor import KindEdit, choice_of
from attnviz.gui.forms.text_editors import PathEdit, SentenceEdit
from attnviz.gui.widgets.words import file_filter


class InputsEdit(KindEdit):
    """The source of queries, keys and values."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(choice_of(AttentionSpec.model_fields["inputs"]), parent)
        self._text = SentenceEdit()
        self._text.show_text(SentenceInputs().text)
        self._text.setAccessibleName(self.tr("Sentence"))
        self.add_kind("sentence", self._text)
        self._path = PathEdit(self.tr("Open arrays"), file_filter(self.tr("NumPy arrays"), suffixes_with("arrays")))
        self._path.edited.connect(self._take_file)
        self.add_kind("file", self._path)
        self._ones = OnesInputs()
        self._text.edited.connect(self.edited)

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
