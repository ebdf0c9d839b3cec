"""Writes the licences of everything in the bundle: a file for each part, and an index.

Runs in the virtual environment of the build. A part is a Python distribution, Python itself, or a package of the system
that libraries were collected from. A part without a licence text stops the build.
"""

import os
import re
import subprocess
import sys
import sysconfig
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from fnmatch import fnmatchcase
from importlib.metadata import Distribution, distributions
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent
TEXTS = HERE / "texts"
ADDED = {
    "latex2mathml": ("latex2mathml.txt",),
    "msgpack": ("Apache-2.0.txt",),
    "pyside6-essentials": ("Qt.txt", "LGPL-3.0.txt", "GPL-3.0.txt"),
    "shiboken6": ("Qt.txt", "LGPL-3.0.txt", "GPL-3.0.txt"),
    "sortedcontainers": ("Apache-2.0.txt",),
    "tokenizers": ("Apache-2.0.txt",),
    "ziafont": ("DejaVu.txt",),
    "ziamath": ("STIX-Two.txt",),
}
"""Texts from the folder `texts` for distributions that lack one, or lack that of a font inside."""
RUNTIME = ("vcruntime*.dll", "msvcp*.dll", "concrt*.dll", "vcomp*.dll", "ucrtbase.dll", "api-ms-win-*.dll")
"""Libraries that Windows programs share; they may lie in the folder of the system."""
PACKAGES = Path("/usr/share/doc")
COMMON = Path("/usr/share/common-licenses")
"""The texts that Debian's copyright files refer to."""
_IS_TEXT = re.compile(r"licen[cs]e|copying|notice", re.IGNORECASE)
_IS_CODE = (".py", ".pyc", ".pyi", ".so", ".pyd", ".json", ".js")
INTRODUCTION = """\
The parts of this program and their licences. Each part has a file here with its own texts. Those of libraries of the
system cover the whole source of a package and refer to the folder common; Debian publishes the source of each version.
"""


@dataclass(frozen=True)
class Part:
    """A part of the bundle.

    Attributes:
        licence: its licence in a word or an expression, for the index; may be empty.
        texts: the full texts, by the name that each has at home.
        folder: the folder of its file, below that of all licences.
    """

    name: str
    version: str
    licence: str
    texts: Mapping[str, str]
    folder: str = ""

    @property
    def file(self) -> str:
        """The path of its file below the folder of all licences."""
        return f"{self.folder}{self.name}-{self.version.replace(':', '.')}.txt"


def write(folder: Path, sources: Iterable[str]) -> None:
    """Write the licences of the parts that the files of the bundle come from.

    Args:
        folder: the folder to make.
        sources: the paths that these files were collected from; those within the build folder are made by the build.

    Raises:
        SystemExit: if a part has no licence text, or a file belongs to no part; the message names it.
    """
    parts = sorted(found(sources), key=lambda part: (part.folder, part.name.lower()))
    if bare := [part.name for part in parts if not any(text.strip() for text in part.texts.values())]:
        sys.exit(
            f"attnviz: no licence text for {', '.join(bare)}; put one into {TEXTS} and ADDED of {Path(__file__).name}"
        )
    folder.mkdir()
    for part in parts:
        path = folder / part.file
        path.parent.mkdir(exist_ok=True)
        blocks = [f"==== {name} ====\n\n{text.strip()}\n" for name, text in part.texts.items()]
        path.write_text("\n".join([f"{part.name} {part.version}\n{part.licence}".strip() + "\n", *blocks]), "utf-8")
    for name in sorted({name for part in parts for text in part.texts.values() for name in _common(text)}):
        (folder / "common").mkdir(exist_ok=True)
        (folder / "common" / name).write_bytes((COMMON / name).read_bytes())
    rows = [f"{part.name} {part.version}\n    {part.licence or 'see its file'}\n    {part.file}\n" for part in parts]
    (folder / "INDEX.txt").write_text("\n".join([INTRODUCTION, *rows]), "utf-8")


