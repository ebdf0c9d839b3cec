"""What devices there are, and which one is used."""

import contextlib
from dataclasses import dataclass

import torch

from attnviz.engine.errors import RunError


@dataclass(frozen=True, slots=True)
class Device:
    """A device that this machine has, under the name a spec gives it."""

    name: str
    label: str


def devices() -> tuple[Device, ...]:
    """Return what this machine has; the CPU is always there and comes first."""
    found = [Device("cpu", "CPU")]
    with contextlib.suppress(RuntimeError):  # one that is there and broken is none: the CPU works all the same
        count = torch.cuda.device_count() if torch.cuda.is_available() else 0
        found += [Device(f"cuda:{index}", torch.cuda.get_device_name(index)) for index in range(count)]
    if torch.backends.mps.is_available():
        found.append(Device("mps", "Apple GPU"))
    return tuple(found)


def choose(name: str) -> torch.device:
    """Return the device of a spec; ``auto`` is the first GPU, or the CPU where there is none.

    Raises:
        RunError: this machine has no such device; names what it has.
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
    """Return when everything queued on the device has been computed, so that a clock tells the truth."""
    if device.type == "cuda":
        torch.cuda.synchronize(device)
    elif device.type == "mps":
        torch.mps.synchronize()
