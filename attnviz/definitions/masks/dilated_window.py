"""A dilated sliding window (Beltagy et al. 2020, "Longformer"): as many keys as a window, over a longer distance."""

from typing import Any

from attnviz.definitions.functions.formula import Array, Functions
from attnviz.definitions.knobs import NumberKnob
from attnviz.definitions.masks.mask import ITSELF, Mask, MaskCode


def _allows(knobs: Any, b: Array, h: Array, i: Array, j: Array, xp: Functions) -> Array:
    dilation = knobs["dilation"]
    reach = knobs["window"] * dilation
    # Remainders of queries and keys take no memory; those of their distances would take 8 bytes for each cell.
    return (j < i + reach) & (j > i - reach) & (i % dilation == j % dilation)


DILATED_WINDOW = Mask(
    name="dilated_window",
    title="Dilated window",
    help="Query i attends to the keys a multiple of the dilation away, less than window steps, so that few keys cover "
    "a long distance.",
    knobs=(
        NumberKnob(
            name="window",
            title="Window",
            help="Keys are less than this many steps away, in both directions; 1 is the query's own.",
            default=3,
            least=1,
            greatest=16_384,
        ),
        NumberKnob(
            name="dilation",
            title="Dilation",
            help="The length of a step in tokens; 1 is a sliding window.",
            default=2,
            least=1,
            greatest=16_384,
        ),
    ),
    allows=_allows,
    reason="outside the dilated window",
    formula=r"|i - j| \in \{{0,\ {dilation},\ \ldots,\ {dilation} \cdot ({window} - 1)\}}",
    spoken="i and j are less than {window} steps of {dilation} apart",
    words="dilated window",
    code=lambda knobs: MaskCode(
        values={"dilated_window": knobs["window"], "dilation": knobs["dilation"]},
        rule="((i - j).abs() < dilated_window * dilation) & ((i - j) % dilation == 0)",
    ),
    keeps=lambda knobs: frozenset({ITSELF}),
    scratch=1,
)
