"""A line of an editor of several knobs: the knob's label, and the editor of its number."""

from PySide6.QtWidgets import QLabel, QWidget

from attnviz.definitions.knobs import NumberKnob
from attnviz.gui.forms.editor import LABEL_WIDTH, Editor
from attnviz.gui.forms.number_editors import FloatEdit, IntEdit
from attnviz.gui.theme import Look
from attnviz.gui.widgets.explained import explain
from attnviz.gui.widgets.layouts import row_of


class KnobLine(QWidget):
    """A label as wide as those of the form, and an editor."""

    def __init__(self, title: str, help_text: str, editor: Editor) -> None:
        super().__init__()
        self.editor = editor
        self._label = explain(QLabel(title), before=help_text)
        self._label.setWordWrap(True)
        self._label.setBuddy(editor)
        self.setToolTip(help_text)
        row_of(self, self._label, editor, wide=(editor,))

    def restyle(self, look: Look) -> None:
        """Apply a theme and type scale."""
        self._label.setFixedWidth(look.px(LABEL_WIDTH))


def number_editor(knob: NumberKnob, *, slider: bool = False) -> Editor:
    """Return the editor of a number, with a slider over all its values if asked for."""
    if knob.whole:
        limits = int(knob.least), int(knob.greatest)
        return IntEdit(*limits, limits if slider else None)
    return FloatEdit(knob.least, knob.greatest, (knob.least, knob.greatest) if slider else None)
