"""Weights from a file: the trace holds exactly them and nothing made up, and a hostile file ends in one sentence."""

import io
import os
import time
import zipfile
from collections.abc import Callable
from dataclasses import fields
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from hypothesis import given
from legal_specs import given_arrays
from running import attention_trace, events, own_arrays, the_failure

from attnviz.attention import MultiHeadAttention
from attnviz.definitions.stages import STAGES
from attnviz.engine import arrays_file
from attnviz.engine.run import start
from attnviz.experiment.attention.trace import AttentionTrace
from attnviz.experiment.colours import MASKED, NOT_FINITE, quantise
from attnviz.experiment.labs import make_spec
from attnviz.experiment.layers.cell import attention_cell, attention_row
from attnviz.experiment.layers.comparison import HeadDifference, head_difference
from attnviz.experiment.run import Cursor, never_stop
from attnviz.export.numbers import write_npz

W = np.array([[[0.25, 0.75, 0], [0.5, 0.125, 0.375]], [[0, 0, 1], [0.2, 0.2, 0.1]]], np.float32)
Save = Callable[..., str]


@pytest.fixture
def npz(tmp_path: Path) -> Save:
    """Save arrays, good weights unless they are given, and return the path."""

    def save(**arrays: Any) -> str:
        path = tmp_path / "mine.npz"
        np.savez(path, **{name: np.asarray(array) for name, array in ({"weights": W} | arrays).items()})
        return str(path)

    return save


def given_trace(path: str, **values: Any) -> AttentionTrace:
    return attention_trace(mechanism="given", inputs={"kind": "file", "path": path}, **values)


def refusal(path: str) -> str:
    failure = the_failure(mechanism="given", inputs={"kind": "file", "path": path})
    assert path in failure.message
    assert len(failure.message) < len(path) + 250
    return failure.message


def test_that_the_time_to_read_a_file_is_noted_in_milliseconds(npz: Save) -> None:
    path = npz()
    start = time.perf_counter()
    noted = given_trace(path).milliseconds
    assert 0 < noted <= (time.perf_counter() - start) * 1e3


@given(arrays=given_arrays())
def test_that_the_weights_are_the_files_bit_for_bit_and_the_mask_is_its_own(arrays: dict[str, Any], npz: Save) -> None:
    raw = arrays["weights"]
    trace = given_trace(npz(**arrays))
    assert trace.weights.astype(raw.dtype).tobytes() == raw.tobytes()
    assert trace.dtype == str(trace.weights.dtype) == ("float64" if raw.dtype == np.float64 else "float32")
    np.testing.assert_array_equal(trace.mask, np.broadcast_to(arrays.get("mask", True), trace.weights.shape))
    np.testing.assert_array_equal(trace.row_sums, trace.weights.sum(axis=-1, dtype=np.float64))


def test_that_no_knob_changes_a_bit(npz: Save) -> None:
    path = npz()
    plain = given_trace(path)
    knobs = {"causal": True, "dropout": 0.5, "training": True, "temperature": 3, "dtype": "float16", "seed": 9}
    turned = given_trace(path, **knobs, mask_policy="inf", valid_lens=[1, 1], painted="0: 0")
    assert turned.weights.tobytes() == plain.weights.tobytes()
    assert turned.mask.all()


def test_that_nothing_stands_in_the_trace_but_what_was_given(npz: Save) -> None:
    trace = given_trace(npz(mask=[True, True, False], query_tokens=["a", "b"]))
    own = own_arrays(trace)
    known = {"weights", "dropped_weights", "mask"}
    assert {name for name, array in own.items() if array.size} == known
    assert {array.shape[-1] for name, array in own.items() if name not in known} == {0}
    assert trace.dropped_weights is trace.weights
    assert trace.parameters == {}
    assert all(not array.flags.writeable for array in own.values())
    assert len(fields(trace.layer)) > len(known)


def test_that_a_file_of_the_trace_holds_what_exists_and_opens_again(npz: Save, tmp_path: Path) -> None:
    trace = given_trace(npz(mask=[[True, True, False]]))
    write_npz(trace, tmp_path / "out.npz")
    with np.load(tmp_path / "out.npz", allow_pickle=False) as saved:
        assert set(saved.files) == {"weights", "mask", "query_tokens", "key_tokens", "spec"}
    again = given_trace(str(tmp_path / "out.npz"))
    np.testing.assert_array_equal(again.weights, trace.weights)
    np.testing.assert_array_equal(again.mask, trace.mask)
    assert (again.query_tokens, again.key_tokens) == (trace.query_tokens, trace.key_tokens)


