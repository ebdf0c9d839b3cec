"""The first page of the training lab: curves, every head, the chosen one large, and what the model predicts."""

from dataclasses import replace

import numpy as np
from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtGui import QFontMetrics, QResizeEvent
from PySide6.QtWidgets import QFrame, QLabel, QScrollArea, QWidget
from typing_extensions import override

from attnviz.definitions.counting import head_name
from attnviz.definitions.roles import ROLES
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
    roles_told,
)
from attnviz.gui.labs.train.layout import NOWHERE, TileLabel, TrainLayout, TrainRules, train_layout
from attnviz.gui.labs.train.predictions import NO_TOKEN, RIGHT, UNKNOWN, WRONG, Prediction, PredictionChips
from attnviz.gui.labs.train.role_words import role_text_colour, role_title, score_text
from attnviz.gui.labs.train.shown import Shown
from attnviz.gui.layers.heads_view import cell_matrix
from attnviz.gui.plots.layout import Margins, Rect
from attnviz.gui.plots.matrix.head_grid import HeadGrid, Thumbnail
from attnviz.gui.plots.matrix.heatmap import Heatmap
from attnviz.gui.plots.matrix.matrix import Cell
from attnviz.gui.plots.page import ColourLine, Page
from attnviz.gui.theme import Look
from attnviz.gui.widgets.labels import caption
from attnviz.gui.widgets.selection import Selection, SelectionModel
from attnviz.gui.widgets.step_row import StepRow

_SHARES = ((1280 * 800, 0.15), (1920 * 1080, 0.2))
"""The share of a window that the cells of the chosen head have, in windows of two sizes; between and beyond, a line."""
_LEAST_SHARE, _PRESENT_SHARE = 0.11, 0.225


