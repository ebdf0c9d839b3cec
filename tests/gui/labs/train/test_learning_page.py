"""The page about the learning: large curves, marks in words, a playhead, and every head in sight."""

from typing import Any

import numpy as np
import pytest
from eyes import colours_of, grid_colours, is_drawn
from PySide6.QtCore import Qt
from PySide6.QtGui import QColor
from pytestqt.qtbot import QtBot
from train_hands import STEPS, room_of, small_training, stage_of, trace_of
from windows import At, Settle

from attnviz.experiment.files.specs_in_files import presets
from attnviz.experiment.layers.statistics import HeadValues
from attnviz.experiment.train.curves import head_curves
from attnviz.gui.labs.train.curves import role_curves
from attnviz.gui.labs.train.learning_page import LearningPage
from attnviz.gui.plots.curves.learning_curves import LearningCurves, StepMark
from attnviz.gui.plots.curves.step_curves import StepCurve
from attnviz.gui.plots.heads.head_map import HeadMap
from attnviz.gui.theme import DARK, LIGHT, Look, Theme
from attnviz.gui.widgets.selection import Selection
from attnviz.gui.window.main_window import MainWindow


@pytest.fixture
def learning(at: At, settle: Settle) -> LearningPage:
    """The page in the shared window, on the small training at its end."""
    stage = stage_of(at(small_training()))
    stage.current_view.propose(page="learning", layer=0, role="", contrast=False)
    settle(stage.window())  # type: ignore[arg-type]
    return stage.pages.learning


def _window(page: LearningPage) -> MainWindow:
    window = page.window()
    assert isinstance(window, MainWindow)
    return window


def test_that_its_curves_and_pictures_are_the_traces(learning: LearningPage) -> None:
    window = _window(learning)
    trace = trace_of(window)
    assert is_drawn(learning.quality.plot, np.arange(STEPS), trace.history.accuracy)
    levels = np.concatenate([layer.levels()[0] for layer in trace.layers])
    seen = grid_colours(learning.map.tiles.grid, levels.shape[1:])
    allowed = np.tril(np.ones(levels.shape[1:], bool))
    expected = colours_of(stage_of(window).weight_table, levels)
    assert (seen[:, allowed] == expected[:, allowed]).mean() > 0.9  # but for the marks of the chosen row


def test_that_a_press_in_either_plot_and_the_arrows_look_for_a_step(
    learning: LearningPage, qtbot: QtBot, settle: Settle
) -> None:
    window = _window(learning)
    for curves, step in ((learning.quality, 4), (learning.roles, 7)):
        plot = curves.plot
        qtbot.mouseClick(plot.viewport(), Qt.MouseButton.LeftButton, pos=plot.place_of(step, 0.5).toPoint())
        qtbot.waitUntil(lambda step=step: trace_of(window).step == step)  # type: ignore[misc]
        settle(window)
        assert learning.quality.plot.here.x == learning.roles.plot.here.x == step
        assert f"After {step} steps" in stage_of(window).sentence.text()
    qtbot.keyClick(learning.roles.plot, Qt.Key.Key_Left)
    qtbot.waitUntil(lambda: trace_of(window).step == 6)


def test_that_a_click_on_a_head_chooses_it_and_keeps_the_word(learning: LearningPage, qtbot: QtBot) -> None:
    room = room_of(_window(learning))
    room.selection.lock(Selection(0, 4, None))
    place = learning.map.tiles.grid.tiles[3].center().toPoint()
    qtbot.mouseClick(learning.map.tiles.grid, Qt.MouseButton.LeftButton, pos=place)
    assert room.view.layer == 1
    assert room.selection.locked == Selection(1, 4, None)


@pytest.mark.parametrize(
    ("size", "present", "least"),
    [
        ((1280, 800), False, 0.195),
        ((1024, 640), False, 0.19),
        ((1920, 1080), True, 0.36),
        ((1280, 800), True, 0.35),
    ],
)
def test_that_the_curves_are_the_largest_thing(
    size: tuple[int, int], present: bool, least: float, at: At, settle: Settle
) -> None:
    window = at(presets()["train-induction"].spec.model_copy(update={"steps": 2}))
    page = stage_of(window).pages.learning
    stage_of(window).current_view.propose(page="learning")
    try:
        window.resize(*size)
        window.present(present, full_screen=False)
        settle(window)
        boxes = [curves.plot.getViewBox() for curves in (page.quality, page.roles)]
        assert boxes[0].width() == boxes[1].width(), "one axis of steps"
        area = sum(box.width() * box.height() for box in boxes)
        assert area / (window.width() * window.height()) >= least
        assert area / (page.width() * page.height()) >= (0.5 if present else 0.44)
        assert page.map.geometry().bottom() <= page.height()
        assert page.map.uses_weights or (present and size[1] < 1000)  # a low hall has room for numbers alone
    finally:
        window.present(False)
        window.resize(1280, 800)


