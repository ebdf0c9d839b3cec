import sys
from pathlib import Path

# Test modules are imported by themselves (--import-mode=importlib); their helpers lie beside them, and the traces made
# by hand and the strategies for legal specs beside the tests of the nouns.
sys.path[:0] = [str(Path(__file__).parent), str(Path(__file__).parents[1] / "experiment")]
