import ast
import copy
import math
import pickle
import time
import tracemalloc
import warnings
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from numpy.typing import NDArray

from attnviz.definitions.functions.formula import CONSTANTS, FUNCTIONS, MOST_CHARACTERS, FormulaError, check, parse
from attnviz.experiment.arrays import number_of
from attnviz.experiment.regression.data import evaluate_formula

Floats = NDArray[np.float64]
Written = tuple[str, Any, int]
"""A formula, its value, and how tightly its outermost sign binds."""

X = np.array([-2.5, -1.0, -0.0, 0.0, 0.3, 1.0, 2.0, 7.25])
SUM, PRODUCT, SIGN, POWER, ATOM = range(5)
BLANK = st.sampled_from(["", "", " ", "\t", "  "])

SAME = (
    *("sin", "cos", "tan", "sinh", "cosh", "tanh", "sinc", "exp", "log", "log10"),
    *("sqrt", "abs", "sign", "floor", "ceil"),
)
NUMPY: dict[str, Callable[..., Any]] = {
    **{name: getattr(np, name) for name in SAME},
    "asin": np.arcsin,
    "acos": np.arccos,
    "atan": np.arctan,
    "ln": np.log,
    "min": np.minimum,
    "max": np.maximum,
    "step": lambda u: np.where(np.isnan(u), np.nan, np.where(u < 0, 0.0, 1.0)),
    "box": lambda u: np.where(np.isnan(u), u, np.abs(u) < 1),
}


def worked_out(text: str, x: Floats) -> Floats:
    """Return a formula at numpy's x; the engine does it with torch."""
    with np.errstate(all="ignore"):
        return np.array(np.broadcast_to(evaluate_formula(text, x, NUMPY), x.shape), dtype=np.float64)


def at(text: str, *points: float) -> list[float]:
    return [float(y) for y in worked_out(text, np.array(points))]


def refusal(text: str) -> FormulaError:
    with pytest.raises(FormulaError) as caught:
        check(text)
    with pytest.raises(FormulaError) as again:
        evaluate_formula(text, X, NUMPY)
    assert str(again.value) == str(caught.value)
    return caught.value


def atoms() -> st.SearchStrategy[Written]:
    numbers = st.sampled_from(["0", "1", "2", "3.5", ".25", "4.", "1e-3", "2E2", "007", "0.5"])
    return st.one_of(
        st.just(("x", X, ATOM)),
        numbers.map(lambda number: (number, np.float64(number), ATOM)),
        st.sampled_from([("pi", np.float64(math.pi), ATOM), ("e", np.float64(math.e), ATOM)]),
    )


@st.composite
def compound(draw: st.DrawFn, parts: st.SearchStrategy[Written]) -> Written:
    """A sign or function over parts, with brackets only where mathematics needs them."""

    def part(level: int) -> tuple[str, Any]:
        text, value, own = draw(parts)
        return (text if own >= level else f"({text})"), value

    def sign(*spellings: str) -> str:
        return draw(BLANK) + draw(st.sampled_from(spellings)) + draw(BLANK)

    kind = draw(st.sampled_from(["+", "-", "*", "/", "^", "negative", "call"]))
    if kind == "call":
        name = draw(st.sampled_from(sorted(NUMPY)))
        texts, values = zip(*(part(SUM) for _ in range(FUNCTIONS[name])), strict=True)
        return f"{name}{draw(BLANK)}({','.join(texts)})", NUMPY[name](*values), ATOM
    if kind == "negative":
        text, value = part(SIGN)
        return f"{sign('-', '−')}{text}", -value, SIGN
    first, second = {"+": (SUM, PRODUCT), "-": (SUM, PRODUCT), "^": (ATOM, SIGN)}.get(kind, (PRODUCT, SIGN))
    (left, a), (right, b) = part(first), part(second)
    match kind:
        case "+":
            return f"{left}{sign('+')}{right}", a + b, SUM
        case "-":
            return f"{left}{sign('-', '−')}{right}", a - b, SUM
        case "*":
            return f"{left}{sign('*', '·', '×', '⋅')}{right}", a * b, PRODUCT
        case "/":
            return f"{left}{sign('/', '÷')}{right}", np.divide(a, b), PRODUCT
    # By its sign, for numpy's function does it another way: the sign squares where the exponent is the number 2.
    power = a ** (float(b) if np.ndim(a) > np.ndim(b) else b)
    return f"{left}{sign('^', '**')}{right}", power, POWER


