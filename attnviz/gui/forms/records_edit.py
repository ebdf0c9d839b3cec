"""The editor of records that a spec chooses, such as further masks: a switch for each, and its knobs below."""

from collections.abc import Mapping
from typing import Any

from PySide6.QtCore import Slot
from PySide6.QtWidgets import QVBoxLayout, QWidget
from typing_extensions import override

from attnviz.definitions.legal import Legal
from attnviz.experiment.fields.chosen_records import ChosenRecords, RecordWithKnobs
from attnviz.gui.forms.editor import Editor, SwitchEdit
from attnviz.gui.forms.knob_line import KnobLine, number_editor
from attnviz.gui.widgets.layouts import column_of
from attnviz.gui.widgets.words import translate


class RecordsEdit(Editor):
    """One switch for each record; its knobs keep their values while it is off."""

    has_own_labels = True

    def __init__(self, chosen: type[ChosenRecords]) -> None:
        super().__init__()
        self._switches: dict[str, SwitchEdit] = {}
        self._knobs: dict[str, dict[str, Editor]] = {}
        self._boxes: dict[str, QWidget] = {}
        layout = column_of(self, gap=4)
        for record in chosen.records().values():
            self._add(record, layout)
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
        if not place:
            self.set_value(value)
            return
        record, knob = place
        self.place = f"{record}.{knob}"
        self._knobs[record][knob].set_value(value)

    def _add(self, record: RecordWithKnobs, layout: QVBoxLayout) -> None:
        title = translate(record.title)
        switch = SwitchEdit()
        switch.set_name(title)
        switch.edited.connect(self._show_knobs)
        switch.edited.connect(self.take_part)
        switch.place = record.name
        self._switches[record.name] = switch
        layout.addWidget(KnobLine(title, translate(record.help), switch))
        box = self._boxes[record.name] = QWidget()
        below = column_of(box, gap=4)
        knobs = self._knobs[record.name] = {}
        for knob in record.knobs:
            editor = knobs[knob.name] = number_editor(knob)
            editor.set_value(knob.default)
            editor.set_name(f"{title}: {translate(knob.title)}")
            editor.edited.connect(self.take_part)
            editor.place = f"{record.name}.{knob.name}"
            below.addWidget(KnobLine(translate(knob.title), translate(knob.help), editor))
        layout.addWidget(box)

    @Slot()
    def _show_knobs(self) -> None:
        for name, box in self._boxes.items():
            box.setVisible(bool(self._knobs[name]) and self._switches[name].value())

    @override
    def limit_parts(self, legal: Mapping[str, Legal]) -> None:
        for name, knobs in self._knobs.items():
            for knob, editor in knobs.items():
                editor.limit(legal.get(f"{name}.{knob}"))
