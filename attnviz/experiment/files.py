"""Reading nothing but plain files, and writing so that a save cut short leaves the old file whole."""

import errno
import os
import stat
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import BinaryIO


def size_of_plain_file(path: Path) -> int:
    """Return the size of a regular file.

    Raises:
        OSError: there is none, or the path leads to something that could be read for ever (a pipe, a device).
    """
    try:
        status = path.stat()
    except ValueError as error:  # a NUL in the path
        raise OSError(f"not a path: {error}") from error
    if not stat.S_ISREG(status.st_mode):
        raise OSError("not a plain file")
    return status.st_size


def write_atomically(path: Path, write: Callable[[BinaryIO], object]) -> None:
    """Call ``write`` with a temporary file beside ``path`` and put it in place when it is complete.

    A link stays a link, and a file that was there keeps its permissions.

    Raises:
        OSError: the place cannot be written, or is a pipe or a device, which a file must not take the place of.
    """
    target = Path(os.path.realpath(path))
    if target.is_dir():
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), str(path))
    if target.exists() and not target.is_file():
        raise OSError(errno.EINVAL, "not a plain file", str(path))
    handle, name = tempfile.mkstemp(dir=target.parent, prefix=".attnviz-", suffix=".part")
    try:
        with os.fdopen(handle, "wb") as file:
            write(file)
            file.flush()
            os.fsync(file.fileno())
        os.chmod(name, _permissions(target))
        os.replace(name, target)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise


def _permissions(target: Path) -> int:
    """Return the permissions of the file that is replaced, or the usual ones; mkstemp's are for the owner alone."""
    if target.exists():
        return stat.S_IMODE(target.stat().st_mode)
    current = os.umask(0)
    os.umask(current)
    return 0o666 & ~current
