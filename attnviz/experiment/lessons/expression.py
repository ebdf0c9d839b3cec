"""The expressions of lessons, such as ``valid_lens == [3, 2]`` or ``max(roles["induction"]) > 0.8``.

They define when a task is done, which answer is right, and the numbers in texts. Their names are those of a spec, of
its view and of the arrays of its trace. Nothing is executed as code: Python's grammar parses the text, any construct
that is not listed here is rejected, and the tree is evaluated here, node by node.
"""

import ast
import math
import operator
import re
from collections.abc import Callable, Iterator, Mapping
from functools import lru_cache
from typing import Any

import numpy as np

from attnviz.definitions.text import (
    Refused,
    Text,
    has_chinese,
    nearest_word,
    number_said,
    percent_said,
    quoted,
    without_blank,
)

MOST_CHARACTERS = 400
"""The most characters of an expression; this bounds its nesting and the number of its operations."""
MOST_NUMBERS = 1 << 26
"""The most numbers that an operation may produce: products of a long row with itself would fill any memory."""

Values = Mapping[str, Any]
"""The values of names: numbers, texts, lists and records as in JSON, and arrays."""


def _over(function: Callable[..., Any]) -> Callable[..., Any]:
    """Return a function of all numbers of a value, or of those along an axis."""
    return lambda value, axis=None: function(np.asarray(value), axis=axis)


FUNCTIONS: Mapping[str, tuple[Callable[..., Any], int]] = {
    **{name: (_over(getattr(np, name)), 2) for name in ("sum", "mean", "max", "min", "all", "any", "argmax", "argmin")},
    **{name: (getattr(np, name), 1) for name in ("abs", "sqrt", "exp", "log", "log2", "isfinite")},
    "len": (len, 1),
    "sorted": (lambda value: np.sort(np.asarray(value)), 1),
    "shape": (lambda value: list(np.shape(value)), 1),
    "T": (lambda value: np.swapaxes(np.asarray(value), -1, -2), 1),
}
"""The functions, each with the most arguments that it takes; a second one is the axis, counted from 0."""


def _number(value: Any) -> Any:
    """Return a number or an array of numbers; a list or text times a number could take any memory."""
    if isinstance(value, str | Mapping):
        raise ExpressionError("{said} is not a number", said=quoted(value))
    if not isinstance(value, list):
        return value
    _check_size(_count(value))
    return np.asarray(value)


def _count(value: Any) -> int:
    return sum(map(_count, value)) if isinstance(value, list) else int(np.size(value))


def _check_size(count: int) -> None:
    if count > MOST_NUMBERS:
        values = {"count": count, "most": MOST_NUMBERS}
        raise ExpressionError("an operation would produce {count} numbers; the limit is {most}", **values)


def _combined(sign: ast.operator | ast.cmpop, left: Any, right: Any) -> Any:
    """Return the result of an operation or a comparison of two values."""
    if isinstance(left, np.ndarray) and isinstance(right, np.ndarray):
        if isinstance(sign, ast.MatMult):
            _check_size(math.prod((*left.shape[:-1], *right.shape[:-2], *right.shape[-1:])))
        else:
            _check_size(math.prod(np.broadcast_shapes(left.shape, right.shape)))
    return (_SIGNS[type(sign)] if isinstance(sign, ast.operator) else _COMPARISONS[type(sign)])(left, right)


def _equal(left: Any, right: Any) -> Any:
    """Return whether two values are equal; elementwise for an array."""
    if not isinstance(left, np.ndarray) and not isinstance(right, np.ndarray):
        return left == right
    return np.asarray(left) == np.asarray(right)


_SIGNS: dict[type[ast.operator], Callable[[Any, Any], Any]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
    ast.FloorDiv: operator.floordiv,
    ast.Mod: operator.mod,
    ast.MatMult: operator.matmul,
    ast.Pow: lambda base, exponent: np.power(np.float64(base), exponent),  # never of integers: 9**9**9 would not end
}
_COMPARISONS: dict[type[ast.cmpop], Callable[[Any, Any], Any]] = {
    ast.Eq: _equal,
    ast.NotEq: lambda left, right: np.logical_not(_equal(left, right)),
    ast.Lt: operator.lt,
    ast.LtE: operator.le,
    ast.Gt: operator.gt,
    ast.GtE: operator.ge,
    ast.In: lambda left, right: left in right,
    ast.NotIn: lambda left, right: left not in right,
}
_SIGNED: dict[type[ast.unaryop], Callable[[Any], Any]] = {ast.UAdd: operator.pos, ast.USub: operator.neg}
_NODES = (
    *(ast.Constant, ast.Name, ast.Load, ast.Attribute, ast.Subscript, ast.Slice, ast.Tuple, ast.List, ast.Call),
    *(ast.UnaryOp, ast.Not, *_SIGNED, ast.BinOp, *_SIGNS, ast.BoolOp, ast.And, ast.Or, ast.Compare, *_COMPARISONS),
)
_NO_VALUE = (ValueError, TypeError, IndexError, KeyError, ArithmeticError, RecursionError, AttributeError, MemoryError)
_FORMAT = re.compile(r",?(\.[0-9])?[fgde%]?")
_PERCENT = "%"


