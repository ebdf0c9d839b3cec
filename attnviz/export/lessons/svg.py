"""Figures and formulas as inline SVG of a page: without duplicate names, in the colours of both palettes."""

import re
from functools import lru_cache
from itertools import count

from attnviz.export.lessons.content import LessonFigure
from attnviz.palette import DARK, LIGHT

_BEFORE = re.compile(r"^.*?(?=<svg)", re.DOTALL)
_METADATA = re.compile(r"<metadata>.*?</metadata>", re.DOTALL)
_SPACES = re.compile(r"\s+xmlns(:\w+)?=\"[^\"]*\"")
_NAME = re.compile(r' id="([^"]*)"')
_USED = re.compile(r'(?<=href="#)[^"]*(?=")|(?<=url\(#)[^)]*(?=\))')
_COLOURED = re.compile(r"#[0-9a-fA-F]{6}\b|data:image/png;base64,[^\"]*")
_IMAGE = re.compile(r"<image\b[^>]*>")


class Drawings:
    """Provides the figures of one page, with unique names, and the colours that they use."""

    def __init__(self) -> None:
        self._numbers = count()
        self._pairs: dict[tuple[str, str], str] = {}

    def figure(self, picture: LessonFigure, width_cm: float) -> str:
        """Return a figure whose colours are those of the reader's palette."""
        number = next(self._numbers)
        both = [_inline(picture.drawn("svg", theme=theme, width_cm=width_cm), number) for theme in ("light", "dark")]
        if _COLOURED.sub("", both[0]) == _COLOURED.sub("", both[1]):
            dark = iter(_COLOURED.findall(both[1]))
            svg = _COLOURED.sub(lambda match: self._pair(match[0], next(dark)), both[0])
            return _IMAGE.sub(_twice, svg)
        dark_one = _inline(picture.drawn("svg", theme="dark", width_cm=width_cm), next(self._numbers))
        return f'<div class="light">{both[0]}</div><div class="dark">{dark_one}</div>'

    def _pair(self, light: str, dark: str) -> str:
        if light.startswith("data:"):
            return f"{light} {dark}"
        return light if light == dark else f"var({self._pairs.setdefault((light, dark), f'--c{len(self._pairs)}')})"

    @property
    def light(self) -> str:
        """The colours of the light palette as properties of CSS."""
        return _properties(LIGHT) + "".join(f"{name}:{light};" for (light, _), name in self._pairs.items())

    @property
    def dark(self) -> str:
        """The colours of the dark palette."""
        return _properties(DARK) + "".join(f"{name}:{dark};" for (_, dark), name in self._pairs.items())


_PROPERTIES = (
    *("window", "panel", "field", "line", "edge", "text", "muted", "faint", "accent", "on_accent", "accent_soft"),
    *("danger", "danger_soft", "right_soft"),
)


def _properties(theme: object) -> str:
    return "".join(f"--{name.replace('_', '-')}:{getattr(theme, name)};" for name in _PROPERTIES)


def _twice(image: re.Match[str]) -> str:
    """Return an image of both palettes as two, of which the page shows one."""
    match = re.search(r'href="(data:[^" ]*) (data:[^"]*)"', image[0])
    if match is None:
        return image[0]
    if match[1] == match[2]:
        return image[0].replace(f" {match[2]}", "")
    of_each = (image[0].replace(f"{match[1]} {match[2]}", data) for data in (match[1], match[2]))
    return "".join(
        one.replace("<image", f'<image class="{name}"') for one, name in zip(of_each, ("light", "dark"), strict=True)
    )


def _inline(content: bytes, number: int) -> str:
    """Return an SVG file as an element of a page: referenced names get a number as prefix, others are removed."""
    svg = _SPACES.sub("", _METADATA.sub("", _BEFORE.sub("", content.decode())))
    used = dict.fromkeys(_USED.findall(svg))
    names = {name: f"f{number}-{index}" for index, name in enumerate(used)}
    svg = _NAME.sub(lambda match: f' id="{names[match[1]]}"' if match[1] in names else "", svg)
    svg = _USED.sub(lambda match: names[match[0]], svg)
    svg = re.sub(r'(<svg\b[^>]*?) width="[^"]*"', r"\1", re.sub(r'(<svg\b[^>]*?) height="[^"]*"', r"\1", svg, count=1))
    return re.sub(r"\s*\n\s*", "\n", svg).replace("<svg", '<svg aria-hidden="true"', 1)


@lru_cache(maxsize=256)
def formula(latex: str, *, displayed: bool = False) -> str:
    """Return a formula in the colour and size of the text around it; as text if ziamath is missing.

    Raises:
        ValueError: it is not one.
    """
    from attnviz.definitions.text import Refused, quoted
    from attnviz.export.formulas import drawn

    size = 16
    try:
        svg, below = drawn(latex, "currentColor", size, inline=not displayed)
    except Exception as error:  # a library of its own kind: whatever a formula may break
        raise Refused("the formula {latex} cannot be set: {why}", latex=quoted(latex), why=str(error)) from error
    for name in ("width", "height"):
        svg = re.sub(
            rf'(<svg\b[^>]*? {name}=")([0-9.]+)"',
            lambda match: f'{match[1]}{float(match[2]) / size:.3f}em"',
            svg,
            count=1,
        )
    return _SPACES.sub("", svg).replace("<svg", f'<svg style="vertical-align:{below / size:.3f}em"', 1)
