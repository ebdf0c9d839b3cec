"""A window with global tokens (Beltagy et al. 2020, "Longformer"; Zaheer et al. 2020, "BigBird").

They are an exception to the window, so both are one mask: of two masks a key must be allowed by both.
"""

from attnviz.definitions.knobs import NumberKnob
from attnviz.definitions.masks.mask import FIRST, ITSELF, Mask, MaskCode

GLOBAL_TOKENS = Mask(
    name="global_tokens",
    title="Window with global tokens",
    help="Query i attends to keys less than the window away; the first tokens attend to all keys, and all queries to "
    "them, so that any two tokens are two steps apart.",
    knobs=(
        NumberKnob(
            name="tokens",
            title="Global tokens",
            help="How many of the first tokens are global; 0 is a sliding window.",
            default=1,
            least=0,
            greatest=16_384,
        ),
        NumberKnob(
            name="window",
            title="Window",
            help="Other keys are less than this far away, in both directions.",
            default=2,
            least=1,
            greatest=16_384,
        ),
    ),
    allows=lambda knobs, b, h, i, j, xp: (
        (j < i + knobs["window"]) & (j > i - knobs["window"]) | (i < knobs["tokens"]) | (j < knobs["tokens"])
    ),
    reason="neither near nor global",
    formula=r"|i - j| < {window}\ \text{{or}}\ \min(i,\ j) \leq {tokens}",
    spoken="i and j are less than {window} apart or one of them is at most {tokens}",
    words="window with global tokens",
    code=lambda knobs: MaskCode(
        values={"global_tokens": knobs["tokens"], "local_window": knobs["window"]},
        rule="((i - j).abs() < local_window) | (i < global_tokens) | (j < global_tokens)",
    ),
    keeps=lambda knobs: frozenset({FIRST, ITSELF} if knobs["tokens"] else {ITSELF}),
    scratch=1,
)
