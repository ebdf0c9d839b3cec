"""The measure of roles: on weights made by hand exactly 1 or 0, and every lag of a task equally often."""

from collections import Counter
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from trainings import train_spec

from attnviz.definitions.roles import ROLES
from attnviz.definitions.tasks import TASKS
from attnviz.experiment.train import roles
from attnviz.experiment.train.roles import RoleBatch, RoleScores, batch_of
from attnviz.experiment.train.spec import TrainSpec

SIZES: dict[str, dict[str, Any]] = {
    "repeat": {"task": {"kind": "repeat", "segment": 4}, "num_tokens": 16, "vocab_size": 16},
    "add": {"task": {"kind": "add", "digits": 3}, "num_tokens": 12, "vocab_size": 12},
    **{name: {"task": {"kind": name}, "num_tokens": 17, "vocab_size": 16} for name in ("copy", "reverse", "sort")},
    "text": {"task": {"kind": "text"}, "num_tokens": 16, "vocab_size": len(set(TASKS["text"].defaults["text"]))},
}


def spec_of(kind: str, **values: Any) -> TrainSpec:
    return train_spec(**SIZES[kind] | {"num_layers": 1, "num_heads": 1} | values)


def looking_at(spec: TrainSpec, keys_of: Any, sink: float = 0.0, lost: float = 0.0) -> RoleScores:
    """Return what a head does that looks at some keys alike, given a share of each row to the first token.

    ``keys_of`` returns the keys of each query of a sequence; a query without any looks at the first token.
    """

    def weights_of(tokens: NDArray[np.int64]) -> NDArray[np.float64]:
        length = spec.num_tokens
        weights = np.zeros((len(tokens), 1, 1, length, length))
        for number, sequence in enumerate(tokens.tolist()):
            for query, keys in enumerate(keys_of(sequence)):
                weights[number, 0, 0, query, list(keys)] = (1 - sink) / max(len(keys), 1)
                weights[number, 0, 0, query, 0] += sink if keys else 1.0
        return weights

    return batch_of(spec).measure(weights_of)


def score(found: RoleScores, spec: TrainSpec, name: str) -> float:
    return float(found.scores[0, 0, [role.name for role in spec.roles].index(name)])


@pytest.mark.parametrize("sink", [0.0, 0.9])
@pytest.mark.parametrize("kind", TASKS)
def test_that_a_head_that_does_nothing_else_has_the_score_one_however_much_it_rests(kind: str, sink: float) -> None:
    spec = spec_of(kind)
    for role in (role for role in spec.roles if role.of_rows is None):
        found = looking_at(spec, lambda tokens, role=role: role.keys(tokens, spec.knobs, 3), sink)
        assert score(found, spec, role.name) == pytest.approx(1.0, abs=1e-12), role.name
        if role.least_distance is not None:
            assert found.distances[0, 0] == 3


def test_that_equal_weights_are_uniform_and_one_key_alone_is_not() -> None:
    spec = spec_of("repeat")
    even = looking_at(spec, lambda tokens: [tuple(range(query + 1)) for query in range(len(tokens))], 0.5)
    assert score(even, spec, "uniform") == pytest.approx(1.0, abs=1e-12)
    one = looking_at(spec, lambda tokens: [(query,) for query in range(len(tokens))])
    assert score(one, spec, "uniform") == 0.0


def test_that_a_head_that_looks_five_back_has_a_fixed_distance_and_continues_what_repeats_after_six_alone() -> None:
    spec = spec_of("repeat")
    found = looking_at(spec, lambda tokens: [(query - 5,) if query > 4 else () for query in range(len(tokens))])
    assert score(found, spec, "fixed_distance") == 1.0
    assert found.distances[0, 0] == 5
    assert score(found, spec, "induction") == pytest.approx(1 / 9)
    assert found.lowest[0, 0, list(ROLES).index("induction")] == 0.0


def test_that_of_a_head_that_rests_on_the_first_token_nothing_else_is_named() -> None:
    spec = spec_of("repeat")
    found = looking_at(spec, lambda tokens: ROLES["previous"].keys(tokens, {}, 0), 0.96)
    assert score(found, spec, "first") == pytest.approx(0.96, abs=0.01)
    assert np.isfinite(found.scores).sum() == 1


def test_that_a_role_needs_a_fourth_of_its_rows_to_count() -> None:
    spec = spec_of("repeat")
    few, more = (
        looking_at(spec, lambda tokens, n=n: [(query - 1,) if query >= n else () for query in range(16)])
        for n in (14, 10)
    )
    assert np.isnan(score(few, spec, "previous"))
    assert score(more, spec, "previous") == 1.0


@pytest.mark.parametrize(
    ("kind", "values", "lags"),
    [
        ("repeat", {}, range(4, 13)),
        ("repeat", {"held_out": 0.2}, range(4, 13)),
        ("copy", {}, range(4, 9)),
        ("reverse", {}, range(4, 9)),
        ("sort", {"held_out": 0.2}, range(4, 9)),
    ],
)
def test_that_every_lag_comes_equally_often(kind: str, values: dict[str, Any], lags: range) -> None:
    spec = spec_of(kind, **values)
    record, sequences = spec.task.record, spec.role_sequences
    if kind == "repeat":
        found = [next(p - tokens.index(t) for p, t in enumerate(tokens) if tokens.index(t) < p) for tokens in sequences]
    else:
        found = [tokens.index(spec.vocab_size - 1) for tokens in sequences]
    counts = Counter(found)
    assert set(counts) == set(lags)
    assert len(set(counts.values())) == 1
    assert 8 <= len(sequences) <= 16
    for tokens in sequences:
        answers = record.answers(spec.knobs, tokens)
        pairs = zip(answers, tokens[1:], strict=False)
        assert all(answer in (None, following) for answer, following in pairs), "it is one of the task"
        assert not values or record.is_held_out(spec.knobs, tokens)


def test_that_of_very_many_lags_some_from_the_shortest_to_the_longest_come_once() -> None:
    spec = spec_of("repeat", task={"kind": "repeat", "segment": 2}, num_tokens=64, vocab_size=64)
    lags = [
        next(p - tokens.index(t) for p, t in enumerate(tokens) if tokens.index(t) < p) for tokens in spec.role_sequences
    ]
    assert (len(set(lags)), min(lags), max(lags)) == (16, 2, 62)


def test_that_what_is_measured_in_parts_is_what_is_measured_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    spec = spec_of("repeat", num_heads=2)
    weights = np.tril(np.random.default_rng(0).random((9, 1, 2, 16, 16)))
    weights /= weights.sum(axis=-1, keepdims=True)
    by_tokens = {tuple(tokens): each for tokens, each in zip(spec.role_sequences, weights, strict=True)}
    whole = RoleBatch(spec).measure(lambda tokens: np.stack([by_tokens[tuple(each)] for each in tokens.tolist()]))
    monkeypatch.setattr(roles, "_AT_ONCE", 2000)
    parts = RoleBatch(spec).measure(lambda tokens: np.stack([by_tokens[tuple(each)] for each in tokens.tolist()]))
    np.testing.assert_allclose(whole.scores, parts.scores, rtol=1e-12)
    np.testing.assert_array_equal(whole.distances, parts.distances)
