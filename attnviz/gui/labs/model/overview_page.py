"""The first page of the model lab: every head of every layer, the text, and the chosen head large."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any, TypeVar

import numpy as np
from PySide6.QtCore import QPoint, QRect, Qt, Signal, Slot
from PySide6.QtWidgets import QCheckBox, QLabel, QScrollArea, QWidget
from typing_extensions import override

from attnviz.definitions.counting import head_name
from attnviz.definitions.text import Text, number_said, percents_said
from attnviz.experiment.colours import DIVERGING, WEIGHT_SCALE, stretched, symmetric_scale
from attnviz.experiment.labs import Asked
from attnviz.experiment.layers.layer import Layer
from attnviz.experiment.layers.statistics import HeadValues
from attnviz.experiment.model.overview import NOT_ACROSS, OF_ROLES, OVERVIEW, WITHIN_A_TEXT
from attnviz.experiment.model.residual.attribution import IGNORED, Attribution, AttributionTrace
from attnviz.experiment.model.residual.both_effects import BothEffects
from attnviz.experiment.model.sentences import role_said
from attnviz.experiment.model.studies import HeadsInTurn, HeadsInTurnTrace, RandomSets, RandomSetsTrace
from attnviz.experiment.model.trace import ModelTrace
from attnviz.experiment.model.view import ModelViewSettings
from attnviz.experiment.run import Failure
from attnviz.experiment.study import StudyResult
from attnviz.experiment.sweeps.roles import RolesOverRuns
from attnviz.gui.forms.editor import ComboBox
from attnviz.gui.labs.current_view import CurrentView
from attnviz.gui.labs.model.corpus_box import CorpusBox
from attnviz.gui.labs.model.editors.token_edit import TokenEdit
from attnviz.gui.labs.model.effects_part import Effects
from attnviz.gui.labs.model.image_view import ImageView
from attnviz.gui.labs.model.shown import brightened, choosing_of, head_title, line_of_weights, tokens_of
from attnviz.gui.labs.study_page import StudyPage
from attnviz.gui.layers.heads_view import Picture, matrix_of
from attnviz.gui.layers.lines_page import line_picture
from attnviz.gui.plots.heads.head_map import LEAST_ROW, HeadMap, head_said, off_said
from attnviz.gui.plots.lines.lines_view import LinesView
from attnviz.gui.plots.matrix.colour_bar import ColourBar
from attnviz.gui.plots.matrix.heatmap import Heatmap
from attnviz.gui.plots.matrix.tile import ColourTable, colour_table
from attnviz.gui.plots.page import ColourLine
from attnviz.gui.plots.tensors.token_text import TokenText
from attnviz.gui.theme import Look
from attnviz.gui.widgets.labels import caption
from attnviz.gui.widgets.layouts import bring_in_sight, row_of, scrolling_tiles
from attnviz.gui.widgets.selection import SelectionModel
from attnviz.gui.widgets.words import failure_text, translate

ResultT = TypeVar("ResultT", bound=StudyResult)
_NOT_OF_ENCODER = Text(
    "The encoder's heads do not write into the state that predicts; what heads add is shown under Decoder and Cross."
)
_TOKEN = 14
"""The characters of a token that have room in its choice."""
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
        self.number = _numbers_box()
        self.pictures = QCheckBox(self.tr("Small pictures"))
        self.effect = QCheckBox(self.tr("Turn each off in turn"))
        self.effect.setToolTip(
            self.tr(
                "Run the model once without each head (ablation). The colour is how much probability the top token "
                "loses, unless it is what each head adds; then that is on the right."
            )
        )
        self.adds = QCheckBox(self.tr("What each head adds"))
        self.adds.setToolTip(
            self.tr("The colour is what each head adds to a logit by itself (direct logit attribution).")
            + " "
            + IGNORED.translated(translate)
        )
        self.of_token = TokenEdit(self.tr("top prediction"), takes_text=True)
        self.minus = TokenEdit(self.tr("nothing"), takes_text=True)
        self.scale = ColourBar(look)
        self.scale.setParent(self)
        self.shaded = caption(plain=True)
        """Up to which weight the text is shaded, where that is not what the colour bar says."""
        self.shaded.setParent(self)
        self.shaded.setToolTip(self.tr("The text is shaded by its own largest weight, not as the matrix"))
        self._choices = QWidget(self)
        for edit in (self.of_token, self.minus):
            edit.box.setSizeAdjustPolicy(ComboBox.SizeAdjustPolicy.AdjustToContents)
            edit.box.setMinimumContentsLength(_TOKEN)
        self.over_texts = CorpusBox()
        row_of(self._choices, self.number, self.pictures, self.effect, self.adds, self.over_texts, gap=8)
        self._tokens = _tokens_row(self.of_token, self.minus, self)
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
        self._current.bind("overview", self.number)
        self._current.bind("over_texts", self.over_texts)
        for field, box in (("thumbnails", self.pictures), ("by_effect", self.effect), ("by_attribution", self.adds)):
            self._current.bind(field, box)
        for edit in (self.of_token, self.minus):
            edit.edited.connect(self._choose_tokens)
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
        self._show_tokens(trace)
        self.over_texts.show_corpus(self._view.corpus_of(trace))
        self._show_map(trace, weights)
        self._say_studies()
        self.missing.setText(missing)
        self.missing.setVisible(data is None)
        self._place()
        self._mark()
        self.studied.emit()

    def _show_tokens(self, trace: ModelTrace) -> None:
        """Offer the most probable tokens, and those of the attribution on screen."""
        found, now = self._attribution, trace.prediction
        named = {} if now is None else dict(zip(now.ids, now.tokens, strict=True))
        if found is not None:
            named |= {found.token_id: found.token} | ({} if found.minus_id is None else {found.minus_id: found.minus})
        for edit, value in ((self.of_token, self._view.attributed), (self.minus, self._view.minus)):
            edit.show_named(tuple(named.items()))
            edit.set_value(value)
        self._tokens.setVisible(self._view.by_attribution and trace.side != "encoder")

    def _show_map(self, trace: ModelTrace, weights: ColourTable) -> None:
        """Draw the map of heads, unless it is on screen."""
        view, results = self._view, (self._attribution, self._ablation)
        grouped, off = len(view.groups_of(trace.read)) != len(trace.read), set(trace.pairs_off)
        by_view = view.overview, view.thumbnails, view.contrast_drawn, grouped, self._corpus
        mapped = trace.overview, off, by_view, results, weights, self._look
        if mapped == self._mapped:
            return
        self._mapped = mapped
        record, (attribution, ablation) = OVERVIEW[view.overview], results
        values, title, number = trace.overview.of(record.name), record.title, record.number
        scale, table = trace.overview.scale(record.name), weights
        found = ablation if attribution is None else attribution
        if found is not None:
            values = found.of_kind[trace.kind] if isinstance(found, AttributionTrace) else found.effect
            title, number = found.title, found.number
            scale, table = symmetric_scale(values), colour_table(DIVERGING, self._look.theme)
        pictures = None
        if view.thumbnails:
            small = trace.overview.thumbnails.reshape(-1, *trace.overview.thumbnails.shape[2:]).astype(np.float32)
            pictures = stretched(small, None, WEIGHT_SCALE, view.contrast_drawn), weights
        alike = len(trace.model.kv_heads) == 1  # else there is no group of columns that is one in every layer
        shared = max(1, trace.model.num_heads // trace.model.kv_heads[0]) if alike else 1
        heads = HeadValues(
            values=values,
            number=number,
            title=translate(title),
            scale=scale,
            roles=trace.overview.head_roles if self._corpus is None else self._corpus.head_roles(self._stack),
            off=off,
            others={layer: translate(what) for layer, what in trace.model.others.items()},
            shared=shared,
            told=self._told,
        )
        self.cells.show_values(heads, table, pictures)
        if grouped:  # they are not measured anew
            title = Text("{title}, all tokens", {"title": title})
        self.scale.show_line(ColourLine(scale, table, translate(title), number=number))
        self.scale.setVisible(pictures is None)  # else no colour is of the number
        self.number.setEnabled(found is None)
        self.number.setToolTip(translate(OVERVIEW[view.overview].help))

    @property
    def _corpus(self) -> RolesOverRuns | None:
        """The roles over many texts that name the heads; None: the text on screen names them."""
        asked = self._trace is not None and self._view.over_texts
        return self._view.corpus_of(self._trace) if asked else None

    @property
    def _stack(self) -> str:
        """The stack of the heads on screen, as in the columns of a sweep."""
        return "" if self._trace is None or self._trace.kind == "self" else self._trace.side

    def _told(self, layer: int, head: int) -> str:
        """Return what is said of a head: its number, what its ablation costs if that is another one, and its role."""
        heads, trace = self.cells.values, self._trace
        if heads is None or trace is None:
            return ""
        number = f"{heads.title}: {heads.number(float(heads.values[layer, head]))}"
        off = off_said(layer, head) if (layer, head) in heads.off else ""
        if self._corpus is None:
            role = translate(role_said(trace.overview, layer, head, trace.kind))
        else:
            named = self._corpus.of_stack(self._stack).get((layer, head))
            role = translate(Text("no role in most texts") if named is None else named.said)
        both, ablated = self._both, ""
        if both is not None:
            words = {"lost": both.attribution.number(-float(both.lost[layer, head]))}
            ablated = translate(Text("without it the logit changes by {lost}", words))
        said = head_said(layer, head), number, ablated, role, off
        return " · ".join(filter(None, said))

    @override
    def select(self) -> None:
        data = self._shown
        shaded = self.text if self._trace is None or self._trace.read.image is None else self.image
        if data is None:
            if isinstance(shaded, TokenText):
                shaded.fade()
            else:
                shaded.shade(np.zeros(len(shaded.places), np.uint8), None, None, None)
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

    def restyle(self, look: Look) -> None:
        """Apply a theme and type scale."""
        self._look = look
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
        adds, lost = self._attribution, self._ablation
        if self._trace is None or adds is None or lost is None or lost.lost is None:
            return None
        return BothEffects(adds, lost, self._trace.kind)

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
        self._choices.setGeometry(0, 0, min(self._choices.sizeHint().width(), width), px(_ROW))
        last = self._choices
        if not self._tokens.isHidden():
            last = self._tokens
            last.setGeometry(0, px(_ROW), min(last.sizeHint().width(), width), px(_ROW))
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

    @Slot()
    def _choose_tokens(self) -> None:
        self._current.propose(attributed=self.of_token.value(), minus=self.minus.value())

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


def _tokens_row(of_token: TokenEdit, minus: TokenEdit, parent: QWidget) -> QWidget:
    """Return the choice of the logit that heads add to: of a token, minus that of another one."""
    row = QWidget(parent)
    names = translate("Logit of"), translate("minus that of")
    for edit, name in zip((of_token, minus), names, strict=True):
        edit.box.setAccessibleName(name)
        edit.setToolTip(translate("One of the most probable tokens, or any other: type its text, or #7 for its number"))
    row_of(row, caption(names[0]), of_token, caption(names[1]), minus, gap=8)
    row.hide()
    return row


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


def _numbers_box() -> ComboBox:
    """Return the choice of the heads' measure: statistics first, then roles."""
    box = ComboBox()
    box.setAccessibleName(translate("The number of each head"))
    box.setSizeAdjustPolicy(ComboBox.SizeAdjustPolicy.AdjustToContents)
    for record in OVERVIEW.values():
        if record is OF_ROLES[0]:
            box.add_heading(translate("Roles"))
        box.addItem(translate(record.title), record.name)
        box.setItemData(box.count() - 1, translate(record.help), Qt.ItemDataRole.ToolTipRole)
    return box
