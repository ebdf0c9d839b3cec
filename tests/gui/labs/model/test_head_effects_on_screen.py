"""The overview coloured by what heads add, beside what they cost, and beside random heads."""

from typing import Any

import numpy as np
import pytest
from eyes import colours_of
from hands import Hands
from model_hands import encoder, map_colours, model, trace_of
from PySide6.QtCore import QPointF, Qt
from pytestqt.qtbot import QtBot
from windows import At, Settle

from attnviz.engine.run import run
from attnviz.experiment.colours import DIVERGING, quantise
from attnviz.experiment.model.residual.attribution import Attribution
from attnviz.experiment.model.studies import RandomSets
from attnviz.gui.plots.matrix.tile import colour_table
from attnviz.gui.window.main_window import MainWindow

USUAL: dict[str, Any] = {
    "by_attribution": False,
    "by_effect": False,
    "attributed": None,
    "minus": None,
    "controls": 0,
}


@pytest.fixture
def window(at: At, settle: Settle) -> MainWindow:
    """The shared window on the included model, whose overview shows entropies."""
    window = at(model())
    window.room.current_view.propose(page="overview", layer=0, overview="entropy", thumbnails=False, **USUAL)
    settle(window)
    return window


def overview(window: MainWindow) -> Any:
    return window.room.stage.overview  # type: ignore[attr-defined]


def part(window: MainWindow) -> Any:
    return window.room.inspector.effects  # type: ignore[attr-defined]


def only(study: Any) -> Any:
    (found,) = run(study)
    return found


def studied(window: MainWindow, qtbot: QtBot) -> None:
    """Wait until the studies of the page have ended."""
    qtbot.waitUntil(lambda: overview(window).studies() and not overview(window).wanted(), timeout=20_000)


def test_that_heads_are_coloured_by_what_they_add_to_a_chosen_logit(
    window: MainWindow, settle: Settle, hands: Hands
) -> None:
    page = overview(window)
    page.choices.adds.click()
    studied(window, hands.qtbot)
    found = only(Attribution(of=trace_of(window).spec))
    values = found.of_kind["self"]
    reach = np.abs(values).max()
    table = colour_table(DIVERGING, window.look.theme)
    assert (map_colours(window) == colours_of(table, quantise(values, None, -reach, reach))).all()
    assert [cell.number for cell in page.cells._cells] == [found.number(value) for value in values.flat]
    said = window.room.stage.sentence.text()
    assert said.startswith("Logit of “home” +10.69: heads +10.48, embedding +0.21 (rest ")
    assert "Each norm's scale is held fixed" in said
    assert not part(window).points.isVisible()
    np.testing.assert_array_equal(page.study_on_screen.arrays()["attribution"], values)

    page.choices.of_token.box.setCurrentIndex(2)
    page.choices.of_token.box.activated.emit(2)
    page.choices.minus.box.setEditText("#9")
    page.choices.minus.box.lineEdit().editingFinished.emit()
    studied(window, hands.qtbot)
    second = trace_of(window).prediction.ids[1]  # type: ignore[union-attr]
    assert (window.room.view.attributed, window.room.view.minus) == (second, "#9")  # type: ignore[attr-defined]
    both = only(Attribution(of=trace_of(window).spec, token=second, minus="#9"))
    assert page.cells.values.title == f"added to the logit of {both.subject}"
    np.testing.assert_array_equal(page.cells.values.values, both.of_kind["self"])


def test_that_a_token_which_is_none_is_refused_and_the_picture_stays(window: MainWindow, qtbot: QtBot) -> None:
    page = overview(window)
    window.room.current_view.propose(by_attribution=True, attributed="fox fox")
    studied(window, qtbot)
    assert "“fox fox” is 2 tokens of this model (fox, fox); nearest: fox" in window.room.stage.sentence.text()
    np.testing.assert_array_equal(page.cells.values.values, trace_of(window).overview.of("entropy"))
    window.room.current_view.propose(attributed="fox")
    studied(window, qtbot)
    assert "Logit of “fox”" in window.room.stage.sentence.text()


def test_that_both_measures_are_points_that_name_the_heads_on_which_they_disagree(
    window: MainWindow, settle: Settle, hands: Hands
) -> None:
    window.room.current_view.propose(by_attribution=True, by_effect=True)
    page, effects = overview(window), part(window)
    hands.qtbot.waitUntil(lambda: page.effects.both is not None, timeout=20_000)
    settle(window)
    assert effects.points.isVisible()
    assert "Head 1.2 adds +1.70, but without it the logit changes by -11.56" in effects.of_points.text()
    assert "without it the logit changes by -11.56" in page.cells.told(1)
    far = effects.points.points[1]
    assert (far.name, far.place) == ("1.2", 1)
    at = effects.points.at(far.x, far.y)
    assert effects.points.tip(at).startswith("head 1.2 adds +1.70")
    hands.click(effects.points, at + QPointF(1, 1))
    settle(window)
    assert window.room.selection.locked.head == 1
    hands.qtbot.keyClick(effects.points, Qt.Key.Key_Right)
    settle(window)
    assert window.room.selection.locked.head == 2
    assert effects.layers.isVisible()
    assert "3 other heads of its layer" in effects.of_layers.text()


def test_that_chosen_heads_are_compared_with_random_ones(window: MainWindow, settle: Settle, hands: Hands) -> None:
    effects = part(window)
    assert not effects.isVisible()
    window.room.form.change("heads_off", ("2.1", "2.2"), "heads_off")
    settle(window)
    assert effects.counts.isVisible()
    assert not effects.sets.isVisible()
    effects.counts.setCurrentIndex(effects.counts.findData(20))
    hands.qtbot.waitUntil(effects.sets.isVisible, timeout=10_000)
    found = only(RandomSets(of=trace_of(window).spec))
    assert effects.of_sets.text() == str(found.sentence())
    (band,) = effects.sets.bands
    assert band.marked == found.chosen
    assert effects.sets.x_of(found.chosen) > effects.sets.x_of(float(found.lost.max()))
    assert "all 5 other sets" in effects.sets.tip(QPointF(5, 5))
    window.room.form.change("heads_off", (), "heads_off")
    settle(window)
    assert not effects.isVisible()


def test_that_a_model_without_a_logit_says_so_and_keeps_its_colours(
    at: At, settle: Settle, qtbot: QtBot, tmp_path: Any
) -> None:
    window = at(model(folder=str(encoder(tmp_path / "masked")), text="the [MASK] sat"))
    window.room.current_view.propose(page="overview", overview="entropy", by_attribution=True)
    studied(window, qtbot)
    assert "do not sum to its logits" in window.room.stage.sentence.text()
    window.room.current_view.propose(**USUAL)
    settle(window)
