"""Every field of every spec has its place in the form, in the undo step and in the glossary."""

from collections.abc import Iterator

import pytest
from every_field import NOT_WALKED, Change, changes
from lab_forms import lab_form
from lab_rules import EVERYDAY
from PySide6.QtWidgets import QApplication

from attnviz.experiment.fields.chosen_records import ChosenRecords
from attnviz.experiment.labs import LABS, Spec
from attnviz.experiment.texts.glossary import terms_in
from attnviz.gui.forms.spec_form import SpecForm, group_of
from attnviz.gui.run.undo import words_of


def first_of_each() -> list[Change]:
    """Return the first active change of each field of each lab."""
    return list({(each.before.lab, each.field): each for each in reversed(changes()) if each.is_active}.values())


@pytest.fixture(scope="module")
def forms(qapp: QApplication) -> Iterator[dict[str, SpecForm]]:
    forms = {name: lab_form(name) for name in LABS}
    yield forms
    for form in forms.values():
        form.deleteLater()


@pytest.mark.parametrize("change", first_of_each(), ids=str)
def test_that_the_form_proposes_the_value_that_its_editor_is_given(change: Change, forms: dict[str, SpecForm]) -> None:
    form = forms[change.before.lab]
    form.set_spec(change.before)
    if not group_of(type(change.before).model_fields[change.field]):  # type: ignore[attr-defined]
        with pytest.raises(KeyError):  # set by the picture alone
            form.editor(change.field)
        return
    proposed: list[Spec] = []
    connection = form.proposed.connect(lambda spec, field: proposed.append(spec))
    editor = form.editor(change.field)
    editor.set_value(getattr(change.after, change.field))
    editor.edited.emit()
    form.proposed.disconnect(connection)
    assert [dict(spec) for spec in proposed] == [dict(change.after)]


@pytest.mark.parametrize("change", first_of_each(), ids=str)
def test_that_a_step_of_undo_names_the_field(change: Change) -> None:
    title = type(change.before).model_fields[change.field].title  # type: ignore[attr-defined]
    own = LABS[change.before.lab].change_text(change.before, change.after).text
    value = getattr(change.after, change.field)
    records = [each.title for each in value.records().values()] if isinstance(value, ChosenRecords) else []
    assert words_of(change.before, change.after, change.field).startswith((own or title, *records))


@pytest.mark.parametrize("lab", LABS)
def test_that_every_field_has_a_help_text_and_a_term_in_the_glossary(lab: str) -> None:
    fields = LABS[lab].spec_type.model_fields  # type: ignore[attr-defined]
    assert [name for name, field in fields.items() if not field.description] == []
    without = {name for name, field in fields.items() if not terms_in(field.title)}
    assert without <= EVERYDAY | NOT_WALKED
