"""Reading nothing but plain files, and writing so that a save cut short leaves the old file whole."""

import contextlib
import errno
import os
import stat
import time
import uuid
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import BinaryIO

_PART = ".attnviz-", ".part"
"""How the name of a file begins and ends that is still being written."""
_OLD_S = 24 * 3600.0


class DataFileError(ValueError):
    """A file of the user's that a spec names and that does not hold what is wanted; its text says why."""


def open_plain(path: Path) -> BinaryIO:
    """Open a regular file to read; a pipe or device is refused without waiting for it.

    Raises:
        OSError: there is none, or the path leads to something that could be read for ever (a pipe, a device).
    """
    try:
        status = path.stat()  # first: to open a device may set it going
        if stat.S_ISREG(status.st_mode):
            file = open(path, "rb", opener=_without_waiting)  # noqa: SIM115 - the caller closes it
            if stat.S_ISREG(os.fstat(file.fileno()).st_mode):
                return file
            file.close()
    except ValueError as error:  # a NUL in the path
        raise OSError(f"not a path: {error}") from error
    raise OSError("not a plain file")


def size_of(file: BinaryIO) -> int:
    """Return how many bytes an open file has."""
    return os.fstat(file.fileno()).st_size


def _without_waiting(path: str, flags: int) -> int:
    """Open as `open` does, but a pipe without waiting for a writer."""
    return os.open(path, flags | getattr(os, "O_NONBLOCK", 0))


def write_atomically(path: Path, write: Callable[[BinaryIO], object]) -> None:
    """Call ``write`` with a temporary file beside ``path`` and put it in place when it is complete.

    A link stays a link, and a file that was there keeps its permissions.

    Raises:
        OSError: the place cannot be written, or is a pipe or a device, which a file must not take the place of; as
            `naming_path` has it.
    """
    with naming_path(path):
        _put_in_place(path, write)


def _put_in_place(path: Path, write: Callable[[BinaryIO], object]) -> None:
    target = Path(os.path.realpath(path))
    if target.is_dir():
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), str(path))
    if target.exists() and not target.is_file():
        raise OSError(errno.EINVAL, "not a plain file", str(path))
    permissions = stat.S_IMODE(target.stat().st_mode) if target.exists() else None
    handle, name = _begin_part(target.parent, 0o666 if permissions is None else permissions)
    try:
        with os.fdopen(handle, "wb") as file:
            write(file)
            file.flush()
            os.fsync(file.fileno())
        if permissions is not None:
            with contextlib.suppress(OSError):  # a file system that knows no permissions may refuse to set any
                os.chmod(name, permissions)
        os.replace(name, target)
    except BaseException:
        with contextlib.suppress(OSError):  # what went wrong first is what is told
            os.unlink(name)
        raise


@contextlib.contextmanager
def naming_path(path: Path) -> Iterator[None]:
    """Let what goes wrong with a file be told of the one that was asked for, not of the temporary one beside it.

    Raises:
        OSError: that, or that there is not enough memory; its ``filename`` is the path, its ``strerror`` says why.
    """
    try:
        yield
    except MemoryError as error:
        raise OSError(errno.ENOMEM, f"there is not enough memory. {error}".strip(), str(path)) from error
    except OSError as error:
        raise OSError(error.errno, error.strerror or str(error), str(path)) from error


def is_folder(path: Path) -> bool:
    """Return whether a path is a folder that can be read; False for any error."""
    try:
        return path.is_dir()
    except (OSError, ValueError):  # a share that does not answer, a folder of another user; a NUL
        return False


def is_there(path: Path) -> bool:
    """Return whether something is there; False also where that cannot be found out, which a save will tell."""
    try:
        return path.exists()
    except (OSError, ValueError):
        return False


def _begin_part(folder: Path, permissions: int) -> tuple[int, Path]:
    """Open a new file to write; the system takes the umask off its permissions, as off those of any new file.

    Python can only ask for the umask by setting it, which every thread that makes a file meanwhile would suffer from.
    """
    path = folder / f"{_PART[0]}{uuid.uuid4().hex[:12]}{_PART[1]}"
    flags = os.O_RDWR | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0)
    return os.open(path, flags, permissions), path


def remove_old_parts(folder: Path) -> None:
    """Remove what saves have left in a folder that were killed in the middle: parts older than a day."""
    with contextlib.suppress(OSError):
        for path in folder.glob("*".join(_PART)):
            with contextlib.suppress(OSError):
                if time.time() - path.stat().st_mtime > _OLD_S:
                    path.unlink()
