"""The type of a figure for a paper: families, sizes and style; and the note about characters missing from all fonts."""

import math
import unicodedata
import warnings
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from functools import cache, lru_cache
from typing import Any

from attnviz.definitions.text import One, Text
from attnviz.experiment.labs import Trace
from attnviz.export.figures.settings import CM, FigureSettings
from attnviz.folders import CHINESE_FONT, chinese_font
from attnviz.palette import Theme

TYPE, SMALL_TYPE = 7.0, 6.0
"""In points: for titles and labels, and for numbers in cells; both are legible at 8 cm."""
POINT = 1 / 72
LINE_HEIGHT = 1.25

_FURTHER = (
    *(f"Noto Sans {name}" for name in ("CJK SC", "CJK JP", "CJK TC", "CJK HK", "CJK KR", "SC", "JP", "TC", "HK", "KR")),
    "Source Han Sans SC",
    "Source Han Sans",
    "WenQuanYi Micro Hei",
    "WenQuanYi Zen Hei",
    "Microsoft YaHei",
    "Yu Gothic",
    "Malgun Gothic",
    "PingFang SC",
    "Hiragino Sans GB",
    "Hiragino Sans",
    "Apple SD Gothic Neo",
    "Arial Unicode MS",
    "Droid Sans Fallback",
    "Noto Sans Symbols2",
    "Noto Sans Symbols 2",
    "Noto Sans Symbols",
    "Noto Emoji",
    "Segoe UI Symbol",
    "Segoe UI Emoji",
    "Apple Symbols",
    "Symbola",
)
"""System fonts for characters that attnviz's font lacks, in order of preference."""
_NOT_STYLE = ("backend", "interactive", "toolbar", "webagg.", "tk.", "savefig.directory", "figure.raise_window")
"""The prefixes of matplotlib's window settings, which are left to the caller."""


@contextmanager
def figure_style(theme: Theme) -> Iterator[None]:
    """Draw and save with attnviz's type and lines; the caller's settings are restored afterwards."""
    import matplotlib as mpl

    settings: Any = {
        **_defaults(),
        "font.family": families(),
        "font.size": TYPE,
        "text.parse_math": False,  # a dollar sign in a token is literal
        "pdf.fonttype": 42,  # TrueType: the text can be searched, and journals accept it
        "svg.fonttype": "path",  # outlines: the text looks the same without the font
        "svg.hashsalt": "attnviz",
        "text.color": theme.text,
        "axes.labelcolor": theme.muted,
        "axes.edgecolor": theme.muted,
        "xtick.color": theme.muted,
        "ytick.color": theme.muted,
        "axes.linewidth": 0.5,
        "hatch.linewidth": 0.5,
        "lines.linewidth": 1.0,
    }
    with warnings.catch_warnings(), mpl.rc_context(settings):
        # The figure itself has a note about them (`note_missing_glyphs`).
        warnings.filterwarnings("ignore", "Glyph .* missing from", UserWarning)
        yield


@cache
def _defaults() -> dict[str, Any]:
    """Return matplotlib's own settings, since those of a user's file may flip an image or draw a grid over it."""
    import matplotlib as mpl

    return {name: value for name, value in mpl.rcParamsDefault.items() if not name.startswith(_NOT_STYLE)}


@cache
def families() -> list[str]:
    """Return attnviz's font, the fonts of this machine for other characters, and our Chinese one if it has none."""
    from matplotlib.font_manager import findSystemFonts, fontManager

    known = {entry.name for entry in fontManager.ttflist}
    if known.isdisjoint(_FURTHER):  # matplotlib caches the fonts of its first start; one may have been installed since
        for path in findSystemFonts():
            if "CJK" in path:
                fontManager.addfont(path)
        known = {entry.name for entry in fontManager.ttflist}
    further = [name for name in _FURTHER if name in known]
    if not any(_has("中", name) for name in further):
        for file in chinese_font():
            fontManager.addfont(file)
        further += [CHINESE_FONT] if chinese_font() else []
    return ["DejaVu Sans", *further]