formulas = st.recursive(atoms(), compound, max_leaves=12)
pieces = st.sampled_from([*"x()()+-*/^,.²³·π 0129e", "sin", "max", "min", "pi", "2.5", "**", "1e9", "if", "\n", "step"])
anything = st.one_of(st.text(max_size=250), st.lists(pieces, max_size=60).map("".join))


# What a formula is worth


@pytest.mark.parametrize(
    ("text", "point", "value"),
    [
        ("x", 3, 3),
        ("2*x+1", 3, 7),
        ("1+2*x", 3, 7),
        ("(1+2)*x", 3, 9),
        ("10-x-2", 3, 5),
        ("24/x/2", 3, 4),
        ("-x^2", 3, -9),
        ("(-x)^2", 3, 9),
        ("2^-x", 3, 0.125),
        ("2^x^2", 3, 512),
        ("(2^x)^2", 3, 64),
        ("2**x", 3, 8),
        ("2*x^2", 3, 18),
        ("x²+x³", 3, 36),
        ("-x²", 3, -9),
        ("2^x²", 3, 512),
        ("(x²)³", 3, 729),
        ("--x", 3, 3),
        ("+-+x", 3, -3),
        ("2*-x", 3, -6),
        ("2·x−1", 3, 5),
        ("6÷x×4", 3, 8),
        ("π-pi", 3, 0),
        ("ln(e)", 3, 1),
        ("log(e^x)", 3, 3),
        ("log10(1000)", 3, 3),
        ("max(x, 5)-min(x, 5)", 3, 2),
        ("floor(x/2)+ceil(x/2)", 3, 3),
        ("abs(-x)*sign(-x)", 3, -3),
        ("sqrt(x+1)", 3, 2),
        ("sinc(0)+sinc(1/2)*pi/2", 3, 2),
        ("007.5+.5+1e1", 3, 18),
        (" \t x \t", 3, 3),
    ],
)
def test_that_a_formula_has_the_value_worked_out_by_hand(text: str, point: float, value: float) -> None:
    assert at(text, point) == pytest.approx([value], abs=1e-12)


def test_that_a_step_is_one_from_zero_on_and_undefined_where_its_argument_is() -> None:
    assert at("step(x)", -1e-300, -0.0, 0.0, 2.0) == [0.0, 1.0, 1.0, 1.0]
    assert math.isnan(at("step(x)", math.nan)[0])


def test_that_every_function_and_constant_is_the_one_of_numpy() -> None:
    assert NUMPY.keys() == FUNCTIONS.keys()
    assert {"pi": np.pi, "e": np.e} == CONSTANTS
    for name, count in FUNCTIONS.items():
        with np.errstate(all="ignore"):
            expected = NUMPY[name](*[X, X[::-1].copy()][:count])
            found = worked_out(f"{name}({', '.join(['x', '5.25-x'][:count])})", X)
        if count == 1:
            np.testing.assert_array_equal(found, expected, err_msg=name)
    assert at("min(x, 1-x)", 0.0, 2.0) == [0.0, -1.0]
    assert at("max(x, 1-x)", 0.0, 2.0) == [1.0, 2.0]


