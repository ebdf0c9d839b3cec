"""Runs: from a spec to its traces. Uses torch, not Qt."""

from attnviz.engine.installation import check_torch

check_torch()
