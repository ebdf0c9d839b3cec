import os
import re
import tomllib
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from made_traces import attention_trace, regression_trace

from attnviz.experiment.files.session import Session, session_or_spec_from_json
from attnviz.experiment.labs import Trace
from attnviz.experiment.regression.spec import Overlay
from attnviz.experiment.regression.trace import OverlayCurve
from attnviz.export.document import write_session
from attnviz.export.figures.figure import write_figure
from attnviz.export.figures.settings import FigureSettings
from attnviz.export.numbers import write_long_table, write_npz, write_points

RNG = np.random.default_rng(0)
TRACES: dict[str, Trace] = {
    "attention": attention_trace(RNG.random((2, 3, 4, 5)), mask=RNG.random((2, 3, 4, 5)) > 0.3, scores=-2.5),
    "with rows that are not a number": attention_trace(np.full((1, 1, 2, 2), np.nan)),
    "with dropped weights": attention_trace(RNG.random((1, 2, 3, 4)), training=True, dropout=0.5),
    "regression": regression_trace(RNG.random((4, 5)), y_hat=RNG.random(4), y_truth=[0, 1, np.nan, np.inf]),
    "with overlays": regression_trace(
        RNG.random((4, 5)), curves=(OverlayCurve(Overlay(), np.array([1, np.nan, -0.0, 5e-324]), np.nan, 2.0, None),)
    ),
    "of several heads": regression_trace(
        RNG.random((4, 5)), head_weights=RNG.random((2, 4, 5)), loss=[3], w=[[0.1, -0.0]], w_start=[1, 2]
    ),
    "trained": regression_trace(RNG.random((4, 5)), loss=[3, 2, 1e300], w=[0.1, -0.0, 5e-324], w_start=0.5),
}
EVERY_TRACE = pytest.mark.parametrize("trace", TRACES.values(), ids=TRACES)


def loaded(path: Path) -> dict[str, np.ndarray[Any, Any]]:
    with np.load(path, allow_pickle=False) as file:
        return dict(file)


@EVERY_TRACE
def test_that_a_file_holds_the_very_numbers_of_the_trace(trace: Trace, tmp_path: Path) -> None:
    write_npz(trace, tmp_path / "out.npz")
    found, held = loaded(tmp_path / "out.npz"), trace.arrays()
    assert set(found) == {*held, "spec"}
    for name, array in held.items():
        assert (found[name].dtype, found[name].shape) == (array.dtype, array.shape)
        assert found[name].tobytes() == array.tobytes()


@EVERY_TRACE
def test_that_a_file_holds_the_spec_of_the_trace_as_text(trace: Trace, tmp_path: Path) -> None:
    write_npz(trace, tmp_path / "out.npz")
    spec = loaded(tmp_path / "out.npz")["spec"]
    assert (spec.shape, spec.dtype.kind) == ((), "U")
    assert session_or_spec_from_json(spec.item()).spec == trace.spec


def test_that_a_spec_of_many_tongues_comes_through(tmp_path: Path) -> None:
    inputs = {"kind": "sentence", "text": "注意 — naïve \U0001f600 \0 end"}
    trace = attention_trace(np.ones((1, 1, 7, 7)), num_queries=7, inputs=inputs, self_attention=True)
    write_npz(trace, tmp_path / "out.npz")
    assert session_or_spec_from_json(loaded(tmp_path / "out.npz")["spec"].item()).spec == trace.spec


def test_that_an_array_which_is_a_view_is_written_as_it_looks(tmp_path: Path) -> None:
    weights = RNG.random((5, 4)).T[::-1]
    write_npz(regression_trace(weights), tmp_path / "out.npz")
    assert np.array_equal(loaded(tmp_path / "out.npz")["weights"], weights)


def test_that_the_name_is_taken_as_it_is(tmp_path: Path) -> None:
    write_npz(TRACES["regression"], tmp_path / "numbers.dat")
    assert os.listdir(tmp_path) == ["numbers.dat"]


class CutShortError(Exception):
    """Stands in for a full disk or a crash."""


def cut_short(*_: object, **__: object) -> None:
    raise CutShortError


