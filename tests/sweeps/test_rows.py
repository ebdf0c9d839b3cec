"""The rows of a sweep from the engine: in this process, and on two workers."""

import json
import os
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import psutil
import pytest
import torch
from model_folders import made, written

from attnviz.engine.machine import RunError
from attnviz.engine.run import run_to_end
from attnviz.engine.sweeps import cells
from attnviz.engine.sweeps.cells import compute, order_of
from attnviz.engine.sweeps.cluster import Connection, rows_from
from attnviz.engine.sweeps.estimate import seconds_of_a_run
from attnviz.engine.sweeps.rows import Workers, rows_of
from attnviz.experiment.labs import make_spec, scalars_of
from attnviz.experiment.model.residual.attribution import Attribution
from attnviz.experiment.model.studies import HeadsInTurn
from attnviz.experiment.scalars import numbers_of
from attnviz.experiment.sweeps.crossing import Crossing, crossed

SMALL = make_spec({"device": "cpu", "num_hiddens": 20})
SMALL_MODEL = {"n_layer": 1, "n_head": 2, "n_embd": 16, "vocab_size": 40}
LEARNING = {"lab": "train", "device": "cpu", "num_hiddens": 16, "num_heads": 2, "num_layers": 1}
MIXED = crossed(make_spec({**LEARNING, "steps": 6}), {"num_hiddens": [16, 17, 32], "seed": range(3)}.items())
"""Nine trainings, three of which are illegal."""


def table(crossing: Crossing, workers: int = 1, **options: Any) -> list[dict[str, Any]]:
    """Return all rows of a sweep in their order, without what differs from one time to the next."""
    found = [row for rows in rows_of(crossing, range(len(crossing)), Workers(workers), **options) for row in rows]
    return sorted(({**row, "milliseconds": None} for row in found), key=lambda row: int(row["run"]))


def test_that_a_row_has_the_numbers_of_the_run_and_its_spec() -> None:
    sweep = crossed(SMALL, {"num_heads": [1, 2], "seed": [3]}.items())
    for row, heads in zip(table(sweep), (1, 2), strict=True):
        spec = SMALL.model_copy(update={"num_heads": heads, "seed": 3})
        numbers = numbers_of(run_to_end(spec), scalars_of(spec))
        assert {name: row[name] for name in numbers if name != "milliseconds"} == {
            name: number for name, number in numbers.items() if name != "milliseconds"
        }
        assert (row["num_heads"], row["seed"], row["failure"]) == (heads, 3, "")
        assert make_spec(row["spec"]) == spec


def test_that_the_row_of_a_generation_has_its_text_and_its_length() -> None:
    text = "then one red fox ran home and one red fox"
    rows = table(crossed(make_spec({"lab": "model", "text": text, "device": "cpu"}), [("generate", "0,3")]))
    assert "generated_text" not in rows[0]
    assert (rows[1]["generated_text"], rows[1]["new_tokens"]) == (" ran home and", 3)


def test_that_a_study_adds_its_numbers_of_each_head_to_a_row() -> None:
    texts = ["then one red fox ran home and one red fox ran", "she saw him"]
    spec = make_spec({"lab": "model", "device": "cpu"})
    crossing = crossed(spec, [("text", texts)], extras=("attribution", "ablation"))
    assert {"attribution", "attribution_logit", "ablation_lost"} <= set(crossing.columns)
    for row, text in zip(table(crossing), texts, strict=True):
        of = {"of": spec.model_copy(update={"text": text})}
        adds, lost = (run_to_end(study(**of)) for study in (Attribution, HeadsInTurn))
        assert row["attribution_2.2"] == adds.of_kind["self"][1, 1]  # type: ignore[union-attr]
        assert row["attribution"] == adds.of_kind["self"].max()  # type: ignore[union-attr]
        assert row["attribution_logit"] == adds.logit  # type: ignore[union-attr]
        assert row["ablation_lost_1.2"] == pytest.approx(lost.effect[0, 1], abs=1e-6)  # type: ignore[union-attr]
        assert row["failure"] == ""
    again = json.loads(compute(order_of(crossing, [0], None)))["rows"][0]
    assert again["attribution_2.2"] == table(crossing)[0]["attribution_2.2"]
    assert crossing.digest != crossed(spec, [("text", texts)]).digest


