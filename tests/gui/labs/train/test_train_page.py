"""The first page of the training lab shows the trace, follows the hand, and looks back bit for bit."""

import itertools
import re
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from eyes import is_drawn, look
from hands import Hands
from PySide6.QtCore import QPoint, QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFontMetrics, QFontMetricsF
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot
from train_hands import STEPS, check_shows, room_of, small_training, stage_of, steps_of, trace_of
from windows import At, Opener, Settle

from attnviz.definitions.counting import head_name
from attnviz.definitions.roles import ROLES, role_of
from attnviz.experiment.files.specs_in_files import presets
from attnviz.experiment.pin import Pin
from attnviz.experiment.train.studies import HeldOut, HeldOutTrace
from attnviz.export.figures.figure import paper_figure
from attnviz.export.figures.settings import FigureSettings
from attnviz.export.figures.train.figure import extent_of
from attnviz.gui.labs.train.curves import quality_curves
from attnviz.gui.labs.train.predictions import LEAST_ARC, UNKNOWN, PredictionChips, TokenPrediction
from attnviz.gui.plots.curves.step_curves import StepCurve, StepCurves
from attnviz.gui.plots.heads.heads_table import HeadsTable
from attnviz.gui.plots.lines.lines import line_colour
from attnviz.gui.theme import LIGHT, Look
from attnviz.gui.widgets.selection import Selection
from attnviz.gui.window.main_window import MainWindow

Key = Qt.Key


@pytest.fixture(scope="module")
def truth() -> list[Any]:
    """Each step of the small training, from a run that has nothing to do with the window."""
    return steps_of(small_training())


@pytest.fixture
def trained(at: At) -> MainWindow:
    """The shared window on the small training, at its end, on the first page, layer 1, head 1, row 5."""
    window = at(small_training())
    stage, room = stage_of(window), room_of(window)
    stage.current_view.propose(page="train", place="layer", layer=0, role="", contrast=False, stage="weights")
    room.selection.hover(None)
    room.selection.lock(type(room.selection.locked)(0, 4, None))
    window.controller.undo_stack.clear()
    return window


def _tile(window: MainWindow, flat: int, query: int, key: int) -> QRectF:
    grid, tokens = stage_of(window).pages.train.grid, len(trace_of(window).words)
    tile = grid.tiles[flat]
    width, height = tile.width() / tokens, tile.height() / tokens
    return QRectF(tile.x() + key * width, tile.y() + query * height, width, height)


def test_that_tiles_the_chosen_head_and_predictions_are_the_traces(trained: MainWindow, truth: list[Any]) -> None:
    check_shows(trained, truth[STEPS])
    states = [each.state for each in stage_of(trained).pages.train.chips.shown]
    last = truth[STEPS]
    for place, answer in enumerate(last.answers):
        right = "unknown" if answer is None else "right" if answer == last.predicted[place] else "wrong"
        assert states[place] == right
    assert "unknown" in states


def test_that_what_is_no_number_predicts_no_token_and_is_not_counted(trained: MainWindow, truth: list[Any]) -> None:
    last, stage = truth[STEPS], stage_of(trained)
    known = [place for place, answer in enumerate(last.answers) if answer is not None]
    logits = last.logits.copy()
    logits[known[0]] = np.nan
    stage.show_trace(replace(last, logits=logits))
    broken = stage.pages.train.chips.shown[known[0]]
    assert (broken.predicted, broken.state) == ("–", "unknown")
    assert f"of {len(known) - 1} right" in stage.pages.train.title.text()
    stage.show_trace(last)


def test_that_the_curves_are_the_history(trained: MainWindow, truth: list[Any]) -> None:
    page, history = stage_of(trained).pages.train, truth[STEPS].history
    quality = page.quality.plot
    assert quality.here.x == STEPS
    assert is_drawn(quality, np.arange(STEPS), history.accuracy)
    (loss, _) = quality.shown
    end = int(loss.name.rpartition("/")[2])
    assert np.array_equal(loss.y, history.loss / end)
    assert (loss.y <= 1).all()
    stage_of(trained).current_view.propose(role="previous")
    place = list(ROLES).index("previous")
    for layer, head in np.ndindex(2, 2):
        assert is_drawn(page.roles.plot, history.role_steps, history.roles[:, layer, head, place])


