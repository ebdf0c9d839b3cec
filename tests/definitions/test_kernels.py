"""Every kernel, by its record: the maths, the script, the words and the arithmetic of a cell say the same."""

import math

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from attnviz.attention import kernel_stages, kernel_values
from attnviz.attention.array_functions import TORCH
from attnviz.definitions.functions.formula import FUNCTIONS, INDEXING, latex, plain
from attnviz.definitions.functions.kernels import KERNELS, Kernel
from attnviz.experiment.arrays import NUMPY
from attnviz.export.code.formula import expression_code

ALL = pytest.mark.parametrize("kernel", KERNELS.values(), ids=list(KERNELS))
U = torch.arange(-60, 61, dtype=torch.float64) / 20
BY_HAND = {"gaussian": math.exp(-0.125), "boxcar": 1.0, "epanechnikov": 0.75, "triangular": 0.5, "constant": 1.0}


def executed(formula: str, u: torch.Tensor) -> torch.Tensor:
    code, helpers = expression_code(formula, "u")
    names = {"torch": torch, "u": u}
    exec("\n".join(helpers), names)
    return eval(code, names)


@ALL
def test_that_a_kernel_has_all_that_the_window_and_the_script_say_of_it(kernel: Kernel) -> None:
    assert kernel.title
    assert kernel.help.endswith(".")
    assert kernel.spoken
    assert kernel.latex()
    assert kernel.text
    assert KERNELS[kernel.name] is kernel


@pytest.mark.parametrize(("name", "height"), BY_HAND.items())
def test_that_the_height_at_half_a_width_is_the_one_worked_out_by_hand(name: str, height: float) -> None:
    half = torch.tensor([0.5], dtype=torch.float64)
    assert kernel_values(half, torch.zeros(1, dtype=torch.float64), name).item() == pytest.approx(height, rel=1e-15)


@ALL
def test_that_a_height_is_1_at_the_query_even_and_at_most_1(kernel: Kernel) -> None:
    heights = kernel_values(U, torch.zeros(1, dtype=torch.float64), kernel.name)[:, 0]
    assert heights[60] == 1
    assert torch.equal(heights, heights.flip(0))
    assert ((heights >= 0) & (heights <= 1)).all()
    assert bool((heights[U.abs() > 1] == 0).all()) == kernel.is_compact
    assert bool((heights == heights[0]).all()) != kernel.has_width


@ALL
def test_that_the_line_of_pytorch_is_the_height_bit_for_bit(kernel: Kernel) -> None:
    assert torch.equal(executed(kernel.height, U), kernel_values(U, torch.zeros(1, dtype=U.dtype), kernel.name)[:, 0])
    if kernel.log_height is not None:
        stages = kernel_stages(U, torch.zeros(1, dtype=U.dtype), kernel.name)
        assert torch.equal(executed(kernel.log_height, U).exp(), stages.kernel_values[:, 0])


@ALL
def test_that_numpy_and_torch_work_out_the_same_height(kernel: Kernel) -> None:
    of_numpy = np.broadcast_to(kernel.heights(U.numpy(), NUMPY), U.shape)
    np.testing.assert_allclose(of_numpy, kernel_values(U, torch.zeros(1, dtype=U.dtype), kernel.name)[:, 0], rtol=1e-15)
    if kernel.log_height is not None:
        np.testing.assert_allclose(np.exp(kernel.log_heights(U.numpy(), NUMPY)), of_numpy, rtol=1e-14)


def test_that_every_table_of_functions_has_every_name_of_the_language() -> None:
    assert TORCH.keys() == NUMPY.keys() == FUNCTIONS.keys() | set(INDEXING)


@pytest.mark.parametrize(
    ("formula", "in_latex", "in_words"),
    [
        ("exp(-u^2/2)", "e^{-u^2/2}", "exp(−u² / 2)"),
        ("max(0, 1 - abs(u))", r"\max(0, 1 - |u|)", "max(0, 1 − |u|)"),
        ("max(0, 1 - u^2)^2", r"\max(0, 1 - u^2)^2", "max(0, 1 − u²)²"),
        ("box(u)", r"[\,|u| < 1\,]", "[|u| < 1]"),
        ("2*sin(u) + u^0.8", r"2\,\sin(u) + u^{0.8}", "2 × sin(u) + u^0.8"),
        ("1/(1 + u)", r"\frac{1}{1 + u}", "1 / (1 + u)"),
        ("1 - (u - 2)", "1 - (u - 2)", "1 − (u − 2)"),
        ("(-u)^2", "(-u)^2", "(−u)²"),
        ("-u^2", "-u^2", "−u²"),
        ("(u + 1)*2", r"(u + 1) \cdot 2", "(u + 1) × 2"),
        ("2^(u + 1)", "2^{u + 1}", "2^(u + 1)"),
        ("u/2/3", r"\frac{\frac{u}{2}}{3}", "u / 2 / 3"),
        ("u/(2*3)", r"\frac{u}{2 \cdot 3}", "u / (2 × 3)"),
        ("sqrt(pi)*e", r"\sqrt{\pi}\,e", "sqrt(π) × e"),
        ("(u^2)^3", "(u^2)^3", "(u²)³"),
    ],
)
def test_that_a_formula_is_written_with_the_brackets_it_needs(formula: str, in_latex: str, in_words: str) -> None:
    assert latex(formula, variable="u") == in_latex
    assert plain(formula, variable="u") == in_words


_PARTS = st.recursive(
    st.sampled_from(["u", "2", "0.5"]),
    lambda inner: st.one_of(
        st.tuples(inner, st.sampled_from(["+", "-", "*", "/", "^"]), inner).map(
            lambda it: f"({it[0]}){it[1]}({it[2]})"
        ),
        inner.map(lambda it: f"-({it})"),
        inner.map(lambda it: f"exp({it})"),
    ),
    max_leaves=6,
)


@given(formula=_PARTS)
def test_that_a_formula_written_in_words_reads_back_as_the_same_formula(formula: str) -> None:
    if len(formula) > 150:
        return
    again = plain(formula, variable="u")
    assert plain(again, variable="u") == again
    names = {"u": 0.7, "exp": math.exp}
    try:
        value = eval(formula.replace("^", "**"), names)
    except (ZeroDivisionError, OverflowError, TypeError):  # exp takes no complex number
        return
    if not isinstance(value, complex):
        read = again.replace("²", "**2").replace("³", "**3").replace("^", "**").replace("−", "-").replace("×", "*")
        assert eval(read, names) == pytest.approx(value, rel=1e-9)
