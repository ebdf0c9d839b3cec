"""The README's figures are what its own commands make, and its lines of Python run."""

import re
import shlex
from pathlib import Path

import numpy as np
import pytest
from calling import ROOT, attnviz
from PIL import Image

from attnviz.export.document import read_document

README = (ROOT / "README.md").read_text(encoding="utf-8")
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
