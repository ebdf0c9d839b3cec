"""The editor of a text that a model reads: a few lines, and the number of tokens."""

from collections.abc import Mapping
from typing import Any

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QWidget
from typing_extensions import override

from attnviz.gui.forms.editor import Editor
from attnviz.gui.forms.text_editors import SentenceEdit
from attnviz.gui.widgets.labels import caption
from attnviz.gui.widgets.layouts import column_of, row_of

_HEIGHT = 62
"""The height of the text, at scale 1: three lines."""


class ReadingEdit(Editor):
    """The text is as wide as the form; beside its label stands the count of its tokens."""

    def __init__(self, nothing: str) -> None:
        super().__init__()
        self.count = caption(plain=True)
        """How many tokens the text is."""
        self.count.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignBottom)
        row_of(self, self.count, wide=(self.count,))
        self.text = SentenceEdit(_HEIGHT)
        self.text.setPlaceholderText(nothing)
        self.text.edited.connect(self.edited)
        self.below = QWidget()
        column_of(self.below, self.text)
        self.setFocusProxy(self.text)

    @override
    def value(self) -> str:
        return self.text.text

    @override
    def set_value(self, value: Any) -> None:
        self.text.show_text(str(value))

    @override
    def brings(self) -> tuple[Mapping[str, Any], ...]:
        return ({"patch": ()},)  # a second text that is emptied takes what was patched from it along
