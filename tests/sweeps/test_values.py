"""What the command line says of a knob's values, and the runs that several knobs make."""

import itertools
import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from attnviz.experiment.files.specs_in_files import preset
from attnviz.experiment.labs import Spec, SpecError, make_spec
from attnviz.experiment.model.spec import ModelSpec
from attnviz.experiment.sweeps.crossing import MOST_RUNS, Crossing, counts_said, crossed, read_crossing
from attnviz.experiment.sweeps.frames import MOST_FRAMES
from attnviz.experiment.train.spec import TrainSpec

HEADED = make_spec({})
SENTENCE = preset("causal-sentence").spec
KERNEL = make_spec({"lab": "regression"})
AVERAGE = make_spec({"lab": "regression", "estimator": "average"})
TRAINED = make_spec({"lab": "train"})


def values(text: str, spec: Spec, seed: int = 0) -> list[object]:
    return list(read_crossing(spec, [text], seed=seed).overs[0].values)


def refusal(*overs: str, spec: Spec = HEADED, paired: bool = False) -> str:
    with pytest.raises(SpecError) as caught:
        read_crossing(spec, overs, paired=paired)
    return str(caught.value)


@pytest.mark.parametrize(
    ("text", "spec", "expected"),
    [
        ("seed=0:15", HEADED, list(range(16))),
        ("seed=0:10:5", HEADED, [0, 5, 10]),
        ("num_heads=1,2,4", HEADED, [1, 2, 4]),
        ("positions=rotary,alibi", TRAINED, ["rotary", "alibi"]),
        ("mask_policy=zero, inf", HEADED, ["zero", "inf"]),
        ("causal=true,false", HEADED, [True, False]),
        ("window=none,2", HEADED, [None, 2]),
        ("clip=none,0.5", TRAINED, [None, 0.5]),
        ("task.kind=copy,sort", TRAINED, ["copy", "sort"]),
        ("learning_rate=log(1e-4, 1e-1, 4)", TRAINED, [1e-4, 1e-3, 1e-2, 1e-1]),
        ("learning_rate=log(1e-1,1e-3,3)", TRAINED, [0.1, 0.01, 0.001]),
        ("steps=log(1, 1000, 4)", TRAINED, [1, 10, 100, 1000]),
        ("num_hiddens=log(10, 12, 9)", HEADED, [10, 11, 12]),
        ("inputs.text=one two,three", SENTENCE, ["one two", "three"]),
    ],
)
def test_that_a_sweep_sets_the_values_it_reads(text: str, spec: Spec, expected: list[object]) -> None:
    found = values(text, spec)
    assert found == expected
    assert [type(each) for each in found] == [type(each) for each in expected]


@given(st.floats(1e-6, 1e6), st.floats(1e-6, 1e6), st.integers(2, 40))
def test_that_a_log_has_both_ends_and_equal_ratios(first: float, last: float, count: int) -> None:
    found = values(f"data.noise=log({first!r}, {last!r}, {count})", make_spec({"lab": "regression", "data": SYNTHETIC}))
    assert (found[0], found[-1], len(found)) == (first, last, count)
    logs = [math.log(float(str(each))) for each in found]
    steps = [later - earlier for earlier, later in itertools.pairwise(logs)]
    assert steps == pytest.approx([steps[0]] * len(steps), abs=1e-9)


SYNTHETIC = {"kind": "synthetic"}


def test_that_drawn_values_lie_between_the_ends_and_follow_from_the_seed_and_the_field() -> None:
    found = values("learning_rate=draw(1e-4, 1e-1, 50)", TRAINED)
    assert all(1e-4 <= float(str(each)) <= 1e-1 for each in found)
    assert len(set(found)) == 50
    below = sum(float(str(each)) < 10**-2.5 for each in found)
    assert 15 < below < 35, "they are even in the exponent"
    assert found == values("learning_rate=draw(1e-4, 1e-1, 50)", TRAINED)
    assert found != values("learning_rate=draw(1e-4, 1e-1, 50)", TRAINED, seed=1)
    assert found != values("weight_decay=draw(1e-4, 1e-1, 50)", make_spec({"lab": "train", "optimizer": "adamw"}))


