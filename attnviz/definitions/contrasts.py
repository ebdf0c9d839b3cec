"""Contrasts: how the colours of attention weights are stretched where 0 to 1 shows too little.

To add one, add a record. The choice beside the colour bar, figures, the command line, sessions and tests read it there.
"""

from dataclasses import dataclass

from attnviz.definitions.registry import Registry
from attnviz.definitions.text import English


@dataclass(frozen=True, slots=True, kw_only=True)
class Contrast:
    """A colour scale of weights (..., Q, K) other than 0 to 1."""

    name: str
    title: English
    help: English
    figure: English
    """Beside the colour bar of a figure."""
    axes: tuple[int, ...] = ()
    """The scale ends at the largest weight over these axes; empty: where it ends without contrast."""
    decades: int = 0
    """Powers of ten below 1 that a logarithmic scale shows; 0: the scale is linear."""
    leaves_out_first: bool = False
    """Whether the first key is hatched instead of coloured, and the scale ends at the largest weight of the others."""


CONTRASTS: Registry[Contrast] = Registry(
    "contrast",
    (
        Contrast(
            name="head",
            title="Each picture to its largest",
            help="Colours end at the largest weight of each picture, such as a head, instead of 1",
            figure="top: each head's largest",
            axes=(-2, -1),
        ),
        Contrast(
            name="row",
            title="Each row to its largest",
            help="Colours end at the largest weight of each row: a row of many keys is as bright as one of few",
            figure="top: each row's largest",
            axes=(-1,),
        ),
        Contrast(
            name="log",
            title="Logarithmic",
            help="Each power of ten down to 0.0001 takes a quarter of the colours; smaller weights have the lowest",
            figure="logarithmic",
            decades=4,
        ),
        Contrast(
            name="without_first",
            title="Without the first key",
            help="The first key, which often takes most of the weight, is hatched; the colours end at the "
            "largest of the other weights in the picture",
            figure="without the first key",
            axes=(-2, -1),
            leaves_out_first=True,
        ),
    ),
)
