"""The families of vision transformers: the special tokens before the patches, and how their images are prepared.

To add a family, add a record here: its class is found by transformers, and the test of all families reads this table.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

_STANDARD = (0.5, 0.5, 0.5), (0.5, 0.5, 0.5)
_CLIP = (0.48145466, 0.4578275, 0.40821073), (0.26862954, 0.26130258, 0.27577711)
_BILINEAR, _BICUBIC = 2, 3
"""Pillow's numbers of ways to resize, which the folders use too."""


@dataclass(frozen=True, slots=True)
class Defaults:
    """The settings of a family's image processor in transformers, for a folder without its own."""

    resample: int
    mean_and_std: tuple[tuple[float, ...], tuple[float, ...]]
    crops: bool = False
    """Whether the centre of the resized image is cut out."""
    larger: float = 1.0
    """How much larger than the cropped image the resized one is."""
    square: bool = True
    """Whether a size that is a single number is that of a square, else of the shorter edge."""


_VIT = Defaults(_BILINEAR, _STANDARD)
_DEIT = Defaults(_BICUBIC, _STANDARD, crops=True, larger=256 / 224)
_BIT = Defaults(_BICUBIC, _CLIP, crops=True, square=False)
_BEIT = Defaults(_BICUBIC, _STANDARD)
_SIGLIP = Defaults(_BICUBIC, _STANDARD, square=False)


@dataclass(frozen=True, slots=True)
class ImageFamily:
    """A family of models that read images."""

    model_type: str
    """As transformers names it."""
    defaults: Defaults = _VIT
    special: tuple[str, ...] = ("[CLS]",)
    """The tokens before the patches."""
    registers: str = ""
    """The key of the number of registers, which follow these."""
    side: str = ""
    """The class of the image side, of a family that reads images and text."""
    text_side: str = ""
    """The class of its text side."""
    any_size: bool = False
    """Whether the model adapts its positions to images of other sizes."""
    windowed: bool = False
    """Whether a patch attends within its window only."""
    without: tuple[tuple[str, Any], ...] = ()
    """Settings that leave out a part after the last hidden state."""


_POOLED = (("vision_use_head", False),)
FAMILIES: Mapping[str, ImageFamily] = {
    each.model_type: each
    for each in (
        ImageFamily("vit"),
        ImageFamily("deit", _DEIT, ("[CLS]", "[DIST]")),
        ImageFamily("dinov2", _BIT, any_size=True),
        ImageFamily("dinov2_with_registers", _BIT, registers="num_register_tokens", any_size=True),
        ImageFamily("beit", _BEIT),
        ImageFamily("data2vec-vision", _BEIT),
        ImageFamily("vit_msn"),
        ImageFamily("ijepa", special=()),
        ImageFamily("clip", _BIT, side="CLIPVisionModel", text_side="CLIPTextModel"),
        ImageFamily("clip_vision_model", _BIT),
        ImageFamily("metaclip_2", _BIT, side="MetaClip2VisionModel", text_side="MetaClip2TextModel"),
        ImageFamily("siglip", _SIGLIP, (), side="SiglipVisionModel", text_side="SiglipTextModel", without=_POOLED),
        ImageFamily("siglip_vision_model", _SIGLIP, (), without=_POOLED),
        ImageFamily("swin", windowed=True),
        ImageFamily("swinv2", windowed=True),
    )
}
"""By the names of transformers."""
