"""``attnviz sweep --heads``: the table and the figure of all heads, and their refusals."""

import csv
import importlib.util
import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from calling import Said, attnviz

from attnviz.definitions.text import Refused
from attnviz.experiment.files.session import session_from_json
from attnviz.experiment.labs import make_spec
from attnviz.experiment.sweeps.crossing import FAILURE, RUN, crossed
from attnviz.experiment.sweeps.heads import heads_of_rows, picture_of
from attnviz.export.embedded_session import carried_text
from attnviz.export.figures.heads import draw_heads
from attnviz.export.figures.settings import FigureSettings

SPEC = b'{"device": "cpu", "num_hiddens": 20}'


@pytest.fixture(autouse=True)
def _folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def sweep(*arguments: str, spec: bytes = SPEC) -> Said:
    return attnviz("sweep", "-", *arguments, stdin=spec)


def read(name: str) -> list[dict[str, Any]]:
    with open(name, encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


TABLES = [
    "csv",
    "jsonl",
    pytest.param("parquet", marks=pytest.mark.skipif(not importlib.util.find_spec("pyarrow"), reason="no pyarrow")),
]


@pytest.mark.parametrize("kind", TABLES)
def test_that_the_heads_of_a_table_of_any_format_are_written(kind: str) -> None:
    overs = ("--over", "num_heads=1,2,3", "--over", "seed=0:3", "-o", f"t.{kind}")
    said = sweep(*overs, "--heads", "heads.csv", "--heads", "heads.jsonl", "--heads", "heads.pdf")
    assert (said.code, said.out) == (
        0,
        f"wrote heads.csv: 2 heads\nwrote heads.jsonl: 2 heads\nwrote heads.pdf: 2 heads\nwrote t.{kind}: 12 rows\n",
    )
    heads = read("heads.csv")
    assert [(row["name"], row["layer"], row["head"], row["entropy_count"]) for row in heads] == [
        ("1", "", "1", "8"),
        ("2", "", "2", "4"),
    ]
    assert [json.loads(line)["entropy_mean"] for line in Path("heads.jsonl").read_text().splitlines()] == [
        float(row["entropy_mean"]) for row in heads
    ]
    if kind == "csv":
        for row in heads:
            values = [
                float(run[f"entropy_{row['head']}"]) for run in read("t.csv") if run.get(f"entropy_{row['head']}")
            ]
            np.testing.assert_allclose(float(row["entropy_mean"]), np.mean(values), rtol=1e-13)
            np.testing.assert_allclose(float(row["entropy_spread"]), np.std(values, ddof=1), rtol=1e-10)
    later = sweep(*overs, "--heads", "later.csv")
    assert (later.code, Path("later.csv").read_bytes()) == (0, Path("heads.csv").read_bytes()), (
        "the rows are there already"
    )


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("--axes", "entropy"), "--axes 'entropy' must name two measures; nearest: entropy,entropy"),
        (("--axes", "entropi,distance"), "'entropi' is no measure with a number per head; nearest: entropy"),
        (("--axes", "entropy,milliseconds"), "'milliseconds' is no measure with a number per head"),
        (("--colour-by", "colour"), "by role or by layer, not 'colour'"),
        (("--heads", "heads.gif"), "heads.gif: .gif is not among"),
        (("--heads", "there.csv"), "there.csv exists; --force overwrites it"),
    ],
)
def test_that_options_of_heads_are_refused_before_anything_is_run(arguments: tuple[str, ...], said: str) -> None:
    Path("there.csv").touch()
    answer = sweep("--over", "seed=0:3", "-o", "t.csv", "--heads", "heads.csv", *arguments)
    assert answer.code == 2
    assert said in answer.err
    assert not Path("t.csv").exists()


def test_that_measures_of_the_heads_of_different_stacks_make_no_picture() -> None:
    heads = heads_of_rows(crossed(make_spec({"lab": "model"}), [("text", "ab")]), [])
    heads.measures = {
        **heads.measures,
        "cross_entropy": replace(heads.measures["entropy"], name="cross_entropy", stack="cross"),
    }
    with pytest.raises(Refused, match="entropy and cross_entropy are of different heads; nearest: entropy"):
        picture_of(heads, "entropy", "cross_entropy", "role")


def _picture(*, layers: int = 2, count: int = 3) -> Any:
    sweep = crossed(make_spec({"lab": "model"}), [("text", [str(run) for run in range(count)])])
    rows = [
        {
            RUN: run,
            FAILURE: "",
            **{
                f"{name}_{layer + 1}.1": float(run + layer)
                for name in ("entropy", "distance")
                for layer in range(layers)
            },
        }
        | {"role_1.1": "previous", "role_previous_1.1": 0.9}
        for run in range(count)
    ]
    return picture_of(heads_of_rows(sweep, rows), "entropy", "distance", "role")


def test_that_the_figure_has_each_head_at_its_means_with_its_spread_and_its_role() -> None:
    picture = _picture()
    figure = draw_heads(picture, FigureSettings())
    (axes,) = figure.axes
    drawn = {
        (round(float(x), 9), round(float(y), 9))
        for bars in axes.containers
        for x, y in zip(*bars[0].get_data(), strict=True)
    }
    assert drawn == {(1.0, 1.0), (2.0, 2.0)}
    ends = axes.containers[0][2][0].get_segments()[0][:, 0]
    assert ends.tolist() == [0.0, 2.0], "one standard deviation on each side"
    assert [text.get_text() for text in axes.get_legend().get_texts()] == ["Previous token", "no role"]
    assert "3 runs" in figure.texts[-1].get_text()
    assert "(100 %" not in str(picture.told(picture.points[0].heads[0]))
    assert str(picture.told(picture.points[0].heads[0])).startswith(
        "head 1.1 · Previous token in 3 of 3 runs (95 % interval 44 to 100 %) · Entropy"
    )


def test_that_one_run_has_points_without_bars() -> None:
    figure = draw_heads(_picture(count=1), FigureSettings())
    segments = figure.axes[0].containers[0][2][0].get_segments()
    assert np.ptp(segments[0], axis=0).tolist() == [0, 0]


def test_that_a_figure_of_heads_carries_its_spec() -> None:
    assert sweep("--over", "seed=0:1", "-o", "t.csv", "--heads", "heads.png").code == 0
    with Path("heads.png").open("rb") as file:
        session = carried_text(file)
    assert session is not None
    assert session_from_json(session).spec == make_spec(json.loads(SPEC))
