"""Runs the steps of a lesson, and checks every statement and question against these runs."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from attnviz.definitions.text import Text, quoted
from attnviz.engine.labs import cores_for, identity
from attnviz.engine.run import failure_of, start
from attnviz.experiment.files.session import Session
from attnviz.experiment.labs import LABS, Asked, Spec, Trace, stages_of
from attnviz.experiment.lessons.lesson import TESTED, Lesson, LessonStep, Look, values_of
from attnviz.experiment.lessons.reading import LessonError, expressions_of, names_used, problems_of_text
from attnviz.experiment.lessons.shown import ShownSession, StepShown
from attnviz.experiment.run import Cursor, Run, never_stop


class LessonRuns:
    """Computes the traces shown by the steps of a lesson; the last run is kept for the next step."""

    def __init__(self, lesson: Lesson) -> None:
        self._lesson = lesson
        self._spec: Spec | None = None
        self._run: Run | None = None

    def trace_of(self, session: Session) -> Trace:
        """Return the trace that a session shows: at its step, or at the end of its training.

        Raises:
            Exception: any error of the run; see `attnviz.engine.run.failure_of`.
        """
        spec, cursor = session.spec, session.shown_view.cursor or Cursor()
        if self._run is None or self._spec != spec:
            steps = identity(spec)
            shared = steps is not None and self._spec is not None and steps == identity(self._spec)
            self._run = start(spec, self._run if shared else None, trained=self._lesson.trained_for(spec))
            self._spec = spec
        run, wanted = self._run, spec.steps if cursor.step is None else min(cursor.step, spec.steps)
        with cores_for(spec):
            while not run.final and (run.known is None or (run.known.step or 0) < wanted):
                run.advance(never_stop)
            known = None if run.known is None else run.known.step  # a generation may end early
            step = min(wanted, known or 0) if spec.trains else None
            trace: Trace = run.at(replace(cursor, step=step))
        return trace

    def values_of(self, session: Session, trace: Trace, names: frozenset[str]) -> dict[str, Any]:
        """Return the values of names for a session and its trace, after running a test if one of them needs it."""
        study = LABS[trace.spec.lab].test_of(trace) if TESTED in names else None
        test = None if study is None else self._result_of(study)
        return values_of(session.spec, session.shown_view, trace, test)

    def shown(self, session: Session, names: frozenset[str] = frozenset()) -> ShownSession:
        """Return a session with its trace, the values of names, and the results shown instead of the trace.

        Raises:
            Exception: any error of a run; see `attnviz.engine.run.failure_of`.
        """
        trace = self.trace_of(session)
        of_page = session.shown_view.runs(session.spec)
        results = tuple((title, self._result_of(asked)) for title, asked in of_page)
        return ShownSession(session, trace, self.values_of(session, trace, names), results)

    def step_shown(self, step: LessonStep) -> StepShown:
        """Return a step with what it shows before and after its task; raises as `shown`."""
        names = names_used(step)
        shown = self.shown(step.session.model_copy(update={"view": step.view}), names)
        return StepShown(step, shown, None if step.solved is None else self.shown(step.solved, names))

    def _result_of(self, asked: Asked) -> Any:
        """Return the result of a study beside the run, or of another spec."""
        run = start(asked, self._run)
        while not run.final:
            run.advance(never_stop)
        return run.at(Cursor())


def check_lesson(lesson: Lesson) -> Iterator[LessonError]:
    """Yield every error in a lesson, step by step; none for a valid lesson.

    Every step runs; every expression in its texts has a value; exactly one choice is right; the condition of a task is
    false at the step and true with its answer; what the lesson points at and every control exist.
    """
    runs = LessonRuns(lesson)
    for step in lesson.steps:
        for problem in _problems(step, runs):
            text = Text("step {number}: {problem}", {"number": str(step.number), "problem": problem})
            yield LessonError(step.line, text)


def check_translation(lesson: Lesson, other: Lesson, language: str) -> Iterator[LessonError]:
    """Yield the differences in blocks, and in numbers within texts, between a translated lesson and the English one."""
    if lesson.head != other.head or len(lesson.steps) != len(other.steps):
        yield LessonError(1, Text("{language} has another block, or as many steps no more", {"language": language}))
    for one, same in zip(lesson.steps, other.steps, strict=False):
        values = {"language": language, "number": str(one.number)}
        if one.block != same.block:
            yield LessonError(same.line, Text("in {language}, the block of step {number} is another one", values))
        for name, part in vars(one).items():
            if isinstance(part, str) and bool(part) is not bool(getattr(same, name)):
                yield LessonError(same.line, Text("in {language}, step {number} has other parts", values))
                break
        if sorted(_numbers(one)) != sorted(_numbers(same)):
            yield LessonError(same.line, Text("in {language}, step {number} shows different numbers", values))


def _numbers(step: LessonStep) -> list[str]:
    return [expression for text in step.texts for expression in expressions_of(text)]


def _problems(step: LessonStep, runs: LessonRuns) -> Iterator[Text]:
    session = step.session.model_copy(update={"view": step.view})
    try:
        trace = runs.trace_of(session)
    except Exception as error:
        yield failure_of(step.spec, error).text
        return
    names = names_used(step)
    values = runs.values_of(session, trace, names)
    active = type(step.spec).active_fields(vars(step.spec))
    for control in step.block.controls:
        if control not in active:
            yield Text("{said} is not a control that acts here", {"said": quoted(control)})
    if step.block.look is not None:
        yield from _problems_of_look(step.block.look, step, trace)
    for text in step.texts:
        yield from problems_of_text(text, values)
    if step.block.predict is not None:
        yield from (problem for _, problem in step.block.predict.problems(values))
    if step.block.do is None or step.solved is None:
        return
    try:
        solved = runs.values_of(step.solved, runs.trace_of(step.solved), names)
    except Exception as error:
        yield failure_of(step.solved.spec, error).text
        solved = None
    yield from step.block.do.problems(values, solved)


def _problems_of_look(look: Look, step: LessonStep, trace: Trace) -> Iterator[Text]:
    if look.stage and look.stage not in stages_of(step.spec):
        yield Text("there is no stage {said} here", {"said": quoted(look.stage)})
    if look.control and look.control not in type(step.spec).active_fields(vars(step.spec)):
        yield Text("{said} is not a control that acts here", {"said": quoted(look.control)})
    *sizes, queries, keys = trace.weights.shape
    heads = step.spec.heads_run if step.spec.sizes_known else sizes[-1]
    limits = {"head": heads, "query": queries, "key": keys}
    for name, index in look.held.items():
        if index >= limits[name]:
            values = {"name": name, "place": str(index), "most": str(limits[name] - 1)}
            yield Text("the view is at {name} {place}, but the last one is {most}", values)
