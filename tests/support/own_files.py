"""Users' files with functions, as values whose source may be run."""

import textwrap
from pathlib import Path

from attnviz.experiment.attention.mods import Mods
from attnviz.experiment.files.consent import allow

SIZES = 1, 2, 4, 6


def own(
    source: str, mask_mod: str | None = "mask", score_mod: str | None = None, path: str | Path = "my_mods.py"
) -> Mods:
    """Return the value of a source whose functions may run."""
    mods = Mods(path=str(path), mask_mod=mask_mod, score_mod=score_mod, source=textwrap.dedent(source))
    allow(mods.digest, remember=False)
    return mods


def mask(*lines: str) -> str:
    """Return a source with a function ``mask`` of the lines; its first line is the third of the file."""
    body = "".join(f"    {line}\n" for line in lines)
    return f"import os, sys, time, torch\ndef mask(b, h, q_idx, kv_idx):\n{body}"


def score(*lines: str) -> str:
    """Return a source with a function ``score_mod`` of the lines; its first line is the third of the file."""
    body = "".join(f"    {line}\n" for line in lines)
    return f"import os, sys, time, torch\ndef score_mod(score, b, h, q_idx, kv_idx):\n{body}"
