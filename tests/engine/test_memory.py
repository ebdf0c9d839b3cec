import sys
import time
from pathlib import Path
from typing import Any

import numpy as np
import psutil
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from legal_specs import attention_values
from peaks import peak_over_estimate
from running import attention_trace, regression_trace, the_failure

from attnviz.engine import memory
from attnviz.engine.attention import inputs
from attnviz.engine.attention import run as attention
from attnviz.engine.machine import RunError
from attnviz.engine.memory import readable
from attnviz.engine.regression.run import regression_bytes
from attnviz.experiment.attention.memory import attention_bytes
from attnviz.experiment.attention.spec import AttentionSpec
from attnviz.experiment.labs import make_spec
from attnviz.experiment.regression.spec import RegressionSpec

CPU = torch.device("cpu")
GIANT = {"num_queries": 16_384, "num_kvpairs": 16_384, "num_heads": 64, "num_hiddens": 64, "batch_size": 256}


def estimate(**values: Any) -> int:
    spec = make_spec(values)
    assert isinstance(spec, AttentionSpec)
    return attention_bytes(spec)


def regression_estimate(queries: int, points: int, **values: Any) -> int:
    spec = make_spec({"lab": "regression", **values})
    assert isinstance(spec, RegressionSpec)
    return regression_bytes(spec, queries, points)


@pytest.mark.parametrize("mechanism", ["dot_product", "additive", "multi_head"])
def test_that_16384_tokens_for_64_heads_are_refused_at_once_with_what_they_need_and_what_there_is(
    mechanism: str,
) -> None:
    start = time.process_time()
    failure = the_failure(**GIANT, mechanism=mechanism)
    assert time.process_time() - start < 1
    assert failure.code == "not_enough_memory"
    needed, available = failure.numbers["needed"], failure.numbers["available"]
    assert needed > available
    assert f"needs about {readable(needed)}, but cpu has {readable(available)} free" in failure.message
    assert "fewer queries, keys, heads or batch items need less" in failure.message


def test_that_one_item_of_16384_tokens_for_64_heads_needs_hundreds_of_gigabytes() -> None:
    cells = 64 * 16_384**2
    assert 12 * cells < estimate(**GIANT | {"batch_size": 1}) < 40 * cells


@pytest.mark.parametrize("values", [{}, {"mechanism": "causal_multi_head"}, {"lab": "regression"}])
def test_that_a_run_is_refused_exactly_when_it_needs_more_than_there_is(
    values: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    needed = regression_estimate(10, 50) if "lab" in values else estimate(**values)
    run = regression_trace if "lab" in values else attention_trace
    monkeypatch.setattr(memory, "available_bytes", lambda _: needed)
    assert run(**values).device == "cpu"
    monkeypatch.setattr(memory, "available_bytes", lambda _: needed - 1)
    numbers = the_failure(**values).numbers
    assert (numbers["needed"], numbers["available"]) == (needed, needed - 1)


def test_that_nothing_is_allocated_before_a_run_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    def allocate(*_: Any) -> Any:
        raise AssertionError("inputs or a module were made")

    monkeypatch.setattr(memory, "available_bytes", lambda _: 0)
    monkeypatch.setattr(attention, "make_inputs", allocate)
    monkeypatch.setattr(attention, "build_module", allocate)
    monkeypatch.setattr(inputs, "make_inputs", allocate)
    assert the_failure().code == "not_enough_memory"


def test_that_a_files_run_is_estimated_with_the_sizes_of_the_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    np.save(tmp_path / "x.npy", np.zeros((1, 300, 8)))
    monkeypatch.setattr(memory, "available_bytes", lambda _: 300 * 300 * 4)
    failure = the_failure(inputs={"kind": "file", "path": str(tmp_path / "x.npy")}, num_heads=1, num_hiddens=8)
    assert failure.code == "not_enough_memory"
    assert failure.numbers["needed"] > 3 * 300 * 300 * 4


@given(values=attention_values(), field=st.sampled_from(["num_queries", "num_kvpairs", "batch_size"]))
def test_that_a_larger_run_needs_more_memory(values: dict[str, Any], field: str) -> None:
    values |= {"inputs": {"kind": "random"}, "valid_lens": None, "context_length": 100}
    larger = {**values, field: values[field] + 1}
    if values["self_attention"]:
        larger["num_queries"] = larger["num_kvpairs"] = max(larger["num_queries"], larger["num_kvpairs"])
    assert estimate(**larger) > estimate(**values)


@pytest.mark.parametrize("dtype", ["float32", "float64", "float16"])
def test_that_the_estimate_counts_the_scores_the_masked_scores_and_the_weights(dtype: str) -> None:
    item = {"float32": 4, "float64": 8, "float16": 2}[dtype]
    cells = 2 * 5 * 1000 * 1000
    assert estimate(num_queries=1000, num_kvpairs=1000, dtype=dtype) >= 3 * item * cells


@pytest.mark.parametrize(("queries", "points"), [(10, 50), (20_000, 20_000)])
def test_that_a_regression_is_estimated_with_every_matrix_of_its_queries_and_points(queries: int, points: int) -> None:
    cells = 8 * queries * points
    one = regression_estimate(queries, points)
    assert one >= 7 * cells  # heights, weights, differences, contributions, two transients, the colours
    assert regression_estimate(queries, points, num_heads=3) == one  # they matter to a learned w alone
    learned = {"estimator": "parametric"}
    assert regression_estimate(queries, points, **learned) == one
    assert regression_estimate(queries, points, **learned, num_heads=3) >= one + 2 * 2 * cells


def test_that_training_goes_through_its_points_in_blocks_and_not_in_their_square() -> None:
    learned = {"estimator": "parametric"}
    block = 8 * memory.BLOCK_CELLS
    assert regression_estimate(1, 20_000, **learned) < 8 * 20_000**2 / 10
    assert regression_estimate(1, 20_000, **learned) >= 5 * block


def test_that_the_free_memory_of_the_cpu_is_that_of_the_machine() -> None:
    assert memory.available_bytes(CPU) == pytest.approx(psutil.virtual_memory().available, rel=0.2)


def test_that_the_free_memory_of_a_gpu_is_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(torch.cuda, "mem_get_info", lambda _: (123, 456))
    assert memory.available_bytes(torch.device("cuda:0")) == 123
    with pytest.raises(RunError, match="needs about 124 B, but cuda:0 has 123 B free; fewer heads need less"):
        memory.require(124, torch.device("cuda:0"), "fewer heads need less")


@pytest.mark.parametrize(
    ("count", "said"),
    [
        (0, "0 B"),
        (1023, "1023 B"),
        (1024, "1.0 KiB"),
        (1536, "1.5 KiB"),
        (3 << 20, "3.0 MiB"),
        (int(7.25 * 2**30), "7.2 GiB"),
        (5 << 40, "5.0 TiB"),
        (2 << 50, "2.0 PiB"),
        (1 << 60, "1024.0 PiB"),
    ],
)
def test_that_bytes_are_said_in_the_largest_fitting_unit(count: int, said: str) -> None:
    assert readable(count) == said


can_measure = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="the peak is read from /proc")
FEW = {"num_queries": 2, "num_kvpairs": 2}
MANY = {"num_queries": 1100, "num_kvpairs": 1100, "batch_size": 1}
WIDE = {"mechanism": "dot_product", "num_hiddens": 8, **FEW}
POINTS = {"lab": "regression", "estimator": "parametric", "epochs": 2}


