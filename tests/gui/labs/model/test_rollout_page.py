"""The page Rollout: its cells and the text have the colours of the map's numbers, and its choices ask for maps."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from eyes import heatmap_colours
from hands import Hands
from image_folders import image_file, image_folder
from model_folders import SMALL, made, written
from model_hands import colours, model, text_colours, trace_of
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot
from windows import At, Settle

from attnviz.definitions.token_maps import TOKEN_MAPS
from attnviz.engine.run import run
from attnviz.experiment.colours import quantise
from attnviz.experiment.files.session import Session, session_from_json, session_to_json
from attnviz.experiment.model.token_maps.study import TokenMapOf, TokenMapTrace
from attnviz.experiment.model.view import ModelViewSettings
from attnviz.export.figures.figure import paper_figure
from attnviz.export.figures.settings import FigureSettings
from attnviz.gui.labs.model.rollout_page import RolloutPage
from attnviz.gui.widgets.selection import Selection
from attnviz.gui.window.main_window import MainWindow

USUAL = {name: ModelViewSettings.model_fields[name].default for name in ModelViewSettings.model_fields}


def shown(window: MainWindow, qtbot: QtBot, **view: Any) -> RolloutPage:
    """Show the page with view settings, and return it once their map is drawn."""
    settings = {name: USUAL[name] for name in USUAL if name.startswith(("map_", "token_map"))}
    rest: dict[str, Any] = {"contrast": False, "joined": False, "hide_special": False, "sums": True}
    window.room.current_view.propose(**{**settings, **rest, "page": "rollout", **view})
    page = page_of(window)
    qtbot.waitUntil(lambda: drawn(page), timeout=20_000)
    return page


def page_of(window: MainWindow) -> RolloutPage:
    page = window.room.stage.pages.page_of(RolloutPage)
    assert isinstance(page, RolloutPage)
    return page


def drawn(page: RolloutPage) -> bool:
    """Return whether the map of the settings is on screen."""
    found = page.study_on_screen
    return found is not None and found.spec == page.study and not page.isHidden()


def map_of(page: RolloutPage) -> TokenMapTrace:
    found = page.study_on_screen
    assert found is not None
    return found


@pytest.fixture
def window(at: At, settle: Settle) -> MainWindow:
    """The shared window on the model that comes along, the last token chosen."""
    window = at(model())
    settle(window)
    window.room.selection.lock(Selection(0, len(trace_of(window).read) - 1, None))
    return window


@pytest.mark.parametrize("name", list(TOKEN_MAPS))
def test_that_cells_and_text_have_the_colours_of_the_numbers(
    name: str, window: MainWindow, settle: Settle, qtbot: QtBot
) -> None:
    page = shown(window, qtbot, token_map=name, map_residual=0.2)
    settle(window)
    (expected,) = run(TokenMapOf(of=trace_of(window).spec, map=name, residual=0.2).in_effect)
    assert isinstance(expected, TokenMapTrace)
    matrix, found = expected.matrix, page.heatmap.matrix
    assert found is not None
    np.testing.assert_array_equal(found.values, matrix)
    lower = np.tri(len(matrix), dtype=bool)
    high = 1.0 if TOKEN_MAPS[name].sums_to_one or name == "raw" else float(matrix.max())
    levels = quantise(matrix, lower, 0.0, high)
    seen = heatmap_colours(page.heatmap, matrix.shape)
    np.testing.assert_array_equal(seen[lower], colours(window, levels)[lower])
    row = len(matrix) - 1
    beside = float(matrix[row, :-1].max())
    if high == 1 and beside < 0.25:
        levels = quantise(matrix, lower, 0.0, beside)
        assert "shaded up to" in page.caption.text()
    np.testing.assert_array_equal(text_colours(page.text), colours(window, levels[row]))
    assert page.formula.accessibleName()
    assert TOKEN_MAPS[name].ignores.split(".")[0] in page.limits.text()


def test_that_the_slider_asks_for_maps_and_the_last_picture_stays_until_they_come(
    window: MainWindow, qtbot: QtBot
) -> None:
    page = shown(window, qtbot)
    before = map_of(page)
    page.slider.setFocus()
    for value in (10, 60, 85):
        page.slider.setValue(value)
        assert page.heatmap.isVisible()
    assert map_of(page) is before, "nothing was computed in the window's thread"
    qtbot.waitUntil(lambda: drawn(page))
    assert map_of(page).spec.residual == 0.85
    assert page.share.text() == "0.85"
    np.testing.assert_allclose(map_of(page).matrix.sum(-1), 1, atol=1e-6)


def test_that_heads_layers_and_tokens_are_chosen(window: MainWindow, qtbot: QtBot) -> None:
    page = shown(window, qtbot)
    assert [page.heads.itemText(at) for at in range(3)] == ["Mean of heads", "Maximum of heads", "head 1"]
    page.heads.setCurrentIndex(4)
    page.heads.activated.emit(4)
    qtbot.waitUntil(lambda: drawn(page))
    assert (map_of(page).spec.heads, map_of(page).spec.head) == ("head", 2)
    assert window.room.selection.locked.head == 2
    assert "head 2.3" in page.heatmap.matrix.title  # type: ignore[union-attr]
    page.layer.activated.emit(1)
    qtbot.waitUntil(lambda: drawn(page))
    assert map_of(page).numbers == (0,)
    page = shown(window, qtbot, token_map="gradient_weighted")
    assert page.token.isVisible()
    page.token.activated.emit(2)
    qtbot.waitUntil(lambda: drawn(page))
    prediction = trace_of(window).prediction
    assert prediction is not None
    assert map_of(page).token == prediction.ids[1]


def test_that_a_cell_is_held_in_every_view_and_read_out(window: MainWindow, hands: Hands, qtbot: QtBot) -> None:
    page = shown(window, qtbot)
    hands.click(page.heatmap, page.heatmap.rect_of(9, 4))
    assert window.room.selection.locked == Selection(0, 9, 4)
    value = f"{map_of(page).matrix[9, 4]:.4g}"
    assert value in window.room.stage.read_out.text()
    qtbot.keyClick(page.heatmap, Qt.Key.Key_Down)
    assert window.room.selection.locked == Selection(0, 10, 4)


def test_that_another_text_shows_the_old_map_as_such_until_its_own_comes(
    window: MainWindow, at: At, qtbot: QtBot
) -> None:
    page = shown(window, qtbot)
    at(model(text="then one red fox ran home"))
    qtbot.waitUntil(lambda: drawn(page), timeout=20_000)
    assert map_of(page).matrix.shape == (6, 6)
    assert len(page.text.places) == 6


def test_that_a_session_keeps_the_choices(window: MainWindow, qtbot: QtBot) -> None:
    shown(window, qtbot, token_map="norm_rollout", map_heads="max", map_residual=0.3, map_layer=0)
    session = Session(spec=trace_of(window).spec, view=window.room.view_settings())
    assert session.format == 6
    view = session_from_json(session_to_json(session)).shown_view
    assert isinstance(view, ModelViewSettings)
    assert (view.page, view.token_map, view.map_heads, view.map_residual, view.map_layer) == (
        "rollout",
        "norm_rollout",
        "max",
        0.3,
        0,
    )
    assert Session(spec=trace_of(window).spec, view=ModelViewSettings()).shown_view.session_format == 1


def test_that_patches_are_shaded_over_the_image(
    window: MainWindow, at: At, qtbot: QtBot, tmp_path_factory: pytest.TempPathFactory
) -> None:
    folder: Path = tmp_path_factory.mktemp("images")
    image_folder(folder / "vit", "vit_classes")
    at(model(folder=str(folder / "vit"), image=str(image_file(folder / "a.png"))))
    page = shown(window, qtbot)
    assert page.image.isVisible()
    assert not page.area.isVisible()
    assert map_of(page).matrix.shape == (17, 17)
    assert map_of(page).position == 0
    figure = paper_figure(map_of(page), FigureSettings(page="rollout"))
    assert "[CLS]" in figure.texts[0].get_text()


def test_that_what_cannot_be_followed_is_said_and_the_picture_stays(window: MainWindow, at: At, qtbot: QtBot) -> None:
    at(model(temperature=2.0))
    page = shown(window, qtbot)
    window.room.current_view.propose(token_map="gradient_weighted")
    qtbot.waitUntil(lambda: "nearest: temperature 1" in window.room.stage.sentence.text(), timeout=10_000)
    assert map_of(page).spec.map == "rollout"
    assert page.heatmap.isVisible()


def test_that_cross_attention_has_no_page_and_the_decoder_has_one(
    window: MainWindow, at: At, qtbot: QtBot, tmp_path_factory: pytest.TempPathFactory
) -> None:
    config = {key: SMALL[key] for key in ("vocab_size",)} | {"d_model": 32, "d_kv": 8, "d_ff": 48, "num_layers": 2}
    sizes = {"num_heads": 4, "decoder_start_token_id": 0, "eos_token_id": 2, "pad_token_id": 0}
    folder = written(tmp_path_factory.mktemp("t5"), made("t5", "AutoModelForSeq2SeqLM", **config, **sizes))
    at(model(folder=str(folder), text="the cat sat", target="a dog ran"))
    page = shown(window, qtbot, side="decoder")
    assert map_of(page).spec.side == "decoder"
    assert np.array_equal(map_of(page).mask, np.tri(len(map_of(page).read), dtype=bool))
    window.room.current_view.propose(side="cross")
    qtbot.waitUntil(lambda: trace_of(window).crosses, timeout=10_000)
    qtbot.waitUntil(lambda: window.room.view.page == "overview")
