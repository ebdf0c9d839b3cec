"""A model folder in the layout of Hugging Face, validated before transformers sees any of it.

A folder is untrusted data. Its names and sizes are checked first, then the headers of its weights, then its
configuration, from which only the keys that describe a model are passed on. No weight is read here, and nothing in the
folder is ever executed.
"""

import contextlib
import hashlib
import json
import math
import os
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from io import BufferedReader
from pathlib import Path
from typing import Any, NamedTuple

import torch

from attnviz.definitions.text import English, Text, quoted
from attnviz.engine.machine import RunError
from attnviz.engine.memory import readable
from attnviz.engine.model.images.families import FAMILIES
from attnviz.experiment.files.plain_files import is_folder, is_there, open_plain, size_of
from attnviz.experiment.model.spec import OWN_IMAGE

_ADAPTER = "adapter_config.json"
CONFIG, TOKENIZER, WEIGHTS, INDEX = "config.json", "tokenizer.json", "model.safetensors", "model.safetensors.index.json"
PREPROCESSOR = "preprocessor_config.json"

MOST_CONFIG, MOST_TOKENIZER, MOST_HEADER = 1 << 20, 64 << 20, 32 << 20
"""The limits, in bytes, of these files and of the header of a weights file."""
_SAMPLES, _SAMPLE_BYTES = 64, 4096
"""The number of samples of the weights that fingerprint a file; training changes every weight."""
_MOST_SHARDS = 1000
_MOST_NUMBER = 1 << 24
"""The limit for sizes in a configuration; Llama 4 has room for 10 million tokens."""
_MOST_WEIGHTS = 100_000
"""The limit for the number of weights; DeepSeek-V3 has some 91,000, and more take seconds to list."""
_MOST_ENTRIES, _LONGEST_WORD, _DEEPEST = 4096, 200, 6
_MOST_LABELS = 32_768
"""ImageNet-21k has 21,841."""

_DTYPES = {"F32": torch.float32, "F16": torch.float16, "BF16": torch.bfloat16, "F64": torch.float64} | {
    "I64": torch.int64, "I32": torch.int32, "I16": torch.int16, "I8": torch.int8, "U8": torch.uint8, "BOOL": torch.bool
}  # fmt: skip
"""The number formats of weights, by their names in the files."""

_DROPPED = re.compile(
    "_(?!sliding_window_pattern$|pad_token_id$).*|(attn|experts)_implementation|auto_map"
    "|output_(attentions|hidden_states|router_logits)|(use_)?return_dict|torchscript|(torch_)?dtype|use_cache"
    "|transformers_(version|weights)|name_or_path|num_labels|id2label|label2id|problem_type|finetuning_task"
    "|task_specific_params|chunk_size_feed_forward|(fusion|kernel|distributed|generation)_config|use_kernels"
    "|tokenizer_class|custom_generate"
)
"""Keys of a configuration for loading, running or labelling outputs, which do not describe the model."""
_QUANTISED = ("quantization_config", "compression_config")
OF_LAYERS = "per_layer_config"
"""The key of the settings that differ between layers."""
_NOT_OF_JSON = {"Infinity": math.inf, "-Infinity": -math.inf, "NaN": math.nan}
"""The numbers that JSON lacks, by the names that transformers writes for them: {"__float__": "Infinity"}."""
_LONGEST_PATH = 256
"""The longest path that a message quotes in full."""
_WORD = re.compile(r"[A-Za-z0-9_.-]{1,64}")
_SHARD = re.compile(r"[\w.-]{1,200}\.safetensors", re.ASCII)


class Weight(NamedTuple):
    """A weight in the files, with its dtype, shape and offsets."""

    dtype: torch.dtype
    shape: tuple[int, ...]
    file: str
    start: int
    end: int

    @property
    def size(self) -> int:
        """The number of elements."""
        return math.prod(self.shape)


class Stamp(NamedTuple):
    """Identifies the version of a file."""

    name: str
    size: int
    changed_ns: int
    inode: int


@dataclass(frozen=True)
class Folder:
    """A folder that passed validation."""

    path: Path
    model_type: str
    """The model family, under the name of transformers."""
    config: dict[str, Any]
    """The configuration without keys that do not describe the model; its sizes are within bounds."""
    weights: Mapping[str, Weight]
    """By name, file after file."""
    dtype: str
    """The dtype of most of its weights, such as "float32"."""
    fingerprint: str
    """A SHA-256 over configuration, tokenizer, the headers of the weights files, and samples of the weights."""
    stamps: tuple[Stamp, ...]
    """Of the weights files, to notice changes outside the samples."""
    of_images: bool = False
    """Whether its image side is opened: the content of preprocessor_config.json counts, not the tokenizer."""
    labels: tuple[str, ...] = ()
    """The names of what a classifier tells apart; of folders with `of_images`."""

    @property
    def parameters(self) -> int:
        """The number of elements in all weights."""
        return sum(weight.size for weight in self.weights.values() if weight.dtype.is_floating_point)


