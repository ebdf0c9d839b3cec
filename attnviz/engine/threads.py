"""How many cores a run uses while a window is open."""

import os

import torch

from attnviz.engine.labs import ENGINE_LABS
from attnviz.experiment.labs import Asked


def take_cores_for(asked: Asked) -> None:
    """Let torch use all cores for a large run of one step, and all but one for any other.

    A training shares its time with the frames that show it, and on two cores it is even faster on one: its operations
    are small (1 thread: 0 to 0.3 % of frames late, 2 threads: 15 to 26 %).
    """
    cores = os.cpu_count() or 2
    torch.set_num_threads(cores if ENGINE_LABS[asked.lab].takes_all_cores(asked) else max(1, cores - 1))
