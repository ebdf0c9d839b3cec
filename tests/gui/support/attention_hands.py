"""Shared by tests of the attention lab: how its buttons are pressed, and the colours of its tensors."""

import html
import math
from typing import Any

import numpy as np
from eyes import Colours, cell_of, colours_of, grid_colours, ground, heatmap_colours, look
from hands import Hands
from PySide6.QtCore import QCoreApplication, QPoint, QRectF, Qt
from PySide6.QtGui import QTextDocumentFragment
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QToolButton, QWidget
from small_specs import independent_trace

from attnviz.experiment.colours import DIVERGING, quantise
from attnviz.experiment.labs import Spec
from attnviz.gui.plots.layout import tile_grid
from attnviz.gui.plots.matrix.head_grid import HeadGrid, Thumbnail
from attnviz.gui.plots.matrix.tile import ColourTable, colour_table
from attnviz.gui.widgets.selection import Selection
from attnviz.gui.window.main_window import MainWindow

CELL_STAGES = ("scores", "capped_scores", "masked_scores", "weights", "dropped_weights")
SCORES = CELL_STAGES[:3]


def stage_of(window: MainWindow) -> Any:
    return window.rooms["attention"].stage


def inspector_of(window: MainWindow) -> Any:
    return window.rooms["attention"].inspector.of_layer


def as_it_opens(window: MainWindow) -> MainWindow:
    """Show the weights of the first item and head in the attention lab, with the last row chosen and empty notes."""
    room: Any = window.rooms["attention"]
    stage = room.stage
    QTest.mouseMove(stage, QPoint(1, 1))  # a corner where no picture is
    QCoreApplication.processEvents()
    for page in (stage.pages.tensors, stage.pages.heads.panels):
        for place in np.ndindex(4, 3):
            page.panel_at(*place)  # once made they stay; how they are first made is a test of its own
    stage.player.stop()
    stage.page_buttons.press("stages")
    stage.tools.brushes.press("")
    stage.tools.ranked.setChecked(False)
    stage.tools.extremes.setChecked(False)
    stage.tools.statistic.setCurrentIndex(stage.tools.statistic.findData("entropy"))
    stage.contrast.choose("")
    stage.tools.items.setCurrentIndex(0)
    window.rooms.pins.put("attention", None)
    stage.pages.stages.which.press("q")
    stage.strip.go_to("weights")
    room.selection.hover(None)
    room.selection.lock(Selection(0, stage.trace.weights.shape[2] - 1))
    return window


def button_with(widget: QWidget, name: str, value: str) -> QToolButton:
    """Return the button of a stage strip ("stage") or of segments ("value") by its value."""
    (button,) = [it for it in widget.findChildren(QToolButton) if it.property(name) == value]
    return button


def press_stage(window: MainWindow, stage: str, hands: Hands) -> None:
    hands.qtbot.mouseClick(button_with(stage_of(window).strip, "stage", stage), hands.left)


def press_page(window: MainWindow, page: str, hands: Hands) -> None:
    hands.qtbot.mouseClick(button_with(stage_of(window).page_buttons, "value", page), hands.left)


def press_brush(window: MainWindow, brush: str, hands: Hands) -> None:
    hands.qtbot.mouseClick(button_with(stage_of(window).tools.brushes, "value", brush), hands.left)


def stroke(hands: Hands, widget: QWidget, places: list[QRectF]) -> None:
    """Press the left button at the first position, move through the others, and release it at the last."""
    points = [place.center().toPoint() for place in places]
    hands.qtbot.mousePress(widget, Qt.MouseButton.LeftButton, pos=points[0])
    for point in points[1:]:
        hands.drag(widget, point)
    hands.qtbot.mouseRelease(widget, Qt.MouseButton.LeftButton, pos=points[-1])


def beside_the_picture(window: MainWindow, hands: Hands) -> None:
    """Move the mouse to a corner of the stage without a picture, and wait until nothing is hovered."""
    hands.qtbot.mouseMove(stage_of(window), QPoint(1, 1))
    room = window.rooms["attention"]
    hands.qtbot.waitUntil(lambda: room.selection.current == room.selection.locked)


def plain(rich: str) -> str:
    """Return the text of a label with subscripts."""
    return html.unescape(QTextDocumentFragment.fromHtml(rich).toPlainText())


def symmetric(values: Any, whole: Any = None) -> Any:
    """Return symmetric colour levels around 0, up to the largest magnitude in ``whole``, or in the values."""
    reach = float(np.abs(values if whole is None else whole).max()) or 1.0
    return quantise(values, None, -reach, reach)


