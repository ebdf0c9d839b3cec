"""The lesson being written: its steps, the current one, its file, and whether it is saved."""

import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

from PySide6.QtCore import QObject, QTimer, Signal, Slot
from PySide6.QtWidgets import QFileDialog, QWidget
from typing_extensions import override

from attnviz.definitions.text import Refused, Text, number_said, untranslated
from attnviz.experiment.files.plain_files import Stamp, stamp_of
from attnviz.experiment.files.session import Session
from attnviz.experiment.files.specs_in_files import preset_of
from attnviz.experiment.labs import Spec, Trace
from attnviz.experiment.lessons.expression import ExpressionError, Values
from attnviz.experiment.lessons.lesson import (
    LETTERS,
    MOST_STEPS,
    Lesson,
    PredictionQuestion,
    Verdict,
    judged,
    values_of,
)
from attnviz.experiment.lessons.offers import Offer, offers, offers_of_cells
from attnviz.experiment.lessons.reading import SUFFIX, lesson_of
from attnviz.experiment.lessons.typed import FieldProblem, TypedLesson, TypedStep, typed_lesson
from attnviz.experiment.lessons.writing import change_between, lesson_to_text, write_lesson
from attnviz.gui.run.background import Background
from attnviz.gui.session.questions import Answer, SessionQuestions, whole_name
from attnviz.gui.session.settings import LastFolder
from attnviz.gui.widgets.words import field_title, translate


class LessonQuestions(SessionQuestions):
    """Questions about the file of a lesson, and about unsaved changes."""

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


_MOST_UNDONE = 200
"""The length of the undo history."""
_TYPING_S = 1.0
"""Changes of one field within this time, in seconds, are undone together."""
_MOST_TRACES = 6
"""The number of cached runs, to check steps that are not on screen."""
_LOOK_AGAIN_MS = 120
"""The delay in milliseconds after which the step is checked again; a training makes many changes."""


@dataclass(frozen=True, slots=True)
class Checked:
    """The result of checking the current step."""

    step: TypedStep | None = None
    problems: tuple[FieldProblem, ...] = ()
    is_run: bool = False
    """Whether the run of the step is known, so that expressions have values."""
    answer: str = ""
    """The right answer by the run: a letter, a number, or a number of cells."""
    holds: bool | None = None
    """Whether the condition of the task is true of the window's state; None if unknown."""


class _Written(NamedTuple):
    lesson: TypedLesson
    path: Path
    stamp: Stamp | None
    refused: Refused | None = None
    was_changed: bool = False
    """Whether nothing was written because another program has changed the file."""


