"""Reads a PNG or JPEG file of the user's into the 8-bit RGB image that a model gets.

The file is untrusted: only a regular file of bounded size is read, its sides are checked before any pixel is decoded,
and whatever the decoder raises becomes one message.
"""

import hashlib
import io
import warnings
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import torch

from attnviz.definitions.text import Text, listed
from attnviz.engine import memory
from attnviz.engine.machine import RunError
from attnviz.experiment.files.plain_files import open_plain, size_of
from attnviz.log import first_line

MOST_FILE = 64 << 20
"""The most bytes of a file."""
MOST_SIDE, MOST_PIXELS = 16_384, 40_000_000
"""The most pixels on a side, and in all."""
_FORMATS = ("PNG", "JPEG")
_BYTES_OF_A_PIXEL = 24
"""Of a pixel while it is decoded, converted and resized; 20 measured."""


class Picture(NamedTuple):
    """A decoded image."""

    image: Any
    """Pillow's image, RGB with 8 bits."""
    fingerprint: str
    """A SHA-256 over the file."""
    note: Text
    """How it was converted; empty if it was not."""


def read_picture(path: Path) -> Picture:
    """Return the image in a file, upright, RGB, with 8 bits; transparent parts on white, of an animation the first.

    Raises:
        RunError: there is none, or it is too large or broken.
    """
    try:
        with open_plain(path) as file:
            if size_of(file) > MOST_FILE:
                values = {"file": path.name, "size": memory.readable(size_of(file)), "most": memory.readable(MOST_FILE)}
                raise RunError("image_too_large", "the image {file} has {size}; at most {most}", **values)
            content = file.read(size_of(file))
    except OSError as error:
        values = {"file": str(path), "why": error.strerror or str(error)}
        raise RunError("image_unreadable", "cannot read the image {file}: {why}", **values) from error
    from PIL import Image, UnidentifiedImageError

    try:
        with warnings.catch_warnings(action="ignore"):  # of sizes, which are checked here
            image = Image.open(io.BytesIO(content), formats=_FORMATS)
            _check_size(path, image.size)
            image, note = _converted(image)
    except (RunError, MemoryError):
        raise
    except Image.DecompressionBombError as error:
        raise _too_many_pixels(path, Text("far more")) from error
    except UnidentifiedImageError as error:
        values = {"file": path.name, "formats": " or ".join(_FORMATS)}
        raise RunError("image_unreadable", "{file} is no {formats} image; choose one that is", **values) from error
    except Exception as error:  # Pillow's decoders raise errors of any kind
        sentence = "the image {file} is broken: {why}; choose another one, or save it again"
        raise RunError("image_broken", sentence, file=path.name, why=first_line(error)) from error
    return Picture(image, hashlib.sha256(content).hexdigest(), note)


def _check_size(path: Path, size: tuple[int, int]) -> None:
    width, height = size
    if max(size) > MOST_SIDE or width * height > MOST_PIXELS:
        raise _too_many_pixels(path, Text("{width} × {height}", {"width": width, "height": height}))
    needed = width * height * _BYTES_OF_A_PIXEL
    memory.require(needed, torch.device("cpu"), Text("a smaller image needs less"))


def _too_many_pixels(path: Path, size: Text) -> RunError:
    sentence = (
        "the image {file} has {size} pixels; at most {side} on a side and {most} million in all are read; "
        "nearest: a smaller copy of it"
    )
    return RunError(
        "image_too_large", sentence, file=path.name, size=size, side=MOST_SIDE, most=MOST_PIXELS // 1_000_000
    )


def _converted(image: Any) -> tuple[Any, Text]:
    """Return an opened image as RGB, and what was changed."""
    from PIL import Image, ImageOps

    notes: list[Text] = []
    if getattr(image, "n_frames", 1) > 1:
        notes.append(Text("Only the first frame of the animation is read."))
    image.load()
    if image.mode.startswith("I"):  # Pillow would clip numbers above 255
        grey = np.asarray(image, np.int64)
        image = Image.fromarray((np.clip(grey, 0, 65535) >> 8).astype(np.uint8))
        notes.append(Text("16 bits of grey are read as 8."))
    turned = ImageOps.exif_transpose(image)
    if turned is not None and turned.size != image.size:
        notes.append(Text("The image is turned upright, as its file says."))
    image = image if turned is None else turned
    if "A" in image.getbands() or image.info.get("transparency") is not None:
        image = image.convert("RGBA")
        white = Image.new("RGBA", image.size, (255, 255, 255, 255))
        image = Image.alpha_composite(white, image)
        notes.append(Text("Transparent parts are white."))
    if image.mode == "CMYK":
        notes.append(Text("CMYK is converted to RGB, without its colour profile."))
    return image.convert("RGB"), listed(notes, "{first} {rest}")
