"""A trained model as a model folder: the files of a family of pretrained models that computes the same.

The folder has config.json, model.safetensors and tokenizer.json. Its numbers are those of the training, in another
layout, so its weights are the training's up to rounding. Ablated heads are on, as in the training.

The tensors are written here, since a training needs no package for pretrained models: eight bytes with the length of a
JSON header, the header, and the numbers.
"""

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from itertools import count
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np
from numpy.typing import NDArray

from attnviz.definitions.decoder.positions import POSITIONS
from attnviz.definitions.mechanisms.rotary import BASE
from attnviz.definitions.text import Refused
from attnviz.experiment.files.plain_files import write_atomically
from attnviz.experiment.train.spec import TrainSpec
from attnviz.experiment.train.trained import TrainedState, parameter_shapes

Parameters = dict[str, NDArray[np.floating]]
_DTYPES = {"float32": "F32", "float64": "F64"}
"""The names of dtypes in model.safetensors."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Family:
    """A family of pretrained models with layer norm before each part of a layer and before the prediction."""

    positions: frozenset[str]
    """The kinds of positions that it has."""
    config: Callable[[TrainSpec, int], Mapping[str, Any]]
    """From a spec and the inner size of its feed-forward networks: the fields of config.json."""
    names: Mapping[str, str]
    """The path of each of our modules; those of a layer are within ``layers``."""
    joined: Callable[[Parameters, int], NDArray[np.floating]]
    """From W_q, W_k and W_v (D, D) by name, and the number of heads: the one matrix (3 D, D) that it has instead."""
    has_biases: bool = False
    """Whether the projections of attention always have biases."""
    inputs_first: bool = False
    """Whether the matrices of its layers are (inputs, outputs)."""


def _by_head(own: Parameters, heads: int) -> NDArray[np.floating]:
    """Return the rows for the query, the key and the value of each head, head after head."""
    parts = [matrix.reshape(heads, -1, matrix.shape[1]) for matrix in own.values()]
    return np.concatenate(parts, axis=1).reshape(-1, parts[0].shape[-1])


GPT_NEOX = Family(
    positions=frozenset({"rotary"}),
    config=lambda spec, inner: {
        "architectures": ["GPTNeoXForCausalLM"],
        "model_type": "gpt_neox",
        "hidden_size": spec.num_hiddens,
        "num_hidden_layers": spec.num_layers,
        "num_attention_heads": spec.num_heads,
        "intermediate_size": inner,
        "max_position_embeddings": spec.num_tokens,
        "hidden_act": "relu",
        "attention_bias": False,
        "use_parallel_residual": False,
        "rope_parameters": {"rope_type": "default", "rope_theta": BASE, "partial_rotary_factor": 1.0},
        "attention_dropout": 0.0,
        "hidden_dropout": 0.0,
        "layer_norm_eps": 1e-5,
    },
    names={
        "embedding": "gpt_neox.embed_in",
        "layers": "gpt_neox.layers",
        "attention_norm": "input_layernorm",
        "attention.joined": "attention.query_key_value",
        "attention.W_o": "attention.dense",
        "feed_forward_norm": "post_attention_layernorm",
        "feed_forward.W_1": "mlp.dense_h_to_4h",
        "feed_forward.W_2": "mlp.dense_4h_to_h",
        "final_norm": "gpt_neox.final_layer_norm",
        "unembedding": "embed_out",
    },
    joined=_by_head,
)
GPT_2 = Family(
    positions=frozenset({"none", "sinusoidal", "learned"}),
    config=lambda spec, inner: {
        "architectures": ["GPT2LMHeadModel"],
        "model_type": "gpt2",
        "n_embd": spec.num_hiddens,
        "n_layer": spec.num_layers,
        "n_head": spec.num_heads,
        "n_inner": inner,
        "n_positions": spec.num_tokens,
        "activation_function": "relu",
        "attn_pdrop": 0.0,
        "embd_pdrop": 0.0,
        "resid_pdrop": 0.0,
        "layer_norm_epsilon": 1e-5,
    },
    names={
        "embedding": "transformer.wte",
        "position_embedding": "transformer.wpe",
        "layers": "transformer.h",
        "attention_norm": "ln_1",
        "attention.joined": "attn.c_attn",
        "attention.W_o": "attn.c_proj",
        "feed_forward_norm": "ln_2",
        "feed_forward.W_1": "mlp.c_fc",
        "feed_forward.W_2": "mlp.c_proj",
        "final_norm": "transformer.ln_f",
        "unembedding": "lm_head",
    },
    joined=lambda own, _: np.concatenate([*own.values()]),
    has_biases=True,
    inputs_first=True,
)
FAMILIES = (GPT_NEOX, GPT_2)


def family_of(spec: TrainSpec) -> Family:
    """Return the family whose models compute the same as that of a training.

    Raises:
        Refused: there is none; says why, and the nearest options that have one.
    """
    if not spec.norm:
        raise Refused("no known family of models is without layer norm; nearest: layer norm on")
    found = next((each for each in FAMILIES if spec.positions in each.positions), None)
    if found is None:
        known = [name for name in POSITIONS if any(name in each.positions for each in FAMILIES)]
        sentence = "no known family of models has positions '{positions}' and is otherwise the same; nearest: {nearest}"
        raise Refused(sentence, positions=spec.positions, nearest=", ".join(known))
    return found


def check(spec: TrainSpec, folder: Path | None = None) -> None:
    """Check that the model of a spec can be written in a folder, None for any.

    Raises:
        Refused: no family computes the same, or the folder is not empty.
    """
    family_of(spec)
    if folder is None or not folder.exists() or (folder.is_dir() and not any(folder.iterdir())):
        return
    nearest = next(path for at in count(2) if not (path := folder.with_name(f"{folder.name}-{at}")).exists())
    raise Refused("{folder} exists and is not empty; nearest: {nearest}", folder=str(folder), nearest=str(nearest))


def write_model_folder(trained: TrainedState, folder: Path, step: int | None = None) -> int:
    """Write the state after a step of a training as a new folder, and return its step.

    Args:
        trained: the stored states.
        folder: a path where nothing is, or an empty folder.
        step: the step; None, or one that is not stored: the newest.

    Raises:
        Refused: no family computes the same, or the folder is not empty.
        OSError: the folder cannot be written.
    """
    states = dict(trained.states())
    step = step if step in states else trained.step
    spec, family = trained.spec, family_of(trained.spec)
    inner = parameter_shapes(spec).get("layers.0.feed_forward.W_1.weight", (1,))[0]
    tensors = _tensors(spec, family, states[step], inner)
    config = {
        **family.config(spec, inner),
        "vocab_size": spec.vocab_size,
        "tie_word_embeddings": spec.tied_embedding,
        "dtype": spec.dtype,
        **dict.fromkeys(("bos_token_id", "eos_token_id", "pad_token_id")),
    }
    check(spec, folder)
    folder.mkdir(parents=True, exist_ok=True)
    files = {name: _json(content) for name, content in (("config.json", config), ("tokenizer.json", _tokenizer(spec)))}
    for name, content in {**files, "model.safetensors": _safetensors(tensors)}.items():
        write_atomically(folder / name, partial(_write, content))
    return step


def probe_text(spec: TrainSpec) -> str:
    """Return the probe as a text that the folder's tokenizer reads."""
    return _between(spec).join(spec.alphabet[token] for token in spec.probe_tokens)


