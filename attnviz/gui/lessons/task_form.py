"""Editor of a step's task: its text, its condition, and its author's solution."""

import json

from PySide6.QtCore import Slot
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QCheckBox, QFrame, QMenu, QToolButton

from attnviz.experiment.lessons.lesson import SessionChange
from attnviz.experiment.lessons.typed import FieldProblem, TypedStep
from attnviz.gui.lessons.lesson_draft import Checked, LessonDraft
from attnviz.gui.lessons.typed_fields import Field, Problems
from attnviz.gui.widgets.buttons import tiny_button
from attnviz.gui.widgets.labels import caption, show_text
from attnviz.gui.widgets.layouts import column_of, row_of
from attnviz.gui.widgets.words import field_title


class TaskForm(QFrame):
    """The task of the learner."""

    def __init__(self, draft: LessonDraft) -> None:
        super().__init__()
        self.setObjectName("task")
        self._draft = draft
        self.has_task = QCheckBox(self.tr("Task"))
        self.has_task.setToolTip(self.tr("Something to do in the window; it is checked while the learner acts"))
        self.has_task.clicked.connect(self._switch)
        self.task = Field(draft, "task", self.tr("Instructions"), lines=2, offers="text")
        self.take = tiny_button(
            self.tr("Use the screen as the solution"),
            draft.take_solution,
            self.tr("Do the task in the window first: what was changed there is what “Show me” does"),
        )
        self.solution = caption(wraps=True, plain=True)
        self.of_solution = Problems()
        self.until = Field(
            draft,
            "until",
            self.tr("It is done if"),
            self.tr("An expression that is not true of the step, and true once the task is done: num_heads == 4"),
            offers="condition",
        )
        self.holds = caption(wraps=True, plain=True)
        self.done = Field(draft, "done", self.tr("Text shown once the task is done"), lines=2, offers="text")
        self.hint = Field(draft, "hint", self.tr("Hint"), lines=2)
        self.controls = QToolButton()
        self.controls.setObjectName("tiny")
        self.controls.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        self.controls.setToolTip(self.tr("The controls that the learner sees below this step"))
        self.menu = QMenu(self.controls)
        self.menu.aboutToShow.connect(self.list_controls)
        self.menu.triggered.connect(self._show_control)
        self.controls.setMenu(self.menu)
        self.fields = {field.name: field for field in (self.task, self.until, self.done, self.hint)}
        for field in self.fields.values():
            field.typed.connect(draft.type_in)
        taken = row_of(None, self.take, None)
        parts = (self.has_task, self.task, taken, self.solution, self.of_solution, self.until, self.holds, self.done)
        shown = row_of(None, self.controls, None)
        column_of(self, *parts, self.hint, shown, gap=6).setContentsMargins(10, 6, 10, 8)

    def show_step(self, step: TypedStep) -> None:
        """Show a task."""
        self.has_task.setChecked(step.has_task)
        for name, field in self.fields.items():
            field.put(getattr(step, name))
        for part in (self.task, self.take, self.until, self.done):
            part.setVisible(step.has_task)
        self.hint.setVisible(step.has_task or bool(step.hint))
        said = "" if step.solution is None else self.tr("Show me: {0}").format(_said(step, step.solution))
        self.solution.setText(said)
        self.solution.setVisible(bool(said) and step.has_task)
        names = [self._title(step, name) for name in step.block.controls]
        self.controls.setText(self.tr("Controls: {0}").format(", ".join(names) or self.tr("none")))
        if not step.has_task:
            self.holds.hide()
            self.of_solution.hide()

    def show_found(self, now: Checked, of_solution: list[FieldProblem]) -> None:
        """Show whether the condition is true of the window's state, and the problems of the solution."""
        self.of_solution.say(of_solution)
        said = {True: self.tr("✓ true of what is on screen"), False: self.tr("○ not true of what is on screen")}
        show_text(self.holds, "" if now.holds is None else said[now.holds])

    @Slot()
    def list_controls(self) -> None:
        """Fill the menu with the controls that have an effect in the step."""
        self.menu.clear()
        step = self._draft.step
        if step is None:
            return
        kind = type(step.session.spec)
        active = kind.active_fields(dict(step.session.spec)) - {"lab", "device"}
        for name in [each for each in kind.model_fields if each in active or each in step.block.controls]:
            action = self.menu.addAction(self._title(step, name).replace("&", "&&"))
            action.setCheckable(True)
            action.setChecked(name in step.block.controls)
            action.setData(name)

    @Slot(object)
    def _show_control(self, action: QAction) -> None:
        step, name, on = self._draft.step, action.data(), action.isChecked()
        if step is not None:
            others = tuple(each for each in step.block.controls if each != name)
            controls = (*others, name) if on else others
            self._draft.write(block=step.block.model_copy(update={"controls": controls}))

    @staticmethod
    def _title(step: TypedStep, name: str) -> str:
        return field_title(name, type(step.session.spec).model_fields)

    @Slot(bool)
    def _switch(self, on: bool) -> None:
        self._draft.write(has_task=on)
        if on:
            self.task.setFocus()


def _said(step: TypedStep, solution: SessionChange) -> str:
    """Return a description of a change, by the names of the form; for the view settings by those of its file."""
    fields = type(step.session.spec).model_fields
    values = solution.spec or solution.view
    said = (f"{field_title(name, fields)} {_value(value)}" for name, value in values.items())
    return ", ".join(said) or "–"


def _value(value: object) -> str:
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    return text if len(text) <= 60 else f"{text[:59]}…"
