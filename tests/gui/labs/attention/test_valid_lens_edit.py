"""The editors of masks: the table of valid lengths, filled by hand or by its buttons, and the lines of documents and
painted cells."""

from collections.abc import Callable
from typing import Any

import pytest
from hands import Hands, part, parts
from lab_forms import lab_editor, lab_form
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QAbstractButton, QAbstractSpinBox, QLineEdit, QTableWidget
from pytestqt.qtbot import QtBot
from small_specs import attention

from attnviz.experiment.labs import LABS, make_spec

BATCH, QUERIES, KEYS = 2, 3, 5


@pytest.fixture
def editor(qtbot: QtBot) -> Any:
    """The editor of valid lengths for a batch of 2, 3 queries and 5 keys, without any."""
    made: Any = lab_editor("attention", "valid_lens")
    qtbot.addWidget(made)
    qtbot.addWidget(made.below)
    made.set_sizes(BATCH, QUERIES, KEYS)
    made.set_value(None)
    return made


@pytest.fixture
def edits(editor: Any) -> list[Any]:
    """The values that the editor has had after each edit."""
    seen: list[Any] = []
    editor.edited.connect(lambda: seen.append(editor.value()))
    return seen


Made = Callable[[str], tuple[Any, list[Any]]]


@pytest.fixture
def made(qtbot: QtBot) -> Made:
    """Return a function that makes the editor of a field and notes what it says."""

    def make(name: str) -> tuple[Any, list[Any]]:
        field = LABS["attention"].spec_type.model_fields[name]
        line: Any = lab_editor("attention", name)
        qtbot.addWidget(line)
        line.set_value(field.default)
        line.show()
        said: list[Any] = []
        line.edited.connect(lambda: said.append(line.value()))
        return line, said

    return make


def table_of(editor: Any) -> QTableWidget:
    (table,) = parts(editor, QTableWidget)
    return table


def texts(editor: Any) -> list[list[str]]:
    table = table_of(editor)
    return [[table.item(r, c).text() for c in range(table.columnCount())] for r in range(table.rowCount())]


def test_that_without_lengths_there_is_no_table(editor: Any) -> None:
    assert editor.value() is None
    assert editor.below.isHidden()


def test_that_a_form_chosen_begins_with_every_key_valid(editor: Any, edits: list[Any], hands: Hands) -> None:
    hands.pick(editor, "item")
    hands.pick(editor, "query")
    hands.pick(editor, "none")
    assert edits == [(KEYS,) * BATCH, ((KEYS,) * QUERIES,) * BATCH, None]


@pytest.mark.parametrize("value", [(3, 0), ((1, 2, 3), (0, 5, 4))])
def test_that_the_table_shows_one_row_of_items_or_rows_of_queries(value: Any, editor: Any) -> None:
    editor.set_value(value)
    rows = value if isinstance(value[0], tuple) else (value,)
    assert texts(editor) == [[str(length) for length in row] for row in rows]
    assert editor.value() == value
    assert not editor.below.isHidden()


@pytest.mark.parametrize("value", [None, (3, 0), ((1, 2, 3), (0, 5, 4))])
def test_that_showing_a_value_is_no_edit(value: Any, editor: Any, edits: list[Any]) -> None:
    editor.set_value(value)
    editor.set_sizes(4, 1, 2)
    assert not edits


@pytest.mark.parametrize(
    ("form", "button", "gives"),
    [
        ("item", "Equal", (4, 4)),
        ("item", "Staircase", (1, 2)),
        ("query", "Equal", ((4, 4, 4), (4, 4, 4))),
        ("query", "Staircase", ((1, 2, 3), (1, 2, 3))),
    ],
)
def test_that_a_button_fills_the_table_in_one_edit(
    form: str, button: str, gives: Any, editor: Any, edits: list[Any], hands: Hands
) -> None:
    hands.pick(editor, form)
    hands.fill(editor, 0, 0, "4")
    edits.clear()
    hands.press(editor.below, button)
    assert edits == [gives]


