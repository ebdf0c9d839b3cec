"""What makes a desktop open a session by a double click: the launcher and the file type."""

import configparser
import json
import shutil
import subprocess
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest

from attnviz.experiment.files.session import Session, session_to_json
from attnviz.experiment.labs import make_spec
from attnviz.export.document import ENDING

ROOT = Path(__file__).resolve().parents[2]
LAUNCHER, TYPES = ROOT / "packaging" / "attnviz.desktop", ROOT / "packaging" / "attnviz-mime.xml"
SPACE = "{http://www.freedesktop.org/standards/shared-mime-info}"


@pytest.fixture
def entry() -> configparser.SectionProxy:
    parser = configparser.RawConfigParser(delimiters=("=",), strict=True)
    parser.optionxform = str  # type: ignore[assignment,method-assign]
    parser.read(LAUNCHER, encoding="utf-8")
    assert parser.sections() == ["Desktop Entry"]
    return parser["Desktop Entry"]


@pytest.fixture
def mime_type() -> ET.Element:
    root = ET.parse(TYPES).getroot()
    assert root.tag == f"{SPACE}mime-info"
    (found,) = root.findall(f"{SPACE}mime-type")
    return found


def test_that_the_launcher_starts_the_command_with_one_file(entry: configparser.SectionProxy) -> None:
    assert (entry["Type"], entry["Name"], entry["Terminal"]) == ("Application", "attnviz", "false")
    assert entry["Exec"].split() == ["attnviz", "%f"]
    assert 'attnviz = "attnviz.__main__:main"' in (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    assert (ROOT / "resources" / "icons" / f"{entry['Icon']}.svg").exists()
    for name in ("Categories", "MimeType", "Keywords"):
        assert entry[name].endswith(";")


def test_that_launcher_and_file_type_agree(entry: configparser.SectionProxy, mime_type: ET.Element) -> None:
    assert entry["MimeType"] == f"{mime_type.get('type')};"
    (glob,) = mime_type.findall(f"{SPACE}glob")
    assert glob.get("pattern") == f"*{ENDING}"


def test_that_the_magic_is_of_sessions_and_of_no_other_json(mime_type: ET.Element) -> None:
    (outer,) = mime_type.findall(f"{SPACE}magic/{SPACE}match")
    (inner,) = outer.findall(f"{SPACE}match")
    begins, goes_on = (str(each.get("value")).replace("\\n", "\n") for each in (outer, inner))
    first, _, last = str(inner.get("offset")).partition(":")

    def is_taken(text: str) -> bool:
        return text.startswith(begins) and int(first) <= text.find(goes_on) <= int(last)

    session = session_to_json(Session(spec=make_spec({"lab": "regression"})))
    assert is_taken(session)
    assert is_taken(session.replace('"format": 1', '"format": 10'))
    for other in ({"format": 1, "layers": []}, {"format": "png", "spec": {"size": 3}}):
        assert not is_taken(json.dumps(other))
        assert not is_taken(json.dumps(other, indent=2))


@pytest.mark.skipif(shutil.which("desktop-file-validate") is None, reason="desktop-file-validate is not here")
def test_that_the_desktops_own_checker_finds_nothing() -> None:
    done = subprocess.run(["desktop-file-validate", LAUNCHER], capture_output=True, text=True, check=False, timeout=30)
    assert (done.returncode, done.stdout) == (0, "")


@pytest.mark.skipif(shutil.which("update-mime-database") is None, reason="update-mime-database is not here")
def test_that_the_desktops_own_database_takes_the_type(tmp_path: Path) -> None:
    (tmp_path / "packages").mkdir()
    shutil.copy(TYPES, tmp_path / "packages")
    subprocess.run(["update-mime-database", tmp_path], check=True, capture_output=True, timeout=30)
    assert f"application/x-attnviz+json:*{ENDING}" in (tmp_path / "globs").read_text()
