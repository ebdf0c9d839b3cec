"""The editor of a part of a spec: a line with an editor for each of its fields."""

from typing import Any

from typing_extensions import override

from attnviz.experiment.fields.knob import Part, limits_of
from attnviz.gui.forms.editor import Editor
from attnviz.gui.forms.knob_line import KnobLine
from attnviz.gui.forms.number_editors import FloatEdit, IntEdit
from attnviz.gui.widgets.layouts import column_of
from attnviz.gui.widgets.words import field_title, translate


class PartEdit(Editor):
    """The numbers of a part, each under its title."""

    has_own_labels = True

    def __init__(self, of: type[Part]) -> None:
        super().__init__()
        self._of = of
        self._editors: dict[str, Editor] = {}
        layout = column_of(self, gap=4)
        for name, field in of.model_fields.items():
            kind = IntEdit if isinstance(field.default, int) else FloatEdit
            editor = kind(*limits_of(field), None)
            title = field_title(name, of.model_fields)
            editor.set_value(field.default)
            editor.set_name(title)
            editor.place = name
            editor.edited.connect(self.take_part)
            self._editors[name] = editor
            layout.addWidget(KnobLine(title, translate(field.description or ""), editor))

    @override
    def value(self) -> dict[str, Any]:
        return {name: editor.value() for name, editor in self._editors.items()}

    @override
    def set_value(self, value: Any) -> None:
        for name, editor in self._editors.items():
            editor.set_value(getattr(value, name))

    @override
    def repair(self, place: tuple[str, ...], value: Any) -> None:
        if not place:
            self.set_value(self._of.model_validate(value))
            return
        self.place = place[-1]
        self._editors[self.place].set_value(value)