def test_that_each_line_of_a_file_is_a_value(tmp_path: Path) -> None:
    (tmp_path / "texts").write_text("one, two\n\nthree four\n中文 text\n", encoding="utf-8")
    (tmp_path / "seeds").write_text("3\n1\n", encoding="utf-8")
    assert values(f"inputs.text=@{tmp_path}/texts", SENTENCE) == ["one, two", "three four", "中文 text"]
    assert values(f"seed=@{tmp_path}/seeds", HEADED) == [3, 1]


@pytest.mark.parametrize(
    ("text", "spec", "said"),
    [
        (
            "seed=log(0, 10, 3)",
            HEADED,
            "seed: 0 in log(...) must be above 0, since the values are spaced logarithmically; nearest: 1",
        ),
        ("seed=log(1, 10)", HEADED, "must read log(FIRST, LAST, COUNT); nearest: log(1, 10, 20)"),
        (
            "seed=draw(1",
            HEADED,
            "seed: 'draw(1' must read draw(FIRST, LAST, COUNT); nearest: draw(1, 100, 20)",
        ),
        ("temperature=draw", HEADED, "'draw' must read draw(FIRST, LAST, COUNT); nearest: draw(0.0001, 0.1, 20)"),
        ("temperature=draw 0.5,-2,8)", HEADED, "nearest: draw(0.5, 0.1, 8)"),
        ("seed=draw(1, 10, 0)", HEADED, "count 0 must be from 1 to 1000000; nearest: 1"),
        ("temperature=1:2:1e-9", HEADED, "temperature: this step makes more than 1000000 values; nearest step: 0.01"),
        ("causal=yes", HEADED, "causal: value 'yes' must be true or false; nearest: true"),
        ("heads_off=1.1", TRAINED, "heads_off is not a number, name or text that can be swept; nearest: "),
        ("lab=train", HEADED, "lab is not a number, name or text"),
        ("num_head=1", HEADED, "there is no field 'num_head' in this spec; nearest: num_heads"),
        ("seed=none", HEADED, "seed: value 'none' must be a whole number"),
        ("seed", HEADED, "FIELD=FIRST:LAST"),
        ("num_heads=7,9", HEADED, "no run of the sweep is legal; num_hiddens 100 is not divisible by num_heads 7"),
        ("width=1,2", AVERAGE, "width changes nothing beside the other fields of this spec"),
        ("sampling.temperature=0.5,1", ModelSpec(generate=2), "other fields of this spec; nearest: choose=sample"),
        ("sampling.top_k=1,2", ModelSpec(), "other fields of this spec; nearest: generate=1, choose=sample"),
        ("seed=@/no/such/file", HEADED, "seed: /no/such/file: it cannot be read: No such file or directory"),
    ],
)
def test_that_what_cannot_be_swept_is_refused_with_the_nearest(text: str, spec: Spec, said: str) -> None:
    assert said in refusal(text, spec=spec)


def test_that_a_file_without_a_value_and_one_that_is_no_text_are_refused(tmp_path: Path) -> None:
    (tmp_path / "empty").write_text("\n \n", encoding="utf-8")
    (tmp_path / "bytes").write_bytes(b"\xff\xfe")
    assert "it has no line with a value" in refusal(f"seed=@{tmp_path}/empty")
    assert "is not a text file" in refusal(f"seed=@{tmp_path}/bytes")


# Crossing.


def test_that_knobs_are_crossed_and_the_first_changes_slowest() -> None:
    found = read_crossing(HEADED, ["num_heads=1,2", "seed=0:2"])
    assert [found.changes(run) for run in range(len(found))] == [
        {"num_heads": heads, "seed": seed} for heads in (1, 2) for seed in (0, 1, 2)
    ]
    assert str(counts_said(found)) == "2 × 3 = 6 runs"


