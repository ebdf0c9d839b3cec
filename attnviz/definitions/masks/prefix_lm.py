"""The mask of a prefix language model (Liu et al. 2018; Raffel et al. 2020, "T5"): causal, except in the prefix."""

from attnviz.definitions.knobs import NumberKnob
from attnviz.definitions.masks.mask import FIRST, ITSELF, Mask, MaskCode

PREFIX_LM = Mask(
    name="prefix_lm",
    title="Prefix LM",
    help="Every query attends to the first tokens, such as a question, and beyond them causally. Leave Causal off: "
    "masks add up, and with it on the prefix is causal too.",
    knobs=(
        NumberKnob(
            name="length",
            title="Length",
            help="The number of tokens that every query attends to; 0 is a causal mask.",
            default=3,
            least=0,
            greatest=16_384,
        ),
    ),
    allows=lambda knobs, b, h, i, j, xp: (j <= i) | (j < knobs["length"]),
    reason="beyond the prefix of {length}",
    formula=r"j \leq \max(i,\ {length})",
    spoken="j is at most i or {length}",
    words="prefix LM",
    code=lambda knobs: MaskCode(values={"prefix": knobs["length"]}, rule="(j <= i) | (j < prefix)"),
    keeps=lambda knobs: frozenset({FIRST, ITSELF}),
    scratch=1,
)