class ExpressionError(Refused):
    """An expression cannot be parsed, or has no value here."""


def evaluate(text: str, values: Values) -> Any:
    """Return the value of an expression: a number, a text, a list or an array.

    Raises:
        ExpressionError: the text is not an expression, or it has no value: an unknown name, an index out of range.
    """
    try:
        with np.errstate(all="ignore"):
            return _value(parse(text), values)
    except ExpressionError:
        raise
    except _NO_VALUE as error:
        raise ExpressionError("{said} has no value here: {why}", said=quoted(text), why=str(error)) from error


def holds(text: str, values: Values) -> bool:
    """Return whether a condition is true.

    Raises:
        ExpressionError: as `evaluate`; or its value is an array of several.
    """
    return _truth(evaluate(text, values), text)


UNKNOWN = "…"
"""The placeholder in a text for a number that is not known yet."""


def filled(template: str, values: Values | None) -> str:
    """Return a text with the value of each ``{expression:format}``; ``{{`` and ``}}`` are braces.

    Without values each is `UNKNOWN`.

    Raises:
        ExpressionError: an expression has no value, or more than one; or a brace is not closed.
    """
    parts = _parts(template)
    if values is None:
        return "".join(UNKNOWN if isinstance(part, tuple) else part for part in parts)
    shown = [_shown(*part, values) if isinstance(part, tuple) else part for part in parts]
    return "".join(map(without_blank, shown) if has_chinese(template) else shown)


def expressions_in(template: str) -> tuple[str, ...]:
    """Return the expressions of a text, without their formats; raises `ExpressionError` if a brace is not closed."""
    return tuple(part[0] for part in _parts(template) if isinstance(part, tuple))


def problems_in(template: str, values: Values | None) -> Iterator[Text]:
    """Yield the errors in the expressions of a text; without values only errors of grammar."""
    try:
        for part in _parts(template):
            if isinstance(part, tuple) and (problem := _problem_of(*part, values)):
                yield problem
    except ExpressionError as error:  # a brace that is not closed
        yield error.text


def names_in(text: str) -> frozenset[str]:
    """Return the names used by an expression, without those of functions it calls."""
    tree = parse(text)
    called = {id(node.func) for node in ast.walk(tree) if isinstance(node, ast.Call)}
    return frozenset(node.id for node in ast.walk(tree) if isinstance(node, ast.Name) and id(node) not in called)


