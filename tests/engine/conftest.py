import sys
from pathlib import Path

import pytest

# The strategies for legal specs lie beside the tests of the specs.
sys.path.insert(0, str(Path(__file__).parents[1] / "experiment"))


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", "accelerator: runs on every GPU that this machine has, and skips without one")
