"""The stages with one number for each query and key: scores, masked scores, weights, weights after dropout."""

from typing import Any

from attnviz.definitions.score_steps import LAYER_STEPS, SCORE_STEPS, scored_formula, weigher
from attnviz.definitions.score_steps.step import Place, ScoreStep
from attnviz.definitions.stages.stage import IN_PLACE, Cells, Formula, Shape, Stage
from attnviz.definitions.text import Text

_MOST_RULES = 2
"""The most masks written out in a formula; more would make it too small to read."""


def cells_shape(layer: Any) -> Shape:
    """Return the shape of the scores and weights of a layer."""
    B, h, Q, K = layer.weights.shape
    if layer.has_heads:
        return Shape("B, h, L_q, L_k", (B, h, Q, K))
    return Shape("B, L_q, L_k", (B, Q, K))


def _only_cells(layer: Any, split: str) -> tuple[Shape, ...]:
    return (cells_shape(layer),)


def _scores_shapes(layer: Any, split: str) -> tuple[Shape, ...]:
    B, h, Q, K = layer.weights.shape
    if layer.features is not None:
        return Shape("B, L_q, L_k, D", (B, Q, K, layer.features.shape[-1])), cells_shape(layer)
    if layer.has_heads:
        return Shape("B·h, L_q, D/h", (B * h, Q, layer.q.shape[-1])), Shape("B·h, L_q, L_k", (B * h, Q, K))
    return Shape("B, L_q, d", layer.queries.shape), cells_shape(layer)


def _scores_formula(layer: Any, split: str) -> Formula:
    latex, spoken = scored_formula(layer)
    return f"{layer.mechanism.symbol} = {latex}", spoken


def _fills_with_number(layer: Any) -> bool:
    """Return whether a masked score becomes a finite number, so that adding -inf would be another mask."""
    return bool(layer.mask_policy == "book" and not layer.fill_overflows)


def _mask_symbol(layer: Any) -> str:
    """Return the symbol of the mask that is added to the scores: M, bold beside a bold S."""
    return str(layer.mechanism.symbol.replace("S", "M"))


def _masked_scores_formula(layer: Any, split: str) -> Formula:
    fill, fill_text = r"-\infty", Text("masked scores become minus infinity")
    if layer.mask_policy == "book":
        fill, fill_text = r"-10^6", Text("masked scores become minus a million")
        if layer.fill_overflows:
            fill = r"-10^6 = -\infty"
            fill_text = Text("masked scores become minus a million, which is minus infinity in float16")
    scores, mask = layer.mechanism.symbol, _mask_symbol(layer)
    filled = rf"S_{{ij}} \leftarrow {fill}"
    if layer.masks and not _fills_with_number(layer):
        filled = rf"{scores} \leftarrow {scores} + {mask},\quad M_{{ij}} = {fill}"
    masks = [(mask, mask.numbers(state)) for mask, state in layer.masks or ()]
    if not 0 < len(masks) <= _MOST_RULES:
        return rf"{filled} \quad \text{{where $j$ is masked for $i$}}", fill_text
    rules = r",\ ".join(mask.formula.format(**numbers) for mask, numbers in masks)
    first, *further = (Text(mask.spoken, numbers) for mask, numbers in masks)
    unless = Text("{first} and {second}", {"first": first, "second": further[0]}) if further else first
    spoken = Text("{filled} unless {rules}", {"filled": fill_text, "rules": unless})
    return rf"{filled} \quad \text{{unless}}\ {rules}", spoken


def _masked(layer: Any, scores: str, spoken: Text) -> Formula:
    """Return the formula of masked scores of a layer, the argument of the softmax."""
    if not layer.masks:
        return scores, spoken
    if _fills_with_number(layer):
        where = rf"\mathrm{{where}}(\mathbf{{M}},\ {scores},\ -10^6)"
        return where, Text("{scores}, with minus a million where the mask forbids a key", {"scores": spoken})
    return f"{scores} + {_mask_symbol(layer)}", Text("{scores}, plus the mask", {"scores": spoken})


def _weights_formula(layer: Any, split: str) -> Formula:
    if layer.is_given:
        return r"A_{ij}\quad \text{as it was given}", Text("the given weights")
    changes = [step.name for step in layer.steps if step.does == "change"]
    latex, spoken_scores = _masked(layer, *scored_formula(layer, changes[-1] if changes else ""))
    place = Place(layer.q.shape[-1])
    if weighs := weigher(layer.steps):
        values = weighs.values(layer.knobs, place)
        spoken = Text(weighs.spoken, {**values, "scores": spoken_scores})
        return rf"\mathbf{{A}} = {weighs.latex.format(scores=latex, **values)}", spoken
    spoken = Text("softmax of each row of scores, {scores}", {"scores": spoken_scores})
    for step in layer.steps:
        if step.does == "share":
            values = step.values(layer.knobs, place)
            shared = Text("{softmax}{sink}", {"softmax": spoken, "sink": Text(step.spoken, values)})
            return rf"\mathbf{{A}} = {step.latex.format(scores=latex, **values)}", shared
    return rf"\mathbf{{A}} = \mathrm{{softmax}}({latex})", spoken


def _dropped_formula(layer: Any, split: str) -> Formula:
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
    moves="meet",
)
MASKED_SCORES = Stage(
    name="masked_scores",
    title="mask",
    exists=lambda spec: not spec.is_given,
    formula=_masked_scores_formula,
    shapes=_only_cells,
    # The numbers are those before the mask; masked cells are hatched.
    cells=Cells(
        tensor="unmasked_scores", heading="masked scores", name="masked score", masked=True, weights=False, widened=True
    ),
    stays=IN_PLACE,
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
    moves="weigh",
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
    stays=IN_PLACE,
)


def _of_step(step: ScoreStep) -> Stage:
    """Return the stage that shows the scores after a step."""
    assert step.stage is not None
    return Stage(
        name=step.stage.name,
        title=step.stage.title,
        exists=step.is_in,
        formula=lambda layer, split: _changed_formula(layer, step),
        shapes=_only_cells,
        cells=Cells(
            tensor=step.stage.name,
            heading=step.stage.heading,
            name=step.stage.number,
            masked=False,
            weights=False,
            copies=1 + step.copies,
        ),
        stays=IN_PLACE,
    )


def _changed_formula(layer: Any, step: ScoreStep) -> Formula:
    latex, spoken = scored_formula(layer, step.name)
    return rf"{layer.mechanism.symbol} \leftarrow {latex}", spoken


OF_STEPS = tuple(
    _of_step(step)
    for step in (*SCORE_STEPS.values(), *LAYER_STEPS.values())
    if step.does == "change" and step.stage is not None
)
"""The stages of the steps that change the scores, in order."""
