"""Tokens that no token attends to; they keep their own rows."""

from collections.abc import Collection
from typing import Any

import numpy as np

from attnviz.definitions.counting import SCREEN
from attnviz.definitions.masks.of_layers import HIDDEN
from attnviz.definitions.text import Text
from attnviz.experiment.model.interventions.intervention import At, Forbids, InScript, Intervention, Undo, few


def _allowed(tokens: Collection[int], at: At) -> Any:
    if at.kind == "decoder":  # its own tokens are others
        return None
    allowed = np.ones((1, 1, at.keys), bool)
    allowed[..., [token for token in tokens if token < at.keys]] = False  # others are generated later
    return allowed


TOKENS_HIDDEN = Intervention(
    prepared=lambda spec, run: spec.tokens_hidden,
    effect=Forbids(_allowed, HIDDEN, lambda tokens, cells: tokens),
    heads=lambda tokens: (),
    tokens=lambda tokens: tokens,
    reads_b=False,
    said=lambda spec, name: Text("hidden: {tokens}", {"tokens": few([name(token) for token in spec.tokens_hidden])}),
    undo=Undo(
        Text("Hide tokens {tokens}", one="Hide token {tokens}"),
        Text("Show tokens {tokens} again", one="Show token {tokens} again"),
        lambda tokens: {"tokens": ", ".join(str(SCREEN.number(token)) for token in sorted(tokens))},
    ),
    script=InScript(
        lambda spec: {"tokens_hidden": list(spec.tokens_hidden)}, "", "allowed[..., tokens_hidden] = False", ""
    ),
)
