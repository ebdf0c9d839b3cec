"""The base of editors of parts that have several kinds."""

from PySide6.QtCore import Slot
from PySide6.QtWidgets import QVBoxLayout, QWidget

from attnviz.gui.forms.choice_editors import ChoiceEdit
from attnviz.gui.forms.editor import Editor, row_of
from attnviz.gui.widgets.words import title_of


class KindEdit(Editor):
    """A choice of kinds, and below it the editors of the chosen kind."""

    def __init__(self, field: str, kinds: tuple[str, ...], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.kinds: dict[str, QWidget] = {}
        self.kind = ChoiceEdit({kind: title_of(kind, field) for kind in kinds})
        self.kind.edited.connect(self._change_kind)
        row_of(self).addWidget(self.kind)
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
