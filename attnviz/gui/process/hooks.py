"""A defect of ours, wherever it comes up: the user is told, the log and the terminal have the traceback."""

import contextlib
import signal
import sys
import threading
from types import FrameType, TracebackType

from PySide6.QtCore import QObject, Qt, Signal, Slot

from attnviz.gui.process.note_limit import NoteLimit
from attnviz.gui.window.main_window import MainWindow
from attnviz.log import note_defect

_ENDING = tuple(getattr(signal, name) for name in ("SIGTERM", "SIGHUP") if hasattr(signal, name))


class Hooks(QObject):
    """Python's last resorts, as long as the window is there. The window lives on."""

    _raised = Signal(str)
    _close_asked = Signal()

    def __init__(self, window: MainWindow) -> None:
        super().__init__(window)
        self._window = window
        self._limit = NoteLimit()  # a slot may be called at every frame
        self._raised.connect(self._tell)  # queued where it comes from another thread, which must touch no widget
        self.ended_by = ""
        """The name of the signal that closed the window, where one did."""
        # Python calls a handler between any two lines, also in the middle of building a widget.
        self._close_asked.connect(self._close, Qt.ConnectionType.QueuedConnection)

    def begin(self) -> None:
        """Take every exception that nobody else does."""
        sys.excepthook = self.handle
        threading.excepthook = self._handle_of_thread
        sys.unraisablehook = self._handle_unraisable

    def take_signals(self) -> None:
        """Let the signals that ask a process to end close the window."""
        signal.signal(signal.SIGINT, self.close_window)
        for each in _ENDING:
            if signal.getsignal(each) is not signal.SIG_IGN:  # as nohup has it
                signal.signal(each, self.close_window)

    def release_signals(self) -> None:
        """Let them end the process again: all that must not be lost is written."""
        for each in _ENDING:
            if signal.getsignal(each) == self.close_window:
                signal.signal(each, signal.SIG_DFL)

    def end(self) -> None:
        """Give them back to Python."""
        sys.excepthook = sys.__excepthook__
        threading.excepthook = threading.__excepthook__
        sys.unraisablehook = sys.__unraisablehook__
        signal.signal(signal.SIGINT, signal.default_int_handler)

    def handle(self, kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
        """Tell the terminal, the log and the user of an exception; for `sys.excepthook`, in any thread."""
        import traceback

        with contextlib.suppress(OSError):  # a terminal that has gone
            traceback.print_exception(kind, error, trace)
        self._note("an exception that nobody expected", error.with_traceback(trace))
        self._raised.emit(f"{kind.__name__}: {error}")

    def close_window(self, number: int, _frame: FrameType | None) -> None:
        """Close the window soon, without asking anything; for a signal of the terminal or of the desktop's end."""
        self.ended_by = signal.Signals(number).name
        self._close_asked.emit()

    @Slot()
    def _close(self) -> None:
        self._window.keeper.asks = False
        self._window.close()

    def _handle_of_thread(self, found: threading.ExceptHookArgs) -> None:
        if found.exc_value is not None and not issubclass(found.exc_type, SystemExit):
            self.handle(found.exc_type, found.exc_value, found.exc_traceback)

    def _handle_unraisable(self, found: "sys.UnraisableHookArgs") -> None:
        """Note what was raised where nobody can be told, such as while an object is destroyed."""
        sys.__unraisablehook__(found)
        if found.exc_value is not None:
            self._note(found.err_msg or f"ignored in {type(found.object).__name__}", found.exc_value)

    def _note(self, where: str, error: BaseException) -> None:
        last = error.__traceback__
        while last is not None and last.tb_next is not None:
            last = last.tb_next
        place = "" if last is None else f"{last.tb_frame.f_code.co_filename}:{last.tb_lineno}"
        if self._limit.lets(place):
            note_defect(where, error)

    @Slot(str)
    def _tell(self, what: str) -> None:
        self._window.notice.tell(self.tr("Something went wrong: {0}").format(what))
