"""What the compare page says of two runs of the attention lab."""

from collections.abc import Sequence
from typing import Any

from typing_extensions import override

from attnviz.definitions.statistics import STATISTICS
from attnviz.experiment.attention.trace import AttentionTrace
from attnviz.experiment.labs import Asked
from attnviz.experiment.layers.layer import Layer
from attnviz.experiment.pin import Pin
from attnviz.gui.labs.compare_page import Comparison, Shown, differences_said
from attnviz.gui.layers.heads_view import Picture
from attnviz.gui.layers.words import statistic_text
from attnviz.gui.theme import Look
from attnviz.gui.widgets.words import translate


class AttentionComparison(Comparison[Picture, AttentionTrace]):
    """A run is one layer; A is run beside whatever page is on screen."""

    def __init__(self) -> None:
        self.pins = translate("Pin this run as A")
        self.invitation = translate(
            "Pin this run as A, then change a setting to see A, the new run B and B - A side by side."
        )

    @override
    def shown(self, data: Picture, look: Look) -> Shown[AttentionTrace]:
        view = data.content.view
        stage, table = (view.stage, data.table) if view.shows_cells else ("weights", data.weights)
        return Shown(data.trace, 0, view.item, stage, table, view.sums)

    @override
    def study_of(self, pin: Pin, b: AttentionTrace) -> Asked:
        return pin.spec

    @override
    def trace_of(self, result: AttentionTrace) -> AttentionTrace:
        return result

    @override
    def layers_of(self, trace: AttentionTrace) -> Sequence[Layer]:
        return (trace.layer,)

    @override
    def titles(
        self, a: AttentionTrace | None, shown: Shown[AttentionTrace], head: int, *, numbers: bool
    ) -> tuple[str, str]:
        def of(name: str, trace: AttentionTrace | None) -> str:
            item = shown.item
            if trace is None or not numbers or head >= trace.num_heads or item >= trace.items:
                return name
            return f"{name}, {statistic_text(STATISTICS['entropy'], trace.statistics(item)['entropy'][head])}"

        return of(translate("A, pinned"), a), of(translate("B, this run"), shown.trace)

    @override
    def changes(
        self, a: AttentionTrace, shown: Shown[AttentionTrace], head: int, results: Sequence[Any], *, numbers: bool
    ) -> str:
        return differences_said(a.spec, shown.trace.spec) or translate("The two specs are equal.")
