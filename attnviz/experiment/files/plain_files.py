"""Reading of regular files only, and atomic writing, so that an interrupted save leaves the old file intact."""

import contextlib
import errno
import os
import re
import stat
import sys
import time
import uuid
from collections.abc import Callable, Iterator
from io import BufferedReader
from pathlib import Path
from typing import BinaryIO, NamedTuple

from attnviz.definitions.text import Refused

ON_WINDOWS = os.name == "nt"
_PART = re.compile(r"\.attnviz-[0-9a-f]{12}\.part")
"""Matches the name of a file that is still being written."""
_QUIET_S = 60.0
"""The time in seconds without changes after which an unlocked part counts as abandoned; it is also unlocked for a
moment before it is renamed."""


class DataFileError(Refused):
    """A file of the user's that a spec names has the wrong content; the text says why."""


def open_plain(path: Path) -> BufferedReader:
    """Open a regular file to read; a pipe or device is rejected without waiting for it.

    Raises:
        OSError: there is none, or the path leads to something that could be read forever (a pipe, a device).
    """
    try:
        status = path.stat()  # first, since opening a device may activate it
        if stat.S_ISREG(status.st_mode):
            file = open(path, "rb", opener=_without_waiting)  # noqa: SIM115 - the caller closes it
            if stat.S_ISREG(os.fstat(file.fileno()).st_mode):
                return file
            file.close()
    except ValueError as error:  # a NUL in the path
        raise OSError(f"not a path: {error}") from error
    raise OSError("not a plain file")


def size_of(file: BinaryIO) -> int:
    """Return the size of an open file in bytes."""
    return os.fstat(file.fileno()).st_size


class Stamp(NamedTuple):
    """Identifies the version of a file, to notice changes by other windows or programs."""

    inode: int
    size: int
    changed_ns: int


def stamp_of(path: Path) -> Stamp | None:
    """Return the stamp of a file; None if it does not exist."""
    try:
        status = path.stat()
    except (OSError, ValueError):
        return None
    return Stamp(status.st_ino, status.st_size, status.st_mtime_ns)


def _without_waiting(path: str, flags: int) -> int:
    """Open as `open` does, but a pipe without waiting for a writer."""
    return os.open(path, flags | getattr(os, "O_NONBLOCK", 0))


def write_atomically(path: Path, write: Callable[[BinaryIO], object]) -> None:
    """Call ``write`` with a temporary file beside ``path`` and rename it when it is complete.

    A link stays a link, and an existing file keeps its permissions.

    Raises:
        OSError: the path cannot be written, or is a pipe or a device, which a file must not replace; as in
            `naming_path`.
    """
    with naming_path(path):
        _put_in_place(path, write)


def _put_in_place(path: Path, write: Callable[[BinaryIO], object]) -> None:
    target = Path(os.path.realpath(path))
    if target.is_dir():
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), str(path))
    if target.exists() and not target.is_file():
        raise OSError(errno.EINVAL, "not a plain file", str(path))
    remove_left_parts(target.parent)
    permissions = stat.S_IMODE(target.stat().st_mode) if target.exists() else None
    handle, name = _begin_part(target.parent, 0o666 if permissions is None else permissions)
    try:
        with os.fdopen(handle, "wb") as file:
            with contextlib.suppress(OSError):  # a file system without locks: then no process takes it for abandoned
                _lock(handle)
            write(file)
            file.flush()
            os.fsync(file.fileno())
        if permissions is not None:
            with contextlib.suppress(OSError):  # a file system that knows no permissions may refuse to set any
                os.chmod(name, permissions)
        os.replace(name, target)
    except BaseException:
        with contextlib.suppress(OSError):  # the first error is the one to report
            os.unlink(name)
        raise


@contextlib.contextmanager
def naming_path(path: Path) -> Iterator[None]:
    """Report errors for the requested file, not for the temporary one beside it.

    Raises:
        OSError: such an error, or that there is not enough memory; its ``filename`` is the path, its ``strerror`` says
            why.
    """
    try:
        yield
    except MemoryError as error:
        raise OSError(errno.ENOMEM, f"there is not enough memory. {error}".strip(), str(path)) from error
    except OSError as error:
        raise OSError(error.errno, error.strerror or str(error), str(path)) from error


def is_of_another_machine(path: str) -> bool:
    r"""Return whether Windows would ask another machine for a path: \\host\share, //host/share, \\?\UNC\host\share."""
    plain = path.replace("/", "\\")
    return plain.startswith("\\\\") and re.match(r"\\\\[?]\\[A-Za-z]:", plain) is None


def is_folder(path: Path) -> bool:
    """Return whether a path is a folder that can be read; False for any error."""
    try:
        return path.is_dir()
    except (OSError, ValueError):  # a share that does not respond, a folder of another user; a NUL
        return False


def is_there(path: Path) -> bool:
    """Return whether something exists at a path; False also if that cannot be determined, which a save will report."""
    try:
        return path.exists()
    except (OSError, ValueError):
        return False


def _begin_part(folder: Path, permissions: int) -> tuple[int, Path]:
    """Open a new file to write; the system subtracts the umask from its permissions, as for any new file.

    Python can only read the umask by setting it, which would affect every thread that creates a file meanwhile.
    """
    path = folder / f".attnviz-{uuid.uuid4().hex[:12]}.part"
    flags = os.O_RDWR | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0)
    return os.open(path, flags, permissions), path


def remove_left_parts(folder: Path) -> None:
    """Remove the parts in a folder abandoned by killed saves; those of living processes stay."""
    with contextlib.suppress(OSError), os.scandir(folder) as entries:
        for entry in entries:
            if _PART.fullmatch(entry.name) and entry.is_file(follow_symlinks=False):
                with contextlib.suppress(OSError):
                    _remove_if_left(entry)


def _remove_if_left(part: "os.DirEntry[str]") -> None:
    """Remove a part that no process writes any more.

    Raises:
        OSError: a process holds it: by its lock, or on Windows because it is open.
    """
    if time.time() - part.stat(follow_symlinks=False).st_mtime < _QUIET_S:
        return
    if os.name == "posix":
        handle = os.open(part.path, os.O_RDWR | os.O_NONBLOCK)
        try:
            _lock(handle)
        finally:
            os.close(handle)
    os.unlink(part.path)


def _lock(handle: int) -> None:
    """Lock a file until it is closed; does nothing on Windows, where an open file cannot be removed.

    Raises:
        OSError: another process has locked it.
    """
    if sys.platform != "win32":
        import fcntl

        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
