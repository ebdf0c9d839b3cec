"""The page of the logit lens: cells, list and curve are the arrays of the study, and the selection is everyone's."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from eyes import colours_of, ground, look
from model_folders import SMALL, made, written
from model_hands import encoder, model, trace_of
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QWheelEvent
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot
from windows import At, Settle

from attnviz.engine.run import run
from attnviz.experiment.colours import quantise
from attnviz.experiment.files.session import Session, session_from_json, session_to_json
from attnviz.experiment.model.lens import Lens, LensAt, LensTrace
from attnviz.experiment.model.view import ModelViewSettings
from attnviz.export.figures.figure import paper_figure
from attnviz.export.figures.settings import FigureSettings
from attnviz.gui.labs.model.lens_page import LensPage
from attnviz.gui.plots.matrix.matrix import Cell
from attnviz.gui.widgets.selection import Selection
from attnviz.gui.window.main_window import MainWindow

Key, Left = Qt.Key, Qt.MouseButton.LeftButton
LAYERS = 5


@pytest.fixture(scope="module")
def folders(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Folders with a GPT-2 of five layers, a T5 and a BERT without a head."""
    path = tmp_path_factory.mktemp("models")
    sizes = {"n_layer": LAYERS, "n_head": 2, "n_embd": 16, "vocab_size": 40, "n_positions": 512}
    written(path / "gpt2", made("gpt2", **sizes, initializer_range=0.5))
    t5 = {"d_model": 16, "d_kv": 8, "d_ff": 16, "num_layers": 2, "num_heads": 2, "vocab_size": 40}
    written(path / "t5", made("t5", "AutoModelForSeq2SeqLM", **t5, decoder_start_token_id=0, pad_token_id=0))
    encoder(path / "masked")
    written(path / "plain", made("bert", "AutoModel", **SMALL))
    return path


def page_of(window: MainWindow) -> LensPage:
    page: LensPage = window.room.stage.lens  # type: ignore[attr-defined]
    return page


def shown(window: MainWindow, qtbot: QtBot) -> LensTrace:
    """Return the result for all positions, once it is on screen."""
    page = page_of(window)
    qtbot.waitUntil(lambda: page.isVisible() and page.study_on_screen is not None, timeout=20_000)
    found = page.study_on_screen
    assert found is not None
    return found


@pytest.fixture
def window(at: At, settle: Settle, folders: Path) -> MainWindow:
    """The shared window on the page, the last token chosen."""
    window = at(model(folder=str(folders / "gpt2"), text="the cat sat on the mat"))
    window.room.current_view.propose(page="lens", lens_layer=None, lens_token=None, joined=False, hide_special=False)
    settle(window)
    window.room.selection.lock(Selection(0, len(trace_of(window).read) - 1, None))
    return window


def own(window: MainWindow) -> LensTrace:
    found: Any = next(iter(run(Lens(of=trace_of(window).spec, continued=trace_of(window).continued))))
    assert isinstance(found, LensTrace)
    return found


def test_that_cells_have_the_colour_of_the_probability_and_the_name_of_the_top_token(
    window: MainWindow, qtbot: QtBot
) -> None:
    shown(window, qtbot)
    found, grid = own(window), page_of(window).grid
    rows, columns = found.ids.shape[:2]
    page_of(window).grid.select(None)
    seen = look(grid)
    rects = [[grid.rect_of(row, column) for column in range(columns)] for row in range(rows)]
    levels = quantise(found.probabilities[..., 0], None, 0.0, 1.0)
    colours = colours_of(window.room.stage.weight_table, levels)  # type: ignore[attr-defined]
    np.testing.assert_array_equal([[ground(seen, rect) for rect in row] for row in rects], colours)
    names = [[grid.text_in(row, column) for column in range(columns)] for row in range(rows)]
    assert names == [[found.name(token) for token in row] for row in found.ids[..., 0].tolist()]
    matrix = grid.matrix
    assert matrix is not None
    np.testing.assert_array_equal(matrix.values, found.probabilities[..., 0])
    gap = rects[-1][0].top() - rects[-2][0].bottom()
    assert gap > 2 * (rects[1][0].top() - rects[0][0].bottom()), "the prediction is apart"
    assert [grid.row_name(row) for row in range(rows)] == ["1", "2", "3", "4", "5: prediction"]
    assert "The last row is the model's prediction: max difference 0." in window.room.stage.sentence.text()


