"""Checks the archive and the .deb of `dist/` in bare Debian trees: `python3 packaging/bootstrap.py bundle --check`.

usage: check.py [--dist FOLDER] [--only WORD]   FOLDER has the archive and the .deb; WORD is a part of a check's claim

Builds no bundle. Needs root (chroot), debootstrap, Xvfb, zstd and readelf, once a network for the trees, and the
checkout's .venv, which the bundle is compared with. All is in build/checks/: the trees, which are kept, and pictures
of what was seen. Exits with 1 if a check failed, with 2 if this machine cannot run them.
"""

import argparse
import os
import re
import shutil
import signal
import subprocess
import sys
import time
import traceback
from collections.abc import Iterable, Sequence
from pathlib import Path

from checking import cost, packages, starts, upgrade, work  # noqa: F401 - each registers its checks
from checking.bare_tree import BARE, USER, CannotCheckError, make_tree, refuse_here
from checking.site import CHECKS, Site, WrongError

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))

import bootstrap  # noqa: E402 - it is beside this folder

ROOT = HERE.parent.parent
FOLDER = ROOT / "build/checks"
SUITE = "bookworm"


def newest(folder: Path, pattern: str) -> Path | None:
    """Return the newest file of a pattern in a folder."""
    return max(folder.glob(pattern), key=lambda path: path.stat().st_mtime, default=None)


def unpack(archive: Path, folder: Path) -> str:
    """Unpack the archive as the unprivileged user; return the name of its one top folder."""
    folder.mkdir()
    os.chown(folder, USER, USER)
    with subprocess.Popen(["zstd", "-dcq", str(archive)], stdout=subprocess.PIPE) as packed:
        assert packed.stdout is not None
        tar = ["setpriv", f"--reuid={USER}", f"--regid={USER}", "--clear-groups", "tar", "-xf", "-"]
        done = subprocess.run(tar, stdin=packed.stdout, cwd=folder, capture_output=True, text=True, check=False)
    if done.returncode != 0 or packed.returncode != 0:
        raise CannotCheckError(f"{archive.name} cannot be unpacked: {done.stderr.strip() or 'the archive is broken'}")
    tops = sorted(path.name for path in folder.iterdir())
    return tops[0] if tops else ""


def make_site(dist: Path) -> Site:
    """Return the unpacked bundle in its tree.

    Raises:
        CannotCheckError: this machine cannot run the checks, or there is no bundle.
    """
    archive = newest(dist, "attnviz-*-linux-*.tar.zst")
    if archive is None:
        raise CannotCheckError(f"{dist} has no bundle; build one first: python3 packaging/bootstrap.py bundle")
    FOLDER.mkdir(parents=True, exist_ok=True)
    for old in FOLDER.iterdir():  # of the last check
        if old.name != "trees":
            shutil.rmtree(old) if old.is_dir() else old.unlink()
    refuse_here(FOLDER)
    if not bootstrap.PYTHON.exists():
        raise CannotCheckError(
            "the checks compare with the checkout, which is not set up: python3 packaging/bootstrap.py run"
        )
    trees = FOLDER / "trees"
    tree = make_tree(trees, SUITE, BARE)
    (FOLDER / "unpacked").mkdir()
    unpacked = FOLDER / "unpacked" / "first"
    top = unpack(archive, unpacked)
    return Site(FOLDER, trees, tree, unpacked, top, archive, newest(dist, "attnviz_*.deb"))


def run_checks(site: Site, claims: Iterable[str]) -> list[str]:
    """Run checks, print a line about each, and return those that failed."""
    failed = []
    for claim in claims:
        began = time.monotonic()
        try:
            result, facts = "ok", CHECKS[claim](site) or ""
        except (WrongError, CannotCheckError) as error:
            result, facts = "FAILED", str(error)
        except Exception as error:  # an unforeseen state of the bundle must not hide the other checks
            where = traceback.extract_tb(error.__traceback__)[-1]
            result, facts = "FAILED", f"{type(error).__name__} in line {where.lineno} of {where.filename}: {error}"
        if result != "ok":
            failed.append(claim)
        print(f"{result:6} {time.monotonic() - began:5.1f} s  {claim}{': ' * bool(facts)}{facts}", flush=True)
    return failed


def end_at_once(*_: object) -> None:
    raise KeyboardInterrupt


def main(arguments: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(prog="bundle --check", allow_abbrev=False)
    parser.add_argument("--dist", type=Path, default=ROOT / "dist", help="the folder of the archive and the .deb")
    parser.add_argument("--only", default="", help="a part of the claims to check")
    asked = parser.parse_args(arguments)
    signal.signal(signal.SIGTERM, end_at_once)
    claims = [claim for claim in CHECKS if re.search(re.escape(asked.only), claim)]
    if not claims:
        bootstrap.refuse(f"no check has '{asked.only}' in its claim; they are: {'; '.join(CHECKS)}", 2)
    began = time.monotonic()
    try:
        site = make_site(asked.dist)
    except CannotCheckError as error:
        bootstrap.refuse(f"{error}.", 2)
    print(f"{site.archive.name} in {site.tree.name}, unpacked after {time.monotonic() - began:.0f} s", flush=True)
    failed = run_checks(site, claims)
    shutil.rmtree(FOLDER / "unpacked", ignore_errors=True)
    seconds = time.monotonic() - began
    print(f"{len(claims) - len(failed)} of {len(claims)} checks passed in {seconds:.0f} s", flush=True)
    return 1 if failed else 0


if __name__ == "__main__":
    try:
        sys.exit(main(sys.argv[1:]))
    except KeyboardInterrupt:
        bootstrap.refuse("stopped; nothing stays mounted.", 130)
