"""Folders with small models, as written by transformers, and the parts of hostile ones."""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import torch

from attnviz.engine.model.loading import transformers

SMALL: dict[str, Any] = {
    "hidden_size": 32,
    "num_hidden_layers": 2,
    "num_attention_heads": 4,
    "vocab_size": 40,
    "intermediate_size": 48,
}
WORDS = ("[UNK]", "[CLS]", "[SEP]", "[MASK]", "the", "cat", "sat", "on", "mat", "a", "dog", "ran", ".", "##s")


def tokenizer(words: Sequence[str] = WORDS, **parts: Any) -> dict[str, Any]:
    """Return the content of a tokenizer.json that splits text at whitespace."""
    special = [
        {"id": at, "content": word, "special": True, "single_word": False, "lstrip": False, "rstrip": False}
        | {"normalized": False}
        for at, word in enumerate(words)
        if word.startswith("[")
    ]
    model = {"type": "WordLevel", "vocab": {word: at for at, word in enumerate(words)}, "unk_token": words[0]}
    around = [
        {"SpecialToken": {"id": "[CLS]", "type_id": 0}},
        {"Sequence": {"id": "A", "type_id": 0}},
        {"SpecialToken": {"id": "[SEP]", "type_id": 0}},
    ]
    known = {word: {"id": word, "ids": [at], "tokens": [word]} for at, word in enumerate(words)}
    template = {
        "type": "TemplateProcessing",
        "single": around,
        "pair": [*around, {"Sequence": {"id": "B", "type_id": 1}}],
        "special_tokens": {word: known[word] for word in ("[CLS]", "[SEP]") if word in known},
    }
    return {
        "version": "1.0",
        "truncation": None,
        "padding": None,
        "added_tokens": special,
        "normalizer": None,
        "pre_tokenizer": {"type": "Whitespace"},
        "post_processor": template if "[CLS]" in known else None,
        "decoder": None,
        "model": model,
    } | parts


def made(family: str, by: str = "AutoModelForCausalLM", **config: Any) -> Any:
    """Return a model with random weights from a fixed seed."""
    package = transformers()
    with torch.random.fork_rng(devices=[]):
        torch.random.default_generator.manual_seed(0)
        made_of = package.AutoConfig.for_model(family, **config)
        model = getattr(package, by).from_config(made_of, attn_implementation="eager")
    return model.eval()


def written(path: Path, model: Any = None, **parts: Any) -> Path:
    """Write a folder with a model, by default a small LLaMA, and a tokenizer."""
    model = made("llama", **SMALL) if model is None else model
    model.save_pretrained(path, **parts)
    write_json(path / "tokenizer.json", tokenizer())
    return path


def write_json(path: Path, content: Any) -> None:
    """Write a JSON file, updated with the keys of `content`."""
    path.write_text(json.dumps(content), encoding="utf-8")


def change_config(path: Path, **values: Any) -> None:
    """Change keys of a folder's configuration; None removes one."""
    config = json.loads((path / "config.json").read_text(encoding="utf-8")) | values
    write_json(path / "config.json", {key: value for key, value in config.items() if value is not None})


def weights_file(tensors: Mapping[str, Any], data: bytes = b"", length: int | None = None) -> bytes:
    """Return a weights file with this header."""
    header = json.dumps(tensors).encode()
    return (len(header) if length is None else length).to_bytes(8, "little") + header + data
