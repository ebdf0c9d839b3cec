"""Masks that see the head, and places beyond 16 bits."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from registered import registered
from running import attention_trace
from scripts import run_scripts

from attnviz.definitions.counting import SCREEN
from attnviz.definitions.knobs import NumberKnob
from attnviz.definitions.masks import MASKS
from attnviz.definitions.masks.mask import FIRST, Mask, MaskCode
from attnviz.experiment.arrays import NUMPY
from attnviz.experiment.attention.memory import mask_bytes
from attnviz.experiment.attention.trace import AttentionTrace
from attnviz.experiment.labs import SpecError, make_spec
from attnviz.experiment.layers.cell import reasons_at
from attnviz.export.code.script import pytorch_code

PREFIX = Mask(
    name="prefix",
    title="Prefix",
    help="The first keys are always allowed, in each further head one more.",
    knobs=(
        NumberKnob(
            name="length",
            title="Length",
            help="How many keys head 1 may attend to.",
            default=2,
            least=1,
            greatest=9999,
            most=lambda sizes: sizes["num_kvpairs"],
        ),
    ),
    allows=lambda knobs, b, h, i, j, xp: j < knobs["length"] + h,
    reason="beyond the first {length} keys of head {head}",
    numbers_at=lambda knobs, b, h, i, j: {"length": knobs["length"] + h, "head": SCREEN.head(h)},
    formula=r"j \leq {length} + h - 1",
    spoken="j is at most {length} plus the head",
    words="prefix",
    code=lambda knobs: MaskCode(values={"length": knobs["length"]}, rule="j < length + h"),
    keeps=lambda knobs: frozenset({FIRST}),
    per_head=True,
)
SIZES: dict[str, Any] = {"num_heads": 3, "num_hiddens": 12, "num_queries": 5, "num_kvpairs": 7, "dtype": "float64"}
MECHANISMS = ["multi_head", "dot_product", "alibi"]

OTHERS: list[dict[str, Any]] = [{}, {"valid_lens": [6, 1]}, {"causal": True, "valid_lens": [6, 3]}]

_registered = registered(MASKS, PREFIX)


def prefixed(mechanism: str, others: dict[str, Any]) -> AttentionTrace:
    return attention_trace(**SIZES | others | {"mechanism": mechanism, "masks": {"prefix": {"length": 2}}})


@pytest.mark.parametrize("others", OTHERS, ids=str)
@pytest.mark.parametrize("mechanism", MECHANISMS)
def test_that_each_head_has_its_own_mask_and_its_reasons(mechanism: str, others: dict[str, Any]) -> None:
    trace = prefixed(mechanism, others)
    plain = attention_trace(**SIZES | others | {"mechanism": mechanism})
    head, key = np.arange(trace.num_heads)[:, None, None], np.arange(7)
    assert np.array_equal(trace.mask, plain.mask & (key < 2 + head))
    assert trace.masks_differ == (trace.num_heads > 1)
    assert not plain.masks_differ
    for place in np.ndindex(trace.mask.shape):
        reasons = reasons_at(trace.layer.masks, *place)
        assert bool(reasons) != trace.mask[place]
        named = [reason.sentence for reason in reasons if reason.code == "prefix"]
        assert named == (
            [] if place[3] < 2 + place[1] else [f"beyond the first {2 + place[1]} keys of head {place[1] + 1}"]
        )


def test_that_scripts_leave_the_numbers_under_the_mask_of_each_head(tmp_path: Path) -> None:
    traces = [prefixed(mechanism, others) for mechanism in MECHANISMS for others in OTHERS]
    left = run_scripts({f"script_{n}": pytorch_code(trace.spec) for n, trace in enumerate(traces)}, tmp_path)
    for n, trace in enumerate(traces):
        for name in ("weights", "output"):
            assert left[f"script_{n}"][name].tobytes() == getattr(trace, name).tobytes(), (name, trace.spec)


def test_that_a_mask_of_each_head_needs_as_many_bytes() -> None:
    one, each = (make_spec(SIZES | masks) for masks in ({"causal": True}, {"masks": {"prefix": {}}}))
    assert mask_bytes(each) == 3 * mask_bytes(one)  # type: ignore[arg-type]


def test_that_a_knob_beyond_the_sizes_of_a_spec_is_refused_with_the_nearest() -> None:
    with pytest.raises(SpecError, match=r"masks.prefix.length 99 must be at most 7; nearest: 7") as caught:
        make_spec(SIZES | {"masks": {"prefix": {"length": 99}}})
    (problem,) = caught.value.problems
    assert [(repair.field, repair.value) for repair in problem.repairs] == [("masks.prefix.length", 7)]
    spec: Any = make_spec(SIZES | {"masks": {"prefix": {"length": 7}}})
    assert type(spec).legal_values(dict(spec))["masks.prefix.length"] == range(1, 8)


@pytest.mark.parametrize(
    ("name", "state", "allowed"),
    [
        ("causal", True, lambda b, i, j: j <= i),
        ("window", 30_000, lambda b, i, j: abs(i - j) < 30_000),
        ("valid_lens", (39_999, 5), lambda b, i, j: j < (39_999, 5)[b]),
        ("documents", (20_000, 39_000), lambda b, i, j: _document(i) == _document(j)),
        ("painted", "39999: 0-32768 39998", lambda b, i, j: i != 39_999 or not (j <= 32_768 or j == 39_998)),
    ],
)
def test_that_single_rows_and_cells_at_far_places_agree_with_plain_python(name: str, state: Any, allowed: Any) -> None:
    far = [0, 5, 16_384, 32_767, 32_768, 39_998, 39_999]
    keys = np.arange(40_000, dtype=np.int32)
    for item, query in ((item, query) for item in (0, 1) for query in far):
        b, h, i = (np.array(place, np.int32) for place in ([[[[item]]]], [[[0]]], [[query]]))
        row = np.broadcast_to(MASKS[name].allows(state, b, h, i, keys, NUMPY), (1, 1, 1, 40_000)).ravel()
        assert row.tolist() == [allowed(item, query, key) for key in range(40_000)]
        for key in far:
            one = MASKS[name].allows(state, b, h, i, np.array([key], np.int32), NUMPY)
            assert one.item() == allowed(item, query, key)


def _document(place: int) -> int:
    return (place >= 20_000) + (place >= 39_000)
