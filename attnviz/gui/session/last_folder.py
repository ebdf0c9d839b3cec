"""The folder that files go to and come from, one for everything, remembered from start to start."""

from pathlib import Path

from PySide6.QtCore import QDir, QSettings

from attnviz.experiment.files.plain_files import is_folder

_KEY = "folder"


class LastFolder:
    """The folder of the last file; the user's own where that is gone."""

    def __init__(self) -> None:
        self._path = Path(QDir.homePath())

    @property
    def path(self) -> Path:
        """Where the next question for a file begins."""
        return self._path if is_folder(self._path) else Path(QDir.homePath())

    def take(self, file: Path) -> None:
        """Remember where a file is."""
        self._path = file.absolute().parent

    def load(self, settings: QSettings) -> None:
        """Begin where the last window ended; a broken settings file changes nothing."""
        found = settings.value(_KEY)
        if isinstance(found, str) and found:
            self._path = Path(found)

    def save(self, settings: QSettings) -> None:
        """Write down where the next window begins."""
        settings.setValue(_KEY, str(self._path))
