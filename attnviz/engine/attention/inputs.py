"""Queries, keys and values of a run. All random numbers come from the spec's seed, drawn on the CPU in float32.

The order of the draws is part of what a seed means: queries, keys, values.
"""

import hashlib
from dataclasses import dataclass, replace
from typing import Any

import torch
from torch import Tensor

from attnviz.definitions.decoder.positions import sinusoidal_positions
from attnviz.engine.arrays_file import read_arrays
from attnviz.engine.kept_results import AFRESH, Results
from attnviz.engine.machine import RunError
from attnviz.experiment.attention.fields import (
    FileInputs,
    IdentityInputs,
    OnesInputs,
    RandomInputs,
    SentenceInputs,
    TwoSentencesInputs,
    WordInputs,
)
from attnviz.experiment.attention.spec import AttentionSpec
from attnviz.experiment.labs import SpecError, make_spec

FLOAT32: Any = {"dtype": torch.float32, "device": "cpu"}
"""Passed to every draw: torch's default dtype and device are global state, and a run depends on its spec only."""


@dataclass(frozen=True, slots=True)
class InputTensors:
    """The inputs of a run: queries (B, Q, ·), keys (B, K, ·), values (B, K, ·), labels, the user's own matrices.

    Queries, keys and values are one tensor in self-attention; keys and values are one for two sentences. ``spec`` is
    the run's spec with the sizes of these tensors.
    """

    spec: AttentionSpec
    queries: Tensor
    keys: Tensor
    values: Tensor
    query_tokens: tuple[str, ...]
    key_tokens: tuple[str, ...]
    matrices: dict[str, Tensor]


def make_inputs(spec: AttentionSpec, results: Results = AFRESH) -> InputTensors:
    """Return the inputs of a spec, in float32 (float64 if a file has it) on the CPU.

    Raises:
        RunError: a file cannot be used.
    """
    tensors: tuple[Tensor, ...]
    match spec.inputs:
        case FileInputs(path=path):
            return _from_file(spec, path)
        case SentenceInputs() as sentence:
            tensors = (results.of(_one_sentence, sentence.tokens, spec.size_of_queries, spec.seed),)
        case TwoSentencesInputs(tokens=tokens, key_tokens=key_tokens):
            sized = (tokens, spec.size_of_queries), (key_tokens, spec.size_of_keys)
            tensors = tuple(results.of(_one_sentence, *each, spec.seed) for each in sized)
        case RandomInputs():
            tensors = results.of(_normal, _shapes(spec), spec.seed)
        case OnesInputs(values=filling):
            tensors = results.of(_ones, _shapes(spec), filling == "arange" and not spec.self_attention)
        case IdentityInputs():
            tensors = results.of(_one_hot, _shapes(spec))
    if spec.adds_positions:
        tensors = tuple(results.of(_with_positions, x) for x in tensors)
    queries, keys, values = (*tensors, tensors[-1], tensors[-1])[:3]  # those left out are the last one
    if isinstance(spec.inputs, WordInputs):
        return InputTensors(spec, queries, keys, values, spec.inputs.tokens, spec.inputs.key_tokens, {})
    return InputTensors(spec, queries, keys, values, _numbered(queries), _numbered(keys), {})


def compared(inputs: InputTensors, results: Results) -> InputTensors:
    """Return inputs read from a file, replaced by the tensors of an earlier run if those have the same bits."""
    queries, keys, values = (results.same(x) for x in (inputs.queries, inputs.keys, inputs.values))
    matrices = {name: results.same(x) for name, x in inputs.matrices.items()}
    return replace(inputs, queries=queries, keys=keys, values=values, matrices=matrices)


def _one_sentence(tokens: tuple[str, ...], size: int, seed: int) -> Tensor:
    """Return (1, tokens, size), a normal vector for each word.

    It depends only on the word and the seed, so editing a sentence leaves the other words' vectors alone.
    """
    return torch.stack([_word_vector(token.casefold(), size, seed) for token in tokens])[None]


