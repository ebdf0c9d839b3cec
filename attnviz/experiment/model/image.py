"""An image as a vision transformer reads it: prepared pixels, and the patches that are its tokens."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from attnviz.definitions.text import Text


@dataclass(frozen=True, slots=True, eq=False)
class SeenImage:
    """A prepared image. Shape letters: H height, W width in pixels."""

    name: str
    """The name of its file."""
    pixels: NDArray[np.uint8]
    """(H, W, 3), resized and cropped, before the numbers are normalised."""
    pixel_values: NDArray[np.float32]
    """(3, H, W), as fed to the model."""
    rows: int
    columns: int
    """The numbers of patches."""
    patch: tuple[int, int]
    """The height and width of a patch in pixels; pixels beyond the last whole patch are in none."""
    first: int
    """The position of the first patch: the special tokens precede it."""
    fingerprint: str
    """A SHA-256 over the prepared pixels."""
    by_default: bool = False
    """Whether the family's defaults have prepared it, for lack of the folder's own settings."""
    note: Text = Text()  # noqa: RUF009 - frozen
    """How the file was converted or prepared, if a reader needs to know."""

    @property
    def patches(self) -> range:
        """The positions of the patches."""
        return range(self.first, self.first + self.rows * self.columns)

    def place(self, position: int) -> tuple[int, int] | None:
        """Return the row and column of a token's patch, from 0; None for a special token."""
        return divmod(position - self.first, self.columns) if position in self.patches else None
