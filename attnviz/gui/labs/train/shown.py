"""What every page of the training lab draws."""

from typing import NamedTuple

from attnviz.experiment.train.trace import TrainTrace
from attnviz.experiment.train.view_settings import TrainViewSettings
from attnviz.gui.plots.matrix.tile import ColourTable


class Shown(NamedTuple):
    """The data that a page of the lab draws."""

    trace: TrainTrace
    view: TrainViewSettings
    """With the layer under the mouse in place of the chosen one."""
    weights: ColourTable
    """The colours of weights."""