def test_that_a_study_that_fails_is_named_beside_the_numbers_of_its_run(tmp_path: Path) -> None:
    folder = written(tmp_path / "headless", made("gpt2", "AutoModel", **SMALL_MODEL))
    spec = make_spec({"lab": "model", "device": "cpu", "folder": str(folder)})
    (row,) = table(crossed(spec, [("text", ["the cat"])], extras=("attribution",)))
    assert "no head that predicts tokens" in row["failure"]
    assert "entropy_1.1" in row
    assert "attribution_1.1" not in row


@pytest.mark.parametrize(("name", "said"), [("lens", "no number for each run"), ("atribution", "nearest: attribution")])
def test_that_a_study_without_columns_is_refused(name: str, said: str) -> None:
    with pytest.raises(ValueError, match=said):
        crossed(make_spec({"lab": "model"}), [("text", ["a"])], extras=(name,))


def test_that_an_illegal_run_and_one_that_fails_are_rows_with_their_sentences() -> None:
    found = table(crossed(SMALL, {"num_heads": [3, 4], "device": ["cpu", "cuda:77"]}.items()))
    assert [row["failure"][:40] for row in found] == [
        "num_hiddens 20 is not divisible by num_h",
        "num_hiddens 20 is not divisible by num_h",
        "",
        "there is no device cuda:77 here; this ma",
    ]
    assert [row["spec"] is None for row in found] == [True, True, False, False]
    assert "entropy" in found[2]
    assert "entropy" not in found[3]


def test_that_a_defect_is_a_row_and_the_others_are_computed(monkeypatch: pytest.MonkeyPatch) -> None:
    whole = cells.start

    def start(spec: Any) -> Any:
        if spec.seed == 1:
            raise ZeroDivisionError("division by zero")
        return whole(spec)

    monkeypatch.setattr(cells, "start", start)
    found = table(crossed(SMALL, {"seed": [0, 1, 2]}.items()))
    assert [row["failure"] for row in found] == [
        "",
        "the run failed unexpectedly: ZeroDivisionError: division by zero",
        "",
    ]


def test_that_a_run_without_end_is_a_row_after_its_limit_and_the_others_are_computed() -> None:
    sweep = crossed(make_spec({**LEARNING, "warmup": 0}), {"steps": [1, 20_000, 2]}.items())
    began = time.perf_counter()
    found = table(sweep, limit=1.5)
    assert time.perf_counter() - began < 20
    assert [row["failure"] for row in found] == ["", "the run took longer than 1.5 s", ""]


def test_that_a_worker_whose_run_does_not_stop_even_then_ends_itself() -> None:
    code = (
        "import time; from attnviz.engine.sweeps import worker, cells; worker._GRACE = 0.2\n"
        "cells.start = lambda spec: time.sleep(60)\n"
        f"worker.compute_or_exit({order_of(crossed(SMALL, [('seed', [1])]), [0], 0.1)!r})"
    )
    began = time.perf_counter()
    done = subprocess.run([sys.executable, "-c", code], check=False, timeout=60)
    assert done.returncode == 1
    assert time.perf_counter() - began < 30


def test_that_a_run_has_one_thread_and_who_asks_for_it_keeps_his(monkeypatch: pytest.MonkeyPatch) -> None:
    seen, whole = [], cells.start
    monkeypatch.setattr(cells, "start", lambda spec: (seen.append(torch.get_num_threads()), whole(spec))[1])
    before = torch.get_num_threads()
    try:
        torch.set_num_threads(2)
        table(crossed(SMALL, [("seed", [1])]))
        assert (seen, torch.get_num_threads()) == ([1], 2)
    finally:
        torch.set_num_threads(before)


def test_that_who_has_other_versions_computes_nothing_and_says_which() -> None:
    order = json.loads(order_of(crossed(SMALL, [("seed", [1])]), [0], None))
    order["versions"]["torch"] = "2.0.0"
    assert json.loads(compute(json.dumps(order))) == {"versions": cells.versions()}


def test_that_a_long_training_is_estimated_from_its_first_moments() -> None:
    began = time.perf_counter()
    estimate = seconds_of_a_run(crossed(make_spec({**LEARNING, "steps": 20_000}), [("seed", [0])]), [0])
    assert 5 * (time.perf_counter() - began) < estimate


# On workers.


