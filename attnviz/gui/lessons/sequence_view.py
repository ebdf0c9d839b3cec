"""A sequence with its positions, as passed to a model; visible during a question about a hidden picture."""

from collections.abc import Sequence

from PySide6.QtCore import QRect, QSize, Qt
from PySide6.QtGui import QFontMetrics, QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy
from typing_extensions import override

from attnviz.definitions.counting import SCREEN
from attnviz.gui.theme import Styled

_LEAST, _SIDE, _GAP = 30, 6, 6
"""The least width of a token, the padding beside its text, and the gap between two, at scale 1."""


class SequenceView(Styled):
    """Tokens in lines, each above its position, counted from one."""

    def __init__(self) -> None:
        super().__init__()
        self.tokens: Sequence[str] = ()
        """What is shown."""
        policy = QSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)

    def show_tokens(self, tokens: Sequence[str]) -> None:
        """Show a sequence; hidden without tokens."""
        self.setVisible(bool(tokens))
        if tokens != self.tokens:
            self.tokens = tokens
            self.setAccessibleName(", ".join(f"{SCREEN.number(place)} {token}" for place, token in enumerate(tokens)))
            self.updateGeometry()
            self.update()

    @property
    def _cell(self) -> QSize:
        """The size of a token with its position and gaps."""
        look = self._look
        metrics = QFontMetrics(look.token_font("body"))
        widest = max((metrics.horizontalAdvance(token) for token in self.tokens), default=0)
        height = look.px(2 * _SIDE) + metrics.height() + QFontMetrics(look.font("small")).height()
        return QSize(max(look.px(_LEAST), widest + look.px(2 * _SIDE)) + look.px(_GAP), height + look.px(_GAP))

    def _across(self, width: int) -> int:
        return max(1, (width + self._look.px(_GAP)) // self._cell.width())

    @override
    def heightForWidth(self, width: int) -> int:
        return -(-len(self.tokens) // self._across(width)) * self._cell.height()

    @override
    def sizeHint(self) -> QSize:
        width = self._cell.width() * max(1, len(self.tokens))
        return QSize(width, self.heightForWidth(self.width()))

    @override
    def minimumSizeHint(self) -> QSize:
        return QSize(1, self.heightForWidth(self.width()))

    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        look, cell, painter = self._look, self._cell, QPainter(self)
        gap, across = look.px(_GAP), self._across(self.width())
        middle = Qt.AlignmentFlag.AlignCenter
        small = QFontMetrics(look.font("small")).height()
        for place, token in enumerate(self.tokens):
            corner = QRect(place % across * cell.width(), place // across * cell.height(), cell.width() - gap, 0)
            chip = corner.adjusted(0, 0, 0, cell.height() - gap - small)
            painter.fillRect(chip, look.color("faint"))
            painter.setFont(look.token_font("body"))
            painter.setPen(look.color("text"))
            painter.drawText(chip, middle, token)
            painter.setFont(look.font("small"))
            painter.setPen(look.color("muted"))
            painter.drawText(QRect(chip.left(), chip.bottom(), chip.width(), small), middle, str(SCREEN.number(place)))
