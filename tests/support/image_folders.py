"""Folders with tiny random vision transformers, and images. Their weights are random and mean nothing."""

import json
from pathlib import Path
from typing import Any

import numpy as np
from model_folders import tokenizer, write_json
from PIL import Image
from tiny_configs import tiny_config

from attnviz.engine.model.loading import transformers

SIDE, PATCH = 28, 7
_SIZES = {"image_size": SIDE, "patch_size": PATCH, "num_channels": 3}
_STAGES: dict[str, Any] = {"out_features": None, "out_indices": None}
"""Those of the defaults are of as many layers as these have."""
_BOTH: dict[str, Any] = {"vision_config": _SIZES, "projection_dim": 16}
CLASSES: dict[str, tuple[str, dict[str, Any]]] = {
    "vit": ("ViTModel", _SIZES),
    "vit_classes": ("ViTForImageClassification", _SIZES | {"num_labels": 12}),
    "deit": ("DeiTForImageClassificationWithTeacher", _SIZES | {"num_labels": 3}),
    "dinov2": ("Dinov2Model", _SIZES | _STAGES),
    "dinov2_with_registers": (
        "Dinov2WithRegistersForImageClassification",
        _SIZES | _STAGES | {"num_register_tokens": 4},
    ),
    "beit": ("BeitForImageClassification", _SIZES | _STAGES | {"num_labels": 5, "use_relative_position_bias": True}),
    "beit_shared": ("BeitModel", _SIZES | _STAGES | {"use_shared_relative_position_bias": True}),
    "data2vec-vision": ("Data2VecVisionModel", _SIZES | {"use_relative_position_bias": True}),
    "vit_msn": ("ViTMSNModel", _SIZES),
    "ijepa": ("IJepaModel", _SIZES),
    "clip": ("CLIPModel", _BOTH),
    "clip_vision_model": ("CLIPVisionModel", _SIZES),
    "metaclip_2": ("MetaClip2Model", _BOTH),
    "siglip": ("SiglipModel", {"vision_config": _SIZES}),
    "siglip_classes": ("SiglipForImageClassification", {"vision_config": _SIZES, "num_labels": 4}),
    "siglip_vision_model": ("SiglipVisionModel", _SIZES),
}
"""The class of each family, and its differences from a tiny configuration."""
SPECIAL = {
    "deit": 2,
    "dinov2_with_registers": 5,
    "ijepa": 0,
    "siglip": 0,
    "siglip_classes": 0,
    "siglip_vision_model": 0,
}
"""The numbers of tokens before the patches, where they are not 1."""
SETTINGS = {
    "do_resize": True,
    "size": {"height": SIDE, "width": SIDE},
    "resample": 2,
    "do_normalize": True,
    "image_mean": [0.5, 0.5, 0.5],
    "image_std": [0.5, 0.5, 0.5],
}
"""The content of a preprocessor_config.json."""


def random_model(name: str, **changed: Any) -> Any:
    """Return a tiny model of `CLASSES` with random weights from a fixed seed."""
    import torch

    kind, sizes = CLASSES[name]
    model_class = getattr(transformers(), kind)
    config = tiny_config(model_class.config_class, **sizes | changed)
    with torch.random.fork_rng(devices=[]):
        torch.random.default_generator.manual_seed(1)
        model = model_class._from_config(config, attn_implementation="eager").eval()
        for parameter in model.parameters():
            parameter.data.add_(torch.randn(parameter.shape) * 0.1)  # biases of 0 and norms of 1 hide mistakes
    return model


def image_folder(path: Path, name: str = "vit", settings: dict[str, Any] | None = SETTINGS, **changed: Any) -> Path:
    """Write a folder with a tiny random model, and how its images are prepared; one with text has a tokenizer."""
    model = random_model(name, **changed)
    model.save_pretrained(path)
    if settings is not None:
        write_json(path / "preprocessor_config.json", settings)
    if hasattr(model.config, "text_config"):
        write_json(path / "tokenizer.json", tokenizer())
    return path


def labelled(path: Path, *labels: str) -> Path:
    """Write the names of classes into a folder's configuration."""
    config = json.loads((path / "config.json").read_text())
    config["id2label"] = {str(number): label for number, label in enumerate(labels)}
    write_json(path / "config.json", config)
    return path


def image_file(path: Path, size: tuple[int, int] = (50, 40), mode: str = "RGB", **parts: Any) -> Path:
    """Write an image of random pixels, width and height in pixels."""
    generator = np.random.default_rng(size[0] * 1000 + size[1])
    pixels = generator.integers(0, 256, (size[1], size[0], 3), dtype=np.uint8)
    Image.fromarray(pixels).convert(mode).save(path, **parts)
    return path
