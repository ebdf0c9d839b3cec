"""A real text of 400 tokens: the chosen head comes first, and its text can be told apart."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from eyes import colours_of
from model_folders import SMALL, made, written
from model_hands import model, text_colours, trace_of
from pytestqt.qtbot import QtBot
from windows import At, Settle

from attnviz.experiment.colours import quantise
from attnviz.gui.widgets.selection import Selection
from attnviz.gui.window.main_window import MainWindow

TEXT = " ".join(["the cat sat on the mat and ran home"] * 60)
COUNT = 400


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a BERT of as many layers and heads as MiniLM."""
    path = tmp_path_factory.mktemp("models") / "long"
    sizes = {**SMALL, "hidden_size": 24, "num_attention_heads": 12, "num_hidden_layers": 6}
    written(path, made("bert", "AutoModel", **sizes, max_position_embeddings=512))
    return path


@pytest.fixture
def window(at: At, settle: Settle, folder: Path) -> Any:
    words = TEXT.split()[: COUNT - 2]
    window = at(model(folder=str(folder), text=" ".join(words)))
    settle(window)
    assert len(trace_of(window).read) == COUNT
    yield window
    window.resize(1280, 800)


def share(window: MainWindow) -> float:
    """Return the share of the window that the cells of the large pictures fill."""
    page: Any = window.room.stage.page
    pictures = {id(each): each for each in (page.close_up, *window.room.stage.tables)}.values()  # type: ignore[attr-defined]
    cells = [each.cells for each in pictures if each.isVisible() and hasattr(each, "rect_of")]
    return float(sum(each.width() * each.height() for each in cells)) / (window.width() * window.height())


@pytest.mark.parametrize(("size", "least"), [((1280, 800), 0.15), ((1920, 1080), 0.2)], ids=str)
def test_that_the_chosen_head_of_400_tokens_is_a_large_part_of_the_window(
    size: tuple[int, int], least: float, window: MainWindow, settle: Settle
) -> None:
    window.resize(*size)
    room: Any = window.room
    room.current_view.propose(page="overview", thumbnails=False, contrast=False, joined=False)
    settle(window)
    assert share(window) >= least
    cells = room.stage.overview.cells
    assert len({round(rect.x()) for rect in cells.cells}) == 12, "every head has a column of its own"
    assert all(rect.width() >= 4 for rect in cells.cells)
    for page in ("stages", "compare"):
        room.current_view.propose(page=page)
        settle(window)
        assert share(window) >= 0.08, page


def test_that_it_is_before_an_audience(window: MainWindow, settle: Settle) -> None:
    room: Any = window.room
    room.current_view.propose(page="overview", thumbnails=False)
    window.actions_["present"].trigger()
    settle(window)
    try:
        for size in ((1280, 800), (1920, 1080)):
            window.resize(*size)
            settle(window)
            assert share(window) >= 0.17, size
            for page in ("stages", "compare", "overview"):
                room.current_view.propose(page=page)
                settle(window)
                assert share(window) >= 0.08, (size, page)
    finally:
        window.actions_["present"].trigger()
        settle(window)


def test_that_its_tokens_are_told_apart_by_its_own_largest_weight_which_is_said(
    window: MainWindow, settle: Settle, qtbot: QtBot
) -> None:
    room: Any = window.room
    room.current_view.propose(page="overview", thumbnails=False, contrast=False)
    room.selection.lock(Selection(2, 200, None))
    settle(window)
    page = room.stage.overview
    row = np.asarray(trace_of(window).layer.weights[0, 2, 200], float)
    assert 0 < row.max() < 0.25
    expected = colours_of(room.stage.weight_table, quantise(row, None, 0.0, row.max()))
    assert len(set(expected.tolist())) > 10
    held = page.text.places[200]
    top, high = page._text.verticalScrollBar().value(), page._text.viewport().height()
    assert top <= held.center().y() <= top + high, "its line is in sight"
    assert high < 2 * page.text.line + 2
    assert page.shaded.isVisible()
    assert page.shaded.text() == f"shaded up to {row.max():.3g}"
    seen = text_colours(page.text)
    others = np.arange(COUNT) != 200
    assert (seen == expected)[others].mean() > 0.95
    room.current_view.propose(contrast=True, contrast_by="row")
    qtbot.waitUntil(lambda: not page.shaded.text(), timeout=20_000)  # the colour bar says it then


def test_that_a_short_text_keeps_the_map_in_numbers(at: At, settle: Settle) -> None:
    window = at(model())
    settle(window)
    page: Any = window.room.stage.overview  # type: ignore[attr-defined]
    assert page.shaded.isHidden()
    assert min(rect.width() for rect in page.cells.cells) > 40
