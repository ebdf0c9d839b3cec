import sys
from pathlib import Path

import pytest

# Test modules are imported by themselves (--import-mode=importlib); their helpers lie beside them, and the strategies
# for legal specs beside the tests of the specs.
sys.path[:0] = [str(Path(__file__).parent), str(Path(__file__).parents[1] / "experiment")]


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", "accelerator: runs on every GPU that this machine has, and skips without one")
