"""How the window writes a number."""

import math


def figure(value: float, digits: str = ".4f") -> str:
    """Return a number with so many digits; one that is none is written NaN, an infinite one ∞."""
    if math.isnan(value):
        return "NaN"
    if math.isinf(value):
        return "∞" if value > 0 else "−∞"
    return f"{value:{digits}}"
