"""Training and query points of a regression run."""

from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor

from attnviz.attention.array_functions import TORCH
from attnviz.definitions.functions.sample_functions import DOMAIN, SAMPLE_FUNCTIONS
from attnviz.engine.machine import RunError
from attnviz.experiment.arrays import Vector, read_only
from attnviz.experiment.regression.data import FARTHEST, SyntheticData, evaluate_formula, function_of
from attnviz.experiment.regression.points import PointsError, written_points
from attnviz.experiment.regression.spec import RegressionSpec


@dataclass(frozen=True, slots=True)
class Samples:
    """Training points (K,) in the order of x, query points (Q,), and the function without noise at the queries.

    The function is NaN where it is unknown.
    """

    x_train: Vector
    y_train: Vector
    x_test: Vector
    y_truth: Vector


def make_samples(spec: RegressionSpec) -> Samples:
    """Return the points of a spec.

    Raises:
        RunError: a file cannot be used; names the line. Or a formula is not finite at a training input; names it.
    """
    x_test = spec.x_test.points()
    y_truth = np.full(len(x_test), np.nan)
    try:
        x_train, y_train = _draw(spec.data) if isinstance(spec.data, SyntheticData) else written_points(spec.data)
    except PointsError as error:
        raise RunError(error.code, error.text) from error
    function, typed = function_of(spec.data)
    if function is not None:
        y_truth = _truth(function, x_test, typed)
    y_truth = np.where(np.abs(y_truth) <= FARTHEST, y_truth, np.nan)  # a formula may be infinite at some inputs
    return Samples(*(read_only(each) for each in (x_train, y_train, x_test, y_truth)))


def function_at(x: Tensor, function: str, typed: str = "") -> Tensor:
    """Return the noiseless function at x, in its shape and dtype; it may be inf or NaN at some inputs.

    Args:
        x: the inputs, of any shape.
        function: a name in `SAMPLE_FUNCTIONS`.
        typed: the user's formula; used if the function is "formula".
    """
    value = evaluate_formula(SAMPLE_FUNCTIONS[function].formula_with(typed), x, TORCH)
    return value.clone() if isinstance(value, Tensor) else torch.full_like(x, value)


def _truth(function: str, x: Vector, typed: str = "") -> Vector:
    truth: Vector = function_at(torch.from_numpy(x), function, typed).numpy()
    return truth


def _draw(data: SyntheticData) -> tuple[Vector, Vector]:
    """Return sorted uniform inputs and noisy outputs; the order of the draws is part of what the seed means."""
    generator = torch.Generator("cpu").manual_seed(data.seed)
    low, high = DOMAIN
    x = (
        torch.rand(data.n_train, generator=generator, dtype=torch.float64, device="cpu").sort().values * (high - low)
        + low
    )
    noise = torch.randn(data.n_train, generator=generator, dtype=torch.float64, device="cpu") * data.noise
    truth = _truth(data.function, x.numpy(), data.formula)
    near = np.abs(truth) <= FARTHEST
    if not near.all():
        where = x[int(near.argmin())].item()
        values = {"formula": data.formula, "value": truth[near.argmin()], "x": where, "most": FARTHEST}
        sentence = (
            "formula '{formula}' is {value:.3g} at x = {x:.4g}; it must be a number of at most {most:g} in size there"
        )
        raise RunError("formula_not_finite", sentence, **values)
    return x.numpy(), truth + noise.numpy()
