"""The oldest C library of Linux that a folder of programs and libraries runs with, from the symbols they name."""

import re
import subprocess
from collections.abc import Iterable
from pathlib import Path


def oldest_glibc(files: Iterable[Path]) -> str:
    """Return the version of the oldest C library that has all symbols that the files are linked against."""
    return max(needed_glibc(files), key=lambda version: [int(number) for number in version.split(".")], default="")


def needed_glibc(files: Iterable[Path]) -> dict[str, list[Path]]:
    """Return the versions of the C library that programs and libraries name, and which of them name each."""
    found: dict[str, list[Path]] = {}
    for path in files:
        if path.is_file() and not path.is_symlink() and _begins_like_a_library(path):
            said = subprocess.run(["readelf", "-VW", str(path)], capture_output=True, text=True, check=False).stdout
            for version in set(re.findall(r"Name: GLIBC_([0-9.]+)", said)):
                found.setdefault(version, []).append(path)
    return found


def _begins_like_a_library(path: Path) -> bool:
    with path.open("rb") as file:
        return file.read(4) == b"\x7fELF"
