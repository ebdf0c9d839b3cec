"""The stages of each attention mechanism, in order, and their input and output shapes."""

from dataclasses import dataclass
from typing import Literal, cast, get_args

from attnviz.experiment.attention.spec import AttentionSpec
from attnviz.experiment.attention.trace import AttentionTrace, Stage

StageName = Literal[
    "project",
    "split",
    "features",
    "scores",
    "masked_scores",
    "weights",
    "dropped_weights",
    "heads",
    "merge",
    "output",
]
TITLES: dict[StageName, str] = {
    "project": "Q K V",
    "split": "split",
    "features": "tanh",
    "scores": "scores",
    "masked_scores": "mask",
    "weights": "weights",
    "dropped_weights": "dropout",
    "heads": "heads out",
    "merge": "merge",
    "output": "output",
}
"""The titles of the stages, in order; `stages_of` returns those of a spec."""
CELL_STAGES: tuple[Stage, ...] = get_args(Stage)
"""The stages whose tensors have one number for each query and key."""


@dataclass(frozen=True, slots=True)
class Shape:
    """A shape in the book's letters and in numbers: B batch, L tokens, D hidden, h heads."""

    letters: str
    sizes: tuple[int, ...]

    def __str__(self) -> str:
        return f"({self.letters}) = ({', '.join(map(str, self.sizes))})"


def stages_of(spec: AttentionSpec) -> tuple[StageName, ...]:
    """Return the stages of a spec's module, in order."""
    stages = spec.mechanism_record.stages
    if spec.dropout_acts:
        behind = stages.index("weights") + 1
        stages = (*stages[:behind], "dropped_weights", *stages[behind:])
    return cast("tuple[StageName, ...]", stages)


def shapes_of(trace: AttentionTrace, stage: StageName, split: str = "q") -> tuple[Shape, ...]:
    """Return the shapes in a stage, from its input to its output.

    ``split``: which of q, k and v the stage of that name shows.
    """
    B, h, Q, K = trace.weights.shape
    D = trace.q.shape[1] * trace.q.shape[3]
    d = D // h
    record = trace.spec.mechanism_record
    headed = record.headed
    cells = Shape("B, h, L_q, L_k", (B, h, Q, K)) if headed or trace.is_given else Shape("B, L_q, L_k", (B, Q, K))
    match stage:
        case "project" if record.projection("queries") is None:
            d_q, d_k = ("d", "d") if trace.queries.shape[-1] == trace.keys.shape[-1] else ("d_q", "d_k")
            return Shape(f"B, L_q, {d_q}", trace.queries.shape), Shape(f"B, L_k, {d_k}", trace.keys.shape)
        case "project":
            return Shape("B, L_q, d_q", trace.queries.shape), Shape("B, L_q, D", (B, Q, D))
        case "split":
            L = Q if split == "q" else K
            return (
                Shape("B, L, D", (B, L, D)),
                Shape("B, L, h, D/h", (B, L, h, d)),
                Shape("B, h, L, D/h", (B, h, L, d)),
                Shape("B·h, L, D/h", (B * h, L, d)),
            )
        case "features":
            return Shape("B, L_q, 1, D", (B, Q, 1, D)), Shape("B, L_q, L_k, D", (B, Q, K, D))
        case "scores" if trace.features is not None:
            return Shape("B, L_q, L_k, D", (B, Q, K, D)), cells
        case "scores" if headed:
            return Shape("B·h, L_q, D/h", (B * h, Q, d)), Shape("B·h, L_q, L_k", (B * h, Q, K))
        case "scores":
            return Shape("B, L_q, d", trace.queries.shape), cells
        case "masked_scores" | "weights" | "dropped_weights":
            return (cells,)
        case "heads":
            return Shape("B·h, L_q, L_k", (B * h, Q, K)), Shape("B·h, L_q, D/h", (B * h, *trace.heads.shape[2:]))
        case "merge":
            return (
                Shape("B·h, L, D/h", (B * h, Q, d)),
                Shape("B, h, L, D/h", (B, h, Q, d)),
                Shape("B, L, h, D/h", (B, Q, h, d)),
                Shape("B, L, D", (B, Q, D)),
            )
        case "output" if headed:
            return Shape("B, L_q, D", trace.merged.shape), Shape("B, L_q, D", trace.output.shape)
        case "output":
            return cells, Shape("B, L_q, d_v", trace.output.shape)
