"""The editors of the training lab's own kinds of fields."""

from collections.abc import Mapping

from attnviz.experiment.train.spec import FromHereOn, RateChange
from attnviz.experiment.train.task import TaskChoice, TokenWords
from attnviz.gui.forms.editor_for import EditorMaker
from attnviz.gui.labs.train.editors.branch_editors import ChangesEdit, ProbeEdit, RateEdit
from attnviz.gui.labs.train.editors.task_edit import TaskEdit

EDITORS: Mapping[object, EditorMaker] = {
    TaskChoice: lambda _: TaskEdit(),
    FromHereOn: lambda knob: RateEdit(*knob.limits, knob.slider),
    tuple[RateChange, ...]: lambda _: ChangesEdit(),
    TokenWords: lambda _: ProbeEdit(),
}