@pytest.mark.parametrize("times", [0.1, 1, 7])
def test_that_the_loss_ends_where_that_of_the_figure_does(times: float, truth: list[Any]) -> None:
    trace = truth[STEPS]
    trace = replace(trace, history=replace(trace.history, loss=trace.history.loss * times))
    (loss, _), (_, top) = quality_curves(trace, LIGHT), extent_of(trace).y
    figure = paper_figure(trace, FigureSettings(width_cm=16))
    in_figure = [text.get_text() for axes in figure.axes for text in axes.texts if "loss /" in text.get_text()]
    assert in_figure == [loss.name]
    assert int(loss.name.removeprefix("loss / ")) == max(top, np.ceil(trace.history.loss.max()))


@pytest.mark.parametrize("step", [0, 5, 3, 11])
def test_that_an_earlier_step_is_shown_bit_for_bit(
    step: int, trained: MainWindow, truth: list[Any], qtbot: QtBot, settle: Settle
) -> None:
    page = stage_of(trained).pages.train
    if step % 2:
        page.steps.slider.setValue(step)
    else:
        plot = page.quality.plot
        place = plot.place_of(step, 0.5).toPoint()
        qtbot.mouseClick(plot.viewport(), Hands.left, pos=QPoint(place.x(), place.y()))
    qtbot.waitUntil(lambda: trace_of(trained).step == step)
    settle(trained)
    check_shows(trained, truth[step])
    assert page.steps.steps.text() == f"{step} / {STEPS}"
    assert page.steps.slider.value() == page.quality.plot.here.x == step
    assert room_of(trained).view.step == step
    assert ("Untrained: random weights, seed 0" in stage_of(trained).note.text()) is (step == 0)


@pytest.mark.parametrize(("step", "measured"), [(STEPS, STEPS), (7, 4), (0, 0)])
def test_that_a_screen_reader_is_told_the_numbers_of_the_curves_at_the_step_on_screen(
    step: int, measured: int, trained: MainWindow, truth: list[Any], qtbot: QtBot, settle: Settle
) -> None:
    page, history = stage_of(trained).pages.train, truth[STEPS].history
    page.steps.slider.setValue(step)
    qtbot.waitUntil(lambda: trace_of(trained).step == step)
    settle(trained)
    quality, roles = (each.plot.accessibleDescription() for each in (page.quality, page.roles))
    if step:
        loss, accuracy = history.loss[step - 1], history.accuracy[step - 1]
        assert quality.startswith(f"step {step}: loss {loss:.2g}, accuracy {100 * accuracy:.0f} %.")
    else:
        assert quality.startswith("before the first step.")
    assert roles.startswith(f"step {measured}: ")
    told = re.findall(r"(\d\.\d) ([a-z ]+)(?: −\d+)? (\d\.\d\d)", roles)
    shorts = [role.short for role in ROLES.values()]
    row = int(np.flatnonzero(history.role_steps == measured)[0])
    expected = [history.roles[row, layer, head] for layer, head in np.ndindex(2, 2)]
    assert [name for name, _, _ in told] == ["1.1", "1.2", "2.1", "2.2"]
    assert [score for _, _, score in told] == [
        f"{scores[shorts.index(role)]:.2f}" for (_, role, _), scores in zip(told, expected, strict=True)
    ]
    assert float(max(score for _, _, score in told)) > 0


def test_that_a_click_on_a_tile_chooses_layer_and_head_and_keeps_the_word(
    trained: MainWindow, hands: Hands, truth: list[Any]
) -> None:
    page, room = stage_of(trained).pages.train, room_of(trained)
    room.selection.lock(Selection(0, 5, 2))
    hands.click(page.grid, _tile(trained, 3, 6, 1))
    assert room.view.layer == 1
    assert room.selection.current == room.selection.locked == Selection(1, 5, 2)
    assert stage_of(trained).outer.stage == "1"
    check_shows(trained, truth[STEPS])
    assert "HEAD 2.2" in room.inspector.of_layer._row_caption.text()
    weight = truth[STEPS].weights[1, 1, 5, 2]
    assert f"weight {weight:.4f}" in stage_of(trained).read_out.text()


