"""The content of a lesson with the numbers of its runs filled in, which every format writes."""

import json
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from attnviz.definitions.text import English, Refused, Text, Translate, number_said
from attnviz.experiment.files.session import Session
from attnviz.experiment.labs import LABS, Outcome
from attnviz.experiment.lessons.lesson import LETTERS, Lesson, LessonStep
from attnviz.experiment.lessons.reading import fill
from attnviz.experiment.lessons.shown import ShownSession, StepShown, names_of_cells
from attnviz.experiment.texts.languages import ENGLISH, translator
from attnviz.export.figures.figure import figure_bytes, paper_figure
from attnviz.export.figures.parts import CELLS
from attnviz.export.figures.settings import FigureSettings, looked_at
from attnviz.export.figures.type_style import figure_style
from attnviz.export.labs import EXPORTS, figure_of_page
from attnviz.palette import THEMES

_MOST_ITEMS = 2
"""The most batch items drawn together, if each has one head."""
_MOST_ACROSS = 24
"""The most rows and columns of an empty picture; a larger one is left out."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class LessonFigure:
    """One figure of a step, drawn on demand, in the colours and the size of a format."""

    title: str
    """Distinguishes it from the others of the step; empty if it is the only one."""
    description: str
    """A sentence about it, computed from the run."""
    session: Session
    is_dense: bool
    """Whether it is so detailed that it must be wide."""
    draw: Callable[[FigureSettings], Any] = field(repr=False)
    settings: FigureSettings = field(repr=False)

    def figure(self, **changes: Any) -> Any:
        """Return it as a matplotlib figure, with other settings."""
        return self.draw(self.settings.model_copy(update=changes))

    def drawn(self, kind: str, *, transparent: bool = True, **changes: Any) -> bytes:
        """Return the bytes of a file with its session embedded."""
        return figure_bytes(self.figure(**changes), kind, self.session, transparent=transparent)


@dataclass(frozen=True, slots=True)
class ChoiceSaid:
    """A choice."""

    letter: str
    text: str
    why: str
    is_right: bool


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Question:
    """The question before the picture is shown, and its right answer by the run. Texts are Markdown."""

    text: str
    answer: str
    choices: tuple[ChoiceSaid, ...] = ()
    number: float | None = None
    within: float = 0.0
    cells: NDArray[np.bool_] | None = None
    """The cells to mark, (queries, keys)."""
    names: tuple[tuple[str, ...], tuple[str, ...]] = ((), ())
    """The names of the hidden picture's rows and columns; empty if it is large."""

    @property
    def right(self) -> str:
        """The right answer in a few characters; cells need a picture."""
        if self.number is not None:
            return number_said(self.number)
        return "".join(choice.letter for choice in self.choices if choice.is_right)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Exercise:
    """The task, and the result. Texts are Markdown."""

    text: str
    done: str
    changes: tuple[tuple[str, str], ...]
    """The author's changes: titles of fields with their values."""
    pictures: tuple[LessonFigure, ...]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class StepContent:
    """A step with everything filled in. Texts are Markdown."""

    number: int
    title: str
    text: str
    hint: str
    notes: str
    caption: str
    """The sentence about what the step points at; empty for none."""
    pictures: tuple[LessonFigure, ...]
    question: Question | None
    exercise: Exercise | None


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class LessonContent:
    """A lesson with everything filled in."""

    name: str
    title: str
    about: str
    minutes: int
    language: str
    steps: tuple[StepContent, ...]
    translate: Translate = field(repr=False)

    def tr(self, text: English | Text) -> str:
        """Return a text in the language of the lesson; of a template without words, {0} stays."""
        return text.translated(self.translate) if isinstance(text, Text) else self.translate(text)


def content_of(lesson: Lesson, shown: Iterable[StepShown], language: str = ENGLISH) -> LessonContent:
    """Return the content of a lesson, from the runs of its steps.

    Raises:
        Refused: a step cannot be drawn, or an expression or question of it has no value; names the step.
    """
    translate = translator(language)
    steps = tuple(_step(each, FigureSettings(language=translate)) for each in shown)
    return LessonContent(
        name=lesson.name,
        title=lesson.title,
        about=lesson.about,
        minutes=lesson.head.minutes,
        language=language,
        steps=steps,
        translate=translate,
    )


def _step(step_shown: StepShown, settings: FigureSettings) -> StepContent:
    step, shown = step_shown.step, step_shown.shown
    try:
        filled = {name: fill(text, shown.values) for name, text in vars(step).items() if isinstance(text, str)}
        held = step.block.look is not None and bool(step.block.look.held)
        pictures = tuple(_pictures(shown, settings, step if held else None))
        return StepContent(
            number=step.number,
            title=filled["title"],
            text=filled["text"],
            hint=filled["hint"],
            notes=filled["notes"],
            caption=pictures[min(step.view.batch_item, len(pictures) - 1)].description if held else "",
            pictures=pictures,
            question=_question(step, shown, filled),
            exercise=_exercise(step_shown, filled, settings),
        )
    except ValueError as error:  # of a text, a condition or a figure
        problem = error.text if isinstance(error, Refused) else Text("{why}", {"why": str(error)})
        raise Refused(Text("step {number}: {problem}", {"number": str(step.number), "problem": problem})) from error


