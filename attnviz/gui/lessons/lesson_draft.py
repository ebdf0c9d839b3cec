"""The lesson that is being written: its steps, which one is chosen, its file, and whether it is saved there."""

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

from PySide6.QtCore import QObject, Signal, Slot
from PySide6.QtWidgets import QFileDialog, QWidget
from typing_extensions import override

from attnviz.definitions.text import Refused
from attnviz.experiment.lessons.lesson import Lesson, LessonStep
from attnviz.experiment.lessons.reading import SUFFIX, lesson_of
from attnviz.experiment.lessons.writing import lesson_to_text, new_lesson, new_step, with_steps, write_lesson
from attnviz.experiment.session import Session
from attnviz.experiment.specs_in_files import preset_of
from attnviz.gui.run.background import Background
from attnviz.gui.session.files import Stamp, stamp_of
from attnviz.gui.session.questions import Answer, SessionQuestions, whole_name
from attnviz.gui.session.settings import LastFolder
from attnviz.gui.widgets.words import translate


class LessonQuestions(SessionQuestions):
    """What is asked about the file of a lesson, and what becomes of changes."""

    def __init__(self, window: QWidget) -> None:
        super().__init__(window)
        self.title = self.tr("Save lesson")

    @override
    def _where_dialog(self) -> QFileDialog:
        dialog = super()._where_dialog()
        dialog.setWindowTitle(self.title)
        dialog.setNameFilter(self.tr("Lessons ({0})").format(f"*{SUFFIX}"))
        dialog.setDefaultSuffix(SUFFIX[1:])
        return dialog


class _Written(NamedTuple):
    lesson: Lesson
    path: Path
    stamp: Stamp | None
    refused: Refused | None = None
    was_changed: bool = False
    """Whether nothing was written because another program has changed the file."""


