"""Draw the image that comes along: shapes on a plain ground, so that its patches are easy to tell apart.

python packaging/shapes_image.py [FILE]
"""

import sys
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from PIL import Image

SIDE, FINER = 224, 4
GROUND, LIGHT = (226, 232, 240), (250, 250, 252)
RED, BLUE, GREEN, YELLOW, DARK = (214, 69, 65), (52, 101, 196), (46, 150, 92), (240, 190, 50), (45, 52, 64)
Mask = NDArray[np.bool_]


def drawn() -> Image.Image:
    """Return the image: drawn four times as large, and reduced, which smooths the edges."""
    y, x = np.mgrid[: SIDE * FINER, : SIDE * FINER] / FINER
    share = ((x + y) / (2 * SIDE))[..., None]
    pixels = (1 - share) * LIGHT + share * GROUND
    shapes: list[tuple[Mask, tuple[int, int, int]]] = [
        (disc(x, y, 64, 62, 38), RED),
        ((abs(x - 162) < 34) & (abs(y - 58) < 34), BLUE),
        ((y < 196) & (y - 128 > 1.7 * abs(x - 60)), GREEN),
        (disc(x, y, 160, 162, 40) & ~disc(x, y, 160, 162, 22), YELLOW),
        (disc(x, y, 160, 162, 8), DARK),
        (disc(x, y, 112, 112, 7), DARK),  # the same dot once more
        (abs(y - 212) < 3, DARK),
    ]
    for where, colour in shapes:
        pixels[where] = colour
    blocks = pixels.reshape(SIDE, FINER, SIDE, FINER, 3).mean(axis=(1, 3))
    return Image.fromarray(np.round(blocks).astype(np.uint8))


def disc(x: NDArray[np.float64], y: NDArray[np.float64], across: float, down: float, radius: float) -> Mask:
    """Return where a disc is."""
    inside: Mask = (x - across) ** 2 + (y - down) ** 2 < radius**2
    return inside


if __name__ == "__main__":
    own = Path(__file__).parent.parent / "resources" / "images" / "shapes.png"
    drawn().save(Path(sys.argv[1]) if len(sys.argv) > 1 else own, optimize=True)
