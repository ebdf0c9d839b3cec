"""Editor of a lesson beside the picture: its steps in order, and the texts of the current one."""

from PySide6.QtCore import QEvent, QObject, QSignalBlocker, Qt, Signal, Slot
from PySide6.QtGui import QKeyEvent, QKeySequence
from PySide6.QtWidgets import QLineEdit, QListWidget, QToolButton, QWidget
from typing_extensions import override

from attnviz.experiment.lessons.typed import FieldProblem
from attnviz.gui.lessons.lesson_draft import LessonDraft
from attnviz.gui.lessons.question_form import QuestionForm
from attnviz.gui.lessons.task_form import TaskForm
from attnviz.gui.lessons.typed_fields import Field
from attnviz.gui.theme import Look
from attnviz.gui.widgets.buttons import tiny_button
from attnviz.gui.widgets.explained import place_in_manual
from attnviz.gui.widgets.gestures import Gesture
from attnviz.gui.widgets.labels import caption
from attnviz.gui.widgets.layouts import column_of, row_of, scrolling

_LIST = 96
"""The height of the list of steps at scale 1."""


class LessonEditor(QWidget):
    """Shows a draft, and passes the user's edits on."""

    GESTURES = (
        Gesture("Ctrl+Z", "Undo the last change of the lesson", "Editor of a lesson"),
        Gesture("Ctrl+Y, Ctrl+Shift+Z", "Redo a change of the lesson", "Editor of a lesson"),
    )
    close_asked = Signal()
    preview_asked = Signal()
    show_asked = Signal()
    new_asked = Signal()

    def __init__(self, draft: LessonDraft) -> None:
        super().__init__()
        self.setObjectName("lessonEditor")
        self.setAccessibleName(self.tr("Write a lesson"))
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        place_in_manual(self, "lessons#writing-a-lesson-in-the-window")
        self._draft = draft
        self.title = QLineEdit()
        self.title.textEdited.connect(draft.retitle)
        self.steps = QListWidget()
        self.steps.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.steps.currentRowChanged.connect(draft.choose)
        for part, name in ((self.title, self.tr("Title of the lesson")), (self.steps, self.tr("Steps"))):
            part.setAccessibleName(name)
        self.title.setPlaceholderText(self.tr("Title of the lesson"))
        tip = self.tr("Markdown; {weights[0, 0, 0, 1]:.2f} is a number of the run")
        title = Field(draft, "title", self.tr("Title of the step"))
        text = Field(draft, "text", self.tr("Text of the step"), tip, lines=5, offers="text")
        notes = Field(draft, "notes", self.tr("Notes of the lecturer"), lines=2, offers="text")
        self._fields = {field.name: field for field in (title, text, notes)}
        for each in self._fields.values():
            each.typed.connect(draft.type_in)
        self.step_title, self.text, self.notes = title.box, text.box, notes.box
        self.question, self.task = QuestionForm(draft), TaskForm(draft)
        self.fields = self._fields | self.question.every_field | self.task.fields
        """Every field of the chosen step, by the names that problems have for them."""
        for field in self.fields.values():
            field.box.installEventFilter(self)
        self.unknown = caption(
            self.tr("Numbers and conditions are checked once the step is on screen: press Show."),
            wraps=True,
            plain=True,
        )
        self.unknown.hide()
        self._make_buttons(draft)
        self._lay_out()
        draft.changed.connect(self.show_draft)
        draft.checked.connect(self.show_found)

    def _make_buttons(self, draft: LessonDraft) -> None:
        tip = self.tr("Undo in this lesson (Ctrl+Z in a field)")
        self.undo = tiny_button("↶", draft.undo, tip, self.tr("Undo in this lesson"))
        self.redo = tiny_button("↷", draft.redo, self.tr("Redo in this lesson"), self.tr("Redo in this lesson"))
        self.add = tiny_button(self.tr("Add the view"), draft.add, self.tr("What is on screen, after this step"))
        self.up = tiny_button("↑", self._move_up, self.tr("Before the step above it"), self.tr("Move up"))
        self.down = tiny_button("↓", self._move_down, self.tr("After the step below it"), self.tr("Move down"))
        self.show_step = tiny_button(self.tr("Show"), self.show_asked, self.tr("Show the step in the window"))
        self.take = tiny_button(
            self.tr("Take the view"), draft.take_view, self.tr("Let the step show what is on screen; its texts stay")
        )
        self.delete = tiny_button(self.tr("Delete"), draft.delete)
        self.bring_back = tiny_button(self.tr("Bring back"), draft.bring_back, self.tr("The step deleted last"))
        self._of_step = self.up, self.down, self.show_step, self.take, self.delete
        self.new = tiny_button(self.tr("New"), self.new_asked, self.tr("Begin another lesson"))
        tip = self.tr("Close the editor; the lesson is kept until the end")
        self.leave = tiny_button("✕", self.close_asked, tip, self.tr("Close the editor"))
        self.preview, self.save, self.save_as = QToolButton(), QToolButton(), QToolButton()
        for button, text, slot in (
            (self.preview, self.tr("Preview"), self.preview_asked),
            (self.save, self.tr("Save"), draft.save),
            (self.save_as, self.tr("Save as ..."), draft.save_as),
        ):
            button.setText(text)
            button.clicked.connect(slot)

    def _lay_out(self) -> None:
        self.body = QWidget()
        self.body.setObjectName("lessonBody")
        title, text, notes = self._fields.values()
        column = column_of(self.body, self.unknown, title, text, self.question, self.task, notes, None, gap=8)
        column.setContentsMargins(16, 0, 14, 8)
        self.area = scrolling(self.body)
        head = row_of(None, self.title, self.undo, self.redo, self.new, self.leave, gap=4, wide=(self.title,))
        order = row_of(None, self.add, self.up, self.down, self.show_step, self.take, self.delete, None, gap=4)
        foot = row_of(None, self.preview, None, self.save, self.save_as, gap=8)
        back = row_of(None, self.bring_back, None)
        top = column_of(None, head, self.steps, order, back, gap=6)
        top.setContentsMargins(16, 4, 14, 0)
        foot.setContentsMargins(16, 0, 14, 12)
        column_of(self, top, self.area, foot, gap=8, wide=(self.area,))

    def restyle(self, look: Look) -> None:
        """Apply a theme and type scale."""
        self.steps.setFixedHeight(look.px(_LIST))
        for field in self.fields.values():
            field.fit()

    @Slot()
    def show_draft(self) -> None:
        """Show the current draft; a text that is being typed stays unchanged."""
        draft, step = self._draft, self._draft.step
        titles = [f"{number}  {each.title}" for number, each in enumerate(draft.lesson.steps, 1)]
        with QSignalBlocker(self.steps):
            if titles != [self.steps.item(row).text() for row in range(self.steps.count())]:
                self.steps.clear()
                self.steps.addItems(titles)
            self.steps.setCurrentRow(draft.place if titles else -1)
        if self.title.text() != draft.lesson.title:
            self.title.setText(draft.lesson.title)
        for name, field in self._fields.items():
            field.put("" if step is None else getattr(step, name))
        if step is not None:
            self.question.show_step(step)
            self.task.show_step(step)
        for part in (*self._of_step, self.body):
            part.setEnabled(step is not None)
        self.question.setVisible(step is not None)
        self.task.setVisible(step is not None)
        self.up.setEnabled(draft.place > 0)
        self.down.setEnabled(draft.place + 1 < len(titles))
        self.undo.setEnabled(draft.can_undo)
        self.redo.setEnabled(draft.can_redo)
        self.bring_back.setVisible(draft.deleted is not None)
        self.preview.setEnabled(bool(titles))
        self.save.setEnabled(draft.modified or draft.path is None)

    @Slot()
    def show_found(self) -> None:
        """Show the problems of the current step, each below its field."""
        now = self._draft.now
        of_fields: dict[str, list[FieldProblem]] = {}
        for problem in now.problems:
            of_fields.setdefault(problem.field, []).append(problem)
        for name, field in self.fields.items():
            field.say(of_fields.get(name, []))
        self.question.show_found(now, of_fields.get("choices", []))
        self.task.show_found(now, of_fields.get("solution", []))
        self.unknown.setVisible(now.step is not None and not now.is_run)

    @override
    def event(self, event: QEvent) -> bool:
        if (
            isinstance(event, QKeyEvent)
            and event.type() == QEvent.Type.ShortcutOverride
            and _undo_key(event) is not None
        ):
            event.accept()  # else the window would undo a change of the picture
            return True
        return super().event(event)

    @override
    def keyPressEvent(self, event: QKeyEvent) -> None:
        redo = _undo_key(event)
        if redo is None:
            super().keyPressEvent(event)
        else:
            self._step_through(redo)

    @override
    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Undo and redo changes of the lesson where a text box would undo its own."""
        if isinstance(event, QKeyEvent) and event.type() == QEvent.Type.KeyPress:
            redo = _undo_key(event)
            if redo is not None:
                self._step_through(redo)
                return True
        return super().eventFilter(watched, event)

    def _step_through(self, redo: bool) -> None:
        (self._draft.redo if redo else self._draft.undo)()

    @Slot()
    def _move_up(self) -> None:
        self._draft.move(-1)

    @Slot()
    def _move_down(self) -> None:
        self._draft.move(1)


def _undo_key(event: QKeyEvent) -> bool | None:
    """Return whether a key is for undo (False) or for redo (True); None: neither."""
    if event.matches(QKeySequence.StandardKey.Redo):
        return True
    return False if event.matches(QKeySequence.StandardKey.Undo) else None
