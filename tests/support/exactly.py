"""Patterns for `pytest.raises`."""

import re


def exactly(sentence: str) -> str:
    """Return the pattern that matches a whole sentence."""
    return f"^{re.escape(sentence)}$"
