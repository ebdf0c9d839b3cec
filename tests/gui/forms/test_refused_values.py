"""A value that is refused: it is said where the user looks, and the picture is marked as that of an earlier spec."""

from typing import Any

import pytest
from hands import Hands, part
from lab_forms import lab_form
from PySide6.QtCore import QCoreApplication, QPoint, QTranslator
from PySide6.QtWidgets import QAbstractSpinBox, QApplication, QLabel, QScrollArea, QWidget
from pytestqt.qtbot import QtBot
from small_specs import attention, regression
from windows import At, Settle

from attnviz.definitions.text import untranslated
from attnviz.experiment.fields.knob import fields_of
from attnviz.experiment.fields.problems import Problem
from attnviz.experiment.labs import LABS, Spec, SpecError, make_spec
from attnviz.gui.forms.spec_form import SpecForm
from attnviz.gui.theme import LIGHT, Look, restyle
from attnviz.gui.widgets.words import number_text, problem_text
from attnviz.gui.window.folding import LEAST_WIDTH

CAUSAL = attention(mechanism="causal_multi_head", num_kvpairs=3, self_attention=True, context_length=8)


def message_at(form: SpecForm, field: str) -> QLabel:
    """Return the label below a field that says what is wrong with it."""
    (label,) = form.editor(field).parentWidget().findChildren(QLabel, "problem")
    return label


def in_sight(widget: QWidget) -> bool:
    """Return whether all of a widget is to be seen in the panel that scrolls around it."""
    area = widget.parentWidget()
    while not isinstance(area, QScrollArea):
        area = area.parentWidget()
    viewport = area.viewport()
    top = widget.mapTo(viewport, QPoint(0, 0)).y()
    return widget.isVisible() and top >= 0 and top + widget.height() <= viewport.height()


@pytest.mark.parametrize("lab", LABS)
def test_that_no_path_in_a_message_makes_a_form_wider_than_the_narrowest_panel(lab: str, qtbot: QtBot) -> None:
    form = lab_form(lab)
    qtbot.addWidget(form)
    restyle(form, Look(LIGHT))
    form.set_spec(LABS[lab].spec_type())
    form.show()
    width = max(form.minimumSizeHint().width(), LEAST_WIDTH)
    for path in ("/home/" + "a_folder_with_a_long_name/" * 9, "C:\\" + "x" * 300):
        for name in fields_of(LABS[lab].spec_type):
            row: Any = form.row_of(name)
            if row is not None:
                row.show_problem(Problem(name, "x", untranslated(f"there is no folder {path} & <none>")), {})
                row.make_room()
                assert row.message.text() == f"there is no folder {path} &amp; &lt;none&gt;"
        QCoreApplication.sendPostedEvents()
        assert form.minimumSizeHint().width() <= width


def test_that_a_problem_of_two_fields_stands_at_the_edited_one(at: At, hands: Hands) -> None:
    window = at(CAUSAL)
    form = window.room.form
    hands.type(form.editor("num_queries"), "9")
    assert form.problem("num_queries") == "9 tokens are more than the context length 8; nearest: 8, or Context 9"
    assert form.problem("context_length") == ""
    assert form.editor("num_queries").property("problem")
    hands.type(form.editor("context_length"), "7")
    assert form.problem("num_queries") == ""
    assert form.problem("context_length") == "9 tokens are more than the context length 7; nearest: 9, or Queries 7"


def test_that_a_problem_in_a_fold_unfolds_it_and_scrolls_there(at: At, hands: Hands) -> None:
    window = at(attention(num_queries=65, num_kvpairs=65, self_attention=True))
    form = window.room.form
    assert not form.editor("context_length").isVisible()
    hands.pick(form.editor("mechanism"), "causal_multi_head")
    assert form.problem("context_length")
    assert form.editor("context_length").isVisible()
    hands.qtbot.waitUntil(lambda: in_sight(message_at(form, "context_length")))


def test_that_the_nearest_value_of_the_other_field_repairs_that_one(at: At, hands: Hands) -> None:
    window = at(CAUSAL)
    form = window.room.form
    hands.type(form.editor("num_queries"), "9")
    message_at(form, "num_queries").linkActivated.emit("context_length=9")
    assert window.controller.spec.context_length == 9  # type: ignore[union-attr]
    assert form.problem("num_queries") == form.problem("context_length") == ""


def test_that_a_refused_field_below_the_panels_edge_is_scrolled_into_sight(at: At, hands: Hands) -> None:
    window = at(CAUSAL)
    form = window.room.form
    window.resize(900, window.minimumHeight())  # where the panel is not folded
    hands.type(form.editor("num_queries"), "9")
    QCoreApplication.processEvents()
    hands.type(form.editor("context_length"), "0")
    hands.qtbot.waitUntil(lambda: in_sight(message_at(form, "context_length")))


