import sys
from pathlib import Path

import pytest

# Test modules are imported by themselves (--import-mode=importlib); their helpers lie beside them.
sys.path.insert(0, str(Path(__file__).parent))


@pytest.fixture
def elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder far from the checkout, in which the test runs."""
    monkeypatch.chdir(tmp_path)
    return tmp_path