def test_that_pointing_at_a_tile_lights_its_curve_and_at_a_curve_its_tile(
    trained: MainWindow, hands: Hands, qtbot: QtBot
) -> None:
    page, room = stage_of(trained).pages.train, room_of(trained)
    hands.point(page.grid, _tile(trained, 2, 5, 1))
    assert page.roles.plot._lit == frozenset({2})
    assert stage_of(trained).number == 1
    assert room.view.layer == 0  # it is only previewed
    hands.point(page.grid, QPointF(page.grid.width() - 1, 1))
    assert page.roles.plot._lit == frozenset({0})
    plot = page.roles.plot
    curve = plot.shown[3]
    at = plot.place_of(curve.x[-1], curve.y[-1])
    found = plot.curve_at(at)
    assert found >= 0
    hands.point(plot.viewport(), at)
    assert page.grid._selection.head == found
    assert page.heatmap.heads[0] == found
    plot.pointed.emit(-1)
    assert stage_of(trained).number == 0
    assert page.grid._selection.head == 0


def test_that_a_click_on_a_token_chooses_its_row_everywhere(
    trained: MainWindow, hands: Hands, truth: list[Any]
) -> None:
    page, room = stage_of(trained).pages.train, room_of(trained)
    hands.click(page.chips.viewport(), QRectF(page.chips.visualItemRect(page.chips.item(7))))
    assert room.selection.locked.query == 7
    assert page.heatmap._selected is not None
    assert page.heatmap._selected.row == page.grid._selection.query == 7
    inspector, last = room.inspector, truth[STEPS]
    best = np.argsort(-last.probabilities[7], kind="stable")[:5]
    assert inspector.next._row is not None
    assert tuple(inspector.next._row.labels) == tuple(last.vocabulary[token] for token in best)
    assert np.array_equal(inspector.next._row.weights, last.probabilities[7][best])
    answer = last.answers[7]
    assert inspector.target.texts() == (("cannot be known",) if answer is None else (last.vocabulary[answer],))


def test_that_arcs_are_the_weights_of_the_row_under_the_hand(trained: MainWindow, truth: list[Any]) -> None:
    page, room = stage_of(trained).pages.train, room_of(trained)
    chips, last = page.chips, truth[STEPS]

    def check(layer: int, head: int, query: int) -> None:
        row = last.weights[layer, head, query]
        assert chips.arcs is not None
        drawn = dict(zip(chips.arcs.keys.tolist(), chips.arcs.weights.tolist(), strict=True))
        assert drawn == {key: float(weight) for key, weight in enumerate(row) if weight >= LEAST_ARC}
        assert set(chips.arcs.queries.tolist()) == {query}
        largest = int(chips.arcs.keys[-1])  # drawn last: its frame is whole
        edge = chips.token_at(largest).center() - QPointF(0, chips.token_at(largest).height() / 2 - 1)
        seen = QColor(look(chips.viewport())[round(edge.y()), round(edge.x() + chips.look.px(6))].item())
        if largest != query:
            assert seen == line_colour(drawn[largest], chips.look, "q")

    check(0, 0, 4)
    chips.hovered.emit(7)
    check(0, 0, 7)
    page.grid.clicked.emit(1)  # as by key, where the mouse rests on a token
    check(0, 1, 4)
    chips.hovered.emit(7)
    page.grid.clicked.emit(3)
    check(1, 1, 4)
    chips.hovered.emit(None)
    check(1, 1, 4)
    room.selection.lock(Selection(1, None, None))
    assert chips.arcs is None


