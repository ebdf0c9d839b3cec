"""Runs: from a spec to its traces. Uses torch, not Qt."""

from attnviz.engine.machine import check_torch

check_torch()
