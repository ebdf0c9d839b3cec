"""The page of the image: overlaid by what the chosen patch attends to, and by how much each attends to it."""

import numpy as np
from PySide6.QtWidgets import QLabel
from typing_extensions import override

from attnviz.definitions.text import Text, number_said
from attnviz.experiment.model.view import ModelViewSettings
from attnviz.gui.labs.current_view import CurrentView
from attnviz.gui.labs.model.image_view import ImageView
from attnviz.gui.labs.model.shown import brightened, head_title, line_of_weights, tokens_of
from attnviz.gui.layers.heads_view import Picture
from attnviz.gui.plots.page import ColourLine, Page
from attnviz.gui.theme import Look
from attnviz.gui.widgets.labels import caption
from attnviz.gui.widgets.selection import SelectionModel
from attnviz.gui.widgets.words import translate, with_patches

_CAPTION, _GAP = 40, 16
"""The height of a caption of two lines, and the gap between the images, at scale 1."""


class ImagePage(Page[Picture]):
    """The same image twice: its patches have the colours of the chosen row of the matrix, and of the chosen column."""

    def __init__(self, look: Look, selection: SelectionModel, current: CurrentView[ModelViewSettings]) -> None:
        super().__init__(look, selection, current)
        self._shown: Picture | None = None
        self.hint = self.tr(
            "Point at a patch to see what it attends to, click to hold it. Its edge has the colour of its weight."
        )
        said = self.tr("The image, overlaid by what the chosen patch attends to")
        self.image = ImageView(look, said, selection, self)
        said = self.tr("The image, overlaid by how much each patch attends to the chosen one")
        self.back = ImageView(look, said, selection, self)
        self.captions: tuple[QLabel, QLabel] = caption(wraps=True, plain=True), caption(wraps=True, plain=True)
        for label in self.captions:
            label.setParent(self)
        for image in (self.image, self.back):
            image.painted.connect(self.painted)

    @override
    def show_data(self, data: Picture) -> None:
        self._shown = data
        if data.trace.read.image is None:
            return
        tokens = tokens_of(data.trace, self._current.value)
        for image in (self.image, self.back):
            image.show_image(data.trace.read.image, tokens)
        self._place()

    @override
    def select(self) -> None:
        data, chosen = self._shown, self._selection.current
        if data is None or chosen.query is None or chosen.query >= data.content.layer.weights.shape[2]:
            return
        layer, contrast = data.content.layer, data.content.view.contrast
        head = min(chosen.head, layer.num_heads - 1)
        words = head_title(data.trace, head), with_patches(layer.query_names[chosen.query])
        sides = self.tr("{0} · “{1}” looks at"), self.tr("{0} · “{1}” is looked at by")
        for label, said in zip(self.captions, sides, strict=True):
            label.setText(said.format(*words))
        colours = brightened(layer, head, contrast)
        if colours is None:
            row = layer.row_levels((0, head, chosen.query), contrast)
            column = np.asarray(layer.levels("weights", contrast)[0, head][:, chosen.query])
        else:
            (row, of_row), (column, of_column) = colours.row(chosen.query), colours.column(chosen.query)
            for label, largest in zip(self.captions, (of_row, of_column), strict=True):
                if largest == 1:
                    continue  # as in the colour bar
                shaded = Text("shaded up to {largest}", {"largest": number_said(largest)})
                label.setText(f"{label.text()} · {translate(shaded)}")
        self.image.shade(row, data.weights, chosen.query, chosen.key)
        self.back.shade(column, data.weights, chosen.query, None)

    @override
    def restyle(self, look: Look) -> None:
        super().restyle(look)
        for image in (self.image, self.back):
            image.restyle(look)
        self._place()

    @override
    def colour_line(self) -> ColourLine | None:
        return line_of_weights(self._shown)

    @override
    def _place(self) -> None:
        """Place both images beside each other, or below each other where that makes them larger."""
        high, gap = self._look.px(_CAPTION), self._look.px(_GAP)
        width, height = max(1, self.width()), max(1, self.height())
        beside = min((width - gap) // 2, height - high)
        below = min(width, height // 2 - high)
        if beside >= below:
            wide, steps = (width - gap) // 2, ((0, 0), ((width + gap) // 2, 0))
            tall = height - high
        else:
            wide, steps = width, ((0, 0), (0, height // 2))
            tall = height // 2 - high
        for label, image, (left, top) in zip(self.captions, (self.image, self.back), steps, strict=True):
            label.setGeometry(left, top, wide, high)
            image.setGeometry(left, top + high, wide, max(1, tall))
