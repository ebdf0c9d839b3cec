"""At the start: what windows have left behind that ended unexpectedly is offered, the newest first."""

import contextlib
from functools import partial
from pathlib import Path

from PySide6.QtCore import QObject, Slot

from attnviz.experiment.files.names import proposed_name
from attnviz.experiment.files.plain_files import remove_old_parts
from attnviz.experiment.labs import SpecError
from attnviz.experiment.session import Session
from attnviz.export.document import read_document
from attnviz.gui.recovery.autosave import Autosave, orphans
from attnviz.gui.recovery.restore_bar import RestoreBar
from attnviz.gui.run.background import Background
from attnviz.gui.session.manager import SessionKeeper
from attnviz.gui.widgets.words import translate


class LeftBehind(QObject):
    """Holds the locks of what it offers, so that no other window does; what is not answered is offered again."""

    def __init__(self, folder: Path, keeper: SessionKeeper, autosave: Autosave, bar: RestoreBar) -> None:
        super().__init__(keeper)
        self._keeper, self._autosave, self._bar = keeper, autosave, bar
        self._offered: Session | None = None
        self._background = Background(self, pool="autosave")
        self._background.done.connect(self._offer)
        self._background.failed.connect(self._say_unread)
        bar.restored.connect(self._restore)
        bar.discarded.connect(self._discard)
        remove_old_parts(folder)
        self._orphans = orphans(folder)
        self._look()

    def close(self) -> None:
        """Let go of what was not answered."""
        for orphan in self._orphans:
            orphan.lock.unlock()
        self._orphans = []

    def _look(self) -> None:
        """Read the newest that is left, if there is one."""
        self._offered = None
        self._bar.withdraw()
        if self._orphans:
            self._background.start(partial(_read, self._orphans[-1].path))

    @Slot(object)
    def _offer(self, found: tuple[Session | SpecError, float]) -> None:
        session, written_at = found
        if not self._orphans:
            return  # the window is closing
        if isinstance(session, Session):
            self._offered = session
            self._bar.offer(proposed_name(session.spec), written_at)
            return
        orphan = self._orphans.pop()
        aside = orphan.path.with_suffix(".broken")
        try:
            orphan.path.replace(aside)
        except OSError:  # then it stays where it is, and this is said again at the next start
            aside = orphan.path
        orphan.lock.unlock()
        sentence = self.tr("What attnviz left behind when it ended unexpectedly cannot be restored: {0}")
        self._keeper.said.emit(sentence.format(translate(str(session)).replace(str(orphan.path), str(aside))), True)
        self._look()

    @Slot(str)
    def _say_unread(self, why: str) -> None:
        """Say why nothing is offered; it is tried again at the next start."""
        sentence = self.tr("What attnviz left behind when it ended unexpectedly cannot be read: {0}")
        self._keeper.said.emit(sentence.format(why), True)

    @Slot()
    def _restore(self) -> None:
        if self._offered is not None:
            self._keeper.restore(self._offered, self._adopt)

    def _adopt(self) -> None:
        self._autosave.adopt(self._orphans.pop())
        self._look()

    @Slot()
    def _discard(self) -> None:
        if self._offered is not None:
            orphan = self._orphans.pop()
            with contextlib.suppress(OSError):
                orphan.path.unlink(missing_ok=True)
            orphan.lock.unlock()
            self._look()


def _read(path: Path) -> tuple[Session | SpecError, float]:
    try:
        written_at = path.stat().st_mtime
    except OSError:  # why it cannot be read, the reading says
        written_at = 0.0
    try:
        return read_document(path), written_at
    except SpecError as error:
        return error, written_at
