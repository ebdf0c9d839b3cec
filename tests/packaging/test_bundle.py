"""The bundle without building it: its lists against the app, the program's child processes, and how it is packed."""

import ast
import importlib.metadata
import importlib.util
import json
import os
import re
import subprocess
import sys
import tarfile
from collections.abc import Iterator
from fnmatch import fnmatchcase
from pathlib import Path
from types import ModuleType

import pytest
import zstandard
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from attnviz.versions import OLDEST

ROOT = Path(__file__).resolve().parents[2]
BUNDLE = ROOT / "packaging" / "bundle"
SITE = Path(importlib.util.find_spec("torch").origin).parents[1]  # type: ignore[union-attr,arg-type]


def loaded(name: str) -> ModuleType:
    spec = importlib.util.spec_from_file_location(name, BUNDLE / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


sys.modules["glibc"] = loaded("glibc")  # as pack.py imports it, from beside it
sys.modules["licences"] = loaded("licences")
sys.modules["platforms"] = loaded("platforms")
CONTENTS, GLIBC, PACK = loaded("contents"), sys.modules["glibc"], loaded("pack")
WITHOUT = """
import importlib.metadata, json, os, re, sys
excluded, asked = json.loads(sys.argv[1]), set()
class Without:
    def __init__(self, finder):
        self.finder = finder
    def find_spec(self, name, *rest):
        if not any(f"{name}.".startswith(f"{left}.") for left in excluded):
            return self.finder.find_spec(name, *rest)
    def __getattr__(self, name):
        return getattr(self.finder, name)
sys.meta_path[:] = map(Without, sys.meta_path)
"""
WATCHED = f"""{WITHOUT}
found = importlib.metadata.Distribution.from_name
def noted(name):
    distribution = found(name)
    asked.add(name)
    return distribution
importlib.metadata.Distribution.from_name = noted
from attnviz.__main__ import main
codes = [main(arguments) for arguments in json.loads(sys.argv[2])]
print(json.dumps([codes, sorted(asked)]))
"""


def imports(file: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and not node.level:
            yield str(node.module)


def collected() -> list[str]:
    """Return the files of the packages that lose some of theirs, by their paths in the bundle."""
    names = {pattern.split("/")[0] for pattern in CONTENTS.EXCLUDED_FILES if "/" in pattern}
    assert {"torch", "PySide6"} <= names
    paths = (path for name in sorted(names) for path in (SITE / name).rglob("*"))
    return [str(path.relative_to(SITE)) for path in paths if not path.is_dir() and path.suffix != ".pyc"]


def is_excluded(module: str) -> bool:
    return any(f"{module}.".startswith(f"{name}.") for name in CONTENTS.EXCLUDED_MODULES)


def test_that_only_the_data_frame_of_scripts_is_imported_and_left_out() -> None:
    found = {(str(file.relative_to(ROOT)), name) for file in (ROOT / "attnviz").rglob("*.py") for name in imports(file)}
    assert {pair for pair in found if is_excluded(pair[1])} == {("attnviz/api/table.py", "pandas")}


def test_that_every_package_that_is_looked_for_by_name_is_in_the_bundle() -> None:
    text = "".join(file.read_text(encoding="utf-8") for file in (ROOT / "attnviz").rglob("*.py"))
    asked = set(re.findall(r"""find_spec\(["']([\w.]+)["']\)""", text))
    assert asked >= {"torch", "pyarrow", "distributed"}
    assert {name for name in asked if is_excluded(name)} == {"pandas"}


def test_that_every_library_of_the_app_brings_its_version_along() -> None:
    named = {canonicalize_name(name) for name in CONTENTS.METADATA}
    wanted = {canonicalize_name(Requirement(line).name) for line in importlib.metadata.requires("attnviz") or ()
              if not re.search("extra == .(test|dev|bundle)", line)}  # fmt: skip
    assert wanted - {"attnviz"} <= named
    assert {canonicalize_name(name) for name in OLDEST} <= named


@pytest.mark.timeout(240)
def test_that_labs_figures_tables_and_models_need_nothing_that_is_left_out(tmp_path: Path) -> None:
    calls = [
        ["doctor"],
        ["run", "preset:model-induction", "-o", "model.npz", "--with", "lens,attribution"],
        ["run", "preset:kernel-fixed", "-o", "fit.csv"],
        ["run", "preset:train-copy", "-o", "train.npz"],
        ["export", "preset:multi-head-random", "-o", "heads.pdf", "-o", "heads.svg", "-o", "heads.png"],
        ["export", "preset:multi-head-random", "-o", "heads.gif", "--sweep", "num_heads=1,2"],
        ["sweep", "preset:multi-head-random", "--over", "seed=0,1", "-o", "table.parquet", "--workers", "2"],
        ["--screenshot", "window.png"],
    ]
    without = tmp_path / "site"  # the large packages again, but for what is left out
    for path in collected():
        if CONTENTS.belongs(path):
            (without / path).parent.mkdir(parents=True, exist_ok=True)
            (without / path).symlink_to(SITE / path)
    command = [sys.executable, "-c", WATCHED, json.dumps([*CONTENTS.EXCLUDED_MODULES]), json.dumps(calls)]
    env = os.environ | {"QT_QPA_PLATFORM": "offscreen", "PYTHONPATH": str(without)}
    done = subprocess.run(command, cwd=tmp_path, env=env, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[-2000:]
    codes, asked = json.loads(done.stdout.splitlines()[-1])
    assert codes == [0] * len(calls), done.stderr[-2000:]
    named = {canonicalize_name(name) for name in CONTENTS.METADATA}
    assert {canonicalize_name(name) for name in asked} - named == set()


def test_that_a_users_file_may_ask_torch_to_compile_its_functions() -> None:
    file = "import torch; from torch.nn.attention.flex_attention import flex_attention; torch.compile(flex_attention)"
    command = [sys.executable, "-c", WITHOUT + file, json.dumps([*CONTENTS.EXCLUDED_MODULES])]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[-2000:]


@pytest.mark.skipif(sys.platform != "linux", reason="the patterns name files of Linux")
def test_that_every_exclusion_leaves_something_out() -> None:
    files = collected()
    ours = [pattern for pattern in CONTENTS.EXCLUDED_FILES if not pattern.startswith("lib")]  # the others: the system's
    assert [pattern for pattern in ours if not any(fnmatchcase(path, pattern) for path in files)] == []
    assert set(CONTENTS.NEEDED) <= {*files}


def test_that_a_library_leaves_with_the_last_that_is_linked_against_it() -> None:
    links = {
        "PySide6/QtGui.abi3.so": ["libQt6Gui.so.6"],
        "PySide6/Qt/lib/libQt6Gui.so.6": ["libpng16.so.16"],
        "PySide6/Qt/lib/libQt6Network.so.6": ["libssl.so.3"],
        "libQt6Gui.so.6": [],
        "libpng16.so.16": [],
        "libpython3.11.so.1.0": ["libz.so.1"],
        "libz.so.1": [],
        "libssl.so.3": ["libcrypto.so.3"],
        "libcrypto.so.3": [],
        "torch/lib/libtorch.so": [],
    }
    gone = {"PySide6/Qt/lib/libQt6Network.so.6", "libssl.so.3", "libcrypto.so.3"}
    assert CONTENTS.reachable(links) == set(links) - gone


def program(*arguments: str, **options: str) -> "subprocess.CompletedProcess[str]":
    command = [sys.executable, str(BUNDLE / "program.py"), *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=False, **options)  # type: ignore[call-overload,no-any-return]


def test_that_the_program_is_attnviz_and_also_starts_its_modules_as_python_does() -> None:
    plain, module = program("--version"), program("-m", "attnviz", "--version")
    assert plain.stdout == module.stdout == f"attnviz {importlib.metadata.version('attnviz')}\n"
    other = program("-m", "http.server", "--version")
    assert (other.returncode, other.stdout) == (2, "")


def test_that_the_program_runs_no_script_from_outside(tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text("def main():\n    print('mine')\n")
    done = program("-P", str(tmp_path / "mine.py"))
    assert (done.returncode, done.stdout) == (2, "")


def test_that_an_archive_is_the_same_whenever_and_by_whomever_it_is_made(tmp_path: Path) -> None:
    files = []
    for user, time in (("one", 10**9), ("two", 2 * 10**9)):
        folder = tmp_path / user / "attnviz-1"
        (folder / "attnviz").mkdir(parents=True)
        for name in ("b", "a") if user == "one" else ("a", "b"):
            path = folder / "attnviz" / name
            path.write_text(name)
            path.chmod(0o700 if name == "a" else 0o600)
            os.utime(path, (time, time))
        files.append(PACK.archived(folder, tmp_path / f"{user}.tar.zst", 1_700_000_000))
    first, second = (file.read_bytes() for file in files)
    assert first == second
    with zstandard.open(files[0]) as stream, tarfile.open(fileobj=stream, mode="r|") as tar:
        found = {entry.name: (oct(entry.mode), entry.mtime, entry.uname) for entry in tar if entry.isfile()}
    same = (1_700_000_000, "root")
    assert found == {"attnviz-1/attnviz/a": ("0o755", *same), "attnviz-1/attnviz/b": ("0o644", *same)}


@pytest.mark.skipif(sys.platform != "linux", reason="ELF files")
def test_that_the_oldest_c_library_is_read_from_the_symbols_of_all_files(tmp_path: Path) -> None:
    (tmp_path / "text").write_text("GLIBC_9.9")
    (tmp_path / "torch.so").symlink_to(next((SITE / "torch/lib").glob("libtorch_cpu*")))
    assert GLIBC.needed_glibc(tmp_path.iterdir()) == {}
    needed = GLIBC.needed_glibc([*(SITE / "torch/lib").glob("libc10.so")])
    assert "2.2.5" in needed  # the first of this processor
    assert GLIBC.oldest_glibc([*(SITE / "torch/lib").glob("libc10.so")]) == max(
        needed, key=lambda version: tuple(map(int, version.split(".")))
    )


@pytest.fixture
def unpacked(tmp_path: Path) -> Path:
    """Return an unpacked archive, but for its program, in a folder with a name that must be quoted."""
    folder = tmp_path / 'a "b" $c \\d 100% 注意力'
    (folder / "attnviz").mkdir(parents=True)
    (folder / "attnviz/attnviz").write_text('#!/bin/sh\necho "$@"\n')
    (folder / "attnviz/attnviz").chmod(0o755)
    for path in (*PACK.SHARED, BUNDLE / "install.sh"):
        (folder / path.name).write_text(path.read_text("utf-8").replace("@GLIBC@", "2.17"), "utf-8")
    (folder / "install.sh").chmod(0o755)
    return folder


def installer(folder: Path, home: Path, *arguments: str) -> "subprocess.CompletedProcess[str]":
    env = {"HOME": str(home), "PATH": os.environ["PATH"]}
    return subprocess.run([folder / "install.sh", *arguments], env=env, capture_output=True, text=True, check=False)


def started(entry: Path, file: str) -> str:
    """Return the output of what a desktop starts: the value unescaped, split and unquoted, its codes expanded."""
    (line,) = [line for line in entry.read_text("utf-8").splitlines() if line.startswith("Exec=")]
    words = re.findall(r'"(?:\\.|[^"\\])*"|\S+', line.removeprefix("Exec=").replace("\\\\", "\\"))
    plain = [re.sub(r"\\(.)", r"\1", word.removeprefix('"').removesuffix('"')) for word in words]
    command = [file if word == "%f" else word.replace("%%", "%") for word in plain]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout


@pytest.mark.skipif(os.name != "posix", reason="a shell script")
def test_that_the_installer_adds_the_app_for_this_user_and_removes_it(unpacked: Path, tmp_path: Path) -> None:
    home = tmp_path / "my home"
    home.mkdir()
    added = installer(unpacked, home)
    assert (added.returncode, added.stderr) == (0, "")
    entry = home / ".local/share/applications/attnviz.desktop"
    assert started(entry, "a session.attnviz") == "a session.attnviz\n"
    assert {str(path.relative_to(home)) for path in home.rglob("attnviz*")} >= {
        ".local/bin/attnviz",
        ".local/share/applications/attnviz.desktop",
        ".local/share/icons/hicolor/scalable/apps/attnviz.svg",
        ".local/share/mime/packages/attnviz.xml",
    }
    assert installer(unpacked, home, "--remove").returncode == 0
    assert [path.name for path in home.rglob("attnviz*")] == []
    assert installer(unpacked, home, "--remvoe").returncode == 2


@pytest.mark.skipif(os.name != "posix", reason="a shell script")
def test_that_the_last_of_two_versions_is_in_the_menu_and_the_other_does_not_remove_it(
    unpacked: Path, tmp_path: Path
) -> None:
    other, home = tmp_path / "other", tmp_path / "home"
    home.mkdir()
    subprocess.run(["cp", "-r", unpacked, other], check=True)
    assert installer(other, home).returncode == installer(unpacked, home).returncode == 0
    entry = home / ".local/share/applications/attnviz.desktop"
    assert "注意力" in entry.read_text("utf-8")
    refused = installer(other, home, "--remove")
    assert refused.returncode == 1
    assert "another copy" in refused.stderr
    assert "注意力" in refused.stderr
    assert entry.exists()
    assert (home / ".local/bin/attnviz").resolve() == (unpacked / "attnviz/attnviz").resolve()


@pytest.mark.skipif(os.name != "posix", reason="a shell script")
def test_that_without_a_home_the_installer_says_so(unpacked: Path) -> None:
    done = subprocess.run([unpacked / "install.sh"], env={"PATH": os.environ["PATH"]}, capture_output=True, check=False)
    assert (done.returncode, done.stderr[:17]) == (1, b"attnviz: HOME is ")


@pytest.mark.skipif(os.name != "posix", reason="a shell script")
def test_that_a_command_of_the_user_stays(unpacked: Path, tmp_path: Path) -> None:
    own = tmp_path / ".local/bin/attnviz"
    own.parent.mkdir(parents=True)
    own.write_text("mine")
    assert "stays" in installer(unpacked, tmp_path).stderr
    assert installer(unpacked, tmp_path, "--remove").returncode == 0
    assert own.read_text() == "mine"


@pytest.mark.skipif(sys.platform != "linux", reason="the C library of Linux")
def test_that_the_installer_refuses_a_system_that_is_too_old_in_words(unpacked: Path, tmp_path: Path) -> None:
    script = unpacked / "install.sh"
    script.write_text(script.read_text("utf-8").replace("2.17", "2.999"), "utf-8")
    refused = installer(unpacked, tmp_path)
    assert refused.returncode == 1
    assert "this system is too old: it has glibc 2." in refused.stderr
    assert [*tmp_path.rglob("*.desktop")] == [unpacked / "attnviz.desktop"]


def test_that_a_bare_system_gets_a_locale_and_the_places_of_fonts(monkeypatch: pytest.MonkeyPatch) -> None:
    module = loaded("program")
    for name in ("LC_ALL", "LC_CTYPE", "LANG", "FONTCONFIG_FILE"):
        monkeypatch.setenv(name, "")
        monkeypatch.delenv(name)
    monkeypatch.setattr(module.Path, "exists", lambda path: False)
    module._prepare_bare_system()
    assert os.environ["LC_CTYPE"] == "C.UTF-8"
    assert Path(os.environ["FONTCONFIG_FILE"]) == BUNDLE / "fonts.conf"
    monkeypatch.setenv("LC_CTYPE", "zh_CN.UTF-8")
    monkeypatch.setenv("FONTCONFIG_FILE", "mine")
    module._prepare_bare_system()
    assert (os.environ["LC_CTYPE"], os.environ["FONTCONFIG_FILE"]) == ("zh_CN.UTF-8", "mine")
