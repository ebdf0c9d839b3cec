"""Rotary positions and ALiBi as mechanisms: by hand, against their papers' formulas, and as the decoder's layers."""

import math
from pathlib import Path
from typing import Any

import numpy as np
import plain_numpy as plain
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from legal_specs import attention_values
from running import attention_trace

from attnviz.attention.modules import RecordAttention
from attnviz.attention.transformer import Transformer
from attnviz.definitions.mechanisms import MECHANISMS
from attnviz.experiment.arrays import NUMPY
from attnviz.experiment.attention.spec import AttentionSpec
from attnviz.experiment.attention.trace import AttentionTrace
from attnviz.experiment.labs import SpecError, make_spec
from attnviz.experiment.layers.cell import attention_cell

EPS = {"float32": 2.0**-23, "float64": 2.0**-52, "bfloat16": 2.0**-7, "float16": 2.0**-10}


def with_identities(folder: Path, tokens: Any, **values: Any) -> AttentionTrace:
    """The trace of tokens (L, D) whose projections change nothing."""
    tokens = np.asarray(tokens, float)[None]
    arrays = dict.fromkeys(("queries", "keys", "values"), tokens)
    arrays |= dict.fromkeys(("W_q", "W_k", "W_v", "W_o"), np.eye(tokens.shape[-1]))
    path = folder / "tokens.npz"
    np.savez(path, **arrays)
    return attention_trace(inputs={"kind": "file", "path": str(path)}, num_hiddens=tokens.shape[-1], **values)


def test_that_one_pair_of_features_is_turned_by_one_radian_per_place_as_worked_by_hand(tmp_path: Path) -> None:
    trace = with_identities(tmp_path, [[1, 0]] * 4, mechanism="rotary", num_heads=1, dtype="float64")
    place = np.arange(4)
    np.testing.assert_allclose(trace.q[0, 0], np.stack([np.cos(place), np.sin(place)], axis=-1), atol=1e-15)
    np.testing.assert_array_equal(trace.unrotated_q[0, 0], [[1, 0]] * 4)  # type: ignore[index]
    np.testing.assert_array_equal(trace.projected_k, trace.keys)
    expected = np.cos(place[:, None] - place) / math.sqrt(2)
    np.testing.assert_allclose(trace.scores[0, 0], expected, atol=1e-15)
    cell = attention_cell(trace.layer, 0, 0, 3, 1)
    columns = {name: list(numbers) for name, numbers in cell.terms.columns}
    assert columns["q"] == columns["k"] == [1, 0]
    assert columns["R q"] == pytest.approx([math.cos(3), math.sin(3)])
    assert columns["R k"] == pytest.approx([math.cos(1), math.sin(1)])
    assert cell.terms.total == pytest.approx(math.cos(2))


def test_that_two_heads_lower_a_score_by_a_16th_and_a_256th_per_place_as_worked_by_hand(tmp_path: Path) -> None:
    # Each head reads one feature: of products 1 and 4, and 0.
    trace = with_identities(tmp_path, [[1, 0], [2, 0], [2, 0]], mechanism="alibi", num_heads=2, dtype="float64")
    assert trace.scores[0, 0].tolist() == [
        [1, 2 - 1 / 16, 2 - 2 / 16],
        [2 - 1 / 16, 4, 4 - 1 / 16],
        [2 - 2 / 16, 4 - 1 / 16, 4],
    ]
    assert trace.scores[0, 1].tolist() == [[-abs(i - j) / 256 for j in range(3)] for i in range(3)]
    cell = attention_cell(trace.layer, 0, 0, 2, 0)
    assert cell.steps[-1].line.text == "− 0.0625 × |i − j|"
    assert cell.steps[-1].number == -2 / 16
    assert cell.terms.total + cell.steps[-1].number == cell.score == cell.steps[-1].after
    without = with_identities(tmp_path, [[1, 0], [2, 0], [2, 0]], mechanism="multi_head", num_heads=2, dtype="float64")
    assert without.scores[0, 0].tolist() == [[1, 2, 2], [2, 4, 4], [2, 4, 4]]


def test_that_six_heads_have_the_slopes_of_four_and_every_other_one_of_eight() -> None:
    trace = attention_trace(mechanism="alibi", num_heads=6, num_hiddens=12, num_queries=1, num_kvpairs=9)
    slopes = [-attention_cell(trace.layer, 0, head, 0, 8).steps[-1].number / 8 for head in range(6)]
    assert slopes == [2**-2, 2**-4, 2**-6, 2**-8, 2**-1, 2**-3]