def test_that_arcs_to_keys_out_of_sight_are_counted_and_not_cut(qtbot: QtBot) -> None:
    chips = PredictionChips(Look(LIGHT))
    qtbot.addWidget(chips)
    chips.show_predictions(tuple(TokenPrediction(token, token, UNKNOWN) for token in "abcdefgh"))
    line = chips.gridSize()
    chips.resize(5 * line.width(), line.height())
    chips.show()
    bar = chips.verticalScrollBar()
    bar.setValue(bar.maximum())
    weights = np.zeros((8, 8))
    weights[7, 6] = 0.4
    chips.select(7, weights)
    within = look(chips.viewport())
    weights[7, :2] = 0.3
    chips.select(7, weights)
    assert chips.outside == 2
    assert np.array_equal(look(chips.viewport()), within)
    chips.resize(5 * line.width(), 2 * line.height())
    assert chips.outside == 0
    assert not np.array_equal(look(chips.viewport())[-line.height() :], within)


def test_that_keys_go_through_tokens_tiles_and_layers(trained: MainWindow, qtbot: QtBot) -> None:
    page, room = stage_of(trained).pages.train, room_of(trained)
    page.chips.setFocus()
    for key, place in ((Key.Key_Right, 5), (Key.Key_Left, 4), (Key.Key_End, 8), (Key.Key_Home, 0)):
        qtbot.keyClick(page.chips, key)
        assert room.selection.locked.query == place
    page.grid.setFocus()
    qtbot.keyClick(page.grid, Key.Key_Right)
    assert (room.view.layer, room.selection.locked.head) == (0, 1)
    qtbot.keyClick(page.grid, Key.Key_Down if page.grid._grid.across == 2 else Key.Key_Right)
    assert room.view.layer == 1
    qtbot.keyClick(trained, Key.Key_Up, Qt.KeyboardModifier.AltModifier)
    assert room.view.layer == 0
    qtbot.keyClick(trained, Key.Key_Down, Qt.KeyboardModifier.AltModifier)
    assert room.view.layer == 1


def test_that_x_turns_the_chosen_head_off_and_undo_on_again_without_training_anew(
    trained: MainWindow, qtbot: QtBot, settle: Settle, truth: list[Any]
) -> None:
    room, page = room_of(trained), stage_of(trained).pages.train
    page.grid.setFocus()
    qtbot.keyClick(page.grid, Key.Key_X)
    settle(trained)
    assert trained.controller.spec.heads_off == ("1.1",)  # type: ignore[attr-defined]
    trace = trace_of(trained)
    assert trace.step == STEPS
    assert [thumbnail.off for thumbnail in page.grid._thumbnails] == [True, False, False, False]
    assert trace.logits.tobytes() != truth[STEPS].logits.tobytes()
    assert trace.parameters["embedding.weight"].tobytes() == truth[STEPS].parameters["embedding.weight"].tobytes()
    qtbot.waitUntil(lambda: "newly drawn sequences" in room.inspector.effect.toolTip())
    found = room._held_out
    assert isinstance(found, HeldOutTrace)
    assert found.spec == HeldOut(of=trace.spec, step=STEPS)
    said = room.inspector.effect.toolTip()
    assert said.startswith(room.inspector.effect.text())
    assert said.startswith("1.1 off: accuracy ")
    assert f"{100 * found.whole.accuracy:.0f} % → {100 * found.shown.accuracy:.0f} %" in said
    assert stage_of(trained).sentence.text().startswith(f"{said}. After ")
    heading = page.quality.heading.text()
    assert "1.1 off" in heading
    assert f"accuracy {100 * found.whole.accuracy:.0f} % → {100 * found.shown.accuracy:.0f} %" in heading
    assert f"loss {found.whole.loss:.2g} → {found.shown.loss:.2g}" in heading
    try:
        trained.present(True, full_screen=False)  # an audience has no inspector
        assert stage_of(trained).sentence.text() == said
    finally:
        trained.present(False, full_screen=False)
    trained.controller.undo_stack.undo()
    settle(trained)
    check_shows(trained, truth[STEPS])
    assert room.inspector.effect.isHidden()
    assert "off" not in page.quality.heading.text()


