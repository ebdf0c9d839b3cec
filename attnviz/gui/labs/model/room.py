"""The model lab's room."""

from PySide6.QtCore import Slot
from PySide6.QtWidgets import QWidget
from typing_extensions import override

from attnviz.definitions.counting import head_name
from attnviz.experiment.labs import Spec, make_spec
from attnviz.experiment.model.spec import ModelSpec
from attnviz.experiment.model.trace import ModelTrace
from attnviz.experiment.model.view import ModelViewSettings
from attnviz.gui.labs.layered.room import LayerRoom
from attnviz.gui.labs.model.editors import EDITORS
from attnviz.gui.labs.model.inspector import ModelInspector
from attnviz.gui.labs.model.stage import ModelStage
from attnviz.gui.labs.model.token_text import TokenText
from attnviz.gui.plots.matrix.head_cells import HeadCells
from attnviz.gui.theme import Look


class ModelRoom(LayerRoom[ModelTrace, ModelViewSettings]):
    """A model from a folder: every head, the text, one head large, and what interventions change."""

    lab_name = "model"
    editors = EDITORS
    with_gestures = (ModelStage, TokenText, HeadCells)
    stage: ModelStage
    inspector: ModelInspector

    def __init__(self, look: Look, parent: QWidget | None = None) -> None:
        super().__init__(look, parent)
        self.stage.head_switched.connect(self._switch_chosen_head)
        self.stage.token_switched.connect(self._switch_chosen_token)
        self.stage.text_asked.connect(self._go_to_text)

    @override
    def make_stage(self, look: Look) -> ModelStage:
        return ModelStage(self.lab, look, self.selection, self.current_view)

    @override
    def make_inspector(self, look: Look) -> ModelInspector:
        return ModelInspector(look, self.manual)

    @override
    def show_choice(self, trace: ModelTrace) -> None:
        super().show_choice(trace)
        self.inspector.show_model(trace, self.stage.weight_table)
        self.inspector.show_why(trace, self.stage.layer, self.selection.current)

    # Interventions.

    @Slot(int, int)
    def switch_head(self, layer: int, head: int) -> None:
        """Turn a head off, or on again."""
        spec, name = self._spec, head_name(layer, head)
        if spec is not None:
            off = set(spec.heads_off) ^ {name}
            self._propose(spec, f"heads_off.{name}", heads_off=tuple(off))

    def switch_tokens(self, tokens: tuple[int, ...]) -> None:
        """Hide tokens from all others, or show them again if all of them are hidden."""
        spec = self._spec
        if spec is not None and tokens:
            hidden = set(spec.tokens_hidden)
            hidden = hidden - set(tokens) if hidden >= set(tokens) else hidden | set(tokens)
            self._propose(spec, f"tokens_hidden.{tokens[0]}", tokens_hidden=tuple(hidden))

    def _propose(self, spec: ModelSpec, step: str, **changes: object) -> None:
        self.form.propose(make_spec({**dict(spec), **changes}), step)

    @property
    def _spec(self) -> ModelSpec | None:
        spec: Spec | None = self.form.spec
        return spec if isinstance(spec, ModelSpec) else None

    @Slot()
    def _switch_chosen_head(self) -> None:
        self.switch_head(self.view.layer, self.selection.current.head)

    @Slot()
    def _switch_chosen_token(self) -> None:
        self.switch_tokens(self.stage.chosen_tokens)

    @Slot()
    def _go_to_text(self) -> None:
        self.form.go_to("text")