def check(path: Path, *, of_images: bool = False) -> Folder:
    """Validate a folder, in little time and memory; ``of_images`` if the model is to read an image.

    Raises:
        RunError: its model cannot be opened; says why, and what helps.
    """
    if not is_folder(path):
        sentence = "there is no folder {folder}; choose one that holds a model: {files}"
        values = {"folder": _named(path.absolute()), "files": ", ".join((CONFIG, TOKENIZER, WEIGHTS))}
        raise RunError("no_folder", sentence, **values)
    if not is_there(path / CONFIG):
        if is_there(path / _ADAPTER):
            base = json_object(read_file(path / _ADAPTER, MOST_CONFIG), _ADAPTER).get("base_model_name_or_path")
            sentence = (
                "{folder} holds {file}: an adapter (such as LoRA) of the model {base}, not that model; "
                "choose the folder of the model, or merge both and save them: {remedy}"
            )
            raise _lacks(path, _ADAPTER, "adapter", sentence, base=quoted(base), remedy="model.merge_and_unload()")
        sentence = "{folder} has no {file}; choose the folder that holds the model itself"
        raise _lacks(path, CONFIG, "no_config", sentence)
    content = read_file(path / CONFIG, MOST_CONFIG)
    config = json_object(content, CONFIG)
    model_type = config.get("model_type")
    if not isinstance(model_type, str) or not _WORD.fullmatch(model_type):
        values = {"value": quoted(model_type), "file": CONFIG}
        raise RunError("model_config", "{file} says model_type {value}; it must name a family, such as bert", **values)
    if not of_images and model_type in FAMILIES and not FAMILIES[model_type].text_side:
        sentence = "a model of the family {family} reads an image, and none is chosen; nearest: {nearest}"
        raise RunError("image_missing", sentence, family=model_type, nearest=OWN_IMAGE)
    digest = hashlib.sha256(content + _reader_of(path, of_images))
    weights: dict[str, Weight] = {}
    stamps: list[Stamp] = []
    for file in _shards(path):
        stamp, text = _header_of(path / file, digest)
        stamps.append(stamp)
        listed = _weights_in(path / file, stamp.size, text, _MOST_WEIGHTS - len(weights))
        for name in weights.keys() & listed:
            values = {"name": quoted(name), "files": f"{weights[name].file}, {file}"}
            raise RunError("weights_broken", "the weight {name} is in two files: {files}", **values)
        weights |= listed
    dtype = _most_frequent(weights.values())
    labels = _labels_of(config) if of_images else ()
    cleaned, found = _cleaned(config), digest.hexdigest()
    return Folder(path, model_type, cleaned, weights, dtype, found, tuple(stamps), of_images, labels)


def is_unchanged(folder: Folder) -> bool:
    """Return whether the files of a folder are unchanged since `check`; takes less time than `check`."""
    try:
        reader = _reader_of(folder.path, folder.of_images)
        digest = hashlib.sha256(read_file(folder.path / CONFIG, MOST_CONFIG) + reader)
        stamps = tuple(_header_of(folder.path / file, digest)[0] for file in _shards(folder.path))
    except RunError:
        return False
    return (stamps, digest.hexdigest()) == (folder.stamps, folder.fingerprint)


@contextlib.contextmanager
def reading(path: Path) -> Iterator[BufferedReader]:
    """Open a regular file of a folder.

    Raises:
        RunError: it cannot be read.
    """
    try:
        with open_plain(path) as file:
            yield file
    except OSError as error:
        values = {"file": path.name, "folder": _named(path.parent), "why": error.strerror or str(error)}
        raise RunError("folder_unreadable", "cannot read {file} in {folder}: {why}", **values) from error


def _named(path: Path) -> str:
    """Return a path for a message, shortened in the middle if it is very long."""
    name = str(path)
    return name if len(name) <= _LONGEST_PATH else f"{name[: _LONGEST_PATH // 2]} ... {name[-_LONGEST_PATH // 2 :]}"


def _lacks(path: Path, name: str, code: str, sentence: English, **words: str) -> RunError:
    return RunError(code, sentence, folder=_named(path), file=name, **words)


def _reader_of(path: Path, of_images: bool) -> bytes:
    """Return the file that says how a text or an image becomes tokens."""
    return preprocessor_of(path) or b"" if of_images else tokenizer_of(path)


