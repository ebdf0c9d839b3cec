import random
import re
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from hypothesis import given
from legal_specs import attention_values, regression_values
from running import attention_trace, bits, events, regression_traces, the_failure

from attnviz import log
from attnviz.attention import CausalMultiHeadAttention, DotProductAttention, MultiHeadAttention, NadarayaWatson
from attnviz.engine.run import failure_of, run
from attnviz.experiment.attention.trace import AttentionTrace
from attnviz.experiment.labs import make_spec
from attnviz.experiment.regression.trace import RegressionTrace
from attnviz.experiment.run import Failure

EVERYTHING: dict[str, Any] = {"training": True, "dropout": 0.3, "bias": True, "num_queries": 30, "num_kvpairs": 40}
LEARNED: dict[str, Any] = {"lab": "regression", "estimator": "parametric"}


@given(values=attention_values(most=5) | regression_values())
def test_that_two_runs_of_a_spec_agree_bit_for_bit(values: dict[str, Any]) -> None:
    first, second = events(values), events(values)
    assert [bits(trace) for trace in first] == [bits(trace) for trace in second]
    assert len(first) >= 1
    assert not isinstance(first[-1], Failure)


@pytest.mark.parametrize("dtype", ["float32", "float64", "bfloat16", "float16"])
@pytest.mark.parametrize("mechanism", ["dot_product", "additive", "multi_head"])
def test_that_a_run_agrees_bit_for_bit_whatever_ran_before_and_whatever_the_global_seeds(
    mechanism: str, dtype: str
) -> None:
    values = {**EVERYTHING, "mechanism": mechanism, "dtype": dtype}
    first = bits(attention_trace(**values))
    torch.manual_seed(1234)
    np.random.seed(5)
    random.seed(6)
    attention_trace(seed=9, num_queries=3)
    assert bits(attention_trace(**values)) == first


@pytest.mark.parametrize("values", [EVERYTHING, {"mechanism": "causal_multi_head"}, LEARNED, {"lab": "regression"}])
def test_that_a_run_leaves_every_global_random_state_as_it_was(values: dict[str, Any]) -> None:
    before = torch.get_rng_state(), np.random.get_state()[1].copy(), random.getstate()
    events(values)
    after = torch.get_rng_state(), np.random.get_state()[1], random.getstate()
    assert torch.equal(before[0], after[0])
    assert np.array_equal(before[1], after[1])
    assert before[2] == after[2]


def test_that_a_run_leaves_grad_mode_and_default_type_as_they_were() -> None:
    for event in run(make_spec(LEARNED)):
        assert not isinstance(event, Failure)
        assert torch.is_grad_enabled()
        assert not torch.is_inference_mode_enabled()
        assert torch.get_default_dtype() == torch.float32


def test_that_the_number_of_threads_moves_no_bit() -> None:
    values = {**EVERYTHING, "num_hiddens": 256, "num_heads": 4}
    threads, found = torch.get_num_threads(), []
    try:
        for count in (1, 2):
            torch.set_num_threads(count)
            found.append(bits(attention_trace(**values)))
    finally:
        torch.set_num_threads(threads)
    assert found[0] == found[1]


def test_that_runs_side_by_side_do_not_disturb_each_other() -> None:
    seeds = list(range(8))
    alone = [bits(attention_trace(**EVERYTHING, seed=seed)) for seed in seeds]
    with ThreadPoolExecutor(4) as pool:
        together = list(pool.map(lambda seed: bits(attention_trace(**EVERYTHING, seed=seed)), seeds))
    assert together == alone


def test_that_a_trace_carries_the_very_spec_of_its_run() -> None:
    spec = make_spec({"device": "cpu"})
    (trace,) = run(spec)
    assert trace.spec is spec


def test_that_a_run_starts_only_when_it_is_iterated() -> None:
    asked: list[bool] = []
    iterator = run(make_spec({}), should_stop=lambda: bool(asked.append(True)))
    assert asked == []
    assert isinstance(next(iterator), AttentionTrace)
    assert asked


