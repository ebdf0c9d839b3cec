"""Start attnviz: make the imports safe on this system, then run the command line."""

import contextlib
import ctypes
import importlib.util
import logging
import os
import sys
import warnings
from collections.abc import Sequence
from pathlib import Path


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line and return the exit code."""
    # Pydantic's search of all installed packages for plugins would take longer than building our specs.
    os.environ.setdefault("PYDANTIC_DISABLE_PLUGINS", "__all__")
    _quieten_libraries()
    if sys.platform == "win32":
        _load_torch_runtime_before_qt()
    from attnviz.cli import main as run_command

    try:
        return run_command(sys.argv[1:] if arguments is None else list(arguments))
    except KeyboardInterrupt:
        return 130


def _quieten_libraries() -> None:
    """Hide the user's settings for other programs from the libraries, and their messages from the terminal."""
    os.environ["MPLBACKEND"] = "agg"  # all that figures need; an unknown backend in the environment would fail
    # If it cannot write to the home folder, matplotlib uses a temporary one and logs a long warning.
    logging.getLogger("matplotlib").setLevel(logging.ERROR)
    # With warnings as errors, importing ziamath would fail, for it calls a deprecated function.
    warnings.filterwarnings("ignore", category=DeprecationWarning, module="ziamath")


def _load_torch_runtime_before_qt() -> None:
    """Load torch's C++ runtime first.

    Qt's wheel contains an older msvcp140.dll; once that is loaded, torch 2.9 and later cannot be imported
    (pytorch#166628, #169429). Loading one small library of torch's takes milliseconds, importing torch a second.
    """
    spec = importlib.util.find_spec("torch")
    if spec is not None and spec.origin is not None:
        with contextlib.suppress(OSError):
            ctypes.CDLL(str(Path(spec.origin).parent / "lib" / "c10.dll"))


if __name__ == "__main__":
    sys.exit(main())
