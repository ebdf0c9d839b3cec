"""The run: a spec goes in, traces come out. torch, no Qt."""

from attnviz.engine.installation import check_torch

check_torch()
