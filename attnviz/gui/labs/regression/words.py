"""Texts of the regression stage: its legend, and the line below the picture."""

import html

import numpy as np

from attnviz.definitions.empty_rows import EMPTY_ROW_POLICIES
from attnviz.definitions.functions.kernels import KERNELS
from attnviz.experiment.regression.spec import Overlay, RegressionSpec
from attnviz.experiment.regression.trace import RegressionTrace
from attnviz.gui.plots.curves.marks import overlay_colour, overlay_sign
from attnviz.gui.theme import Look
from attnviz.gui.widgets.words import number_text, title_of, translate, weight_text


def overlay_title(overlay: Overlay) -> str:
    """Return what an estimator is called in a legend: "Boxcar 0.2"."""
    if overlay.has_width:
        return f"{translate(KERNELS[overlay.kernel].title)} {overlay.width:g}"
    estimator = "average" if overlay.is_average else "parametric"
    return title_of(estimator, RegressionSpec.model_fields["estimator"])


def legend_of(trace: RegressionTrace, look: Look) -> str:
    """Return the legend of a fit as rich text: a sign in its colour, and its name."""
    theme = look.theme
    entries = [("●", theme.k, translate("training points")), ("━", theme.accent, fit_title(trace))]
    if np.isfinite(trace.y_truth).any():
        entries.insert(1, ("╌", theme.muted, translate("truth")))
    if trace.num_heads > 1:
        entries.append(("─", theme.accent, translate("its {0} heads").format(trace.num_heads)))
    if (trace.empty_rows & np.isfinite(trace.y_hat)).any():
        entries.append(("○", theme.accent, translate("no point in reach")))
    for place, curve in enumerate(trace.curves):
        title = overlay_title(curve.overlay)
        if curve.w is not None and not np.isfinite(curve.w):
            title = translate("{0} (diverged)").format(title)
        entries.append((overlay_sign(place), overlay_colour(look, place), title))
    return " &nbsp; ".join(coloured(*entry) for entry in entries)


def coloured(sign: str, colour: str, text: str) -> str:
    """Return a sign in its colour and a text beside it, as rich text without line breaks."""
    unbroken = html.escape(text).replace(" ", "\u00a0")
    return f'<span style="color:{colour}">{sign}</span>\u00a0{unbroken}'


def fit_title(trace: RegressionTrace) -> str:
    """Return the fit's title: "fit", or its estimator if there are overlays."""
    return translate("fit") if not trace.spec.overlays else overlay_title(trace.spec.own_overlay)


def reading_of(trace: RegressionTrace, stage: str, query: int, key: int | None) -> str:
    """Return a line with the numbers of the selected query, and of the selected cell at a stage."""
    x, y = trace.x_test[query], trace.y_hat[query]
    said = translate("no training point in reach") if np.isnan(y) else f"f({x:.4g}) = {number_text(y)}"
    if trace.empty_rows[query] and np.isfinite(y):
        policy = translate(EMPTY_ROW_POLICIES[trace.spec.mask_policy].title)
        said = translate("no training point in reach; {0} gives {1}").format(policy, number_text(y))
    parts = [translate("query {0}").format(f"x = {x:.4g}"), said]
    if key is not None and key < len(trace.x_train):
        parts.append(translate("key {0}").format(f"x = {trace.x_train[key]:.4g}"))
        match stage:
            case "differences":
                parts.append(translate("x − xᵢ = {0}").format(f"{trace.differences[query, key]:.4g}"))
            case "kernel":
                parts.append(f"K(u) = {trace.kernel_values[query, key]:.4g}")
            case "weights":
                parts.append(translate("weight {0}").format(weight_text(trace.weights[query, key], 4)))
            case "pooling":
                parts.append(translate("weight × yᵢ = {0}").format(f"{trace.contributions[query, key]:.4g}"))
    return "   ".join(parts)