@can_measure
@pytest.mark.parametrize(
    "values",
    [
        {"num_heads": 8, "num_hiddens": 64, "causal": True, "training": True, "dropout": 0.5},
        {"mechanism": "additive", "num_hiddens": 32},
    ],
    ids=["dropout", "additive"],
)
def test_that_a_run_takes_what_was_estimated(values: dict[str, Any]) -> None:
    assert 0.5 < peak_over_estimate(FEW, **values, **MANY) < 1.1


@can_measure
def test_that_training_takes_no_more_than_was_estimated() -> None:
    sizes = [{"kind": "synthetic", "n_train": count} for count in (5, 2300)]
    assert peak_over_estimate({"data": sizes[0]}, **POINTS, data=sizes[1]) < 1.1


@can_measure
@pytest.mark.parametrize("kernel", ["gaussian", "boxcar"])
def test_that_a_fixed_fit_takes_what_was_estimated_once_all_its_stages_were_looked_at(kernel: str) -> None:
    fits = [
        {"data": {"kind": "synthetic", "n_train": count}, "x_test": {"start": 0, "stop": 5, "step": 5 / count}}
        for count in (5, 2300)
    ]
    assert 0.5 < peak_over_estimate(fits[0], **{"lab": "regression", "kernel": kernel} | fits[1]) < 1.1


@can_measure
def test_that_a_fit_of_several_heads_takes_what_was_estimated() -> None:
    fits = [
        {"data": {"kind": "synthetic", "n_train": count}, "x_test": {"start": 0, "stop": 5, "step": 5 / count}}
        for count in (5, 1600)
    ]
    heads = {"epochs": 1, "num_heads": 3}
    assert 0.5 < peak_over_estimate(fits[0], **POINTS | heads | fits[1]) < 1.1


@can_measure
def test_that_one_hot_inputs_take_no_more_than_was_estimated() -> None:
    sizes = {"query_size": 4096, "key_size": 4096, "inputs": {"kind": "identity"}}
    assert peak_over_estimate({"query_size": 2, "key_size": 2}, **WIDE | {"mechanism": "additive"}, **sizes) < 1.1


def test_that_a_module_without_matrices_is_estimated_without_them() -> None:
    assert estimate(**WIDE | {"num_hiddens": 16_384}) < 16 << 20


@can_measure
def test_that_the_inputs_of_a_half_run_take_no_more_than_was_estimated() -> None:
    sizes = {"query_size": 8192, "key_size": 8192, "value_size": 8192, "dtype": "float16", "batch_size": 32}
    few = {"batch_size": 1, "query_size": 2, "key_size": 2, "value_size": 2}
    assert peak_over_estimate(few, **WIDE | {"num_queries": 16, "num_kvpairs": 16}, **sizes) < 1.1
