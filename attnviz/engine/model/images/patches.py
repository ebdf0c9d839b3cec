"""The tokens of an image: its special tokens and its patches, and the names of what a classifier tells apart."""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

from attnviz.definitions.text import Text, listed
from attnviz.engine.machine import RunError
from attnviz.engine.model.images.picture_file import read_picture
from attnviz.engine.model.images.preparing import Preparation
from attnviz.engine.model.tokenizer.tokens import seen
from attnviz.experiment.arrays import read_only
from attnviz.experiment.model.image import SeenImage
from attnviz.experiment.model.text import ReadText, read_image
from attnviz.experiment.run import ShouldStop, never_stop

MOST_PATCHES = 4096
"""The most patches of an image: more weights fit into no memory."""


@dataclass(frozen=True, slots=True)
class Patches:
    """Makes tokens of an image, as `Tokens` does of a text."""

    preparation: Preparation
    patch: tuple[int, int]
    special: tuple[str, ...]
    """The names of the tokens before the patches."""
    size: tuple[int, int] | None
    """The height and width of the images that the model reads; None: any."""
    labels: tuple[str, ...]
    note: Text
    """Whether the family's defaults prepare the image."""
    chat: ClassVar[None] = None
    mask_id: ClassVar[None] = None

    def read(self, path: Path) -> ReadText:
        """Return the tokens of the image in a file.

        Raises:
            RunError: it cannot be read, or the folder prepares it in a way that the model does not take.
        """
        picture = read_picture(path)
        pixels = self.preparation.pixels(picture.image)
        height, width = pixels.shape[:2]
        if self.size is not None and self.size != (height, width):
            values = {"height": height, "width": width, "high": self.size[0], "wide": self.size[1]}
            sentence = (
                "the folder makes an image of {width} × {height} pixels, but its model reads {wide} × {high}; "
                "nearest: an image of {wide} × {high}"
            )
            raise RunError("image_size", sentence, **values)
        rows, columns = height // self.patch[0], width // self.patch[1]
        if not 1 <= rows * columns <= MOST_PATCHES:
            values = {"width": width, "height": height, "count": rows * columns, "most": MOST_PATCHES}
            sentence = "an image of {width} × {height} pixels has {count} patches; it must be 1 to {most}"
            raise RunError("image_size", sentence, **values)
        seen = SeenImage(
            name=path.name,
            pixels=read_only(pixels),
            pixel_values=read_only(self.preparation.values(pixels)),
            rows=rows,
            columns=columns,
            patch=self.patch,
            first=len(self.special),
            by_default=bool(self.note),
            fingerprint=hashlib.sha256(pixels.tobytes() + str(pixels.shape).encode()).hexdigest(),
            note=listed([each for each in (self.note, picture.note) if each], "{first} {rest}"),
        )
        return read_image(seen, self.special)

    @property
    def rows(self) -> int:
        """The number of classes."""
        return len(self.labels)

    def continued(self, read: ReadText, _ids: Sequence[int], _should_stop: ShouldStop = never_stop) -> ReadText:
        """Return the tokens as they are: an image is not continued."""
        return read

    def name(self, number: int) -> str:
        """Return the name of a class."""
        return seen(self.labels[number]) if number < len(self.labels) else f"LABEL_{number}"
