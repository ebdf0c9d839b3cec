"""Sets up attnviz from a checkout and starts it; needs nothing but Python 3.11 or newer.

usage: python3 packaging/bootstrap.py run  [ARGUMENT ...]   start the app, e.g. `run --lab regression`
       python3 packaging/bootstrap.py test [ARGUMENT ...]   run its tests, e.g. `test -k mask`
       python3 packaging/bootstrap.py heavy [ARGUMENT ...]  run the others: exports, processes, faults, lessons
       python3 packaging/bootstrap.py bench [ARGUMENT ...]  measure its budgets, e.g. `bench start_cost`
       python3 packaging/bootstrap.py check                 run ruff, mypy and import-linter; report sizes
       python3 packaging/bootstrap.py bundle [--check]      build the app for people without Python, or check it

The first call makes .venv from scratch, with the versions pinned in packaging/constraints.txt and under
pip's own settings, if any; a later one starts at once, until those pins or pyproject.toml change.
"""

import ctypes
import hashlib
import importlib.util
import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NoReturn

OLDEST_PYTHON = (3, 11)
ROOT = Path(__file__).resolve().parent.parent
VENV = ROOT / ".venv"
PYTHON = VENV / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
STAMP = VENV / "attnviz-stamp.json"
PINS = "packaging/constraints.txt"
# Each holds those before it.
EXTRAS = {"run": "models", "test": "test", "heavy": "test", "bench": "test", "check": "dev"}
OWN_CHECKS = (
    "python packaging/extract_texts.py --check",
    "python packaging/languages.py --check",
    "python -m tests.report",
)
CHECKS = ("ruff check", "ruff format --check", "mypy", "lint-imports", *OWN_CHECKS)
TEST_ENV = {"QT_QPA_PLATFORM": "offscreen", "PYTHONFAULTHANDLER": "1"}
ALL_CORES = ["-n", "logical", "--dist", "worksteal"]  # files stay whole but for what an idle core takes at the end
HEAVY_TESTS = [
    "tests/e2e",
    "tests/engine/model/test_attribution.py",
    "tests/engine/model/test_configurations.py",
    "tests/engine/model/test_lens.py",
    "tests/engine/model/test_memory_of_a_generation.py",
    "tests/engine/model/test_memory_of_a_recording.py",
    "tests/engine/model/test_residual.py",
    "tests/engine/model/test_token_maps.py",
    "tests/engine/mods",
    "tests/engine/test_bilinear.py",
    "tests/engine/test_lessons.py",
    "tests/engine/test_masks_of_variants.py",
    "tests/engine/test_memory.py",
    "tests/engine/test_own_functions.py",
    "tests/engine/test_positions_made_visible.py",
    "tests/engine/test_train_presets.py",
    "tests/engine/test_weights_without_softmax.py",
    "tests/experiment/test_findings.py",
    "tests/experiment/test_lesson_writing.py",
    "tests/export",
    "tests/families",
    "tests/gui/dialogs",
    "tests/gui/faults",
    "tests/gui/labs/attention/test_functions_page.py",
    "tests/gui/labs/attention/test_mask_page.py",
    "tests/gui/labs/attention/test_motion.py",
    "tests/gui/labs/model/test_lens_page.py",
    "tests/gui/labs/model/test_long_text.py",
    "tests/gui/labs/model/test_model_overview.py",
    "tests/gui/labs/model/test_sides.py",
    "tests/gui/labs/model/test_untrue_run.py",
    "tests/gui/labs/test_shares_of_stages.py",
    "tests/gui/labs/train/test_rate_from_here.py",
    "tests/gui/labs/train/test_studies_in_the_room.py",
    "tests/gui/labs/train/test_study_pages.py",
    "tests/gui/lessons",
    "tests/gui/run/test_going_on_training.py",
    "tests/gui/run/test_kept_runs.py",
    "tests/gui/run/test_kept_transformers.py",
    "tests/gui/run/test_looking_back.py",
    "tests/gui/run/test_own_process.py",
    "tests/gui/session",
    "tests/gui/sweeps/test_sweep_process.py",
    "tests/gui/test_language.py",
    "tests/gui/trials",
    "tests/gui/whole_window",
    "tests/gui/window/test_present.py",
    "tests/gui/window/test_theme.py",
    "tests/hostile",
    "tests/packaging/test_bundle.py",
    "tests/sweeps/test_own_functions.py",
    "tests/sweeps/test_rows.py",
    "tests/test_api.py",
]
SCREENS = ("DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM")  # one of them set: Qt finds its platform itself
COMMANDS = {"gui", "run", "export", "code", "sweep", "lesson", "presets", "doctor", "help"}
OWN_WAY = COMMANDS | {"-h", "--help", "--version", "--screenshot"}

