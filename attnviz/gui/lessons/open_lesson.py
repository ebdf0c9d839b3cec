"""The lesson in the window: the current step, the answers and tasks so far, and the numbers of its run."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QObject, QSettings, QTimer, Signal, Slot

from attnviz.definitions.text import Text
from attnviz.experiment.files.session import Session
from attnviz.experiment.labs import LABS, Event, Trace, Trained
from attnviz.experiment.lessons.expression import ExpressionError
from attnviz.experiment.lessons.lesson import TESTED, Lesson, LessonStep, Verdict, judged, values_of
from attnviz.experiment.lessons.reading import fill, lesson_names, names_used
from attnviz.experiment.study import StudyResult
from attnviz.gui.labs.room import AnyRoom
from attnviz.gui.labs.rooms import Rooms
from attnviz.gui.run.controller import Controller
from attnviz.gui.run.mailbox import Ahead
from attnviz.gui.session.settings import Changes
from attnviz.gui.session.state import SessionState
from attnviz.gui.widgets.words import translate

_CHECK_MS = 60
"""The delay in milliseconds after which the task is checked; a training makes many changes."""
_PATIENCE_MS = 1000
"""The time in milliseconds after the last run for the numbers of a step to arrive: a test is requested once its trace
is on screen."""
Cells: TypeAlias = frozenset[tuple[int, int]]
Guess: TypeAlias = int | float | Cells
"""The number of a choice, a number, or the marked cells."""


def cells_of(marks: NDArray[np.bool_]) -> Cells:
    """Return the positions of the marked cells."""
    return frozenset(zip(*(map(int, axis) for axis in marks.nonzero()), strict=True))


@dataclass(frozen=True, slots=True)
class Given:
    """The learner's progress at one step."""

    guess: Guess | None = None
    answered: bool = False
    """Whether the answer is shown, after a guess or without one."""
    done: bool = False
    """Whether the task was done once."""


@dataclass(frozen=True, slots=True)
class Left:
    """The progress in a lesson."""

    place: int
    """The current step, counted from 0."""
    finished: frozenset[int]
    """The steps with nothing left to answer or to do."""


