"""Bare Debian trees made by debootstrap, and programs that run inside them: without Python, fonts or a network.

The trees are kept, so that only the first check makes them. Everything mounted belongs to a namespace of the process
that needs it, so nothing stays mounted, however that process ends.
"""

import hashlib
import os
import re
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

ENTER = Path(__file__).with_name("enter.py")
NAMESPACES = ("--mount", "--net", "--pid", "--ipc", "--fork", "--kill-child")
PROGRAMS = {
    "debootstrap": "debootstrap",
    "zstd": "zstd",
    "Xvfb": "xvfb",
    "readelf": "binutils",
    "unshare": "util-linux",
}
"""What a check runs, each with Debian's package of it."""
SPACE = 6 * 10**9
"""The disk space that a check needs, in bytes."""
USER = 1000
XCB = ("1", "-cursor0", "-icccm4", "-image0", "-keysyms1", "-randr0", "-render-util0", "-shape0", "-xkb1")
BARE = ("libegl1", "libgl1", *(f"libxcb{name}" for name in XCB))
"""What a system with a desktop surely has, and all that the bare tree has beyond a minimal Debian."""
_HOST = re.compile(r"\b(https?|ftp)://[^/\s]+")


class CannotCheckError(Exception):
    """This machine cannot run the checks; the message says why and how it can."""


def trouble(uid: int, platform: str, missing: Sequence[str], free: int) -> str:
    """Return why a machine cannot run the checks, and how it can; "" if it can.

    Args:
        uid: the user's id; debootstrap needs 0.
        platform: as in `sys.platform`.
        missing: those of `PROGRAMS` that are not installed.
        free: the free disk space in bytes.
    """
    if platform != "linux":
        return f"the checks need Linux, and this is {platform}; 'attnviz doctor --self-test' checks a bundle anywhere"
    if missing:
        packages = " ".join(PROGRAMS[name] for name in missing)
        return f"the checks need {', '.join(missing)}; on Debian and Ubuntu: sudo apt-get install {packages}"
    if uid != 0:
        return (
            "the checks need root, since debootstrap and chroot do: sudo python3 packaging/bootstrap.py bundle --check"
        )
    if free < SPACE:
        return f"the checks need {SPACE / 1e9:.0f} GB of disk space, and {free / 1e9:.1f} GB are free"
    return ""


def refuse_here(folder: Path) -> None:
    """Raise `CannotCheckError` if this machine cannot run the checks in a folder."""
    missing = [name for name in PROGRAMS if shutil.which(name) is None]
    why = trouble(os.geteuid() if hasattr(os, "geteuid") else 0, sys.platform, missing, shutil.disk_usage(folder).free)
    if why:
        raise CannotCheckError(why)


def mirror_of(targets: str, suite: str) -> str:
    """Return the address from which apt gets a suite; "" leaves the choice to debootstrap.

    Args:
        targets: lines of `apt-get indextargets`: codename, component and address.
        suite: Debian's codename. Another suite's address serves if there is none, since a mirror has all.
    """
    lines = [line.split() for line in targets.splitlines() if line.count(" ") == 2]
    plain = [(name, address) for name, part, address in lines if part == "main" and "-" not in name]
    debian = [(name, address) for name, address in plain if address.rstrip("/").endswith("/debian")]
    return next((address for name, address in debian if name == suite), debian[0][1] if debian else "")


def reason(log: str) -> str:
    """Return why debootstrap failed, from its log, with what to do; addresses are left out."""
    if re.search("No space left", log):
        return "the disk is full"
    if re.search("Couldn't download|Failed getting release|Invalid Release", log):
        return "no package could be downloaded: is this machine offline? The trees need a network once"
    last = [line for line in log.splitlines() if line.startswith(("E:", "W:"))] or log.splitlines() or ["no output"]
    return _HOST.sub("...", last[-1])


def make_tree(folder: Path, suite: str, packages: Sequence[str]) -> Path:
    """Return a minimal Debian with some packages more, made once for each such list.

    Raises:
        CannotCheckError: debootstrap failed.
    """
    digest = hashlib.sha256(" ".join((suite, *packages)).encode()).hexdigest()[:8]
    tree = folder / f"{suite}-{digest}"
    if tree.is_dir():
        return tree
    part, debs = folder / f"{tree.name}.part", folder / "debs"
    shutil.rmtree(part, ignore_errors=True)
    debs.mkdir(parents=True, exist_ok=True)
    form = "--format=$(CODENAME) $(COMPONENT) $(REPO_URI)"
    targets = subprocess.run(
        ["apt-get", "indextargets", form, "Created-By: Packages"], capture_output=True, text=True, check=False
    )
    options = ["--variant=minbase", f"--cache-dir={debs.resolve()}"]
    options += [f"--include={','.join(packages)}"] if packages else []
    address = mirror_of(targets.stdout, suite)
    command = ["unshare", "--mount", "--pid", "--fork", "--kill-child", "debootstrap", *options, suite, str(part)]
    done = subprocess.run([*command, *([address] if address else [])], capture_output=True, text=True, check=False)
    if done.returncode != 0:
        log = folder / "debootstrap.log"
        log.write_text(done.stdout + done.stderr, encoding="utf-8")
        why = reason(log.read_text(encoding="utf-8"))
        shutil.rmtree(part, ignore_errors=True)
        raise CannotCheckError(f"debootstrap could not make a bare Debian ({suite}): {why}; see {log}")
    shutil.rmtree(part / "var/cache/apt/archives", ignore_errors=True)
    user = f"student:x:{USER}:{USER}::/srv/student:/bin/sh\n"
    with (part / "etc/passwd").open("a") as file:
        file.write(user)
    (part / "etc/group").open("a").write(f"student:x:{USER}:\n")
    part.rename(tree)
    return tree


