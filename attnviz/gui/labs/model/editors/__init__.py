"""The editors of the model lab's own kinds of fields."""

from collections.abc import Mapping

from attnviz.gui.forms.editor_for import EditorMaker

EDITORS: Mapping[object, EditorMaker] = {}
