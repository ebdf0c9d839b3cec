"""The training lab's room."""

from typing import Any, cast

from PySide6.QtCore import QTimer, Slot
from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtWidgets import QWidget
from typing_extensions import override

from attnviz.definitions.counting import head_name
from attnviz.experiment.labs import Asked, Event, Spec
from attnviz.experiment.run import Failure
from attnviz.experiment.train.spec import TrainSpec
from attnviz.experiment.train.studies import HeldOut, HeldOutTrace
from attnviz.experiment.train.trace import TrainTrace
from attnviz.experiment.train.view_settings import TrainViewSettings
from attnviz.gui.labs.layered.room import LayerRoom
from attnviz.gui.labs.train.editors import EDITORS
from attnviz.gui.labs.train.effect_page import EffectPage
from attnviz.gui.labs.train.hand import TrainingHand
from attnviz.gui.labs.train.inspector import TrainInspector
from attnviz.gui.labs.train.predictions import PredictionChips
from attnviz.gui.labs.train.stage import TrainStage
from attnviz.gui.labs.train.written_text import WrittenText
from attnviz.gui.plots.curves.learning_curves import LearningCurves
from attnviz.gui.plots.heads.head_map import HeadMap
from attnviz.gui.theme import Look
from attnviz.gui.widgets.selection import Selection

_AT_REST_MS = 200
"""A training without a new trace for this time, in milliseconds, is idle: studies may begin."""


class TrainRoom(LayerRoom[TrainTrace, TrainViewSettings]):
    """A training, every head, and what the model predicts."""

    lab_name = "train"
    editors = EDITORS
    with_gestures = (TrainStage, LearningCurves, HeadMap, PredictionChips, EffectPage, WrittenText)
    trains = True
    beside_while_running = True
    stage: TrainStage
    inspector: TrainInspector

    def __init__(self, look: Look, parent: QWidget | None = None) -> None:
        super().__init__(look, parent)
        self.hand = TrainingHand(self.form, self)
        self.hand.beginning_asked.connect(self.beginning_asked)
        self._held_out: HeldOutTrace | Failure[HeldOut] | None = None
        self._rest = QTimer(self)
        self._rest.setSingleShot(True)
        self._rest.setInterval(_AT_REST_MS)
        self._rest.timeout.connect(self.beside_changed)
        self.current_view.changed.disconnect(self.beside_changed)  # a cancelled study waits for its page
        QShortcut(QKeySequence("X"), self.stage, self._switch_chosen)
        pages = self.stage.pages
        pages.train.looked.connect(self.ask_step)
        pages.learning.looked.connect(self.ask_step)
        pages.compare.looked.connect(self.ask_step)
        pages.effect.head_chosen.connect(self.stage.choose_head)
        pages.effect.asked.connect(self.beside_changed)
        pages.effect.switched.connect(self.switch_heads)
        pages.write.asked.connect(self.beside_changed)
        pages.write.moment_chosen.connect(self._look_at_moment)
        pages.write.view_proposed.connect(self._take_view)
        self.inspector.roles.head_chosen.connect(self.stage.choose_head)
        self.inspector.roles.switched.connect(self.switch_head)

    @override
    def adapted(self, spec: Spec, changed: str) -> Spec:
        return self.hand.adapted(cast("TrainSpec", spec), changed, self.stage.trace)

    @override
    def make_stage(self, look: Look) -> TrainStage:
        return TrainStage(self.lab, look, self.selection, self.current_view)

    @override
    def make_inspector(self, look: Look) -> TrainInspector:
        return TrainInspector(look, "train")

    @override
    def show_trace(self, trace: TrainTrace) -> None:
        self._rest.start()
        self.hand.show_trace(trace)
        super().show_trace(trace)
        self.current_view.note(step=None if trace.final else trace.step)

    @override
    def show_choice(self, trace: TrainTrace) -> None:
        super().show_choice(trace)
        self.inspector.show_step(trace, self.stage.number, self.selection.current, self.stage.weight_table)
        self._show_effect(trace)

    @override
    def specs_beside(self, spec: Spec) -> tuple[Asked, ...]:
        trace = self.stage.trace
        if trace is None or self._rest.isActive():
            return ()
        held_out = HeldOut(of=trace.spec, step=trace.step)
        known = self._held_out is not None and self._held_out.spec == held_out
        of_heads = (held_out,) if trace.spec.heads_off and not known else ()
        return tuple(dict.fromkeys((*super().specs_beside(spec), *of_heads)))

    @override
    def show_beside(self, events: tuple[Event, ...]) -> None:
        super().show_beside(events)
        trace = self.stage.trace
        for event in events:
            if trace is not None and event.spec == HeldOut(of=trace.spec, step=trace.step):
                self._held_out = cast("HeldOutTrace | Failure[HeldOut]", event)
        if trace is not None:
            self._show_effect(trace)
        self.beside_changed.emit()  # a page may ask for one study after another

    def _show_effect(self, trace: TrainTrace) -> None:
        found = self._held_out
        known = found is not None and found.spec == HeldOut(of=trace.spec, step=trace.step)
        event, off = found if known and trace.spec.heads_off else None, trace.spec.heads_off
        self.inspector.show_effect(event, off)
        self.stage.show_tested(event)

    @Slot(int, int)
    def switch_head(self, layer: int, head: int) -> None:
        """Ablate a head, or turn it on again; the training stays as it is."""
        self.switch_heads(((layer, head),))

    @Slot(object)
    def switch_heads(self, heads: tuple[tuple[int, int], ...]) -> None:
        """Ablate heads, or turn them on again if all of them are ablated."""
        spec = self.form.spec
        if isinstance(spec, TrainSpec) and all(each < spec.num_layers and of < spec.num_heads for each, of in heads):
            names = {head_name(*head) for head in heads}
            off = set(spec.heads_off)
            off = off - names if names <= off else off | names
            self.form.change("heads_off", tuple(off), f"heads_off.{' '.join(sorted(names))}")

    @Slot(object)
    def _take_view(self, changes: dict[str, Any]) -> None:
        self.current_view.propose(**changes)
        self.beside_changed.emit()

    @Slot(object)
    def _look_at_moment(self, words: tuple[str, ...]) -> None:
        """Show the model's context before a token that it wrote, unless another model is shown by now."""
        spec = self.form.spec
        if not isinstance(spec, TrainSpec):
            return
        if len(words) > spec.num_tokens or not set(words) <= set(spec.alphabet):
            self.stage.pages.write.say_of_another()
            return
        self.current_view.propose(page="train")
        self.form.change("probe", tuple(words), "probe")
        self.selection.begin_with(Selection(self.selection.locked.head, len(words) - 1, None))

    @Slot()
    def _switch_chosen(self) -> None:
        # The highlighted head, possibly under the mouse.
        self.switch_head(self.stage.number, self.selection.current.head)