class TrainPage(Page[Shown]):
    """Pointing at a head, a cell, a curve or a token previews it everywhere; a click holds it."""

    with_stages = False
    looked = Signal(int)
    """The user wants to see this step."""
    head_pointed = Signal(object)
    """(layer, `Selection`) under the mouse in another head, or None."""
    head_chosen = Signal(int, object, bool)
    """The layer and `Selection` of a head that the user chose, and whether a held cell is let go by choosing it."""

    def __init__(self, look: Look, selection: SelectionModel, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._look = look
        self._selection = selection
        self.effect = ""
        """What the heads that are off change; an audience reads it below the picture, for it has no inspector."""
        self._shown: Shown | None = None
        self._drawn: tuple[int, int] | None = None
        self._revealed: object = None
        self._times: dict[str, float] = {}
        self._rules: tuple[object, TrainRules] | None = None
        self.quality = TitledCurves(look, self.tr("Loss and accuracy"), 2, self.tr("accuracy"), self)
        self.roles = TitledCurves(look, self.tr("What the heads do"), MOST_HEADS, longest_role_name(), self)
        self.steps = StepRow(self)
        self.grid = HeadGrid(look)
        self.grid.accented = True
        self.tiles = _scrolled(self.grid, self)
        self.heatmap = Heatmap(look, self.tr("Weights of the chosen head"), self)
        self.title = QLabel(self)
        self.title.setTextFormat(Qt.TextFormat.RichText)
        self.legend = caption()
        self.legend.setParent(self)
        self.chips = PredictionChips(look)
        self.predictions = _scrolled(self.chips, self)
        self._connect()

    def _connect(self) -> None:
        for curves in (self.quality, self.roles):
            curves.plot.looked.connect(self.looked)
        self.steps.looked.connect(self.looked)
        self.roles.plot.pointed.connect(self._point_curve)
        self.grid.hovered.connect(self._hover_tile)
        self.grid.clicked.connect(self._lock_tile)
        self.heatmap.hovered.connect(self._selection.hover_cell)
        self.heatmap.clicked.connect(self._selection.lock_cell)
        self.heatmap.head_stepped.connect(self._step_head)
        self.chips.hovered.connect(self._hover_token)
        self.chips.chosen.connect(self._hold_token)
        self.grid.painted.connect(self._time_tiles)
        self.heatmap.painted.connect(self._time_head)

    @property
    @override
    def close_up(self) -> QWidget:
        return self.heatmap

    @property
    @override
    def words(self) -> str:
        return self.effect if self._look.present else ""

    @override
    def show_data(self, data: Shown) -> None:
        """Draw a trace; of another one than the last all parts are drawn anew."""
        before, self._shown = self._shown, data
        again = before is not None and before.trace is data.trace and before.weights is data.weights
        same_look = again and before is not None and _looks(before.view) == _looks(data.view)
        if not again:
            self._show_curves(data)
            self._show_predictions(data.trace)
        elif not same_look:
            self._show_curves(data)
        if not same_look:
            self._show_tiles(data)
            self._drawn = None
        self._draw_head(data)  # how long its labels are decides where it is
        self._place()
        self.select()

    @override
    def select(self) -> None:
        data = self._shown
        if data is None:
            return
        chosen = self._selection.current
        layer, head = self._draw_head(data)
        flat = layer * data.trace.num_heads + head
        self.grid.select(replace(chosen, head=flat))
        self.roles.plot.light((flat,))
        self.heatmap.select(None if chosen.query is None else Cell(chosen.query, chosen.key))
        self.chips.select(chosen.query)
        self._reveal(flat, chosen.query)

    @override
    def restyle(self, look: Look) -> None:
        self._look = look
        for part in (self.quality, self.roles, self.grid, self.heatmap, self.chips):
            part.restyle(look)
        if self._shown is not None:
            data, self._shown = self._shown, None
            self.show_data(data)

    @override
    def colour_line(self) -> ColourLine | None:
        if self._shown is None:
            return None
        trace, view, table = self._shown
        layer = trace.layers[view.layer]
        scale = layer.scale("weights", view.contrast_by if view.contrast else "")
        finite = all(np.isfinite(each.row_sums).all() for each in trace.layers)
        return ColourLine(scale, table, self.tr("weight"), masked=True, not_finite=not finite)

    @override
    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._place()
        self.select()

    # What is drawn.

    def _show_curves(self, data: Shown) -> None:
        trace, view, theme = data.trace, data.view, self._look.theme
        curves = quality_curves(trace, theme)
        self.quality.plot.show_curves(curves, trace.spec.steps, trace.step)
        self.quality.say(*quality_heading(trace, self._look))
        self.quality.describe(quality_told(trace))
        self.roles.plot.show_curves(role_curves(trace, view.role, theme), trace.spec.steps, trace.step)
        self.roles.describe(roles_told(trace, view.role))
        self.roles.say((self.tr("what the heads do"), ""))
        self.steps.show_step(trace.step, trace.known_steps, trace.spec.steps)

    def _show_tiles(self, data: Shown) -> None:
        trace, view, table = data
        contrast = view.contrast_by if view.contrast else ""
        levels = np.concatenate([layer.levels("weights", contrast)[0] for layer in trace.layers])
        self.grid.show_heads(levels, trace.layers[0].mask[0, 0], table, self._thumbnails(trace, self._label))

    def _thumbnails(self, trace: TrainTrace, label: int) -> tuple[Thumbnail, ...]:
        made = []
        for layer, head in np.ndindex(*trace.weights.shape[:2]):
            role, name = trace.role(layer, head), head_name(layer, head)
            title = role_title(role)
            note = "" if role is None else score_text(trace.score(role, layer, head))
            made.append(
                Thumbnail(
                    layer * trace.num_heads + head,
                    name,
                    name,
                    f"{title} {note}" if label == 0 and note else note,
                    # A second line for all, or for none: heads get their roles while they train.
                    (title or " ") if label else "",
                    role_text_colour(role, self._look.theme),
                    name in trace.spec.heads_off,
                )
            )
        return tuple(made)

    def _draw_head(self, data: Shown) -> tuple[int, int]:
        """Draw the chosen head unless it is on screen; return its layer and its place there."""
        layer, head = data.view.layer, min(self._selection.current.head, data.trace.num_heads - 1)
        if (layer, head) != self._drawn:
            self._show_head(data, layer, head)
        return layer, head

    def _show_head(self, data: Shown, layer: int, head: int) -> None:
        trace, view, table = data
        self._drawn = layer, head
        contrast = view.contrast_by if view.contrast else ""
        matrix = cell_matrix(
            trace.layers[layer], "weights", 0, head, self._head_title(trace, layer, head), contrast=contrast
        )
        outlined = _counted(trace, layer, head)
        self.heatmap.show_matrix(replace(matrix, row_sums=None, outlined=outlined), table)
        self.heatmap.heads = layer * trace.num_heads + head, len(trace.layers) * trace.num_heads

    def _head_title(self, trace: TrainTrace, layer: int, head: int) -> str:
        name, role = head_name(layer, head), trace.role(layer, head)
        said = self.tr("head {0}").format(name)
        if name in trace.spec.heads_off:
            return self.tr("{0}, off").format(said)
        if role is None:
            return said
        score = f" {score_text(trace.score(role, layer, head))}" if self._look.numbers else ""
        return f"{said}: {role_title(role)}{score}"

    def _show_predictions(self, trace: TrainTrace) -> None:
        words, vocabulary = trace.words, trace.vocabulary
        found = []
        for place, answer in enumerate(trace.answers):
            predicted = int(trace.predicted[place])
            if not np.isfinite(trace.logits[place]).all():
                found.append(Prediction(words[place], NO_TOKEN, UNKNOWN))
                continue
            state = UNKNOWN if answer is None else RIGHT if answer == predicted else WRONG
            found.append(Prediction(words[place], vocabulary[predicted], state))
        self.chips.show_predictions(tuple(found))
        right = sum(each.state == RIGHT for each in found)
        known = sum(each.state != UNKNOWN for each in found)
        theme = self._look.theme
        title = self.tr("What it predicts next")
        count = self.tr("{0} of {1} right").format(right, known) if known and self._look.numbers else ""
        self.title.setText(f"{coloured(theme.text, title, bold=True)}&nbsp;&nbsp; {count}")
        right_sign = coloured(theme.v_text, f"✓ {self.tr('right')}")
        wrong_sign = coloured(theme.danger, f"✗ {self.tr('wrong')}")
        self.legend.setText("&nbsp;&nbsp; ".join((right_sign, wrong_sign, self.tr("grey: cannot know"))))

    # Where it is drawn.

    @property
    def rules(self) -> TrainRules | None:
        """What the layout must know; None before the first trace."""
        if self._shown is None:
            return None
        trace, margins = self._shown.trace, self.heatmap.margins
        wanted = self._share * self.window().width() * self.window().height()
        measured = self._look, trace.weights.shape, margins, self.chips.size_of_one, wanted
        if self._rules is None or self._rules[0] != measured:
            self._rules = measured, self._measured(trace, margins, wanted)
        return self._rules[1]

    def _measured(self, trace: TrainTrace, margins: Margins, wanted: float) -> TrainRules:
        look = self._look
        metrics, body = (QFontMetrics(look.font(size, bold=size == "body")) for size in ("small", "body"))
        wide = metrics.horizontalAdvance
        name = QFontMetrics(look.font("small", bold=True)).horizontalAdvance(
            head_name(len(trace.layers) - 1, trace.num_heads - 1)
        )
        roles = max(wide(role_title(role)) for role in ROLES.values())
        score, gap, line = wide("0.00"), look.px(6), look.px(19)
        # The heading of the predictions, which has both counts at most as long as that of tokens.
        count = self.tr("{0} of {1} right").format(*[len(trace.words)] * 2)
        words = " ".join((self.tr("What it predicts next"), count, self.legend_words))
        return TrainRules(
            tokens=len(trace.words),
            margins=margins,
            layers=len(trace.layers),
            heads=trace.num_heads,
            labels=(
                TileLabel(metrics.height() + 3, name + gap + roles + wide(" ") + score + 2),
                TileLabel(2 * metrics.height() + 3, max(name + gap + score, roles) + 2),
            ),
            tile=(look.px(34), look.px(150)),
            chip=self.chips.size_of_one,
            chips_title=(2 * line, line, body.horizontalAdvance(words) + look.px(72)),
            plot=(look.px(180), look.px(72)),
            slider=look.px(22),
            gap=look.px(10),
            scroll_bar=look.px(10),
            edge=4,
            wanted=wanted,
        )

    @property
    def legend_words(self) -> str:
        """What the signs of predictions mean, without their colours."""
        return " ".join((f"✓ {self.tr('right')}", f"✗ {self.tr('wrong')}", self.tr("grey: cannot know")))

    @property
    def _share(self) -> float:
        """The share of the window that the cells of the chosen head have."""
        if self._look.present:
            return _PRESENT_SHARE
        (small, low), (large, high) = _SHARES
        area = self.window().width() * self.window().height()
        return max(_LEAST_SHARE, low + (area - small) / (large - small) * (high - low))

    @property
    def layout_now(self) -> TrainLayout | None:
        """Where the parts are; None before the first trace."""
        rules = self.rules
        return None if rules is None else train_layout(Rect(0, 0, self.width(), self.height()), rules)

    def _place(self) -> None:
        layout = self.layout_now
        if layout is None or self._shown is None:
            return
        at, line = layout.title, self._look.px(19)
        title, legend = at, at
        for size in ("body", "small"):  # smaller where it does not fit
            self.title.setFont(self._look.font(size))
            if self.title.sizeHint().width() <= at.width:
                break
        if at.height > 1.5 * line:
            title, legend = at._replace(height=line), at._replace(y=at.y + line, height=at.height - line)
        else:
            width = self.title.sizeHint().width()
            title = at._replace(width=min(width, at.width))
            legend = at._replace(x=at.x + width + self._look.px(16), width=max(1, at.width - width - self._look.px(16)))
        places = (
            (self.quality, layout.plots[0]),
            (self.roles, layout.plots[1]),
            (self.steps, layout.slider),
            (self.tiles, layout.tiles),
            (self.heatmap, layout.head),
            (self.title, title),
            (self.legend, legend),
            (self.predictions, layout.chips),
        )
        for part, place in places:
            part.setVisible(place != NOWHERE and place.height >= 1)
            part.setGeometry(*map(round, place))
        if layout.label != self._label:
            self._label = layout.label
            self._show_tiles(self._shown)
        self.grid.place(layout.grid)
        self.chips.put_across(layout.across)

    _label = 0

    def _reveal(self, flat: int, query: int | None) -> None:
        """Scroll the tile of the held head and the chip of the held row into sight, once for each."""
        tile = self.grid.tile_of(flat)
        now = flat, query, tile, self.chips.across, self.predictions.size().toTuple()
        if self._selection.current != self._selection.locked or now == self._revealed or tile is None:
            return
        self._revealed = now
        middle, edge = tile.center().toPoint(), self._look.px(8)
        self.tiles.ensureVisible(
            middle.x(), middle.y(), round(tile.width() / 2) + edge, round(tile.height() / 2) + edge
        )
        if query is not None and query < len(self.chips.shown):
            self._reveal_line(query // self.chips.across)

    def _reveal_line(self, line: int) -> None:
        """Scroll a line of predictions into sight, by whole lines."""
        height, bar = self.chips.size_of_one[1], self.predictions.verticalScrollBar()
        lines = max(1, self.predictions.viewport().height() // height)
        first = -(-bar.value() // height)
        bar.setValue(height * min(max(first, line - lines + 1), line))

    # What the mouse and the keys do.

    def _of_tile(self, tile: Selection) -> tuple[int, Selection]:
        """Return the layer and the selection within it of a place in the tiles."""
        assert self._shown is not None
        layer, head = divmod(tile.head, self._shown.trace.num_heads)
        return layer, replace(tile, head=head)

    @Slot(object)
    def _hover_tile(self, tile: Selection | None) -> None:
        self.head_pointed.emit(None if tile is None or self._shown is None else self._of_tile(tile))

    @Slot(object)
    def _lock_tile(self, tile: Selection) -> None:
        if self._shown is not None:
            self.head_chosen.emit(*self._of_tile(tile), True)

    @Slot(int)
    def _point_curve(self, curve: int) -> None:
        tile = replace(self._selection.locked, head=curve)
        self.head_pointed.emit(None if curve < 0 or self._shown is None else self._of_tile(tile))

    @Slot(int)
    def _step_head(self, step: int) -> None:
        if self._drawn is not None and self._shown is not None:
            flat = self._drawn[0] * self._shown.trace.num_heads + self._drawn[1] + step
            self.head_chosen.emit(*self._of_tile(replace(self._selection.locked, head=flat)), False)

    @Slot(object)
    def _hover_token(self, place: int | None) -> None:
        head = self._selection.locked.head
        self._selection.hover(None if place is None else Selection(head, place, None))

    @Slot(int)
    def _hold_token(self, place: int) -> None:
        self._selection.lock(Selection(self._selection.locked.head, place, None))

    @Slot(float)
    def _time_tiles(self, milliseconds: float) -> None:
        self._time("tiles", milliseconds)

    @Slot(float)
    def _time_head(self, milliseconds: float) -> None:
        self._time("head", milliseconds)

    def _time(self, part: str, milliseconds: float) -> None:
        self._times[part] = milliseconds
        self.painted.emit(sum(self._times.values()))


def _looks(view: TrainViewSettings) -> tuple[object, ...]:
    """Return what of the view decides how heads are drawn, but for which one is large."""
    return view.contrast, view.contrast_by, view.role


def _counted(trace: TrainTrace, layer: int, head: int) -> tuple[tuple[int, int], ...]:
    """Return the cells, query and key, that make the score of a head's role; none without a role of cells."""
    role = trace.role(layer, head)
    if role is None or role.cells is None:
        return ()
    return tuple((query, key) for query, keys in enumerate(role.cells(trace.token_numbers)) for key in keys)


def _scrolled(widget: QWidget, parent: QWidget) -> QScrollArea:
    area = QScrollArea(parent)
    area.setObjectName("tiles")
    area.setFrameShape(QFrame.Shape.NoFrame)
    area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
    area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
    area.setWidget(widget)
    return area