def preprocessor_of(path: Path) -> bytes | None:
    """Return the content of a folder's preprocessor_config.json; None if it has none."""
    return read_file(path / PREPROCESSOR, MOST_CONFIG) if is_there(path / PREPROCESSOR) else None


def _labels_of(config: Mapping[str, Any]) -> tuple[str, ...]:
    """Return the names of the classes, by their numbers; "LABEL_3" for one without a name, as in transformers."""
    named = config.get("id2label")
    if not isinstance(named, dict):
        count = config.get("num_labels")
        named = {str(number): None for number in range(count)} if type(count) is int and count <= _MOST_LABELS else {}
    if len(named) > _MOST_LABELS:
        raise _of_config("id2label", Text("it has more than {most} entries", {"most": _MOST_LABELS}))
    if set(named) != set(map(str, range(len(named)))):
        raise _of_config("id2label", Text("its keys are not the numbers from 0 on"))
    labels = (named[str(number)] for number in range(len(named)))
    return tuple(
        label[:_LONGEST_WORD] if isinstance(label, str) and label.strip() else f"LABEL_{number}"
        for number, label in enumerate(labels)
    )


def tokenizer_of(path: Path) -> bytes:
    """Return the content of a folder's tokenizer.json."""
    if not is_there(path / TOKENIZER):
        remedy = "AutoTokenizer.from_pretrained(folder).save_pretrained(folder)"
        sentence = "{folder} has no {file}; in Python, transformers writes it: {remedy}"
        raise _lacks(path, TOKENIZER, "no_tokenizer", sentence, remedy=remedy)
    return read_file(path / TOKENIZER, MOST_TOKENIZER)


def _shards(path: Path) -> list[str]:
    """Return the names of the weights files, which all lie in the folder itself."""
    if is_there(path / WEIGHTS):
        return [WEIGHTS]
    if not is_there(path / INDEX):
        if is_there(path / "pytorch_model.bin") or is_there(path / "pytorch_model.bin.index.json"):
            remedy = "AutoModel.from_pretrained(folder).save_pretrained(folder)"
            sentence = (
                "the weights in {folder} are a pickle, which could run anything when it is read; if you trust it, "
                "transformers writes {file} instead, with the class it was made by in place of AutoModel: {remedy}"
            )
            raise _lacks(path, WEIGHTS, "weights_pickled", sentence, remedy=remedy)
        raise _lacks(path, WEIGHTS, "no_weights", "{folder} has no {file}")
    listed = json_object(read_file(path / INDEX, MOST_HEADER), INDEX).get("weight_map")
    names: list[Any] = list(listed.values()) if isinstance(listed, dict) else [None]
    for name in names:
        if not isinstance(name, str) or not _SHARD.fullmatch(name):
            sentence = "{index} names the file {name}; it must name files of the folder itself that end in .safetensors"
            raise RunError("weights_index", sentence, index=INDEX, name=quoted(name))
    if not 1 <= len(set(names)) <= _MOST_SHARDS:
        sentence = "{index} names {count} files; it must be 1 to {most}"
        raise RunError("weights_index", sentence, index=INDEX, count=len(set(names)), most=_MOST_SHARDS)
    return sorted(set(names))


