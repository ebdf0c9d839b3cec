"""Sets LaTeX with ziamath; a character that its font lacks, as every Chinese one, is text of the picture.

Import this in a function: ziamath takes longer to import than a frame.
"""

from collections.abc import Callable
from typing import Any
from xml.etree.ElementTree import Element

import ziamath
from ziafont.fonttypes import BBox
from ziafont.glyph import SimpleGlyph
from ziamath.zmath import loadedfonts

_RISE = 0.88
"""How far a Chinese character stands above the line of writing, of its height."""


class _Elsewhere(SimpleGlyph):
    """A character of another font, which whatever shows the picture chooses; a Chinese one is as wide as it is high."""

    def __init__(self, char: str, font: Any) -> None:
        em = font.info.layout.unitsperem
        super().__init__(0, (), BBox(0, em, (_RISE - 1) * em, _RISE * em), font)
        self._char, self._em = char, em

    def advance(self, nextchr: SimpleGlyph | None = None) -> int:
        del nextchr
        return int(self._em)

    def place(self, x: float, y: float, point_size: float) -> Element:
        places = {"x": f"{x:.3f}", "y": f"{y:.3f}", "font-size": f"{point_size:.3f}", "font-family": "sans-serif"}
        found = Element("text", places)
        found.text = self._char
        return found


def _with_text(find: Callable[..., SimpleGlyph], font: Any) -> Callable[..., SimpleGlyph]:
    def findglyph(char: str, variant: Any) -> SimpleGlyph:
        found = find(char, variant)
        return found if found.index else _Elsewhere(char, font)  # 0 is the empty box

    return findglyph


ziamath.config.svg2 = False  # Qt draws SVG 1.1
_FONT: Any = loadedfonts["default"]
_FONT.findglyph = _with_text(_FONT.findglyph, _FONT)


def typeset(latex: str, colour: str, size: float, *, inline: bool) -> ziamath.Latex:
    """Return a formula that was set; ``inline`` as in a line of text, where limits stand beside their sum.

    Raises:
        Exception: it is not one; ziamath has several for that.
    """
    return ziamath.Latex(latex, size=size, color=colour, inline=inline)
