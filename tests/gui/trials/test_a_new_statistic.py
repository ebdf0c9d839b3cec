"""A statistic that nothing in attnviz knows: one record, and it is offered, noted, sorted by, and a column."""

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from attention_hands import choose_note, inspector_of, stage_of
from PySide6.QtCore import Qt
from small_specs import attention
from windows import Opener

from attnviz.definitions.statistics import STATISTICS, Statistic
from attnviz.experiment.files.session import Session, session_from_json, session_to_json
from attnviz.gui.window.main_window import MainWindow

PEAK = Statistic(
    name="peak",
    title="Peak",
    help="The largest weight of all",
    heading="peak",
    latex=r"\max_{i,j} a_{ij}",
    spoken="the largest weight of all",
    torch="weights.amax((-2, -1))",
    compute=lambda rows, xp: xp.max(rows.shares, axis=(1, 2)),
    number="{:.3f}".format,
    unit="{0} at most",
    largest_first=False,
)


@pytest.fixture
def window(open_window: Opener) -> Iterator[MainWindow]:
    """A window of four heads, which the statistic was registered before."""
    STATISTICS.add(PEAK)
    try:
        yield open_window(attention(num_heads=4, temperature=0.3, seed=7))
    finally:
        STATISTICS.remove("peak")


def test_that_a_new_statistic_is_offered_noted_sorted_by_and_a_column(window: MainWindow, settle: Any) -> None:
    settle(window)
    stage = stage_of(window)
    box = stage.tools.statistic
    assert box.itemText(box.findData("peak")) == "Peak"
    choose_note(window, "peak")
    stage.tools.ranked.setChecked(True)
    settle(window)
    peaks = stage.trace.weights[0].max(axis=(1, 2))
    order = np.argsort(peaks, kind="stable").tolist()
    assert [each.note for each in stage.grid._thumbnails] == [f"{peaks[head]:.3f} at most" for head in order]

    inspector_of(window).heads_fold.expand()
    settle(window)
    model = inspector_of(window).heads.model()
    column = model.columnCount() - 1
    assert model.headerData(column, Qt.Orientation.Horizontal) == "peak"
    assert [model.index(head, column).data() for head in range(4)] == [f"{peak:.3f}" for peak in peaks]

    session = Session(spec=window.controller.spec, view=window.room.view)
    assert session_from_json(session_to_json(session)).view.statistic == "peak"  # type: ignore[union-attr]
