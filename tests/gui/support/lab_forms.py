"""The form of a lab, built as in its room, and the editors of its fields."""

from attnviz.experiment.labs import LABS
from attnviz.gui.forms.editor import Editor
from attnviz.gui.forms.editor_for import editor_for
from attnviz.gui.forms.spec_form import SpecForm
from attnviz.gui.labs.rooms import ROOMS


def lab_form(lab: str) -> SpecForm:
    """Return a new form of a lab."""
    return SpecForm(LABS[lab], ROOMS[lab].load().editors)


def lab_editor(lab: str, field: str) -> Editor:
    """Return a new editor of a lab's field."""
    return editor_for(field, LABS[lab].spec_type.model_fields[field], ROOMS[lab].load().editors)  # type: ignore[attr-defined]
