"""Formulas as SVG: typeset, or as readable text where ziamath or one of its data files is missing."""

import re
from functools import cache
from html import escape
from types import ModuleType
from typing import NamedTuple

from attnviz.log import first_line, note

_SYMBOLS = {
    "alpha": "α", "beta": "β", "gamma": "γ", "lambda": "λ", "mu": "μ", "sigma": "σ", "theta": "θ", "tau": "τ",
    "sum": "Σ", "prod": "Π", "top": "ᵀ", "infty": "∞", "cdot": "·", "times": "×", "odot": "⊙", "otimes": "⊗",
    "le": "≤", "leq": "≤", "ge": "≥", "geq": "≥", "ne": "≠", "approx": "≈", "in": "∈", "to": "→", "dots": "…",
    "ldots": "…", "cdots": "…", "mid": "|", "Vert": "‖", "lVert": "‖", "rVert": "‖", "lfloor": "⌊", "rfloor": "⌋",
    "partial": "∂", "nabla": "∇", "Delta": "Δ", "Phi": "Φ", "phi": "φ", "varepsilon": "ε", "epsilon": "ε", "pi": "π",
    "quad": "  ", "qquad": "   ", "left": "", "right": "", "displaystyle": "", "limits": "", "big": "", "Big": "",
}  # fmt: skip
_GROUP = r"\{([^{}]*)\}"
_RULES = tuple(
    (re.compile(pattern), text)
    for pattern, text in (
        (rf"\\textcolor\s*\{{[^{{}}]*\}}\s*{_GROUP}", r"\1"),
        (rf"\\(?:text|math\w+|operatorname\*?|boldsymbol|bar|hat|tilde|overline|mbox)\s*{_GROUP}", r"\1"),
        (rf"\\[dt]?frac\s*{_GROUP}\s*{_GROUP}", r"(\1)/(\2)"),
        (rf"\\sqrt\s*{_GROUP}", r"√(\1)"),
        (rf"([_^]){_GROUP}", lambda match: f"{match[1]}{match[2] if len(match[2]) == 1 else f'({match[2]})'}"),
    )
)
_NAME = re.compile(r"\\([A-Za-z]+)")
_WIDTH, _WIDE, _HEIGHT, _BASE = 0.62, 1.0, 1.4, 1.05
"""In font sizes: of a character, of a Chinese one, of a line, and of its baseline from the top."""


class Drawn(NamedTuple):
    """A formula as SVG."""

    svg: str
    below: float
    """The y coordinate of its lower edge relative to the baseline, upwards, in the unit of the size."""


def drawn(latex: str, colour: str, size: float, *, inline: bool) -> Drawn:
    """Return a formula; ``inline`` as in a line of text, where limits stand beside their sum.

    It is its own text, which is logged once, if ziamath or a file that it needs is missing.

    Raises:
        Exception: it is not valid LaTeX; ziamath raises several types.
    """
    library = _typesetting()
    if library is not None:
        try:
            drawing = library.typeset(latex, colour, size, inline=inline)
            return Drawn(str(drawing.svg()), float(drawing.getyofst()))
        except (ImportError, OSError) as error:
            _note_once(first_line(error))
    return as_text(latex, colour, size)


def as_text(latex: str, colour: str, size: float) -> Drawn:
    """Return a formula as one line of text."""
    text = readable(latex)
    width = size * sum(_WIDE if sign >= "\u2e80" else _WIDTH for sign in text)
    height = size * _HEIGHT
    svg = (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width:.1f}" height="{height:.1f}" '
        f'viewBox="0 0 {width:.1f} {height:.1f}"><text x="0" y="{size * _BASE:.1f}" font-size="{size:g}" '
        f'font-family="Inter, sans-serif" fill="{escape(colour)}">{escape(text)}</text></svg>'
    )
    return Drawn(svg, size * (_BASE - _HEIGHT))


def readable(latex: str) -> str:
    r"""Return LaTeX as text: ``\frac{a}{\sqrt{d}}`` is (a)/(√(d)). Commands that it does not know keep their names."""
    text = re.sub(r"\\[,;:! ]|~|&", " ", latex.replace(r"\{", "❴").replace(r"\}", "❵").replace(r"\|", "‖"))
    before, text = "", _NAME.sub(lambda match: _SYMBOLS.get(match[1], match[0]), text)
    while text != before:  # from the innermost group outwards
        before = text
        for pattern, replaced in _RULES:
            text = pattern.sub(replaced, text)
    text = re.sub(r"\^(?:\(ᵀ\)|ᵀ)", "ᵀ", text).replace("{", "").replace("}", "").replace("❴", "{").replace("❵", "}")
    return " ".join(text.replace("\\", "").split())


@cache
def _typesetting() -> ModuleType | None:
    """Import ziamath, which takes longer than a frame; return None if it is missing or broken."""
    try:
        from attnviz.export import typesetting
    except Exception as error:  # a font that is missing or broken raises one of many types
        _note_once(first_line(error))
        return None
    return typesetting


@cache
def _note_once(why: str) -> None:
    note(f"formulas are shown as text, because they cannot be typeset: {why}")
