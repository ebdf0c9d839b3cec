"""Makes resources/first_picture.npz anew, the picture that a fresh window shows until torch is loaded.

usage: python packaging/first_picture.py

It is the trace of the opening preset. To be done whenever a test says that the stored one is another: after a change
of that preset, of its numbers, or of the version.
"""

import platform
import sys
from pathlib import Path

import torch

from attnviz.definitions.labs import FIRST_LAB
from attnviz.engine.run import run_to_end
from attnviz.experiment.files.first_picture import NAME, write_first_picture
from attnviz.experiment.files.specs_in_files import opening_session
from attnviz.experiment.labs import Trace
from attnviz.experiment.run import Failure

ROOT = Path(__file__).resolve().parent.parent
_PROCESSORS = Path("/proc/cpuinfo")


def this_machine() -> str:
    """Return what decides the order of sums: torch, the instructions that it uses, and the processor."""
    processor = platform.processor()
    if _PROCESSORS.exists():  # virtual ones of several kinds have one name: only their numbers tell them apart
        parts = [line.partition(":") for line in _first_of(_PROCESSORS)]
        found = {name.strip(): value.strip() for name, _, value in parts}
        processor = " ".join(found.get(name, "?") for name in ("model name", "cpu family", "model", "stepping"))
    return f"torch {torch.__version__}, {torch.backends.cpu.get_cpu_capability()}, {processor}"


def _first_of(processors: Path) -> list[str]:
    return processors.read_text(encoding="utf-8").split("\n\n")[0].splitlines()


def first_trace() -> Trace:
    """Return the trace of the opening preset."""
    trace = run_to_end(opening_session(FIRST_LAB).spec)
    if isinstance(trace, Failure):
        sys.exit(trace.message)
    return trace


def main() -> None:
    path = ROOT / "resources" / NAME
    write_first_picture(first_trace(), path, this_machine())
    print(f"{path.name}: {path.stat().st_size} bytes, made with {this_machine()}")


if __name__ == "__main__":
    main()
