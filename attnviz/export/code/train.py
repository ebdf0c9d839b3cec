"""The script that trains the same model in plain PyTorch."""

from attnviz.experiment.train.spec import TrainSpec
from attnviz.export.code.text import Script


def train_script(spec: TrainSpec) -> Script:
    """Return the script of a spec."""
    return Script([f"Train: {spec.task.kind}."], ["import torch"], [f"steps = {spec.steps}"])
