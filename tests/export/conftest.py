import sys
from pathlib import Path

# Test modules are imported by themselves (--import-mode=importlib); the traces made by hand lie beside the tests of
# the nouns.
sys.path.insert(0, str(Path(__file__).parents[1] / "experiment"))
