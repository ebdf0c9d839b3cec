import os
from collections.abc import Iterator

import pytest
import torch

from attnviz.engine.labs import take_cores_for
from attnviz.engine.run import run
from attnviz.experiment.attention.spec import AttentionSpec
from attnviz.experiment.attention.trace import AttentionTrace
from attnviz.experiment.labs import Spec
from attnviz.experiment.regression.spec import RegressionSpec
from attnviz.experiment.specs_in_files import preset


@pytest.fixture
def restored_threads() -> Iterator[None]:
    before = torch.get_num_threads()
    yield
    torch.set_num_threads(before)


SMALL = AttentionSpec(num_heads=8, num_hiddens=64, num_queries=64, num_kvpairs=64, batch_size=1)
LARGE = AttentionSpec(num_heads=12, num_hiddens=768, num_queries=512, num_kvpairs=512, batch_size=1)
TRAINING = RegressionSpec(estimator="parametric")


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
@pytest.mark.parametrize("name", ["causal-sentence", "many-heads"])
def test_that_a_preset_has_the_same_bits_with_any_number_of_threads(name: str) -> None:
    found = set()
    for count in (1, 2, 3):
        torch.set_num_threads(count)
        (trace,) = run(preset(name).spec)
        assert isinstance(trace, AttentionTrace)
        found.add(trace.weights.tobytes())
    assert len(found) == 1
