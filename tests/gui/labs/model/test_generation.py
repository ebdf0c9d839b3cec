"""The model continues its text in the window: the picture grows, any token is returned to, another one is chosen."""

import json
from typing import Any

import numpy as np
import pytest
from eyes import heatmap_colours
from hands import Hands
from model_hands import colours, model, trace_of
from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QColor
from windows import At, Opener, Settle

from attnviz.definitions.text import bytes_said
from attnviz.experiment.colours import quantise
from attnviz.experiment.files.session import session_of, session_to_json
from attnviz.experiment.run import Cursor
from attnviz.gui.labs.model.comparison import ModelComparePage
from attnviz.gui.labs.model.generation_part import CachePicture
from attnviz.gui.widgets.selection import Selection
from attnviz.gui.window.main_window import MainWindow

TEXT = "then one red fox ran home and one red fox"
NEW = 6


@pytest.fixture
def window(at: At, settle: Settle) -> MainWindow:
    """The shared window on a text that the model continues, at its last new token."""
    window = at(model(text=TEXT, generate=NEW))
    window.room.current_view.propose(page="overview", layer=1, contrast=False)
    settle(window)
    window.controller.undo_stack.clear()
    return window


def inspector(window: MainWindow) -> Any:
    return window.room.inspector


def look_at(window: MainWindow, step: int, hands: Hands) -> None:
    """Drag the slider to a step, and wait for its picture."""
    inspector(window).generation.steps.slider.setValue(step)
    hands.qtbot.waitUntil(lambda: trace_of(window).step == step)


def test_that_the_picture_has_a_row_for_each_token_that_was_read(window: MainWindow, hands: Hands) -> None:
    heatmap = window.room.stage.overview.heatmap  # type: ignore[attr-defined]
    for step in (NEW - 1, 0, 3):
        look_at(window, step, hands)
        trace = trace_of(window)
        tokens = len(TEXT.split()) + step
        assert trace.weights.shape[2:] == (tokens, tokens)
        levels = quantise(trace.weights[0, window.room.selection.locked.head], trace.layer.mask[0, 0], 0.0, 1.0)
        assert np.array_equal(heatmap_colours(heatmap, levels.shape), colours(window, levels))
        assert trace.prediction is not None
        assert inspector(window).next.keys[0] == int(np.argmax(trace.prediction.probabilities))


def test_that_a_held_row_stays_while_the_text_grows_and_the_newest_one_follows(
    window: MainWindow, settle: Settle, hands: Hands
) -> None:
    selection, last = window.room.selection, len(TEXT.split()) - 1
    selection.lock(Selection(1, last))
    for step in (0, NEW - 1, 2):
        look_at(window, step, hands)
        assert selection.locked.query == last + step  # the newest row at step 0, and so from there on
    selection.lock(Selection(1, 4))
    for step in (0, NEW - 1):
        look_at(window, step, hands)
        assert selection.locked == Selection(1, 4)
    window.controller.propose(model(text=TEXT, generate=NEW + 1))
    window.room.apply_view(window.room.view.changed(query=last + 2))  # as a session does
    settle(window)
    assert selection.locked.query == last + 2
    assert trace_of(window).step == NEW


def test_that_a_click_or_a_digit_chooses_another_token_in_one_undo_step(
    window: MainWindow, settle: Settle, hands: Hands
) -> None:
    usual = trace_of(window).generated
    assert usual is not None
    look_at(window, 2, hands)
    bars = inspector(window).next
    hands.click(bars, QPointF(20, bars.height() * 0.15))
    settle(window)
    other = trace_of(window).generated
    assert other is not None
    assert other.ids[:3] == (*usual.ids[:2], int(usual.step_ids[2, 1]))
    assert window.controller.spec.chosen == {"2": other.ids[2]}  # type: ignore[union-attr]
    name = other.names[2]
    assert window.controller.undo_stack.undoText() == f"Choose “{name}” as new token 3"
    assert str(trace_of(window).badge) == f"chosen new token: 3 “{name}”"
    hands.qtbot.keyClick(window.room.stage, Qt.Key.Key_3)
    settle(window)
    assert window.controller.spec.chosen.keys() == {"2", str(NEW - 1)}  # type: ignore[union-attr]
    window.controller.undo_stack.undo()
    window.controller.undo_stack.undo()
    settle(window)
    again = trace_of(window).generated
    assert again is not None
    assert again.ids == usual.ids


def test_that_fewer_new_tokens_drop_the_choices_beyond(window: MainWindow, settle: Settle) -> None:
    form = window.room.form
    form.change("chosen", {"1": 7, "4": 9}, "chosen")
    assert window.controller.undo_stack.undoText() == "Choose token 9 as new token 5"
    settle(window)
    editor = form.editor("generate")
    editor.set_value(3)
    editor.edited.emit()
    settle(window)
    assert window.controller.spec.chosen == {"1": 7}  # type: ignore[union-attr]


