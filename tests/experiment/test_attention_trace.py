import math

import numpy as np
import pytest
from made_traces import attention_trace

from attnviz.definitions.contrasts import CONTRASTS
from attnviz.experiment.colours import HIGHEST, LOWEST, MASKED, NOT_FINITE, Scale, contrast_to_offer, quantise

HALVES = [[[[0.5, 0.5, 0.0], [0.0, 0.0, 0.0]]]]
MASK = [[[[True, True, False], [False, False, False]]]]
TWO_HEADS = [[[[0.2, 0.1]], [[0.0, 0.8]]]]


def test_that_row_sums_are_those_of_the_weights_for_every_head() -> None:
    trace = attention_trace(TWO_HEADS)
    np.testing.assert_allclose(trace.row_sums, [[[0.3], [0.8]]], rtol=1e-6)
    assert trace.row_sums.dtype == np.float64
    assert trace.num_heads == 2


def test_that_rows_are_summed_behind_dropout_where_it_acts() -> None:
    dropped = attention_trace([[[[0.1, 0.2], [0.3, 0.5]]]], dropout=0.5, training=True)  # which doubles what it keeps
    np.testing.assert_allclose(dropped.dropped_row_sums, [[[0.6, 1.6]]], rtol=1e-6)
    idle = attention_trace([[[[0.1, 0.2], [0.3, 0.5]]]], dropout=0.5, training=False)
    assert idle.dropped_row_sums is idle.row_sums


def test_that_a_row_is_empty_where_the_mask_leaves_it_no_key_whatever_its_weights() -> None:
    assert attention_trace(HALVES, MASK).empty_rows.tolist() == [[[False, True]]]
    assert attention_trace(HALVES).empty_rows.tolist() == [[[False, False]]]


def test_that_the_levels_of_weights_run_from_0_to_1_for_all_heads_and_masked_cells_are_0() -> None:
    trace = attention_trace(HALVES, MASK)
    assert trace.levels().tolist() == [[[[128, 128, MASKED], [MASKED] * 3]]]
    assert trace.scale() == Scale(0.0, 1.0)


def test_that_per_head_levels_stretch_each_head_to_its_own_maximum_and_the_scale_says_so() -> None:
    trace = attention_trace(TWO_HEADS)
    assert trace.levels("weights", "head").tolist() == [[[[HIGHEST, 128]], [[LOWEST, HIGHEST]]]]
    assert trace.scale("weights", "head") == Scale(0.0, pytest.approx(0.8), per_head=True)


def test_that_dropped_weights_above_1_take_the_colour_of_1() -> None:
    trace = attention_trace([[[[0.25, 0.75]]]])
    assert trace.levels("dropped_weights").tolist() == [[[[128, HIGHEST]]]]


@pytest.mark.parametrize("contrast", ["", *CONTRASTS])
def test_that_scores_share_one_diverging_scale_centred_on_0(contrast: str) -> None:
    trace = attention_trace(TWO_HEADS, scores=[[[[-2.0, 0.0]], [[1.0, 2.0]]]])
    assert trace.scale("scores", contrast) == Scale(-2.0, 2.0, diverging=True)
    assert trace.levels("scores", contrast).tolist() == [[[[LOWEST, 128]], [[191, HIGHEST]]]]


def test_that_masked_scores_keep_the_scale_of_the_scores_and_hide_what_is_masked() -> None:
    trace = attention_trace(HALVES, MASK, scores=[[[[-1.0, 1.0, 9.0], [9.0, 9.0, 9.0]]]])
    assert trace.scale("masked_scores") == trace.scale("scores") == Scale(-9.0, 9.0, diverging=True)
    assert (trace.levels("masked_scores") == MASKED).tolist() == np.invert(MASK).tolist()
    assert (trace.levels("scores") == MASKED).sum() == 0


def test_that_a_row_of_nan_shows_even_where_it_is_masked() -> None:
    trace = attention_trace([[[[np.nan, np.nan]]]], [[[[False, False]]]])
    assert trace.levels().tolist() == [[[[NOT_FINITE, NOT_FINITE]]]]
    assert trace.levels("weights", "head").tolist() == [[[[NOT_FINITE, NOT_FINITE]]]]


def test_that_a_row_of_nan_leaves_its_head_a_contrast() -> None:
    trace = attention_trace([[[[np.nan, np.nan], [0.0, 0.4]]]])
    assert trace.levels("weights", "head").tolist() == [[[[NOT_FINITE, NOT_FINITE], [LOWEST, HIGHEST]]]]
    assert trace.scale("weights", "head").high == pytest.approx(0.4)


def test_that_attention_is_done_with_its_one_trace() -> None:
    assert attention_trace(TWO_HEADS).final


def test_that_levels_are_computed_once_and_prepared_beforehand() -> None:
    trace = attention_trace(TWO_HEADS)
    trace.prepare()
    weights = trace.weights
    assert trace.levels() is trace.levels("weights", "")
    assert trace.layer._levels.keys() == {("weights", "")}
    assert {"row_sums", "dropped_row_sums", "empty_rows"} <= vars(trace.layer).keys()
    assert trace.weights is weights