def test_that_pointing_shows_the_ten_most_probable_tokens_and_a_click_holds_the_cell(
    window: MainWindow, qtbot: QtBot
) -> None:
    found, page = shown(window, qtbot), page_of(window)
    grid = page.grid
    place = grid.rect_of(1, 3).center().toPoint()
    qtbot.mouseMove(grid, place)
    assert [each.token for each in page.top._lines] == found.ids[1, 3].tolist()
    assert [each.probability for each in page.top._lines] == found.probabilities[1, 3].tolist()
    assert window.room.stage.read_out.text() == grid.told(1, 3) != ""
    assert window.room.selection.locked.query == len(found.tokens) - 1
    qtbot.mouseClick(grid, Left, pos=place)
    QApplication.sendPostedEvents()
    assert window.room.selection.locked.query == 3
    assert window.room.stage.view.lens_layer == 1  # type: ignore[attr-defined]
    assert page.curve._ranks == tuple(found.ranks[:, 3].tolist())
    assert page.curve_title.text().endswith(f"at “{found.tokens[3]}”")
    assert found.tokens.count(found.tokens[3]) == 1
    assert "at “the (2)”" in grid.told(0, 1)
    qtbot.keyClick(grid, Key.Key_Down)
    qtbot.keyClick(grid, Key.Key_Left)
    assert (grid.marked, window.room.selection.locked.query) == (Cell(2, 2), 2)
    qtbot.keyClick(grid, Key.Key_Up)
    assert grid.marked == Cell(1, 2)
    layer = page.curve.point(4).toPoint()
    qtbot.mouseClick(page.curve, Left, pos=layer)
    assert grid.marked == Cell(4, 2)


def test_that_a_token_of_the_list_is_followed_and_the_prediction_again(window: MainWindow, qtbot: QtBot) -> None:
    found, page = shown(window, qtbot), page_of(window)
    position = len(found.tokens) - 1
    token = int(found.ids[-1, -1, 3])
    qtbot.mouseClick(page.top, Left, pos=page.top.row(3).center().toPoint())
    assert window.room.stage.view.lens_token == token  # type: ignore[attr-defined]
    study = LensAt(of=trace_of(window).spec, continued=(), position=position, token=token)
    qtbot.waitUntil(lambda: page.result(study) is not None, timeout=20_000)
    (alone,) = run(study)
    assert isinstance(alone, LensTrace)
    assert page.curve._ranks == tuple(alone.ranks[:, 0].tolist())
    assert alone.ranks[-1, 0] == 4
    assert f"“{found.name(token)}” ends at rank 4" in window.room.stage.sentence.text()
    assert page.token.value() == token
    window.room.selection.lock(Selection(0, 2, None))
    there = study.model_copy(update={"position": 2})
    qtbot.waitUntil(lambda: page.result(there) is not None, timeout=20_000)
    assert page.curve._ranks == tuple(page.result(there).ranks[:, 0].tolist())
    page.token.box.setEditText("ran")
    page.token.box.lineEdit().editingFinished.emit()
    typed = there.model_copy(update={"token": "ran"})
    qtbot.waitUntil(lambda: page.result(typed) is not None, timeout=20_000)
    assert found.name(int(page.result(typed).followed[0])) == "ran"
    assert page.curve._ranks == tuple(page.result(typed).ranks[:, 0].tolist())
    page.token.box.setEditText("the cat")
    page.token.box.lineEdit().editingFinished.emit()
    qtbot.waitUntil(lambda: "“the cat” is 2 tokens" in window.room.stage.sentence.text(), timeout=20_000)
    assert page.grid.isVisible()
    page.token.box.setEditText("")
    page.token.box.lineEdit().editingFinished.emit()
    assert page.curve._ranks == tuple(found.ranks[:, 2].tolist())


def test_that_the_chosen_position_comes_first(window: MainWindow, at: At, qtbot: QtBot, folders: Path) -> None:
    page, seen = page_of(window), list[tuple[int, ...]]()
    page.redraw_asked.connect(lambda: seen.append(page._found.positions if page._found else ()))
    at(model(folder=str(folders / "gpt2"), text="a dog ran on the mat the cat sat"))
    found = shown(window, qtbot)
    qtbot.waitUntil(lambda: len(seen) >= 2, timeout=20_000)
    assert [len(each) for each in seen[-2:]] == [1, len(found.tokens)]


def test_that_a_cancelled_page_says_so_until_it_is_chosen_again(window: MainWindow, qtbot: QtBot) -> None:
    shown(window, qtbot)
    page = page_of(window)
    page._results = ()
    page.say_stopped()
    window.room.selection.lock(Selection(0, 2, None))
    assert window.room.stage.sentence.text() == page.stopped
    window.room.stage.page_chosen.emit()
    assert shown(window, qtbot).rest == 0
    assert "max difference 0" in window.room.stage.sentence.text()


def test_that_a_session_keeps_the_chosen_cell_and_token_and_needs_the_newest_format() -> None:
    view = ModelViewSettings(page="lens", lens_layer=2, lens_token=7)
    assert view.session_format == 6
    assert ModelViewSettings().session_format == 1
    assert "lens_layer" not in ModelViewSettings().model_dump()
    session = Session(spec=model(), view=view)
    assert session_from_json(session_to_json(session)).view == view


