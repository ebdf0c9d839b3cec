"""Whether the torch that is installed will do."""

import ctypes
import os
from pathlib import Path

import torch

from attnviz.versions import wrong_version

_ANY_ORDER = 1  # MKL_CBWR_BRANCH_OFF of mkl_types.h


def check_torch() -> None:
    """Return if runs can be carried out, as far as that can be told before the first.

    Raises:
        ImportError: torch is too old, or it was built for another numpy and cannot hand its tensors over.
    """
    version = str(getattr(torch, "__version__", "of an unknown version"))
    if problem := wrong_version("torch", version):
        raise ImportError(problem)
    try:
        torch.zeros(1).numpy()
    except Exception as error:
        raise ImportError(f"torch {version} cannot hand its tensors to numpy: {error}") from error


def sums_in_any_order() -> bool:
    """Return whether MKL ignores the order of sums that attnviz asks for, for torch has multiplied before it was asked.

    False too where there is no MKL, or it does not say (it does in the builds of torch for Linux).
    """
    if os.environ.get("MKL_CBWR", "") in ("", "OFF"):
        return False  # the user has asked for that, and the command line has it too
    try:
        mkl = ctypes.CDLL(str(Path(torch.__file__).parent / "lib" / "libtorch_cpu.so"))
        asked_for: int = mkl.mkl_serv_cbwr_get(-1)
    except (OSError, AttributeError):
        return False
    return asked_for <= _ANY_ORDER
