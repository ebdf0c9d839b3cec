"""Editors of single fields, by the types of the fields: what is typed, slid, picked, switched and chosen."""

from typing import Annotated, Any

import pytest
from hands import Hands, part, parts
from lab_forms import lab_editor, lab_form
from pydantic import TypeAdapter, ValidationError
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QAbstractSpinBox,
    QApplication,
    QComboBox,
    QFileDialog,
    QLabel,
    QLineEdit,
    QSlider,
    QToolButton,
    QWidget,
)
from pytestqt.qtbot import QtBot

from attnviz.definitions.functions.kernels import KERNELS
from attnviz.definitions.mechanisms import MECHANISMS
from attnviz.definitions.number_formats import NUMBER_FORMATS
from attnviz.definitions.score_steps import SCORE_STEPS
from attnviz.experiment.labs import LABS
from attnviz.experiment.regression.data import SyntheticData
from attnviz.gui.forms.editor import ComboBox
from attnviz.gui.forms.spec_form import group_of
from attnviz.gui.forms.text_editors import TextEdit
from attnviz.gui.labs.regression.editors.data_edit import DataEdit
from attnviz.gui.theme import LIGHT, Look, restyle, style_sheet

ATTENTION, REGRESSION = (LABS[name].spec_type.model_fields for name in ("attention", "regression"))
NUMBERS = [
    (fields, name)
    for fields in (ATTENTION, REGRESSION)
    for name, info in fields.items()
    if group_of(info) and info.annotation in (int, float)
]

NO_NUMBERS = ["", " ", "abc", "nan", "inf", "1e", "-", "1 000", "1_000", "0x3", "1e400", "١٢", "1,2,3", "9" * 30]


class Made:
    """Makes editors and notes what they say."""

    def __init__(self, qtbot: QtBot) -> None:
        self._qtbot = qtbot

    def __call__(self, fields: Any, name: str) -> tuple[Any, list[Any]]:
        editor = lab_editor("attention" if fields is ATTENTION else "regression", name)
        self._qtbot.addWidget(editor)
        if editor.below is not None:
            self._qtbot.addWidget(editor.below)
        editor.resize(240, 40)
        editor.show()
        editor.set_value(fields[name].default)
        said: list[Any] = []
        editor.edited.connect(lambda: said.append(editor.value()))
        return editor, said


@pytest.fixture
def made(qtbot: QtBot) -> Made:
    return Made(qtbot)


@pytest.mark.parametrize(("fields", "name"), NUMBERS, ids=[name for _, name in NUMBERS])
def test_that_the_slider_reaches_both_ends_of_its_range_and_no_further(
    fields: Any, name: str, made: Made, hands: Hands
) -> None:
    editor, said = made(fields, name)
    low, high = fields[name].json_schema_extra["slider"]
    hands.slide(editor, Qt.Key.Key_End)
    assert editor.value() == high
    hands.slide(editor, Qt.Key.Key_Home)
    assert editor.value() == low
    assert said[-1] == low


