"""What the rows of a sweep say of a measure: medians, states, and which run a spec is."""

import math

import numpy as np
import pytest

from attnviz.experiment.labs import make_spec, scalars_of
from attnviz.experiment.sweeps.crossing import FAILURE, RUN, crossed
from attnviz.experiment.sweeps.results import Results, run_of, sentence_of

INF = math.inf
BASE = make_spec({"lab": "train", "steps": 3})
STEPS = next(each for each in scalars_of(BASE) if each.name == "steps_to_95")


def results_with(numbers: dict[int, float], failed: tuple[int, ...] = ()) -> Results:
    found = Results(crossed(BASE, [("num_hiddens", "16,32"), ("seed", "0:2")]))
    for run, number in numbers.items():
        found.add({RUN: run, FAILURE: "", "steps_to_95": number, "num_hiddens": 16})
    for run in failed:
        found.add({RUN: run, FAILURE: "the loss is not finite"})
    return found


@pytest.mark.parametrize(
    ("numbers", "medians"),
    [
        ({0: 10, 1: 30, 2: 20, 3: 5}, [20, 5]),
        ({0: 10, 1: INF, 2: INF, 3: 5, 4: 7}, [INF, 6]),
        ({0: 10, 1: INF, 2: 400}, [400, math.nan]),
        ({}, [math.nan, math.nan]),
    ],
)
def test_that_a_run_that_never_gets_there_counts_as_larger_than_any_number(
    numbers: dict[int, float], medians: list[float]
) -> None:
    np.testing.assert_array_equal(results_with(numbers).medians("steps_to_95"), medians)


def test_that_the_seed_spreads_and_every_run_has_its_place() -> None:
    results = results_with({})
    assert results.plan.fields == ("num_hiddens",)
    for column, runs in enumerate(results.plan.runs.tolist()):
        for seed, run in enumerate(runs):
            assert results.crossing.changes(run) == {"num_hiddens": (16, 32)[column], "seed": seed}


def test_that_two_knobs_have_a_place_for_each_pair_wherever_the_seed_stands() -> None:
    for order in (("num_hiddens", "seed", "num_heads"), ("seed", "num_hiddens", "num_heads")):
        values = {"num_hiddens": (16, 32, 64), "seed": (0, 1), "num_heads": (1, 2, 4, 8)}
        crossing = crossed(BASE, [(name, values[name]) for name in order])
        plan = Results(crossing).plan
        assert plan.runs.shape == (3, 4, 2)
        for place in np.ndindex(3, 4, 2):
            changes = crossing.changes(int(plan.runs[place]))
            assert [values[name].index(changes[name]) for name in ("num_hiddens", "num_heads", "seed")] == [*place]


def test_that_a_seed_alone_is_a_knob() -> None:
    assert Results(crossed(BASE, [("seed", "0:2")])).plan.runs.tolist() == [[0], [1], [2]]


def test_that_each_run_waits_ends_never_gets_there_or_fails() -> None:
    results = results_with({0: 10, 1: INF}, failed=(4,))
    states = [results.state(run, "steps_to_95") for run in range(6)]
    assert states == ["done", "never", "waits", "waits", "failed", "waits"]
    assert len(results) == 3


def test_that_the_sentence_lists_few_medians_and_says_where_none_gets_there() -> None:
    said = sentence_of(results_with({0: INF, 3: 190, 4: 188}), STEPS, {"num_hiddens": "Hidden"})
    assert str(said) == "Steps to 95 %, median by Hidden: 189 (32), never (16)."


def test_that_only_a_spec_of_the_sweep_is_one_of_its_runs() -> None:
    crossing = results_with({}).crossing
    for run in range(len(crossing)):
        assert run_of(crossing, crossing.spec(run)) == run
    assert run_of(crossing, BASE.model_copy(update={"steps": 4})) is None
    assert run_of(crossing, BASE.model_copy(update={"num_hiddens": 48})) is None


def test_that_a_number_that_no_run_has_is_told_from_one_that_is_to_come() -> None:
    titles = {"num_hiddens": "Hidden"}
    results = results_with({0: math.nan})
    assert results.state(0, "steps_to_95") == "none"
    said = str(sentence_of(results, STEPS, titles))
    assert said == "Steps to 95 %: no finished run has this measure."
    assert str(sentence_of(results_with({}), STEPS, titles)) == "No run has finished yet."


def test_that_many_runs_that_never_get_there_are_one_word() -> None:
    results = Results(crossed(BASE, [("num_hiddens", "16:128:16")]))
    for run in range(len(results.crossing)):
        results.add({RUN: run, FAILURE: "", "steps_to_95": INF})
    assert str(sentence_of(results, STEPS, {"num_hiddens": "Hidden"})) == "Steps to 95 %: never."
