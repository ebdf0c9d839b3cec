"""Two steps, two seeds, or heads on and off: a pinned step A, the step on screen B, and B - A of the chosen layer."""

from collections.abc import Mapping
from typing import cast

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget
from typing_extensions import override

from attnviz.definitions.statistics import STATISTICS
from attnviz.definitions.text import percent_said
from attnviz.experiment.attention.trace import AttentionTrace
from attnviz.experiment.colours import DIVERGING
from attnviz.experiment.labs import Event
from attnviz.experiment.layers.comparison import HeadDifference
from attnviz.experiment.pin import Pin
from attnviz.experiment.run import Failure
from attnviz.experiment.train.comparison import beside, change_of_head, mismatch, name_of
from attnviz.experiment.train.spec import TrainSpec
from attnviz.experiment.train.studies import HeldOut, HeldOutTrace, Study, TraceAt, TraceAtTrace
from attnviz.experiment.train.trace import TrainTrace
from attnviz.gui.labs.attention.compare_page import ComparePage, differences_said
from attnviz.gui.labs.lab_stage import ColourLine, Page
from attnviz.gui.labs.train.shown import Shown
from attnviz.gui.layers.words import read_out_of, statistic_text
from attnviz.gui.plots.matrix.tile import colour_table
from attnviz.gui.theme import Look
from attnviz.gui.widgets.layouts import column_of
from attnviz.gui.widgets.selection import SelectionModel
from attnviz.gui.widgets.words import failure_text, translate


class _Pair(ComparePage):
    """The three pictures of one layer; what they are called and what differs is said of the whole models."""

    def __init__(self, look: Look, selection: SelectionModel, parent: QWidget | None = None) -> None:
        super().__init__(look, selection, parent)
        self.whole_a: TrainTrace | None = None
        self.whole_b: TrainTrace | None = None
        self.layer = 0
        self.quality: Mapping[HeldOut, HeldOutTrace] = {}
        self.pin.setText(self.tr("Pin this step as A"))

    @override
    def pin_current(self) -> None:
        if self.whole_b is not None:
            self.pin_asked.emit(Pin.of(self.whole_b))

    @override
    def unpin_current(self) -> None:
        self.pin_asked.emit(None)

    @property
    @override
    def invitation(self) -> str:
        return ""  # it is the sentence of the page

    @property
    @override
    def name_of_a(self) -> str:
        return "A" if self.whole_a is None else f"A: {name_of(self.whole_a)}"

    @property
    @override
    def name_of_b(self) -> str:
        return "B" if self.whole_b is None else f"B: {name_of(self.whole_b)}"

    @override
    def title_of(self, trace: AttentionTrace, head: int, name: str) -> str:
        return name  # there are three pictures side by side: the rest is said above them

    @override
    def changed_between(self, pinned: AttentionTrace, trace: AttentionTrace, head: int) -> str:
        a, b = self.whole_a, self.whole_b
        if a is None or b is None:
            return ""
        changed = differences_said(a.spec, b.spec)
        if not changed and a.step == b.step:
            changed = self.tr("A and B are the same step of one training.")
        both = (("A", self._said_of(a, head)), ("B", self._said_of(b, head)))
        of_both = (f"{letter}: {said}" for letter, said in both if said)
        return "   ".join(part for part in (*of_both, changed) if part)

    @override
    def difference_of(self, pinned: AttentionTrace, trace: AttentionTrace, head: int) -> HeadDifference | str:
        if self.whole_a is not None and self.whole_b is not None:
            why = mismatch(self.whole_a, self.whole_b, self.layer).translated(translate)
            if why:
                return why
        return super().difference_of(pinned, trace, head)

    def _said_of(self, trace: TrainTrace, head: int) -> str:
        """Return the role and the entropy of a head of the layer, and how well the whole model predicts."""
        parts: list[str] = []
        if not self._look.numbers:
            return ""
        if self.layer < len(trace.layers) and head < trace.num_heads:
            role = trace.role(self.layer, head)
            parts += [] if role is None else [f"{translate(role.short)} {trace.score(role, self.layer, head):.2f}"]
            entropy = trace.layers[self.layer].statistics(0)["entropy"][head]
            parts.append(statistic_text(STATISTICS["entropy"], entropy))
        found = self.quality.get(HeldOut(of=trace.spec, step=trace.step))
        if found is not None:
            parts.append(self.tr("loss {0}").format(f"{found.shown.loss:.2f}"))
            parts.append(self.tr("accuracy {0}").format(percent_said(found.shown.accuracy)))
        return ", ".join(parts)


