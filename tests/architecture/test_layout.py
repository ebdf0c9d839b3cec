"""The checkout: what lies in its top folder, and that it knows nothing of the machine it was written on."""

import re
from pathlib import Path

import pytest
from source_tree import ROOT, tracked_files

READMES = {"README.md", "README.zh-CN.md"}
TOP = {"attnviz", "resources", "tests", "packaging", "pyproject.toml", "LICENSE", "CHANGELOG.md"} | READMES
_PLACES = re.compile(r"(?<![\w.:/-])/(?:work|home|root|Users)/\w|\.\./shared\b|\b[A-Za-z]:\\Users\\")


def places_in(path: Path) -> list[str]:
    """Return the lines of a text file that name a place on somebody's machine; a binary file has none."""
    try:
        text = path.read_text(encoding="utf-8")
    except UnicodeDecodeError:
        return []
    return [f"line {number}: {line}" for number, line in enumerate(text.splitlines(), 1) if _PLACES.search(line)]


def test_that_the_top_folder_holds_what_the_design_names_and_dotfiles() -> None:
    entries = {name.partition("/")[0] for name in tracked_files()}
    assert {entry for entry in entries if not entry.startswith(".")} == TOP
    assert ".ci" in entries


def test_that_no_file_names_a_place_on_the_machine_it_was_written_on() -> None:
    found = {name: places_in(ROOT / name) for name in tracked_files() if (ROOT / name).is_file()}
    assert len(found) > 100
    assert {name: lines for name, lines in found.items() if lines} == {}


@pytest.mark.parametrize(
    "text", ["see /home" + "/me/notes", "cd /work" + "/main", "'../" + "shared/design.md'", "C:\\Users" + "\\me"]
)
def test_that_such_a_place_is_seen(text: str, tmp_path: Path) -> None:
    path = tmp_path / "notes.md"
    path.write_text(f"first\n{text}\n", encoding="utf-8")
    assert places_in(path) == [f"line 2: {text}"]


@pytest.mark.parametrize("text", ["https://a.org/home" + "/b", "a/work" + "/b", "../sharedness", "/usr/bin/python"])
def test_that_any_other_place_is_let_pass(text: str, tmp_path: Path) -> None:
    path = tmp_path / "notes.md"
    path.write_text(text, encoding="utf-8")
    assert places_in(path) == []
