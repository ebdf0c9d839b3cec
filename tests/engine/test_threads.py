import os
from collections.abc import Iterator

import pytest
import torch

from attnviz.engine.run import run
from attnviz.engine.threads import leave_a_core_for_the_window
from attnviz.experiment.attention_trace import AttentionTrace
from attnviz.experiment.presets import preset


@pytest.fixture
def restored_threads() -> Iterator[None]:
    before = torch.get_num_threads()
    yield
    torch.set_num_threads(before)


@pytest.mark.usefixtures("restored_threads")
@pytest.mark.parametrize(("cores", "threads"), [(16, 15), (2, 1), (1, 1), (None, 1)])
def test_that_one_core_is_left_for_the_window_and_one_thread_always_runs(
    cores: int | None, threads: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(os, "cpu_count", lambda: cores)
    leave_a_core_for_the_window()
    assert torch.get_num_threads() == threads


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
