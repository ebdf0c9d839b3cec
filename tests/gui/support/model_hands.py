"""Small models in folders, and the widgets that show them."""

from pathlib import Path
from typing import Any

import numpy as np
from eyes import colours_of, ground, look
from model_folders import SMALL as SIZES
from model_folders import WORDS, made, tokenizer, write_json, written
from numpy.typing import NDArray
from PySide6.QtCore import QRectF

from attnviz.experiment.labs import make_spec
from attnviz.experiment.model.spec import ModelSpec
from attnviz.experiment.model.trace import ModelTrace

PIECES = (*WORDS, "street", "cross", "##ed")
SENTENCE = "the cats crossed the mat"
"""Five words in seven tokens, between two special tokens."""


def model(**values: Any) -> ModelSpec:
    """Return a spec of the model lab, by default of the bundled model."""
    spec = make_spec({"lab": "model", "device": "cpu"} | values)
    assert isinstance(spec, ModelSpec)
    return spec


def encoder(folder: Path, by: str = "AutoModelForMaskedLM", scale: float = 0.4) -> Path:
    """Write a folder with a small BERT of four layers and two heads, and a subword tokenizer."""
    config = {**SIZES, "num_hidden_layers": 3, "vocab_size": len(PIECES), "initializer_range": scale}
    written(folder, made("bert", by, **config))
    pieces = {"type": "WordPiece", "vocab": {word: at for at, word in enumerate(PIECES)}, "unk_token": "[UNK]"}
    pieces |= {"continuing_subword_prefix": "##", "max_input_chars_per_word": 100}
    write_json(folder / "tokenizer.json", tokenizer(PIECES, model=pieces))
    return folder


def trace_of(window: Any) -> ModelTrace:
    """Return the trace on screen."""
    trace = window.controller.shown
    assert isinstance(trace, ModelTrace)
    return trace


def map_colours(window: Any) -> NDArray[np.uint32]:
    """Return the colour of every head's cell, (L, h)."""
    cells, model = window.room.stage.overview.cells, trace_of(window).model
    seen = look(cells)
    found = [ground(seen, rect.adjusted(1, 1, -1, -1)) for rect in cells.cells]
    return np.array(found, np.uint32).reshape(model.num_layers, model.num_heads)


def text_colours(text: Any) -> NDArray[np.uint32]:
    """Return the colour behind every token."""
    seen = look(text)
    return np.array([_behind(seen, place) for place in text.places], np.uint32)


def _behind(seen: Any, place: QRectF) -> int:
    return ground(seen, QRectF(place.x(), place.y(), place.width(), place.height()))


def colours(window: Any, levels: NDArray[np.uint8]) -> NDArray[np.uint32]:
    """Return the colours of levels of weights on the stage."""
    return colours_of(window.room.stage.weight_table, levels)
