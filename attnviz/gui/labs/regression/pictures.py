"""The picture of each step of the regression mechanism: a matrix with its colours, and a header."""

from dataclasses import dataclass, replace

import numpy as np

from attnviz.definitions.functions.kernels import KERNELS
from attnviz.experiment.colours import DIVERGING, WEIGHT_SCALE, Scale, without_left_out
from attnviz.experiment.regression.trace import RegressionTrace
from attnviz.experiment.regression.view_settings import STAGES
from attnviz.gui.plots.layout import has_true_proportions
from attnviz.gui.plots.matrix.matrix import Matrix, NumberLabels
from attnviz.gui.plots.matrix.tile import ColourTable, colour_table
from attnviz.gui.theme import Theme
from attnviz.gui.widgets.words import translate

_GAP = "\u00a0\u00a0\u00a0"  # rich text collapses plain spaces


@dataclass(frozen=True, eq=False)
class StagePicture:
    """The matrix of one stage, and its colour scale."""

    matrix: Matrix
    table: ColourTable
    scale: Scale
    caption: str


@dataclass(frozen=True, slots=True)
class Header:
    """The formula of one stage, its text for screen readers, and the shapes in and out."""

    latex: str
    spoken: str
    shapes: str


def picture_of(trace: RegressionTrace, stage: str, map_name: str, theme: Theme, *, contrast: str) -> StagePicture:
    """Return the picture of a stage; those of weights are drawn under a record of `CONTRASTS`, or ""."""
    title = translate(STAGES[stage])  # type: ignore[index]
    diverging, sequential = colour_table(DIVERGING, theme), colour_table(map_name, theme)
    match stage:
        case "differences":
            caption = translate("x − xᵢ") if _uses_differences(trace) else translate("x − xᵢ, not used here")
            matrix = _matrix(trace, title, trace.difference_levels, trace.differences)
            return StagePicture(matrix, diverging, trace.difference_scale, caption)
        case "kernel":
            matrix = _matrix(trace, title, trace.kernel_levels, trace.kernel_values)
            return StagePicture(matrix, sequential, WEIGHT_SCALE, translate("K(u)"))
        case "pooling":
            matrix = _matrix(trace, title, trace.contribution_levels, trace.contributions, sums=trace.y_hat)
            return StagePicture(matrix, diverging, trace.contribution_scale, translate("weight × yᵢ"))
    matrix = _matrix(trace, title, trace.weight_levels(contrast), trace.weights)
    if contrast:
        every = np.ones(trace.weights.shape, np.bool_)
        left_out = without_left_out(every, contrast)
        matrix = matrix if left_out is every else replace(matrix, mask=left_out)
    return StagePicture(matrix, sequential, trace.weight_scale(contrast), translate("weight"))


def header_of(trace: RegressionTrace, stage: str) -> Header:
    """Return the header of a stage, with the trace's numbers."""
    queries, keys = trace.weights.shape
    cells = f"(Q, K) = ({queries}, {keys})"
    match stage:
        case "differences":
            latex = rf"x - x_i,\quad i = 1, \ldots, {keys}"
            spoken = translate("query x minus each of {0} keys").format(keys)
            return Header(latex, spoken, f"x (Q,) = ({queries},){_GAP}xᵢ (K,) = ({keys},) → {cells}")
        case "kernel":
            return _kernel_header(trace, cells)
        case "weights":
            return _weights_header(trace, cells)
    latex = rf"f(x) = \sum_{{i=1}}^{{{keys}}} \alpha_i\, y_i"
    spoken = translate("f of x is the sum of weight times y over {0} keys").format(keys)
    return Header(latex, spoken, f"α {cells}{_GAP}y (K,) = ({keys},) → f (Q,) = ({queries},)")


