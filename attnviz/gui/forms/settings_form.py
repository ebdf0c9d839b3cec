"""A form of a dialog: fields of settings models, with the same editors as a spec's form."""

from collections.abc import Collection
from typing import Any

from pydantic import BaseModel
from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QAbstractSpinBox, QFormLayout, QLineEdit, QWidget

from attnviz.export.options import Said, mark_of
from attnviz.gui.forms.editor import Editor
from attnviz.gui.forms.editor_for import editor_for
from attnviz.gui.theme import Look
from attnviz.gui.widgets.words import translate


class SettingsForm(QWidget):
    """Rows of a title and an editor. `changed` is emitted on every key press, so that a preview can follow."""

    changed = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.editors: dict[str, Editor] = {}
        self._rows: dict[str, QWidget] = {}
        self._form = QFormLayout(self)
        self._form.setContentsMargins(0, 0, 0, 0)
        self._form.setLabelAlignment(Qt.AlignmentFlag.AlignLeft)
        self._form.setVerticalSpacing(8)

    def add_fields(self, model: type[BaseModel], *names: str) -> None:
        """Add rows for fields of a model, with their defaults."""
        for name in names:
            field = model.model_fields[name]
            unit, title = (mark_of(field, Said) or Said()).unit, translate(field.title or name)
            editor = self.editors[name] = editor_for(name, field)
            editor.set_value(field.get_default())
            editor.setToolTip(translate(field.description or ""))
            editor.set_name(title)
            editor.edited.connect(self.changed)
            for box in editor.findChildren(QAbstractSpinBox):
                box.setKeyboardTracking(True)
            for line in editor.findChildren(QLineEdit):
                line.textEdited.connect(self.changed)
            self.add_row(name, f"{title} ({translate(unit)})" if unit and unit not in title.lower() else title, editor)

    def add_row(self, name: str, title: str, editor: QWidget) -> None:
        """Add a row with any widget."""
        self._rows[name] = editor
        self._form.addRow(title, editor)

    def rename(self, name: str, title: str) -> None:
        """Give a row another title."""
        label: Any = self._form.labelForField(self._rows[name])
        label.setText(title)
        self.editors[name].setAccessibleName(title)

    def show_rows(self, names: Collection[str]) -> None:
        """Show only these rows."""
        for name, editor in self._rows.items():
            self._form.setRowVisible(editor, name in names)

    def values(self) -> dict[str, Any]:
        """Return the values of the visible editors, legal or not."""
        return {name: editor.value() for name, editor in self.editors.items() if not editor.isHidden()}

    def restyle(self, look: Look) -> None:
        """Apply a theme and type scale."""
        for editor in self.editors.values():
            editor.restyle(look)
