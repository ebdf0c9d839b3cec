"""The pinned run A, the current run B, and B - A: the same cell marked in all three, and the differences in words."""

from dataclasses import replace

from PySide6.QtCore import QObject, QRect, Qt, Signal, Slot
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QLabel, QToolButton, QWidget
from typing_extensions import override

from attnviz.definitions.stages import cells_of
from attnviz.definitions.statistics import STATISTICS
from attnviz.experiment.attention.spec import AttentionSpec
from attnviz.experiment.attention.trace import AttentionTrace
from attnviz.experiment.attention.view import AttentionViewSettings
from attnviz.experiment.colours import DIVERGING, MASKED, NOT_FINITE, Scale
from attnviz.experiment.differences import differences
from attnviz.experiment.knob import fields_of
from attnviz.experiment.labs import Event, Spec
from attnviz.experiment.layers.comparison import MISMATCHES, HeadDifference, Mismatch, head_difference
from attnviz.experiment.pin import Pin
from attnviz.experiment.run import Failure
from attnviz.gui.labs.lab_stage import ColourLine, Page
from attnviz.gui.layers.heads_view import Picture, cell_matrix
from attnviz.gui.layers.words import statistic_text
from attnviz.gui.plots.layout import Margins, Rect, in_a_grid
from attnviz.gui.plots.matrix.colour_bar import ColourBar
from attnviz.gui.plots.matrix.heatmap import LEAST, Heatmap
from attnviz.gui.plots.matrix.matrix import Cell, Matrix
from attnviz.gui.plots.matrix.tile import ColourTable, colour_table
from attnviz.gui.theme import Look
from attnviz.gui.widgets.selection import SelectionModel
from attnviz.gui.widgets.words import failure_text, translate


