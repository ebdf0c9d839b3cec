"""A sweep on two workers against the same runs in one process: trainings, many small runs, and a model over texts.

The workers are started before the clock; how long that takes is a row of its own. Both sides give the rows that the
table is written from, and one measurement of each is enough: it averages over every run.
"""

import json
import random
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from attnviz.engine.sweeps.cluster import Connection, connected, rows_from
from attnviz.engine.sweeps.estimate import seconds_of_a_run
from attnviz.engine.sweeps.rows import Workers, rows_of
from attnviz.experiment.labs import make_spec
from attnviz.experiment.sweeps.crossing import Crossing, crossed
from tests.benchmarks.model_cost import WRITE
from tests.benchmarks.table import Row

WORKERS = 2
TRAINING: dict[str, Any] = {"lab": "train", "device": "cpu", "steps": 250}
"""Two seconds or more on one core of 2020."""
TRAININGS = crossed(make_spec(TRAINING), [("seed", range(64))])
SMALL = crossed(make_spec({"device": "cpu"}), [("num_heads", (1, 2, 5, 10)), ("seed", range(2500))])


def over_texts(folder: Path) -> Crossing:
    """Return a sweep of a small random GPT-2 over 500 texts of 30 to 100 tokens."""
    sizes = {"n_embd": 384, "n_layer": 6, "n_head": 12, "n_positions": 128, "vocab_size": 1000}
    made = ["gpt2", "AutoModelForCausalLM", sizes]
    subprocess.run([sys.executable, "-c", WRITE, str(folder), json.dumps(made)], check=True)
    draw = random.Random(0)
    texts = [" ".join(f"w{draw.randrange(900)}" for _ in range(draw.randint(30, 100))) for _ in range(500)]
    return crossed(make_spec({"lab": "model", "device": "cpu", "folder": str(folder)}), [("text", texts)])


def _seconds(rows: Any, count: int) -> float:
    began = time.perf_counter()
    assert sum(map(len, rows)) == count
    return time.perf_counter() - began


def _pair(connection: Connection, sweep: Crossing) -> tuple[float, float]:
    """Return the seconds of the workers and of this process."""
    each, runs = seconds_of_a_run(sweep, range(len(sweep))), range(len(sweep))
    sent = rows_from(connection, sweep, runs, limit=None, seconds=each, tell=print)
    return _seconds(sent, len(sweep)), _seconds(rows_of(sweep, runs, Workers()), len(sweep))


def measure() -> list[Row]:
    """Return the rows of both sweeps, and of the workers' start."""
    began = time.perf_counter()
    with connected(WORKERS, "") as connection:
        _pair(connection, crossed(SMALL.base, [("seed", range(2 * WORKERS))]))  # both sides load their libraries
        started = time.perf_counter() - began
        theirs = [(sweep, *_pair(connection, sweep)) for sweep in (TRAININGS, SMALL)]
        with tempfile.TemporaryDirectory() as folder:
            read, read_alone = _pair(connection, over_texts(Path(folder)))
    (_, trained, alone), (_, many, loop) = theirs
    return [
        Row(
            f"64 trainings of {alone / 64:.1f} s on two workers",
            (64 / trained,),
            (64 / alone,),
            "one process",
            "runs/s",
            1.6,
            at_least=True,
        ),
        Row(
            "500 texts x 6 layers x 12 heads on two workers",
            (500 / read,),
            (500 / read_alone,),
            "one process",
            "runs/s",
            1.6,
            at_least=True,
        ),
        Row("10,000 attention runs on two workers", (many,), (loop,), "one process", "s", 0.8),
        Row("start of the workers, to their first row", (started,), (started,), "itself", "s"),
    ]