def copy_of(tree: Path, folder: Path) -> Path:
    """Return a copy of a tree in a new folder; its devices are copied as such."""
    subprocess.run(["cp", "-a", "--reflink=auto", str(tree), str(folder)], check=True)
    return folder


class Done(NamedTuple):
    """How a program ended."""

    code: int
    out: str
    err: str
    seconds: float

    @property
    def last(self) -> str:
        """The last line of its errors, or of its output."""
        return ((self.err.strip() or self.out.strip()).splitlines() or ["no output"])[-1]


@dataclass
class Inside:
    """A tree, what is mounted in it, and the environment of the programs there."""

    tree: Path
    binds: dict[str, Path] = field(default_factory=dict)
    """Folders and files of this machine by their place in the tree."""
    read_only: tuple[str, ...] = ()
    tmpfs: dict[str, str] = field(default_factory=dict)
    """Sizes of empty file systems in memory by their place, such as 1m."""
    env: Mapping[str, str] = field(default_factory=dict)
    cwd: str = "/"
    user: bool = True
    """Whether programs run as the unprivileged user, or as root."""

    def command(self, *program: str) -> list[str]:
        """Return the command that runs a program inside, for `subprocess`."""
        options = [option for place, path in self.binds.items() for option in ("--bind", str(path), place)]
        options += [option for place in self.read_only for option in ("--read-only", place)]
        options += [option for place, size in self.tmpfs.items() for option in ("--tmpfs", place, size)]
        env = {"PATH": "/usr/sbin:/usr/bin:/sbin:/bin"} | dict(self.env)
        options += [option for name, value in env.items() for option in ("--env", f"{name}={value}")]
        options += [*(["--user"] if self.user else []), "--cwd", self.cwd]
        return ["unshare", *NAMESPACES, sys.executable, str(ENTER), str(self.tree), *options, "--", *program]

    def run(self, *program: str, stdin: int | None = subprocess.DEVNULL, timeout: float = 180) -> Done:
        """Run a program inside to its end; one that takes longer than ``timeout`` seconds is killed."""
        began = time.monotonic()
        with subprocess.Popen(
            self.command(*program), stdin=stdin, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
        ) as process:
            try:
                out, err = process.communicate(timeout=timeout)
            except BaseException as error:
                process.kill()  # the namespace ends with it
                out, err = process.communicate()
                if not isinstance(error, subprocess.TimeoutExpired):
                    raise
                err += f"\nno end within {timeout:.0f} s"
            return Done(process.returncode, out, err, time.monotonic() - began)

    def start(self, *program: str) -> "Running":
        """Start a program inside, such as the window."""
        return Running(self.command(*program))


class Running:
    """A program inside a tree that runs until it is ended; a context manager."""

    def __init__(self, command: list[str]) -> None:
        self._process = subprocess.Popen(
            command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
        )

    def __enter__(self) -> "Running":
        return self

    def __exit__(self, *_: object) -> None:
        self._process.kill()
        self._process.communicate()

    @property
    def runs(self) -> bool:
        """Whether it has not ended."""
        return self._process.poll() is None

    def pids(self, name: str) -> list[int]:
        """Return the ids, seen from here, of its processes of a name, the oldest first."""
        found, todo = [], [self._process.pid]
        while todo:
            pid = todo.pop(0)
            for tasks in Path(f"/proc/{pid}/task").glob("*/children"):
                todo += [int(child) for child in _text(tasks).split()]
            if _text(Path(f"/proc/{pid}/comm")).strip() == name:
                found.append(pid)
        return sorted(found)

    def signal(self, name: str, number: signal.Signals) -> None:
        """Send a signal to the first process of a name."""
        os.kill(self.pids(name)[0], number)

    def wait(self, timeout: float) -> Done:
        """Return how it ends; it is killed after ``timeout`` seconds."""
        try:
            out, _ = self._process.communicate(timeout=timeout)
        except subprocess.TimeoutExpired:
            self._process.kill()
            out, _ = self._process.communicate()
        return Done(self._process.returncode, out, "", 0.0)


def _text(path: Path) -> str:
    try:
        return path.read_text()
    except OSError:  # it has ended
        return ""
