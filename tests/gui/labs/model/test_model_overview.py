"""The first page of the model lab shows the trace's numbers: every head, the text, the chosen head large."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from eyes import cell_of, grid_colours, ground, heatmap_colours, inside, look
from hands import Hands
from model_folders import SMALL as SIZES
from model_folders import made, written
from model_hands import SENTENCE, colours, encoder, map_colours, model, text_colours, trace_of
from PySide6.QtCore import QPoint, QPointF, QRectF, Qt
from pytestqt.qtbot import QtBot
from windows import At, Settle

from attnviz.definitions.text import percent_said
from attnviz.experiment.colours import LOWEST, WEIGHT_SCALE, quantise, stretched
from attnviz.experiment.files.specs_in_files import preset
from attnviz.experiment.layers.statistics import HeadValues
from attnviz.experiment.model.overview import OVERVIEW
from attnviz.experiment.model.shown import grouped
from attnviz.gui.plots.heads.head_map import HeadMap
from attnviz.gui.plots.matrix.tile import colour_table
from attnviz.gui.theme import DARK, Look
from attnviz.gui.widgets.selection import Selection
from attnviz.gui.window.main_window import MainWindow
from attnviz.gui.window.status_bar import StatusBar


@pytest.fixture
def window(at: At, settle: Settle) -> MainWindow:
    """The shared window on the model that comes along, on its first page, head 1.1 and the last token chosen."""
    window = at(model())
    view = {"page": "overview", "layer": 0, "overview": "entropy", "thumbnails": False, "by_effect": False}
    window.room.current_view.propose(**view, joined=False, hide_special=False, contrast=False)
    settle(window)  # the last test may have looked at another layer
    window.room.selection.lock(Selection(0, len(trace_of(window).read) - 1, None))
    window.controller.undo_stack.clear()
    return window


@pytest.fixture(scope="module")
def bert(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return encoder(tmp_path_factory.mktemp("models") / "bert")


@pytest.fixture(scope="module")
def deep(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a model of twelve layers."""
    return written(tmp_path_factory.mktemp("models") / "deep", made("llama", **{**SIZES, "num_hidden_layers": 12}))


def overview(window: MainWindow) -> Any:
    return window.room.stage.overview  # type: ignore[attr-defined]


@pytest.mark.parametrize("width", [900, 1280])
def test_that_an_audience_sees_the_head_as_lines_too_and_nothing_is_cut(
    width: int, at: At, window: MainWindow, settle: Settle
) -> None:
    at(model(heads_off=("1.1", "1.4"), tokens_hidden=(5,)))
    page, stage = overview(window), window.room.stage
    window.resize(width, 800)
    window.present(True, full_screen=False)
    window.resize(width, 800)
    settle(window)
    parts = [page.scale, page.choices.row, page._text, page._map, page.heatmap, page.lines]
    assert all(part.isVisible() for part in parts)
    assert all(page.rect().contains(part.geometry()) for part in parts)
    for n, part in enumerate(parts):
        assert not any(part.geometry().intersects(other.geometry()) for other in parts[n + 1 :])
    assert page.scale.width() >= page._look.px(150), "both ends of the colour scale have room"
    assert page.lines.height() > 0.4 * page.heatmap.height(), "the room below the map of heads is used"
    assert "without interventions it predicts" in stage.sentence.text()
    assert stage.sentence.heightForWidth(stage.sentence.width()) <= stage.sentence.height()
    window.present(False, full_screen=False)
    window.resize(1280, 800)


@pytest.mark.parametrize(
    "text", ["then one red fox ran home and one red fox ran", "then one red fox ran home and " * 34]
)
def test_that_a_large_hall_sees_the_head_as_high_as_the_page(
    text: str, at: At, window: MainWindow, settle: Settle, qtbot: QtBot
) -> None:
    at(model(text=text))
    page = overview(window)
    window.present(True, full_screen=False)
    window.resize(1920, 1080)
    qtbot.waitUntil(lambda: window.look == window.look.presented(1080))
    settle(window)
    assert page.heatmap.y() <= page._text.y(), "the text has no line of its own above the head"
    free = page.height() - max(part.geometry().bottom() for part in (page._map, page._text))
    scrolls = page._text.verticalScrollBar().isVisible()
    assert page.lines.isVisible() or not scrolls or free < 2 * page.text.line, "without lines the text has their room"
    assert page.heatmap.height() > 0.9 * page.height()
    window.present(False, full_screen=False)
    window.resize(1280, 800)


