"""What the compare page says of two steps, two seeds, or heads on and off: of the whole models, not of a layer."""

from collections.abc import Sequence
from typing import Any, cast

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
from attnviz.gui.labs.compare_page import Shown as Compared
from attnviz.gui.labs.compare_page import differences_said
from attnviz.gui.labs.layered.comparison import LayerComparison
from attnviz.gui.labs.train.shown import Shown
from attnviz.gui.layers.words import statistic_text
from attnviz.gui.theme import Look
from attnviz.gui.widgets.words import number_text, translate


class TrainComparison(LayerComparison[Shown]):
    """A and the accuracies of both are studies beside the training on screen, while the page is."""

    at_once = False

    def __init__(self) -> None:
        self.pins = translate("Pin this step as A")

    @override
    def shown(self, data: Shown, look: Look) -> Compared[TrainTrace]:
        # The sums of the rows would take their column from all three pictures.
        return super().shown(data, look)._replace(layer=data.view.layer, sums=False)

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
    def titles(self, a: TrainTrace | None, shown: Compared[TrainTrace], head: int, *, numbers: bool) -> tuple[str, str]:
        first = Text("A") if a is None else Text("A: {run}", {"run": name_of(a)})
        second = Text("B: {run}", {"run": name_of(shown.trace)})
        return first.translated(translate), second.translated(translate)

    @override
    def changes(
        self, a: TrainTrace, shown: Compared[TrainTrace], head: int, results: Sequence[Any], *, numbers: bool
    ) -> str:
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
    def words(self, pin: Pin | None, a: TrainTrace | None, shown: Compared[TrainTrace], head: int) -> str:
        if pin is None:
            return translate("Pin this step as A, then go to another step, change the seed, or turn a head off.")
        return "" if a is None else change_of_head(a, shown.trace, shown.layer, head).translated(translate)


def _said_of(trace: TrainTrace, layer: int, head: int, results: Sequence[Any]) -> str:
    """Return the role and the entropy of a head, and how well the whole model predicts."""
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
    for found in (each for each in results if each.spec == study):
        parts.append(translate("loss {0}").format(number_text(found.shown.loss, ".2g")))
        parts.append(translate("accuracy {0}").format(percent_said(found.shown.accuracy)))
    return ", ".join(parts)
