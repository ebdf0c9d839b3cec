"""Ends a command run by the window with the window, even if that is killed."""

import os
import signal
import threading
import time

VARIABLE = "ATTNVIZ_ENDS_WITH_PARENT"
"""The environment variable that the window sets for its commands."""
_LOOK = 0.5
"""The interval in seconds between checks of the parent."""


def end_with_parent() -> None:
    """Send this process SIGTERM once its parent has ended, if `VARIABLE` is set.

    Only POSIX gives an orphan another parent; elsewhere the command runs to its end.
    """
    if os.environ.pop(VARIABLE, "") and os.name == "posix":
        threading.Thread(target=_watch, args=(os.getppid(),), name="parent", daemon=True).start()


def _watch(parent: int) -> None:
    while os.getppid() == parent:
        time.sleep(_LOOK)
    os.kill(os.getpid(), signal.SIGTERM)
