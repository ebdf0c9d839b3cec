"""The user's own functions in the form: a file, and what of it is chosen as the mask and as the change of scores."""

from pathlib import Path

import pytest
from lab_forms import lab_form
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFileDialog, QLineEdit
from pytestqt.qtbot import QtBot
from small_specs import attention
from windows import At

from attnviz.experiment.attention.mods import Mods
from attnviz.experiment.attention.own_mask import Listed
from attnviz.experiment.attention.spec import AttentionSpec
from attnviz.experiment.files import consent
from attnviz.gui.forms.row import Row
from attnviz.gui.forms.spec_form import SpecForm
from attnviz.gui.labs.attention.editors.mods_edit import ModsEdit
from attnviz.gui.theme import LIGHT, Look, restyle

SOURCE = """
def causal(b, h, q_idx, kv_idx):
    return q_idx >= kv_idx

def windowed(size):
    def mask(b, h, q_idx, kv_idx):
        return q_idx - kv_idx < size
    return mask

def closer(score, b, h, q_idx, kv_idx):
    return score - (q_idx - kv_idx).abs()
"""


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "my_mods.py"
    path.write_text(SOURCE)
    return path


@pytest.fixture
def form(qtbot: QtBot) -> SpecForm:
    """A form whose proposals become its spec, as in the window."""
    form = lab_form("attention")
    qtbot.addWidget(form)
    restyle(form, Look(LIGHT))
    form.proposed.connect(form.set_spec)
    form.set_spec(attention())
    form.resize(300, 900)
    form.show()
    return form


def mods_of(form: SpecForm) -> Mods | None:
    assert isinstance(form.spec, AttentionSpec)
    return form.spec.mods


def editor_of(form: SpecForm) -> ModsEdit:
    editor = form.editor("mods")
    assert isinstance(editor, ModsEdit)
    return editor


def opened(qtbot: QtBot, form: SpecForm, file: Path, patch: pytest.MonkeyPatch) -> ModsEdit:
    """Choose a file in the dialog, and wait until its text is read."""
    patch.setattr(QFileDialog, "getOpenFileName", lambda *_: (str(file), ""))
    editor_of(form).choose()
    qtbot.waitUntil(lambda: mods_of(form) is not None)
    return editor_of(form)


def type_in(qtbot: QtBot, line: QLineEdit, text: str) -> None:
    line.setFocus()
    line.selectAll()
    qtbot.keyClicks(line, text)
    qtbot.keyClick(line, Qt.Key.Key_Return)


def test_that_the_hint_in_the_empty_path_is_whole_at_the_usual_width(at: At) -> None:
    form = at(attention()).room.form
    line = form.editor("mods").findChild(QLineEdit)
    assert line is not None
    hint = line.placeholderText()
    assert hint
    assert line.fontMetrics().horizontalAdvance(hint) <= line.width() - 20  # its frame and padding


def test_that_a_file_chosen_in_the_dialog_brings_its_text_and_first_functions(
    qtbot: QtBot, form: SpecForm, file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    editor = opened(qtbot, form, file, monkeypatch)
    assert mods_of(form) == Mods(path=str(file), mask_mod="causal", score_mod="closer", source=SOURCE)
    assert editor.functions["mask_mod"].box.isVisible()
    assert [editor.functions["mask_mod"].box.itemText(at) for at in range(2)] == ["causal", "windowed(...)"]
    assert editor.allow.isHidden()


def test_that_a_factory_chosen_from_the_list_waits_for_its_arguments(
    qtbot: QtBot, form: SpecForm, file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    edit = opened(qtbot, form, file, monkeypatch).functions["mask_mod"]
    box = edit.box
    box.setCurrentIndex(1)
    box.activated.emit(1)
    assert (box.currentText(), edit.line.cursorPosition()) == ("windowed()", len("windowed("))
    assert mods_of(form).mask_mod == "causal"  # type: ignore[union-attr]
    qtbot.keyClicks(edit.line, "4")
    qtbot.keyClick(edit.line, Qt.Key.Key_Return)
    assert mods_of(form).mask_mod == "windowed(4)"  # type: ignore[union-attr]


def test_that_what_is_no_function_is_a_problem_at_the_field_and_an_empty_line_is_none(
    qtbot: QtBot, form: SpecForm, file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    edit = opened(qtbot, form, file, monkeypatch).functions["mask_mod"]
    type_in(qtbot, edit.line, "windowed(size)")
    assert "sliding_window(4)" in form.problem("mods")
    assert form.refuses
    assert mods_of(form).mask_mod == "causal"  # type: ignore[union-attr]
    edit.line.clear()
    qtbot.keyClick(edit.line, Qt.Key.Key_Return)
    assert (mods_of(form).mask_mod, form.problem("mods")) == (None, "")  # type: ignore[union-attr]


def test_that_removing_the_file_leaves_the_spec_without_functions(
    qtbot: QtBot, form: SpecForm, file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    editor = opened(qtbot, form, file, monkeypatch)
    editor.remove.click()
    assert mods_of(form) is None
    assert editor.functions["mask_mod"].isHidden() or not editor.functions["mask_mod"].isVisible()
    assert editor.path.value() == ""


def test_that_names_which_only_a_run_can_tell_are_offered_for_the_text_that_was_run(
    qtbot: QtBot, form: SpecForm, file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    editor = opened(qtbot, form, file, monkeypatch)
    box = editor.functions["score_mod"].box
    made = Listed("made_by_a_loop", "score_mod")
    editor.take_listed("another text", (made,))
    assert box.findText("made_by_a_loop") < 0
    editor.take_listed(SOURCE, (made,))
    assert box.findText("made_by_a_loop") >= 0
    assert box.currentText() == "closer"


def test_that_a_text_that_was_not_allowed_asks_to_be_read_first(form: SpecForm) -> None:
    foreign = Mods(path="/elsewhere/theirs.py", mask_mod="f", source="def f(b, h, q, k): return q >= k  # theirs")
    asked: list[bool] = []
    editor_of(form).allow_asked.connect(lambda: asked.append(True))
    form.set_spec(attention(mods=foreign))
    assert editor_of(form).allow.isVisible()
    editor_of(form).allow.click()
    assert asked == [True]
    consent.allow(foreign.digest, remember=False)
    editor_of(form).show_allowed()
    assert editor_of(form).allow.isHidden()


def test_that_a_file_without_a_function_that_can_be_chosen_asks_for_one(
    qtbot: QtBot, form: SpecForm, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "factories.py"
    path.write_text(SOURCE[SOURCE.index("def windowed") : SOURCE.index("def closer")])
    editor = opened(qtbot, form, path, monkeypatch)
    row = form.row_of("mods")
    assert isinstance(row, Row)
    qtbot.waitUntil(row.note.isVisible)  # the text of the file arrives after its path
    assert row.note.text() == "Choose a function of the file; none acts yet."
    type_in(qtbot, editor.functions["mask_mod"].line, "windowed(2)")
    assert not row.note.isVisible()
