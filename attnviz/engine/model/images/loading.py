"""Loads the image side of a validated folder: a vision transformer, or the half of CLIP or SigLIP that reads images."""

from collections.abc import Mapping
from typing import Any

import torch

from attnviz.definitions.text import Text, nearest_word
from attnviz.engine import memory
from attnviz.engine.machine import RunError
from attnviz.engine.model.folder import PREPROCESSOR, Folder, json_object, preprocessor_of
from attnviz.engine.model.images.families import FAMILIES, ImageFamily
from attnviz.engine.model.images.patches import Patches
from attnviz.engine.model.images.preparing import MOST_SIDE, preparation_of, usual
from attnviz.engine.model.loading import (
    Chosen,
    Loaded,
    check_unchanged,
    config_of,
    makers_of,
    transformers,
    with_weights,
)
from attnviz.experiment.run import ShouldStop

_CLASSIFIES = "ForImageClassification"
_USUAL_SIZE = 224
"""The side of the images of families that adapt to any, by the defaults of transformers."""


def load_image_side(folder: Folder, dtype: str, device: torch.device, should_stop: ShouldStop) -> Loaded:
    """Return the image side of a folder, to read images; raises as `attnviz.engine.model.loading.load`."""
    family = _family_of(folder.model_type)
    package = transformers()
    memory.reuse_freed()
    check_unchanged(folder)
    chosen = _chosen(package, family, folder, should_stop)
    of_images = getattr(chosen.config, "vision_config", chosen.config)
    patches = _patches(folder, family, of_images)
    model = with_weights(folder, chosen, dtype, device, should_stop)
    return Loaded(folder, model, patches, chosen.head, chosen.kind, None)


def _family_of(model_type: str) -> ImageFamily:
    """Return the record of a family.

    Raises:
        RunError: its images cannot be read, or a patch does not attend to all others.
    """
    family = FAMILIES.get(model_type)
    if family is None:
        known = ", ".join(name for name, each in FAMILIES.items() if not each.windowed)
        nearest = nearest_word(model_type, FAMILIES, cutoff=0.7) or Text("; nearest: no image")
        sentence = "images are read by the families {known}, not by {family}{nearest}"
        raise RunError("image_family", sentence, family=model_type, known=known, nearest=nearest)
    if family.windowed:
        sentence = (
            "in a model of the family {family} a patch attends only within its window, so no row covers the image; "
            "in Python, {remedy} shows a layer, with the windows as batch items"
        )
        raise RunError("image_windows", sentence, family=model_type, remedy="attnviz.record(model, inputs)")
    return family


def _chosen(package: Any, family: ImageFamily, folder: Folder, should_stop: ShouldStop) -> Chosen:
    """Return the class that reads images: a classifier if one saved the folder, else the model without a head."""
    further = {"num_labels": len(folder.labels)} if folder.labels else {}
    config = config_of(package, folder, should_stop, **further)
    of_images = getattr(config, "vision_config", config)
    for key, value in family.without:
        setattr(of_images, key, value)
    maker = next((each for each in makers_of(folder) if isinstance(each, str) and _CLASSIFIES in each), "")
    skipped = "text_model." if family.side else ""
    if maker and getattr(getattr(package, maker, None), "config_class", None) is type(config):
        return Chosen(getattr(package, maker), "class", "encoder", config, skipped=skipped)
    if family.side:
        return Chosen(getattr(package, family.side), "", "encoder", of_images, skipped=skipped)
    return Chosen(package.MODEL_MAPPING[type(config)], "", "encoder", config)


def _patches(folder: Folder, family: ImageFamily, config: Any) -> Patches:
    """Return what makes tokens of an image, by the folder's settings or the family's defaults."""
    size, patch = _pair(config, "image_size"), _pair(config, "patch_size")
    registers = getattr(config, family.registers, 0) if family.registers else 0
    special = (*family.special, *(f"[REG {number + 1}]" for number in range(registers)))
    usual_size = (min(size[0], _USUAL_SIZE), min(size[1], _USUAL_SIZE)) if family.any_size else size
    content = preprocessor_of(folder.path)
    settings: Mapping[str, Any] = {} if content is None else json_object(content, PREPROCESSOR)
    note = Text()
    if content is None:
        words = {"file": PREPROCESSOR, "family": family.model_type}
        note = Text("The folder has no {file}: the defaults of the family {family} prepare the image.", words)
        preparation = usual(family.defaults, usual_size)
    else:
        preparation = preparation_of(settings, family.defaults, usual_size)
    return Patches(preparation, patch, special, None if family.any_size else size, folder.labels, note)


def _pair(config: Any, key: str) -> tuple[int, int]:
    """Return a height and a width in a configuration.

    Raises:
        RunError: they are not.
    """
    value = getattr(config, key, None)
    match value if isinstance(value, list | tuple) else (value, value):
        case (int(height), int(width)) if 1 <= height <= MOST_SIDE and 1 <= width <= MOST_SIDE:
            return height, width
    values = {"key": key, "file": "config.json", "why": Text("it must be 1 to {most} pixels", {"most": MOST_SIDE})}
    raise RunError("model_config", "{key} in {file}: {why}", **values)