def test_that_the_box_of_a_head_turns_it_off_and_a_click_on_its_row_chooses_it(
    trained: MainWindow, qtbot: QtBot, settle: Settle
) -> None:
    room, table = room_of(trained), room_of(trained).inspector.roles
    model = table.model()
    assert model is not None
    qtbot.mouseClick(table.viewport(), Hands.left, pos=table.visualRect(model.index(3, 2)).center())
    assert (room.view.layer, room.selection.locked.head) == (1, 1)
    model.setData(model.index(2, 0), Qt.CheckState.Unchecked, Qt.ItemDataRole.CheckStateRole)
    settle(trained)
    assert trained.controller.spec.heads_off == ("2.1",)  # type: ignore[attr-defined]
    assert model.data(model.index(2, 0), Qt.ItemDataRole.CheckStateRole) == Qt.CheckState.Unchecked
    table.switched.emit(0, 1)
    settle(trained)
    assert trained.controller.spec.heads_off == ("1.2", "2.1")  # type: ignore[attr-defined]
    assert room.inspector.effect.text().startswith("1.2, 2.1 off")
    scores = trace_of(trained).role_scores
    assert model.data(model.index(0, 1)) == f"{scores[0, 0, 0]:.2f}".removeprefix("0")


def check_whole(table: HeadsTable) -> None:
    """Check that every heading has room, turned or not, and that every column is in sight."""
    header, model = table.horizontalHeader(), table.model()
    assert model is not None
    assert not table.horizontalScrollBar().isVisible()
    assert header.length() <= table.viewport().width()
    turned = header.sectionSize(1) < header.fontMetrics().horizontalAdvance("same")
    for column in range(header.count()):
        wide = header.fontMetrics().horizontalAdvance(model.headerData(column, Qt.Orientation.Horizontal))
        assert wide <= (header.height() if turned and column else header.sectionSize(column)) - 3  # padding and line
    number = QFontMetrics(model.data(model.index(0, 1), Qt.ItemDataRole.FontRole) or table.font())
    assert number.horizontalAdvance(".00") < header.sectionSize(1)


def test_that_no_heading_of_the_table_is_cut_beside_ninety_six_heads(at: At) -> None:
    window = at(small_training(num_layers=6, num_heads=16, num_hiddens=32, steps=1))
    table = room_of(window).inspector.roles
    assert table.model().rowCount() == 96
    check_whole(table)


def test_that_the_table_of_nine_roles_is_whole_and_its_headings_are_turned(open_window: Opener) -> None:
    window = open_window(small_training(steps=1, task={"kind": "add"}, num_tokens=9, vocab_size=12))
    window.resize(1280, 800)
    table = room_of(window).inspector.roles
    assert len(trace_of(window).spec.roles) == table.model().columnCount() - 1 == 9
    check_whole(table)
    header, seen = table.horizontalHeader(), look(table.horizontalHeader())
    inked = [
        np.flatnonzero(np.ptp(seen[3:-3, left + 3 : left + header.sectionSize(at) - 3], axis=1))
        for at in range(1, 10)
        for left in [header.sectionViewportPosition(at)]
    ]
    assert all(np.ptp(rows) > 12 for rows in inked), "a heading is higher than a line"


def test_that_hidden_numbers_are_nowhere_on_the_page(trained: MainWindow, settle: Settle) -> None:
    page = stage_of(trained).pages.train
    number = re.compile(r"\d\.\d\d|\d %")
    shown = look(page.grid)
    try:
        trained.present(True, full_screen=False)
        trained.toggle_numbers()
        settle(trained)
        texts = (page.quality.heading.text(), page.title.text(), page.heatmap._matrix.title)  # type: ignore[union-attr]
        assert not any(number.search(text) for text in texts)
        assert all(not any(sign.isdigit() for sign in curve.name.partition(" ")[2]) for curve in page.roles.plot.shown)
        assert stage_of(trained).sentence.text() == ""
    finally:
        trained.toggle_numbers()
        trained.present(False)
        settle(trained)
    assert number.search(page.quality.heading.text())
    assert np.array_equal(look(page.grid), shown)


