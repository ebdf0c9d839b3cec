"""The stages after the weights: each head's pooled values, the heads side by side, the output."""

from typing import Any

from attnviz.definitions.stages.before_scores import linear, split_shapes
from attnviz.definitions.stages.cells import cells_shape
from attnviz.definitions.stages.stage import Formula, Shape, Stage
from attnviz.definitions.text import Text

_BEFORE = ("queries", "keys", "", "values")


def _heads_formula(layer: Any, split: str) -> Formula:
    latex = rf"\mathbf{{H}}_i = \mathbf{{A}}_i \mathbf{{V}}_i \quad i = 1 \ldots {layer.num_heads}"
    return latex, Text("each head's weights times its values")


def _heads_shapes(layer: Any, split: str) -> tuple[Shape, ...]:
    B, h, Q, K = layer.weights.shape
    return Shape("B·h, L_q, L_k", (B * h, Q, K)), Shape("B·h, L_q, D/h", (B * h, *layer.heads.shape[2:]))


def _merge_formula(layer: Any, split: str) -> Formula:
    latex = rf"[\,\mathbf{{H}}_1 \;\; \ldots \;\; \mathbf{{H}}_{{{layer.num_heads}}}\,]"
    return latex, Text("the heads side by side again")


def _output_formula(layer: Any, split: str) -> Formula:
    projection = layer.mechanism.output
    if projection is None:
        return r"\mathbf{O} = \mathbf{A}\mathbf{V}", Text("weights times values")
    heads = rf"[\,\mathbf{{H}}_1 \ldots \mathbf{{H}}_{{{layer.num_heads}}}\,]"
    spoken = Text("the heads side by side times {layer} transposed", {"layer": projection.name})
    return rf"\mathbf{{O}} = {heads}\,{linear(layer, projection)}", spoken


def _output_shapes(layer: Any, split: str) -> tuple[Shape, ...]:
    if layer.mechanism.headed:
        return Shape("B, L_q, D", layer.merged.shape), Shape("B, L_q, D", layer.output.shape)
    return cells_shape(layer), Shape("B, L_q, d_v", layer.output.shape)


HEADS = Stage(
    name="heads",
    title="heads out",
    exists=lambda spec: spec.mechanism_record.headed,
    formula=_heads_formula,
    shapes=_heads_shapes,
    by_head=True,
    projects=_BEFORE,
    moves="pool",
)
MERGE = Stage(
    name="merge",
    title="merge",
    exists=lambda spec: spec.mechanism_record.headed,
    formula=_merge_formula,
    shapes=lambda layer, split: split_shapes(layer.heads)[::-1],
    folds=True,
    moves="fold",
)
OUTPUT = Stage(
    name="output",
    title="output",
    exists=lambda spec: not spec.is_given,
    formula=_output_formula,
    shapes=_output_shapes,
    projects=(*_BEFORE, "heads"),
    moves="pool",
)
