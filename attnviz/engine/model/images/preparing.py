"""Prepares an image as a folder's preprocessor_config.json asks: resized, cropped, rescaled and normalised.

The numbers equal those of transformers' image processors with Pillow, which need the same steps in the same precision.
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from attnviz.definitions.text import Text, quoted
from attnviz.engine.machine import RunError
from attnviz.engine.model.images.families import Defaults

FILE = "preprocessor_config.json"
MOST_SIDE = 2048
"""The most pixels on a side of an image that a model gets."""
_WAYS = 6
"""Pillow has as many ways to resize."""


@dataclass(frozen=True, slots=True)
class Preparation:
    """The steps between an RGB image and the model. Sizes are (height, width); None leaves a step out."""

    size: tuple[int, int] | None
    shortest: int | None
    """The length of the shorter edge, in place of a size."""
    resample: int
    crop: tuple[int, int] | None
    factor: float | None
    """That each number is multiplied by."""
    mean: tuple[float, ...] | None
    std: tuple[float, ...]

    def pixels(self, image: Any) -> NDArray[np.uint8]:
        """Return the resized and cropped pixels of Pillow's image, (H, W, 3)."""
        width, height = image.size
        if self.shortest is not None:
            short, long = self.shortest, int(self.shortest * max(image.size) / min(image.size))
            if long > 4 * MOST_SIDE:
                values = {"width": width, "height": height}
                sentence = (
                    "an image of {width} × {height} pixels is too narrow to be resized by its shorter edge; "
                    "nearest: a part of it"
                )
                raise RunError("image_too_large", sentence, **values)
            image = image.resize((short, long) if width <= height else (long, short), self.resample)
        elif self.size is not None:
            image = image.resize(self.size[::-1], self.resample)
        pixels = np.asarray(image, np.uint8)
        return pixels if self.crop is None else _cropped(pixels, *self.crop)

    def values(self, pixels: NDArray[np.uint8]) -> NDArray[np.float32]:
        """Return the numbers that the model gets, (3, H, W)."""
        values: NDArray[np.float32] = pixels.astype(np.float32)
        if self.factor is not None:
            values = np.asarray(pixels.astype(np.float64) * self.factor, np.float32)
        if self.mean is not None:
            mean, std = np.array(self.mean, np.float32), np.array(self.std, np.float32)
            values = np.asarray((values - mean) / std, np.float32)
        return np.ascontiguousarray(values.transpose(2, 0, 1))

    @property
    def made(self) -> tuple[int, int] | None:
        """The size of every image that it makes; None if it depends on the image."""
        return self.crop or self.size


def _cropped(pixels: NDArray[np.uint8], height: int, width: int) -> NDArray[np.uint8]:
    """Return the centre of an image; a smaller one gets black edges."""
    high, wide = pixels.shape[:2]
    taller, wider = max(height, high), max(width, wide)
    top, left = math.ceil((taller - high) / 2), math.ceil((wider - wide) / 2)
    padded = np.zeros((taller, wider, 3), np.uint8)
    padded[top : top + high, left : left + wide] = pixels
    top, left = top + (high - height) // 2, left + (wide - width) // 2
    return np.ascontiguousarray(padded[max(0, top) : top + height, max(0, left) : left + width])


def usual(defaults: Defaults, size: tuple[int, int]) -> Preparation:
    """Return the preparation by a family's defaults for a model that reads images of this size."""
    mean, std = defaults.mean_and_std
    larger = round(size[0] * defaults.larger), round(size[1] * defaults.larger)
    if not defaults.crops:
        return Preparation(size, None, defaults.resample, None, 1 / 255, mean, std)
    to, shortest = (larger, None) if defaults.square else (None, min(larger))
    return Preparation(to, shortest, defaults.resample, size, 1 / 255, mean, std)


