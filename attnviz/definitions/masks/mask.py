"""The record of a mask: one rule about the keys that a query may attend to."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from attnviz.definitions.functions.formula import Array, Functions
from attnviz.definitions.knobs import NumberKnob
from attnviz.definitions.text import English

FIRST, ITSELF = "first", "itself"
"""Keys that a rule may always allow: key 0, and key i for query i."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MaskCode:
    """A mask in PyTorch: ``lines``, then ``rule``, an expression that is True where query i may attend to key j.

    There, ``b``, ``h``, ``i`` and ``j`` are index tensors of batch items, heads, queries and keys that broadcast to the
    scores; ``i`` is (queries, 1), ``j`` is (keys,). Only a mask that is `per_item` or `per_head` has ``b`` or ``h``.
    """

    rule: str
    values: Mapping[str, Any] = field(default_factory=dict)
    """Numbers and (nested) lists of numbers that the script assigns first, by name; lists become tensors."""
    lines: tuple[str, ...] = ()
    flex: str = ""
    """The rule in a ``mask_mod`` of FlexAttention, where ``b``, ``h``, ``q_idx`` and ``kv_idx`` are tensors of one
    number; empty: `rule` with ``i`` and ``j`` renamed."""
    flex_lines: tuple[str, ...] | None = None
    """The lines before it, which may read ``num_queries`` and ``num_kvpairs``; None: `lines`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Mask:
    """One kind of mask. Its functions take its state: its value in the spec.

    ``allows(state, b, h, i, j, xp)`` returns booleans, True = may attend, that broadcast to (items, heads, queries,
    keys) for consecutive items ``b`` (B, 1, 1, 1), heads ``h`` (h, 1, 1), queries ``i`` (Q, 1) and keys ``j`` (K,), all
    of them int32 arrays. A rule that does not use the head has one mask for all heads.
    """

    name: str
    title: English
    help: English
    """One or two sentences for the form."""
    allows: Callable[[Any, Array, Array, Array, Array, Functions], Array]
    reason: English
    """Why a cell is masked, in a few words with `numbers_at` in braces."""
    formula: str
    """The rule in LaTeX, with `numbers` in braces and every other brace doubled."""
    spoken: English
    """The formula for screen readers, with `numbers` in braces."""
    words: English
    """Its name in the first lines of the exported script."""
    code: Callable[[Any], MaskCode] = lambda state: MaskCode(rule="")
    """Empty for a mask that never occurs in a script."""
    knobs: tuple[NumberKnob, ...] = ()
    """Its options, if the spec has no field of its own for it."""
    example: Any = True
    """A value of its field, for showing its code where none is set; a mask without a field has its options'
    defaults."""
    field: str = ""
    """The field of the spec that sets it; if none, it is set by ``masks: {name: {knob: value}}``."""
    prepare: Callable[[Any], Any] = lambda value: value
    """Makes the state from the spec's value."""
    reason_code: str = ""
    """The code of the reason for programs; empty: the mask's name."""
    numbers: Callable[[Any], Mapping[str, Any]] = lambda state: state if isinstance(state, Mapping) else {}
    """The numbers of the rule; by default its options."""
    numbers_at: Callable[[Any, int, int, int, int], Mapping[str, Any]] | None = None
    """The numbers of the reason at item b, head h, query i, key j, if not `numbers`."""
    keeps: Callable[[Any], frozenset[str]] = lambda state: frozenset()
    """Returns which of `FIRST` and `ITSELF` it allows for every query."""
    per_item: bool = False
    """Whether its rule differs between batch items."""
    per_head: bool = False
    """Whether its rule differs between heads."""
    scratch: int = 0
    """Peak bytes per cell that `allows` needs besides its result."""
    is_in_module: Callable[[Any], bool] = lambda spec: False
    """Whether the module of a spec has this mask built in, so that it is not passed to it."""

    def state(self, spec: Any) -> Any:
        """Return the value of this mask in an attention spec; None if it is off."""
        value = getattr(spec, self.field) if self.field else spec.masks.get(self.name)
        return None if value is None or value is False or value == "" else self.prepare(value)

    @property
    def example_state(self) -> Any:
        """Its state for its `example`."""
        return self.prepare(self.example if self.field else {knob.name: knob.default for knob in self.knobs})

    def reason_numbers(self, state: Any, b: int, h: int, i: int, j: int) -> Mapping[str, Any]:
        """Return the numbers of the reason at item b, head h, query i, key j."""
        return self.numbers(state) if self.numbers_at is None else self.numbers_at(state, b, h, i, j)
