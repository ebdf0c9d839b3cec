"""A choice that needs a file asks for one: no error is shown, nothing is run, and the last good picture stays."""

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from hands import Hands, parts
from PySide6.QtCore import QMimeData, QUrl
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QApplication, QDoubleSpinBox, QFileDialog, QLabel
from small_specs import SMALL, attention, regression, training
from windows import At, Settle

from attnviz.gui.forms.row import Row
from attnviz.gui.forms.spec_form import SpecForm
from attnviz.gui.forms.text_editors import PathEdit
from attnviz.gui.window.main_window import MainWindow

Way = Callable[[Path, pytest.MonkeyPatch], str]


def row_of(form: SpecForm, field: str) -> Row:
    row = form.editor(field).parentWidget()
    assert isinstance(row, Row)
    return row


def asks_only(window: MainWindow, field: str, words: str) -> bool:
    """Return whether a field asks for a file, and no error is to be seen in the window."""
    form = window.room.form
    row = row_of(form, field)
    errors = [label.text() for label in form.findChildren(QLabel, "problem") if label.isVisible()]
    assert errors == []
    assert not window.notice.isVisible()
    return words in row.invitation.text() and row.invitation.isVisible() and form.refuses


@pytest.fixture
def weights(tmp_path: Path) -> Path:
    path = tmp_path / "mine.npz"
    np.savez(path, weights=np.full((3, 4, 4), 0.25, np.float32))
    return path


def by_dialog(path: Path, patch: pytest.MonkeyPatch) -> str:
    patch.setattr(QFileDialog, "getOpenFileName", lambda *_: (str(path), ""))
    return "Open ..."


def by_copied_path(path: Path, patch: pytest.MonkeyPatch) -> str:
    QGuiApplication.clipboard().setText(f'"{path}"')
    return "Paste"


def by_copied_file(path: Path, patch: pytest.MonkeyPatch) -> str:
    held = QMimeData()
    held.setUrls([QUrl.fromLocalFile(str(path))])
    QGuiApplication.clipboard().setMimeData(held)
    return "Paste"


@pytest.mark.parametrize("way", [by_dialog, by_copied_path, by_copied_file])
def test_that_given_weights_ask_for_a_file_and_show_it(
    way: Way, weights: Path, at: At, hands: Hands, settle: Settle, monkeypatch: pytest.MonkeyPatch
) -> None:
    window = at(SMALL)
    form, generation = window.room.form, window.runner.generation
    hands.pick(form.editor("mechanism"), "given")
    assert asks_only(window, "inputs", "read from a file")
    assert window.runner.generation == generation
    assert window.room.stage.last_good.isVisible()
    assert window.controller.shown is not None
    assert window.controller.shown.spec == SMALL
    hands.press(row_of(form, "inputs"), way(weights, monkeypatch))
    settle(window)
    assert window.controller.spec.is_given
    assert window.controller.spec.inputs.path == str(weights)  # type: ignore[attr-defined]
    assert not form.refuses
    assert not window.room.stage.last_good.isVisible()


def test_that_a_source_without_its_file_yet_is_not_run(at: At, hands: Hands) -> None:
    for spec, field in ((SMALL, "inputs"), (regression(), "data")):
        window = at(spec)
        generation = window.runner.generation
        parts(window.room.form.editor(field), PathEdit)[0].set_value("")  # not an earlier test's
        hands.pick(window.room.form.editor(field), "file")
        assert asks_only(window, field, "Choose a file")
        assert window.runner.generation == generation
        hands.pick(window.room.form.editor(field), getattr(spec, field).kind)
        assert not window.room.form.refuses
        assert window.runner.generation == generation


def test_that_another_module_takes_the_question_back(at: At, hands: Hands) -> None:
    window = at(SMALL)
    form = window.room.form
    hands.pick(form.editor("mechanism"), "given")
    hands.pick(form.editor("mechanism"), "multi_head")
    assert not form.refuses
    assert not row_of(form, "inputs").invitation.isVisible()
    assert window.controller.spec == SMALL


def test_that_a_clipboard_without_a_path_is_explained(at: At, hands: Hands) -> None:
    window = at(SMALL)
    form = window.room.form
    hands.pick(form.editor("mechanism"), "given")
    QGuiApplication.clipboard().setText("0.1 0.9\n0.5 0.5")
    hands.press(row_of(form, "inputs"), "Paste")
    assert "neither a file nor its path" in form.problem("inputs")


def test_that_each_number_of_the_queries_has_its_name_above_it(at: At) -> None:
    form = at(regression()).room.form
    labels = [label for label in form.editor("x_test").findChildren(QLabel) if label.isVisible()]
    boxes = parts(form.editor("x_test"), QDoubleSpinBox)
    assert [label.text().replace("&", "") for label in labels] == ["Start", "End", "Spacing"]
    for label, box in zip(labels, boxes, strict=True):
        assert label.mapTo(form, label.rect().bottomLeft()).y() < box.mapTo(form, box.rect().topLeft()).y() + 2
        assert label.mapTo(form, label.rect().topLeft()).x() == box.mapTo(form, box.rect().topLeft()).x()


def test_that_a_first_w_that_is_drawn_is_shown_disabled(at: At) -> None:
    form = at(training(w_init=0.9)).room.form
    (box,) = parts(form.editor("w_init"), QDoubleSpinBox)
    on = box.grab().toImage().pixelColor(4, 4)
    form.set_spec(training(w_init=None))
    QApplication.processEvents()
    assert not box.isEnabled()
    assert box.grab().toImage().pixelColor(4, 4) != on


def test_that_a_file_without_the_array_says_what_it_has(at: At, tmp_path: Path, hands: Hands) -> None:
    path = tmp_path / "bad.npz"
    np.savez(path, a=np.zeros((3, 4)), b=np.zeros(2))
    window = at(SMALL)
    spec = attention(mechanism="given", inputs={"kind": "file", "path": str(path)})
    with hands.qtbot.waitSignal(window.controller.failed):
        window.controller.propose(spec)
    assert window.notice.text().endswith("bad.npz has no array weights; it has: a (3, 4), b (2,)")
    assert window.room.stage.last_good.isVisible()
