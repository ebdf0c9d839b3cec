"""The memory of a run of the attention lab, and whether the run is large."""

from attnviz.definitions.masks import in_force
from attnviz.definitions.masks.own import OWN
from attnviz.definitions.number_formats import NUMBER_FORMATS
from attnviz.definitions.score_steps import acting
from attnviz.definitions.stages import STAGES
from attnviz.experiment.attention.spec import AttentionSpec

_LARGE = 32 << 20
"""The bytes moved by a run from which on several cores are faster; below, sharing an operation takes longer."""


def takes_all_cores(spec: AttentionSpec) -> bool:
    """Return whether a run is large.

    Eight heads of 64 tokens take 0.5 ms on one core and 10 on two, twelve of 512 tokens 47 and 29.
    """
    return not spec.is_given and attention_bytes(spec) > _LARGE


def attention_bytes(spec: AttentionSpec) -> int:
    """Return the peak bytes of a run of this spec, including a trace and its colours.

    Shape letters: B batch, Q queries, K keys, D hidden, h heads.
    """
    B, Q, K, D = spec.batch_size, spec.num_queries, spec.num_kvpairs, spec.num_hiddens
    item = NUMBER_FORMATS[spec.dtype].bytes
    wide = max(item, 4)
    inputs = B * (Q * spec.size_of_queries + K * (spec.size_of_keys + spec.size_of_values))
    record, sizes = spec.mechanism_record, spec.sizes
    shapes = [(each.of, each.shape(sizes)) for each in record.parameters]
    matrices = sum(out_size * in_size for _, (out_size, in_size) in shapes)
    projected = sum({"queries": Q, "keys": K, "values": K}.get(of, 0) * out_size for of, (out_size, _) in shapes)
    tokens = B * projected + 3 * B * Q * max(D, spec.size_of_values)
    cells = B * spec.heads_run * Q * K
    held = [stage.cells for stage in STAGES.values() if stage.cells and stage.exists(spec)]
    # The tensors of the stages, one temporary of the softmax; then levels, the mask, the mask as shown.
    per_cell = sum(cells.copies * (wide if cells.widened else item) for cells in held) + wide + 3
    per_cell += sum(step.copies * wide for step in acting(spec) if step.stage is None)
    if item < 4:
        per_cell += 4 * len(held)  # the widened copies in the trace
    masks = mask_bytes(spec)
    # Inputs and matrices are drawn in float32, held in the module's dtype, and shown in float32 or float64; on the CPU
    # a product in half precision works on a widened copy of its own.
    drawn = 4 + item + (8 if item < 4 else 0)
    positions = 4 * inputs if spec.adds_positions else 0  # the inputs without them
    kept = item + (4 if item < 4 else 0)
    scratch = record.scratch(sizes, kept)
    # Queries and keys before each step that changes them, and its temporaries, in float32 at least.
    changes = sum(step.copies for step in acting(spec) if step.does == "vectors")
    scratch += changes * wide * B * (Q + K) * max(D, spec.size_of_queries)
    scratch += 2 * kept * B * K * D if spec.shares_keys else 0  # keys and values repeated for each head
    return (inputs + matrices) * drawn + positions + tokens * kept + cells * per_cell + masks + scratch


def mask_bytes(spec: AttentionSpec) -> int:
    """Return the peak bytes of combining a spec's masks: two of them, and the temporaries of the second."""
    masks = [mask for mask, _ in in_force(spec)]
    masks += [OWN] if spec.mods is not None and spec.mods.mask_mod else []
    items = spec.batch_size if any(mask.per_item for mask in masks) else 1
    heads = spec.heads_run if any(mask.per_head for mask in masks) else 1
    return items * heads * spec.num_queries * spec.num_kvpairs * (2 + max((mask.scratch for mask in masks), default=0))
