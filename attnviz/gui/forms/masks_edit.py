"""The editor of the masks without a field of their own: a switch for each, and its knobs below."""

from typing import Any

from PySide6.QtCore import Slot
from PySide6.QtWidgets import QVBoxLayout, QWidget
from typing_extensions import override

from attnviz.definitions.masks.mask import Mask
from attnviz.experiment.attention.masks import further_masks
from attnviz.gui.forms.editor import Editor, SwitchEdit
from attnviz.gui.forms.knob_line import KnobLine, number_editor
from attnviz.gui.theme import Look
from attnviz.gui.widgets.layouts import column_of
from attnviz.gui.widgets.words import translate


class MasksEdit(Editor):
    """One switch for each mask; its knobs keep their values while it is off."""

    has_own_labels = True

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._lines: list[KnobLine] = []
        self._switches: dict[str, SwitchEdit] = {}
        self._knobs: dict[str, dict[str, Editor]] = {}
        self._boxes: dict[str, QWidget] = {}
        layout = column_of(self, gap=4)
        for mask in further_masks().values():
            self._add(mask, layout)
        self._show_knobs()

    @override
    def value(self) -> dict[str, dict[str, Any]]:
        on = (name for name, switch in self._switches.items() if switch.value())
        return {name: {knob: editor.value() for knob, editor in self._knobs[name].items()} for name in on}

    @override
    def set_value(self, value: Any) -> None:
        for name, switch in self._switches.items():
            switch.set_value(name in value)
            for knob, number in value.get(name, {}).items():
                self._knobs[name][knob].set_value(number)
        self._show_knobs()

    @override
    def repair(self, place: tuple[str, ...], value: Any) -> None:
        mask, knob = place
        self.place = f"{mask}.{knob}"
        self._knobs[mask][knob].set_value(value)

    @override
    def restyle(self, look: Look) -> None:
        for line in self._lines:
            line.restyle(look)

    def _add(self, mask: Mask, layout: QVBoxLayout) -> None:
        title = translate(mask.title)
        switch = SwitchEdit()
        switch.set_name(title)
        switch.edited.connect(self._change)
        switch.place = mask.name
        self._switches[mask.name] = switch
        layout.addWidget(self._line(title, translate(mask.help), switch))
        box = self._boxes[mask.name] = QWidget()
        below = column_of(box, gap=4)
        knobs = self._knobs[mask.name] = {}
        for knob in mask.knobs:
            editor = knobs[knob.name] = number_editor(knob)
            editor.set_value(knob.default)
            editor.set_name(f"{title}: {translate(knob.title)}")
            editor.edited.connect(self._change)
            editor.place = f"{mask.name}.{knob.name}"
            below.addWidget(self._line(translate(knob.title), translate(knob.help), editor))
        layout.addWidget(box)

    def _line(self, title: str, help_text: str, editor: Editor) -> QWidget:
        line = KnobLine(title, help_text, editor)
        self._lines.append(line)
        return line

    @Slot()
    def _change(self) -> None:
        part = self.sender()
        assert isinstance(part, Editor)
        self.place = part.place
        self._show_knobs()
        self.edited.emit()

    def _show_knobs(self) -> None:
        for name, box in self._boxes.items():
            box.setVisible(bool(self._knobs[name]) and self._switches[name].value())
