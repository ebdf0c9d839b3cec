"""In the process of the user's functions: a mask taken apart into its clauses, the operands of and / or.

``and_masks`` and ``or_masks`` hold theirs. A function that returns ``a & b | c``, or `torch.logical_and` of them, is
split by its source. Operands are kept only if they combine to the very mask that the function gives.
"""

import ast
import functools
import linecache
import math
import operator
import types
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from torch import Tensor

from attnviz.engine.attention.mods.evaluation import Sizes, masks
from attnviz.engine.attention.mods.loading import tree_of

MOST_CLAUSES = 64
"""The most clauses of a mask."""
_MOST_BYTES, _FEW_CLAUSES = 512 << 20, 4
"""The most bytes of all clauses, beyond a few of them; a mask whose clauses need more stays whole."""
_COMBINED: dict[str, Callable[[Tensor, Tensor], Tensor]] = {"and": operator.and_, "or": operator.or_}
_OF_TORCH = {"and_masks.<locals>.and_mask": "and", "or_masks.<locals>.or_mask": "or"}
_OF_OPERATORS: dict[type, str] = {ast.BitAnd: "and", ast.BitOr: "or"}
_OF_CALLS = {"logical_and": "and", "logical_or": "or", "bitwise_and": "and", "bitwise_or": "or"}
_LITERALS = (bool, int, float, str)


@dataclass
class Node:
    """A clause: a function, and its operands."""

    name: str
    function: Callable[..., Any]
    does: str = ""
    operands: list["Node"] = field(default_factory=list)
    line: int = 0
    mask: Tensor | None = None
    """None if it could not be evaluated; such a node is not kept."""

    def walk(self) -> "Iterator[Node]":
        """Yield the node and all below it, outer ones first."""
        yield self
        for operand in self.operands:
            yield from operand.walk()


@dataclass
class _Source:
    """A function's definition: its statements before the returned expression, and where its names come from."""

    function: types.FunctionType
    bound: functools.partial[Any]
    """Calls the function with what a method, an object or a `functools.partial` adds to the indices."""
    arguments: ast.arguments
    assigned: dict[str, ast.expr]
    statements: list[ast.stmt]
    returned: ast.expr

    def resolved(self, name: str) -> Any:
        """Return what a name means outside the function; None if that is not known."""
        code = self.function.__code__
        if name in code.co_freevars and self.function.__closure__:
            try:
                return self.function.__closure__[code.co_freevars.index(name)].cell_contents
            except ValueError:  # not bound yet
                return None
        return self.function.__globals__.get(name)


