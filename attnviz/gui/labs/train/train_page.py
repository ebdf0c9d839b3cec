"""The first page of the training lab: curves, every head, the chosen one large, and the predictions."""

import math
from dataclasses import replace
from typing import Any

import numpy as np
from PySide6.QtCore import QObject, Qt, Signal, Slot
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QGridLayout, QLabel, QWidget
from typing_extensions import override

from attnviz.definitions.counting import head_name
from attnviz.experiment.layers.statistics import score_said
from attnviz.experiment.train.sentences import expected_said
from attnviz.experiment.train.trace import TrainTrace
from attnviz.experiment.train.view_settings import TrainViewSettings
from attnviz.gui.labs.train.curves import (
    MOST_HEADS,
    TitledCurves,
    coloured,
    longest_role_name,
    quality_curves,
    quality_heading,
    quality_told,
    role_curves,
    roles_heading,
    roles_told,
)
from attnviz.gui.labs.train.head_values import pictures_of, role_values
from attnviz.gui.labs.train.predictions import (
    LEAST_ARC,
    NO_TOKEN,
    RIGHT,
    SIGNS,
    UNKNOWN,
    WRONG,
    PredictionChips,
    TokenPrediction,
)
from attnviz.gui.labs.train.shown import PointedHeads, Shown
from attnviz.gui.layers.heads_view import cell_matrix
from attnviz.gui.plots.curves.step_curves import StepCurves
from attnviz.gui.plots.heads.head_tiles import HeadTiles
from attnviz.gui.plots.layout import cells_size
from attnviz.gui.plots.matrix.heatmap import Heatmap
from attnviz.gui.plots.page import ColourLine, Page
from attnviz.gui.theme import Look
from attnviz.gui.widgets.labels import ElidingLabel, caption
from attnviz.gui.widgets.layouts import FlowLayout, column_of
from attnviz.gui.widgets.selection import Selection, SelectionModel
from attnviz.gui.widgets.step_row import StepRow
from attnviz.gui.widgets.words import translate

_SHARES = ((1280 * 800, 0.15), (1920 * 1080, 0.2))
"""The share of a window for the cells of the chosen head, in windows of two sizes; linear between and beyond them."""
_LEAST_SHARE, _PRESENT_SHARE, _BESIDE_PANEL_SHARE = 0.11, 0.225, 0.065
"""The least share there; the share in Present, and in Present beside an open panel, which leaves the page less than
`_BESIDE_PANEL` of the window's width, so that the curves stay."""
_BESIDE_PANEL = 0.8
_HEAD_SHARE = 0.55
"""The share of the width for the chosen head, with its labels, unless more is wanted."""
_PLOT, _AMPLE, _PLOTS_SHARE, _TILES_SHARE = (180, 72), 2.2, 0.3, 0.62
"""The least width and height of a plot's curves, at scale 1, and their greatest height as a multiple; the share of a
column for both plots, and the one that the smallest tiles keep from the predictions."""
_NARROW = 130
"""The least width of a plot beside the chosen head, in Present with an open panel, at scale 1: no curve has a name."""
_NAMED = 4
"""The most ablated heads beside which the sentence has room for the prediction."""
_TOP_RIGHT = Qt.AlignmentFlag.AlignTop | Qt.AlignmentFlag.AlignRight


