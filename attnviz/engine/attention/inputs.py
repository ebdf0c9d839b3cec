"""Queries, keys and values of a run. Everything random comes from the spec's seed, drawn on the CPU in float32.

The order of the draws is part of what a seed means: queries, keys, values.
"""

import hashlib
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor

from attnviz.definitions.positions import sinusoidal_positions
from attnviz.engine.arrays_file import read_arrays
from attnviz.engine.machine import RunError
from attnviz.experiment.attention.fields import FileInputs, IdentityInputs, OnesInputs, RandomInputs, SentenceInputs
from attnviz.experiment.attention.spec import AttentionSpec
from attnviz.experiment.labs import SpecError, make_spec

FLOAT32: Any = {"dtype": torch.float32, "device": "cpu"}
"""Passed to every draw: torch's default dtype and device are global state, and a run depends only on its spec."""


@dataclass(frozen=True, slots=True)
class InputTensors:
    """The inputs of a run: queries (B, Q, ·), keys (B, K, ·), values (B, K, ·), labels, the user's own matrices.

    Queries, keys and values are one tensor in self-attention. ``spec`` is the run's spec with the sizes of these
    tensors.
    """

    spec: AttentionSpec
    queries: Tensor
    keys: Tensor
    values: Tensor
    query_tokens: tuple[str, ...]
    key_tokens: tuple[str, ...]
    matrices: dict[str, Tensor]


def make_inputs(spec: AttentionSpec) -> InputTensors:
    """Return the inputs of a spec, in float32 (float64 if a file has it) on the CPU.

    Raises:
        RunError: a file cannot be used.
    """
    match spec.inputs:
        case FileInputs(path=path):
            return _from_file(spec, path)
        case SentenceInputs() as sentence:
            x = sentence_embeddings(sentence.tokens, spec.size_of_queries, spec.seed)[None]
            return InputTensors(spec, x, x, x, sentence.tokens, sentence.tokens, {})
        case RandomInputs():
            generator = torch.Generator("cpu").manual_seed(spec.seed)
            queries, keys, values = _three(spec, lambda *shape: torch.randn(shape, generator=generator, **FLOAT32))
        case OnesInputs(values=filling):
            queries, keys, values = _three(spec, lambda *shape: torch.ones(shape, **FLOAT32))
            if filling == "arange" and not spec.self_attention:
                counted = torch.arange(values[0].numel(), **FLOAT32)
                values = counted.reshape(values[0].shape).expand(values.shape)
        case IdentityInputs():
            queries, keys, values = _three(spec, _one_hot)
    return InputTensors(spec, queries, keys, values, _numbered(queries), _numbered(keys), {})


def sentence_embeddings(tokens: tuple[str, ...], size: int, seed: int) -> Tensor:
    """Return (tokens, size): a normal vector for each word plus its sinusoidal position (Vaswani et al. 2017).

    A word's vector depends only on the word and the seed, so editing a sentence leaves the other words' vectors alone.
    """
    words = torch.stack([_word_vector(token.casefold(), size, seed) for token in tokens])
    embeddings: Tensor = words + sinusoidal_positions(torch, len(tokens), size)
    return embeddings


def _word_vector(word: str, size: int, seed: int) -> Tensor:
    digest = hashlib.blake2b(f"{seed} {word}".encode(), digest_size=7).digest()
    generator = torch.Generator("cpu").manual_seed(int.from_bytes(digest, "big"))
    return torch.randn(size, generator=generator, **FLOAT32)


def _one_hot(batch: int, length: int, size: int) -> Tensor:
    positions = torch.arange(length, device="cpu")
    vectors = torch.zeros(length, size, **FLOAT32)
    vectors[positions, positions % size] = 1
    return vectors.expand(batch, length, size)


def _three(spec: AttentionSpec, make: Callable[[int, int, int], Tensor]) -> tuple[Tensor, Tensor, Tensor]:
    """Return queries, keys and values; one tensor three times in self-attention."""
    queries = make(spec.batch_size, spec.num_queries, spec.size_of_queries)
    if spec.self_attention:
        return queries, queries, queries
    keys = make(spec.batch_size, spec.num_kvpairs, spec.size_of_keys)
    return queries, keys, make(spec.batch_size, spec.num_kvpairs, spec.size_of_values)


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
        words = {"path": path, "mechanism": spec.mechanism}
        raise RunError(
            "file_does_not_fit",
            "{path}: {mechanism} attends to its own tokens, but keys and values differ from queries; nearest: "
            "multi_head with causal on",
            **words,
        )
    try:
        sized_spec = make_spec(sized)
    except SpecError as error:
        raise RunError("file_does_not_fit", "{path}: {problem}", path=path, problem=error.text) from error
    assert isinstance(sized_spec, AttentionSpec)
    return InputTensors(sized_spec, queries, keys, values, _numbered(queries), _numbered(keys), arrays)


def _numbered(x: Tensor) -> tuple[str, ...]:
    return tuple(str(position) for position in range(x.shape[1]))
