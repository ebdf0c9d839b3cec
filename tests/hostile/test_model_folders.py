"""Folders with a model that mean harm or are broken: opened as they were meant, or refused in a sentence.

Each is opened in a process with limits: one of them once ended it, others once took minutes or gigabytes.
"""

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from hostile_files import sparse
from model_folders import WORDS, change_config, tokenizer, weights_file, write_json, written

ROOT = Path(__file__).resolve().parents[2]
AT_ONCE = 5.0
"""Seconds that any of them may take on a machine that does other things beside."""
LITTLE = 100
"""MiB by which the memory may grow meanwhile."""

NONE_RUN = "import os; os.mkdir(os.path.join(os.path.dirname(__file__), 'sprung'))"
OPENED = ""
"""What is said of a folder that is opened."""


@dataclass(frozen=True)
class Hostile:
    """What makes a good folder hostile, and what is said of it."""

    name: str
    said: str
    change: Callable[[Path], object]


def of_config(said: str, /, **values: Any) -> Hostile:
    """Return a folder with keys of its configuration changed."""
    name = ", ".join(f"{key} {value}" for key, value in values.items())
    return Hostile(name[:60], said, lambda path: change_config(path, **values))


def of_header(
    name: str, header: dict[str, Any], data: bytes = b"", said: str = "shape and offsets of the weight"
) -> Hostile:
    """Return a folder whose file of weights says this of itself."""
    content = weights_file(header, data)
    return Hostile(name, said, lambda path: (path / "model.safetensors").write_bytes(content))


def of_tokenizer(name: str, said: str, **parts: Any) -> Hostile:
    """Return a folder with parts of its tokenizer changed."""
    return Hostile(name, said, lambda path: write_json(path / "tokenizer.json", tokenizer(**parts)))


def with_code(**config: Any) -> Callable[[Path], object]:
    """Return what adds code to a folder, to be run by who trusts it."""

    def change(path: Path) -> None:
        (path / "modeling_evil.py").write_text(NONE_RUN)
        (path / "configuration_evil.py").write_text(NONE_RUN)
        auto = {"AutoConfig": "configuration_evil.EvilConfig", "AutoModelForCausalLM": "modeling_evil.Evil"}
        change_config(path, auto_map=auto, **config)

    return change


def split(*names: object) -> Callable[[Path], object]:
    """Return what has the index name these files for the weights, which are in the last one if it is named twice."""

    def change(path: Path) -> None:
        listed = {f"weight {at}": name for at, name in enumerate(names)}
        write_json(path / "model.safetensors.index.json", {"weight_map": listed})
        (path / "model.safetensors").rename(path / (str(names[-1]) if len(names) > 1 else "elsewhere"))

    return change


def without(name: str) -> Callable[[Path], object]:
    return lambda path: (path / name).unlink()


def replaced(name: str, content: bytes) -> Callable[[Path], object]:
    return lambda path: (path / name).write_bytes(content)


def huge(name: str, size: int = 1 << 40, start: bytes = b"") -> Callable[[Path], object]:
    def change(path: Path) -> None:
        (path / name).unlink()
        sparse(path / name, size, start)

    return change


def piped(name: str) -> Callable[[Path], object]:
    def change(path: Path) -> None:
        (path / name).unlink()
        os.mkfifo(path / name)

    return change


def without_norm(path: Path) -> None:
    """Call a weight of the file by another name: as many numbers, but not those of the model."""
    content = (path / "model.safetensors").read_bytes()
    (path / "model.safetensors").write_bytes(content.replace(b"model.norm.weight", b"model.mron.weight"))


def of_bytes(path: Path) -> None:
    """Say that half as many weights as there are bytes are 8-bit integers."""
    content = weights_file({"w": {"dtype": "U8", "shape": [64, 64], "data_offsets": [0, 4096]}}, bytes(4096))
    (path / "model.safetensors").write_bytes(content)


