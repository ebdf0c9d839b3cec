"""Every text family of the installed transformers: shown as it computes, or refused with the code of the table."""

import re
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import torch
from model_folders import tokenizer, write_json
from text_families import REFUSED, SHOWN, SIZES, UNTRIED, class_of, text_families
from tiny_configs import tiny_config

from attnviz.engine.machine import RunError
from attnviz.engine.model.folder import check
from attnviz.engine.model.images.families import FAMILIES
from attnviz.engine.model.loading import load
from attnviz.engine.model.opened import Opened
from attnviz.engine.model.recording import Recording, record
from attnviz.experiment.run import never_stop
from attnviz.folders import resource_in

CPU = torch.device("cpu")
TEXT = "the cat sat on the mat a dog ran"
_MOST_NUMBERS = 30_000_000


@pytest.fixture(autouse=True)
def quiet() -> Iterator[None]:
    """Keep the notes of transformers about unusual configurations out of the result."""
    with warnings.catch_warnings(action="ignore"):
        yield


def random_model(family: str) -> Any:
    """Return a tiny model of a family; its weights, biases and norms are random."""
    import transformers

    made_by = class_of(family)
    config = tiny_config(transformers.CONFIG_MAPPING[family], **SIZES.get(family, {}))
    with torch.device("meta"):
        count = sum(each.numel() for each in made_by(config).parameters())
    assert count < _MOST_NUMBERS, f"{family} has {count} numbers: give it sizes in the table"
    with torch.random.fork_rng(devices=[]), torch.no_grad():
        torch.random.default_generator.manual_seed(0)
        model = made_by._from_config(config, attn_implementation="eager").eval()
        for parameter in model.parameters():
            if parameter.is_floating_point():
                parameter.add_(torch.randn(parameter.shape).to(parameter.dtype) * 0.05)
    return model


def opened(model: Any, path: Path) -> Opened:
    """Return a model as the lab opens its folder."""
    model.save_pretrained(path)
    write_json(path / "tokenizer.json", tokenizer())
    return Opened(load(check(path), "float32", CPU, never_stop), CPU)


def shown(model: Any, path: Path) -> tuple[Opened, Recording, torch.Tensor]:
    """Return a folder's model as opened, its recording with the comparison, and the token ids that it read."""
    lab = opened(model, path)
    read = lab.read(TEXT, False, never_stop)
    lab.plain(read, lambda *_: None, never_stop)
    ids = torch.tensor([read.ids])
    recording = record(lab.loaded.model, {"input_ids": ids})
    assert recording is not None
    return lab, recording, ids


def check_shown(model: Any, path: Path) -> None:
    """Check that the lab shows the weights and the output that the model itself computes."""
    lab, recording, ids = shown(model, path)
    assert recording.shown
    assert recording.complete
    assert recording.comparison.difference <= 1e-5 * max(1.0, recording.comparison.largest)
    own_weights = weights_of(model, ids, lab.loaded.kind)
    assert len(own_weights) in {0, len(recording.shown)}
    for own, call in zip(own_weights, recording.shown, strict=False):
        torch.testing.assert_close(call.weights(), own, rtol=0, atol=1e-5)


def weights_of(model: Any, ids: torch.Tensor, kind: str) -> list[torch.Tensor]:
    """Return the weights that the model itself puts out, of each layer that attends; none if it puts out none."""
    runs, given = (model.get_encoder(), {}) if kind == "encoder-decoder" else (model, {"use_cache": False})
    if model.config.model_type in FAMILIES:  # of CLIP, its text side
        runs, given = model.text_model, {}
    with torch.no_grad():
        output = runs(input_ids=ids, output_attentions=True, **given)
    found = output.get("attentions") or ()
    weights = [each[0] for each in found if isinstance(each, torch.Tensor) and each.dim() == 4]
    # SqueezeBERT puts out scores, MiniMax the states of its linear attention beside the weights.
    return [each for each in weights if (each >= 0).all() and (each.sum(-1) < 1.001).all()]


@pytest.mark.parametrize("family", SHOWN)
def test_that_a_family_is_shown_as_it_computes(family: str, tmp_path: Path) -> None:
    check_shown(random_model(family), tmp_path)


@pytest.mark.parametrize("family", sorted(REFUSED))
def test_that_a_family_that_cannot_be_shown_is_refused(family: str, tmp_path: Path) -> None:
    model = random_model(family)
    with pytest.raises(RunError) as caught:
        shown(model, tmp_path)
    assert caught.value.code == REFUSED[family]


def test_that_the_table_has_every_text_family_of_transformers_once() -> None:
    assert sorted([*SHOWN, *REFUSED, *UNTRIED]) == sorted(text_families())


@pytest.mark.parametrize("language", ["en", "zh_CN"])
def test_that_the_manual_lists_the_families_of_the_table(language: str) -> None:
    page = resource_in(language, "help/families.md").read_text(encoding="utf-8")
    of_images = [name for name, each in FAMILIES.items() if not each.windowed]
    listed = [re.findall(r"`([\w.-]+)`(?=,|$)", part, re.MULTILINE) for part in re.split(r"(?m)^## ", page)[1:]]
    assert [sorted(each) for each in listed] == [sorted(each) for each in (SHOWN, REFUSED, UNTRIED, of_images)]
