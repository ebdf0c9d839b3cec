"""``attnviz.sweep``: the table from Python."""

import importlib.machinery
import math
import sys
import types
from typing import Any

import pytest

import attnviz

SMALL = {"num_hiddens": 10, "device": "cpu"}


@pytest.fixture
def without_pandas(monkeypatch: pytest.MonkeyPatch) -> None:
    find = importlib.util.find_spec
    monkeypatch.setattr(
        importlib.util, "find_spec", lambda name, *more: None if name == "pandas" else find(name, *more)
    )


@pytest.mark.usefixtures("without_pandas")
def test_that_a_sweep_returns_columns_with_a_number_for_each_run() -> None:
    done: list[tuple[int, int]] = []
    over = {"num_heads": [1, 2, 3], "seed": "0:1"}
    found = attnviz.sweep(SMALL, over, causal=True, progress=lambda *count: done.append(count))
    assert found["num_heads"] == [1, 1, 2, 2, 3, 3]
    assert found["seed"] == [0, 1] * 3
    assert [bool(failure) for failure in found["failure"]] == [False] * 4 + [True] * 2
    assert [math.isnan(number) for number in found["entropy_2"]] == [True, True, False, False, True, True]
    assert found["spec"][0]["causal"] is True
    assert done == [(count, 6) for count in range(1, 7)]


@pytest.mark.usefixtures("without_pandas")
def test_that_pairs_and_drawn_values_are_those_of_the_command_line() -> None:
    found = attnviz.sweep(SMALL, {"seed": [3, 4], "temperature": "draw(0.1, 10, 2)"}, paired=True, seed=5)
    assert found["seed"] == [3, 4]
    drawn = attnviz.sweep(SMALL, {"temperature": "draw(0.1, 10, 2)"}, seed=5)["temperature"]
    assert found["temperature"] == drawn != attnviz.sweep(SMALL, {"temperature": "draw(0.1, 10, 2)"})["temperature"]


def test_that_with_pandas_it_is_a_frame(monkeypatch: pytest.MonkeyPatch) -> None:
    pandas: Any = types.ModuleType("pandas")
    pandas.__spec__ = importlib.machinery.ModuleSpec("pandas", None)
    pandas.DataFrame = lambda columns: ("frame", columns)
    monkeypatch.setitem(sys.modules, "pandas", pandas)
    kind, columns = attnviz.sweep(SMALL, {"seed": [1]})
    assert (kind, columns["run"]) == ("frame", [0])


def test_that_a_wrong_field_is_refused_and_a_scheduler_that_is_not_there_fails(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(ValueError, match="there is no field 'num_head' in this spec; nearest: num_heads"):
        attnviz.sweep(SMALL, {"num_head": [1]})
    monkeypatch.setattr("attnviz.engine.sweeps.cluster._ANSWER", 0.5)
    with pytest.raises(attnviz.RunFailed, match="no scheduler of Dask answers") as failed:
        attnviz.sweep(SMALL, {"seed": [1]}, scheduler="tcp://127.0.0.1:9")
    assert failed.value.code == "no_scheduler"
