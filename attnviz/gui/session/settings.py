"""The settings of all windows: where they stood, the theme, the files used last."""

import contextlib
import os
import re
import sys
from pathlib import Path

from PySide6.QtCore import QSettings, QStandardPaths

from attnviz.log import note

_MOST_BYTES = 1 << 18
"""Some hundred times as much as a window writes; Qt would read any size, and the window would wait for it."""
_NEVER_OURS = b"@Variant("
"""Values of any type, which Qt builds with a complaint for each that is broken, and PySide unpickles where they are
Python's: whoever writes one runs what they like. A window writes none."""
_ESCAPE = re.compile(rb"\\(?:x([0-9A-Fa-f]+)|([0-7]+)|[\s\S])|\"")


def open_settings() -> QSettings:
    """Return the settings; a file that cannot be theirs is set aside first, and they begin anew."""
    # Windows and macOS keep settings in a database of their own.
    if sys.platform not in ("win32", "darwin"):
        folder = QStandardPaths.writableLocation(QStandardPaths.StandardLocation.GenericConfigLocation)
        _set_aside_if_broken(Path(folder) / "attnviz" / "attnviz.conf")
    settings = QSettings("attnviz", "attnviz")
    settings.setFallbacksEnabled(False)  # nobody has looked into the files of the whole machine
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
    """Return the sign that an escape of an INI file stands for, where it is one of ASCII, as Qt reads it."""
    code = int(escape[1], 16) if escape[1] else int(escape[2], 8) if escape[2] else 0
    return bytes([code & 0xFFFF]) if 0 < code & 0xFFFF < 0x80 else b""
