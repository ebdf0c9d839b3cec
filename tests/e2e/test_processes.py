"""The command line as a process: started from another folder, fed through a pipe, read by a program that leaves."""

import os
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from calling import ROOT, Said, attnviz, forked, process
from forked import COMMAND_LINE

from attnviz import __version__
from attnviz.cli import main
from attnviz.experiment.files.session import session_or_spec_from_json
from attnviz.experiment.files.specs_in_files import presets
from attnviz.experiment.labs import LABS


def test_that_it_tells_its_version(tmp_path: Path) -> None:
    assert process("--version", cwd=tmp_path) == (0, f"attnviz {__version__}\n", "")


def test_that_a_spec_comes_in_through_a_pipe_and_its_arrays_lie_where_it_was_called(tmp_path: Path) -> None:
    said = process("run", "-", "-o", "out.npz", cwd=tmp_path, stdin=b'{"seed": 7, "num_heads": 4}')
    assert (said.code, said.err) == (0, "")
    assert said.out.splitlines()[-1] == "wrote out.npz"
    with np.load(tmp_path / "out.npz", allow_pickle=False) as arrays:
        assert arrays["weights"].shape == (2, 4, 4, 6)
        assert session_or_spec_from_json(arrays["spec"].item()).spec.seed == 7
    assert os.listdir(tmp_path) == ["out.npz"]


def test_that_bad_input_is_one_line_and_no_traceback(tmp_path: Path) -> None:
    said = forked("run", "-", cwd=tmp_path, stdin=b'{"num_hiddens": 100, "num_heads": 6}')
    assert said.out == ""
    assert said.is_one_line(2, "num_hiddens 100 is not divisible by num_heads 6; nearest: 96, 102")


def test_that_presets_lists_every_one_with_its_title_in_the_order_of_the_lecture() -> None:
    said = attnviz("presets")
    assert (said.code, said.err) == (0, "")
    lines = said.out.splitlines()
    assert [line.split()[0] for line in lines] == list(presets())
    assert all(
        found.title in line and found.about in line for found, line in zip(presets().values(), lines, strict=True)
    )
    assert {lab.opening_preset for lab in LABS.values()} <= set(presets())


def test_that_doctor_finds_this_machine_healthy() -> None:
    said = attnviz("doctor")
    assert (said.code, said.err) == (0, "")
    assert said.out.startswith(f"attnviz {__version__}, Python ")
    assert "device cpu: CPU" in said.out.splitlines()


def presets_into(stdout: Any, options: tuple[str, ...], cwd: Path) -> Said:
    """List the presets into a file or a pipe, with options of Python."""
    env = {name: value for name, value in os.environ.items() if name != "PYTHONUNBUFFERED"} | {"PYTHONPATH": str(ROOT)}
    command = [sys.executable, *options, "-m", "attnviz", "presets"]
    done = subprocess.run(command, cwd=cwd, env=env, stdout=stdout, stderr=subprocess.PIPE, check=False, timeout=60)
    return Said(done.returncode, "", done.stderr.decode())


@pytest.mark.skipif(os.name != "posix", reason="pipes of POSIX")
@pytest.mark.parametrize("options", [(), ("-u",)], ids=["buffered", "unbuffered"])
def test_that_a_reader_who_leaves_is_no_error(options: tuple[str, ...], tmp_path: Path) -> None:
    reader, writer = os.pipe()
    os.close(reader)
    with os.fdopen(writer) as stdout:
        assert presets_into(stdout, options, tmp_path) == (0, "", "")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="a full disk of Linux")
@pytest.mark.parametrize("options", [(), ("-u",)], ids=["buffered", "unbuffered"])
def test_that_an_output_on_a_full_disk_is_told_in_one_line(options: tuple[str, ...], tmp_path: Path) -> None:
    with open("/dev/full", "wb") as full:
        said = presets_into(full, options, tmp_path)
    assert said.is_one_line(1, "the output cannot be written: No space left on device")