def test_that_attention_asked_to_stop_yields_nothing_however_late_it_is_asked() -> None:
    calls = 0

    def at(count: int) -> Callable[[], bool]:
        def should_stop() -> bool:
            nonlocal calls
            calls += 1
            return calls > count

        return should_stop

    assert isinstance(events({}, should_stop=at(100))[0], AttentionTrace)
    for count in range(calls):
        calls = 0
        assert events({}, should_stop=at(count)) == []


@pytest.mark.parametrize("steps", [1, 2, 7])
def test_that_training_asked_to_stop_ends_after_the_step_at_hand(steps: int) -> None:
    seen: list[RegressionTrace] = []
    for event in run(make_spec({**LEARNED, "epochs": 50}), should_stop=lambda: len(seen) >= steps):
        assert isinstance(event, RegressionTrace)
        seen.append(event)
    assert [trace.step for trace in seen] == list(range(1, steps + 1))


def test_that_a_run_left_half_way_can_be_closed_and_another_started() -> None:
    iterator = run(make_spec({**LEARNED, "epochs": 100_000}))
    next(iterator)
    iterator.close()  # type: ignore[attr-defined]
    assert len(regression_traces(estimator="parametric")) == 5


OUT_OF_MEMORY = [
    torch.OutOfMemoryError("CUDA out of memory. Tried to allocate 20.00 GiB. GPU 0 has 3 GiB free."),
    RuntimeError("[enforce fail at alloc_cpu.cpp:117] DefaultCPUAllocator: can't allocate memory: you tried 9 bytes."),
    RuntimeError("MPS backend out of memory"),
    MemoryError(),
]


def raising(error: BaseException) -> Callable[..., Any]:
    def fail(*_: Any, **__: Any) -> Any:
        raise error

    return fail


@pytest.fixture
def breaking(monkeypatch: pytest.MonkeyPatch) -> Callable[[BaseException], None]:
    """Make every module raise in the middle of a run."""

    def install(error: BaseException) -> None:
        for module in (MultiHeadAttention, CausalMultiHeadAttention, DotProductAttention):
            monkeypatch.setattr(module, "stages", raising(error))
        monkeypatch.setattr(NadarayaWatson, "forward", raising(error))

    return install


@pytest.mark.parametrize("error", OUT_OF_MEMORY, ids=["cuda", "cpu", "mps", "python"])
@pytest.mark.parametrize("values", [{}, {"mechanism": "causal_multi_head"}, LEARNED])
def test_that_memory_which_runs_out_is_a_failure_with_a_sentence(
    values: dict[str, Any], error: BaseException, breaking: Callable[[BaseException], None]
) -> None:
    breaking(error)
    failure = the_failure(**values)
    assert failure.code == "out_of_memory"
    assert re.match(r"the memory of cpu ran out( when 20.00 GiB more were asked for)?; fewer ", failure.message)
    assert failure.spec == make_spec({"device": "cpu", **values})


@pytest.mark.parametrize(
    "error", [RuntimeError("CUDA error: unspecified launch failure\nat line 3"), ValueError("?"), OSError()]
)
def test_that_any_other_error_of_torch_is_a_failure_of_one_line(
    error: BaseException, breaking: Callable[[BaseException], None]
) -> None:
    breaking(error)
    failure = the_failure()
    assert failure.code == "run_failed"
    assert failure.message.startswith("the run failed: ")
    assert len(failure.message.splitlines()) == 1


