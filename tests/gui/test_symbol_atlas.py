"""pyqtgraph keeps a picture of each pen and brush that it has met; no frame of a training may hand it new ones."""

from collections.abc import Callable

import pyqtgraph as pg
from pytestqt.qtbot import QtBot
from small_specs import training

from attnviz.experiment.labs import Spec
from attnviz.gui.main_window import MainWindow


def pictures(window: MainWindow) -> int:
    """Return how many pictures of symbols all plots of a window keep."""
    views = window.findChildren(pg.PlotWidget)
    items = [item for view in views for item in view.scene().items() if isinstance(item, pg.ScatterPlotItem)]
    assert len(items) > 5
    return sum(len(item.fragmentAtlas) for item in items)


def test_that_frames_of_a_training_add_no_pictures_of_symbols(
    at: Callable[[Spec], MainWindow], settle: Callable[[MainWindow], None], qtbot: QtBot
) -> None:
    window = at(training(epochs=40))
    controller = window.controller
    room = window.rooms["regression"]
    counts = []
    for _ in range(3):
        for step in range(0, 40, 2):
            with qtbot.waitSignal(controller.trace_accepted):
                controller.look_at(step)
            for query in range(4):
                room.stage.fit.select(query, query)
            room.stage.fit.repaint()
        counts.append(pictures(window))
    assert counts[2] == counts[1] == counts[0]
