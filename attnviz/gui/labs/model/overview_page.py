"""The first page of the model lab: every head of every layer, the text, and the chosen head large."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any, TypeVar

import numpy as np
from PySide6.QtCore import QPoint, QRect, Qt, Signal, Slot
from PySide6.QtWidgets import QLabel, QScrollArea, QWidget
from typing_extensions import override

from attnviz.definitions.counting import head_name
from attnviz.definitions.text import Text, number_said, percents_said
from attnviz.experiment.colours import DIVERGING, WEIGHT_SCALE, stretched
from attnviz.experiment.labs import Asked
from attnviz.experiment.layers.layer import Layer
from attnviz.experiment.model.overview import NOT_ACROSS, WITHIN_A_TEXT
from attnviz.experiment.model.residual.attribution import IGNORED, Attribution, AttributionTrace
from attnviz.experiment.model.residual.both_effects import BothEffects
from attnviz.experiment.model.studies import HeadsInTurn, HeadsInTurnTrace, RandomSets, RandomSetsTrace
from attnviz.experiment.model.trace import ModelTrace
from attnviz.experiment.model.view import ModelViewSettings
from attnviz.experiment.run import Failure
from attnviz.experiment.study import StudyResult
from attnviz.gui.labs.current_view import CurrentView
from attnviz.gui.labs.model.effects_part import Effects
from attnviz.gui.labs.model.image_view import ImageView
from attnviz.gui.labs.model.overview_parts import MappedHeads, OverviewChoices
from attnviz.gui.labs.model.shown import brightened, choosing_of, head_title, line_of_weights, tokens_of
from attnviz.gui.labs.study_page import StudyPage
from attnviz.gui.layers.heads_view import Picture, matrix_of
from attnviz.gui.layers.lines_page import line_picture
from attnviz.gui.plots.heads.head_map import LEAST_ROW, HeadMap
from attnviz.gui.plots.lines.lines_view import LinesView
from attnviz.gui.plots.matrix.colour_bar import ColourBar
from attnviz.gui.plots.matrix.heatmap import Heatmap
from attnviz.gui.plots.matrix.tile import ColourTable, colour_table
from attnviz.gui.plots.page import ColourLine
from attnviz.gui.plots.tensors.token_text import ShadedTokens, TokenText
from attnviz.gui.theme import Look
from attnviz.gui.widgets.labels import caption
from attnviz.gui.widgets.layouts import bring_in_sight, scrolling_tiles
from attnviz.gui.widgets.selection import SelectionModel
from attnviz.gui.widgets.words import failure_text, translate

ResultT = TypeVar("ResultT", bound=StudyResult)
_NOT_OF_ENCODER = Text(
    "The encoder's heads do not write into the state that predicts; what heads add is shown under Decoder and Cross."
)
_ROW, _GAP, _BAR = 28, 8, 160
"""The height of the choices, the gap between rows, and the width that the colour bar needs beside them, at scale 1."""
_MAP_SHARE, _PICTURES_SHARE, _TEXT_SHARE = 0.4, 0.5, 0.18
"""The largest shares of the page's height for the map of heads, in numbers or in pictures, and for the text."""
_MAP, _BESIDE = 0.56, 1.4
"""The map is beside the chosen head, with this share of the width, if that enlarges the head by at least this factor;
in Present, if it enlarges it at all."""
_IMAGE = 0.42
"""The least share of the width for the map and an image beside the chosen head."""
_MESSAGE = 60
"""The height of a message line at scale 1: a smaller change of the height rearranges nothing."""
_HEAD, _LEAST_LINES, _LOW_LINES, _MOST_TOKENS = 1.35, 220, 150, 96
"""The width of the chosen head per height; the least width of the lines beside it and their least height below the map,
at scale 1; and their greatest number of tokens."""
_LEAST_MAP, _CELL, _LEAST_CELL, _FEW_ROWS = 96, 10, 4, 0.25
"""For a long text, at scale 1: the greatest width that the map needs beside the head, the usual and the least width of
its cells there; and the largest share of the height for the map above the head."""
_AROUND_HEAD = (96, 96)
"""The margins of a matrix that has not been drawn yet, at scale 1."""
_TEXT_BESIDE = 260
"""The width at scale 1 from which on a long text is below the map, in several lines."""


