"""A formula of x that a person types, such as ``2 sin(x) + x^0.8`` with its ``*`` written out.

Nothing typed is ever run. The text is cut into numbers, known names and signs, and anything else is refused with its
place; Python's own grammar then says how they belong together; and the tree is worked out here, node by node. Parts
without x are plain numbers; what is made of x belongs to whoever evaluates (the engine's x is a tensor).
"""

import ast
import keyword
import math
import operator
import re
from bisect import bisect_right
from collections.abc import Callable, Mapping, Sequence
from itertools import accumulate, pairwise
from typing import Any, NamedTuple

import numpy as np

from attnviz.experiment.problems import nearest_word, said

MOST_CHARACTERS = 200
"""How long a formula may be; it bounds how deep it nests and how often x is gone over."""

CONSTANTS = {"pi": math.pi, "e": math.e}

Functions = Mapping[str, Callable[..., Any]]
"""What each function of a formula computes; at least one of its arguments is made of x, the others may be numbers."""

_OF_NUMBERS: dict[str, Callable[..., Any]] = {
    "sin": np.sin,
    "cos": np.cos,
    "tan": np.tan,
    "asin": np.arcsin,
    "acos": np.arccos,
    "atan": np.arctan,
    "sinh": np.sinh,
    "cosh": np.cosh,
    "tanh": np.tanh,
    "exp": np.exp,
    "log": np.log,  # the natural one, as numpy and torch have it
    "ln": np.log,
    "log10": np.log10,
    "sqrt": np.sqrt,
    "abs": np.abs,
    "sign": np.sign,
    "floor": np.floor,
    "ceil": np.ceil,
    "sinc": np.sinc,  # sin(πu)/(πu)
    "step": lambda u: np.heaviside(u, 1.0),  # 0 below 0, 1 from there on
    "min": np.minimum,
    "max": np.maximum,
}
"""The functions of a plain number, which does not raise where it is not defined, as Python's own would."""

FUNCTIONS: dict[str, int] = dict.fromkeys(_OF_NUMBERS, 1) | {"min": 2, "max": 2}
"""Every function's number of arguments."""

_NAMES = ("x", *CONSTANTS, *FUNCTIONS)
_SIGNED: dict[type[ast.unaryop], Callable[[Any], Any]] = {ast.UAdd: operator.pos, ast.USub: operator.neg}
_JOINED: dict[type[ast.operator], Callable[[Any, Any], Any]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
    ast.Pow: operator.pow,
}
_NODES = (ast.Constant, ast.Name, ast.Load, ast.UnaryOp, *_SIGNED, ast.BinOp, *_JOINED, ast.Call)

_LARGEST = "1.7e308"
_IN_PYTHON = {"^": "**", "²": "**2", "³": "**3", "−": "-", "·": "*", "⋅": "*", "×": "*", "÷": "/", "π": "pi"}
_TOKEN = re.compile(
    r"0*(?P<number>(\d+\.?\d*|\.\d+)(e[+-]?\d+)?)"  # Python does not read 007
    r"|(?P<name>[a-z_]\w*|π)"
    r"|(?P<sign>\*\*|[-+*/^²³−·⋅×÷(),])"
    r"|(?P<other>[^ \t])",
    re.ASCII | re.IGNORECASE,
)


class FormulaError(ValueError):
    """What is wrong with a formula: as text a sentence for the user.

    ``code`` and ``numbers`` stay the same in every language; ``sentence`` names its numbers in braces.
    """

    def __init__(self, code: str, sentence: str, numbers: Mapping[str, Any]) -> None:
        super().__init__(code, sentence, numbers)
        self.code = code
        self.sentence = sentence
        self.numbers = dict(numbers)

    def __str__(self) -> str:
        return self.sentence.format(**self.numbers)


class _Token(NamedTuple):
    kind: str
    word: str  # as Python writes it
    start: int
    end: int


def check(text: str) -> None:
    """Raise a FormulaError, and never another error, when the text is no formula of x."""
    parse(text)


def evaluate_formula(text: str, x: Any, functions: Functions) -> Any:
    """Return the formula at x, which may be whatever ``functions`` and Python's signs work on; raises FormulaError.

    Where x does not occur that is a float: nan where it is not defined, inf where it is beyond a float.
    """
    tree = parse(text)
    try:
        return _value(tree, x, functions)
    except RecursionError:
        raise _nested() from None


def number_of(part: ast.expr) -> float | None:
    """Return the value of a part of a tree in which x does not occur, and None for one in which it does."""
    if any(isinstance(node, ast.Name) and node.id == "x" for node in ast.walk(part)):
        return None
    return float(_value(part, None, {}))


def parse(text: str) -> ast.expr:
    """Return the tree of a formula, made of these alone; raises FormulaError.

    Constant (int or float), Name (x, pi, e), UnaryOp (+ -), BinOp (+ - * / **), and Call of a Name in ``FUNCTIONS``
    with as many positional arguments as it has.
    """
    if len(text) > MOST_CHARACTERS:
        sentence = "formula holds {length} characters; nearest: {most}"
        raise _error("too_long", sentence, length=len(text), most=MOST_CHARACTERS)
    tokens = [_token(found) for found in _TOKEN.finditer(text)]
    if not tokens:
        raise _error("empty", "formula is empty; write one such as 2*sin(x)")
    for token in tokens:
        _check_token(token, text)
    for left, right in pairwise([*tokens, _Token("end", "", len(text), len(text))]):
        _check_neighbours(left, right, text)
    return _tree(text, tokens)


def _error(code: str, sentence: str, **numbers: Any) -> FormulaError:
    return FormulaError(f"formula_{code}", sentence, numbers)


