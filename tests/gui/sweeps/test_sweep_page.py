"""The page *Sweep*: what is typed, the picture against the rows, and a click on a run."""

from collections.abc import Iterator

import numpy as np
import pytest
from eyes import look
from hands import Hands
from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QColor, QGuiApplication
from pytestqt.qtbot import QtBot
from small_specs import SMALL, regression, transformer
from windows import Settle

from attnviz.engine.sweeps.rows import Workers, rows_of
from attnviz.experiment.colours import colours_of_map
from attnviz.experiment.files.session import session_from_json, session_to_json
from attnviz.experiment.labs import LABS, scalars_of
from attnviz.experiment.scalars import axis_title
from attnviz.experiment.sweeps.crossing import FAILURE, RUN, read_crossing
from attnviz.experiment.sweeps.fields import swept_fields
from attnviz.experiment.sweeps.results import Results
from attnviz.gui.sweeps.knobs import first_values, offered, title_of_knob
from attnviz.gui.sweeps.sweep_page import SweepPage
from attnviz.gui.window.main_window import MainWindow

ENTROPY = "entropy"


@pytest.fixture
def page(used_window: MainWindow, qtbot: QtBot) -> Iterator[SweepPage]:
    used_window.actions_["sweep"].trigger()
    page = used_window.sweeps.page
    page.process.results = None
    for edit, name, values in ((page.choices.first, "num_heads", "1,2,4"), (page.choices.second, "", "")):
        edit.field.setCurrentIndex(edit.field.findData(name))
        edit.values.setText(values)
    page.choices.seeds.setText("0:2")
    page.follow(SMALL)
    qtbot.waitUntil(page.choices.run.isEnabled)
    yield page
    used_window.sweeps.close()


def compute(page: SweepPage, qtbot: QtBot) -> Results:
    """Compute the runs that are typed here, and show their rows as if they had come from the process."""
    qtbot.waitUntil(page.choices.run.isEnabled)
    crossing = page.choices.crossing
    assert crossing is not None
    page.process.overs = page.choices.overs
    page.process.results = results = Results(crossing)
    for rows in rows_of(crossing, range(len(crossing)), Workers()):
        for row in rows:
            results.add(row)
    page.choices.measure.setCurrentIndex(page.choices.measure.findData(ENTROPY))
    page.show_results()
    page.plot.repaint()
    return results


def choose_map(page: SweepPage, qtbot: QtBot) -> None:
    page.choices.second.field.setCurrentIndex(page.choices.second.field.findData("num_hiddens"))
    page.choices.second.values.setText("4,8,12")
    page.choices.read()
    qtbot.waitUntil(lambda: page.choices.counts.text().startswith("3 × 3 × 3"))


def test_that_each_dot_is_where_its_number_is(page: SweepPage, qtbot: QtBot) -> None:
    results = compute(page, qtbot)
    places = {run: place for place, run in page.plot.places}
    assert sorted(places) == list(range(9))
    values = np.array([results.value(run, ENTROPY) for run in range(9)])
    heights = np.array([places[run].y() for run in range(9)])
    slope, start = np.polyfit(values, heights, 1)
    assert slope < 0
    np.testing.assert_allclose(slope * values + start, heights, atol=1e-6)
    pixels = look(page.plot)
    green = QColor(page.plot.look.theme.v).rgb() & 0xFFFFFF
    drawn = [pixels[round(place.y()), round(place.x())] == green for place in places.values()]
    assert sum(drawn) >= 6  # the median of three is drawn over one of them


def test_that_each_cell_of_a_map_has_the_colour_of_its_median(page: SweepPage, qtbot: QtBot) -> None:
    choose_map(page, qtbot)
    results = compute(page, qtbot)
    medians, pixels = results.medians(ENTROPY), look(page.plot)
    low, high = np.nanmin(medians), np.nanmax(medians)
    colours = colours_of_map("viridis")
    seen = 0
    for place in np.ndindex(medians.shape):
        box = page.plot._cells.rect_of(place[1], place[0])
        corner = pixels[round(box.top()) + 8, round(box.left()) + 8]
        if np.isnan(medians[place]):
            continue
        red, green, blue = map(int, colours[round((medians[place] - low) / (high - low) * 253)])
        assert corner == red << 16 | green << 8 | blue
        seen += 1
    assert seen == np.isfinite(medians).sum() > 4


