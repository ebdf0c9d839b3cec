"""What is measured of a model's heads, against the definitions worked out row by row."""

from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from attnviz.definitions.roles import ROLES
from attnviz.definitions.statistics import STATISTICS
from attnviz.experiment.colours import quantise
from attnviz.experiment.layers.statistics import head_statistics
from attnviz.experiment.model.measure import THUMBNAIL, Measuring
from attnviz.experiment.model.overview import OVERVIEW, Overview
from attnviz.experiment.model.sentences import role_said
from attnviz.experiment.model.spec import ModelSpec
from attnviz.experiment.model.studies import HeadsInTurn, HeadsInTurnTrace
from attnviz.experiment.model.text import ReadText

TOKENS, HEADS = 12, 3
IDS = (7, 1, 2, 3, 4, 1, 2, 3, 5, 1, 2, 9)


def read_of(ids: tuple[int, ...], special: tuple[int, ...] = ()) -> ReadText:
    count = len(ids)
    is_special = tuple(place in special for place in range(count))
    names = tuple(f"t{number}" for number in ids)
    return ReadText("x" * count, ids, names, ((0, 1),) * count, is_special, tuple(range(count)))


def random_weights(tokens: int = TOKENS, heads: int = HEADS, *, causal: bool = True) -> NDArray[np.float32]:
    weights = np.random.default_rng(tokens).random((heads, tokens, tokens)).astype(np.float32) ** 3
    weights *= np.tri(tokens) if causal else 1
    return (weights / weights.sum(axis=-1, keepdims=True)).astype(np.float32)


def everywhere(tokens: int = TOKENS, *, causal: bool = True) -> NDArray[np.bool_]:
    return (np.tri(tokens, dtype=bool) if causal else np.ones((tokens, tokens), bool))[None]


def overview_of(weights: Any, read: ReadText, mask: Any = None, norms: Any = None) -> Overview:
    measuring = Measuring(read)
    measuring.add(0, weights, everywhere(len(read)) if mask is None else mask, norms)
    return measuring.result()


def without_rests(row: NDArray[np.float64], sinks: tuple[int, ...]) -> NDArray[np.float64]:
    rest = row.copy()
    rest[list(sinks)] = 0
    return rest / rest.sum()


@pytest.mark.parametrize("special", [(), (0, 11)])
def test_that_every_statistic_is_that_of_the_registry(special: tuple[int, ...]) -> None:
    weights = random_weights()
    found = overview_of(weights, read_of(IDS, special))
    for name, values in head_statistics(weights).items():
        np.testing.assert_allclose(found.of(name)[0], values, atol=1e-6)


@pytest.mark.parametrize("special", [(), (0, 11)])
def test_that_a_role_is_measured_on_rows_without_the_tokens_where_heads_rest(special: tuple[int, ...]) -> None:
    weights, read = random_weights(causal=False), read_of(IDS, special)
    found = overview_of(weights, read, everywhere(causal=False))
    for role in ROLES.values():
        if role.of_rows is not None or role.least_distance is not None or role.of_first:
            continue
        places = role.keys(IDS, {}, 0)
        for head in range(HEADS):
            scores, chances = [], []
            for query, keys in enumerate(places):
                kept = [key for key in keys if key not in read.sinks]
                if query in read.sinks or not kept:
                    continue
                scores.append(without_rests(weights[head, query].astype(float), read.sinks)[kept].sum())
                chances.append(len(kept) / (TOKENS - len(read.sinks)))
            measure = found.roles[role.name]
            assert measure.scores[0, head] == pytest.approx(np.mean(scores), abs=1e-6)
            assert measure.chance[0, head] == pytest.approx(np.mean(chances))
            assert measure.rows[0, head] == len(scores)
            assert measure.agreeing[0, head] == np.count_nonzero(np.array(scores) > 0.5)


def test_that_the_best_distance_is_found_with_its_score() -> None:
    weights = 0.2 * random_weights()
    for query in range(4, TOKENS):
        weights[1, query, query - 4] += 0.8
    found = overview_of(weights, read_of(IDS)).roles["fixed_distance"]
    assert found.distances[0, 1] == 4
    rows = [without_rests(weights[1, query].astype(float), (0,))[query - 4] for query in range(5, TOKENS)]
    assert found.scores[0, 1] == pytest.approx(np.mean(rows), abs=1e-6)