def test_that_another_theme_is_taken_by_every_part(trained: MainWindow, settle: Settle, truth: list[Any]) -> None:
    page = stage_of(trained).pages.train
    try:
        trained.toggle_theme()
        settle(trained)
        ground = int(trained.look.theme.window.removeprefix("#"), 16)
        for part in (page.grid, page.heatmap, page.chips):
            assert look(part)[0, 0] == ground
        assert page.quality.plot.shown[0].colour == trained.look.theme.accent
        check_shows(trained, truth[STEPS])
    finally:
        trained.toggle_theme()
        settle(trained)


def test_that_every_head_is_named_at_the_end_of_its_curve_with_its_role(trained: MainWindow, truth: list[Any]) -> None:
    plot, history = stage_of(trained).pages.train.roles.plot, truth[STEPS].history
    scores = history.roles[-1]
    for place, (curve, own) in enumerate(zip(plot.shown, scores.reshape(4, -1), strict=True)):
        role = role_of(own.tolist(), tuple(ROLES.values()))
        distance = int(history.role_distances[-1].flat[place])
        if role is not None:
            assert curve.name == f"{head_name(*divmod(place, 2))} {role.short_at(distance)}"
            assert curve.y[-1] == own[list(ROLES).index(role.name)]
    places = [place for _, place in plot.names()]
    assert all(a.bottom() <= b.top() + 1 for a, b in itertools.pairwise(places))


def test_that_the_best_head_of_each_role_is_named_before_others_of_one_role(qtbot: QtBot) -> None:
    plot = StepCurves(Look(LIGHT), "curves", 9, "1.1 induction")
    qtbot.addWidget(plot)
    plot.resize(400, 84)
    plot.show()
    steps = np.array([0.0, 10.0])
    heads = [StepCurve(steps, np.array([0, 0.9]), "#0000ff", f"2.{head}", weight=0.9) for head in range(8)]
    plot.show_curves((*heads, StepCurve(steps, np.array([0, 0.4]), "#ff0000", "1.1", weight=0.4)), 10, 10)
    named = plot.names()
    assert 8 in {place for place, _ in named}, "the best of its colour"
    assert 1 < len(named) < 9, "there is no room for all"
    assert min(line.top() for _, line in named) >= 0
    assert max(line.bottom() for _, line in named) <= plot.height()


def test_that_names_before_an_audience_are_at_the_ends_of_their_curves_and_that_of_the_chosen_head_is_there(
    qtbot: QtBot,
) -> None:
    plot = StepCurves(Look(LIGHT).presented(800), "curves", 9, "1.1 induction")
    qtbot.addWidget(plot)
    plot.resize(400, 200)
    plot.show()
    steps, ends = np.array([0.0, 10.0]), (0.95, 0.9, 0.85, 0.6, 0.55, 0.1)
    heads = [StepCurve(steps, np.array([0, end]), "#0000ff", f"2.{end}", weight=end) for end in ends]
    plot.show_curves(heads, 10, 10)
    for chosen in range(len(ends)):
        plot.light([chosen])
        named = dict(plot.names())
        assert chosen in named
        assert 1 < len(named) < len(ends)
        for place, line in named.items():
            assert abs(line.center().y() - plot.place_of(10, ends[place]).y()) <= line.height() / 2, (chosen, place)


def test_that_the_numbers_at_both_ends_of_the_axis_are_drawn_in_low_plots_too(
    trained: MainWindow, settle: Settle
) -> None:
    plot = stage_of(trained).pages.train.quality.plot
    try:
        for size in ((900, 600), (1280, 800)):
            trained.resize(*size)
            settle(trained)
            seen = np.asarray(look(plot))
            for value in (0, 1):
                middle = round(plot.place_of(0, value).y())
                assert len(np.unique(seen[middle - 3 : middle + 4, 2:18])) > 1, (size, value)
    finally:
        trained.resize(1280, 800)
        settle(trained)


