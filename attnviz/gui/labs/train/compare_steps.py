"""The compare page of a training: below A, B and B − A the steps of B, and every head of every layer."""

from collections.abc import Sequence
from functools import partial
from typing import Any, cast

from PySide6.QtCore import Signal
from PySide6.QtGui import QResizeEvent
from typing_extensions import override

from attnviz.definitions.statistics import STATISTICS
from attnviz.definitions.text import Text, percent_said
from attnviz.experiment.labs import Asked
from attnviz.experiment.layers.layer import Layer
from attnviz.experiment.pin import Pin
from attnviz.experiment.train.comparison import beside, change_of_head, mismatch, name_of, on_one_probe
from attnviz.experiment.train.spec import TrainSpec
from attnviz.experiment.train.studies import HeldOut, TraceAt
from attnviz.experiment.train.trace import TrainTrace
from attnviz.gui.labs.compare_page import ComparedRun, ComparePage, differences_said
from attnviz.gui.labs.train.head_values import pictures_of, role_values
from attnviz.gui.labs.train.shown import PointedHeads, Shown
from attnviz.gui.layers.words import statistic_text
from attnviz.gui.plots.heads.heads_view import HeadsView
from attnviz.gui.theme import Look
from attnviz.gui.widgets.selection import SelectionModel
from attnviz.gui.widgets.step_row import StepRow
from attnviz.gui.widgets.words import number_text, translate

_MAP_SHARE = 0.16
"""The least share of the page's height for the heads."""


class CompareSteps(ComparePage[Shown]):
    """Pointing at a head previews it in A, B and B − A; a click holds it. A stays while B is at another step.

    A and the accuracies of both are studies beside the training on screen, while the page is.
    """

    at_once = False

    looked = Signal(int)
    """The user wants to see this step as B."""

    def __init__(self, look: Look, selection: SelectionModel, current: Any) -> None:
        super().__init__(look, selection, current)
        self.pair.pin.setText(translate("Pin this step as A"))
        self.invitation = ""  # the sentence says it
        self._data: Shown | None = None
        self.heads = PointedHeads(selection, self)
        self.steps = StepRow()
        self.map = HeadsView(look, translate("Roles of all heads"))
        below = self.layout()
        assert below is not None
        for part in (self.steps, self.map):
            below.addWidget(part)
        self.steps.looked.connect(self.looked)
        self.map.hovered.connect(self.heads.point)
        self.map.clicked.connect(self.heads.choose)

    @override
    def show_data(self, data: Shown) -> None:
        before, self._data = self._data, data
        self.heads.num_heads = data.trace.num_heads
        if before is None or _looks(before) != _looks(data):
            self._show_heads(data)
        super().show_data(data)
        self._share()

    @override
    def draw_results(self) -> None:
        super().draw_results()
        self._share()

    @override
    def select(self) -> None:
        super().select()
        data = self._data
        if data is not None:
            self.map.select(data.in_model(self._selection.current))

    @override
    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._share()

    def _show_heads(self, data: Shown) -> None:
        trace = data.trace
        self.steps.show_step(trace.step, trace.known_steps, trace.spec.steps)
        self.map.with_pictures = self.run_of(data).stage == "weights"  # the colour bar is of that stage
        pictures = partial(pictures_of, trace, data.view.contrast_drawn)
        self.map.show_values(role_values(trace), pictures, data.weights)

    def _share(self) -> None:
        """Give the three pictures the height that they use in this width, and the heads the rest."""
        if self._data is None:
            return
        layers, spacing = len(self._data.trace.layers), 2 * self._look.px(6)
        height = self.height() - self.steps.sizeHint().height() - spacing
        share = 0 if self._look.present else _MAP_SHARE  # an audience needs the large pictures
        least = max(self.map.cells.least_height(layers), share * height)
        spare = max(least, height - self.pair.height_in(self.width()))
        self.map.setFixedHeight(max(1, round(min(spare, self.map.height_in(self.width(), spare, layers)))))

    # What is compared.

    @override
    def run_of(self, data: Shown) -> ComparedRun:
        # The sums of the rows would take their column from all three pictures.
        return super().run_of(data)._replace(layer=data.view.layer, sums=False)

    @override
    def study_of(self, pin: Pin, b: TrainTrace) -> TraceAt:
        return TraceAt(of=beside(cast("TrainSpec", pin.spec), b.spec), step=pin.step)

    @override
    def layer_of(self, trace: TrainTrace, number: int) -> Layer:
        return trace.layers[min(number, len(trace.layers) - 1)]

    @override
    def further(self, pin: Pin, b: TrainTrace) -> tuple[Asked, ...]:
        a = self.study_of(pin, b)
        both = HeldOut(of=a.of, step=a.step), HeldOut(of=b.spec, step=b.step)
        return both[: 1 if both[0] == both[1] else 2]

    @override
    def titles(self, a: TrainTrace | None, shown: ComparedRun, head: int, *, numbers: bool) -> tuple[str, str]:
        first = Text("A") if a is None else Text("A: {run}", {"run": name_of(a)})
        second = Text("B: {run}", {"run": name_of(shown.trace)})
        return first.translated(translate), second.translated(translate)

    @override
    def changes(self, a: TrainTrace, shown: ComparedRun, head: int, results: Sequence[Any], *, numbers: bool) -> str:
        b = shown.trace
        changed = differences_said(on_one_probe(a.spec, b.spec), b.spec)
        if not changed and a.step == b.step:
            changed = translate("A and B are the same step of one training.")
        if numbers and len(results) > 1 and a.spec.seed != b.spec.seed:
            changed = f"{changed}   {translate('Each accuracy is on sequences of its own seed.')}"
        both = (("A", a), ("B", b)) if numbers else ()
        of_both = ((letter, _said_of(trace, shown.layer, head, results)) for letter, trace in both)
        return "   ".join((*(f"{letter}: {said}" for letter, said in of_both if said), *([changed] if changed else [])))

    @override
    def mismatch(self, a: TrainTrace, b: TrainTrace, layer: int) -> Text:
        return mismatch(a, b, layer)

    @override
    def sentence_of(self, shown: ComparedRun, head: int) -> str:
        if self.pin is None:
            return translate("Pin this step as A, then go to another step, change the seed, or turn a head off.")
        return "" if self.a is None else change_of_head(self.a, shown.trace, shown.layer, head).translated(translate)


def _said_of(trace: TrainTrace, layer: int, head: int, results: Sequence[Any]) -> str:
    """Return the role and the entropy of a head, and the quality of the whole model's predictions."""
    parts: list[str] = []
    if layer < len(trace.layers) and head < trace.num_heads:
        role = trace.role(layer, head)
        parts += (
            []
            if role is None
            else [f"{translate(role.named_at(trace.distance(layer, head)))} {trace.score(role, layer, head):.2f}"]
        )
        parts.append(statistic_text(STATISTICS["entropy"], trace.layers[layer].statistics(0)["entropy"][head]))
    study = HeldOut(of=trace.spec, step=trace.step)
    held_out = next((each for each in results if each.spec == study), None)  # page and room may both request it
    if held_out is not None:
        parts.append(translate("loss {0}").format(number_text(held_out.shown.loss, ".2g")))
        parts.append(translate("accuracy {0}").format(percent_said(held_out.shown.accuracy)))
    return ", ".join(parts)


def _looks(data: Shown) -> tuple[object, ...]:
    """Return a key of how the heads are drawn, except for which one is large."""
    view = data.view
    return id(data.trace), view.contrast, view.contrast_by, view.drawn, id(data.weights)