def test_that_the_weights_of_a_run_can_be_given_back(tmp_path: Path) -> None:
    run = attention_trace(num_heads=2, num_hiddens=8, valid_lens=[3, 2])
    write_npz(run, tmp_path / "run.npz")
    trace = given_trace(str(tmp_path / "run.npz"))
    assert trace.weights.tobytes() == run.weights.tobytes()
    np.testing.assert_array_equal(trace.levels(), run.levels())


def test_that_an_npy_file_gives_the_weights_alone(tmp_path: Path) -> None:
    np.save(tmp_path / "w.npy", W.astype(np.float16))
    trace = given_trace(str(tmp_path / "w.npy"))
    assert trace.weights.shape == (1, 2, 2, 3)
    assert trace.weights.dtype == np.float32
    assert trace.query_tokens == ("0", "1")


def test_that_weights_of_torch_arrive_as_they_are(npz: Save) -> None:
    module = MultiHeadAttention(8, 2, 0.0).eval()
    x = torch.randn(1, 4, 8, generator=torch.Generator().manual_seed(0))
    weights = module.stages(x, x, x, None, None).weights.detach()
    assert given_trace(npz(weights=weights.numpy())).weights.tobytes() == weights.numpy().tobytes()


def test_that_the_summary_says_what_is_known_and_nothing_else(npz: Save) -> None:
    weights = W.copy()
    weights[0, 1, 0] = np.nan
    said = given_trace(npz(weights=weights, mask=[[True] * 3, [False] * 3])).summary()
    assert said.startswith("given: weights (batch 1, heads 2, queries 2, keys 3)\nfloat32, read in ")
    assert said.endswith("row sums 1.000000 .. 1.000000; 6 of 12 cells masked, 2 rows without a valid key")
    assert "seed" not in said
    said = given_trace(npz(weights=weights)).summary()
    assert "row sums 0.500000 .. 1.000000 and 1 NaN; 0 of 12 cells masked" in said


def test_that_a_weight_where_the_mask_forbids_is_drawn_and_nan_is_crossed(npz: Save) -> None:
    weights = W.copy()
    weights[0, 1, 0] = np.nan
    trace = given_trace(npz(weights=weights, mask=[[False] * 3, [True] * 3]))
    levels = trace.levels()[0]
    assert levels[0, 1, 0] == NOT_FINITE
    assert levels[0, 0].tolist() == [*quantise(W[0, 0, :2], None, 0.0, 1.0).tolist(), MASKED]


def test_that_heads_may_have_masks_of_their_own(npz: Save) -> None:
    mask = np.array([[[True, True, False]], [[False, False, True]]])
    trace = given_trace(npz(mask=mask))
    assert trace.masks_differ
    assert [attention_row(trace.layer, 0, head, 0).allowed for head in (0, 1)] == [2, 1]
    assert not given_trace(npz(mask=mask[0])).masks_differ
    assert not attention_trace(valid_lens=[3, 2]).masks_differ


def test_that_the_shape_names_every_axis(npz: Save) -> None:
    assert [str(shape) for shape in STAGES["weights"].shapes(given_trace(npz()).layer, "q")] == [
        "(B, h, L_q, L_k) = (1, 2, 2, 3)"
    ]


def test_that_given_weights_are_compared_with_a_run_of_their_shape_and_have_no_scores(npz: Save) -> None:
    given_one = given_trace(npz())
    run = attention_trace(batch_size=1, num_queries=2, num_kvpairs=3, num_heads=2, num_hiddens=8)
    found = head_difference(given_one.layer, run.layer, "weights", 0, 1)
    assert isinstance(found, HeadDifference)
    np.testing.assert_array_equal(found.values, run.weights[0, 1].astype(float) - W[1])
    assert str(head_difference(given_one.layer, run.layer, "masked_scores", 0, 1)).startswith(
        "A has given weights only"
    )