def test_that_a_click_opens_the_run_as_one_undo_step_and_the_picture_stays(
    page: SweepPage, used_window: MainWindow, hands: Hands, settle: Settle, qtbot: QtBot
) -> None:
    results = compute(page, qtbot)
    place, run = next((place, run) for place, run in page.plot.places if results.crossing.spec(run) != SMALL)
    hands.click(page.plot, QPointF(place))
    assert used_window.controller.spec == results.crossing.spec(run)
    assert used_window.controller.undo_stack.count() == 1
    assert used_window.panels.stages.currentWidget() is page
    settle(used_window)
    assert used_window.panels.stages.currentWidget() is page, "the picture of the run took its place"
    used_window.actions_["undo"].trigger()
    assert used_window.controller.spec == SMALL


def test_that_keys_point_at_runs_and_open_them(
    page: SweepPage, used_window: MainWindow, qtbot: QtBot, settle: Settle
) -> None:
    results = compute(page, qtbot)
    page.plot.setFocus()
    for _ in range(3):
        qtbot.keyClick(page.plot, Qt.Key.Key_Right)
    assert page.read_out.text().startswith("Heads 1, Seed 2: Entropy")
    qtbot.keyClick(page.plot, Qt.Key.Key_Return)
    assert used_window.controller.spec == results.crossing.spec(2)


def test_that_wrong_values_are_refused_where_they_are_typed(page: SweepPage, qtbot: QtBot) -> None:
    page.choices.first.values.setText("1,two")
    page.choices.read()
    qtbot.waitUntil(lambda: not page.choices.problem.isHidden())
    assert "'two' must be a whole number" in page.choices.problem.text()
    assert not page.choices.run.isEnabled()
    page.choices.first.values.setText("1,2")
    page.choices.read()
    qtbot.waitUntil(lambda: page.choices.problem.isHidden() and page.choices.run.isEnabled())
    assert page.choices.counts.text() == "2 × 3 = 6 runs"
    qtbot.keyClicks(page.choices.first.values, ",4")
    assert not page.choices.run.isEnabled(), "what is typed has not been read"
    qtbot.waitUntil(page.choices.run.isEnabled)
    assert page.choices.counts.text() == "3 × 3 = 9 runs"


def test_that_a_picture_of_earlier_settings_says_so(
    page: SweepPage, used_window: MainWindow, settle: Settle, qtbot: QtBot
) -> None:
    compute(page, qtbot)
    assert page.note.isHidden()
    used_window.controller.propose(SMALL.model_copy(update={"causal": True}))
    assert page.note.text() == "The picture shows the previous settings: Causal: off → on"
    used_window.controller.propose(SMALL.model_copy(update={"num_heads": 4}))
    assert page.note.isHidden(), "it is one of the runs"
    settle(used_window)


def test_that_the_command_and_the_cell_make_the_same_sweep(page: SweepPage, qtbot: QtBot) -> None:
    compute(page, qtbot)
    page.exports.command.click()
    command = QGuiApplication.clipboard().text()
    assert command.endswith("| attnviz sweep - --over num_heads=1,2,4 --over seed=0:2 -o table.csv")
    page.exports.cell.click()
    names: dict[str, object] = {}
    said = QGuiApplication.clipboard().text().replace("import attnviz", "").rsplit("\n", 1)[0]
    exec(said.replace("attnviz.sweep", "call"), {"call": lambda *what: names.update(what=what)}, names)
    assert names["what"] == (SMALL.model_dump(mode="json"), {"num_heads": "1,2,4", "seed": "0:2"})


def test_that_another_lab_closes_the_page_and_escape_does(page: SweepPage, used_window: MainWindow) -> None:
    sweeps = used_window.sweeps
    used_window.actions_["release"].trigger()
    assert not sweeps.is_open
    assert used_window.panels.stages.currentWidget() is used_window.room.stage
    used_window.actions_["sweep"].trigger()
    assert sweeps.is_open
    used_window.session_state.enter_lab("regression")
    assert not sweeps.is_open
    used_window.session_state.enter_lab("attention")


def test_that_a_session_and_a_step_of_a_lesson_of_the_lab_are_seen_at_once(
    page: SweepPage, used_window: MainWindow, settle: Settle
) -> None:
    state, session = used_window.session_state, used_window.session_state.session()
    for show in (lambda: state.replace(session, None, "Open"), lambda: state.show_step(session, "Step")):
        assert used_window.sweeps.is_open
        show()
        assert not used_window.sweeps.is_open
        assert used_window.panels.stages.currentWidget() is used_window.room.stage
        used_window.actions_["sweep"].trigger()
        settle(used_window)


def test_that_every_knob_begins_with_more_than_one_value() -> None:
    for spec in (SMALL, regression(), transformer()):
        for name in offered(spec):
            if swept_fields(spec)[name] in ("whole", "number"):
                assert len(read_crossing(spec, [f"{name}={first_values(spec, name)}"])) > 1, name


