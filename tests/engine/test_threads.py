import os
from collections.abc import Iterator
from unittest.mock import patch

import pytest
import torch

from attnviz.engine.labs import take_cores_for
from attnviz.engine.run import run, run_to_end
from attnviz.experiment.attention.spec import AttentionSpec
from attnviz.experiment.files.specs_in_files import preset
from attnviz.experiment.labs import Spec, make_spec
from attnviz.experiment.regression.data import SyntheticData
from attnviz.experiment.regression.spec import RegressionSpec
from attnviz.experiment.run import Failure
from attnviz.export.code.script import pytorch_code


@pytest.fixture
def restored_threads() -> Iterator[None]:
    before = torch.get_num_threads()
    yield
    torch.set_num_threads(before)


SMALL = AttentionSpec(num_heads=8, num_hiddens=64, num_queries=64, num_kvpairs=64, batch_size=1)
LARGE = AttentionSpec(num_heads=12, num_hiddens=768, num_queries=512, num_kvpairs=512, batch_size=1)
TRAINING = RegressionSpec(estimator="parametric")
# The last bits of these differ between one thread and two: the first on an AMD EPYC, whatever MKL_CBWR says; the second
# wherever torch adds up more numbers than one thread takes.
PRODUCT = make_spec({"dtype": "float64", "num_hiddens": 12, "num_heads": 3, "num_queries": 18, "device": "cpu"})
GRADIENT = RegressionSpec(
    estimator="parametric",
    epochs=3,
    learning_rate=0.01,
    data=SyntheticData(n_train=300, noise=0.3, seed=3),
    device="cpu",
)


@pytest.mark.usefixtures("restored_threads")
@pytest.mark.parametrize("spec", [SMALL, TRAINING], ids=["small", "training"])
@pytest.mark.parametrize(("cores", "threads"), [(16, 15), (2, 1), (1, 1), (None, 1)])
def test_that_one_core_is_left_for_the_window_and_one_thread_always_runs(
    cores: int | None, threads: int, spec: Spec, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(os, "cpu_count", lambda: cores)
    take_cores_for(spec)
    assert torch.get_num_threads() == threads


@pytest.mark.usefixtures("restored_threads")
@pytest.mark.parametrize(("cores", "threads"), [(16, 16), (2, 2), (1, 1)])
def test_that_a_large_run_of_one_step_has_all_cores_and_what_follows_leaves_one(
    cores: int, threads: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(os, "cpu_count", lambda: cores)
    take_cores_for(LARGE)
    assert torch.get_num_threads() == threads
    take_cores_for(SMALL)
    assert torch.get_num_threads() == max(1, cores - 1)


@pytest.mark.usefixtures("restored_threads")
@pytest.mark.parametrize("spec", [PRODUCT, GRADIENT, preset("many-heads").spec], ids=["product", "gradient", "preset"])
def test_that_a_run_has_the_same_bits_whatever_threads_its_caller_has_and_leaves_them(spec: Spec) -> None:
    found = set()
    for count in (1, 2, 3):
        torch.set_num_threads(count)
        events = [*run(spec), run_to_end(spec)]
        assert torch.get_num_threads() == count
        assert not any(isinstance(event, Failure) for event in events)
        found |= {tuple(array.tobytes() for array in event.arrays().values()) for event in events[-2:]}
    assert len(found) == 1


@pytest.mark.parametrize("spec", [SMALL, LARGE, TRAINING], ids=["small", "large", "training"])
@pytest.mark.parametrize("cores", [16, 2, 1, None])
def test_that_a_script_takes_the_threads_of_its_run(cores: int | None, spec: Spec) -> None:
    with patch("os.cpu_count", lambda: cores), patch("torch.set_num_threads") as asked_for:
        take_cores_for(spec)
        (line,) = (line for line in pytorch_code(spec).splitlines() if "set_num_threads" in line)
        exec(line, {"os": os, "torch": torch})
    of_run, of_script = asked_for.call_args_list
    assert of_run == of_script