def _nested() -> FormulaError:
    return _error("nested", "formula is nested too deep; nearest: fewer brackets and signs")


def _token(found: re.Match[str]) -> _Token:
    kind = found.lastgroup or "other"
    return _Token(kind, _IN_PYTHON.get(found[0], found[kind]), found.start(), found.end())


def _check_token(token: _Token, text: str) -> None:
    kind, word = token.kind, token.word
    at: dict[str, Any] = {"said": said(text[token.start : token.end]), "place": token.start + 1}
    if kind == "other":
        sentence = "formula: {said} at character {place} is not arithmetic; there are + - * / ^ ( )"
        raise _error("character", sentence, **at)
    if kind == "number" and not math.isfinite(float(word)):
        raise _error("number", "formula: {said} is too large; nearest: {most}", **at, most=_LARGEST)
    if keyword.iskeyword(word):
        raise _error("word", "formula: {said} at character {place} is not arithmetic", **at)
    if kind == "name" and word not in _NAMES:
        nearest = nearest_word(word.lower(), _NAMES) or f"; there are {', '.join(_NAMES)}"
        raise _error("name", "formula: there is no {said}{nearest}", **at, nearest=nearest)


def _check_neighbours(left: _Token, right: _Token, text: str) -> None:
    """Refuse what a person writes on paper and Python does not read: 2x, sin x; and x²³, which reads two ways."""
    one, other = text[left.start : left.end], text[right.start : right.end]
    numbers = {"said": said(text[left.start : right.end]), "left": one, "right": other}
    if one in FUNCTIONS:
        if other != "(":
            usage = _usage(one, "x", "1")
            raise _error("call", "formula {said}: write {usage}, with brackets", **numbers, usage=usage)
    elif _ends_value(left, one) and (right.kind in ("number", "name") or other == "("):
        raise _error("product", "formula {said}: write {left}*{right} for a product", **numbers)
    elif one in ("²", "³") and right.word.startswith("**"):
        raise _error("power", "formula {said}: write a power of a power with brackets, such as (x²)³", **numbers)


def _ends_value(token: _Token, typed: str) -> bool:
    return token.kind in ("number", "name") or typed in (")", "²", "³")


def _usage(name: str, *arguments: str) -> str:
    return f"{name}({', '.join(arguments[: FUNCTIONS[name]])})"


def _tree(text: str, tokens: list[_Token]) -> ast.expr:
    # Spaces keep apart what was typed apart: "/ /" must not become "//".
    python = " ".join(token.word for token in tokens)
    try:
        tree = ast.parse(python, mode="eval").body
    except SyntaxError as error:
        raise _unreadable(text, tokens, error.offset or 0) from None
    except (RecursionError, MemoryError):
        raise _nested() from None
    for node in ast.walk(tree):
        _check_node(node, python)
    return tree


def _unreadable(text: str, tokens: list[_Token], offset: int) -> FormulaError:
    """Return what to say when Python stopped reading at the ``offset``-th character of its text; 0 is the end."""
    ends = list(accumulate(len(token.word) + 1 for token in tokens))
    stop = bisect_right(ends, offset - 1)
    if offset < 1 or stop == len(tokens):
        sentence = "formula stops at character {place}, where a number, x or a function must follow"
        return _error("unfinished", sentence, place=len(text))
    start, end = tokens[stop].start, tokens[stop].end
    sentence = "formula cannot be read at character {place}: {said}"
    return _error("syntax", sentence, place=start + 1, said=said(text[start:end]))


def _check_node(node: ast.AST, python: str) -> None:
    match node:
        case ast.Call(func=ast.Name(id=name), args=args) if len(args) != FUNCTIONS[name]:
            sentence = "formula: the number of arguments of {name} must be {count}, not {given}; nearest: {usage}"
            usage = _usage(name, "u", "v")
            raise _error("arguments", sentence, name=name, count=FUNCTIONS[name], given=len(args), usage=usage)
        case ast.Tuple(elts=[_, *_]):
            sentence = "formula: a comma stands between two arguments only; a decimal number is written 1.5"
            raise _error("comma", sentence)
        case _ if not isinstance(node, _NODES):
            place = slice(getattr(node, "col_offset", None), getattr(node, "end_col_offset", None))
            raise _error("construct", "formula: {said} is not arithmetic", said=said(python[place]))


def _value(node: ast.expr, x: Any, functions: Functions) -> Any:
    """Return the value of a checked tree: made of ``x``, or a float where x does not occur."""
    match node:
        case ast.Constant(value=int() | float() as number):
            return float(number)  # never an int: 9**9**9**9 would not end
        case ast.Name(id=name):
            return x if name == "x" else CONSTANTS[name]
        case ast.UnaryOp(op=sign, operand=operand):
            return _SIGNED[type(sign)](_value(operand, x, functions))
        case ast.BinOp(left=left, op=sign, right=right):
            return _worked_out(_JOINED[type(sign)], _value(left, x, functions), _value(right, x, functions))
        case ast.Call(func=ast.Name(id=name), args=args):
            values = [_value(argument, x, functions) for argument in args]
            of_x = functions[name] if not _are_numbers(values) else _OF_NUMBERS[name]
            return _worked_out(of_x, *values)
    raise TypeError(f"{type(node).__name__} is in no checked tree")


def _worked_out(function: Callable[..., Any], *values: Any) -> Any:
    if not _are_numbers(values):
        return function(*values)
    with np.errstate(all="ignore"):
        return float(function(*map(np.float64, values)))  # Python's floats raise where these are inf or nan


def _are_numbers(values: Sequence[Any]) -> bool:
    return all(isinstance(value, float) for value in values)
