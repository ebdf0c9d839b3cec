"""Interventions are made with the hand, shown as chips, undone in words; what they change is said."""

import shutil
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from eyes import colours_of, heatmap_colours
from hands import Hands
from model_hands import SENTENCE, colours, encoder, map_colours, model, text_colours, trace_of
from PySide6.QtCore import QMimeData, QSettings, Qt, QUrl
from PySide6.QtWidgets import QApplication, QComboBox, QFileDialog, QToolButton
from pytestqt.qtbot import QtBot
from windows import At, Settle

from attnviz.engine.run import run
from attnviz.experiment.colours import DIVERGING, quantise
from attnviz.experiment.model.studies import HeadsInTurn
from attnviz.experiment.model.terms import score_terms
from attnviz.gui.labs.model.editors.folder_edit import FolderEdit
from attnviz.gui.plots.matrix.tile import colour_table
from attnviz.gui.plots.tensors.row_bars import _Columns
from attnviz.gui.widgets.selection import Selection
from attnviz.gui.widgets.words import translate
from attnviz.gui.window.main_window import MainWindow

Key = Qt.Key


@pytest.fixture
def window(at: At, settle: Settle) -> MainWindow:
    """The shared window on the model that comes along, on its first page, head 1.2 and the last token chosen."""
    window = at(model())
    view = {"page": "overview", "layer": 0, "overview": "entropy", "thumbnails": False, "by_effect": False}
    window.room.current_view.propose(**view, joined=False, hide_special=False, contrast=False)
    settle(window)  # the last test may have looked at another layer
    window.room.selection.lock(Selection(1, len(trace_of(window).read) - 1, None))
    window.controller.undo_stack.clear()
    tools = window.room.stage.tools  # type: ignore[attr-defined]
    tools.brushes.press("")
    tools.all_heads.setChecked(False)
    return window


