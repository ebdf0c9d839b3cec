"""The content of a lesson's steps after their runs, from which exports of a lesson are drawn and written."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from attnviz.definitions.counting import are_positions, numbers, with_positions
from attnviz.definitions.text import Text
from attnviz.experiment.files.session import Session
from attnviz.experiment.labs import Outcome, Trace
from attnviz.experiment.lessons.lesson import LessonStep


@dataclass(frozen=True, slots=True, eq=False)
class ShownSession:
    """A session with the results of its run."""

    session: Session
    trace: Trace
    values: Mapping[str, Any]
    """The values of the names in expressions."""
    of_page: tuple[tuple[Text, Outcome], ...] = ()
    """The (title, result) pairs that its page shows instead of the trace."""


@dataclass(frozen=True, slots=True, eq=False)
class StepShown:
    """A step with its content."""

    step: LessonStep
    shown: ShownSession
    solved: ShownSession | None = None
    """The content once its task is done; None without a task."""


def names_of_cells(trace: Trace) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the names of the rows and columns of a trace's picture, as on screen."""
    rows, columns = trace.weights.shape[-2:]
    tokens = tuple(trace.tokens)
    if len(tokens) == rows + columns:  # of the queries, then of the keys
        return _names(tokens[:rows], rows), _names(tokens[rows:], columns)
    if len(tokens) != rows or rows != columns:
        return numbers(rows), numbers(columns)
    names = _names(tokens, rows)
    return with_positions(names), names


def _names(tokens: tuple[str, ...], count: int) -> tuple[str, ...]:
    """Return words as in the picture, and numbers from one instead of positions."""
    return numbers(count) if are_positions(tokens) else tokens