class OpenLesson(QObject):
    """Shows the steps of a lesson in the window, and judges what the learner does there.

    A step is shown by `SessionState.show_step`, as a preset is: an undo step, from which anything may be changed.
    """

    changed = Signal()
    """The step, an answer, or whether the picture is hidden."""
    checked = Signal()
    """The task was checked, or the numbers of the step have arrived."""

    def __init__(
        self, controller: Controller, rooms: Rooms, session_state: SessionState, parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self._controller, self._rooms, self._state = controller, rooms, session_state
        self.lesson: Lesson | None = None
        self.place = 0
        """The step, counted from 0."""
        self.draft: Guess | None = None
        """What is typed or marked for the open question, and not yet given as the answer."""
        self.holds = False
        """Whether the condition of the task is true of what is on screen."""
        self.left: Left | None = None
        """Where the lesson was left, until the learner resumes there or begins again."""
        self._given: dict[int, Given] = {}
        self._progress: dict[str, Left] = {}  # by name
        self.values: Mapping[str, Any] | None = None
        """The values of names in the step's own run; None until it is there."""
        self._needs: frozenset[str] = frozenset()  # the names that the step's expressions use
        self._ahead: dict[int, Mapping[str, Any]] = {}  # of steps whose run was computed ahead
        self._has_engine = False  # whether PyTorch is loaded
        self._gave_up = False  # whether no run in progress would bring its numbers
        self._test: StudyResult | None = None
        self._check = QTimer(self, singleShot=True, interval=_CHECK_MS)
        self._check.timeout.connect(self.check)
        self._patience = QTimer(self, singleShot=True, interval=_PATIENCE_MS)
        self._patience.timeout.connect(self._give_up)
        controller.engine_ready.connect(self._note_engine)
        controller.trace_accepted.connect(self._take_trace)
        controller.beside_accepted.connect(self._take_beside)
        controller.spec_changed.connect(self._check_soon)
        controller.state_changed.connect(self._mind_the_run)
        controller.ahead_taken.connect(self._take_ahead)
        rooms.built.connect(self._take_in)

    @Slot(object)
    def _take_in(self, room: AnyRoom) -> None:
        room.current_view.changed.connect(self._check_soon)
        room.selection.changed.connect(self._check_soon)

    @property
    def step(self) -> LessonStep | None:
        """The current step; None without a lesson."""
        return None if self.lesson is None else self.lesson.steps[self.place]

    @property
    def given(self) -> Given:
        """The learner's progress at the current step."""
        return self._given.get(self.place, Given())

    @property
    def asks(self) -> bool:
        """Whether the picture is hidden until the question is answered."""
        return self.step is not None and self.step.block.predict is not None and not self.given.answered

    @property
    def waits(self) -> bool:
        """Whether the run of the step is in progress, so that its texts have no numbers yet."""
        return self.step is not None and not self._gave_up and not self._has_numbers

    @property
    def _has_numbers(self) -> bool:
        return self.values is not None and (TESTED not in self._needs or TESTED in self.values)

    @property
    def right_choice(self) -> int | None:
        """The index of the right choice by the step's own run; None until it is there, and without choices."""
        asked = None if self.step is None else self.step.block.predict
        if asked is None or self.values is None or not asked.choices:
            return None
        try:
            return asked.right_choice(self.values)
        except ExpressionError:  # of a lesson that was not checked
            return None

    @property
    def trained(self) -> Trained | None:
        """The stored run of the current spec, if the lesson has one."""
        return None if self.lesson is None else self.lesson.trained_for(self._controller.spec)

    @property
    def deviates(self) -> bool:
        """Whether the window shows another spec than the step, or the step once its task is done."""
        step = self.step
        if step is None:
            return False
        solved = () if step.solved is None else (step.solved.spec,)
        return self._controller.spec not in (step.spec, *solved)

    def is_finished(self, place: int) -> bool:
        """Return whether nothing is left to answer or to do at a step that was seen."""
        assert self.lesson is not None
        step, given = self.lesson.steps[place], self._given.get(place)
        if given is None:
            return False
        return (given.answered or step.block.predict is None) and (given.done or step.block.do is None)

    def open(self, lesson: Lesson, place: int | None = None) -> None:
        """Open a lesson unanswered, at a step or at its first, from where it can be resumed.

        With a ``place`` the user has chosen a step, and resuming is not offered.
        """
        self.lesson, self._given, self._ahead = lesson, {}, {}
        left = self._progress.get(lesson.name)
        is_offered = place is None and left is not None and (left.place > 0 or bool(left.finished - {0}))
        self.left = left if is_offered else None
        self._go(place or 0)

    @Slot()
    def resume(self) -> None:
        """Continue where the lesson was left, with the answers and tasks so far."""
        left, lesson = self.left, self.lesson
        if left is not None and lesson is not None:
            self._given = {at: Given(answered=True, done=True) for at in left.finished if at < len(lesson.steps)}
            self.go(left.place)

    def forget(self) -> None:
        """Forget all answers, at the current step: an audience is to answer anew."""
        if self.lesson is not None:
            self._given, self.left, self.holds = {self.place: Given()}, None, False
            self._note_progress()
            self.changed.emit()

    def read_on_in(self, lesson: Lesson) -> None:
        """Take the same lesson in another language, at the same step."""
        self.lesson = lesson
        self.changed.emit()

    def take_over(self, other: "OpenLesson") -> None:
        """Continue from the step of another window, with its answers."""
        self._progress, self._given, self.place = other._progress, other._given, other.place
        self.values, self._test, self._needs = other.values, other._test, other._needs
        self.left, self.holds, self._gave_up = other.left, other.holds, other._gave_up
        self._has_engine = other._has_engine

    @Slot()
    def close(self) -> None:
        """Close the lesson; the window's state stays."""
        self._note_progress()
        self.lesson = None
        self.values = None
        self.changed.emit()

    def go(self, place: int) -> None:
        """Show a step."""
        self.left = None
        self._go(place)

    def _go(self, place: int) -> None:
        if self.lesson is None:
            return
        self.place = min(max(place, 0), len(self.lesson.steps) - 1)
        self._given.setdefault(self.place, Given())
        self._note_progress()
        self.draft = None
        self.values = self._ahead.get(self.place)
        self.holds = self._gave_up = False
        self._patience.stop()
        self._needs = names_used(self.lesson.steps[self.place])
        self.changed.emit()  # first: the picture is hidden before it is drawn
        self.restore()

    @Slot()
    def on(self) -> None:
        """Answer an open question with the typed or marked guess, or else show its answer, or the next step."""
        if self.asks:
            self.guess(self.draft)
        elif self.lesson is not None and self.place + 1 < len(self.lesson.steps):
            self.go(self.place + 1)

    @Slot()
    def back(self) -> None:
        """Show the previous step."""
        if self.place:
            self.go(self.place - 1)

    @Slot()
    def begin_again(self) -> None:
        """Forget all answers, and show the first step."""
        self._given = {}
        self.go(0)

    @property
    def following(self) -> str:
        """The name of the lesson after this one; "" if there is none."""
        names = lesson_names()
        comes_along = self.lesson is not None and self.lesson.file is None and self.lesson.name in names
        at = names.index(self.lesson.name) + 1 if comes_along and self.lesson is not None else len(names)
        return names[at] if at < len(names) else ""

    @Slot()
    def restore(self) -> None:
        """Show the step as its author made it, discarding changes."""
        step = self.step
        if step is not None:
            self._show(step.session.model_copy(update={"view": step.view}), step)
            if self._controller.shown is not None:
                self._take_trace(self._controller.shown)  # a step may show another stage of the same run

    @Slot()
    def solve(self) -> None:
        """Do the task as its author did it."""
        step = self.step
        if step is not None and step.solved is not None:
            self._show(step.solved, step)

    def guess(self, guess: Guess | None) -> None:
        """Answer the question, or (None) give up on it; the picture is shown."""
        if self.deviates:  # undone, or another preset chosen: the picture is to be the one of the question
            self.restore()
        self.draft = None
        self._note(answered=True, guess=guess)

    def filled(self, markdown: str) -> str:
        """Return a text of the step with the numbers of its run, or placeholders until they are there."""
        return _filled(markdown, self.values)

    def filled_ahead(self, markdown: str, step: LessonStep) -> str:
        """Return a text of another step likewise, with the numbers of a run computed ahead or on screen."""
        if step.number - 1 in self._ahead:
            return _filled(markdown, self._ahead[step.number - 1])
        shown = self._controller.shown
        if shown is None or not shown.final or shown.spec != step.spec or step.view.cursor is not None:
            return _filled(markdown, None)
        return _filled(markdown, values_of(step.spec, step.view, shown, self._test_of(shown)))

    @property
    def looked_at(self) -> Text:
        """The sentence about what the step points at, for the run on screen; empty for none."""
        step, shown = self.step, self._controller.shown
        if step is None or shown is None or step.block.look is None or not step.block.look.held or self.asks:
            return Text()
        room = self._rooms[step.spec.lab]
        if shown.spec != step.spec or room.stage.trace is not shown:
            return Text()
        return LABS[step.spec.lab].sentence_of(shown, room.stage.view, room.selection.locked)

    @Slot()
    def check(self) -> None:
        """Check the task of the step against the window's state."""
        step = self.step
        if step is None or step.block.do is None or self.asks or not self._controller.up_to_date:
            return
        self.holds = self.verdict is Verdict.MET
        if self.holds and not self.given.done:
            self._note(done=True)
        self.checked.emit()

    @property
    def verdict(self) -> Verdict:
        """Whether the condition of the task is true of the window's state."""
        step, shown = self.step, self._controller.shown
        if step is None or step.block.do is None or shown is None or not self._controller.up_to_date:
            return Verdict.CANNOT_TELL
        room = self._rooms[shown.spec.lab]
        return judged(step.block.do.until, values_of(shown.spec, room.view_settings(), shown, self._test_of(shown)))

    def save(self, settings: QSettings | Changes) -> None:
        """Store the progress in the included lessons."""
        self._note_progress()
        for name, left in self._progress.items():
            if name in lesson_names():
                settings.setValue(f"lessons/{name}", f"{left.place}:{','.join(map(str, sorted(left.finished)))}")

    def load(self, settings: QSettings) -> None:
        """Load the progress; a broken settings file changes nothing."""
        for name in lesson_names():
            place, _, finished = str(settings.value(f"lessons/{name}") or "").partition(":")
            if place.isdecimal():
                done = frozenset(int(part) for part in finished.split(",") if part.isdecimal())
                self._progress[name] = Left(int(place), done)

    @property
    def any_begun(self) -> bool:
        """Whether any lesson was ever opened."""
        return bool(self._progress)

    def _show(self, session: Session, step: LessonStep) -> None:
        assert self.lesson is not None
        self._state.show_step(session, self.tr("Step: {0}").format(step.title), self.lesson.trained_for(session.spec))

    def _note(self, **changes: Any) -> None:
        self.left = None
        self._given[self.place] = replace(self.given, **changes)
        self._note_progress()
        self.changed.emit()

    def _note_progress(self) -> None:
        if self.lesson is not None and self.left is None:
            finished = frozenset(place for place in self._given if self.is_finished(place))
            self._progress[self.lesson.name] = Left(self.place, finished)

    @Slot()
    def _check_soon(self) -> None:
        if self.lesson is not None and not self._check.isActive():
            self._check.start()

    @Slot()
    def _note_engine(self) -> None:
        self._has_engine = True
        self.checked.emit()

    @Slot(object)
    def _take_trace(self, trace: Trace) -> None:
        step = self.step
        if step is None:
            return
        if trace.spec == step.spec and trace.step == _training_step(step):
            if self.values is None:
                self.values = values_of(step.spec, step.view, trace, self._test_of(trace))
                self.checked.emit()
            self._prepare_next()
        self._check_soon()

    @property
    def waits_for(self) -> str:
        """What the texts of the step wait for, in words."""
        step, shown = self.step, self._controller.shown
        if step is None or not self.waits:
            return ""
        if self.values is not None:
            return self.tr("Testing the model on newly drawn sequences ...")
        if not self._has_engine:
            return self.tr("Loading PyTorch ...")
        wanted = _training_step(step)
        if step.spec.trains and shown is not None and shown.spec == step.spec and shown.step != wanted:
            return self.tr("Training to step {0} ...").format(wanted)
        awaited = step.spec.first_waits_for
        if awaited and (shown is None or not shown.spec.first_waits_for):
            return self.tr("Computing the picture of this step: {0} ...").format(translate(awaited))
        return self.tr("Computing the picture of this step ...")

    def _prepare_next(self) -> None:
        """Compute the run of the next step while this one is read."""
        step, lesson = self.step, self.lesson
        if step is None or lesson is None or not self._has_numbers or step.number in self._ahead:
            return
        if step.number < len(lesson.steps):
            then = lesson.steps[step.number]
            self._controller.want_ahead(then.spec, then.view.cursor, lesson.trained_for(then.spec))

    @Slot(object)
    def _take_ahead(self, ahead: Ahead) -> None:
        step, trace = self.step, ahead.trace
        if step is None or self.lesson is None or trace is None or step.number >= len(self.lesson.steps):
            return
        then = self.lesson.steps[step.number]
        if then.spec == ahead.spec and trace.step == _training_step(then):  # it may belong to a step left meanwhile
            self._ahead = {step.number: values_of(then.spec, then.view, trace, self._test_of(trace))}
            self.checked.emit()

    @Slot()
    def _mind_the_run(self) -> None:
        """Stop waiting for the numbers of a step once no run in progress would bring them."""
        controller, step = self._controller, self.step
        busy = controller.computing or controller.computing_beside
        if step is not None and self.values is None and not controller.has_failed:
            busy = busy or controller.spec == step.spec  # it may go back to an earlier step, which repeats others
        if busy or not self.waits:
            self._patience.stop()
        elif not self._patience.isActive():
            self._patience.start()

    @Slot()
    def _give_up(self) -> None:
        self._gave_up = True
        self.checked.emit()

    @Slot(object)
    def _take_beside(self, events: tuple[Event, ...]) -> None:
        for event in events:
            if isinstance(event, StudyResult) and event.values():
                self._test = event
        step, shown = self.step, self._controller.shown
        if step is not None and shown is not None and shown.spec == step.spec:
            self.values = None
            self._take_trace(shown)
        self._check_soon()

    def _test_of(self, trace: Trace) -> StudyResult | None:
        return self._test if self._test is not None and self._test.spec == LABS[trace.spec.lab].test_of(trace) else None


def _training_step(step: LessonStep) -> int:
    """Return the training step that a step of a lesson shows."""
    cursor = step.view.cursor
    return step.spec.steps if cursor is None or cursor.step is None else cursor.step


def _filled(markdown: str, values: Mapping[str, Any] | None) -> str:
    try:
        return fill(markdown, values)
    except ExpressionError:  # of a lesson that was not checked
        return fill(markdown, None)