def taken_apart(
    function: Callable[..., Any], sizes: Sizes, name: str, names: Mapping[str, Any], path: str, line: int
) -> Node:
    """Return the evaluated mask of a function with its clauses.

    Args:
        function: the ``mask_mod``.
        sizes: those of the mask.
        name: what the spec calls it.
        names: the names of the user's module, for readable names of operands.
        path: the user's file.
        line: that of the function.

    Raises:
        Exception: whatever the function itself raises; its operands raise nothing.
    """
    root = Node(name, function, line=line)
    _split(root, names, path, [min(MOST_CLAUSES, max(_FEW_CLAUSES, _MOST_BYTES // math.prod(sizes)))])
    _, *below = root.walk()
    root.mask, found = masks(function, [node.function for node in below], sizes, name, line)
    for node, evaluated in zip(below, found, strict=True):
        node.mask = evaluated
    _keep_true(root)
    return root


def _split(node: Node, names: Mapping[str, Any], path: str, left: list[int]) -> None:
    """Give a node the operands that its function or source has, and these theirs, up to a number of them."""
    try:
        does, operands = _operands_of(node, names, path)
    except Exception:  # whatever a user's objects raise when they are looked at: the mask stays whole
        return
    if 2 <= len(operands) <= left[0]:
        node.does, node.operands = does, operands
        left[0] -= len(operands)
        _make_different(operands)
        for operand in operands:
            _split(operand, names, path, left)


def _keep_true(node: Node) -> None:
    """Remove operands that do not combine to the mask of their node."""
    parts = [operand.mask for operand in node.operands if operand.mask is not None]
    combined = functools.reduce(_COMBINED[node.does], parts) if parts else None
    is_true = combined is not None and node.mask is not None and bool((combined == node.mask).all())
    if len(parts) < len(node.operands) or not is_true:
        node.does, node.operands = "", []
    for operand in node.operands:
        _keep_true(operand)


def _operands_of(node: Node, names: Mapping[str, Any], path: str) -> tuple[str, list[Node]]:
    function = node.function
    if isinstance(function, _Expression):
        return _split_expression(function.source, function.expression, names, path)
    bound = _bound(function)
    if bound is not None and isinstance(bound.func, types.FunctionType):
        function = bound.func
        held = [cell.cell_contents for cell in function.__closure__ or ()]
        does = _OF_TORCH.get(function.__qualname__) or _combining(function)
        masks = next((each for each in held if _are_functions(each)), None)
        if does and masks is not None:
            return does, [_of_function(each, names, path) for each in masks]
        source = _source_of(function, bound)
        if source is not None:
            return _split_expression(source, source.returned, names, path)
    return "", []


def _bound(function: Any) -> functools.partial[Any] | None:
    """Return the plain function behind a callable, with the arguments that it adds; None if there is none."""
    if isinstance(function, types.FunctionType):
        return functools.partial(function)
    if isinstance(function, functools.partial) and (inner := _bound(function.func)) is not None:
        return functools.partial(inner, *function.args, **function.keywords)
    if isinstance(function, types.MethodType) and isinstance(function.__func__, types.FunctionType):
        return functools.partial(function.__func__, function.__self__)
    call = vars(type(function)).get("__call__")
    return functools.partial(call, function) if isinstance(call, types.FunctionType) else None


def _combining(function: types.FunctionType) -> str:
    """Return "and" or "or" for a user's own ``and_masks``: an inner function whose name, or factory's name, says so."""
    said = set(function.__qualname__.lower().replace(".<locals>.", "_").split("_"))
    found = {"and", "intersect", "intersection", "all"} & said, {"or", "union", "any"} & said
    return "" if all(found) or not any(found) else "and" if found[0] else "or"


def _are_functions(held: Any) -> bool:
    return isinstance(held, tuple | list) and len(held) > 1 and all(callable(each) for each in held)


def _of_function(function: Callable[..., Any], names: Mapping[str, Any], path: str) -> Node:
    code = getattr(function, "__code__", None)
    line = code.co_firstlineno if code is not None and code.co_filename == path else 0
    return Node(name_of(function, names), function, line=line)


def name_of(function: Any, names: Mapping[str, Any]) -> str:
    """Return a readable name of a function: that of the module, its own, or its factory's with captured literals."""
    for name, value in names.items():
        if value is function and not name.startswith("_"):
            return name
    if isinstance(function, functools.partial):
        given = [*map(repr, function.args), *(f"{name}={value!r}" for name, value in function.keywords.items())]
        short = ", ".join(each if len(each) <= 20 else "..." for each in given)
        return f"{name_of(function.func, names)}({short})"
    own = getattr(function, "__name__", None)
    if own is None:
        return type(function).__name__
    code = getattr(function, "__code__", None)
    if code is None or own != code.co_name or ".<locals>." not in function.__qualname__:
        return str(own)[:80]
    factory = function.__qualname__.split(".<locals>.")[-2]
    captured = zip(code.co_freevars, function.__closure__ or (), strict=False)
    literals = [(name, value) for name, cell in captured if isinstance(value := _held(cell), _LITERALS)]
    if len(literals) == 1:
        return f"{factory}({literals[0][1]!r})"[:80]
    return f"{factory}({', '.join(f'{name}={value!r}' for name, value in literals)})"[:80]


def _held(cell: types.CellType) -> Any:
    try:
        return cell.cell_contents
    except ValueError:
        return None


def _make_different(operands: list[Node]) -> None:
    """Append a number to each name that several operands have."""
    names = [operand.name for operand in operands]
    for at, operand in enumerate(operands):
        if names.count(operand.name) > 1:
            operand.name = f"{operand.name} #{names[: at + 1].count(names[at])}"


def _source_of(function: types.FunctionType, bound: functools.partial[Any]) -> _Source | None:
    """Return a function's definition if it consists of assignments to names and a returned expression."""
    code = function.__code__
    found = [each for each in _functions_in(code.co_filename) if _line(each) == code.co_firstlineno]
    found = [each for each in found if _name(each) == code.co_name and _parameters(each) == _parameters_of(code)]
    if len(found) != 1:
        return None
    definition = found[0]
    if isinstance(definition, ast.Lambda):
        return _Source(function, bound, definition.args, {}, [], definition.body)
    body = [each for each in definition.body if not _is_docstring(each)]
    *statements, last = body or [ast.Pass()]
    assigned: dict[str, ast.expr] = {}
    for statement in statements:
        value = statement.value if isinstance(statement, ast.Assign | ast.AnnAssign) else None
        targets = _targets(statement)
        if value is None or not targets or not assigned.keys().isdisjoint(targets):
            return None
        assigned |= dict.fromkeys(targets, value) if len(targets) == 1 else {name: ast.Name(name) for name in targets}
    if not isinstance(last, ast.Return) or last.value is None:
        return None
    return _Source(function, bound, definition.args, assigned, statements, last.value)


def _targets(statement: ast.stmt) -> list[str]:
    """Return the names that a statement assigns; none if it assigns anything else."""
    match statement:
        case ast.Assign(targets=[ast.Name(id=name)]) | ast.AnnAssign(target=ast.Name(id=name)):
            return [name]
        case ast.Assign(targets=[ast.Tuple(elts=parts)]):
            names = [part.id for part in parts if isinstance(part, ast.Name)]
            return names if len(names) == len(parts) else []
    return []


@functools.lru_cache(maxsize=16)
def _functions_of(text: str, path: str) -> tuple[ast.FunctionDef | ast.Lambda, ...]:
    return tuple(each for each in ast.walk(tree_of(text, path)) if isinstance(each, ast.FunctionDef | ast.Lambda))


def _functions_in(path: str) -> tuple[ast.FunctionDef | ast.Lambda, ...]:
    return _functions_of("".join(linecache.getlines(path)), path)


def _line(definition: ast.FunctionDef | ast.Lambda) -> int:
    decorators = [] if isinstance(definition, ast.Lambda) else definition.decorator_list
    return min([definition.lineno, *(each.lineno for each in decorators)])


def _name(definition: ast.FunctionDef | ast.Lambda) -> str:
    return "<lambda>" if isinstance(definition, ast.Lambda) else definition.name


def _parameters(definition: ast.FunctionDef | ast.Lambda) -> tuple[str, ...]:
    return tuple(each.arg for each in (*definition.args.posonlyargs, *definition.args.args))


def _parameters_of(code: types.CodeType) -> tuple[str, ...]:
    return code.co_varnames[: code.co_argcount]


def _is_docstring(statement: ast.stmt) -> bool:
    return isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)


def _split_expression(
    source: _Source, expression: ast.expr, names: Mapping[str, Any], path: str
) -> tuple[str, list[Node]]:
    """Return how an expression combines its operands, and them; ("", []) if it does not."""
    expression = _followed(source, expression)
    called = _called(source, expression)
    if called is not None:  # it only calls another mask
        node = _of_function(called, names, path)
        return _operands_of(node, names, path)
    does = _does(expression)
    return (does, [_of_expression(source, each, names, path) for each in _flat(expression, does)]) if does else ("", [])


def _of_expression(source: _Source, expression: ast.expr, names: Mapping[str, Any], path: str) -> Node:
    called = _called(source, _followed(source, expression))
    node = _of_function(called, names, path) if called is not None else Node("", _Expression(source, expression))
    if isinstance(expression, ast.Name):
        node.name = expression.id
    elif called is None:
        node.name = ast.unparse(expression)[:80]
    in_file = source.function.__code__.co_filename == path
    node.line = _followed(source, expression).lineno if in_file else node.line
    return node


class _Expression:
    """A part of a function's returned expression, as a function of the same arguments."""

    def __init__(self, source: _Source, expression: ast.expr) -> None:
        self.source = source
        self.expression = expression
        self.function = functools.partial(_compiled(source, expression), *source.bound.args, **source.bound.keywords)

    def __call__(self, *indices: Tensor) -> Any:
        return self.function(*indices)


def _followed(source: _Source, expression: ast.expr) -> ast.expr:
    """Return the expression assigned to a name; others as they are."""
    seen: set[str] = set()
    while isinstance(expression, ast.Name) and expression.id in source.assigned and expression.id not in seen:
        seen.add(expression.id)
        expression = source.assigned[expression.id]
    return expression


def _does(expression: ast.expr) -> str:
    match expression:
        case ast.BinOp(op=op):
            return _OF_OPERATORS.get(type(op), "")
        case ast.Call(func=ast.Attribute(value=ast.Name(id="torch"), attr=name), args=[_, _], keywords=[]):
            return _OF_CALLS.get(name, "")
    return ""


def _flat(expression: ast.expr, does: str) -> list[ast.expr]:
    """Return the operands of nested expressions that combine in the same way."""
    if _does(expression) != does:
        return [expression]
    pair = [expression.left, expression.right] if isinstance(expression, ast.BinOp) else expression.args  # type: ignore[attr-defined]
    return [each for operand in pair for each in _flat(operand, does)]


def _called(source: _Source, expression: ast.expr) -> Callable[..., Any] | None:
    """Return the function that an expression calls with the indices as they are; None if it does anything else."""
    match expression:
        case ast.Call(func=ast.Name(id=name), args=args, keywords=[]):
            given = [each.id if isinstance(each, ast.Name) else "" for each in args]
            own = [each.arg for each in (*source.arguments.posonlyargs, *source.arguments.args)]
            own = own[len(source.bound.args) :]
            function = source.resolved(name) if name not in source.assigned else None
            if given == own[: len(given)] and len(given) == 4 and callable(function):
                return function  # type: ignore[no-any-return]
    return None


def _compiled(source: _Source, expression: ast.expr) -> Callable[..., Any]:
    """Return a function with the same arguments, names and captured values that returns a part of the expression."""
    inner = ast.FunctionDef("part", source.arguments, [*source.statements, ast.Return(expression)], [], None)
    free = source.function.__code__.co_freevars
    parameters = ast.arguments([], [ast.arg(name) for name in free], None, [], [], None, [])
    outer = ast.FunctionDef("holder", parameters, [inner, ast.Return(ast.Name("part", ast.Load()))], [], None)
    for each in (inner, outer):
        each.type_params = []  # type: ignore[attr-defined]  # from Python 3.12 on
    tree = ast.fix_missing_locations(ast.Module([outer], []))
    scope: dict[str, Any] = {}
    code = compile(tree, source.function.__code__.co_filename, "exec", dont_inherit=True)
    exec(code, source.function.__globals__ | {}, scope)  # noqa: S102 - a part of what the user has consented to
    holder: types.FunctionType = scope["holder"]
    part = holder(*(cell.cell_contents for cell in source.function.__closure__ or ()))
    defaults = source.function.__defaults__
    made: types.FunctionType = part
    made.__defaults__, made.__kwdefaults__ = defaults, source.function.__kwdefaults__
    return made
