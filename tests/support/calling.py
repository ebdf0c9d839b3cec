"""The command line as its user sees it: arguments in, exit code and two streams out."""

import contextlib
import io
import os
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import NamedTuple

import pytest
from forked import run_forked

from attnviz.__main__ import main

ROOT = Path(__file__).resolve().parents[2]
SCREENS = ("DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM")


class Said(NamedTuple):
    """The result of a call of the command line."""

    code: int
    out: str
    err: str

    def is_one_line(self, code: int, *fragments: str) -> bool:
        """Whether it ended with this exit code and one line that contains these words."""
        assert (self.code, self.err.count("\n"), self.err[-1:]) == (code, 1, "\n"), self
        assert self.err.startswith("attnviz: "), self.err
        assert "Traceback" not in self.err
        missing = [fragment for fragment in fragments if fragment not in self.err]
        assert not missing, (missing, self.err)
        return True


def attnviz(*arguments: str, stdin: bytes = b"") -> Said:
    """Call the command line in this process, with streams as strict as a terminal's.

    No window may open here: its event loop would block the test beyond any time limit.
    """
    out, err = (io.TextIOWrapper(io.BytesIO(), encoding="utf-8", write_through=True) for _ in range(2))
    given = io.TextIOWrapper(io.BytesIO(stdin), encoding="utf-8")
    with pytest.MonkeyPatch.context() as patch, contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        patch.setattr(sys, "stdin", given)
        patch.setitem(sys.modules, "attnviz.gui.app", None)
        try:
            code = main(arguments)
        except SystemExit as end:
            code = int(end.code or 0)
    said = [stream.buffer.getvalue().decode("utf-8", "replace") for stream in (out, err)]  # type: ignore[attr-defined]
    return Said(code, *said)


def forked(*arguments: str, cwd: Path, stdin: bytes = b"", code: str = "") -> Said:
    """Like `process`, in a process forked with torch and Qt loaded."""
    with tempfile.TemporaryDirectory() as folder:
        return Said(*run_forked(arguments, cwd=cwd, env=_env(), folder=Path(folder), stdin=stdin, code=code))


def _env() -> dict[str, str]:
    env = {name: value for name, value in os.environ.items() if name not in SCREENS}
    return env | {"PYTHONPATH": str(ROOT), "PYTHONIOENCODING": "utf-8"}


def process(*arguments: str, cwd: Path, stdin: bytes = b"", code: str = "") -> Said:
    """Call the command line (or Python code with these arguments) in a separate process without a display."""
    command = [sys.executable, *(("-c", code) if code else ("-m", "attnviz")), *arguments]
    done = subprocess.run(command, cwd=cwd, env=_env(), input=stdin, capture_output=True, check=False, timeout=100)
    return Said(done.returncode, done.stdout.decode(), done.stderr.decode())
