"""A trained model as a folder: the library computes the training's weights from it, and the model lab opens it."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from calling import attnviz as command

import attnviz
from attnviz.definitions.decoder.positions import POSITIONS
from attnviz.definitions.tasks import TASKS
from attnviz.definitions.text import Refused
from attnviz.engine.run import trained_to_end
from attnviz.experiment.labs import make_spec
from attnviz.experiment.run import Failure
from attnviz.experiment.train.trace import TrainTrace
from attnviz.experiment.train.trained import TrainedState, parameter_shapes
from attnviz.export.train.model_folder import FAMILIES, check, probe_text, write_model_folder

SMALL = {"lab": "train", "num_layers": 2, "num_heads": 4, "num_hiddens": 16, "steps": 3}
WITH_FAMILY = [name for name in POSITIONS if any(name in each.positions for each in FAMILIES)]


def trained(**values: Any) -> tuple[TrainTrace, TrainedState]:
    """Return the last trace and the state of a short training."""
    found = trained_to_end(make_spec(SMALL | values))
    assert not isinstance(found, Failure)
    trace, state = found
    assert isinstance(trace, TrainTrace)
    assert isinstance(state, TrainedState)
    return trace, state


@pytest.mark.parametrize("positions", WITH_FAMILY)
@pytest.mark.parametrize(
    "values", [{}, {"feed_forward": True, "tied_embedding": True, "dtype": "float64"}], ids=["plain", "whole"]
)
def test_that_transformers_computes_the_weights_and_logits_of_the_training(
    positions: str, values: dict[str, Any], tmp_path: Path
) -> None:
    from transformers import AutoModelForCausalLM

    trace, state = trained(positions=positions, **values)
    assert write_model_folder(state, tmp_path / "new") == 3
    model = AutoModelForCausalLM.from_pretrained(tmp_path / "new", attn_implementation="eager", local_files_only=True)
    with torch.inference_mode():
        output = model(torch.tensor([trace.spec.probe_tokens]), output_attentions=True)
    for layer, weights in zip(trace.layers, output.attentions, strict=True):
        np.testing.assert_allclose(weights, layer.weights, atol=1e-6, rtol=0)
    np.testing.assert_allclose(output.logits[0].softmax(-1), trace.probabilities, atol=1e-6, rtol=0)


@pytest.mark.parametrize("kind", TASKS)
def test_that_the_model_lab_reads_the_sequence_of_every_task(kind: str, tmp_path: Path) -> None:
    trace, state = trained(task={"kind": kind})
    write_model_folder(state, tmp_path / "new")
    text = probe_text(trace.spec)
    opened: Any = attnviz.run({"lab": "model", "folder": str(tmp_path / "new"), "text": text})
    assert opened.read.ids == trace.spec.probe_tokens
    for number, layer in enumerate(trace.layers):
        np.testing.assert_allclose(opened.layer_at(number).weights, layer.weights, atol=1e-6, rtol=0)


def test_that_the_parameters_are_those_of_the_model_in_its_order() -> None:
    for values in ({}, {"feed_forward": True, "positions": "learned"}, {"norm": False, "tied_embedding": True}):
        trace, _ = trained(**values)
        shapes = {name: each.shape for name, each in trace.parameters.items()}
        assert list(shapes.items()) == list(parameter_shapes(trace.spec).items())


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({"positions": "alibi"}, "positions 'alibi' and is otherwise the same; nearest: none, sinusoidal, learned, ro"),
        ({"norm": False}, "without layer norm; nearest: layer norm on"),
    ],
)
def test_that_a_model_of_no_family_is_refused_before_anything_is_written(
    values: dict[str, Any], message: str, tmp_path: Path
) -> None:
    with pytest.raises(Refused, match=message):
        check(make_spec(SMALL | values))
    _, state = trained(**values)
    with pytest.raises(Refused, match=message):
        write_model_folder(state, tmp_path / "new")
    assert not (tmp_path / "new").exists()


def test_that_a_folder_with_files_keeps_them(tmp_path: Path) -> None:
    (tmp_path / "new").mkdir()
    (tmp_path / "new" / "config.json").write_text("mine")
    (tmp_path / "new-2").mkdir()
    _, state = trained()
    with pytest.raises(Refused, match=r"exists and is not empty; nearest: .*new-3"):
        write_model_folder(state, tmp_path / "new")
    assert [each.name for each in (tmp_path / "new").iterdir()] == ["config.json"]
    assert write_model_folder(state, tmp_path / "new-2", step=2) == 3  # the only stored one


def test_that_a_word_without_a_token_is_named_with_those_there_are(tmp_path: Path) -> None:
    _, state = trained()
    write_model_folder(state, tmp_path / "new")
    with pytest.raises(attnviz.RunFailed, match="no token for; it knows 32, such as"):
        attnviz.run({"lab": "model", "folder": str(tmp_path / "new"), "text": "1 2 3"})


def test_that_the_command_line_trains_and_writes_a_folder_or_says_in_one_line_why_not(tmp_path: Path) -> None:
    (tmp_path / "spec.json").write_text(json.dumps(SMALL))
    done = command("run", str(tmp_path / "spec.json"), "--model-folder", str(tmp_path / "new"))
    assert done.code == 0, done.err
    assert json.loads((tmp_path / "new" / "config.json").read_text())["model_type"] == "gpt_neox"
    for spec in (str(tmp_path / "spec.json"), "preset:model-induction"):
        again = command("run", spec, "--model-folder", str(tmp_path / "new"))
        assert again.code == 2
        assert len(again.err.strip().splitlines()) == 1
