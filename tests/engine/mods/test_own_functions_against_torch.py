"""The process of the user's functions against torch's uncompiled ``flex_attention``."""

import warnings
from pathlib import Path

import numpy as np
import own_mods
import pytest
import torch
from torch import Tensor
from torch.nn.attention.flex_attention import create_block_mask, create_mask, flex_attention

from attnviz.attention.masking import mask_scores, softmax_rows
from attnviz.engine.attention.mods.process import mask_of, scores_after
from attnviz.experiment.attention.mods import Mods
from attnviz.experiment.files.consent import allow

SOURCE = Path(own_mods.__file__).read_text(encoding="utf-8")
SIZES = 2, 4, 12, 12
MASKS = (
    "causal",
    "sliding_window(4)",
    "sliding_window(3, causal=True)",
    "prefix_lm()",
    "prefix_lm(5)",
    "padding",
    "document",
    "captured",
    "of_heads",
    "global_tokens",
    "window_4",
    "causal_window",
    "packed",
    "dilated",
    "banded",
    "everything",
)
SCORES = (
    "alibi",
    "softcap(1.5)",
    "relative",
    "checkerboard",
    "masked_by_score",
    "clipped",
    "learned_bias",
    "as_bool",
    "doubled",
    "in_place",
    "scaled",
)


def of(mask_mod: str | None = None, score_mod: str | None = None) -> Mods:
    mods = Mods(path=own_mods.__file__, mask_mod=mask_mod, score_mod=score_mod, source=SOURCE)
    allow(mods.digest, remember=False)
    return mods


def reference(q: Tensor, k: Tensor, v: Tensor, mask: str | None = None, score: str | None = None) -> Tensor:
    torch._dynamo.reset()
    block_mask = create_block_mask(eval(mask, vars(own_mods)), *SIZES, device="cpu") if mask else None
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return flex_attention(q, k, v, eval(score, vars(own_mods)) if score else None, block_mask).detach()


def ours(q: Tensor, k: Tensor, v: Tensor, mask: str | None = None, score: str | None = None) -> Tensor:
    scores = q @ k.transpose(-2, -1) * q.shape[-1] ** -0.5
    if score:
        scores = scores_after(of(score_mod=score), scores)
    allowed = torch.as_tensor(mask_of(of(mask), SIZES).allowed.copy()) if mask else None
    return softmax_rows(mask_scores(scores, allowed), allowed) @ v


def tensors(dtype: torch.dtype = torch.float32) -> list[Tensor]:
    generator = torch.Generator().manual_seed(0)
    return [torch.randn(2, 4, 12, 8, generator=generator, dtype=dtype) for _ in range(3)]


@pytest.mark.parametrize("name", MASKS)
def test_that_a_mask_is_the_one_that_torch_creates(name: str) -> None:
    expected = create_mask(eval(name, vars(own_mods)), *SIZES, device="cpu").numpy()
    found = mask_of(of(name), SIZES).allowed
    assert found.shape[2:] == SIZES[2:]
    assert np.array_equal(np.broadcast_to(found, SIZES), expected)
    assert (len(found) == 1) == bool((expected == expected[:1]).all()), "compact if all items have the same mask"
    assert (found.shape[1] == 1) == bool((expected == expected[:, :1]).all())


@pytest.mark.parametrize("name", MASKS)
def test_that_outputs_with_a_mask_are_those_of_flex_attention(name: str) -> None:
    q, k, v = tensors()
    torch.testing.assert_close(ours(q, k, v, name), reference(q, k, v, name), rtol=0, atol=1e-5)


@pytest.mark.parametrize("name", SCORES)
def test_that_outputs_with_changed_scores_are_those_of_flex_attention(name: str) -> None:
    q, k, v = tensors()
    torch.testing.assert_close(ours(q, k, v, None, name), reference(q, k, v, None, name), rtol=0, atol=1e-5)


def test_that_both_functions_act_together_in_double_precision() -> None:
    q, k, v = tensors(torch.float64)
    found, expected = (make(q, k, v, "packed", "relative") for make in (ours, reference))
    torch.testing.assert_close(found, expected, rtol=0, atol=1e-12)


def test_that_scores_of_half_precision_are_changed_in_float32_as_torch_does() -> None:
    scores = torch.linspace(-3, 3, 48).reshape(1, 4, 3, 4).to(torch.bfloat16)
    found = scores_after(of(score_mod="softcap(1.5)"), scores)
    assert found.dtype == torch.bfloat16
    assert torch.equal(found, (1.5 * torch.tanh(scores.float() / 1.5)).to(torch.bfloat16))