class LessonDraft(QObject):
    """Edits a frozen lesson step by step. ``session`` and ``trace`` return the window's current ones."""

    changed = Signal()
    checked = Signal()
    """`now` has the result for the current step."""
    saved = Signal(object)
    """The path of the file that it was saved in."""
    said = Signal(str, bool)
    """A message, and whether it reports a failure."""

    def __init__(
        self,
        window: QWidget,
        session: Callable[[], Session],
        trace: Callable[[], Trace | None],
        folder: LastFolder,
        parent: QObject,
    ) -> None:
        super().__init__(parent)
        self._session, self._shown, self._folder = session, trace, folder
        self.questions = LessonQuestions(window)
        self.lesson = self._saved = TypedLesson(title=self.tr("My lesson"))
        self.path: Path | None = None
        self._origin: Lesson | None = None  # the lesson it started with
        self.place = 0
        """The chosen step, counted from 0."""
        self.deleted: TypedStep | None = None
        """The step that was deleted last, and can be brought back."""
        self.now = Checked()
        """What was found out about the chosen step; of another one until it is checked."""
        self._past: list[tuple[TypedLesson, int]] = []
        self._future: list[tuple[TypedLesson, int]] = []
        self._typed: tuple[int, frozenset[str]] | None = None  # the step and the fields of the last change
        self._typed_at = 0.0
        self._traces: dict[tuple[Spec, int], Trace] = {}
        self._stamps: dict[Path, Stamp | None] = {}  # of files as this window has read or written them
        self._writing = Background(self, pool="files")
        self._writing.done.connect(self._take_written)
        self._writing.failed.connect(self._fail)
        self._checking = Background(self)
        self._checking.done.connect(self._take_checked)
        self._again = QTimer(self, singleShot=True, interval=_LOOK_AGAIN_MS)
        self._again.timeout.connect(self.check)
        self.changed.connect(self.check)

    @property
    def step(self) -> TypedStep | None:
        """The current step; None without steps."""
        return self.lesson.steps[self.place] if self.lesson.steps else None

    @property
    def modified(self) -> bool:
        """Whether there are unsaved changes."""
        return self.lesson is not self._saved and self.lesson != self._saved

    @property
    def can_undo(self) -> bool:
        """Whether there is a change to undo."""
        return bool(self._past)

    @property
    def can_redo(self) -> bool:
        """Whether there is a change to redo."""
        return bool(self._future)

    def know(self, path: Path, stamp: Stamp | None) -> None:
        """Note the stamp of a file when it was read."""
        self._stamps[path.absolute()] = stamp

    def take_over(self, other: "LessonDraft") -> None:
        """Continue the draft of another window."""
        self.lesson, self._saved, self.path, self.place = other.lesson, other._saved, other.path, other.place
        self.deleted, self._stamps, self._origin = other.deleted, other._stamps, other._origin
        self._past, self._future, self._traces = other._past, other._future, other._traces

    def is_of(self, lesson: Lesson) -> bool:
        """Return whether the draft is of a lesson."""
        return lesson is self._origin or (lesson.name, lesson.file) == (self.lesson.name, self.path)

    def begin(self, lesson: Lesson | None) -> bool:
        """Edit a lesson, or (None) a new one; return False if the user keeps unsaved changes instead."""
        if not self.may_go():
            return False
        self._origin, self.path = lesson, None if lesson is None else lesson.file
        begun = TypedLesson(title=self.tr("My lesson")) if lesson is None else typed_lesson(lesson)
        self.lesson = self._saved = begun if self.path is not None else replace(begun, name="")
        self.place, self.deleted = 0, None
        self._past, self._future, self._typed = [], [], None
        self.changed.emit()
        return True

    def choose(self, place: int) -> None:
        """Choose a step."""
        if place != self.place and 0 <= place < len(self.lesson.steps):
            self.place = place
            self.changed.emit()

    @Slot()
    def add(self) -> None:
        """Add the window's state, as a step after the current one."""
        session = self._session_now()
        found = preset_of(session.spec)
        title = self.tr("Step {0}").format(len(self.lesson.steps) + 1) if found is None else translate(found.title)
        self._keep(self._shown())
        self._insert(TypedStep(session=session, title=title))

    @Slot()
    def bring_back(self) -> None:
        """Insert the step that was deleted last after the current one."""
        if self.deleted is not None:
            step, self.deleted = self.deleted, None
            self._insert(step)

    @Slot()
    def take_view(self) -> None:
        """Set the current step to the window's state; its texts, question and task stay."""
        if self.step is not None:
            self._keep(self._shown())
            self.write(session=self._session_now())

    @Slot()
    def take_solution(self) -> None:
        """Set the solution of the task: the changes from the current step to the window's state.

        A task without a condition gets the first one on offer, and the learner sees the controls that changed.
        """
        step = self.step
        if step is None:
            return
        self._keep(self._shown())
        solution = change_between(step.session, self._session_now())
        changes: dict[str, Any] = {"solution": solution, "has_task": True}
        if not step.until.strip() and solution.spec and (offered := self.offers("condition")):
            changes["until"] = offered[0].condition
        active = type(step.session.spec).active_fields(dict(step.session.spec))
        if not step.block.controls and (turned := tuple(name for name in solution.spec if name in active)):
            changes["block"] = step.block.model_copy(update={"controls": turned})
        self.write(**changes)

    def write(self, **changes: Any) -> None:
        """Change values of the current step, by the fields of `TypedStep`."""
        if self.step is None:
            return
        steps = list(self.lesson.steps)
        steps[self.place] = replace(self.step, **changes)
        self._take(replace(self.lesson, steps=tuple(steps)), (self.place, frozenset(changes)))

    @Slot(str, str)
    def type_in(self, name: str, text: str) -> None:
        """Change a text of the current step, by the name of its field."""
        self.write(**{name: text})

    def retitle(self, title: str) -> None:
        """Give the lesson another title."""
        self._take(replace(self.lesson, title=title), (-1, frozenset({"title"})))

    def move(self, by: int) -> None:
        """Move the chosen step up (-1) or down (1)."""
        to, steps = self.place + by, list(self.lesson.steps)
        if 0 <= to < len(steps):
            steps.insert(to, steps.pop(self.place))
            self._take(replace(self.lesson, steps=tuple(steps)), place=to)

    @Slot()
    def delete(self) -> None:
        """Delete the chosen step; it can be brought back."""
        if self.step is not None:
            steps = list(self.lesson.steps)
            self.deleted = steps.pop(self.place)
            place = max(0, min(self.place, len(steps) - 1))
            self._take(replace(self.lesson, steps=tuple(steps)), place=place)

    @Slot()
    def undo(self) -> None:
        """Undo the last change; typing in one field without a pause is one."""
        self._step_through(self._past, self._future)

    @Slot()
    def redo(self) -> None:
        """Redo the change that was undone last."""
        self._step_through(self._future, self._past)

    def offers(self, kind: str) -> list[Offer]:
        """Return the offers for the window's picture: for a "text", a "condition", a "number" or "cells"."""
        trace, step = self._shown(), self.step
        session = self._session_now()
        if trace is None or trace.spec != session.spec:
            return []
        values = values_of(session.spec, session.shown_view, trace)
        if kind == "cells":
            return offers_of_cells(session.shown_view, trace, values)
        before = step.session.spec if step is not None and kind == "condition" else None
        fields = type(session.spec).model_fields
        found = [
            offer if offer.title else offer._replace(title=untranslated(field_title(offer.expression, fields)))
            for offer in offers(session.spec, session.shown_view, trace, values, before)
        ]
        if kind == "condition":
            return found
        kinds = int | float if kind == "number" else int | float | str
        return [offer for offer in found if isinstance(offer.value, kinds) and not isinstance(offer.value, bool)]

    @Slot()
    def look_again(self) -> None:
        """Check the current step again, soon: the window's state has changed."""
        trace = self._shown()
        if trace is not None and any(trace.spec in self._specs_of(step) for step in self.lesson.steps):
            self._keep(trace)
        if not self._again.isActive():
            self._again.start()

    @Slot()
    def check(self) -> None:
        """Check the current step in the background; `checked` follows."""
        step, trace = self.step, self._shown()
        if step is None:
            self._take_checked(Checked())
            return
        session = self._session_now()
        on_screen = None if trace is None or trace.spec != session.spec else (session, trace)
        own = step.session.model_copy(update={"view": step.view})
        solved = step.solved
        known = self._known(own), None if solved is None else self._known(solved)
        self._checking.start(partial(_checked, step, *known, on_screen), instead=True)

    @Slot(object)
    def _take_checked(self, now: Checked) -> None:
        if now.step is self.step:
            self.now = now
            self.checked.emit()

    def _session_now(self) -> Session:
        session = self._session()
        return Session(spec=session.spec, view=session.shown_view)

    def _specs_of(self, step: TypedStep) -> tuple[Spec, ...]:
        return (step.session.spec, *(() if step.solved is None else (step.solved.spec,)))

    def _keep(self, trace: Trace | None) -> None:
        """Cache a run, so that a step that shows it is checked while another one is on screen."""
        if trace is not None:
            self._traces.pop((trace.spec, trace.step), None)
            self._traces[trace.spec, trace.step] = trace
            while len(self._traces) > _MOST_TRACES:
                del self._traces[next(iter(self._traces))]

    def _known(self, session: Session) -> tuple[Session, Trace] | None:
        cursor = session.shown_view.cursor
        step = session.spec.steps if cursor is None or cursor.step is None else cursor.step
        trace = self._traces.get((session.spec, step))
        return None if trace is None else (session, trace)

    def preview(self) -> Lesson | None:
        """Return the lesson as it would be read from its file, or report why it would not."""
        try:
            read = lesson_of(lesson_to_text(self.lesson.finished()), self.lesson.name, self.lesson.trained)
        except Refused as error:
            self._point_at(error)
            self.said.emit(_why(error), True)
            return None
        return replace(read, file=self.path)

    @Slot()
    def save(self) -> None:
        """Save the lesson in its file, or ask for one."""
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
        """Ask about unsaved changes; return whether they are saved or may be lost."""
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

    def _insert(self, step: TypedStep) -> None:
        if len(self.lesson.steps) == MOST_STEPS:
            self.said.emit(translate(Text("a lesson has at most {most} steps", {"most": MOST_STEPS})), True)
            return
        steps = list(self.lesson.steps)
        place = min(self.place + 1, len(steps))
        steps.insert(place, step)
        self._take(replace(self.lesson, steps=tuple(steps)), place=place)

    def _take(
        self, lesson: TypedLesson, typed: tuple[int, frozenset[str]] | None = None, *, place: int | None = None
    ) -> None:
        """Replace the lesson; ``typed``: the step and the fields that were changed, so that typing is one change."""
        now = time.monotonic()
        if typed is None or typed != self._typed or now - self._typed_at > _TYPING_S or not self._past:
            self._past = [*self._past, (self.lesson, self.place)][-_MOST_UNDONE:]
        self._typed, self._typed_at, self._future = typed, now, []
        self.lesson, self.place = lesson, self.place if place is None else place
        self.changed.emit()

    def _step_through(self, way: list[tuple[TypedLesson, int]], back: list[tuple[TypedLesson, int]]) -> None:
        if way:
            back.append((self.lesson, self.place))
            lesson, self.place = way.pop()
            self.lesson = replace(lesson, name=self.lesson.name, file=self.lesson.file)  # may have been saved meanwhile
            self._typed = None
            self.changed.emit()

    def _point_at(self, error: Refused) -> None:
        """Select the step that an error is about."""
        number = str(error.numbers.get("number", ""))
        if number.isdecimal():
            self.choose(int(number) - 1)

    @Slot(object)
    def _take_written(self, written: _Written) -> None:
        lesson, path, stamp, refused, was_changed = written
        if refused is not None:
            self._point_at(refused)
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
    words = "".join(sign if sign.isalnum() else " " for sign in title.lower()).split()
    return "-".join(words)[:60] or "lesson"