class TrainPage(Page[Shown]):
    """Pointing at a head, a cell, a curve or a token previews it everywhere; a click selects it."""

    looked = Signal(int)
    """The user wants to see this step."""

    def __init__(self, look: Look, selection: SelectionModel, current: Any) -> None:
        super().__init__(look, selection, current)
        self.heads = PointedHeads(selection, self)
        self._shown: Shown | None = None
        self._drawn: tuple[int, int] | None = None
        self._revealed: object = None
        self._times: dict[QObject, float] = {}
        self._placed: object = None
        self.quality = TitledCurves(look, StepCurves(look, self.tr("Loss and accuracy"), 2, self.tr("accuracy")))
        roles = StepCurves(look, self.tr("What the heads do"), MOST_HEADS, longest_role_name())
        self.roles = TitledCurves(look, roles)
        self.no_curves = ElidingLabel()
        """Says in place of the curves that they have no room."""
        self.no_curves.setText(self.tr("No room for the curves: see Learning."))
        self.no_curves.setObjectName("caption")
        self.steps = StepRow()
        self.tiles = HeadTiles(look)
        self.grid = self.tiles.grid
        self.heatmap = Heatmap(look, self.tr("Weights of the chosen head"))
        self.title = QLabel()
        self._right = 0, 0
        self.title.setTextFormat(Qt.TextFormat.RichText)
        self.legend = caption()
        self.chips = PredictionChips(look)
        self._lay_out()
        self._connect()

    def _lay_out(self) -> None:
        heading = QWidget()
        self._heading = FlowLayout(heading, gap=16)
        self._heading.addWidget(self.title)
        self._heading.addWidget(self.legend)
        self._cut = caption(self.tr("arcs ≥ {0}").format(f"{LEAST_ARC:g}"))
        self._heading.addWidget(self._cut)
        told = self.tr("Arcs show the chosen head's weights; one below {0} has none").format(f"{LEAST_ARC:g}")
        self._cut.setToolTip(told)
        self.chips.setToolTip(told)
        self._outside = caption()
        self._heading.addWidget(self._outside)
        below = column_of(None, heading, self.chips, gap=0)
        self._above = QWidget()
        self._plots = QGridLayout(self._above)
        self._plots.setContentsMargins(0, 0, 0, 0)
        self._plots.setSpacing(5)
        self._plots.setColumnStretch(0, 1)
        for row, part in enumerate((self.quality, self.roles, self.steps)):
            self._plots.addWidget(part, row, 0)
        self._plots.addWidget(self.no_curves, 0, 0, 1, 2)
        self._all = QGridLayout(self)
        self._all.setContentsMargins(0, 0, 0, 0)
        self._all.setHorizontalSpacing(20)
        self._all.addWidget(self._above, 0, 0)
        self._all.addWidget(self.heatmap, 0, 1)
        self._all.addLayout(column_of(None, self.tiles, below, None, gap=10), 1, 0)
        self._all.setColumnStretch(0, 1)
        self._all.setRowStretch(1, 1)

    def _connect(self) -> None:
        for curves in (self.quality, self.roles):
            curves.plot.looked.connect(self.looked)
        self.steps.looked.connect(self.looked)
        self.roles.plot.pointed.connect(self.heads.point)
        self.grid.hovered.connect(self.heads.point_cell)
        self.grid.clicked.connect(self.heads.choose)
        self.heatmap.hovered.connect(self._selection.hover_cell)
        self.heatmap.clicked.connect(self._selection.lock_cell)
        self.heatmap.head_stepped.connect(self._step_head)
        self.chips.hovered.connect(self._hover_token)
        self.chips.chosen.connect(self._hold_token)
        self.chips.verticalScrollBar().valueChanged.connect(self._say_outside)
        for picture in (self.grid, self.heatmap):
            picture.painted.connect(self._measure)

    @property
    @override
    def close_up(self) -> QWidget:
        return self.heatmap

    @property
    @override
    def words(self) -> str:
        """The effect of ablated heads if the chosen head is one of them; in Present, in any case."""
        data = self._shown
        if data is None or not data.effect or self._look.present:
            return "" if data is None else data.effect
        chosen, off = self._selection.current, data.trace.spec.heads_off
        if head_name(data.view.layer, chosen.head) not in off:
            return ""
        if len(off) > _NAMED:
            return data.effect  # whose names take the room
        return f"{data.effect}. {expected_said(data.trace, chosen).translated(translate)}"

    @override
    def show_data(self, data: Shown) -> None:
        """Draw a trace; for another one than the last, all parts are redrawn."""
        before, self._shown = self._shown, data
        self.heads.num_heads = data.trace.num_heads
        again = before is not None and before.trace is data.trace and before.weights is data.weights
        tested = before is not None and before.tested is data.tested
        same_look = again and before is not None and _looks(before.view) == _looks(data.view)
        if not again:
            self._show_predictions(data.trace)
        if not same_look or not tested:
            self._show_curves(data)
        if not same_look:
            pictures = pictures_of(data.trace, data.view.contrast_drawn)
            self.tiles.show_values(role_values(data.trace), *pictures, data.weights)
            self._drawn = None
        self._draw_head(data)  # its position depends on the length of its labels
        self._place()

    @override
    def select(self) -> None:
        data = self._shown
        if data is None:
            return
        chosen = self._selection.current
        self._draw_head(data)
        in_model = data.in_model(chosen)
        flat = in_model.head
        weights = data.trace.weights[data.view.layer, flat % data.trace.num_heads]
        self.grid.select(in_model)
        self.roles.plot.light((flat,))
        self.heatmap.select(chosen.cell)
        self.chips.select(chosen.query, weights)
        self._reveal(flat, chosen.query)
        self._say_outside()

    @override
    def restyle(self, look: Look) -> None:
        super().restyle(look)
        if self._shown is not None:
            data, self._shown = self._shown, None
            self.show_data(data)
            self.select()

    @override
    def colour_line(self) -> ColourLine | None:
        return None if self._shown is None else self._shown.colour_line()

    @override
    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.select()

    # Drawing.

    def _show_curves(self, data: Shown) -> None:
        trace, view, theme = data.trace, data.view, self._look.theme
        curves = quality_curves(trace, theme)
        self.quality.plot.show_curves(curves, trace.spec.steps, trace.step)
        self.quality.say(*quality_heading(data, self._look), short=quality_heading(data, self._look, short=True))
        self.quality.describe(quality_told(trace))
        self.roles.plot.show_curves(role_curves(trace, view.role, theme), trace.spec.steps, trace.step)
        self.roles.describe(roles_told(trace, view.role))
        self.roles.say(*roles_heading(trace, theme))
        self.steps.show_step(trace.step, trace.known_steps, trace.spec.steps)

    def _draw_head(self, data: Shown) -> None:
        """Draw the chosen head unless it is on screen."""
        trace = data.trace
        layer, head = drawn = data.view.layer, min(self._selection.current.head, trace.num_heads - 1)
        if drawn == self._drawn:
            return
        self._drawn = drawn
        title = self._head_title(trace, layer, head)
        matrix = cell_matrix(trace.layers[layer], "weights", 0, head, title, contrast=data.view.contrast_drawn)
        outlined = trace.counted(layer, head)
        self.heatmap.show_matrix(replace(matrix, row_sums=None, outlined=outlined), data.weights)
        self.heatmap.heads = layer * trace.num_heads + head, len(trace.layers) * trace.num_heads

    def _head_title(self, trace: TrainTrace, layer: int, head: int) -> str:
        name, role = head_name(layer, head), trace.role(layer, head)
        said = self.tr("head {0}").format(name)
        if name in trace.spec.heads_off:
            return self.tr("{0}, off").format(said)
        if role is None:
            return said
        named = translate(role.named_at(trace.distance(layer, head)))
        if not self._look.numbers:
            return f"{said}: {named}"
        if self._look.present:  # the sentence below says the lowest one
            return f"{said}: {named} {score_said(trace.score(role, layer, head))}"
        least = self.tr("at least {0}").format(score_said(trace.lowest(role, layer, head)))
        return f"{said}: {named} {score_said(trace.score(role, layer, head))}, {least}"

    def _show_predictions(self, trace: TrainTrace) -> None:
        words, vocabulary = trace.words, trace.vocabulary
        found = []
        for place, answer in enumerate(trace.answers):
            predicted = int(trace.predicted[place])
            if not np.isfinite(trace.logits[place]).all():
                found.append(TokenPrediction(words[place], NO_TOKEN, UNKNOWN))
                continue
            state = UNKNOWN if answer is None else RIGHT if answer == predicted else WRONG
            found.append(TokenPrediction(words[place], vocabulary[predicted], state))
        self.chips.show_predictions(tuple(found))
        right = sum(each.state == RIGHT for each in found)
        known = sum(each.state != UNKNOWN for each in found)
        theme, self._right = self._look.theme, (right, known)
        title = self.tr("What it predicts next")
        count = self.tr("{0} of {1} right").format(right, known) if known and self._look.numbers else ""
        self.title.setText(f"{coloured(theme.text, title, bold=True)}&nbsp;&nbsp; {count}")
        right_sign = coloured(theme.v_text, f"{SIGNS[RIGHT]} {self.tr('right')}")
        wrong_sign = coloured(theme.danger, f"{SIGNS[WRONG]} {self.tr('wrong')}")
        self.legend.setText("&nbsp;&nbsp; ".join((right_sign, wrong_sign, self.tr("grey: unknown"))))

    # Layout.

    @property
    def _share(self) -> float:
        """The share of the window for the cells of the chosen head."""
        if self._look.present:
            return _BESIDE_PANEL_SHARE if self._is_beside_panel else _PRESENT_SHARE
        (small, low), (large, high) = _SHARES
        area = self.window().width() * self.window().height()
        return max(_LEAST_SHARE, low + (area - small) / (large - small) * (high - low))

    @property
    def _is_beside_panel(self) -> bool:
        return self._look.present and self.width() < _BESIDE_PANEL * self.window().width()

    def _place(self) -> None:
        """Give the chosen head and the curves their sizes; the tiles and the predictions share the rest.

        The curves are above everything if such a head still fits below them, else above the tiles.
        """
        if self._shown is None:
            return
        window, margins, tokens = self.window(), self.heatmap.margins, len(self._shown.trace.words)
        pair = self.chips.pair(self._look)
        placed = self._look, self.size(), window.size(), margins, self._shown.trace.weights.shape, pair
        if placed == self._placed:
            return
        self._placed = placed
        self._cut.setHidden(self._look.present)  # an audience cannot scroll: the room is for predictions
        self._outside.hide()
        px, width, height = self._look.px, self.width(), self.height()
        gap, wide, low = px(10), px(_PLOT[0]), px(_PLOT[1])
        beside, above = margins.left + margins.right, margins.top + margins.bottom
        steps = self.steps.sizeHint().height() + gap // 2
        narrowest = max(pair.width(), self.tiles.text_width) + 4 * gap
        if not self._look.present:  # an audience needs the large head more
            narrowest = max(narrowest, self._heading_width + 2 * gap)
        widest = max(1.0, width - narrowest - beside)
        wanted = math.sqrt(self._share * window.width() * window.height())
        wanted = min(widest, tokens * math.ceil(wanted / tokens))
        spare = height - steps - gap - above  # for the plots and the cells
        most = _HEAD_SHARE * width - beside
        larger = self._beside_curves(steps, narrowest)
        if larger > wanted:
            wanted, most, wide = larger, larger, px(_NARROW)
        on_top = width >= 2 * wide + gap and spare - low >= max(1.0, wanted)
        side = min(widest, max(wanted, most), height - above)
        if on_top:
            side = min(side, spare - low, max(wanted, spare - _AMPLE * low))
        cells = cells_size((tokens, tokens), side, side, 1)[0]
        self.heatmap.setFixedSize(round(cells + beside), round(min(height, cells + above)))
        column = max(1, width - self.heatmap.width() - 2 * gap)
        across = 2 if on_top or column >= 2 * wide + gap else 1
        plot = max(low, min(_AMPLE * low, spare - cells)) if on_top else self._beside_head(steps, column, across)
        if self._look.present and plot >= low:
            plot = self._before_audience(plot, steps, column, across)
        shown = plot >= low and (on_top or column >= wide)
        for curves in (self.quality, self.roles):
            curves.setVisible(shown)
            curves.setFixedHeight(max(1, round(plot)))
        self.no_curves.setHidden(shown)
        self._cut.setHidden(self._look.present or not shown)  # so low a page needs its line; the tooltip says it too
        self._plots.setColumnStretch(1, across - 1)
        self._plots.addWidget(self.roles, 2 - across, across - 1)
        self._plots.addWidget(self.steps, 2, 0, 1, across)
        self._all.addWidget(self._above, 0, 0, 1, 2 if on_top else 1)
        self._all.addWidget(self.heatmap, int(on_top), 1, 2 - on_top, 1, _TOP_RIGHT)
        self._share_column(column, height - self._plots.sizeHint().height() - gap)

    @property
    def _heading_width(self) -> int:
        """The width of the heading of the predictions as if all were right, so that the head stays while it learns."""
        wide, (right, known) = self.title.fontMetrics().horizontalAdvance, self._right
        return self.title.minimumSizeHint().width() + max(0, wide(str(known)) - wide(str(right)))

    def _beside_curves(self, steps: float, narrowest: float) -> float:
        """Return the side of the cells with the curves beside them, in Present with an open panel; 0 if none fits."""
        if not self._is_beside_panel:
            return 0.0
        px, margins = self._look.px, self.heatmap.margins
        gap = px(10)
        column = max(narrowest, 2 * px(_NARROW) + gap)
        least = steps + px(_PLOT[1]) + 2 * gap + self.tiles.least_height(column) + self._least_height(round(column))
        if least > self.height():
            return 0.0
        wide = self.width() - column - 2 * gap - margins.left - margins.right
        return min(wide, self.height() - margins.top - margins.bottom)

    def _beside_head(self, steps: float, column: int, across: int) -> float:
        """Return the height of the plots in the column beside the chosen head."""
        gap, low, height = self._look.px(10), self._look.px(_PLOT[1]), self.height()
        fair = max(low, min(_AMPLE * low, _PLOTS_SHARE * height * across / 2))
        others = steps + self.tiles.least_height() + self._least_height(column) + 3 * gap
        return min(fair, (height - others) * across / 2 - gap)

    def _before_audience(self, plot: float, steps: float, column: int, across: int) -> float:
        """Return a height of the plots that leaves room for lines, or tiles: an audience cannot scroll."""
        pair, gap, low = self.chips.pair(self._look), self._look.px(10), self._look.px(_PLOT[1])
        taken = steps + 3 * gap + self.tiles.least_height(column) + self._least_height(column)
        for lines in (self.chips.lines(column, pair), 1):
            lower = (self.height() - taken - (lines - 1) * pair.height()) * across / 2
            if lower >= low or lines == 1:
                break
        return max(low, min(plot, lower))

    def _least_height(self, width: int) -> int:
        """Return the height of the heading of the predictions and of one line of them."""
        return self._heading.heightForWidth(width) + self.chips.pair(self._look).height()

    def _share_column(self, width: int, height: int) -> None:
        """Give the predictions the lines that they need, or as many as leave room for the smallest tiles.

        If there is room beside the largest tiles, the predictions are larger.
        """
        gap, pair = self._look.px(10), self.chips.pair(self._look)
        smallest = min(self.tiles.least_height(width), _TILES_SHARE * height)
        needed = self.chips.lines(width, pair)
        for cut in (False, True):
            self._outside.setVisible(cut and not self._is_beside_panel)  # where tiles need its line
            heading = self._heading.heightForWidth(width) + gap
            lines = max(1, min(needed, math.floor((height - heading - smallest) / pair.height())))
            if lines == needed:
                break
        room = max(1, height - heading - lines * pair.height())
        tiles = min(room, math.ceil(self.tiles.grid_in(width, room).height))
        self.tiles.setFixedHeight(tiles)
        self.chips.grow(self._look, width, height - heading - tiles)
        line = self.chips.gridSize().height()
        self.chips.setFixedHeight((lines if lines < needed else self.chips.lines(width)) * line)
        self._all.activate()
        self._say_outside()

    @Slot()
    def _say_outside(self) -> None:
        """Show the number of arcs that lead out of a truncated list; the text keeps its room without any."""
        said, count = self.tr("arcs off screen: {0}"), self.chips.outside
        widest = said.format(len(self.chips.shown))
        self._outside.setMinimumWidth(self._outside.fontMetrics().horizontalAdvance(widest))
        self._outside.setText(said.format(count) if count else "")

    def _reveal(self, flat: int, query: int | None) -> None:
        """Scroll the tile of the selected head and the chip of the selected row into view, once for each."""
        now = flat, query, self.tiles.grid.tile_of(flat), self.chips.size()
        if self._selection.current != self._selection.locked or now == self._revealed:
            return
        self._revealed = now
        self.tiles.reveal(flat)
        if query is not None and query < len(self.chips.shown):
            self.chips.scrollToItem(self.chips.item(query))

    # Mouse and keyboard.

    @Slot(int)
    def _step_head(self, step: int) -> None:
        if self._drawn is not None and self._shown is not None:
            self.heads.choose(self._drawn[0] * self._shown.trace.num_heads + self._drawn[1] + step)

    @Slot(object)
    def _hover_token(self, place: int | None) -> None:
        head = self._selection.locked.head
        self._selection.hover(None if place is None else Selection(head, place, None))

    @Slot(int)
    def _hold_token(self, place: int) -> None:
        self._selection.lock(Selection(self._selection.locked.head, place, None))

    @Slot(float)
    def _measure(self, milliseconds: float) -> None:
        self._times[self.sender()] = milliseconds
        self.painted.emit(sum(self._times.values()))


def _looks(view: TrainViewSettings) -> tuple[object, ...]:
    """Return a key of how the view draws heads, except for which one is large."""
    return view.contrast, view.contrast_by, view.role