def cell_levels(trace: Any, stage: str, item: int) -> Any:
    """Return the (h, Q, K) levels of a stage of cells."""
    mask = trace.mask[item]
    if stage in SCORES:
        scores = trace.scores if stage == "scores" else trace.changed_scores.get("capped_scores", trace.scores)
        reach = float(np.abs(scores).max())
        return quantise(scores[item], mask if stage == "masked_scores" else None, -reach, reach)
    values = getattr(trace, stage)[item]
    return quantise(values, mask | (values != 0), 0.0, largest_weight(trace, stage))


def largest_weight(trace: Any, stage: str) -> float:
    """Return the weight of the last colour: 1, or more after dropout."""
    acts = stage == "dropped_weights" and trace.spec.training
    return 1 / (1 - trace.spec.dropout) if acts else 1.0


def diverging(window: MainWindow) -> ColourTable:
    return colour_table(DIVERGING, window.look.theme)


def table_of(window: MainWindow, stage: str) -> ColourTable:
    """Return the colours of a cell stage: diverging before the softmax."""
    return diverging(window) if stage in SCORES else colour_table("viridis", window.look.theme)


def colours_in(seen: Colours, place: QRectF, shape: tuple[int, int]) -> Any:
    """Return the colour of every cell of a matrix drawn into a rectangle."""
    rows, columns = shape
    cells = [[ground(seen, cell_of(place, shape, row, column)) for column in range(columns)] for row in range(rows)]
    return np.array(cells)


def assert_panel(heatmap: Any, levels: Any, table: ColourTable, empty_rows: Any = ()) -> None:
    """Check that a heatmap shows exactly these levels in these colours.

    An empty row has a text in its middle, so only its first and last cell are compared.
    """
    rows, columns = levels.shape
    seen = look(heatmap)
    shown = [[ground(seen, heatmap.rect_of(row, column)) for column in range(columns)] for row in range(rows)]
    assert heatmap.view.shape == levels.shape
    wrong = np.array(shown) != colours_of(table, levels)
    if len(empty_rows):
        wrong[empty_rows, 1:-1] = False
    assert not wrong.any()


def written(value: float) -> str:
    """Return a number as formatted in a step: five decimals, or five digits if these are too few or too many."""
    if math.isnan(value):
        return "NaN"
    if math.isinf(value):
        return "∞" if value > 0 else "−∞"
    return f"{value:.5f}" if value == 0 or 1e-4 <= abs(value) < 1e5 else f"{value:.4e}"


def weight_said(value: float, decimals: int) -> str:
    """Return a weight as said: an exact 0 without decimals, one that they would show as 0 with digits of its own."""
    return "0" if value == 0 else f"{value:.1e}" if round(float(value), decimals) == 0 else f"{value:.{decimals}f}"


def note(name: str, value: float) -> str:
    """Return a statistic as written beside a head."""
    if np.isnan(value):
        return "–"
    if name in ("diagonal", "previous", "first"):
        return f"{100 * value:.0f} %"
    if name == "sum_error":
        return f"{value:.0e}" if value else "0"
    return f"{value:.2f} bit" if name == "entropy" else f"{value:.2f}"


def choose_note(window: MainWindow, name: str) -> None:
    box = stage_of(window).tools.statistic
    box.setCurrentIndex(box.findData(name))
    QCoreApplication.processEvents()


def assert_grid(window: MainWindow, levels: Any, mask: Any, thumbnails: list[Thumbnail]) -> None:
    """Compare the grid pixel by pixel, with its names and notes, with a grid of these tiles."""
    grid = stage_of(window).grid
    made = HeadGrid(window.look)
    made.show_heads(levels, mask, table_of(window, "weights"), tuple(thumbnails))
    lower = [tile for tile in grid.tiles if tile.y() > grid.tiles[0].y()]
    across, longer = len(grid.tiles) - len(lower), max(grid.tiles[0].width(), grid.tiles[0].height())
    made.place(tile_grid(made.rules, min(across, 2), longer))
    assert made.size() == grid.size()
    made.select(window.room.selection.current)
    expected = look(made)
    made.show_heads(levels, mask, table_of(window, "weights"), tuple(Thumbnail(t.head, "", "") for t in thumbnails))
    bare = look(made)
    made.deleteLater()
    assert np.array_equal(look(grid), expected)
    assert not np.array_equal(look(grid), bare), "names and notes are not to be seen"


# What each stage must look like, worked out from the trace alone


def pooling(trace: Any, head: int) -> list[tuple[Any, bool]]:
    weights, mask = trace.dropped_weights[0, head], trace.mask[0, head]
    levels = quantise(weights, mask | (weights != 0), 0.0, largest_weight(trace, "dropped_weights"))
    return [(levels, False), (symmetric(trace.v[0, head]), True), (symmetric(trace.heads[0, head]), True)]