def _json(content: Mapping[str, Any]) -> bytes:
    return (json.dumps(content, indent=1, ensure_ascii=False) + "\n").encode()


def _write(content: bytes, file: BinaryIO) -> None:
    file.write(content)


def _tensors(spec: TrainSpec, family: Family, state: NDArray[np.floating], inner: int) -> Parameters:
    """Return the tensors of the family by name, from the numbers of a state."""
    own: Parameters = {}
    begin = 0
    for name, shape in parameter_shapes(spec).items():
        end = begin + int(np.prod(shape))
        own[name], begin = state[begin:end].reshape(shape), end
    D, dtype = spec.num_hiddens, np.dtype(spec.dtype)
    if "position_embedding" in family.names and "position_embedding.weight" not in own:
        fixed = POSITIONS[spec.positions].vectors
        places = np.zeros((spec.num_tokens, D)) if fixed is None else fixed(np, spec.num_tokens, D)
        own["position_embedding.weight"] = places.astype(dtype)
    for layer in (f"layers.{number}." for number in range(spec.num_layers)):
        if not spec.feed_forward:  # networks that add nothing
            shapes = {"W_1.weight": (inner, D), "W_1.bias": (inner,), "W_2.weight": (D, inner), "W_2.bias": (D,)}
            own |= {f"{layer}feed_forward.{name}": np.zeros(shape, dtype) for name, shape in shapes.items()}
            own[f"{layer}feed_forward_norm.weight"] = np.ones(D, dtype)
            own[f"{layer}feed_forward_norm.bias"] = np.zeros(D, dtype)
        projections = {name: own.pop(f"{layer}attention.{name}.weight") for name in ("W_q", "W_k", "W_v")}
        own[f"{layer}attention.joined.weight"] = family.joined(projections, spec.num_heads)
        if family.has_biases:
            own[f"{layer}attention.joined.bias"] = np.zeros(3 * D, dtype)
            own[f"{layer}attention.W_o.bias"] = np.zeros(D, dtype)
    return {_renamed(name, family): _laid_out(name, values, family) for name, values in own.items()}