def test_that_paired_knobs_have_their_first_values_together() -> None:
    found = read_crossing(HEADED, ["num_heads=1,2", "seed=8:9"], paired=True)
    assert [found.changes(run) for run in range(len(found))] == [
        {"num_heads": 1, "seed": 8},
        {"num_heads": 2, "seed": 9},
    ]
    assert "the same number of values, not num_heads 2, seed 3; nearest: 2 each" in refusal(
        "num_heads=1,2", "seed=0:2", paired=True
    )
    assert "seed is swept twice" in refusal("seed=1", "seed=2")


def test_that_a_run_is_the_spec_with_its_values_and_an_illegal_one_says_why() -> None:
    found = read_crossing(HEADED, ["num_heads=3,5", "num_hiddens=60,100"])
    specs = [found.spec(run) for run in range(4)]
    assert specs[0] == HEADED.model_copy(update={"num_heads": 3, "num_hiddens": 60})
    assert str(specs[1]) == "num_hiddens 100 is not divisible by num_heads 3; nearest: 99, 102"


def test_that_what_follows_from_a_swept_field_follows_and_another_kind_has_its_own_defaults() -> None:
    grown = read_crossing(make_spec({"self_attention": True}), ["num_queries=2,7"]).spec(1)
    assert isinstance(grown, type(HEADED))
    assert grown.num_kvpairs == 7  # type: ignore[attr-defined]
    sorted_ = read_crossing(TRAINED, ["task.kind=repeat,sort"]).spec(1)
    assert isinstance(sorted_, TrainSpec)
    assert sorted_.task == TrainSpec.model_validate({"task": {"kind": "sort"}}).task


def test_that_a_field_that_has_an_effect_in_some_runs_is_swept() -> None:
    found = read_crossing(KERNEL, ["estimator=average,nonparametric", "width=1,2"])
    assert len(found) == 4


def test_that_millions_of_runs_are_no_more_work_than_a_few() -> None:
    found = read_crossing(HEADED, ["seed=0:99999999"])
    assert len(found) == MOST_RUNS > MOST_FRAMES
    assert found.changes(MOST_RUNS - 1) == {"seed": MOST_RUNS - 1}
    assert found.digest != read_crossing(HEADED, ["seed=0:99999998"]).digest
    assert "the sweep has 100000001 runs, and must have at most 100000000" in refusal("seed=0:100000000")


@pytest.mark.parametrize(
    "other",
    [
        crossed(HEADED, [("seed", "0:4"), ("num_heads", "1,2")]),
        crossed(HEADED, [("num_heads", "1,2"), ("seed", "0:5")]),
        crossed(HEADED.model_copy(update={"bias": True}), [("num_heads", "1,2"), ("seed", "0:4")]),
        crossed(HEADED, [("num_heads", "1,2"), ("seed", "0:1")], paired=True),
    ],
)
def test_that_another_sweep_has_another_digest(other: Crossing) -> None:
    assert other.digest != crossed(HEADED, [("num_heads", "1,2"), ("seed", "0:4")]).digest


@pytest.mark.parametrize("seeds", ["0:4", "0,1,2,3,4", "0:4:1", range(5), [0, 1, 2, 3, 4], np.arange(5)])
def test_that_the_same_runs_have_the_same_digest_however_they_are_written(seeds: Any) -> None:
    typed = crossed(HEADED, [("num_heads", "1,2"), ("seed", "0:4")])
    assert typed.digest == crossed(HEADED, {"num_heads": [1, 2], "seed": seeds}.items()).digest


def test_that_another_version_makes_another_sweep(monkeypatch: pytest.MonkeyPatch) -> None:
    before = crossed(HEADED, [("seed", "0:4")]).digest
    monkeypatch.setattr("attnviz.__version__", "0.0.1")
    assert crossed(HEADED, [("seed", "0:4")]).digest != before
