"""The settings of all windows: geometry, theme, files used last."""

import contextlib
import os
import re
import sys
from pathlib import Path

from PySide6.QtCore import QSettings, QStandardPaths

from attnviz.log import note

_MOST_BYTES = 1 << 18
"""About a hundred times the size of our settings; Qt would read a file of any size while the window waits."""
_NEVER_OURS = b"@Variant("
"""Marks a value of any type. Qt warns about each broken one, and PySide unpickles Python's: a crafted file could run
any code. A window writes none."""
_ESCAPE = re.compile(rb"\\(?:x([0-9A-Fa-f]+)|([0-7]+)|[\s\S])|\"")


def open_settings() -> QSettings:
    """Return the settings; a file that cannot be read safely is set aside first, and they start empty."""
    # Windows and macOS keep settings in a database of their own.
    if sys.platform not in ("win32", "darwin"):
        folder = QStandardPaths.writableLocation(QStandardPaths.StandardLocation.GenericConfigLocation)
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
