"""The form: built from a spec's fields; whatever it is given it gives back, and what is wrong is said at its field."""

import re
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from eyes import look
from hands import Hands, part, parts
from hypothesis import given
from hypothesis import strategies as st
from lab_forms import lab_editor, lab_form
from legal_specs import attention_values, regression_values
from pydantic.fields import FieldInfo
from PySide6.QtWidgets import QAbstractSpinBox, QApplication, QLabel, QLineEdit
from pytestqt.qtbot import QtBot
from small_specs import SMALL, attention, regression, training, what_matters
from windows import At

from attnviz.experiment.files.specs_in_files import presets
from attnviz.experiment.labs import LABS, Spec, make_spec
from attnviz.gui.forms.editor_for import editor_for
from attnviz.gui.forms.spec_form import SpecForm, group_of
from attnviz.gui.widgets.inspector import Fold
from attnviz.gui.widgets.letters import plain
from attnviz.gui.window.main_window import MainWindow

FIELDS = [
    (lab.name, name)
    for lab in LABS.values()
    for name, field in lab.spec_type.model_fields.items()
    if group_of(field)  # the others have their place elsewhere: lab and device in the bar above
]
AT_THEIR_FIELD = (
    # what the spec is before, what is typed where, at which field it is said, and words that are said there
    ({}, "num_heads", "3", "num_heads", ("Hidden size 8 is not divisible by 3 heads; 2 or 4",)),
    ({}, "num_heads", "0", "num_heads", ("0", "at least 1", "nearest: 1")),
    ({}, "num_hiddens", "7", "num_hiddens", ("Hidden size 7 is not divisible by 2 heads; 6 or 8",)),
    ({}, "num_kvpairs", "99999", "num_kvpairs", ("99999", "at most 16384", "nearest: 16384")),
    ({}, "batch_size", "-4", "batch_size", ("-4", "at least 1", "nearest: 1")),
    ({}, "seed", "-1", "seed", ("-1", "at least 0", "nearest: 0")),
    ({}, "dropout", "1", "dropout", ("1", "below 1")),
    ({}, "dropout", "-0.5", "dropout", ("-0.5", "at least 0", "nearest: 0")),
    ({}, "temperature", "0", "temperature", ("0", "above 0")),
    ({}, "temperature", "-2.5", "temperature", ("-2.5", "above 0")),
    ({}, "window", "20000", "window", ("20000", "at most 16384", "nearest: 16384")),
    ({}, "value_size", "20000", "value_size", ("20000", "at most 16384", "nearest: 16384")),
    ({"mechanism": "dot_product"}, "key_size", "5", "key_size", ("Key size 5 and Query size 8", "nearest: 8")),
    (
        {"mechanism": "causal_multi_head", "num_kvpairs": 3},
        "context_length",
        "2",
        "context_length",
        ("3 tokens", "context length 2", "nearest: 3"),
    ),
    ({"lab": "regression"}, "width", "0", "width", ("0", "at least 1e-06")),
    ({"lab": "regression"}, "width", "-1", "width", ("-1", "at least 1e-06")),
    ({"lab": "regression", "estimator": "parametric"}, "epochs", "0", "epochs", ("0", "at least 1", "nearest: 1")),
    ({"lab": "regression", "estimator": "parametric"}, "learning_rate", "0", "learning_rate", ("0", "above 0")),
)
LINES = (
    *(("document_lens", typed, (repr(typed), "whole numbers above 0")) for typed in ("4, x", "0 3", "-1", "2.5", "²")),
    *(("painted", typed, (repr(typed), "'query: keys'")) for typed in ("1 3", "0: x", "0 1: 2", "1:", "-1: 0", "0: ²")),
    ("painted", "4: 1", ("Painted query 4", "1..3", "nearest: leave it out")),
    ("painted", "1: 2-5", ("Painted key 5", "1..4", "nearest: leave it out")),
    ("painted", "0: 2", ("'0: 2'", "from 1")),
)


@pytest.fixture
def form_of(qtbot: QtBot) -> Callable[[Spec], SpecForm]:
    """Return a function that makes a form of its own that shows a spec."""

    def make(spec: Spec) -> SpecForm:
        form = lab_form(spec.lab)
        qtbot.addWidget(form)
        form.set_spec(spec)
        return form

    return make


@pytest.fixture(scope="module")
def forms(qapp: QApplication) -> dict[str, SpecForm]:
    """One form for each lab, for tests that only show specs and read them back."""
    return {name: lab_form(name) for name in LABS}


def base_of(values: dict[str, Any]) -> Spec:
    return regression(**values) if values.get("lab") == "regression" else attention(**values)


