"""Typesets LaTeX with ziamath; characters missing from its font, such as Chinese, become text of the picture.

Import this in a function: importing ziamath takes longer than a frame.
"""

from collections.abc import Callable
from typing import Any
from xml.etree.ElementTree import Element

import ziamath
from ziafont.fonttypes import BBox
from ziafont.glyph import SimpleGlyph
from ziamath.zmath import loadedfonts

_RISE = 0.88
"""The ascent of a Chinese character above the baseline, relative to its height."""


class _Elsewhere(SimpleGlyph):
    """A character from another font, chosen by the viewer of the picture; a Chinese one is as wide as high."""

    def __init__(self, char: str, font: Any) -> None:
        em = font.info.layout.unitsperem
        super().__init__(0, (), BBox(0, em, (_RISE - 1) * em, _RISE * em), font)
        self._char, self._em = char, em

    def advance(self, nextchr: SimpleGlyph | None = None) -> int:
        del nextchr
        return int(self._em)

    def place(self, x: float, y: float, point_size: float) -> Element:
        attributes = {"x": f"{x:.3f}", "y": f"{y:.3f}", "font-size": f"{point_size:.3f}", "font-family": "sans-serif"}
        element = Element("text", attributes)
        element.text = self._char
        return element


def _with_text(find: Callable[..., SimpleGlyph], font: Any) -> Callable[..., SimpleGlyph]:
    def findglyph(char: str, variant: Any) -> SimpleGlyph:
        glyph = find(char, variant)
        return glyph if glyph.index else _Elsewhere(char, font)  # index 0 is the empty box

    return findglyph


ziamath.config.svg2 = False  # Qt draws SVG 1.1
_FONT: Any = loadedfonts["default"]
_FONT.findglyph = _with_text(_FONT.findglyph, _FONT)


def typeset(latex: str, colour: str, size: float, *, inline: bool) -> ziamath.Latex:
    """Return a typeset formula; ``inline`` as in a line of text, where limits stand beside their sum.

    Raises:
        Exception: it is not valid LaTeX; ziamath raises several types.
    """
    return ziamath.Latex(latex, size=size, color=colour, inline=inline)
