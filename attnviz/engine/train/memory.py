"""The memory of a training."""

from attnviz.experiment.train.spec import TrainSpec

CHECKPOINT_BYTES = 128 << 20
"""The memory for the checkpoints of one training, in bytes."""


def train_bytes(spec: TrainSpec) -> int:
    """Return the peak bytes of a training, a trace and its colours included.

    Shape letters: B batch, T tokens, D hidden, h heads, V vocabulary.
    """
    B, T, D, V = spec.batch_size, spec.num_tokens, spec.num_hiddens, spec.vocab_size
    wider = 8 if spec.feed_forward else 0
    parameters = 2 * V * D + T * D + spec.num_layers * (4 + wider) * D * D
    # Kept for the backward pass in each layer: the stream and its derived tensors, scores and weights with their masks.
    of_layer = B * T * D * (20 + 2 * wider) + 5 * B * spec.num_heads * T * T
    sequences = spec.num_layers * of_layer + 4 * B * T * V
    # Two models with gradients and Adam's moments; a state while it is copied, and the trace's parameters.
    item = 4 if spec.dtype == "float32" else 8
    return item * (12 * parameters + sequences) + CHECKPOINT_BYTES