class OverviewPage(StudyPage[Picture]):
    """A click on a head selects it; pointing at a token or a cell previews it in every picture."""

    head_chosen = Signal(int, int)
    """Layer and index of the head that the user chose."""
    pointed = Signal(str)
    """A text about the head under the mouse; "" for none."""
    studied = Signal()
    """The page was drawn with the results of its studies."""

    _current: CurrentView[ModelViewSettings]

    def __init__(self, look: Look, selection: SelectionModel, current: CurrentView[ModelViewSettings]) -> None:
        super().__init__(look, selection, current)
        self._shown: Picture | None = None
        self._trace: ModelTrace | None = None
        self._mapped: tuple[object, ...] = ()
        self._drawn: tuple[object, ...] = ()
        self._marks: tuple[object, ...] = ()
        self._arranged: tuple[object, int, bool] = None, 0, False  # for what, and at which height, the map is beside
        self._part: tuple[Asked, int, int] | None = None  # the progress of a study's heads
        of_text = self.tr(
            "Click a head to see it large, X turns it off (ablates it). Point at a word to see what it attends to."
        )
        of_image = self.tr(
            "Click a head to see it large, X turns it off (ablates it). Point at a patch to see what it attends to."
        )
        self.hint, self._hints = of_text, (of_text, of_image)
        self.scale = ColourBar(look)
        self.scale.setParent(self)
        self.shaded = caption(plain=True)
        """Up to which weight the text is shaded, where that is not what the colour bar says."""
        self.shaded.setParent(self)
        self.shaded.setToolTip(self.tr("The text is shaded by its own largest weight, not as the matrix"))
        self.choices = OverviewChoices(current, self)
        self.cells = HeadMap(look, self.tr("Every head of every layer"))
        self.text = TokenText(look, self.tr("The text"), selection)
        self._map, self._text = scrolling_tiles(self.cells, self), scrolling_tiles(self.text, self)
        self.image = ImageView(
            look, self.tr("The image, overlaid by what the chosen patch attends to"), selection, self
        )
        self.heatmap = Heatmap(look, self.tr("Weights of the chosen head"), self)
        self.lines = LinesView(look, self)
        middle, plain = Qt.AlignmentFlag.AlignCenter, Qt.TextFormat.PlainText
        self.missing = QLabel(self, alignment=middle, textFormat=plain, wordWrap=True)
        self.missing.hide()
        self._connect()

    def _connect(self) -> None:
        self.cells.hovered.connect(self._point_head)
        self.cells.clicked.connect(self.choose_place)
        for picture in (self.heatmap, self.lines):
            picture.hovered.connect(self._selection.hover_cell)
            picture.clicked.connect(self._selection.lock_cell)
        self.heatmap.head_stepped.connect(self._step_head)
        self._selection.changed.connect(self._mark)  # also while the layer has not arrived
        for part in (self.cells, self.heatmap):
            part.painted.connect(self.painted)

    # Drawing.

    @override
    def show_data(self, data: Picture) -> None:
        self._show(data, data.trace, data.weights)

    def show_missing(self, trace: ModelTrace, weights: ColourTable, said: str) -> None:
        """Draw everything but the chosen head, whose layer has not arrived, and a message instead of it."""
        self._show(None, trace, weights, said)

    def _show(self, data: Picture | None, trace: ModelTrace, weights: ColourTable, missing: str = "") -> None:
        self._shown, self._trace = data, trace
        image = trace.read.image
        self.hint = self._hints[image is not None]
        self._text.setVisible(image is None)
        self.image.setVisible(image is not None)
        if image is None:
            self.text.show_tokens(tokens_of(trace, self._view), choosing_of(trace, self._view))
        else:
            self.image.show_image(image, tokens_of(trace, self._view))
        heads = self._heads_of(trace)
        self.choices.show_heads(heads)
        self._show_map(heads, weights)
        self._say_studies()
        self.missing.setText(missing)
        self.missing.setVisible(data is None)
        self._place()
        self._mark()
        self.studied.emit()

    def _heads_of(self, trace: ModelTrace) -> MappedHeads:
        return MappedHeads(trace, self._view, self._attribution, self._ablation)

    def _show_map(self, heads: MappedHeads, weights: ColourTable) -> None:
        """Draw the map of heads, unless it is on screen."""
        mapped = *heads.key, weights, self._look
        if mapped == self._mapped:
            return
        self._mapped = mapped
        pictures = None
        if self._view.thumbnails:
            small = heads.trace.overview.thumbnails
            small = small.reshape(-1, *small.shape[2:]).astype(np.float32)
            pictures = stretched(small, None, WEIGHT_SCALE, self._view.contrast_drawn), weights
        table = weights if heads.study is None else colour_table(DIVERGING, self._look.theme)
        self.cells.show_values(heads.values, table, pictures)
        title = Text("{title}, all tokens", {"title": heads.title}) if heads.is_grouped else heads.title
        self.scale.show_line(ColourLine(heads.scale, table, translate(title), number=heads.values.number))
        self.scale.setVisible(pictures is None)  # else no colour is of the number

    @override
    def select(self) -> None:
        data = self._shown
        shaded: ShadedTokens = self.text if self._trace is None or self._trace.read.image is None else self.image
        if data is None:
            shaded.fade()
            return
        layer, chosen = data.content.layer, self._selection.current
        head = min(chosen.head, layer.num_heads - 1)
        self._draw_head(data, layer, head)
        self.heatmap.select(chosen.cell)
        self.lines.select(chosen.cell, self._selection.locked.cell)
        if chosen.query is not None and chosen.query < layer.weights.shape[2]:
            contrast = data.content.view.contrast
            levels = layer.row_levels((0, head, chosen.query), contrast)
            colours = brightened(layer, head, contrast)
            self.shaded.setText("")
            if colours is not None:
                levels, largest = colours.row(chosen.query)
                self.shaded.setText(translate(_shaded(largest)) if largest < 1 else "")
            shaded.shade(levels, data.weights, chosen.query, chosen.key)

    @Slot()
    def _mark(self) -> None:
        """Mark the chosen head, and reveal it and the selected token; they may be scrolled away from then on."""
        self.cells.select(self._chosen)
        marks = self._view.layer, self._selection.locked.query, self.text.places, self.cells.size()
        if marks == self._marks or not self.isVisible():
            return
        self._marks, held = marks, marks[1]
        rows = self.cells.cells
        if self._chosen < len(rows):
            bring_in_sight(self._map, rows[self._chosen], rows[0].height())
        if held is not None and held < len(self.text.places):
            bring_in_sight(self._text, self.text.places[held], self.text.line)

    def _draw_head(self, data: Picture, layer: Layer, head: int) -> None:
        """Draw the chosen head, unless it is on screen."""
        view = data.content.view
        drawn = (layer, head, view, data.weights, self._look, self.lines.isHidden())
        if drawn == self._drawn:
            return
        self._drawn, trace = drawn, data.trace
        matrix = matrix_of(data.content, head, head_title(trace, head))
        if self._look.present or self._is_long(trace):
            matrix = replace(matrix, row_sums=None)
        self.heatmap.show_matrix(matrix, data.weights)
        number = trace.layers.numbers.index(trace.number)
        self.heatmap.heads = number * layer.num_heads + head, len(trace.layers.numbers) * layer.num_heads
        if not self.lines.isHidden():
            self.lines.show_picture(line_picture(layer, 0, head, matrix))

    @override
    def restyle(self, look: Look) -> None:
        super().restyle(look)
        self.image.restyle(look)
        self._mapped = self._drawn = ()
        self._place()

    @override
    def colour_line(self) -> ColourLine | None:
        return line_of_weights(self._shown)

    @property
    @override
    def close_up(self) -> QWidget:
        return self.heatmap

    # The studies of what heads add and of ablated heads.

    @override
    def studies(self) -> tuple[Asked, ...]:
        trace, view = self._trace, self._view
        if trace is None:
            return ()
        asked = view.effects_of(trace.spec, trace.continued, trace.side)
        if not (view.controls and trace.spec.heads_off):
            return asked
        return (*asked, RandomSets(of=trace.spec, continued=trace.continued, sets=view.controls))

    @override
    def show_part(self, asked: Asked, done: int, count: int) -> None:
        if asked in self.studies():
            self._part = asked, done, count
            self._say_studies()

    @override
    def say_stopped(self) -> None:
        if self.wanted():
            self._current.propose(by_effect=False, by_attribution=False, controls=0)

    @override
    def draw_results(self) -> None:
        self.redraw_asked.emit()

    def _result_of(self, kind: type[ResultT]) -> ResultT | None:
        """Return the result of a study by its type; None while there is none."""
        return next((each for each in map(self.result, self.studies()) if isinstance(each, kind)), None)

    @property
    @override
    def study_on_screen(self) -> StudyResult | None:
        return self._attribution or self._ablation

    @property
    def _attribution(self) -> AttributionTrace | None:
        return self._result_of(AttributionTrace)

    @property
    def _ablation(self) -> HeadsInTurnTrace | None:
        return self._result_of(HeadsInTurnTrace)

    @property
    def _both(self) -> BothEffects | None:
        """Both measures of the heads on screen, once both are known."""
        return None if self._trace is None else self._heads_of(self._trace).both

    @property
    def effects(self) -> Effects:
        """The results of the studies, for the right column."""
        off = self._trace is not None and bool(self._trace.spec.heads_off)
        return Effects(self._both, self._ablation, self._result_of(RandomSetsTrace), off)

    def _say_studies(self) -> None:
        """Say what the studies have found, or what is missing."""
        trace, view, both = self._trace, self._view, self._both
        lines = []
        if trace is not None and trace.crosses and view.overview in WITHIN_A_TEXT and not self.studies():
            lines.append(NOT_ACROSS.translated(translate))
        if trace is not None and view.by_attribution and trace.side == "encoder":
            lines.append(translate(_NOT_OF_ENCODER))
        for study in self.studies():
            found = self.result(study)
            if isinstance(found, Failure):
                lines.append(failure_text(found))
            elif isinstance(found, AttributionTrace):
                further = IGNORED if both is None else next(iter(both.sentences()), IGNORED)
                lines.append(f"{translate(found.sentence())} {further.translated(translate)}")
            elif isinstance(found, HeadsInTurnTrace):
                lines += [_effect_said(found)] if both is None else []
            elif found is None:
                lines.append(self._progress_said(study))
        self.say("\n".join(lines))

    def _progress_said(self, study: Asked) -> str:
        if isinstance(study, Attribution):
            return self.tr("What each head adds to the logit is being computed.")
        in_turn, known = isinstance(study, HeadsInTurn), self._part is not None and self._part[0] == study
        if self._part is None or not known:
            of_sets = self.tr("Random sets of heads are turned off (ablated).")
            return self.tr("Each head is turned off (ablated) in turn.") if in_turn else of_sets
        words = {"done": self._part[1], "count": self._part[2]}
        of_sets = translate(Text("Random sets of heads are turned off (ablated): {done} of {count}.", words))
        each = translate(Text("Each head is turned off (ablated) in turn: {done} of {count}.", words))
        return each if in_turn else of_sets

    # Layout and mouse.

    @property
    def _view(self) -> ModelViewSettings:
        return self._current.value

    @property
    def _chosen(self) -> int:
        heads = 1 if self._trace is None else self._trace.model.num_heads
        return self._view.layer * heads + min(self._selection.current.head, heads - 1)

    @override
    def _place(self) -> None:
        trace, px = self._trace, self._look.px
        if trace is None:
            return
        gap, width, height = px(_GAP), self.width(), self.height()
        last = self.choices.place(width, px(_ROW))
        bar = QRect(last.width() + gap, last.y(), width - last.width() - gap, px(_ROW))
        if bar.width() < px(_BAR):
            bar = QRect(0, last.y() + px(_ROW), width, px(_ROW))
        self.scale.setGeometry(bar)
        top = bar.y() + px(_ROW) + gap // 2
        room = QRect(0, top, width, max(1, height - top))
        self.shaded.hide()
        if trace.read.image is not None:
            self._place_image(trace, room)
            return
        if self._is_long(trace):
            self._place_long(trace, room)
            return
        place = self._place_beside if self._is_beside(trace, room) else self._place_below
        place(trace, room)

    def _is_long(self, trace: ModelTrace) -> bool:
        """Return whether a text is so long that the chosen head takes precedence over map and text."""
        return len(self._view.groups_of(trace.read)) > _MOST_TOKENS and not self._view.thumbnails

    def _place_long(self, trace: ModelTrace, room: QRect) -> None:
        """Place the head as large as possible: the map is beside it, with narrow cells, or above it, in a few rows.

        The text is one line, which scrolls to the selected token, or below the map if that is wide.
        """
        px, heads, layers = self._look.px, trace.model.num_heads, trace.model.num_layers
        gap, line = px(_GAP), self.text.lines_in(0)
        margins = self.heatmap.margins
        drawn = self.heatmap.matrix is not None
        wide = margins.left + margins.right if drawn else px(_AROUND_HEAD[0])
        high = margins.top + margins.bottom if drawn else px(_AROUND_HEAD[1])
        narrow = self.cells.label_width(layers) + max(heads * px(_LEAST_CELL), min(heads * px(_CELL), px(_LEAST_MAP)))
        rest, across = room.height() - line - gap, room.width() - 2 * gap - wide
        beside = min(rest - high, across - narrow)
        tall = min(room.height() - high, across - max(narrow, px(_TEXT_BESIDE)))  # the text is not above it
        few = min(self.cells.least_height(layers), round(_FEW_ROWS * rest))
        below = min(rest - few - gap - high, room.width() - wide)
        if below > max(beside, tall):
            top = room.top() + self._place_line(room.topLeft(), room.width(), line) + gap
            top += self._place_map(trace, top, room.width(), few) + gap
            self._place_head(trace, QRect(0, top, room.width(), max(1, room.bottom() + 1 - top)), QRect())
            return
        left, top = max(narrow, int(across - max(beside, tall))), room.top()
        if beside > tall:
            top += self._place_line(room.topLeft(), room.width(), line) + gap
            self._place_map(trace, top, left, room.bottom() + 1 - top)
        else:
            most = self.cells.most_height(layers)
            top += self._place_map(trace, top, left, min(most, room.height() - 6 * line)) + gap
            self._place_line(QPoint(0, top), left, room.bottom() + 1 - top)
            top = room.top()
        left += 2 * gap
        self._place_head(trace, QRect(left, top, room.width() - left, room.bottom() + 1 - top), QRect())

    def _place_line(self, at: QPoint, width: int, most: int) -> int:
        """Place the text in lines of a height, which scroll, and before or above them how it is shaded."""
        line, gap = self.text.lines_in(0), self._look.px(_GAP)
        self.shaded.show()
        if most < 3 * line:  # in front of the line
            widest = translate(_shaded(0.123e-5))
            said = self.shaded.fontMetrics().horizontalAdvance(widest)
            self.shaded.setGeometry(at.x(), at.y(), said, line)
            at, width, high = QPoint(at.x() + said + gap, at.y()), width - said - gap, line
        else:
            self.shaded.setGeometry(at.x(), at.y(), width, line)
            at, high = QPoint(at.x(), at.y() + line), self.text.lines_in(most - line)
        high = min(high, self.text.heightForWidth(width)) if high > line else line
        self._place_scrolling(self._text, self.text, QRect(at.x(), at.y(), width, high), self.text.heightForWidth)
        return most if high == line else line + high

    def _place_image(self, trace: ModelTrace, room: QRect) -> None:
        """Place the head at the right, and at its left the map above the image."""
        gap, line = self._look.px(_GAP), self.text.lines_in(0)
        wide = self._look.px(_AROUND_HEAD[0])
        head = max(room.width() // 2, min(room.height() + wide, round((1 - _IMAGE) * room.width())))
        left = room.width() - head - 2 * gap
        top = room.top()
        top += self._place_map(trace, top, left, round(_PICTURES_SHARE * room.height() - line)) + gap
        self.shaded.show()
        self.shaded.setGeometry(0, top, left, line)
        top += line
        self.image.setGeometry(0, top, left, max(1, room.bottom() + 1 - top))
        self._place_head(trace, QRect(left + 2 * gap, room.top(), head, room.height()), QRect())

    def _is_beside(self, trace: ModelTrace, room: QRect) -> bool:
        """Return whether the map is beside the head. A message that takes a line of the window does not change it."""
        px, present, gap = self._look.px, self._look.present, self._look.px(_GAP)
        text, pictures = self.text.heightForWidth(room.width()), self._view.thumbnails
        these = self._look, room.width(), text, trace.model.num_layers, pictures
        decided, height, beside = self._arranged
        if decided != these or abs(room.height() - height) > px(_MESSAGE):
            rest = room.height() - self._text_height(room.width(), room) - gap
            below = rest - self._most_of_map(trace, room) - gap
            large = min(rest, round((1 - _MAP) * room.width()))
            beside = large > (1 if present else _BESIDE) * below and (present or not pictures)
            self._arranged = these, room.height(), beside
        return beside

    def _most_of_map(self, trace: ModelTrace, room: QRect) -> int:
        share = _PICTURES_SHARE if self._view.thumbnails else _MAP_SHARE
        return min(self.cells.most_height(trace.model.num_layers), round(share * room.height()))

    def _text_height(self, width: int, room: QRect, spare: int = 0) -> int:
        """Return the height of the text in a width; of the lines in its share, or in a spare height, if larger."""
        most = max(spare, round(_TEXT_SHARE * room.height()))
        return min(self.text.heightForWidth(width), self.text.lines_in(most))

    def _place_below(self, trace: ModelTrace, room: QRect) -> None:
        """Place map, text and head below each other, the lines beside the head."""
        gap, width = self._look.px(_GAP), room.width()
        top = room.top() + self._place_map(trace, room.top(), width, self._most_of_map(trace, room)) + gap
        top += self._place_text(top, width, room) + gap
        head = QRect(0, top, width, max(1, room.bottom() + 1 - top))
        self._place_head(trace, head, head.adjusted(round(_HEAD * head.height()) + gap, 0, 0, 0))

    def _place_beside(self, trace: ModelTrace, room: QRect) -> None:
        """Place the head at the right, as high as possible, and the map and the lines at its left.

        The text is over both, or at the left too if it is one line there, or fits into room not needed by lines.
        """
        gap, left = self._look.px(_GAP), round(_MAP * room.width())
        top = right = room.top()
        if len(trace.read) > _MOST_TOKENS or self.text.heightForWidth(left) <= self.text.lines_in(0):
            spare = room.height() - self.cells.most_height(trace.model.num_layers) - gap
            top += self._place_text(top, left, room, spare) + gap
        else:
            top = right = top + self._place_text(top, room.width(), room) + gap
        rest = room.bottom() + 1 - top
        high = self._place_map(trace, top, left, rest) + gap
        head = room.adjusted(left + 2 * gap, right - room.top(), 0, 0)
        self._place_head(trace, head, QRect(0, top + high, left, rest - high))

    def _place_map(self, trace: ModelTrace, top: int, width: int, most: int) -> int:
        """Place the map of heads, which scrolls if it is too high; return its height."""
        layers = trace.model.num_layers
        needed = self.cells.least_height(layers)
        high = max(1, min(self.cells.most_height(layers), most))
        high -= high % self._look.px(LEAST_ROW) if needed > high else 0  # no layer is cut
        self._place_scrolling(self._map, self.cells, QRect(0, top, width, high), lambda _: needed)
        return high

    def _place_text(self, top: int, width: int, room: QRect, spare: int = 0) -> int:
        """Place the text, which scrolls if it is higher; return its height."""
        high = self._text_height(width, room, spare)
        self._place_scrolling(self._text, self.text, QRect(0, top, width, high), self.text.heightForWidth)
        return high

    def _place_scrolling(self, area: QScrollArea, part: QWidget, place: QRect, height_in: Callable[[int], int]) -> None:
        """Place an area, and in it a part, whose height in a width is given, beside a scroll bar if it is higher."""
        area.setGeometry(place)
        wide = place.width() - (self._look.px(10) if height_in(place.width()) > place.height() else 0)
        part.resize(wide, max(place.height(), height_in(wide)))

    def _place_head(self, trace: ModelTrace, head: QRect, lines: QRect) -> None:
        """Place the chosen head, and its lines if there is room for them."""
        px, here = self._look.px, self.missing.isHidden()
        fits = lines.width() >= px(_LEAST_LINES) and lines.height() >= px(_LOW_LINES)
        fits &= len(trace.read) <= _MOST_TOKENS
        self.missing.setGeometry(head)
        self.heatmap.setVisible(here)
        self.lines.setVisible(here and fits)
        if fits:
            self.lines.setGeometry(lines)
            head = head if lines.left() < head.left() else head.adjusted(0, 0, -lines.width() - px(_GAP), 0)
        self.heatmap.setGeometry(head)
        self.select()  # the lines may have come

    @Slot(object)
    def _point_head(self, place: int | None) -> None:
        trace = self._trace
        if place is None or trace is None:
            self._selection.hover(None)
            self.pointed.emit("")
            return
        layer, head = divmod(place, trace.model.num_heads)
        self.pointed.emit(self.cells.told(place))
        here = layer == self._view.layer and self._shown is not None
        self._selection.hover(replace(self._selection.locked, head=head) if here else None)

    @Slot(int)
    @Slot(object)
    def choose_place(self, place: int) -> None:
        """Choose a head, counted through all layers."""
        if self._trace is not None:
            self.head_chosen.emit(*divmod(place, self._trace.model.num_heads))

    @Slot(int)
    def _step_head(self, step: int) -> None:
        head = self.cells.beside(self._chosen, step)
        if head is not None:
            self.choose_place(head)


def _shaded(largest: float) -> Text:
    """Return the upper end of a text's shading."""
    return Text("shaded up to {largest}", {"largest": number_said(largest)})


def _effect_said(found: HeadsInTurnTrace) -> str:
    """Return a text about the head whose ablation loses most."""
    effect = found.effect
    layer, head = np.unravel_index(int(np.nan_to_num(effect, nan=-np.inf).argmax()), effect.shape)
    words: dict[str, Any] = {"head": head_name(int(layer), int(head)), "token": found.token}
    if np.isnan(found.shown):
        words["cosine"] = f"{found.cosine[layer, head]:.3f}"
        said = Text("Ablating head {head} changes the output most (cosine {cosine}).", words)
    else:
        words["before"], words["after"] = percents_said(found.shown, float(found.probability[layer, head]))
        said = Text("Ablating head {head} costs most: “{token}” falls from {before} to {after}.", words)
    return said.translated(translate)
