"""How large a formula can become, as far as can be seen without working it out."""

import ast
import math

from attnviz.experiment.regression.formula import number_of, parse

_AT_MOST = dict.fromkeys(("sin", "cos", "tanh", "sign", "step", "sinc", "asin", "acos", "atan"), 4.0)
"""Functions that never lead further from 0 than this."""


def greatest(formula: str, farthest: float) -> float:
    """Return a size that the formula nowhere exceeds where x is at most so far from 0; inf where none is known."""
    try:
        return _most(parse(formula), farthest)
    except OverflowError:
        return math.inf


def _most(node: ast.expr, x: float) -> float:
    number = number_of(node)
    if number is not None:
        return math.inf if math.isnan(number) else abs(number)
    match node:
        case ast.Name():
            return x
        case ast.UnaryOp(operand=operand):
            return _most(operand, x)
        case ast.BinOp(left=left, op=ast.Add() | ast.Sub(), right=right):
            return _most(left, x) + _most(right, x)
        case ast.BinOp(left=left, op=ast.Mult(), right=right):
            return _product(_most(left, x), _most(right, x))
        case ast.BinOp(left=left, op=ast.Div(), right=right):
            return _product(_most(left, x), _over(number_of(right)))
        case ast.BinOp(left=left, op=ast.Pow(), right=right):
            return _power(left, right, x)
        case ast.Call(func=ast.Name(id=name), args=arguments):
            return _call(name, max(_most(each, x) for each in arguments))
    return math.inf


def _over(number: float | None) -> float:
    return 1 / abs(number) if number else math.inf


def _product(left: float, right: float) -> float:
    return math.inf if math.isinf(left) or math.isinf(right) else left * right


def _power(base: ast.expr, exponent: ast.expr, x: float) -> float:
    power, of = number_of(exponent), number_of(base)
    if power is not None:
        return math.inf if not power >= 0 else float(max(_most(base, x), 1.0) ** power)
    if of is not None and of > 0:
        return float(max(of, 1 / of) ** _most(exponent, x))
    return math.inf  # 0 to a power below 0


def _call(name: str, most: float) -> float:
    match name:
        case "abs" | "min" | "max":
            return most
        case "floor" | "ceil" | "sqrt":
            return most + 1
        case "exp" | "sinh" | "cosh":
            return math.exp(most)
    return _AT_MOST.get(name, math.inf)
