"""A formula, typeset by ziamath in the background and cached: typesetting takes longer than a frame."""

import re
from functools import lru_cache

from PySide6.QtCore import QByteArray, QRectF, QSize, QTimer, Signal, Slot
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtSvg import QSvgRenderer
from PySide6.QtWidgets import QSizePolicy, QWidget
from typing_extensions import override

from attnviz.definitions.text import English
from attnviz.gui.run.background import Background
from attnviz.gui.theme import Look, Theme
from attnviz.gui.widgets.words import translate
from attnviz.log import first_line, note

_GAP = 8


@lru_cache(maxsize=64)
def set_formula(latex: str, colour: str, size: int, inline: bool = False) -> bytes:
    """Return a formula as SVG; ``inline`` as in a line of text, where limits stand beside their sum.

    A formula that cannot be typeset is its own text.
    """
    from attnviz.export.formulas import as_text, drawn

    try:
        return drawn(latex, colour, size, inline=inline).svg.encode()
    except Exception as error:
        note(f"the formula {latex!r} is shown as text, because it cannot be typeset: {first_line(error)}")
        return as_text(latex, colour, size).svg.encode()


_ROLES = {"q": "q", "k": "k", "v": "v", "h": "output", "o": "output"}
"""The theme's colour of a tensor by the letter of its symbol."""
_SYMBOL = re.compile(r"\\mathbf\{([QKVHOqkv])\}")
_WORDS = re.compile(r"\\text\{([^{}]*)\}")


def worded(latex: str) -> str:
    r"""Return a formula whose words, each ``\text{...}``, are in the language of the window."""
    parts = _WORDS.split(latex)
    parts[1::2] = map(_set_words, parts[1::2])
    return "".join(parts)


def _set_words(text: English) -> str:
    parts = translate(text).split("$")  # maths between two of them
    return "".join(part if at % 2 else rf"\text{{{part}}}" for at, part in enumerate(parts) if part)


def coloured(latex: str, theme: Theme, lit: str = "") -> str:
    """Return a formula whose bold Q, K, V, H and O, and q, k and v, have the colours of their tensors.

    With ``lit``, the name of one of these colours, only its symbols have it.
    """

    def colour(match: re.Match[str]) -> str:
        if lit not in ("", _ROLES[match[1].lower()]):
            return match[0]
        return rf"\textcolor{{{theme.text_of(_ROLES[match[1].lower()])}}}{{{match[0]}}}"

    return _SYMBOL.sub(colour, latex)


class FormulaView(QWidget):
    """Shows one formula, fitted to the available width."""

    changed = Signal()
    """Another formula is shown, possibly with another size."""

    def __init__(self, look: Look, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._look = look
        self._latex = ""
        self._lit = ""
        self._wanted: tuple[str, str, int] | None = None
        self._lines: list[QSvgRenderer] = []
        self._size: QSize | None = None  # of the last typeset formula, reserved for the next one
        self._background = Background(self)
        self._background.done.connect(self._take)
        self._background.failed.connect(self._clear)
        # Not before the next frame is painted: importing ziamath blocks the interpreter, which delayed the first
        # picture.
        self._soon = QTimer(self, singleShot=True, interval=0)
        self._soon.timeout.connect(self._set)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)

    def show_formula(self, latex: str, spoken: str) -> None:
        """Show a formula of one or more lines; ``spoken`` is its text for screen readers."""
        self.setAccessibleName(spoken)
        self.setToolTip(spoken)
        if latex != self._latex:
            self._latex = latex
            self._clear()  # the previous formula would be shown under the new name until this one is ready
            self._order()

    def light(self, role: str) -> None:
        """Highlight the symbols of a tensor, by the name of its colour; "" gives all of them their colours."""
        if role != self._lit:
            self._lit = role
            self._order()

    def restyle(self, look: Look) -> None:
        """Typeset the formula again in another colour or size."""
        self._look = look
        self._order()

    def _order(self) -> None:
        if self._latex:
            theme = self._look.theme
            latex = coloured(worded(self._latex), theme, self._lit)
            wanted = latex, theme.muted if self._lit else theme.text, self._look.px(20)
            self._wanted = wanted
            self._soon.start()

    @Slot()
    def _set(self) -> None:
        wanted = self._wanted
        if wanted is not None:
            self._background.start(
                # Limits above a sum are higher than its row, and would make the whole formula small.
                lambda: (wanted, [set_formula(line, *wanted[1:], True) for line in wanted[0].splitlines()]),
                instead=True,
            )

    @Slot(object)
    def _take(self, result: tuple[tuple[str, str, int], list[bytes]]) -> None:
        wanted, lines = result
        if wanted == self._wanted:
            self._lines = [QSvgRenderer(QByteArray(line)) for line in lines]
            self._size = self._size_of_lines()
            self.updateGeometry()
            self.update()
            self.changed.emit()

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