def test_that_the_cache_has_the_old_keys_and_the_new_one(window: MainWindow, hands: Hands) -> None:
    look_at(window, 3, hands)
    picture: CachePicture = inspector(window).generation.cache
    tokens = len(trace_of(window).read)
    image, theme = picture.grab().toImage(), picture.look.theme
    for layer in range(2):
        place = picture.cells(layer)
        for token in range(tokens):
            x = round(place.left() + (token + 0.5) * place.width() / tokens)
            seen = image.pixelColor(x, round(place.center().y()))
            assert seen == QColor(theme.q if token == tokens - 1 else theme.k)


def test_that_fewer_new_tokens_drop_what_is_hidden_or_painted_beyond(window: MainWindow, settle: Settle) -> None:
    form, tokens = window.room.form, len(TEXT.split())
    form.change("tokens_hidden", (2, tokens + 3), "tokens_hidden")
    settle(window)
    form.change("painted", {"1.1": f"5: 0; {tokens + 2}: 1"}, "painted")
    settle(window)
    editor = form.editor("generate")
    editor.set_value(2)
    editor.edited.emit()
    settle(window)
    spec: Any = window.controller.spec
    assert spec.tokens_hidden == (2,)
    assert spec.painted == {"1.1": "5: 0"}
    assert trace_of(window).spec == spec


def test_that_each_head_is_turned_off_at_an_earlier_token_too(window: MainWindow, settle: Settle, hands: Hands) -> None:
    window.room.current_view.propose(by_effect=True)
    page = window.room.stage.overview  # type: ignore[attr-defined]
    for step in (NEW - 1, 2):
        look_at(window, step, hands)
        hands.qtbot.waitUntil(lambda: page.effects.ablation is not None, timeout=10_000)
        assert page.effects.ablation.token == trace_of(window).prediction.tokens[0]  # type: ignore[union-attr]
    window.room.current_view.propose(by_effect=False)
    settle(window)


def test_that_sampling_is_a_fact_and_no_warning(at: At) -> None:
    trace = trace_of(at(model(text=TEXT, generate=2, choose="sample", seed=4)))
    assert not trace.badge
    assert "sampled at 1, top k 0, top p 1, seed 4" in map(str, trace.facts())


def test_that_left_and_right_step_through_the_tokens_where_nothing_else_uses_them(
    window: MainWindow, settle: Settle, hands: Hands
) -> None:
    def press(
        where: Any, key: Qt.Key, step: int, modifier: Qt.KeyboardModifier = Qt.KeyboardModifier.NoModifier
    ) -> None:
        hands.qtbot.keyClick(where, key, modifier)
        hands.qtbot.waitUntil(lambda: trace_of(window).step == step)

    room: Any = window.room
    press(window.panels, Qt.Key.Key_Left, NEW - 2)
    press(window.panels, Qt.Key.Key_Right, NEW - 1)
    head = room.selection.locked.head
    room.stage.overview.cells.setFocus()
    hands.qtbot.keyClick(room.stage.overview.cells, Qt.Key.Key_Right)
    assert (room.selection.locked.head, trace_of(window).step) == (head + 1, NEW - 1)
    press(room.stage.overview.cells, Qt.Key.Key_Left, NEW - 2, Qt.KeyboardModifier.ControlModifier)
    window.present(True, full_screen=False)
    assert room.token_row.steps.text() == f"{NEW - 1} / {NEW}"
    press(room.stage.overview.cells, Qt.Key.Key_Left, NEW - 3)
    window.present(False)
    settle(window)


def test_that_continuations_are_compared_over_their_common_length(
    window: MainWindow, settle: Settle, hands: Hands
) -> None:
    room: Any = window.room
    page, tokens = room.stage.pages.page_of(ModelComparePage), len(TEXT.split())
    room.current_view.propose(page="compare")
    look_at(window, 2, hands)
    a = trace_of(window)
    page.pin_current()
    look_at(window, NEW - 1, hands)
    hands.qtbot.waitUntil(page.pair.difference.isVisible, timeout=20_000)
    matrix = page.pair.difference.matrix
    assert matrix.mask[: tokens + 2, : tokens + 2].tolist() == np.tri(tokens + 2, dtype=bool).tolist()
    assert not matrix.mask[tokens + 2 :].any()
    assert not matrix.values.any(), "a row is never computed again"
    assert "New token: 3 → 6" in page.pair.changes.text()
    assert f"Both have {tokens + 2} tokens" in page.pair.changes.text()
    assert a.prediction is not None
    room.form.change("chosen", {"1": a.prediction.ids[3]}, "chosen")
    settle(window)
    look_at(window, 2, hands)
    hands.qtbot.waitUntil(page.pair.difference.isVisible, timeout=20_000)
    assert f"differs is token {tokens + 2}: “{a.read.names[-1]}” in A" in page.pair.changes.text()
    head = room.selection.locked.head
    difference = trace_of(window).weights[0, head].astype(np.float64) - a.weights[0, head]
    np.testing.assert_array_equal(page.pair.difference.matrix.values, difference)
    assert difference[-1].any()
    (pin,) = session_of(json.loads(session_to_json(window.session_state.session()))).all_pins
    assert (pin.spec, pin.step) == (a.spec, 2)
    room.ask_pin(None)


