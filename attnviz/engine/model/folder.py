"""A folder that holds a model, as Hugging Face lays it out: checked before transformers sees anything of it.

A folder is data of strangers. Its names and sizes come first, then the headers of its weights, then its configuration,
of which only what describes a model goes on. No weight is read here, and nothing in the folder is ever run.
"""

import contextlib
import hashlib
import json
import math
import os
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from attnviz.definitions.text import Text, said
from attnviz.engine.machine import RunError
from attnviz.engine.memory import readable
from attnviz.experiment.files import is_folder, is_there, open_plain, size_of

CONFIG, TOKENIZER, WEIGHTS, INDEX = "config.json", "tokenizer.json", "model.safetensors", "model.safetensors.index.json"

_TOKENIZER_CONFIG = "tokenizer_config.json"

MOST_CONFIG, MOST_TOKENIZER, MOST_HEADER = 1 << 20, 64 << 20, 32 << 20
"""How many bytes these files, and what a file of weights says about itself, may have."""
_SAMPLES, _SAMPLE_BYTES = 64, 4096
"""How many samples of the weights in a file tell them from others, as a training leaves no weight as it was."""
_MOST_SHARDS = 1000
_MOST_NUMBER = 1 << 24
"""No size of a model is larger; Llama 4 has room for 10 million tokens."""
_MOST_PARTS = 256
"""How many layers a configuration may name where the weights have fewer: ALBERT's layers share theirs."""
_MOST_PARTS_EVER = 1000
"""More take longer than a person waits, before any weight is read: some 2 ms each."""
_MOST_ENTRIES, _LONGEST_WORD, _DEEPEST = 4096, 200, 5

FLOATS = {"F32": "float32", "F16": "float16", "BF16": "bfloat16", "F64": "float64"}
"""The number formats of weights, by their names in the files."""
_OTHERS = {"I64": "int64", "I32": "int32", "I16": "int16", "I8": "int8", "U8": "uint8", "BOOL": "bool"}
DTYPES = FLOATS | _OTHERS
_BYTES = {"F64": 8, "I64": 8, "F32": 4, "I32": 4, "F16": 2, "BF16": 2, "I16": 2}

_DROPPED = re.compile(
    "_.*|(attn|experts)_implementation|auto_map|output_.*|(use_)?return_dict|torchscript|(torch_)?dtype|use_cache"
    "|transformers_(version|weights)|name_or_path|num_labels|id2label|label2id|problem_type|finetuning_task"
    "|task_specific_params|chunk_size_feed_forward|(fusion|kernel|distributed|generation)_config|use_kernels"
    "|tokenizer_class|custom_generate"
)
"""Keys of a configuration that describe no model, but how it is loaded or run, or what its outputs are called."""
_QUANTISED = ("quantization_config", "compression_config")
_OF_LAYERS = "per_layer_config"
_COUNTS_PARTS = re.compile(r"(layers?|blocks|experts|stages|depths?)$")
_NUMBER = re.compile(r"(?<![^.])\d+(?![^.])")
"""A number among the parts of a weight's name, which is mostly its layer."""
_LONGEST_PATH = 256
"""The most characters of a path that a sentence names whole."""
_WORD = re.compile(r"[A-Za-z0-9_.-]{1,64}")
_SHARD = re.compile(r"[\w.-]{1,200}\.safetensors", re.ASCII)


@dataclass(frozen=True, slots=True)
class Place:
    """Where the numbers of a weight lie."""

    file: str
    start: int
    end: int


