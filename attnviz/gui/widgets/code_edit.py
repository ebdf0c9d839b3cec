"""A text editor for Python: highlighted, with line numbers, and with a mark at the line of an error."""

from collections.abc import Iterator
from functools import lru_cache
from typing import Any

from PySide6.QtCore import QEvent, QRect, QSignalBlocker, QSize, Qt, QTimer, Signal, Slot
from PySide6.QtGui import (
    QColor,
    QFocusEvent,
    QFont,
    QFontDatabase,
    QFontMetricsF,
    QKeyEvent,
    QKeySequence,
    QPainter,
    QPaintEvent,
    QResizeEvent,
    QShowEvent,
    QSyntaxHighlighter,
    QTextCharFormat,
    QTextCursor,
    QTextDocument,
    QTextFormat,
)
from PySide6.QtWidgets import QPlainTextEdit, QTextEdit, QWidget
from typing_extensions import override

from attnviz.gui.theme import DARK, LIGHT, Look
from attnviz.gui.widgets.gestures import Gesture

_STYLES = {"light": "vs", "dark": "github-dark"}
"""Styles of pygments whose colours are legible in a lecture."""
_QUOTES = '"""', "'''"
_MOST_IN_LINE, _MOST = 2_000, 50_000
"""The most characters of a line, and of a text, that is highlighted; more would block the window."""
_MOST_LINES = 500
"""The most lines whose widths decide the size of the type before an audience."""
_LEAST_TYPE = 8
"""The least size of that type, in pixels at scale 1."""
_INDENT = "    "
_PAUSE_MS = 250


@lru_cache(maxsize=2)
def _formats(style: str) -> Any:
    """Return the function from a token type of pygments to its format."""
    from pygments.styles import get_style_by_name

    found = get_style_by_name(style)

    @lru_cache(maxsize=128)
    def format_of(token: Any) -> QTextCharFormat:
        shown, made = found.style_for_token(token), QTextCharFormat()
        if shown["color"]:
            made.setForeground(QColor(f"#{shown['color']}"))
        made.setFontWeight(QFont.Weight.DemiBold if shown["bold"] else QFont.Weight.Normal)
        made.setFontItalic(bool(shown["italic"]))
        return made

    return format_of


class _Highlighter(QSyntaxHighlighter):
    """Colours one line at a time; a line's state is the kind of quotes that are open at its end, from 1."""

    def __init__(self, document: QTextDocument, style: str) -> None:
        from pygments.lexers.python import PythonLexer
        from pygments.token import String

        super().__init__(document)
        self._format = _formats(style)
        self._lexer, self._strings = PythonLexer(), String

    def take_style(self, style: str) -> None:
        self._format = _formats(style)
        self.rehighlight()

    @override
    def highlightBlock(self, text: str) -> None:
        before = max(0, self.previousBlockState())
        if len(text) > _MOST_IN_LINE or self.document().characterCount() > _MOST:
            self.setCurrentBlockState(before)
            return
        lead = _QUOTES[before - 1] if before else ""
        opened = 0
        for start, token, part in self._lexer.get_tokens_unprocessed(lead + text):
            if part in _QUOTES and token in self._strings:
                opened = 0 if opened else 1 + _QUOTES.index(part)
            first, last = (max(0, at - len(lead)) for at in (start, start + len(part)))
            first, length = _units(text[:first]), _units(text[first:last])
            self.setFormat(first, length, self._format(token))
        self.setCurrentBlockState(opened)


class _Gutter(QWidget):
    """The column of line numbers."""

    def __init__(self, edit: "CodeEdit") -> None:
        super().__init__(edit)
        self._edit = edit

    @override
    def sizeHint(self) -> QSize:
        return QSize(self._edit.gutter_width, 0)

    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        self._edit.paint_numbers(self, event.rect())