def test_that_the_chosen_head_keeps_its_place_from_the_first_trace_on(open_window: Opener, qtbot: QtBot) -> None:
    window = open_window(small_training(num_tokens=24, vocab_size=32))
    page = stage_of(window).pages.train
    first = page.heatmap.geometry()
    assert page.rect().contains(first), "the heading of the predictions pushes no column out of sight"
    window.controller.step()
    qtbot.waitUntil(lambda: trace_of(window).step >= 1, timeout=20_000)
    assert page.heatmap.geometry() == first


def test_that_the_keyboard_is_on_the_layers_where_there_is_no_strip_of_stages(trained: MainWindow) -> None:
    stage = stage_of(trained)
    trained.panels.focus_stage()
    assert trained.focusWidget() is stage.outer
    stage.current_view.propose(page="layer")
    stage.strip.setFocus()
    assert trained.focusWidget() is stage.strip
    stage.current_view.propose(page="train")
    assert trained.focusWidget() is stage.outer


def test_that_all_that_is_on_the_page_lies_apart_at_every_size(trained: MainWindow, settle: Settle) -> None:
    page = stage_of(trained).pages.train
    try:
        for size in ((900, 600), (1024, 640), (1280, 800), (1920, 1080)):
            trained.resize(*size)
            settle(trained)
            parts: list[QWidget] = [child for child in page.findChildren(QWidget) if child.parent() is page]
            shown = [part.geometry() for part in parts if part.isVisible()]
            assert all(page.rect().adjusted(-1, -1, 1, 1).contains(place) for place in shown), size
            overlaps = [
                (a, b)
                for at, a in enumerate(shown)
                for b in shown[at + 1 :]
                if a.adjusted(1, 1, -1, -1).intersects(b.adjusted(1, 1, -1, -1))
            ]
            assert not overlaps, size
    finally:
        trained.resize(1280, 800)


def test_that_every_page_is_offered_and_draws(trained: MainWindow, settle: Settle, qtbot: QtBot) -> None:
    stage, room = stage_of(trained), room_of(trained)
    for page in ("layer", "learning", "effect", "compare", "train"):
        stage.page_buttons.press(page)
        settle(trained)
        assert stage.view.page == page
        assert stage.pages.currentWidget() is stage.page
    stage.page_buttons.press("effect")
    qtbot.waitUntil(lambda: "newly drawn sequences" in stage.sentence.text())
    stage.page_buttons.press("compare")
    assert stage.strip.isVisible()
    stage.pages.compare.pair.pin.click()
    assert room.pinned_now == trained.rooms.pins["train"] == Pin(trace_of(trained).spec)
    trained.rooms.pins.put("train", None)
    assert room.pinned_now is None


def test_that_the_letter_l_is_wider_than_the_bar_of_tasks_as_a_token(qtbot: QtBot) -> None:
    del qtbot  # it has loaded the fonts
    font = Look(LIGHT).token_font("small")
    font.setPixelSize(100)
    l_wide, bar = (QFontMetricsF(font).tightBoundingRect(token).width() for token in ("l", "|"))
    assert l_wide > 1.5 * bar


def test_that_the_x_between_digits_of_a_token_is_no_sign_of_a_product(qtbot: QtBot) -> None:
    del qtbot  # it has loaded the fonts
    font = Look(LIGHT).token_font("small")
    font.setPixelSize(100)
    metrics = QFontMetricsF(font)
    assert metrics.horizontalAdvance("0x9") == sum(map(metrics.horizontalAdvance, "0x9"))


@pytest.mark.parametrize("layers", [2, 4])  # 16 heads have more rows than the inspector has room for
def test_that_what_heads_that_are_off_change_is_whole_in_the_inspector(
    layers: int, at: At, settle: Settle, qtbot: QtBot
) -> None:
    values = {"steps": 2, "num_layers": layers, "heads_off": ("1.1", "1.3", "2.4")}
    window = at(presets()["train-induction"].spec.model_copy(update=values))
    effect = room_of(window).inspector.effect
    qtbot.waitUntil(lambda: "accuracy" in effect.text())
    settle(window)
    assert effect.visibleRegion().boundingRect() == effect.rect()
    assert effect.height() >= effect.heightForWidth(effect.width())
