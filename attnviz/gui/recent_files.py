"""The files that were opened or saved last, remembered from one start to the next."""

from pathlib import Path

from PySide6.QtCore import QSettings

KEY = "recent"
MOST = 10


class RecentFiles:
    """The newest first; without settings, such as in a test, they last as long as the window."""

    def __init__(self) -> None:
        self._paths: list[str] = []
        self._settings: QSettings | None = None

    def remember_in(self, settings: QSettings) -> None:
        """Take what settings remember, and keep them up to date."""
        self._settings = settings
        found = settings.value(KEY, [])
        listed = found if isinstance(found, list) else [found]  # a list of one comes back as its only entry
        before = [path for path in listed if isinstance(path, str) and path]
        self._paths = list(dict.fromkeys((*self._paths, *before)))[:MOST]  # the window was opened with one, perhaps
        self._write()

    def add(self, path: Path) -> None:
        """Put a file at the head of the list."""
        name = str(path.absolute())
        self._paths = [name, *(other for other in self._paths if other != name)][:MOST]
        self._write()

    def clear(self) -> None:
        """Forget all of them."""
        self._paths = []
        self._write()

    def existing(self) -> tuple[Path, ...]:
        """Return those that are still there."""
        return tuple(path for path in map(Path, self._paths) if _is_there(path))

    def _write(self) -> None:
        if self._settings is not None:
            self._settings.setValue(KEY, self._paths)


def _is_there(path: Path) -> bool:
    try:
        return path.is_file()
    except (OSError, ValueError):  # a folder that may not be looked into; a NUL in a broken settings file
        return False
