"""Settings stored from one start to the next: geometry, theme, recent files and the last folder."""

import contextlib
import os
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QDir, QSettings, QStandardPaths

from attnviz.experiment.files.plain_files import is_folder
from attnviz.folders import make_private
from attnviz.log import note

_MOST_BYTES = 1 << 18
"""About a hundred times the size of our settings; Qt would read a file of any size while the window waits."""
_NEVER_OURS = b"@Variant("
"""Marks a value of any type. Qt warns about each broken one, and PySide unpickles Python's: a crafted file could run
any code. A window writes none."""
_ESCAPE = re.compile(rb"\\(?:x([0-9A-Fa-f]+)|([0-7]+)|[\s\S])|\"")


def open_settings() -> QSettings:
    """Return the settings; a file that cannot be read safely is set aside first, and they start empty."""
    # Windows and macOS store settings in a database of their own.
    if sys.platform not in ("win32", "darwin"):
        folder = QStandardPaths.writableLocation(QStandardPaths.StandardLocation.GenericConfigLocation)
        with contextlib.suppress(OSError):  # writing it reports the problem
            make_private(Path(folder) / "attnviz")
        _set_aside_if_broken(Path(folder) / "attnviz" / "attnviz.conf")
    settings = QSettings("attnviz", "attnviz")
    settings.setFallbacksEnabled(False)  # the machine-wide files were not checked
    return settings


def _set_aside_if_broken(path: Path) -> None:
    with contextlib.suppress(OSError, ValueError):
        if os.path.lexists(path) and not _may_be_settings(path):
            asides = [path.with_suffix(f".broken{number or ''}") for number in range(10)]
            aside = next((each for each in asides if not os.path.lexists(each)), asides[-1])
            path.replace(aside)
            note(f"the settings could not be read, and were set aside as {aside}")


def _may_be_settings(path: Path) -> bool:
    if not path.is_file() or path.stat().st_size > _MOST_BYTES:
        return False
    content = path.read_bytes()
    return _NEVER_OURS not in _ESCAPE.sub(_spelt_out, content) and b"\0" not in content


def _spelt_out(escape: re.Match[bytes]) -> bytes:
    """Return the character of an INI file's escape sequence as Qt reads it, if it is ASCII."""
    code = int(escape[1], 16) if escape[1] else int(escape[2], 8) if escape[2] else 0
    return bytes([code & 0xFFFF]) if 0 < code & 0xFFFF < 0x80 else b""


KEY = "recent"
_FOLDER_KEY = "folder"
MOST = 10


class Changes(dict[str, object]):
    """The values that a window would store; `store_since` stores those that it has changed."""

    def setValue(self, key: str, value: object) -> None:
        """Note a value."""
        self[key] = value

    def store_since(self, before: "Changes", settings: QSettings) -> None:
        """Store the values that differ from earlier ones: another window may have set the others."""
        for key, value in self.items():
            if key not in before or before[key] != value:
                settings.setValue(key, value)


class RecentPaths:
    """Recent paths of all windows, newest first; without settings, as in a test, they last as long as the window."""

    def __init__(self, key: str, is_there: Callable[[Path], bool]) -> None:
        """``key`` is their name in the settings; ``is_there`` returns whether a path still exists."""
        self._key, self._is_there = key, is_there
        self._paths: list[str] = []
        self._settings: QSettings | None = None

    def remember_in(self, settings: QSettings) -> None:
        """Load them from settings, and keep these up to date."""
        self._settings = settings
        self._write([*self._paths, *self._remembered()])  # the window may have been opened with a file

    def add(self, path: Path) -> None:
        """Put a file at the head of the list."""
        self._write([str(path.absolute()), *self._remembered()])

    def clear(self) -> None:
        """Remove all of them."""
        self._write([])

    def existing(self) -> tuple[Path, ...]:
        """Return those that still exist."""
        self._paths = self._remembered()
        return tuple(path for path in map(Path, self._paths) if self._is_there(path))

    def _remembered(self) -> list[str]:
        """Return the stored paths, to which another window may have added."""
        if self._settings is None:
            return self._paths
        self._settings.sync()
        found = self._settings.value(self._key, [])
        listed = found if isinstance(found, list) else [found]  # a list of one comes back as its only entry
        return [path for path in listed if isinstance(path, str) and path]

    def _write(self, paths: list[str]) -> None:
        self._paths = list(dict.fromkeys(paths))[:MOST]
        if self._settings is not None:
            self._settings.setValue(self._key, self._paths)
            self._settings.sync()  # before another window reads them


def _is_there(path: Path) -> bool:
    try:
        return path.is_file()
    except (OSError, ValueError):  # a folder without permission; a NUL in a broken settings file
        return False


class RecentFiles(RecentPaths):
    """The recently used files."""

    def __init__(self) -> None:
        super().__init__(key=KEY, is_there=_is_there)


class LastFolder:
    """The folder of the last file; the home folder if that no longer exists."""

    def __init__(self) -> None:
        self._path = Path(QDir.homePath())

    @property
    def path(self) -> Path:
        """The initial folder of the next file dialog."""
        return self._path if is_folder(self._path) else Path(QDir.homePath())

    def take(self, file: Path) -> None:
        """Remember the folder of a file."""
        self._path = file.absolute().parent

    def load(self, settings: QSettings) -> None:
        """Start with the folder of the last window; a broken settings file changes nothing."""
        found = settings.value(_FOLDER_KEY)
        if isinstance(found, str) and found:
            self._path = Path(found)

    def save(self, settings: QSettings | Changes) -> None:
        """Store the folder for the next window."""
        settings.setValue(_FOLDER_KEY, str(self._path))


_MOTION_KEY = "motion"
_CLIENT_AREA_ANIMATION = 0x1042
"""SPI_GETCLIENTAREAANIMATION of Windows."""
_ASK_GNOME = ("gsettings", "get", "org.gnome.desktop.interface", "enable-animations")


def motion_chosen(settings: QSettings) -> bool | None:
    """Return the user's choice whether cells move between stages; None without a choice."""
    return {"on": True, "off": False}.get(str(settings.value(_MOTION_KEY)))


def keep_motion(settings: QSettings | Changes, on: bool) -> None:
    """Store whether cells move between stages."""
    settings.setValue(_MOTION_KEY, "on" if on else "off")


def system_allows_motion() -> bool:
    """Return whether the system's settings allow animations; True if they cannot be determined.

    It may start a program, so do not call it in the window's thread.
    """
    if sys.platform == "win32":
        import ctypes

        allowed = ctypes.c_int(1)
        ctypes.windll.user32.SystemParametersInfoW(_CLIENT_AREA_ANIMATION, 0, ctypes.byref(allowed), 0)
        return bool(allowed.value)
    if "GNOME" in os.environ.get("XDG_CURRENT_DESKTOP", ""):
        with contextlib.suppress(OSError, subprocess.SubprocessError):  # not installed, or no answer
            said = subprocess.run(_ASK_GNOME, capture_output=True, timeout=1, check=True).stdout
            return said.strip() != b"false"
    return True
