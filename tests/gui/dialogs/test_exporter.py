"""What leaves the window without a dialog of choices: picture, numbers, specs; and what is said when it cannot."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from eyes import colours_of, heatmap_colours, look, pixels
from PySide6.QtCore import QPoint, QRect
from PySide6.QtGui import QGuiApplication, QImage
from PySide6.QtWidgets import QFileDialog
from pytestqt.qtbot import QtBot
from small_specs import SMALL, attention, independent_trace, training
from windows import At, Opener

from attnviz.experiment.files.session import session_from_json, session_or_spec_from_json
from attnviz.experiment.labs import Spec, make_spec, spec_to_json
from attnviz.export.document import read_document
from attnviz.export.embedded_session import KEY
from attnviz.gui.app import _Screenshot
from attnviz.gui.dialogs.exporter import Exporter

SPEC = attention(seed=8, valid_lens=(3, 2))


@pytest.fixture
def said(at: At) -> list[tuple[str, bool]]:
    """What the exporter of the module's window says, but for what it says while a slow machine is saving."""
    sentences: list[tuple[str, bool]] = []

    def hear(text: str, wrong: bool) -> None:
        if not text.endswith(" ..."):
            sentences.append((text, wrong))

    at(SPEC).exporter.said.connect(hear)
    return sentences


def written(qtbot: QtBot, said: list[Any], path: Path) -> Path:
    """Wait for the sentence about a file and return its path."""
    qtbot.waitUntil(lambda: bool(said))
    assert said[-1] == (f"Saved {path}", False)
    return path


@pytest.mark.parametrize("scale", [1, 2, 3])
def test_that_a_picture_has_the_pixels_of_the_window_at_its_scale_and_carries_its_spec(
    scale: int, at: At, tmp_path: Path
) -> None:
    window = at(SPEC)
    _, png = window.exporter.picture(scale)
    (tmp_path / "a picture.png").write_bytes(png())
    image = QImage(str(tmp_path / "a picture.png"))
    assert image.size() == window.size() * scale
    assert session_from_json(image.text(KEY)).spec == read_document(tmp_path / "a picture.png").spec == SPEC
    heatmap = window.rooms["attention"].stage.heatmap
    corner = heatmap.mapTo(window, QPoint(0, 0))
    part = image.copy(QRect(corner * scale, heatmap.size() * scale))
    levels = independent_trace(SPEC).levels()[0, 0]
    table = window.rooms["attention"].stage.table
    assert (heatmap_colours(heatmap, (3, 4), pixels(part), scale) == colours_of(table, levels)).all()


def test_that_a_picture_of_scale_1_is_what_the_window_shows(at: At) -> None:
    window = at(SPEC)
    _, png = window.exporter.picture(1)
    image = QImage.fromData(png())
    stage = window.rooms["attention"].stage
    corner = stage.grid.mapTo(window, QPoint(0, 0))
    assert (pixels(image.copy(QRect(corner, stage.grid.size()))) == look(stage.grid)).all()


def test_that_a_copied_picture_is_at_least_twice_as_sharp_and_carries_its_spec(
    at: At, said: list[Any], qtbot: QtBot
) -> None:
    window = at(SPEC)
    window.notice.say("This is no part of the picture.", problem=False)
    window.actions_["copy_picture"].trigger()
    qtbot.waitUntil(lambda: bool(said))
    image = QGuiApplication.clipboard().image()
    assert image.width() >= window.width() * 2
    assert image.width() / window.width() == image.height() / window.height()
    png = QGuiApplication.clipboard().mimeData().data("image/png").data()
    assert session_from_json(QImage.fromData(png).text(KEY)).spec == SPEC
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
        assert session_or_spec_from_json(str(file["spec"])).spec == spec


def test_that_numbers_may_also_be_a_table(at: At, said: list[Any], tmp_path: Path, qtbot: QtBot) -> None:
    at(SPEC).exporter.save_numbers(tmp_path / "numbers.CSV")
    lines = written(qtbot, said, tmp_path / "numbers.CSV").read_text(encoding="utf-8").splitlines()
    assert lines[0].startswith("batch,head,query,key,")
    assert len(lines) == 1 + independent_trace(SPEC).weights.size


@pytest.mark.parametrize("spec", [SPEC, training(seed=5)], ids=["attention", "regression"])
def test_that_a_saved_spec_is_the_current_one(
    spec: Spec, at: At, said: list[Any], tmp_path: Path, qtbot: QtBot
) -> None:
    at(spec).exporter.save_spec(tmp_path / "mine.json")
    text = written(qtbot, said, tmp_path / "mine.json").read_text(encoding="utf-8")
    assert session_or_spec_from_json(text).spec == spec