@dataclass(frozen=True)
class Folder:
    """A folder that has passed the checks."""

    path: Path
    model_type: str
    """The family of the model, as transformers calls it."""
    config: dict[str, Any]
    """Its configuration without what describes no model; the sizes in it are within bounds."""
    tensors: Mapping[str, tuple[str, tuple[int, ...]]]
    """The number format, as the files have it, and the shape of each weight, by its name."""
    places: Mapping[str, Place]
    dtype: str
    """The number format of most of its weights, such as "float32"."""
    fingerprint: str
    """A SHA-256 over what tells it from others: configuration, tokenizer, what the weights say about themselves, and
    samples of them."""
    stamps: tuple[tuple[str, int, int, int], ...] = ()
    """Name, size, time of the last change and number on the disk of each file of weights, for what no sample has."""

    def is_as(self, other: "Folder") -> bool:
        """Return whether nothing has changed since another check of the same folder."""
        return (self.fingerprint, self.stamps) == (other.fingerprint, other.stamps)

    @property
    def parameters(self) -> int:
        """How many numbers the weights have."""
        return sum(math.prod(shape) for kind, shape in self.tensors.values() if kind in FLOATS)

    @property
    def nbytes(self) -> int:
        """The bytes of the weights in float32."""
        return sum(math.prod(shape) * (4 if kind in FLOATS else 8) for kind, shape in self.tensors.values())


def check(path: Path) -> Folder:
    """Check a folder, in little time and memory whatever it holds.

    Raises:
        RunError: it holds no model that can be opened; the text says why and what helps.
    """
    if not is_folder(path):
        sentence = "there is no folder {folder}; choose one that holds a model: {files}"
        raise RunError("no_folder", sentence, folder=_named(path), files=", ".join((CONFIG, TOKENIZER, WEIGHTS)))
    given = _read(path / CONFIG, MOST_CONFIG)
    config = _object(given, CONFIG)
    model_type = config.get("model_type")
    if not isinstance(model_type, str) or not _WORD.fullmatch(model_type):
        words = {"value": said(model_type), "file": CONFIG}
        raise RunError("model_config", "{file} says model_type {value}; it must name a family, such as bert", **words)
    tokenizer = _tokenizer(path)
    digest = hashlib.sha256(given + tokenizer)
    tensors: dict[str, tuple[str, tuple[int, ...]]] = {}
    places: dict[str, Place] = {}
    stamps: list[tuple[str, int, int, int]] = []
    for file in _shards(path):
        header = _Header(path / file)
        stamps.append((file, *header.stamp))
        digest.update(header.text + str((file, header.size)).encode() + header.sample.digest())
        for name, kind, shape, start, end in header.tensors():
            if name in tensors:
                words = {"name": said(name), "files": f"{places[name].file}, {file}"}
                raise RunError("weights_broken", "the weight {name} is in two files: {files}", **words)
            tensors[name], places[name] = (kind, shape), Place(file, start, end)
    dtype = _most_frequent(tensors)
    parts = {number for name in tensors for number in _NUMBER.findall(name)}
    most_parts = min(_MOST_PARTS_EVER, max(_MOST_PARTS, len(parts)))
    cleaned = _Cleaning(most_parts).of(config)
    return Folder(path, model_type, cleaned, tensors, places, dtype, digest.hexdigest(), tuple(stamps))


def tokenizer_of(path: Path) -> tuple[str, str]:
    """Return the content of a folder's tokenizer.json, and the token that a masked model fills in, or ""."""
    content = _tokenizer(path).decode("utf-8", "replace")
    mask: Any = ""
    with contextlib.suppress(RunError):  # it is not needed
        mask = _object(_read(path / _TOKENIZER_CONFIG, MOST_CONFIG), _TOKENIZER_CONFIG).get("mask_token")
    mask = mask.get("content") if isinstance(mask, dict) else mask
    return content, mask if isinstance(mask, str) else ""


def _named(path: Path) -> str:
    """Return a path as a sentence names it: both ends of one that would fill the window."""
    name = str(path)
    return name if len(name) <= _LONGEST_PATH else f"{name[: _LONGEST_PATH // 2]} ... {name[-_LONGEST_PATH // 2 :]}"


def _tokenizer(path: Path) -> bytes:
    if not is_there(path / TOKENIZER):
        remedy = "AutoTokenizer.from_pretrained(folder).save_pretrained(folder)"
        sentence = "{folder} has no {file}; in Python, transformers writes it: {remedy}"
        raise RunError("no_tokenizer", sentence, folder=_named(path), file=TOKENIZER, remedy=remedy)
    return _read(path / TOKENIZER, MOST_TOKENIZER)


