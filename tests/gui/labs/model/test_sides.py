"""An encoder-decoder in the window: three tabs with one picture each, held together by the token that is written."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from eyes import heatmap_colours
from hands import Hands
from model_families import FAMILIES, tiny
from model_folders import WORDS, tokenizer, write_json, written
from model_hands import colours, model, text_colours, trace_of
from PySide6.QtCore import Qt
from windows import At, Settle

from attnviz.experiment.colours import quantise
from attnviz.gui.plots.matrix.matrix import Cell
from attnviz.gui.widgets.selection import Selection
from attnviz.gui.window.main_window import MainWindow

TEXT, TARGET, NEW = "the dog ran on a mat .", "the cat sat", 4
LANGUAGES = ("__en__", "__de__")


@pytest.fixture(scope="session", name="folder")
def _folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder of M2M-100, with two tokens that name languages."""
    words = (*WORDS, *LANGUAGES)
    made: Any = tiny(FAMILIES["m2m_100"])
    made.generation_config.update(eos_token_id=63)  # no word
    path = written(tmp_path_factory.mktemp("sides") / "m2m", made)
    content = tokenizer(words)
    plain = {"special": True, "single_word": False, "lstrip": False, "rstrip": False, "normalized": False}
    content["added_tokens"] += [{"id": words.index(each), "content": each, **plain} for each in LANGUAGES]
    write_json(path / "tokenizer.json", content)
    return path


@pytest.fixture
def window(at: At, settle: Settle, folder: Path) -> MainWindow:
    """The shared window on the encoder, after the last token."""
    window = at(model(folder=str(folder), text=TEXT, target=TARGET, generate=NEW))
    window.room.current_view.propose(page="overview", layer=0, contrast=False, side="encoder")
    settle(window)
    window.controller.undo_stack.clear()
    return window


def stage(window: MainWindow) -> Any:
    return window.room.stage


def turn_to(window: MainWindow, side: str, hands: Hands) -> None:
    """Press the tab of a side, and wait for its picture."""
    stage(window).sides.press(side)
    hands.qtbot.waitUntil(lambda: trace_of(window).side == side and stage(window).layer is not None)


def test_that_each_tab_has_the_weights_of_its_side_in_one_picture(
    window: MainWindow, hands: Hands, settle: Settle
) -> None:
    assert not stage(window).sides.isHidden()
    for side, shape in (("cross", (7, 9)), ("decoder", (7, 7)), ("encoder", (9, 9))):
        turn_to(window, side, hands)
        settle(window)
        trace = trace_of(window)
        assert trace.weights.shape[2:] == shape
        levels = quantise(trace.weights[0, window.room.selection.locked.head], trace.layer.mask[0, 0], 0.0, 1.0)
        heatmap = stage(window).overview.heatmap
        assert np.array_equal(heatmap_colours(heatmap, levels.shape), colours(window, levels))
    turn_to(window, "cross", hands)
    window.room.current_view.propose(layer=1)
    hands.qtbot.waitUntil(lambda: trace_of(window).number == 1)
    assert trace_of(window).side == "cross"


def test_that_a_held_output_token_is_held_in_cross_and_decoder_and_the_encoder_keeps_its_own(
    window: MainWindow, hands: Hands
) -> None:
    window.room.selection.lock(Selection(1, 4))
    turn_to(window, "decoder", hands)
    window.room.selection.lock(Selection(0, 2))
    turn_to(window, "cross", hands)
    assert window.room.selection.locked == Selection(0, 2)
    turn_to(window, "encoder", hands)
    assert window.room.selection.locked.query == 4
    turn_to(window, "cross", hands)
    assert window.room.selection.locked.query == 2


@pytest.mark.parametrize("page", ["overview", "text"])
def test_that_target_tokens_choose_and_the_text_is_shaded(
    page: str, window: MainWindow, hands: Hands, settle: Settle
) -> None:
    turn_to(window, "cross", hands)
    window.room.current_view.propose(page=page)
    settle(window)
    text = getattr(stage(window), page).text
    hands.click(text, text.places[3].center())
    settle(window)
    assert window.room.selection.locked.query == 3
    row = quantise(trace_of(window).weights[0, window.room.selection.locked.head, 3], None, 0.0, 1.0)
    assert np.array_equal(text_colours(text)[7:], colours(window, row))
    hands.click(text, text.places[7 + 2].center())
    assert window.room.selection.locked == Selection(0, 3, 2)
    if page == "text":
        back = stage(window).text.back
        column = quantise(trace_of(window).weights[0, 0, :, 2], None, 0.0, 1.0)
        assert np.array_equal(text_colours(back)[9:], colours(window, column))


def test_that_the_slider_leads_to_every_token_in_decoder_and_cross(window: MainWindow, hands: Hands) -> None:
    for side in ("decoder", "cross"):
        turn_to(window, side, hands)
        window.room.inspector.generation.steps.slider.setValue(1)
        hands.qtbot.waitUntil(lambda: trace_of(window).step == 1)
        assert trace_of(window).side == side
        assert trace_of(window).weights.shape[2] == len(TARGET.split()) + 2


