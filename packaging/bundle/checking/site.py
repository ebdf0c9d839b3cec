"""What all checks share: the unpacked bundle in its tree, homes, the checkout to compare with, and the register."""

import itertools
import os
import shutil
import subprocess
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path

from checking.bare_tree import USER, Done, Inside
from checking.screen import Screen

ROOT = Path(__file__).resolve().parents[3]
PYTHON = ROOT / ".venv/bin/python"
HOME = "/srv/student"
PLACE = "/srv/student/课 程"
"""Where the archive is unpacked: a path with a Chinese character and a space."""
SIZE = ("--size", "1280x800", "--theme", "light")
OFFSCREEN = {"QT_QPA_PLATFORM": "offscreen"}
_NO_FONTS = '<?xml version="1.0"?><!DOCTYPE fontconfig SYSTEM "fonts.dtd"><fontconfig></fontconfig>\n'


class WrongError(Exception):
    """A check failed; the message says how."""


def expect(holds: bool, otherwise: str) -> None:
    """Raise `WrongError` unless something holds."""
    if not holds:
        raise WrongError(otherwise)


@dataclass
class Site:
    """The bundle in a bare tree."""

    folder: Path
    """The folder of all that the checks write."""
    trees: Path
    """The folder of the trees."""
    tree: Path
    unpacked: Path
    """The folder into which the archive was unpacked; it holds the archive's one top folder."""
    top: str
    """The archive's one top folder."""
    archive: Path
    package: Path | None
    """The .deb, if there is one."""
    _numbers: "itertools.count[int]" = field(default_factory=itertools.count)

    @property
    def program(self) -> str:
        """The program, by its path in the tree."""
        return f"{PLACE}/{self.top}/attnviz/attnviz"

    def home(self) -> Path:
        """Return a new empty home folder of the unprivileged user."""
        folder = self.folder / f"home-{next(self._numbers)}"
        folder.mkdir()
        os.chown(folder, USER, USER)
        return folder

    def inside(self, home: Path | None = None, screen: Screen | None = None, **env: str) -> Inside:
        """Return the tree with the bundle, a home and perhaps a screen; without a screen Qt draws offscreen."""
        home = self.home() if home is None else home
        binds = {HOME: home, PLACE: self.unpacked}
        inside = Inside(self.tree, binds, env={"HOME": HOME, "LANG": "C.UTF-8"} | OFFSCREEN | env, cwd=HOME)
        return inside if screen is None else on_screen(inside, screen)

    def attnviz(self, *arguments: str, inside: Inside | None = None, timeout: float = 180) -> Done:
        """Run the bundle to its end; raise `WrongError` if it fails or says what it should not."""
        done = (inside or self.inside()).run(self.program, *arguments, timeout=timeout)
        expect(done.code == 0, f"{' '.join(arguments) or 'the window'} ends with {done.code}: {done.last}")
        expect("Traceback" not in done.err, f"{' '.join(arguments)} prints a traceback: {done.last}")
        return done

    def checkout(self, *arguments: str, cwd: Path, timeout: float = 180, **env: str) -> Done:
        """Run the checkout as the bundle is run: without fonts of the system, with folders of its own."""
        own = self.checkout_env(cwd) | OFFSCREEN | env
        began = time.monotonic()
        done = subprocess.run(
            [str(PYTHON), "-m", "attnviz", *arguments], cwd=cwd, env=own, capture_output=True, text=True,
            timeout=timeout, check=False,
        )  # fmt: skip
        expect(done.returncode == 0, f"the checkout's {' '.join(arguments)} ends with {done.returncode}: {done.stderr}")
        return Done(done.returncode, done.stdout, done.stderr, time.monotonic() - began)

    def checkout_env(self, cwd: Path) -> dict[str, str]:
        """Return the environment for the checkout: no fonts of the system, and a folder as its home."""
        fonts = self.folder / "no-fonts.conf"
        fonts.write_text(_NO_FONTS, encoding="utf-8")
        paths = {"PATH": os.environ["PATH"], "HOME": str(cwd), "PYTHONPATH": str(ROOT)}
        return paths | {"LANG": "C.UTF-8", "FONTCONFIG_FILE": str(fonts)}

    def expect_same(self, ours: Path, theirs: Path, what: str) -> None:
        """Raise `WrongError` if two pictures, or the arrays of two files, differ."""
        said = self.difference(ours, theirs)
        if said != "same":
            for path, name in ((ours, "bundle"), (theirs, "checkout")):
                shutil.copy(path, self.folder / f"differs-{name}{path.suffix}")
        expect(said == "same", f"{what}: {said}; see {self.folder}/differs-*{ours.suffix}")

    def difference(self, first: Path, second: Path) -> str:
        """Return where two pictures, or the arrays of two files, differ; or "same"."""
        command = [str(PYTHON), str(Path(__file__).with_name("pictures.py")), str(first), str(second)]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        return done.stdout.strip() or (done.stderr.strip().splitlines() or ["no answer"])[-1]


def on_screen(inside: Inside, screen: Screen) -> Inside:
    """Return the tree with the socket of a screen."""
    env = {name: value for name, value in inside.env.items() if name != "QT_QPA_PLATFORM"} | {"DISPLAY": screen.display}
    socket = f"/tmp/.X11-unix/{screen.socket.name}"
    return replace(inside, binds=inside.binds | {socket: screen.socket}, env=env)


def with_env(inside: Inside, **env: str | None) -> Inside:
    """Return a tree with other variables; None takes one away."""
    merged: Mapping[str, str | None] = {**inside.env, **env}
    return replace(inside, env={name: value for name, value in merged.items() if value is not None})


Check = Callable[[Site], str | None]
"""Raises `WrongError`, or returns facts for the report."""
CHECKS: dict[str, Check] = {}
"""All checks by their claim, in the order of the report."""


def check(claim: str) -> Callable[[Check], Check]:
    """Register a check under its claim."""

    def register(function: Check) -> Check:
        CHECKS[claim] = function
        return function

    return register
