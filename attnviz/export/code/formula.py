"""A typed formula as torch code: its tree is transformed, and ``ast.unparse`` sets the brackets.

The code repeats the operations of `attnviz.attention.array_functions` one by one, so that its numbers are equal to the
last bit; parts without x are numbers on both sides.
"""

import ast
import math
from dataclasses import dataclass, field

from attnviz.definitions.functions.formula import CONSTANTS, parse
from attnviz.experiment.arrays import number_of
from attnviz.export.code.text import WIDTH, definition, expression

_TORCH = {"ln": "log"}
"""Functions with another name in torch; the others have the same name."""

_LARGEST_WHOLE = 2.0**53
"""Up to this bound integers are exact as floats, and Python's integer arithmetic equals that of floats."""

_HELPERS = {
    "sign": definition(
        "def sign(u)", "Return -1, 0 or 1, and NaN where u is NaN.", ["return torch.where(u.isnan(), u, torch.sign(u))"]
    ),
    "step": definition(
        "def step(u)",
        "Return 0 below 0, else 1, and NaN where u is NaN.",
        ["return torch.where(u.isnan(), u, (u >= 0).double())"],
    ),
    "box": definition(
        "def box(u)",
        "Return 1 where |u| < 1, else 0, and NaN where u is NaN.",
        ["return torch.where(u.isnan(), u, (u.abs() < 1).double())"],
    ),
}


def function_code(formula: str) -> list[str]:
    """Return the definition of f(x), after those of the functions that torch lacks."""
    body, helpers = expression_code(formula, "x")
    code = expression("return ", body, WIDTH - 4)
    return [*helpers, definition("def f(x)", "Return the function of the samples, without noise.", [code])]


def expression_code(formula: str, variable: str) -> tuple[str, list[str]]:
    """Return a formula as one expression of torch, and the definitions of the functions that it calls.

    Without the variable, the expression fills a tensor of its shape.
    """
    written = _Writer()
    tree = parse(formula, variable)
    code = written.of(tree)
    if number_of(tree) is not None:
        code = _called("torch.full_like", _name(variable), code)
    return ast.unparse(ast.fix_missing_locations(code)), [_HELPERS[name] for name in sorted(written.helpers)]


@dataclass
class _Writer:
    """Transforms the tree of a formula into one of torch code, and collects the helpers that it calls."""

    helpers: set[str] = field(default_factory=set)

    def of(self, node: ast.expr) -> ast.expr:
        """Return the code of a part of the tree."""
        number = number_of(node)
        if number is not None and not _is_as_python_has_it(node):
            return _literal(number)
        match node:
            case ast.Constant(value=int() | float() as value):
                return _literal(value)
            case ast.Name(id=name):
                return _name(f"torch.{name}" if name in CONSTANTS else name)
            case ast.UnaryOp(op=ast.UAdd(), operand=operand):
                return self.of(operand)
            case ast.UnaryOp(operand=ast.UnaryOp(op=ast.USub(), operand=inner)):
                return self.of(inner)
            case ast.UnaryOp(operand=operand):
                return ast.UnaryOp(ast.USub(), self.of(operand))
            case ast.BinOp(left=left, op=sign, right=right):
                return ast.BinOp(self.of(left), sign, self.of(right))
            case ast.Call(func=ast.Name(id=name), args=arguments):
                return self._call(name, arguments)
        raise TypeError(f"{type(node).__name__} is in no checked tree")

    def _call(self, name: str, arguments: list[ast.expr]) -> ast.expr:
        code = [self.of(argument) for argument in arguments]
        match name:
            case "min" | "max":
                return _extreme(name, code, [number_of(argument) for argument in arguments])
            case "step" if _is_always_a_number(arguments[0]):
                reached = ast.Compare(code[0], [ast.GtE()], [ast.Constant(0)])
                return ast.Call(ast.Attribute(reached, "double", ast.Load()), [], [])
            case "box" if _is_always_a_number(arguments[0]):
                near = ast.Compare(_called("torch.abs", code[0]), [ast.Lt()], [ast.Constant(1)])
                return ast.Call(ast.Attribute(near, "double", ast.Load()), [], [])
            case "sign" | "step" | "box" if not _is_always_a_number(arguments[0]):
                self.helpers.add(name)
                return _called(name, *code)
        return _called(f"torch.{_TORCH.get(name, name)}", *code)


def _extreme(name: str, code: list[ast.expr], numbers: list[float | None]) -> ast.expr:
    """Return the minimum or maximum; torch has different calls for two tensors and for a tensor and a number."""
    if numbers == [None, None]:
        return _called("torch.minimum" if name == "min" else "torch.maximum", *code)
    of_x, bound = code if numbers[0] is None else code[::-1]
    call = _called("torch.clamp", of_x)
    call.keywords.append(ast.keyword("max" if name == "min" else "min", bound))
    return call


def _is_as_python_has_it(node: ast.expr) -> bool:
    """Return whether Python evaluates a part without x like floats, without raising; then it is kept as typed."""
    number = number_of(node)
    if number is None or not abs(number) <= _LARGEST_WHOLE or (number == 0 and math.copysign(1.0, number) < 0):
        return False  # integers have no -0
    match node:
        case ast.Constant() | ast.Name():
            return True
        case ast.UnaryOp(operand=operand):
            return _is_as_python_has_it(operand)
        case ast.BinOp(left=left, op=ast.Add() | ast.Sub() | ast.Mult(), right=right):
            return _is_as_python_has_it(left) and _is_as_python_has_it(right)
        case ast.BinOp(left=left, op=ast.Div(), right=right):
            return _is_as_python_has_it(left) and _is_as_python_has_it(right)  # the divisor is finite
    return False


def _is_always_a_number(node: ast.expr) -> bool:
    """Return whether a part of a formula is certainly never NaN: x, or x plus or minus a number."""
    match node:
        case ast.Name():
            return True
        case ast.BinOp(left=ast.Name(), op=ast.Add() | ast.Sub(), right=right):
            return math.isfinite(number_of(right) or 0.0) and number_of(right) is not None
    return False


def _literal(number: float) -> ast.expr:
    """Return a number as code, with brackets around a negative one if needed."""
    if math.isnan(number):
        return _name("torch.nan")
    if math.isinf(number):
        code = _name("torch.inf")
    else:
        exact = isinstance(number, int) and number <= _LARGEST_WHOLE
        code = ast.Constant(abs(number) if exact else abs(float(number)))
    return ast.UnaryOp(ast.USub(), code) if math.copysign(1.0, number) < 0 else code


def _name(dotted: str) -> ast.expr:
    first, *rest = dotted.split(".")
    code: ast.expr = ast.Name(first, ast.Load())
    for each in rest:
        code = ast.Attribute(code, each, ast.Load())
    return code


def _called(name: str, *arguments: ast.expr) -> ast.Call:
    return ast.Call(_name(name), list(arguments), [])