@pytest.mark.parametrize("name", ["entropy", "sink_share", "role_induction"])
def test_that_the_cell_of_each_head_has_the_colour_of_its_number(name: str, window: MainWindow) -> None:
    window.room.current_view.propose(overview=name)
    values = trace_of(window).overview.of(name)
    levels = quantise(values, np.isfinite(values), np.nanmin(values), np.nanmax(values))
    seen = map_colours(window)
    known = np.isfinite(values)
    assert known.any()
    low, high = map(OVERVIEW[name].number, (np.nanmin(values), np.nanmax(values)))
    assert overview(window).scale.accessibleDescription() == f"{low} .. {high} {OVERVIEW[name].title}", "as the cells"
    assert (seen == colours(window, levels))[known].all()


def test_that_small_pictures_have_the_weights_of_each_head(window: MainWindow) -> None:
    window.room.current_view.propose(thumbnails=True)
    cells, small = overview(window).cells, trace_of(window).overview.thumbnails
    seen, side = look(cells), small.shape[-1]
    levels = stretched(small.reshape(-1, side, side).astype(np.float32), None, WEIGHT_SCALE, "")
    for rect, own in zip(cells.cells, levels, strict=True):
        tile = cells.picture_in(rect)
        places = [(query, query) for query in range(side)]
        found = [ground(seen, cell_of(tile, (side, side), *place)) for place in places]
        assert found == [colours(window, own[place]) for place in places]


@pytest.mark.parametrize(("width", "height"), [(900, 420), (620, 345), (620, 160)])
def test_that_every_small_picture_has_its_number_beside_or_below_it(qtbot: QtBot, width: int, height: int) -> None:
    cells = HeadMap(Look(DARK), "heads")
    qtbot.addWidget(cells)
    cells.resize(width, height)
    levels, table = np.full((72, 8, 8), LOWEST, np.uint8), colour_table("viridis", DARK)
    cells.show_values(HeadValues(values=np.full((6, 12), 0.45), number="{:.2f}".format), None, (levels, table))
    cells.show()
    numbered = look(cells)
    cells.restyle(replace(Look(DARK), numbers=False))
    largest = [cells.picture_in(rect) for rect in cells.cells]
    cells.restyle(Look(DARK))
    bright = (numbered >> 16) & 0xFF > 0xA0  # the strokes of numbers, neither the colour of a weight nor of a frame
    for rect, without in zip(cells.cells, largest, strict=True):
        place = cells.picture_in(rect)
        assert inside(bright, rect).sum() > 5
        assert not inside(bright, place).any(), "it is not upon the picture"
        assert place.width() >= min(without.width(), 12)


def test_that_a_line_of_message_does_not_rearrange_the_page(
    at: At, window: MainWindow, deep: Path, settle: Settle, qtbot: QtBot
) -> None:
    at(model(folder=str(deep), text=SENTENCE))
    page, seen = overview(window), set()
    for height in range(640, 860, 20):
        window.resize(1000, height)
        settle(window)
        before, high = page.heatmap.x() > page._map.x(), page.height()
        window.notice.say("a folder is not there")
        qtbot.waitUntil(lambda: page.height() < high)  # noqa: B023 - called here
        assert (page.heatmap.x() > page._map.x()) == before
        window.notice.hide()
        qtbot.waitUntil(lambda: page.height() == high)  # noqa: B023
        seen.add(before)
    assert seen == {False, True}, "windows of both arrangements"
    window.resize(1280, 800)


def test_that_a_click_on_a_head_draws_it_large_and_shades_the_text(
    window: MainWindow, hands: Hands, settle: Settle
) -> None:
    page, stage = overview(window), window.room.stage
    heads = trace_of(window).model.num_heads
    hands.click(page.cells, page.cells.cells[heads + 2])
    assert page.missing.isVisibleTo(page), "its layer has not come: no other layer's numbers are in its place"
    assert not page.heatmap.isVisibleTo(page)
    assert len(set(text_colours(page.text).tolist())) == 1, "nor behind the text"
    settle(window)
    trace = trace_of(window)
    assert (trace.number, window.room.selection.locked.head) == (1, 2)
    weights, mask = trace.layer.weights[0, 2], trace.layer.mask[0, 2]
    levels = quantise(weights, mask, 0.0, 1.0)
    assert (heatmap_colours(page.heatmap, weights.shape) == colours(window, levels)).all()
    for query in (3, len(weights) - 1):
        hands.click(page.text, page.text.places[query])
        assert window.room.selection.locked.query == query
        allowed = mask[query]
        assert (text_colours(page.text) == colours(window, levels[query]))[allowed].all()
    assert stage.compared is None
    last, key = len(weights) - 1, Qt.Key
    for pressed, query in ((key.Key_Home, 0), (key.Key_Right, 1), (key.Key_End, last), (key.Key_Left, last - 1)):
        hands.qtbot.keyClick(page.text, pressed)
        assert window.room.selection.locked.query == query


