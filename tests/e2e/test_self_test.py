import os
import subprocess
import sys
from pathlib import Path

import pytest

from attnviz.cli import main, self_test
from attnviz.definitions.formats import FORMATS
from attnviz.definitions.labs import LAB_NAMES


@pytest.mark.timeout(120)
def test_that_the_self_test_uses_every_part_and_leaves_nothing_behind(tmp_path: Path) -> None:
    env = {"PATH": os.environ["PATH"], "LANG": "C", "TMPDIR": str(tmp_path), "HOME": "/nonexistent"}
    code = "import sys; from attnviz.__main__ import main; sys.exit(main(['doctor', '--self-test']))"
    command = [sys.executable, "-c", code]
    env["PYTHONPATH"] = str(Path(__file__).parents[2])
    done = subprocess.run(command, cwd=tmp_path, env=env, capture_output=True, text=True, check=False)
    lines = done.stdout.splitlines()
    assert (done.returncode, done.stderr) == (0, ""), lines
    assert lines[-1].startswith("everything works; ")
    names = [f"run of the {lab} lab" for lab in LAB_NAMES] + [
        f"export of {form.suffix}" for form in FORMATS.values() if form.writers
    ]
    for name in (*names, "tokenizer", "lesson and its formulas", "sweep of two runs", "window"):
        assert any(line.startswith(f"ok       {name}") for line in lines), name
    assert [line for line in lines if line.startswith("failed")] == []
    assert list(tmp_path.iterdir()) == []


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
