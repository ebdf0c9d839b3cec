"""A typed formula of x, such as ``2 sin(x) + x^0.8`` with its ``*`` written out.

Typed text is never executed. It is split into numbers, known names and operators; anything else is rejected with its
position. Python's own grammar then parses them, and the tree is evaluated here, node by node. All readers share this
tree: `evaluate` computes it, `latex` and `plain` write it for a person, and `attnviz.export.code.formula` writes it as
PyTorch. Parts without x are plain numbers; parts with x have the type of the caller's x (in the engine, a tensor).
"""

import ast
import keyword
import math
import operator
import re
from bisect import bisect_right
from collections.abc import Callable, Mapping
from functools import lru_cache
from itertools import accumulate, pairwise
from typing import Any, NamedTuple

from attnviz.definitions.text import CodedError, English, Text, nearest_word, quoted

MOST_CHARACTERS = 200
"""The most characters of a formula; this bounds its nesting and the number of operations on x."""

CONSTANTS = {"pi": math.pi, "e": math.e}

_OF_ONE = (
    *("sin", "cos", "tan", "asin", "acos", "atan", "sinh", "cosh", "tanh", "exp", "log", "ln", "log10", "sqrt"),
    *("abs", "sign", "floor", "ceil", "sinc", "step", "box"),
)
FUNCTIONS: dict[str, int] = {**dict.fromkeys(_OF_ONE, 1), "min": 2, "max": 2}
"""Every function's number of arguments.

``log`` is the natural logarithm, as in numpy and torch. ``sinc`` is sin(πu)/(πu), ``step`` is 0 below 0, else 1, and
``box`` is 1 where |u| < 1, else 0.
"""

Array = Any
"""A numpy array or a torch tensor. Operators, indexing and ``abs`` are the same for both."""

Functions = Mapping[str, Callable[..., Any]]
"""The implementation of each function; at least one argument contains x, the others may be numbers."""

INDEXING = ("at", "searchsorted", "booleans", "concatenate", "divide", "pad", "softmax", "sigmoid", "sparsemax")
"""Functions that records call beside those of formulas.

``at(values, *indices)`` indexes a nested tuple with broadcastable index arrays, ``searchsorted(values, x)`` counts the
sorted values that are at most x, ``booleans(data, shape, like)`` turns bytes (0 or 1) into booleans on the device of
``like``, ``concatenate(arrays, axis)`` joins arrays, ``pad(x, value)`` adds a column of a value; ``softmax``,
``sigmoid`` and ``sparsemax`` are of rows of scores.
"""

Numbers = Callable[..., float]
"""Computes a function or operator of plain numbers by name: ``numbers("sin", 1.0)``, ``numbers("**", 2.0, 3.0)``."""

SIGNS: dict[str, Callable[[Any, Any], Any]] = {
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
    "/": operator.truediv,
    "**": operator.pow,
}
"""The binary operators in Python's notation."""

_SIGNED: dict[type[ast.unaryop], Callable[[Any], Any]] = {ast.UAdd: operator.pos, ast.USub: operator.neg}
_JOINED: dict[type[ast.operator], str] = {ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.Div: "/", ast.Pow: "**"}
_NODES = (ast.Constant, ast.Name, ast.Load, ast.UnaryOp, *_SIGNED, ast.BinOp, *_JOINED, ast.Call)

_LARGEST = "1.7e308"
_IN_PYTHON = {"^": "**", "²": "**2", "³": "**3", "−": "-", "·": "*", "⋅": "*", "×": "*", "÷": "/", "π": "pi"}
_TOKEN = re.compile(
    r"0*(?P<number>(\d+\.?\d*|\.\d+)(e[+-]?\d+)?)"  # Python does not parse 007
    r"|(?P<name>[a-z_]\w*|π)"
    r"|(?P<sign>\*\*|[-+*/^²³−·⋅×÷(),])"
    r"|(?P<other>[^ \t])",
    re.ASCII | re.IGNORECASE,
)


class FormulaError(CodedError, ValueError):
    """A formula is invalid."""


class _Token(NamedTuple):
    kind: str
    word: str  # in Python's notation
    start: int
    end: int


def check(text: str) -> None:
    """Raise a FormulaError, and never another error, if the text is not a formula of x."""
    parse(text)


