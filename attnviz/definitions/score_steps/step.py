"""The record of a score step, from the product of query and key to the weight."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, NamedTuple

from attnviz.definitions.functions.formula import Functions
from attnviz.definitions.knobs import NumberKnob
from attnviz.definitions.text import English


class Place(NamedTuple):
    """The position at which a step acts."""

    d: int
    """The features of a query."""
    head: Any = 0
    query: Any = 0
    """The position of the query, or an array of positions; likewise of the key."""
    key: Any = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class ScoreStep:
    """One step. Module, cell, formula, sentence and script are built from the active steps, in order.

    The texts are templates of `numbers`.
    """

    name: str
    """In specs and files; it never changes."""
    does: Literal["vectors", "divide", "add", "change", "share", "weigh"]
    """Change each query and key of a head by `apply` before it is rotated; divide the scores, add to them, or change
    each by `apply`; modify the softmax (``share``), or replace it (``weigh``)."""
    line: English
    """In the inspector and in sentences: "÷ √{d}"; behind "their dot product", of ``vectors``."""
    amount: Callable[[Any, Place, Functions], Any]
    """(spec, place, xp) -> the number that it divides by or adds, or that ``share`` and ``weigh`` take; of the
    others, what `apply` takes, such as the numbers of its knobs.

    What is added may differ between heads, queries and keys, and broadcasts to (Q, K) for arrays of places, for which
    ``xp`` has the functions.
    """
    latex: str
    """The divisor; the bias, with its sign; the result for a vector ``{x}``; else a template with ``{scores}``."""
    spoken: English
    """What is said behind the scores, with the punctuation before it; of ``weigh`` what is said around ``{scores}``."""
    torch: str = "{code}"
    """In the exported script, from ``scores``: the divisor; else the expression of the new scores or of the weights; of
    ``vectors`` the name of a function, from x (..., L, d) to what becomes of it, computed at least in float32.

    A template that also has ``{heads}``, the number of heads, and ``{code}``: `apply`, the divisor, or the sum with
    `amount`, as torch code. It may use ``queries`` and ``keys``, and what is added is made at least in float32, then in
    the format of the scores.
    """
    flex: Callable[[Any], tuple[str, Mapping[str, Any]]] | None = None
    """For a spec, the expression of the new score in a ``score_mod`` of FlexAttention, from ``score``, ``h``, ``q_idx``
    and ``kv_idx``, and the numbers or tuples of numbers that it reads, by name; tuples become tensors.

    None: it is written from `apply` and `amount`, of such indices. It is for ``add`` and ``change`` alone."""
    apply: Callable[[Any, Any, Functions], Any] | None = None
    """(scores, amount, xp) -> the changed scores, or for ``share`` and ``weigh`` the weights of masked scores; or
    from vectors x (..., L, d), at least in float32, to the changed vectors."""
    acts: Callable[[Any], bool] | None = None
    """Whether a spec has this step; None: if ``score_steps`` of the spec name it."""
    field: str = ""
    """The field of the spec that controls it; it has no effect in a mechanism without this step."""
    numbers: Callable[[Any, Place], Mapping[str, Any]] | None = None
    """The numbers of the texts; None: its options."""
    torch_function: str = ""
    """The definition of a function that the expression calls, above the class; a template of `numbers` and ``{code}``,
    which is made from ``scores``, or of ``vectors`` from ``wide``."""
    title: English = ""
    """In forms, for a step that ``score_steps`` sets; likewise the following."""
    help: English = ""
    knobs: tuple[NumberKnob, ...] = ()
    stage: "StepStage | None" = None
    """The stage that shows the changed scores; None: those of the stage before or after it. For ``vectors`` it is
    required, and shows queries and keys before and after."""
    weights: "RowWeights | None" = None
    """What ``weigh`` makes of a row; required there."""
    needs_run: bool = False
    """Whether only a run can apply it, so that a cell's number is the layer's."""
    copies: int = 0
    """The number of further values that a run holds for each cell, or for each feature of the queries and keys."""

    def __post_init__(self) -> None:
        if self.does == "vectors" and "{code}" in self.torch:
            raise ValueError(f"step {self.name} changes vectors, so torch must be the name of its torch_function")
        if self.does == "weigh" and self.weights is None:
            raise ValueError(f"step {self.name} replaces the softmax, so it needs weights")

    def is_in(self, spec: Any) -> bool:
        """Return whether a spec has this step."""
        return self.name in getattr(spec, "score_steps", ()) if self.acts is None else self.acts(spec)

    def values(self, spec: Any, place: Place) -> Mapping[str, Any]:
        """Return the numbers of the texts."""
        return dict(spec.score_steps[self.name]) if self.numbers is None else self.numbers(spec, place)

    def applied(self, scores: Any, amount: Any, xp: Functions) -> Any:
        """Return the scores after this step, or for ``share`` and ``weigh`` the weights."""
        if self.apply is not None:
            return self.apply(scores, amount, xp)
        return scores / amount if self.does == "divide" else scores + amount


@dataclass(frozen=True, slots=True, kw_only=True)
class StepStage:
    """The stage of a step that changes the vectors, or the scores before the mask, and its texts."""

    name: str
    """In files, view settings and flags, and the name of its tensor (B, h, Q, K)."""
    title: English
    """In the strip."""
    of_cell: English
    """The sentence about a cell: a template of ``{query}``, ``{key}``, ``{before}``, ``{after}`` and the numbers.

    For vectors these are the norms of the query, and ``{key_before}``, ``{key_after}`` those of the key."""
    of_row: English
    """The sentence about a row, with ``{count}`` keys, of which ``{key}`` has the largest score ``{before}``.

    For vectors ``{count}`` is the number of features."""
    heading: English = ""
    """The title of a picture of scores."""
    number: English = ""
    """The name of one number there."""
    before: str = ""
    """The name of queries and keys before it in files: "unnormed"."""


@dataclass(frozen=True, slots=True)
class RowLine:
    """One line of a cell's arithmetic between the mask and the weight, of a step that replaces the softmax."""

    line: English
    """A template of ``{count}``."""
    number: Callable[[Any, Any, int, Functions], float] = field(kw_only=True)
    """(amount, masked scores (K,) of the row, key, xp) -> its number; that of the last line is the weight."""
    count: Callable[[Any, Functions], int] = field(default=lambda row, xp: len(row), kw_only=True)
    """(masked scores of the row, xp) -> ``{count}``; by default the number of keys."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RowWeights:
    """What a step that replaces the softmax makes of a row of masked scores."""

    lines: tuple[RowLine, ...]
    """The arithmetic of a cell."""
    sums_to_one: bool = True
    """Whether a row sums to 1, as with the softmax; else each weight depends on its score alone, and masked ones are 0
    in an empty row too, whatever the policy."""


def scored(scores: Any, steps: Iterable[tuple[ScoreStep, Any]], xp: Functions) -> Any:
    """Return scores after steps with their amounts; the divisors are one product, and divide once."""
    divisor = 1.0
    for step, amount in steps:
        if step.does == "divide":
            divisor *= amount
            continue
        if divisor != 1.0:
            scores, divisor = xp["divide"](scores, divisor), 1.0
        scores = step.applied(scores, amount, xp)
    return scores if divisor == 1.0 else xp["divide"](scores, divisor)
