"""The mask of every run against the reasons that its spec gives, cell by cell."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays
from legal_specs import masked_values
from running import attention_trace, the_failure

from attnviz.attention import causal_mask, document_mask, sliding_window_mask, valid_lens_mask
from attnviz.attention.array_functions import TORCH
from attnviz.definitions.masks import in_force
from attnviz.definitions.masks.mask import FIRST, ITSELF
from attnviz.engine.attention.run import make_mask
from attnviz.experiment.arrays import NUMPY
from attnviz.experiment.attention.spec import AttentionSpec
from attnviz.experiment.fields import painted
from attnviz.experiment.labs import make_spec
from attnviz.experiment.layers.cell import reasons_at

EPS = {"float32": 2.0**-23, "float64": 2.0**-52, "bfloat16": 2.0**-7, "float16": 2.0**-10}
MECHANISMS = ["dot_product", "additive", "multi_head", "causal_multi_head"]
CPU = torch.device("cpu")

Array = np.ndarray[Any, Any]


def spec_of(values: dict[str, Any]) -> AttentionSpec:
    spec = make_spec(values)
    assert isinstance(spec, AttentionSpec)
    return spec


def places(library: Any, items: range, heads: range, queries: range, keys: range) -> tuple[Any, Any, Any, Any]:
    """Return the index arrays that a rule takes, of numpy or torch."""
    parts = (items, heads, queries, keys)
    b, h, i, j = (library.arange(part.start, part.stop, dtype=library.int32) for part in parts)
    return b[:, None, None, None], h[:, None, None], i[:, None], j


def file_of(folder: Path, queries: int, keys: int, batch: int = 2, size: int = 4) -> dict[str, Any]:
    rng = np.random.default_rng(0)
    shapes = {"queries": queries, "keys": keys, "values": keys}
    np.savez(folder / "mine.npz", **{name: rng.normal(size=(batch, length, size)) for name, length in shapes.items()})
    return {"kind": "file", "path": str(folder / "mine.npz")}


@given(values=masked_values())
def test_that_a_cell_is_masked_exactly_where_there_is_a_reason(values: dict[str, Any]) -> None:
    trace = attention_trace(**values)
    for item, head, query, key in np.ndindex(trace.mask.shape):
        assert trace.mask[item, head, query, key] == (not reasons_at(trace.layer.masks, item, head, query, key))


@given(values=masked_values())
def test_that_under_zero_a_masked_weight_is_0_and_a_row_sums_to_1_or_is_empty(values: dict[str, Any]) -> None:
    trace = attention_trace(**values | {"mask_policy": "zero", "score_steps": {}})
    assert (trace.weights[~trace.mask] == 0).all()
    assert (trace.row_sums[trace.empty_rows] == 0).all()
    rounding = 2 * trace.weights.shape[-1] * EPS[trace.dtype]
    np.testing.assert_allclose(trace.row_sums[~trace.empty_rows], 1, atol=rounding)


@given(values=masked_values(), policy=st.sampled_from(["book", "inf"]))
def test_that_under_the_other_policies_a_masked_weight_is_0_in_every_row_with_a_key(
    values: dict[str, Any], policy: str
) -> None:
    trace = attention_trace(**values | {"mask_policy": policy, "score_steps": {}})
    assert (trace.weights[~trace.mask & ~trace.empty_rows[..., None]] == 0).all()
    empty = trace.weights[trace.empty_rows]
    if trace.spec.fills_with_inf:
        assert np.isnan(empty).all()
    else:
        np.testing.assert_allclose(empty, 1 / trace.weights.shape[-1], rtol=EPS[trace.dtype])


@given(values=masked_values())
def test_that_the_mask_made_for_a_module_leaves_a_causal_modules_triangle_to_it(values: dict[str, Any]) -> None:
    spec = spec_of(values)
    own = {"causal"} if spec.mechanism == "causal_multi_head" else set()
    sizes = spec.batch_size, spec.heads_run, spec.num_queries, spec.num_kvpairs
    expected = np.ones(sizes, bool)
    for place in np.ndindex(sizes):
        expected[place] = not {reason.code for reason in reasons_at(tuple(in_force(spec)), *place)} - own
    mask = make_mask(spec, CPU)
    made = np.True_ if mask is None else mask[:, None].numpy() if mask.dim() == 3 else mask.numpy()
    np.testing.assert_array_equal(np.broadcast_to(made, sizes), expected)


@given(values=masked_values())
def test_that_each_rule_says_the_same_of_all_cells_of_a_part_of_them_and_of_one_in_numpy_and_in_torch(
    values: dict[str, Any],
) -> None:
    spec = spec_of(values)
    sizes = spec.batch_size, spec.heads_run, spec.num_queries, spec.num_kvpairs
    for mask, state in in_force(spec):
        expected = np.broadcast_to(mask.allows(state, *places(np, *map(range, sizes)), NUMPY), sizes)
        tensor = mask.allows(state, *places(torch, *map(range, sizes)), TORCH)
        assert tensor.dtype == torch.bool
        assert expected.dtype == bool
        np.testing.assert_array_equal(tensor.expand(sizes).numpy(), expected, mask.name)
        for place in np.ndindex(sizes):
            parts = tuple(range(first, size) for first, size in zip(place, sizes, strict=True))
            part = np.broadcast_to(mask.allows(state, *places(np, *parts), NUMPY), [len(it) for it in parts])
            np.testing.assert_array_equal(part, expected[tuple(slice(first, None) for first in place)], mask.name)
            one = mask.allows(state, *places(np, *(part[:1] for part in parts)), NUMPY)
            assert one.item() == expected[place]


@given(values=masked_values())
def test_that_the_rules_are_those_of_the_functions_that_make_masks(values: dict[str, Any]) -> None:
    spec = spec_of(values)
    sizes = spec.num_queries, spec.num_kvpairs
    made = {
        "causal": lambda on: causal_mask(*sizes),
        "valid_lens": lambda lens: valid_lens_mask(torch.tensor(lens), *sizes),
        "window": lambda window: sliding_window_mask(*sizes, window),
        "documents": lambda ends: document_mask(spec.document_lens or (), *sizes),
    }
    for mask, state in in_force(spec):
        if mask.name in made:
            expected = made[mask.name](state)
            rule = mask.allows(state, *places(np, range(spec.batch_size), range(1), *map(range, sizes)), NUMPY)
            rule = rule[:, 0] if rule.ndim == 4 else rule
            np.testing.assert_array_equal(np.broadcast_to(rule, expected.shape), expected.numpy())


@given(values=masked_values())
def test_that_a_mask_which_keeps_a_key_for_every_query_allows_it(values: dict[str, Any]) -> None:
    spec = spec_of(values)
    sizes = spec.batch_size, spec.heads_run, spec.num_queries, spec.num_kvpairs
    for mask, state in in_force(spec):
        allowed = np.broadcast_to(mask.allows(state, *places(np, *map(range, sizes)), NUMPY), sizes)
        kept = mask.keeps(state)
        assert kept <= {FIRST, ITSELF}
        assert FIRST not in kept or allowed[..., 0].all()
        assert ITSELF not in kept or allowed.diagonal(axis1=2, axis2=3).all()


@pytest.mark.parametrize("values", [{}, {"mechanism": "causal_multi_head"}])
def test_that_no_mask_is_made_where_no_rule_forbids_anything(values: dict[str, Any]) -> None:
    assert make_mask(spec_of(values), CPU) is None


@pytest.mark.parametrize(
    ("rule", "allowed"),
    [
        ({"causal": True}, [[1, 0, 0, 0], [1, 1, 0, 0], [1, 1, 1, 0]]),
        ({"window": 2}, [[1, 1, 0, 0], [1, 1, 1, 0], [0, 1, 1, 1]]),
        ({"document_lens": [1, 1]}, [[1, 0, 0, 0], [0, 1, 0, 0], [0, 0, 1, 1]]),
        ({"painted": "0: 1-2; 2: 0"}, [[1, 0, 0, 1], [1, 1, 1, 1], [0, 1, 1, 1]]),
        ({"valid_lens": [3, 3]}, [[1, 1, 1, 0]] * 3),
        ({"causal": True, "window": 2, "painted": "1: 1"}, [[1, 0, 0, 0], [1, 0, 0, 0], [0, 1, 1, 0]]),
    ],
    ids=lambda value: "+".join(value) if isinstance(value, dict) else "",
)
@pytest.mark.parametrize("mechanism", MECHANISMS[:3])
def test_that_a_rule_worked_by_hand_holds_for_every_item_and_head(
    mechanism: str, rule: dict[str, Any], allowed: list[list[int]]
) -> None:
    sizes = {"batch_size": 2, "num_heads": 2, "num_hiddens": 4, "num_queries": 3, "num_kvpairs": 4}
    trace = attention_trace(mechanism=mechanism, **sizes, **rule)
    np.testing.assert_array_equal(trace.mask, np.broadcast_to(np.array(allowed, bool), trace.mask.shape))


def test_that_the_causal_modules_own_triangle_is_narrowed_by_every_rule() -> None:
    trace = attention_trace(
        mechanism="causal_multi_head", num_heads=1, num_hiddens=2, num_queries=4, window=3, painted="3: 2", batch_size=1
    )
    assert trace.mask[0, 0].astype(int).tolist() == [[1, 0, 0, 0], [1, 1, 0, 0], [1, 1, 1, 0], [0, 1, 0, 1]]
    assert trace.spec.mask_policy == "zero"


# The reasons in words


def test_that_every_rule_that_forbids_a_cell_is_told_with_its_numbers() -> None:
    spec = spec_of(
        {
            "causal": True,
            "valid_lens": [[1, 2, 3, 4], [6, 6, 6, 6]],
            "window": 2,
            "document_lens": [2, 2],
            "painted": "1: 4",
        }
    )
    everything = reasons_at(tuple(in_force(spec)), 0, 0, 1, 4)
    assert [reason.sentence for reason in everything] == [
        "causal",
        "beyond valid length 2",
        "outside the window of 2",
        "another document (1 and 3)",
        "painted",
    ]
    codes = ["causal", "valid_length", "window", "document", "painted"]
    assert [reason.code for reason in everything] == codes
    others = reasons_at(tuple(in_force(spec)), 1, 0, 1, 4)
    assert [reason.code for reason in others] == [it for it in codes if it != "valid_length"]
    assert reasons_at(tuple(in_force(spec)), 1, 0, 1, 0) == ()


# A file sets the sizes, and is masked all the same


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("0: 5", "painted key 5 is not in 0..4; nearest: 4"),
        ("3: 0", "painted query 3 is not in 0..2; nearest: 2"),
        ("999999: 999999", "painted query 999999 is not in 0..2; nearest: 2"),
    ],
)
def test_that_paint_outside_a_files_arrays_is_a_failure_with_the_specs_own_sentence(
    text: str, sentence: str, tmp_path: Path
) -> None:
    source = file_of(tmp_path, queries=3, keys=5)
    failure = the_failure(inputs=source, num_heads=2, num_hiddens=4, painted=text)
    assert failure.code == "file_does_not_fit"
    assert failure.message == f"{source['path']}: {sentence}"


@given(
    window=st.none() | st.integers(1, 5),
    document_lens=st.none() | st.lists(st.integers(1, 3), min_size=1, max_size=3),
    cells=arrays.arrays(bool, (3, 5)),
    causal=st.booleans(),
    mechanism=st.sampled_from(MECHANISMS[:3]),
)
def test_that_a_files_arrays_are_masked_where_their_spec_has_a_reason(
    tmp_path_factory: pytest.TempPathFactory, cells: Array, **rules: Any
) -> None:
    source = file_of(tmp_path_factory.getbasetemp(), queries=3, keys=5)
    sizes = {"num_heads": 2, "num_hiddens": 4, "num_queries": 9, "num_kvpairs": 2}
    trace = attention_trace(inputs=source, painted=painted.write(cells), valid_lens=[5, 2], **sizes, **rules)
    assert trace.mask.shape[2:] == (3, 5)
    for item, head, query, key in np.ndindex(trace.mask.shape):
        assert trace.mask[item, head, query, key] == (not reasons_at(trace.layer.masks, item, head, query, key))
