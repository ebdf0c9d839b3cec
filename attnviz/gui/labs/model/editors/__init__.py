"""The editors of the model lab's own kinds of fields."""

from collections.abc import Mapping

from attnviz.experiment.model.generation import ChosenTokens, CountOfNew, Sampling
from attnviz.experiment.model.interventions.painted import PaintedMasks
from attnviz.experiment.model.interventions.patch import Patch
from attnviz.experiment.model.sides import HeadOnSide
from attnviz.experiment.model.spec import FolderPath, ImagePath, ReadByModel, Token, TokenOfFolder
from attnviz.gui.forms.editor_for import EditorMaker, Knob
from attnviz.gui.forms.part_edit import PartEdit
from attnviz.gui.labs.model.editors.chips_edit import ChipsEdit, ChosenEdit, PaintedEdit
from attnviz.gui.labs.model.editors.folder_edit import FolderEdit
from attnviz.gui.labs.model.editors.image_edit import ImageEdit
from attnviz.gui.labs.model.editors.new_tokens_edit import NewTokensEdit
from attnviz.gui.labs.model.editors.reading_edit import ReadingEdit
from attnviz.gui.labs.model.editors.token_edit import TokenEdit
from attnviz.gui.widgets.words import translate


def _reading(knob: Knob) -> ReadingEdit:
    if knob.name == "target":
        return ReadingEdit(translate("none: an encoder-decoder writes by itself"))
    is_second = not knob.field.get_default()
    return ReadingEdit(translate("none: type one to compare with") if is_second else translate("type a text"))


EDITORS: Mapping[object, EditorMaker] = {
    FolderPath: lambda _: FolderEdit(),
    ImagePath: lambda _: ImageEdit(),
    ReadByModel: _reading,
    TokenOfFolder: lambda knob: TokenEdit(translate(knob.nothing)),
    tuple[HeadOnSide, ...]: lambda _: ChipsEdit(translate("Turn the head on again")),
    tuple[Token, ...]: lambda _: ChipsEdit(translate("Show the token again")),
    tuple[Patch, ...]: lambda _: ChipsEdit(translate("Take the model's own output again")),
    PaintedMasks: lambda _: PaintedEdit(translate("Allow the cells again")),
    CountOfNew: lambda knob: NewTokensEdit(*knob.limits, knob.slider, tuple(knob.extra("stops", ()))),
    Sampling: lambda _: PartEdit(Sampling),
    ChosenTokens: lambda _: ChosenEdit(translate("Continue with the model's own token again")),
}
