"""What the steps of a lesson show once their runs are made: what exports of a lesson are drawn and written from."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from attnviz.definitions.counting import are_positions, numbers, with_positions
from attnviz.definitions.text import Text
from attnviz.experiment.files.session import Session
from attnviz.experiment.labs import Outcome, Trace
from attnviz.experiment.lessons.lesson import LessonStep


@dataclass(frozen=True, slots=True, eq=False)
class Shown:
    """A session with what its run has found."""

    session: Session
    trace: Trace
    values: Mapping[str, Any]
    """What the names of expressions mean."""
    of_page: tuple[tuple[Text, Outcome], ...] = ()
    """What its page shows in place of the trace, each with its title."""


@dataclass(frozen=True, slots=True, eq=False)
class StepShown:
    """A step with what it shows."""

    step: LessonStep
    shown: Shown
    solved: Shown | None = None
    """What is shown once its task is done; None without a task."""


def names_of_cells(trace: Trace) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the names of the rows and of the columns of a trace's picture, as the screen shows them."""
    rows, columns = trace.weights.shape[-2:]
    tokens = tuple(trace.tokens)
    if len(tokens) == rows + columns:  # of the queries, then of the keys
        return _names(tokens[:rows], rows), _names(tokens[rows:], columns)
    if len(tokens) != rows or rows != columns:
        return numbers(rows), numbers(columns)
    names = _names(tokens, rows)
    return with_positions(names), names


def _names(tokens: tuple[str, ...], count: int) -> tuple[str, ...]:
    """Return words as the picture has them, and numbers from one in place of positions."""
    return numbers(count) if are_positions(tokens) else tokens
