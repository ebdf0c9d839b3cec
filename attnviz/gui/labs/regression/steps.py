"""The steps of computing one weight: names and numbers, each derived from those before it."""

from attnviz.definitions.kernels import KERNELS
from attnviz.experiment.regression.cell import RegressionCell
from attnviz.experiment.regression.trace import RegressionTrace
from attnviz.gui.widgets.words import translate

Step = tuple[str, str]
"""A name and a value."""


def steps_of(cell: RegressionCell, kernel: str) -> tuple[Step, ...]:
    """Return the steps of a cell; those of the distance only if the weights depend on it."""
    return (*_distance_steps(cell), *_height_steps(cell, kernel), *_value_steps(cell))


def steps_of_heads(trace: RegressionTrace, query: int, key: int) -> tuple[Step, ...]:
    """Return the steps that combine the heads' weights of a cell: each times its share, summed."""
    parts = [
        (
            translate("head {0}: share × weight").format(head + 1),
            f"{_number(share)} × {_number(weights[query, key])}",
        )
        for head, (share, weights) in enumerate(zip(trace.shares, trace.head_weights, strict=True))
    ]
    total = (translate("weight = Σ share × weight"), _number(trace.weights[query, key]))
    contribution = (translate("weight × yᵢ"), _number(trace.contribution(query, key)))
    return (*parts, total, ("yᵢ", _number(trace.y_train[key])), contribution)


def _distance_steps(cell: RegressionCell) -> tuple[Step, ...]:
    if cell.u is None:
        return ()
    factor = f"× {_number(cell.w)}" if cell.w is not None else f"/ {_number(cell.width or 1.0)}"
    return ("x − xᵢ", _number(cell.distance)), (f"u = (x − xᵢ) {factor}", _number(cell.u))


def _height_steps(cell: RegressionCell, kernel: str) -> tuple[Step, ...]:
    record, softmax = KERNELS[kernel], cell.softmax
    if softmax is not None:
        return (
            (translate("score = {0}").format(record.log_text), _number(softmax.score)),
            (translate("K(u) = exp(score)"), _number(cell.kernel_value)),
            (translate("largest score of the row"), _number(softmax.largest)),
            (translate("e = exp(score − largest)"), _number(softmax.exponential)),
            (translate("Σ e of the row"), _number(softmax.normaliser)),
            (translate("weight = e / Σ e"), _number(cell.weight)),
        )
    name, quotient = translate("K, the same for every key"), translate("weight = K / Σ K")
    if cell.u is not None:
        name = f"K(u) = {record.text}"
    total = _number(cell.kernel_sum) if cell.kernel_sum else translate("0: no point in reach")
    return (
        (name, _number(cell.kernel_value)),
        (translate("Σ K of the row"), total),
        (quotient, _number(cell.weight)),
    )


def _value_steps(cell: RegressionCell) -> tuple[Step, ...]:
    return ("yᵢ", _number(cell.y)), (translate("weight × yᵢ"), _number(cell.contribution))


def _number(value: float) -> str:
    """Return a number with five significant digits, enough to check the arithmetic."""
    return f"{value:.5g}"