@pytest.mark.parametrize(
    ("error", "code", "kept"),
    [
        (RuntimeError("mat1 and mat2 shapes cannot be multiplied (4x8 and 9x8)"), "run_failed", True),
        (ValueError("operands could not be broadcast together"), "run_failed", True),
        (NotImplementedError("'softmax' not implemented for 'Half'"), "run_failed", True),
        (OSError(5, "Input/output error"), "run_failed", False),
        (RecursionError("maximum recursion depth exceeded"), "internal", True),
        (MemoryError(), "out_of_memory", False),
        (RuntimeError("expected a preallocated tensor"), "run_failed", True),
        (ValueError("cannot reallocate a view"), "run_failed", True),
        (
            RuntimeError("DefaultCPUAllocator: not enough memory: you tried to"),
            "out_of_memory",
            False,
        ),
    ],
    ids=lambda each: type(each).__name__ if isinstance(each, Exception) else None,
)
def test_that_of_what_may_be_a_defect_the_log_has_the_traceback(
    error: Exception, code: str, kept: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(log, "reports_folder", lambda: tmp_path)
    assert failure_of(make_spec({}), error).code == code
    assert log.log_file().exists() == kept
    if kept:
        assert f"{type(error).__name__}: {error}" in log.log_file().read_text(encoding="utf-8")


def test_that_the_run_after_a_failure_is_as_good_as_any(monkeypatch: pytest.MonkeyPatch) -> None:
    before = bits(attention_trace())
    with monkeypatch.context() as broken:
        broken.setattr(MultiHeadAttention, "stages", raising(MemoryError()))
        the_failure()
    assert bits(attention_trace()) == before


OVERFLOWS = [
    {"dtype": "float16", "temperature": 1e-30},
    {"dtype": "float16", "temperature": 1e-5, "scaled": False},
    {"dtype": "float32", "temperature": 5e-324},
    {"dtype": "float64", "temperature": 5e-324},
    {"dtype": "bfloat16", "temperature": 1e-45, "mechanism": "additive"},
    {"dtype": "float16", "temperature": 1e-5, "mechanism": "causal_multi_head"},
    {"dtype": "float16", "temperature": 1e-5, "mask_policy": "inf", "valid_lens": [0, 3]},
]


@pytest.mark.parametrize("values", OVERFLOWS, ids=str)
def test_that_scores_which_overflow_are_a_failure_that_names_the_row_and_the_format(values: dict[str, Any]) -> None:
    failure = the_failure(**values)
    assert failure.code == "not_finite"
    place = failure.numbers
    assert f"item {place['item']}, head {place['head'] + 1}, query {place['query']} are not finite" in failure.message
    assert values["dtype"] in failure.message
    assert "temperature" in failure.message


def test_that_the_nan_of_an_empty_row_under_the_inf_policy_is_what_was_asked_for() -> None:
    trace = attention_trace(mask_policy="inf", valid_lens=[0, 3])
    assert np.isnan(trace.weights[0]).all()
    assert np.isfinite(trace.output[1]).all()


@pytest.fixture
def restored_defaults() -> Iterator[None]:
    yield
    torch.set_default_dtype(torch.float32)
    torch.set_default_device(None)


@pytest.mark.usefixtures("restored_defaults")
def test_that_the_global_default_type_moves_no_bit() -> None:
    before = bits(attention_trace())
    torch.set_default_dtype(torch.float64)
    assert bits(attention_trace()) == before


@pytest.mark.usefixtures("restored_defaults")
def test_that_the_global_default_device_moves_no_bit() -> None:
    before = bits(attention_trace())
    torch.set_default_device("meta")
    assert bits(attention_trace()) == before


@pytest.mark.parametrize("mode", [torch.no_grad, torch.inference_mode])
def test_that_training_learns_under_a_callers_no_grad(mode: Callable[[], Any]) -> None:
    with mode():
        assert len(regression_traces(estimator="parametric")) == 5


@pytest.mark.parametrize("values", [{"lab": "regression"}, LEARNED])
def test_that_regression_asked_to_stop_at_once_yields_nothing(values: dict[str, Any]) -> None:
    assert events(values, should_stop=lambda: True, untrained_first=True) == []


def test_that_memory_which_runs_out_names_the_device_that_ran(breaking: Callable[[BaseException], None]) -> None:
    breaking(MemoryError())
    assert "of auto" not in the_failure(device="auto").message


def test_that_a_regression_out_of_memory_speaks_of_points_and_not_of_heads(
    breaking: Callable[[BaseException], None],
) -> None:
    breaking(MemoryError())
    assert "heads" not in the_failure(**LEARNED).message


def test_that_a_worker_thread_sees_a_failure_and_no_exception() -> None:
    found: list[Any] = []
    worker = threading.Thread(target=lambda: found.extend(events({"device": "cuda:99"})))
    worker.start()
    worker.join()
    assert [event.code for event in found] == ["device_missing"]