def test_that_keys_switch_a_head_of_the_side_off_and_hide_a_token_of_the_text(
    window: MainWindow, hands: Hands, settle: Settle
) -> None:
    turn_to(window, "cross", hands)
    window.room.selection.lock(Selection(2, 1, 5))
    hands.qtbot.keyClick(stage(window).focus_strip, Qt.Key.Key_X)
    settle(window)
    assert window.controller.spec.heads_off == ("cross 1.3",)
    assert not trace_of(window).layer.heads[0, 2].any()
    hands.qtbot.keyClick(stage(window).focus_strip, Qt.Key.Key_H)
    settle(window)
    assert window.controller.spec.tokens_hidden == (5,)
    turn_to(window, "decoder", hands)
    hands.qtbot.keyClick(stage(window).focus_strip, Qt.Key.Key_H)
    settle(window)
    assert window.controller.spec.tokens_hidden == (5,), "the decoder's tokens are others"


def test_that_a_language_is_chosen_by_name_or_by_number(window: MainWindow, hands: Hands, settle: Settle) -> None:
    edit = window.room.form.editor("forced_bos_token_id")
    assert [edit.box.itemText(at) for at in range(1, edit.box.count())] == list(LANGUAGES)
    edit.box.setCurrentIndex(2)
    edit.box.activated.emit(2)
    settle(window)
    assert trace_of(window).written.names[1] == "__de__"
    edit.box.setEditText("7")
    edit.box.lineEdit().editingFinished.emit()
    settle(window)
    assert trace_of(window).written.ids[1] == 7
    edit.box.setEditText("Klingon")
    edit.box.lineEdit().editingFinished.emit()
    assert window.controller.spec.forced_bos_token_id == 7


def test_that_an_encoder_decoder_that_writes_by_itself_leads_to_any_of_its_tokens(
    at: At, settle: Settle, folder: Path, hands: Hands
) -> None:
    window = at(model(folder=str(folder), text=TEXT))
    settle(window)
    turn_to(window, "cross", hands)
    assert trace_of(window).step == 63
    window.room.inspector.generation.steps.slider.setValue(5)
    hands.qtbot.waitUntil(lambda: trace_of(window).step == 5)
    assert trace_of(window).weights.shape[2] == 6


def test_that_a_model_with_one_stack_has_no_tabs_and_no_target(at: At, settle: Settle) -> None:
    window = at(model())
    settle(window)
    assert stage(window).sides.isHidden()
    assert not window.room.form.editor("target").isVisibleTo(window)


def test_that_a_number_that_cross_attention_has_not_is_a_dash_and_the_reason_is_said(
    window: MainWindow, hands: Hands, settle: Settle
) -> None:
    turn_to(window, "cross", hands)
    window.room.current_view.propose(overview="previous")
    settle(window)
    assert set(stage(window).overview.cells._numbers) == {"–"}
    assert "tokens of different texts" in stage(window).sentence.text()
    window.room.current_view.propose(overview="entropy")
    settle(window)
    assert "different texts" not in stage(window).sentence.text()


def test_that_the_brush_forbids_cells_of_the_side_on_screen(window: MainWindow, hands: Hands, settle: Settle) -> None:
    turn_to(window, "cross", hands)
    window.room.current_view.propose(page="stages", stage="weights")
    settle(window)
    stage(window).tools.brushes.press("forbid")
    stage(window).pages.heads.stroke.emit(Cell(1, 2), True)
    settle(window)
    head = window.room.selection.locked.head
    assert window.controller.spec.painted == {f"cross 1.{head + 1}": "1: 2"}
    assert trace_of(window).weights[0, head, 1, 2] == 0
    stage(window).tools.brushes.press("")


def test_that_two_runs_are_compared_on_the_side_on_screen(window: MainWindow, hands: Hands, settle: Settle) -> None:
    turn_to(window, "cross", hands)
    window.room.current_view.propose(page="compare")
    settle(window)
    before = trace_of(window).weights.copy()
    stage(window).pages.compare.pin_current()
    settle(window)
    window.room.form.change("tokens_hidden", (3,), "tokens_hidden")
    settle(window)
    hands.qtbot.waitUntil(lambda: stage(window).pages.compare.compared is not None)
    a = stage(window).pages.compare.compared[0]
    assert np.array_equal(a.weights, before)
    assert not trace_of(window).weights[..., 3].any()
    stage(window).pages.compare.unpin_current()
    settle(window)


@pytest.mark.parametrize(
    ("values", "field", "said"),
    [
        ({"target": "the " * 200}, "target", "128"),
        ({"forced_bos_token_id": 99}, "forced_bos_token_id", "63"),
        ({"heads_off": ["cross 3.1"]}, "heads_off", "cross 2.1"),
    ],
    ids=["target", "first token", "head"],
)
def test_that_what_does_not_fit_is_said_at_its_field(
    window: MainWindow, hands: Hands, values: dict[str, Any], field: str, said: str
) -> None:
    before = trace_of(window)
    window.controller.propose(before.spec.model_copy(update=model(**values).model_dump(include=set(values))))
    hands.qtbot.waitUntil(lambda: bool(window.room.form.problem(field)))
    assert said in window.room.form.problem(field)
    assert trace_of(window) is before, "the last good picture stays"


def test_that_a_target_for_a_model_with_one_stack_is_said_at_its_field(at: At, settle: Settle, hands: Hands) -> None:
    window = at(model())
    settle(window)
    window.controller.propose(model(target="the cat"))
    hands.qtbot.waitUntil(lambda: bool(window.room.form.problem("target")))
    assert "no encoder-decoder" in window.room.form.problem("target")
