import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from matplotlib import colormaps
from matplotlib._cm import _Reds_data
from matplotlib.colors import LinearSegmentedColormap

from attnviz.experiment.colours import (
    HIGHEST,
    LOWEST,
    MASKED,
    NOT_FINITE,
    WEIGHT_SCALE,
    colours_of_map,
    quantise,
    reduce_to,
    symmetric_scale,
)

Array = np.ndarray[Any, Any]

FLOAT_TYPES = st.sampled_from([np.float32, np.float64])
WEIGHTS = st.lists(st.floats(0, 1), min_size=1, max_size=30)
SCORES = st.lists(st.floats(-1e4, 1e4).filter(lambda x: x == 0 or abs(x) > 1e-30), min_size=1, max_size=30)


@given(numbers=WEIGHTS, dtype=FLOAT_TYPES)
def test_that_a_level_stands_for_a_weight_within_half_a_level(numbers: list[float], dtype: Any) -> None:
    values = np.array(numbers, dtype)
    levels = quantise(values, None, 0.0, 1.0)
    shown = (levels.astype(float) - LOWEST) / (HIGHEST - LOWEST)
    assert np.abs(shown - values).max() <= 0.5 / (HIGHEST - LOWEST) + 1e-6


@given(numbers=SCORES, dtype=FLOAT_TYPES)
def test_that_a_level_stands_for_a_score_within_half_a_level(numbers: list[float], dtype: Any) -> None:
    values = np.array(numbers, dtype)
    scale = symmetric_scale(values)
    levels = quantise(values, None, scale.low, scale.high)
    step = (scale.high - scale.low) / (HIGHEST - LOWEST)
    assert np.abs(scale.low + (levels.astype(float) - LOWEST) * step - values).max() <= step * 0.501


@given(numbers=SCORES, low=st.floats(-100, 100), span=st.floats(0.01, 100), dtype=FLOAT_TYPES)
def test_that_a_larger_number_never_gets_a_lower_level(
    numbers: list[float], low: float, span: float, dtype: Any
) -> None:
    levels = quantise(np.sort(np.array(numbers, dtype)), None, low, low + span)
    assert (np.diff(levels.astype(int)) >= 0).all()
    assert levels.min() >= LOWEST
    assert levels.max() <= HIGHEST


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_that_the_ends_of_the_scale_are_levels_1_and_254_and_beyond_them_too(dtype: Any) -> None:
    values = np.array([-5, -1e-30, 0, 1, 1 + 1e-6, 1e30], dtype)
    assert quantise(values, None, 0.0, 1.0).tolist() == [1, 1, 1, 254, 254, 254]


def test_that_a_masked_cell_is_0_and_never_the_colour_of_a_small_weight() -> None:
    values = np.array([0.0, 1e-9, 0.5, 1.0])
    levels = quantise(values, np.array([False, True, False, True]), 0.0, 1.0)
    assert levels.tolist() == [MASKED, LOWEST, MASKED, HIGHEST]


@pytest.mark.parametrize("wrong", [np.nan, np.inf, -np.inf])
def test_that_what_is_not_finite_is_255_masked_or_not(wrong: float) -> None:
    levels = quantise(np.array([wrong, wrong, 0.5]), np.array([True, False, False]), 0.0, 1.0)
    assert levels.tolist() == [NOT_FINITE, NOT_FINITE, MASKED]


def test_that_quantising_leaves_the_values_as_they_are() -> None:
    values = np.array([0.2, np.nan, 0.8])
    values.setflags(write=False)
    quantise(values, np.array([True, True, False]), 0.0, 1.0)
    np.testing.assert_array_equal(values, [0.2, np.nan, 0.8])


def test_that_each_head_may_have_ends_of_its_own() -> None:
    values = np.array([[[0.0, 0.1]], [[0.0, 1.0]]])
    levels = quantise(values, None, 0.0, values.max(axis=(1, 2), keepdims=True))
    assert levels.tolist() == [[[1, 254]], [[1, 254]]]


def test_that_a_head_of_zeros_alone_is_level_1() -> None:
    assert quantise(np.zeros((2, 2)), None, 0.0, np.zeros((1, 1))).tolist() == [[1, 1], [1, 1]]