@pytest.fixture(scope="module")
def folders(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Folders with small encoders: "masked" predicts masked tokens, "plain" nothing."""
    path = tmp_path_factory.mktemp("models")
    encoder(path / "masked")
    encoder(path / "plain", "AutoModel")
    return path


def overview(window: MainWindow) -> Any:
    return window.room.stage.overview  # type: ignore[attr-defined]


def inspector(window: MainWindow) -> Any:
    return window.room.inspector


def test_that_x_turns_the_chosen_head_off_in_one_step_that_undo_takes_back(
    window: MainWindow, qtbot: QtBot, settle: Settle
) -> None:
    stack, before = window.controller.undo_stack, map_colours(window)
    qtbot.keyClick(overview(window).cells, Key.Key_X)
    settle(window)
    trace = trace_of(window)
    assert trace.spec.heads_off == ("1.2",)
    assert (stack.count(), stack.undoText()) == (1, "Turn head 1.2 off")
    assert list(window.room.form.editor("heads_off").texts) == ["1.2"]  # type: ignore[attr-defined]
    assert overview(window).cells.told(1).endswith("1.2 is off")
    assert trace.prediction is not None
    assert trace.before is not None
    shown = inspector(window).changed.text()
    assert "off: 1.2" in shown
    assert trace.before.tokens[0] == "home"
    assert "“home”: 99.5 %" in shown, "what the top token loses"
    said = window.room.stage.sentence.text()
    assert f"After “ran” (11) the model predicts “{trace.prediction.tokens[0]}” (" in said
    assert said.endswith("without interventions it predicts “home” (99.5 %).")
    stack.undo()
    settle(window)
    assert trace_of(window).spec == model()
    assert (map_colours(window) == before).all()


def test_that_the_inspector_has_the_values_before_with_digits_that_tell_them_apart(
    window: MainWindow, settle: Settle
) -> None:
    window.room.form.propose(model(heads_off=("1.2",)), "heads_off")
    settle(window)
    now = trace_of(window).prediction
    assert now is not None
    assert now.other is not None
    shown = inspector(window).next._row.extra
    assert shown[0] == f"was {now.other[0]:.1e}", "what has been all but impossible"
    window.room.form.propose(model(temperature=1.05), "temperature")
    settle(window)
    now = trace_of(window).prediction
    assert now is not None
    assert now.other is not None
    shown = inspector(window).next._row.extra
    small = [at for at, each in enumerate(now.other) if each < 0.0005]
    assert small, "a token whose three decimals are 0"
    assert [shown[at] for at in small] == [f"was {now.other[at]:.1e}" for at in small]


def test_that_a_long_heading_of_scores_leaves_room_for_names_and_bars(window: MainWindow, settle: Settle) -> None:
    window.room.form.propose(model(temperature=20), "temperature")
    settle(window)
    bars = inspector(window).of_layer.row.bars
    columns = _Columns(bars._row, bars._keys, bars.fontMetrics(), bars.look, 240, "score over the temperature")
    assert columns.bars >= 24
    assert columns.weight_right > columns.labels + columns.bars


def test_that_h_hides_the_chosen_token_from_all_others(window: MainWindow, qtbot: QtBot, settle: Settle) -> None:
    window.room.selection.lock(Selection(1, 5, None))
    qtbot.keyClick(overview(window).cells, Key.Key_H)
    settle(window)
    trace, stack = trace_of(window), window.controller.undo_stack
    assert trace.spec.tokens_hidden == (5,)
    assert stack.undoText() == "Hide token 6"
    assert not trace.layer.mask[0, :, 6:, 5].any()
    assert (trace.layer.weights[0, :, 6:, 5] == 0).all()
    chips: Any = window.room.form.editor("tokens_hidden")
    assert list(chips.texts) == ["6 “home”"]
    window.room.form.propose(model(tokens_hidden=(5, 7)), "another step")
    settle(window)
    chips._chips[1].click()
    settle(window)
    assert trace_of(window).spec.tokens_hidden == (5,)
    assert stack.undoText() == "Show token 8 again"


def test_that_the_output_of_a_head_is_patched_from_a_second_text(
    window: MainWindow, hands: Hands, settle: Settle
) -> None:
    form = window.room.form
    hands.write(form.editor("text_b"), "and one red fox ran sang then one red fox ran")
    form.editor("text_b").text.finish()  # type: ignore[attr-defined]
    settle(window)
    query = len(trace_of(window).read) - 1
    window.room.selection.lock(Selection(1, query, None))
    form.editor("patch").add.click()  # type: ignore[attr-defined]
    settle(window)
    trace = trace_of(window)
    assert [(each.head, each.token) for each in trace.spec.patch] == [("1.2", query)]
    assert window.controller.undo_stack.undoText() == "Patch 1.2 from text B"
    alone = list(run(trace.spec))[-1]
    assert trace.prediction is not None
    assert alone.prediction.tokens == trace.prediction.tokens  # type: ignore[union-attr]


def test_that_a_patch_is_made_and_taken_back_by_keys_alone(
    at: At, window: MainWindow, qtbot: QtBot, settle: Settle
) -> None:
    room: Any = at(model(text_b="then one red fox ran under")).room
    room.current_view.propose(page="stages", stage="weights")
    room.selection.lock(Selection(1, 4, 0))
    settle(window)
    room.stage.heatmap.setFocus()
    qtbot.keyClick(room.stage.heatmap, Key.Key_Down)
    patches = room.form.editor("patch")
    qtbot.keyClick(room.stage.heatmap, Qt.Key(ord(room.form.letter("patch").upper())), Qt.KeyboardModifier.AltModifier)
    qtbot.waitUntil(lambda: bool(window.controller.spec.patch))  # type: ignore[attr-defined]
    settle(window)
    trace = trace_of(window)
    assert trace.prediction is not None
    assert trace.prediction.tokens[0] == "under"
    chip = QApplication.focusWidget()
    assert isinstance(chip, QToolButton)
    assert chip.text() == "1.2 · 6 “home”  ×", "the keyboard stays in the form"
    qtbot.keyClick(chip, Key.Key_Space)
    settle(window)
    assert trace_of(window).spec.patch == ()
    assert QApplication.focusWidget() is patches.add


def test_that_text_b_that_is_emptied_takes_the_patches_from_it_along(
    at: At, window: MainWindow, hands: Hands, settle: Settle
) -> None:
    patched = model(text_b="then one red fox ran under", patch=[{"head": "1.2", "token": 5, "from": "b"}])
    form, stack = at(patched).room.form, window.controller.undo_stack
    stack.clear()
    editor: Any = form.editor("text_b")
    hands.write(editor, "u")
    hands.qtbot.keyClick(editor.text, Key.Key_Backspace)
    editor.text.finish()
    settle(window)
    assert trace_of(window).spec == model()
    assert not form.problem("text_b")
    assert (stack.count(), stack.undoText()) == (1, "Empty text B, and take the patch of 1.2 back")
    stack.undo()
    settle(window)
    assert trace_of(window).spec == patched
    assert list(form.editor("patch").texts) == ["1.2 · 6 “home”"]  # type: ignore[attr-defined]


def test_that_text_b_is_rewritten_while_a_patch_takes_from_it(
    at: At, window: MainWindow, hands: Hands, qtbot: QtBot, settle: Settle
) -> None:
    patched = model(text_b="then one red fox ran under", patch=[{"head": "1.2", "token": 5, "from": "b"}])
    form = at(patched).room.form
    editor: Any = form.editor("text_b")
    before = map_colours(window)
    hands.write(editor, "then one red")
    editor.text.finish()
    qtbot.waitUntil(lambda: window.controller.has_failed, timeout=20_000)
    said = "token 6 of a patch is not in text B, which has 3 tokens and is shorter; nearest: 3"
    assert form.problem("text_b") == said
    assert (map_colours(window) == before).all(), "the last good picture stays"
    hands.write(editor, "then one red fox ran his")
    editor.text.finish()
    settle(window)
    assert not form.problem("text_b")
    trace = trace_of(window)
    assert trace.spec.patch == patched.patch, "nothing is lost"
    assert trace.prediction is not None
    assert trace.prediction.tokens[0] == "his"


def test_that_a_brush_paints_all_heads_of_a_layer_and_says_where_it_can_change_nothing(
    window: MainWindow, settle: Settle, qtbot: QtBot
) -> None:
    room: Any = window.room
    room.current_view.propose(page="stages", stage="weights")
    tools, heatmap, stack = room.stage.tools, room.stage.heatmap, window.controller.undo_stack

    def paint(brush: str, query: int, key: int, *, all_heads: bool) -> str:
        tools.brushes.press(brush)
        if tools.all_heads.isChecked() != all_heads:
            tools.all_heads.click()
        qtbot.mouseClick(heatmap, Qt.MouseButton.LeftButton, pos=heatmap.rect_of(query, key).center().toPoint())
        settle(window)
        return str(room.stage.read_out.text())

    paint("forbid", 7, 2, all_heads=True)
    trace = trace_of(window)
    assert dict(trace.spec.painted) == {"1": "7: 2"}
    assert not trace.layer.mask[0, :, 7, 2].any()
    assert trace.layer_at(1).mask[0, :, 7, 2].all(), "the other layer has its own"
    assert list(room.form.editor("painted").texts) == ["layer 1: 1 cell"]
    assert stack.undoText() == "Paint the mask of layer 1"
    assert translate(trace.badge) == "painted: layer 1"
    said = paint("allow", 7, 2, all_heads=False)
    assert said == "This cell is painted for layer 1; choose what the brush paints in View."
    assert paint("allow", 5, 2, all_heads=True) == "This cell is allowed already."
    said = paint("allow", 2, 5, all_heads=True)
    assert said == "The brush allows only what it has painted; this cell is masked: causal."
    assert (dict(trace_of(window).spec.painted), stack.count()) == ({"1": "7: 2"}, 1)
    paint("allow", 7, 2, all_heads=True)
    assert trace_of(window).spec.painted == {}
    assert stack.undoText() == "Take the mask of layer 1 back"


def test_that_a_brush_forbids_cells_of_the_chosen_head_alone(window: MainWindow, settle: Settle, qtbot: QtBot) -> None:
    room: Any = window.room
    room.current_view.propose(page="stages", stage="weights")
    room.stage.tools.brushes.press("forbid")
    heatmap = room.stage.heatmap
    qtbot.mouseClick(heatmap, Qt.MouseButton.LeftButton, pos=heatmap.rect_of(7, 2).center().toPoint())
    settle(window)
    trace = trace_of(window)
    assert dict(trace.spec.painted) == {"1.2": "7: 2"}
    assert not trace.layer.mask[0, 1, 7, 2]
    assert trace.layer.mask[0, 0, 7, 2]
    assert trace.layer.weights[0, 1, 7, 2] == 0
    assert list(room.form.editor("painted").texts) == ["1.2: 1 cell"]
    room.stage.tools.brushes.press("")


def test_that_a_mask_that_is_gone_does_not_come_back_from_the_form(
    window: MainWindow, settle: Settle, hands: Hands
) -> None:
    room: Any = window.room
    editor = room.form.editor("painted")
    room.form.propose(model(painted={"1.2": "7: 2", "2.1": "3: 1"}), "painted")
    settle(window)
    assert list(editor.texts) == ["1.2: 1 cell", "2.1: 1 cell"]
    hands.write(room.form.editor("text"), "one red fox ran home and one")
    room.form.editor("text").text.finish()
    settle(window)
    assert not window.controller.spec.has_changes  # type: ignore[attr-defined]
    assert list(editor.texts) == []
    assert not editor.isVisible()
    hands.type(room.form.editor("temperature"), "2")
    settle(window)
    assert trace_of(window).spec.painted == {}


def test_that_a_brush_that_allows_the_last_cell_leaves_no_mask(
    window: MainWindow, settle: Settle, qtbot: QtBot
) -> None:
    room: Any = window.room
    room.current_view.propose(page="stages", stage="weights")
    heatmap = room.stage.heatmap
    for brush, masks in (("forbid", ["1.2: 1 cell"]), ("allow", [])):
        room.stage.tools.brushes.press(brush)
        qtbot.mouseClick(heatmap, Qt.MouseButton.LeftButton, pos=heatmap.rect_of(7, 2).center().toPoint())
        settle(window)
        assert list(room.form.editor("painted").texts) == masks
    room.stage.tools.brushes.press("")


def test_that_the_terms_of_a_score_sum_to_it(window: MainWindow) -> None:
    window.room.selection.lock(Selection(1, 10, 5))
    trace = trace_of(window)
    found = score_terms(trace.layer, 1, 10, 5, trace.rotary)
    assert found is not None
    steps = inspector(window).terms.steps
    (summed, total), (_, score) = steps[-2:]
    assert summed == "= their sum"
    assert float(total) == pytest.approx(float(trace.layer.scores[0, 1, 10, 5]), abs=1e-4)
    assert float(score) == pytest.approx(float(total), abs=1e-4)
    assert sum(float(value) for _, value in steps[:-2]) == pytest.approx(float(total), abs=1e-3)
    assert "turn in" in steps[0][0], "the features of a pair are rotated together"


def test_that_the_overview_is_coloured_by_what_is_lost_without_each_head(
    window: MainWindow, settle: Settle, qtbot: QtBot
) -> None:
    page = overview(window)
    page.choices.effect.click()
    qtbot.waitUntil(lambda: page.effects.ablation is not None, timeout=20_000)
    (alone,) = list(run(HeadsInTurn(of=trace_of(window).spec)))
    reach = np.nanmax(np.abs(alone.effect))  # type: ignore[union-attr]
    levels = quantise(alone.effect, None, -reach, reach)  # type: ignore[union-attr]
    table = colour_table(DIVERGING, window.look.theme)
    assert (map_colours(window) == colours_of(table, levels)).all()
    assert window.room.stage.sentence.text().startswith("Ablating head 1.2 costs most: “home” falls from 99.5 %")
    window.room.form.propose(model(ablation="mean"), "ablation")
    qtbot.waitUntil(lambda: getattr(page.effects.ablation, "spec", None) == HeadsInTurn(of=model(ablation="mean")))
    (by_mean,) = list(run(HeadsInTurn(of=model(ablation="mean"))))
    np.testing.assert_array_equal(page.effects.ablation.effect, by_mean.effect)  # type: ignore[union-attr]
    written, reach = [cell.number for cell in page.cells._cells], np.nanmax(np.abs(by_mean.effect))  # type: ignore[union-attr]
    assert written == [by_mean.number(lost) for lost in by_mean.effect.flat]  # type: ignore[union-attr]
    ends = f"-{by_mean.number(reach)} .. {by_mean.number(reach)} probability lost"
    assert page.scale.accessibleDescription().startswith(ends)
    window.room.current_view.propose(by_effect=False)


def test_that_the_run_without_changes_is_compared_with_this_one(
    window: MainWindow, settle: Settle, qtbot: QtBot
) -> None:
    room: Any = window.room
    whole = trace_of(window).layer.weights[0, 2].astype(float)
    room.form.propose(model(temperature=2), "temperature")
    settle(window)
    room.current_view.propose(page="compare")
    room.selection.lock(Selection(2, 10, None))
    pair = room.stage.pages.compare.pair
    (button,) = [each for each in pair._further if each.isVisible()]
    assert button.text() == "Without interventions as A"
    button.click()
    qtbot.waitUntil(pair.difference.isVisible, timeout=20_000)
    difference = trace_of(window).layer.weights[0, 2] - whole
    mask = trace_of(window).layer.mask[0, 2]
    reach = np.abs(difference[mask]).max()
    seen = heatmap_colours(pair.difference, difference.shape)
    levels = quantise(difference, mask, -reach, reach)
    assert (seen == colours_of(colour_table(DIVERGING, window.look.theme), levels))[mask].all()
    assert pair.changes.text() == "B: temperature 2"
    room.form.propose(model(heads_off=("1.2",), tokens_hidden=(5,)), "heads_off")
    settle(window)
    assert pair.changes.text() == "B: off: 1.2, hidden: home"
    room.ask_pin(None)


def test_that_a_folder_that_fails_is_said_at_the_folder_and_the_picture_stays(
    window: MainWindow, tmp_path: Path, qtbot: QtBot, settle: Settle
) -> None:
    form, before = window.room.form, map_colours(window)
    form.propose(model(folder=str(tmp_path)), "folder")
    qtbot.waitUntil(lambda: window.controller.has_failed, timeout=20_000)
    assert str(tmp_path) in form.problem("folder")
    assert (map_colours(window) == before).all()
    assert overview(window).heatmap.isVisible()
    form.propose(model(), "folder")
    settle(window)
    assert not form.problem("folder")


def test_that_a_folder_that_vanishes_is_said_at_the_folder_and_in_place_of_every_layer_not_held(
    at: At, folders: Path, tmp_path: Path, qtbot: QtBot, settle: Settle
) -> None:
    gone = tmp_path / "gone"
    shutil.copytree(folders / "plain", gone)
    window = at(model(folder=str(gone)))
    settle(window)
    shutil.rmtree(gone)
    window.room.form.propose(model(folder=str(gone), text="another text"), "text")
    qtbot.waitUntil(lambda: window.controller.has_failed, timeout=20_000)
    assert str(gone) in window.room.form.problem("folder")
    assert not window.room.form.problem("text")
    assert window.room.form.editor("text").count.text() == "", "nobody has counted it"  # type: ignore[attr-defined]
    stage: Any = window.room.stage
    stage.choose_head((trace_of(window).number + 1) % trace_of(window).num_layers, 0)
    assert "cannot be shown: there is no folder" in overview(window).missing.text()


def test_that_a_folder_dropped_on_the_window_is_opened(
    window: MainWindow, folders: Path, qtbot: QtBot, settle: Settle
) -> None:
    window.room.form.propose(model(heads_off=("2.4",)), "heads_off")
    settle(window)
    dropped = QMimeData()
    dropped.setUrls([QUrl.fromLocalFile(str(folders / "plain"))])
    window.drops.take(dropped)
    qtbot.waitUntil(lambda: window.controller.spec.folder == str(folders / "plain"))  # type: ignore[attr-defined]
    settle(window)
    trace = trace_of(window)
    assert (trace.model.family, trace.model.num_layers) == ("bert", 3)
    assert not trace.spec.has_changes, "the heads of another model are not meant"
    facts = window.room.form.editor("folder").facts.text()  # type: ignore[attr-defined]
    assert "bert, 3 layers × 4 heads" in facts
    assert "no head that predicts tokens" in inspector(window).no_next.text()
    assert window.room.form.editor("text").count.text().startswith("13 of 512")  # type: ignore[attr-defined]


def test_that_a_masked_token_is_expected_where_it_is(at: At, window: MainWindow, folders: Path, settle: Settle) -> None:
    at(model(folder=str(folders / "masked"), text="the [MASK] sat on the mat"))
    settle(window)
    trace, shown = trace_of(window), inspector(window)
    assert trace.prediction is not None
    assert trace.read.names[trace.prediction.position] == "[MASK]"
    assert shown._next_caption.text() == "IN PLACE OF “[MASK]”"
    assert (
        f"In place of “[MASK]” the model predicts “{trace.prediction.tokens[0]}” (" in window.room.stage.sentence.text()
    )
    told = shown.next.accessibleDescription()
    assert told.startswith(f"{trace.prediction.tokens[0]} {trace.prediction.probabilities[0]:.3f}")


def test_that_another_text_is_read_while_it_is_typed_and_its_hidden_tokens_are_gone(
    window: MainWindow, hands: Hands, settle: Settle
) -> None:
    window.room.form.propose(model(tokens_hidden=(3,)), "tokens_hidden")
    settle(window)
    window.activateWindow()
    hands.qtbot.keyClick(window.room.stage, Key.Key_L, Qt.KeyboardModifier.ControlModifier)
    editor: Any = window.room.form.editor("text")
    hands.qtbot.waitUntil(lambda: QApplication.focusWidget() is editor.text)
    hands.write(editor, "one red fox")
    editor.text.finish()
    settle(window)
    trace = trace_of(window)
    assert trace.read.names == ("one", "red", "fox")
    assert not trace.spec.tokens_hidden
    assert len(text_colours(overview(window).text)) == 3
    levels = quantise(trace.layer.weights[0, 1], trace.layer.mask[0, 1], 0.0, 1.0)
    assert (heatmap_colours(overview(window).heatmap, (3, 3)) == colours(window, levels)).all()


def test_that_another_text_is_looked_at_where_its_next_token_is_expected_and_a_session_where_it_was_held(
    window: MainWindow, settle: Settle
) -> None:
    room = window.room
    room.selection.lock(Selection(1, 4, 2))
    room.form.propose(model(heads_off=("1.3",)), "heads_off")
    settle(window)
    assert room.selection.locked == Selection(1, 4, 2), "an intervention keeps the cell"
    room.form.propose(model(text="one red fox ran home and one red fox ran home and one red fox"), "text")
    settle(window)
    prediction = trace_of(window).prediction
    assert prediction is not None
    assert room.selection.locked == Selection(1, prediction.position, None)
    assert prediction.position == 14
    room.form.propose(model(), "text")
    room.apply_view(room.view_settings().model_copy(update={"head": 2, "query": 3, "key": 1}))  # as a session does
    settle(window)
    assert room.selection.locked == Selection(2, 3, 1)


def test_that_a_row_of_words_tells_hidden_tokens(at: At, window: MainWindow, folders: Path, settle: Settle) -> None:
    at(model(folder=str(folders / "masked"), text=SENTENCE, tokens_hidden=(2, 3)))
    window.room.current_view.propose(joined=True)
    settle(window)
    shown = overview(window).text._tokens
    assert [token.name for token in shown if token.hidden] == ["cats"]


def test_that_tokens_of_texts_that_only_begin_alike_are_hatched(
    at: At, window: MainWindow, qtbot: QtBot, settle: Settle
) -> None:
    room: Any = at(model(text="then one red fox ran", text_b="then one red cat")).room
    room.current_view.propose(page="compare")
    room.selection.lock(Selection(0, 4, None))
    pair = room.stage.pages.compare.pair
    pair._further[0].click()
    qtbot.waitUntil(pair.difference.isVisible, timeout=20_000)
    mask = pair.difference.matrix.mask
    assert mask[:3, :3].tolist() == np.tri(3, dtype=bool).tolist()
    assert not mask[3:].any()
    assert not mask[:, 3:].any()
    (alone,) = (list(run(model(text="then one red cat")))[-1],)
    difference = trace_of(window).layer.weights[0, 0, 2, :3] - alone.layer.weights[0, 0, 2, :3]  # type: ignore[union-attr]
    np.testing.assert_allclose(pair.difference.matrix.values[2, :3], difference, atol=1e-6)
    assert "first 3 tokens of both texts are the same" in pair.changes.text()
    room.ask_pin(None)


def test_that_pictures_of_two_texts_begin_at_one_height_and_text_b_is_no_difference(
    at: At, window: MainWindow, qtbot: QtBot, settle: Settle
) -> None:
    room: Any = at(model(text="then one red fox", text_b="then the night sang")).room
    room.current_view.propose(page="compare")
    pair = room.stage.pages.compare.pair
    pair._further[0].click()
    qtbot.waitUntil(pair.difference.isVisible, timeout=20_000)
    tops = {part.y() + part.margins.top for part in (pair.a, pair.b, pair.difference)}
    assert len(tops) == 1
    assert pair.changes.text() == "Text: then the night sang → then one red fox"
    room.ask_pin(None)


def test_that_a_stage_that_a_lacks_is_shown_of_b_alone_and_said(
    at: At, window: MainWindow, qtbot: QtBot, settle: Settle
) -> None:
    room: Any = at(model(temperature=2.0)).room
    room.current_view.propose(page="compare", stage="cooled_scores")
    pair = room.stage.pages.compare.pair
    pair._further[0].click()
    qtbot.waitUntil(lambda: room.stage.pages.compare.a is not None, timeout=20_000)
    settle(window)
    assert pair.b.isVisible()
    assert not pair.a.isVisible()
    assert not pair.difference.isVisible()
    assert pair.changes.text().startswith("A has no scores over the temperature, so there is no B − A.")
    room.current_view.propose(stage="weights")
    assert pair.difference.isVisible()
    room.ask_pin(None)


def test_that_a_token_offers_what_can_be_done_with_it(at: At, window: MainWindow, settle: Settle) -> None:
    spec = model(text_b="and one red fox ran")
    room: Any = at(spec).room
    menu = room.menu_for((2,), spec)
    assert [action.text() for action in menu.actions()] == [
        "Hide 3 “red” from all tokens",
        "Patch the output of head 1.2 at 3 “red” from text B",
    ]
    menu.actions()[1].trigger()
    settle(window)
    assert [(each.head, each.token) for each in trace_of(window).spec.patch] == [("1.2", 2)]
    assert len(room.menu_for((8,), spec).actions()) == 1, "text B has no such place"
    assert len(room.menu_for((3,), model()).actions()) == 1, "the picture is of a text B that is gone from the form"


def test_that_a_patch_from_a_text_b_that_has_just_been_emptied_is_refused_in_the_form(
    at: At, window: MainWindow, settle: Settle
) -> None:
    room: Any = at(model(text_b="and one red fox ran")).room
    patch = room.menu_for((1, 2, 3, 4), room.form.spec).actions()[1]
    room.form.change("text_b", "", "text_b")
    patch.trigger()
    assert room.form.problem("text_b").startswith("A patch takes the output of a head from text B, which is empty")
    assert [each.token for each in room.form.editor("patch").value()] == [1, 2, 3, 4], "nothing is lost"
    settle(window)
    assert trace_of(window).spec == model()
    while room.form.editor("patch").value():
        room.form.editor("patch").findChildren(QToolButton, options=Qt.FindChildOption.FindDirectChildrenOnly)[
            1
        ].click()
    assert not room.form.problem("text_b")


def test_that_a_study_that_is_stopped_leaves_the_overview_as_it_was(at: At, window: MainWindow, settle: Settle) -> None:
    at(model(text="one red fox ran home one"))
    page, before = overview(window), map_colours(window)
    page.choices.effect.click()
    assert window.room.stage.sentence.text().startswith("Each head is turned off (ablated) in turn")
    page.say_stopped()
    assert not page.choices.effect.isChecked()
    assert (map_colours(window) == before).all()
    settle(window)


def test_that_another_model_in_the_same_folder_is_said(window: MainWindow) -> None:
    assert "another model" not in inspector(window).words.text()
    window.room.current_view.note(fingerprint="ab" * 32)
    window.room.inspect()
    assert inspector(window).words.text().startswith("The folder now holds another model")
    window.room.current_view.note(fingerprint=trace_of(window).model.fingerprint)


def test_that_without_transformers_a_sentence_says_how_to_get_it(
    window: MainWindow, folders: Path, monkeypatch: pytest.MonkeyPatch, qtbot: QtBot, settle: Settle
) -> None:
    monkeypatch.setitem(sys.modules, "transformers", None)
    form = window.room.form
    form.propose(model(folder=str(folders / "masked")), "folder")
    qtbot.waitUntil(lambda: window.controller.has_failed, timeout=20_000)
    assert "transformers" in form.problem("folder")
    form.propose(model(), "folder")
    settle(window)


def test_that_folders_used_last_are_listed_in_later_windows(qtbot: QtBot, tmp_path: Path, folders: Path) -> None:
    settings = QSettings(str(tmp_path / "settings.ini"), QSettings.Format.IniFormat)
    first, later = FolderEdit(), FolderEdit()
    for editor in (first, later):
        qtbot.addWidget(editor)
    first.remember_in(settings)
    for name in ("masked", "plain", "gone"):
        first.show_facts(str(folders / name), ["bert"])
    later.remember_in(settings)
    combo = later.findChild(QComboBox)
    assert combo is not None
    listed = [combo.itemData(row) for row in range(combo.count())]
    assert listed == ["models/induction", str(folders / "plain"), str(folders / "masked"), None]


def test_that_the_dialog_for_a_folder_begins_where_models_are_and_not_where_files_are(
    qtbot: QtBot, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, folders: Path
) -> None:
    editor, asked = FolderEdit(), list[str]()
    qtbot.addWidget(editor)
    monkeypatch.setattr(QFileDialog, "getExistingDirectory", lambda _, __, begin: asked.append(begin) or "")
    editor._choose(editor._combo.count() - 1)
    editor.remember_in(QSettings(str(tmp_path / "settings.ini"), QSettings.Format.IniFormat))
    editor.recent.add(folders / "plain")
    editor._choose(editor._combo.count() - 1)
    assert asked == [str(Path.home()), str(folders)]
