"""The editor of a training's task: which one, its own knobs, and the text that is learned."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from PySide6.QtCore import Slot
from PySide6.QtGui import QTextOption
from PySide6.QtWidgets import QFileDialog, QWidget
from typing_extensions import override

from attnviz.definitions.legal import Legal
from attnviz.definitions.tasks import TASKS
from attnviz.definitions.tasks.task import Task
from attnviz.definitions.text import Refused
from attnviz.experiment.train.task import LONGEST_TEXT, text_of_file
from attnviz.gui.forms.editor import ChoiceEdit, Editor, KindEdit
from attnviz.gui.forms.knob_line import KnobLine, number_editor
from attnviz.gui.forms.text_editors import SentenceEdit
from attnviz.gui.widgets.buttons import tiny_button
from attnviz.gui.widgets.labels import caption
from attnviz.gui.widgets.layouts import column_of, row_of
from attnviz.gui.widgets.words import file_filter, translate

_TEXT_HEIGHT = 110


class TaskEdit(KindEdit):
    """A choice of the task, and below it what is to be learned, and the task's own knobs."""

    def __init__(self) -> None:
        titles = {task.name: translate(task.title) for task in TASKS.values()}
        helps = {task.name: translate(task.help) for task in TASKS.values()}
        super().__init__(ChoiceEdit(titles, helps))
        self._knobs: dict[str, dict[str, Editor]] = {}
        self._lines: list[KnobLine] = []
        self._text: SentenceEdit | None = None
        for task in TASKS.values():
            self.add_kind(task.name, self._part_of(task))
        self.show_kind(next(iter(TASKS)))

    @override
    def value(self) -> Any:
        kind = self.kind.value()
        values = {name: editor.value() for name, editor in self._knobs[kind].items()}
        text = {"text": self._text.text} if TASKS[kind].reads_text and self._text is not None else {}
        return {"kind": kind, **values, **text}

    @override
    def set_value(self, value: Any) -> None:
        for name, editor in self._knobs[value.kind].items():
            editor.set_value(value.own[name])
        if value.record.reads_text and self._text is not None:
            self._text.show_text(value.own["text"])
        self.show_kind(value.kind)

    @override
    def show_kind(self, kind: str) -> None:
        super().show_kind(kind)
        self.kind.setToolTip(translate(TASKS[kind].help))

    @override
    def repair(self, place: tuple[str, ...], value: Any) -> None:
        self.place = place[-1]
        self._knobs[self.kind.value()][self.place].set_value(value)

    @override
    def limit_parts(self, legal: Mapping[str, Legal]) -> None:
        for name, editor in self._knobs[self.kind.value()].items():
            editor.limit(legal.get(name))

    @override
    def brings(self) -> tuple[Mapping[str, Any], ...]:
        if self.place:
            return ()  # a number of the task was changed: the others are the user's
        task = TASKS[self.kind.value()]
        usual = {name: task.default_knobs[name] for name in ("num_tokens", "vocab_size")}
        if task.reads_text and self._text is not None:
            usual["num_tokens"] = min(usual["num_tokens"], len(self._text.text))
        return usual, usual | {"task": {"kind": task.name}}

    def _part_of(self, task: Task) -> QWidget:
        """Return the part for a task below the choice."""
        part = QWidget()
        layout = column_of(part, caption(translate(task.help), wraps=True), gap=4)
        knobs = self._knobs[task.name] = {}
        for knob in task.knobs:
            editor = knobs[knob.name] = number_editor(knob, slider=True)
            editor.set_value(knob.default)
            editor.set_name(translate(knob.title))
            editor.place = knob.name
            editor.edited.connect(self.take_part)
            line = KnobLine(translate(knob.title), translate(knob.help), editor)
            self._lines.append(line)
            layout.addWidget(line)
        if task.reads_text:
            layout.addWidget(self._text_part(task))
        return part

    def _text_part(self, task: Task) -> QWidget:
        part = QWidget()
        self._text = SentenceEdit(_TEXT_HEIGHT)
        # Anywhere in a word, Qt looks for the ends of lines so long that a word of a whole file stops the window.
        self._text.setWordWrapMode(QTextOption.WrapMode.WordWrap)
        self._text.show_text(task.defaults["text"])
        self._text.setAccessibleName(self.tr("Text to learn"))
        self._text.edited.connect(self._change_text)
        tip = self.tr("Learn the text of a file in UTF-8, of at most {0} characters").format(LONGEST_TEXT)
        load = tiny_button(self.tr("Load a text file ..."), self._load, tip)
        column_of(part, self._text, row_of(None, load, None), gap=4)
        return part

    @override
    def _change_kind(self) -> None:
        self.place = ""
        super()._change_kind()

    @Slot()
    def _change_text(self) -> None:
        self.place = "text"
        self.edited.emit()

    @Slot()
    def _load(self) -> None:
        """Let the user choose a file, and take its text."""
        texts = file_filter(self.tr("Text"), (".txt", ".md"))
        path, _ = QFileDialog.getOpenFileName(
            self.window(), self.tr("Load a text"), "", f"{texts};;{self.tr('All')} (*)"
        )
        if path:
            self.load(Path(path))

    def load(self, path: Path) -> None:
        """Take the text of a file, or report why not."""
        try:
            text = text_of_file(path)
        except Refused as error:
            self.refused.emit(translate(error.text))
            return
        assert self._text is not None
        self._text.show_text(text)
        self._change_text()
