"""The editors of the attention lab's own kinds of fields."""

from collections.abc import Mapping

from attnviz.experiment.attention.fields import RandomInputs
from attnviz.experiment.attention.masks import MechanismKnobs
from attnviz.experiment.attention.mods import Mods
from attnviz.experiment.attention.valid_lens import ValidLens
from attnviz.experiment.fields.painted import CellsText
from attnviz.gui.forms.editor_for import EditorMaker
from attnviz.gui.labs.attention.editors.inputs_edit import InputsEdit
from attnviz.gui.labs.attention.editors.knobs_edit import MechanismKnobsEdit
from attnviz.gui.labs.attention.editors.mods_edit import ModsEdit
from attnviz.gui.labs.attention.editors.painted_edit import PaintedEdit
from attnviz.gui.labs.attention.editors.valid_lens_edit import ValidLensEdit
from attnviz.gui.widgets.words import translate

EDITORS: Mapping[object, EditorMaker] = {
    CellsText: lambda _: PaintedEdit(translate("none")),
    MechanismKnobs: lambda _: MechanismKnobsEdit(),
    Mods: lambda _: ModsEdit(),
    RandomInputs: lambda _: InputsEdit(),
    ValidLens: lambda _: ValidLensEdit(),
}