def test_that_two_traces_of_the_same_numbers_do_not_share_their_levels() -> None:
    assert attention_trace(TWO_HEADS).levels() is not attention_trace(TWO_HEADS).levels()


NAMES = ["queries", "keys", "values", "W_q", "W_k", "W_v", "W_o", "q", "k", "v", "scores", "mask", "masked_scores"]
NAMES += ["weights", "heads", "merged", "output"]


def test_that_the_arrays_have_their_fixed_names_in_order_and_are_the_traces_own() -> None:
    trace = attention_trace(TWO_HEADS)
    arrays = trace.arrays()
    assert list(arrays) == NAMES
    assert all(array is getattr(trace, name, trace.parameters.get(name)) for name, array in arrays.items())


@pytest.mark.parametrize(("training", "dropout", "there"), [(True, 0.5, True), (True, 0.0, False), (False, 0.5, False)])
def test_that_the_dropped_weights_are_among_the_arrays_only_where_dropout_acts(
    training: bool, dropout: float, there: bool
) -> None:
    trace = attention_trace(TWO_HEADS, training=training, dropout=dropout)
    assert ("dropped_weights" in trace.arrays()) is there


def test_that_the_summary_tells_shapes_device_row_sums_and_the_mask() -> None:
    assert attention_trace(HALVES, MASK, seed=7).summary() == (
        "multi_head: weights (batch 1, heads 1, queries 2, keys 3), output (1, 2, 2)\n"
        "cpu, float32, eval, seed 7, 0.25 ms\n"
        "row sums 1.000000 .. 1.000000; 4 of 6 cells masked, 1 rows without a valid key"
    )


def test_that_the_summary_of_a_trace_without_a_valid_key_says_so() -> None:
    said = attention_trace([[[[0.0, 0.0]]]], False, training=True).summary()
    assert "row sums no row has a valid key" in said
    assert ", train, " in said


def test_that_levels_and_row_sums_are_read_only_like_the_arrays_they_come_from() -> None:
    trace = attention_trace(TWO_HEADS)
    assert not any(array.flags.writeable for array in (trace.levels(), trace.row_sums, trace.empty_rows))


def test_that_the_books_even_row_is_shown_as_the_weights_it_has_although_it_is_masked() -> None:
    trace = attention_trace([[[[0.5, 0.5], [1.0, 0.0]]]], [[[[False, False], [True, False]]]], mask_policy="book")
    even, ordinary = trace.levels()[0, 0]
    assert even.tolist() == [128, 128]
    assert ordinary.tolist() == [HIGHEST, MASKED]


def test_that_each_contrast_by_hand() -> None:
    # Two rows: the largest of the head is 0.8, of the rows 0.8 and 0.5; 0.001 is one of four powers of ten up.
    trace = attention_trace([[[[0.8, 0.2], [0.5, 0.001]]]])
    assert trace.levels("weights", "head")[0, 0].tolist() == [[254, 64], [159, 1]]
    assert trace.levels("weights", "row")[0, 0].tolist() == [[254, 64], [254, 2]]
    logarithmic = trace.levels("weights", "log")[0, 0]
    powers = np.array([[math.log10(0.8), math.log10(0.2)], [math.log10(0.5), -3.0]])
    np.testing.assert_array_equal(logarithmic, np.floor((powers + 4) / 4 * 253 + 1.5))
    assert trace.scale("weights", "log") == Scale(1e-4, 1.0, logarithmic=True)
    assert trace.scale("weights", "row") == Scale(0.0, pytest.approx(0.8), per_head=True)
    assert trace.levels("weights", "without_first")[0, 0].tolist() == [[MASKED, 254], [MASKED, 2]]
    assert trace.scale("weights", "without_first").high == pytest.approx(0.2)


def test_that_a_brighter_contrast_is_offered_where_most_cells_are_dark() -> None:
    def offered(weights: np.ndarray) -> str:
        mask = np.tril(np.ones(weights.shape, bool))
        return contrast_to_offer(weights, quantise(weights, mask, 0.0, 1.0))

    causal = np.tril(np.ones((69, 69))) / np.arange(1, 70)[:, None]
    assert offered(causal) == "row", "its first weight is 1, so that scaling the picture changes nothing"
    assert offered(np.tril(np.full((69, 69), 0.02))) == "head"
    assert offered(causal[:10, :10]) == ""
    assert offered(np.eye(20)) == "", "a few keys have all the weight, and are seen"


def test_that_a_weight_below_the_logarithmic_scale_has_its_lowest_colour() -> None:
    trace = attention_trace([[[[1.0, 1e-5, 0.0]]]])
    assert trace.levels("weights", "log")[0, 0, 0].tolist() == [HIGHEST, LOWEST, LOWEST]