def links_at(form: SpecForm, field: str) -> list[str]:
    """Return the links of the sentence at a field."""
    row = form.editor(field).parentWidget()
    (label,) = row.findChildren(QLabel, "problem")
    assert label.accessibleName() == form.problem(field)
    return re.findall(r'href="([^"]+)"', label.text())


def follow(form: SpecForm, field: str, link: str) -> None:
    """Click on a link of the sentence at a field."""
    row = form.editor(field).parentWidget()
    (label,) = row.findChildren(QLabel, "problem")
    assert label.accessibleName() == form.problem(field)
    label.linkActivated.emit(link)


@pytest.mark.parametrize(("lab", "field"), FIELDS)
def test_that_every_field_has_a_row_with_its_title_and_its_help(
    lab: str, field: str, forms: dict[str, SpecForm]
) -> None:
    info, form = LABS[lab].spec_type.model_fields[field], forms[lab]
    editor = form.editor(field)
    assert editor.accessibleName() == info.title
    assert editor.toolTip() == info.description
    tips = [label.toolTip() for label in form.findChildren(QLabel) if plain(label.text()) == info.title]
    assert info.description in [tip.partition("\n")[0] for tip in tips]
    assert all(box.accessibleName() for box in parts(editor, QAbstractSpinBox))


@pytest.mark.parametrize("lab", LABS)
def test_that_every_group_has_one_heading(lab: str, forms: dict[str, SpecForm]) -> None:
    groups = {group_of(field) for field in LABS[lab].spec_type.model_fields.values()} - {"", "More"}
    headings = [label.text() for label in forms[lab].findChildren(QLabel) if label.objectName() == "group"]
    assert sorted(headings) == sorted(group.upper() for group in groups)
    more = [group_of(field) for field in LABS[lab].spec_type.model_fields.values()].count("More")
    assert len(forms[lab].findChildren(Fold)) == bool(more)


@pytest.mark.parametrize("name", presets())
def test_that_the_form_gives_back_every_preset(name: str, forms: dict[str, SpecForm]) -> None:
    spec = presets()[name].spec
    forms[spec.lab].set_spec(spec)
    assert make_spec(forms[spec.lab].values()) == spec


def rounded(value: Any) -> Any:
    """Return the value with every float as a box shows it; points are not edited and keep all digits."""
    if isinstance(value, dict):
        return {name: part if name in ("x", "y") else rounded(part) for name, part in value.items()}
    return round(value, 3) if isinstance(value, float) else value


@given(values=attention_values(most=12) | regression_values())
def test_that_the_form_gives_back_all_that_matters_of_any_legal_spec(
    values: dict[str, Any], forms: dict[str, SpecForm]
) -> None:
    spec = make_spec(rounded(values))
    form = forms[spec.lab]
    form.set_spec(spec)
    assert what_matters(make_spec(form.values())) == what_matters(spec)


@pytest.mark.parametrize(
    "spec",
    [attention(temperature=0.123456789), regression(width=1 / 3), training(learning_rate=0.1 + 0.2)],
    ids=["temperature", "width", "learning_rate"],
)
def test_that_a_number_nobody_edits_keeps_all_its_digits(spec: Spec, forms: dict[str, SpecForm]) -> None:
    forms[spec.lab].set_spec(spec)
    assert what_matters(make_spec(forms[spec.lab].values())) == what_matters(spec)


@given(values=st.lists(attention_values(most=12), min_size=2, max_size=4))
def test_that_showing_a_spec_proposes_nothing_and_leaves_nothing_of_the_one_before(
    values: list[dict[str, Any]], forms: dict[str, SpecForm]
) -> None:
    form = forms["attention"]
    proposed: list[Any] = []
    connection = form.proposed.connect(lambda *said: proposed.append(said))
    for each in values:
        form.set_spec(make_spec(rounded(each)))
    form.proposed.disconnect(connection)
    assert not proposed
    assert what_matters(make_spec(form.values())) == what_matters(make_spec(rounded(values[-1])))


@pytest.mark.parametrize(
    ("base", "field", "typed", "at_field", "words"),
    AT_THEIR_FIELD + tuple(({}, field, typed, field, words) for field, typed, words in LINES),
)
def test_that_an_invalid_value_is_explained_at_its_field_and_changes_nothing(
    base: dict[str, Any],
    field: str,
    typed: str,
    at_field: str,
    words: tuple[str, ...],
    at: At,
    hands: Hands,
) -> None:
    spec = base_of(base)
    window = at(spec)
    form, stage = window.room.form, window.room.stage
    for fold in form.findChildren(Fold):
        fold.expand()
    before, picture = form.values(), look(stage.heatmap)
    proposed: list[Any] = []
    connection = form.proposed.connect(lambda *said: proposed.append(said))
    hands.type(form.editor(field), typed)
    form.proposed.disconnect(connection)
    sentence = form.problem(at_field)
    title = LABS[spec.lab].spec_type.model_fields[at_field].title
    assert sentence.startswith(title) or field in ("context_length", "num_heads")
    assert [word for word in words if word not in sentence] == []
    assert not proposed
    assert window.controller.spec == spec
    assert not window.controller.computing
    np.testing.assert_array_equal(look(stage.heatmap), picture)
    assert {name for name, value in form.values().items() if value != before[name]} == {field}
    text = part(form.editor(field), QAbstractSpinBox, QLineEdit).text()
    assert text == typed or float(text) == float(typed)
    others = {name for lab, name in FIELDS if lab == spec.lab} - {at_field, field}
    assert [name for name in others if form.problem(name)] == []
    assert form.editor(at_field).property("problem")
    form.set_spec(spec)
    assert form.problem(at_field) == ""
    assert not form.editor(at_field).property("problem")