def as_an_adapter(path: Path) -> None:
    """Leave what peft writes: weights of an adapter, and the name of the model that it changes."""
    (path / "config.json").rename(path / "adapter_config.json")
    write_json(
        path / "adapter_config.json", {"peft_type": "LORA", "base_model_name_or_path": "meta-llama/Llama-3.2-1B"}
    )


F32 = {"dtype": "F32", "shape": [2], "data_offsets": [0, 8]}
OVERLAP = "overlap, leave gaps or reach beyond its end"
BPE: dict[str, Any] = {"type": "BPE", "vocab": {"a": 0, "b": 1, "ab": 2}, "merges": []}
TOKENIZER = "the tokenizer of this folder"
LYING_TEMPLATE = tokenizer()["post_processor"] | {"special_tokens": {}}
CUT = {"direction": "Right", "max_length": 0, "strategy": "LongestFirst", "stride": 4}
FILLED = {"strategy": {"Fixed": 0}, "direction": "Right", "pad_to_multiple_of": None, "pad_id": 0, "pad_type_id": 0} | {
    "pad_token": "[UNK]"
}
FOR_EVER = {"type": "Split", "pattern": {"Regex": "(a+)+$"}, "behavior": "Isolated", "invert": False}
BEYOND = {"type": "WordLevel", "vocab": dict(zip(WORDS, range(14), strict=True)) | {"cat": 40}, "unk_token": "[UNK]"}

MORE_PARTS = "config.json describes a model of many more parts than the 21 weights of the files"
MISSING = "numbers, but the files hold 20128: weights are missing"
MANY_PARTS: dict[str, dict[str, Any]] = {
    "albert": {"num_hidden_groups": 1 << 24},
    "funnel": {"block_sizes": [1 << 24]},
    "canine": {"num_hash_functions": 1 << 24},
    "xmod": {"languages": [f"l{number}" for number in range(4000)], "num_hidden_layers": 256},
}
"""What asks a family for parts without end, under names that no other family has."""
DOUBLED = {"type": "Replace", "pattern": {"String": "a"}, "content": "aa"}
TWICE = {"Sequence": {"id": "A", "type_id": 0}}
EMPTY = {f"weight {number}": {"dtype": "F32", "shape": [0], "data_offsets": [0, 0]} for number in range(450_000)}

