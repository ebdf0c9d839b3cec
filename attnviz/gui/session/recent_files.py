"""The files that were opened or saved last, remembered from one start to the next."""

from pathlib import Path

from PySide6.QtCore import QSettings

KEY = "recent"
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
        """Return those that are still there."""
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
