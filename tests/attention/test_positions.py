"""Rotary positions against LLaMA's formula written with complex numbers, ALiBi's slopes against the paper's."""

import math

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from plain_numpy import slopes_of
from torch.testing import assert_close

from attnviz.attention.array_functions import TORCH
from attnviz.attention.positions import tables_of
from attnviz.attention.transformer import DecoderAttention
from attnviz.definitions.decoder.positions import POSITIONS
from attnviz.definitions.mechanisms.alibi import ALIBI_BIAS, alibi_slopes
from attnviz.definitions.mechanisms.rotary import ROTATION, rotated


def turned(x):
    """Return x (..., L, d) in float64, each pair (j, j + d / 2) as a complex number times e^(i angle)."""
    length, size = x.shape[-2:]
    half = size // 2
    rows = []
    for place in range(length):
        angles = [place * 10000 ** (-2 * pair / size) for pair in range(half)]
        factors = torch.tensor([complex(math.cos(angle), math.sin(angle)) for angle in angles])
        rows.append(torch.complex(x[..., place, :half], x[..., place, half:]) * factors.to(torch.complex128))
    pairs = torch.stack(rows, dim=-2)
    return torch.cat((pairs.real, pairs.imag), dim=-1)


@given(seed=st.integers(0, 2**16), length=st.integers(1, 256), pairs=st.integers(1, 16))
def test_that_rotary_positions_are_those_of_llama(normal, seed, length, pairs):
    x = normal(seed, 2, 3, length, 2 * pairs).clamp(-1, 1)
    decoder = DecoderAttention(POSITIONS["rotary"], 6 * pairs, 3, 256)
    for mine, theirs in zip(decoder.rotate(x, -x), (turned(x), -turned(x)), strict=True):
        assert_close(mine, theirs, rtol=0, atol=1e-6)


@given(seed=st.integers(0, 2**16), shift=st.integers(0, 40))
def test_that_a_rotated_product_depends_on_the_distance_alone(normal, seed, shift):
    q, k = normal(seed, 8), normal(seed + 1, 8)
    q, k = (rotated(x.expand(64, 8), *tables_of(ROTATION, 64, 8), TORCH) for x in (q, k))
    assert_close(q[20] @ k[3], q[20 + shift] @ k[3 + shift], rtol=0, atol=1e-5)


@pytest.mark.parametrize(("size", "nearest"), [(1, "2"), (5, "4, 6")])
def test_that_an_odd_size_of_a_head_is_refused_with_the_even_ones_beside_it(size, nearest):
    with pytest.raises(ValueError, match=rf"even size of a head, not {size}; nearest: {nearest}$"):
        tables_of(ROTATION, 8, size)


@pytest.mark.parametrize("heads", range(1, 17))
def test_that_slopes_are_those_of_the_paper(heads):
    assert alibi_slopes(heads) == pytest.approx(slopes_of(heads), rel=1e-12)


def test_that_eight_and_three_heads_have_the_slopes_that_the_paper_prints():
    assert alibi_slopes(8) == tuple(2.0**-n for n in range(1, 9))
    assert alibi_slopes(3) == (2.0**-4, 2.0**-8, 2.0**-2)


def test_that_a_bias_falls_with_the_distance_by_the_slope_of_the_head():
    x = torch.zeros(1, 2, 4, 3)
    bias = DecoderAttention(POSITIONS["alibi"], 6, 2, 6).added(ALIBI_BIAS, x, x)
    assert bias.shape == (2, 4, 4)
    assert bias[0].tolist() == [[-abs(i - j) / 16 for j in range(4)] for i in range(4)]
    assert bias[1].tolist() == [[-abs(i - j) / 256 for j in range(4)] for i in range(4)]
