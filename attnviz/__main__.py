"""Start attnviz: make the imports safe for this system, then hand the arguments over."""

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
    # Looking through every installed package for plugins of pydantic would take longer than building our specs.
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
    """Keep what the user has set for other programs from the libraries, and their own lines from the terminal."""
    os.environ["MPLBACKEND"] = "agg"  # our figures need no other, and of an unknown one matplotlib's import dies
    # Where it cannot write to the home, matplotlib takes a temporary folder, and says so at length.
    logging.getLogger("matplotlib").setLevel(logging.ERROR)
    # Where warnings are to be errors, ziamath's import would die of a deprecated function that it calls.
    warnings.filterwarnings("ignore", category=DeprecationWarning, module="ziamath")


def _load_torch_runtime_before_qt() -> None:
    """Load torch's C++ runtime first.

    Qt's wheel brings an older msvcp140.dll; once that is loaded, torch 2.9 and later cannot be imported any more
    (pytorch#166628, #169429). Loading one small library of torch's takes milliseconds, importing torch a second.
    """
    spec = importlib.util.find_spec("torch")
    if spec is not None and spec.origin is not None:
        with contextlib.suppress(OSError):
            ctypes.CDLL(str(Path(spec.origin).parent / "lib" / "c10.dll"))


if __name__ == "__main__":
    sys.exit(main())
