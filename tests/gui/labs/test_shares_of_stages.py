"""How much of a window the pictures of every page take, on a desk and before an audience."""

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest
from PySide6.QtCore import QRectF
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot
from windows import At, Settle

from attnviz.experiment.files.specs_in_files import presets
from attnviz.experiment.labs import Spec
from attnviz.gui.labs.attention.policies_page import VectorStrip
from attnviz.gui.labs.attention.positions_page import PlaneCanvas
from attnviz.gui.labs.compare_page import ComparePage
from attnviz.gui.labs.regression.plots.kernel_grid import KernelGridView
from attnviz.gui.labs.train.written_text import WrittenText
from attnviz.gui.plots.curves.curve_plot import CurvePlot
from attnviz.gui.plots.heads.head_map import HeadMap
from attnviz.gui.plots.lines.lines_view import LinesView
from attnviz.gui.plots.matrix.canvas import Canvas
from attnviz.gui.plots.matrix.colour_bar import ColourBar
from attnviz.gui.plots.matrix.head_grid import HeadGrid
from attnviz.gui.plots.matrix.heatmap import Heatmap
from attnviz.gui.plots.tensors.dot_line import DotLine
from attnviz.gui.plots.tensors.reshape_view import ReshapeView
from attnviz.gui.plots.tensors.row_bars import PooledValues, RowBars
from attnviz.gui.widgets.selection import Selection
from attnviz.gui.window.main_window import MainWindow

SIZES = {"on a desk": ((1280, 800), False, 0.08, 0.2), "before an audience": ((1920, 1080), True, 0.12, 0.35)}
"""Size, whether it is presented, and the least share of any page, and of the curves of a training on their page."""
SPECS = ("causal-sentence", "projections", "self-attention-random", "mask-laboratory", "kernel-learned", "train-text")
SHORT = {"train": {"steps": 1}, "regression": {"epochs": 5}}


def of_reshape(view: ReshapeView) -> list[QRectF]:
    assert view.picture is not None
    items, heads = view.picture.heads.shape[:2]
    places = [view.whole_rect(item) for item in range(items)]
    places += [view.tile_rect(*place) for place in np.ndindex(items, heads)]
    return [place for place in places if place is not None]


def of_lines(view: LinesView) -> list[QRectF]:
    ends = view.places.ends
    return [QRectF(0, 0, ends.right - ends.left, view.places.pitch * max(len(ends.queries), len(ends.keys)))]


def of_kernels(view: KernelGridView) -> list[QRectF]:
    assert view.trace is not None
    columns, rows = view.trace.left_out_error.shape
    places = [(column, row) for column in range(columns) for row in range(rows)]
    return [area for place in places for area in (view.places.fit_area(place), view.places.matrix(place))]


DATA: dict[type[QWidget], Callable[[Any], Any]] = {
    Heatmap: lambda view: [view.cells],
    ReshapeView: of_reshape,
    LinesView: of_lines,
    CurvePlot: lambda view: [view.getViewBox().sceneBoundingRect()],
    KernelGridView: of_kernels,
    PlaneCanvas: lambda view: [QRectF(view.rect())],
    VectorStrip: lambda view: [QRectF(view.rect())],
    HeadGrid: lambda view: view.tiles,
    HeadMap: lambda view: view.cells,
}
"""Where each class of pictures draws numbers, without labels. A class that is not here, nor below, fails the test."""
SMALL = HeadGrid, HeadMap
"""Do not count beside a large picture."""
ASIDE = ColourBar, DotLine, RowBars, PooledValues, WrittenText
"""Do not count: they are about a picture, or they are text, which is as large as its type."""


def areas(page: QWidget) -> list[QRectF]:
    """Return where numbers are drawn on a page, without labels."""
    shown = [it for kind in (Canvas, CurvePlot) for it in page.findChildren(kind) if it.isVisible()]
    pictures = [it for it in shown if not isinstance(it, ASIDE)]
    large = [it for it in pictures if not isinstance(it, SMALL)] or pictures
    return [area for it in large for area in next(DATA[kind] for kind in DATA if isinstance(it, kind))(it)]


def is_long(page: QWidget) -> bool:
    """Return whether a tensor is more than three times as long as wide: its cells need not be square."""
    shapes = [it.matrix.levels.shape for it in page.findChildren(Heatmap) if it.isVisible() and it.matrix is not None]
    return any(max(shape) > 3 * min(shape) for shape in shapes)


def views_of(stage: Any, page: str) -> Iterator[dict[str, str]]:
    """Yield the views of the page on screen, one for each picture that it has."""
    several = stage.view.page_stage == "chosen"
    drawn = dict.fromkeys(stage.view.model_copy(update={"stage": name}).drawn for name in stage.strip.offered)
    for name in drawn if several else ("weights",):
        yield {"stage": name} | ({"place": "layer"} if page == "layer" else {})
    for place in ("tokens", "embed", "prediction") if page == "layer" else ():
        yield {"place": place}


@pytest.fixture
def opened(at: At) -> Iterator[MainWindow]:
    """The shared window, which leaves Present and has its size again afterwards."""
    window = at(presets()["causal-sentence"].spec)
    yield window
    window.present(False)
    window.resize(1280, 800)


@pytest.mark.parametrize("where", SIZES)
@pytest.mark.parametrize("name", SPECS)
def test_that_no_page_is_a_small_part_of_the_window(
    name: str, where: str, opened: MainWindow, settle: Settle, qtbot: QtBot
) -> None:
    spec: Spec = presets()[name].spec
    (width, height), presented, least, least_of_curves = SIZES[where]
    opened.controller.propose(spec.model_copy(update=SHORT[spec.lab]) if spec.trains else spec)
    settle(opened)
    opened.resize(width, height)
    if presented:
        opened.present(True, full_screen=False)
    room, controller = opened.room, opened.controller
    stage: Any = room.stage
    room.selection.lock(Selection(0, 2))

    def wait_beside() -> None:
        settle(opened)
        qtbot.waitUntil(lambda: not controller.computing_beside and not room.specs_beside(controller.spec))

    found: dict[str, float] = {}
    for page in stage.pages.pages:
        if not stage.page_box.model().item(stage.page_box.findData(page)).isEnabled():
            continue
        stage.current_view.propose(page=page)
        stage.page_chosen.emit()
        wait_beside()
        if isinstance(stage.page, ComparePage):
            stage.page.pin_current()
            wait_beside()
        for view in views_of(stage, page):
            stage.current_view.propose(**view)
            settle(opened)
            drawn = areas(stage.page)
            taken = sum(area.width() * area.height() for area in drawn)
            if drawn and not is_long(stage.page):
                # Half of the page of functions is their text.
                taken_of_page = 2 * taken if page == "functions" else taken
                found[" ".join((page, *view.values()))] = taken_of_page / (width * height)
            if page == "learning":
                assert taken >= least_of_curves * width * height
                assert presented or taken >= stage.page.width() * stage.page.height() / 2
        if isinstance(stage.page, ComparePage):
            stage.page.unpin_current()
    assert min(found.values()) >= least, {view: f"{each:.1%}" for view, each in found.items()}
