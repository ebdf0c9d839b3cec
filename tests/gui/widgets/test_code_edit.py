"""The editor of Python code: keys, pauses, marks, and texts shown in place of others."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QTextCursor
from PySide6.QtWidgets import QLineEdit, QWidget
from pytestqt.qtbot import QtBot

from attnviz.gui.theme import DARK, LIGHT, Look, restyle
from attnviz.gui.widgets.code_edit import CodeEdit
from attnviz.gui.widgets.layouts import column_of

NO_MODIFIER = Qt.KeyboardModifier.NoModifier
TEXT = '''"""Two lines
of text."""
def causal(b, h, q_idx, kv_idx):
    return q_idx >= kv_idx
'''


@pytest.fixture
def code(qtbot: QtBot) -> CodeEdit:
    edit = CodeEdit("Code")
    qtbot.addWidget(edit)
    restyle(edit, Look(LIGHT))
    edit.resize(400, 300)
    edit.show()
    qtbot.waitExposed(edit)
    edit.show_text(TEXT)
    edit.setFocus()
    return edit


def colours_of(edit: CodeEdit, line: int) -> dict[str, str]:
    """Return the colour of each coloured part of a line."""
    block = edit.document().findBlockByNumber(line - 1)
    text = block.text().encode("utf-16-le")
    parts = {}
    for each in block.layout().formats():
        part = text[2 * each.start : 2 * (each.start + each.length)].decode("utf-16-le")
        parts[part] = each.format.foreground().color().name()
    return parts


def test_that_an_edit_takes_effect_once_after_a_pause(qtbot: QtBot, code: CodeEdit) -> None:
    taken: list[str] = []
    code.edited.connect(lambda: taken.append(code.text))
    qtbot.keyClicks(code, "x = 1")
    assert taken == []
    qtbot.waitUntil(lambda: bool(taken))
    assert taken == ["x = 1" + TEXT]
    code.finish()
    assert len(taken) == 1


def test_that_a_text_shown_in_place_of_another_is_no_edit_and_the_cursor_stays_at_its_line(code: CodeEdit) -> None:
    taken: list[str] = []
    code.edited.connect(lambda: taken.append(code.text))
    code.go_to(4)
    code.show_text(TEXT.replace("Two", "Two or 𝔸 more"))
    assert code.text == TEXT.replace("Two", "Two or 𝔸 more")
    assert code.textCursor().block().text() == "    return q_idx >= kv_idx"
    code.finish()
    assert taken == []


def test_that_what_is_being_typed_stays_when_the_text_before_it_is_shown_again(qtbot: QtBot, code: CodeEdit) -> None:
    qtbot.keyClicks(code, "# ")
    code.show_text(TEXT)
    assert code.text == "# " + TEXT
    code.show_text("other")
    assert code.text == "other"


def test_that_tab_indents_return_keeps_the_indentation_and_a_colon_deepens_it(qtbot: QtBot, code: CodeEdit) -> None:
    code.show_text("")
    qtbot.keyClicks(code, "if x:")
    qtbot.keyClick(code, Qt.Key.Key_Return)
    qtbot.keyClicks(code, "a")
    qtbot.keyClick(code, Qt.Key.Key_Return)
    qtbot.keyClick(code, Qt.Key.Key_Tab)
    qtbot.keyClicks(code, "b")
    assert code.text == "if x:\n    a\n        b"
    qtbot.keyClick(code, Qt.Key.Key_Backtab, Qt.KeyboardModifier.ShiftModifier)
    assert code.text == "if x:\n    a\n    b"
    code.selectAll()
    qtbot.keyClick(code, Qt.Key.Key_Tab)
    assert code.text == "    if x:\n        a\n        b"


def test_that_tab_leaves_the_editor_after_escape_and_indents_again_after_a_letter(qtbot: QtBot, code: CodeEdit) -> None:
    window, other = QWidget(), QLineEdit()
    qtbot.addWidget(window)
    column_of(window, code, other, gap=0)
    window.show()
    window.activateWindow()
    qtbot.waitExposed(window)
    for key, modifier in ((Qt.Key.Key_Tab, NO_MODIFIER), (Qt.Key.Key_Backtab, Qt.KeyboardModifier.ShiftModifier)):
        code.setFocus()
        qtbot.keyClick(code, Qt.Key.Key_Escape)
        qtbot.keyClick(code, key, modifier)
        assert window.focusWidget() is other
    assert code.text == TEXT
    code.setFocus()
    qtbot.keyClick(code, Qt.Key.Key_Escape)
    qtbot.keyClicks(code, "x")
    qtbot.keyClick(code, Qt.Key.Key_Tab)
    assert window.focusWidget() is code
    assert code.text == "x   " + TEXT
    code.setParent(None)


def test_that_a_clause_is_turned_into_a_comment_and_back(qtbot: QtBot, code: CodeEdit) -> None:
    code.go_to(3)
    code.moveCursor(QTextCursor.MoveOperation.Down, QTextCursor.MoveMode.KeepAnchor)
    code.moveCursor(QTextCursor.MoveOperation.EndOfLine, QTextCursor.MoveMode.KeepAnchor)
    qtbot.keyClick(code, Qt.Key.Key_Slash, Qt.KeyboardModifier.ControlModifier)
    commented = ["# def causal(b, h, q_idx, kv_idx):", "#     return q_idx >= kv_idx"]
    assert code.text.splitlines()[2:] == commented
    qtbot.keyClick(code, Qt.Key.Key_Slash, Qt.KeyboardModifier.ControlModifier)
    assert code.text == TEXT
    code.undo()
    assert code.text.splitlines()[2:] == commented


@pytest.mark.parametrize("theme", [LIGHT, DARK], ids=["light", "dark"])
def test_that_strings_over_several_lines_and_keywords_have_the_colours_of_the_theme(
    code: CodeEdit, theme: object
) -> None:
    restyle(code, Look(theme))  # type: ignore[arg-type]
    string = set(colours_of(code, 1).values())
    assert len(string) == 1
    assert set(colours_of(code, 2).values()) == string
    assert colours_of(code, 3)["def"] not in string
    code.show_text(TEXT.replace("Two lines", "𝔸𝔸").replace("return", "return "))
    assert set(colours_of(code, 1).values()) == string


def test_that_the_line_of_an_error_is_marked_and_can_be_gone_to(code: CodeEdit) -> None:
    code.mark_wrong(4)
    marked = [each.cursor.blockNumber() + 1 for each in code.extraSelections()]
    assert 4 in marked
    code.mark_wrong(0)
    assert [each.cursor.blockNumber() + 1 for each in code.extraSelections()] == [1]
    code.mark_wrong(99)
    assert code.wrong_line == 0


def test_that_ctrl_s_saves_the_file_and_not_the_session_of_the_window(qtbot: QtBot, code: CodeEdit) -> None:
    pressed: list[bool] = []
    code.save_pressed.connect(lambda: pressed.append(True))
    qtbot.keyClick(code, Qt.Key.Key_S, Qt.KeyboardModifier.ControlModifier)
    assert (pressed, code.text) == ([True], TEXT)
