"""A sliding window (Beltagy et al. 2020, "Longformer")."""

from attnviz.definitions.masks.mask import ITSELF, Mask, MaskCode

WINDOW = Mask(
    name="window",
    example=4,
    title="Window",
    help="Sliding window: query i attends to keys less than this far away; empty is no window.",
    field="window",
    # Two comparisons take a sixth of the memory and time of the distances, whose absolute value would be a second copy.
    allows=lambda window, b, h, i, j, xp: (j < i + window) & (j > i - window),
    reason="outside the window of {window}",
    numbers=lambda window: {"window": window},
    formula=r"|i - j| < {window}",
    spoken="i and j are less than {window} apart",
    words="window",
    code=lambda window: MaskCode(values={"window": window}, rule="(i - j).abs() < window"),
    keeps=lambda window: frozenset({ITSELF}),
    scratch=1,
)
