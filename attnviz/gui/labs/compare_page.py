"""The page of every lab that compares: a pinned run A, the run on screen B, and B − A of one head of a layer."""

from collections.abc import Sequence
from typing import Any, NamedTuple

from PySide6.QtCore import Signal, Slot
from typing_extensions import override

from attnviz.definitions.counting import SCREEN
from attnviz.definitions.stages import cells_of
from attnviz.definitions.statistics import STATISTICS
from attnviz.definitions.text import Text
from attnviz.experiment.fields.differences import differences
from attnviz.experiment.fields.knob import fields_of
from attnviz.experiment.labs import Asked, Spec, Trace
from attnviz.experiment.layers.comparison import Aligned, masks_apart
from attnviz.experiment.layers.layer import Layer
from attnviz.experiment.layers.studies import LayerAt
from attnviz.experiment.pin import Pin
from attnviz.experiment.run import Failure
from attnviz.gui.labs.study_page import StudyPage
from attnviz.gui.layers.compare import Pair, PairView
from attnviz.gui.layers.heads_view import PictureT
from attnviz.gui.layers.words import Compared, pair_said, statistic_text
from attnviz.gui.plots.matrix.tile import ColourTable
from attnviz.gui.plots.page import ColourLine
from attnviz.gui.theme import Look
from attnviz.gui.widgets.layouts import column_of
from attnviz.gui.widgets.selection import Selection, SelectionModel
from attnviz.gui.widgets.words import failure_text, field_title, translate


class ComparedRun(NamedTuple):
    """Run B, and how it is drawn."""

    trace: Any
    layer: int
    item: int
    stage: str
    """The compared stage, one with cells."""
    table: ColourTable
    """The colours of the stage."""
    sums: bool = False
    """Whether the sum of each row of weights is beside it."""
    contrast: str = ""
    """The contrast of the colours of weights, a name in `CONTRASTS`."""


