"""Hostile files: each reader is given each of them, through the entry by which it would come."""

from pathlib import Path

import pytest


@pytest.fixture
def trap(tmp_path: Path) -> Path:
    """A folder that is there once something was run that only was to be read (see `hostile_files.pickled`)."""
    return tmp_path / "sprung"
