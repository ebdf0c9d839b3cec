"""Looking back on a large training: what its checkpoints take, and how many steps the worst look takes again.

usage: python -m tests.benchmarks.look_back [STEPS]

6 layers of 256 hidden features with feed-forward networks, for 5,000 steps. The batches are as small as they can be:
what is kept depends on the parameters alone.

Measured with checkpoints 100 steps apart: at most 126 MiB of them in memory, 2.6 GiB in a file; the worst look took
89 steps again.
"""

import os
import random
import sys
import time

os.environ.setdefault("MKL_CBWR", "AUTO,STRICT")

import numpy as np

from attnviz.engine.train.run import TrainRun
from attnviz.engine.train.training import ModelState
from attnviz.experiment.labs import make_spec
from attnviz.experiment.run import Cursor, never_stop
from attnviz.experiment.train.spec import TrainSpec

VALUES = {
    "lab": "train",
    "device": "cpu",
    "task": {"kind": "repeat", "segment": 2},
    "num_tokens": 4,
    "vocab_size": 4,
    "batch_size": 1,
    "num_layers": 6,
    "num_hiddens": 256,
    "num_heads": 8,
    "feed_forward": True,
}
LOOKS = 12


class Counted(ModelState):
    """Counts the steps that are taken."""

    steps = 0

    def take_step(self) -> tuple[float, float]:
        """Take a step."""
        Counted.steps += 1
        return super().take_step()


def main() -> None:
    """Train, look back in random order, and say what it took."""
    import attnviz.engine.train.training as module

    module.ModelState = Counted  # type: ignore[misc]
    spec = make_spec(VALUES | {"steps": int(sys.argv[1]) if len(sys.argv) > 1 else 5000})
    assert isinstance(spec, TrainSpec)
    run = TrainRun(spec, None, lambda done, count: None)
    chosen = random.Random(0).sample(range(spec.steps), LOOKS)
    then: dict[int, bytes] = {}
    most, start = 0, time.perf_counter()
    while not run.final:
        run.advance(never_stop)
        assert run.training is not None
        assert run.known is not None
        most = max(most, run.training.checkpoint_bytes)
        if run.known.step in chosen:
            then[run.known.step or 0] = state_at(run, run.known.step)
    assert run.training is not None
    each = (time.perf_counter() - start) / spec.steps
    print(f"{spec.steps} steps of {1e3 * each:.1f} ms; checkpoints: at most {most / 2**20:.0f} MiB in memory, ", end="")
    print(f"{run.training.file_bytes / 2**20:.0f} MiB in a file")
    again, seconds = 0, 0.0
    for step in chosen:
        Counted.steps, start = 0, time.perf_counter()
        assert state_at(run, step) == then[step], step
        again, seconds = max(again, Counted.steps), max(seconds, time.perf_counter() - start)
    print(f"{LOOKS} looks back in random order, equal to the bit: at most {again} steps again, {seconds:.1f} s")


def state_at(run: TrainRun, step: int | None) -> bytes:
    """Return the bits of the parameters after a step."""
    parameters = run.at(Cursor(step=step)).parameters
    return b"".join(np.ascontiguousarray(values).tobytes() for values in parameters.values())


if __name__ == "__main__":
    main()
