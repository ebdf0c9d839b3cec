"""Package versions that attnviz does not work with; imports none of them."""

import importlib.metadata
import re
import sys

OLDEST = {
    "markdown-it-py": "3",
    "matplotlib": "3.9",
    "mdit-py-plugins": "0.4",
    "numpy": "2",
    "Pillow": "11.1",
    "psutil": "5.9",
    "pydantic": "2.9",
    "pygments": "2.18",
    "pypdf": "5",
    "PySide6-Essentials": "6.10",
    "pyqtgraph": "0.14",
    "safetensors": "0.8",
    "tokenizers": "0.22",
    "torch": "2.6",
    "transformers": "5.15",
    "typing-extensions": "4.4",
    "ziamath": "0.12",
}
"""The same as in pyproject.toml; a test compares the two."""


def own_version() -> str:
    """Return the version of attnviz. The package itself names its API, which layers below must not import."""
    return str(sys.modules["attnviz"].__version__)


def installed_version(name: str) -> str:
    """Return the installed version of a package; "" if there is none."""
    try:
        return importlib.metadata.version(name)
    except importlib.metadata.PackageNotFoundError:
        return ""


def installation_of(name: str) -> str:
    """Return the command that installs a supported version of a package."""
    return f"python -m pip install '{name}>={OLDEST[name]}{_TOO_NEW.get(name, '')}'"


def wrong_version(name: str, version: str) -> str:
    """Return why a version of a package is not supported, and how to install a supported one; "" if it is."""
    numbers = _numbers(version)
    if numbers < _numbers(OLDEST[name]):
        return f"{name} {version} is too old: {installation_of(name)}"
    if name == "PySide6-Essentials" and sys.version_info < (3, 12) and (numbers >= (6, 12) or numbers[:3] in _ABORTING):
        python = ".".join(map(str, sys.version_info[:2]))
        wanted = f"{name}>=6.10,<6.12,!=6.11.0,!=6.11.1"
        return f"{name} {version} ends the process on Python {python} after a while: python -m pip install '{wanted}'"
    if name == "transformers" and numbers >= (6,):
        return f"{name} {version} is newer than attnviz knows: {installation_of(name)}"
    return ""


_TOO_NEW = {"transformers": ",<6"}
_ABORTING = ((6, 11, 0), (6, 11, 1))  # they abort in bool_dealloc after some thousand signals, as does 6.12


def _numbers(version: str) -> tuple[int, ...]:
    """Return the leading numbers of a version; without any it counts as the newest."""
    match = re.match(r"\d+(\.\d+)*", version)
    return tuple(map(int, match[0].split("."))) if match else (sys.maxsize,)
