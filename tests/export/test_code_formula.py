import ast

import pytest
from hypothesis import given
from hypothesis import strategies as st

from attnviz.definitions.functions.formula import FormulaError, parse
from attnviz.export.code.formula import function_code
from attnviz.export.code.text import WIDTH

pieces = st.sampled_from(
    [*"xx()+-*/^.²·π129,", "sin(", "max(", "min(x,", "step(", "pi", "2.5", "1e9", "1/0", "0/0", "-0", ")"]
)


def returned(formula: str) -> str:
    (f,) = function_code(formula)
    return f.rpartition("return ")[2]


@pytest.mark.parametrize(
    ("formula", "code"),
    [
        ("2*sin(x) + x^2", "2 * torch.sin(x) + x ** 2"),
        ("-x^2", "-x ** 2"),
        ("(-x)^2", "(-x) ** 2"),
        ("x - (1 - x)", "x - (1 - x)"),
        ("x - 1 - x", "x - 1 - x"),
        ("x/(2*x)", "x / (2 * x)"),
        ("(x^2)^3", "(x ** 2) ** 3"),
        ("x^2^x", "x ** 2 ** x"),
        ("--x + +x", "x + x"),
        ("2*π*x", "2 * torch.pi * x"),
        ("ln(x)", "torch.log(x)"),
        ("min(3, x)", "torch.clamp(x, max=3)"),
        ("max(x, -x)", "torch.maximum(x, -x)"),
        ("sqrt(4)*x", "2.0 * x"),
        ("x + 1/0", "x + torch.inf"),
        ("x - 0/0", "x - torch.nan"),
        ("(-0)*x", "-0.0 * x"),
        ("step(x - 2)", "(x - 2 >= 0).double()"),
        ("7", "torch.full_like(x, 7)"),
        ("9007199254740993*x", "9007199254740992.0 * x"),
    ],
)
def test_that_a_formula_is_written_with_the_brackets_it_needs(formula: str, code: str) -> None:
    assert returned(formula) == code


def test_that_what_torch_does_not_have_is_defined_above_and_once() -> None:
    sign, step, f = function_code("sign(sin(x)) + step(cos(x)) + step(sin(x))")
    assert sign.startswith("def sign(u):")
    assert step.startswith("def step(u):")
    assert f.count("step(") == 2


@given(st.lists(pieces, max_size=40).map("".join))
def test_that_any_formula_becomes_one_expression_of_torch_and_x_in_short_lines(formula: str) -> None:
    try:
        parse(formula)
    except FormulaError:
        return
    code = "\n".join(function_code(formula))
    assert max(map(len, code.splitlines())) <= WIDTH
    names = {node.id for node in ast.walk(ast.parse(code)) if isinstance(node, ast.Name)}
    assert names <= {"torch", "x", "u", "sign", "step"}


@pytest.mark.parametrize(
    "formula", ["-" * 199 + "x", "x^" * 99 + "x", "(x+" * 49 + "x" + ")" * 49, "sin(" * 39 + "x" + ")" * 39]
)
def test_that_the_longest_of_formulas_still_has_short_lines(formula: str) -> None:
    code = "\n".join(function_code(formula))
    ast.parse(code)
    assert max(map(len, code.splitlines())) <= WIDTH