def test_that_the_hint_is_whole_where_a_low_window_takes_the_colour_bar_away(at: At, settle: Settle) -> None:
    window = at(presets()["train-induction"].spec.model_copy(update={"steps": 2}))
    stage = stage_of(window)
    stage.current_view.propose(page="learning")
    settle(window)
    assert stage.bar.isVisible()
    try:
        window.resize(900, 540)
        settle(window)
        assert not stage.bar.isVisible()
        assert stage.read_out.geometry().top() > stage.pages.geometry().bottom()
    finally:
        window.resize(1280, 800)


def test_that_96_heads_are_all_in_sight_each_with_its_number(at: At, settle: Settle) -> None:
    window = at(small_training(num_layers=6, num_heads=16, num_hiddens=32, steps=1))
    page = stage_of(window).pages.learning
    stage_of(window).current_view.propose(page="learning")
    settle(window)
    assert not page.map.uses_weights
    assert not stage_of(window).bar.isVisible(), "no weight has a colour"
    rects = page.map.cells.cells
    assert len(rects) == 96
    line = page.map.cells.fontMetrics().height()
    assert all(page.map.cells.rect().contains(rect.toAlignedRect()) for rect in rects)
    assert min(rect.height() for rect in rects) >= 0.7 * line
    assert min(rect.width() for rect in rects) > page.map.cells.fontMetrics().horizontalAdvance("0.00")


def test_that_arrows_choose_a_head_of_the_map(qtbot: QtBot) -> None:
    cells = HeadMap(Look(LIGHT), "heads")
    qtbot.addWidget(cells)
    cells.show_values(HeadValues(values=np.full((2, 3), 0.5), number="{:.2f}".format))
    cells.select(1)
    for key, head in ((Qt.Key.Key_Right, 2), (Qt.Key.Key_Down, 4)):
        with qtbot.waitSignal(cells.clicked) as chosen:
            qtbot.keyClick(cells, key)
        assert chosen.args == [head]


def _plot(qtbot: QtBot) -> LearningCurves:
    """Return curves of four heads, three of them of one colour, and room for words of marks."""
    made = LearningCurves(
        Look(LIGHT), "curves", 4, "2.2, 2.4 induction", labels=True, joined=lambda some: f"{len(some)} joined"
    )
    qtbot.addWidget(made)
    made.resize(600, 300)
    made.show()
    steps = np.array([0.0, 100.0])
    ends = (("#0000ff", 0.9), ("#0000ff", 0.91), ("#0000ff", 0.3), ("#ff0000", 0.92))
    made.show_curves([StepCurve(steps, np.array([0, y]), colour, "head") for colour, y in ends], 100, 100)
    return made


def test_that_names_of_one_colour_that_would_overlap_are_joined(qtbot: QtBot) -> None:
    plot = _plot(qtbot)
    assert sorted(name for _, name, _ in plot.named()) == ["2 joined", "head", "head"]
    plot.light((0,))
    assert [name for _, name, _ in plot.named()] == ["head"] * 4, "the chosen head has its own"


