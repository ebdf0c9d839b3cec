"""The window that one example after the other acts on, brought to the start of a session each time."""

import gc
from collections.abc import Callable
from typing import Any

from any_files import Files
from any_pointer import AnyPointer
from hands import Hands
from picture_laws import Witness
from PySide6.QtCore import QCoreApplication, QEvent
from pytestqt.qtbot import QtBot
from random_acts import AnyHand
from session_hands import begin_at

from attnviz.experiment.labs import Spec
from attnviz.gui.window.main_window import MainWindow


class Stand:
    """The window that one example after the other acts on, and everything around it."""

    def __init__(
        self, qtbot: QtBot, files: Files, open_window: Callable[..., MainWindow], log: Any, exceptions: list[Any]
    ) -> None:
        self.files, self._qtbot, self._log = files, qtbot, log
        self._open_window, self._exceptions = open_window, exceptions
        self.acts = 0
        """How many there were, of all examples."""
        self.longest_rest_s = 0.0
        self.failed = False
        """Whether something went wrong in the last example, so that its window is no longer to be trusted."""
        self.open()

    def open(self) -> None:
        """Open a window."""
        self.window = self._open_window()
        hands = Hands(self._qtbot)
        self.hand = AnyHand(self.window, hands, self.files)
        self.pointer = AnyPointer(self.window, hands)
        self.witness = Witness(self.window, self._qtbot, self._log, self._exceptions)

    def begin(self, spec: Spec) -> None:
        """Bring the window to the start of a session; after a failure a new one is opened."""
        gc.collect()  # which else happens only at the end
        self.files.begin_anew()
        if self.failed:
            self.failed = False
            self.window.close()
            self._exceptions.clear()
            self._open_another()
        self.witness.begin_anew()
        window = self.window
        window.resize(1280, 800)
        window.activateWindow()
        window.rooms["attention"].stage.tools.brushes.press("")
        for room in window.rooms.values():
            room.stage.player.stop()
            if room.form._fold is not None:
                room.form._fold.expand()
        window.controller.propose(spec)
        self.rest()
        begin_at(window, spec)
        self.rest()

    def rest(self) -> None:
        """Wait until the window rests."""
        self.longest_rest_s = max(self.longest_rest_s, self.witness.rest())

    def close(self) -> None:
        """Close the window, and open another unless an answer kept it."""
        if self.window.close():
            self._open_another()

    def _open_another(self) -> None:
        assert self.window.runner.close(), "the worker is still running"
        self.window.deleteLater()
        QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
        self.open()
