"""The stages with one number for each query and key: scores, masked scores, weights, weights after dropout."""

from typing import Any

from attnviz.definitions.stages.stage import Cells, Formula, Shape, Stage
from attnviz.definitions.text import Text

_MOST_RULES = 2
"""How many masks are written out in a formula; more of them would make it too small to read."""


def cells_shape(layer: Any) -> Shape:
    """Return the shape of the scores and weights of a layer."""
    B, h, Q, K = layer.weights.shape
    if layer.mechanism.headed or layer.is_given:
        return Shape("B, h, L_q, L_k", (B, h, Q, K))
    return Shape("B, L_q, L_k", (B, Q, K))


def _only_cells(layer: Any, split: str) -> tuple[Shape, ...]:
    del split
    return (cells_shape(layer),)


def _scores_shapes(layer: Any, split: str) -> tuple[Shape, ...]:
    del split
    B, h, Q, K = layer.weights.shape
    if layer.features is not None:
        return Shape("B, L_q, L_k, D", (B, Q, K, layer.features.shape[-1])), cells_shape(layer)
    if layer.mechanism.headed:
        return Shape("B·h, L_q, D/h", (B * h, Q, layer.q.shape[-1])), Shape("B·h, L_q, L_k", (B * h, Q, K))
    return Shape("B, L_q, d", layer.queries.shape), cells_shape(layer)


def _scored(layer: Any) -> Formula:
    """Return what the scores are equal to, in a line: the header would shrink a fraction below the least type size."""
    record, d = layer.mechanism, layer.q.shape[-1]
    steps = [(step, {"d": d, "amount": step.amount(layer.knobs, d)}) for step in record.acting(layer.knobs)]
    below = r"\,".join(step.latex.format(**numbers) for step, numbers in reversed(steps))
    latex = record.latex
    if below:
        latex = rf"{record.latex} / {below}" if len(steps) == 1 else rf"{record.latex} / ({below})"
    parts = {"scores": Text(record.spoken)}
    parts |= {step.field: Text(step.spoken, numbers) for step, numbers in steps}
    parts |= {addend.name: Text(addend.spoken) for addend in record.addends}
    spoken = Text("".join(f"{{{name}}}" for name in parts), parts)
    return " ".join([latex, *(addend.latex for addend in record.addends)]), spoken


def _scores_formula(layer: Any, split: str) -> Formula:
    del split
    latex, spoken = _scored(layer)
    return f"{layer.mechanism.symbol} = {latex}", spoken


def _masked_scores_formula(layer: Any, split: str) -> Formula:
    del split
    fill, words = r"-\infty", Text("masked scores become minus infinity")
    if layer.mask_policy == "book":
        fill, words = r"-10^6", Text("masked scores become minus a million")
        if layer.fills_with_inf:
            fill = r"-10^6 = -\infty"
            words = Text("masked scores become minus a million, which is minus infinity in float16")
    masks = [(mask, mask.numbers(state)) for mask, state in layer.masks or ()]
    if not 0 < len(masks) <= _MOST_RULES:
        return rf"S_{{ij}} \leftarrow {fill} \quad \mathrm{{where}}\ j\ \mathrm{{is\ masked\ for}}\ i", words
    rules = r",\ ".join(mask.formula.format(**numbers) for mask, numbers in masks)
    first, *further = (Text(mask.spoken, numbers) for mask, numbers in masks)
    unless = Text("{first} and {second}", {"first": first, "second": further[0]}) if further else first
    spoken = Text("{filled} unless {rules}", {"filled": words, "rules": unless})
    return rf"S_{{ij}} \leftarrow {fill} \quad \mathrm{{unless}}\ {rules}", spoken


def _weights_formula(layer: Any, split: str) -> Formula:
    del split
    if layer.is_given:
        return r"A_{ij}\quad \mathrm{as\ it\ was\ given}", Text("the given weights")
    latex, spoken = _scored(layer)
    return rf"\mathbf{{A}} = \mathrm{{softmax}}({latex})", Text(
        "softmax of each row of scores, {scores}", {"scores": spoken}
    )


def _dropped_formula(layer: Any, split: str) -> Formula:
    del split
    keep = f"{1 - layer.dropout:g}"
    kept = rf"B_{{ij}} \sim \mathrm{{Bernoulli}}({keep})"
    return (
        rf"A_{{ij}} \leftarrow \frac{{A_{{ij}} B_{{ij}}}}{{{keep}}},\quad {kept}",
        Text("each weight is kept with probability {keep} and divided by it", {"keep": keep}),
    )


SCORES = Stage(
    name="scores",
    title="scores",
    exists=lambda spec: not spec.is_given,
    formula=_scores_formula,
    shapes=_scores_shapes,
    cells=Cells(tensor="scores", heading="scores", name="score", masked=False, weights=False),
)
MASKED_SCORES = Stage(
    name="masked_scores",
    title="mask",
    exists=lambda spec: not spec.is_given,
    formula=_masked_scores_formula,
    shapes=_only_cells,
    # The numbers are those before the mask, and what it fills in is hatched.
    cells=Cells(
        tensor="scores", heading="masked scores", name="masked score", masked=True, weights=False, widened=True
    ),
)
WEIGHTS = Stage(
    name="weights",
    title="weights",
    exists=lambda spec: True,
    formula=_weights_formula,
    shapes=_only_cells,
    cells=Cells(
        tensor="weights",
        heading="weights",
        name="weight",
        masked=True,
        weights=True,
        row_sums="row_sums",
        statistics=True,
    ),
)
DROPPED_WEIGHTS = Stage(
    name="dropped_weights",
    title="dropout",
    exists=lambda spec: spec.dropout_acts,
    formula=_dropped_formula,
    shapes=_only_cells,
    cells=Cells(
        tensor="dropped_weights",
        heading="weights after dropout",
        name="weight after dropout",
        masked=True,
        weights=True,
        row_sums="dropped_row_sums",
        dropped=True,
        copies=2,
    ),
)
