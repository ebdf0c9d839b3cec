"""Files dropped on the window, wherever it is: opened, taken as data, or refused in a sentence."""

import shutil
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PySide6.QtCore import QMimeData
from PySide6.QtWidgets import QLineEdit, QWidget
from pytestqt.qtbot import QtBot
from session_hands import drop, drop_data, file_of, sentence
from small_specs import SMALL, attention, independent_trace, regression
from windows import At, Settle

from attnviz.experiment.attention.fields import FileInputs
from attnviz.experiment.files.session import Session
from attnviz.experiment.labs import spec_to_json
from attnviz.experiment.regression.data import FileData
from attnviz.export.numbers import write_npz
from attnviz.folders import resource
from attnviz.gui.forms.text_editors import SentenceEdit
from attnviz.gui.window.main_window import MainWindow


def places(window: MainWindow) -> dict[str, QWidget]:
    """Return places all over the window, those among them that take text by themselves."""
    room: Any = window.room
    return {
        "window": window,
        "a field": room.form.editor("painted").findChild(QLineEdit),
        "a sentence": room.form.findChild(SentenceEdit).viewport(),
        "notes": window.panels.notes.editor.viewport(),
    }


@pytest.mark.parametrize("place", ["window", "a field", "a sentence", "notes"])
def test_that_a_session_opens_wherever_it_is_dropped(
    place: str, begun: MainWindow, tmp_path: Path, qtbot: QtBot, settle: Settle
) -> None:
    begun.panels.notes.fold.expand()
    path = file_of(Session(spec=attention(seed=23)), tmp_path / "mine.attnviz")
    assert drop(places(begun)[place], path)
    qtbot.waitUntil(lambda: begun.controller.spec == attention(seed=23))
    settle(begun)
    assert begun.keeper.path == path
    assert begun.panels.notes.text == ""
    assert begun.room.form.editor("painted").value() == ""


def test_that_a_file_that_opens_takes_away_what_was_said_about_another(
    begun: MainWindow, tmp_path: Path, qtbot: QtBot, settle: Settle
) -> None:
    (tmp_path / "program.exe").write_bytes(b"MZ")
    assert "program.exe" in sentence(begun, qtbot, lambda: drop(begun, tmp_path / "program.exe"))
    drop(begun, file_of(Session(spec=attention(seed=25)), tmp_path / "mine.attnviz"))
    qtbot.waitUntil(lambda: begun.controller.spec == attention(seed=25))
    settle(begun)
    assert begun.notice.isHidden()


def test_that_a_preset_takes_away_what_was_said_about_a_file(
    begun: MainWindow, tmp_path: Path, qtbot: QtBot, settle: Settle
) -> None:
    assert sentence(begun, qtbot, lambda: drop(begun, tmp_path / "gone"))
    begun.session_state.open_preset("many-heads")
    assert begun.notice.isHidden()
    settle(begun)


def test_that_a_spec_in_a_file_of_any_case_opens(
    begun: MainWindow, tmp_path: Path, qtbot: QtBot, settle: Settle
) -> None:
    (tmp_path / "MINE.JSON").write_text(spec_to_json(attention(seed=24)))
    drop(begun, tmp_path / "MINE.JSON")
    qtbot.waitUntil(lambda: begun.controller.spec == attention(seed=24))
    settle(begun)


def test_that_a_table_of_points_becomes_the_data_in_one_step_of_undo(
    at: At, begun: MainWindow, tmp_path: Path, settle: Settle, qtbot: QtBot
) -> None:
    window = at(regression())
    window.controller.undo_stack.clear()
    path = tmp_path / "points.csv"
    path.write_text("x,y\n0,1\n1,2\n2.5,0\n")
    drop(window, path)
    spec = regression(data={"kind": "file", "path": str(path)})
    qtbot.waitUntil(lambda: window.controller.spec == spec)
    assert window.controller.spec.data == FileData(path=str(path))  # type: ignore[union-attr]
    settle(window)
    assert (window.controller.shown.weights == independent_trace(spec).weights).all()  # type: ignore[union-attr]
    assert window.actions_["undo"].text() == "Undo Open points.csv"
    window.actions_["undo"].trigger()
    assert window.controller.spec == regression()
    settle(window)


WEIGHTS = np.full((3, 5, 4), 0.25, np.float32)
ROWS = {name: np.random.default_rng(0).standard_normal((5, 8)) for name in ("queries", "keys", "values")}


@pytest.mark.parametrize(
    ("arrays", "mechanism"),
    [
        (ROWS, SMALL.mechanism),
        (ROWS["queries"], SMALL.mechanism),
        ({"weights": WEIGHTS, "query_tokens": np.array(list("abcde"))}, "given"),
        (WEIGHTS, "given"),
    ],
    ids=["inputs-npz", "inputs-npy", "weights-npz", "weights-npy"],
)
def test_that_arrays_become_the_inputs_or_the_weights_in_one_step_of_undo(
    arrays: Any, mechanism: str, begun: MainWindow, tmp_path: Path, qtbot: QtBot, settle: Settle
) -> None:
    path = tmp_path / ("mine.npz" if isinstance(arrays, dict) else "mine.npy")
    if isinstance(arrays, dict):
        np.savez(path, **arrays)
    else:
        np.save(path, arrays)
    drop(begun, path)
    qtbot.waitUntil(lambda: begun.controller.spec != SMALL)
    assert begun.controller.spec == attention(mechanism=mechanism, inputs=FileInputs(path=str(path)))
    settle(begun)
    shown = begun.controller.shown.weights  # type: ignore[union-attr]
    assert (shown == WEIGHTS).all() if mechanism == "given" else shown.shape[2:] == (5, 5)
    assert begun.controller.undo_stack.count() == 1
    begun.actions_["undo"].trigger()
    settle(begun)
    assert begun.controller.spec == SMALL


