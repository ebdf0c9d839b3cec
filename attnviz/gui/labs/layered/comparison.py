"""The compare page's texts and studies for runs whose traces have one layer each."""

from collections.abc import Sequence
from typing import Any

from PySide6.QtWidgets import QWidget
from typing_extensions import override

from attnviz.definitions.counting import SCREEN
from attnviz.definitions.stages import cells_of
from attnviz.definitions.statistics import STATISTICS
from attnviz.definitions.text import Text
from attnviz.experiment.labs import Asked, Trace
from attnviz.experiment.layers.layer import Layer
from attnviz.experiment.layers.studies import LayerAt
from attnviz.experiment.pin import Pin
from attnviz.gui.labs.compare_page import ComparedRun, ComparePage, Comparison, differences_said
from attnviz.gui.layers.heads_view import Picture, PictureT
from attnviz.gui.layers.words import statistic_text
from attnviz.gui.theme import Look
from attnviz.gui.widgets.selection import SelectionModel
from attnviz.gui.widgets.words import translate


class LayerComparison(Comparison[PictureT, Any]):
    """A is run whatever page is on screen, up to the layer of B."""

    def __init__(self) -> None:
        self.pins = translate("Pin this run as A")
        self.invitation = translate(
            "Pin this run as A, then change a setting to see A, the new run B and B − A side by side."
        )

    @override
    def shown(self, data: PictureT, look: Look) -> ComparedRun[Any]:
        view = data.content.view
        stage, table = (view.stage, data.table) if view.shows_cells else ("weights", data.weights)
        contrast = view.contrast if cells_of(stage).weights else ""
        return ComparedRun(data.trace, 0, view.item, stage, table, view.sums, contrast)

    @override
    def study_of(self, pin: Pin, b: Any) -> Asked:
        return LayerAt(of=pin.spec, layer=b.cursor.layer) if b.cursor.layer else pin.spec

    @override
    def trace_of(self, result: Any) -> Any:
        return result if isinstance(result, Trace) else result.trace

    @override
    def layer_of(self, trace: Any, number: int) -> Layer:
        layer: Layer = trace.layer
        return layer

    @override
    def shows(self, a: Any, b: Any) -> bool:
        return (a.cursor.layer or 0) == (b.cursor.layer or 0)

    @override
    def mismatch(self, a: Any, b: Any, layer: int) -> Text:
        if self.shows(a, b):
            return Text()
        words = {"layer": SCREEN.number(b.cursor.layer)}
        if b.cursor.layer in a.layers.others:
            return Text("Layer {layer} of A has no attention, so there is no B − A.", words)
        return Text("Layer {layer} of A has not come, so there is no B − A.", words)

    @override
    def titles(self, a: Any | None, shown: ComparedRun[Any], head: int, *, numbers: bool) -> tuple[str, str]:
        def of(name: str, trace: Any | None) -> str:
            item, tells = shown.item, numbers and cells_of(shown.stage).weights
            layer: Layer | None = None if trace is None else trace.layer
            if layer is None or not tells or head >= layer.num_heads or item >= layer.items:
                return name
            return f"{name}, {statistic_text(STATISTICS['entropy'], layer.statistics(item)['entropy'][head])}"

        return of(self.name_of(a, shown.trace), a), of(translate("B, this run"), shown.trace)

    def name_of(self, a: Any | None, b: Any) -> str:
        """Return the name of A beside a run B."""
        del a, b
        return translate("A, pinned")

    @override
    def changes(self, a: Any, shown: ComparedRun[Any], head: int, results: Sequence[Any], *, numbers: bool) -> str:
        return differences_said(a.spec, shown.trace.spec) or translate("A and B are equal.")


class LayerComparePage(ComparePage[Picture, Any]):
    """Two runs whose traces have one layer each."""

    def __init__(self, look: Look, selection: SelectionModel, parent: QWidget | None = None) -> None:
        super().__init__(look, selection, LayerComparison[Picture](), parent)