def test_that_a_long_text_scrolls_and_shows_the_lines_around_the_held_word(
    at: At, window: MainWindow, hands: Hands
) -> None:
    at(model(text="then one red fox ran home and " * 34))
    page = overview(window)
    bar, text, seen = page._text.verticalScrollBar(), page.text, page._text.viewport()
    assert bar.isVisible(), "what is out of sight has a sign"

    def in_sight(token: int) -> bool:
        return seen.rect().contains(text.places[token].translated(text.mapTo(seen, QPoint())).toRect())

    for held in (200, 3, len(text.places) - 1):
        window.room.selection.lock(Selection(1, held, None))
        assert in_sight(held)
    scrolled = bar.value()
    hands.wheel(seen, QPointF(20, 20), 1)
    assert bar.value() < scrolled
    assert not in_sight(held)
    scrolled = bar.value()
    window.room.selection.hover(Selection(1, 9, None))
    window.room.selection.hover(None)
    assert bar.value() == scrolled, "it stays where the wheel has left it"


def test_that_arrows_walk_through_the_heads_of_all_layers(window: MainWindow, hands: Hands, settle: Settle) -> None:
    page = overview(window)
    page.cells.setFocus()
    for key, layer, head in ((Qt.Key.Key_Right, 0, 1), (Qt.Key.Key_Down, 1, 1), (Qt.Key.Key_Left, 1, 0)):
        hands.qtbot.keyClick(page.cells, key)
        settle(window)
        assert (window.room.view.layer, window.room.selection.locked.head) == (layer, head)
        assert trace_of(window).number == layer


def test_that_words_take_the_place_of_their_pieces_in_every_picture(
    at: At, window: MainWindow, bert: Path, settle: Settle
) -> None:
    at(model(folder=str(bert), text=SENTENCE))
    trace, page = trace_of(window), overview(window)
    pieces = len(trace.read)
    window.room.selection.lock(Selection(1, trace.read.names.index("##ed"), None))
    window.room.current_view.propose(joined=True, hide_special=True)
    groups = trace.read.groups(joined=True, hide_special=True)
    assert [group.name for group in groups] == SENTENCE.split()
    assert len(groups) < pieces - 2
    assert groups[window.room.selection.locked.query].name == "crossed", "the chosen token stays chosen"
    weights = grouped(trace.layer.weights, groups)[0, 1]
    said, key = window.room.stage.sentence.text(), groups[int(weights[2].argmax())].name
    assert f"“crossed” gives {percent_said(weights[2].max())} to “{key}”" in said
    assert "rows no longer sum to 1" in said
    assert page.scale.accessibleDescription().endswith("Entropy, all tokens"), "the numbers of heads stay"
    assert "in the model rows sum to 1.000" in window.findChild(StatusBar).facts.text()
    levels = quantise(weights, None, 0.0, 1.0)
    assert (heatmap_colours(page.heatmap, weights.shape) == colours(window, levels)).all()
    assert (text_colours(page.text) == colours(window, levels[2])).all()
    window.room.current_view.propose(page="stages", stage="scores")
    settle(window)
    assert window.room.stage.strip.offered == ("weights",), "a word of several pieces has no score"
    assert "rows no longer sum to 1" in window.room.stage.sentence.text()
    grid = window.room.stage.pages.heads.grid  # type: ignore[attr-defined]
    both = quantise(grouped(trace.layer.weights, groups)[0], None, 0.0, 1.0)
    assert (grid_colours(grid, weights.shape) == colours(window, both)).all()


def test_that_stages_have_their_names_beside_the_numbers_of_the_layers_around_the_chosen_one(
    at: At, window: MainWindow, deep: Path, settle: Settle
) -> None:
    at(model(folder=str(deep), text="the cat sat"))
    window.resize(1280, 800)
    window.room.current_view.propose(page="stages", stage="scores", layer=6)
    settle(window)
    rows = window.room.stage.rows
    stages, layers = ([it for it in part._buttons.values() if it.isVisible()] for part in (rows.strip, rows.outer))
    assert [it.text() for it in stages] == [it.accessibleName() for it in stages]
    assert [it.text() for it in layers if it.isChecked()] == ["layer 7"]
    assert 5 <= len(layers) < 12
    for part, shown in ((rows.strip, stages), (rows.outer, layers)):
        assert max(it.geometry().right() for it in shown) < part.width()
    assert not rows.strip.geometry().intersects(rows.outer.geometry())


