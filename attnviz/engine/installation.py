"""Checks of the installed torch."""

import ctypes
import os
from pathlib import Path

import torch

from attnviz.versions import wrong_version

_ANY_ORDER = 1  # MKL_CBWR_BRANCH_OFF of mkl_types.h


def check_torch() -> None:
    """Check that torch can carry out runs, as far as possible before the first run.

    Raises:
        ImportError: torch is too old, or was built for another numpy and cannot convert its tensors.
    """
    version = str(getattr(torch, "__version__", "of an unknown version"))
    if problem := wrong_version("torch", version):
        raise ImportError(problem)
    try:
        torch.zeros(1).numpy()
    except Exception as error:
        raise ImportError(f"torch {version} cannot hand its tensors to numpy: {error}") from error


def sums_in_any_order() -> bool:
    """Return whether MKL ignores the summation order that attnviz sets, because torch multiplied before it was set.

    False also without MKL, or if MKL does not report it (it does in torch for Linux).
    """
    if os.environ.get("MKL_CBWR", "") in ("", "OFF"):
        return False  # the user chose this, and the command line uses it too
    try:
        mkl = ctypes.CDLL(str(Path(torch.__file__).parent / "lib" / "libtorch_cpu.so"))
        asked_for: int = mkl.mkl_serv_cbwr_get(-1)
    except (OSError, AttributeError):
        return False
    return asked_for <= _ANY_ORDER
