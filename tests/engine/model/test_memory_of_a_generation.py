"""How much memory a generation really takes beside the model, in a process of its own."""

import subprocess
import sys
from pathlib import Path

import pytest
from model_folders import made, written
from source_tree import ROOT

MEASURED = """
import sys
from pathlib import Path
from attnviz.engine.run import start
from attnviz.experiment.model.spec import ModelSpec
from attnviz.experiment.run import Cursor, never_stop

def status(line):
    rows = Path("/proc/self/status").read_text().splitlines()
    return next(int(row.split()[1]) << 10 for row in rows if row.startswith(line))

def shown(tokens, new):
    run = start(ModelSpec(folder=sys.argv[1], device="cpu", generate=new, text=" ".join(["cat"] * tokens)))
    trace = None
    while not run.final:
        run.advance(never_stop)
        before, trace = trace, run.at(Cursor(layer=1))
        trace.prepare()
    return run, before, trace

shown(4, 2)
Path("/proc/self/clear_refs").write_text("5")
before = status("VmRSS")
tokens, new = map(int, sys.argv[2:])
held = shown(tokens, new)
assert len(held[2].generated.ids) == new
print(status("VmHWM") - before, held[2].model.memory.of(tokens, new))
"""


@pytest.mark.parametrize(("tokens", "new"), [(100, 60), (600, 6)])
def test_that_the_memory_of_a_generation_stays_within_what_is_told(tokens: int, new: int, tmp_path: Path) -> None:
    model = made("gpt2", n_layer=4, n_head=12, n_embd=192, n_positions=1024, vocab_size=40, eos_token_id=None)
    folder = written(tmp_path / "model", model)
    command = [sys.executable, "-c", MEASURED, str(folder), str(tokens), str(new)]
    done = subprocess.run(command, cwd=ROOT, check=False, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    took, told = map(int, done.stdout.split())
    assert took < told < 4 * took + (96 << 20), f"{took >> 20} MiB, told {told >> 20} MiB"