def test_that_the_choice_is_part_of_the_session_and_comes_back_with_it(
    page: SweepPage, used_window: MainWindow, qtbot: QtBot
) -> None:
    state = used_window.session_state
    qtbot.keyClicks(page.choices.seeds, "0")
    chosen = state.session()
    sweep = chosen.shown_view.sweep
    assert sweep is not None
    assert (sweep.knobs, sweep.seeds) == (("num_heads=1,2,4",), "0:20")
    page.choices.seeds.setText("7")
    page.choices.first.values.setText("5")
    state.lay_out(session_from_json(session_to_json(chosen)).with_view(sweep=sweep.model_copy(update={"seeds": "3"})))
    page.follow(used_window.controller.spec)
    assert page.choices.overs == ("num_heads=1,2,4", "seed=3")


def test_that_more_runs_than_the_window_keeps_are_refused(page: SweepPage, qtbot: QtBot) -> None:
    page.choices.seeds.setText("0:99999")
    page.choices.read()
    qtbot.waitUntil(lambda: not page.choices.problem.isHidden())
    assert page.choices.problem.text().startswith("the window sweeps at most 100000 runs, not 300000")
    assert not page.choices.run.isEnabled()


@pytest.mark.parametrize("knobs", [("num_heads=1,2,4,8", ""), ("num_heads=1:50", "num_hiddens=1:50")])
def test_that_many_runs_are_drawn_where_few_would_be(page: SweepPage, knobs: tuple[str, str], qtbot: QtBot) -> None:
    page.choices.first.take(knobs[0])
    page.choices.second.take(knobs[1])
    page.choices.seeds.setText("" if knobs[1] else "0:624")
    page.choices.read()
    qtbot.waitUntil(
        lambda: page.choices.counts.text() == ("50 × 50 = 2500 runs" if knobs[1] else "4 × 625 = 2500 runs")
    )
    crossing = page.choices.crossing
    assert crossing is not None
    page.process.results = results = Results(crossing)
    numbers = np.random.default_rng(0).normal(size=len(crossing))
    for run in range(len(crossing)):
        if run % 2 == 0 or (knobs[1] and run % 4 == 1):
            results.add({RUN: run, FAILURE: "bad" if run % 2 else "", ENTROPY: numbers[run]})
    page.choices.measure.setCurrentIndex(page.choices.measure.findData(ENTROPY))
    page.show_results()
    framed = {page.plot._pointed, page.plot._shown.on_screen if page.plot._shown else None}
    pixels = look(page.plot)
    theme, colours = page.plot.look.theme, colours_of_map("viridis").astype(int)
    low, high = np.nanmin(results.values(ENTROPY)), np.nanmax(results.values(ENTROPY))
    blank = QColor(theme.window).rgb() & 0xFFFFFF
    failed = [QColor(colour).rgb() & 0xFFFFFF for colour in (theme.danger, theme.danger_soft)]
    for place, run in page.plot.places:
        seen = pixels[int(place.y()), int(place.x())]
        if not knobs[1] or run in framed:
            continue
        red, green, blue = colours[0 if run % 2 else round((results.value(run, ENTROPY) - low) / (high - low) * 253)]
        if run % 4 == 1:
            assert seen in failed
        else:
            assert seen == (blank if run % 2 else red << 16 | green << 8 | blue)
    if not knobs[1]:
        values = np.array([results.value(run, ENTROPY) for _, run in page.plot.places])
        heights = np.array([place.y() for place, _ in page.plot.places])
        slope, start = np.polyfit(values, heights, 1)
        np.testing.assert_allclose(slope * values + start, heights, atol=1e-6)
        green_pixel = QColor(theme.v).rgb() & 0xFFFFFF
        drawn = [pixels[round(at.y()), round(at.x())] == green_pixel for at, _ in page.plot.places]
        assert len(drawn) == 1250
        assert np.mean(drawn) > 0.9, "the median's line covers some"