@pytest.mark.parametrize(("fields", "name"), NUMBERS, ids=[name for _, name in NUMBERS])
def test_that_every_place_of_the_slider_is_a_legal_value(fields: Any, name: str, made: Made) -> None:
    editor, _ = made(fields, name)
    slider = part(editor, QSlider)
    low, high = fields[name].json_schema_extra["slider"]
    values = []
    for position in range(slider.minimum(), slider.maximum() + 1, max(1, slider.maximum() // 50)):
        slider.setValue(position)
        values.append(editor.value())
    assert values == sorted(values)
    assert low <= values[0] <= values[-1] <= high


@pytest.mark.parametrize(("fields", "name"), NUMBERS, ids=[name for _, name in NUMBERS])
def test_that_slider_and_box_show_the_same(fields: Any, name: str, made: Made, hands: Hands) -> None:
    editor, said = made(fields, name)
    slider = part(editor, QSlider)
    low, high = fields[name].json_schema_extra["slider"]
    for value in (high, low):
        hands.type(editor, f"{value:g}")
        assert editor.value() == value
        assert slider.value() == (slider.maximum() if value == high else slider.minimum())
    assert said[-1] == low


@pytest.mark.parametrize(
    ("name", "typed", "value"),
    [
        ("temperature", "2.5", 2.5),
        ("temperature", "2,5", 2.5),
        ("temperature", "1e-3", 0.001),
        ("temperature", "1e-300", 1e-300),
        ("temperature", "1000", 1000.0),
        ("temperature", "-3", -3.0),
        ("num_kvpairs", "9999", 9999),
        ("num_kvpairs", "-7", -7),
        ("seed", "2147483647", 2147483647),
    ],
)
def test_that_a_typed_number_is_taken_as_typed_legal_or_not(
    name: str, typed: str, value: float, made: Made, hands: Hands
) -> None:
    editor, said = made(ATTENTION, name)
    hands.type(editor, typed)
    assert said == [value]


@pytest.mark.parametrize("typed", NO_NUMBERS)
@pytest.mark.parametrize("name", ["temperature", "num_kvpairs", "context_length"])
def test_that_a_text_that_is_no_number_stays_and_leaves_the_number_as_it_was(
    name: str, typed: str, made: Made, hands: Hands
) -> None:
    editor, said = made(ATTENTION, name)
    refused: list[str] = []
    editor.refused.connect(refused.append)
    before, box = editor.value(), part(editor, QAbstractSpinBox)
    number = box.text()
    hands.type(editor, typed)
    assert (editor.value(), box.text(), len(refused), said) == (before, typed, 1, [])
    assert typed[:20] in refused[0]
    assert "nearest" in refused[0]
    hands.type(editor, number)
    assert (editor.value(), box.text(), len(refused), editor.unread) == (before, number, 1, "")


def test_that_a_number_counts_when_enter_is_pressed_and_not_at_every_digit(made: Made, qtbot: QtBot) -> None:
    editor, said = made(ATTENTION, "num_kvpairs")
    box = part(editor, QAbstractSpinBox)
    box.selectAll()
    qtbot.keyClicks(box, "123")
    assert not said
    qtbot.keyClick(box, Qt.Key.Key_Return)
    assert said == [123]


@pytest.mark.parametrize(("fields", "name"), NUMBERS, ids=[name for _, name in NUMBERS])
def test_that_arrow_keys_stay_within_the_legal_range(fields: Any, name: str, made: Made, qtbot: QtBot) -> None:
    editor, said = made(fields, name)
    box = part(editor, QAbstractSpinBox)
    for key in (Qt.Key.Key_Down, Qt.Key.Key_Up):
        for _ in range(12):
            qtbot.keyClick(box, key)
            assert not _problems(name, fields, editor.value())
    assert len(set(said)) > 1


def _problems(name: str, fields: Any, value: Any) -> str:
    info = fields[name]
    try:
        TypeAdapter(Annotated[(info.annotation, *info.metadata)]).validate_python(value)
    except ValidationError as error:
        return str(error)
    return ""


@pytest.mark.parametrize(
    ("name", "nothing"),
    [("query_size", "as hidden"), ("key_size", "as hidden"), ("value_size", "as hidden"), ("window", "none")],
)
def test_that_an_empty_size_says_what_follows_from_it(name: str, nothing: str, made: Made, hands: Hands) -> None:
    editor, said = made(ATTENTION, name)
    box = part(editor, QAbstractSpinBox)
    assert box.text() == nothing
    hands.type(editor, "12")
    hands.type(editor, "0")
    assert said == [12, None]
    assert box.text() == nothing
    hands.type(editor, "12")
    hands.type(editor, "")
    assert said == [12, None, 12, None]
    assert (box.text(), editor.unread) == (nothing, "")


@pytest.mark.parametrize(
    ("typed", "says"),
    [
        ("abc", "“abc” is not a whole number written with the digits 0 to 9; nearest: none"),
        ("-5", "-5 must be between 1 and 16384; nearest: none"),
    ],
)
def test_that_a_text_that_is_no_size_stays_in_its_box(typed: str, says: str, made: Made, hands: Hands) -> None:
    editor, said = made(ATTENTION, "window")
    hands.type(editor, typed)
    assert said == []
    assert (part(editor, QAbstractSpinBox).text(), editor.unread) == (typed, says)


def test_that_the_name_of_every_step_of_a_score_is_read_whole(made: Made) -> None:
    editor, _ = made(ATTENTION, "score_steps")
    editor.setStyleSheet(style_sheet(Look(LIGHT)))
    restyle(editor, Look(LIGHT))
    editor.resize(243, editor.heightForWidth(243))
    QApplication.processEvents()
    labels = [label for label in editor.findChildren(QLabel) if label.isVisible()]
    assert len(labels) == len(SCORE_STEPS)
    for label in labels:
        flags = Qt.TextFlag.TextWordWrap if label.wordWrap() else Qt.TextFlag.TextSingleLine
        needed = label.fontMetrics().boundingRect(label.contentsRect(), flags, label.text()).size()
        assert needed.boundedTo(label.contentsRect().size()) == needed, label.text()


@pytest.mark.parametrize(
    ("fields", "name", "values"),
    [
        (ATTENTION, "mechanism", MECHANISMS),
        (ATTENTION, "dtype", NUMBER_FORMATS),
        (REGRESSION, "kernel", KERNELS),
    ],
)
def test_that_arrow_keys_walk_through_every_choice(
    fields: Any, name: str, values: Any, made: Made, qtbot: QtBot
) -> None:
    editor, said = made(fields, name)
    combo = part(editor, QComboBox)
    choices = [combo.itemData(index) for index in range(combo.count())]
    assert choices == list(values)
    assert all(combo.itemText(index).strip() for index in range(combo.count()))
    editor.set_value(choices[0])
    for _ in choices[1:]:
        qtbot.keyClick(combo, Qt.Key.Key_Down)
    assert said == choices[1:]


@pytest.mark.parametrize("hidden", [False, True], ids=["all offered", "one not offered"])
def test_that_the_open_list_of_a_focused_choice_shows_every_entry(hidden: bool, qtbot: QtBot) -> None:
    box = ComboBox()
    box.addItems(["Stages", "Empty rows", "Compare", "Write"])
    box.view().setRowHidden(3, hidden)  # type: ignore[attr-defined]
    last = 2 if hidden else 3
    box.setStyleSheet(style_sheet(Look(LIGHT)))
    qtbot.addWidget(box)
    with qtbot.waitExposed(box):
        box.show()
    box.activateWindow()
    box.setFocus()
    qtbot.waitUntil(box.hasFocus)
    box.showPopup()
    view = box.view()
    qtbot.waitUntil(
        lambda: view.viewport().height() > view.visualRect(box.model().index(last, 0)).bottom(), timeout=1000
    )
    assert view.visualRect(box.model().index(0, 0)).top() >= 0
    box.hidePopup()


def test_that_the_space_bar_flips_a_switch(made: Made, qtbot: QtBot) -> None:
    editor, said = made(ATTENTION, "causal")
    target = editor.focusProxy()
    assert target is not None
    qtbot.keyClick(target, Qt.Key.Key_Space)
    qtbot.keyClick(target, Qt.Key.Key_Space)
    assert said == [True, False]


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("num_heads", QAbstractSpinBox),
        ("temperature", QAbstractSpinBox),
        ("query_size", QAbstractSpinBox),
        ("num_heads", QSlider),
        ("temperature", QSlider),
        ("mechanism", QComboBox),
    ],
)
def test_that_the_wheel_in_passing_turns_no_knob(name: str, kind: Any, made: Made, qtbot: QtBot) -> None:
    editor, said = made(ATTENTION, name)
    editor.set_value({"num_heads": 5, "temperature": 2.0, "query_size": 12, "mechanism": "additive"}[name])
    editor.activateWindow()
    qtbot.waitUntil(editor.isActiveWindow)
    (widget,) = parts(editor, kind)
    QApplication.focusWidget().clearFocus()
    place = QPointF(widget.mapTo(editor, widget.rect().center()))
    for _ in range(3):
        QTest.wheelEvent(editor.windowHandle(), place, QPoint(0, -120))
    assert not said