class TrainComparePage(Page[Shown]):
    """Holds the pinned spec and step A. Its trace, and both accuracies, are studies beside the run on screen."""

    pinned_changed = Signal()
    """Another step was pinned, or A was unpinned."""
    pin_asked = Signal(object)
    """The user pins the step on screen, as a `Pin`, or unpins (None)."""

    def __init__(self, look: Look, selection: SelectionModel, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._look = look
        self._selection = selection
        self._shown: Shown | None = None
        self.pin: Pin | None = None
        """A, whether its trace is there or not."""
        self._a: TrainTrace | None = None
        self._failed: TraceAt | None = None
        self._said = ""
        self._quality: dict[HeldOut, HeldOutTrace] = {}
        self.pair = _Pair(look, selection)
        self.pair.pin_asked.connect(self.pin_asked)
        self.pair.painted.connect(self.painted)
        column_of(self, self.pair, wide=(self.pair,))

    @property
    def pinned_now(self) -> TrainTrace | None:
        """A on screen."""
        return self._a

    @property
    def compared(self) -> tuple[AttentionTrace, str] | None:
        """The layer of A beside that of B, and the stage that is compared; None if there is no B - A."""
        if self._shown is None or self._a is None or mismatch(self._a, self._shown.trace, self._layer).template:
            return None
        return self._a.layers[self._layer], self.pair.stage

    @property
    def read_out(self) -> str:
        """The numbers of A, B and B - A in the selected cell; "" if none is selected."""
        if self._shown is None:
            return ""
        layer, found, chosen = self._shown.trace.layers[self._layer], self.compared, self._selection.current
        return read_out_of(layer, 0, chosen) if found is None else read_out_of(layer, 0, chosen, *found)

    def show_pin(self, pin: Pin | None) -> None:
        """Compare with a pinned run, or with none (None); one that failed is tried again."""
        if pin != self.pin or self._failed is not None:
            self.pin, self._a, self._failed = pin, None, None
            self._take_shown()
            self._draw()
            self.pinned_changed.emit()

    @override
    def show_data(self, data: Shown) -> None:
        self._shown = data
        self._take_shown()
        self._draw()

    def _take_shown(self) -> None:
        """Take the trace on screen as A, if it is that: nothing needs to be run."""
        trace = None if self._shown is None else self._shown.trace
        asked = None if trace is None else self._asked(trace.spec)
        if trace is not None and asked is not None and (asked.of, asked.step) == (trace.spec, trace.step):
            self._a = trace

    @override
    def wanted(self, spec: TrainSpec) -> tuple[Study, ...]:
        if self._shown is None:
            return ()
        asked, trace = self._asked(spec), self._shown.trace
        has = self._a is not None and asked is not None and (self._a.spec, self._a.step) == (asked.of, asked.step)
        of_a = () if asked is None or has or asked == self._failed else (asked,)
        steps = () if asked is None else ((asked.of, asked.step), (trace.spec, trace.step))
        qualities = dict.fromkeys(HeldOut(of=of, step=step) for of, step in steps)
        return (*of_a, *(study for study in qualities if study not in self._quality))

    @override
    def show_events(self, events: tuple[Event, ...]) -> None:
        if self._shown is None:
            return
        for event in events:
            if isinstance(event, HeldOutTrace):
                self._quality[event.spec] = event
            elif event.spec == self._asked(self._shown.trace.spec):
                if isinstance(event, TraceAtTrace):
                    self._a, self._failed = event.trace, None
                elif isinstance(event, Failure):
                    self._failed = event.spec
                    self.pair.say_failure(failure_text(event))
        self._draw()

    @override
    def leave(self, spec: TrainSpec) -> None:
        self._quality.clear()

    @override
    def select(self) -> None:
        self.pair.select()
        words = self.words
        if words != self._said:
            self._said = words
            self.said.emit()

    @property
    @override
    def words(self) -> str:
        if self.pin is None:
            return self.tr("Pin this step as A, then go to another step, change the seed, or turn a head off.")
        if self._shown is None or self._a is None:
            return ""
        return change_of_head(self._a, self._shown.trace, self._layer, self._selection.current.head).translated(
            translate
        )

    @override
    def restyle(self, look: Look) -> None:
        self._look = look
        self.pair.restyle(look)

    @override
    def colour_line(self) -> ColourLine | None:
        return self.pair.colour_line()

    @property
    @override
    def pictures_across(self) -> float:
        return self.pair.pictures_across

    @property
    def _layer(self) -> int:
        assert self._shown is not None
        return min(self._shown.view.layer, len(self._shown.trace.layers) - 1)

    def _asked(self, spec: TrainSpec) -> TraceAt | None:
        """Return the study of A beside a run of a spec; None if nothing is pinned."""
        if self.pin is None:
            return None
        return TraceAt(of=beside(cast("TrainSpec", self.pin.spec), spec), step=self.pin.step)

    def _draw(self) -> None:
        if self._shown is None:
            return
        trace, view, weights = self._shown
        pair, layer, of_layer = self.pair, self._layer, view.of_layer
        pair.whole_a, pair.whole_b, pair.layer, pair.quality = self._a, trace, layer, self._quality
        a = None if self._a is None else self._a.layers[min(layer, len(self._a.layers) - 1)]
        if self._failed is None:
            pair.pin_run(a)
        plain = of_layer.shows_weights or not of_layer.shows_cells
        of_layer = of_layer.model_copy(update={"sums": False})  # their column would be taken from all three pictures
        pair.show_run(trace.layers[layer], of_layer, weights if plain else colour_table(DIVERGING, self._look.theme))
        pair.unpin.setEnabled(self.pin is not None)
        self.select()
