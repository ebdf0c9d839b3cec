"""Reports installed and missing packages, with installation commands. Imports nothing that may be missing."""

import ctypes
import os
import platform
import subprocess
import sys

from attnviz import __version__, inventory
from attnviz.folders import MissingResourceError, resource
from attnviz.log import first_line, reports_folder
from attnviz.versions import installed_version, wrong_version

_NEEDED = dict.fromkeys(("numpy", "pydantic", "psutil", "torch", "typing-extensions"), "every run")
_FOR_FIGURES = dict.fromkeys(("matplotlib", "Pillow", "pypdf"), "figures and animations")
_FOR_LESSONS = dict.fromkeys(("markdown-it-py", "mdit-py-plugins"), "lessons")
_FOR_MODELS = dict.fromkeys(("safetensors", "tokenizers", "transformers"), "models from a folder")
_FOR_TABLES = {"distributed": "sweeps on several workers", "pyarrow": "tables in Parquet"}
_FOR_THE_WINDOW = dict.fromkeys(("PySide6-Essentials", "pyqtgraph", "pygments", "ziamath"), "the window")
_FOR_RUNS = ("resource data", "resource presets")
_FROZEN = bool(getattr(sys, "frozen", False))
"""Whether this is a bundle, in which packages cannot be installed."""
QT_LIBRARIES = {
    "libEGL.so.1": "libegl1",
    "libGL.so.1": "libgl1",
    "libdbus-1.so.3": "libdbus-1-3",
    "libfontconfig.so.1": "libfontconfig1",
    "libglib-2.0.so.0": "libglib2.0-0",
    "libxkbcommon.so.0": "libxkbcommon0",
}
X11_LIBRARIES = {
    "libxcb-cursor.so.0": "libxcb-cursor0",
    "libxcb-icccm.so.4": "libxcb-icccm4",
    "libxcb-keysyms.so.1": "libxcb-keysyms1",
    "libxcb-randr.so.0": "libxcb-randr0",
    "libxcb-render-util.so.0": "libxcb-render-util0",
    "libxcb-shape.so.0": "libxcb-shape0",
    "libxcb-xkb.so.1": "libxcb-xkb1",
    "libxkbcommon-x11.so.0": "libxkbcommon-x11-0",
}
"""Libraries that Qt loads for an X11 display, with their Debian packages. packaging/bootstrap.py has the same."""


def report() -> tuple[list[str], bool]:
    """Return the lines of a report, and whether runs without a window work."""
    lines = [f"attnviz {__version__}, Python {platform.python_version()}, {platform.platform()}"]
    has_needed = _packages(lines, _NEEDED)
    _packages(lines, _FOR_FIGURES)
    _packages(lines, _FOR_LESSONS)
    _packages(lines, _FOR_THE_WINDOW)
    _packages(lines, _FOR_MODELS)
    _optional(lines)
    resources, has_resources = _resources()
    lines += [*resources, *_files(), f"log and crash reports: {reports_folder()}", f"display: {_display()}"]
    if sys.platform.startswith("linux"):
        lines.append(f"Qt's system libraries: {_system_libraries()}")
    if not installed_version("torch"):
        return lines, False
    devices, has_devices = _devices()
    return lines + devices, has_devices and has_resources and has_needed


def _resources() -> tuple[list[str], bool]:
    """Return a line about each kind of resource, and whether there are any."""
    try:
        lines = [f"resources: {resource('presets').parent}"]
        kinds = list(inventory.resources())
    except MissingResourceError as error:
        return [str(error)], False
    remedy = "install attnviz again"
    return lines + [line if complete else f"{line}; {remedy}" for line, complete in kinds], all(
        complete for line, complete in kinds if line.startswith(_FOR_RUNS)
    )


def _files() -> list[str]:
    """Return a line about each font of formulas and each plugin of Qt."""
    return [line for line, _ in (*inventory.formula_files(), *inventory.plugins())] + _glyphs()


def _glyphs() -> list[str]:
    """Return a line about the glyphs of each language, from a process that starts Qt without a screen."""
    if not installed_version("PySide6-Essentials"):
        return []
    env = os.environ | {"QT_QPA_PLATFORM": "offscreen", "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    command = [sys.executable, "-m", "attnviz.gui.glyphs"]
    try:
        done = subprocess.run(command, env=env, capture_output=True, check=True, timeout=20, stdin=subprocess.DEVNULL)
    except (OSError, subprocess.SubprocessError) as error:
        words = (getattr(error, "stderr", None) or b"").decode(errors="replace").split("\n")
        why = next((line for line in reversed(words) if line.strip()), first_line(error))
        return [f"glyphs cannot be looked up, since Qt does not start: {why}"]
    return done.stdout.decode().splitlines()


def _optional(lines: list[str]) -> None:
    """Add a line about each package of the extra `cluster`."""
    for name, purpose in _FOR_TABLES.items():
        version = installed_version(name)
        lines.append(f"{name} {version}" if version else _missing(name, purpose, "attnviz[cluster]"))


def _missing(name: str, purpose: str, wanted: str) -> str:
    """Return that a package is missing, and how to get it; a bundle has no pip."""
    remedy = "this bundle lacks it; install attnviz again" if _FROZEN else f"python -m pip install '{wanted}'"
    return f"{name} is missing, needed for {purpose}: {remedy}"


def _packages(lines: list[str], packages: dict[str, str]) -> bool:
    """Add a line about each package; return whether all are installed in supported versions."""
    fit = True
    for name, purpose in packages.items():
        version = installed_version(name)
        wrong = wrong_version(name, version) if version else _missing(name, purpose, name)
        if wrong and version and _FROZEN:
            wrong = f"{wrong.partition(': python -m pip')[0]}; install attnviz again"
        lines.append(wrong or f"{name} {version}")
        fit = fit and not wrong
    return fit


def _display() -> str:
    if chosen := os.environ.get("QT_QPA_PLATFORM"):
        return f"QT_QPA_PLATFORM={chosen}"
    if not sys.platform.startswith("linux"):
        return "the desktop's"
    names = [name for name in ("WAYLAND_DISPLAY", "DISPLAY") if os.environ.get(name)]
    return ", ".join(f"{name}={os.environ[name]}" for name in names) or "none; --screenshot and run need none"


def _system_libraries() -> str:
    remedy = libraries_remedy()
    return f"missing: {remedy}" if remedy else "all there"


def libraries_remedy() -> str:
    """Return the command that installs the system libraries that Qt lacks on Linux; empty if none is missing."""
    if not sys.platform.startswith("linux"):
        return ""
    x11 = os.environ.get("DISPLAY") and (os.environ.get("QT_QPA_PLATFORM") or "xcb").startswith("xcb")
    wanted = QT_LIBRARIES | X11_LIBRARIES if x11 else QT_LIBRARIES
    absent = [package for library, package in wanted.items() if not _loads(library)]
    return f"sudo apt-get install {' '.join(absent)} (Debian names)" if absent else ""


def _loads(library: str) -> bool:
    try:
        ctypes.CDLL(library)
    except OSError:
        return False
    return True


def _devices() -> tuple[list[str], bool]:
    try:
        from attnviz.engine.machine import devices

        return [f"device {device.name}: {device.label}" for device in devices()], True
    except (Exception, SystemExit) as error:
        # A broken installation of torch may raise anything, which the report quotes.
        message = first_line(error)
        remedy = "" if "pip install" in message else "; install it again"
        return [f"torch is installed but cannot be loaded: {message}{remedy}"], False
