"""The record of a scoring mechanism.

Shape letters: B batch, h heads, Q queries, K keys, d features of a query.
"""

import dataclasses
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from string import Formatter
from typing import Any, Literal

from attnviz.definitions.functions.formula import Functions
from attnviz.definitions.knobs import NumberKnob
from attnviz.definitions.legal import Legal, divisors, multiples
from attnviz.definitions.score_steps.divide import ROOT, TEMPERATURE
from attnviz.definitions.score_steps.step import ScoreStep
from attnviz.definitions.text import English

Arrays = Mapping[str, Any]
"""Parameters by name, as stored in ``nn.Linear``."""
Scores = Callable[[Any, Any, Arrays, Functions], Any]
"""From q (B, h, Q, d), k (B, h, K, ·), the parameters and an array library's functions (``xp["tanh"]``) to an array."""


@dataclass(frozen=True, slots=True)
class Parameter:
    """One ``nn.Linear``. Its sizes are names of the spec's sizes, or numbers."""

    name: str
    """In traces and files: "W_q"; its bias is "b_q"."""
    out_size: str | int
    in_size: str | int
    of: Literal["queries", "keys", "values", "heads", ""] = ""
    """Its input: an input of the module, or the concatenated heads. Empty: it is used by the scores."""
    layer: str = ""
    """Its attribute in the module, if not its name."""
    bias: Literal["never", "chosen", "always"] = "never"
    """Whether it has a bias; "chosen": the spec decides."""
    shared: bool = False
    """Whether heads may share its outputs (grouped-query attention): it then makes those of ``num_kv_heads`` heads."""

    @property
    def attribute(self) -> str:
        """Its attribute in the module."""
        return self.layer or self.name

    @property
    def bias_name(self) -> str:
        """The name of its bias in traces and files."""
        return self.name.replace("W_", "b_")

    @property
    def is_matrix(self) -> bool:
        """Whether a user's file may hold it; a vector is always drawn at random."""
        return 1 not in (self.out_size, self.in_size)

    def shape(self, sizes: Mapping[str, int]) -> tuple[int, int]:
        """Return (out, in) for the sizes of a spec."""
        out_size, in_size = (size if isinstance(size, int) else sizes[size] for size in (self.out_size, self.in_size))
        if self.shared:
            out_size = out_size // sizes["num_heads"] * sizes.get("num_kv_heads", sizes["num_heads"])
        return out_size, in_size

    def has_bias(self, chosen: bool) -> bool:
        """Return whether it has a bias, in a spec that has it on or off."""
        return self.bias == "always" or (self.bias == "chosen" and chosen)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class CellInputs:
    """The inputs of one cell's terms, in float64."""

    q: Any
    """The head's query after its projection, (d,)."""
    k: Any
    features: Any
    """The trace's features of this cell, (H,); None if the mechanism has none."""
    unrotated_q: Any
    """The head's query before its rotation, (d,); without a rotation, as it was split."""
    unrotated_k: Any
    parameters: Arrays
    """The parameters of the scores."""
    xp: Functions


@dataclass(frozen=True, slots=True)
class Column:
    """One column of the table of terms: one number per feature."""

    name: str
    values: Callable[[CellInputs], Any]


PRODUCT: English = "product"
"""The name of a last column that is the product of two others, and has no symbol."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Features:
    """The features of each query-key pair; their dot product with a vector is the score. A stage of its own."""

    name: str
    """The title of their panel: "tanh"."""
    values: Scores
    """(B, h, Q, K, H)."""
    factors: str
    """The parameter (1, H) that they are multiplied by."""
    limit: float
    """Their largest magnitude: the end of the colour scale."""
    latex: str
    spoken: English
    """With ``{d}`` for their number."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Rule:
    """A condition on a spec of this mechanism, besides the limits of each field."""

    field: str
    """The field at which a problem is shown, unless another field of `legal` is being edited."""
    code: str
    text: English
    """The message, with the spec's sizes in braces, and ``{nearest}`` for valid values of `field`."""
    text_in_form: English = ""
    """The same in the words of the form, if replacing the fields' names by their titles does not make a good sentence.
    """
    legal: Mapping[str, Callable[[Any], Legal | None]] = dataclasses.field(default_factory=dict)
    """By field, a function from a spec to the numbers that its other fields allow; None: all."""
    holds: Callable[[Any], bool] | None = None
    """Whether a spec satisfies the rule; if not given, whether the value of `field` is allowed."""
    of_sizes: bool = True
    """Whether it is about sizes, which a user's file overrides."""

    def is_kept(self, spec: Any) -> bool:
        """Return whether a spec, whose fields have values of the right types, satisfies the rule."""
        if self.holds is not None:
            return self.holds(spec)
        numbers = self.legal[self.field](spec)
        return numbers is None or spec.sizes[self.field] in numbers

    def numbers(self, sizes: Mapping[str, int]) -> dict[str, Any]:
        """Return the sizes in the message."""
        names = (name for _, name, *_ in Formatter().parse(self.text))
        return {name: sizes[name] for name in names if name and name != "nearest"}