@lru_cache(maxsize=512)
def parse(text: str) -> ast.expr:
    """Return the tree of an expression, which callers must not modify; raises `ExpressionError`."""
    if len(text) > MOST_CHARACTERS:
        values = {"said": quoted(text), "length": len(text), "most": MOST_CHARACTERS}
        raise ExpressionError("{said} has {length} characters; nearest: {most}", **values)
    try:
        tree = ast.parse(text.strip(), mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        raise ExpressionError("{said} is not an expression", said=quoted(text)) from error
    for node in ast.walk(tree):
        _check_node(node, text)
    return tree


def _check_node(node: ast.AST, text: str) -> None:
    match node:
        case ast.Call(func=ast.Name(id=name), args=arguments, keywords=[]):
            if name not in FUNCTIONS:
                raise ExpressionError(
                    "there is no function {said}{near}", said=name, near=nearest_word(name, FUNCTIONS)
                )
            if not 1 <= len(arguments) <= FUNCTIONS[name][1]:
                values = {"name": name, "most": FUNCTIONS[name][1], "given": len(arguments)}
                raise ExpressionError("{name} takes at most {most} arguments, not {given}", **values)
        case ast.Call() | ast.Constant(value=bytes() | complex()):
            raise ExpressionError("{said} is not an expression", said=quoted(text))
        case _ if not isinstance(node, _NODES):
            raise ExpressionError("{said} is not an expression", said=quoted(text))


def _value(node: ast.expr, values: Values) -> Any:
    match node:
        case ast.Constant(value=value):
            return value
        case ast.Name(id=name):
            return _named(name, values)
        case ast.Attribute(value=part, attr=name):
            return _named(name, _value(part, values))
        case ast.Subscript(value=part, slice=index):
            whole = _value(part, values)
            at = _index(index, values)
            return _named(at, whole) if isinstance(at, str) else whole[at]
        case ast.List(elts=parts) | ast.Tuple(elts=parts):
            return [_value(part, values) for part in parts]
        case ast.UnaryOp(op=ast.Not(), operand=part):
            return not _truth(_value(part, values), ast.unparse(part))
        case ast.UnaryOp(op=sign, operand=part):
            return _SIGNED[type(sign)](_value(part, values))
        case ast.BinOp(left=left, op=sign, right=right):
            return _combined(sign, *(_number(_value(part, values)) for part in (left, right)))
        case ast.BoolOp(op=joint, values=parts):
            every = all if isinstance(joint, ast.And) else any
            return every(_truth(_value(part, values), ast.unparse(part)) for part in parts)
        case ast.Compare(left=left, ops=signs, comparators=others):
            return _compared([_value(part, values) for part in (left, *others)], signs)
        case ast.Call(func=ast.Name(id=name), args=arguments):
            return FUNCTIONS[name][0](*(_value(part, values) for part in arguments))
    raise TypeError(f"{type(node).__name__} is in no checked tree")


def _index(node: ast.expr, values: Values) -> Any:
    match node:
        case ast.Slice(lower=low, upper=high, step=by):
            return slice(*(None if part is None else _value(part, values) for part in (low, high, by)))
        case ast.Tuple(elts=parts):
            return tuple(_index(part, values) for part in parts)
    return _value(node, values)


def _named(name: Any, values: Any) -> Any:
    if not isinstance(values, Mapping) or name not in values:
        near = (nearest_word(name, values) or nearest_word("weights", values)) if isinstance(values, Mapping) else ""
        raise ExpressionError("there is no {name} here{near}", name=quoted(name), near=near)
    return values[name]


def _compared(values: list[Any], signs: list[ast.cmpop]) -> Any:
    comparisons = [_combined(sign, *values[index : index + 2]) for index, sign in enumerate(signs)]
    return comparisons[0] if len(comparisons) == 1 else np.logical_and.reduce(comparisons)


def _truth(value: Any, text: str) -> bool:
    if np.ndim(value) and not (np.size(value) == 1 and isinstance(value, np.ndarray)):
        raise ExpressionError("{said} is true in some places and not in others; nearest: all(...)", said=quoted(text))
    return bool(value)


def _parts(template: str) -> Iterator[str | tuple[str, str]]:
    """Yield the plain texts of a template, and each expression with its format."""
    at = 0
    while at < len(template):
        sign = template[at]
        if sign not in "{}":
            end = min((index for index in (template.find("{", at), template.find("}", at)) if index >= 0), default=None)
            yield template[at:end]
            at = len(template) if end is None else end
        elif template[at : at + 2] in ("{{", "}}"):
            yield sign
            at += 2
        else:
            end = _closing(template, at) if sign == "{" else -1
            if end < 0:
                sentence = "a brace is left open in {said}; nearest: {{{{ for a brace"
                raise ExpressionError(sentence, said=quoted(template))
            yield _split_format(template[at + 1 : end])
            at = end + 1


def _closing(template: str, start: int) -> int:
    """Return the index of the brace that closes an expression, or -1; brackets and quotes are skipped."""
    quote = ""
    for at in range(start + 1, len(template)):
        sign = template[at]
        if quote:
            quote = "" if sign == quote else quote
        elif sign in "\"'":
            quote = sign
        elif sign == "}":
            return at
    return -1


def _split_format(text: str) -> tuple[str, str]:
    """Return an expression and its format, the part after the last colon outside brackets."""
    depth = 0
    for at in range(len(text) - 1, -1, -1):
        depth += (text[at] in ")]") - (text[at] in "([")
        if text[at] == ":" and not depth:
            return text[:at], text[at + 1 :].strip()
    return text, ""


def _problem_of(expression: str, form: str, values: Values | None) -> Text | None:
    try:
        if values is None:
            _check_form(form)
            parse(expression)
        else:
            _shown(expression, form, values)
    except ExpressionError as error:
        return error.text
    return None


def _check_form(form: str) -> None:
    if not _FORMAT.fullmatch(form):
        raise ExpressionError("{said} is not a number format; nearest: .2f", said=quoted(form))


def _shown(expression: str, form: str, values: Values) -> str:
    _check_form(form)
    value = evaluate(expression, values)
    if isinstance(value, str):
        return value
    if np.ndim(value):
        raise ExpressionError("{said} has several values; a text can show only one", said=quoted(expression))
    if value is None or isinstance(value, bool | np.bool_):
        raise ExpressionError("{said} is not a number", said=quoted(expression))
    number = float(value)
    if not math.isfinite(number) or not form:
        return number_said(number) if not isinstance(value, int | np.integer) else str(int(value))
    if form.endswith(_PERCENT):
        share = f"{100 * number:{form[:-1] or '.0'}f}"
        if 0 < number < 1 and float(share) in (0, 100):  # only 0 and 1 are 0 and 100 %
            return percent_said(number)
        return f"{share} %".replace("-", "−")
    return f"{int(number) if form.endswith('d') else number:{form}}".replace("-", "−")