def _shards(path: Path) -> list[str]:
    """Return the names of the files of weights, which all lie in the folder itself."""
    if is_there(path / WEIGHTS):
        return [WEIGHTS]
    if not is_there(path / INDEX):
        if is_there(path / "pytorch_model.bin") or is_there(path / "pytorch_model.bin.index.json"):
            remedy = "AutoModel.from_pretrained(folder).save_pretrained(folder)"
            sentence = (
                "the weights in {folder} are a pickle, which could run anything when it is read; if you trust it, "
                "transformers writes {file} instead, with the class it was made by in place of AutoModel: {remedy}"
            )
            raise RunError("weights_pickled", sentence, folder=_named(path), file=WEIGHTS, remedy=remedy)
        raise RunError("no_weights", "{folder} has no {file}", folder=_named(path), file=WEIGHTS)
    listed = _object(_read(path / INDEX, MOST_HEADER), INDEX).get("weight_map")
    names: list[Any] = list(listed.values()) if isinstance(listed, dict) else [None]
    for name in names:
        if not isinstance(name, str) or not _SHARD.fullmatch(name):
            sentence = "{index} names the file {name}; it must name files of the folder itself that end in .safetensors"
            raise RunError("weights_index", sentence, index=INDEX, name=said(name))
    if not 1 <= len(set(names)) <= _MOST_SHARDS:
        sentence = "{index} names {count} files; it must be 1 to {most}"
        raise RunError("weights_index", sentence, index=INDEX, count=len(set(names)), most=_MOST_SHARDS)
    return sorted(set(names))