def test_that_a_head_which_rests_on_the_first_token_has_no_other_role() -> None:
    weights = np.zeros((1, TOKENS, TOKENS), np.float32)
    weights[:, :, 0] = 0.98
    weights[:, np.arange(1, TOKENS), np.arange(TOKENS - 1)] += 0.02
    weights /= weights.sum(axis=-1, keepdims=True)
    found = overview_of(weights, read_of(IDS))
    role = found.role(0, 0)
    assert role is not None
    assert role.name == "first"
    assert np.isnan(found.of("role_previous")[0, 0])


def test_that_a_head_is_named_only_where_it_stands_out_of_chance() -> None:
    even = np.tri(TOKENS, dtype=np.float32)[None]
    even /= even.sum(axis=-1, keepdims=True)
    short = read_of((1, 2, 3))
    assert overview_of(even[:, :3, :3] / even[:, :3, :3].sum(-1, keepdims=True), short).role(0, 0) is None
    uniform = overview_of(even, read_of(IDS)).role(0, 0)
    assert uniform is not None
    assert uniform.name == "uniform"
    previous = 0.3 * even
    previous[:, np.arange(1, TOKENS), np.arange(TOKENS - 1)] += 0.7
    found = overview_of(previous, read_of(IDS))
    named = found.role(0, 0)
    assert named is not None
    assert named.name == "previous"
    assert "by chance 20 %; in 10 of 10 rows" in str(role_said(found, 0, 0))


def test_that_the_sink_share_is_of_the_first_the_special_and_the_learned_ones() -> None:
    weights, read = random_weights(), read_of(IDS, (0, 11))
    shares = weights[:, :, [0, 11]].sum(axis=-1).mean(axis=-1)
    np.testing.assert_allclose(overview_of(weights, read).of("sink_share")[0], shares, atol=1e-6)
    learned = overview_of(0.6 * weights, read).of("sink_share")[0]
    np.testing.assert_allclose(learned, 0.4 + 0.6 * shares, atol=1e-6)


@pytest.mark.parametrize("left", [0.6, 0.985, 0.9999])
def test_that_beside_learned_sinks_every_row_is_shared_alike_and_norms_count_the_weights_themselves(
    left: float,
) -> None:
    whole, norms = random_weights(), np.random.default_rng(3).random((HEADS, TOKENS)).astype(np.float32)
    taken = np.linspace(left, 1, TOKENS, dtype=np.float32)[:, None]
    read, measuring = read_of(IDS, (0, 11)), Measuring(read_of(IDS, (0, 11)))
    measuring.add(0, taken * whole, everywhere(), norms, sinks=True)
    found, of_shares = measuring.result(), overview_of(whole, read, norms=norms)
    for name in ({*STATISTICS} - {"sum_error"}) | {"norm_entropy"}:
        np.testing.assert_allclose(found.of(name)[0], of_shares.of(name)[0], atol=1e-5)
    for name, role in of_shares.roles.items():
        np.testing.assert_allclose(found.roles[name].scores, role.scores, atol=1e-5)
    written = (taken * whole * norms[:, None]).astype(float).sum(axis=-1).mean(axis=-1)
    np.testing.assert_allclose(found.of("norm")[0], written, rtol=1e-5)
    rests = taken[:, 0] * whole[:, :, [0, 11]].sum(axis=-1) + 1 - taken[:, 0]
    np.testing.assert_allclose(found.of("sink_share")[0], rests.mean(axis=-1), atol=1e-5)
    for name, values in head_statistics(taken * whole).items():
        np.testing.assert_allclose(found.of(name)[0], values, atol=1e-5)


def test_that_weights_count_times_the_length_of_what_they_let_through() -> None:
    weights, norms = random_weights(), np.random.default_rng(3).random((HEADS, TOKENS)).astype(np.float32)
    found = overview_of(weights, read_of(IDS), norms=norms)
    products = weights.astype(float) * norms[:, None]
    np.testing.assert_allclose(found.of("norm")[0], products.sum(axis=-1).mean(axis=-1), rtol=1e-5)
    shares = products / products.sum(axis=-1, keepdims=True)
    logs = np.where(shares > 0, np.log2(np.where(shares > 0, shares, 1)), 0)
    np.testing.assert_allclose(found.of("norm_entropy")[0], -(shares * logs).sum(axis=-1).mean(axis=-1), atol=1e-5)


