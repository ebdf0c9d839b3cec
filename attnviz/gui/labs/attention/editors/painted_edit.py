"""The editor of painted cells, which are typed as text."""

from typing import Any

from PySide6.QtCore import Signal, Slot
from PySide6.QtWidgets import QBoxLayout, QToolButton, QWidget
from typing_extensions import override

from attnviz.experiment.attention.spec import AttentionSpec
from attnviz.experiment.fields import painted
from attnviz.gui.forms.text_editors import TextEdit
from attnviz.gui.widgets.layouts import row_of


class PaintedEdit(TextEdit):
    """Painted cells, typed from one or painted with a brush; those outside new sizes are removed."""

    fits_any = ("",)
    brush_chosen = Signal(str)
    """The brush "forbid" or "allow" that the user took, or "": it was put away."""

    def __init__(self, nothing: str, parent: QWidget | None = None) -> None:
        super().__init__(nothing, parent)
        self.brushes: dict[str, QToolButton] = {}
        for brush, text, tip in (
            ("forbid", self.tr("Forbid"), self.tr("Drag over cells of the picture to forbid them; again: point")),
            ("allow", self.tr("Allow"), self.tr("Drag over painted cells to allow them again; again: point")),
        ):
            button = self.brushes[brush] = QToolButton()
            button.setObjectName("tiny")
            button.setText(text)
            button.setToolTip(tip)
            button.setCheckable(True)
            button.setProperty("brush", brush)
            button.clicked.connect(self._choose_brush)
        layout = self.layout()
        assert isinstance(layout, QBoxLayout)
        layout.setDirection(QBoxLayout.Direction.TopToBottom)
        layout.addLayout(row_of(None, *self.brushes.values(), None, gap=6))

    def show_brush(self, brush: str) -> None:
        """Show which brush is chosen."""
        for name, button in self.brushes.items():
            button.setChecked(name == brush)

    @Slot()
    def _choose_brush(self) -> None:
        button = self.sender()
        assert isinstance(button, QToolButton)
        self.brush_chosen.emit(button.property("brush") if button.isChecked() else "")

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