@pytest.mark.parametrize(
    ("spec", "field", "typed", "legal"),
    [(CAUSAL, "num_queries", "9", "4"), (CAUSAL, "seed", "-1", "3"), (regression(), "width", "-2", "0.5")],
    ids=["another field's limit", "its own limit", "the other lab"],
)
def test_that_every_refusal_marks_the_picture_until_it_is_repaired(
    spec: Spec, field: str, typed: str, legal: str, at: At, hands: Hands, settle: Settle
) -> None:
    window = at(spec)
    assert not window.room.stage.last_good.isVisible()
    hands.type(window.room.form.editor(field), typed)
    assert window.room.stage.last_good.isVisible()
    hands.type(window.room.form.editor(field), legal)
    settle(window)
    assert not window.room.stage.last_good.isVisible()


def test_that_a_value_put_back_takes_the_mark_away_without_a_run(at: At, hands: Hands) -> None:
    window = at(CAUSAL)
    generation = window.runner.generation
    hands.type(window.room.form.editor("seed"), "-1")
    hands.type(window.room.form.editor("seed"), str(CAUSAL.seed))
    assert not window.room.stage.last_good.isVisible()
    assert window.runner.generation == generation


@pytest.mark.parametrize(
    ("spec", "field", "typed", "nearest"),
    [
        (CAUSAL, "seed", "1e", "0"),
        (CAUSAL, "num_heads", "0x3", "2"),
        (CAUSAL, "num_queries", "١٢", "8"),
        (CAUSAL, "temperature", "nan", "1"),
        (CAUSAL, "temperature", "1e400", ""),
        (CAUSAL, "temperature", "1 000", ""),
        (regression(), "width", "", "1"),
        (regression(), "data", "1.5", "2"),
        (regression(), "x_test", "1e", "0"),
    ],
)
def test_that_a_text_that_is_no_number_is_explained_until_a_number_stands_there(
    spec: Spec, field: str, typed: str, nearest: str, at: At, hands: Hands, settle: Settle
) -> None:
    window = at(spec)
    form, generation = window.room.form, window.runner.generation
    hands.type(form.editor(field), typed)
    sentence, _, offered = form.problem(field).rpartition("; nearest: ")
    assert (typed or "empty") in sentence
    assert offered == (nearest or offered)
    box = part(form.editor(field), QAbstractSpinBox)
    hands.type(form.editor("seed" if field != "seed" else "context_length"), "12")
    assert (box.text(), form.problem(field)) == (typed, f"{sentence}; nearest: {offered}")
    assert window.room.stage.last_good.isVisible()
    assert (window.controller.spec, window.runner.generation) == (spec, generation)
    hands.type(form.editor(field), offered)
    settle(window)
    assert not form.refuses
    assert not window.room.stage.last_good.isVisible()


def test_that_a_question_mark_in_a_box_opens_the_sheet_of_keys(at: At, qtbot: QtBot) -> None:
    window = at(CAUSAL)
    for field in ("seed", "temperature"):
        box = part(window.room.form.editor(field), QAbstractSpinBox)
        box.setFocus()
        text = box.text()
        qtbot.keyClicks(box, "?")
        assert (window.help.shortcuts.isVisible(), box.text()) == (True, text)
        window.help.shortcuts.close()
        window.activateWindow()


class Mirrored(QTranslator):
    """A language in which one template is said in another order."""

    def translate(self, context: str, source: str, *_: object) -> str:  # type: ignore[override]
        del context
        return {
            "{field} {said} must be at least {ge}": "{ge} <= {field}, got {said}",
            "; nearest: {nearest}": " (nearest: {nearest})",
        }.get(source, source)


def test_that_a_problem_is_translated_before_its_numbers_are_filled_in(qapp: QApplication) -> None:
    with pytest.raises(SpecError) as caught:
        make_spec({"num_heads": 0})
    (problem,) = caught.value.problems
    language = Mirrored()
    qapp.installTranslator(language)
    try:
        assert problem_text(problem) == "1 <= num_heads, got 0 (nearest: 1)"
    finally:
        qapp.removeTranslator(language)
    assert problem_text(problem) == problem.message


@pytest.mark.parametrize(
    ("value", "said"), [(12.5, "12.5000"), (-9_999_999.0, "-9999999.0000"), (1e100, "1e+100"), (-2.5e7, "-2.5e+07")]
)
def test_that_a_number_of_a_hundred_digits_is_written_short(value: float, said: str) -> None:
    assert number_text(value) == said
