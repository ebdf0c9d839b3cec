"""Valid and invalid files to open and to drop, and paths to save to."""

import itertools
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from model_folders import made, written
from model_hands import encoder
from PySide6.QtWidgets import QFileDialog
from small_specs import attention, regression, training

from attnviz.experiment.files.session import Session
from attnviz.experiment.files.specs_in_files import write_spec
from attnviz.export.document import write_session
from attnviz.export.embedded_session import screen_png
from attnviz.gui.dialogs.exporter import Exporter
from attnviz.gui.session.questions import Answer, SessionQuestions

GOOD: tuple[str, ...] = (
    "pinned.attnviz",
    "training.attnviz",
    "elsewhere.attnviz",
    "regression.json",
    "figure.png",
    "points.csv",
    "weights.npz",
    "arrays.npz",
)
BAD: tuple[str, ...] = (
    "broken.attnviz",
    "illegal.json",
    "bare.png",
    "broken.csv",
    "broken.npz",
    "shapes.npz",
    "objects.npy",
    "empty.json",
    "letter.txt",
    "folder",
    "missing.attnviz",
)
MODELS: tuple[str, ...] = ("masked", "grouped", "headless", "folder", "letter.txt", "gone", "")
"""Folders chosen in the dialog: three with a model, and none."""
_GROUPED = {"hidden_size": 32, "intermediate_size": 32, "num_hidden_layers": 3, "num_attention_heads": 4}


class Files:
    """A folder of files, and the answers to every question about files in it."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._answers: Iterator[Answer] = itertools.cycle((Answer.DISCARD, Answer.SAVE, Answer.CANCEL, Answer.DISCARD))
        self._numbers = itertools.count()
        self._to_open = itertools.cycle((*GOOD, *BAD))
        self._models = itertools.cycle(MODELS)
        _write_good(folder)
        _write_bad(folder)
        _write_models(folder)

    def path(self, name: str) -> Path:
        """Return the path of a file of `GOOD` or `BAD`."""
        return self._folder / name

    def begin_anew(self) -> None:
        """Restart the sequence of answers."""
        self.__init__(self._folder)  # type: ignore[misc]

    def move_away(self, name: str) -> None:
        """Move a folder of `MODELS` away, or back."""
        there, away = self.path(name), self.path(f"{name} elsewhere")
        if there.is_dir():
            shutil.move(there, away)
        elif away.is_dir():
            shutil.move(away, there)

    def answer(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """Answer a file dialog: with an existing name, a missing folder, or cancelled."""

        def save_dialog(_parent: object, _title: str, _proposed: str, filters: str) -> tuple[str, str]:
            place = self._where()
            return ("" if place is None else str(place)), filters.split(";;", maxsplit=1)[0]

        def open_dialog(*_: object) -> tuple[str, str]:
            return str(self.path(next(self._to_open))), ""

        def folder_dialog(*_: object) -> str:
            name = next(self._models)
            return str(self.path(name)) if name else ""

        answers: dict[Any, dict[str, Any]] = {
            SessionQuestions: {
                "unsaved": lambda *_: next(self._answers),
                "where_to_save": lambda *_: self._where(),
                "what_to_open": lambda *_: self.path(next(self._to_open)),
                "may_replace": lambda *_: True,
            },
            Exporter: {"may_replace": lambda *_: True},
            QFileDialog: {
                "getSaveFileName": staticmethod(save_dialog),
                "getOpenFileName": staticmethod(open_dialog),
                "getExistingDirectory": staticmethod(folder_dialog),
            },
        }
        for owner, methods in answers.items():
            for name, method in methods.items():
                monkeypatch.setattr(owner, name, method)

    def _where(self) -> Path | None:
        number = next(self._numbers)
        places = ("saved", "missing folder/saved", "saved again", None)
        place = places[number % len(places)]
        return None if place is None else self._folder / place


def _write_good(folder: Path) -> None:
    pinned: Any = attention(seed=5)
    there: Any = attention(num_heads=4, causal=True, valid_lens=(3, 2), painted="0: 1")
    write_session(Session(spec=there, pinned=pinned, notes="read me"), folder / "pinned.attnviz")
    write_session(Session(spec=training(epochs=3)), folder / "training.attnviz")
    write_session(Session(spec=attention(device="cuda:7")), folder / "elsewhere.attnviz")
    write_spec(regression(kernel="boxcar", width=0.2), folder / "regression.json")
    pixels = np.full((4, 4, 4), 255, np.uint8)
    (folder / "figure.png").write_bytes(screen_png(pixels, 1, Session(spec=attention(seed=6))))
    (folder / "points.csv").write_text("x,y\n0,1\n1,3\n2,2\n")
    weights = np.array([[0.25, 0.75], [0.5, np.nan]], np.float32)
    np.savez(folder / "weights.npz", weights=weights, mask=[[True, False], [True, True]])
    arrays = np.random.default_rng(0).normal(size=(1, 3, 4)).astype(np.float32)
    np.savez(folder / "arrays.npz", queries=arrays, keys=arrays, values=arrays)


def _write_bad(folder: Path) -> None:
    (folder / "folder").mkdir(exist_ok=True)
    (folder / "broken.attnviz").write_text('{"format": 1, "spec": {"lab": "attent')
    (folder / "illegal.json").write_text('{"num_heads": 3, "num_hiddens": 8}')
    (folder / "bare.png").write_bytes(b"\x89PNG\r\n\x1a\n")
    (folder / "broken.csv").write_text("x,y\n0,1\n1,three\n")
    (folder / "broken.npz").write_bytes((folder / "weights.npz").read_bytes()[:-30])
    np.savez(folder / "shapes.npz", queries=np.zeros((1, 2, 3)), keys=np.zeros((1, 2, 4)), values=np.zeros((1, 5)))
    np.save(folder / "objects.npy", np.array([{}], object))
    (folder / "empty.json").write_text("")
    (folder / "letter.txt").write_text("Dear reader")


def _write_models(folder: Path) -> None:
    """Write the missing folders with models; those read already are cached by the identity of their files."""
    for name in MODELS[:3]:
        away = folder / f"{name} elsewhere"
        if away.is_dir():
            shutil.move(away, folder / name)
    if not (folder / MODELS[0]).is_dir():
        encoder(folder / "masked")
        encoder(folder / "headless", "AutoModel")
        written(folder / "grouped", made("llama", num_key_value_heads=2, vocab_size=40, **_GROUPED))