@pytest.mark.parametrize("numbers", [(-1.7e308, 1.7e308), (1e17, 1e17), (np.nan, 1e300), (np.inf, 5e-324)])
@pytest.mark.parametrize("second", ["", "num_hiddens=4,8"])
def test_that_numbers_at_the_ends_of_their_range_are_drawn(
    page: SweepPage, second: str, numbers: tuple[float, float], qtbot: QtBot
) -> None:
    page.choices.second.take(second)
    page.choices.read()
    qtbot.waitUntil(lambda: page.choices._read_of is not None and page.choices._read_of[1] == page.choices.overs)
    crossing = page.choices.crossing
    assert crossing is not None
    page.process.results = results = Results(crossing)
    for run in range(len(crossing)):
        results.add({RUN: run, FAILURE: "", ENTROPY: numbers[run % 2]})
    page.choices.measure.setCurrentIndex(page.choices.measure.findData(ENTROPY))
    page.show_results()
    blank = QColor(page.plot.look.theme.window).rgb() & 0xFFFFFF
    assert np.any(look(page.plot) != blank)
    assert all(page.plot.rect().contains(place.toPoint()) for place, _ in page.plot.places)


def test_that_hidden_numbers_are_not_in_the_sentence(page: SweepPage, used_window: MainWindow, qtbot: QtBot) -> None:
    compute(page, qtbot)
    assert page.sentence.text().startswith("Entropy, median by Heads: ")
    before = look(page.plot)
    used_window.toggle_numbers()
    assert page.sentence.text() == "Entropy"
    assert np.any(look(page.plot) != before), "the medians have lost their numbers"
    used_window.toggle_numbers()
    assert np.array_equal(look(page.plot), before)


def test_that_a_lab_begins_with_its_main_number(page: SweepPage) -> None:
    assert page.choices.measure.itemData(0) == ENTROPY
    mains = {name: scalars_of(spec)[0].name for name, spec in (("train", transformer()), ("regression", regression()))}
    assert mains == {"train": "steps_to_95", "regression": "left_out_error"}


def test_that_an_error_has_the_words_of_the_form(page: SweepPage, qtbot: QtBot) -> None:
    page.choices.first.values.setText("cats")
    page.choices.read()
    qtbot.waitUntil(lambda: page.choices.problem.text() != "")
    said = page.choices.problem.text()
    assert said.startswith(f"{title_of_knob(page.spec, 'num_heads')}: value 'cats' must be")
    assert "num_heads" not in said


def colours_above(page: SweepPage) -> set[str]:
    """Return the colours of the theme in the line above the picture."""
    head = page.plot._head()
    pixels = look(page.plot)[: round(head.height()), round(head.width() / 2) :]
    theme = {"v": page.plot.look.color("v"), "danger_soft": page.plot.look.color("danger_soft")}
    return {name for name, colour in theme.items() if (pixels == (colour.rgb() & 0xFFFFFF)).any()}


def test_that_a_legend_explains_the_signs_that_are_there(page: SweepPage, qtbot: QtBot) -> None:
    results = compute(page, qtbot)
    assert results.states(ENTROPY) == ["done"]
    assert colours_above(page) == {"v"}
    page.process.results = results = Results(results.crossing)
    for run in range(9):
        results.add({RUN: run, FAILURE: "why" if run == 4 else "", ENTROPY: float(run)})
    page.show_results()
    page.plot.repaint()
    assert results.states(ENTROPY) == ["done", "failed"]
    assert colours_above(page) == {"v", "danger_soft"}


def test_that_states_are_those_of_single_runs(page: SweepPage, qtbot: QtBot) -> None:
    results = compute(page, qtbot)
    results._values[ENTROPY][:] = [0, np.inf, np.nan, 1, 1, 1, 1, 1, 1]
    results._ended[5] = False
    results._values[ENTROPY][5] = np.nan
    assert set(results.states(ENTROPY)) == {results.state(run, ENTROPY) for run in range(9)}


def test_that_an_axis_has_title_and_unit(page: SweepPage) -> None:
    titles = {scalar.name: str(axis_title(scalar)) for scalar in scalars_of(page.spec)}
    assert titles[ENTROPY] == "Entropy (bit)"
    assert titles["milliseconds"] == "Milliseconds"


def test_that_no_scale_is_drawn_before_the_first_number(page: SweepPage, qtbot: QtBot) -> None:
    qtbot.waitUntil(page.choices.run.isEnabled)
    assert page.choices.crossing is not None
    page.process.results = Results(page.choices.crossing)
    page.show_results()
    assert page.sentence.text() == "No run has finished yet."
    left_of_dots = look(page.plot)[24:, :40]
    assert (left_of_dots == left_of_dots[0, 0]).all()


def test_that_sweep_is_in_the_menu_of_every_lab_by_its_name(used_window: MainWindow, settle: Settle) -> None:
    for lab in LABS:
        used_window.session_state.enter_lab(lab)
        action = used_window.actions_["sweep"]
        assert action in used_window.menu.actions()
        assert (action.text(), action.isVisible(), action.isEnabled()) == ("Sweep", True, True)
    used_window.session_state.enter_lab("attention")
    settle(used_window)