@given(
    seed=st.integers(0, 2**16),
    heads=st.integers(1, 4),
    pairs=st.integers(1, 8),
    length=st.integers(1, 64),
    base=st.sampled_from([1.0, 100.0, 10000.0, 500000.0]),
)
def test_that_queries_and_keys_are_turned_as_in_llama(
    seed: int, heads: int, pairs: int, length: int, base: float
) -> None:
    hiddens = 2 * pairs * heads
    values = {"num_heads": heads, "num_hiddens": hiddens, "num_queries": length, "num_kvpairs": length + 3}
    trace = attention_trace(mechanism="rotary", mechanism_knobs={"base": base}, seed=seed, **values)
    rotation = MECHANISMS["rotary"].rotation
    assert rotation is not None
    for before, after in ((trace.unrotated_q, trace.q), (trace.unrotated_k, trace.k)):
        assert before is not None
        reach = np.abs(before).max()
        np.testing.assert_allclose(after / reach, plain.turned(before.astype(float), base) / reach, rtol=0, atol=1e-6)
        places, size = np.arange(before.shape[2], dtype=float), before.shape[3]
        angles = rotation.angle(places[:, None], np.tile(np.arange(size // 2), 2), size, base)
        in_numpy = rotation.rotated(before.astype(float), np.cos(angles), np.sin(angles), NUMPY)
        np.testing.assert_allclose(in_numpy, plain.turned(before.astype(float), base), rtol=0, atol=1e-9 * reach)


@pytest.mark.parametrize("mechanism", ["rotary", "alibi"])
def test_that_equal_tokens_have_scores_of_their_distance_alone(mechanism: str) -> None:
    values = {"inputs": {"kind": "ones"}, "num_queries": 9, "num_kvpairs": 9, "num_heads": 3, "num_hiddens": 12}
    trace = attention_trace(mechanism=mechanism, dtype="float64", **values)
    distances = np.arange(9)[:, None] - np.arange(9)
    for head in trace.scores[0]:
        along = [head[distances == distance] for distance in range(-8, 9)]
        assert max(map(np.ptp, along)) < 1e-12
        assert np.ptp([each[0] for each in along]) > 1e-3, "all the scores are the same"
    flat = attention_trace(mechanism="multi_head", dtype="float64", **values)
    assert np.ptp(flat.scores, axis=(0, 2, 3)).max() < 1e-12


@given(values=attention_values(most=6))
def test_that_a_rotation_keeps_the_length_of_every_vector_and_only_rotary_traces_hold_one(
    values: dict[str, Any],
) -> None:
    trace = attention_trace(**values)
    has = trace.spec.mechanism == "rotary"
    assert [trace.unrotated_q is not None, trace.unrotated_k is not None] == [has, has]
    assert ({"unrotated_q", "unrotated_k"} <= set(trace.arrays())) == has
    for before, after in ((trace.unrotated_q, trace.q), (trace.unrotated_k, trace.k)):
        if before is not None:
            sizes = (np.linalg.norm(each.astype(float), axis=-1) for each in (before, after))
            np.testing.assert_allclose(*sizes, rtol=8 * EPS[trace.dtype], atol=1e-6)


@pytest.mark.parametrize(("positions", "mechanism"), [("none", "multi_head"), ("rotary", "rotary"), ("alibi", "alibi")])
@pytest.mark.parametrize("heads", [2, 3, 12])
def test_that_a_layer_of_the_decoder_is_the_labs_mechanism_bit_for_bit(
    positions: Any, mechanism: str, heads: int
) -> None:
    model = Transformer(11, 1, heads, 24, 300, positions, generator=torch.Generator().manual_seed(4))
    tokens = torch.randint(11, (2, 300), generator=torch.Generator().manual_seed(5))
    layer = model.stages(tokens).layers[0]
    sizes = {"num_hiddens": 24, "query_size": 24, "key_size": 24, "value_size": 24, "num_heads": heads}
    record = MECHANISMS[mechanism]
    module = RecordAttention(record, sizes, mask_policy="inf")
    module.load_state_dict(
        {name: value for name, value in model.layers[0].attention.state_dict().items() if name.startswith("W_")}
    )
    stages = module.stages(layer.normed, layer.normed, layer.normed, mask=model.mask)
    for name in ("projected_q", "q", "k", "v", "scores", "masked_scores", "weights", "heads", "output"):
        assert torch.equal(getattr(layer.attention, name), getattr(stages, name)), name
    assert list(layer.attention.before) == list(stages.before) == (["rotate"] if record.rotation else [])
    for stage, vectors in stages.before.items():
        assert all(map(torch.equal, layer.attention.before[stage], vectors))


@pytest.mark.parametrize(
    ("hiddens", "heads", "nearest"), [(10, 2, "8, 12"), (100, 6, "96, 108"), (3, 3, "6"), (7, 1, "6, 8")]
)
def test_that_heads_which_cannot_be_turned_in_pairs_are_refused_with_the_nearest_that_can(
    hiddens: int, heads: int, nearest: str
) -> None:
    values = {"mechanism": "rotary", "num_hiddens": hiddens, "num_heads": heads}
    with pytest.raises(SpecError, match=rf"num_hiddens {hiddens} .* num_heads {heads} .* pairs; nearest: {nearest}$"):
        make_spec(values)
    for legal in nearest.split(", "):
        assert make_spec(values | {"num_hiddens": int(legal)})
    assert all(
        make_spec({"mechanism": "rotary", "num_hiddens": 24, "num_heads": each})
        for each in AttentionSpec.legal_values({"mechanism": "rotary", "num_hiddens": 24})["num_heads"]
    )
