from typing import Any

import numpy as np
import pytest
import torch
from running import attention_trace, regression_trace, the_failure

from attnviz.engine.machine import RunError, choose, devices

ACCELERATORS = [
    pytest.param(name, marks=pytest.mark.accelerator) for name in (device.name for device in devices()) if name != "cpu"
] or [pytest.param("none", marks=[pytest.mark.accelerator, pytest.mark.skip(reason="no accelerator here")])]


@pytest.fixture
def no_gpu(monkeypatch: pytest.MonkeyPatch) -> None:
    """A machine without an accelerator."""
    monkeypatch.setattr(torch.cuda, "is_available", lambda: False)
    monkeypatch.setattr(torch.backends.mps, "is_available", lambda: False)


@pytest.fixture
def two_gpus(monkeypatch: pytest.MonkeyPatch) -> None:
    """A machine with two of NVIDIA's."""
    monkeypatch.setattr(torch.cuda, "is_available", lambda: True)
    monkeypatch.setattr(torch.cuda, "device_count", lambda: 2)
    monkeypatch.setattr(torch.cuda, "get_device_name", "NVIDIA {}".format)
    monkeypatch.setattr(torch.backends.mps, "is_available", lambda: False)


@pytest.fixture
def a_mac(no_gpu: None, monkeypatch: pytest.MonkeyPatch) -> None:
    """A machine with Apple's."""
    monkeypatch.setattr(torch.backends.mps, "is_available", lambda: True)


def names() -> list[str]:
    return [device.name for device in devices()]


@pytest.mark.usefixtures("no_gpu")
def test_that_without_a_gpu_there_is_the_cpu_and_auto_takes_it() -> None:
    assert names() == ["cpu"]
    assert choose("auto") == choose("cpu") == torch.device("cpu")


@pytest.mark.usefixtures("two_gpus")
def test_that_every_gpu_is_named_with_its_label_and_auto_takes_the_first() -> None:
    assert [(device.name, device.label) for device in devices()] == [
        ("cpu", "CPU"),
        ("cuda:0", "NVIDIA 0"),
        ("cuda:1", "NVIDIA 1"),
    ]
    assert choose("auto") == choose("cuda") == torch.device("cuda:0")
    assert choose("cuda:1") == torch.device("cuda:1")


@pytest.mark.usefixtures("a_mac")
def test_that_apples_gpu_is_what_auto_takes_on_a_mac() -> None:
    assert names() == ["cpu", "mps"]
    assert choose("auto") == torch.device("mps")


@pytest.mark.usefixtures("two_gpus")
def test_that_a_gpu_beyond_the_last_is_refused_with_those_there_are() -> None:
    with pytest.raises(
        RunError, match=r"there is no device cuda:2 here; this machine has cpu, cuda:0, cuda:1"
    ) as caught:
        choose("cuda:2")
    assert caught.value.numbers == {"device": "cuda:2", "known": "cpu, cuda:0, cuda:1"}


@pytest.mark.usefixtures("no_gpu")
@pytest.mark.parametrize("lab", ["attention", "regression"])
@pytest.mark.parametrize("device", ["cuda", "cuda:0", "cuda:99", "mps"])
def test_that_a_missing_device_is_a_failure_that_names_it_and_what_there_is(lab: str, device: str) -> None:
    failure = the_failure(lab=lab, device=device)
    assert failure.code == "device_missing"
    assert failure.message == f"there is no device {device} here; this machine has cpu"


@pytest.mark.usefixtures("no_gpu")
def test_that_the_trace_records_the_device_that_ran_and_not_the_word_auto() -> None:
    trace = attention_trace(device="auto")
    assert (trace.spec.device, trace.device) == ("auto", "cpu")
    assert regression_trace(device="auto").device == "cpu"


@pytest.mark.usefixtures("a_mac")
def test_that_float64_on_apples_gpu_is_a_failure_that_names_the_nearest() -> None:
    failure = the_failure(device="mps", dtype="float64")
    assert failure.code == "no_float64"
    assert failure.message == "mps has no float64; nearest: float32, or the cpu"


@pytest.mark.parametrize("dtype", ["float32", "bfloat16", "float16"])
@pytest.mark.parametrize("mechanism", ["dot_product", "additive", "multi_head", "causal_multi_head"])
@pytest.mark.parametrize("device", ACCELERATORS)
def test_that_an_accelerator_agrees_with_the_cpu(device: str, mechanism: str, dtype: str) -> None:
    values: dict[str, Any] = {"mechanism": mechanism, "bias": True, "causal": True, "dtype": dtype}
    values |= {"valid_lens": [3, 0], "num_queries": 30, "num_kvpairs": 30, "num_heads": 4, "num_hiddens": 64}
    there, here = (attention_trace(**values, device=name) for name in (device, "cpu"))
    assert there.device == device
    tolerance = {"float32": 1e-5, "float16": 1e-2, "bfloat16": 8e-2}[dtype]
    np.testing.assert_array_equal(there.mask, here.mask)
    for name in ("queries", "q", "k", "v", "weights", "heads", "output"):
        np.testing.assert_allclose(getattr(there, name), getattr(here, name), rtol=0, atol=tolerance, err_msg=name)


@pytest.mark.parametrize("device", ACCELERATORS)
def test_that_dropout_on_an_accelerator_hangs_on_the_seed(device: str) -> None:
    values = {"training": True, "dropout": 0.5, "num_queries": 30, "num_kvpairs": 30, "device": device}
    first, again, other = (attention_trace(**values, seed=seed).dropped_weights for seed in (0, 0, 1))
    np.testing.assert_array_equal(first, again)
    assert ((first == 0) != (other == 0)).any()


@pytest.mark.parametrize("estimator", ["average", "nonparametric", "parametric"])
@pytest.mark.parametrize("device", ACCELERATORS)
def test_that_regression_on_an_accelerator_agrees_with_the_cpu(device: str, estimator: str) -> None:
    values = {"estimator": estimator, "w_init": 0.5, "learning_rate": 0.01}
    there, here = (regression_trace(**values, device=name) for name in (device, "cpu"))
    assert there.device == device
    assert there.weights.dtype == np.float64
    for name in ("weights", "y_hat", "loss", "w"):
        np.testing.assert_allclose(getattr(there, name), getattr(here, name), rtol=1e-4, atol=1e-5, err_msg=name)


@pytest.mark.parametrize("device", ACCELERATORS)
def test_that_a_run_which_does_not_fit_an_accelerator_is_refused_and_the_next_one_runs(device: str) -> None:
    giant = {"num_queries": 16_384, "num_kvpairs": 16_384, "num_heads": 64, "num_hiddens": 64, "batch_size": 256}
    assert device in the_failure(**giant, device=device).message
    assert attention_trace(device=device).device == device