# Debian's package=the file whose absence shows it missing; the second set is for a real X11 display.
QT_LIBRARIES = """
    libegl1=libEGL.so.1 libgl1=libGL.so.1 libdbus-1-3=libdbus-1.so.3 libfontconfig1=libfontconfig.so.1
    libglib2.0-0=libglib-2.0.so.0 libxkbcommon0=libxkbcommon.so.0"""
X11_LIBRARIES = """
    libxcb-cursor0=libxcb-cursor.so.0 libxcb-icccm4=libxcb-icccm.so.4 libxcb-keysyms1=libxcb-keysyms.so.1
    libxcb-randr0=libxcb-randr.so.0 libxcb-render-util0=libxcb-render-util.so.0
    libxcb-shape0=libxcb-shape.so.0 libxcb-xkb1=libxcb-xkb.so.1 libxkbcommon-x11-0=libxkbcommon-x11.so.0"""

CHINESE_FONT = "fonts-noto-cjk"
FONTS = Path("/usr/share/fonts"), Path("/usr/local/share/fonts"), Path.home() / ".fonts"

# An older pip heeds the first for the build backend, a newer one the second; it splits absolute paths at spaces.
SILENT = {"PIP_CONSTRAINT": PINS, "PIP_BUILD_CONSTRAINT": PINS, "DEBIAN_FRONTEND": "noninteractive"}


def say(sentence: str) -> None:
    print(f"attnviz: {sentence}", file=sys.stderr, flush=True)


def refuse(sentence: str, code: int = 1) -> NoReturn:
    say(sentence)
    sys.exit(code)


if sys.version_info[:2] < OLDEST_PYTHON:  # here, for Python 3.6 gets so far, and no older one through what follows
    refuse(f"this is Python {sys.version.split()[0]}, but attnviz needs 3.11 or newer.", 2)


def quietly(*command: str) -> str | None:
    """Runs a command in silence; of one that fails, the output is returned and its end shown."""
    env = {**os.environ, **SILENT}
    done = subprocess.run(command, cwd=ROOT, env=env, input="", capture_output=True, text=True, check=False)
    if done.returncode == 0:
        return None
    output = done.stdout + done.stderr
    print(*output.splitlines()[-12:], sep="\n", file=sys.stderr)
    return output


def hand_over(module: str, arguments: Sequence[str], env: Mapping[str, str]) -> int:
    """Becomes that program where the system can, so that Ctrl-C reaches it alone; else waits for it."""
    command = [str(PYTHON), "-m", module, *arguments]
    if os.name == "posix":
        os.execve(PYTHON, command, env)
    return subprocess.call(command, env=env)


def wanted_stamp(extra: str) -> dict[str, str]:
    inputs = b"".join((ROOT / name).read_bytes() for name in ("pyproject.toml", PINS))
    home = f"{sys.implementation.cache_tag} in {ROOT}"  # a .venv survives neither a move nor another Python
    return {"home": home, "inputs": hashlib.sha256(inputs).hexdigest(), "extra": extra}


