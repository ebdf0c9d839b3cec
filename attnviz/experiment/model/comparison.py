"""Comparison of two runs of the model lab: which of their tokens are compared, and where these differ."""

from collections.abc import Sequence

from attnviz.definitions.counting import SCREEN
from attnviz.definitions.text import Text
from attnviz.experiment.layers.comparison import Aligned
from attnviz.experiment.model.trace import ModelTrace


def _continue_one_text(a: ModelTrace, b: ModelTrace) -> bool:
    """Return whether both are continuations of the same tokens, or one is and the other only reads these."""
    prompts = [trace.read.ids[: len(trace.read) - trace.step] for trace in (a, b)]
    return prompts[0] == prompts[1] and not (a.generated is None and b.generated is None)


def _first_different(a: Sequence[str], b: Sequence[str]) -> int | None:
    """Return the first position with different tokens in both, if there is one."""
    return next((at for at, (ours, theirs) in enumerate(zip(b, a, strict=False)) if ours != theirs), None)


def aligned(a: ModelTrace, b: ModelTrace, names: Sequence[str], names_b: Sequence[str]) -> Aligned:
    """Return the queries and keys that are compared.

    Texts of one length are compared position by position, and so is the common length of two continuations of a text.
    Of other texts the common beginning is compared. In cross-attention that is so for the queries; the keys are those
    of another text. The names are those of the shown tokens of A and B.
    """
    if len(names) == len(names_b):
        return Aligned()
    shorter = min(len(names), len(names_b))
    different = None if _continue_one_text(a, b) else _first_different(names, names_b)
    count = shorter if different is None else different
    return Aligned(count, None if a.crosses or b.crosses else count)


def alignment_said(a: ModelTrace, b: ModelTrace, names: Sequence[str], names_b: Sequence[str]) -> tuple[Text, ...]:
    """Return which new tokens are on screen, where the tokens first differ, and which are hatched."""
    count, different = aligned(a, b, names, names_b).queries, _first_different(names, names_b)
    continued, said = _continue_one_text(a, b), []
    if a.generated is not None and b.generated is not None and a.step != b.step:
        said.append(Text("New token: {a} → {b}", {"a": a.step + 1, "b": b.step + 1}))
    if different is not None and (continued or (count is None and a.spec.text == b.spec.text)):
        words = {"place": SCREEN.number(different), "a": names[different], "b": names_b[different]}
        said.append(Text("The first token that differs is token {place}: “{a}” in A, “{b}” in B.", words))
    if count is None:
        return tuple(said)
    if continued:
        said.append(Text("Both have {count} tokens; those after are hatched.", {"count": count}))
    elif count:
        said.append(
            Text(
                "The first {count} tokens of both texts are the same; those after are hatched.",
                {"count": count},
                "The first token of both texts is the same; those after are hatched.",
            )
        )
    else:
        said.append(Text("The texts begin with different tokens."))
    return tuple(said)