FOLDERS = (
    Hostile("as it was written", OPENED, lambda path: None),
    Hostile("cut after loading", OPENED, lambda path: (path / "cut").touch()),
    Hostile(
        "code of an unknown family",
        "has no family lama, and code of a folder is never run; nearest: llama",
        with_code(model_type="lama"),
    ),
    Hostile("code of a known family", OPENED, with_code()),
    of_config(OPENED, _attn_implementation_internal="evil/repo"),
    of_config(OPENED, attn_implementation="evil/repo", experts_implementation="evil/repo"),
    of_config(OPENED, output_attentions=True, torch_dtype="evil", transformers_weights="../evil.safetensors"),
    of_config(OPENED, num_labels=50_000_000),
    of_config(OPENED, architectures=5),
    of_config(OPENED, from_pretrained=3, to_dict="evil", _name_or_path="evil/repo", get_text_config=4),
    of_config(MORE_PARTS, num_hidden_layers=100_000),
    *(of_config(MORE_PARTS, model_type=family, **values) for family, values in MANY_PARTS.items()),
    of_config(MORE_PARTS, model_type="albert", inner_group_num=1 << 24),
    of_config(MISSING, model_type="albert", num_hidden_layers=1 << 24),
    of_config("'vocab_size' in config.json: it is 1000000000; at most", vocab_size=10**9),
    of_config("embed_tokens.weight is 40 x 32 in the file, but 1000000 x 32 by config.json", vocab_size=10**6),
    of_config("is 40 x 32 in the file, but 39 x 32 by config.json", vocab_size=39),
    of_config(OPENED, rope_theta=float("inf")),
    of_config("transformers can make no llama model of ", hidden_size="wide"),
    of_config("transformers can make no llama model of ", hidden_act="evil"),
    of_config("transformers can make no llama model of ", num_attention_heads=0),
    of_config("'rope_scaling.factors' in config.json: it has more than 4096", rope_scaling={"factors": [1] * 5000}),
    of_config("in config.json: it is nested deeper than", layer_types=[[[[[[[["full_attention"]]]]]]]]),
    of_config("model_type None; it must name a family, such as bert", model_type=None),
    of_config("model_type '../../evil'; it must", model_type="../../evil"),
    of_config("the weights are quantised (quantization_config)", quantization_config={"quant_method": "gptq"}),
    of_config(
        "'hidden_size' is a per-layer attribute",
        per_layer_config={"0": {"hidden_size": 4}},
    ),
    Hostile("an adapter", "an adapter (such as LoRA) of the model 'meta-llama/Llama-3.2-1B', not that", as_an_adapter),
    of_config("a model of the family vit reads an image, and none is chosen", model_type="vit"),
    of_config("a model of the family focalnet takes image; this lab takes text", model_type="focalnet"),
    of_config("a model of the family encodec takes audio; this lab takes text", model_type="encodec"),
    of_config("decision_transformer takes states; this lab takes text", model_type="decision_transformer"),
    of_config("a model of the family whisper takes audio, text; this lab", model_type="whisper"),
    Hostile("a configuration of a list", "config.json holds no JSON object", replaced("config.json", b"[]")),
    Hostile("a deep one", "config.json holds no JSON object", replaced("config.json", b'{"a":' * 200_000)),
    Hostile("a huge one", "config.json has 1.0 TiB; at most 1.0 MiB", huge("config.json")),
    Hostile("a pipe of one", "cannot read config.json in", piped("config.json")),
    Hostile("no configuration", "has no config.json; choose the folder that holds the model", without("config.json")),
    Hostile("weights missing", "1 of the model's 21 weights are missing in the files, model.norm.weight", without_norm),
    Hostile("no weights", "has no model.safetensors", without("model.safetensors")),
    Hostile(
        "a pickle",
        "are a pickle, which could run anything",
        lambda path: (path / "model.safetensors").rename(path / "pytorch_model.bin"),
    ),
    Hostile("8-bit integers", "the weights are quantised (uint8)", of_bytes),
    Hostile(
        "an empty file", "is not a complete weights file: its header is too long", replaced("model.safetensors", b"")
    ),
    Hostile("a long header", "its header is too long", replaced("model.safetensors", weights_file({}, b"", 1 << 60))),
    Hostile("a huge header", "its header is too long", huge("model.safetensors", start=weights_file({}, b"", 1 << 39))),
    Hostile("no header", "holds no JSON object", replaced("model.safetensors", weights_file({}, b"", 1) + b"[]")),
    of_header("beyond the end", {"w": F32}, b"1234", OVERLAP),
    of_header("overlap", {"w": F32, "v": F32 | {"data_offsets": [4, 12]}}, bytes(12), OVERLAP),
    of_header("a gap", {"w": F32, "v": F32 | {"data_offsets": [12, 20]}}, bytes(20), OVERLAP),
    of_header("a negative place", {"w": F32 | {"data_offsets": [-8, 0]}}, bytes(8)),
    of_header("a huge shape", {"w": F32 | {"shape": [1 << 39, 1 << 39, 1 << 39]}}, bytes(8)),
    of_header("another shape", {"w": F32 | {"shape": [3]}}, bytes(8)),
    of_header("a list", {"w": [1, 2]}),
    of_header("450,000 empty weights", EMPTY, said="the files list more than 100000 weights"),
    of_header("8-bit floats", {"w": F32 | {"dtype": "F8_E4M3"}}, bytes(8), "are quantised ('F8_E4M3')"),
    Hostile("out of the folder", "names the file '../../etc/passwd'; it must name files of", split("../../etc/passwd")),
    Hostile("another path", "names the file '/tmp/model.safetensors'; it must", split("/tmp/model.safetensors")),
    Hostile("a number for a file", "names the file 3; it must", split(3)),
    Hostile("no file", "model.safetensors.index.json names 0 files", split()),
    Hostile("a file too few", "cannot read 2.safetensors in", split("1.safetensors", "2.safetensors", "1.safetensors")),
    Hostile("a pipe of weights", "cannot read model.safetensors in", piped("model.safetensors")),
    Hostile("no tokenizer", "has no tokenizer.json; in Python, transformers writes it", without("tokenizer.json")),
    Hostile("a huge tokenizer", "tokenizer.json has 1.0 TiB; at most 64.0 MiB", huge("tokenizer.json")),
    Hostile("a deep tokenizer", f"{TOKENIZER} cannot be read: ", replaced("tokenizer.json", b"[" * 200_000)),
    of_tokenizer("a merge longer than a key", TOKENIZER, model=BPE | {"merges": ["a bcdefgh"]}),
    of_tokenizer("a merge of unknown pieces", TOKENIZER, model=BPE | {"vocab": {"a": 0}, "merges": ["a a"]}),
    of_tokenizer("a template without its token", TOKENIZER, post_processor=LYING_TEMPLATE),
    of_tokenizer("texts cut to nothing", OPENED, truncation=CUT),
    of_tokenizer("texts filled up to nothing", OPENED, padding=FILLED),
    of_tokenizer("texts filled up to a multiple of 0", OPENED, padding=FILLED | {"pad_to_multiple_of": 0}),
    of_tokenizer(
        "a text that is doubled forty times",
        TOKENIZER,
        normalizer={"type": "Sequence", "normalizers": [DOUBLED] * 40},
    ),
    of_tokenizer(
        "a template that repeats its text",
        OPENED,
        post_processor=tokenizer()["post_processor"] | {"single": [TWICE] * 40},
    ),
    of_tokenizer("a pattern that takes for ever", TOKENIZER, pre_tokenizer=FOR_EVER),
    of_tokenizer("a token beyond those of the model", "gives cat the number 40, but the model knows", model=BEYOND),
)


