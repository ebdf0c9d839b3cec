"""Whether the torch that is installed will do."""

import torch

from attnviz.versions import wrong_version


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