@given(data=st.data())
def test_that_a_random_formula_agrees_with_numpy(data: st.DataObject) -> None:
    with np.errstate(all="ignore"):
        text, value, _ = data.draw(formulas)
    assume(len(text) <= MOST_CHARACTERS)
    np.testing.assert_array_equal(worked_out(text, X), np.broadcast_to(value, X.shape), err_msg=text)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("1/0", math.inf),
        ("0/0", math.nan),
        ("(-8)^(1/3)", math.nan),
        ("log(0)", -math.inf),
        ("asin(2)", math.nan),
        ("exp(1000)", math.inf),
        ("9**9**9**9", math.inf),
        ("10**400", math.inf),
        ("sinc(1/0)", math.nan),
        ("0^-1", math.inf),
        ("-0", -0.0),
        ("2*pi - max(1, e)", 2 * math.pi - math.e),
    ],
)
def test_that_a_formula_without_x_is_one_number_and_no_warning(text: str, value: float) -> None:
    with warnings.catch_warnings(), np.errstate(all="raise"):
        warnings.simplefilter("error")
        found = evaluate_formula(text, None, {})
        assert number_of(parse(text)) == pytest.approx(value, nan_ok=True)
    assert type(found) is float
    assert found == pytest.approx(value, nan_ok=True)
    assert math.isnan(value) or math.copysign(1, found) == math.copysign(1, value)


@pytest.mark.parametrize("text", ["x", "0*x", "2^-x", "max(1, sin(x))"])
def test_that_a_formula_with_x_is_no_number(text: str) -> None:
    assert number_of(parse(text)) is None


def test_that_what_is_made_of_x_is_worked_out_by_the_functions_that_were_given() -> None:
    functions = {"sin": "sin({})".format, "max": "max({}, {})".format}
    assert evaluate_formula("max(sin(x), cos(0))", "x", functions) == "max(sin(x), 1.0)"


# What is refused, and in which words


@pytest.mark.parametrize(
    ("text", "code", "sentence"),
    [
        ("", "empty", "formula is empty; write one such as 2*sin(x)"),
        (" \t ", "empty", "formula is empty; write one such as 2*sin(x)"),
        ("x" * 201, "too_long", "formula holds 201 characters; nearest: 200"),
        ("2x", "product", "formula '2x': write 2*x for a product"),
        ("1+2 x", "product", "formula '2 x': write 2*x for a product"),
        ("2 sin(x)", "product", "formula '2 sin': write 2*sin for a product"),
        ("2e", "product", "formula '2e': write 2*e for a product"),
        ("x(x+1)", "product", "formula 'x(': write x*( for a product"),
        ("(x)(x)", "product", "formula ')(': write )*( for a product"),
        ("x 2", "product", "formula 'x 2': write x*2 for a product"),
        ("sin x", "call", "formula 'sin x': write sin(x), with brackets"),
        ("sin 2*x", "call", "formula 'sin 2': write sin(x), with brackets"),
        ("2*sin", "call", "formula 'sin': write sin(x), with brackets"),
        ("sin²(x)", "call", "formula 'sin²': write sin(x), with brackets"),
        ("max x", "call", "formula 'max x': write max(x, 1), with brackets"),
        ("x²³", "power", "formula '²³': write a power of a power with brackets, such as (x²)³"),
        ("x²^3", "power", "formula '²^': write a power of a power with brackets, such as (x²)³"),
        ("sinn(x)", "name", "formula: there is no 'sinn'; nearest: sin"),
        ("arcsin(x)", "name", "formula: there is no 'arcsin'; nearest: asin"),
        ("X", "name", "formula: there is no 'X'; nearest: x"),
        ("sin(x, 2)", "arguments", "formula: the number of arguments of sin must be 1, not 2; nearest: sin(u)"),
        ("sin()", "arguments", "formula: the number of arguments of sin must be 1, not 0; nearest: sin(u)"),
        ("max(x)", "arguments", "formula: the number of arguments of max must be 2, not 1; nearest: max(u, v)"),
        ("1,5*x", "comma", "formula: a comma may only separate two arguments; a decimal number is written 1.5"),
        ("x+5*]", "character", "formula: ']' at character 5 is not arithmetic; there are + - * / ^ ( )"),
        ("x.real", "character", "formula: '.' at character 2 is not arithmetic; there are + - * / ^ ( )"),
        ("1 if x else 2", "word", "formula: 'if' at character 3 is not arithmetic"),
        ("sin(*x)", "construct", "formula: '* x' is not arithmetic"),
        ("sin(x, **x)", "construct", "formula: '** x' is not arithmetic"),
        ("x + ()", "construct", "formula: '( )' is not arithmetic"),
        ("1e400", "number", "formula: '1e400' is too large; nearest: 1.7e308"),
        ("2^x + * 3", "syntax", "formula cannot be read at character 7: '*'"),
        ("π·x²·/ 3", "syntax", "formula cannot be read at character 6: '/'"),
        ("x // 2", "syntax", "formula cannot be read at character 4: '/'"),
        ("x * * 2", "syntax", "formula cannot be read at character 5: '*'"),
        ("x)", "syntax", "formula cannot be read at character 2: ')'"),
        ("1+(x", "syntax", "formula cannot be read at character 3: '('"),
        ("2*x +", "unfinished", "formula stops at character 5, where a number, x or a function must follow"),
    ],
)
def test_that_a_refusal_names_the_place_and_what_to_write(text: str, code: str, sentence: str) -> None:
    error = refusal(text)
    assert (error.code, str(error)) == (f"formula_{code}", sentence)


