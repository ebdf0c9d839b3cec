"""The editors of the model lab's own kinds of fields."""

from collections.abc import Mapping

from attnviz.experiment.layers.head_names import HeadOff
from attnviz.experiment.model.generation import ChosenTokens, Sampling
from attnviz.experiment.model.interventions.painted import PaintedMasks
from attnviz.experiment.model.interventions.patch import Patch
from attnviz.experiment.model.spec import FolderPath, ImagePath, ReadByModel, Token
from attnviz.gui.forms.editor_for import EditorMaker, Knob
from attnviz.gui.forms.part_edit import PartEdit
from attnviz.gui.labs.model.editors.chips_edit import ChipsEdit, ChosenEdit, PaintedEdit
from attnviz.gui.labs.model.editors.folder_edit import FolderEdit
from attnviz.gui.labs.model.editors.image_edit import ImageEdit
from attnviz.gui.labs.model.editors.reading_edit import ReadingEdit
from attnviz.gui.widgets.words import translate


def _reading(knob: Knob) -> ReadingEdit:
    is_second = not knob.field.get_default()
    return ReadingEdit(translate("none: type one to compare with") if is_second else translate("type a text"))


EDITORS: Mapping[object, EditorMaker] = {
    FolderPath: lambda _: FolderEdit(),
    ImagePath: lambda _: ImageEdit(),
    ReadByModel: _reading,
    tuple[HeadOff, ...]: lambda _: ChipsEdit(translate("Turn the head on again")),
    tuple[Token, ...]: lambda _: ChipsEdit(translate("Show the token again")),
    tuple[Patch, ...]: lambda _: ChipsEdit(translate("Take the model's own output again")),
    PaintedMasks: lambda _: PaintedEdit(translate("Allow the cells again")),
    Sampling: lambda _: PartEdit(Sampling),
    ChosenTokens: lambda _: ChosenEdit(translate("Continue with the model's own token again")),
}
