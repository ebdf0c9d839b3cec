"""Masks of the user's functions, which are those of torch's ``create_mask``."""

from pathlib import Path

import numpy as np
import own_mods
import pytest
import torch
from own_files import own
from torch.nn.attention.flex_attention import create_mask

from attnviz.engine.attention.mods.process import mask_of, scores_after

SOURCE = Path(own_mods.__file__).read_text(encoding="utf-8")
SIZES = 2, 4, 12, 12


@pytest.mark.parametrize("name", own_mods.MASKS)
def test_that_a_mask_is_the_one_that_torch_creates(name: str) -> None:
    expected = create_mask(eval(name, vars(own_mods)), *SIZES, device="cpu").numpy()
    found = mask_of(own(SOURCE, name, path=own_mods.__file__), SIZES).allowed
    assert found.shape[2:] == SIZES[2:]
    assert np.array_equal(np.broadcast_to(found, SIZES), expected)
    assert (len(found) == 1) == bool((expected == expected[:1]).all()), "compact if all items have the same mask"
    assert (found.shape[1] == 1) == bool((expected == expected[:, :1]).all())


def test_that_a_mask_is_asked_for_once_by_its_source_name_and_sizes() -> None:
    mods = own(SOURCE, "packed")
    first = mask_of(mods, SIZES)
    assert mask_of(mods, SIZES) is first
    assert mask_of(own(SOURCE, "packed", "alibi"), SIZES) is first, "an unrelated field"
    assert mask_of(own(SOURCE + "# changed", "packed"), SIZES) is not first
    assert not first.allowed.flags.writeable


def test_that_scores_of_half_precision_are_changed_in_float32_as_torch_does() -> None:
    scores = torch.linspace(-3, 3, 48).reshape(1, 4, 3, 4).to(torch.bfloat16)
    found = scores_after(own(SOURCE, None, "softcap(1.5)"), scores)
    assert found.dtype == torch.bfloat16
    assert torch.equal(found, (1.5 * torch.tanh(scores.float() / 1.5)).to(torch.bfloat16))