def test_that_a_long_text_is_in_sight_twice_at_the_held_token(at: At, window: MainWindow, settle: Settle) -> None:
    at(model(text=" ".join(["then one red fox ran home and"] * 36)))
    window.room.current_view.propose(page="text")
    page: Any = window.room.stage.page
    settle(window)
    for query in (250, 100, 0):
        window.room.selection.lock(Selection(0, query, None))
        for text, area in zip((page.text, page.back), page.areas, strict=True):
            shown = QRectF(area.viewport().rect()).translated(0, area.verticalScrollBar().value())
            assert area.verticalScrollBar().maximum() > 0
            assert shown.contains(text.places[query]), query
            assert page.rect().contains(area.geometry())


def test_that_the_text_page_shades_what_a_token_looks_at_and_what_looks_at_it(window: MainWindow) -> None:
    window.room.current_view.propose(page="text")
    page: Any = window.room.stage.page
    trace = trace_of(window)
    window.room.selection.lock(Selection(1, 6, None))
    levels = quantise(trace.layer.weights[0, 1], trace.layer.mask[0, 1], 0.0, 1.0)
    for text, own, there in ((page.text, levels[6], slice(0, 7)), (page.back, levels[:, 6], slice(6, None))):
        assert (text_colours(text) == colours(window, own))[there].all()
    window.room.selection.lock(Selection(1, 10, None))
    assert [label.text() for label in page.captions] == [
        "head 1.2: itself · “ran (11)” looks at",
        "head 1.2: itself · “ran (11)” is looked at by",
    ], "one of two equal words has its place, and the head its name"


def test_that_keys_go_to_the_next_layer_and_to_the_next_head(window: MainWindow, hands: Hands, settle: Settle) -> None:
    page, stage, room = overview(window), window.room.stage, window.room
    for key, layer in ((Qt.Key.Key_Down, 1), (Qt.Key.Key_Up, 0)):
        hands.qtbot.keyClick(stage, key, Qt.KeyboardModifier.AltModifier)
        settle(window)
        assert (room.view.layer, trace_of(window).number) == (layer, layer)
    last = trace_of(window).model.num_heads - 1
    room.selection.lock(Selection(last, 5, 2))
    page.heatmap.setFocus()
    hands.qtbot.keyClick(page.heatmap, Qt.Key.Key_Tab)
    settle(window)
    assert (room.view.layer, room.selection.locked) == (1, Selection(0, 5, 2)), "the cell stays held"
    assert page.heatmap._matrix.title.startswith("head 2.1")


def test_that_a_folder_of_ones_own_is_named_and_no_preset_of_another(at: At, window: MainWindow, bert: Path) -> None:
    at(preset("model-induction").spec.model_copy(update={"folder": str(bert)}))
    assert window.panels.left.heading.text() == bert.name
    assert window.top_bar.presets.placeholderText() == bert.name
    window.room.stage.head.name(preset("model-induction"), window.controller.spec)
    assert window.room.stage.head.title.text() == bert.name
    at(preset("model-induction").spec.model_copy(update={"temperature": 2.0}))
    assert window.panels.left.heading.text().endswith("changed")


def test_that_two_strips_in_a_row_have_numbers_and_names_for_the_room_there_is(
    at: At, window: MainWindow, deep: Path, settle: Settle
) -> None:
    at(model(folder=str(deep), text=SENTENCE))
    stage: Any = window.room.stage
    for layer, step in ((0, "weights"), (4, "heads"), (11, "scores")):
        window.room.current_view.propose(page="stages", layer=layer, stage=step)
        settle(window)
        layers, steps = ([strip._buttons[name] for name in strip.offered] for strip in (stage.outer, stage.strip))
        assert layers[layer].text() == f"layer {layer + 1}"
        short = [button.text() for button in layers if button.text() != button.accessibleName()]
        numbers = [str(n + 1) for n, button in enumerate(layers) if button.text() != button.accessibleName()]
        assert short == numbers
        assert short, "they share the row"
        named = [button.text() == button.accessibleName() for button in steps]
        chosen = stage.strip.offered.index(step)
        assert any(named[max(0, chosen - 1) : chosen] + named[chosen + 1 : chosen + 2]), "a neighbour has its name"
        unused = stage.strip.x() - stage.outer.geometry().right() - stage.look.px(16)
        assert unused < 4, "the layers end where the stages begin"
        assert stage.player.x() >= stage.strip.geometry().right()
