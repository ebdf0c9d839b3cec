"""Points from files and from the clipboard, and into files; a bad line is named, and nothing changes."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hands import Hands, parts
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QFileDialog, QLabel, QLineEdit
from regression_hands import data_of, form_of, stage_of
from small_specs import independent_trace, regression
from windows import At, Settle

from attnviz.experiment.regression.data import FileData, PointsData
from attnviz.gui.window.main_window import MainWindow


def line_of(window: MainWindow, placeholder: str) -> QLineEdit:
    """Return the visible line of the data that this stands in while it is empty."""
    lines = [it for it in parts(data_of(window), QLineEdit) if it.placeholderText() == placeholder and it.isVisible()]
    (line,) = lines
    return line


def copied(text: str) -> None:
    QGuiApplication.clipboard().setText(text)


def is_drawn_as_markup(label: QLabel) -> bool:
    """Return whether a label takes what it says for HTML."""
    if label.textFormat() == Qt.TextFormat.AutoText:
        return bool(Qt.mightBeRichText(label.text()))
    return label.textFormat() != Qt.TextFormat.PlainText


def test_that_a_bad_line_of_a_file_is_named_and_the_picture_stays(
    at: At, hands: Hands, settle: Settle, tmp_path: Path
) -> None:
    path = tmp_path / "points.csv"
    path.write_text("x,y\n1,2\n2,three\n3,4\n")
    window = at(regression())
    before = window.controller.shown
    hands.pick(data_of(window), "file")
    with hands.qtbot.waitSignal(window.controller.failed):
        hands.type(line_of(window, "Open points"), str(path))
    assert window.controller.spec.data == FileData(path=str(path))  # type: ignore[union-attr]
    assert f"{path}, line 3: '2,three' is not two finite numbers" in window.notice.text()
    assert window.controller.shown is before
    path.write_text("x;y\n1,5;2\n2;3\n")
    hands.type(form_of(window).editor("width"), "0.4")
    settle(window)
    np.testing.assert_array_equal(stage_of(window).trace.x_train, [1.5, 2.0])


@pytest.mark.parametrize(
    ("text", "x", "y"),
    [
        ("x\ty\n1\t2\n3\t4\n", (1.0, 3.0), (2.0, 4.0)),
        ("1,5;2\r\n-3;4,25\r\n", (1.5, -3.0), (2.0, 4.25)),
        ("1 2\n\n# no\n0.5 1e2", (1.0, 0.5), (2.0, 100.0)),
        ("1,2\n3,4", (1.0, 3.0), (2.0, 4.0)),
    ],
)
def test_that_two_columns_from_the_clipboard_become_the_points(
    text: str, x: tuple[float, ...], y: tuple[float, ...], at: At, hands: Hands, settle: Settle
) -> None:
    window = at(regression())
    copied(text)
    hands.press(data_of(window), "Paste")
    assert window.controller.spec == regression(data={"kind": "points", "x": x, "y": y})
    assert data_of(window).kind.value() == "points"
    settle(window)
    order = np.argsort(x)
    np.testing.assert_array_equal(stage_of(window).trace.x_train, np.array(x)[order])
    window.controller.undo_stack.undo()
    assert window.controller.spec == regression()
    assert data_of(window).kind.value() == "synthetic"
    settle(window)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "holds no points"),
        ("only words\nand more", "line 2: 'and more'"),
        ("1;2\n3;x", "line 2: '3;x'"),
        ("1 2 3", "line 1: '1 2 3'"),
        ("1,nan", "line 1: '1,nan'"),
        ("1,2\n1e200,3", "line 2"),
        ("1\n" * 3, "line 1"),
        ("1,2\n" * 20_001, "more than 20000 points"),
        ("1,2\n" * 400_000, "too much text"),
    ],
    ids=lambda value: value[:20].replace("\n", "/"),
)
def test_that_a_clipboard_without_points_is_explained_and_changes_nothing(
    text: str, said: str, at: At, hands: Hands
) -> None:
    window = at(regression())
    window.controller.undo_stack.clear()
    copied(text)
    hands.press(data_of(window), "Paste")
    assert said in form_of(window).problem("data")
    assert "the clipboard" in form_of(window).problem("data")
    assert window.controller.spec == regression()
    assert window.controller.undo_stack.count() == 0
    assert data_of(window).value()["kind"] == "synthetic"
    copied("1 2\n3 4")
    hands.press(data_of(window), "Paste")
    assert form_of(window).problem("data") == ""
    assert window.controller.spec.data == PointsData(x=(1.0, 3.0), y=(2.0, 4.0))  # type: ignore[union-attr]


def test_that_a_pasted_line_is_shown_letter_by_letter_and_not_as_markup(at: At, hands: Hands) -> None:
    window = at(regression())
    copied("1 2\n<b>3</b> <img src='file:///nowhere.png'>")
    hands.press(data_of(window), "Paste")
    labels = [it for it in form_of(window).findChildren(QLabel) if it.objectName() == "problem" and it.isVisible()]
    (label,) = labels
    assert "<b>3</b>" in form_of(window).problem("data")
    assert not is_drawn_as_markup(label) or "&lt;b&gt;3" in label.text()


def test_that_a_files_line_is_shown_letter_by_letter_and_not_as_markup(at: At, hands: Hands, tmp_path: Path) -> None:
    (tmp_path / "p.csv").write_text("1,2\n<b>3</b> <img src='file:///nowhere.png'>\n")
    window = at(regression())
    with hands.qtbot.waitSignal(window.controller.failed):
        window.controller.propose(regression(data={"kind": "file", "path": str(tmp_path / "p.csv")}))
    assert "3</b>" in window.notice.text()
    assert not is_drawn_as_markup(window.notice)


def test_that_saved_points_are_read_back_bit_for_bit(
    at: At, hands: Hands, settle: Settle, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    window = at(regression())
    trace = independent_trace(regression())
    path = tmp_path / "mine.csv"
    said: list[tuple[str, bool]] = []
    connection = window.exporter.said.connect(lambda text, wrong: said.append((text, wrong)))
    asked: list[Any] = []
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *args: (asked.append(args), ("", ""))[1])
    hands.press(data_of(window), "Save ...")
    assert len(asked) == 1
    assert Path(asked[0][2]).name == "kernel-gaussian-width-1-synthetic.csv"
    assert said == []
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: (str(path.with_suffix("")), ""))
    hands.press(data_of(window), "Save ...")
    hands.qtbot.waitUntil(lambda: bool(said))
    window.exporter.said.disconnect(connection)
    assert said == [(f"Saved {path}", False)]
    hands.pick(data_of(window), "file")
    hands.type(line_of(window, "Open points"), str(path))
    settle(window)
    again = stage_of(window).trace
    assert again.x_train.tobytes() == trace.x_train.tobytes()
    assert again.y_train.tobytes() == trace.y_train.tobytes()
    np.testing.assert_array_equal(again.y_hat, trace.y_hat)
    assert np.isnan(again.y_truth).all()


def test_that_points_that_cannot_be_saved_are_said(at: At, hands: Hands, tmp_path: Path) -> None:
    window = at(regression())
    window.exporter.save_points(tmp_path / "no such folder" / "points.csv")
    hands.qtbot.waitUntil(lambda: "Not saved" in window.notice.text())
    assert "no such folder" in window.notice.text()