def trouble(hostile: Hostile, path: Path, outcome: dict[str, Any]) -> list[str]:
    """Return what is wrong with what came of a folder."""
    rules = {
        "exit code": outcome["code"] == (2 if hostile.said else 0),
        "sentence": hostile.said in outcome["said"] and outcome["said"].count("\n") == (1 if hostile.said else 0),
        "time": outcome["seconds"] < AT_ONCE,
        "memory": outcome["mebibytes"] < LITTLE,
        "code of the folder was run": not (path / "sprung").exists(),
    }
    return [name for name, holds in rules.items() if not holds]


@pytest.mark.skipif(sys.platform != "linux", reason="limits that Linux keeps")
def test_that_every_hostile_folder_is_opened_harmlessly_or_refused_in_a_sentence(tmp_path: Path) -> None:
    good = written(tmp_path / "good")
    paths = {hostile.name: tmp_path / str(at) for at, hostile in enumerate(FOLDERS)}
    assert len(paths) == len(FOLDERS)
    for hostile in FOLDERS:
        shutil.copytree(good, paths[hostile.name])
        hostile.change(paths[hostile.name])
    done = subprocess.run(
        [sys.executable, str(Path(__file__).parent / "bounded.py"), *map(str, paths.values())],
        env=os.environ | {"PYTHONPATH": str(ROOT)},
        capture_output=True,
        check=True,
        timeout=100,
        text=True,
    )
    found = json.loads(done.stdout)
    wrong = {}
    for hostile in FOLDERS:
        path = paths[hostile.name]
        if broken := trouble(hostile, path, found[str(path)]):
            wrong[hostile.name] = broken, found[str(path)]
    assert wrong == {}
