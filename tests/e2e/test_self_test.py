"""The self-test: it has a check of every part, and says what failed. All checks are run on what is installed, in CI."""

import os
from pathlib import Path

import pytest

from attnviz.cli import main, self_test
from attnviz.definitions.formats import FORMATS
from attnviz.definitions.labs import LAB_NAMES


def test_that_the_self_test_uses_every_part(tmp_path: Path) -> None:
    names = [name for name, _ in self_test._checks(self_test._Parts(tmp_path, 0.0), tuple(LAB_NAMES))]
    runs = [f"run of the {lab} lab" for lab in LAB_NAMES]
    exports = [f"export of {form.suffix}" for form in FORMATS.values() if form.writers]
    others = ["tokenizer", "own functions", "lesson and its formulas", "sweep of two runs", "window", "sweep on two"]
    missed = [each for each in (*runs, *exports, *others) if not any(name.startswith(each) for name in names)]
    assert missed == []


def test_that_the_self_test_names_what_failed_and_why_and_goes_on(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def broken() -> None:
        raise OSError(2, "No such file", "fonts/Inter-Regular.otf")

    def absent() -> None:
        raise self_test._SkippedError("several workers need Dask")

    checks = [("window", broken), ("workers", absent), ("sweep", lambda: None)]
    monkeypatch.setattr(self_test, "_checks", lambda *_: iter(checks))
    before = dict(os.environ)
    assert main(["doctor", "--self-test"]) == 1
    said = capsys.readouterr()
    assert said.err == ""
    window, workers, sweep, last = said.out.splitlines()
    assert window.startswith("failed   window, 0.0 s: [Errno 2] No such file: 'fonts/Inter-Regular.otf'")
    assert workers == "skipped  workers, 0.0 s: several workers need Dask"
    assert sweep == "ok       sweep, 0.0 s"
    assert last.startswith("failed: window; ")
    assert dict(os.environ) == before


def test_that_a_format_that_no_check_writes_fails(tmp_path: Path) -> None:
    from attnviz.definitions.formats import Format, Writer

    form = Format(name="xyz", title="XYZ", writers={"screen": Writer(function="a:b")})
    state, why = self_test._outcome(lambda: self_test._Parts(tmp_path, 0.0).export(form))
    assert (state, why) == ("failed", "no check writes screen")
