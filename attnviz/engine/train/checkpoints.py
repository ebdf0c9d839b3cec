"""The checkpoints of a training: the newest in memory, older ones in a temporary file that is removed with it."""

import os
import shutil
import tempfile
import weakref
from collections.abc import Collection
from dataclasses import dataclass
from pathlib import Path
from typing import IO

import numpy as np
from numpy.typing import NDArray

ROOM_BYTES = 1 << 30
"""The disk space left free, in bytes."""
CHECKPOINT_BYTES = 128 << 20
"""The memory for the checkpoints of one training, in bytes."""


@dataclass(slots=True, eq=False)
class Checkpoint:
    """The state after a step, as one row of numbers; created by `Checkpoints.keep`."""

    values: NDArray[np.floating] | None
    """None if they are in the file."""
    size: int
    dtype: np.dtype[np.floating]
    slot: int | None = None
    """Its slot in the file; None if it has none."""
    stays: bool = False
    """Whether it is never dropped: the steps before it may not have been taken in this process."""

    @property
    def nbytes(self) -> int:
        """The bytes of its numbers."""
        return self.size * self.dtype.itemsize


class Checkpoints:
    """Checkpoints in memory, and in equal slots of an unnamed file, which the system removes with the process.

    They are plain numbers; nothing is executed.
    """

    def __init__(self, largest: int) -> None:
        """Allow states of at most ``largest`` bytes."""
        self._in_memory: dict[int, Checkpoint] = {}  # by id, the oldest first
        self.nbytes = 0
        """The bytes of memory that they take."""
        self._file: IO[bytes] | None = None
        self._slot_bytes = largest
        self._slots = 0
        self._free: list[int] = []

    @property
    def file_bytes(self) -> int:
        """The bytes of the file."""
        return self._slots * self._slot_bytes

    def keep(self, values: NDArray[np.floating]) -> Checkpoint:
        """Return a checkpoint of numbers (n,), which must not be modified, in memory."""
        checkpoint = Checkpoint(values, values.size, values.dtype)
        self._in_memory[id(checkpoint)] = checkpoint
        self.nbytes += checkpoint.nbytes
        return checkpoint

    def values_of(self, checkpoint: Checkpoint) -> NDArray[np.floating]:
        """Return the numbers (n,) of a checkpoint.

        Raises:
            OSError: the file cannot be read.
        """
        if checkpoint.values is not None:
            return checkpoint.values
        assert self._file is not None
        assert checkpoint.slot is not None
        self._file.seek(checkpoint.slot * self._slot_bytes)
        read = self._file.read(checkpoint.nbytes)
        if len(read) < checkpoint.nbytes:
            raise OSError("the file of the training's checkpoints was cut")
        return np.frombuffer(read, checkpoint.dtype)

    def forget_all_but(self, kept: Collection[Checkpoint]) -> None:
        """Drop all others."""
        known = {id(each) for each in kept}
        self._in_memory = {key: each for key, each in self._in_memory.items() if key in known}
        self.nbytes = sum(each.nbytes for each in self._in_memory.values())
        used = {each.slot for each in kept if each.slot is not None}
        self._free = [slot for slot in range(self._slots) if slot not in used]

    def move_oldest(self) -> bool:
        """Move the oldest checkpoint in memory to the file; return False if the disk is full."""
        oldest = next(iter(self._in_memory.values()), None)
        return oldest is not None and self._move(oldest)

    def move_all(self) -> None:
        """Move them to the file, as far as the disk has room."""
        while self.move_oldest():
            pass

    def _move(self, checkpoint: Checkpoint) -> bool:
        assert checkpoint.values is not None
        try:
            slot = self._free_slot()
            if slot is None or self._file is None:
                return False
            self._file.seek(slot * self._slot_bytes)
            self._file.write(checkpoint.values.data)
            self._file.flush()
        except OSError:  # the disk is full after all: the checkpoint stays in memory, and the slot is reused
            return False
        self._free.remove(slot)
        checkpoint.slot, checkpoint.values = slot, None
        del self._in_memory[id(checkpoint)]
        self.nbytes -= checkpoint.nbytes
        return True

    def _free_slot(self) -> int | None:
        """Return a free slot; None if the disk is full."""
        if self._file is None:
            self._file = tempfile.TemporaryFile(dir=_folder())  # noqa: SIM115 (it lives as long as the training)
            weakref.finalize(self, self._file.close)
        if not self._free:
            if shutil.disk_usage(_folder()).free < ROOM_BYTES + self._slot_bytes:
                return None
            self._free.append(self._slots)
            self._slots += 1
        return self._free[-1]


def _folder() -> str:
    """Return the folder of large temporary files: /tmp itself is often in memory."""
    disk = Path("/var/tmp")
    return str(disk) if os.name == "posix" and os.access(disk, os.W_OK) else tempfile.gettempdir()
