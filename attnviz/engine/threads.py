"""How many cores a run takes while a window is open."""

import os

import torch


def leave_a_core_for_the_window() -> None:
    """Let torch use all cores but one, so that frames come in time; on two cores this is also the faster choice."""
    torch.set_num_threads(max(1, (os.cpu_count() or 2) - 1))
