"""How much memory a recording really takes, in a process of its own."""

import subprocess
import sys

from source_tree import ROOT

MEASURED = """
import sys
from pathlib import Path
sys.path.insert(0, "tests/support")
import torch
from model_families import FAMILIES, inputs_of, tiny
from attnviz.engine.model.recording import record

def status(line):
    rows = Path("/proc/self/status").read_text().splitlines()
    return next(int(row.split()[1]) << 10 for row in rows if row.startswith(line))

family = FAMILIES["gpt2"]
model = tiny(family, n_layer=6, n_head=12, n_embd=96, n_positions=1024)
record(model, inputs_of(family, 64))
Path("/proc/self/clear_refs").write_text("5")
before = status("VmRSS")
recording = record(model, inputs_of(family, 1024), compare=False, rows=[-1])
assert all(call.known for call in recording.calls)
print(status("VmHWM") - before)
"""
LAYER = 12 * 1024 * 1024 * 4
"""Bytes of the weights of a layer."""


def test_that_the_weights_of_one_layer_are_alive_at_a_time() -> None:
    done = subprocess.run([sys.executable, "-c", MEASURED], cwd=ROOT, check=False, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert LAYER < int(done.stdout) < 4 * LAYER, f"{done.stdout}: kept weights are 6 layers"
