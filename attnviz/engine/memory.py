"""Estimates of a run's memory, made before anything is allocated."""

import psutil
import torch

from attnviz.definitions.masks import in_force
from attnviz.engine.machine import RunError
from attnviz.experiment.arrays import BLOCK_CELLS
from attnviz.experiment.attention.spec import AttentionSpec
from attnviz.experiment.given_weights import GivenWeights
from attnviz.experiment.regression.spec import RegressionSpec

_ITEM = {"float16": 2, "bfloat16": 2, "float32": 4, "float64": 8}


def attention_bytes(spec: AttentionSpec) -> int:
    """Return the bytes that a run of this spec holds at its peak, a trace and its colours included.

    Shape letters: B batch, Q queries, K keys, D hidden, h heads.
    """
    B, Q, K, D = spec.batch_size, spec.num_queries, spec.num_kvpairs, spec.num_hiddens
    item = _ITEM[spec.dtype]
    wide = max(item, 4)
    inputs = B * (Q * spec.size_of_queries + K * (spec.size_of_keys + spec.size_of_values))
    record, sizes = spec.mechanism_record, spec.sizes
    shapes = [(each.of, each.shape(sizes)) for each in record.parameters]
    matrices = sum(out_size * in_size for _, (out_size, in_size) in shapes)
    projected = sum({"queries": Q, "keys": K, "values": K}.get(of, 0) * out_size for of, (out_size, _) in shapes)
    tokens = B * projected + 3 * B * Q * max(D, spec.size_of_values)
    cells = B * spec.heads_run * Q * K
    # scores and weights, the masked scores, one transient of the softmax; then levels, the mask, the mask as shown.
    per_cell = 2 * item + 2 * wide + (2 * item if spec.dropout_acts else 0) + 3
    if item < 4:
        per_cell += 3 * 4  # the widened copies in the trace
    masks = mask_bytes(spec)
    # Inputs and matrices are drawn in float32, held in the module's dtype, and shown in float32 or float64; on the
    # CPU a product of halves works on a widened copy of its own.
    drawn = 4 + item + (8 if item < 4 else 0)
    kept = item + (4 if item < 4 else 0)
    scratch = record.scratch(sizes, kept)
    return (inputs + matrices) * drawn + tokens * kept + cells * per_cell + masks + scratch


def mask_bytes(spec: AttentionSpec) -> int:
    """Return the peak bytes of combining a spec's masks: two of them, and the temporaries of the second."""
    masks = [mask for mask, _ in in_force(spec)]
    items = spec.batch_size if any(mask.per_item for mask in masks) else 1
    return items * spec.num_queries * spec.num_kvpairs * (2 + max((mask.scratch for mask in masks), default=0))


def given_bytes(given: GivenWeights) -> int:
    """Return the bytes of given weights once read: the weights, a scaled copy, colours and marks."""
    return int(2 * given.weights.nbytes + 3 * given.weights.size)


def regression_bytes(spec: RegressionSpec, num_queries: int, num_train: int) -> int:
    """Return the peak bytes of a fit, including all arrays that the screen derives from it."""
    heads = spec.num_heads if spec.trains else 1
    # Heights and weights of each head and their average; differences, contributions, two transients, the colours.
    per_cell = 8 * (2 * heads + (2 if heads > 1 else 0) + 5)
    return per_cell * num_queries * num_train + block_bytes(heads * num_train)


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
