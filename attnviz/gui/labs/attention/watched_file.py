"""The user's Python file on disk, and those that it imports: notices when another program saves or deletes one."""

from collections.abc import Mapping
from functools import partial
from pathlib import Path
from typing import NamedTuple

from PySide6.QtCore import QFileSystemWatcher, QObject, Qt, QTimer, Signal, Slot
from PySide6.QtGui import QGuiApplication

from attnviz.definitions.text import Text
from attnviz.experiment.attention.mods import read_source
from attnviz.experiment.attention.opened import syntax_error
from attnviz.experiment.files.plain_files import DataFileError, Stamp, stamp_of
from attnviz.gui.run.background import Background
from attnviz.gui.widgets.words import translate

_WRITING_MS, _MISSING_MS = 60, 500
"""The times in milliseconds until a file is read again that may be half written, or that is missing: some editors
empty or delete it before they write."""


class _Read(NamedTuple):
    path: Path
    stamp: Stamp | None
    text: str | None
    """None if it cannot be read."""
    why: Text = Text()
    is_whole: bool = False
    """Whether the text can be parsed, so that it is not half of what is being written."""


class WatchedFile(QObject):
    """Reads the file outside the window's thread, and again whenever it has changed."""

    opened = Signal(str)
    """The text of the file when it was first read."""
    changed = Signal(str)
    """Another program has saved the file: its new text."""
    lost = Signal(str)
    """The file is gone, or cannot be read any more: a message."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.path: Path | None = None
        """The file; None: none is watched."""
        self.text: str | None = None
        """Its text when it was last read; None before that, or if it could not be read."""
        self.stamp: Stamp | None = None
        """Its version when it was last read or written."""
        self.rests = False
        """Whether changes are left for later: the window shows another lab."""
        self._first, self._doubted, self._was_whole = True, False, False
        self._watcher = QFileSystemWatcher(self)
        self._again = QTimer(self, singleShot=True)
        self._again.timeout.connect(self.check)
        self._reading = Background(self, pool="files")
        self._reading.done.connect(self._take)
        self._watcher.fileChanged.connect(self.check)
        self._watcher.directoryChanged.connect(self.check)
        # Network shares send no notifications; returning from an editor is a good moment to look.
        QGuiApplication.instance().applicationStateChanged.connect(self._look_again)  # type: ignore[union-attr]

    def watch(self, path: Path | None) -> None:
        """Watch another file, or none."""
        if path == self.path:
            return
        if watched := (*self._watcher.files(), *self._watcher.directories()):
            self._watcher.removePaths(watched)
        self.path, self.text, self.stamp = path, None, None
        self._first, self._doubted = True, False
        self.check()

    def note_written(self, text: str, stamp: Stamp | None) -> None:
        """Note what this window has written to the file, which is no news."""
        self.text, self.stamp, self._first, self._doubted = text, stamp, False, False
        self._listen()

    @Slot()
    def check(self) -> None:
        """Read the file, unless it is the version read last."""
        if self.path is not None and not self.rests:
            self._reading.start(partial(_look, self.path, self.stamp), instead=True)

    @Slot(Qt.ApplicationState)
    def _look_again(self, state: Qt.ApplicationState) -> None:
        if state == Qt.ApplicationState.ApplicationActive:
            self.check()

    def _listen(self) -> None:
        """Listen to the file, which may be another one under the same name now, and to its folder.

        Only once it has been read: a network share that does not respond would block the window.
        """
        if self.path is not None:
            _listen(self._watcher, self.path)

    @Slot(object)
    def _take(self, read: _Read | None) -> None:
        if read is None or read.path != self.path:
            return  # it has not changed, or another one is watched by now
        self._listen()
        half = read.text is None or (self._was_whole and not (read.text.strip() and read.is_whole))
        if half and self.text is not None and not self._doubted:
            self._doubted = True
            self._again.start(_MISSING_MS if read.text is None else _WRITING_MS)
            return
        self._doubted, self._was_whole = False, read.is_whole
        if read.text is None:
            was_there, self.text, self.stamp, self._first = self.text is not None, None, read.stamp, False
            if was_there:
                self.lost.emit(translate(read.why))
            return
        before, was_first = self.text, self._first
        self.text, self.stamp, self._first = read.text, read.stamp, False
        if was_first:
            self.opened.emit(read.text)
        elif read.text != before:
            self.changed.emit(read.text)


class WatchedHelpers(QObject):
    """Notices outside the window's thread when another program saves a file that the user's file imports.

    A missing one is left alone until it is there again: some editors delete a file before they write it.
    """

    saved = Signal()
    """At least one of the files is another version than that run last."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.rests = False
        """Whether changes are left for later: the window shows another lab."""
        self._versions: dict[str, Stamp] = {}
        self._watcher = QFileSystemWatcher(self)
        self._soon = QTimer(self, singleShot=True, interval=_WRITING_MS)
        self._soon.timeout.connect(self.check)
        self._looking = Background(self, pool="files")
        self._looking.done.connect(self._take)
        self._watcher.fileChanged.connect(self._soon.start)
        self._watcher.directoryChanged.connect(self._soon.start)
        QGuiApplication.instance().applicationStateChanged.connect(self._soon.start)  # type: ignore[union-attr]

    def watch(self, versions: Mapping[str, Stamp]) -> None:
        """Watch the files of a run, with the versions that it has imported, and no others."""
        if versions == self._versions:
            return
        if {*versions} != {*self._versions} and (watched := (*self._watcher.files(), *self._watcher.directories())):
            self._watcher.removePaths(watched)
        self._versions = dict(versions)
        self.check()

    @Slot()
    def check(self) -> None:
        """Look whether a file is another version."""
        if self._versions and not self.rests:
            self._looking.start(partial(_versions_of, tuple(self._versions)), instead=True)

    @Slot(object)
    def _take(self, versions: dict[str, Stamp]) -> None:
        now = {path: stamp for path, stamp in versions.items() if path in self._versions}
        _listen(self._watcher, *map(Path, now))
        if now.items() - self._versions.items():
            self._versions |= now
            self.saved.emit()


def _versions_of(paths: tuple[str, ...]) -> dict[str, Stamp]:
    """Return the versions of the files that exist."""
    return {path: stamp for path in paths if (stamp := stamp_of(Path(path))) is not None}


def _listen(watcher: QFileSystemWatcher, *paths: Path) -> None:
    """Listen to files and their folders, in which a file may be replaced by another one of its name."""
    wanted = {str(each) for path in paths for each in (path, path.parent)}
    if missing := wanted - {*watcher.files(), *watcher.directories()}:
        watcher.addPaths([*missing])


def _look(path: Path, known: Stamp | None) -> _Read | None:
    """Return the text of a file, or why it cannot be read; None if it is the known version."""
    stamp = stamp_of(path)  # first: later changes count as changes
    if stamp is not None and stamp == known:
        return None
    if stamp is None:
        return _Read(path, None, None, Text("{name} is gone; its last text stays", {"name": path.name}))
    try:
        text = read_source(path)
    except DataFileError as error:
        return _Read(path, stamp, None, error.text)
    return _Read(path, stamp, text, is_whole=syntax_error(text) is None)
