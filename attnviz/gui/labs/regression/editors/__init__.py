"""The editors of the regression lab's own kinds of fields."""

from collections.abc import Mapping

from attnviz.experiment.regression.data import BookData, Grid
from attnviz.experiment.regression.spec import Overlay
from attnviz.gui.forms.editor_for import EditorMaker
from attnviz.gui.labs.regression.editors.data_edit import DataEdit, GridEdit
from attnviz.gui.labs.regression.editors.overlays_edit import OverlaysEdit

EDITORS: Mapping[object, EditorMaker] = {
    BookData: lambda _: DataEdit(),
    Grid: lambda _: GridEdit(),
    tuple[Overlay, ...]: lambda _: OverlaysEdit(),
}