@pytest.mark.parametrize(("base", "field", "typed", "at_field", "words"), AT_THEIR_FIELD)
def test_that_every_nearest_value_is_a_link_that_repairs_the_field(
    base: dict[str, Any],
    field: str,
    typed: str,
    at_field: str,
    words: tuple[str, ...],
    form_of: Callable[[Spec], SpecForm],
    hands: Hands,
) -> None:
    spec = base_of(base)
    for number in range(2):
        form = form_of(spec)
        proposed: list[Spec] = []
        form.proposed.connect(lambda made, _field, _said, proposed=proposed: proposed.append(made))
        hands.type(form.editor(field), typed)
        links = links_at(form, at_field)
        assert links
        if number >= len(links):
            break
        follow(form, at_field, links[number])
        assert form.problem(at_field) == ""
        assert getattr(proposed[-1], at_field) == float(links[number].partition("=")[2])


@pytest.mark.parametrize(
    ("spec", "field", "typed", "nearest"),
    [(SMALL, "temperature", "2000000", 1e6), (regression(), "width", "0", 1e-6), (regression(), "width", "9e9", 1e6)],
)
def test_that_a_very_large_or_small_nearest_value_is_a_link_that_repairs_the_field(
    spec: Spec, field: str, typed: str, nearest: float, form_of: Callable[[Spec], SpecForm], hands: Hands
) -> None:
    form = form_of(spec)
    hands.type(form.editor(field), typed)
    (link,) = links_at(form, field)
    with hands.qtbot.captureExceptions() as raised:
        follow(form, field, link)
    assert not raised
    assert form.editor(field).value() == nearest


@pytest.mark.parametrize(
    "field", [field for field, info in LABS["attention"].spec_type.model_fields.items() if group_of(info)]
)
def test_that_every_kind_of_field_finds_its_editor_by_its_type(field: str, qtbot: QtBot) -> None:
    info = LABS["attention"].spec_type.model_fields[field]
    editor = lab_editor("attention", field)
    qtbot.addWidget(editor)
    editor.set_value(info.default)
    assert make_spec({field: editor.value()}) == make_spec({})


@pytest.mark.parametrize(
    ("field", "typed", "value", "text"),
    [
        ("document_lens", " 1,2  1 ", (1, 2, 1), "1, 2, 1"),
        ("document_lens", "  ", None, ""),
        ("painted", "3:4,1;1-2 : 3-2", "0-1: 1-2; 2: 0 3", "1-2: 2-3; 3: 1 4"),
        ("painted", " ; ", "", ""),
    ],
)
def test_that_what_is_typed_into_a_line_is_taken_and_written_the_one_way(
    field: str, typed: str, value: Any, text: str, used_window: MainWindow, hands: Hands
) -> None:
    form = used_window.room.form
    hands.type(form.editor(field), typed)
    assert form.problem(field) == ""
    assert getattr(used_window.controller.spec, field) == value
    assert used_window.controller.spec == attention(**{field: value})
    if used_window.controller.spec != SMALL:
        assert part(form.editor(field), QLineEdit).text() == text


def test_that_a_field_of_an_unknown_type_is_refused_with_its_type(qtbot: QtBot) -> None:
    with pytest.raises(TypeError, match="complex"):
        editor_for("strange", FieldInfo(annotation=complex, default=1j))


@pytest.mark.parametrize(("lab", "own"), [("attention", "num_heads"), ("regression", "width"), ("train", "steps")])
def test_that_fields_of_another_lab_are_no_fault_when_only_some_are_shown(lab: str, own: str, qtbot: QtBot) -> None:
    form = lab_form(lab)
    qtbot.addWidget(form)
    form.set_spec(make_spec({"lab": lab}))
    fields = {"num_heads", "width", "steps", "valid_lens"}
    form.show_only(fields)
    rows = {name: row for name in fields if (row := form.row_of(name)) is not None}
    assert rows[own].isVisibleTo(form)
    assert len(rows) < len(fields)