def found(sources: Iterable[str]) -> Iterator[Part]:
    """Yield the parts that files come from."""
    places = {os.path.realpath(source) for source in sources if os.path.isabs(source) and ".dist-info" not in source}
    owners = {path: distribution for distribution in distributions() for path in _files(distribution)}
    inside = {owners[place].name: owners[place] for place in places if place in owners}
    yield from map(from_distribution, inside.values())
    yield of_python()
    rest = {place for place in places - owners.keys() if not place.startswith(_known_folders())}
    packages = owning_packages(rest) if sys.platform == "linux" else {}
    yield from map(from_package, set(packages.values()))
    rest -= packages.keys()
    if not sys.base_prefix.startswith("/usr"):  # elsewhere, it holds Python alone, with the libraries it brings along
        rest = {place for place in rest if not place.startswith(os.path.realpath(sys.base_prefix) + os.sep)}
    runtime = {place for place in rest if any(fnmatchcase(Path(place).name.lower(), name) for name in RUNTIME)}
    if runtime:
        yield Part("Microsoft-runtime", "14", "distributable code", {"Microsoft.txt": _added("Microsoft.txt")})
    if unknown := sorted(rest - runtime):
        sys.exit(f"attnviz: {len(unknown)} files belong to no known part, so their licences are unknown: {unknown[0]}")


def from_distribution(distribution: Distribution) -> Part:
    """Return the part that an installed distribution is."""
    paths = [file for file in distribution.files or () if _names_a_licence(str(file)) and file.suffix not in _IS_CODE]
    texts = {str(path).split(".dist-info/")[-1]: path.read_text("utf-8") for path in paths}
    meta, name = distribution.metadata, distribution.name
    kinds = [line.split(" :: ")[-1] for line in meta.get_all("Classifier") or () if line.startswith("License ::")]
    said = next(iter(meta.get_all("License-Expression") or meta.get_all("License") or ()), "")
    licence = said if said and len(said) < 200 and "\n" not in said else ", ".join(kinds)
    added = {text: _added(text) for text in ADDED.get(re.sub("[-_.]+", "-", name).lower(), ())}
    return Part(name, distribution.version, licence, added | texts)


def of_python() -> Part:
    """Return the part that Python with its standard library is."""
    version = sys.version.split()[0]
    short = ".".join(version.split(".")[:2])
    places = [
        Path(sysconfig.get_path("stdlib"), "LICENSE.txt"),
        Path(sys.base_prefix, "LICENSE.txt"),
        *(PACKAGES / f"{name}python{short}{end}" / "copyright" for name in ("", "lib") for end in ("", "-stdlib")),
    ]
    texts = [path.read_text("utf-8") for path in places if path.is_file()]
    return Part("Python", version, "PSF-2.0", {"LICENSE.txt": texts[0]} if texts else {})


def from_package(name: str) -> Part:
    """Return the part that an installed package of Debian is."""
    command = ["dpkg-query", "-W", "-f", "${Version}", name]
    version = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    plain = name.partition(":")[0]
    file = PACKAGES / plain / "copyright"
    texts = {"copyright": file.read_text("utf-8", "replace")} if file.is_file() else {}
    return Part(plain, version, "", texts, "system/")


def owning_packages(paths: Iterable[str]) -> dict[str, str]:
    """Return for each path that a package of Debian installed, the name of that package."""
    names = {alias: path for path in paths for alias in (path, path.removeprefix("/usr"))}
    if not names:
        return {}
    try:
        lines = subprocess.run(["dpkg-query", "-S", *names], capture_output=True, text=True, check=False).stdout
    except FileNotFoundError:
        return {}
    pairs = (line.rpartition(": ") for line in lines.splitlines() if not line.startswith("diversion "))
    return {names[path]: owners.split(", ")[0] for owners, _, path in pairs if path in names}


def _known_folders() -> tuple[str, ...]:
    """Return the folders of the standard library, and of what the build makes and adds itself."""
    standard = [sysconfig.get_path(name) for name in ("stdlib", "platstdlib")]
    return tuple(os.path.realpath(path) + os.sep for path in (*standard, str(HERE), str(ROOT / "build/work")))


def _files(distribution: Distribution) -> Iterator[str]:
    home = os.path.realpath(str(distribution.locate_file("")))
    return (os.path.normpath(os.path.join(home, file)) for file in distribution.files or ())


def _names_a_licence(path: str) -> bool:
    _, inside, rest = path.rpartition(".dist-info/")
    return bool(_IS_TEXT.search(rest if inside else path.rpartition("/")[2]))


def _added(name: str) -> str:
    return (TEXTS / name).read_text("utf-8")


def _common(text: str) -> set[str]:
    names = re.findall(rf"{COMMON}/([\w.-]*\w)", text)
    return {name for name in names if (COMMON / name).is_file()}
