"""The limits within which a stranger's configuration and tokenizer act, and that Stop ends them within a second."""

import json
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import psutil
import pytest
import torch
from model_folders import change_config, tokenizer, written

from attnviz.engine.machine import RunError
from attnviz.engine.model import building
from attnviz.engine.model.building import built
from attnviz.engine.model.folder import check
from attnviz.engine.model.loading import load
from attnviz.engine.model.tokenizer import process as tokenizer_process
from attnviz.engine.model.tokenizer.tokens import Tokens
from attnviz.experiment.run import StoppedError, never_stop

DOUBLED = {"type": "Replace", "pattern": {"String": "a"}, "content": "aa"}
FORTY = json.dumps(tokenizer(normalizer={"type": "Sequence", "normalizers": [DOUBLED] * 40}))
CPU = torch.device("cpu")


def after(seconds: float) -> Callable[[], bool]:
    """Return a callback that asks to stop a number of seconds after its first call."""
    began: list[float] = []

    def should_stop() -> bool:
        began.append(time.monotonic())
        return began[-1] - began[0] > seconds

    return should_stop


def children() -> set[int]:
    return {each.pid for each in psutil.Process().children()}


def test_that_stop_ends_a_tokenizer_that_makes_text_without_end_and_the_next_text_is_read() -> None:
    before = children()
    tokens = Tokens(FORTY, 40)
    assert len(children() - before) == 1
    began = time.monotonic()
    with pytest.raises(StoppedError):
        tokens.encode("a cat", special=False, should_stop=after(0.2))
    assert time.monotonic() - began < 1.2
    assert children() == before, "the process has ended"
    assert tokens.encode("the dog", special=False).names == ("the", "dog")
    del tokens
    assert children() == before


@pytest.mark.parametrize(
    ("limit", "most", "why"),
    [
        ("MOST_BYTES", 200 << 20, "it needs more than 200.0 MiB"),
        ("MOST_SECONDS", 0.3, "it takes more than 0.3 seconds"),
    ],
)
def test_that_a_tokenizer_ends_at_its_limits(
    limit: str, most: float, why: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tokenizer_process, limit, most)
    with pytest.raises(RunError) as caught:
        Tokens(FORTY, 40).encode("a cat", special=False)
    assert str(caught.value).endswith(f"cannot tokenize this text: {why}")


def test_that_a_tokenizer_has_no_more_memory_than_it_is_given(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tokenizer_process, "_ADDRESSES", 400 << 20)
    tokens = Tokens(FORTY, 40)
    with pytest.raises(RunError, match="needs too much memory, or is broken"):
        tokens.encode("a cat", special=False)


def test_that_a_killed_tokenizer_starts_again() -> None:
    before = children()
    tokens = Tokens(json.dumps(tokenizer()), 40)
    ids = tokens.encode("the cat", special=True).ids
    for pid in children() - before:
        psutil.Process(pid).kill()
    psutil.wait_procs([psutil.Process(pid) for pid in children() - before], timeout=10)
    assert tokens.encode("the cat", special=True).ids == ids


@pytest.mark.parametrize(
    "values",
    [
        {"model_type": "gemma3_text", "num_hidden_layers": 1 << 24},
        {"model_type": "mamba", "num_hidden_layers": 1 << 24},
    ],
    ids=["lists of the configuration", "its checks"],
)
def test_that_stop_ends_the_code_of_a_configuration_within_a_second(values: dict[str, Any], tmp_path: Path) -> None:
    path = written(tmp_path)
    change_config(path, **values)
    folder, began = check(path), time.monotonic()
    with pytest.raises(StoppedError):
        load(folder, "float32", CPU, after(0.2))
    assert time.monotonic() - began < 3, "with the import of the family"
    assert not [each for each in threading.enumerate() if each.name == "attnviz-build"]


def endless() -> None:
    count = 0
    while True:
        count += 1


def growing() -> None:
    kept = []
    while True:
        kept.append(torch.nn.Identity())


@pytest.mark.parametrize(
    ("make", "limit", "most", "why"),
    [
        (endless, "MOST_SECONDS", 0.3, "more than 0.3 seconds"),
        (growing, "MOST_BYTES", 30 << 20, "more than 30.0 MiB"),
    ],
)
def test_that_a_build_ends_at_its_limits(
    make: Callable[[], None], limit: str, most: float, why: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(building, limit, most)
    with pytest.raises(RunError, match=why):
        built(make, 1, never_stop)
    assert not [each for each in threading.enumerate() if each.name == "attnviz-build"]


def test_that_parts_are_counted_for_the_build_alone() -> None:
    others: list[torch.nn.Module] = []

    def make() -> torch.nn.Module:
        other = threading.Thread(target=lambda: others.extend(torch.nn.Linear(1, 1) for _ in range(3000)))
        other.start()
        other.join()
        return torch.nn.Linear(2, 3)

    assert built(make, 2, never_stop).out_features == 3
    assert len(others) == 3000
    with pytest.raises(RunError, match="many more parts than the 2 weights of the files"):
        built(lambda: torch.nn.ModuleList(torch.nn.Linear(1, 1) for _ in range(2000)), 2, never_stop)
    assert len(torch.nn.ModuleList(torch.nn.Linear(1, 1) for _ in range(2000))) == 2000
