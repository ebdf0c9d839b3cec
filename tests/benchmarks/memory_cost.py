"""The memory of a run at its peak, beyond what its imports take, against the bytes of the arrays that it leaves.

Measured in a process of its own, for a process never gives back its peak.
"""

import subprocess
import sys

from tests.benchmarks.table import Row

REPEATS = 3

RUN = """
import resource
import psutil
from attnviz.engine.run import run
from attnviz.experiment.labs import make_spec

def spec(tokens, heads):
    sizes = {"num_queries": tokens, "num_kvpairs": tokens, "num_heads": heads, "num_hiddens": 64 * heads}
    return make_spec({"mechanism": "multi_head", "batch_size": 1, "device": "cpu"} | sizes)

list(run(spec(8, 2)))  # what torch loads with its first run
before = psutil.Process().memory_info().rss
trace, = run(spec(1024, 12))
trace.prepare()
arrays = {id(array): array for array in map(lambda a: a if a.base is None else a.base, trace.arrays().values())}
kept = sum(array.nbytes for array in arrays.values() if hasattr(array, "nbytes"))
peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
print((peak - before) / 2**20, kept / 2**20)
"""


def measure() -> list[Row]:
    """Return the row of 12 heads and 1,024 tokens with all stages and the colours of the weights."""
    peaks, kept = [], []
    for _ in range(REPEATS):
        done = subprocess.run([sys.executable, "-c", RUN], capture_output=True, text=True, check=True)
        peak, arrays = map(float, done.stdout.split())
        peaks.append(peak)
        kept.append(arrays)
    name = "peak memory beyond the imports, 12 heads x 1,024 tokens"
    return [Row(name, tuple(peaks), tuple(kept), "bytes of the trace's arrays", "MiB", 2.0)]