@pytest.mark.parametrize(
    ("dropped", "words"),
    [
        (("a.csv",), ("a.csv", "kernel-regression")),
        (("a.tsv",), ("a.tsv", "kernel-regression")),
        (("a.bmp",), ("a.bmp", ".attnviz", ".npz")),
        (("folder",), ("folder", "has no config.json")),
        (("nothing",), ("nothing does not exist",)),
        (("nothing.csv",), ("nothing.csv does not exist",)),
        (("/",), ("/ has no config.json",)),
        (("empty.png",), ("empty.png: this is not JSON: it is empty",)),
        (("a.attnviz", "b.attnviz"), ("2 files", "one")),
        (("https://example.org/a.attnviz",), ("https://example.org/a.attnviz", "not a file")),
        (("gone.json",), ("gone.json", "does not exist")),
    ],
)
def test_that_other_things_are_refused_in_a_sentence(
    dropped: tuple[str, ...], words: tuple[str, ...], begun: MainWindow, tmp_path: Path, qtbot: QtBot
) -> None:
    (tmp_path / "folder").mkdir()
    (tmp_path / "empty.png").touch()
    for name in ("a.csv", "a.tsv", "a.bmp"):
        (tmp_path / name).write_bytes(b"x")
    paths = [name if "://" in name else tmp_path / name for name in dropped]
    said = sentence(begun, qtbot, lambda: drop(begun, *paths))
    assert [word for word in words if word not in said] == []
    assert begun.notice.property("kind") == "problem"
    assert begun.controller.spec == SMALL


def test_that_arrays_are_refused_in_the_other_lab(at: At, begun: MainWindow, tmp_path: Path, qtbot: QtBot) -> None:
    window = at(regression())
    (tmp_path / "a.npz").write_bytes(b"x")
    assert "attention lab" in sentence(window, qtbot, lambda: drop(window, tmp_path / "a.npz"))
    assert window.controller.spec == regression()


def test_that_an_empty_list_of_files_is_not_taken(begun: MainWindow) -> None:
    assert not drop(begun)


def test_that_text_goes_where_it_went_before(begun: MainWindow) -> None:
    begun.panels.notes.fold.expand()
    text = QMimeData()
    text.setText("remember")
    assert not drop_data(begun.top_bar, text)
    assert drop_data(begun.panels.notes.editor.viewport(), text)
    assert begun.panels.notes.text == "remember"


@pytest.mark.parametrize("name", ["config.json", "model.safetensors"])
def test_that_a_file_of_a_models_folder_stands_for_the_folder(
    name: str, begun: MainWindow, settle: Settle, tmp_path: Path, qtbot: QtBot
) -> None:
    folder = shutil.copytree(resource("models/induction"), tmp_path / "mine")
    drop(begun, folder / name)
    qtbot.waitUntil(lambda: begun.controller.spec.lab == "model")
    settle(begun)
    assert begun.controller.spec.folder == str(folder)


def test_that_a_session_may_have_the_name_of_a_models_file(
    begun: MainWindow, settle: Settle, tmp_path: Path, qtbot: QtBot
) -> None:
    path = file_of(Session(spec=attention(seed=3)), tmp_path / "config.json")
    drop(begun, path)
    qtbot.waitUntil(lambda: begun.controller.spec == attention(seed=3))
    settle(begun)


def test_that_exported_arrays_open_as_their_experiment_in_any_lab(
    at: At, begun: MainWindow, tmp_path: Path, qtbot: QtBot, settle: Settle
) -> None:
    spec = attention(seed=31)
    write_npz(independent_trace(spec), tmp_path / "own.npz")
    window = at(regression())
    drop(window, tmp_path / "own.npz")
    qtbot.waitUntil(lambda: window.controller.spec == spec)
    settle(window)
    assert (window.controller.shown.weights == independent_trace(spec).weights).all()  # type: ignore[union-attr]
    assert begun.keeper.path is None


@pytest.mark.parametrize("lab", ["attention", "regression"])
def test_that_a_file_of_functions_is_chosen_in_the_attention_lab_from_any_lab(
    lab: str, begun: MainWindow, tmp_path: Path, qtbot: QtBot, settle: Settle
) -> None:
    path = tmp_path / "my_mods.py"
    path.write_text("def causal(b, h, q_idx, kv_idx):\n    return q_idx >= kv_idx\n")
    begun.session_state.enter_lab(lab)
    settle(begun)
    drop(begun, path)
    qtbot.waitUntil(lambda: begun.controller.spec.lab == "attention" and begun.controller.spec.mods is not None)  # type: ignore[attr-defined]
    settle(begun)
    mods = begun.controller.spec.mods  # type: ignore[attr-defined]
    assert (mods.path, mods.mask_mod, mods.source) == (str(path), "causal", path.read_text())
    assert begun.controller.spec == attention(mods=mods)  # all else stays
    assert begun.room.stage.view.page == "functions"
    assert begun.keeper.recent.existing() == (path,)
    begun.controller.undo_stack.undo()
    settle(begun)
    assert begun.controller.spec.lab == lab