class _Header:
    """What a file of weights says about itself: 8 bytes with the length, then JSON; of the weights only samples."""

    def __init__(self, path: Path) -> None:
        self._name = path.name
        try:
            with open_plain(path) as file:
                self.size = size_of(file)
                known = os.fstat(file.fileno())
                self.stamp = self.size, known.st_mtime_ns, known.st_ino
                length = int.from_bytes(file.read(8), "little")
                if self.size < 8 or length > min(self.size - 8, MOST_HEADER):
                    raise self._broken(Text("it says more about itself than it can hold"))
                self.text = file.read(length)
                self._begin = 8 + len(self.text)
                self.sample = hashlib.sha256()
                for place in range(self._begin, self.size, max(1, (self.size - self._begin) // _SAMPLES)):
                    file.seek(place)
                    self.sample.update(file.read(_SAMPLE_BYTES))
        except OSError as error:
            raise unreadable(path, error) from error

    def tensors(self) -> list[tuple[str, str, tuple[int, ...], int, int]]:
        """Return name, number format, shape, first byte and end of each weight, in the order of the file."""
        found = []
        for name, entry in _object(self.text, self._name).items():
            if name != "__metadata__":
                found.append(self._tensor(name, entry))
        found.sort(key=lambda tensor: tensor[3:])
        ends = [self._begin, *(tensor[4] for tensor in found)]
        apart = [
            begin
            for end, begin in zip(ends, [*(tensor[3] for tensor in found), self.size], strict=True)
            if end != begin
        ]
        if apart:
            raise self._broken(Text("its weights overlap, leave gaps or reach beyond its end"))
        return found

    def _tensor(self, name: str, entry: Any) -> tuple[str, str, tuple[int, ...], int, int]:
        match entry:
            case {"dtype": str(kind), "shape": list(shape), "data_offsets": [int(start), int(end)]} if all(
                type(size) is int and 0 <= size <= 1 << 40 for size in shape
            ):
                if kind not in DTYPES:
                    raise _quantised(said(kind))
                if len(shape) <= 8 and start >= 0 and end - start == math.prod(shape) * _BYTES.get(kind, 1):
                    return name, kind, tuple(shape), self._begin + start, self._begin + end
        raise self._broken(Text("shape and place of the weight {name} do not fit together", {"name": said(name)}))

    def _broken(self, why: Text) -> RunError:
        sentence = "{file} is no whole file of weights: {why}; copy it again"
        return RunError("weights_broken", sentence, file=self._name, why=why)


def _most_frequent(tensors: Mapping[str, tuple[str, tuple[int, ...]]]) -> str:
    """Return the number format of most weights."""
    totals: dict[str, int] = {}
    for kind, shape in tensors.values():
        totals[kind] = totals.get(kind, 0) + math.prod(shape)
    most = max(totals, key=lambda kind: totals[kind], default="")
    if not totals.get(most):
        raise RunError("no_weights", "the files of weights hold none")
    if most not in FLOATS:
        raise _quantised(DTYPES[most])
    return FLOATS[most]


def _quantised(how: str) -> RunError:
    sentence = "the weights are quantised ({how}), which this lab cannot open; use the folder in {formats}"
    return RunError("weights_quantised", sentence, how=how, formats=", ".join(FLOATS.values()))


@dataclass(frozen=True, slots=True)
class _Cleaning:
    """Takes from a configuration what describes a model, and refuses what no model has."""

    most_parts: int

    def of(self, given: Mapping[str, Any], place: str = "", depth: int = 0) -> dict[str, Any]:
        """Return the keys that describe a model."""
        kept = {}
        for key, value in given.items():
            if value and key in _QUANTISED:
                raise _quantised(key)
            if value and key == _OF_LAYERS:
                raise _of_config(key, Text("layers with configurations of their own cannot be opened"))
            if not _DROPPED.fullmatch(key):
                kept[key] = self._value(value, f"{place}{key}", depth)
        return kept

    def _value(self, value: Any, key: str, depth: int, in_lists: int = 0) -> Any:
        if depth > _DEEPEST:
            raise _of_config(key, Text("it is nested deeper than {most}", {"most": _DEEPEST}))
        match value:
            case bool() | None:
                return value
            case int():
                if abs(value) > (most := self._most(key, in_lists)):
                    raise _of_config(key, Text("it is {value}; at most {most}", {"value": said(value), "most": most}))
            case float():
                if not math.isfinite(value):
                    raise _of_config(key, Text("it is {value}, no finite number", {"value": value}))
            case str():
                if len(value) > _LONGEST_WORD:
                    raise _of_config(key, Text("it is longer than {most} characters", {"most": _LONGEST_WORD}))
            case dict() | list() if len(value) > _MOST_ENTRIES:
                raise _of_config(key, Text("it has more than {most} entries", {"most": _MOST_ENTRIES}))
            case dict():
                return self.of(value, f"{key}.", depth + 1)
            case list():
                return [self._value(each, key, depth + 1, in_lists + 1) for each in value]
        return value

    def _most(self, key: str, in_lists: int) -> int:
        name = key.rpartition(".")[2]
        if _COUNTS_PARTS.search(name):
            return self.most_parts if "expert" not in name else _MOST_ENTRIES
        if in_lists > 1:  # such lists are repeated so many times
            return _MOST_ENTRIES
        return 1 << 50 if "theta" in name or "base" in name else _MOST_NUMBER


def _of_config(key: str, why: Text) -> RunError:
    return RunError("model_config", "{key} in {file}: {why}", key=said(key), file=CONFIG, why=why)


def _read(path: Path, most: int) -> bytes:
    """Return the content of a plain file of at most so many bytes."""
    try:
        with open_plain(path) as file:
            if size_of(file) > most:
                words = {"file": path.name, "size": readable(size_of(file)), "most": readable(most)}
                raise RunError("folder_too_large", "{file} has {size}; at most {most}", **words)
            return file.read(most)
    except FileNotFoundError as error:
        folder, name = _named(path.parent), path.name
        sentence = "{folder} has no {file}; choose the folder that holds the model itself"
        raise RunError("no_config", sentence, folder=folder, file=name) from error
    except OSError as error:
        raise unreadable(path, error) from error


def unreadable(path: Path, error: OSError) -> RunError:
    """Return the error of a file that cannot be read."""
    words = {"file": path.name, "folder": _named(path.parent), "why": error.strerror or str(error)}
    return RunError("folder_unreadable", "cannot read {file} in {folder}: {why}", **words)


def _object(text: bytes, name: str) -> dict[str, Any]:
    """Return a JSON object."""
    try:
        found = json.loads(text)
    except (ValueError, RecursionError):  # no JSON or no UTF-8; nested too deep
        found = None
    if not isinstance(found, dict):
        raise RunError("folder_no_json", "{file} holds no JSON object; copy it again", file=name)
    return found