def test_that_an_unknown_name_like_none_is_told_all_there_are() -> None:
    assert str(refusal("qqqq")).endswith(f"; there are x, {', '.join([*CONSTANTS, *FUNCTIONS])}")


def test_that_the_nearest_number_offered_is_a_legal_one() -> None:
    assert math.isfinite(at(str(refusal("1e400")).partition("nearest: ")[2], 0.0)[0])


def test_that_a_refusal_can_be_said_in_another_language_and_survives_a_copy() -> None:
    error = refusal("1 + sinn(x)")
    assert "{said} fehlt".format(**error.numbers) == "'sinn' fehlt"
    assert error.text.template.format(**error.numbers) == str(error)
    for twin in (copy.copy(error), pickle.loads(pickle.dumps(error))):
        assert (str(twin), twin.code, twin.numbers) == (str(error), error.code, error.numbers)


# Attacks


@pytest.mark.parametrize(
    "text",
    [
        "__import__('os')",
        "__import__(x)",
        "__builtins__",
        "eval(x)",
        "exec(x)",
        "open(x)",
        "np.sin(x)",
        "x.__class__",
        "x.tofile(x)",
        "(x).T",
        "1 .real",
        "sin.__call__(x)",
        "x[0]",
        "x[:]",
        "[x]",
        "{x}",
        "{x: x}",
        "[x for x in x]",
        "sin(x for x in x)",
        "lambda: x",
        "(lambda x: x)(x)",
        "(x := 1)",
        "x = 1",
        "x == x",
        "x < 1",
        "x in x",
        "x is x",
        "x and x",
        "not x",
        "~x",
        "x % 2",
        "x @ x",
        "x | x",
        "x >> 1",
        "x if x else 1",
        "1if x else 1",
        "'x'",
        '"x"',
        "'' 'x'",
        "b'x'",
        "f'{x}'",
        "'x' * 10**9",
        "sin(x=1)",
        "sin(u=x)",
        "sin(*x)",
        "sin(**x)",
        "max(*x, x)",
        "(*x, x)",
        "sin(x)(x)",
        "pi(x)",
        "2(x)",
        "sin",
        "sin + 1",
        "sin(cos)",
        "x; x",
        "x\n+1",
        "(x\n+1)",
        "x\r",
        "x\\\n+1",
        "x # comment",
        "x\x00",
        "\x00",
        "x\x0c",
        "\ufeffx",
        "\ud800",
        "x+\udfff",
        "𝐱",
        "ｘ",
        "x٣",
        "٣",
        "ſin(x)",
        "True",
        "None",
        "...",
        "Ellipsis",
        "2j",
        "1e5000j",
        "inf",
        "nan",
        "0x1f",
        "0b1",
        "1_000",
        "9" * 10 + "e999",
        "await x",
        "yield x",
        "yield",
        "import os",
        "del x",
        "-" * 200,
        "(" * 200,
        "(" * 100 + "x" + ")" * 99,
        "sin(" * 50,
        "{" * 200,
        "x" + ",x" * 99,
        "((x" * 1_000_000,
        "9" * 1_000_000,
        "\x00" * 1_000_000,
    ],
    ids=lambda text: ascii(text[:24]),
)
def test_that_what_is_not_arithmetic_is_refused_in_one_short_sentence(text: str) -> None:
    start = time.process_time()
    error = refusal(text)
    assert time.process_time() - start < 2
    assert error.code.startswith("formula_")
    assert len(str(error)) < 300
    str(error).encode()  # a lone surrogate is quoted, not passed on


