"""The machine of a run: the installed torch, its devices, and the error of a run that is not possible."""

import contextlib
import ctypes
import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import torch

from attnviz.definitions.text import CodedError
from attnviz.versions import wrong_version


class RunError(CodedError):
    """A run is not possible; with a code and a message for the user."""


_ANY_ORDER = 1  # MKL_CBWR_BRANCH_OFF of mkl_types.h


def check_torch() -> None:
    """Check as much of torch as possible before the first run.

    Raises:
        ImportError: torch is too old, or was built for another numpy and cannot convert its tensors.
    """
    version = str(getattr(torch, "__version__", "of an unknown version"))
    if problem := wrong_version("torch", version):
        raise ImportError(problem)
    try:
        torch.zeros(1, device="cpu").numpy()
    except Exception as error:
        raise ImportError(f"torch {version} cannot hand its tensors to numpy: {error}") from error


def sums_in_any_order() -> bool:
    """Return whether MKL ignores the summation order that attnviz sets, because torch multiplied before it was set.

    False also without MKL, or if MKL does not report it (it does in torch for Linux).
    """
    if os.environ.get("MKL_CBWR", "") in ("", "OFF"):
        return False  # the user's choice, which the command line shares
    try:
        mkl = ctypes.CDLL(str(Path(torch.__file__).parent / "lib" / "libtorch_cpu.so"))
        asked_for: int = mkl.mkl_serv_cbwr_get(-1)
    except (OSError, AttributeError):
        return False
    return asked_for <= _ANY_ORDER


@dataclass(frozen=True, slots=True)
class Device:
    """A device of this machine, with its name in specs."""

    name: str
    label: str


def devices() -> tuple[Device, ...]:
    """Return the devices of this machine; the CPU always comes first."""
    known = [Device("cpu", "CPU")]
    with contextlib.suppress(RuntimeError):  # skip a broken device; the CPU still works
        count = torch.cuda.device_count() if torch.cuda.is_available() else 0
        known += [Device(f"cuda:{index}", torch.cuda.get_device_name(index)) for index in range(count)]
    if torch.backends.mps.is_available():
        known.append(Device("mps", "Apple GPU"))
    return tuple(known)


def choose(name: str) -> "torch.device":
    """Return the device of a spec; ``auto`` is the first GPU, or the CPU without one.

    Raises:
        RunError: this machine has no such device; names those it has.
    """
    known = [device.name for device in devices()]
    if name == "auto":
        accelerators = known[1:]
        return torch.device(accelerators[0] if accelerators else "cpu")
    wanted = "cuda:0" if name == "cuda" else name
    if wanted not in known:
        values = {"device": name, "known": ", ".join(known)}
        raise RunError("device_missing", "there is no device {device} here; this machine has {known}", **values)
    return torch.device(wanted)


def wait_for(device: "torch.device") -> None:
    """Wait for all work queued on the device, so that timings are right."""
    if device.type == "cuda":
        torch.cuda.synchronize(device)
    elif device.type == "mps":
        torch.mps.synchronize()


@contextlib.contextmanager
def on_cpu_by_default() -> Iterator[None]:
    """Create new tensors on the CPU, whatever default device a program has set; a run names its device."""
    if torch.get_default_device().type == "cpu":
        yield  # the context would slow every operation down
        return
    with torch.device("cpu"):
        yield


@contextlib.contextmanager
def one_thread() -> Iterator[None]:
    """Let torch use one CPU thread temporarily.

    Waiting for a busy second core costs short operations more than it saves, and sums over several threads are added in
    an order that depends on their number.
    """
    before = torch.get_num_threads()
    if before != 1:
        torch.set_num_threads(1)
    try:
        yield
    finally:
        if before != 1:
            torch.set_num_threads(before)
