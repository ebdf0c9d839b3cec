"""Figures, tables and sweeps of an encoder-decoder show the side that is asked for."""

import csv
import json
from pathlib import Path

import numpy as np
import pytest
from calling import attnviz as command
from model_families import FAMILIES, tiny
from model_folders import written

from attnviz.engine.run import run_to_end
from attnviz.experiment.model.scalars import scalars_of
from attnviz.experiment.model.spec import ModelSpec
from attnviz.experiment.model.trace import ModelTrace
from attnviz.experiment.scalars import numbers_of

SPEC = {"lab": "model", "text": "the dog ran on a mat .", "target": "the cat sat"}


@pytest.fixture(scope="module", name="spec_file")
def _spec_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("sides")
    folder = written(path / "model", tiny(FAMILIES["bart"]))
    (path / "spec.json").write_text(json.dumps(SPEC | {"folder": str(folder)}), encoding="utf-8")
    return path / "spec.json"


def test_that_a_table_has_the_cells_of_the_side_that_is_asked_for(spec_file: Path, tmp_path: Path) -> None:
    said = command("export", str(spec_file), "-o", str(tmp_path / "x.csv"), "--side", "cross")
    assert said.code == 0, said.err
    rows = list(csv.DictReader((tmp_path / "x.csv").open(encoding="utf-8")))
    assert {row["head"] for row in rows} == {f"cross 1.{head}" for head in range(1, 5)}
    trace = run_to_end(ModelSpec.model_validate(json.loads(spec_file.read_text(encoding="utf-8"))), side="cross")
    assert isinstance(trace, ModelTrace)
    weights = np.array([float(row["weight"]) for row in rows]).reshape(trace.weights.shape[1:])
    assert np.allclose(weights, trace.weights[0], rtol=1e-6)


def test_that_a_side_that_is_not_there_is_refused_in_one_line(spec_file: Path, tmp_path: Path) -> None:
    out = ("-o", str(tmp_path / "x.png"))
    said = command("export", str(spec_file), *out, "--side", "crss")
    assert (said.code, said.err.strip()) == (
        2,
        "attnviz: side 'crss' must be one of encoder, decoder, cross; nearest: cross",
    )
    said = command("export", "preset:model-induction", *out, "--side", "cross")
    assert said.code == 2
    assert "has no side cross" in said.err
    assert "has no sides" in command("export", "preset:kernel-learned", *out, "--side", "cross").err


def test_that_the_numbers_of_a_sweep_are_of_all_sides(spec_file: Path) -> None:
    spec = ModelSpec.model_validate(json.loads(spec_file.read_text(encoding="utf-8")))
    trace = run_to_end(spec)
    assert isinstance(trace, ModelTrace)
    numbers = numbers_of(trace, scalars_of(spec))
    for side in ("decoder", "cross"):
        own = trace.sides[side].overview().of("entropy")
        assert numbers[f"{side}_entropy_2.3"] == own[1, 2]
    assert "cross_previous" not in numbers
    assert not any("cross" in each.name for each in scalars_of(ModelSpec()))
