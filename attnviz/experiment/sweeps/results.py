"""What the rows of a sweep say of one measure: a number for each run, their medians over seeds, and what has failed.

A run that never got there has the number infinity, which counts as larger than any other.
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from attnviz.definitions.text import Text
from attnviz.experiment.scalars import Scalar
from attnviz.experiment.sweeps.crossing import FAILURE, RUN, Crossing

SEED = "seed"
"""The field over which a picture spreads, where another is swept too."""
State = Literal["waits", "done", "never", "failed"]


@dataclass
class Results:
    """The rows that have come."""

    crossing: Crossing
    numbers: dict[int, dict[str, float]] = field(default_factory=dict)
    """The scalars of each run that ended well, by its number."""
    failures: dict[int, str] = field(default_factory=dict)
    """The sentence of each run that failed."""

    def __len__(self) -> int:
        """Return how many rows have come."""
        return len(self.numbers) + len(self.failures)

    def add(self, row: Mapping[str, Any]) -> None:
        """Take a row, as the table of the sweep has it."""
        run = int(row[RUN])
        if row[FAILURE]:
            self.failures[run] = str(row[FAILURE])
        else:
            known = {scalar.name for scalar in self.crossing.scalars}
            self.numbers[run] = {
                name: math.nan if value is None else float(value)
                for name, value in row.items()
                if name in known or name.rpartition("_")[0] in known
            }

    def value(self, run: int, measure: str) -> float:
        """Return the measure of a run; NaN if it has none."""
        return self.numbers.get(run, {}).get(measure, math.nan)

    def state(self, run: int, measure: str) -> State:
        """Return what has become of a run."""
        if run in self.failures:
            return "failed"
        if run not in self.numbers:
            return "waits"
        return "never" if math.isinf(self.value(run, measure)) else "done"

    def medians(self, measure: str) -> NDArray[np.float64]:
        """Return the median over the seeds at each value, (x,) or (x, y); NaN where no run has ended well."""
        plan = self.plan
        found = np.full(plan.shape, np.nan)
        for place, runs in plan.runs.items():
            values = [value for run in runs if not math.isnan(value := self.value(run, measure))]
            if values:
                found[place] = np.median(values)
        return found

    @cached_property
    def plan(self) -> "Plan":
        """Where each run is in the picture."""
        return Plan.of(self.crossing)


@dataclass(frozen=True)
class Plan:
    """The knobs of a picture, and the runs at each of their values, in the order of their seeds."""

    fields: tuple[str, ...]
    """One or two, without the seed."""
    values: tuple[tuple[Any, ...], ...]
    """The values of each."""
    runs: Mapping[tuple[int, ...], tuple[int, ...]]

    @property
    def shape(self) -> tuple[int, ...]:
        """The number of values of each knob."""
        return tuple(map(len, self.values))

    @property
    def is_map(self) -> bool:
        """Whether two knobs are swept, so that a colour shows the measure."""
        return len(self.fields) > 1

    @property
    def most_seeds(self) -> int:
        """The number of runs at each value."""
        return max(map(len, self.runs.values()), default=0)

    @classmethod
    def of(cls, crossing: Crossing) -> "Plan":
        """Return the plan of a sweep of at most two knobs and the seed."""
        shown = [place for place, name in enumerate(crossing.fields) if name != SEED] or [0]
        lengths = [len(over.values) for over in crossing.overs]
        runs: dict[tuple[int, ...], list[int]] = {}
        for run in range(len(crossing)):
            places = np.unravel_index(run, lengths)
            runs.setdefault(tuple(int(places[each]) for each in shown), []).append(run)
        return cls(
            tuple(crossing.fields[each] for each in shown),
            tuple(tuple(crossing.overs[each].values) for each in shown),
            {place: tuple(found) for place, found in runs.items()},
        )


def sentence_of(results: Results, measure: Scalar, titles: Mapping[str, str]) -> Text:
    """Return a sentence about the medians: each of a few, else the least and the greatest.

    ``titles`` are those of the knobs, by field.
    """
    plan, medians = results.plan, results.medians(measure.name)
    known = [(place, float(medians[place])) for place in np.ndindex(*plan.shape) if not np.isnan(medians[place])]
    if not known:
        return Text("No run has ended yet.") if not results.failures else Text("No run has ended well yet.")
    words: dict[str, Any] = {"measure": measure.title}

    def at(place: tuple[int, ...]) -> str:
        return ", ".join(f"{titles[name]} {value_text(plan.values[i][place[i]])}" for i, name in enumerate(plan.fields))

    if not plan.is_map and len(known) <= _FEW:
        reached = [(place, value) for place, value in known if math.isfinite(value)]
        never = [value_text(plan.values[0][place[0]]) for place, value in known if math.isinf(value)]
        listed = [f"{measure.number(value)} ({value_text(plan.values[0][place[0]])})" for place, value in reached]
        words |= {"knob": titles[plan.fields[0]], "listed": ", ".join(listed), "never": ", ".join(never)}
        if not reached:
            return Text("{measure}, median by {knob}: never ({never}).", words)
        if never:
            return Text("{measure}, median by {knob}: {listed}, never ({never}).", words)
        if plan.most_seeds == 1:
            return Text("{measure} by {knob}: {listed}.", words)
        return Text("{measure}, median by {knob}: {listed}.", words)
    least = min(known, key=lambda each: each[1])
    most = max(known, key=lambda each: each[1])
    words |= {"least": measure.number(least[1]), "where": at(least[0]), "there": at(most[0])}
    words["most"] = Text("never") if math.isinf(most[1]) else measure.number(most[1])
    return Text("{measure}: from {least} at {where} to {most} at {there}.", words)


_FEW = 6
"""How many medians a sentence lists."""
_LONGEST = 16


def value_text(value: Any) -> str:
    """Return the value of a knob as it is written in a picture; a long one is cut."""
    text = f"{value:.4g}" if isinstance(value, float) else str(value)
    return text if len(text) <= _LONGEST else f"{text[: _LONGEST - 1]}…"


def run_of(crossing: Crossing, spec: Any) -> int | None:
    """Return the number of the run whose spec this is; None if it is none of the sweep."""
    written = spec.model_dump()
    run = 0
    for over in crossing.overs:
        value: Any = written
        for part in over.field.split("."):
            value = value.get(part) if isinstance(value, Mapping) else None
        if value not in over.values:
            return None
        run = run * len(over.values) + over.values.index(value)
    return run if crossing.spec(run) == spec else None