def test_that_a_closed_output_is_no_defect(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(sys, "stdout", None)
    assert main(["presets"]) == 0
    assert capsys.readouterr().err == ""


# A module that is None in sys.modules cannot be imported, as if it were not installed.
WITHOUT_TORCH_AND = """
import sys
sys.modules |= {sys.argv.pop(1): None, "torch": None}
from attnviz.__main__ import main
sys.exit(main())
"""


@pytest.mark.parametrize("package", ["pydantic", "numpy", "psutil", "typing_extensions"])
def test_that_doctor_works_without_what_it_reports_as_missing(package: str, tmp_path: Path) -> None:
    said = process(package, "doctor", cwd=tmp_path, code=WITHOUT_TORCH_AND)
    assert said.code == 1
    assert "Traceback" not in said.err
    assert said.out.startswith("attnviz ")
    assert any(line.startswith("resources: ") for line in said.out.splitlines())


@pytest.mark.parametrize(
    "arguments",
    [
        ("run", "preset:causal-book"),
        ("--screenshot", "out.png"),
        ("presets",),
    ],
    ids=" ".join,
)
def test_that_what_the_specs_lack_is_told_in_one_line(arguments: tuple[str, ...], tmp_path: Path) -> None:
    said = process("pydantic", *arguments, cwd=tmp_path, code=WITHOUT_TORCH_AND)
    assert said.is_one_line(1, "pydantic", "; 'attnviz doctor' says what to install")


def test_that_missing_presets_are_not_called_an_output_that_cannot_be_written(tmp_path: Path) -> None:
    code = """
import sys
from attnviz import folders

def resource(name):
    raise folders.MissingResourceError(f"attnviz's resource '{name}' is missing; install attnviz again")

folders.resource = resource
from attnviz.__main__ import main
sys.exit(main())
"""
    said = process("presets", cwd=tmp_path, code=code)
    assert said.is_one_line(1, "attnviz's resource 'presets' is missing; install attnviz again")
    assert "output" not in said.err


def test_that_what_is_set_for_other_programs_moves_no_figure_and_a_home_that_is_none_is_no_news(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("XDG_CONFIG_HOME", "XDG_CACHE_HOME", "MPLCONFIGDIR"):
        monkeypatch.delenv(name, raising=False)
    (tmp_path / "home").write_text("a file")
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.setenv("MPLBACKEND", "bogus")
    code = f"import sys; assert 'matplotlib' not in sys.modules; {COMMAND_LINE}"
    said = forked("export", "preset:kernel-fixed", "-o", "out.png", cwd=tmp_path, code=code)
    assert said == (0, "wrote out.png\n", "")


def test_that_a_formula_is_set_where_warnings_are_errors(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTHONWARNINGS", "error")
    code = "from attnviz.__main__ import main; main(['--version'])"
    code = f"import contextlib\nwith contextlib.suppress(SystemExit):\n    {code}\nimport ziamath; print('set')"
    said = process(cwd=tmp_path, code=code)
    assert (said.code, said.out.splitlines()[-1], said.err) == (0, "set", "")


_WINDOW = """
import sys
from PySide6.QtCore import QCoreApplication, QProcess
from attnviz.gui.run.command import start_command
app, process = QCoreApplication([]), QProcess()
sweep = ["sweep", "preset:train-induction", "--over", "seed=0:999", "--workers", "1", "-o", sys.argv[1]]
start_command(process, sweep, "")
process.waitForStarted()
print(process.processId(), flush=True)
app.exec()
"""


def runs(pid: int) -> bool:
    """Return whether a process runs; a zombie does not."""
    stat = Path(f"/proc/{pid}/stat")
    return stat.is_file() and stat.read_text().rpartition(")")[2].split()[0] != "Z"


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="looks in /proc")
@pytest.mark.timeout(180)
def test_that_a_sweep_of_a_window_that_is_killed_ends(tmp_path: Path) -> None:
    table = tmp_path / "table.jsonl"
    with subprocess.Popen(
        [sys.executable, "-c", _WINDOW, str(table)], stdout=subprocess.PIPE, cwd=ROOT, text=True
    ) as window:
        assert window.stdout is not None
        pid = int(window.stdout.readline())
        while not table.exists():
            assert runs(pid)
            time.sleep(0.05)
        window.kill()
    until = time.monotonic() + 60
    while runs(pid) and time.monotonic() < until:
        time.sleep(0.05)
    assert not runs(pid)
