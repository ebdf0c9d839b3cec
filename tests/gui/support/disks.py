"""Disks that fail at one operation of a save: create, write, close or replace the file."""

import errno
import os
from collections.abc import Callable
from typing import Any, NoReturn

import pytest

from attnviz.experiment.files import plain_files as files


def _raising(number: int) -> Callable[..., NoReturn]:
    def fail(*_: Any, **__: Any) -> NoReturn:
        raise OSError(number, os.strerror(number))

    return fail


class _Failing:
    """A file that raises at one of its operations."""

    def __init__(self, file: Any, operation: str, number: int) -> None:
        self._file, self._operation, self._number = file, operation, number

    def __getattr__(self, name: str) -> Any:
        return _raising(self._number) if name == self._operation else getattr(self._file, name)

    def __enter__(self) -> "_Failing":
        return self

    def __exit__(self, *_: object) -> None:
        self._file.close()
        if self._operation == "close":
            _raising(self._number)()


class Fault:
    """One operation that fails, with an error number."""

    def __init__(self, operation: str, number: int) -> None:
        self.operation, self.number = operation, number

    @property
    def why(self) -> str:
        """The system's message."""
        return os.strerror(self.number)

    def strike(self, patch: pytest.MonkeyPatch) -> None:
        """Make every save fail from now on."""
        open_true = os.fdopen

        def fdopen(*arguments: Any, **options: Any) -> Any:
            return _Failing(open_true(*arguments, **options), self.operation, self.number)

        match self.operation:
            case "begin":
                patch.setattr(files, "_begin_part", _raising(self.number))
            case "fsync" | "replace":
                patch.setattr(os, self.operation, _raising(self.number))
            case _:
                patch.setattr(os, "fdopen", fdopen)


FAULTS = {
    "no room to begin": Fault("begin", errno.ENOSPC),
    "read-only": Fault("begin", errno.EROFS),
    "folder gone": Fault("begin", errno.ENOENT),
    "no room": Fault("write", errno.ENOSPC),
    "damaged": Fault("write", errno.EIO),
    "no room at last": Fault("flush", errno.ENOSPC),
    "not on the disk": Fault("fsync", errno.EIO),
    "quota": Fault("close", getattr(errno, "EDQUOT", errno.ENOSPC)),
    "taken out": Fault("close", errno.EIO),
    "not put in place": Fault("replace", errno.EACCES),
}


def at_last(sentence: str, _about_a_failure: bool) -> bool:
    """Return whether a message is the last one of a save, not "Saving ..."."""
    return not sentence.endswith(" ...")
