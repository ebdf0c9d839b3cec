"""Faults injected on purpose: each test ends in a sentence for the user and a window that goes on."""

import sys
from pathlib import Path

import pytest

# Test modules are imported by themselves (--import-mode=importlib); what they share lies here and in other folders.
_TESTS = Path(__file__).parents[2]
sys.path[:0] = [str(Path(__file__).parent), str(_TESTS / "engine"), str(_TESTS / "e2e")]


@pytest.fixture
def elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder far from the checkout, in which the test runs."""
    monkeypatch.chdir(tmp_path)
    return tmp_path
