"""The data drawn by every page of the training lab, and the mouse on those that show the heads of all layers."""

from dataclasses import dataclass, replace
from typing import TypeAlias

import numpy as np
from PySide6.QtCore import QObject, Signal, Slot

from attnviz.experiment.layers.head_names import heads_said
from attnviz.experiment.run import Failure
from attnviz.experiment.train.studies import HeldOut, HeldOutTrace
from attnviz.experiment.train.trace import TrainTrace
from attnviz.experiment.train.view_settings import TrainViewSettings
from attnviz.gui.layers.heads_view import Picture, weight_line
from attnviz.gui.plots.page import ColourLine
from attnviz.gui.widgets.selection import Selection, SelectionModel
from attnviz.gui.widgets.words import failure_text, translate

Tested: TypeAlias = HeldOutTrace | Failure[HeldOut] | None
"""The test results of the whole model and of that with ablated heads, if known."""


@dataclass(frozen=True, slots=True, eq=False)
class Shown(Picture):
    """The data drawn by a page of the lab: a layer, and the whole model that it belongs to."""

    trace: TrainTrace
    view: TrainViewSettings
    """With the layer under the mouse instead of the chosen one."""
    tested: Tested = None
    """The effect of ablated heads; None without any."""

    def in_model(self, chosen: Selection) -> Selection:
        """Return a selection in the layer with the head's index in the whole model."""
        heads = self.trace.num_heads
        return replace(chosen, head=self.view.layer * heads + min(chosen.head, heads - 1))

    def colour_line(self) -> ColourLine:
        """Return the colour bar of the weights of every head."""
        finite = all(np.isfinite(each.row_sums).all() for each in self.trace.layers)
        line = weight_line(self.trace.layers[self.view.layer], self.view.contrast_drawn, self.weights)
        return line._replace(masked=True, not_finite=not finite)

    @property
    def effect(self) -> str:
        """The effect of ablated heads as text; "" until it is known."""
        return "" if self.tested is None else effect_text(self.tested, self.trace.spec.heads_off)


def effect_text(event: Tested, off: tuple[str, ...], *, short: bool = False) -> str:
    """Return the effect of ablated heads on the sequences of a test; "" if all are on.

    ``short`` leaves out the description of these sequences.
    """
    names = heads_said(off).filled(translate)
    if not off:
        return ""
    if event is None:
        return translate("{0} off").format(names)
    if isinstance(event, Failure):
        return failure_text(event)
    whole, shown = event.whole, event.shown
    amounts = (f"{100 * whole.accuracy:.0f}", f"{100 * shown.accuracy:.0f}", f"{whole.loss:.2g}", f"{shown.loss:.2g}")
    if short:
        return translate("{0} off: accuracy {1} % → {2} %, loss {3} → {4}").format(names, *amounts)
    text = translate("{0} off: accuracy {1} % → {2} %, loss {3} → {4} on {5}")
    return text.format(names, *amounts, event.spec.tested_on(event.sequences).translated(translate))


class PointedHeads(QObject):
    """Turns an index in the whole model into a layer and a head."""

    pointed = Signal(object)
    """(layer, `Selection`) of the head under the mouse, or None."""
    chosen = Signal(int, int)
    """Layer and index of the head that the user chose."""
    num_heads = 0
    """The heads of a layer; 0 before there is a trace."""

    def __init__(self, selection: SelectionModel, parent: QObject) -> None:
        super().__init__(parent)
        self._selection = selection

    @Slot(object)
    def point(self, place: int | None) -> None:
        """Preview a head, with the locked row and cell; None or -1 for none."""
        self.point_cell(None if place is None or place < 0 else replace(self._selection.locked, head=place))

    @Slot(object)
    def point_cell(self, pointed: Selection | None) -> None:
        """Preview a head with a row or cell."""
        if pointed is None or not self.num_heads:
            self.pointed.emit(None)
            return
        layer, head = divmod(pointed.head, self.num_heads)
        self.pointed.emit((layer, replace(pointed, head=head)))

    @Slot(int)
    def choose(self, place: int) -> None:
        """Choose a head."""
        if self.num_heads:
            self.chosen.emit(*divmod(place, self.num_heads))