def numbers_of_signs(name: str, *values: float) -> float:
    """Compute an operator of plain numbers. Formulas of records call functions on x only, never on numbers.

    Raises:
        FormulaError: ``name`` is a function.
    """
    if name not in SIGNS:
        raise _error("constant", "formula: {name} of a number alone; nearest: the number itself", name=name)
    return float(SIGNS[name](*values))


def evaluate(
    text: str, x: Any, functions: Functions, *, variable: str = "x", numbers: Numbers = numbers_of_signs
) -> Any:
    """Return the formula at x, of any type that ``functions`` and Python's operators accept.

    A formula without x gives a float.

    Args:
        text: the formula.
        x: its variable's value.
        functions: the implementation of each function for values that contain x.
        variable: the name of the variable.
        numbers: computes the parts without x.

    Raises:
        FormulaError: the text is not a formula.
    """
    tree = parse(text, variable)
    try:
        return _value(tree, x, functions, numbers)
    except RecursionError:
        raise _nested() from None


def number_of(part: ast.expr, numbers: Numbers = numbers_of_signs) -> float | None:
    """Return the value of a subtree without x; None if it contains x."""
    names = {node.id for node in ast.walk(part) if isinstance(node, ast.Name)}
    if names - CONSTANTS.keys() - FUNCTIONS.keys():
        return None
    return float(_value(part, None, {}, numbers))


@lru_cache(maxsize=256)
def parse(text: str, variable: str = "x") -> ast.expr:
    """Return the tree of a formula, which callers must not change. Raises FormulaError.

    Nodes: Constant (int or float), Name (variable, pi, e), UnaryOp (+ -), BinOp (+ - * / **), and Call of a Name in
    ``FUNCTIONS`` with as many positional arguments as it has.
    """
    if len(text) > MOST_CHARACTERS:
        sentence = "formula holds {length} characters; nearest: {most}"
        raise _error("too_long", sentence, length=len(text), most=MOST_CHARACTERS)
    tokens = [_token(match) for match in _TOKEN.finditer(text)]
    if not tokens:
        raise _error("empty", "formula is empty; write one such as 2*sin(x)")
    for token in tokens:
        _check_token(token, text, variable)
    for left, right in pairwise([*tokens, _Token("end", "", len(text), len(text))]):
        _check_neighbours(left, right, text)
    return _tree(text, tokens)


def _error(code: str, sentence: English, **numbers: Any) -> FormulaError:
    return FormulaError(f"formula_{code}", sentence, **numbers)


def _nested() -> FormulaError:
    return _error("nested", "formula is nested too deep; nearest: fewer brackets and signs")


def _token(match: re.Match[str]) -> _Token:
    kind = match.lastgroup or "other"
    return _Token(kind, _IN_PYTHON.get(match[0], match[kind]), match.start(), match.end())


def _check_token(token: _Token, text: str, variable: str) -> None:
    kind, word = token.kind, token.word
    at: dict[str, Any] = {"said": quoted(text[token.start : token.end]), "place": token.start + 1}
    if kind == "other":
        sentence = "formula: {said} at character {place} is not arithmetic; there are + - * / ^ ( )"
        raise _error("character", sentence, **at)
    if kind == "number" and not math.isfinite(float(word)):
        raise _error("number", "formula: {said} is too large; nearest: {most}", **at, most=_LARGEST)
    if keyword.iskeyword(word):
        raise _error("word", "formula: {said} at character {place} is not arithmetic", **at)
    known = (variable, *CONSTANTS, *FUNCTIONS)
    if kind == "name" and word not in known:
        nearest = nearest_word(word.lower(), known) or Text("; there are {names}", {"names": ", ".join(known)})
        raise _error("name", "formula: there is no {said}{nearest}", **at, nearest=nearest)


