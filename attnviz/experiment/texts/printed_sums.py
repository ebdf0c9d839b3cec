"""Checks that the printed sums in a text add up: "0.27 × 1 + 0.45 × 3 = 1.62"."""

import ast
import operator
import re
from collections.abc import Callable, Iterator

_NUMBER = r"[−-]?\d+(?:\.\d+)?(?:e[−-]?\d+)?"
_SUM = re.compile(
    rf"(?<![\w.%])((?:[(√−-] ?)*{_NUMBER}[\d.,e()√+×·/÷ −-]*?) ?= ?({_NUMBER})(?![\d.]*\w)(?! ?[×·/÷+−%])"
)
"""Matches a calculation and its printed result, unless that continues in another calculation."""
_OPERATIONS: dict[type[ast.operator], Callable[[float, float], float]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
}


def wrong_sums(text: str) -> Iterator[tuple[str, float]]:
    """Yield each printed sum of a text that is wrong, to the digits printed, with the correct result."""
    for match in _SUM.finditer(text):
        calculation, result = match.groups()
        value = _value(calculation)
        decimals = len(result.partition(".")[2])
        if value is not None and abs(value - float(result.replace("−", "-"))) > 0.5 * 10.0**-decimals + 1e-9:
            yield match.group(0), value


def adding_up(written: Callable[[int], str], least: int = 3, most: int = 9) -> int:
    """Return the fewest digits with which a calculation, as ``written`` writes it, adds up as printed, or the most."""
    return next((digits for digits in range(least, most) if not [*wrong_sums(written(digits))]), most)


def _value(calculation: str) -> float | None:
    """Return the value of a calculation with at least one operation; None for any other text."""
    source = re.sub(r"√ ?(\d+(?:\.\d+)?)", r"(\1 ** 0.5)", calculation)
    for sign, python in (("−", "-"), ("×", "*"), ("·", "*"), ("÷", "/")):
        source = source.replace(sign, python)
    try:
        tree = ast.parse(source.strip(), mode="eval").body
        return _evaluated(tree) if isinstance(tree, ast.BinOp) else None
    except (SyntaxError, ZeroDivisionError, _NoCalculationError):
        return None


class _NoCalculationError(Exception):
    """A text has symbols of a calculation, but is not one."""


def _evaluated(node: ast.expr) -> float:
    match node:
        case ast.Constant(value=int() | float() as number):
            return float(number)
        case ast.UnaryOp(op=ast.USub(), operand=part):
            return -_evaluated(part)
        case ast.BinOp(left=left, op=ast.Pow(), right=ast.Constant(value=0.5)):
            return float(_evaluated(left) ** 0.5)
        case ast.BinOp(left=left, op=sign, right=right) if type(sign) in _OPERATIONS:
            return _OPERATIONS[type(sign)](_evaluated(left), _evaluated(right))
    raise _NoCalculationError
