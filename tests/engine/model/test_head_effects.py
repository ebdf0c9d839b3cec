"""What ablated heads cost, beside random sets of heads and beside what each head adds to a logit."""

import itertools
import math
from typing import Any

import numpy as np
import pytest

from attnviz.engine.run import run
from attnviz.experiment.model.residual.attribution import Attribution, AttributionTrace
from attnviz.experiment.model.residual.both_effects import BothEffects
from attnviz.experiment.model.sides import HeadAt
from attnviz.experiment.model.spec import ModelSpec
from attnviz.experiment.model.studies import (
    HeadsInTurn,
    HeadsInTurnTrace,
    RandomSets,
    RandomSetsTrace,
    drawn_sets,
    largest_share,
)
from attnviz.experiment.run import Failure

COUNTS: Any = {("self", 0): 4, ("self", 1): 4}


def only(study: Any) -> Any:
    (found,) = run(study)
    return found


def test_that_the_logit_lost_is_that_of_a_run_without_the_head() -> None:
    found = only(HeadsInTurn(of=ModelSpec(), minus="red"))
    assert isinstance(found, HeadsInTurnTrace)
    assert found.lost is not None
    whole = only(Attribution(of=ModelSpec(), token="home", minus="red"))
    for layer, head in ((0, 1), (1, 1)):
        off = ModelSpec(heads_off=[f"{layer + 1}.{head + 1}"])  # type: ignore[arg-type]
        without = only(Attribution(of=off, token="home", minus="red"))
        assert found.lost[layer, head] == pytest.approx(whole.logit - without.logit, abs=1e-4)


def test_that_the_included_model_needs_a_head_beyond_what_it_adds_and_misses_another_less() -> None:
    adds, costs = only(Attribution(of=ModelSpec())), only(HeadsInTurn(of=ModelSpec()))
    assert isinstance(adds, AttributionTrace)
    both = BothEffects(adds, costs, "self")
    assert len(both.points) == 8
    said = str(both.sentence())
    assert said.startswith("Head 1.2 adds +1.70, but without it the logit changes by -11.56: later parts depend on it.")
    assert "Head 2.2 adds +3.56, but without it the logit changes by -0.83 only" in said
    assert str(adds.sentence()).startswith("Logit of “home” +10.69: heads +10.48, embedding +0.21 (rest ")


def test_that_random_sets_cost_what_a_run_without_their_heads_loses() -> None:
    found = only(RandomSets(of=ModelSpec(heads_off=["1.1", "1.2", "2.3", "2.4"]), sets=10, seed=1))  # type: ignore[arg-type]
    assert isinstance(found, RandomSetsTrace)
    assert len(set(found.sets)) == len(found.sets) == 10
    assert found.possible == math.comb(4, 2) ** 2 - 1
    for at in (0, 9):
        names = sorted(head.name for head in found.sets[at])
        assert [name[0] for name in names] == ["1", "1", "2", "2"]
        run_without = list(run(ModelSpec(heads_off=names)))[-1]  # type: ignore[arg-type]
        before = run_without.before  # type: ignore[union-attr]
        assert found.lost[at] == pytest.approx(before.probabilities[0] - before.other[0], abs=1e-5)
    again = only(RandomSets(of=found.spec.of, sets=10, seed=1))
    assert again.sets == found.sets
    assert "seed 1" in str(found.sentence())
    assert found.arrays()["random_sets"][0].split() == sorted(head.name for head in found.sets[0])


def test_that_few_other_sets_are_all_run_once() -> None:
    found = only(RandomSets(of=ModelSpec(heads_off=["2.1", "2.2"])))  # type: ignore[arg-type]
    every = {frozenset(HeadAt("self", 1, head) for head in two) for two in itertools.combinations(range(4), 2)}
    assert {*found.sets, frozenset({HeadAt("self", 1, 0), HeadAt("self", 1, 1)})} == every
    assert found.complete
    assert found.at_least == 0
    assert found.chosen > 0.15
    assert "all 5 other sets" in str(found.sentence())
    assert "confidence" not in str(found.sentence())


