"""What stands half typed in a field when a file is written: it counts, or it stays where it stands."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hands import parts
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QAbstractSpinBox, QLineEdit, QPlainTextEdit, QTableWidget
from pytestqt.qtbot import QtBot
from session_hands import answers, saves_to
from small_specs import SMALL, attention
from windows import At

from attnviz.export.document import read_document
from attnviz.gui.session.questions import Answer
from attnviz.gui.window.main_window import MainWindow


@pytest.fixture
def save(begun: MainWindow, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Callable[[], Any]:
    """Return a function that saves the session and gives the spec in its file."""
    saves_to(begun, monkeypatch, tmp_path / "mine.attnviz")

    def saved() -> Any:
        with qtbot.waitSignal(begun.keeper.said):
            begun.keeper.save()
        return read_document(tmp_path / "mine.attnviz").spec

    return saved


def type_into(window: MainWindow, qtbot: QtBot, field: str, kind: Any, text: str) -> Any:
    """Type into a field's box or line without ending it; return the widget."""
    widget = parts(window.room.form.editor(field), kind)[0]
    widget.setFocus()
    widget.selectAll()
    qtbot.keyClick(widget, Qt.Key.Key_Delete)
    qtbot.keyClicks(widget, text)
    return widget


def test_that_a_number_that_is_being_typed_is_saved(begun: MainWindow, save: Callable[[], Any], qtbot: QtBot) -> None:
    type_into(begun, qtbot, "seed", QAbstractSpinBox, "77")
    assert begun.controller.spec == SMALL
    assert save() == attention(seed=77)
    assert not begun.isWindowModified()


def test_that_painted_cells_that_are_being_typed_are_saved(
    begun: MainWindow, save: Callable[[], Any], qtbot: QtBot
) -> None:
    type_into(begun, qtbot, "painted", QLineEdit, "1:2")
    assert save().painted == begun.controller.spec.painted != ""  # type: ignore[union-attr]


def test_that_a_sentence_that_is_being_typed_is_saved(
    begun: MainWindow, save: Callable[[], Any], at: At, qtbot: QtBot
) -> None:
    window = at(
        attention(
            num_queries=2, num_kvpairs=2, batch_size=1, self_attention=True, inputs={"kind": "sentence", "text": "a b"}
        )
    )
    text = type_into(window, qtbot, "inputs", QPlainTextEdit, "one two three")
    assert text.toPlainText() == "one two three"
    assert save().inputs.text == "one two three"


def test_that_a_length_that_is_being_typed_is_saved(
    begun: MainWindow, save: Callable[[], Any], at: At, qtbot: QtBot
) -> None:
    window = at(attention(valid_lens=(3, 2)))
    (table,) = parts(window.room.form.editor("valid_lens"), QTableWidget)
    table.setFocus()
    table.editItem(table.item(0, 1))
    line = table.findChild(QLineEdit)
    line.selectAll()
    qtbot.keyClicks(line, "1")
    assert save().valid_lens == (3, 1)


@pytest.mark.parametrize(("field", "typed"), [("num_heads", "3"), ("dropout", "1e-")])
def test_that_what_is_not_legal_stays_at_its_field(
    field: str, typed: str, begun: MainWindow, save: Callable[[], Any], qtbot: QtBot
) -> None:
    box = type_into(begun, qtbot, field, QAbstractSpinBox, typed)
    assert save() == SMALL
    assert box.text() == typed
    assert bool(begun.room.form.problem(field) or begun.room.form.problem("num_hiddens")) is (field == "num_heads")


@pytest.mark.parametrize("doing", ["new", "close"])
def test_that_a_number_that_is_being_typed_is_asked_about(
    doing: str, begun: MainWindow, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = answers(begun, monkeypatch, Answer.CANCEL)
    type_into(begun, qtbot, "seed", QAbstractSpinBox, "78")
    getattr(begun, doing)() if doing == "close" else begun.keeper.new()
    assert asked == ["Untitled"]
    assert begun.controller.spec == attention(seed=78)
