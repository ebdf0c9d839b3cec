"""What the wheel says and holds, read from its definition."""

import re
import tomllib
from pathlib import Path

from source_tree import tracked_files

ROOT = Path(__file__).resolve().parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
INCLUDED = PROJECT["tool"]["hatch"]["build"]["targets"]["wheel"]["force-include"]
PICTURES = "resources/figures/", "resources/screenshots/"
"""Where the README's pictures are."""


def test_that_the_wheel_holds_all_resources_but_the_pictures_of_the_readme() -> None:
    assert all(place == f"attnviz/_{source}" for source, place in INCLUDED.items())
    found = {"/".join(name.split("/")[:2]) for name in tracked_files()
             if name.startswith("resources/") and not name.startswith(PICTURES)}  # fmt: skip
    assert {source for source in INCLUDED if not source.startswith(PICTURES)} == found


def test_that_the_wheel_holds_every_picture_that_a_page_of_the_app_shows() -> None:
    pages = [ROOT / name for name in tracked_files() if re.match(r"resources/.*\.md$", name)]
    shown = {(page.parent / place).resolve().relative_to(ROOT).as_posix()
             for page in pages for place in re.findall(r"!\[[^]]*\]\(([^)]+)\)", page.read_text("utf-8"))}  # fmt: skip
    assert "resources/figures/train.png" in shown
    assert [name for name in shown if not any(f"{name}/".startswith(f"{source}/") for source in INCLUDED)] == []


def test_that_the_app_itself_opens_no_picture_of_the_readme() -> None:
    code = [ROOT / name for name in tracked_files() if re.match(r"attnviz/.*\.py$", name)]
    called = re.compile(r"""resource\(f?["'](figures|screenshots)\b""")
    assert [path for path in code if called.search(path.read_text("utf-8"))] == []


def test_that_the_description_on_an_index_has_no_link_into_a_checkout() -> None:
    text = (ROOT / PROJECT["project"]["readme"]).read_text("utf-8")
    assert re.findall(r"\]\((?!https?://)", text) == []
    assert "pip install" in text