@pytest.mark.parametrize("form", ["item", "query"])
def test_that_random_draws_legal_lengths_and_others_each_time(
    form: str, editor: Any, edits: list[Any], hands: Hands
) -> None:
    hands.pick(editor, form)
    edits.clear()
    for _ in range(4):
        hands.press(editor.below, "Random")
    sizes = {"batch_size": BATCH, "num_queries": QUERIES, "num_kvpairs": KEYS}
    for value in edits:
        assert make_spec({**sizes, "valid_lens": value}).valid_lens == value  # type: ignore[union-attr]
        assert 0 not in value
    assert len(set(edits)) > 1


def test_that_a_staircase_ends_at_the_number_of_keys(editor: Any, edits: list[Any], hands: Hands) -> None:
    editor.set_sizes(4, 3, 2)
    hands.pick(editor, "item")
    hands.press(editor.below, "Staircase")
    assert edits[-1] == (1, 2, 2, 2)


def test_that_a_typed_length_is_an_edit(editor: Any, edits: list[Any], hands: Hands) -> None:
    editor.set_value(((1, 2, 3), (0, 5, 4)))
    hands.fill(editor, 1, 0, "2")
    assert edits == [((1, 2, 3), (2, 5, 4))]


@pytest.mark.parametrize("typed", ["x", "", "2.5", "1e3", "99999999999999999999", "²", "٣"])
def test_that_what_is_no_whole_number_comes_back_as_it_was_typed(
    typed: str, editor: Any, edits: list[Any], hands: Hands
) -> None:
    editor.set_value((3, 2))
    table = table_of(editor)
    table.item(0, 1).setText(typed)
    ((first, second),) = edits
    assert first == 3
    assert second == typed or (typed == "٣" and second == 3)
    assert texts(editor) == [["3", typed]]


def test_that_two_signs_before_a_number_come_back_as_typed(editor: Any, hands: Hands) -> None:
    editor.set_value((3, 2))
    table_of(editor).blockSignals(True)
    table_of(editor).item(0, 1).setText("--1")
    assert editor.value() == (3, "--1")


def test_that_lengths_follow_the_sizes(editor: Any) -> None:
    editor.set_value(((1, 2, 3), (0, 5, 4)))
    editor.set_sizes(3, 2, 4)
    assert editor.value() == ((1, 2), (0, 4), (0, 4))
    editor.set_value((1, 2, 3))
    editor.set_sizes(2, 2, 4)
    assert editor.value() == (1, 2)
    editor.set_sizes(4, 2, 1)
    assert editor.value() == (1, 1, 1, 1)


@pytest.mark.parametrize(
    ("typed", "words"),
    [
        ("x", ("whole number",)),
        ("", ("whole number",)),
        ("2.5", ("whole number",)),
        ("6", ("6", "0..5", "nearest: 5")),
        ("-1", ("-1", "0..5", "nearest: 0")),
        ("99999999999999999999", ("whole number",)),
    ],
)
def test_that_nonsense_in_the_table_is_explained_there_and_stays_for_repair(
    typed: str, words: tuple[str, ...], hands: Hands, qtbot: QtBot
) -> None:
    form = lab_form("attention")
    qtbot.addWidget(form)
    form.set_spec(make_spec({"num_kvpairs": KEYS, "valid_lens": (3, 2)}))
    made: list[Any] = []
    form.proposed.connect(lambda spec, _field: made.append(spec.valid_lens))
    hands.fill(form.editor("valid_lens"), 0, 1, typed)
    assert not made
    sentence = form.problem("valid_lens")
    assert [word for word in words if word not in sentence] == []
    assert texts(form.editor("valid_lens")) == [["3", typed]]
    hands.fill(form.editor("valid_lens"), 0, 1, "4")
    assert form.problem("valid_lens") == ""
    assert made == [(3, 4)]


def test_that_the_table_and_its_buttons_say_what_they_are(editor: Any) -> None:
    assert table_of(editor).accessibleName() == "Valid lengths"
    assert all(button.toolTip() for button in editor.below.findChildren(QAbstractButton) if button.text())


