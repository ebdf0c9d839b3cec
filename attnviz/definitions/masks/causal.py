"""The causal mask."""

from attnviz.definitions.masks.mask import FIRST, ITSELF, Mask, MaskCode

CAUSAL = Mask(
    name="causal",
    title="Causal",
    help="No looking ahead: a query attends to the keys up to its own position, counted from the top left.",
    field="causal",
    allows=lambda on, b, h, i, j, xp: j <= i,
    reason="causal",
    formula=r"j \leq i",
    spoken="j is at most i",
    words="causal",
    code=lambda on: MaskCode(rule="j <= i"),
    keeps=lambda on: frozenset({FIRST, ITSELF}),
    is_in_module=lambda spec: spec.mechanism_record.is_causal,
)
