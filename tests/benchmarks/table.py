"""One row of the table of budgets: a ratio of two things that were measured by turns in the same run."""

import statistics
from collections.abc import Callable
from dataclasses import dataclass

HEAD = "| row | ours | against | ratio | quartiles | budget | |\n|---|---|---|---|---|---|---|"


@dataclass(frozen=True, slots=True)
class Row:
    """What was measured, repeat by repeat; the ratio is that of the medians."""

    name: str
    ours: tuple[float, ...]
    theirs: tuple[float, ...]
    against: str
    unit: str
    budget: float | None = None
    """What the ratio is to keep to; None where the row only tells."""
    at_least: bool = False
    """Whether the budget is a floor; else it is a ceiling."""

    @property
    def ratio(self) -> float:
        """The median of ours over the median of theirs."""
        return statistics.median(self.ours) / statistics.median(self.theirs)

    @property
    def quartiles(self) -> tuple[float, float]:
        """The first and the third quartile of the repeats' own ratios."""
        ratios = [mine / other for mine, other in zip(self.ours, self.theirs, strict=True)]
        if len(ratios) < 2:
            return self.ratio, self.ratio
        first, _, third = statistics.quantiles(ratios, n=4, method="inclusive")
        return first, third

    @property
    def kept(self) -> bool:
        """Whether the ratio keeps to the budget; a row without one always does."""
        if self.budget is None:
            return True
        return self.ratio >= self.budget if self.at_least else self.ratio <= self.budget

    def __str__(self) -> str:
        """A line of the table under `HEAD`."""
        mine, other = statistics.median(self.ours), statistics.median(self.theirs)
        first, third = self.quartiles
        budget = "" if self.budget is None else f"{'at least' if self.at_least else 'at most'} {self.budget:.3g}"
        verdict = "" if self.budget is None else "kept" if self.kept else "MISSED"
        return (
            f"| {self.name} | {mine:.4g} {self.unit} | {other:.4g} {self.unit}: {self.against} | {self.ratio:.3g} "
            f"| {first:.3g} to {third:.3g} | {budget} | {verdict} |"
        )


def by_turns(
    ours: Callable[[], float], theirs: Callable[[], float], repeats: int, warm_up: int = 1
) -> tuple[tuple[float, ...], tuple[float, ...]]:
    """Return what both measured, taken by turns so that the machine's mood falls on both; the first turns are lost."""
    pairs = [(ours(), theirs()) for _ in range(warm_up + repeats)][warm_up:]
    return tuple(mine for mine, _ in pairs), tuple(other for _, other in pairs)