def _check_neighbours(left: _Token, right: _Token, text: str) -> None:
    """Reject notation that is usual on paper but not in Python: 2x, sin x; and x²³, which is ambiguous."""
    one, other = text[left.start : left.end], text[right.start : right.end]
    numbers = {"said": quoted(text[left.start : right.end]), "left": one, "right": other}
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
    # Spaces keep separate what was typed separately: "/ /" must not become "//".
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
    """Return the error for a syntax error at the ``offset``-th character of Python's text; 0 is the end."""
    ends = list(accumulate(len(token.word) + 1 for token in tokens))
    stop = bisect_right(ends, offset - 1)
    if offset < 1 or stop == len(tokens):
        sentence = "formula stops at character {place}, where a number, x or a function must follow"
        return _error("unfinished", sentence, place=len(text))
    start, end = tokens[stop].start, tokens[stop].end
    sentence = "formula cannot be read at character {place}: {said}"
    return _error("syntax", sentence, place=start + 1, said=quoted(text[start:end]))


def _check_node(node: ast.AST, python: str) -> None:
    match node:
        case ast.Call(func=ast.Name(id=name), args=args) if len(args) != FUNCTIONS[name]:
            sentence = "formula: the number of arguments of {name} must be {count}, not {given}; nearest: {usage}"
            usage = _usage(name, "u", "v")
            raise _error("arguments", sentence, name=name, count=FUNCTIONS[name], given=len(args), usage=usage)
        case ast.Tuple(elts=[_, *_]):
            sentence = "formula: a comma may only separate two arguments; a decimal number is written 1.5"
            raise _error("comma", sentence)
        case _ if not isinstance(node, _NODES):
            span = slice(getattr(node, "col_offset", None), getattr(node, "end_col_offset", None))
            raise _error("construct", "formula: {said} is not arithmetic", said=quoted(python[span]))


def _value(node: ast.expr, x: Any, functions: Functions, numbers: Numbers) -> Any:
    """Return the value of a checked tree: of the type of ``x``, or a float if x does not occur."""
    match node:
        case ast.Constant(value=int() | float() as number):
            return float(number)  # never an int: 9**9**9**9 would not end
        case ast.Name(id=name):
            return CONSTANTS.get(name, x)
        case ast.UnaryOp(op=sign, operand=operand):
            return _SIGNED[type(sign)](_value(operand, x, functions, numbers))
        case ast.BinOp(left=left, op=sign, right=right):
            name, parts = _JOINED[type(sign)], (left, right)
        case ast.Call(func=ast.Name(id=name), args=parts):
            pass
        case _:
            raise TypeError(f"{type(node).__name__} is in no checked tree")
    values = [_value(part, x, functions, numbers) for part in parts]
    if all(isinstance(value, float) for value in values):
        return numbers(name, *values)
    return (SIGNS[name] if name in SIGNS else functions[name])(*values)


def latex(text: str, *, variable: str = "x", shown: str = "", upright: bool = True) -> str:
    """Return a formula as LaTeX.

    Args:
        text: the formula.
        variable: the name of its variable.
        shown: the LaTeX of the variable, if not its name.
        upright: whether a quotient is a stacked fraction.
    """
    return _Latex(shown or variable, upright=upright).of(parse(text, variable))


def plain(text: str, *, variable: str = "x") -> str:
    """Return a formula as a line of text in mathematical notation: "max(0, 1 − u²)"."""
    return _Plain(variable).of(parse(text, variable))


_SUM, _PRODUCT, _SIGN, _POWER, _ATOM = range(5)
_RANKS = {"+": _SUM, "-": _SUM, "*": _PRODUCT, "/": _PRODUCT, "**": _POWER}


