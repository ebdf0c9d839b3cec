"""The stages after the weights: each head's pooled values, the heads side by side, the output."""

from typing import Any

from attnviz.definitions.stages.before_scores import linear
from attnviz.definitions.stages.cells import cells_shape
from attnviz.definitions.stages.stage import Formula, Shape, Stage
from attnviz.definitions.text import Text

_BEFORE = ("queries", "keys", "", "values")


def _heads_formula(trace: Any, split: str) -> Formula:
    del split
    latex = rf"\mathbf{{H}}_i = \mathbf{{A}}_i \mathbf{{V}}_i \quad i = 1 \ldots {trace.num_heads}"
    return latex, Text("each head's weights times its values")


def _heads_shapes(trace: Any, split: str) -> tuple[Shape, ...]:
    del split
    B, h, Q, K = trace.weights.shape
    return Shape("B·h, L_q, L_k", (B * h, Q, K)), Shape("B·h, L_q, D/h", (B * h, *trace.heads.shape[2:]))


def _merge_formula(trace: Any, split: str) -> Formula:
    del split
    latex = rf"[\,\mathbf{{H}}_1 \;\; \ldots \;\; \mathbf{{H}}_{{{trace.num_heads}}}\,]"
    return latex, Text("the heads side by side again")


def _merge_shapes(trace: Any, split: str) -> tuple[Shape, ...]:
    del split
    B, h, Q, d = trace.heads.shape
    return (
        Shape("B·h, L, D/h", (B * h, Q, d)),
        Shape("B, h, L, D/h", (B, h, Q, d)),
        Shape("B, L, h, D/h", (B, Q, h, d)),
        Shape("B, L, D", (B, Q, h * d)),
    )


def _output_formula(trace: Any, split: str) -> Formula:
    del split
    layer = trace.spec.mechanism_record.output
    if layer is None:
        return r"\mathbf{O} = \mathbf{A}\mathbf{V}", Text("weights times values")
    heads = rf"[\,\mathbf{{H}}_1 \ldots \mathbf{{H}}_{{{trace.num_heads}}}\,]"
    spoken = Text("the heads side by side times {layer} transposed", {"layer": layer.name})
    return rf"\mathbf{{O}} = {heads}\,{linear(trace, layer)}", spoken


def _output_shapes(trace: Any, split: str) -> tuple[Shape, ...]:
    del split
    if trace.spec.mechanism_record.headed:
        return Shape("B, L_q, D", trace.merged.shape), Shape("B, L_q, D", trace.output.shape)
    return cells_shape(trace), Shape("B, L_q, d_v", trace.output.shape)


HEADS = Stage(
    name="heads",
    title="heads out",
    exists=lambda spec: spec.mechanism_record.headed,
    formula=_heads_formula,
    shapes=_heads_shapes,
    tensor_of_heads="heads",
    projects=_BEFORE,
)
MERGE = Stage(
    name="merge",
    title="merge",
    exists=lambda spec: spec.mechanism_record.headed,
    formula=_merge_formula,
    shapes=_merge_shapes,
    folds=True,
)
OUTPUT = Stage(
    name="output",
    title="output",
    exists=lambda spec: not spec.is_given,
    formula=_output_formula,
    shapes=_output_shapes,
    projects=(*_BEFORE, "heads"),
)
