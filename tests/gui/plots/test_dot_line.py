"""The line of a number of a product has as many terms as there is room for, and looks at no more."""

import numpy as np
import pytest
from PySide6.QtGui import QFontMetrics
from pytestqt.qtbot import QtBot

from attnviz.experiment.colours import DIVERGING
from attnviz.experiment.layers.panels import Dot
from attnviz.gui.plots.matrix.tile import colour_table
from attnviz.gui.plots.tensors.dot_line import DotLine
from attnviz.gui.theme import LIGHT, Look


@pytest.mark.parametrize("width", [1200, 700, 400])
def test_that_the_line_of_a_long_row_has_the_terms_that_fit_and_measures_few_more(
    width: int, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    line = DotLine(Look(LIGHT))
    qtbot.addWidget(line)
    line.resize(width, 40)
    row, levels = np.full(1536, 0.25), np.full(1536, 140, np.uint8)
    table = colour_table(DIVERGING, LIGHT)
    line.show_dot(Dot(row, row, (levels, levels), None, 96.0, 255), "cat", 2, "text", (table, table))
    metrics = QFontMetrics(line.look.font("small"))
    room = width - line._title_width(metrics)
    fit = [count for count in range(2, 60) if sum(line._width(it, metrics) for it in line.pieces(count)) <= room]
    assert line._fitting(metrics, 1536) == line.pieces(max(fit))
    measured: list[object] = []
    width_of = DotLine._width
    monkeypatch.setattr(DotLine, "_width", lambda *of: measured.append(of) or width_of(*of))
    line.grab()
    assert 0 < len(measured) < 2000  # each number of terms, from 1,536 down, took a minute


def test_that_the_terms_that_make_a_number_are_among_those_that_are_written(qtbot: QtBot) -> None:
    line = DotLine(Look(LIGHT))
    qtbot.addWidget(line)
    row, column, levels = (
        np.array([0.0, 0.1, 0.9, 0.0, 0.0]),
        np.array([3.0, 0.5, -2.0, 7.0, 1.0]),
        np.zeros(5, np.uint8),
    )
    table = colour_table(DIVERGING, LIGHT)
    line.show_dot(Dot(row, column, (levels, levels), None, -1.75, 0), "cat", 2, "text", (table, table))
    assert " ".join(piece.text for piece in line.pieces(2)) == "… + 0.10 · 0.50 + 0.90 · -2.00 + … = -1.75"
    assert "…" not in {piece.text for piece in line.pieces(5)}


@pytest.mark.parametrize("seed", range(20))
def test_that_terms_that_are_all_written_add_up_as_printed(seed: int, qtbot: QtBot) -> None:
    line = DotLine(Look(LIGHT))
    qtbot.addWidget(line)
    row, column = np.random.default_rng(seed).normal(size=(2, 4)).astype(np.float32)
    levels, table = np.zeros(4, np.uint8), colour_table(DIVERGING, LIGHT)
    line.show_dot(Dot(row, column, (levels, levels), None, float(row @ column), 0), "dog", 0, "text", (table, table))
    *terms, _, made = [piece.text for piece in line.pieces(4)]
    printed = sum(float(left) * float(right) for left, right in zip(terms[::4], terms[2::4], strict=True))
    assert f"{printed:.2f}" == made
