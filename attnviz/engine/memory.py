"""Estimates of a run's memory, made before anything is allocated."""

import psutil
import torch

from attnviz.engine.machine import RunError
from attnviz.experiment.arrays import BLOCK_CELLS
from attnviz.experiment.given_weights import GivenWeights
from attnviz.experiment.regression.spec import RegressionSpec
from attnviz.experiment.train.spec import TrainSpec

CHECKPOINT_BYTES = 128 << 20
"""How much memory the checkpoints of one training take."""


def given_bytes(given: GivenWeights) -> int:
    """Return the bytes of given weights once read: the weights, a scaled copy, colours and marks."""
    return int(2 * given.weights.nbytes + 3 * given.weights.size)


def regression_bytes(spec: RegressionSpec, num_queries: int, num_train: int) -> int:
    """Return the peak bytes of a fit, including all arrays that the screen derives from it."""
    heads = spec.num_heads if spec.trains else 1
    # Heights and weights of each head and their average; differences, contributions, two transients, the colours.
    per_cell = 8 * (2 * heads + (2 if heads > 1 else 0) + 5)
    return per_cell * num_queries * num_train + block_bytes(heads * num_train)


def train_bytes(spec: TrainSpec) -> int:
    """Return the peak bytes of a training, a trace and its colours included.

    Shape letters: B batch, T tokens, D hidden, h heads, V vocabulary.
    """
    B, T, D, V = spec.batch_size, spec.num_tokens, spec.num_hiddens, spec.vocab_size
    wider = 8 if spec.feed_forward else 0
    parameters = 2 * V * D + T * D + spec.num_layers * (4 + wider) * D * D
    # Kept for the backward pass in each layer: the stream and what is made of it, scores and weights with their masks.
    of_layer = B * T * D * (20 + 2 * wider) + 5 * B * spec.num_heads * T * T
    sequences = spec.num_layers * of_layer + 4 * B * T * V
    # Two models with gradients and what Adam remembers; a state as it is copied, and the trace's parameters.
    item = 4 if spec.dtype == "float32" else 8
    return item * (12 * parameters + sequences) + CHECKPOINT_BYTES


def block_bytes(cells_each: int) -> int:
    """Return the bytes of a forward and backward pass through one block; a query has ``cells_each`` weights."""
    # Some 12 arrays are alive at a time; the allocator (glibc) keeps about as much again of freed memory.
    return 26 * 8 * max(BLOCK_CELLS, cells_each)


def available_bytes(device: torch.device) -> int:
    """Return how much memory the device has free."""
    if device.type == "cuda":
        # CUDA counts torch's cache as used, but it is free for us.
        cached = torch.cuda.memory_reserved(device) - torch.cuda.memory_allocated(device)
        return torch.cuda.mem_get_info(device)[0] + cached
    return int(psutil.virtual_memory().available)


def require(needed: int, device: torch.device, remedy: str) -> None:
    """Raise a RunError that names both numbers and the remedy when the device has less than ``needed`` bytes free."""
    has = available_bytes(device)
    if needed > has:
        raise RunError(
            "not_enough_memory",
            f"this run needs about {readable(needed)}, but {device} has {readable(has)} free; {remedy}",
            needed=needed,
            available=has,
        )


def readable(count: int) -> str:
    """Return a number of bytes in readable form."""
    size = float(count)
    for unit in ("B", "KiB", "MiB", "GiB", "TiB"):
        if size < 1024:
            return f"{size:.0f} {unit}" if unit == "B" else f"{size:.1f} {unit}"
        size /= 1024
    return f"{size:.1f} PiB"
