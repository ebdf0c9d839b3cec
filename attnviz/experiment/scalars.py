"""The scalars of a trace: measures that summarise a run in one row of a table.

Each lab lists those of its traces once, in its row of `attnviz.experiment.labs`. The table of a sweep, the window and
the manual read them from there.
"""

import warnings
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from attnviz.definitions.counting import CSV, head_name
from attnviz.definitions.statistics import Summary
from attnviz.definitions.text import Text, number_said


@dataclass(frozen=True, slots=True, kw_only=True)
class Scalar:
    """One number of a trace, or one of each head."""

    name: str
    """Its column in a table."""
    title: Text
    help: Text
    """A sentence about it."""
    unit: Text = field(default_factory=Text)
    """The unit of its values, such as bits; empty: a plain number, or the title says it."""
    of: Callable[[Any], Any]
    """Returns the number of a trace; for one per head, (layers, heads) numbers, or (heads,) without layers. NaN: there
    is none; infinity: the run never reached the event."""
    per_head: bool = False
    stack: str = ""
    """The stack of layers whose heads it is of, if a model has several, such as "cross"; its name begins with it."""
    summary: Summary = "mean"
    """How the numbers of all heads are summarised, if there is one per head."""
    number: Callable[[float], str] = number_said
    """Formats a value."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TextColumn:
    """A text about a trace, beside its scalars in a table."""

    name: str
    """Its column."""
    title: Text
    help: Text
    of: Callable[[Any], Any]
    """Returns the text of a trace; for one per head, the texts by (layer, head)."""
    per_head: bool = False
    stack: str = ""
    """As in `Scalar`."""


def axis_title(scalar: Scalar) -> Text:
    """Return the title of an axis: "Entropy (bit)"."""
    return Text("{title} ({unit})", {"title": scalar.title, "unit": scalar.unit}) if scalar.unit else scalar.title


def numbers_of(trace: Any, scalars: Sequence[Scalar]) -> dict[str, float]:
    """Return the numbers of a trace by the names of their columns."""
    numbers: dict[str, float] = {}
    for scalar in scalars:
        values = np.asarray(scalar.of(trace), np.float64)
        if scalar.per_head:
            numbers[scalar.name] = float(summed_up(values.reshape(-1), scalar.summary))
            for index, value in np.ndenumerate(values):
                if len(index) == 1 or index[0] not in trace.headless:
                    numbers[column_of_head(scalar.name, *index)] = float(value)
        else:
            numbers[scalar.name] = float(values)
    return numbers


def texts_of(trace: Any, columns: Sequence[TextColumn]) -> dict[str, str]:
    """Return the texts about a trace by the names of their columns."""
    texts: dict[str, str] = {}
    for column in columns:
        if column.per_head:
            texts |= {column_of_head(column.name, *at): text for at, text in column.of(trace).items()}
        else:
            texts[column.name] = column.of(trace)
    return texts


def summed_up(values: NDArray[np.float64], summary: Summary) -> NDArray[np.float64]:
    """Return the one number for several along the first axis, without those that are NaN; NaN if all are."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RuntimeWarning)  # all NaN
        return np.asarray(np.nanmean(values, axis=0) if summary == "mean" else np.nanmax(values, axis=0))


@lru_cache(maxsize=1 << 16)  # every row of a sweep has thousands of the same
def column_of_head(name: str, *index: int) -> str:
    """Return the column of one head's scalar; ``index`` is (layer, head), or (head,) without layers.

    "entropy" is that of all heads, "entropy_2.1" that of the first head of layer 2, and in a lab without layers
    "entropy_1" that of the first head.
    """
    return f"{name}_{head_name(*index) if len(index) > 1 else CSV.head(*index)}"


MILLISECONDS = Scalar(
    name="milliseconds",
    title=Text("Milliseconds"),
    help=Text("How long the module took, or the last step of a training"),
    of=lambda trace: trace.milliseconds,
)
"""The one scalar of every trace."""
