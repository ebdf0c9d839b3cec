"""The page of maps of tokens: weights of several layers multiplied, as a matrix and over the text or the image."""

from dataclasses import replace
from typing import Any

from PySide6.QtCore import QSignalBlocker, Slot
from PySide6.QtWidgets import QWidget
from typing_extensions import override

from attnviz.definitions.contrasts import CONTRASTS
from attnviz.definitions.counting import SCREEN, with_positions
from attnviz.definitions.text import Text, number_said
from attnviz.definitions.token_maps import COMBINATIONS, TOKEN_MAPS
from attnviz.experiment.colours import contrast_to_offer, quantise, stretched, stretched_scale, without_left_out
from attnviz.experiment.labs import Asked
from attnviz.experiment.model.token_maps.sentences import limits_of, row_said, title_of
from attnviz.experiment.model.token_maps.study import DARK, Cells, TokenMapTrace
from attnviz.experiment.model.trace import ModelTrace
from attnviz.experiment.model.view import ModelViewSettings
from attnviz.experiment.run import Failure
from attnviz.gui.forms.editor import ComboBox
from attnviz.gui.labs.current_view import CurrentView
from attnviz.gui.labs.model.image_view import ImageView
from attnviz.gui.labs.model.shown import tokens_of
from attnviz.gui.labs.study_page import StudyPage
from attnviz.gui.layers.heads_view import Picture
from attnviz.gui.plots.matrix.heatmap import Heatmap
from attnviz.gui.plots.matrix.matrix import Matrix
from attnviz.gui.plots.page import ColourLine
from attnviz.gui.plots.tensors.token_text import ShadedTokens, TokenText
from attnviz.gui.theme import Look
from attnviz.gui.widgets.formula_view import FormulaView
from attnviz.gui.widgets.labels import SteadyLabel, caption
from attnviz.gui.widgets.layouts import FlowLayout, bring_in_sight, row_of, scrolling
from attnviz.gui.widgets.selection import SelectionModel
from attnviz.gui.widgets.slider import Slider
from attnviz.gui.widgets.words import failure_text, translate, with_patches

_GAP, _SLIDER, _FORMULA, _CAPTION = 8, 120, 44, 40
"""At scale 1: the gap between parts, the width of the slider, the most height of the formula, and that of a caption."""
_SHARE, _LOW_SHARE = 0.62, 0.72
"""The share of the width for the matrix beside the text, and of the height above it."""
_LONG = 96
"""The matrix of a longer text has no sums beside it."""
_SIZES = (1.4, 1.0, 0.8)
"""The type sizes of the text to try, relative to that of headings, the largest first, until all of it is visible."""
_HUNDREDTHS = 100


