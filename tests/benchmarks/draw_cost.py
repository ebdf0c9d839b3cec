"""Painting all heads with HeadGrid, against one pyqtgraph ViewBox per head and against one mosaic image.

Run: .venv/bin/python tests/benchmarks/draw_cost.py
Prints medians of set + paint and their ratios, taken in turn in one run, offscreen at the size of the stage's grid.

Learned from it: painting the tiles ourselves costs a quarter of a ViewBox per head at 8 heads and a seventh at 96; a
mosaic is up to twice as fast as ours there, but has no labels, and drops cells where they are finer than pixels. So
one widget serves any number of heads. Cutting levels with numpy's reduceat cost more than all the drawing; maxima of
strided slices are 20 times as fast.
"""

import os
import statistics
import time

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

import numpy as np
import pyqtgraph as pg

from attnviz.gui.app import make_application
from attnviz.gui.plots.matrix.head_grid import HeadGrid
from attnviz.gui.plots.matrix.tile import colour_table
from attnviz.gui.theme import LIGHT, Look

SIZE = (680, 260)
ROUNDS = 30


def grid_painter(heads, table):
    grid = HeadGrid(Look(LIGHT))
    grid.resize(*SIZE)
    grid.show()

    def paint(levels):
        grid.show_heads(levels, None, table)
        grid.repaint()

    return paint, grid


def view_box_painter(heads, table):
    layout = pg.GraphicsLayoutWidget()
    layout.resize(*SIZE)
    images = []
    across = int(np.ceil(np.sqrt(heads * 2.5)))
    for head in range(heads):
        box = layout.addViewBox(head // across, head % across, lockAspect=True, invertY=True)
        image = pg.ImageItem(axisOrder="row-major", lut=table.rgb, levels=(0, 255))
        box.addItem(image)
        images.append(image)
    layout.show()

    def paint(levels):
        for image, tile in zip(images, levels, strict=True):
            image.setImage(tile, autoLevels=False, levels=(0, 255))
        layout.viewport().repaint()

    return paint, layout


def mosaic_painter(heads, table):
    view = pg.GraphicsLayoutWidget()
    view.resize(*SIZE)
    box = view.addViewBox(lockAspect=True, invertY=True)
    image = pg.ImageItem(axisOrder="row-major", lut=table.rgb, levels=(0, 255))
    box.addItem(image)
    view.show()
    across = int(np.ceil(np.sqrt(heads * 2.5)))
    down = -(-heads // across)

    def paint(levels):
        size = levels.shape[-1]
        mosaic = np.zeros((down * across, size, size), np.uint8)
        mosaic[:heads] = levels
        rows = mosaic.reshape(down, across, size, size).swapaxes(1, 2).reshape(down * size, across * size)
        image.setImage(rows, autoLevels=False, levels=(0, 255))
        view.viewport().repaint()

    return paint, view


def main() -> None:
    app = make_application()
    table = colour_table("viridis", LIGHT)
    print(f"{'heads x tokens':>16} {'ours':>9} {'ViewBox each':>16} {'mosaic':>16}")
    for heads, tokens in ((8, 64), (16, 64), (96, 64), (12, 512)):
        frames = np.random.default_rng(0).integers(1, 255, (4, heads, tokens, tokens), dtype=np.uint8)
        painters = [make(heads, table) for make in (grid_painter, view_box_painter, mosaic_painter)]
        app.processEvents()
        times: list[list[float]] = [[], [], []]
        for index in range(ROUNDS):
            for (paint, _widget), taken in zip(painters, times, strict=True):
                start = time.perf_counter()
                paint(frames[index % 4])
                taken.append((time.perf_counter() - start) * 1e3)
        ours, boxes, mosaic = (statistics.median(taken[3:]) for taken in times)
        print(
            f"{heads:>8} x {tokens:<5} {ours:6.1f} ms {boxes:6.1f} ms ({ours / boxes:4.2f}) "
            f"{mosaic:6.1f} ms ({ours / mosaic:4.2f})"
        )
        for _paint, widget in painters:
            widget.close()


if __name__ == "__main__":
    main()