def test_that_the_wheel_turns_the_knob_that_has_the_keyboard(made: Made, qtbot: QtBot) -> None:
    editor, said = made(ATTENTION, "num_kvpairs")
    editor.activateWindow()
    box = part(editor, QAbstractSpinBox)
    box.setFocus()
    qtbot.waitUntil(box.hasFocus)
    QTest.wheelEvent(editor.windowHandle(), QPointF(box.mapTo(editor, box.rect().center())), QPoint(0, 120))
    assert said == [editor.value()]


@pytest.mark.parametrize(("fields", "name"), [(ATTENTION, "inputs"), (REGRESSION, "data")])
def test_that_a_file_is_chosen_or_its_path_typed(
    fields: Any, name: str, made: Made, hands: Hands, monkeypatch: pytest.MonkeyPatch
) -> None:
    editor, said = made(fields, name)
    hands.pick(editor, "file")
    monkeypatch.setattr(QFileDialog, "getOpenFileName", lambda *_: ("/here/it is.npz", ""))
    hands.press(editor.below, "...")
    assert said[-1] == {"kind": "file", "path": "/here/it is.npz"}
    monkeypatch.setattr(QFileDialog, "getOpenFileName", lambda *_: ("", ""))
    count = len(said)
    hands.press(editor.below, "...")
    assert len(said) == count
    (line,) = [it for it in parts(editor, QLineEdit) if it.placeholderText().startswith("Open")]
    hands.type(line, "/there.npz")
    assert said[-1] == {"kind": "file", "path": "/there.npz"}
    hands.type(line, "/there.npz")
    assert len(said) == count + 1