def test_that_a_long_table_scrolls_within_its_place(editor: Any) -> None:
    editor.set_sizes(50, 40, 9)
    editor.set_value(((9,) * 40,) * 50)
    editor.below.resize(240, 200)
    editor.below.show()
    table = table_of(editor)
    assert table.width() <= 240
    assert table.height() <= 160
    assert (table.rowCount(), table.columnCount()) == (50, 40)


@pytest.mark.parametrize(("name", "typed"), [("document_lens", "4, 3, 3"), ("painted", "1: 3-5"), ("painted", "what?")])
def test_that_a_line_counts_when_enter_is_pressed_and_not_at_every_letter(
    name: str, typed: str, made: Made, qtbot: QtBot
) -> None:
    editor, said = made(name)
    line = part(editor, QLineEdit)
    assert line.placeholderText() == "none"
    qtbot.keyClicks(line, typed)
    assert not said
    for _ in range(2):
        qtbot.keyClick(line, Qt.Key.Key_Return)
        assert said == [typed]


@pytest.mark.parametrize("name", ["document_lens", "painted"])
def test_that_a_line_counts_when_the_keyboard_leaves_it(name: str, made: Made, qtbot: QtBot) -> None:
    editor, said = made(name)
    other, _ = made("seed")
    line = part(editor, QLineEdit)
    for window, target in ((editor, line), (other, part(other, QAbstractSpinBox))):
        window.activateWindow()
        qtbot.waitUntil(window.isActiveWindow)
        target.setFocus()
        if target is line:
            qtbot.keyClicks(line, "2: 1")
    assert said == ["2: 1"]


@pytest.mark.parametrize(("name", "value"), [("document_lens", (4, 3)), ("painted", "1: 3-5 7")])
def test_that_the_button_in_a_line_empties_it_at_once(name: str, value: Any, made: Made, hands: Hands) -> None:
    editor, said = made(name)
    editor.set_value(value)
    assert part(editor, QLineEdit).text() == ("4, 3" if name == "document_lens" else "2: 4-6 8")
    assert not said
    hands.toggle(editor)
    assert said == [""]
    assert part(editor, QLineEdit).text() == ""


@pytest.mark.parametrize(("name", "value"), [("document_lens", (4, 3)), ("painted", "1: 3-5 7")])
def test_that_a_line_emptied_by_hand_on_the_way_to_another_value_says_nothing_yet(
    name: str, value: Any, made: Made, hands: Hands, qtbot: QtBot
) -> None:
    editor, said = made(name)
    editor.set_value(value)
    line = part(editor, QLineEdit)
    line.setFocus()
    line.selectAll()
    qtbot.keyClick(line, Qt.Key.Key_Delete)
    assert line.text() == ""
    assert not said
    qtbot.keyClick(line, Qt.Key.Key_Return)
    assert said == [""]


def test_that_painted_cells_outside_new_sizes_are_left_out_and_what_cannot_be_read_stays(made: Made) -> None:
    editor, said = made("painted")
    line = part(editor, QLineEdit)
    for typed, left in (("1-3: 2-6; 5: 1", "1-3: 2-4"), ("1: 2", "1: 2"), ("6: 6", ""), ("no: cells", "no: cells")):
        line.setText(typed)
        editor.set_sizes(3, 4)
        assert line.text() == left
    assert not said


def test_that_painted_text_that_cannot_be_read_stays_for_repair_whatever_the_sizes(hands: Hands, qtbot: QtBot) -> None:
    form = lab_form("attention")
    qtbot.addWidget(form)
    form.set_spec(attention(painted="2: 3"))
    made: list[Any] = []
    form.proposed.connect(lambda spec, _field: made.append(spec))
    hands.type(form.editor("painted"), "2: 3; x")
    made.clear()  # an emptied line counts at once
    hands.type(form.editor("num_queries"), "2")
    assert not made
    assert form.editor("painted").value() == "2: 3; x"
    assert "'x'" in form.problem("painted")
    hands.type(form.editor("painted"), "1: 3")
    assert form.problem("painted") == ""
    assert made[-1] == attention(num_queries=2, painted="0: 2")
