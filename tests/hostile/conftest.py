"""Hostile files: each reader is given each of them, through the entry by which it would come."""

import sys
from pathlib import Path

import pytest

# Test modules are imported by themselves (--import-mode=importlib); their helpers lie beside them, and the command line
# as its user meets it beside the tests of whole processes.
sys.path[:0] = [str(Path(__file__).parent), str(Path(__file__).parents[1] / "e2e")]


@pytest.fixture
def trap(tmp_path: Path) -> Path:
    """A folder that is there once something was run that only was to be read (see `hostile_files.pickled`)."""
    return tmp_path / "sprung"
