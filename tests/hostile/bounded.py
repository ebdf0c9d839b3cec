"""A script: run each spec or document in a process that has little memory and time, and say what came of it as JSON.

Everything is imported once; each is then run in a fork, whose memory may grow by so many bytes and no more.
"""

import contextlib
import io
import json
import os
import resource
import signal
import sys
import time
from typing import Any

MOST_BYTES = 512 << 20
MOST_SECONDS = 20


def outcome(source: str) -> dict[str, Any]:
    """Return the exit code, what was said, the seconds and the MiB that it took to run one source."""
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(reading)
        with os.fdopen(writing, "w") as report:
            json.dump(_within_bounds(source), report)
        os._exit(0)
    os.close(writing)
    with os.fdopen(reading) as report:
        said = report.read()
    os.waitpid(child, 0)
    return json.loads(said) if said else {"code": None, "said": "killed", "seconds": MOST_SECONDS, "mebibytes": 0}


def _within_bounds(source: str) -> dict[str, Any]:
    from attnviz.__main__ import main

    pages = int(open("/proc/self/statm").read().split()[0])  # noqa: SIM115
    most = pages * resource.getpagesize() + MOST_BYTES
    resource.setrlimit(resource.RLIMIT_AS, (most, most))
    signal.alarm(MOST_SECONDS)
    before, start = _peak(), time.process_time()
    with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()) as said:
        code = main(["run", source])
    seconds = time.process_time() - start
    return {"code": code, "said": said.getvalue(), "seconds": seconds, "mebibytes": _peak() - before}


def _peak() -> int:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss >> 10


if __name__ == "__main__":
    import attnviz.engine.run
    import attnviz.export.document  # noqa: F401

    print(json.dumps({source: outcome(source) for source in sys.argv[1:]}))