@pytest.mark.parametrize("theme", [LIGHT, DARK])
@pytest.mark.parametrize("joined", [None, lambda some: "joined"])
def test_that_names_of_curves_that_still_grow_are_not_pale(theme: Theme, joined: Any, qtbot: QtBot) -> None:
    plot = LearningCurves(Look(theme, present=True), "curves", 2, "2.2, 2.4 induction", joined=joined)
    qtbot.addWidget(plot)
    plot.resize(600, 300)
    plot.show()
    ends = (theme.muted, 0.3), (theme.accent, 0.8)
    plot.show_curves([StepCurve(np.arange(41.0), np.full(41, y), colour, "head") for colour, y in ends], 100, 40)
    for _, _, line in plot.named():
        image = plot.grab(line.toAlignedRect().adjusted(2, 0, -2, 0)).toImage()
        seen = [image.pixelColor(x, y) for x in range(image.width() // 2) for y in range(image.height())]
        light = sorted(map(_luminance, seen))
        behind = light[len(light) // 2]
        assert max((behind + 0.05) / (light[0] + 0.05), (light[-1] + 0.05) / (behind + 0.05)) >= 4.5


def _luminance(colour: QColor) -> float:
    linear = (c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in colour.getRgbF()[:3])
    return sum(share * c for share, c in zip((0.2126, 0.7152, 0.0722), linear, strict=True))


def test_that_a_head_without_a_role_is_named_after_the_score_of_its_curve(learning: LearningPage) -> None:
    trace = trace_of(_window(learning))
    for role in trace.spec.roles:
        for curve, drawn in zip(head_curves(trace, role.name), role_curves(trace, role.name, LIGHT), strict=True):
            assert drawn.thin != curve.named
            assert drawn.name == f"{curve.layer + 1}.{curve.head + 1} {role.short_at(curve.distance)}"


def test_that_only_curves_of_one_score_have_one_name(qtbot: QtBot) -> None:
    plot = _plot(qtbot)
    steps = np.array([0.0, 100.0])
    names = "1.1 previous", "1.2 induction", "1.3 previous"
    plot.show_curves([StepCurve(steps, np.array([0, 0.5]), "#808080", name) for name in names], 100, 100)
    assert sorted(name for _, name, _ in plot.named()) == ["1.2 induction", "2 joined"]


def test_that_words_of_marks_never_overlap_and_stay_in_sight(qtbot: QtBot) -> None:
    plot = _plot(qtbot)
    marks = [StepMark(x, f"step {x}:", "head 1.1 looks at the token before", "1.1 previous") for x in (0, 5, 9, 97)]
    plot.taken = 120
    plot.show_marks(marks)
    found: list[Any] = [rect for _, _, rect in plot.labels()]
    assert len(found) >= 2
    assert all(plot.rect().contains(rect.toAlignedRect()) for rect in found)
    assert not any(a.intersects(b) for at, a in enumerate(found) for b in found[:at])
    first_row = min(rect.top() for rect in found)
    assert all(rect.left() > 120 for rect in found if rect.top() == first_row)


def test_that_words_of_marks_that_are_near_each_other_go_to_the_left_before_they_are_left_out(qtbot: QtBot) -> None:
    plot = _plot(qtbot)
    plot.show_marks([StepMark(x, f"step {x}:", "a long sentence " * 4, "1.1 previous") for x in (60, 64, 70)])
    assert [words for _, words, _ in plot.labels()] == ["1.1 previous"] * 3
    plot.taken = 500  # by a longer heading: one row is left
    plot.show_marks([StepMark(x, f"step {x}:", "a long sentence " * 4, "1.1, 1.2 previous", "2") for x in (40, 60, 70)])
    assert sorted(words for _, words, _ in plot.labels()) == ["1.1, 1.2 previous", "1.1, 1.2 previous", "2"]


def test_that_a_mark_whose_words_have_no_room_has_no_line(qtbot: QtBot) -> None:
    plot = _plot(qtbot)
    with qtbot.waitSignal(plot.marks_said) as told:
        plot.show_marks([StepMark(x, f"step {x}:", "long", "short") for x in (50, 50, 50, 50, 50)])
    said = [mark.x for mark, _, _ in plot.labels()]
    assert 2 <= len(said) < 5
    assert [line.x for line in plot._lines if line.x is not None] == said
    assert [mark.x for mark in told.args[0]] == said


def test_that_only_curves_whose_ends_are_near_each_other_have_one_name(qtbot: QtBot) -> None:
    plot = _plot(qtbot)
    steps, height = np.array([0.0, 100.0]), plot.getViewBox().height()
    line = plot.named()[0][2].height() / height
    ends = (0.5, 0.5 + 0.1 * line, 0.5 + 0.9 * line, 0.5 + 0.95 * line)  # two pairs, less than a line apart
    plot.show_curves([StepCurve(steps, np.array([0, y]), "#0000ff", "head") for y in ends], 100, 100)
    assert [name for _, name, _ in plot.named()] == ["2 joined"] * 2


def test_that_x_turns_off_the_head_that_is_framed(learning: LearningPage, qtbot: QtBot, settle: Settle) -> None:
    window = _window(learning)
    room_of(window).selection.lock(Selection(0, 4, None))
    learning.roles.plot.pointed.emit(3)
    assert learning.map.cells._chosen == 3
    qtbot.keyClick(learning.roles.plot, Qt.Key.Key_X)
    settle(window)
    assert trace_of(window).spec.heads_off == ("2.2",)
    learning.roles.plot.pointed.emit(-1)


def test_that_no_line_about_the_chosen_head_is_cut(learning: LearningPage) -> None:
    learning.chosen.resize(150, 3 * learning.chosen.fontMetrics().height())
    learning._chosen_said = "head 2.1<br>induction", "each token looks at what followed it the last time " * 3
    learning._fit_chosen()
    assert learning.chosen.heightForWidth(150) <= learning.chosen.height()
    assert learning.chosen.text().endswith(" …")
    assert learning.chosen.text().endswith("…")
    assert learning.chosen.toolTip() == learning._chosen_said[1], "all of it is where the mouse points"