def _question(step: LessonStep, shown: ShownSession, filled: dict[str, str]) -> Question | None:
    prediction = step.block.predict
    if prediction is None:
        return None
    rows, columns = shown.trace.weights.shape[-2:]
    right = prediction.right_choice(shown.values) if prediction.choices else None
    return Question(
        text=filled["question"],
        answer=filled["answer"],
        choices=tuple(
            ChoiceSaid(LETTERS[index], fill(choice.text, shown.values), fill(choice.why, shown.values), index == right)
            for index, choice in enumerate(step.choices)
        ),
        number=prediction.true_number(shown.values) if prediction.number else None,
        within=prediction.within,
        cells=prediction.true_cells(shown.values) if prediction.cells else None,
        names=names_of_cells(shown.trace) if prediction.cells or max(rows, columns) <= _MOST_ACROSS else ((), ()),
    )


def _exercise(step_shown: StepShown, filled: dict[str, str], settings: FigureSettings) -> Exercise | None:
    step, solved = step_shown.step, step_shown.solved
    if step.block.do is None or solved is None:
        return None
    fields = type(solved.session.spec).model_fields
    changes = []
    for name, value in step.block.do.answer.spec.items():
        title = fields[name].title if name in fields else None
        changes.append((settings.tr(title) if title else name, json.dumps(value, ensure_ascii=False).strip('"')))
    pictures = tuple(_pictures(solved, settings))
    return Exercise(text=filled["task"], done=filled["done"], changes=tuple(changes), pictures=pictures)


def _pictures(
    shown: ShownSession, settings: FigureSettings, ringed: LessonStep | None = None
) -> Iterator[LessonFigure]:
    """Yield the figures of a session, with a ring around what a step points at."""
    session, trace = shown.session, shown.trace
    spec, view = session.spec, session.shown_view
    results = [result for _, result in shown.of_page]
    draw = figure_of_page(spec, view.page, next(iter(results), None))  # refuses one without
    is_of_lab = draw is EXPORTS[spec.lab].draw
    seen = {"item": view.batch_item, "contrast": view.reaches_largest, "contrast_by": view.stretched_by}
    settings = settings.model_copy(update=seen | looked_at(view, spec) | {"stage": view.drawn, "sums": True})

    def picture(title: str, of: Any, own: Session, item: int | None = None) -> LessonFigure:
        chosen = view if item is None else view.changed(item=item)
        is_trace = isinstance(of, type(trace))
        sentence = LABS[spec.lab].sentence_of(of if is_trace else trace, chosen, chosen).translated(settings.language)

        def drawn(settings: FigureSettings) -> Any:
            if is_of_lab:
                is_ringed = ringed is not None and item in (None, view.batch_item)
                further = {"query": view.query} if is_ringed else {}
                figure = paper_figure(of, settings.model_copy(update={"page": "", **further}))
                if ringed is not None and is_ringed:
                    _ring(figure, ringed, settings)
                return figure
            with figure_style(settings.palette):
                return draw(of, settings)

        return LessonFigure(
            title=title,
            description=sentence,
            session=own,
            is_dense=spec.has_layers,
            draw=drawn,
            settings=settings.model_copy(update={} if item is None else {"item": item}),
        )

    own = session.model_copy(update={"notes": ""}).with_trained(None)
    if shown.of_page:
        for title, result in shown.of_page:
            yield picture(settings.tr(title), result, _session_of(result, own))
    elif 1 < trace.items <= _MOST_ITEMS and trace.num_heads == 1 and is_of_lab:
        for item in range(trace.items):
            yield picture(settings.tr(Text("item {number}", {"number": item + 1})), trace, own, item)
    else:
        yield picture("", trace, own)


def _session_of(result: Outcome, session: Session) -> Session:
    """Return the session of another run that a page shows; a study has that of the run it is of."""
    of_run = isinstance(result.spec, type(session.spec))
    return session.model_copy(update={"spec": result.spec}) if of_run else session


def _ring(figure: Any, step: LessonStep, settings: FigureSettings) -> None:
    """Draw a frame around the cells that a step points at, in the largest picture of cells."""
    from matplotlib.patches import Rectangle

    look = step.block.look
    cells = [axes for axes in figure.axes if axes.get_label() == CELLS]
    assert look is not None
    if not cells:
        return
    areas = [axes.get_position().width * axes.get_position().height for axes in cells]
    large = [axes for axes, area in zip(cells, areas, strict=True) if area > 0.9 * max(areas)]
    axes = large[min(step.view.head, len(large) - 1)]
    (left, right), (low, high) = axes.get_xlim(), sorted(axes.get_ylim())
    if look.query is not None:
        low, high = look.query - 0.5, look.query + 0.5
    if look.key is not None:
        left, right = look.key - 0.5, look.key + 0.5
    colour = THEMES[settings.theme].accent
    frame = Rectangle((left, low), right - left, high - low, fill=False, ec=colour, lw=1.6, clip_on=False, zorder=5)
    axes.add_artist(frame)
