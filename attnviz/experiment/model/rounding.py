"""How far two runs of a model may differ because of rounding alone."""

from collections.abc import Mapping

ROUNDING_BOUNDS: Mapping[str, float] = {"float64": 1e-4, "float32": 1e-4, "float16": 2e-2, "bfloat16": 1e-1}
"""The largest difference that counts as rounding, relative to the largest compared value, by the dtype of the run.

In float32 a different order of summation changes outputs by about 1e-6. Half precision keeps 11 or 8 significant bits,
so the bounds are some 20 units in the last place of the largest value.
"""


def is_beyond_rounding(difference: float, largest: float, *dtypes: str) -> bool:
    """Return whether a difference of values up to ``largest`` is more than rounding in the widest bound of dtypes.

    NaN, which stands for a difference that is not known, is not. Narrower dtypes have the bound of bfloat16.
    """
    bound = max(ROUNDING_BOUNDS.get(dtype, ROUNDING_BOUNDS["bfloat16"]) for dtype in dtypes)
    return difference > bound * largest
