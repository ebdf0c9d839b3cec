"""What leaves the window and what comes back: pictures, numbers, specs; and what is said when it cannot."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from eyes import colours_of, heatmap_colours, look, pixels
from PySide6.QtCore import QPoint, QRect
from PySide6.QtGui import QGuiApplication, QImage
from PySide6.QtWidgets import QFileDialog
from pytestqt.qtbot import QtBot
from small_specs import attention, independent_trace, training

from attnviz.experiment.labs import Spec, spec_from_json, spec_to_json
from attnviz.gui.main_window import MainWindow
from attnviz.gui.screenshot import SPEC_KEY

At = Callable[[Spec], MainWindow]
SPEC = attention(seed=8, valid_lens=(3, 2))


@pytest.fixture
def said(at: At) -> list[tuple[str, bool]]:
    """What the exporter of the module's window says."""
    sentences: list[tuple[str, bool]] = []
    at(SPEC).exporter.said.connect(lambda text, wrong: sentences.append((text, wrong)))
    return sentences


def written(qtbot: QtBot, said: list[Any], path: Path) -> Path:
    """Wait for the sentence about a file and return its path."""
    qtbot.waitUntil(lambda: bool(said))
    assert said[-1] == (f"Saved {path}", False)
    return path


@pytest.mark.parametrize("scale", [1, 2, 3])
def test_that_a_picture_has_the_pixels_of_the_window_at_its_scale_and_carries_its_spec(
    scale: int, at: At, said: list[Any], tmp_path: Path, qtbot: QtBot
) -> None:
    window = at(SPEC)
    window.exporter.save_picture(tmp_path / "a picture.png", scale)
    image = QImage(str(written(qtbot, said, tmp_path / "a picture.png")))
    assert image.size() == window.size() * scale
    assert spec_from_json(image.text(SPEC_KEY)) == SPEC
    heatmap = window.rooms["attention"].stage.heatmap
    corner = heatmap.mapTo(window, QPoint(0, 0))
    part = image.copy(QRect(corner * scale, heatmap.size() * scale))
    levels = independent_trace(SPEC).levels()[0, 0]
    table = window.rooms["attention"].stage.table
    assert (heatmap_colours(heatmap, (3, 4), pixels(part), scale) == colours_of(table, levels)).all()


def test_that_a_picture_of_scale_1_is_what_the_window_shows(
    at: At, said: list[Any], tmp_path: Path, qtbot: QtBot
) -> None:
    window = at(SPEC)
    window.exporter.save_picture(tmp_path / "now.png", 1)
    image = QImage(str(written(qtbot, said, tmp_path / "now.png")))
    stage = window.rooms["attention"].stage
    corner = stage.grid.mapTo(window, QPoint(0, 0))
    assert (pixels(image.copy(QRect(corner, stage.grid.size()))) == look(stage.grid)).all()


def test_that_a_copied_picture_is_at_least_twice_as_sharp_and_carries_its_spec(at: At, said: list[Any]) -> None:
    window = at(SPEC)
    window.actions_["copy_picture"].trigger()
    image = QGuiApplication.clipboard().image()
    assert image.width() >= window.width() * 2
    assert image.width() / window.width() == image.height() / window.height()
    assert spec_from_json(image.text(SPEC_KEY)) == SPEC
    assert said == [("The picture is on the clipboard.", False)]
    assert not window.notice.isHidden()
    assert window.notice.property("kind") == "info"


@pytest.mark.parametrize("spec", [SPEC, attention(dropout=0.5, training=True), training()], ids=["a", "dropped", "r"])
def test_that_saved_numbers_are_those_of_the_trace(
    spec: Spec, at: At, said: list[Any], tmp_path: Path, qtbot: QtBot
) -> None:
    window = at(spec)
    window.exporter.save_numbers(tmp_path / "numbers.npz")
    with np.load(written(qtbot, said, tmp_path / "numbers.npz"), allow_pickle=False) as file:
        arrays = independent_trace(spec).arrays()
        assert set(file) == {*arrays, "spec"}
        for name, array in arrays.items():
            np.testing.assert_array_equal(file[name], array)
            assert file[name].dtype == array.dtype
        assert spec_from_json(str(file["spec"])) == spec