@pytest.mark.parametrize("what", ["save_numbers", "save_spec"])
@pytest.mark.parametrize("place", ["no such folder/file.npz", "a file/file.npz"])
def test_that_an_unwritable_place_says_a_sentence(
    what: str, place: str, at: At, said: list[Any], tmp_path: Path, qtbot: QtBot
) -> None:
    window = at(SPEC)
    (tmp_path / "a file").write_text("in the way")
    getattr(window.exporter, what)(tmp_path / place)
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
    assert session_or_spec_from_json(path.read_text()).spec == attention(seed=1)
    assert [file.name for file in tmp_path.iterdir()] == ["mine.json"]


def test_that_numbers_before_the_first_run_are_refused_with_a_sentence(open_window: Opener, tmp_path: Path) -> None:
    window = open_window(start=False)
    window.exporter.save_numbers(tmp_path / "none.npz")
    assert window.notice.text() == "There are no numbers yet."
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("name", ["n.json", "n.npy", "n"])
def test_that_numbers_are_not_written_into_a_file_of_another_kind(
    name: str, at: At, said: list[Any], tmp_path: Path
) -> None:
    at(SPEC).exporter.save_numbers(tmp_path / name)
    ((sentence, problem),) = said
    assert sentence.startswith(str(tmp_path / name))
    assert sentence.endswith("n.npz")
    assert ".npz, .csv" in sentence
    assert problem
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("action", "chosen", "made"),
    [
        ("save_numbers", ("n", ""), "n.npz"),
        ("save_numbers", ("n", "Table with a row for each cell (*.csv)"), "n.csv"),
        ("save_numbers", ("n.csv", "NumPy arrays of every stage (*.npz)"), "n.csv"),
        ("save_numbers", ("n.2", ""), "n.2.npz"),
        ("save_spec", ("s", ""), "s.json"),
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
    asked: list[str] = []

    def answer(_window: Any, _title: str, proposed: str, _filters: str) -> tuple[str, str]:
        asked.append(proposed)
        return str(tmp_path / chosen[0]), chosen[1]

    monkeypatch.setattr(QFileDialog, "getSaveFileName", answer)
    monkeypatch.setattr(Exporter, "may_replace", lambda *_: True)
    window = at(SPEC)
    for _ in range(2):
        said.clear()
        window.actions_[action].trigger()
        written(qtbot, said, tmp_path / made)
    # Named from the spec, and the second time in the folder of the first.
    assert Path(asked[0]).name.startswith("multi-head-2-heads")
    assert Path(asked[1]).parent == tmp_path


def test_that_a_file_whose_ending_was_not_typed_is_not_replaced_unasked(
    at: At, said: list[Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "mine.json").write_text("precious")
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: (str(tmp_path / "mine"), ""))
    asked: list[Path] = []
    monkeypatch.setattr(Exporter, "may_replace", lambda _, path: asked.append(path))
    at(SPEC).actions_["save_spec"].trigger()
    assert asked == [tmp_path / "mine.json"]
    assert not said
    assert (tmp_path / "mine.json").read_text() == "precious"


def test_that_a_dialog_that_is_cancelled_does_nothing(
    at: At, said: list[Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: ("", ""))
    window = at(SPEC)
    for action in ("save_numbers", "save_spec"):
        window.actions_[action].trigger()
    assert not said
    assert window.controller.spec == SPEC


def test_that_a_screenshot_waits_for_no_other_lab(
    open_window: Opener, tmp_path: Path, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    loaded: list[str] = []
    monkeypatch.setattr("attnviz.gui.labs.rooms._load", lambda: loaded.append("all"))
    window = open_window(start=False)
    shot = _Screenshot(window, tmp_path / "shot.png", 1)
    with qtbot.waitSignal(window.closed, timeout=20_000):
        window.start()
    assert shot.code == 0
    assert read_document(tmp_path / "shot.png").spec == SMALL
    assert loaded == []


def test_that_a_screenshot_of_a_model_waits_for_the_comparison_with_its_own_run(
    open_window: Opener, tmp_path: Path, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    window = open_window(make_spec({"lab": "model"}), start=False)
    shot, taken = _Screenshot(window, tmp_path / "shot.png", 1), []
    picture = window.exporter.picture
    monkeypatch.setattr(
        window.exporter, "picture", lambda *scale: (taken.append(window.controller.shown), picture(*scale))[1]
    )
    monkeypatch.setattr("attnviz.gui.app.SETTLE_MS", 0)
    with qtbot.waitSignal(window.closed, timeout=60_000):
        window.start()
    assert shot.code == 0
    assert [each.final for each in taken] == [True]