HOSTILE: dict[str, tuple[dict[str, Any], str]] = {
    "whole numbers": ({"weights": W.astype(int)}, ": weights holds int64, not half, single or double floats; nearest:"),
    "five axes": ({"weights": W[None, None, None]}, ": weights has shape (1, 1, 1, 2, 2, 3); needed (queries, keys),"),
    "3.2": ({"weights": np.where(W == 1, np.float32(3.2), W)}, ": weights[1, 0, 2] is 3.2, and a weight is in 0..1"),
    "negative": ({"weights": W - 0.25}, ": weights[0, 0, 2] is -0.25, and a weight is in 0..1"),
    "mask": (
        {"mask": [[True], [False], [True]]},
        ": mask has shape (3, 1), which does not spread over weights of shape",
    ),
    "mask of numbers": ({"mask": [1.0, 0.0, 0.0]}, ": mask holds float64, not booleans"),
    "tokens": ({"query_tokens": ["a", "b", "c"]}, ": query_tokens has 3 entries for 2 queries; needed 2"),
    "key tokens": ({"key_tokens": ["a"]}, ": key_tokens has 1 entries for 3 keys"),
    "pickled tokens": (
        {"key_tokens": np.array(["a", "b", "c"], object)},
        ": key_tokens holds pickled objects, which are never read; nearest: np.array(tokens, dtype=str)",
    ),
    "pickled weights": ({"weights": np.array([[{}]], object)}, ": weights holds pickled objects, which are never read"),
}


@pytest.mark.parametrize("name", HOSTILE)
def test_that_a_hostile_file_is_one_sentence_that_names_it(name: str, npz: Save) -> None:
    arrays, said = HOSTILE[name]
    path = npz(**arrays)
    assert refusal(path).startswith(f"{path}{said}")


def test_that_nothing_is_unpickled(npz: Save, tmp_path: Path) -> None:
    class Trap:
        def __reduce__(self) -> tuple[Any, ...]:
            return os.mkdir, (str(tmp_path / "sprung"),)

    for name in ("weights", "mask", "query_tokens"):
        refusal(npz(**{name: np.array([Trap(), Trap()], object)}))
    assert not (tmp_path / "sprung").exists()


def test_that_a_file_without_weights_is_told_what_it_lacks(tmp_path: Path) -> None:
    for names, ending in (
        (("queries", "b"), f" has no array weights; it has: queries {W.shape}, b {W.shape}"),
        (("weight",), f" has no array weights; it has: weight {W.shape}; nearest: weight"),
        ((), " has no array weights; it has none"),
    ):
        np.savez(tmp_path / "mine.npz", **dict.fromkeys(names, W))
        assert refusal(str(tmp_path / "mine.npz")).endswith(ending)


def test_that_a_shape_beyond_all_memory_is_refused(tmp_path: Path) -> None:
    buffer = io.BytesIO()
    np.lib.format.write_array_header_1_0(
        buffer, {"descr": "<f4", "fortran_order": False, "shape": (1_000_000, 1_000_000, 1_000_000)}
    )
    with zipfile.ZipFile(tmp_path / "mine.npz", "w") as archive:
        archive.writestr("weights.npy", buffer.getvalue() + b"\0" * 64)
    refusal(str(tmp_path / "mine.npz"))


