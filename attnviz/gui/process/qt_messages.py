"""What Qt complains of: on the terminal as before, in the log, and as one sentence where no window can be opened."""

import os
import sys

from PySide6.QtCore import QMessageLogContext, QtMsgType, qFormatLogMessage, qInstallMessageHandler

from attnviz.crash_report import Watch
from attnviz.gui.process.note_limit import NoteLimit
from attnviz.log import note

_GRAVE = (QtMsgType.QtWarningMsg, QtMsgType.QtCriticalMsg, QtMsgType.QtFatalMsg)
_FAILED = 1


class QtMessages:
    """Takes Qt's messages in whichever thread they come up, and calls nothing of Qt's that could cause another."""

    def __init__(self, watch: Watch) -> None:
        self._watch = watch
        self._opening: list[str] | None = []
        self._limit = NoteLimit()  # a repaint may complain at every frame

    def begin(self) -> None:
        """Take the messages from now on. Before there is a window they are held back: it may come to nothing."""
        qInstallMessageHandler(self._take)

    def window_can_open(self) -> None:
        """Let out what was held back: Qt has found a screen."""
        held, self._opening = self._opening or [], None
        for message in held:
            self._print(message)

    def end(self) -> None:
        """Give the messages back to Qt; Python must not be asked any more when it has gone."""
        qInstallMessageHandler(None)

    def _take(self, kind: QtMsgType, context: QMessageLogContext, message: str | None) -> None:
        text = message or ""
        if kind in _GRAVE:
            self._note(kind, text)
        if kind is QtMsgType.QtFatalMsg:
            self._watch.put_last_words(text)
            if self._opening is not None:
                self._give_up(text)
        formatted = qFormatLogMessage(kind, context, text)
        if self._opening is None:
            self._print(formatted)
        elif kind in _GRAVE:
            self._opening.append(formatted)

    def _note(self, kind: QtMsgType, text: str) -> None:
        if self._limit.lets(text):
            note(f"Qt, {kind.name.removeprefix('Qt').removesuffix('Msg').lower()}: {text}")

    def _give_up(self, text: str) -> None:
        """End the process where Qt would abort it: with a sentence in place of a core dump."""
        reasons = [message.partition(": ")[2] or message for message in self._opening or []] or [text]
        reason = "; ".join(" ".join(each.split()).rstrip(".") for each in reasons)
        self._print(f"attnviz: the window cannot be opened: {reason}; 'attnviz doctor' says what is missing")
        self._watch.close("no screen that Qt can use")
        os._exit(_FAILED)

    @staticmethod
    def _print(text: str) -> None:
        if sys.stderr is not None:
            print(text, file=sys.stderr, flush=True)
