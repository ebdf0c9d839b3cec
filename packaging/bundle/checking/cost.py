"""What it costs beside the checkout: time to the first window, and memory; and the oldest C library it runs with."""

import os
import re
import statistics
import subprocess
import time
from dataclasses import replace
from pathlib import Path

from glibc import needed_glibc, oldest_glibc

from checking.bare_tree import make_tree
from checking.screen import Screen
from checking.site import PYTHON, SIZE, Site, check, expect

TURNS = 5
_SLOWEST, _LARGEST = 1.3, 1.1
_LIT = 0.9
_OLD_SUITE = "bullseye"
"""A Debian whose C library is older than any that torch and Qt are built for."""


@check("the first window comes within 1.3 times the checkout's time, in as much memory")
def _cost(site: Site) -> str:
    ours, theirs = [], []
    home, other = site.home(), site.home()
    with Screen() as screen:
        inside = site.inside(home, screen)
        env = site.checkout_env(other) | {"DISPLAY": screen.display}
        for turn in range(TURNS + 1):  # the first turn fills the caches of files and bytecode
            mine = _measure(screen, inside.command(site.program, *SIZE), "attnviz")
            its = _measure(screen, [str(PYTHON), "-m", "attnviz", *SIZE], "", env)
            if turn:
                ours.append(mine)
                theirs.append(its)
    window, memory = (
        statistics.median(mine[place] / its[place] for mine, its in zip(ours, theirs, strict=True)) for place in (0, 1)
    )
    seconds, megabytes = (statistics.median(each[place] for each in ours) for place in (0, 1))
    facts = f"{seconds:.2f} s, {window:.2f} times; {megabytes:.0f} MB, {memory:.2f} times; medians of {TURNS} turns"
    expect(window <= _SLOWEST and memory <= _LARGEST, facts)
    return facts


def _measure(screen: Screen, command: list[str], name: str, env: dict[str, str] | None = None) -> tuple[float, float]:
    """Start a window; return the seconds until it is on the screen, and its memory in MB once the screen rests."""
    screen.wait_until(lambda: screen.lit() < 0.1, 10)
    began = time.monotonic()
    null = subprocess.DEVNULL
    process = subprocess.Popen(command, env=env, stdin=null, stdout=null, stderr=null)
    try:
        while screen.lit() < _LIT:
            expect(time.monotonic() - began < 60 and process.poll() is None, "no window")
            time.sleep(0.005)
        seconds = time.monotonic() - began
        screen.wait_for_rest(quiet=2)
        return seconds, sum(map(_memory, _family(process.pid, name)))
    finally:
        process.kill()
        process.wait()


def _family(pid: int, name: str) -> list[int]:
    """Return a process and its descendants, of a name if one is given."""
    found, todo = [], [pid]
    while todo:
        each = todo.pop()
        for tasks in Path(f"/proc/{each}/task").glob("*/children"):
            todo += map(int, tasks.read_text().split())
        if not name or Path(f"/proc/{each}/comm").read_text().strip() == name:
            found.append(each)
    return found


def _memory(pid: int) -> float:
    """Return the memory of a process in MB: all of its pages that are in memory (Rss)."""
    text = Path(f"/proc/{pid}/smaps_rollup").read_text()
    (kilobytes,) = re.findall(r"^Rss:\s+(\d+) kB", text, re.MULTILINE)
    return int(kilobytes) / 1024


@check("the oldest C library is named, and an older system is told of it")
def _glibc(site: Site) -> str:
    program = site.unpacked / site.top / "attnviz"
    oldest = oldest_glibc(program.rglob("*"))
    files = {path.name for path in needed_glibc(program.rglob("*"))[oldest]}
    here = subprocess.run(["getconf", "GNU_LIBC_VERSION"], capture_output=True, text=True, check=True).stdout
    names = ", ".join(sorted(files)[:3])
    old = make_tree(site.trees, _OLD_SUITE, ())
    done = replace(site.inside(), tree=old).run(site.program, "--version")
    expect(done.code != 0 and "GLIBC_" in done.err, f"on {_OLD_SUITE} it ends with {done.code}: {done.last}")
    script = replace(site.inside(), tree=old).run(f"{os.path.dirname(os.path.dirname(site.program))}/install.sh")
    expect(script.code == 1 and oldest in script.err, f"on {_OLD_SUITE} install.sh says: {script.last}")
    return f"{oldest} (this machine: {here.split()[-1]}), for {names}; {_OLD_SUITE}: {script.last}"