class LessonDraft(QObject):
    """Changes a frozen lesson step by step. ``session`` returns what the window shows now."""

    changed = Signal()
    saved = Signal(object)
    """The path of the file that it was saved in."""
    said = Signal(str, bool)
    """A sentence for the user, and whether it is about a failure."""

    def __init__(self, window: QWidget, session: Callable[[], Session], folder: LastFolder, parent: QObject) -> None:
        super().__init__(parent)
        self._session, self._folder = session, folder
        self.questions = LessonQuestions(window)
        self.lesson = self._saved = new_lesson(self.tr("My lesson"))
        self.path: Path | None = None
        self._origin: Lesson | None = None  # what it was begun with
        self.place = 0
        """The chosen step, counted from 0."""
        self.deleted: LessonStep | None = None
        """The step that was deleted last, and can be brought back."""
        self._stamps: dict[Path, Stamp | None] = {}  # of files as this window has read or written them
        self._writing = Background(self, pool="files")
        self._writing.done.connect(self._take_written)
        self._writing.failed.connect(self._fail)

    @property
    def step(self) -> LessonStep | None:
        """The chosen step; None where there is none."""
        return self.lesson.steps[self.place] if self.lesson.steps else None

    @property
    def modified(self) -> bool:
        """Whether there is something that is not saved."""
        return self.lesson is not self._saved

    def know(self, path: Path, stamp: Stamp | None) -> None:
        """Note how a file was when it was read."""
        self._stamps[path.absolute()] = stamp

    def take_over(self, other: "LessonDraft") -> None:
        """Go on with what was written in another window."""
        self.lesson, self._saved, self.path, self.place = other.lesson, other._saved, other.path, other.place
        self.deleted, self._stamps, self._origin = other.deleted, other._stamps, other._origin

    def is_of(self, lesson: Lesson) -> bool:
        """Return whether this is what is written of a lesson."""
        return lesson is self._origin or (lesson.name, lesson.file) == (self.lesson.name, self.path)

    def begin(self, lesson: Lesson | None) -> bool:
        """Write on at a lesson, or (None) at a new one; return whether the user lets go of what is not saved."""
        if not self.may_go():
            return False
        self._origin, self.path = lesson, None if lesson is None else lesson.file
        begun = new_lesson(self.tr("My lesson")) if lesson is None else lesson
        self.lesson = self._saved = begun if self.path is not None else replace(begun, name="")
        self.place, self.deleted = 0, None
        self.changed.emit()
        return True

    def choose(self, place: int) -> None:
        """Choose a step."""
        if place != self.place and 0 <= place < len(self.lesson.steps):
            self.place = place
            self.changed.emit()

    @Slot()
    def add(self) -> None:
        """Add what the window shows, as a step after the chosen one."""
        session = self._session()
        found = preset_of(session.spec)
        title = self.tr("Step {0}").format(len(self.lesson.steps) + 1) if found is None else translate(found.title)
        self._insert(new_step(title, session))

    @Slot()
    def bring_back(self) -> None:
        """Put the step that was deleted last after the chosen one."""
        if self.deleted is not None:
            step, self.deleted = self.deleted, None
            self._insert(step)

    @Slot()
    def take_view(self) -> None:
        """Let the chosen step show what the window shows; its texts, question and task stay."""
        if self.step is None:
            return
        step = replace(self.step, session=new_step("", self._session()).session)
        try:
            _ = step.solved
        except Refused as error:
            self.said.emit(self.tr("The task of this step is not one of what is shown: {0}").format(_why(error)), True)
        else:
            self._replace(step)

    def write(self, **texts: Any) -> None:
        """Give the chosen step other texts, by the fields of `LessonStep`."""
        if self.step is not None:
            self._replace(replace(self.step, **texts))

    def retitle(self, title: str) -> None:
        """Give the lesson another title."""
        self.lesson = replace(self.lesson, title=title)
        self.changed.emit()

    def move(self, by: int) -> None:
        """Move the chosen step up (-1) or down (1)."""
        to, steps = self.place + by, list(self.lesson.steps)
        if 0 <= to < len(steps):
            steps.insert(to, steps.pop(self.place))
            self.place = to
            self._take_steps(steps)

    @Slot()
    def delete(self) -> None:
        """Delete the chosen step; it can be brought back."""
        if self.step is not None:
            steps = list(self.lesson.steps)
            self.deleted = steps.pop(self.place)
            self.place = max(0, min(self.place, len(steps) - 1))
            self._take_steps(steps)

    def preview(self) -> Lesson | None:
        """Return the lesson as it would be read from its file, or say why it would not."""
        try:
            read = lesson_of(lesson_to_text(self.lesson), self.lesson.name, self.lesson.trained)
        except Refused as error:
            self.said.emit(_why(error), True)
            return None
        return replace(read, file=self.path)

    @Slot()
    def save(self) -> None:
        """Save the lesson in its file, or ask where to."""
        if self.path is None:
            self.save_as()
        else:
            self._write(self.path)

    @Slot()
    def save_as(self) -> None:
        """Ask for a file, and save the lesson in it."""
        path = self._ask_where()
        if path is not None:
            self._write(path)

    def may_go(self) -> bool:
        """Ask what becomes of changes; return whether they are saved or may be lost."""
        answer = self.questions.unsaved(self.lesson.title) if self.modified else Answer.DISCARD
        if answer is not Answer.SAVE:
            return answer is Answer.DISCARD
        path = self.path or self._ask_where()
        if path is None:
            return False
        try:
            self._take_written(_write(self.lesson, path, self._stamps, though_changed=False))  # the window waits for it
        except OSError as error:
            self._fail(f"{path}: {error.strerror or error}")
        return not self.modified

    def _ask_where(self) -> Path | None:
        proposed = self.path or self._folder.path / f"{_file_name(self.lesson.title)}{SUFFIX}"
        chosen = self.questions.where_to_save(proposed)
        return None if chosen is None else whole_name(chosen, SUFFIX, self.questions.may_replace)

    def _write(self, path: Path, *, though_changed: bool = False) -> None:
        self._writing.start(partial(_write, self.lesson, path, self._stamps, though_changed=though_changed))

    def _insert(self, step: LessonStep) -> None:
        steps = list(self.lesson.steps)
        place = min(self.place + 1, len(steps))
        steps.insert(place, step)
        try:
            with_steps(self.lesson, tuple(steps))
        except Refused as error:
            self.said.emit(_why(error), True)
            return
        self.place = place
        self._take_steps(steps)

    def _replace(self, step: LessonStep) -> None:
        steps = list(self.lesson.steps)
        steps[self.place] = step
        self._take_steps(steps)

    def _take_steps(self, steps: list[LessonStep]) -> None:
        self.lesson = with_steps(self.lesson, tuple(steps))
        self.changed.emit()

    @Slot(object)
    def _take_written(self, written: _Written) -> None:
        lesson, path, stamp, refused, was_changed = written
        if refused is not None:
            self._fail(_why(refused))
        elif was_changed:
            if self.questions.may_replace_changed(path):
                self._write(path, though_changed=True)
            else:
                self.said.emit(self.tr("Not saved: {0} was changed by another window or program").format(path), True)
        else:
            self._stamps[path.absolute()] = stamp
            self._folder.take(path)
            self.path = path.absolute()
            is_newest, named = lesson is self.lesson, replace(self.lesson, name=path.stem, file=self.path)
            self.lesson = named
            if is_newest:
                self._saved = named
            self.said.emit(self.tr("Saved {0}").format(path), False)
            self.changed.emit()
            self.saved.emit(path)

    @Slot(str)
    def _fail(self, why: str) -> None:
        self.said.emit(self.tr("Not saved: {0}").format(why), True)


def _why(error: Refused) -> str:
    return translate(error.text)


def _file_name(title: str) -> str:
    """Return a title as a file's name."""
    words = "".join(sign if sign.isalnum() else " " for sign in title.lower()).split()
    return "-".join(words)[:60] or "lesson"


def _write(lesson: Lesson, path: Path, stamps: dict[Path, Stamp | None], *, though_changed: bool) -> _Written:
    known, found = stamps.get(path.absolute()), stamp_of(path)
    if known is not None and found is not None and found != known and not though_changed:
        return _Written(lesson, path, found, was_changed=True)
    try:
        write_lesson(lesson, path)
    except Refused as error:
        return _Written(lesson, path, found, error)
    return _Written(lesson, path, stamp_of(path))