def _has(sign: str, family: str) -> bool:
    from matplotlib.font_manager import FontProperties, findfont, get_font

    return bool(get_font(findfont(FontProperties(family=[family]))).get_char_index(ord(sign)))


@lru_cache(4096)  # all frames of an animation have the same labels
def width_of(text: str, size: float = SMALL_TYPE) -> float:
    """Return the width of a text in inches at a font size (points)."""
    from matplotlib.font_manager import FontProperties
    from matplotlib.textpath import TextPath

    if not text.strip():  # matplotlib creates no path for blanks
        return 0.0
    width: float = TextPath((0, 0), text, size=size, prop=FontProperties(family=families())).get_extents().width
    return width * POINT


def without_glyph(texts: Iterable[str]) -> frozenset[str]:
    """Return the characters of texts for which this machine's fonts have no glyph."""
    return frozenset(sign for sign in set().union(*texts) if not _is_there(sign))


@lru_cache(4096)
def _is_there(sign: str) -> bool:
    # Spaces, control characters and variation selectors are invisible anyway.
    if unicodedata.category(sign) in ("Cc", "Cf", "Zs", "Zl", "Zp") or "\ufe00" <= sign <= "\ufe0f":
        return True
    return any(_has(sign, name) for name in families())


def mark_across(figure: Any, text: str, theme: Theme) -> None:
    """Write a warning across a figure, in a band from its lower left corner to the upper right one."""
    width, height = figure.get_size_inches()
    size = min(1.3 * TYPE, TYPE * 0.8 * math.hypot(width, height) / width_of(text, TYPE))
    figure.text(
        0.5,
        0.5,
        text,
        fontsize=size,
        fontweight="bold",
        rotation=math.degrees(math.atan2(height, width)),
        ha="center",
        va="center",
        color=theme.window,
        bbox={"boxstyle": "square,pad=0.4", "facecolor": theme.danger, "edgecolor": "none", "alpha": 0.85},
        zorder=1000,
    )


_ROW, _MARGIN = 0.14, 0.1
"""In inches: the height of the line, and its distance from the left edge of the page."""


def note_missing_glyphs(draw: Callable[[FigureSettings], Any], trace: Trace, settings: FigureSettings) -> Any:
    """Return the drawn figure, with a note at its bottom if characters in it have no glyph."""
    figure = draw(settings)
    lost = without_glyph([settings.caption, settings.tr("weight"), *trace.tokens])  # a word in the figure's language
    count = len(without_glyph(_shown(figure))) if lost else 0
    if not count:
        return figure
    if settings.height_cm is not None:
        try:
            figure = draw(settings.model_copy(update={"height_cm": settings.height_cm - _ROW / CM}))
        except ValueError:  # no room for the note, so the page keeps its requested size
            return figure
    _grow(figure)
    width, height = figure.get_size_inches()
    one: One = "1 sign has no glyph on this machine"
    text = settings.tr(Text("{count} characters have no glyph on this machine", {"count": count}, one))
    size = SMALL_TYPE * min(1.0, (width - 2 * _MARGIN) / width_of(text))
    corner = _MARGIN / width, 0.55 * _ROW / height
    figure.text(*corner, text, fontsize=size, ha="left", va="center", color=settings.palette.muted)
    return figure


def _shown(figure: Any) -> set[str]:
    """Return every character of the texts in a figure."""
    from matplotlib import text

    texts = figure.findobj(text.Text)
    for axes in figure.axes:
        texts += [*axes.get_xticklabels(), *axes.get_yticklabels()]  # matplotlib creates these on demand
    return set().union(*(each.get_text() for each in texts))


def _grow(figure: Any) -> None:
    """Extend a page by the note at its bottom; everything else keeps its size and distance from the top."""
    width, height = figure.get_size_inches()
    for axes in figure.axes:
        left, low, wide, tall = axes.get_position().bounds
        axes.set_position((left, (low * height + _ROW) / (height + _ROW), wide, tall * height / (height + _ROW)))
    for text in figure.texts:
        text.set_y((text.get_position()[1] * height + _ROW) / (height + _ROW))
    figure.set_size_inches(width, height + _ROW)
