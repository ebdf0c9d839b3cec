"""Every stage of every layer, and what is before and after the layers."""

from typing import Any

import numpy as np
import pytest
from eyes import colours_of, heatmap_colours
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot
from train_hands import STEPS, room_of, small_training, stage_of, steps_of, trace_of
from windows import At

from attnviz.gui.plots.matrix.tile import colour_table
from attnviz.gui.window.main_window import MainWindow


@pytest.fixture(scope="module")
def last() -> Any:
    """The last trace of a run that has nothing to do with the window."""
    return steps_of(small_training())[STEPS]


@pytest.fixture
def trained(at: At) -> MainWindow:
    """The shared window on the small training, on the page of its first layer."""
    window = at(small_training())
    stage_of(window).current_view.propose(page="layer", place="layer", layer=0, stage="weights")
    return window


def test_that_every_stage_of_every_layer_is_shown_with_its_formula(trained: MainWindow, last: Any) -> None:
    stage = stage_of(trained)
    for layer in range(2):
        stage.outer.go_to(str(layer))
        assert stage.strip.offered == last.layers[layer].stage_names
        for name in stage.strip.offered:
            stage.strip.go_to(name)
            assert (room_of(trained).view.layer, room_of(trained).view.stage) == (layer, name)
            assert stage.formula.isVisible()
            assert stage.shapes.text()
            picture = stage.pages.layer._picture
            assert picture is not None
            assert picture.content.layer is trace_of(trained).layers[layer]
            assert picture.content.view.stage == name


def test_that_scores_on_screen_are_those_of_the_chosen_layer(trained: MainWindow, last: Any) -> None:
    stage = stage_of(trained)
    stage.outer.go_to("1")
    stage.strip.go_to("scores")
    heatmap = stage.pages.layer.heads.heatmap
    levels = last.layers[1].levels("scores")[0, room_of(trained).selection.current.head]
    seen = heatmap_colours(heatmap, levels.shape)
    table = colour_table("CET-D1A", stage.look.theme)
    assert (seen == colours_of(table, levels)).mean() > 0.9


def test_that_the_prediction_is_the_probability_of_each_token(trained: MainWindow, last: Any) -> None:
    stage = stage_of(trained)
    stage.outer.go_to("prediction")
    matrix = stage.pages.layer.matrix._matrix
    assert matrix is not None
    assert np.array_equal(matrix.values, last.probabilities)
    assert tuple(matrix.column_labels) == last.vocabulary
    assert stage.shapes.text() == "(T, V) = (9, 8)"
    assert not stage.strip.isVisible()
    stage.outer.go_to("embed")
    matrix = stage.pages.layer.matrix._matrix
    assert matrix is not None
    assert matrix.values.tobytes() == last.embedded.tobytes()
    stage.outer.go_to("tokens")
    matrix = stage.pages.layer.matrix._matrix
    assert matrix is not None
    assert matrix.values.argmax(axis=1).tolist() == list(last.token_numbers)


def test_that_the_stage_keys_lead_from_the_first_page_to_the_stages(trained: MainWindow, qtbot: QtBot) -> None:
    stage = stage_of(trained)
    stage.current_view.propose(page="train")
    assert not stage.strip.isVisible()
    qtbot.keyClick(trained, Qt.Key.Key_Left, Qt.KeyboardModifier.AltModifier)
    assert (stage.view.page, stage.view.stage) == ("layer", "masked_scores")
    assert stage.strip.isVisible()


def test_that_a_layer_that_a_training_lacks_gives_way_to_its_last(trained: MainWindow, at: At) -> None:
    stage = stage_of(trained)
    stage.outer.go_to("1")
    at(small_training(num_layers=1))
    assert stage.view.layer == 0
    assert stage.outer.offered == ("tokens", "embed", "0", "prediction")


def test_that_the_view_of_a_session_is_shown_again(trained: MainWindow) -> None:
    room, stage = room_of(trained), stage_of(trained)
    stage.outer.go_to("1")
    stage.strip.go_to("heads")
    kept = room.view_settings()
    stage.current_view.propose(page="train", layer=0)
    room.apply_view(type(kept).model_validate_json(kept.model_dump_json()))
    assert room.view == kept
    assert stage.outer.stage == "1"
    assert stage.strip.stage == "heads"
    room.apply_view(kept.model_copy(update={"page": "write"}))  # a page of texts, where there is none
    assert stage.view.page == "train"


def test_that_the_worker_is_told_which_layer_is_on_screen_and_that_the_first_page_shows_all(
    trained: MainWindow,
) -> None:
    view = stage_of(trained).current_view
    for page, layer, watched in (("layer", 1, "1"), ("layer", 0, "0"), ("train", 1, "")):
        view.propose(page=page, layer=layer)
        assert trained.runner.mailbox.watched["train"] == watched
