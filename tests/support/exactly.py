"""What `pytest.raises` is to match."""

import re


def exactly(sentence: str) -> str:
    """Return the pattern of a whole sentence."""
    return f"^{re.escape(sentence)}$"