def test_that_what_is_not_known_is_not_a_number() -> None:
    found = overview_of(random_weights(), read_of(IDS))
    assert np.isnan(found.of("norm")).all()
    broken = random_weights()
    broken[1] = np.nan
    assert np.isnan(overview_of(broken, read_of(IDS)).of("entropy")[0, 1])
    assert np.isfinite(overview_of(broken, read_of(IDS)).of("entropy")[0, 0])


@pytest.mark.parametrize("tokens", [5, THUMBNAIL, THUMBNAIL + 1, 130])
def test_that_a_small_picture_has_the_weights_or_the_means_of_blocks(tokens: int) -> None:
    weights = random_weights(tokens)
    small = overview_of(weights, read_of(tuple(range(tokens)))).thumbnails[0].astype(float)
    if tokens <= THUMBNAIL:
        np.testing.assert_allclose(small, weights, atol=1e-3)
        return
    edges = [*(np.arange(THUMBNAIL) * tokens // THUMBNAIL), tokens]
    for row, column in ((0, 0), (3, 2), (THUMBNAIL - 1, THUMBNAIL - 1)):
        block = weights[:, edges[row] : edges[row + 1], edges[column] : edges[column + 1]]
        np.testing.assert_allclose(small[:, row, column], block.mean(axis=(1, 2)), atol=1e-3)


def test_that_layers_with_fewer_heads_have_no_numbers_for_the_others() -> None:
    measuring = Measuring(read_of(IDS))
    measuring.add(1, random_weights(heads=2), everywhere())
    measuring.add(0, random_weights(heads=4), everywhere())
    numbers = measuring.result().of("entropy")
    assert np.isnan(numbers).tolist() == [[False] * 4, [False, False, True, True]]


def test_that_many_heads_at_once_and_one_by_one_give_the_same() -> None:
    weights, read = random_weights(800, 3), read_of(tuple(range(400)) * 2)
    whole = overview_of(weights, read)
    for head in range(3):
        alone = overview_of(weights[[head]], read)
        for name in OVERVIEW:
            np.testing.assert_array_equal(whole.of(name)[0, head], alone.of(name)[0, 0])


def test_that_measuring_leaves_the_weights_as_they_are() -> None:
    weights, read = random_weights(), read_of(IDS, (0,))
    before = weights.copy()
    overview_of(weights, read, norms=np.ones((HEADS, TOKENS), np.float32))
    np.testing.assert_array_equal(weights, before)


def test_that_the_overview_offers_every_statistic_and_every_role() -> None:
    assert set(STATISTICS) <= set(OVERVIEW)
    assert {f"role_{name}" for name in ROLES} <= set(OVERVIEW)


@pytest.mark.parametrize(("spread", "is_one_colour"), [(2e-7, True), (1e-3, False)])
def test_that_numbers_that_differ_by_rounding_alone_are_one_colour(spread: float, is_one_colour: bool) -> None:
    sums = np.array([[0.0, spread]])
    scale = Overview({"sum_error": sums}, {}, np.zeros((1, 2, 1, 1), np.float16)).scale("sum_error")
    levels = quantise(sums, None, scale.low, scale.high)
    assert (len(np.unique(levels)) == 1) == is_one_colour


@pytest.mark.parametrize(
    ("after", "written"),
    [
        ((0.99, 0.5), ["0 %", "49 %"]),
        ((0.99, 0.9675), ["0.0 %", "2.2 %"]),
        ((0.9905, 0.98912), ["-0.050 %", "0.088 %"]),
        ((0.99, 0.99), ["0 %", "0 %"]),
    ],
)
def test_that_what_is_lost_without_a_head_has_two_figures_of_the_largest(
    after: tuple[float, float], written: list[str]
) -> None:
    ones, spec = np.ones((1, 2)), HeadsInTurn(of=ModelSpec())
    found = HeadsInTurnTrace(spec, "home", 0.99, np.array([after]), ones)
    assert [found.number(lost) for lost in found.effect.flat] == written
    nearly = HeadsInTurnTrace(spec, "home", 0.9952, np.array([[0.9952, 0.0003]]), ones)
    assert [nearly.number(lost) for lost in nearly.effect.flat] == ["0.0 %", "99.5 %"], (
        "not all of 99.5 % and 100 % lost"
    )
    silent = HeadsInTurnTrace(spec, "", np.nan, ones * np.nan, ones * 0.75)
    assert (silent.number(silent.effect[0, 0]), str(silent.title)) == ("0.25", "1 − cosine of the output")
