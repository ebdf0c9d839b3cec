"""A device that is there at first and then is not: the run goes on, on the CPU where the spec named that device."""

from pathlib import Path
from typing import Any

import pytest
import torch
from pytestqt.qtbot import QtBot
from running import bits
from session_hands import file_of
from small_specs import SMALL, attention, independent_trace, regression, training
from windows import At, Settle

from attnviz.attention import MultiHeadAttention
from attnviz.engine import machine
from attnviz.engine.attention import run as attention_engine
from attnviz.engine.regression import run as regression_engine
from attnviz.engine.regression import training as training_engine
from attnviz.experiment.files.session import Session
from attnviz.experiment.labs import Spec
from attnviz.experiment.run import Cursor
from attnviz.gui.window.main_window import MainWindow

GONE = (
    RuntimeError("CUDA error: device-side assert triggered\nCUDA kernel errors might be asynchronously reported"),
    getattr(torch, "AcceleratorError", RuntimeError)("CUDA error: unspecified launch failure"),
    RuntimeError("No CUDA GPUs are available"),
    RuntimeError("CUDA error: no CUDA-capable device is detected"),
)
each_of_them = pytest.mark.parametrize("error", GONE, ids=lambda error: str(error)[:40])


@pytest.fixture
def gpu(monkeypatch: pytest.MonkeyPatch) -> None:
    """A GPU, cuda:0, whose part the CPU plays."""
    chosen = machine.choose

    def choose(name: str) -> torch.device:
        return torch.device("cpu") if name == "cuda:0" else chosen(name)

    for lab in (attention_engine, regression_engine):
        monkeypatch.setattr(lab, "choose", choose)


def shows(window: MainWindow, spec: Spec) -> bool:
    """Return whether the picture is that of an independent run of a spec."""
    shown = window.controller.shown
    return shown is not None and shown.spec == spec and bits(shown) == bits(independent_trace(spec))


@pytest.mark.usefixtures("gpu")
@each_of_them
def test_that_a_device_that_goes_gives_way_to_the_cpu_and_that_is_said(
    error: Exception, at: At, settle: Settle, monkeypatch: pytest.MonkeyPatch
) -> None:
    window = at(attention(device="cuda:0"))
    working, broken = MultiHeadAttention.stages, [True]

    def stages(*arguments: Any, **options: Any) -> Any:
        if broken.pop() if broken else False:
            raise error
        return working(*arguments, **options)

    monkeypatch.setattr(MultiHeadAttention, "stages", stages)
    window.controller.propose(attention(device="cuda:0", seed=3))
    settle(window)
    first = str(error).splitlines()[0]
    assert window.notice.text() == f"the run failed: {first}. Running on the CPU instead."
    assert not window.notice.isHidden()
    assert shows(window, attention(seed=3))
    window.controller.propose(attention(seed=4))
    settle(window)
    assert window.notice.isHidden()


@pytest.mark.usefixtures("gpu")
def test_that_a_training_whose_device_goes_half_way_is_trained_on_the_cpu(
    at: At, settle: Settle, monkeypatch: pytest.MonkeyPatch
) -> None:
    window, steps = at(SMALL), []
    working = training_engine.loss_and_gradients

    def gradients(*arguments: Any, **options: Any) -> Any:
        steps.append(1)
        if len(steps) == 3:
            raise GONE[0]
        return working(*arguments, **options)

    monkeypatch.setattr(training_engine, "loss_and_gradients", gradients)
    window.controller.propose(training(device="cuda:0"))
    settle(window)
    assert window.notice.text().endswith("device-side assert triggered. Running on the CPU instead.")
    monkeypatch.setattr(training_engine, "loss_and_gradients", working)
    assert shows(window, training())


@pytest.mark.usefixtures("gpu")
def test_that_looking_back_on_a_device_that_has_gone_trains_once_more_on_the_cpu(
    at: At, settle: Settle, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    window = at(training(device="cuda:0"))

    def gone(*_: Any, **__: Any) -> Any:
        raise GONE[3]

    with monkeypatch.context() as patch:
        patch.setattr(regression_engine, "net_of", gone)
        with qtbot.waitSignal(window.controller.failed):
            window.controller.seek(Cursor(step=2))
    assert window.notice.text().endswith("is detected. Running on the CPU instead.")
    qtbot.waitUntil(lambda: not window.runner.busy or window.controller.paused)
    assert window.controller.spec == training()
    with qtbot.waitSignal(window.controller.trace_accepted):
        window.controller.seek(Cursor(step=2))
    assert window.controller.shown.step == 2  # type: ignore[union-attr]


@pytest.mark.parametrize("device", ["auto", "cpu"])
def test_that_a_run_that_fails_where_nobody_named_a_device_stays_failed(
    device: str, at: At, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    window = at(SMALL)

    def gone(*_: Any, **__: Any) -> Any:
        raise GONE[0]

    with monkeypatch.context() as patch, qtbot.waitSignal(window.controller.failed):
        patch.setattr(MultiHeadAttention, "stages", gone)
        window.controller.propose(attention(device=device, seed=3))
    assert window.notice.text().endswith("assert triggered")
    assert window.controller.spec.device == device
    assert shows(window, SMALL)


@pytest.mark.parametrize("spec", [attention(seed=5, device="cuda:7"), regression(device="mps")], ids=["cuda", "mps"])
def test_that_a_session_of_a_device_that_is_not_here_opens_on_the_cpu_without_a_change_to_save(
    spec: Spec, at: At, settle: Settle, qtbot: QtBot, tmp_path: Path
) -> None:
    if torch.backends.mps.is_available():
        pytest.skip("here is such a device")
    window, path = at(SMALL), file_of(Session(spec=spec), tmp_path / "theirs.attnviz")
    window.keeper.open_path(path)
    qtbot.waitUntil(lambda: window.keeper.path == path)
    settle(window)
    assert window.notice.text() == (
        f"there is no device {spec.device} here; this machine has cpu. Running on the CPU instead."
    )
    assert shows(window, spec.model_copy(update={"device": "cpu"}))
    assert not window.isWindowModified()


@pytest.mark.parametrize("what", ["is_available", "device_count", "get_device_name"])
def test_that_a_driver_that_is_broken_leaves_the_cpu_to_work_with(what: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: Any) -> Any:
        raise RuntimeError("Unexpected error from cudaGetDeviceCount(). Did you run some cuda functions before?")

    monkeypatch.setattr(torch.cuda, "is_available", lambda: True)
    monkeypatch.setattr(torch.cuda, "device_count", lambda: 2)
    monkeypatch.setattr(torch.cuda, what, broken)
    monkeypatch.setattr(torch.backends.mps, "is_available", lambda: False)
    assert [device.name for device in machine.devices()] == ["cpu"]
    assert machine.choose("auto") == torch.device("cpu")
    assert bits(independent_trace(attention(device="auto"))) == bits(independent_trace(SMALL))
