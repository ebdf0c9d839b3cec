"""The command line in a process that is forked with torch and Qt loaded: for claims that no cold start is part of."""

import multiprocessing
import os
import sys
from collections.abc import Mapping
from pathlib import Path

PATIENCE_S = 100


def run_forked(
    arguments: tuple[str, ...], *, cwd: Path, env: Mapping[str, str], folder: Path, stdin: bytes = b"", code: str = ""
) -> tuple[int, str, str]:
    """Call the command line, or Python code with these arguments; return its exit code, its output and its errors.

    ``folder`` is where the streams of the process are kept.
    """
    streams = [folder / name for name in ("stdin", "stdout", "stderr")]
    streams[0].write_bytes(stdin)
    method = "forkserver" if "forkserver" in multiprocessing.get_all_start_methods() else "spawn"
    context = multiprocessing.get_context(method)
    process = context.Process(target=_call, args=(arguments, cwd, dict(env), streams, code))
    process.start()
    process.join(PATIENCE_S)
    if process.exitcode is None:
        process.kill()
    assert process.exitcode is not None, "the process does not end"
    return process.exitcode, *(path.read_text(encoding="utf-8") for path in streams[1:])


def _call(arguments: tuple[str, ...], cwd: Path, env: dict[str, str], streams: list[Path], code: str) -> None:
    os.chdir(cwd)
    os.environ.clear()
    os.environ.update(env)
    for number, path in enumerate(streams):
        os.dup2(os.open(path, os.O_RDWR | os.O_CREAT), number)
    sys.stdin, sys.stdout, sys.stderr = (os.fdopen(number, mode, encoding="utf-8") for number, mode in enumerate("rww"))
    sys.argv = ["attnviz", *arguments]
    if code:
        exec(compile(code, "<forked>", "exec"), {"__name__": "__main__"})
        return
    from attnviz.__main__ import main

    sys.exit(main())
