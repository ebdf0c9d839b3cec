"""A formula, set by ziamath in the background and kept: setting one takes longer than a frame."""

from functools import lru_cache

from PySide6.QtCore import QByteArray, QRectF, QSize, Slot
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtSvg import QSvgRenderer
from PySide6.QtWidgets import QSizePolicy, QWidget
from typing_extensions import override

from attnviz.gui.run.background import Background
from attnviz.gui.theme import Look

_GAP = 8


@lru_cache(maxsize=64)
def set_formula(latex: str, colour: str, size: int) -> bytes:
    """Return a formula as SVG."""
    import ziamath

    ziamath.config.svg2 = False  # Qt draws SVG 1.1
    return str(ziamath.Latex(latex, size=size, color=colour).svg()).encode()


class FormulaView(QWidget):
    """Shows one formula, no wider than it is given."""

    def __init__(self, look: Look, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._look = look
        self._latex = ""
        self._wanted: tuple[str, str, int] | None = None
        self._lines: list[QSvgRenderer] = []
        self._size: QSize | None = None  # of the formula that was set last, whose place the next one takes
        self._background = Background(self)
        self._background.done.connect(self._take)
        self._background.failed.connect(self._clear)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)

    def show_formula(self, latex: str, spoken: str) -> None:
        """Show a formula of one or more lines; ``spoken`` is what a screen reader says."""
        self.setAccessibleName(spoken)
        self.setToolTip(spoken)
        if latex != self._latex:
            self._latex = latex
            self._clear()  # the previous formula would be shown under the new name until this one is ready
            self._order()

    def restyle(self, look: Look) -> None:
        """Set the formula again in another colour or size."""
        self._look = look
        self._order()

    def _order(self) -> None:
        if self._latex:
            wanted = self._latex, self._look.theme.text, self._look.px(15)
            self._wanted = wanted
            self._background.start(
                lambda: (wanted, [set_formula(line, *wanted[1:]) for line in wanted[0].splitlines()]), instead=True
            )

    @Slot(object)
    def _take(self, result: tuple[tuple[str, str, int], list[bytes]]) -> None:
        wanted, lines = result
        if wanted == self._wanted:
            self._lines = [QSvgRenderer(QByteArray(line)) for line in lines]
            self._size = self._size_of_lines()
            self.updateGeometry()
            self.update()

    @Slot()
    def _clear(self) -> None:
        self._lines = []
        self.update()

    @override
    def sizeHint(self) -> QSize:
        return self._size or QSize(self._look.px(200), self._look.px(48))

    def _size_of_lines(self) -> QSize:
        sizes = [line.defaultSize() for line in self._lines]
        gaps = self._look.px(_GAP) * (len(sizes) - 1)
        return QSize(max(size.width() for size in sizes), sum(size.height() for size in sizes) + gaps)

    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        natural = self.sizeHint()
        shrink = min(1.0, self.width() / max(1, natural.width()), self.height() / max(1, natural.height()))
        y = max(0.0, (self.height() - natural.height() * shrink) / 2)
        for line in self._lines:
            size = line.defaultSize()
            line.render(painter, QRectF(0, y, size.width() * shrink, size.height() * shrink))
            y += (size.height() + self._look.px(_GAP)) * shrink