def test_that_sets_keep_other_interventions_and_the_kind_of_ablation() -> None:
    spec = ModelSpec(heads_off=["2.1"], tokens_hidden=(2,), ablation="mean")  # type: ignore[arg-type]
    found = only(RandomSets(of=spec))
    on: Any = list(run(spec.model_copy(update={"heads_off": ()})))[-1]
    assert found.shown == pytest.approx(on.prediction.probabilities[0], abs=1e-6)
    off: Any = list(run(spec))[-1]
    after = dict(zip(off.prediction.tokens, off.prediction.probabilities, strict=True))[found.token]
    assert found.shown - found.chosen == pytest.approx(after, abs=1e-6)
    by_zero = only(RandomSets(of=spec.model_copy(update={"ablation": "zero"})))
    assert np.abs(found.lost - by_zero.lost).max() > 1e-3


@pytest.mark.parametrize(
    ("off", "said"),
    [
        ((), "no head is off (ablated)"),
        (("1.1", "1.2", "1.3", "1.4"), "all heads of these layers are off"),
        (("3.1",), "there is no head 3.1"),
    ],
)
def test_that_a_comparison_without_other_sets_is_refused(off: tuple[str, ...], said: str) -> None:
    failure = only(RandomSets(of=ModelSpec(heads_off=off)))
    assert isinstance(failure, Failure)
    assert said in str(failure.message)


def test_that_drawn_sets_differ_from_the_chosen_one_and_from_each_other() -> None:
    chosen = [HeadAt("self", 0, 1), HeadAt("self", 1, 0), HeadAt("self", 1, 3)]
    for wanted in (1, 20, 22, 23, 200):
        sets, possible = drawn_sets(chosen, COUNTS, wanted, seed=0)
        assert possible == 4 * 6 - 1
        assert len(set(sets)) == len(sets) == min(wanted, possible)
        assert frozenset(chosen) not in sets
        assert all(sorted(head.layer for head in each) == [0, 1, 1] for each in sets)


def test_that_the_largest_share_is_that_of_clopper_and_pearson() -> None:
    """Known values of their one-sided interval: 1 - 0.05^(1/n) where none is found, and by tables for 2 of 20."""
    assert largest_share(0, 20) == pytest.approx(1 - 0.05 ** (1 / 20))
    assert largest_share(2, 20) == pytest.approx(0.2826, abs=1e-4)
    assert largest_share(20, 20) == 1.0


def test_that_a_head_is_compared_with_the_others_of_its_layer_that_are_on() -> None:
    spec = HeadsInTurn(of=ModelSpec(heads_off=["2.3"]))  # type: ignore[arg-type]
    lost = np.array([[0.1, 0.2, 0.3, 0.0], [0.5, 0.1, 0.0, 0.2]])
    found = HeadsInTurnTrace(spec, "home", 0.9, 0.9 - lost, lost)
    said = str(found.beside_layer(1, 3))
    assert said == "1 of the 2 other heads of its layer cost at least as much (10 % to 50 %)"
    assert not found.beside_layer(1, 2), "it is off"


def test_that_measures_which_agree_are_said_to_and_the_larger_disagreement_comes_first() -> None:
    adds = only(Attribution(of=ModelSpec()))
    spec = HeadsInTurn(of=ModelSpec())
    values = adds.of_kind["self"]
    agreeing = HeadsInTurnTrace(spec, "home", 0.9, values, values, values + 0.01)
    assert str(BothEffects(adds, agreeing, "self").sentence()) == "Attribution and ablation agree on every head."
    lost = values.copy()
    lost[0, 0] += 1.0
    lost[1, 1] -= 2.0
    first, second = map(
        str, BothEffects(adds, HeadsInTurnTrace(spec, "home", 0.9, values, values, lost), "self").sentences()
    )
    assert first.startswith("Head 2.2 adds +3.56, but without it the logit changes by -1.56 only")
    assert second.startswith(
        "Head 1.1 adds +0.14, but without it the logit changes by -1.14: later parts depend on it."
    )
    unknown = HeadsInTurnTrace(spec, "home", 0.9, values, values)
    assert not BothEffects(adds, unknown, "self").sentence()
