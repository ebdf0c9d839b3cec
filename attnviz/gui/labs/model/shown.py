"""Parts shared by several pages of the model lab: the tokens of a text, and the chosen head."""

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from attnviz.experiment.colours import quantise
from attnviz.experiment.layers.layer import Layer
from attnviz.experiment.model.text import ReadText
from attnviz.experiment.model.trace import ModelTrace
from attnviz.experiment.model.view import ModelViewSettings
from attnviz.gui.layers.heads_view import Picture, weight_line
from attnviz.gui.plots.page import ColourLine
from attnviz.gui.plots.tensors.token_text import ShownToken
from attnviz.gui.widgets.words import translate


def tokens_of(trace: ModelTrace, view: ModelViewSettings, *, by_key: bool = False) -> tuple[ShownToken, ...]:
    """Return the tokens of a trace for the text view: in cross-attention those of the queries, then of the keys.

    ``by_key``: those of the keys come first.
    """
    texts = (trace.read, trace.read_of_keys) if trace.crosses else (trace.read,)
    first, *rest = (_tokens_of(trace, each, view) for each in (reversed(texts) if by_key else texts))
    return first + tuple(replace(token, breaks=not at) for each in rest for at, token in enumerate(each))


def choosing_of(trace: ModelTrace, view: ModelViewSettings, *, by_key: bool = False) -> int:
    """Return the number of tokens that choose the others' colours, if queries and keys are different texts; else 0."""
    return len(view.groups_of(trace.read_of_keys if by_key else trace.read)) if trace.crosses else 0


def _tokens_of(trace: ModelTrace, read: ReadText, view: ModelViewSettings) -> tuple[ShownToken, ...]:
    is_source = not trace.sides or read is trace.sides["encoder"].read
    hidden: set[int] = set(trace.spec.tokens_hidden) if is_source else set()
    new = trace.generated.step if trace.generated is not None and read is trace.written else 0
    found = []
    word: int | None = None
    for group in view.groups_of(read):
        first = group.tokens[0]
        begins = read.word_ids[first] is None or read.word_ids[first] != word
        word = read.word_ids[group.tokens[-1]]
        name = group.name if group.name.strip() else "␣"
        found.append(ShownToken(name, begins, bool(hidden & set(group.tokens)), first >= len(read) - new))
    return tuple(found)


def head_title(trace: ModelTrace, head: int) -> str:
    """Return the title above the picture of a head of the trace's layer: its name, its role if it stands out."""
    said = translate("head {0}").format(trace.name_of_head(head))
    if head in trace.layer.heads_off:
        return translate("{0}, off").format(said)
    role_name = trace.overview.role_name(trace.number, head)
    return said if role_name is None else f"{said}: {translate(role_name)}"


_MANY, _DARK = 96, 0.25
"""Texts with more tokens are shaded by their own largest weight if that is less than the second number."""


@dataclass(frozen=True, slots=True)
class Brightened:
    """The colours of a long text whose weights would all be dark from 0 to 1: up to the largest of a row or column."""

    weights: NDArray[np.floating]
    """(T, T), of the chosen head."""
    mask: NDArray[np.bool_]

    def row(self, query: int) -> tuple[NDArray[np.uint8], float]:
        """Return the levels of a row, and its largest weight."""
        return _stretched(self.weights[query], self.mask[query])

    def column(self, key: int) -> tuple[NDArray[np.uint8], float]:
        """Return the levels of a column, and its largest weight."""
        return _stretched(self.weights[:, key], self.mask[:, key])


def brightened(layer: Layer, head: int, contrast: str) -> Brightened | None:
    """Return the colours of the text of a head; None if these are those of the matrix, as in the colour bar."""
    if contrast or layer.weights.shape[-1] <= _MANY:
        return None
    return Brightened(layer.weights[0, head], layer.mask[0, head])


def _stretched(weights: NDArray[np.floating], mask: NDArray[np.bool_]) -> tuple[NDArray[np.uint8], float]:
    largest = float(np.nanmax(np.where(mask, weights, 0.0)))
    largest = largest if 0 < largest < _DARK else 1.0
    return quantise(weights, mask, 0.0, largest), largest


def line_of_weights(picture: Picture | None) -> ColourLine | None:
    """Return the colour bar of the weights in a picture, if there is one."""
    if picture is None:
        return None
    content = picture.content
    line = weight_line(content.layer, content.view.contrast, picture.weights)
    return line._replace(masked=content.has_masked)
