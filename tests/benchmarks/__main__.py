"""Measures the budgets and prints one table.

usage: python3 packaging/bootstrap.py bench [--json FILE] [NAME ...]

Each part runs in a process of its own, one after the other: frame_cost, forward_cost, start_cost, training_cost,
transformer_cost, flood_cost, look_cost, memory_cost, model_cost, generation_cost, attribution_cost, lens_cost,
rollout_cost, reuse_cost, own_mask_cost, sweep_cost, or those that are named. The rows go to FILE as well, with every
repeat; to attnviz-bench.json in the folder of temporary files where none is named.
The exit code says nothing of the budgets: timings are for people.
The other scripts in this folder answer one question each, and are run by themselves.
"""

import argparse
import json
import os
import platform
import subprocess
import sys
import tempfile
from dataclasses import asdict
from importlib import import_module, metadata
from pathlib import Path
from typing import Any

from tests.benchmarks.table import HEAD, Row

PARTS = (
    "frame_cost",
    "forward_cost",
    "start_cost",
    "training_cost",
    "transformer_cost",
    "flood_cost",
    "look_cost",
    "memory_cost",
    "model_cost",
    "generation_cost",
    "attribution_cost",
    "lens_cost",
    "rollout_cost",
    "reuse_cost",
    "own_mask_cost",
    "sweep_cost",
)
PROCESS_OF_A_PART = "--part"


def main() -> None:
    """Measure what the command line names."""
    parser = argparse.ArgumentParser(prog="bootstrap.py bench", description="Measure attnviz against its budgets.")
    parser.add_argument("parts", nargs="*", metavar="NAME", help=f"of {', '.join(PARTS)}")
    parser.add_argument("--json", type=Path, default=Path(tempfile.gettempdir()) / "attnviz-bench.json")
    options = parser.parse_args()
    for part in options.parts:
        if part not in PARTS:
            parser.error(f"'{part}' must be one of {', '.join(PARTS)}")
    print(f"{_machine()}\n\n{HEAD}", flush=True)
    rows = []
    for part in options.parts or PARTS:
        for row in _measured(part):
            rows.append(row)
            print(row, flush=True)
    missed = sum(not row.kept for row in rows)
    options.json.write_text(json.dumps({"machine": _machine(), "rows": [_as_json(row) for row in rows]}, indent=1))
    print(f"\n{len(rows)} rows, {missed} budgets missed; written to {options.json}")


def _machine() -> str:
    versions = ", ".join(f"{name} {metadata.version(name)}" for name in ("torch", "PySide6-Essentials", "matplotlib"))
    return f"{os.cpu_count()} cores, {platform.system()}, Python {platform.python_version()}, {versions}"


def _measured(part: str) -> list[Row]:
    """Return the rows of one part, measured in a process of its own."""
    command = [sys.executable, "-m", __spec__.name.removesuffix(".__main__"), PROCESS_OF_A_PART, part]
    done = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True)
    fields = json.loads(done.stdout.splitlines()[-1])
    return [
        Row(**{name: tuple(value) if isinstance(value, list) else value for name, value in row.items()})
        for row in fields
    ]


def _as_json(row: Row) -> dict[str, Any]:
    return {"ratio": row.ratio, "quartiles": row.quartiles, "kept": row.kept} | asdict(row)


if __name__ == "__main__":
    if sys.argv[1:2] == [PROCESS_OF_A_PART]:
        print(json.dumps([asdict(row) for row in import_module(f"tests.benchmarks.{sys.argv[2]}").measure()]))
        sys.stdout.flush()
        os._exit(0)  # a window's thread may be in the middle of something, which is nothing to wait for
    main()