def _renamed(name: str, family: Family) -> str:
    module, _, kind = name.rpartition(".")
    if not module.startswith("layers."):
        return f"{family.names[module]}.{kind}"
    _, number, within = module.split(".", 2)
    return f"{family.names['layers']}.{number}.{family.names[within]}.{kind}"


def _laid_out(name: str, values: NDArray[np.floating], family: Family) -> NDArray[np.floating]:
    is_turned = family.inputs_first and name.startswith("layers.") and values.ndim > 1
    return np.ascontiguousarray(values.T if is_turned else values)


def _safetensors(tensors: Parameters) -> bytes:
    """Return the content of model.safetensors."""
    header: dict[str, Any] = {"__metadata__": {"format": "pt"}}
    end, contents = 0, []
    for name, values in tensors.items():
        content = values.astype(values.dtype.newbyteorder("<")).tobytes()
        begin, end = end, end + len(content)
        dtype = _DTYPES[values.dtype.name]
        header[name] = {"dtype": dtype, "shape": list(values.shape), "data_offsets": [begin, end]}
        contents.append(content)
    text = json.dumps(header).encode()
    text += b" " * (-len(text) % 8)  # so that the numbers begin at a multiple of their size
    return len(text).to_bytes(8, "little") + text + b"".join(contents)


def _tokenizer(spec: TrainSpec) -> dict[str, Any]:
    """Return the content of tokenizer.json: a token is a character if all are, else a word between blanks."""
    alphabet = spec.alphabet
    between, decoder = {"type": "WhitespaceSplit"}, None
    split: dict[str, Any] = between
    if all(len(word) == 1 for word in alphabet):
        split = {"type": "Split", "pattern": {"Regex": r"[\s\S]"}, "behavior": "Isolated", "invert": False}
        if not any(word.isspace() for word in alphabet):
            split = {"type": "Sequence", "pretokenizers": [between, split]}
    if not _between(spec):
        decoder = {"type": "Fuse"}
    vocabulary = {word: number for number, word in enumerate(alphabet)}
    empty = dict.fromkeys(("truncation", "padding", "normalizer", "post_processor"))
    model = {"type": "WordLevel", "vocab": vocabulary, "unk_token": "[UNK]"}
    return {"version": "1.0", **empty, "added_tokens": [], "pre_tokenizer": split, "decoder": decoder, "model": model}


def _between(spec: TrainSpec) -> str:
    """Return what is between two tokens of a text."""
    return "" if spec.task.record.decides_vocabulary else " "