def test_that_more_than_the_limit_is_refused_unread(npz: Save, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(arrays_file, "MAX_BYTES", 40)
    assert "unpacks to" in refusal(npz())


def test_that_more_than_the_memory_is_refused_with_the_numbers(npz: Save, monkeypatch: pytest.MonkeyPatch) -> None:
    path = npz()
    monkeypatch.setattr("attnviz.engine.memory.available_bytes", lambda _device: 10)
    failure = the_failure(mechanism="given", inputs={"kind": "file", "path": path})
    assert failure.code == "not_enough_memory"
    assert "10 B free; a part of the weights needs less" in failure.message


def test_that_no_path_asks_for_one_and_a_stopped_run_says_nothing(npz: Save) -> None:
    values = {"mechanism": "given", "inputs": {"kind": "file"}}
    assert the_failure(**values).message == "choose an .npz or .npy file to read weights from"
    values = {"mechanism": "given", "inputs": {"kind": "file", "path": npz()}}
    assert events(values, should_stop=lambda: True) == []


def softmax(scores: Any, mask: Any) -> Any:
    shares = np.exp(np.where(mask, scores, -np.inf) - scores.max())
    return (shares / shares.sum(axis=-1, keepdims=True)).astype(np.float32)


def of_one_layer(seed: int, heads: int = 4, factor: float = 1.0) -> dict[str, Any]:
    """Return weights that follow from queries and keys of half as many heads, times a factor."""
    rng = np.random.default_rng(seed)
    q, k = (rng.normal(size=(count, 3, 6)).astype(np.float32) for count in (heads, heads // 2))
    mask = np.tril(np.ones((3, 3), bool))
    weights = softmax(factor * q @ k.repeat(2, axis=0).swapaxes(1, 2) / np.sqrt(6), mask)
    return {"weights": weights, "q": q, "k": k, "v": rng.normal(size=(heads // 2, 3, 10)), "mask": mask}


def test_that_each_layer_of_a_file_is_given_by_its_cursor_and_the_last_for_one_that_it_lacks(tmp_path: Path) -> None:
    layers = [of_one_layer(seed) for seed in range(3)]
    arrays = {f"{name}.{number}": array for number, each in enumerate(layers, 1) for name, array in each.items()}
    np.savez(tmp_path / "three.npz", **arrays)
    spec = make_spec({"mechanism": "given", "inputs": {"kind": "file", "path": str(tmp_path / "three.npz")}})
    going = start(spec)
    assert going.advance(never_stop)
    for asked, number in ((None, 0), (2, 2), (0, 0), (1, 1), (7, 2)):
        trace = going.at(Cursor(layer=asked))
        assert (trace.cursor, trace.layers.num_layers) == (Cursor(layer=number), 3)
        np.testing.assert_array_equal(trace.weights[0], layers[number]["weights"])
    os.remove(tmp_path / "three.npz")
    assert going.at(Cursor(layer=1)).weights is going.at(Cursor(layer=1)).weights, "what was read stays"


def test_that_layers_of_a_file_have_the_numbers_of_their_names(tmp_path: Path) -> None:
    layers = {number: of_one_layer(seed=number)["weights"] for number in (4, 8)}
    np.savez(tmp_path / "hybrid.npz", **{f"weights.{number}": each for number, each in layers.items()})
    going = start(make_spec({"mechanism": "given", "inputs": {"kind": "file", "path": str(tmp_path / "hybrid.npz")}}))
    assert going.advance(never_stop)
    for asked, number in ((None, 4), (0, 4), (3, 4), (7, 8), (6, 8), (9, 8)):
        trace = going.at(Cursor(layer=asked))
        assert (trace.number, trace.layers.numbers) == (number - 1, (3, 7))
        np.testing.assert_array_equal(trace.weights[0], layers[number])


def test_that_grouped_queries_and_keys_have_the_stages_before_the_weights(npz: Save) -> None:
    arrays = of_one_layer(seed=4)
    layer = given_trace(npz(**arrays)).layer
    assert layer.stage_names == ("scores", "masked_scores", "weights", "heads", "merge")
    assert (layer.num_heads, layer.num_kv_heads, layer.q.shape[-1], layer.v.shape[-1]) == (4, 2, 6, 10)
    cell = attention_cell(layer, 0, 3, 2, 1)
    product = float(arrays["q"][3, 2].astype(float) @ arrays["k"][1, 1])
    assert cell.terms.total == pytest.approx(product, rel=1e-6)
    assert cell.quotient == pytest.approx(cell.weight, rel=1e-5)
    pooled = arrays["weights"][3, 2].astype(float) @ arrays["v"][1]
    np.testing.assert_allclose(attention_row(layer, 0, 3, 2).output, pooled, rtol=1e-5)


def test_that_a_scale_is_one_more_step_and_arrays_that_lead_elsewhere_are_left_out_with_a_sentence(npz: Save) -> None:
    arrays = of_one_layer(seed=5, factor=2.0)
    apart = given_trace(npz(**arrays)).layer
    assert apart.stage_names == ("weights", "heads", "merge")
    assert not apart.q.size
    assert str(apart.note).startswith("softmax(q · k × scale) differs from the given weights by up to ")
    right = given_trace(npz(**arrays, scale=2 / np.sqrt(6))).layer
    assert "scores" in right.stage_names
    assert not right.note.template
    cell = attention_cell(right, 0, 1, 2, 0)
    assert cell.terms.total * 2 / np.sqrt(6) == pytest.approx(cell.score, rel=1e-5)