def _checked(
    step: TypedStep,
    own: tuple[Session, Trace] | None,
    solved: tuple[Session, Trace] | None,
    on_screen: tuple[Session, Trace] | None,
) -> Checked:
    """Return the result of checking a step with its run, that of its solution, and the window's state."""
    values, done, seen = map(_values, (own, solved, on_screen))
    verdict = judged(step.until, seen) if step.has_task and step.until.strip() and seen is not None else None
    return Checked(
        step,
        step.problems(values, done),
        values is not None,
        "" if values is None else _answer(step, values),
        None if verdict in (None, Verdict.CANNOT_TELL) else verdict is Verdict.MET,
    )


def _values(known: tuple[Session, Trace] | None) -> Values | None:
    return None if known is None else values_of(known[0].spec, known[0].shown_view, known[1])


def _answer(step: TypedStep, values: Values) -> str:
    """Return the right answer by the run; empty without one."""
    try:
        if step.form == "choices" and step.by_run:
            asked = PredictionQuestion(choices=tuple(choice.condition for choice in step.choices))
            return LETTERS[asked.right_choice(values)]
        if step.form == "number" and step.number.strip():
            return number_said(PredictionQuestion(number=step.number).true_number(values))
        if step.form == "cells" and step.cells.strip():
            return str(int(PredictionQuestion(cells=step.cells).true_cells(values).sum()))
    except (ExpressionError, ValueError):
        return ""  # it is among the problems
    return ""


def _write(lesson: TypedLesson, path: Path, stamps: dict[Path, Stamp | None], *, though_changed: bool) -> _Written:
    known, found = stamps.get(path.absolute()), stamp_of(path)
    if known is not None and found is not None and found != known and not though_changed:
        return _Written(lesson, path, found, was_changed=True)
    try:
        write_lesson(lesson.finished(), path)
    except Refused as error:
        return _Written(lesson, path, found, error)
    return _Written(lesson, path, stamp_of(path))