class _Plain:
    """Writes a tree as text, with the brackets that it needs."""

    minus, times, over = "−", " × ", " / "
    spaced = " "
    call = "{name}({arguments})"
    calls: Mapping[str, str] = {"abs": "|{0}|", "box": "[|{0}| < 1]", "step": "[{0} ≥ 0]", "ln": "log({0})"}
    names: Mapping[str, str] = {"pi": "π"}

    def __init__(self, variable: str) -> None:
        self._variable = variable

    def of(self, node: ast.expr) -> str:
        """Return the text of a part."""
        match node:
            case ast.Constant(value=number):
                return f"{number:g}" if isinstance(number, float) else str(number)
            case ast.Name(id=name):
                return self.names.get(name, name) if name in CONSTANTS else self._variable
            case ast.UnaryOp(op=sign, operand=operand):
                return (self.minus if isinstance(sign, ast.USub) else "") + self._within(operand, _SIGN)
            case ast.BinOp(left=left, op=sign, right=right):
                return self._joined(left, _JOINED[type(sign)], right)
            case ast.Call(func=ast.Name(id=name), args=arguments):
                parts = [self.of(argument) for argument in arguments]
                pattern = self.calls.get(name, self.call)
                return pattern.format(*parts, name=name, arguments=", ".join(parts))
        raise TypeError(f"{type(node).__name__} is in no checked tree")

    def _joined(self, left: ast.expr, sign: str, right: ast.expr) -> str:
        rank = _RANKS[sign]
        match sign:
            case "**":
                return self.power(self._within(left, _ATOM), right)
            case "*":
                return self._within(left, rank) + self.times + self._within(right, rank)
            case "/":
                return self.quotient(left, right)
        minus = self.minus if sign == "-" else sign
        return f"{self._within(left, rank)}{self.spaced}{minus}{self.spaced}{self._within(right, rank + (sign == '-'))}"

    def power(self, base: str, exponent: ast.expr) -> str:
        """Return a power; a small integer exponent is written in superscript."""
        match exponent:
            case ast.Constant(value=2):
                return f"{base}²"
            case ast.Constant(value=3):
                return f"{base}³"
        return f"{base}^{self._within(exponent, _ATOM)}"

    def quotient(self, left: ast.expr, right: ast.expr) -> str:
        """Return a quotient on one line."""
        return self._within(left, _PRODUCT) + self.over + self._within(right, _SIGN)

    def _within(self, node: ast.expr, least: int) -> str:
        """Return a part, in brackets if it binds less than ``least``."""
        text = self.of(node)
        return text if self._rank(node) >= least else f"({text})"

    @staticmethod
    def _rank(node: ast.expr) -> int:
        match node:
            case ast.BinOp(op=sign):
                return _RANKS[_JOINED[type(sign)]]
            case ast.UnaryOp():
                return _SIGN
        return _ATOM


class _Latex(_Plain):
    """Writes a tree as LaTeX. Fractions are stacked, but on one line inside an exponent."""

    minus, times, over = "-", r"\,", "/"
    call = r"\{name}({arguments})"
    calls: Mapping[str, str] = {
        "abs": "|{0}|",
        "asin": r"\arcsin({0})",
        "acos": r"\arccos({0})",
        "atan": r"\arctan({0})",
        "exp": "e^{{{0}}}",
        "log": r"\ln({0})",
        "log10": r"\log_{{10}}({0})",
        "sqrt": r"\sqrt{{{0}}}",
        "sign": r"\mathrm{{sign}}({0})",
        "sinc": r"\mathrm{{sinc}}({0})",
        "floor": r"\lfloor {0} \rfloor",
        "ceil": r"\lceil {0} \rceil",
        "step": r"[\,{0} \geq 0\,]",
        "box": r"[\,|{0}| < 1\,]",
    }
    names: Mapping[str, str] = {"pi": r"\pi"}

    def __init__(self, variable: str, *, upright: bool = True) -> None:
        super().__init__(variable)
        self._upright = upright

    def of(self, node: ast.expr) -> str:
        """Return the LaTeX of a part; an exponent is written on one line."""
        match node:
            case ast.Call(func=ast.Name(id="exp"), args=[argument]) if self._upright:
                return _Latex(self._variable, upright=False).of(ast.Call(node.func, [argument], []))
        return super().of(node)

    def _joined(self, left: ast.expr, sign: str, right: ast.expr) -> str:
        written = super()._joined(left, sign, right)
        if sign != "*":
            return written
        first, second = self._within(left, _PRODUCT), self._within(right, _PRODUCT)
        return rf"{first} \cdot {second}" if second[:1].isdigit() else written

    def power(self, base: str, exponent: ast.expr) -> str:
        """Return a power with any exponent."""
        inner = _Latex(self._variable, upright=False).of(exponent)
        return f"{base}^{inner}" if len(inner) == 1 else f"{base}^{{{inner}}}"

    def quotient(self, left: ast.expr, right: ast.expr) -> str:
        """Return a fraction."""
        if self._upright:
            return rf"\frac{{{self.of(left)}}}{{{self.of(right)}}}"
        return super().quotient(left, right)
