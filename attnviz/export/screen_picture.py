"""A picture of the window as a file: its pixels and the session that they show."""

import base64
import io
from typing import Any

import numpy as np
from numpy.typing import NDArray

from attnviz.experiment.session import Session
from attnviz.export.embedded_session import into_svg, png_text

Pixels = NDArray[np.uint8]
"""(height, width, 4): red, green, blue, opacity."""

_POINTS_PER_INCH = 96


def screen_png(pixels: Pixels, scale: int, session: Session) -> bytes:
    """Return a PNG with the session; ``scale`` is the number of pixels per logical pixel."""
    from PIL import Image

    opaque = bool((pixels[..., 3] == 255).all())
    image = Image.fromarray(np.ascontiguousarray(pixels[..., :3] if opaque else pixels))
    dpi = _POINTS_PER_INCH * scale
    file = io.BytesIO()
    options: dict[str, Any] = {"pnginfo": png_text(session), "dpi": (dpi, dpi)}
    image.save(file, format="PNG", **options)
    return file.getvalue()


def pixels_in(png: bytes) -> Pixels:
    """Return the pixels of a PNG made by `screen_png`."""
    from PIL import Image

    with Image.open(io.BytesIO(png), formats=("PNG",)) as image:
        return np.asarray(image.convert("RGBA"))


def screen_svg(pixels: Pixels, scale: int, session: Session) -> bytes:
    """Return an SVG of the screen's size that embeds the pixels, since widgets have no vector form."""
    height, width = (size / scale for size in pixels.shape[:2])
    data = base64.b64encode(screen_png(pixels, scale, session)).decode()
    svg = (
        '<?xml version="1.0" encoding="utf-8"?>\n'
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width:g}" height="{height:g}"'
        f' viewBox="0 0 {width:g} {height:g}">\n'
        f'<image width="{width:g}" height="{height:g}" href="data:image/png;base64,{data}"/>\n</svg>\n'
    )
    return into_svg(svg, session).encode()
