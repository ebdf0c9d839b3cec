import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from running import attention_trace, bits, events, the_failure

from attnviz.definitions.decoder.positions import sinusoidal_positions
from attnviz.engine.attention.inputs import make_inputs
from attnviz.experiment.attention.spec import AttentionSpec
from attnviz.experiment.labs import make_spec

Array = np.ndarray[Any, Any]


def inputs(**values: Any) -> tuple[Array, Array, Array]:
    spec = make_spec(values)
    assert isinstance(spec, AttentionSpec)
    made = make_inputs(spec)
    return made.queries.numpy(), made.keys.numpy(), made.values.numpy()


SIZES = {"batch_size": 2, "num_queries": 3, "num_kvpairs": 4, "query_size": 5, "key_size": 6, "value_size": 7}
SHAPES = [(2, 3, 5), (2, 4, 6), (2, 4, 7)]


@pytest.mark.parametrize("kind", ["random", "ones", "identity"])
def test_that_inputs_have_the_shapes_of_the_spec_in_float32(kind: str) -> None:
    made = inputs(inputs={"kind": kind}, **SIZES)
    assert [x.shape for x in made] == SHAPES
    assert {str(x.dtype) for x in made} == {"float32"}


def test_that_random_inputs_are_standard_normal_and_all_different() -> None:
    made = inputs(num_queries=100, num_kvpairs=100)
    for x in made:
        assert abs(x.mean()) < 0.05
        assert abs(x.std() - 1) < 0.05
    assert len({x.tobytes() for x in made}) == 3


def test_that_a_seed_draws_queries_then_keys_then_values_from_one_generator() -> None:
    generator = torch.Generator().manual_seed(11)
    for made, shape in zip(inputs(seed=11, **SIZES), SHAPES, strict=True):
        np.testing.assert_array_equal(made, torch.randn(shape, generator=generator).numpy())


def test_that_random_inputs_hang_on_seed_and_sizes_and_not_on_the_module() -> None:
    same = [
        inputs(num_hiddens=12, num_heads=heads, seed=4, mechanism=mechanism)[0].tobytes()
        for heads, mechanism in [(1, "multi_head"), (3, "multi_head"), (1, "additive"), (2, "dot_product")]
    ]
    assert len(set(same)) == 1
    assert inputs(num_hiddens=12, num_heads=1, seed=5)[0].tobytes() not in same


def test_that_all_ones_are_ones() -> None:
    assert all((x == 1).all() for x in inputs(inputs={"kind": "ones"}, **SIZES))


def test_that_counted_values_go_through_each_item_as_in_the_book() -> None:
    queries, keys, values = inputs(inputs={"kind": "ones", "values": "arange"}, **SIZES)
    assert (queries == 1).all()
    assert (keys == 1).all()
    np.testing.assert_array_equal(values[0], np.arange(28).reshape(4, 7))
    np.testing.assert_array_equal(values[1], values[0])


@pytest.mark.parametrize("length", [3, 4, 9])
def test_that_identity_tokens_are_unit_vectors_counted_round(length: int) -> None:
    queries, keys, _ = inputs(
        inputs={"kind": "identity"}, num_queries=length, num_kvpairs=2, query_size=4, key_size=2, batch_size=2
    )
    for token in range(length):
        assert np.flatnonzero(queries[1, token]).tolist() == [token % 4]
    np.testing.assert_array_equal(keys[0], np.eye(2))
    assert queries.sum() == 2 * length