class CodeEdit(QPlainTextEdit):
    """Edits Python. Tab indents; after Escape it leaves. An edit takes effect after a pause in typing."""

    GESTURES = (
        Gesture("Tab, Shift+Tab", "Indent or unindent the lines", "Code"),
        Gesture("Esc, then Tab", "Leave the editor", "Code"),
        Gesture("Ctrl+/", "Turn the lines into comments, or back", "Code"),
        Gesture("Ctrl+S", "Save the file", "Code"),
    )
    edited = Signal()
    """The user has changed the text, and a pause followed."""
    save_pressed = Signal()
    """Ctrl+S was pressed."""

    def __init__(self, name: str) -> None:
        super().__init__()
        self._look = Look(LIGHT)
        self._highlighter: _Highlighter | None = None
        self._wrong = 0
        self._shown = ""
        self.setAccessibleName(name)
        self.setAccessibleDescription(self.tr("Tab indents; Esc, then Tab or Shift+Tab, leaves the editor."))
        self.setToolTip(self.accessibleDescription())
        self.setLineWrapMode(QPlainTextEdit.LineWrapMode.NoWrap)
        self._gutter = _Gutter(self)
        self.typing = QTimer(self, singleShot=True, interval=_PAUSE_MS)
        """Runs during the pause."""
        self.typing.timeout.connect(self.finish)
        self.textChanged.connect(self._note_typing)
        self.blockCountChanged.connect(self._make_room)
        self.updateRequest.connect(self._scroll_gutter)
        self.cursorPositionChanged.connect(self._mark_lines)
        self._make_room()

    @property
    def text(self) -> str:
        """The text."""
        return self.toPlainText()

    def show_text(self, text: str) -> None:
        """Show a text without emitting `edited`; cursor, scroll bars and the editor's own undo steps stay.

        Typed text that has not taken effect stays too, if the text is the one that it was typed into.
        """
        if text == self._shown:
            return
        self.typing.stop()
        now = self.toPlainText()
        if text != now:
            start = next(
                (n for n, (a, b) in enumerate(zip(now, text, strict=False)) if a != b), min(len(now), len(text))
            )
            same = zip(reversed(now[start:]), reversed(text[start:]), strict=False)
            end = next((n for n, (a, b) in enumerate(same) if a != b), min(len(now), len(text)) - start)
            cursor = QTextCursor(self.document())
            cursor.setPosition(_units(now[:start]))
            cursor.setPosition(_units(now[: len(now) - end]), QTextCursor.MoveMode.KeepAnchor)
            with QSignalBlocker(self):
                cursor.insertText(text[start : len(text) - end])
                if not now:
                    self.moveCursor(QTextCursor.MoveOperation.Start)
            self._make_room()
            self._mark_lines()
        self._shown = self.toPlainText()
        self._fit_type()

    @Slot()
    def finish(self) -> None:
        """Let the typed text take effect now; while it is hidden, when it is shown again."""
        self.typing.stop()
        if self.isVisible() and self.toPlainText() != self._shown:
            self._shown = self.toPlainText()
            self.edited.emit()

    @property
    def wrong_line(self) -> int:
        """The line marked as wrong, counted from 1; 0 is none."""
        return self._wrong

    def mark_wrong(self, line: int) -> None:
        """Mark the line of an error, counted from 1; 0 marks none."""
        self._wrong = line if line <= self.blockCount() else 0
        self._mark_lines()
        self._gutter.update()

    def go_to(self, line: int) -> None:
        """Put the cursor into a line, counted from 1, and focus it."""
        block = self.document().findBlockByNumber(max(line, 1) - 1)
        if block.isValid():
            self.setTextCursor(QTextCursor(block))
            self.centerCursor()
        self.setFocus()

    def restyle(self, look: Look) -> None:
        """Apply a theme and type scale."""
        self._look = look
        wrap = QPlainTextEdit.LineWrapMode
        self.setLineWrapMode(wrap.WidgetWidth if look.present else wrap.NoWrap)
        self._fit_type()
        if self._highlighter is not None:
            self._highlighter.take_style(self._style)
        self._make_room()
        self._mark_lines()

    def _fit_type(self) -> None:
        """Set the type: before an audience smaller, within limits, if the longest line needs it."""
        font, size = QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont), self._look.px(12)
        if self._look.present:
            font.setPixelSize(size)
            needed = max(map(QFontMetricsF(font).horizontalAdvance, self.toPlainText().split("\n")[:_MOST_LINES]))
            room = self.viewport().width() - 3 * self.document().documentMargin()
            if needed > room:
                size = max(self._look.px(_LEAST_TYPE), int(size * room / needed))
        font.setPixelSize(size)
        if font != self.font():
            self.setFont(font)
            self.document().setDefaultFont(font)
            self.setTabStopDistance(4 * self.fontMetrics().horizontalAdvance(" "))
            self._make_room()

    @property
    def _style(self) -> str:
        return _STYLES["dark" if self._look.theme is DARK else "light"]

    @override
    def showEvent(self, event: QShowEvent) -> None:
        if self._highlighter is None:  # importing pygments would slow the start of the window
            with QSignalBlocker(self):
                self._highlighter = _Highlighter(self.document(), self._style)
        super().showEvent(event)
        self._note_typing()

    @override
    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.ShortcutOverride and isinstance(event, QKeyEvent) and self._is_own(event):
            event.accept()
            return True
        return super().event(event)

    def _is_own(self, event: QKeyEvent) -> bool:
        """Return whether a key is handled here though the window has an action for it; a second Escape is not."""
        leaves = event.key() == Qt.Key.Key_Escape and not self.tabChangesFocus()
        return not self.isReadOnly() and (leaves or event.matches(QKeySequence.StandardKey.Save))

    @override
    def keyPressEvent(self, event: QKeyEvent) -> None:
        key, control = event.key(), event.modifiers() == Qt.KeyboardModifier.ControlModifier
        if event.text() and key not in (Qt.Key.Key_Escape, Qt.Key.Key_Tab, Qt.Key.Key_Backtab):
            self.setTabChangesFocus(False)
        if self.isReadOnly():
            super().keyPressEvent(event)
        elif key == Qt.Key.Key_Escape:
            self.setTabChangesFocus(True)
            super().keyPressEvent(event)
        elif self._is_own(event):
            self.finish()
            self.save_pressed.emit()
        elif control and key == Qt.Key.Key_Slash:
            self._toggle_comments()
        elif key == Qt.Key.Key_Backtab or (key == Qt.Key.Key_Tab and self.textCursor().hasSelection()):
            self._indent(out=key == Qt.Key.Key_Backtab)
        elif key == Qt.Key.Key_Tab:
            column = self.textCursor().positionInBlock()
            self.insertPlainText(" " * (len(_INDENT) - column % len(_INDENT)))
        elif key in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self._break_line()
        else:
            super().keyPressEvent(event)

    @override
    def focusOutEvent(self, event: QFocusEvent) -> None:
        self.setTabChangesFocus(False)
        super().focusOutEvent(event)

    def _break_line(self) -> None:
        """Begin a line with the indentation of this one, and one more after a colon."""
        cursor = self.textCursor()
        before = cursor.block().text()[: cursor.positionInBlock()]
        lead = before[: len(before) - len(before.lstrip())]
        deeper = _INDENT if before.rstrip().endswith(":") else ""
        cursor.insertText(f"\n{lead}{deeper}")
        self.ensureCursorVisible()

    def _chosen_lines(self) -> Iterator[QTextCursor]:
        """Yield a cursor at the beginning of each line of the selection, as one step of the editor's undo."""
        chosen = self.textCursor()
        document = self.document()
        first, last = document.findBlock(chosen.selectionStart()), document.findBlock(chosen.selectionEnd())
        if chosen.hasSelection() and chosen.selectionEnd() == last.position() and last != first:
            last = last.previous()
        chosen.beginEditBlock()
        for number in range(first.blockNumber(), last.blockNumber() + 1):
            yield QTextCursor(document.findBlockByNumber(number))
        chosen.endEditBlock()

    def _indent(self, *, out: bool) -> None:
        for cursor in self._chosen_lines():
            text = cursor.block().text()
            if out:
                for _ in range(min(len(_INDENT), len(text) - len(text.lstrip(" ")))):
                    cursor.deleteChar()
            elif text:
                cursor.insertText(_INDENT)

    def _toggle_comments(self) -> None:
        lines = [cursor.block().text() for cursor in self._chosen_lines()]
        off = all(line.lstrip().startswith("#") for line in lines if line.strip())
        depth = min((len(line) - len(line.lstrip()) for line in lines if line.strip()), default=0)
        for cursor in self._chosen_lines():
            text = cursor.block().text()
            if not text.strip():
                continue
            at = text.index("#") if off else depth
            cursor.movePosition(QTextCursor.MoveOperation.Right, n=at)
            if off:
                for _ in range(2 if text[at : at + 2] == "# " else 1):
                    cursor.deleteChar()
            else:
                cursor.insertText("# ")

    # Line numbers and marked lines.

    @property
    def gutter_width(self) -> int:
        """The width of the column of numbers in pixels."""
        digits = max(2, len(str(self.blockCount())))
        return self._look.px(10) + digits * self.fontMetrics().horizontalAdvance("9")

    def paint_numbers(self, gutter: QWidget, area: QRect) -> None:
        """Paint the numbers of the visible lines."""
        painter = QPainter(gutter)
        painter.fillRect(area, self._look.color("faint"))
        painter.setFont(self.font())
        block, offset = self.firstVisibleBlock(), self.contentOffset()
        room = gutter.width() - self._look.px(5)
        while block.isValid():
            place = self.blockBoundingGeometry(block).translated(offset)
            if place.top() > area.bottom():
                break
            number, top, height = block.blockNumber() + 1, round(place.top()), round(place.height())
            if number == self._wrong:
                painter.fillRect(0, top, gutter.width(), height, self._look.color("danger"))
            painter.setPen(self._look.color("panel" if number == self._wrong else "muted"))
            painter.drawText(0, top, room, height, Qt.AlignmentFlag.AlignRight, str(number))
            block = block.next()

    @Slot()
    def _make_room(self) -> None:
        self.setViewportMargins(self.gutter_width, 0, 0, 0)
        self._place_gutter()

    @Slot(QRect, int)
    def _scroll_gutter(self, area: QRect, by: int) -> None:
        if by:
            self._gutter.scroll(0, by)
        else:
            self._gutter.update(0, area.y(), self._gutter.width(), area.height())

    @override
    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit_type()
        self._place_gutter()

    def _place_gutter(self) -> None:
        view = self.viewport().geometry()
        self._gutter.setGeometry(view.left() - self.gutter_width, view.top(), self.gutter_width, view.height())

    @Slot()
    def _mark_lines(self) -> None:
        """Mark the line of an error, and the line of the cursor."""
        marks = [] if self.isReadOnly() else [self._mark(self.textCursor(), "faint")]
        block = self.document().findBlockByNumber(self._wrong - 1)
        if self._wrong and block.isValid():
            marks.append(self._mark(QTextCursor(block), "danger_soft"))
        self.setExtraSelections(marks)

    def _mark(self, cursor: QTextCursor, role: str) -> QTextEdit.ExtraSelection:
        mark: Any = QTextEdit.ExtraSelection()
        mark.format.setBackground(self._look.color(role))
        mark.format.setProperty(QTextFormat.Property.FullWidthSelection, True)
        cursor.clearSelection()
        mark.cursor = cursor
        return mark  # type: ignore[no-any-return]

    @Slot()
    def _note_typing(self) -> None:
        if self.toPlainText() != self._shown:  # not a change of the colours
            self.typing.start()


def _units(text: str) -> int:
    """Return the length of a text in Qt's units: a character beyond the first 65,536 counts twice."""
    return len(text) if text.isascii() else len(text.encode("utf-16-le", "surrogatepass")) // 2