@pytest.mark.parametrize(("fields", "name"), [(REGRESSION, "data"), (REGRESSION, "x_test")])
def test_that_a_part_with_several_boxes_names_each_by_what_it_is(fields: Any, name: str, qtbot: QtBot) -> None:
    form = lab_form("attention" if fields is ATTENTION else "regression")
    qtbot.addWidget(form)
    boxes = parts(form.editor(name), QAbstractSpinBox)
    names = [box.accessibleName() for box in boxes]
    assert len(set(names)) == len(names)


def test_that_every_editor_marks_and_unmarks_its_problem(made: Made) -> None:
    for fields in (ATTENTION, REGRESSION):
        for name in fields:
            if group_of(fields[name]):
                editor, _ = made(fields, name)
                for wrong in (True, False):
                    editor.mark_problem(wrong)
                    marked = [widget.property("problem") for widget in (editor, *editor.findChildren(QWidget))]
                    assert marked == [wrong] * len(marked)


def test_that_tooltips_of_tool_buttons_say_what_they_do(made: Made) -> None:
    editor, _ = made(ATTENTION, "inputs")
    assert all(button.toolTip() for button in parts(editor, QToolButton))


def test_that_a_typed_formula_is_set_in_print_and_hidden_while_it_is_not_used(qtbot: QtBot) -> None:
    edit = DataEdit()
    qtbot.addWidget(edit)
    restyle(edit, Look(LIGHT))
    edit.set_value(SyntheticData(function="formula", formula="x**2/2"))
    edit.show()
    assert edit.written.accessibleName() == "y = x² / 2"
    blank = edit.written.grab().toImage()
    with qtbot.waitSignal(edit.written.changed):
        edit.set_value(SyntheticData(function="formula", formula="sqrt(x)/3"))
    assert edit.written.accessibleName() == "y = sqrt(x) / 3"
    assert edit.written.grab().toImage() != blank
    edit.set_value(SyntheticData())
    assert not edit.written.isVisible()


def test_that_a_press_on_the_groove_takes_the_handle_to_the_hand_and_a_drag_moves_it(made: Made, qtbot: QtBot) -> None:
    editor, said = made(ATTENTION, "num_queries")
    slider = editor.findChild(QSlider)
    end, y = slider.width() - 2, slider.height() // 2
    for press, drag in ((end, end // 2), (1, end)):
        said.clear()
        qtbot.mousePress(slider, Qt.MouseButton.LeftButton, pos=QPoint(press, y))
        assert slider.sliderPosition() == (slider.maximum() if press == end else slider.minimum())
        assert slider.isSliderDown()
        assert len(said) == 1
        QTest.mouseMove(slider, QPoint(drag, y))
        place = slider.sliderPosition() / slider.maximum()
        assert place == pytest.approx(drag / end, abs=0.12)
        qtbot.mouseRelease(slider, Qt.MouseButton.LeftButton, pos=QPoint(drag, y))
        assert said[-1] == editor.value()


@pytest.mark.parametrize("scale", [1.0, 1.6])
def test_that_the_button_that_clears_a_line_is_in_its_middle(scale: float, qtbot: QtBot) -> None:
    editor = TextEdit("none")
    qtbot.addWidget(editor)
    editor.setStyleSheet(style_sheet(Look(LIGHT, scale=scale)))
    editor.set_value("a b c")
    editor.show()
    line = part(editor, QLineEdit)
    clear = part(line, QToolButton)
    assert clear.isVisible()
    assert line.rect().contains(clear.geometry())
    assert abs(clear.geometry().center().y() - line.rect().center().y()) <= 1
