"""The editor of the knobs of a mechanism."""

from collections.abc import Mapping
from typing import Any

from typing_extensions import override

from attnviz.definitions.legal import Legal
from attnviz.definitions.mechanisms import MECHANISMS
from attnviz.gui.forms.editor import Editor
from attnviz.gui.forms.knob_line import KnobLine, number_editor
from attnviz.gui.widgets.layouts import column_of
from attnviz.gui.widgets.words import translate


class MechanismKnobsEdit(Editor):
    """The knobs of the chosen mechanism; those of the others keep their values."""

    has_own_labels = True
    fits_any = ({},)

    def __init__(self) -> None:
        super().__init__()
        self._lines: dict[tuple[str, str], KnobLine] = {}
        self._mechanism = ""
        layout = column_of(self, gap=4)
        for record in MECHANISMS.values():
            for knob in record.knobs:
                editor = number_editor(knob)
                editor.set_value(knob.default)
                editor.set_name(translate(knob.title))
                editor.edited.connect(self.take_part)
                editor.place = knob.name
                line = self._lines[record.name, knob.name] = KnobLine(
                    translate(knob.title), translate(knob.help), editor
                )
                layout.addWidget(line)

    @override
    def value(self) -> dict[str, Any]:
        return {knob: line.editor.value() for (name, knob), line in self._lines.items() if name == self._mechanism}

    @override
    def set_value(self, value: Any) -> None:
        for (name, knob), line in self._lines.items():
            if name == self._mechanism and knob in value:
                line.editor.set_value(value[knob])

    @override
    def follow(self, spec: Any) -> None:
        self._mechanism = spec.mechanism
        for (name, _), line in self._lines.items():
            line.setVisible(name == self._mechanism)
        self.set_value(spec.mechanism_knobs)

    @override
    def repair(self, place: tuple[str, ...], value: Any) -> None:
        self.place = place[0]
        self._lines[self._mechanism, place[0]].editor.set_value(value)

    @override
    def limit_parts(self, legal: Mapping[str, Legal]) -> None:
        for (name, knob), line in self._lines.items():
            line.editor.limit(legal.get(knob) if name == self._mechanism else None)
