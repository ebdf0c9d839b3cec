"""The results of a sweep for one measure: a number for each run, their medians over seeds, and failures.

A run that never reached the measured event has the value infinity, which is larger than any other.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from attnviz.definitions.text import Text
from attnviz.experiment.scalars import Scalar
from attnviz.experiment.sweeps.crossing import FAILURE, RUN, Crossing
from attnviz.experiment.sweeps.heads import HeadsOverRuns

SEED = "seed"
"""The field whose values are spread in a picture, if another is swept too."""
_MOST_CHARACTERS = 200
"""Of the texts about a run."""
State = Literal["waits", "done", "never", "none", "failed"]


class Results:
    """The rows so far: of each run its scalars, or the reason of its failure; of single heads what they add up to."""

    def __init__(self, crossing: Crossing) -> None:
        self.crossing = crossing
        self.failures: dict[int, str] = {}
        """The sentence of each run that failed."""
        self.texts: dict[int, str] = {}
        """The beginning of the texts about each run that has some."""
        self.heads = HeadsOverRuns(crossing)
        """The measures of single heads."""
        self._ended = np.zeros(len(crossing), np.bool_)
        self._values = {scalar.name: np.full(len(crossing), np.nan) for scalar in crossing.scalars}

    def __len__(self) -> int:
        """Return how many rows have come."""
        return int(np.count_nonzero(self._ended))

    def __contains__(self, run: int) -> bool:
        """Return whether the row of a run has come."""
        return 0 <= run < len(self._ended) and bool(self._ended[run])

    def add(self, row: Mapping[str, Any]) -> None:
        """Add a row of the sweep's table."""
        run = int(row[RUN])
        self._ended[run] = True
        self.heads.add(row)
        if row[FAILURE]:
            self.failures[run] = str(row[FAILURE])
            return
        if texts := [str(row[each.name]) for each in self.crossing.text_columns if row.get(each.name)]:
            self.texts[run] = " ".join("; ".join(texts).split())[:_MOST_CHARACTERS]
        for name, values in self._values.items():
            value = row.get(name)
            values[run] = math.nan if value is None else value

    def values(self, measure: str) -> NDArray[np.float64]:
        """Return the measure of every run, (runs,); NaN: it has none. Callers must not modify it."""
        return self._values[measure]

    def value(self, run: int, measure: str) -> float:
        """Return the measure of a run; NaN if it has none."""
        return float(self._values[measure][run])

    def state(self, run: int, measure: str) -> State:
        """Return the state of a run."""
        if run in self.failures:
            return "failed"
        if run not in self:
            return "waits"
        value = self.value(run, measure)
        return "none" if math.isnan(value) else "never" if math.isinf(value) else "done"

    def states(self, measure: str) -> list[State]:
        """Return the states of all runs, without duplicates, in a fixed order."""
        values, failed = self._values[measure], len(self.failures)
        known, endless = (int(np.count_nonzero(each)) for each in (~np.isnan(values), np.isinf(values)))
        counts: dict[State, int] = {
            "done": known - endless,
            "never": endless,
            "none": len(self) - known - failed,
            "failed": failed,
            "waits": len(self.crossing) - len(self),
        }
        return [state for state, count in counts.items() if count]

    def states_without_median(self) -> NDArray[np.str_]:
        """Return why there is no median at each value, (x,) or (x, y): a run waits, else one failed, else none has."""
        failed = np.isin(self.plan.runs, list(self.failures)).any(axis=-1)
        return np.where(~self._ended[self.plan.runs].all(axis=-1), "waits", np.where(failed, "failed", "none"))

    def medians(self, measure: str) -> NDArray[np.float64]:
        """Return the median over the seeds at each value, (x,) or (x, y); NaN if no run has succeeded."""
        values = np.sort(self._values[measure][self.plan.runs], axis=-1)  # NaN is last
        known = np.count_nonzero(~np.isnan(values), axis=-1)[..., None]
        low, high = (np.take_along_axis(values, np.maximum(at, 0), -1) for at in ((known - 1) // 2, known // 2))
        # Half of each: the sum of two large numbers may overflow. If none is known, the first of them is NaN.
        return np.asarray(np.where(low == high, low, low / 2 + high / 2)[..., 0], np.float64)

    @cached_property
    def plan(self) -> "Plan":
        """The position of each run in the picture."""
        return Plan.of(self.crossing)


@dataclass(frozen=True, eq=False)
class Plan:
    """The fields of a picture, and the runs at each of their values, in the order of their seeds."""

    fields: tuple[str, ...]
    """One or two, without the seed."""
    values: tuple[tuple[Any, ...], ...]
    """The values of each."""
    runs: NDArray[np.int64]
    """(x, seeds), or (x, y, seeds) for two fields."""

    @property
    def shape(self) -> tuple[int, ...]:
        """The number of values of each field."""
        return self.runs.shape[:-1]

    @property
    def is_map(self) -> bool:
        """Whether two fields are swept, so that a colour shows the measure."""
        return len(self.fields) > 1

    @property
    def seeds(self) -> int:
        """The number of runs at each value."""
        return int(self.runs.shape[-1])

    @classmethod
    def of(cls, crossing: Crossing) -> "Plan":
        """Return the plan of a sweep of at most two fields and the seed, in all combinations."""
        shown = [index for index, name in enumerate(crossing.fields) if name != SEED] or [0]
        lengths = [len(over.values) for over in crossing.overs]
        runs = np.moveaxis(np.arange(len(crossing)).reshape(lengths), shown, range(len(shown)))
        return cls(
            tuple(crossing.fields[each] for each in shown),
            tuple(tuple(crossing.overs[each].values) for each in shown),
            runs.reshape(*(lengths[each] for each in shown), -1),
        )


def sentence_of(results: Results, measure: Scalar, titles: Mapping[str, str]) -> Text:
    """Return a sentence about the medians: each of a few, else the least and the greatest.

    ``titles`` are those of the fields.
    """
    plan, medians = results.plan, results.medians(measure.name)
    known = np.argwhere(~np.isnan(medians))
    if not len(known):
        if len(results) > len(results.failures):
            return Text("{measure}: no finished run has this measure.", {"measure": measure.title})
        return Text("No run has finished yet.") if not results.failures else Text("No run has succeeded yet.")
    values: dict[str, Any] = {"measure": measure.title}

    def at(index: Sequence[int]) -> str:
        return ", ".join(f"{titles[name]} {value_text(plan.values[i][index[i]])}" for i, name in enumerate(plan.fields))

    if not plan.is_map and len(known) <= _FEW:
        reached = [(index, float(medians[index])) for (index,) in known if math.isfinite(medians[index])]
        never = [value_text(plan.values[0][index]) for (index,) in known if math.isinf(medians[index])]
        listed = [f"{measure.number(value)} ({value_text(plan.values[0][index])})" for index, value in reached]
        values |= {"knob": titles[plan.fields[0]], "listed": ", ".join(listed), "never": ", ".join(never)}
        if not reached:
            return Text("{measure}, median by {knob}: never ({never}).", values)
        if never:
            return Text("{measure}, median by {knob}: {listed}, never ({never}).", values)
        if plan.seeds == 1:
            return Text("{measure} by {knob}: {listed}.", values)
        return Text("{measure}, median by {knob}: {listed}.", values)
    least, most = (known[each] for each in (np.argmin(medians[tuple(known.T)]), np.argmax(medians[tuple(known.T)])))
    if math.isinf(medians[tuple(least)]):
        return Text("{measure}: never.", values)
    values |= {"least": measure.number(float(medians[tuple(least)])), "where": at(least), "there": at(most)}
    highest = float(medians[tuple(most)])
    values["most"] = Text("never") if math.isinf(highest) else measure.number(highest)
    return Text("{measure}: from {least} at {where} to {most} at {there}.", values)


_FEW = 6
"""The most medians that a sentence lists."""
_LONGEST = 16


def value_text(value: Any) -> str:
    """Return the value of a field as text for a picture; a long one is truncated."""
    typed = str(value).lower() if value is None or isinstance(value, bool) else str(value)
    text = f"{value:.4g}" if isinstance(value, float) else typed
    return text if len(text) <= _LONGEST else f"{text[: _LONGEST - 1]}…"


def run_of(crossing: Crossing, spec: Any) -> int | None:
    """Return the number of the run with this spec; None if it is none of the sweep."""
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