class RolloutPage(StudyPage[Picture]):
    """Requests the map that the choices describe; the last one stays until the next has come."""

    _current: CurrentView[ModelViewSettings]

    def __init__(self, look: Look, selection: SelectionModel, current: CurrentView[ModelViewSettings]) -> None:
        super().__init__(look, selection, current)
        self._shown: Picture | None = None
        self._map: tuple[ModelTrace, TokenMapTrace] | None = None  # on screen, with the trace of its run
        self._cells: Cells | None = None
        self._drawn: tuple[object, ...] = ()
        self.hint = self.tr("Point at a token or a cell to see what it draws on, click to hold it.")
        self._make_choices()
        self.heatmap = Heatmap(look, self.tr("The map: a row for each query, a column for each key"), self)
        said = self.tr("The text, shaded by what the chosen token draws on")
        self.text = TokenText(look, said, selection)
        self.text.type_size = "large"
        self.area = scrolling(self.text)
        self.image = ImageView(look, self.tr("The image, shaded by what the chosen patch draws on"), selection, self)
        self.caption = caption(wraps=True, plain=True)
        self.formula = FormulaView(look, self)
        self.limits = caption(wraps=True, plain=True)
        for part in (self.area, self.caption, self.limits):
            part.setParent(self)
        for picture in (self.heatmap, self.text, self.image):
            picture.painted.connect(self.painted)
        self.heatmap.hovered.connect(selection.hover_cell)
        self.heatmap.clicked.connect(selection.lock_cell)
        self.heatmap.head_stepped.connect(self._step_head)
        self.formula.changed.connect(self._place)
        selection.changed.connect(self._reveal)

    def _make_choices(self) -> None:
        self.choices = QWidget(self)
        flow = FlowLayout(self.choices, gap=12, line_gap=4)
        self.map, self.heads, self.layer, self.token = (ComboBox(self.choices) for _ in range(4))
        names = self.tr("Map"), self.tr("Heads"), self.tr("Layers"), self.tr("Logit")
        for box, name in zip((self.map, self.heads, self.layer, self.token), names, strict=True):
            box.setAccessibleName(name)
            box.setSizeAdjustPolicy(ComboBox.SizeAdjustPolicy.AdjustToContents)
        for record in TOKEN_MAPS.values():
            self.map.addItem(translate(record.title), record.name)
            self.map.setItemData(self.map.count() - 1, translate(record.help), 3)
        self.slider = Slider()
        self.slider.setRange(0, _HUNDREDTHS)
        self.slider.setPageStep(10)
        self.slider.setAccessibleName(self.tr("Residual share"))
        self.share = SteadyLabel()
        self.share.setObjectName("number")
        self.residual = QWidget(self.choices)
        self.residual.setToolTip(
            self.tr("The share r of the identity in each layer, for the residual connection; Abnar & Zuidema take 0.5")
        )
        row_of(self.residual, caption(self.tr("residual share")), self.slider, self.share, gap=6)
        for part in (self.map, self.heads, self.layer, self.residual, self.token):
            flow.addWidget(part)
        self._current.bind("token_map", self.map)
        self.heads.activated.connect(self._choose_heads)
        self.layer.activated.connect(self._choose_layer)
        self.token.activated.connect(self._choose_token)
        self.slider.valueChanged.connect(self._choose_share)

    # The study.

    @override
    def studies(self) -> tuple[Asked, ...]:
        trace = None if self._shown is None else self._shown.trace
        if trace is None or trace.crosses:
            return ()
        return (self._view.map_of(trace.spec, trace.continued, trace.side),)

    @override
    def draw_results(self) -> None:
        self.redraw_asked.emit()

    @property
    @override
    def study_on_screen(self) -> TokenMapTrace | None:
        return None if self._map is None else self._map[1]

    # The choices.

    @Slot(int)
    def _choose_heads(self, place: int) -> None:
        chosen = self.heads.itemData(place)
        if not isinstance(chosen, int):
            self._current.propose(map_heads=chosen)
            return
        self._current.propose(map_heads="head", head=chosen)
        self._selection.lock(replace(self._selection.locked, head=chosen))

    @Slot(int)
    def _step_head(self, step: int) -> None:
        place = self.heads.currentIndex() + step
        if self._view.map_heads == "head" and len(COMBINATIONS) - 1 <= place < self.heads.count():
            self._choose_heads(place)

    @Slot(int)
    def _choose_layer(self, place: int) -> None:
        self._current.propose(map_layer=self.layer.itemData(place) if place else None)

    @Slot(int)
    def _choose_token(self, place: int) -> None:
        self._current.propose(map_token=self.token.itemData(place) if place else None)

    @Slot(int)
    def _choose_share(self, hundredths: int) -> None:
        self._current.propose(map_residual=hundredths / _HUNDREDTHS)

    def _show_choices(self, trace: ModelTrace) -> None:
        """Offer the layers, heads and tokens of a trace, and show the view settings."""
        view, record = self._view, TOKEN_MAPS[self._view.token_map]
        heads: list[tuple[str, Any]] = [
            (translate(each.title), each.name) for each in COMBINATIONS.values() if each.name != "head"
        ]
        head = translate("head {0}")
        heads += [(head.format(SCREEN.head(each)), each) for each in range(trace.model.num_heads)]
        _fill(
            self.heads, heads, min(view.head, trace.model.num_heads - 1) if view.map_heads == "head" else view.map_heads
        )
        whole = self.tr("all layers") if record.rolled else self.tr("last layer")
        layers: list[tuple[str, Any]] = [(whole, -1)]
        for number in trace.layers.numbers:
            n = {"n": SCREEN.number(number)}
            layers.append((translate(Text("up to layer {n}", n) if record.rolled else Text("layer {n}", n)), number))
        nearest = None if view.map_layer is None else trace.layers.nearest(view.map_layer)
        _fill(self.layer, layers, -1 if nearest is None else nearest)
        self.token.setVisible(record.of == "gradients" and trace.prediction is not None)
        if trace.prediction is not None:
            tokens = dict(zip(trace.prediction.ids, trace.prediction.tokens, strict=True))
            top = Text("logit of “{token}”, the top one", {"token": trace.prediction.tokens[0]})
            shown: list[tuple[str, Any]] = [(translate(top), -1)]
            if view.map_token is not None:
                tokens.setdefault(view.map_token, f"<{view.map_token}>")
            for token, name in tokens.items():
                shown.append((translate(Text("logit of “{token}”", {"token": name})), token))
            _fill(self.token, shown, -1 if view.map_token is None else view.map_token)
        self.residual.setVisible(record.has_share)
        self.share.setText(f"{view.map_residual:.2f}")
        if not self.slider.isSliderDown():
            with QSignalBlocker(self.slider):
                self.slider.setValue(round(_HUNDREDTHS * view.map_residual))

    # Drawing.

    @override
    def show_data(self, data: Picture) -> None:
        self._shown = data
        trace: ModelTrace = data.trace
        self._show_choices(trace)
        found = self.result(self.study)
        if isinstance(found, TokenMapTrace):
            self._map = trace, found
        shown = None if self._map is None else self._map[1]
        record, heads = (TOKEN_MAPS[self._view.token_map], self._view.map_heads)
        if shown is not None:  # formula and limits are those of the picture
            record, heads = shown.record, shown.spec.heads
        latex, spoken = record.formula(heads)
        self.formula.show_formula(latex, translate(spoken))
        self.limits.setText(translate(Text(record.ignores) if shown is None else limits_of(shown)))
        is_text = trace.read.image is None
        self.heatmap.setVisible(shown is not None)
        self.area.setVisible(is_text)
        self.image.setVisible(not is_text)
        self.say(self._failure_said(found) if isinstance(found, Failure) else "")
        tokens = tokens_of(trace, self._view)
        if trace.read.image is None:
            self.text.show_tokens(tokens)
        else:
            self.image.show_image(trace.read.image, tokens)
        if self._is_current:
            self._draw(data, trace)
        self._place()

    def _failure_said(self, found: Failure[Any]) -> str:
        """Return why there is no map, and that of another choice is still on screen."""
        why = failure_text(found)
        return f"{why} {self.tr('The picture shows the last map that could be made.')}" if self._is_current else why

    @property
    def _is_current(self) -> bool:
        """Whether the map on screen is of the tokens on screen."""
        if self._map is None or self._shown is None:
            return False
        now, then = self._shown.trace.read, self._map[1].read
        return bool(now.ids == then.ids and now.image is then.image)

    def _draw(self, data: Picture, trace: ModelTrace) -> None:
        """Draw the map, unless it is on screen."""
        assert self._map is not None
        view, found = self._view, self._map[1]
        contrast = self._contrast
        drawn = found, contrast, view.joined, view.hide_special, view.sums, data.weights, self._look
        if drawn == self._drawn:
            return
        self._drawn = drawn
        self._cells = cells = found.cells(joined=view.joined, hide_special=view.hide_special)
        names = cells.names
        has_sums = view.sums and len(names) <= _LONG and not self._look.present
        matrix = Matrix(
            levels=stretched(cells.values, cells.mask | (cells.values != 0), found.scale, contrast),
            values=cells.values,
            mask=without_left_out(cells.mask, contrast),
            row_labels=with_positions(names),
            column_labels=names,
            row_sums=cells.values.sum(axis=-1, dtype=float) if has_sums else None,
            title=translate(title_of(found)),
            row_title=translate("queries"),
            column_title=translate("keys"),
        )
        self.heatmap.show_matrix(matrix, data.weights)
        self.heatmap.heads = (found.spec.head, trace.model.num_heads) if found.spec.heads == "head" else (0, 1)

    @property
    def _contrast(self) -> str:
        """The contrast of the map on screen: lengths and gradients already end at their largest number."""
        return self._view.contrast_drawn if self._map is not None and self._map[1].has_shares else ""

    @override
    def select(self) -> None:
        matrix, cells, chosen = self.heatmap.matrix, self._cells, self._selection.current
        shaded: ShadedTokens = self.image if self.area.isHidden() else self.text
        if self._map is None or self._shown is None or matrix is None or cells is None or not self._is_current:
            self.heatmap.select(None)
            self.caption.setText("")
            shaded.fade()
            if self._map is not None and not isinstance(self.result(self.study), Failure):
                self.say(self.tr("Computing. These pictures show the previous settings."))
            return
        self.heatmap.select(chosen.cell)
        query = chosen.query
        if query is None or query >= len(cells.names):
            return
        found = self._map[1]
        levels, said = matrix.levels[query], self.tr("“{0}” draws on").format(with_patches(matrix.row_labels[query]))
        largest = cells.largest_beside(query)
        if not self._contrast and found.has_shares and 0 < largest < DARK:
            levels = quantise(cells.values[query], cells.mask[query], 0.0, largest)
            said = f"{said} · {translate(Text('shaded up to {largest}', {'largest': number_said(largest)}))}"
        self.caption.setText(said)
        shaded.shade(levels, self._shown.weights, query, chosen.key)
        if not isinstance(self.result(self.study), Failure):
            self.say(with_patches(translate(row_said(found, cells.names, cells.values[query].tolist(), query))))

    @property
    def reading(self) -> str:
        """The text about the selected cell, or row; "" without one."""
        matrix, cell = self.heatmap.matrix, self._selection.current.cell
        if matrix is None or cell is None or cell.row >= len(matrix.row_labels):
            return ""
        return with_patches(matrix.said(cell.row, cell.column))

    @override
    def colour_line(self) -> ColourLine | None:
        matrix = self.heatmap.matrix
        if self._map is None or self._shown is None or matrix is None:
            return None
        found, contrast = self._map[1], self._contrast
        return ColourLine(
            stretched_scale(matrix.values, found.scale, contrast),
            self._shown.weights,
            translate(found.record.title),
            masked=matrix.mask is not None and not matrix.mask.all(),
            contrast=contrast if found.has_shares else None,
            offered=contrast_to_offer(matrix.values, matrix.levels) if found.has_shares and not contrast else "",
            left_out=bool(contrast) and CONTRASTS[contrast].leaves_out_first,
        )

    @override
    def restyle(self, look: Look) -> None:
        super().restyle(look)
        self._drawn = ()
        self._place()

    @property
    @override
    def close_up(self) -> QWidget:
        return self.heatmap

    @property
    def _view(self) -> ModelViewSettings:
        return self._current.value

    @override
    def _place(self) -> None:
        """Place the choices above, formula and limits below, and between them the matrix and the text."""
        px = self._look.px
        gap, width, height = px(_GAP), max(1, self.width()), max(1, self.height())
        self.slider.setFixedWidth(px(_SLIDER))
        layout = self.choices.layout()
        above = layout.heightForWidth(width) if layout is not None else 0
        self.choices.setGeometry(0, 0, width, above)
        below = self.limits.heightForWidth(width)
        self.limits.setGeometry(0, height - below, width, below)
        formula = min(self.formula.sizeHint().height(), px(_FORMULA))
        self.formula.setGeometry(0, height - below - formula, width, formula)
        top = above + gap
        room = max(1, height - below - formula - gap - top)
        beside = min(room, round(_SHARE * width))
        stacked = min(width, round(_LOW_SHARE * room))
        if beside >= stacked:
            wide = min(round(_SHARE * width), round(1.15 * room))
            self.heatmap.setGeometry(0, top, wide, room)
            left, rest = wide + 2 * gap, room
        else:
            tall = round(_LOW_SHARE * room)
            self.heatmap.setGeometry(0, top, width, tall)
            left, top, rest = 0, top + tall + gap, room - tall - gap
        across = max(1, width - left)
        said = px(_CAPTION)
        self.caption.setGeometry(left, top, across, said)
        tall = max(1, rest - said)
        self.image.setGeometry(left, top + said, across, tall)
        looks = [replace(self._look, scale=self._look.scale * size) for size in _SIZES]
        look = next((look for look in looks if self.text.height_in(look, across) <= tall), looks[-1])
        if self.text.look != look:
            self.text.restyle(look)
        self.text.setFixedHeight(self.text.heightForWidth(across))
        self.area.setGeometry(left, top + said, across, min(self.text.lines_in(tall), self.text.height()))

    @Slot()
    def _reveal(self) -> None:
        """Reveal the selected token in the text."""
        held = self._selection.locked.query
        if held is not None and held < len(self.text.places) and self.isVisible():
            bring_in_sight(self.area, self.text.places[held], self.text.line)


def _fill(box: ComboBox, choices: list[tuple[str, Any]], chosen: Any) -> None:
    """Offer choices, each with its value, and show the chosen one."""
    with QSignalBlocker(box):
        if [box.itemText(at) for at in range(box.count())] != [text for text, _ in choices]:
            box.clear()
            for text, value in choices:
                box.addItem(text, value)
        box.setCurrentIndex(box.findData(chosen))
