"""The available devices, and the one that a run uses."""

import contextlib
from dataclasses import dataclass

import torch

from attnviz.engine.errors import RunError


@dataclass(frozen=True, slots=True)
class Device:
    """A device of this machine, by its name in specs."""

    name: str
    label: str


def devices() -> tuple[Device, ...]:
    """Return the devices of this machine; the CPU always comes first."""
    found = [Device("cpu", "CPU")]
    with contextlib.suppress(RuntimeError):  # skip a broken device: the CPU still works
        count = torch.cuda.device_count() if torch.cuda.is_available() else 0
        found += [Device(f"cuda:{index}", torch.cuda.get_device_name(index)) for index in range(count)]
    if torch.backends.mps.is_available():
        found.append(Device("mps", "Apple GPU"))
    return tuple(found)


def choose(name: str) -> torch.device:
    """Return the device of a spec; ``auto`` is the first GPU, or the CPU if there is none.

    Raises:
        RunError: this machine has no such device; names those it has.
    """
    known = [device.name for device in devices()]
    if name == "auto":
        accelerators = known[1:]
        return torch.device(accelerators[0] if accelerators else "cpu")
    wanted = "cuda:0" if name == "cuda" else name
    if wanted not in known:
        raise RunError(
            "device_missing",
            f"there is no device {name} here; this machine has {', '.join(known)}",
            device=name,
            known=known,
        )
    return torch.device(wanted)


def wait_for(device: torch.device) -> None:
    """Wait until everything queued on the device is computed, so that timings are right."""
    if device.type == "cuda":
        torch.cuda.synchronize(device)
    elif device.type == "mps":
        torch.mps.synchronize()