def panels(trace: Any, stage: str, head: int, query: int, split: str = "q") -> list[list[tuple[Any, bool]]]:
    """Return the levels of the panels of a stage, row by row, and whether their colour maps are diverging.

    If inputs are projected, those of q, k or v are shown, by ``split``.
    """
    parameters = trace.parameters
    if stage == "heads" or (stage == "output" and "W_o" not in parameters):
        return [pooling(trace, head)]
    if stage in trace.before:
        rows = []
        for before, after in zip(trace.before[stage], trace.layer.after(stage), strict=True):
            both = np.stack((before[0, head], after[0, head]))
            rows.append([(symmetric(each, both), True) for each in both])
        return rows
    if stage == "output":
        return [[(symmetric(it), True) for it in (trace.merged[0], parameters["W_o"].T, trace.output[0])]]
    if stage == "features":
        tanh = quantise(trace.features[0, query], None, -1.0, 1.0)
        around = [symmetric(trace.q[0, 0, query][None]), symmetric(trace.k[0, 0])]
        return [[(it, True)] for it in (*around, tanh, symmetric(parameters["w_v"]))]
    rows = []
    for name, given in (("q", trace.queries), ("k", trace.keys), ("v", trace.values)):
        heads = trace.split_into_heads(name)[0]
        beside = heads.transpose(1, 0, 2).reshape(heads.shape[1], -1)
        matrix = parameters.get(f"W_{name}")
        assert matrix is None or np.allclose(given[0] @ matrix.T + parameters.get(f"b_{name}", 0), beside, atol=1e-5), (
            "the panels of a row are not a product"
        )
        row = [given[0]] if matrix is None else [given[0], matrix.T, beside]
        rows.append([(symmetric(it), True) for it in row])
    return [rows["qkv".index(split)]] if "W_q" in parameters else rows


def check_panels(window: MainWindow, page: Any, expected: list[list[tuple[Any, bool]]]) -> None:
    weights = table_of(window, "weights")
    shown = [
        [page.panel_at(row, column) for column in range(3) if page.panel_at(row, column).isVisible()]
        for row in range(4)
    ]
    assert [len(row) for row in shown if row] == [len(row) for row in expected]
    for row, panels_of_row in enumerate(expected):
        for column, (levels, is_signed) in enumerate(panels_of_row):
            assert_panel(shown[row][column], levels, diverging(window) if is_signed else weights)


def check_split(window: MainWindow, whole: Any, heads: Any) -> None:
    """Check the colours of (B, L, D) and of its (B, h, L, d) heads in the reshape picture."""
    view = stage_of(window).pages.reshape.picture
    assert view.isVisible()
    seen, table = look(view), diverging(window)
    for item, head in np.ndindex(heads.shape[:2]):
        expected = colours_of(table, symmetric(heads, whole)[item, head])
        assert (colours_in(seen, view.tile_rect(item, head), heads.shape[2:]) == expected).all()
        expected = colours_of(table, symmetric(whole)[item])
        assert (colours_in(seen, view.whole_rect(item), whole.shape[1:]) == expected).all()


def check_picture(window: MainWindow, trace: Any, stage: str, head: int = 0, query: int = 2, split: str = "q") -> None:
    QCoreApplication.processEvents()  # a page that was just opened is laid out
    shown = stage_of(window)
    shape = trace.weights.shape[2:]
    if stage in CELL_STAGES:
        levels, table = cell_levels(trace, stage, 0), table_of(window, stage)
        assert (heatmap_colours(shown.heatmap, shape) == colours_of(table, levels[head])).all()
        if len(levels) > 1:
            assert (grid_colours(shown.grid, shape) == colours_of(table, levels)).all()
    elif stage in ("split", "merge"):
        heads = trace.split_into_heads("q") if stage == "split" else trace.heads
        batch, count, length, size = heads.shape
        check_split(window, heads.transpose(0, 2, 1, 3).reshape(batch, length, count * size), heads)
    else:
        tiles = trace.heads if stage == "heads" else trace.layer.after(stage)[0] if stage in trace.before else None
        page = shown.pages.tensors if tiles is None else shown.pages.heads.panels
        check_panels(window, page, panels(trace, stage, head, query, split))
        if tiles is not None:
            expected = colours_of(diverging(window), symmetric(tiles[0]))
            assert (grid_colours(shown.grid, tiles.shape[2:]) == expected).all()


def shows(window: MainWindow, spec: Spec) -> bool:
    """Return whether every head has the pixels of an independent run of the spec."""
    stage, trace = window.rooms["attention"].stage, independent_trace(spec)
    return bool((grid_colours(stage.grid, trace.weights.shape[2:]) == colours_of(stage.table, trace.levels()[0])).all())
