"""The page of the text, large: the attention of the chosen token, and the attention to it."""

from dataclasses import replace

import numpy as np
from PySide6.QtCore import Slot
from PySide6.QtWidgets import QLabel
from typing_extensions import override

from attnviz.definitions.counting import told_apart
from attnviz.definitions.text import Text, number_said
from attnviz.experiment.model.view import ModelViewSettings
from attnviz.gui.labs.current_view import CurrentView
from attnviz.gui.labs.model.shown import brightened, choosing_of, head_title, line_of_weights, tokens_of
from attnviz.gui.layers.heads_view import Picture
from attnviz.gui.plots.page import ColourLine, Page
from attnviz.gui.plots.tensors.token_text import TokenText
from attnviz.gui.theme import Look
from attnviz.gui.widgets.labels import caption
from attnviz.gui.widgets.layouts import bring_in_sight, scrolling
from attnviz.gui.widgets.selection import SelectionModel
from attnviz.gui.widgets.words import translate

_SIZES = (2.0, 1.6, 1.3, 1.0, 0.8)
"""The type sizes to try, relative to that of headings, the largest first, until both texts are visible."""
_CAPTION = 24


class TextPage(Page[Picture]):
    """The same text twice: its tokens have the colours of the chosen row of the matrix, and of the chosen column."""

    def __init__(self, look: Look, selection: SelectionModel, current: CurrentView[ModelViewSettings]) -> None:
        super().__init__(look, selection, current)
        self._shown: Picture | None = None
        self.hint = self.tr("Point at a word to see what it attends to, click to hold it.")
        self.text = TokenText(look, self.tr("The text, shaded by what the chosen token attends to"), selection)
        self.back = TokenText(
            look, self.tr("The text, shaded by how much each token attends to the chosen one"), selection
        )
        self.captions: tuple[QLabel, QLabel] = caption(plain=True), caption(plain=True)
        self.areas = scrolling(self.text), scrolling(self.back)
        self.back.by_key = True
        for part in (*self.captions, *self.areas):
            part.setParent(self)
        for text in (self.text, self.back):
            text.type_size = "large"
            text.painted.connect(self.painted)
        selection.changed.connect(self._reveal)

    @override
    def show_data(self, data: Picture) -> None:
        self._shown = data
        for text in (self.text, self.back):
            how = {"by_key": text.by_key}
            text.show_tokens(
                tokens_of(data.trace, self._current.value, **how), choosing_of(data.trace, self._current.value, **how)
            )
        self._place()
        self._reveal()

    @override
    def select(self) -> None:
        data, chosen = self._shown, self._selection.current
        if data is None or chosen.query is None or chosen.query >= data.content.layer.weights.shape[2]:
            return
        layer, contrast = data.content.layer, data.content.view.contrast
        head = min(chosen.head, layer.num_heads - 1)
        title, crosses = head_title(data.trace, head), data.trace.crosses
        key = chosen.key if crosses else chosen.query
        sides = self.tr("{0} · “{1}” looks at"), self.tr("{0} · “{1}” is looked at by")
        pairs = (layer.query_names, chosen.query), (layer.key_names, key)
        for label, said, (names, at) in zip(self.captions, sides, pairs, strict=True):
            pointless = self.tr("{0} · point at a token of the text to see what looks at it").format(title)
            label.setText(pointless if at is None else said.format(title, told_apart(names)[at]))
        if key is None:
            self.back.fade()
            row = layer.row_levels((0, head, chosen.query), contrast)
            self.text.shade(row, data.weights, chosen.query, chosen.key)
            return
        colours = brightened(layer, head, contrast)
        if colours is None:
            row = layer.row_levels((0, head, chosen.query), contrast)
            column = np.asarray(layer.levels("weights", contrast)[0, head][:, key])
        else:
            (row, of_row), (column, of_column) = colours.row(chosen.query), colours.column(key)
            for label, largest in zip(self.captions, (of_row, of_column), strict=True):
                shaded = Text("shaded up to {largest}", {"largest": number_said(largest)})
                label.setText(f"{label.text()} · {translate(shaded)}")
        self.text.shade(row, data.weights, chosen.query, chosen.key)
        self.back.shade(column, data.weights, chosen.query, chosen.key if crosses else None)

    @override
    def restyle(self, look: Look) -> None:
        super().restyle(look)
        self._place()

    @override
    def colour_line(self) -> ColourLine | None:
        return line_of_weights(self._shown)

    @override
    def _place(self) -> None:
        """Use the largest type in which the text is visible twice; if there is none, both scroll."""
        caption, width, top = self._look.px(_CAPTION), self.width(), 0
        room = max(1, self.height() // 2 - caption)
        looks = [replace(self._look, scale=self._look.scale * size) for size in _SIZES]
        texts = (self.text, self.back)
        look = next((look for look in looks if all(each.height_in(look, width) <= room for each in texts)), looks[-1])
        for label, area, text in zip(self.captions, self.areas, texts, strict=True):
            if text.look != look:
                text.restyle(look)
            text.setFixedHeight(text.heightForWidth(width))
            label.setGeometry(0, top, width, caption)
            area.setGeometry(0, top + caption, width, min(text.lines_in(room), text.height()))
            top = area.geometry().bottom() + 1

    @Slot()
    def _reveal(self) -> None:
        """Reveal the selected token in both texts."""
        held = self._selection.locked.query
        if held is not None and held < len(self.text.places) and self.isVisible():
            for text, area in zip((self.text, self.back), self.areas, strict=True):
                bring_in_sight(area, text.places[held], text.line)
