"""Prefix LM, dilated window and global tokens: against FlexAttention's own functions, and the laws that they keep."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import torch
from running import attention_trace
from torch.nn.attention.flex_attention import and_masks, create_mask, flex_attention, or_masks

from attnviz.experiment.attention.trace import AttentionTrace

SIZES: dict[str, Any] = {"num_heads": 2, "num_hiddens": 8, "num_queries": 9, "num_kvpairs": 9, "dtype": "float64"}


def masked(queries: int = 9, keys: int = 9, /, **masks: Any) -> AttentionTrace:
    causal = masks.pop("causal", False)
    sizes = {"num_queries": queries, "num_kvpairs": keys, "causal": causal}
    return attention_trace(**SIZES | sizes | {"masks": masks})


def causal(b: Any, h: Any, q_idx: Any, kv_idx: Any) -> Any:
    return q_idx >= kv_idx


def prefix(b: Any, h: Any, q_idx: Any, kv_idx: Any) -> Any:
    return kv_idx < 4


def dilated(b: Any, h: Any, q_idx: Any, kv_idx: Any) -> Any:
    distance = (q_idx - kv_idx).abs()
    return (distance // 3 < 2) & (distance % 3 == 0)


def window(b: Any, h: Any, q_idx: Any, kv_idx: Any) -> Any:
    return (q_idx - kv_idx).abs() <= 1


def first_key(b: Any, h: Any, q_idx: Any, kv_idx: Any) -> Any:
    return kv_idx < 2


def first_query(b: Any, h: Any, q_idx: Any, kv_idx: Any) -> Any:
    return q_idx < 2


THEIRS = {
    "prefix_lm": ({"prefix_lm": {"length": 4}}, or_masks(causal, prefix)),
    "dilated_window": ({"dilated_window": {"window": 2, "dilation": 3}}, dilated),
    "global_tokens": ({"global_tokens": {"tokens": 2, "window": 2}}, or_masks(window, first_key, first_query)),
    "both": (
        {"prefix_lm": {"length": 4}, "global_tokens": {"tokens": 2, "window": 2}},
        and_masks(or_masks(causal, prefix), or_masks(window, first_key, first_query)),
    ),
}


@pytest.mark.parametrize("sizes", [(9, 9), (5, 9), (9, 6)], ids=str)
@pytest.mark.parametrize("name", THEIRS)
def test_that_mask_and_output_are_those_of_flex_attention(name: str, sizes: tuple[int, int]) -> None:
    masks, theirs = THEIRS[name]
    trace = masked(*sizes, **masks)
    expected = create_mask(theirs, 1, 1, *sizes, device="cpu")
    assert np.array_equal(trace.mask, np.broadcast_to(expected.numpy(), trace.mask.shape))

    def score_mod(score: Any, b: Any, h: Any, q_idx: Any, kv_idx: Any) -> Any:
        return torch.where(theirs(b, h, q_idx, kv_idx), score, -torch.inf)

    q, k, v = (torch.from_numpy(x.copy()) for x in (trace.q, trace.k, trace.v))
    heads = flex_attention(q, k, v, score_mod=score_mod).numpy()
    empty = np.broadcast_to(~trace.mask.any(-1), heads.shape[:-1])
    np.testing.assert_allclose(trace.heads[~empty], heads[~empty], rtol=1e-12, atol=1e-14)


PLAIN = attention_trace(**SIZES)
LAWS: dict[str, tuple[Callable[[], AttentionTrace], Callable[[], AttentionTrace]]] = {
    "a prefix of 0 is causal": (
        lambda: masked(prefix_lm={"length": 0}),
        lambda: attention_trace(**SIZES | {"causal": True}),
    ),
    "a prefix of all tokens is no mask": (lambda: masked(prefix_lm={"length": 9}), lambda: PLAIN),
    "with causal on, a prefix changes nothing": (
        lambda: masked(causal=True, prefix_lm={"length": 4}),
        lambda: attention_trace(**SIZES | {"causal": True}),
    ),
    "a dilation of 1 is a window": (
        lambda: masked(dilated_window={"window": 3, "dilation": 1}),
        lambda: attention_trace(**SIZES | {"window": 3}),
    ),
    "without global tokens there is a window": (
        lambda: masked(global_tokens={"tokens": 0, "window": 3}),
        lambda: attention_trace(**SIZES | {"window": 3}),
    ),
    "with global tokens alone there is no mask": (
        lambda: masked(global_tokens={"tokens": 9, "window": 1}),
        lambda: PLAIN,
    ),
}


@pytest.mark.parametrize("law", LAWS)
def test_that_masks_at_their_ends_are_the_ones_known(law: str) -> None:
    one, other = (make() for make in LAWS[law])
    assert np.array_equal(one.mask, other.mask)
    assert one.weights.tobytes() == other.weights.tobytes()


def test_that_a_dilated_window_has_the_keys_of_a_window_spread_over_a_longer_distance() -> None:
    near, far = (
        masked(40, 40, dilated_window={"window": 3, "dilation": dilation}).mask[0, 0, 20] for dilation in (1, 4)
    )
    assert np.flatnonzero(near).tolist() == [18, 19, 20, 21, 22]
    assert np.flatnonzero(far).tolist() == [12, 16, 20, 24, 28]


def test_that_global_tokens_connect_any_two_tokens_in_two_steps() -> None:
    mask = masked(global_tokens={"tokens": 1, "window": 1}).mask[0, 0].astype(int)
    assert not mask.all()
    assert (mask @ mask > 0).all()
