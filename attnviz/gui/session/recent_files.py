"""The files used last and the folder of the newest one, remembered from one start to the next."""

from pathlib import Path

from PySide6.QtCore import QDir, QSettings

from attnviz.experiment.files.plain_files import is_folder

KEY = "recent"
_FOLDER_KEY = "folder"
MOST = 10


class RecentFiles:
    """The newest first, of all windows; without settings, such as in a test, they last as long as the window."""

    def __init__(self) -> None:
        self._paths: list[str] = []
        self._settings: QSettings | None = None

    def remember_in(self, settings: QSettings) -> None:
        """Take what settings remember, and keep them up to date."""
        self._settings = settings
        self._write([*self._paths, *self._remembered()])  # the window was opened with one, perhaps

    def add(self, path: Path) -> None:
        """Put a file at the head of the list."""
        self._write([str(path.absolute()), *self._remembered()])

    def clear(self) -> None:
        """Forget all of them."""
        self._write([])

    def existing(self) -> tuple[Path, ...]:
        """Return those that still exist."""
        self._paths = self._remembered()
        return tuple(path for path in map(Path, self._paths) if _is_there(path))

    def _remembered(self) -> list[str]:
        """Return what is remembered now: another window has added to it since, perhaps."""
        if self._settings is None:
            return self._paths
        self._settings.sync()
        found = self._settings.value(KEY, [])
        listed = found if isinstance(found, list) else [found]  # a list of one comes back as its only entry
        return [path for path in listed if isinstance(path, str) and path]

    def _write(self, paths: list[str]) -> None:
        self._paths = list(dict.fromkeys(paths))[:MOST]
        if self._settings is not None:
            self._settings.setValue(KEY, self._paths)
            self._settings.sync()  # before another window reads them


def _is_there(path: Path) -> bool:
    try:
        return path.is_file()
    except (OSError, ValueError):  # a folder that may not be looked into; a NUL in a broken settings file
        return False


class LastFolder:
    """The folder of the last file; the home folder if that no longer exists."""

    def __init__(self) -> None:
        self._path = Path(QDir.homePath())

    @property
    def path(self) -> Path:
        """The folder in which the next file dialog begins."""
        return self._path if is_folder(self._path) else Path(QDir.homePath())

    def take(self, file: Path) -> None:
        """Remember where a file is."""
        self._path = file.absolute().parent

    def load(self, settings: QSettings) -> None:
        """Begin with the folder of the last window; a broken settings file changes nothing."""
        found = settings.value(_FOLDER_KEY)
        if isinstance(found, str) and found:
            self._path = Path(found)

    def save(self, settings: QSettings) -> None:
        """Store the folder for the next window."""
        settings.setValue(_FOLDER_KEY, str(self._path))