def _with_positions(x: Tensor) -> Tensor:
    """Return x (B, L, size) with the sinusoidal position of each token added (Vaswani et al. 2017)."""
    added: Tensor = x + sinusoidal_positions(torch, *x.shape[1:])
    return added


def _word_vector(word: str, size: int, seed: int) -> Tensor:
    digest = hashlib.blake2b(f"{seed} {word}".encode(), digest_size=7).digest()
    generator = torch.Generator("cpu").manual_seed(int.from_bytes(digest, "big"))
    return torch.randn(size, generator=generator, **FLOAT32)


_Shape = tuple[int, int, int]


def _shapes(spec: AttentionSpec) -> tuple[_Shape, ...]:
    """Return the shapes of queries, keys and values; in self-attention, one tensor, its shape alone."""
    queries = spec.batch_size, spec.num_queries, spec.size_of_queries
    if spec.self_attention:
        return (queries,)
    keys = spec.batch_size, spec.num_kvpairs, spec.size_of_keys
    return queries, keys, (spec.batch_size, spec.num_kvpairs, spec.size_of_values)


def _normal(shapes: tuple[_Shape, ...], seed: int) -> tuple[Tensor, ...]:
    generator = torch.Generator("cpu").manual_seed(seed)
    return tuple(torch.randn(shape, generator=generator, **FLOAT32) for shape in shapes)


def _ones(shapes: tuple[_Shape, ...], counts_values: bool) -> tuple[Tensor, ...]:
    ones = tuple(torch.ones(shape, **FLOAT32) for shape in shapes)
    if not counts_values:
        return ones
    queries, keys, values = ones
    counted = torch.arange(values[0].numel(), **FLOAT32)
    return queries, keys, counted.reshape(values[0].shape).expand(values.shape)


def _one_hot(shapes: tuple[_Shape, ...]) -> tuple[Tensor, ...]:
    return tuple(_one_hot_tokens(*shape) for shape in shapes)


def _one_hot_tokens(batch: int, length: int, size: int) -> Tensor:
    positions = torch.arange(length, device="cpu")
    vectors = torch.zeros(length, size, **FLOAT32)
    vectors[positions, positions % size] = 1
    return vectors.expand(batch, length, size)


def _from_file(spec: AttentionSpec, path: str) -> InputTensors:
    read = read_arrays(path)
    tensors = {id(array): torch.from_numpy(array) for array in read.values()}
    arrays = {name: tensors[id(array)] for name, array in read.items()}
    queries, keys, values = (arrays.pop(name) for name in ("queries", "keys", "values"))
    attends_to_itself = spec.mechanism_record.attends_to_itself
    sized = spec.model_dump(exclude={"inputs"}) | {
        "self_attention": attends_to_itself,
        "batch_size": len(queries),
        "num_queries": queries.shape[1],
        "num_kvpairs": keys.shape[1],
        "query_size": queries.shape[2],
        "key_size": keys.shape[2],
        "value_size": values.shape[2],
    }
    if len({len(queries), len(keys), len(values)}) > 1 or keys.shape[1] != values.shape[1]:
        shapes = ", ".join(str(tuple(t.shape)) for t in (queries, keys, values))
        raise RunError(
            "file_shapes", "{path}: queries, keys and values do not fit each other: {shapes}", path=path, shapes=shapes
        )
    if attends_to_itself and not (torch.equal(queries, keys) and torch.equal(queries, values)):
        details = {"path": path, "mechanism": spec.mechanism}
        raise RunError(
            "file_does_not_fit",
            "{path}: {mechanism} attends to its own tokens, but keys and values differ from queries; nearest: "
            "multi_head with causal on",
            **details,
        )
    try:
        sized_spec = make_spec(sized)
    except SpecError as error:
        raise RunError("file_does_not_fit", "{path}: {problem}", path=path, problem=error.text) from error
    assert isinstance(sized_spec, AttentionSpec)
    return InputTensors(sized_spec, queries, keys, values, _numbered(queries), _numbered(keys), arrays)


def _numbered(x: Tensor) -> tuple[str, ...]:
    return tuple(str(position) for position in range(x.shape[1]))