def _kernel_header(trace: RegressionTrace, cells: str) -> Header:
    spec = trace.spec
    shapes = f"x − xᵢ {cells} → K {cells}"
    if trace.num_heads > 1:
        latex = (
            rf"K_i = \sum_{{h=1}}^{{{trace.num_heads}}} p_h\, e^{{-u_{{h,i}}^2/2}},\quad u_{{h,i}} = (x - x_i)\, w_h"
        )
        spoken = translate("the heights of {0} heads, each with its own w, averaged by their shares p")
        return Header(latex, spoken.format(trace.num_heads), shapes)
    if not _uses_differences(trace):
        return Header("K_i = 1", translate("every key has the same height, 1"), shapes)
    w = trace.w_now
    if w is None:
        u, said = f"(x - x_i)/{spec.width:g}", translate("the difference over {0}").format(f"{spec.width:g}")
    elif trace.final:
        number = f"{w:.4g}" if w >= 0 else f"({w:.4g})"
        u, said = rf"(x - x_i) \cdot {number}", translate("the difference times {0}").format(f"{w:.4g}")
    else:
        # Typesetting a formula takes longer than a training step, so w is shown beside it while it changes.
        u, said = r"(x - x_i)\, w", translate("the difference times w")
        shapes += f"{_GAP}w = {w:.4g}"
    kernel = KERNELS[spec.kernel]
    latex = rf"K(u_i) = {kernel.latex()},\quad u_i = {u}"
    spoken = translate("K of u is {0}; u is {1}").format(translate(kernel.spoken), said)
    return Header(latex, spoken, shapes)


def _weights_header(trace: RegressionTrace, cells: str) -> Header:
    keys = len(trace.x_train)
    shapes = f"K {cells} → α {cells}"
    if trace.num_heads > 1:
        latex = rf"\alpha_i = \sum_{{h=1}}^{{{trace.num_heads}}} p_h\, \mathrm{{softmax}}({{-u_h^2/2}})_i"
        spoken = translate("the weights of {0} heads, averaged by their shares p")
        return Header(latex, spoken.format(trace.num_heads), shapes)
    if not _uses_differences(trace):
        spoken = translate("each weight is 1 over {0}").format(keys)
        return Header(rf"\alpha_i = \frac{{1}}{{{keys}}}", spoken, shapes)
    latex = rf"\alpha_i = K(u_i) \,/\, \sum_{{j=1}}^{{{keys}}} K(u_j)"
    spoken = translate("each weight is its K of u over the sum of all {0}").format(keys)
    kernel = KERNELS[trace.spec.kernel]
    if kernel.log_height is not None:
        latex += rf" = \mathrm{{softmax}}({{{kernel.log_latex()}}})_i"
        spoken = translate("{0}, which is the softmax of the logarithm of K of u").format(spoken)
    return Header(latex, spoken, shapes)


def _uses_differences(trace: RegressionTrace) -> bool:
    """Return whether the weights depend on the differences x - x_i."""
    return not trace.spec.own_overlay.is_average


def _matrix(
    trace: RegressionTrace, title: str, levels: np.ndarray, values: np.ndarray, sums: np.ndarray | None = None
) -> Matrix:
    """Return a matrix of square cells if its shape allows it; else its title says that they are not."""
    square = has_true_proportions(values.shape)
    wide = not square and values.shape[1] > values.shape[0]
    return Matrix(
        levels=levels,
        values=values,
        mask=None,
        row_labels=NumberLabels(trace.x_test, ".3g"),
        column_labels=NumberLabels(trace.x_train, ".2g"),
        row_sums=sums,
        title=translate("{0}, cells not square").format(title) if wide else title,
        note="" if square or wide else translate("cells not square"),
        row_title=translate("queries x"),
        column_title=translate("training points x"),
        square=square,
        empty_rows=None if sums is None else np.isnan(sums),
    )


def header_of_kernels(widths: tuple[float, ...], kernels: int) -> Header:
    """Return the header of the page of all kernels."""
    listed = ", ".join(f"{width:g}" for width in widths)
    latex = rf"K(u_i),\quad u_i = (x - x_i)/\sigma,\quad \sigma = {listed}"
    spoken = translate("K of u, where u is the difference over a width: {0}").format(listed)
    return Header(latex, spoken, translate("{0} kernels × {1} widths").format(kernels, len(widths)))


def header_of_errors(trace: RegressionTrace) -> Header:
    """Return the header of the page of the errors over the width."""
    keys = len(trace.x_train)
    latex = rf"\frac{{1}}{{{keys}}} \sum_{{i=1}}^{{{keys}}} (f_{{-i}}(x_i) - y_i)^2"
    spoken = translate("the mean over {0} points of the squared error of each, predicted from all the others")
    return Header(latex, spoken.format(keys), translate("leave-one-out error"))