def _header_of(path: Path, digest: Any) -> tuple[Stamp, bytes]:
    """Return the header of a weights file (8 bytes of length, then JSON); add samples of the weights to the digest."""
    with reading(path) as file:
        known = os.fstat(file.fileno())
        size, length = known.st_size, int.from_bytes(file.read(8), "little")
        if size < 8 or length > min(size - 8, MOST_HEADER):
            raise _broken(path, Text("its header is too long"))
        text, sample = file.read(length), hashlib.sha256()
        begin = 8 + len(text)
        for offset in range(begin, size, max(1, (size - begin) // _SAMPLES)):
            file.seek(offset)
            sample.update(file.read(_SAMPLE_BYTES))
    digest.update(text + str((path.name, size)).encode() + sample.digest())
    return Stamp(path.name, size, known.st_mtime_ns, known.st_ino), text


def _weights_in(path: Path, size: int, text: bytes, most: int) -> dict[str, Weight]:
    """Return the weights listed in a file's header, at most `most`, sorted by offset."""
    begin, count = 8 + len(text), text.count(b'"data_offsets"')
    listed = json_object(text, path.name) if count <= most else {}
    listed.pop("__metadata__", None)
    if max(count, len(listed)) > most:
        sentence = "the files list more than {most} weights, the most that can be opened"
        raise RunError("weights_broken", sentence, most=_MOST_WEIGHTS)
    weights = {name: _weight(path, begin, name, entry) for name, entry in listed.items()}
    weights = dict(sorted(weights.items(), key=lambda each: (each[1].start, each[1].end)))
    starts, ends = [each.start for each in weights.values()], [each.end for each in weights.values()]
    if [begin, *ends] != [*starts, size]:
        raise _broken(path, Text("its weights overlap, leave gaps or reach beyond its end"))
    return weights


def _weight(path: Path, begin: int, name: str, entry: Any) -> Weight:
    match entry:
        case {"dtype": str(kind), "shape": list(shape), "data_offsets": [int(start), int(end)]} if all(
            type(size) is int and 0 <= size <= 1 << 40 for size in shape
        ):
            if kind not in _DTYPES:
                raise _quantised(quoted(kind))
            weight = Weight(_DTYPES[kind], tuple(shape), path.name, begin + start, begin + end)
            if len(shape) <= 8 and start >= 0 and end - start == weight.size * weight.dtype.itemsize:
                return weight
    raise _broken(path, Text("the shape and offsets of the weight {name} do not match", {"name": quoted(name)}))


def _broken(path: Path, why: Text) -> RunError:
    sentence = "{file} is not a complete weights file: {why}; copy it again"
    return RunError("weights_broken", sentence, file=path.name, why=why)


def _most_frequent(weights: Iterable[Weight]) -> str:
    """Return the dtype of most weights."""
    totals: Counter[torch.dtype] = Counter()
    for weight in weights:
        totals[weight.dtype] += weight.size
    if not totals.total():
        raise RunError("no_weights", "the files of weights hold none")
    most = totals.most_common(1)[0][0]
    if not most.is_floating_point:
        raise _quantised(_name(most))
    return _name(most)


def _name(dtype: torch.dtype) -> str:
    return str(dtype).removeprefix("torch.")


def _quantised(how: str) -> RunError:
    formats = [_name(each) for each in _DTYPES.values() if each.is_floating_point]
    sentence = "the weights are quantised ({how}), which this lab cannot open; use the folder in {formats}"
    return RunError("weights_quantised", sentence, how=how, formats=", ".join(formats))


def _cleaned(value: Any, key: str = "", depth: int = 0, in_lists: int = 0) -> Any:
    """Return a part of a configuration with only the keys that describe a model.

    Raises:
        RunError: it has values that no model has.
    """
    match value:
        case _ if depth > _DEEPEST:
            why = Text("it is nested deeper than {most}", {"most": _DEEPEST})
        case int() if abs(value) > (most := _most(key, in_lists)):
            why = Text("it is {value}; at most {most}", {"value": quoted(value), "most": most})
        case str() if len(value) > _LONGEST_WORD:
            why = Text("it is longer than {most} characters", {"most": _LONGEST_WORD})
        case dict() | list() if len(value) > _MOST_ENTRIES:
            why = Text("it has more than {most} entries", {"most": _MOST_ENTRIES})
        case list():
            return [_cleaned(each, key, depth + 1, in_lists + 1) for each in value]
        case {"__float__": str(name)} if len(value) == 1 and name in _NOT_OF_JSON:
            return _NOT_OF_JSON[name]
        case dict():
            if quantised := next((name for name in _QUANTISED if value.get(name)), ""):
                raise _quantised(quantised)
            kept = {name: each for name, each in value.items() if not _DROPPED.fullmatch(name)}
            begin = f"{key}." if key else ""
            return {name: _cleaned(each, f"{begin}{name}", depth + 1) for name, each in kept.items()}
        case _:
            return value
    raise _of_config(key, why)


def _most(key: str, in_lists: int) -> int:
    """Return the largest number allowed under a key, at a nesting depth of lists."""
    name = key.rpartition(".")[2]
    if in_lists > 1:  # numbers in nested lists are repetition counts
        return _MOST_ENTRIES
    return 1 << 50 if "theta" in name or "base" in name else _MOST_NUMBER


def _of_config(key: str, why: Text) -> RunError:
    return RunError("model_config", "{key} in {file}: {why}", key=quoted(key), file=CONFIG, why=why)


def read_file(path: Path, most: int) -> bytes:
    """Return the content of a regular file of at most ``most`` bytes."""
    with reading(path) as file:
        if size_of(file) > most:
            values = {"file": path.name, "size": readable(size_of(file)), "most": readable(most)}
            raise RunError("folder_too_large", "{file} has {size}; at most {most}", **values)
        return file.read(most)


def json_object(text: bytes, name: str) -> dict[str, Any]:
    """Return a JSON object."""
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):  # neither JSON nor UTF-8, or nested too deep
        value = None
    if not isinstance(value, dict):
        raise RunError("folder_no_json", "{file} holds no JSON object; copy it again", file=name)
    return value