def preparation_of(settings: Mapping[str, Any], defaults: Defaults, size: tuple[int, int]) -> Preparation:
    """Return the preparation by the content of a preprocessor_config.json; what it leaves open is the family's default.

    Raises:
        RunError: it asks for something that is not known here.
    """
    default = usual(defaults, size)
    mean, std = default.mean, default.std
    to, shortest = default.size, default.shortest
    if settings.get("size") is not None:
        to, shortest = _size_of("size", settings["size"], square=defaults.square)
    if not _flag(settings, "do_resize", True):
        to = shortest = None
    crop = None
    if _flag(settings, "do_center_crop", defaults.crops):
        crop, edge = default.crop or size, None
        if settings.get("crop_size") is not None:
            crop, edge = _size_of("crop_size", settings["crop_size"], square=True)
        if crop is None or edge is not None:
            raise _unknown("crop_size", settings["crop_size"])
    factor = _number(settings, "rescale_factor", 1 / 255) if _flag(settings, "do_rescale", True) else None
    if _flag(settings, "do_normalize", True):
        mean = _three(settings, "image_mean", mean or ())
        std = _three(settings, "image_std", std)
        if not all(std):
            raise _unknown("image_std", list(std))
    else:
        mean = None
    way = settings.get("resample", defaults.resample)
    if type(way) is not int or not 0 <= way < _WAYS:
        raise _unknown("resample", way)
    for key in ("do_pad", "do_flip_channel_order", "do_thumbnail", "do_align_long_axis"):
        if _flag(settings, key, False):
            raise _unknown(key, True)
    return Preparation(to, shortest, way, crop, factor, mean, std)


def _size_of(key: str, value: Any, *, square: bool) -> tuple[tuple[int, int] | None, int | None]:
    """Return a size, or the length of the shorter edge."""
    match value:
        case int(side) if type(side) is int:
            size, shortest = ((side, side), None) if square else (None, side)
        case {"height": int(height), "width": int(width)}:
            size, shortest = (height, width), None
        case {"shortest_edge": int(side)} if len({name for name, each in value.items() if each is not None}) == 1:
            size, shortest = None, side
        case [int(height), int(width)]:
            size, shortest = (height, width), None
        case _:
            raise _unknown(key, value)
    if not all(1 <= each <= MOST_SIDE for each in (size or (shortest,)) if each is not None):
        raise _unknown(key, value)
    return size, shortest


def _flag(settings: Mapping[str, Any], key: str, default: bool) -> bool:
    value = settings.get(key)
    if value is None:
        return default
    if not isinstance(value, bool):
        raise _unknown(key, value)
    return value


def _number(settings: Mapping[str, Any], key: str, default: float) -> float:
    value = settings.get(key, default)
    if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value):
        raise _unknown(key, value)
    return float(value)


def _three(settings: Mapping[str, Any], key: str, default: tuple[float, ...]) -> tuple[float, ...]:
    value = settings.get(key)
    if value is None:
        return default
    each = value if isinstance(value, list) else [value] * 3
    if len(each) != 3:
        raise _unknown(key, value)
    return tuple(_number({key: one}, key, 0.0) for one in each)


def _unknown(key: str, value: object) -> RunError:
    known = {
        "size": Text("height and width, or shortest_edge, of 1 to {most} pixels", {"most": MOST_SIDE}),
        "crop_size": Text("height and width, of 1 to {most} pixels", {"most": MOST_SIDE}),
        "resample": Text("a number from 0 to 5"),
        "image_mean": Text("a number, or three"),
        "image_std": Text("a number other than 0, or three"),
        "rescale_factor": Text("a number"),
    }
    values = {"file": FILE, "key": key, "value": quoted(value), "known": known.get(key, Text("true or false"))}
    if isinstance(value, bool) and key not in known:
        sentence = "{key} in {file} is true, a step that is not known here; nearest: false"
        return RunError("preprocessor", sentence, **values)
    return RunError("preprocessor", "{key} in {file} is {value}; it must be {known}", **values)