@pytest.mark.parametrize("size", [1, 2, 5, 8])
def test_that_positions_are_the_sines_and_cosines_of_the_transformer(size: int) -> None:
    found = sinusoidal_positions(torch, 7, size).numpy()
    for position, feature in np.ndindex(7, size):
        angle = position / 10000 ** (2 * (feature // 2) / size)
        expected = math.cos(angle) if feature % 2 else math.sin(angle)
        assert found[position, feature] == pytest.approx(expected, abs=1e-5)


def words_of(tokens: tuple[str, ...], seed: int = 0, size: int = 16, positions: str = "none") -> Array:
    """Return the embeddings, by default without their positions."""
    values = {"inputs": {"kind": "sentence", "text": " ".join(tokens)}, "positions": positions, "seed": seed}
    return inputs(num_heads=1, num_hiddens=size, **values)[0][0]


def test_that_equal_words_have_equal_embeddings_whatever_their_case() -> None:
    words = words_of(("The", "sea", "the", "SEA", "see"))
    np.testing.assert_allclose(words[0], words[2], atol=1e-5)
    np.testing.assert_allclose(words[1], words[3], atol=1e-5)
    assert len({word.round(3).tobytes() for word in words}) == 3


def test_that_a_words_embedding_hangs_on_the_word_and_the_seed_alone() -> None:
    alone, last = words_of(("sea",))[0], words_of(("we", "see", "the", "sea"))[3]
    np.testing.assert_allclose(alone, last, atol=1e-5)
    assert np.abs(words_of(("sea",), seed=1)[0] - alone).max() > 0.1


def test_that_embeddings_of_many_words_are_standard_normal() -> None:
    words = words_of(tuple(f"word{number}" for number in range(200)), size=50)
    assert abs(words.mean()) < 0.05
    assert abs(words.std() - 1) < 0.05


def test_that_equal_words_at_different_places_still_differ_by_their_positions() -> None:
    x = words_of(("the", "the"), size=8, positions="sentences")
    assert np.abs(x[0] - x[1]).max() > 0.1
    assert (words_of(("the", "the"), size=8)[0] == words_of(("the", "the"), size=8)[1]).all()


@pytest.mark.parametrize("kind", ["random", "ones", "identity", "sentence"])
@pytest.mark.parametrize("alone", [False, True])
def test_that_positions_are_added_to_every_input_where_they_are_on(kind: str, alone: bool) -> None:
    alone = alone or kind == "sentence"
    values = {"inputs": {"kind": kind}, "self_attention": alone, "query_size": 6} | ({} if alone else {"key_size": 5})
    without = inputs(**values, positions="none")
    added = [x + sinusoidal_positions(torch, *x.shape[1:]).numpy() for x in without]
    for x, y in zip(inputs(**values, positions="sinusoidal"), added, strict=True):
        np.testing.assert_array_equal(x, y)
    np.testing.assert_array_equal(inputs(**values)[0], added[0] if kind == "sentence" else without[0])


def test_that_two_sentences_are_queries_of_one_and_keys_and_values_of_the_other() -> None:
    texts = {"text": "we see the sea", "keys_text": "das Meer , the sea"}
    queries, keys, values = inputs(inputs={"kind": "two_sentences", **texts}, key_size=7, seed=5)
    alone = [inputs(inputs={"kind": "sentence", "text": text}, seed=5)[0] for text in texts.values()]
    np.testing.assert_array_equal(queries, alone[0])
    np.testing.assert_array_equal(keys, values)
    short = inputs(inputs={"kind": "sentence", "text": texts["keys_text"]}, query_size=7, seed=5)
    np.testing.assert_array_equal(keys, short[0])
    trace = attention_trace(inputs={"kind": "two_sentences", **texts}, num_heads=2, num_hiddens=8)
    assert trace.query_tokens == ("we", "see", "the", "sea")
    assert trace.key_tokens == ("das", "Meer", ",", "the", "sea")
    assert trace.weights.shape == (1, 2, 4, 5)


def test_that_a_longer_sentence_meets_the_same_matrices_and_words() -> None:
    shape = {"num_heads": 2, "num_hiddens": 8, "causal": True}
    short = attention_trace(inputs={"kind": "sentence", "text": "We see"}, **shape)
    longer = attention_trace(inputs={"kind": "sentence", "text": "We see the sea"}, **shape)
    np.testing.assert_array_equal(short.parameters["W_q"], longer.parameters["W_q"])
    np.testing.assert_allclose(longer.weights[:, :, :2, :2], short.weights, atol=1e-6)


def test_that_parameters_hang_on_the_seed_and_no_two_matrices_are_alike() -> None:
    p = attention_trace(bias=True).parameters
    assert len({array.tobytes() for array in p.values()}) == 8
    assert not any((p[name] == array).any() for name, array in attention_trace(bias=True, seed=1).parameters.items())


def test_that_a_seed_draws_the_matrices_from_a_generator_beside_that_of_the_inputs() -> None:
    p = attention_trace(num_heads=1, num_hiddens=12, query_size=5, key_size=6, seed=11).parameters
    generator = torch.Generator().manual_seed(12)
    for name, shape in (("W_q", (12, 5)), ("W_k", (12, 6))):
        drawn = torch.nn.init.xavier_uniform_(torch.empty(shape), generator=generator)
        np.testing.assert_array_equal(p[name], drawn.numpy())


def test_that_matrices_are_xavier_uniform_and_biases_those_of_a_linear_layer() -> None:
    p = attention_trace(num_heads=1, num_hiddens=60, query_size=40, bias=True).parameters
    for name, fan_in in (("q", 40), ("v", 60)):
        reach = math.sqrt(6 / (fan_in + 60))
        assert 0.95 * reach < np.abs(p[f"W_{name}"]).max() <= reach
        assert 0.8 * fan_in**-0.5 < np.abs(p[f"b_{name}"]).max() <= fan_in**-0.5


def saved(folder: Path, **arrays: Any) -> dict[str, Any]:
    path = folder / "mine.npz"
    np.savez(path, **arrays)
    return {"kind": "file", "path": str(path)}


def normal(*shape: int, seed: int = 0) -> Array:
    return np.random.default_rng(seed).normal(size=shape)


def test_that_a_files_arrays_are_the_inputs_and_set_every_size(tmp_path: Path) -> None:
    own = {"queries": normal(3, 2, 4), "keys": normal(3, 5, 6), "values": normal(3, 5, 7)}
    trace = attention_trace(inputs=saved(tmp_path, **own), num_heads=2, num_hiddens=8, dtype="float64")
    for name, array in own.items():
        np.testing.assert_array_equal(getattr(trace, name), array)
    assert trace.weights.shape == (3, 2, 2, 5)
    assert trace.parameters["W_v"].shape == (8, 7)
    assert trace.key_tokens == ("0", "1", "2", "3", "4")


def test_that_arrays_without_a_batch_are_a_batch_of_one(tmp_path: Path) -> None:
    source = saved(tmp_path, queries=normal(2, 4), keys=normal(5, 4), values=normal(5, 4))
    assert attention_trace(inputs=source, num_heads=2, num_hiddens=8).weights.shape == (1, 2, 2, 5)


def test_that_a_files_matrices_are_the_modules_and_the_missing_ones_are_drawn_as_ever(tmp_path: Path) -> None:
    x = {name: normal(2, 3, 8) for name in ("queries", "keys", "values")}
    plain = attention_trace(inputs=saved(tmp_path, **x), num_heads=2, num_hiddens=8)
    own = attention_trace(inputs=saved(tmp_path, **x, W_q=normal(8, 8), W_o=np.eye(8)), num_heads=2, num_hiddens=8)
    np.testing.assert_array_equal(own.parameters["W_q"], normal(8, 8).astype(np.float32))
    np.testing.assert_array_equal(own.output, own.merged)
    for name in ("W_k", "W_v"):
        np.testing.assert_array_equal(own.parameters[name], plain.parameters[name])


@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("mechanism", ["multi_head", "causal_multi_head"])
def test_that_the_arrays_of_a_trace_saved_and_read_back_give_the_same_run(
    mechanism: str, dtype: str, tmp_path: Path
) -> None:
    shape = {"mechanism": mechanism, "num_heads": 2, "num_hiddens": 8, "valid_lens": [2, 3], "dtype": dtype}
    first = attention_trace(**shape)
    again = attention_trace(**shape, inputs=saved(tmp_path, **first.arrays()))
    arrays, others = bits(first), bits(again)
    assert {name for name in arrays if arrays[name][1:] != others[name][1:]} == set()


@pytest.mark.parametrize("shape", [(3, 4), (2, 3, 4)])
@pytest.mark.parametrize("dtype", ["float32", "float64", "int16"])
def test_that_one_array_in_an_npy_file_is_converted_once_and_stays_one_tensor(
    shape: tuple[int, ...], dtype: str, tmp_path: Path
) -> None:
    np.save(tmp_path / "x.npy", (9 * normal(*shape)).astype(dtype))
    spec = make_spec({"inputs": {"kind": "file", "path": str(tmp_path / "x.npy")}})
    assert isinstance(spec, AttentionSpec)
    made = make_inputs(spec)
    assert made.keys is made.queries
    assert made.values is made.queries


def test_that_one_array_in_an_npy_file_attends_to_itself(tmp_path: Path) -> None:
    np.save(tmp_path / "x.npy", normal(2, 3, 4))
    source = {"kind": "file", "path": str(tmp_path / "x.npy")}
    for mechanism in ("dot_product", "additive", "multi_head", "causal_multi_head"):
        trace = attention_trace(mechanism=mechanism, inputs=source, num_heads=2, num_hiddens=8)
        np.testing.assert_array_equal(trace.queries, normal(2, 3, 4).astype(trace.queries.dtype))
        np.testing.assert_array_equal(trace.keys, trace.queries)
        np.testing.assert_array_equal(trace.values, trace.queries)


@pytest.mark.parametrize(
    ("values", "said"),
    [
        ({"valid_lens": [1, 9]}, "valid length 9 is not in 0..3, the number of keys; nearest: 3"),
        ({"valid_lens": [1]}, "valid_lens has 1 entries for a batch of 2; needed 2"),
        ({"mechanism": "causal_multi_head", "context_length": 2}, "3 tokens are more than the context length 2"),
    ],
)
def test_that_a_file_which_does_not_fit_the_spec_is_a_failure_with_the_specs_own_sentence(
    values: dict[str, Any], said: str, tmp_path: Path
) -> None:
    np.save(tmp_path / "x.npy", normal(2, 3, 8))
    source = {"kind": "file", "path": str(tmp_path / "x.npy")}
    failure = the_failure(inputs=source, num_heads=2, num_hiddens=8, **values)
    assert failure.code == "file_does_not_fit"
    assert said in failure.message


def test_that_the_causal_module_refuses_a_file_whose_keys_are_not_its_queries(tmp_path: Path) -> None:
    source = saved(tmp_path, queries=normal(2, 3, 8), keys=normal(2, 3, 8, seed=1), values=normal(2, 3, 8, seed=2))
    (event,) = events({"mechanism": "causal_multi_head", "inputs": source, "num_heads": 2, "num_hiddens": 8})
    assert getattr(event, "code", "a trace") == "file_does_not_fit"


def test_that_causality_turned_off_in_the_causal_module_is_no_fault_of_the_file(tmp_path: Path) -> None:
    np.save(tmp_path / "x.npy", normal(2, 3, 8))
    source = {"kind": "file", "path": str(tmp_path / "x.npy")}
    with pytest.raises(ValueError, match="causal_multi_head always has causal on"):
        make_spec({"mechanism": "causal_multi_head", "causal": False, "inputs": source})
