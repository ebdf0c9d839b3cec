"""The bounds for differences between two runs of a model by rounding alone."""

from collections.abc import Mapping

ROUNDING_BOUNDS: Mapping[str, float] = {"float64": 1e-4, "float32": 1e-4, "float16": 2e-2, "bfloat16": 1e-1}
"""The largest difference that counts as rounding, relative to the largest compared value, by the dtype of the run.

Between "eager" and "sdpa" the outputs of 46 small families differ by at most 1e-6 in float32, 2e-3 in float16 and 2e-2
in bfloat16. They differ by more if rounding affects a choice, such as of the experts for a token: then the runs do
differ."""


def is_beyond_rounding(difference: float, largest: float, *dtypes: str) -> bool:
    """Return whether a difference of values up to ``largest`` exceeds rounding in the widest bound of dtypes.

    NaN, an unknown difference, does not. Narrower dtypes have the bound of bfloat16.
    """
    bound = max(ROUNDING_BOUNDS.get(dtype, ROUNDING_BOUNDS["bfloat16"]) for dtype in dtypes)
    return difference > bound * largest