@given(numbers=SCORES)
def test_that_a_symmetric_scale_is_centred_on_zero_and_just_holds_every_number(numbers: list[float]) -> None:
    scale = symmetric_scale(np.array(numbers))
    assert scale.low == -scale.high
    assert scale.high == (max(map(abs, numbers)) or 1.0)
    assert scale.diverging


@pytest.mark.parametrize("values", [[np.nan, np.inf], [], [0.0]])
def test_that_a_symmetric_scale_of_nothing_finite_or_of_zeros_reaches_to_one(values: list[float]) -> None:
    scale = symmetric_scale(np.array(values))
    assert (scale.low, scale.high) == (-1.0, 1.0)


def test_that_a_symmetric_scale_passes_over_what_is_not_finite() -> None:
    assert symmetric_scale(np.array([1.0, -3.0, np.inf, np.nan])).high == 3.0


def test_that_weights_are_coloured_from_0_to_1() -> None:
    assert (WEIGHT_SCALE.low, WEIGHT_SCALE.high, WEIGHT_SCALE.diverging) == (0.0, 1.0, False)


@st.composite
def level_arrays(draw: st.DrawFn) -> Array:
    shape = draw(st.tuples(st.integers(1, 2), st.integers(1, 9), st.integers(1, 9)))
    count = int(np.prod(shape))
    return np.array(draw(st.lists(st.integers(0, 255), min_size=count, max_size=count)), np.uint8).reshape(shape)


@given(levels=level_arrays(), rows=st.integers(1, 10), columns=st.integers(1, 10))
def test_that_every_reduced_cell_is_the_largest_of_the_block_it_stands_for(
    levels: Array, rows: int, columns: int
) -> None:
    reduced = reduce_to(levels, rows, columns)
    high, wide = (math.ceil(length / most) for length, most in zip(levels.shape[1:], (rows, columns), strict=True))
    assert reduced.shape == (len(levels), math.ceil(levels.shape[1] / high), math.ceil(levels.shape[2] / wide))
    assert reduced.shape[1] <= rows
    assert reduced.shape[2] <= columns
    for (item, row, column), level in np.ndenumerate(reduced):
        block = levels[item, row * high : (row + 1) * high, column * wide : (column + 1) * wide]
        assert level == block.max()


def test_that_reducing_shows_a_number_before_a_mask_and_a_nan_before_everything() -> None:
    levels = np.array([[MASKED, LOWEST, HIGHEST, NOT_FINITE]], np.uint8)
    assert reduce_to(levels, 1, 2).tolist() == [[LOWEST, NOT_FINITE]]


def test_that_levels_which_fit_are_not_copied() -> None:
    levels = np.zeros((3, 4), np.uint8)
    assert reduce_to(levels, 3, 9) is levels


@pytest.mark.parametrize("reach", [1e-40, 3e38])
def test_that_levels_follow_the_numbers_at_the_ends_of_float32(reach: float) -> None:
    values = np.array([-reach, 0, reach], np.float32)
    scale = symmetric_scale(values)
    assert quantise(values, None, scale.low, scale.high).tolist() == [1, 128, 254]


@pytest.mark.parametrize("name", ["viridis", "cividis", "Reds"])
def test_that_the_colours_of_a_map_are_matplotlibs_rounded_to_whole_channels(name: str) -> None:
    exact = LinearSegmentedColormap.from_list(name, _Reds_data if name == "Reds" else colormaps[name].colors, N=254)  # type: ignore[attr-defined]
    off = colours_of_map(name) - exact(np.arange(254))[:, :3] * 255
    assert np.abs(off).max() <= 0.5 + 1e-6


@pytest.mark.parametrize(("name", "most"), [("viridis", 0.0039), ("cividis", 0.0044), ("Reds", 0.0039)])
def test_that_a_weight_is_read_back_through_matplotlibs_map(name: str, most: float) -> None:
    table = colormaps[name](np.arange(256))[:, :3] * 255
    nearest = np.square(colours_of_map(name)[:, None] - table).sum(axis=2).argmin(axis=1)
    assert np.abs(nearest / 255 - np.arange(254) / 253).max() <= most
