"""The README's figures are what its own commands make, its lines of Python run, and the Chinese one has the same."""

import re
import shlex
from pathlib import Path

import numpy as np
import pytest
from calling import ROOT, attnviz
from PIL import Image

from attnviz.export.document import read_document

README, CHINESE = ((ROOT / name).read_text(encoding="utf-8") for name in ("README.md", "README.zh-CN.md"))
COMMANDS = [shlex.split(line) for line in re.findall(r"^attnviz (export .* -o resources/.*)$", README, re.MULTILINE)]


def test_that_the_readme_shows_figures_and_how_they_are_made() -> None:
    made = {words[words.index("-o") + 1] for words in COMMANDS}
    assert len(made) > 1
    assert all(f"]({place})" in README for place in made)


@pytest.mark.parametrize("words", COMMANDS, ids=lambda words: words[words.index("-o") + 1])
def test_that_a_figure_of_the_readme_is_what_its_command_makes(words: list[str], tmp_path: Path, long: bool) -> None:
    place = words[words.index("-o") + 1]
    if "preset:train-induction" in words and not long:
        pytest.skip("a training, and 100 frames of it: --long")
    made = tmp_path / Path(place).name
    said = attnviz(*[str(made) if word == place else word for word in words])
    assert (said.code, said.out) == (0, f"wrote {made}\n")
    assert read_document(made) == read_document(ROOT / place)
    with Image.open(made) as new, Image.open(ROOT / place) as shown:
        assert (new.size, getattr(new, "n_frames", 1)) == (shown.size, getattr(shown, "n_frames", 1))
        # Type may be drawn a little otherwise by another version of matplotlib; the cells are the same.
        differ = (np.asarray(new.convert("RGB")) != np.asarray(shown.convert("RGB"))).any(axis=-1)
        assert differ.mean() < 0.05


def test_that_its_lines_of_python_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (code,) = re.findall(r"^```python\n(.*?)^```", README, re.MULTILINE | re.DOTALL)
    monkeypatch.chdir(tmp_path)
    opened: list[object] = []
    import attnviz as package

    monkeypatch.setattr(package, "view", lambda *arrays: opened.append(arrays), raising=False)
    exec(compile(code, "README.md", "exec"), {"attentions": [np.eye(3)], "tokens": ["a", "b", "c"]})
    assert (tmp_path / "two.pdf").read_bytes().startswith(b"%PDF")
    assert opened


def code_blocks(readme: str) -> list[list[str]]:
    """Return the lines of each block, without what two spaces part from them: an explanation."""
    blocks = re.findall(r"^```(?:python)?\n(.*?)^```", readme, re.MULTILINE | re.DOTALL)
    return [[re.split("(?<=[^ ])  +", line)[0] for line in block.splitlines()] for block in blocks]


def names_in(readme: str) -> list[str]:
    """Return what is in backticks; the Chinese one asks for Chinese pages."""
    return sorted(name.removesuffix(" --lang zh_CN") for name in re.findall("`([^`\n]+)`", readme))


def test_that_the_chinese_readme_has_the_same_code_pictures_and_names() -> None:
    assert code_blocks(CHINESE) == code_blocks(README)
    assert len(code_blocks(README)) > 5
    assert names_in(CHINESE) == names_in(README)
    pictures, shown = (re.findall(r"^!\[.+\]\((.+)\)$", each, re.MULTILINE) for each in (CHINESE, README))
    assert pictures == shown
    assert "](README.zh-CN.md)" in README
    assert "](README.md)" in CHINESE
