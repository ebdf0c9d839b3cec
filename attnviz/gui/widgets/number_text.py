"""How the window writes a number."""

import math

_HUGE = 1e7


def number_text(value: float, digits: str = ".4f") -> str:
    """Return a number with so many digits; one that is none is written NaN, an infinite one ∞."""
    if math.isnan(value):
        return "NaN"
    if math.isinf(value):
        return "∞" if value > 0 else "−∞"
    # A hundred digits before the point would say no more than five, and fit nowhere.
    return f"{value:.5g}" if abs(value) >= _HUGE else f"{value:{digits}}"
