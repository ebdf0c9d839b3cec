"""Builds the bundle: `python3 packaging/bootstrap.py bundle`; `contents.py` lists what it holds, `pack.py` packs it.

The app is installed from its wheel, with the pinned versions, into a virtual environment of its own in build/, and
frozen there. For one commit and one Python, all files are the same at every build. Ends with the largest parts.
"""

import json
import os
import shutil
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from fnmatch import fnmatchcase
from pathlib import Path

import contents

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent
sys.path.append(str(HERE.parent))

import bootstrap  # noqa: E402 - it is beside this folder

BUILD, DIST = ROOT / "build", ROOT / "dist"
VENV = BUILD / "bundle-venv"
PYTHON = VENV / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
EXTRAS = "bundle,cluster,models"
SPACE = 8 * 10**9
"""The disk space that a build needs, in bytes."""
LARGEST = 10
"""The number of parts in the report."""


def main(arguments: list[str]) -> int:
    if arguments == ["--check"]:
        import check

        return int(check.main([]))
    if arguments:
        bootstrap.refuse(f"bundle has no argument '{' '.join(arguments)}'; nearest: --check", 2)
    if (free := shutil.disk_usage(ROOT).free) < SPACE:
        bootstrap.refuse(f"a build needs {SPACE / 1e9:.0f} GB of disk space; {ROOT} has {free / 1e9:.1f} GB.")
    prepare()
    frozen = freeze()
    forget_places(frozen)
    saved = strip(frozen)
    print(*report(frozen, saved), sep="\n", flush=True)
    return subprocess.call([str(PYTHON), str(HERE / "pack.py"), str(frozen), str(DIST), str(commit_time())])


def prepare() -> None:
    """Make the virtual environment: the app from its wheel, what it needs, and PyInstaller."""
    bootstrap.say("installing the app and its libraries into build/bundle-venv; this takes some minutes ...")
    bootstrap.make_venv(VENV)
    wheels = BUILD / "wheel"
    shutil.rmtree(wheels, ignore_errors=True)
    if bootstrap.quietly(str(PYTHON), "-m", "pip", "wheel", "-q", "--no-deps", "-w", str(wheels), ".") is not None:
        bootstrap.refuse("the wheel could not be built; the lines above say why.")
    (wheel,) = wheels.iterdir()
    if trouble := bootstrap.install(PYTHON, f"attnviz[{EXTRAS}] @ {wheel.as_uri()}"):
        bootstrap.refuse(trouble)


def freeze() -> Path:
    """Return the folder of the frozen program."""
    bootstrap.say("freezing it; this takes some more ...")
    shutil.rmtree(BUILD / "frozen", ignore_errors=True)
    places = ["--distpath", BUILD / "frozen", "--workpath", BUILD / "work"]
    command = [PYTHON, "-m", "PyInstaller", "--clean", "-y", "--log-level", "WARN", *places, HERE / "attnviz.spec"]
    (BUILD / "work").mkdir(parents=True, exist_ok=True)
    env = os.environ | {
        "PYINSTALLER_CONFIG_DIR": str(BUILD / "pyinstaller"),
        "PYTHONHASHSEED": "1",  # the order of sets in bytecode
        "QT_QPA_PLATFORM": "offscreen",
        "SOURCE_DATE_EPOCH": str(commit_time()),
    }
    log = BUILD / "pyinstaller.log"
    with log.open("wb") as output:  # with the warnings of a thousand modules that are looked into
        # Not in the checkout, whose package would be found before the installed one, which has the resources inside.
        done = subprocess.run([str(part) for part in command], cwd=BUILD, env=env, stderr=output, check=False)
    if done.returncode != 0:
        print(*log.read_text(errors="replace").splitlines()[-12:], sep="\n", file=sys.stderr)
        bootstrap.refuse(f"PyInstaller failed; the lines above are the last of {log}.")
    check_resources(BUILD / "frozen" / "attnviz")
    return BUILD / "frozen" / "attnviz"


def check_resources(frozen: Path) -> None:
    """Refuse to go on if a resource of the installed app is missing in the frozen one."""
    (inside,) = VENV.rglob("site-packages/attnviz/_resources")
    missing = [path for path in sorted(inside.rglob("*")) if path.is_file()
               and not (frozen / "_internal/attnviz/_resources" / path.relative_to(inside)).exists()]  # fmt: skip
    if missing:
        bootstrap.refuse(f"the bundle lacks {len(missing)} resources, the first of which is {missing[0]}.")


def commit_time() -> int:
    """Return the time of the commit, in seconds since 1970; without one, the earliest that a zip file can hold."""
    command = ["git", "-C", str(ROOT), "log", "-1", "--format=%ct"]
    try:
        return int(subprocess.run(command, capture_output=True, text=True, check=True).stdout)
    except (OSError, ValueError, subprocess.CalledProcessError):
        return 315_532_800


def forget_places(frozen: Path) -> None:
    """Remove what names folders of this machine: where the wheel lay, and commands that begin with a path."""
    for record in (frozen / "_internal").glob("*.dist-info/RECORD"):
        record.with_name("direct_url.json").unlink(missing_ok=True)
        lines = record.read_bytes().splitlines(keepends=True)
        record.write_bytes(
            b"".join(line for line in lines if not line.startswith(b"../") and b"direct_url" not in line)
        )


def strip(frozen: Path) -> int:
    """Remove the symbol tables that the app does not need; return the bytes saved."""
    if sys.platform != "linux":
        return 0
    paths = [path for pattern in contents.STRIPPED for path in sorted((frozen / "_internal").glob(pattern))]
    before = sum(path.stat().st_size for path in paths)
    try:
        subprocess.run(["strip", "--strip-unneeded", *map(str, paths)], check=True)
    except FileNotFoundError:
        bootstrap.refuse("a build needs the program strip; on Debian and Ubuntu: sudo apt-get install binutils")
    return before - sum(path.stat().st_size for path in paths)


def report(frozen: Path, stripped: int) -> Iterator[str]:
    """Yield lines about the largest parts of the bundle, and about what each exclusion saves."""
    parts: Counter[str] = Counter()
    for path in frozen.rglob("*"):
        if path.is_file() and not path.is_symlink():
            parts["/".join(path.relative_to(frozen).parts[:2])] += path.stat().st_size
    yield f"{parts.total() / 1e6:7.1f} MB unpacked; its largest parts:"
    yield from (f"{size / 1e6:7.1f} MB {name}" for name, size in parts.most_common(LARGEST))
    left: Counter[str] = Counter()
    for path, file in json.loads((BUILD / "work" / "attnviz" / "collected.json").read_text())["left"]:
        why = next((pattern for pattern in contents.EXCLUDED_FILES if fnmatchcase(path, pattern)), "")
        left[why or "libraries that only these are linked against"] += Path(file).stat().st_size
    for place in (VENV.glob("lib/python*/site-packages"), VENV.glob("Lib/site-packages")):
        for folder in place:
            for name in contents.EXCLUDED_MODULES:
                path = folder / name.replace(".", "/")
                left[name] += sum(file.stat().st_size for file in path.rglob("*.*") if file.suffix != ".pyc")
    left["symbol tables"] = stripped
    yield f"{left.total() / 1e6:7.1f} MB left out:"
    yield from (f"{size / 1e6:7.1f} MB {name}" for name, size in left.most_common() if size > 1e5)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
