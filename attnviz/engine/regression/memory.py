"""The memory of a fit."""

from attnviz.engine.memory import block_bytes
from attnviz.experiment.regression.spec import RegressionSpec


def regression_bytes(spec: RegressionSpec, num_queries: int, num_train: int) -> int:
    """Return the peak bytes of a fit, including all arrays derived from it for the screen."""
    heads = spec.num_heads if spec.trains else 1
    # Heights and weights of each head and their average; differences, contributions, two transients, the colours.
    per_cell = 8 * (2 * heads + (2 if heads > 1 else 0) + 5)
    return per_cell * num_queries * num_train + block_bytes(heads * num_train)
