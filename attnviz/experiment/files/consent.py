"""Which texts of users' Python files may be run: a file is code, so a document that names one asks first.

Consent is to a text, by its SHA-256, and is remembered for later windows. Child processes get what was allowed for one
process only by an environment variable.
"""

import hashlib
import os
import re
import threading

from attnviz.experiment.files.plain_files import write_atomically
from attnviz.folders import make_private, state_folder

VARIABLE = "ATTNVIZ_ALLOWED_CODE"
"""The environment variable with the digests that were allowed in this process, separated by commas."""
_ANY = "any"
"""Stands for all digests in the variable."""
_FILE = "allowed-code"
_MOST = 2_000
"""The number of remembered digests; the oldest are forgotten."""
_MOST_OF_PROCESS = 1_000
"""The number of digests in the variable, which Linux limits to 128 KiB; an editor adds one at each pause in typing."""
_DIGEST = re.compile(r"[0-9a-f]{64}")
_lock = threading.Lock()


def digest_of(text: str) -> str:
    """Return the SHA-256 of a text in hexadecimal digits."""
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def is_allowed(digest: str) -> bool:
    """Return whether the text with a digest may be run."""
    return _ANY in os.environ.get(VARIABLE, "").split(",") or digest in _of_process() or digest in _remembered()


def allow_any() -> None:
    """Allow whatever a document names, in this process and its children: for a command that runs one document."""
    os.environ[VARIABLE] = _ANY


def allow(digest: str, *, remember: bool = True) -> None:
    """Allow the text with a digest: in this process and its children, or if ``remember`` is set also later.

    A folder that cannot be written to is no error: the question then comes again in the next window.
    """
    with _lock:
        if digest not in _of_process():
            os.environ[VARIABLE] = ",".join([*_of_process(), digest][-_MOST_OF_PROCESS:])
        known = _remembered()
        if not remember or digest in known:
            return
        try:
            make_private(state_folder())
            text = "\n".join([*known, digest][-_MOST:]).encode()
            write_atomically(state_folder() / _FILE, lambda file: file.write(text))
        except OSError:
            return


def _of_process() -> list[str]:
    return _DIGEST.findall(os.environ.get(VARIABLE, ""))


def _remembered() -> list[str]:
    try:
        return _DIGEST.findall((state_folder() / _FILE).read_text(encoding="ascii", errors="replace"))
    except OSError:
        return []