@given(text=anything)
def test_that_any_text_is_a_formula_or_refused_as_one(text: str) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        try:
            check(text)
        except FormulaError:
            assert str(refusal(text)).startswith("formula")
        else:
            assert worked_out(text, X).shape == X.shape


@given(text=anything)
def test_that_a_tree_holds_arithmetic_of_known_names_and_nothing_else(text: str) -> None:
    try:
        tree = parse(text)
    except FormulaError:
        return
    arithmetic = (ast.Add, ast.Sub, ast.Mult, ast.Div, ast.Pow, ast.UAdd, ast.USub, ast.BinOp, ast.UnaryOp, ast.Load)
    for node in ast.walk(tree):
        match node:
            case ast.Constant(value=value):
                assert type(value) in (int, float)
                assert math.isfinite(float(value))
            case ast.Name(id=name):
                assert name in {"x", *CONSTANTS, *FUNCTIONS}
            case ast.Call(func=ast.Name(id=name), args=args, keywords=[]):
                assert len(args) == FUNCTIONS[name]
            case _:
                assert isinstance(node, arithmetic)


NASTY = [
    "9**9**9**9**9**9",
    "9^" * 99 + "9",
    "x^" * 99 + "x",
    "-" * 199 + "x",
    "+-" * 99 + "x",
    "(" * 99 + "x" + ")" * 99,
    "sin(" * 39 + "x" + ")" * 39,
    "x" + "*x" * 99,
    "(x+" * 49 + "x" + ")" * 49,
    "1" * 200,
    "2**" + "9" * 197,
    "1e308*" * 33 + "x",
    "exp(" * 39 + "x" + ")" * 39,
]


@pytest.mark.parametrize("text", NASTY, ids=lambda text: text[:12])
def test_that_the_worst_of_legal_formulas_is_worked_out_at_once(text: str) -> None:
    x = np.linspace(-5, 5, 1000)
    start = time.process_time()
    assert worked_out(text, x).shape == x.shape
    assert time.process_time() - start < 2


@pytest.mark.parametrize("text", NASTY, ids=lambda text: text[:12])
def test_that_a_formula_needs_no_more_memory_than_an_array_for_each_character(text: str) -> None:
    x = np.linspace(-5, 5, 20_000)
    worked_out(text, x)
    tracemalloc.start()
    try:
        worked_out(text, x)
        _, most = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert most <= len(text) * x.nbytes


def test_that_a_formula_deeper_than_the_stack_that_is_left_is_told_in_a_sentence() -> None:
    def codes(depth: int) -> set[str]:
        """Ask for a formula of 200 signs from ever deeper in the stack, until nothing is left of it."""
        try:
            evaluate_formula("-" * 199 + "x", X, NUMPY)
        except FormulaError as error:
            return {error.code}
        return codes(depth + 1)

    assert codes(0) == {"formula_nested"}


@pytest.mark.parametrize("error", [RecursionError, MemoryError])
def test_that_a_formula_too_deep_for_pythons_own_parser_is_told_in_a_sentence(
    error: type[Exception], monkeypatch: pytest.MonkeyPatch
) -> None:
    def give_up(*_: object, **__: object) -> None:
        raise error

    parse.cache_clear()
    with monkeypatch.context() as patch:
        patch.setattr(ast, "parse", give_up)
        found = refusal("-x")
    assert found.code == "formula_nested"
