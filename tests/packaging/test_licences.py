"""The licences in the bundle: everything inside has its text, and what has none stops the build by its name."""

import sys
import sysconfig
from importlib.metadata import Distribution, distribution
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
BUNDLE = ROOT / "packaging" / "bundle"
sys.path.insert(0, str(BUNDLE))  # its modules import each other by name

import contents  # noqa: E402
import licences  # noqa: E402

sys.path.remove(str(BUNDLE))


@pytest.fixture
def own(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """Return a folder with a distribution `odd` of one module and no licence, the only one that is installed."""
    info = tmp_path / "odd-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: odd\nVersion: 1.0\nLicense: MIT\n")
    (info / "RECORD").write_text("odd.py,,\nodd-1.0.dist-info/METADATA,,\nodd-1.0.dist-info/LICENSE,,\n")
    (info / "LICENSE").write_text("")
    (tmp_path / "odd.py").write_text("")
    monkeypatch.setattr(licences, "distributions", lambda: [Distribution.at(info)])
    return tmp_path


@pytest.mark.parametrize("name", sorted({*contents.METADATA, *licences.ADDED}))
def test_that_every_library_of_the_app_has_a_licence_text(name: str) -> None:
    part = licences.from_distribution(distribution(name))
    assert part.licence
    assert max(map(len, part.texts.values())) > 500


def test_that_every_added_text_is_used_and_there() -> None:
    used = {name for names in licences.ADDED.values() for name in names}
    assert used | {"Microsoft.txt"} == {path.name for path in (BUNDLE / "texts").iterdir()}


def test_that_qt_brings_the_lgpl_and_the_gpl_it_extends() -> None:
    texts = licences.from_distribution(distribution("PySide6-Essentials")).texts
    assert "GNU LESSER GENERAL PUBLIC LICENSE" in texts["LGPL-3.0.txt"]
    assert "END OF TERMS AND CONDITIONS" in texts["GPL-3.0.txt"]


def test_that_only_what_is_inside_is_listed_with_python_and_its_version(own: Path, tmp_path: Path) -> None:
    (own / "odd-1.0.dist-info" / "LICENSE").write_text("Do what you like.")
    licences.write(tmp_path / "out", [str(own / "odd.py"), f"{sysconfig.get_path('stdlib')}/json/__init__.py", "-"])
    files = {path.name for path in (tmp_path / "out").iterdir()}
    assert files == {"INDEX.txt", "odd-1.0.txt", f"Python-{sys.version.split()[0]}.txt"}
    assert "Do what you like." in (tmp_path / "out" / "odd-1.0.txt").read_text("utf-8")
    assert "odd 1.0\n    MIT\n    odd-1.0.txt\n" in (tmp_path / "out" / "INDEX.txt").read_text("utf-8")
    licences.write(tmp_path / "again", [str(own / "odd-1.0.dist-info" / "METADATA")])  # its metadata is not itself
    assert not (tmp_path / "again" / "odd-1.0.txt").exists()


def test_that_a_library_without_a_licence_text_stops_the_build_by_its_name(own: Path, tmp_path: Path) -> None:
    with pytest.raises(SystemExit, match="no licence text for odd"):
        licences.write(tmp_path / "out", [str(own / "odd.py")])


def test_that_a_file_of_unknown_origin_stops_the_build_by_its_path(own: Path, tmp_path: Path) -> None:
    (tmp_path / "libstray.so.1").write_text("")
    with pytest.raises(SystemExit, match=r"unknown: .*libstray\.so\.1"):
        licences.write(tmp_path / "out", [str(tmp_path / "libstray.so.1")])


def test_that_a_runtime_of_windows_is_known(own: Path, tmp_path: Path) -> None:
    licences.write(tmp_path / "out", [str(tmp_path / "MSVCP140.dll")])
    assert "distributable code" in (tmp_path / "out" / "Microsoft-runtime-14.txt").read_text("utf-8")


@pytest.mark.skipif(not Path("/var/lib/dpkg/info/libc6:amd64.list").exists(), reason="Debian's packages")
def test_that_a_library_of_the_system_brings_its_copyright_and_the_texts_it_names(own: Path, tmp_path: Path) -> None:
    library = next(Path("/lib/x86_64-linux-gnu").glob("libc.so.6"))
    licences.write(tmp_path / "out", [str(library)])
    (text,) = (tmp_path / "out" / "system").glob("libc6-*.txt")
    assert "GNU C Library" in text.read_text("utf-8")
    assert "GNU LESSER" in (tmp_path / "out" / "common" / "LGPL-2.1").read_text("utf-8")
