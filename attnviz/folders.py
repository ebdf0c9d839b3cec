"""The folders of attnviz: its resources, and the user's folder for its state (the log, unsaved sessions, crashes).

resources/ is beside the package in a checkout, inside it in a wheel or a frozen bundle.
"""

import contextlib
import os
import stat
import sys
from pathlib import Path

_PACKAGE = Path(__file__).resolve().parent
CHINESE_FONT = "attnviz Sans SC"
"""The family of the Chinese font in resources/, for systems without one. packaging/chinese_font.py makes it."""


class MissingResourceError(FileNotFoundError):
    """A file of attnviz's own resources is missing."""


def resource(name: str) -> Path:
    """Return the path of a file or folder in resources/, such as ``presets``.

    Raises:
        MissingResourceError: it is in neither place.
    """
    for root in (_PACKAGE / "_resources", _PACKAGE.parent / "resources"):
        path = root / name
        if path.exists():
            return path
    raise MissingResourceError(f"attnviz's resource '{name}' is missing; install attnviz again")


def chinese_font() -> tuple[Path, ...]:
    """Return the files of `CHINESE_FONT`; none if they are missing."""
    return tuple(sorted(resource("fonts").glob("NotoSansSC-*.otf")))


def resource_in(language: str, name: str) -> Path:
    """Return a file of resources/ in a language, from the folder of its code beside the English one; else that one.

    Raises:
        MissingResourceError: there is not even the English one.
    """
    own = resource(name)
    spoken = own.parent / language / own.name
    return spoken if spoken.is_file() else own


def state_folder() -> Path:
    """Return attnviz's state folder, in the system's usual location; it may not exist yet."""
    home = Path(os.path.expanduser("~"))
    if sys.platform == "win32":
        set_aside, usual = os.environ.get("LOCALAPPDATA", ""), home / "AppData" / "Local"
    elif sys.platform == "darwin":
        set_aside, usual = "", home / "Library" / "Application Support"
    else:
        set_aside, usual = os.environ.get("XDG_STATE_HOME", ""), home / ".local" / "state"
    folder = Path(set_aside)
    return (folder if folder.is_absolute() else usual) / "attnviz"


def make_private(folder: Path) -> None:
    """Create a folder that only the user can read; if it exists with wider permissions, restrict them.

    Raises:
        OSError: it cannot be created.
    """
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    if os.name == "posix" and stat.S_IMODE(folder.stat().st_mode) & 0o077:
        with contextlib.suppress(OSError):  # a file system without permissions
            folder.chmod(0o700)


def for_the_user_alone(path: str, flags: int) -> int:
    """Open a file as `open` does; a new one is readable by this user only."""
    return os.open(path, flags, 0o600)
