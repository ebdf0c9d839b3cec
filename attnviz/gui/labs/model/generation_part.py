"""The generation in the right column: the token on screen, and the key-value cache that its pass has read."""

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QColor, QPainter
from PySide6.QtWidgets import QSizePolicy, QWidget
from typing_extensions import override

from attnviz.definitions.counting import SCREEN
from attnviz.definitions.text import bytes_said
from attnviz.experiment.model.sentences import cache_said, generation_said
from attnviz.experiment.model.trace import ModelTrace
from attnviz.gui.plots.matrix.canvas import Canvas
from attnviz.gui.theme import Look
from attnviz.gui.widgets.labels import caption
from attnviz.gui.widgets.layouts import column_of
from attnviz.gui.widgets.step_row import StepRow
from attnviz.gui.widgets.words import translate

_ROW, _NAME, _NUMBER = 18, 56, 74
"""The height of a layer, and the widths of its name and of its size, at scale 1."""
_LEAST = 3
"""The least width of the new token's keys and values, at scale 1."""
_MOST = 12
"""The most layers with a line; further ones are counted."""


class CachePicture(Canvas):
    """A line for each layer: the tokens whose keys the pass reads from it, the new one last, and the bytes after it."""

    background = "panel"

    def __init__(self, look: Look) -> None:
        super().__init__(look)
        self._trace: ModelTrace | None = None
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        self.setAccessibleName(self.tr("Key-value cache"))

    def show_trace(self, trace: ModelTrace) -> None:
        """Draw the cache after the pass on screen."""
        self._trace = trace
        self.setAccessibleDescription(translate(cache_said(trace)))
        self.redraw()

    @override
    def sizeHint(self) -> QSize:
        layers = 0 if self._trace is None or self._trace.generated is None else len(self._trace.generated.cache)
        return QSize(self.look.px(240), self.look.px(_ROW) * (min(layers, _MOST) + (layers > _MOST)))

    def cells(self, layer: int) -> QRectF:
        """Return the rectangle of a layer's tokens."""
        left, height = self.look.px(_NAME), self.look.px(_ROW)
        return QRectF(left, layer * height + 4, self.width() - left - self.look.px(_NUMBER), height - 8)

    @override
    def draw(self, painter: QPainter) -> None:
        trace = self._trace
        if trace is None or trace.generated is None:
            return
        theme, height = self.look.theme, self.look.px(_ROW)
        tokens = len(trace.read_of_keys if trace.crosses else trace.written)
        painter.setFont(self.look.font("small"))
        right = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
        for layer, cached in enumerate(trace.generated.cache[:_MOST]):
            painter.setPen(QColor(theme.muted))
            line = QRectF(0, layer * height, self.width(), height)
            name = self.tr("layer {0}").format(SCREEN.number(layer))
            painter.drawText(line, Qt.AlignmentFlag.AlignVCenter, name)
            if self.look.numbers:
                painter.drawText(line, right, bytes_said(cached.nbytes))
            whole = self.cells(layer)
            painter.fillRect(whole, QColor(theme.faint))
            of_one = whole.width() / tokens
            if trace.crosses:  # the encoder has made all of them
                painter.fillRect(whole, QColor(theme.k))
                continue
            new = of_one * (1 if trace.step else cached.positions)  # the first pass reads the text itself
            new = max(new, self.look.px(_LEAST)) if cached.positions else 0
            old = min(cached.old * of_one, whole.width() - new)
            at = QRectF(whole.right() - new, whole.top(), new, whole.height())
            painter.fillRect(at, QColor(theme.q))
            painter.fillRect(at.adjusted(-old, 0, -new, 0), QColor(theme.k))
        more = len(trace.generated.cache) - _MOST
        if more > 0:
            painter.setPen(QColor(theme.muted))
            line = QRectF(0, _MOST * height, self.width(), height)
            painter.drawText(line, Qt.AlignmentFlag.AlignVCenter, self.tr("and {0} more").format(more))


class TokenRow(StepRow):
    """A slider over the new tokens."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(
            parent,
            title=self.tr("token"),
            name=self.tr("New token"),
            about=self.tr("Show the pass that leads to an earlier token; Run continues from there"),
        )

    def show_trace(self, trace: ModelTrace) -> None:
        """Show the step of a trace; hide without a generation."""
        self.setVisible(trace.generated is not None)
        self.show_step(trace.step, trace.known_steps, trace.last_step, first=1)


class GenerationPart(QWidget):
    """A slider over the new tokens, what the pass has read from the cache, and how the tokens are chosen."""

    def __init__(self, look: Look) -> None:
        super().__init__()
        self.steps = TokenRow()
        self.cache = CachePicture(look)
        self.read, self.said = caption(wraps=True, plain=True), caption(wraps=True, plain=True)
        column_of(self, self.steps, self.read, self.cache, self.said, gap=4)

    def show_trace(self, trace: ModelTrace) -> None:
        """Show the generation of a trace that has one."""
        generated = trace.generated
        if generated is None:
            return
        self.steps.show_trace(trace)
        self.read.setText(translate(cache_said(trace)))
        self.cache.setVisible(bool(generated.cache))
        self.cache.show_trace(trace)
        self.said.setText("\n".join(map(translate, generation_said(trace))))
