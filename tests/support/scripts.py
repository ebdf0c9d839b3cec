"""Runs scripts as a user does: in another process with torch and without attnviz."""

import os
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
from calling import Said, forked

# Runs all scripts of a folder in one process, each in its own namespace, so that torch is imported once: in a fresh
# interpreter by the first script, since settings made before that import are part of a script.
_RUNNER = """
import contextlib, io, runpy, sys
from pathlib import Path

class Refuse:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] == "attnviz":
            raise ModuleNotFoundError("there is no attnviz here", name=name)

sys.meta_path.insert(0, Refuse())
def array(value):
    import torch
    tensor = torch.as_tensor(value).detach()
    return (tensor.float() if tensor.dtype in (torch.float16, torch.bfloat16) else tensor).numpy()

for path in sorted(Path(sys.argv[1]).glob("*.py")):
    said = io.StringIO()
    with contextlib.redirect_stdout(said):
        left = runpy.run_path(str(path))
    import numpy as np
    import torch
    torch.set_default_dtype(torch.float32)
    found = {name: array(left[name]) for name in NAMES if name in left}
    for name in ("losses", "accuracies"):
        if name in left:
            found[name] = np.array(left[name])
    for number, curve in enumerate(left.get("overlays", {}).values()):
        found[f"overlay_{number}"] = array(curve)
    np.savez(path.with_suffix(".npz"), printed=np.array(said.getvalue()), **found)
"""

NAMES = (
    "weights",
    "encoder",
    "decoder",
    "cross",
    "output",
    "y_hat",
    "y_truth",
    "x_train",
    "y_train",
    "x_test",
    "w",
    "logits",
    "probabilities",
)


def run_scripts(scripts: Mapping[str, str], folder: Path, *, fresh: bool = False) -> dict[str, dict[str, Any]]:
    """Run scripts; return the namespace of each by its name: arrays, and its output as ``printed``.

    Those whose start and settings are the claim run in a fresh interpreter; for the numbers of others, one that is
    forked with torch loaded will do.
    """
    for name, script in scripts.items():
        (folder / f"{name}.py").write_text(script, encoding="utf-8")
    runner = _RUNNER.replace("NAMES", repr(NAMES))
    said = _in_fresh_interpreter(runner, folder) if fresh else forked(str(folder), cwd=folder, code=_FORGET + runner)
    assert said.code == 0, said.err[-3000:]
    assert not said.err, "a script that runs well says nothing else, such as how far it has loaded"
    found: dict[str, dict[str, Any]] = {}
    for name in scripts:
        with np.load(folder / f"{name}.npz") as arrays:
            found[name] = {key: arrays[key] for key in arrays.files}
    return found


_FORGET = "import forked\nforked.forget('attnviz')\n"


def _in_fresh_interpreter(runner: str, folder: Path) -> Said:
    """Run code with the path of a folder, without settings of MKL and OpenMP: the shell of a user has none."""
    command = [sys.executable, "-I", "-c", runner, str(folder)]
    environment = {name: value for name, value in os.environ.items() if not name.startswith(("MKL_", "OMP_"))}
    done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False, timeout=60)
    return Said(done.returncode, done.stdout, done.stderr)
