"""Memory that runs out, on the CPU and on a GPU: what was asked for, how much, and what needs less."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from calling import attnviz, forked
from disks import at_last
from pytestqt.qtbot import QtBot
from running import bits, the_failure
from small_specs import SMALL, attention, independent_trace, regression
from windows import At, Settle

from attnviz.attention import MultiHeadAttention, NadarayaWatson
from attnviz.engine import machine
from attnviz.engine.machine import Device
from attnviz.engine.run import failure_of
from attnviz.experiment.labs import Spec, make_spec
from attnviz.experiment.regression.studies import LossOverW

# The errors themselves, as torch and numpy raise them where a petabyte is asked for.
REAL: dict[str, tuple[Callable[..., Any], str]] = {
    "torch": (lambda *_, **__: torch.empty(1 << 50, dtype=torch.uint8), "1.0 PiB"),
    "numpy": (lambda *_, **__: np.empty(1 << 50), "8.00 PiB"),
}
CUDA = torch.OutOfMemoryError(
    "CUDA out of memory. Tried to allocate 20.00 GiB. GPU 0 has a total capacity of 23.68 GiB of which 3 GiB is free."
)
MPS = RuntimeError(
    "MPS backend out of memory (MPS allocated: 1.00 GB, max allowed: 18.13 GB). Tried to allocate 4.00 GB"
)


@pytest.fixture
def a_gpu(monkeypatch: pytest.MonkeyPatch) -> None:
    """A machine with a GPU."""
    found = (Device("cpu", "CPU"), Device("cuda:0", "NVIDIA"), Device("mps", "Apple GPU"))
    monkeypatch.setattr(machine, "devices", lambda: found)


@pytest.mark.parametrize(("ask", "size"), REAL.values(), ids=REAL)
@pytest.mark.parametrize("lab", ["attention", "regression"])
def test_that_a_run_for_which_there_is_no_memory_says_how_much_was_asked_for_and_what_needs_less(
    lab: str, ask: Callable[..., Any], size: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(MultiHeadAttention, "stages", ask)
    monkeypatch.setattr(NadarayaWatson, "stages", ask)
    failure = the_failure(lab=lab, **{"estimator": "parametric"} if lab == "regression" else {})
    less = {"attention": "fewer queries, keys, heads or batch items", "regression": "fewer training points or queries"}
    assert failure.code == "out_of_memory"
    assert failure.message == f"the memory of cpu ran out when {size} more were asked for; {less[lab]} need less"


@pytest.mark.usefixtures("a_gpu")
@pytest.mark.parametrize(
    ("error", "device", "place", "size"),
    [
        (CUDA, "cuda:0", "cuda:0", " when 20.00 GiB more were asked for"),
        (CUDA, "auto", "cuda:0", " when 20.00 GiB more were asked for"),
        (MPS, "mps", "mps", " when 4.00 GB more were asked for"),
        (RuntimeError("CUDA error: CUBLAS_STATUS_ALLOC_FAILED when calling `cublasCreate`"), "cuda", "cuda:0", ""),
        (MemoryError("Unable to allocate 7.28 TiB for an array with shape (9,)"), "cuda:0", "cpu",
         " when 7.28 TiB more were asked for"),
        (OSError(12, "Cannot allocate memory"), "cpu", "cpu", ""),
    ],
)  # fmt: skip
def test_that_the_memory_that_ran_out_is_named(error: Exception, device: str, place: str, size: str) -> None:
    spec = make_spec({"device": device})
    failure = failure_of(spec, error)
    assert (failure.code, failure.spec) == ("out_of_memory", spec)
    assert failure.message.startswith(f"the memory of {place} ran out{size}; fewer ")
    of_study = failure_of(LossOverW(of=make_spec({"lab": "regression", "device": device}), low=0, high=1), error)
    assert of_study.message.startswith(f"the memory of {place} ran out{size}; fewer training points")


def test_that_a_gpu_that_has_gone_with_its_memory_is_named_all_the_same() -> None:
    assert failure_of(make_spec({"device": "cuda:5"}), CUDA).message.startswith("the memory of cuda:5 ran out when ")


class Unspeakable(RuntimeError):  # noqa: N818 - it is one that cannot even say so
    """An error whose words cannot be had."""

    def __str__(self) -> str:
        raise MemoryError


@pytest.mark.parametrize(
    ("error", "said"),
    [
        (Unspeakable(), "the run failed: Unspeakable"),
        (RuntimeError(), "the run failed: RuntimeError"),
        (RuntimeError("a\nb"), "the run failed: a"),
        (KeyError("k"), "the run failed unexpectedly: KeyError: 'k'"),
        (AssertionError(), "the run failed unexpectedly: AssertionError"),
        (RuntimeError("x" * 999), f"the run failed: {'x' * 300}"),
    ],
)
def test_that_whatever_is_raised_is_told_in_one_line(error: Exception, said: str) -> None:
    assert failure_of(SMALL, error).message == said


@pytest.mark.parametrize(("ask", "size"), REAL.values(), ids=REAL)
@pytest.mark.parametrize("spec", [attention(seed=9), regression(estimator="parametric")], ids=["attention", "training"])
def test_that_a_window_without_memory_for_a_run_keeps_its_picture_and_shows_the_next_spec(
    spec: Spec, ask: Callable[..., Any], size: str, at: At, settle: Settle, qtbot: QtBot,
    monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    window = at(SMALL)
    with monkeypatch.context() as patch:
        patch.setattr(MultiHeadAttention, "stages", ask)
        patch.setattr(NadarayaWatson, "stages", ask)
        with qtbot.waitSignal(window.controller.failed):
            window.controller.propose(spec)
    said = window.notice.text()
    assert f"the memory of cpu ran out when {size} more were asked for; fewer " in said
    assert said.endswith("need less")
    assert window.controller.shown is not None
    assert bits(window.controller.shown) == bits(independent_trace(SMALL))
    window.controller.propose(attention(seed=2))
    settle(window)
    assert bits(window.controller.shown) == bits(independent_trace(attention(seed=2)))
    assert window.notice.isHidden()


@pytest.mark.parametrize("what", ["numbers.npz", "numbers.csv", "session.attnviz"])
def test_that_a_file_for_which_there_is_no_memory_is_named_and_the_next_one_is_written(
    what: str, at: At, qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def no_memory(*_: Any, **__: Any) -> Any:
        raise MemoryError("Unable to allocate 3.00 GiB for an array with shape (7,)")

    window, path = at(SMALL), tmp_path / what
    path.write_bytes(b"old")
    monkeypatch.setattr(window.keeper.questions, "where_to_save", lambda _: path)
    save = window.keeper.save_as if what.endswith("attnviz") else lambda: window.exporter.save_numbers(path)
    speaker = window.keeper if what.endswith("attnviz") else window.exporter
    with monkeypatch.context() as patch, qtbot.waitSignal(speaker.said, check_params_cb=at_last) as told:
        for place in ("attnviz.experiment.files.plain_files.os.fsync", "numpy.savez"):
            patch.setattr(place, no_memory)
        save()
    why = "there is not enough memory. Unable to allocate 3.00 GiB for an array with shape (7,)"
    assert told.args == [f"Not saved: {path}: {why}", True]
    assert path.read_bytes() == b"old"
    assert [file.name for file in tmp_path.iterdir()] == [what]
    with qtbot.waitSignal(speaker.said, check_params_cb=at_last) as told:
        save()
    assert told.args == [f"Saved {path}", False]


def test_that_a_figure_for_which_there_is_no_memory_is_said_in_its_dialog(
    at: At, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    def no_memory(*_: Any, **__: Any) -> Any:
        raise MemoryError("Unable to allocate 3.00 GiB")

    window = at(SMALL)
    dialog = window.dialogs.figure
    with monkeypatch.context() as patch:
        patch.setattr("attnviz.gui.dialogs.figure_dialog.paper_figure", no_memory)
        patch.setattr("attnviz.gui.dialogs.figure_dialog.screen_png", no_memory)
        window.dialogs.open_figure()
        qtbot.waitUntil(lambda: "not enough memory" in dialog.choices.problem.text())
        assert not dialog.save.isEnabled()
    dialog.choices.changed.emit()
    qtbot.waitUntil(dialog.save.isEnabled)
    assert dialog.choices.problem.isHidden()
    with monkeypatch.context() as patch:
        patch.setattr("attnviz.gui.dialogs.figure_dialog.pixels_in", no_memory)
        dialog.copy.click()
        qtbot.waitUntil(lambda: "not enough memory" in dialog.choices.problem.text())
    assert (dialog.copy.text(), dialog.copy.isEnabled()) == ("Copy", True)
    dialog.reject()


@pytest.mark.usefixtures("elsewhere")
@pytest.mark.parametrize("command", [("run", "-"), ("export", "-", "-o", "out.png")])
@pytest.mark.parametrize(
    ("error", "words"),
    [
        (CUDA, "ran out when 20.00 GiB more were asked for; fewer "),
        (MemoryError(), "the memory of cpu ran out; fewer "),
        (TypeError("no such thing"), "the run failed unexpectedly: TypeError: no such thing"),
        (RecursionError("maximum recursion depth exceeded"), "the run failed unexpectedly: RecursionError: "),
    ],
)
def test_that_the_command_line_ends_with_one_line_and_exit_code_1(
    error: Exception, words: str, command: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: Any, **__: Any) -> Any:
        raise error

    monkeypatch.setattr(MultiHeadAttention, "stages", fail)
    said = attnviz(*command, stdin=json.dumps({"device": "cpu"}).encode())
    assert said.is_one_line(1, words)


@pytest.mark.parametrize("ending", ["npz", "csv"])
def test_that_numbers_without_memory_are_one_line_too(
    ending: str, elsewhere: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def no_memory(*_: Any, **__: Any) -> Any:
        raise MemoryError("Unable to allocate 3.00 GiB")

    monkeypatch.setattr("attnviz.experiment.files.plain_files.os.fsync", no_memory)
    run = ("run", "-", "-o", "out.npz") if ending == "npz" else ("export", "-", "-o", "out.csv")
    said = attnviz(*run, stdin=b'{"device": "cpu"}')
    assert said.is_one_line(1, f"out.{ending} cannot be ", "there is not enough memory. Unable to allocate 3.00 GiB")
    assert list(elsewhere.iterdir()) == []


NO_PICTURE = """
import sys
from attnviz.__main__ import main
from attnviz.gui.dialogs import exporter

def no_memory(*_):
    raise MemoryError("Unable to allocate 3.00 GiB")

exporter.screen_png = no_memory
sys.exit(main(sys.argv[1:]))
"""


def test_that_a_screenshot_without_memory_ends_in_one_line_though_nobody_closes_the_window(tmp_path: Path) -> None:
    said = forked("--screenshot", "out.png", cwd=tmp_path, code=NO_PICTURE)
    assert said.is_one_line(1, "out.png cannot be made: MemoryError: Unable to allocate 3.00 GiB")
    assert list(tmp_path.iterdir()) == []
