"""The user's folder for what a program keeps from one start to the next: unsaved sessions, the log, crash reports."""

import os
import sys
from pathlib import Path


def state_folder() -> Path:
    """Return attnviz's own folder among those that the system sets aside for this; it need not be there yet."""
    home = Path(os.path.expanduser("~"))
    if sys.platform == "win32":
        set_aside, usual = os.environ.get("LOCALAPPDATA", ""), home / "AppData" / "Local"
    elif sys.platform == "darwin":
        set_aside, usual = "", home / "Library" / "Application Support"
    else:
        set_aside, usual = os.environ.get("XDG_STATE_HOME", ""), home / ".local" / "state"
    given = Path(set_aside)
    return (given if given.is_absolute() else usual) / "attnviz"
