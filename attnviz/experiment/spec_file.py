"""Specs in files: read with every error as a sentence, written so that a cut-short save leaves the old file whole."""

import os
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import BinaryIO

from attnviz.experiment.labs import Spec, SpecError, spec_from_json, spec_to_json
from attnviz.experiment.problems import Problem

MAX_BYTES = 8 << 20


def read_spec(path: Path) -> Spec:
    """Return the spec in a JSON file.

    Raises:
        SpecError: the file cannot be read, is too large, or holds no legal spec; the sentence names the file.
    """
    try:
        if path.stat().st_size > MAX_BYTES:
            raise _unreadable(path, f"is larger than {MAX_BYTES >> 20} MiB")
        text = path.read_text(encoding="utf-8-sig")
    except OSError as error:
        raise _unreadable(path, f"cannot be read: {error.strerror or error}") from error
    except UnicodeDecodeError as error:
        raise _unreadable(path, "is not a text file") from error
    return spec_from_json(text)


def write_spec(spec: Spec, path: Path) -> None:
    """Write the spec as JSON; raises OSError when the place cannot be written, and then the old file is whole."""
    text = spec_to_json(spec)
    write_atomically(path, lambda file: file.write(text.encode()))


def write_atomically(path: Path, write: Callable[[BinaryIO], object]) -> None:
    """Call ``write`` with a temporary file beside ``path`` and put it in place when it is complete."""
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.", suffix=".part")
    try:
        with os.fdopen(handle, "wb") as file:
            write(file)
            file.flush()
            os.fsync(file.fileno())
        # mkstemp makes files for the owner alone; a saved document has the usual permissions.
        os.chmod(name, 0o666 & ~_umask())
        os.replace(name, path)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise


def _umask() -> int:
    current = os.umask(0)
    os.umask(current)
    return current


def _unreadable(path: Path, why: str) -> SpecError:
    return SpecError((Problem("", "unreadable", f"{path} {why}", {"path": str(path)}),))