def test_that_a_session_is_shown_at_its_token(window: MainWindow, settle: Settle, hands: Hands) -> None:
    look_at(window, 2, hands)
    session = window.session_state.session()
    assert session.shown_view.cursor == Cursor(step=2, layer=1)
    look_at(window, NEW - 1, hands)
    assert window.session_state.session().shown_view.cursor == Cursor(layer=1)
    window.session_state.replace(session, None, "open")
    settle(window)
    assert trace_of(window).step == 2
    hands.qtbot.keyClick(window.panels, Qt.Key.Key_Right)
    hands.qtbot.waitUntil(lambda: trace_of(window).step == 3)


@pytest.mark.parametrize(
    ("values", "field", "said"),
    [
        ({"generate": 250}, "generate", "reads at most 256 tokens"),
        ({"generate": 4, "chosen": {"1": 99_999}}, "chosen", "token 99999"),
        ({"generate": 4, "chat": True}, "chat", "no chat template"),
    ],
)
def test_that_what_cannot_be_generated_is_said_at_its_field(
    window: MainWindow, hands: Hands, values: dict[str, Any], field: str, said: str
) -> None:
    before = trace_of(window)
    window.controller.propose(model(text=f"{TEXT} ran", **values))
    hands.qtbot.waitUntil(lambda: bool(window.room.form.problem(field)))
    assert said in window.room.form.problem(field)
    assert trace_of(window) is before, "the last good picture stays"


def test_that_an_intervention_is_seen_at_the_token_on_screen(window: MainWindow, settle: Settle, hands: Hands) -> None:
    look_at(window, 2, hands)
    hands.qtbot.keyClick(window.room.stage, Qt.Key.Key_X)
    hands.qtbot.waitUntil(lambda: trace_of(window).spec.has_changes and window.controller.paused)
    assert trace_of(window).step == 2
    window.controller.run_or_pause()
    settle(window)
    assert trace_of(window).step == NEW - 1


def test_that_the_models_own_tokens_are_compared_with_the_chosen_ones_in_one_click(
    window: MainWindow, settle: Settle, hands: Hands
) -> None:
    room: Any = window.room
    page, own = room.stage.pages.page_of(ModelComparePage), trace_of(window)
    assert own.generated is not None
    room.form.change("chosen", {"1": int(own.generated.step_ids[1, 1])}, "chosen")
    room.current_view.propose(page="compare")
    settle(window)
    (button,) = [each for each in page.pair._further if each.isVisible()]
    button.click()
    hands.qtbot.waitUntil(page.pair.difference.isVisible, timeout=20_000)
    assert page.a.read.ids == own.read.ids
    assert page.pair.drawn.titles[0] == "A, its own tokens, " + page.pair.drawn.titles[0].rpartition(", ")[2]
    room.ask_pin(None)


def test_that_the_memory_of_so_many_new_tokens_is_told_before_they_are_generated(at: At, settle: Settle) -> None:
    window = at(model(text=TEXT))
    settle(window)
    editor: Any = window.room.form.editor("generate")
    needed, tokens = trace_of(window).model.memory, len(TEXT.split())
    assert editor.memory.text() == f"64 new tokens take up to {bytes_said(needed.of(tokens, 64))} beside the model."
    editor.set_value(1)
    assert editor.memory.text() == f"1 new token takes up to {bytes_said(needed.of(tokens, 1))} beside the model."
    assert needed.of(tokens, 1) < needed.of(tokens, 64)


def test_that_a_window_opens_at_the_token_of_its_session(open_window: Opener, settle: Settle) -> None:
    window = open_window(model(text=TEXT, generate=NEW), start=False)
    window.controller.start(Cursor(step=2))
    settle(window)
    assert (trace_of(window).step, window.controller.paused) == (2, True)


def test_that_keys_that_are_faster_than_pictures_are_not_lost(window: MainWindow, hands: Hands) -> None:
    look_at(window, NEW - 1, hands)
    for _ in range(3):
        window.controller.go(-1)
    hands.qtbot.waitUntil(lambda: trace_of(window).step == NEW - 4)


def test_that_another_folder_without_a_decoder_loses_the_target(window: MainWindow) -> None:
    spec = model(text=TEXT, target="the cat", forced_bos_token_id=3)
    other = window.room.adapted(spec, "folder")
    assert (other.target, other.forced_bos_token_id, other.text) == ("", None, TEXT)  # type: ignore[union-attr]
