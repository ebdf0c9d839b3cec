"""Vision transformers: the recorded run is the model's own, and the image is prepared as the library does."""

import importlib
from pathlib import Path

import numpy as np
import pytest
import torch
from image_folders import (
    CLASSES,
    PATCH,
    SETTINGS,
    SIDE,
    SPECIAL,
    image_file,
    image_folder,
    labelled,
    random_model,
)
from PIL import Image

from attnviz.engine.run import run_to_end
from attnviz.experiment.model.spec import OWN_IMAGE, ModelSpec
from attnviz.experiment.model.trace import ModelTrace
from attnviz.experiment.run import Failure


def trace_of(folder: Path, image: Path | str, **fields: object) -> ModelTrace:
    trace = run_to_end(ModelSpec(folder=str(folder), image=str(image), **fields))
    assert isinstance(trace, ModelTrace), trace
    return trace


@pytest.fixture
def image(tmp_path: Path) -> Path:
    return image_file(tmp_path / "picture.png")


@pytest.mark.parametrize("name", CLASSES)
def test_that_the_weights_of_an_image_are_the_models_own(tmp_path: Path, image: Path, name: str) -> None:
    folder = image_folder(tmp_path / "folder", name)
    trace = trace_of(folder, image)
    arrays = trace.arrays()
    model = random_model(name)
    side = model if not hasattr(model, "vision_model") or "Classif" in CLASSES[name][0] else model.vision_model
    with torch.inference_mode():
        result = side(torch.tensor(arrays["pixel_values"][None]), output_attentions=True)
    own = torch.cat(result.attentions).numpy()
    assert np.abs(arrays["weights"] - own).max() == 0.0
    assert trace.check.weights_apart == 0.0
    assert not trace.check.unexplained
    assert trace.check.outputs_apart < 1e-5
    special = SPECIAL.get(name, 1)
    count = (SIDE // PATCH) ** 2
    assert len(arrays["tokens"]) == special + count == own.shape[-1]
    assert arrays["tokens"][special] == "row 1, column 1"
    assert arrays["tokens"][special + SIDE // PATCH + 2] == "row 2, column 3"
    assert [*trace.read.special] == [True] * special + [False] * count
    if getattr(result, "logits", None) is not None:
        probabilities = result.logits[0].double().softmax(-1).sort(descending=True).values[:10].numpy()
        assert np.array_equal(arrays["top_probabilities"], probabilities)
    else:
        assert trace.prediction is None


PROCESSORS = {
    "vit": ("ViTImageProcessorPil", SETTINGS),
    "vit, old": ("ViTImageProcessorPil", {"size": SIDE, "resample": 3, "image_mean": [0.1, 0.2, 0.3]}),
    "deit": ("DeiTImageProcessorPil", {"size": {"height": 32, "width": 36}, "crop_size": SIDE}),
    "clip": ("CLIPImageProcessorPil", {"size": {"shortest_edge": 31}, "crop_size": {"height": SIDE, "width": SIDE}}),
    "clip, old": ("CLIPImageProcessorPil", {"size": SIDE, "crop_size": SIDE, "do_normalize": False}),
    "dinov2": ("BitImageProcessorPil", {"size": {"shortest_edge": 20}, "crop_size": SIDE, "resample": 1}),
    "siglip": ("SiglipImageProcessorPil", {"size": {"height": SIDE, "width": SIDE}, "rescale_factor": 0.01}),
    "beit": ("BeitImageProcessorPil", {"do_rescale": False, "size": SIDE, "do_center_crop": False}),
}


@pytest.mark.parametrize("name", PROCESSORS)
@pytest.mark.parametrize("size", [(50, 40), (21, 77)])
def test_that_an_image_is_prepared_as_by_the_librarys_processor(tmp_path: Path, name: str, size) -> None:
    family, _, _ = name.partition(",")
    kind, settings = PROCESSORS[name]
    image = image_file(tmp_path / "picture.png", size)
    modules = {"dinov2": "bit"}.get(family, family)
    module = importlib.import_module(f"transformers.models.{modules}.image_processing_pil_{modules}")
    processor = getattr(module, kind)(**settings)
    own = processor(Image.open(image), return_tensors="np")["pixel_values"][0]
    trace = trace_of(image_folder(tmp_path / "folder", family, settings), image)
    assert np.array_equal(trace.arrays()["pixel_values"], own)
    assert not trace.note


def test_that_without_settings_the_familys_defaults_prepare_and_are_named(tmp_path: Path, image: Path) -> None:
    from transformers.models.clip.image_processing_pil_clip import CLIPImageProcessorPil

    trace = trace_of(image_folder(tmp_path / "folder", "clip", None), image)
    assert "the defaults of the family clip" in str(trace.note)
    assert "image prepared by default" in map(str, trace.facts())
    own = CLIPImageProcessorPil(size={"shortest_edge": SIDE}, crop_size=SIDE)(Image.open(image), return_tensors="np")
    assert np.array_equal(trace.arrays()["pixel_values"], own["pixel_values"][0])


def test_that_classes_have_the_names_of_the_configuration(tmp_path: Path, image: Path) -> None:
    folder = labelled(image_folder(tmp_path / "folder", "deit"), "a cat", "a dog", "a mat")
    trace = trace_of(folder, image)
    assert trace.prediction is not None
    assert sorted(trace.prediction.tokens) == ["a cat", "a dog", "a mat"]
    assert trace.model.head == "class"


def test_that_interventions_act_on_an_image(tmp_path: Path, image: Path) -> None:
    folder = image_folder(tmp_path / "folder", "beit")
    hidden = trace_of(folder, image, tokens_hidden=(3,))
    assert not hidden.arrays()["weights"][:, :, :3, 3].any()
    assert not hidden.arrays()["weights"][:, :, 4:, 3].any()
    off = trace_of(folder, image, heads_off=("2.4",))
    assert off.effect is not None
    assert off.effect.cosine < 1
    assert off.before is not None
    assert off.prediction is not None
    assert not np.array_equal(off.prediction.probabilities, off.before.probabilities)
    sharp = trace_of(folder, image, temperature=0.1)
    assert sharp.arrays()["weights"].max() > off.arrays()["weights"].max()


def test_that_clip_opens_its_text_side_without_an_image(tmp_path: Path) -> None:
    folder = image_folder(tmp_path / "folder", "clip")
    trace = run_to_end(ModelSpec(folder=str(folder), text="the cat sat on the mat"))
    assert isinstance(trace, ModelTrace), trace
    text_model = random_model("clip").text_model
    with torch.inference_mode():
        own = text_model(torch.tensor([trace.read.ids]), output_attentions=True)
    assert np.abs(trace.arrays()["weights"] - torch.cat(own.attentions).numpy()).max() == 0.0
    assert "pixel_values" not in trace.arrays()


def test_that_roles_of_an_order_are_not_measured_for_patches(tmp_path: Path, image: Path) -> None:
    trace = trace_of(image_folder(tmp_path / "folder"), image)
    of = trace.overview.roles
    assert all(np.isnan(of[name].scores).all() for name in ("previous", "induction", "same", "fixed_distance"))
    assert np.isfinite(of["uniform"].scores).all()
    assert np.isfinite(of["first"].scores).all()


def failure_of(**fields: object) -> Failure:
    trace = run_to_end(ModelSpec(**fields))
    assert isinstance(trace, Failure)
    return trace


def test_that_what_cannot_be_read_is_refused_with_a_sentence(tmp_path: Path, image: Path) -> None:
    vit = image_folder(tmp_path / "vit")
    said = str(failure_of(folder=str(vit)).text)
    assert "reads an image, and none is chosen" in said
    assert OWN_IMAGE in said
    assert "not by llama" in str(failure_of(image=str(image)).text)
    swin = tmp_path / "swin"
    swin.mkdir()
    (swin / "config.json").write_text((vit / "config.json").read_text().replace('"vit"', '"swin"'))
    (swin / "model.safetensors").write_bytes((vit / "model.safetensors").read_bytes())
    assert "only within its window" in str(failure_of(folder=str(swin), image=str(image)).text)
    other = image_folder(tmp_path / "other", settings=SETTINGS | {"size": {"height": 30, "width": 30}})
    assert "30 × 30 pixels, but its model reads 28 × 28" in str(failure_of(folder=str(other), image=str(image)).text)
