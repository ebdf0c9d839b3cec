"""The picture of a fresh start: what is stored is what the run gives, and a file that is not that is not used."""

import importlib.util
import sys
import warnings
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest

from attnviz.definitions.labs import FIRST_LAB
from attnviz.experiment.attention.trace import AttentionTrace
from attnviz.experiment.files.first_picture import NAME, first_picture, made_on, write_first_picture
from attnviz.experiment.files.specs_in_files import opening_session
from attnviz.experiment.labs import make_spec
from attnviz.experiment.run import run_time
from attnviz.folders import resource

SPEC = opening_session(FIRST_LAB).spec
ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="module")
def script() -> ModuleType:
    """Return `packaging/first_picture.py`."""
    spec = importlib.util.spec_from_file_location("first_picture_script", ROOT / "packaging/first_picture.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="module")
def anew(script: ModuleType) -> Any:
    """Return the trace of the opening preset, made anew."""
    return script.first_trace()


@pytest.fixture
def stored() -> AttentionTrace:
    """Return the trace of the file that comes along."""
    found = first_picture(SPEC)
    assert isinstance(found, AttentionTrace), f"{NAME} is of another preset or version: packaging/first_picture.py"
    return found


def test_that_the_stored_picture_is_that_of_the_run_bit_for_bit_where_it_was_made(
    stored: AttentionTrace, anew: AttentionTrace, script: ModuleType
) -> None:
    theirs, ours = stored.arrays(), anew.arrays()
    here = made_on() == script.this_machine()  # another processor, or release of torch, may sum in another order
    assert list(theirs) == list(ours)
    for name, array in ours.items():
        assert theirs[name].dtype == array.dtype
        np.testing.assert_allclose(theirs[name], array, rtol=0 if here else 1e-4, atol=0 if here else 1e-5)


def test_that_all_else_of_the_stored_picture_is_that_of_the_run_but_its_time(
    stored: AttentionTrace, anew: AttentionTrace
) -> None:
    shared = [name for name in vars(anew.layer) if not isinstance(getattr(anew.layer, name), np.ndarray)]
    shared = [name for name in shared if name != "parameters" and not name.startswith("_")]
    assert {name: getattr(stored.layer, name) for name in shared} == {
        name: getattr(anew.layer, name) for name in shared
    }
    assert stored.masks_differ == anew.masks_differ
    assert np.abs(stored.levels().astype(int) - anew.levels().astype(int)).max() <= 1  # on another processor
    assert [text.template for text in anew.facts()] == [*(each.template for each in stored.facts()), "run {ms} ms"]
    with pytest.raises(ValueError, match="read-only"):
        stored.weights[:] = 0


def test_that_a_picture_of_another_spec_or_version_is_not_used(
    stored: AttentionTrace, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert first_picture(make_spec({**SPEC.model_dump(), "seed": 4})) is None
    assert first_picture(opening_session("train").spec) is None
    write_first_picture(stored, tmp_path / NAME, "here")
    assert first_picture(SPEC, tmp_path / NAME) is not None
    assert made_on(tmp_path / NAME) == "here"
    monkeypatch.setattr("attnviz.__version__", "0.0.1")
    assert first_picture(SPEC, tmp_path / NAME) is None


def test_that_a_spoilt_or_missing_file_is_passed_over_without_a_word(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    whole = resource(NAME).read_bytes()
    assert first_picture(SPEC, tmp_path / NAME) is None
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for at in range(0, len(whole), len(whole) // 40):
            (tmp_path / NAME).write_bytes(whole[:at])
            assert first_picture(SPEC, tmp_path / NAME) is None
            flipped = whole[:at] + bytes([whole[at] ^ 0xFF]) + whole[at + 1 :]
            (tmp_path / NAME).write_bytes(flipped)
            found = first_picture(SPEC, tmp_path / NAME)  # a bit that means nothing, such as a date, may differ
            assert found is None or np.array_equal(found.weights, first_picture(SPEC).weights)  # type: ignore[union-attr]
    assert capfd.readouterr() == ("", "")


def test_that_a_file_with_other_shapes_or_without_an_array_is_not_used(stored: AttentionTrace, tmp_path: Path) -> None:
    with np.load(resource(NAME)) as file:
        arrays = dict(file)
    for name in sorted(arrays.keys() - {"b_q"}):
        np.savez(tmp_path / NAME, **{other: array for other, array in arrays.items() if other != name})
        assert name.startswith("W_") or first_picture(SPEC, tmp_path / NAME) is None
    np.savez(tmp_path / NAME, **arrays | {"weights": arrays["weights"][..., :4]})
    assert first_picture(SPEC, tmp_path / NAME) is None


def test_that_the_file_is_small() -> None:
    assert resource(NAME).stat().st_size < 100_000


def test_that_a_run_of_ten_seconds_and_more_is_said_in_seconds() -> None:
    assert [str(run_time(took)) for took in (9999.0, 43196.0)] == ["run 9999.0 ms", "run 43.2 s"]