def test_that_a_long_text_scrolls_to_the_chosen_token_and_by_the_wheel(
    window: MainWindow, at: At, settle: Settle, qtbot: QtBot, folders: Path
) -> None:
    at(model(folder=str(folders / "gpt2"), text=" ".join(["the cat sat on the mat"] * 65)))
    settle(window)
    found, grid = shown(window, qtbot), page_of(window).grid
    assert len(found.tokens) > 380
    for query in (10, 370):
        window.room.selection.lock(Selection(0, query, None))
        assert grid.columns.start <= query < grid.columns.stop
        assert grid.rect_of(0, query).width() >= 40
    before, at_middle = grid.bar.value(), QPointF(grid.rect().center())
    turn, pixels = QPoint(0, 240), QPoint()
    phase = Qt.ScrollPhase.NoScrollPhase
    event = QWheelEvent(
        at_middle,
        grid.mapToGlobal(at_middle),
        pixels,
        turn,
        Qt.MouseButton.NoButton,
        Qt.KeyboardModifier.NoModifier,
        phase,
        False,
    )
    QApplication.sendEvent(grid, event)
    assert grid.bar.value() == before - 240
    assert grid.cell_at(grid.rect_of(2, grid.columns.start + 2).center()) == Cell(2, grid.columns.start + 2)


def test_that_words_and_pieces_are_the_same_token(
    window: MainWindow, at: At, settle: Settle, qtbot: QtBot, folders: Path
) -> None:
    at(model(folder=str(folders / "masked"), text="the cats crossed the mat"))
    window.room.current_view.propose(joined=True, hide_special=True)
    settle(window)
    found, page = shown(window, qtbot), page_of(window)
    trace = trace_of(window)
    groups = trace.read.groups(joined=True, hide_special=True)
    assert len(groups) < len(found.tokens)
    qtbot.mouseClick(page.grid, Left, pos=page.grid.rect_of(0, groups[1].tokens[0]).center().toPoint())
    assert window.room.selection.locked.query == 1
    assert page.grid.marked == Cell(0, groups[1].tokens[-1])


def test_that_a_decoder_is_read_on_every_side(
    window: MainWindow, at: At, settle: Settle, qtbot: QtBot, folders: Path
) -> None:
    at(model(folder=str(folders / "t5"), text="the cat sat", target="a dog ran on"))
    settle(window)
    found, page = shown(window, qtbot), page_of(window)
    assert found.tokens == trace_of(window).sides["decoder"].read.names
    qtbot.mouseClick(page.grid, Left, pos=page.grid.rect_of(0, 1).center().toPoint())
    assert page.grid.marked == Cell(0, 1)
    assert [each.token for each in page.top._lines] == found.ids[0, 1].tolist()
    window.room.current_view.propose(side="cross")
    settle(window)
    qtbot.mouseClick(page.grid, Left, pos=page.grid.rect_of(1, 2).center().toPoint())
    assert (page.grid.marked, window.room.selection.locked.query) == (Cell(1, 2), 2)
    window.room.current_view.propose(side="encoder")
    settle(window)


def test_that_a_model_without_a_lens_says_why_and_the_other_pages_stay(
    window: MainWindow, at: At, settle: Settle, qtbot: QtBot, folders: Path
) -> None:
    shown(window, qtbot)
    at(model(folder=str(folders / "plain"), text="the cat sat"))
    settle(window)
    page = page_of(window)
    qtbot.waitUntil(page.missing.isVisible, timeout=20_000)
    assert page.missing.text() == "the model bert predicts no token at every position, so there is no lens"
    assert not any(each.isVisible() for each in (page.grid, page.top, page.curve, page.token))
    window.room.current_view.propose(page="overview")
    assert window.room.stage.overview.isVisible()  # type: ignore[attr-defined]


def test_that_the_numbers_on_screen_are_saved_with_those_of_the_page(
    window: MainWindow, qtbot: QtBot, tmp_path: Path
) -> None:
    found, file = shown(window, qtbot), tmp_path / "numbers.npz"
    window.exporter.save_numbers(file)
    qtbot.waitUntil(file.exists, timeout=20_000)
    with np.load(file) as saved:
        np.testing.assert_array_equal(saved["lens_ids"], found.ids)
        np.testing.assert_array_equal(saved["lens_probabilities"], found.probabilities)
        assert saved["tokens"].tolist() == list(found.tokens)


def test_that_the_figure_has_the_same_cells(window: MainWindow, qtbot: QtBot) -> None:
    found = shown(window, qtbot)
    figure = paper_figure(found, FigureSettings(page="lens", width_cm=16.0))
    (axes,) = [each for each in figure.axes if each.get_label() == "cells"]
    names = [each.get_text() for each in axes.texts]
    assert names == [found.name(token) for token in found.ids[..., 0].ravel().tolist()]
    levels = quantise(found.probabilities[..., 0], None, 0.0, 1.0)
    (image,) = axes.images
    drawn, (rows, columns) = np.asarray(image.get_array()), levels.shape
    cells = drawn[:: len(drawn) // rows, :: drawn.shape[1] // columns][:rows, :columns]
    table = window.room.stage.weight_table  # type: ignore[attr-defined]
    np.testing.assert_array_equal(cells, table.rgb[levels])
    wide = {name: np.tile(getattr(found, name), (1, 60, 1)) for name in ("ids", "probabilities")}
    with pytest.raises(ValueError, match="a page of 8 cm has no room for 5 layers × 480 tokens"):
        paper_figure(replace(found, tokens=found.tokens * 60, **wide), FigureSettings(page="lens"))