_SHARED = Rule(
    field="num_hiddens",
    code="not_divisible",
    text="num_hiddens {num_hiddens} is not divisible by num_heads {num_heads}; nearest: {nearest}",
    text_in_form="Hidden size {num_hiddens} is not divisible by {num_heads} heads; nearest: {nearest}",
    legal={"num_hiddens": lambda spec: multiples(spec.num_heads), "num_heads": lambda spec: divisors(spec.num_hiddens)},
    of_sizes=False,
)
"""The rule of every mechanism with heads."""
_IN_GROUPS = Rule(
    field="num_kv_heads",
    code="not_in_groups",
    text="num_heads {num_heads} cannot be divided among num_kv_heads {num_kv_heads}; nearest: {nearest}",
    text_in_form="{num_heads} heads cannot be divided among {num_kv_heads} key-value heads; nearest: {nearest}",
    legal={
        "num_kv_heads": lambda spec: (0, *divisors(spec.num_heads)),
        "num_heads": lambda spec: multiples(spec.num_kv_heads) if spec.num_kv_heads else None,
    },
    of_sizes=False,
)
"""The rule of every mechanism whose heads may share keys and values (Ainslie et al. 2023)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Rotation:
    """A rotation of pairs of features of queries and keys by angles that depend on their positions. A stage."""

    angle: Callable[..., Any]
    """(position, pair, d, the mechanism's options by name) -> radians; position and pair are counted from 0, and are
    numbers, or arrays in float64 that broadcast."""
    tables: Callable[..., Any]
    """From torch, a length, d and the mechanism's options by name: the cosines and sines (L, d) of each feature's angle
    at each position, float64."""
    partner: Callable[[int, int], int]
    """(pair, d) -> the second feature of a pair; the first has the pair's own number."""
    rotated: Callable[[Any, Any, Any, Functions], Any]
    """From x (..., L, d), the cosines and sines of its features' angles (L, d), and an array library's functions."""
    rule: Rule
    """Replaces the rule that the heads divide the hidden size."""
    latex: str
    """With ``{d}`` for the features of a head and ``{half}`` for half of them."""
    spoken: English
    torch: str
    """The name of a function in the exported script, from x (..., L, d) to x rotated."""
    torch_function: str
    """Its definition, above the class."""


@dataclass(frozen=True, kw_only=True)
class Mechanism:
    """One way to score queries against keys, with everything that the app knows about it."""

    name: str
    title: English
    help: English
    description: English
    """In the first line of the exported script: "Dot-product attention"."""

    knobs: tuple[NumberKnob, ...] = ()
    """Its own options. Scores and features get them with the parameters, by name; `latex`, `spoken` and the lines of
    the script are then templates of them."""
    parameters: tuple[Parameter, ...] = ()
    """In the order in which a run draws their random values."""
    scores: Scores | None = None
    """(B, h, Q, K), before the steps; None if the weights are read from a file and nothing is computed."""
    rotation: Rotation | None = None
    """Of queries and keys after they are split into heads, before their scores."""
    features: Features | None = None
    columns: tuple[Column, ...] = ()
    """The terms of a score as a table; the last column is summed."""
    sum_title: English = ""
    """In the inspector: "Σ q · k"."""
    steps: tuple[ScoreStep, ...] = (ROOT, TEMPERATURE)
    """The steps that divide the sum or add to it, in order; the steps common to all mechanisms follow."""
    scratch: Callable[[Mapping[str, int], int], int] = lambda sizes, number: 0
    """(sizes, bytes of a number) -> bytes that a run needs for the scores besides inputs, projections and cells."""

    latex: str = ""
    """The scores before the steps: "\\mathbf{Q}\\mathbf{K}^\\top"."""
    symbol: str = r"\mathbf{S}"
    spoken: English = ""
    score_words: English = ""
    """A plain description of the score of a query and a key, with ``{d}`` for their features: "their dot product".

    Empty: sentences use `sum_title`."""

    fixed: Mapping[str, bool] = field(default_factory=dict)
    """Fields of the spec that this mechanism sets."""
    own_fields: frozenset[str] = frozenset()
    """Fields that are only read by mechanisms that name them here."""
    rules: tuple[Rule, ...] = ()
    """Besides the rule that the heads divide the hidden size."""

    class_name: str = ""
    docstring: str = ""
    """The docstring of the class in the exported script."""
    docstring_of_one_head: str = ""
    """The same for a spec with one head, if it differs."""
    arguments: tuple[str, ...] = ()
    """The sizes that the class takes, in order; empty: those of the parameters."""
    names: Mapping[str, str] = field(default_factory=dict)
    """The argument names in class and script of fields or sizes of the spec, if they differ."""
    torch_init: tuple[str, ...] = ()
    """Further lines of ``__init__`` in the script."""
    torch_lines: tuple[str, ...] = ()
    """Lines of ``forward`` before the scores; ``queries``, ``keys`` and ``values`` are projected and split there."""
    torch_scores: str = ""
    """The expression of the scores before the steps."""
    torch_mask: str = ""
    """The module's own mask in ``forward``; the spec's mask is combined with it."""

    def __post_init__(self) -> None:
        needed = ("columns", "sum_title", "latex", "spoken", "class_name", "torch_scores")
        missing = [name for name in needed if not getattr(self, name)]
        if missing and not self.is_given:
            raise ValueError(f"mechanism {self.name!r} computes scores and has no {', '.join(missing)}")
        projected = {parameter.of for parameter in self.parameters}
        if self.headed and not {"queries", "keys", "values"} <= projected:
            raise ValueError(f"mechanism {self.name!r} has heads, so it must project queries, keys and values")

    @property
    def is_given(self) -> bool:
        """Whether the weights come from a file, so that nothing is computed."""
        return self.scores is None

    @property
    def all_rules(self) -> tuple[Rule, ...]:
        """Every rule, in the order of validation."""
        shared = self.rotation.rule if self.rotation else _SHARED
        return (*((shared,) if self.headed else ()), *((_IN_GROUPS,) if self.shares_keys else ()), *self.rules)

    @cached_property
    def headed(self) -> bool:
        """Whether it has heads: a layer takes them concatenated."""
        return self.output is not None

    @cached_property
    def shares_keys(self) -> bool:
        """Whether its heads may share keys and values."""
        return self.headed and any(parameter.shared for parameter in self.parameters)

    @cached_property
    def output(self) -> Parameter | None:
        """The layer after the heads."""
        return next((parameter for parameter in self.parameters if parameter.of == "heads"), None)

    @property
    def attends_to_itself(self) -> bool:
        """Whether the module takes one tensor as queries, keys and values."""
        return self.fixed.get("self_attention", False)

    @property
    def is_causal(self) -> bool:
        """Whether the module itself masks later keys."""
        return self.fixed.get("causal", False)

    def projection(self, of: str) -> Parameter | None:
        """Return the layer that projects "queries", "keys" or "values"."""
        return next((parameter for parameter in self.parameters if parameter.of == of), None)

    @cached_property
    def reads(self) -> frozenset[str]:
        """The optional fields of the spec that this mechanism has."""
        fields = self.own_fields | {step.field for step in self.steps if step.field}
        fields |= {"num_heads"} if self.headed else set()
        fields |= {"num_kv_heads"} if self.shares_keys else set()
        fields |= {"bias"} if any(parameter.bias == "chosen" for parameter in self.parameters) else set()
        return fields - set(self.fixed)

    @property
    def sizes(self) -> tuple[str, ...]:
        """The sizes of the spec that the class takes, in the order of its constructor."""
        shared = ("num_kv_heads",) if self.shares_keys else ()
        if self.arguments:
            return (*self.arguments, *shared)
        sizes = [size for each in self.parameters for size in (each.out_size, each.in_size) if isinstance(size, str)]
        first, *others = dict.fromkeys(sizes) or ("",)
        return tuple(filter(None, (first, "num_heads" if self.headed else "", *shared, *others)))