class ComparePage(StudyPage[PictureT]):
    """Shows the pin of its lab, held elsewhere, beside the run on screen. A stays while the spec changes.

    As it stands, it is for runs whose traces have one of the layers: A is run whatever page is on screen, up to the
    layer of B. A lab's page overrides the methods at the end. Layers and heads are counted from 0.
    """

    at_once = True

    pin_asked = Signal(object)
    """The user pins the run on screen, as a `Pin`, or unpins (None)."""
    pin_shown = Signal()
    """A has changed, or was removed."""
    failed = Signal(str)
    """The reason why the run of A failed, as a message."""

    def __init__(self, look: Look, selection: SelectionModel, current: Any) -> None:
        super().__init__(look, selection, current)
        self._b: Any | None = None
        self._shown: ComparedRun | None = None
        self._drawn: tuple[int, object] | None = None
        self._answers: Asked | None = None  # the study with result `a`
        self.pin: Pin | None = None
        """What is pinned, whether its run is there or not."""
        self.a: Any | None = None
        """The pinned run."""
        self.invitation = translate(
            "Pin this run as A, then change a setting to see A, the new run B and B − A side by side."
        )
        """The text above B while no run is pinned."""
        self.pair = PairView(look, selection)
        self.pair.pin.setText(translate("Pin this run as A"))
        self.pair.pin.clicked.connect(self.pin_current)
        self.pair.unpin.clicked.connect(self.unpin_current)
        self.pair.offered_chosen.connect(self._pin_offered)
        self.pair.painted.connect(self.painted)
        column_of(self, self.pair, wide=(self.pair,), gap=look.px(6))

    @property
    def compared(self) -> Compared | None:
        """The layer of A beside that of B; None without B − A in any cell."""
        if self.a is None or self._shown is None or self._mismatch:
            return None
        aligned = self.aligned(self.a, self._shown.trace)
        return Compared(self.layer_of(self.a, self._shown.layer), self._shown.stage, aligned)

    def show_pin(self, pin: Pin | None) -> None:
        """Compare with a pinned run, or with none (None); one that failed is tried again."""
        failed = isinstance(self.result(self.study), Failure)
        if pin == self.pin and not failed:
            return
        self.pin, self.a, self._answers, self._results = pin, None, None, ()
        self._take_b()
        self._draw()
        self.pin_shown.emit()

    @Slot()
    def pin_current(self) -> None:
        """Ask to pin the run on screen."""
        if self._b is not None:
            self.pin_asked.emit(Pin.of(self._b))

    @Slot(int)
    def _pin_offered(self, place: int) -> None:
        if self._b is not None:
            self.pin_asked.emit(self.offered(self._b)[place][1])

    @Slot()
    def unpin_current(self) -> None:
        """Ask to unpin A."""
        self.pin_asked.emit(None)

    @override
    def follow(self, trace: Any) -> None:
        self._b = trace
        self._take_b()

    @override
    def studies(self) -> tuple[Asked, ...]:
        if self.pin is None or self._b is None:
            return ()
        return (self.study_of(self.pin, self._b), *self.further(self.pin, self._b))

    @override
    def forget(self) -> None:
        super().forget()
        self._answers = None

    @override
    def wanted(self) -> tuple[Asked, ...]:
        return tuple(study for study in super().wanted() if study != self._answers)

    @override
    def draw_results(self) -> None:
        found, before = self.result(self.study), self.a
        if isinstance(found, Failure):
            self.failed.emit(self.tr("The pinned run cannot be shown: {0}").format(failure_text(found)))
        elif found is not None:
            self.a, self._answers = self.trace_of(found), self.study
        self._draw()
        if self.a is not before:
            self.pin_shown.emit()

    @override
    def show_data(self, data: PictureT) -> None:
        self._shown = self.run_of(data)
        self._draw()

    @override
    def select(self) -> None:
        chosen, shown = self._selection.current, self._shown
        if shown is None:
            return
        if self._drawn is None or self._drawn[0] != chosen.head:
            self._draw()
            return
        self.pair.select(chosen.cell)
        self.say(self._words_about(shown, chosen))

    def _words_about(self, shown: ComparedRun, chosen: Selection) -> str:
        """Return the sentence about the selection in A and B, after that about the runs if the lab has one."""
        said, compared = self.sentence_of(shown, chosen.head), self.compared
        if compared is None or (said and chosen.key is None):
            return said
        return pair_said(compared, self.layer_of(shown.trace, shown.layer), shown.item, chosen) or said

    @override
    def colour_line(self) -> ColourLine | None:
        return None if self.pair.drawn is None else self.pair.drawn.colour_line

    @property
    @override
    def pictures_across(self) -> float:
        # Three small matrices, so that the controls still fit beside them at 1280 px.
        return 1.7 if self.pair.difference.isVisibleTo(self) else 1

    @override
    def restyle(self, look: Look) -> None:
        super().restyle(look)
        self._drawn = None

    @property
    def _mismatch(self) -> str:
        if self.a is None or self._shown is None:
            return ""
        return self.mismatch(self.a, self._shown.trace, self._shown.layer).translated(translate)

    def _take_b(self) -> None:
        """Use the run on screen as A if it is the pinned one, so that nothing needs to be run."""
        study = self.study
        if self._b is not None and study is not None and study == self.study_of(Pin.of(self._b), self._b):
            self.a, self._answers = self._b, study

    def _draw(self) -> None:
        shown = self._shown
        if shown is None:
            return
        self._drawn = self._selection.current.head, shown
        self.pair.unpin.setEnabled(self.pin is not None)
        self.pair.show_pair(self._pair_of(shown))
        self.select()

    def _pair_of(self, shown: ComparedRun) -> Pair:
        """Return the drawing data of the selected head."""
        a, layer = self.a, self.layer_of(shown.trace, shown.layer)
        shows_a = a is not None and self.shows(a, shown.trace)
        head = min(self._selection.current.head, layer.num_heads - 1)
        numbers, further = self._look.numbers, [each for each in self._results if not isinstance(each, Failure)]
        text = self._text_without_a() if a is None else self.changes(a, shown, head, further, numbers=numbers)
        return Pair(
            a=self.layer_of(a, shown.layer) if a is not None and shows_a else None,
            b=layer,
            stage=shown.stage,
            item=shown.item,
            head=head,
            table=shown.table,
            sums=shown.sums,
            contrast=shown.contrast,
            titles=self.titles(a, shown, head, numbers=numbers),
            text=text,
            apart=self._mismatch,
            aligned=Aligned() if a is None else self.aligned(a, shown.trace),
            offered=[name for name, _ in self.offered(shown.trace)],
        )

    def _text_without_a(self) -> str:
        found = self.result(self.study)
        if not isinstance(found, Failure):
            return self.invitation
        return f"{self.tr('A could not be run: {0}').format(failure_text(found))}\n{self.invitation}".strip()

    # Reimplemented by labs.

    def run_of(self, data: PictureT) -> ComparedRun:
        """Return what the page draws of the stage's data."""
        view = data.content.view
        stage, table = (view.stage, data.table) if view.shows_cells else ("weights", data.weights)
        contrast = view.contrast if cells_of(stage).weights else ""
        return ComparedRun(data.trace, 0, view.item, stage, table, view.sums, contrast)

    def study_of(self, pin: Pin, b: Any) -> Asked:
        """Return the spec or study whose result is A beside B."""
        layer, step = b.cursor.layer or 0, None if pin.cursor is None else pin.cursor.step
        side = b.cursor.side or ""
        at_a_place = layer or side or step is not None
        return LayerAt(of=pin.spec, layer=layer, step=step, side=side) if at_a_place else pin.spec

    def trace_of(self, result: Any) -> Any:
        """Return A from the result of its study."""
        return result if isinstance(result, Trace) else result.trace

    def layer_of(self, trace: Any, number: int) -> Layer:  # noqa: ARG002
        """Return a layer of a run; its last if there is no such layer."""
        layer: Layer = trace.layer
        return layer

    def offered(self, b: Any) -> tuple[tuple[str, Pin], ...]:
        """Return runs related to B that become A with one click, each with its name."""
        del b
        return ()

    def aligned(self, a: Any, b: Any) -> Aligned:
        """Return the queries and keys of A and B that are compared."""
        del a, b
        return Aligned()

    def further(self, pin: Pin, b: Any) -> tuple[Asked, ...]:
        """Return studies of A and B whose results are above the pictures."""
        del pin, b
        return ()

    def titles(self, a: Any | None, shown: ComparedRun, head: int, *, numbers: bool) -> tuple[str, str]:
        """Return the titles of the pictures of A and B."""

        def of(name: str, trace: Any | None) -> str:
            item, tells = shown.item, numbers and cells_of(shown.stage).weights
            layer: Layer | None = None if trace is None else trace.layer
            if layer is None or not tells or head >= layer.num_heads or item >= layer.items:
                return name
            return f"{name}, {statistic_text(STATISTICS['entropy'], layer.statistics(item)['entropy'][head])}"

        return of(self.name_of(a, shown.trace), a), of(translate("B, this run"), shown.trace)

    def name_of(self, a: Any | None, b: Any) -> str:
        """Return what A is called beside a run B."""
        del a, b
        return translate("A, pinned")

    def changes(self, a: Any, shown: ComparedRun, head: int, results: Sequence[Any], *, numbers: bool) -> str:
        """Return a text about the differences of A and B; ``results`` are those of `further`. Numbers may be hidden."""
        del results, numbers
        said = differences_said(a.spec, shown.trace.spec) or translate("A and B are equal.")
        if not self.shows(a, shown.trace):
            return said
        of_a, of_b = (self.layer_of(trace, shown.layer) for trace in (a, shown.trace))
        masks = masks_apart(of_a, of_b, shown.item, head).translated(translate)
        return f"{said}   {masks}".strip()

    def mismatch(self, a: Any, b: Any, layer: int) -> Text:
        """Return why the layers of A and B have no B − A; empty if only their shapes matter."""
        del layer
        if self.shows(a, b):
            return Text()
        words = {"layer": SCREEN.number(b.cursor.layer)}
        if b.cursor.layer in a.layers.others:
            return Text("Layer {layer} of A has no attention, so there is no B − A.", words)
        return Text("Layer {layer} of A has not come, so there is no B − A.", words)

    def shows(self, a: Any, b: Any) -> bool:
        """Return whether A, which arrived for an earlier B, is still drawn beside this one."""
        return (a.cursor.layer or 0) == (b.cursor.layer or 0)

    def sentence_of(self, shown: ComparedRun, head: int) -> str:
        """Return the sentence about the pictures; "" for that of the trace."""
        del shown, head
        return ""


def differences_said(old: Spec, new: Spec) -> str:
    """Return the differences of two specs as text; fields have their titles in the form."""
    found = differences(old, new)
    line, fields = translate("{0}: {1} → {2}"), fields_of(type(new))
    titles = [field_title(each.field, fields) for each in found]
    pairs = zip(titles, found, strict=True)
    return "   ".join(line.format(title, translate(each.old), translate(each.new)) for title, each in pairs)
