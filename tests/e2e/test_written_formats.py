"""Every registered format after ``-o``: written as what its suffix says, or refused; and what was exported opens."""

import csv
import json
import shutil
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from calling import attnviz
from every_field import BASES, WITHOUT_RUNS

from attnviz.cli.words import WRITES
from attnviz.definitions.formats import FORMATS, Format, formats_for
from attnviz.engine.run import run_to_end
from attnviz.experiment.labs import LABS, Spec, make_spec
from attnviz.export.document import read_document
from attnviz.folders import resource

RUNNABLE = tuple(name for name in LABS if name not in WITHOUT_RUNS)


def small(lab: str) -> Spec:
    return make_spec({"lab": lab} | BASES[lab][-1 if lab == "attention" else 0])


def beginning(path: Path) -> bytes:
    """Return the bytes by which one format is told from another."""
    return path.read_bytes()[:30]


@pytest.mark.usefixtures("elsewhere")
@pytest.mark.parametrize("lab", RUNNABLE)
@pytest.mark.parametrize("form", FORMATS.values(), ids=lambda form: form.name)
def test_that_run_writes_the_format_of_the_suffix_or_refuses_it(form: Format, lab: str) -> None:
    spec = small(lab)
    path, registered = Path(f"made{form.suffix}"), Path(f"registered{form.suffix}")
    said = attnviz("run", "-", "-o", str(path), stdin=spec.model_dump_json().encode())
    if form in formats_for(*WRITES["run"]):
        assert said.code == 0, said
        form.writer("numbers")(run_to_end(spec), registered)
        assert beginning(path) == beginning(registered)
        others = {each.name for each in formats_for(*WRITES["run"]) if each is not form}
        assert not any(beginning(path) == magic(other, spec) for other in others)
    else:
        nearest = f"nearest: made{formats_for('numbers')[0].suffix}"
        assert said.is_one_line(2, f"{form.suffix} is not among", nearest)
        writers = [name for name, outputs in WRITES.items() if not form.writers.keys().isdisjoint(outputs)]
        assert (f"'attnviz {writers[0]}' writes {form.suffix}" in said.err) if writers else "' writes" not in said.err
        assert not path.exists()


def magic(name: str, spec: Spec) -> bytes:
    FORMATS[name].writer("numbers")(run_to_end(spec), Path(f"other.{name}"))
    return beginning(Path(f"other.{name}"))


@pytest.mark.usefixtures("elsewhere")
@pytest.mark.parametrize("form", FORMATS.values(), ids=lambda form: form.name)
@pytest.mark.parametrize("command", ["code", "sweep"])
def test_that_no_other_command_writes_one_format_under_the_name_of_another(command: str, form: Format) -> None:
    more = ("--over", "width=0.5,1") if command == "sweep" else ()
    said = attnviz(command, "preset:kernel-fixed", *more, "-o", f"made{form.suffix}")
    if form in formats_for(*WRITES[command]):
        assert said.code == 0, said
        assert Path(f"made{form.suffix}").stat().st_size
    else:
        assert said.is_one_line(2, f"{form.suffix} is not among", "nearest: made.")
        assert not Path(f"made{form.suffix}").exists()


@pytest.mark.usefixtures("elsewhere")
def test_that_a_screenshot_is_a_png_by_its_name() -> None:
    assert attnviz("--screenshot", "shot.pdf").is_one_line(2, "shot.pdf must end in .png; nearest: shot.png")


@pytest.mark.usefixtures("elsewhere")
@pytest.mark.parametrize("lab", RUNNABLE)
def test_that_exported_arrays_open_as_the_run_that_they_are_of(lab: str) -> None:
    spec = small(lab)
    assert attnviz("run", "-", "-o", "own.npz", stdin=spec.model_dump_json().encode()).code == 0
    assert read_document(Path("own.npz")).spec == spec
    assert attnviz("run", "own.npz", "-o", "again.npz").code == 0
    with np.load("own.npz") as first, np.load("again.npz") as second:
        assert first.files == second.files
        assert [name for name in first.files if first[name].tobytes() != second[name].tobytes()] == []


DATA: dict[str, Any] = {
    "weights.npz": {"weights": np.full((3, 5, 4), 0.25)},
    "inputs.npz": {name: np.ones((5, 8)) for name in ("queries", "keys", "values")},
    "points.csv": "x,y\n1,2\n2,3\n",
}


@pytest.mark.parametrize("name", DATA)
def test_that_a_file_of_data_opens_the_lab_that_takes_it(name: str, elsewhere: Path) -> None:
    if isinstance(DATA[name], str):
        Path(name).write_text(DATA[name])
    else:
        np.savez(name, **DATA[name])
    spec: Any = read_document(Path(name)).spec
    taken = spec.data if spec.lab == "regression" else spec.inputs
    assert taken.path == str(elsewhere / name)
    assert (getattr(spec, "mechanism", "") == "given") == (name == "weights.npz")
    assert attnviz("run", name).code == 0


@pytest.mark.parametrize("named", ["", "config.json", "model.safetensors"])
def test_that_a_folder_opens_the_model_lab_by_any_of_its_names(named: str, elsewhere: Path) -> None:
    shutil.copytree(resource("models") / "induction", "mine")
    spec: Any = read_document(Path("mine", named)).spec
    assert (spec.lab, spec.folder) == ("model", str(elsewhere / "mine"))
    Path("empty").mkdir()
    assert attnviz("run", "empty").is_one_line(2, "empty has no config.json, so it is not a model folder")


@pytest.mark.usefixtures("elsewhere")
def test_that_a_spec_under_a_suffix_of_data_stays_a_spec() -> None:
    Path("spec.txt").write_text(json.dumps({"lab": "attention", "seed": 5}))
    assert read_document(Path("spec.txt")).spec.lab == "attention"
    np.savez("spoilt.npz", spec=np.array("{"))
    assert attnviz("run", "spoilt.npz").is_one_line(2, "the spec in spoilt.npz: this is not JSON")


@pytest.mark.usefixtures("elsewhere")
def test_that_no_token_is_a_formula_of_a_spreadsheet() -> None:
    tokens = np.array(["=1+1", "-5", "@a", "b"])
    np.savez("w.npz", weights=np.eye(4), query_tokens=tokens)
    assert attnviz("run", "w.npz", "-o", "w.csv").code == 0
    with open("w.csv", encoding="utf-8", newline="") as file:
        found = [row["query_token"] for row in csv.DictReader(file)]
    assert list(dict.fromkeys(found)) == ["'=1+1", "-5", "'@a", "b"]
