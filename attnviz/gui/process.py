"""The process around the window: exceptions and signals, Qt's messages, and garbage collection."""

import contextlib
import gc
import os
import signal
import sys
import threading
from types import FrameType, TracebackType

from PySide6.QtCore import (
    QMessageLogContext,
    QObject,
    Qt,
    QTimer,
    QtMsgType,
    Signal,
    Slot,
    qFormatLogMessage,
    qInstallMessageHandler,
)
from PySide6.QtWidgets import QApplication, QDialog

from attnviz.crash_report import Watch
from attnviz.doctor import libraries_remedy
from attnviz.gui.window.main_window import MainWindow
from attnviz.log import NoteLimit, note, note_defect

MOST_PLACES = 20
"""The most code locations whose exceptions are written to the crash report."""
_AGAIN = 20
"""The time, in milliseconds, until a window that could not be closed is closed again."""
_ENDING = tuple(getattr(signal, name) for name in ("SIGTERM", "SIGHUP") if hasattr(signal, name))


class Hooks(QObject):
    """Python's hooks for unexpected exceptions, and the signals that end a process, while the window exists.

    The window stays open after an exception, which is reported to the user, the log and the terminal.
    """

    _raised = Signal(str)
    _close_asked = Signal()

    def __init__(self, window: MainWindow, watch: Watch) -> None:
        super().__init__(window)
        self._window, self._watch = window, watch
        self._limit = NoteLimit()
        self._reported: set[str] = set()
        # Queued: another thread must touch no widget, and no widget may change while it is painted.
        self._raised.connect(self._tell, Qt.ConnectionType.QueuedConnection)
        self.ended_by = ""
        """The name of the signal that closed the window, where one did."""
        # Python calls a handler between any two lines, also in the middle of building a widget.
        self._close_asked.connect(self._close, Qt.ConnectionType.QueuedConnection)

    def move_to(self, window: MainWindow) -> None:
        """Report to another window, and close that one."""
        self.setParent(window)
        self._window = window

    def begin(self) -> None:
        """Handle every exception that is not handled elsewhere."""
        sys.excepthook = self.handle
        threading.excepthook = self._handle_of_thread
        sys.unraisablehook = self._handle_unraisable

    def take_signals(self) -> None:
        """Let the signals that end a process close the window."""
        signal.signal(signal.SIGINT, self.close_window)
        for each in _ENDING:
            if signal.getsignal(each) is not signal.SIG_IGN:  # nohup ignores it
                signal.signal(each, self.close_window)

    def release_signals(self) -> None:
        """Let them end the process again, once all files are written."""
        for each in _ENDING:
            if signal.getsignal(each) == self.close_window:
                signal.signal(each, signal.SIG_DFL)

    def end(self) -> None:
        """Restore Python's own hooks."""
        sys.excepthook = sys.__excepthook__
        threading.excepthook = threading.__excepthook__
        sys.unraisablehook = sys.__unraisablehook__
        signal.signal(signal.SIGINT, signal.default_int_handler)

    def handle(self, kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
        """Report an exception to the terminal, the log and the user; for `sys.excepthook`, in any thread."""
        import traceback

        if self._note("an unexpected exception", error.with_traceback(trace)):
            with contextlib.suppress(OSError):  # the terminal was closed
                traceback.print_exception(kind, error, trace)
        self._raised.emit(f"{kind.__name__}: {error}")

    def close_window(self, number: int, _frame: FrameType | None) -> None:
        """Close the window soon without a question, as requested by the terminal or the desktop session."""
        self.ended_by = signal.Signals(number).name
        self._close_asked.emit()

    @Slot()
    def _close(self) -> None:
        self._window.keeper.asks = False
        question = QApplication.activeModalWidget()
        if isinstance(question, QDialog):
            question.reject()
        if not self._window.close():  # the question was whether to close it: that attempt ends first
            QTimer.singleShot(_AGAIN, self, self._close)

    def _handle_of_thread(self, found: threading.ExceptHookArgs) -> None:
        if found.exc_value is not None and not issubclass(found.exc_type, SystemExit):
            self.handle(found.exc_type, found.exc_value, found.exc_traceback)

    def _handle_unraisable(self, found: "sys.UnraisableHookArgs") -> None:
        """Log an exception that cannot be handled, such as while an object is destroyed."""
        sys.__unraisablehook__(found)
        if found.exc_value is not None:
            self._note(found.err_msg or f"ignored in {type(found.object).__name__}", found.exc_value)

    def _note(self, where: str, error: BaseException) -> bool:
        """Log an exception and add it to the crash report; return False for one of a kind that was noted before.

        An exception may be raised at every frame.
        """
        last = error.__traceback__
        while last is not None and last.tb_next is not None:
            last = last.tb_next
        place = "" if last is None else f"{last.tb_frame.f_code.co_filename}:{last.tb_lineno}"
        if place not in self._reported and len(self._reported) < MOST_PLACES:
            self._reported.add(place)
            self._watch.put_defect(where, error)
        if is_new := self._limit.lets(place):
            note_defect(where, error)
        return is_new

    @Slot(str)
    def _tell(self, what: str) -> None:
        self._window.notice.tell(self.tr("Something went wrong: {0}").format(what))


_GRAVE = (QtMsgType.QtWarningMsg, QtMsgType.QtCriticalMsg, QtMsgType.QtFatalMsg)
_FAILED = 1


class QtMessages:
    """Handles Qt's messages in any thread, and calls nothing of Qt's that could cause another.

    They go to the terminal as before and to the log; if no window can be opened, one message says why.
    """

    def __init__(self, watch: Watch) -> None:
        self._watch = watch
        self._opening: list[str] | None = []
        self._limit = NoteLimit()  # a repaint may complain at every frame

    def begin(self) -> None:
        """Handle the messages from now on. They are held back until a window can open, which may fail."""
        qInstallMessageHandler(self._take)

    def window_can_open(self) -> None:
        """Print the messages held back: Qt has found a screen."""
        held, self._opening = self._opening or [], None
        for message in held:
            self._print(message)

    def end(self) -> None:
        """Return the messages to Qt, which must not call Python after its end."""
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
        """End the process where Qt would abort it, with a message instead of a core dump."""
        reasons = [message.partition(": ")[2] or message for message in self._opening or []] or [text]
        reason = "; ".join(" ".join(each.split()).rstrip(".") for each in reasons)
        # Qt names one library, even if that one exists and another is missing.
        remedy = libraries_remedy()
        why = f"system libraries are missing: {remedy}" if remedy else f"{reason}; 'attnviz doctor' says what is wrong"
        self._print(f"attnviz: the window cannot be opened: {why}")
        self._watch.close("no screen that Qt can use")
        os._exit(_FAILED)

    @staticmethod
    def _print(text: str) -> None:
        if sys.stderr is not None:
            print(text, file=sys.stderr, flush=True)


INTERVAL_MS = 1000


class GarbageCollector(QObject):
    """Collects in the window's thread on a timer, instead of in any thread that happens to allocate.

    Widgets must be destroyed in the thread that created them; collecting one in the worker crashes Qt.
    """

    def __init__(self) -> None:
        super().__init__()
        gc.disable()
        self._timer = QTimer(self, interval=INTERVAL_MS)
        self._timer.timeout.connect(self._collect)
        self._timer.start()

    def close(self) -> None:
        """Leave collection to Python again, frozen objects included."""
        self._timer.stop()
        gc.unfreeze()
        gc.enable()

    @Slot()
    def keep_what_is_loaded(self) -> None:
        """Exclude the objects that exist now from collection.

        Modules, torch's above all, are half a million permanent objects; traversing them takes 0.1 s or more.
        """
        gc.freeze()

    @Slot()
    def _collect(self) -> None:
        """Collect the generations that are due, as Python would."""
        due = [count > most for count, most in zip(gc.get_count(), gc.get_threshold(), strict=True)]
        if due[0]:
            gc.collect(2 if all(due) else 1 if due[1] else 0)
