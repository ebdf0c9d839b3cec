"""A defect of ours, wherever it comes up: the user is told, the log and the terminal have the traceback."""

import contextlib
import sys
import threading
from types import FrameType, TracebackType

from PySide6.QtCore import QObject, Signal, Slot

from attnviz.gui.process.note_limit import NoteLimit
from attnviz.gui.window.main_window import MainWindow
from attnviz.log import note_defect


class Hooks(QObject):
    """Python's last resorts, as long as the window is there. The window lives on."""

    _raised = Signal(str)

    def __init__(self, window: MainWindow) -> None:
        super().__init__(window)
        self._window = window
        self._limit = NoteLimit()  # a slot may be called at every frame
        self._raised.connect(self._tell)  # queued where it comes from another thread, which must touch no widget

    def begin(self) -> None:
        """Take every exception that nobody else does."""
        sys.excepthook = self.handle
        threading.excepthook = self._handle_of_thread
        sys.unraisablehook = self._handle_unraisable

    def end(self) -> None:
        """Give them back to Python."""
        sys.excepthook = sys.__excepthook__
        threading.excepthook = threading.__excepthook__
        sys.unraisablehook = sys.__unraisablehook__

    def handle(self, kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
        """Tell the terminal, the log and the user of an exception; for `sys.excepthook`, in any thread."""
        import traceback

        with contextlib.suppress(OSError):  # a terminal that has gone
            traceback.print_exception(kind, error, trace)
        self._note("an exception that nobody expected", error.with_traceback(trace))
        self._raised.emit(f"{kind.__name__}: {error}")

    def close_window(self, _signal: int, _frame: FrameType | None) -> None:
        """Close the window without asking anything; for a signal from the terminal."""
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
