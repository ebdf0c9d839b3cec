"""Writes a lesson beside the picture: its steps in order, and the texts of the chosen one."""

from PySide6.QtCore import QSignalBlocker, Qt, Signal, Slot
from PySide6.QtWidgets import QLineEdit, QListWidget, QPlainTextEdit, QToolButton, QWidget

from attnviz.experiment.lessons.reading import PARTS
from attnviz.gui.lessons.lesson_draft import LessonDraft
from attnviz.gui.theme import Look
from attnviz.gui.widgets.buttons import tiny_button
from attnviz.gui.widgets.explained import place_in_manual
from attnviz.gui.widgets.labels import caption
from attnviz.gui.widgets.layouts import column_of, row_of

_LIST, _NOTES = 150, 64
"""Heights at scale 1."""
_WRITTEN = ("text", "notes")
"""The parts that are written here; the others stay as they are."""


class LessonEditor(QWidget):
    """Shows a draft, and says what the user does with it."""

    close_asked = Signal()
    preview_asked = Signal()
    show_asked = Signal()
    new_asked = Signal()

    def __init__(self, draft: LessonDraft, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("lessonEditor")
        self.setAccessibleName(self.tr("Write a lesson"))
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        place_in_manual(self, "window#lessons")
        self._draft = draft
        self.title, self.step_title = QLineEdit(), QLineEdit()
        self.title.textEdited.connect(draft.retitle)
        self.step_title.textEdited.connect(self._retitle_step)
        self.steps = QListWidget()
        self.steps.currentRowChanged.connect(draft.choose)
        self.text, self.notes = QPlainTextEdit(), QPlainTextEdit()
        for box in (self.text, self.notes):
            box.setTabChangesFocus(True)
            box.textChanged.connect(self._write)
        for part, name in (
            (self.title, self.tr("Title of the lesson")),
            (self.steps, self.tr("Steps")),
            (self.step_title, self.tr("Title of the step")),
            (self.text, self.tr("Text of the step")),
            (self.notes, self.tr("Notes of the lecturer")),
        ):
            part.setAccessibleName(name)
            if not isinstance(part, QListWidget):
                part.setPlaceholderText(name)
        self.text.setToolTip(self.tr("Markdown; {weights[0, 0, 0, 1]:.2f} is a number of the run"))
        self.kept = caption(wraps=True, plain=True)
        self.add = tiny_button(self.tr("Add the view"), draft.add, self.tr("What is on screen, after this step"))
        self.up = tiny_button("↑", self._move_up, self.tr("Before the step above it"))
        self.down = tiny_button("↓", self._move_down, self.tr("After the step below it"))
        self.show_step = tiny_button(self.tr("Show"), self.show_asked, self.tr("Show the step in the window"))
        self.take = tiny_button(
            self.tr("Take the view"), draft.take_view, self.tr("Let the step show what is on screen; its texts stay")
        )
        self.delete = tiny_button(self.tr("Delete"), draft.delete)
        self.bring_back = tiny_button(self.tr("Bring back"), draft.bring_back, self.tr("The step deleted last"))
        self._of_step = self.up, self.down, self.show_step, self.take, self.delete
        for button, name in ((self.up, self.tr("Move up")), (self.down, self.tr("Move down"))):
            button.setAccessibleName(name)
        self.new = tiny_button(self.tr("New"), self.new_asked, self.tr("Begin another lesson"))
        self.leave = tiny_button("✕", self.close_asked, self.tr("Close the editor; the lesson is kept until the end"))
        self.leave.setAccessibleName(self.tr("Close the editor"))
        self.preview, self.save, self.save_as = QToolButton(), QToolButton(), QToolButton()
        for button, text, slot in (
            (self.preview, self.tr("Preview"), self.preview_asked),
            (self.save, self.tr("Save"), draft.save),
            (self.save_as, self.tr("Save as ..."), draft.save_as),
        ):
            button.setText(text)
            button.clicked.connect(slot)
        head = row_of(None, self.title, self.new, self.leave, gap=4, wide=(self.title,))
        order = row_of(None, self.add, self.up, self.down, self.show_step, self.take, self.delete, None, gap=4)
        foot = row_of(None, self.preview, None, self.save, self.save_as, gap=8)
        back = row_of(None, self.bring_back, None)
        parts = (head, self.steps, order, back, self.step_title, self.text, self.kept, self.notes, foot)
        column_of(self, *parts, gap=8, wide=(self.text,)).setContentsMargins(16, 4, 14, 12)
        draft.changed.connect(self.show_draft)

    def restyle(self, look: Look) -> None:
        """Take another theme or type scale."""
        self.steps.setFixedHeight(look.px(_LIST))
        self.notes.setFixedHeight(look.px(_NOTES))

    @Slot()
    def show_draft(self) -> None:
        """Show the draft as it is now; a text that is being typed stays as it is."""
        draft, step = self._draft, self._draft.step
        titles = [f"{each.number}  {each.title}" for each in draft.lesson.steps]
        with QSignalBlocker(self.steps):
            if titles != [self.steps.item(row).text() for row in range(self.steps.count())]:
                self.steps.clear()
                self.steps.addItems(titles)
            self.steps.setCurrentRow(draft.place if titles else -1)
        of_step = ("", "", "") if step is None else (step.title, step.text, step.notes)
        _put(self.title, draft.lesson.title)
        _put(self.step_title, of_step[0])
        for box, text in ((self.text, of_step[1]), (self.notes, of_step[2])):
            if box.toPlainText() != text:
                with QSignalBlocker(box):
                    box.setPlainText(text)
        for part in (*self._of_step, self.step_title, self.text, self.notes):
            part.setEnabled(step is not None)
        self.up.setEnabled(draft.place > 0)
        self.down.setEnabled(draft.place + 1 < len(titles))
        self.bring_back.setVisible(draft.deleted is not None)
        self.preview.setEnabled(bool(titles))
        self.save.setEnabled(draft.modified or draft.path is None)
        kept = (
            {} if step is None else {head: getattr(step, name) for head, name in PARTS.items() if name not in _WRITTEN}
        )
        others = [head for head, text in kept.items() if text]
        self.kept.setText(self.tr("Also in this step, and kept as it is: {0}").format(", ".join(others)))
        self.kept.setVisible(bool(others))

    @Slot()
    def _write(self) -> None:
        # Half of a surrogate pair, which a broken clipboard may hold, is no text that a file can keep.
        text, notes = (box.toPlainText().encode(errors="replace").decode() for box in (self.text, self.notes))
        self._draft.write(text=text, notes=notes)

    @Slot(str)
    def _retitle_step(self, title: str) -> None:
        self._draft.write(title=title)

    @Slot()
    def _move_up(self) -> None:
        self._draft.move(-1)

    @Slot()
    def _move_down(self) -> None:
        self._draft.move(1)


def _put(field: QLineEdit, text: str) -> None:
    if field.text() != text:
        field.setText(text)