class ComparePage(Page[Picture]):
    """Shows one head of two traces at one stage."""

    pinned_changed = Signal()
    """Another run was pinned, or A was unpinned."""
    pin_asked = Signal(object)
    """The user pins the run on screen, as a `Pin`, or unpins (None)."""

    def __init__(self, look: Look, selection: SelectionModel, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._look = look
        self._selection = selection
        self._view = AttentionViewSettings()
        self._table: ColourTable | None = None
        self._drawn: object = None
        self.pinned: AttentionTrace | None = None
        """A; it stays when the spec changes."""
        self._failure = ""
        self.trace: AttentionTrace | None = None
        """B, the run on screen."""
        self.a, self.b, self.difference = (
            Heatmap(look, name) for name in (self.tr("A, the pinned run"), self.tr("B, this run"), self.tr("B - A"))
        )
        self.bar = ColourBar(look)
        self.changes = QLabel()
        self.changes.setWordWrap(True)
        self.changes.setAlignment(Qt.AlignmentFlag.AlignTop | Qt.AlignmentFlag.AlignLeft)
        self.changes.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.changes.setAccessibleName(self.tr("What differs"))
        self.pin = QToolButton()
        self.pin.setText(self.tr("Pin this run as A"))
        self.pin.clicked.connect(self.pin_current)
        self.unpin = QToolButton()
        self.unpin.setText(self.tr("Unpin"))
        self.unpin.clicked.connect(self.unpin_current)
        for part in (self.a, self.b, self.difference, self.bar, self.changes, self.pin, self.unpin):
            part.setParent(self)
        for heatmap in (self.a, self.b, self.difference):
            heatmap.hovered.connect(self._selection.hover_cell)
            heatmap.clicked.connect(self._selection.lock_cell)
            heatmap.painted.connect(self.painted)

    @override
    def show_data(self, data: Picture) -> None:
        """Draw B with view settings, beside A."""
        view = data.content.view
        self.show_run(data.content.trace, view, data.table if view.shows_cells else data.weights)

    def show_run(self, trace: AttentionTrace, view: AttentionViewSettings, table: ColourTable) -> None:
        """Draw B with view settings, beside A; the table has the colours of its stage."""
        self.trace, self._view, self._table = trace, view, table
        self._drawn = None
        self.select()

    @override
    def colour_line(self) -> ColourLine | None:
        if self.trace is None or self._table is None:
            return None
        view = self._view
        caption = self.tr("weight, A and B") if view.shows_weights or not view.shows_cells else self.tr("score")
        masked, not_finite = self.signs
        return ColourLine(self.scale, self._table, caption, masked, not_finite, self.drops)

    @Slot()
    def pin_current(self) -> None:
        """Pin the run on screen as A."""
        if self.trace is not None:
            self.pin_run(self.trace)
            self.pin_asked.emit(Pin.of(self.trace))

    def pin_run(self, trace: AttentionTrace | None) -> None:
        """Pin a run as A."""
        self.pinned, self._failure = trace, ""
        self._drawn = None
        self.select()
        self.pinned_changed.emit()

    def say_failure(self, why: str) -> None:
        """Show in A's place why its run failed."""
        self._failure = self.tr("A could not be run: {0}").format(why)
        self._drawn = None
        self.select()

    @Slot()
    def unpin_current(self) -> None:
        """Unpin A."""
        self.pin_run(None)
        self.pin_asked.emit(None)

    @override
    def select(self) -> None:
        chosen = self._selection.current
        if self.trace is None or self._table is None:
            return
        if self._drawn != chosen.head:
            self._drawn = chosen.head
            self._draw(chosen.head)
        cell = None if chosen.query is None else Cell(chosen.query, chosen.key)
        for heatmap in (self.a, self.b, self.difference):
            heatmap.select(cell)

    @override
    def restyle(self, look: Look) -> None:
        self._look = look
        for part in (self.a, self.b, self.difference, self.bar):
            part.restyle(look)
        self._drawn = None

    @property
    @override
    def pictures_across(self) -> float:
        # The three are small ones: at 1280 pixels the controls, which make B, stay open.
        return 1.7 if self.difference.isVisibleTo(self) else 1

    @override
    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._place()

    def _place(self) -> None:
        """Place the buttons and what differs above A, B and B - A, which are in one row and of one size."""
        px, width = self._look.px, self.width()
        buttons = self.pin, self.unpin
        left, height = 0, max(px(28), *(button.sizeHint().height() for button in buttons))
        for button in buttons:
            size = button.sizeHint()
            button.setGeometry(left, (height - size.height()) // 2, size.width(), size.height())
            left += size.width() + px(8)
        least = min(width - left, px(320))
        beside = QRect(left + px(4), 0, width - left - px(4), height)
        if self.changes.heightForWidth(beside.width()) > height or beside.width() < least:
            beside = QRect(0, height, width, min(self.changes.heightForWidth(width), px(60)))
        self.changes.setGeometry(beside)
        shown = [part for part in (self.a, self.b, self.difference) if part.isVisibleTo(self)]
        if not shown or self.trace is None:
            return
        bar = px(20) if self.difference in shown else 0
        top = beside.bottom() + px(8)
        margins = tuple(map(max, zip(*(part.margins for part in shown), strict=True)))
        room = Rect(0, top, width, max(1, self.height() - top - bar))
        places = in_a_grid(
            len(shown), self.shape, Margins(*margins), room, gap=px(12), least=px(LEAST), across=len(shown)
        )
        for part, place in zip(shown, places, strict=True):
            part.setGeometry(*map(round, place))
            if part is self.difference:
                self.bar.setGeometry(round(place.x), round(place.bottom), round(place.width), bar)

    @property
    def shape(self) -> tuple[int, int]:
        """Queries and keys of B."""
        assert self.trace is not None
        return self.trace.weights.shape[2], self.trace.weights.shape[3]

    @property
    def scale(self) -> Scale:
        """The colour scale of A and B: one for both."""
        traces = [trace for trace in (self.trace, self.pinned) if trace is not None and self._has_stage(trace)]
        return max((trace.scale(self.stage) for trace in traces), key=lambda scale: scale.high)

    @property
    def signs(self) -> tuple[bool, bool]:
        """Whether A or B has masked cells, and cells that are not a number, at the batch item on screen."""
        item = self._view.item
        traces = [trace for trace in (self.trace, self.pinned) if trace is not None and self._has_stage(trace)]
        shown = [trace for trace in traces if item < len(trace.weights)]
        levels = [trace.levels(self.stage)[item] for trace in shown]
        return any((each == MASKED).any() for each in levels), any((each == NOT_FINITE).any() for each in levels)

    @property
    def drops(self) -> bool:
        """Whether A or B has weights set to zero by dropout, at the stage that shows them."""
        traces = [trace for trace in (self.trace, self.pinned) if trace is not None]
        return cells_of(self.stage).dropped and any(trace.spec.dropout_acts for trace in traces)

    @property
    def stage(self) -> str:
        """The stage that is compared."""
        return self._view.stage if self._view.shows_cells else "weights"

    def _has_stage(self, trace: AttentionTrace) -> bool:
        """Return whether a trace has the compared tensor; given weights have no scores."""
        return not trace.is_given or cells_of(self.stage).weights

    def _draw(self, head: int) -> None:
        trace, pinned, table = self.trace, self.pinned, self._table
        assert trace is not None
        assert table is not None
        self.unpin.setEnabled(pinned is not None or bool(self._failure))
        head = min(head, trace.num_heads - 1)
        self._draw_one(self.b, trace, head, self.name_of_b, table)
        for part in (self.a, self.difference, self.bar):
            part.setVisible(pinned is not None)
        if pinned is None:
            self.changes.setText(f"{self._failure}\n{self.invitation}" if self._failure else self.invitation)
        else:
            self._draw_pinned(pinned, trace, head, table)
        self._place()

    def _draw_pinned(self, pinned: AttentionTrace, trace: AttentionTrace, head: int, table: ColourTable) -> None:
        """Draw A and B - A, and say what differs between the two specs."""
        self._draw_one(self.a, pinned, head, self.name_of_a, table)
        changed = self.changed_between(pinned, trace, head)
        found = self.difference_of(pinned, trace, head)
        if isinstance(found, str):
            self.difference.hide()
            self.bar.hide()
            self.changes.setText(f"{found} {changed}")
            return
        self.changes.setText(changed)
        self._draw_difference(trace, found)

    @property
    def invitation(self) -> str:
        """What to do while nothing is pinned."""
        return self.tr("Pin this run as A, then change a setting to see A, the new run B and B - A side by side.")

    @property
    def name_of_a(self) -> str:
        """The title of A."""
        return self.tr("A, pinned")

    @property
    def name_of_b(self) -> str:
        """The title of B."""
        return self.tr("B, this run")

    def title_of(self, trace: AttentionTrace, head: int, name: str) -> str:
        """Return the title of the picture of a head of A or B."""
        if not self._look.numbers:
            return name
        entropy = trace.statistics(self._view.item)["entropy"][head]
        return f"{name}, {statistic_text(STATISTICS['entropy'], entropy)}"

    def changed_between(self, pinned: AttentionTrace, trace: AttentionTrace, head: int) -> str:
        """Return what differs between A and B beside a head: their specs."""
        del head
        return differences_said(pinned.spec, trace.spec) or self.tr("The two specs are equal.")

    def difference_of(self, pinned: AttentionTrace, trace: AttentionTrace, head: int) -> HeadDifference | str:
        """Return B - A of a head, or a sentence about why there is none."""
        found = head_difference(pinned, trace, self.stage, self._view.item, head)
        if isinstance(found, Mismatch):
            return translate(MISMATCHES[found.code]).format(a=found.a, b=found.b, wanted=found.wanted)
        return found

    def _draw_difference(self, trace: AttentionTrace, found: HeadDifference) -> None:
        """Draw B - A, with B's labels."""
        table = colour_table(DIVERGING, self._look.theme)
        matrix = Matrix(
            levels=found.levels,
            values=found.values,
            mask=found.mask,
            row_labels=trace.query_names,
            column_labels=trace.key_names,
            row_sums=None,
            title=f"B − A  ±{found.scale.high:.3g}" if self._look.numbers else "B − A",
            row_title=self.tr("queries"),
            column_title=self.tr("keys"),
            signed=True,
        )
        self.difference.show_matrix(matrix, table)
        self.bar.show_scale(
            found.scale,
            table,
            self.tr("B − A"),
            masked=bool((found.levels == MASKED).any()),
            not_finite=bool((found.levels == NOT_FINITE).any()),
        )

    def _draw_one(self, heatmap: Heatmap, trace: AttentionTrace, head: int, name: str, table: ColourTable) -> None:
        shown = head < trace.num_heads and self._view.item < len(trace.weights) and self._has_stage(trace)
        heatmap.setVisible(shown)
        if shown:
            stage = self.stage
            title = self.title_of(trace, head, name)
            matrix = cell_matrix(trace, stage, self._view.item, head, title, scale=self.scale)
            heatmap.show_matrix(matrix if self._view.sums else replace(matrix, row_sums=None), table)


def differences_said(old: Spec, new: Spec) -> str:
    """Return each difference of two specs; fields have their titles in the form."""
    found = differences(old, new)
    line, fields = translate("{0}: {1} → {2}"), fields_of(type(new))
    titles = [
        translate(fields[each.field].title or each.field) if each.field in fields else each.field for each in found
    ]
    pairs = zip(titles, found, strict=True)
    return "   ".join(line.format(title, translate(each.old), translate(each.new)) for title, each in pairs)


class PinnedRun(QObject):
    """Holds the pinned spec, also before its trace has arrived; a run that the user pins replaces it."""

    changed = Signal()
    """`spec` has changed."""
    failed = Signal(str)
    """Why its run failed, as a sentence."""

    def __init__(self, page: ComparePage, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._page = page
        self._awaited: AttentionSpec | None = None
        self._has_failed = False
        page.pinned_changed.connect(self._forget)

    @property
    def spec(self) -> AttentionSpec | None:
        """The spec of the pinned run. It stays if its run fails, so that saving the session does not lose it."""
        return self._page.pinned.spec if self._page.pinned is not None else self._awaited

    @property
    def wanted(self) -> tuple[AttentionSpec, ...]:
        """The spec that must be run, if there is one."""
        return () if self._awaited is None or self._has_failed else (self._awaited,)

    def pin(self, spec: AttentionSpec | None) -> None:
        """Pin the run of a spec when its result is there, or unpin (None); a failed spec is tried again."""
        if spec == self.spec and not self._has_failed:
            return
        if self._page.pinned is not None or self._has_failed:
            self._page.pin_run(None)
        self._awaited, self._has_failed = spec, False
        self.changed.emit()

    def take(self, event: Event) -> None:
        """Take the result of the run."""
        if isinstance(event, AttentionTrace):
            self._page.pin_run(event)
        elif isinstance(event, Failure):
            self._has_failed = True
            why = failure_text(event)
            self._page.say_failure(why)
            self.failed.emit(self.tr("The pinned run cannot be shown: {0}").format(why))

    @Slot()
    def _forget(self) -> None:
        """Follow the page: another run was pinned, or A was unpinned."""
        self._awaited, self._has_failed = None, False
        self.changed.emit()
