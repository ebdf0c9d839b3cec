import sys
from pathlib import Path

import pytest

# Test modules are imported by themselves (--import-mode=importlib); their helpers lie beside them, the strategies for
# legal specs beside the tests of the specs, and what runs a script beside the tests of what leaves.
_TESTS = Path(__file__).parents[1]
sys.path[:0] = [str(_TESTS / name) for name in ("engine", "experiment", "export")]


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", "accelerator: runs on every GPU that this machine has, and skips without one")
