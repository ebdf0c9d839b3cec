"""Labels whose texts change often, and labels that elide long texts."""

import html
import re

from PySide6.QtCore import QEvent, QSize, Qt
from PySide6.QtGui import QHelpEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QLabel, QToolTip, QWidget
from typing_extensions import override


class ElidingLabel(QLabel):
    """Plain text, never markup. `text()`, and so a screen reader, has the whole; so has a tooltip if it is elided."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setTextFormat(Qt.TextFormat.PlainText)

    @property
    def shown_text(self) -> str:
        """The visible text."""
        return self.fontMetrics().elidedText(self._line, Qt.TextElideMode.ElideRight, self.contentsRect().width())

    @property
    def _line(self) -> str:
        return " ".join(self.text().splitlines())

    @override
    def event(self, event: QEvent) -> bool:
        """Show the whole text of an elided label as a tooltip, followed by its own tooltip."""
        if isinstance(event, QHelpEvent) and event.type() == QEvent.Type.ToolTip and self.shown_text != self._line:
            text = "\n".join(filter(None, (self.text(), self.toolTip())))
            QToolTip.showText(event.globalPos(), as_plain(text), self)
            return True
        return super().event(event)

    @override
    def minimumSizeHint(self) -> QSize:
        return QSize(1, super().minimumSizeHint().height())

    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        self.drawFrame(painter)
        self.style().drawItemText(
            painter,
            self.contentsRect(),
            self.alignment(),
            self.palette(),
            self.isEnabled(),
            self.shown_text,
            self.foregroundRole(),
        )


_LEAST_ENDING, _MOST_ENDING = 10, 26
"""The least length of the last line of a text, and the greatest of a piece kept together there, in characters."""
_IN_NUMBER = re.compile(r"(?<=\d) (?=%)|(?<=[<>]) (?=\d)")


_LONG = re.compile(r"<[^>]*>|[^\s\u2e80-\uffef]{25,}")
"""Matches a tag, or a long word such as a path; Chinese may break anywhere."""
_IN_LONG = re.compile(r"[/\\_-](?=\w)|\w{16}(?=\w)")


def breakable(text: str) -> str:
    """Return a text with break opportunities in its long words, such as paths."""
    return _LONG.sub(lambda word: word[0] if word[0][0] == "<" else _IN_LONG.sub("\\g<0>\u200b", word[0]), text)


def unparted(text: str) -> str:
    """Return a text with no-break spaces.

    They keep a number with its %, < or >, and short words from being alone in the last line.
    """
    return "\n".join(map(_with_ending, _IN_NUMBER.sub("\u00a0", text).split("\n")))


def _with_ending(line: str) -> str:
    before, ending = line, ""
    while " " in before and len(ending) < _LEAST_ENDING:
        before, _, word = before.rpartition(" ")
        ending = f"{word}\u00a0{ending}" if ending else word
    return f"{before} {ending}" if " " in line and len(ending) <= _MOST_ENDING else line


class WrappedLabel(QLabel):
    """A text of several lines; `text()` is the original text, without the additions of `unparted` and `breakable`."""

    _plain = ""

    def __init__(self, text: str = "") -> None:
        super().__init__()
        self.setWordWrap(True)
        self.setText(text)

    @override
    def setText(self, text: str) -> None:
        self._plain = text
        markup = self.textFormat() != Qt.TextFormat.PlainText and "<" in text
        shown = text if markup else unparted(text)
        copied = self.textInteractionFlags() & Qt.TextInteractionFlag.TextSelectableByMouse
        super().setText(shown if copied else breakable(shown))

    @override
    def text(self) -> str:
        return self._plain


def caption(text: str = "", *, name: str = "caption", wraps: bool = False, plain: bool = False) -> QLabel:
    """Return a small muted label, or one with another style sheet ``name``, such as "problem".

    A ``plain`` text is never interpreted as markup.
    """
    label = WrappedLabel(text) if wraps else QLabel(text)
    label.setObjectName(name)
    if plain:
        label.setTextFormat(Qt.TextFormat.PlainText)
    return label


def show_text(label: QLabel, text: str) -> None:
    """Show a text in a label, which is hidden without one."""
    label.setText(text)
    label.setVisible(bool(text))


def as_plain(text: str) -> str:
    """Return a text for a tooltip that shows it verbatim: a token or a folder such as <s> would be taken for markup."""
    return f"<qt>{html.escape(text, quote=False)}</qt>" if "<" in text or "&" in text else text


_INDEXED = re.compile(r"\b([Wbw])_([qkvo])\b")


def show_indexed(label: QLabel, text: str) -> None:
    """Show a plain text in which the names of learned matrices, such as W_q, have a subscript."""
    marked = _INDEXED.sub(r"\1<sub><big>\2</big></sub>", html.escape(text, quote=False))
    indexed = _INDEXED.search(text) is not None
    label.setTextFormat(Qt.TextFormat.RichText if indexed else Qt.TextFormat.PlainText)
    label.setText(marked if indexed else text)


class SteadyLabel(QLabel):
    """A label as large as the widest of its texts so far; align it in its layout.

    Qt lays the whole window out again when a label's text changes, unless the label has a fixed size.
    """

    def __init__(self, text: str = "") -> None:
        super().__init__(text)
        self.fit()

    @override
    def setText(self, text: str) -> None:
        if text == self.text():
            return
        super().setText(text)
        if super().sizeHint().width() > self.width():
            self.fit()

    @override
    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() in (QEvent.Type.FontChange, QEvent.Type.StyleChange):
            self.fit()

    def fit(self) -> None:
        """Take the size of the current text."""
        self.setMinimumSize(0, 0)  # a label's hint is never below its minimum size
        self.setFixedSize(super().sizeHint())
