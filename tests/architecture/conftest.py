import sys
from pathlib import Path

# Test modules are imported by themselves (--import-mode=importlib); their helpers lie beside them.
sys.path.insert(0, str(Path(__file__).parent))
