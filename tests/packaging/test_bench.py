"""The command that measures the budgets: how it is started, and what a row of its table says."""

import subprocess
import sys
from pathlib import Path

import pytest

from tests.benchmarks.table import Row, by_turns

ROOT = Path(__file__).resolve().parents[2]


def row(ours: tuple[float, ...], theirs: tuple[float, ...], budget: float | None, *, at_least: bool = False) -> Row:
    return Row("a knob", ours, theirs, "a notebook", "ms", budget, at_least)


def test_that_the_ratio_is_that_of_the_medians_and_the_quartiles_are_of_the_turns() -> None:
    measured = row((1.0, 2.0, 9.0), (10.0, 10.0, 30.0), 0.1)
    assert measured.ratio == pytest.approx(0.2)
    assert measured.quartiles == pytest.approx((0.15, 0.25))
    assert not measured.kept


@pytest.mark.parametrize(("ours", "at_least", "kept"), [(0.9, False, True), (1.1, False, False), (1.1, True, True)])
def test_that_a_budget_is_a_ceiling_or_a_floor(ours: float, at_least: bool, kept: bool) -> None:
    assert row((ours,), (1.0,), 1.0, at_least=at_least).kept == kept
    assert row((ours,), (1.0,), None).kept


def test_that_a_line_says_what_was_measured_and_whether_the_budget_is_kept() -> None:
    said = str(row((5.0,), (100.0,), 0.1))
    assert said == "| a knob | 5 ms | 100 ms: a notebook | 0.05 | 0.05 to 0.05 | at most 0.1 | kept |"
    assert "MISSED" in str(row((50.0,), (100.0,), 0.1))


def test_that_turns_alternate_and_the_first_are_lost() -> None:
    calls: list[str] = []

    def noted(name: str) -> float:
        calls.append(name)
        return float(len(calls))

    ours, theirs = by_turns(lambda: noted("ours"), lambda: noted("theirs"), repeats=2, warm_up=1)
    assert calls == ["ours", "theirs"] * 3
    assert (ours, theirs) == ((3.0, 5.0), (4.0, 6.0))


def test_that_a_part_that_is_not_known_is_refused_in_words() -> None:
    command = [sys.executable, "-m", "tests.benchmarks", "frame_costs"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 2
    assert "'frame_costs' must be one of frame_cost, forward_cost" in done.stderr