POINTS = np.arange(3.0)
WRITERS: dict[str, Callable[[Trace, Path], None]] = {
    "npz": write_npz,
    "csv": write_long_table,
    "points.csv": lambda trace, path: write_points(POINTS, POINTS * trace.num_heads, path),
    "attnviz": lambda trace, path: write_session(Session(spec=trace.spec), path),
    "svg": lambda trace, path: write_figure(trace, path, FigureSettings(), session=Session(spec=trace.spec)),
}


@pytest.mark.parametrize("step", ["fsync", "replace"])
@pytest.mark.parametrize("kind", WRITERS)
def test_that_a_write_which_is_cut_short_leaves_the_old_file_whole_and_nothing_beside_it(
    kind: str, step: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path, write = tmp_path / f"out.{kind}", WRITERS[kind]
    write(TRACES["regression"], path)
    before = path.read_bytes()
    monkeypatch.setattr(os, step, cut_short)
    with pytest.raises(CutShortError):
        write(TRACES["trained"], path)
    assert path.read_bytes() == before
    assert os.listdir(tmp_path) == [path.name]


@pytest.mark.parametrize("kind", WRITERS)
def test_that_a_place_which_cannot_be_written_is_an_os_error(kind: str, tmp_path: Path) -> None:
    (tmp_path / f"folder.{kind}").mkdir()
    for path, named in ((tmp_path / "missing" / f"out.{kind}", "missing"), (tmp_path / f"folder.{kind}", "folder")):
        with pytest.raises(OSError, match=named):
            WRITERS[kind](TRACES["regression"], path)
    assert os.listdir(tmp_path) == [f"folder.{kind}"]


def test_that_a_new_file_takes_the_place_of_the_old(tmp_path: Path) -> None:
    path = tmp_path / "out.npz"
    write_npz(TRACES["attention"], path)
    write_npz(TRACES["trained"], path)
    assert set(loaded(path)) == {*TRACES["trained"].arrays(), "spec"}
    assert os.listdir(tmp_path) == ["out.npz"]


def test_that_writing_leaves_the_trace_as_it_was(tmp_path: Path) -> None:
    before = {name: array.tobytes() for name, array in TRACES["attention"].arrays().items()}
    write_npz(TRACES["attention"], tmp_path / "out.npz")
    assert {name: array.tobytes() for name, array in TRACES["attention"].arrays().items()} == before


def oldest_numpy() -> tuple[int, ...]:
    text = (Path(__file__).parents[2] / "pyproject.toml").read_text(encoding="utf-8")
    (wanted,) = (each for each in tomllib.loads(text)["project"]["dependencies"] if each.startswith("numpy"))
    return tuple(map(int, wanted.partition(">=")[2].split(",")[0].split(".")))


def savez_before_2_2(file: Any, *args: Any, **kwds: Any) -> None:
    """Write every keyword as an array: the flag allow_pickle came with NumPy 2.2 (numpy#27335)."""
    arrays = {name: np.asarray(value) for name, value in kwds.items()}
    with zipfile.ZipFile(file, "w") as archive:
        for name, array in arrays.items():
            with archive.open(f"{name}.npy", "w") as entry:
                np.lib.format.write_array(entry, array)


@pytest.mark.skipif(oldest_numpy() >= (2, 2), reason="every NumPy that we promise to work with knows the flag")
def test_that_the_oldest_numpy_we_promise_writes_the_same_names(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(np, "savez", savez_before_2_2)
    write_npz(TRACES["regression"], tmp_path / "out.npz")
    assert set(loaded(tmp_path / "out.npz")) == {*TRACES["regression"].arrays(), "spec"}


@pytest.mark.parametrize(
    ("name", "choice", "sentence"),
    [
        ("attention", {"heads": (3,)}, "head 4 must be in 1..3; nearest: 3"),
        ("attention", {"heads": (-1,)}, "head 0 must be in 1..3; nearest: 1"),
        ("attention", {"heads": ()}, "no head is chosen; nearest: head 1"),
        ("attention", {"item": 7}, "item 7 must be in 0..1; nearest: 1"),
        ("regression", {"item": -1}, "item -1 must be in 0..0; nearest: 0"),
    ],
)
def test_that_a_table_of_what_a_trace_has_not_is_refused_with_the_nearest(
    name: str, choice: dict[str, Any], sentence: str, tmp_path: Path
) -> None:
    with pytest.raises(ValueError, match=re.escape(sentence)):
        write_long_table(TRACES[name], tmp_path / "table.csv", **choice)
    assert os.listdir(tmp_path) == []