def found_stamp() -> dict[str, str]:
    """What .venv was made for and holds; nothing where it is broken or its making was cut short."""
    try:
        stamp: dict[str, str] = json.loads(STAMP.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return stamp if PYTHON.exists() and stamp.get("extra") in EXTRAS.values() else {}


def prepare(extra: str) -> None:
    """Brings .venv to what the extra needs: at best by doing nothing, at worst from scratch."""
    found = found_stamp()
    wanted = wanted_stamp(max(extra, found.get("extra", extra), key=list(EXTRAS.values()).index))
    if found == wanted:
        return
    if found.get("home") == wanted["home"]:
        say("bringing .venv up to date ...")
    else:
        say("installing attnviz and its libraries into .venv; the first time this takes a few minutes ...")
        make_venv(VENV)
    STAMP.unlink(missing_ok=True)
    trouble = install(PYTHON, "-e", f".[{wanted['extra']}]")
    STAMP.write_text(json.dumps(found if trouble else wanted), encoding="utf-8")  # pip undoes what it cannot finish
    if trouble:
        refuse(trouble)


def make_venv(folder: Path) -> None:
    if not all(map(importlib.util.find_spec, ("venv", "ensurepip"))):
        refuse("this Python has no venv module; on Debian and Ubuntu: sudo apt-get install python3-venv")
    if quietly(sys.executable, "-m", "venv", "--clear", str(folder)) is not None:
        refuse(f"could not make {folder}; the lines above say why.")


def install(python: Path, *app: str) -> str | None:
    """Has pip install the app; returns the sentence to refuse with if it could not."""
    output = quietly(str(python), "-m", "pip", "install", "-q", "-c", PINS, *app)
    if output and re.search("connection|name resolution|timed out|unreachable|proxy", output, re.IGNORECASE):
        return "pip reached no package index; check the network or pip's settings, then call again."
    if output and re.search("ResolutionImpossible|No matching distribution", output):
        return "pip did not find every library; if the lines above do not say why, check that it reaches its index."
    return None if output is None else "pip could not install attnviz; the lines above are its last."


def missing_libraries(env: Mapping[str, str]) -> dict[str, str]:
    x11 = env.get("DISPLAY") and (env.get("QT_QPA_PLATFORM") or "xcb").startswith("xcb")
    rows = (QT_LIBRARIES + X11_LIBRARIES if x11 else QT_LIBRARIES).split()
    return {package: file for package, _, file in (row.partition("=") for row in rows) if not loads(file)}


def loads(library: str) -> bool:
    try:
        return bool(ctypes.CDLL(library))
    except OSError:
        return False


def provide_libraries(missing: Mapping[str, str]) -> None:
    """Has the system libraries that Qt's wheels leave out installed, or says how to."""
    if sys.platform != "linux" or not missing:
        return
    if shutil.which("apt-get") is None:
        refuse(f"Qt needs these system libraries, please install them: {' '.join(missing.values())}")
    if os.geteuid() != 0:
        refuse(f"Qt needs system libraries, please install them: sudo apt-get install {' '.join(missing)}")
    say(f"installing Qt's system libraries: {' '.join(missing)} ...")
    quietly("apt-get", "-q", "update")
    if quietly("apt-get", "-q", "-y", "install", "--no-install-recommends", *missing) is not None:
        refuse("apt-get could not install Qt's system libraries; the lines above are its last.")


def provide_chinese() -> None:
    """Has a font with Chinese letters installed for the tests where that needs no question; else those skip."""
    if sys.platform != "linux" or any(True for place in FONTS for _ in place.rglob("*CJK*")):
        return
    if shutil.which("apt-get") is None or os.geteuid() != 0:
        say(f"without a Chinese font ({CHINESE_FONT} on Debian) some tests are skipped.")
        return
    say(f"installing a Chinese font for the tests: {CHINESE_FONT} ...")
    quietly("apt-get", "-q", "update")
    if quietly("apt-get", "-q", "-y", "install", "--no-install-recommends", CHINESE_FONT) is not None:
        say("apt-get could not install it; some tests are skipped.")


def run_app(arguments: Sequence[str], env: Mapping[str, str]) -> int:
    if sys.platform == "linux" and not any(map(env.get, SCREENS)) and OWN_WAY.isdisjoint(arguments):
        say("there is no display here, so the bench is drawn to attnviz.png instead.")
        env = {**env, "QT_QPA_PLATFORM": "offscreen"}
        arguments = ["--screenshot", "attnviz.png", *arguments]
    return hand_over("attnviz", arguments, env)


def run_checks() -> int:
    commands = {check: [str(PYTHON.with_name(check.split()[0])), *check.split()[1:]] for check in CHECKS}
    failed = [check for check, command in commands.items() if subprocess.call(command, cwd=ROOT) != 0]
    say(f"failed: {', '.join(failed)}." if failed else f"passed: {', '.join(CHECKS)}.")
    return 1 if failed else 0


def bundle(arguments: Sequence[str]) -> int:
    """Builds the bundle, which collects Qt's system libraries, or checks the one that was built."""
    if "--check" not in arguments:
        provide_libraries(missing_libraries({"DISPLAY": ":0"}))
    return subprocess.call([sys.executable, str(ROOT / "packaging/bundle/build.py"), *arguments], cwd=ROOT)


def main(arguments: Sequence[str]) -> int:
    command, *rest = arguments or [""]
    if command == "bundle":
        return bundle(rest)
    if command not in EXTRAS or (command == "check" and rest):
        print(__doc__, end="", file=sys.stderr)
        return 0 if command in ("-h", "--help") else 2
    if command == "check":
        prepare(EXTRAS[command])
        return run_checks()
    env = {**(TEST_ENV if command != "run" else {}), **os.environ}
    if command in ("test", "heavy"):  # their many processes would each compile the app and the tests again
        env.pop("PYTHONDONTWRITEBYTECODE", None)
    provide_libraries(missing_libraries(env))
    if command in ("test", "heavy"):
        provide_chinese()
    prepare(EXTRAS[command])
    rest = rest[1:] if rest[:1] == ["--"] else rest
    if command == "run":
        return run_app(rest, env)
    os.chdir(ROOT)
    if command == "bench":
        return hand_over("tests.benchmarks", rest, env)
    ours = HEAVY_TESTS if command == "heavy" else [f"--ignore={folder}" for folder in HEAVY_TESTS]
    return hand_over("pytest", rest or [*ALL_CORES, *ours], env)


if __name__ == "__main__":
    try:
        sys.exit(main(sys.argv[1:]))
    except KeyboardInterrupt:
        refuse("stopped.", 130)
    except OSError as error:
        refuse(f"{error}.")