class Future:
    """What comes back at once from a worker, or that it died."""

    def __init__(self, key: str, order: str, deadly: set[int]) -> None:
        runs = {run for run, _ in json.loads(order)["cells"]}
        self.key, self._order = key, order
        self.status = "error" if runs & deadly else "finished"

    def add_done_callback(self, call: Any) -> None:
        call(self)

    def result(self, **_: float) -> str:
        return compute(self._order)

    def exception(self, **_: float) -> Exception:
        return type("KilledWorker", (Exception,), {})("died")

    def release(self) -> None:
        pass


class Client:
    """A scheduler with three threads, where some runs kill their worker as often as they are tried."""

    status = "running"

    def __init__(self, deadly: set[int]) -> None:
        self.deadly = deadly
        self.sent: list[list[int]] = []

    def nthreads(self) -> dict[str, int]:
        return {"tcp://a:1": 1, "tcp://b:2": 2}

    def submit(self, _function: Any, order: str, *, key: str, **_: bool) -> Future:
        self.sent.append([run for run, _ in json.loads(order)["cells"]])
        return Future(key, order, self.deadly)


def test_that_a_run_that_kills_its_worker_is_a_row_and_those_sent_with_it_are_computed() -> None:
    sweep, client = crossed(SMALL, [("seed", range(40))]), Client({7, 23})
    sent = rows_from(Connection(client), sweep, range(40), limit=None, seconds=0.02, tell=print)
    found = sorted((row for rows in sent for row in rows), key=lambda row: int(row["run"]))
    assert [row["run"] for row in found] == list(range(40))
    assert [row["run"] for row in found if row["failure"]] == [7, 23]
    assert found[7]["failure"].startswith("the run repeatedly killed its worker")
    assert max(map(len, client.sent)) > 1, "short runs are sent together"
    assert {tuple(runs) for runs in client.sent} >= {(7,), (23,)}


def test_that_runs_of_some_seconds_are_sent_one_by_one() -> None:
    client = Client(set())
    sweep = crossed(SMALL, [("seed", range(5))])
    list(rows_from(Connection(client), sweep, range(5), limit=None, seconds=2.0, tell=print))
    assert client.sent[:3] == [[0], [1], [2]]


@pytest.fixture(scope="module")
def of_two_workers() -> tuple[list[dict[str, Any]], dict[str, str], set[int]]:
    """The rows of `MIXED` on two workers, what they have changed in the environment, and processes that are left."""
    before, children = dict(os.environ), {each.pid for each in psutil.Process().children(recursive=True)}
    found = table(MIXED, workers=2)
    changed = {name: os.environ.get(name, "") for name in os.environ.keys() | before.keys()}
    changed = {name: value for name, value in changed.items() if before.get(name) != value}
    left = {
        each.pid
        for each in psutil.Process().children(recursive=True)
        if each.pid not in children and "resource_tracker" not in " ".join(each.cmdline())
    }
    return found, changed, left


def test_that_the_table_of_two_workers_is_that_of_one_bit_for_bit(of_two_workers: Any) -> None:
    assert of_two_workers[0] == table(MIXED)
    assert [bool(row["failure"]) for row in of_two_workers[0]] == [False] * 3 + [True] * 3 + [False] * 3


def test_that_workers_leave_neither_the_environment_changed_nor_a_process_behind(of_two_workers: Any) -> None:
    assert of_two_workers[1:] == ({}, set())


def test_that_without_dask_one_worker_works_and_several_are_refused_in_a_sentence(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(sys.modules, "distributed", None)
    sweep = crossed(SMALL, [("seed", [1])])
    assert len(table(sweep)) == 1
    with pytest.raises(RunError, match=r"several workers need Dask .*: pip install 'attnviz\[cluster\]'"):
        table(sweep, workers=2)


def test_that_an_address_where_no_scheduler_is_is_refused_in_a_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("attnviz.engine.sweeps.cluster._ANSWER", 0.5)
    with pytest.raises(RunError, match=r"no scheduler of Dask answers at tcp://127\.0\.0\.1:9"):
        list(rows_of(crossed(SMALL, [("seed", [1])]), [0], Workers(0, "tcp://127.0.0.1:9")))


def test_that_no_setting_makes_one_worker_connect_anywhere(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DASK_SCHEDULER_ADDRESS", "tcp://127.0.0.1:9")
    assert len(table(crossed(SMALL, [("seed", [1])]))) == 1