@pytest.mark.parametrize("spec", [SPEC, training(seed=5)], ids=["attention", "regression"])
def test_that_a_saved_spec_opens_as_the_same_spec(
    spec: Spec, at: At, said: list[Any], tmp_path: Path, qtbot: QtBot
) -> None:
    window = at(spec)
    window.exporter.save_spec(tmp_path / "mine.json")
    path = written(qtbot, said, tmp_path / "mine.json")
    at(attention(seed=99))
    window.exporter.open_spec(path)
    assert window.controller.spec == spec
    qtbot.waitUntil(lambda: window.controller.up_to_date)
    window.actions_["undo"].trigger()
    assert window.controller.spec == attention(seed=99)


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"{", ("not JSON",)),
        (b"[1, 2]", ("JSON object",)),
        (b"\xff\xfe\x00x", ("not a text file",)),
        (json.dumps({"lab": "attention", "num_heads": 3, "num_hiddens": 8}).encode(), ("not divisible", "6, 9")),
        (json.dumps({"lab": "juggling"}).encode(), ("juggling", "attention, regression")),
        (json.dumps({"num_head": 2}).encode(), ("num_head", "num_heads")),
        (None, ("cannot be read", "No such file")),
    ],
)
def test_that_a_bad_file_says_a_sentence_and_changes_nothing(
    content: bytes | None, words: tuple[str, ...], at: At, said: list[Any], tmp_path: Path
) -> None:
    window = at(SPEC)
    path = tmp_path / "bad.json"
    if content is not None:
        path.write_bytes(content)
    picture = look(window.rooms["attention"].stage.grid)
    window.exporter.open_spec(path)
    ((sentence, wrong),) = said
    assert wrong
    assert [word for word in words if word not in sentence] == []
    assert window.notice.text() == sentence
    assert not window.notice.isHidden()
    assert window.controller.spec == SPEC
    assert (look(window.rooms["attention"].stage.grid) == picture).all()


@pytest.mark.parametrize("what", ["save_picture", "save_numbers", "save_spec"])
@pytest.mark.parametrize("place", ["no such folder/file", "a file/file"])
def test_that_an_unwritable_place_says_a_sentence(
    what: str, place: str, at: At, said: list[Any], tmp_path: Path, qtbot: QtBot
) -> None:
    window = at(SPEC)
    (tmp_path / "a file").write_text("in the way")
    arguments = (1,) if what == "save_picture" else ()
    getattr(window.exporter, what)(tmp_path / place, *arguments)
    qtbot.waitUntil(lambda: bool(said))
    ((sentence, wrong),) = said
    assert wrong
    assert sentence.startswith("Not saved: ")
    assert str((tmp_path / place).parent) in sentence
    assert window.notice.text() == sentence


@pytest.mark.parametrize("what", ["save_numbers", "save_spec"])
def test_that_the_sentence_about_an_unwritable_place_names_the_file_that_was_asked_for(
    what: str, at: At, said: list[Any], tmp_path: Path, qtbot: QtBot
) -> None:
    getattr(at(SPEC).exporter, what)(tmp_path / "no such folder/file")
    qtbot.waitUntil(lambda: bool(said))
    assert str(tmp_path / "no such folder/file") in said[0][0]


def test_that_saving_over_a_file_that_cannot_be_replaced_leaves_it_whole(
    at: At, said: list[Any], tmp_path: Path, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "mine.json"
    path.write_text(spec_to_json(attention(seed=1)))

    def full(*_: Any) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("os.replace", full)
    at(SPEC).exporter.save_spec(path)
    qtbot.waitUntil(lambda: bool(said))
    monkeypatch.undo()
    assert "No space left on device" in said[0][0]
    assert spec_from_json(path.read_text()) == attention(seed=1)
    assert [file.name for file in tmp_path.iterdir()] == ["mine.json"]


def test_that_numbers_before_the_first_run_are_refused_with_a_sentence(
    open_window: Callable[..., MainWindow], tmp_path: Path
) -> None:
    window = open_window(start=False)
    window.exporter.save_numbers(tmp_path / "none.npz")
    assert window.notice.text() == "There are no numbers yet."
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("action", "chosen", "made"),
    [
        ("save_picture", ("/{0}/p", "PNG, 2x (*.png)"), "p.png"),
        ("save_picture", ("/{0}/p.png", "PNG, 1x (*.png)"), "p.png"),
        ("save_numbers", ("/{0}/n", ""), "n.npz"),
        ("save_spec", ("/{0}/s", ""), "s.json"),
    ],
)
def test_that_a_menu_entry_asks_where_and_gives_the_file_its_ending(
    action: str,
    chosen: tuple[str, str],
    made: str,
    at: At,
    said: list[Any],
    tmp_path: Path,
    qtbot: QtBot,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    answer = chosen[0].format(str(tmp_path).lstrip("/")), chosen[1]
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: answer)
    window = at(SPEC)
    window.actions_[action].trigger()
    path = written(qtbot, said, tmp_path / made)
    if action == "save_picture":
        assert QImage(str(path)).width() == window.width() * int(chosen[1][5])


def test_that_a_dialog_that_is_cancelled_does_nothing(
    at: At, said: list[Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("getSaveFileName", "getOpenFileName"):
        monkeypatch.setattr(QFileDialog, name, lambda *_: ("", ""))
    window = at(SPEC)
    for action in ("save_picture", "save_numbers", "save_spec", "open_spec"):
        window.actions_[action].trigger()
    assert not said
    assert window.controller.spec == SPEC
