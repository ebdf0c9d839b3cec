"""The pages that compare, turn heads off in turn, and write: their pixels and words are the numbers of the studies."""

from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np
import pytest
from attention_hands import assert_panel
from eyes import colours_of, ground, inside, look
from hands import Hands
from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QColor, QFontMetricsF
from pytestqt.qtbot import QtBot
from small_specs import independent_trace

from attnviz.definitions.counting import head_name
from attnviz.definitions.roles import ROLES
from attnviz.definitions.text import Text, number_said, percent_said
from attnviz.engine.run import run
from attnviz.experiment.colours import DIVERGING, quantise
from attnviz.experiment.layers.content import content_of
from attnviz.experiment.layers.statistics import HeadRole, HeadValues
from attnviz.experiment.pin import Pin
from attnviz.experiment.run import Cursor, Failure
from attnviz.experiment.train.effects import HeadEffect, change_said, effect_sentence, effects_of, loss_said
from attnviz.experiment.train.role_effects import (
    RoleEffect,
    pair_effects,
    role_effects,
    role_off_sentence,
    spare_heads_sentence,
)
from attnviz.experiment.train.spec import TrainSpec
from attnviz.experiment.train.studies import (
    HeadsInTurn,
    HeadsInTurnTrace,
    HeldOut,
    Quality,
    RolesInTurn,
    TraceAt,
    Writing,
)
from attnviz.experiment.train.trace import TrainTrace
from attnviz.experiment.train.view_settings import TrainViewSettings
from attnviz.gui.labs.compare_page import ComparePage
from attnviz.gui.labs.train.compare_steps import CompareSteps
from attnviz.gui.labs.train.effect_page import EffectPage
from attnviz.gui.labs.train.shown import Shown
from attnviz.gui.labs.train.write_page import WritePage
from attnviz.gui.layers.words import read_out_of
from attnviz.gui.plots.heads import ranked_list
from attnviz.gui.plots.heads.head_map import HeadMap
from attnviz.gui.plots.heads.ranked_list import write
from attnviz.gui.plots.matrix.tile import colour_table
from attnviz.gui.theme import DARK, LIGHT, Look, Theme
from attnviz.gui.widgets.selection import Selection, SelectionModel

LOOK = Look(LIGHT)
PLACES = tuple(np.ndindex(3, 8))
WEIGHTS = colour_table("viridis", LIGHT)
_SMALL = {
    "task": {"kind": "repeat", "segment": 3},
    "num_tokens": 8,
    "vocab_size": 8,
    "num_hiddens": 8,
    "num_heads": 2,
    "batch_size": 8,
    "warmup": 0,
    "learning_rate": 0.02,
    "steps": 12,
    "device": "cpu",
}


def small(**values: Any) -> TrainSpec:
    return TrainSpec(**{**_SMALL, **values})


class Host:
    """Shows a page as a room does: with view settings that it changes, and the studies that it wants run at once."""

    def __init__(self, page: Any, selection: SelectionModel) -> None:
        self.page, self.selection = page, selection
        self.view = TrainViewSettings(layer=1)
        self.trace: TrainTrace | None = None
        if isinstance(page, ComparePage):
            page.pin_asked.connect(page.show_pin)
        if isinstance(page, WritePage):
            page.view_proposed.connect(self._take)

    def _take(self, changes: dict[str, Any]) -> None:
        self.view = self.view.model_copy(update=changes)

    def show(self, trace: TrainTrace) -> None:
        self.trace = trace
        self.selection.fit(*trace.weights.shape[1:])
        self.page.follow(trace)
        content = content_of(trace.layers[self.view.layer], self.view.of_layer, 0, 0)
        self.page.show_data(Shown(content, WEIGHTS, WEIGHTS, trace, self.view))
        self.page.select()

    def run_beside(self) -> tuple[Any, ...]:
        assert self.trace is not None
        asked: tuple[Any, ...] = ()
        while wanted := self.page.wanted():
            assert not set(wanted) & set(asked)
            self.page.show_events(tuple(list(run(study))[-1] for study in wanted))
            asked += wanted
        return asked


@pytest.fixture
def host(qtbot: QtBot) -> Callable[[Any], Host]:
    """Return a function that hosts a page of a class."""

    def make(kind: Any) -> Host:
        selection = SelectionModel()
        page = kind(LOOK, selection, None)
        selection.setParent(page)
        qtbot.addWidget(page)
        page.resize(900, 420)
        page.show()
        return Host(page, selection)

    return make


def check_three(page: Any, a: TrainTrace, b: TrainTrace, layer: int, head: int) -> None:
    """Check the pixels of A, B and B − A."""
    of_a, of_b = a.weights[layer, head].astype(float), b.weights[layer, head].astype(float)
    allowed = np.tril(np.ones(of_a.shape, bool))
    assert_panel(page.pair.a, quantise(of_a, allowed, 0.0, 1.0), WEIGHTS)
    assert_panel(page.pair.b, quantise(of_b, allowed, 0.0, 1.0), WEIGHTS)
    reach = float(np.abs(of_b - of_a).max()) or 1.0
    assert_panel(page.pair.difference, quantise(of_b - of_a, allowed, -reach, reach), colour_table(DIVERGING, LIGHT))


@pytest.mark.parametrize(
    ("values", "said"),
    [
        ({}, "B: step 12"),
        ({"seed": 5}, "Seed: 0 → 5"),
        ({"heads_off": ("2.1",)}, "Heads off: none → 2.1"),
    ],
    ids=str,
)
def test_that_a_pinned_step_is_compared_cell_by_cell_with_later_steps_seeds_and_heads_off(
    values: dict[str, Any], said: str, host: Callable[[Any], Host], hands: Hands
) -> None:
    hosted = host(CompareSteps)
    page = hosted.page
    a, b = independent_trace(small(steps=4)), independent_trace(small(**values))
    hosted.show(a)
    assert not page.pair.a.isVisible()
    hands.qtbot.mouseClick(page.pair.pin, hands.left)
    assert page.pin == Pin(a.spec)
    hosted.show(b)
    hosted.run_beside()
    check_three(page, a, b, 1, 0)
    hosted.selection.lock(Selection(1, 7, 2))
    page.select()
    check_three(page, a, b, 1, 1)
    numbers = a.weights[1, 1, 7, 2], b.weights[1, 1, 7, 2]
    change = f"{numbers[1] - numbers[0]:+.3f}".replace("-", "−")
    assert f"A {numbers[0]:.3f}  B {numbers[1]:.3f}  B − A {change}" in read_out_of(
        b.layers[1], 0, hosted.selection.current, page.compared
    )
    change = b.weights[1, 1].astype(float) - a.weights[1, 1]
    largest = np.unravel_index(np.abs(change).argmax(), change.shape)
    assert f"weight {numbers[0]:.3f} in A, {numbers[1]:.3f} in B; B − A is" in page.words
    hosted.selection.lock(Selection(1, 7, None))
    page.select()
    assert page.words.startswith("Head 2.2 changes most where")
    assert page.words.endswith(
        f"{number_said(a.weights[1, 1][largest])} in run A, {number_said(b.weights[1, 1][largest])} in run B."
    )
    titles = page.pair.a._matrix.title, page.pair.b._matrix.title
    off = ", 2.1 off" if "heads_off" in values else ""
    assert titles == ("A: step 4", f"B: step 12{off}")
    assert said in f"{titles[1]} {page.pair.changes.text()}"


def test_that_loss_and_accuracy_of_both_are_those_of_the_sequences_of_a_test(
    host: Callable[[Any], Host], hands: Hands
) -> None:
    hosted = host(CompareSteps)
    hosted.show(independent_trace(small()))
    hands.qtbot.mouseClick(hosted.page.pair.pin, hands.left)
    hosted.show(independent_trace(small(heads_off=("1.1", "1.2"))))
    asked = hosted.run_beside()
    events = tuple(list(run(study))[-1] for study in asked)
    qualities = [event.shown for event in events]
    assert len(qualities) == 2
    hosted.page.show_events((*events, *events))  # the room, too, may have asked for them
    text = hosted.page.pair.changes.text()
    assert (text.count("loss"), text.count("accuracy")) == (2, 2)
    for quality in qualities:
        assert f"loss {quality.loss:.2g}, accuracy {100 * quality.accuracy:.0f} %" in text
    assert qualities[0] != qualities[1]
    assert "sequences" not in text, "they are the same ones"


def test_that_accuracies_on_different_sequences_are_said_to_be_that(host: Callable[[Any], Host]) -> None:
    hosted = host(CompareSteps)
    hosted.page.show_pin(Pin(small(seed=2)))
    hosted.show(independent_trace(small()))
    hosted.run_beside()
    assert hosted.page.pair.changes.text().endswith("Each accuracy is on sequences of its own seed.")


def test_that_a_pin_of_a_session_is_run_at_its_step_and_a_probe_is_shown_to_both(host: Callable[[Any], Host]) -> None:
    hosted = host(CompareSteps)
    page = hosted.page
    page.show_pin(Pin(small(seed=2), Cursor(step=3)))
    b = independent_trace(small(probe=("a", "b", "a", "b")))
    hosted.show(b)
    asked = hosted.run_beside()
    assert TraceAt(of=small(seed=2, probe=("a", "b", "a", "b")), step=3) in asked
    a = independent_trace(small(seed=2, steps=3, probe=("a", "b", "a", "b")))
    check_three(page, a, b, 1, 0)


def test_that_a_probe_at_which_both_look_is_no_difference(host: Callable[[Any], Host]) -> None:
    hosted = host(CompareSteps)
    b = independent_trace(small())
    pinned = small(task={"kind": "repeat", "segment": 2})
    assert pinned.probe_tokens != b.spec.probe_tokens
    hosted.page.show_pin(Pin(pinned))
    hosted.show(b)
    hosted.run_beside()
    assert hosted.page.a.words == b.words
    text = hosted.page.pair.changes.text()
    assert "repeat (segment 2) → repeat (segment 3)" in text
    assert "Probe" not in text, "A is shown the tokens of B, whose spec names no probe"


@pytest.mark.parametrize(
    ("pinned", "said"),
    [
        ({"num_layers": 1}, "A has 1 layer and B has 2: layer 2 is not in both."),
        ({"task": {"kind": "copy", "symbols": 3}}, "cells do not match"),
        ({"task": {"kind": "add", "digits": 1}, "num_tokens": 6, "vocab_size": 12}, "A shows 6 tokens and B shows 8"),
    ],
    ids=str,
)
def test_that_runs_that_do_not_match_say_why_and_show_no_difference(
    pinned: dict[str, Any], said: str, host: Callable[[Any], Host]
) -> None:
    hosted = host(CompareSteps)
    hosted.page.show_pin(Pin(small(**pinned)))
    hosted.show(independent_trace(small()))
    hosted.run_beside()
    assert said in hosted.page.pair.changes.text()
    assert not hosted.page.pair.difference.isVisible()
    assert hosted.page.compared is None


def test_that_a_pin_that_fails_is_said_once_and_stays_pinned(host: Callable[[Any], Host], hands: Hands) -> None:
    hosted = host(CompareSteps)
    page = hosted.page
    page.show_pin(Pin(small(seed=2)))
    hosted.show(independent_trace(small()))
    asked = page.wanted()
    page.show_events((Failure(asked[0], "unforeseen", Text("the device is gone")),))
    assert "the device is gone" in page.pair.changes.text()
    assert asked[0] not in page.wanted()
    assert page.pin == Pin(small(seed=2))
    hands.qtbot.mouseClick(page.pair.unpin, hands.left)
    assert page.pin is None


def test_that_each_head_has_a_bar_as_long_as_what_is_lost_without_it(host: Callable[[Any], Host]) -> None:
    hosted = host(EffectPage)
    page = hosted.page
    trace = independent_trace(small(steps=60))
    hosted.show(trace)
    assert "measured once the training is paused or ends" in page.words
    assert page.colour_line() is not None, "the row of colours would move the boxes of the roles when it comes"
    study, _ = hosted.run_beside()
    result: Any = list(run(study))[-1]
    seen = look(page.picture)
    accent, faint = (QColor(getattr(LIGHT, name)).rgb() & 0xFFFFFF for name in ("accent", "faint"))
    lengths = []
    for layer, head in np.ndindex(2, 2):
        bar = page.picture.bars.bar_in(page.picture.cells[2 * layer + head], 1)
        y, left = int(bar.center().y()), int(np.ceil(bar.left()))
        row = np.asarray(seen)[y, left : int(bar.right())] & 0xFFFFFF
        assert set(np.unique(row[[-1]])) <= {accent, faint}
        lost = min(max(float(result.effect[layer, head]), 0.0), 1.0)
        assert abs(int((row == accent).sum()) - lost * bar.width()) <= 2
        lengths.append(lost)
    assert max(lengths) > 0.02, "a test of bars that are all empty would prove nothing"
    for layer, head in np.ndindex(2, 2):
        area = page.picture.bars.picture_in(page.picture.cells[2 * layer + head])
        assert area.width() > 40
        levels = trace.layers[layer].levels("weights")[0, head]
        size = area.width() / 8
        shown = [
            [ground(seen, QRectF(area.left() + k * size, area.top() + q * size, size, size)) for k in range(8)]
            for q in range(8)
        ]
        assert (np.array(shown) == colours_of(WEIGHTS, levels)).all()
    order = [each.name for each in page.picture.bars.ranked.listed]
    by_hand = sorted(np.ndindex(2, 2), key=lambda at: (-result.effect[at], -result.loss[at]))
    assert order == [f"{layer + 1}.{head + 1}" for layer, head in by_hand]
    assert page.picture.cell_at(page.picture.cells[3].center()) == 3
    assert page.picture.cell_at(page.picture.bars.ranked.row(0).center()) == 2 * by_hand[0][0] + by_hand[0][1]


def test_that_of_many_heads_the_most_needed_are_listed_and_lines_are_as_high_as_their_words(qtbot: QtBot) -> None:
    picture = HeadMap(LOOK, "heads")
    qtbot.addWidget(picture)
    picture.resize(560, 420)
    layers, heads = np.mgrid[:6, :16]
    lost, loss = HeadValues(values=heads / 100, number=change_said), HeadValues(values=layers / 10, number=loss_said)
    picture.show_values(lost, second=loss)
    ranked = picture.bars.ranked  # type: ignore[union-attr]
    by_hand = sorted(np.ndindex(6, 16), key=lambda at: (-at[1], -at[0]))
    assert [each.name for each in ranked.listed] == [head_name(*at) for at in by_hand[: len(ranked.listed)]]
    assert 5 < len(ranked.listed) < 96
    height = QFontMetricsF(LOOK.font("small")).height()
    rows = [ranked.row(place) for place in range(len(ranked.listed) + 1)]  # the last counts the others
    assert all(row.height() >= height and row.bottom() <= picture.height() for row in rows)


def test_that_before_anything_is_pinned_the_sentence_says_how_and_the_buttons_are_whole(
    host: Callable[[Any], Host], qtbot: QtBot
) -> None:
    shown = host(CompareSteps)
    shown.show(independent_trace(small()))
    page = shown.page
    assert "Pin this step as A" in page.words
    page.pair.pin.click()
    assert "Pin" not in page.words
    for button in (page.pair.pin, page.pair.unpin):
        assert button.geometry().top() >= 0
        assert button.height() >= button.sizeHint().height()


def test_that_a_click_on_a_tile_chooses_its_head_and_a_running_training_keeps_the_old_picture(
    host: Callable[[Any], Host], hands: Hands
) -> None:
    hosted = host(EffectPage)
    page = hosted.page
    hosted.show(independent_trace(small(steps=3)))
    hosted.run_beside()
    chosen: list[Any] = []
    page.head_chosen.connect(lambda *head: chosen.append(head))
    hands.click(page.picture, page.picture.cells[2].center())
    assert chosen == [(1, 0)]
    hosted.show(independent_trace(small(steps=5)))
    assert "The picture shows step 3." in page.words
    hosted.run_beside()
    assert "64 newly drawn sequences (some may have occurred in training)" in page.words


@pytest.mark.parametrize("other", [{"num_heads": 4, "steps": 5}, {"seed": 3, "steps": 5}], ids=str)
def test_that_a_study_of_the_model_before_is_dimmed_and_named_and_chooses_no_head(
    other: dict[str, Any], host: Callable[[Any], Host], hands: Hands
) -> None:
    hosted = host(EffectPage)
    page, picture = hosted.page, hosted.page.picture
    hosted.show(independent_trace(small(steps=3)))
    hosted.run_beside()

    def contrast() -> int:
        greens = inside(look(picture), picture.bars.picture_in(picture.cells[0])) >> 8 & 255
        return int(greens.max()) - int(greens.min())

    strong = contrast()
    chosen: list[Any] = []
    page.head_chosen.connect(lambda *head: chosen.append(head))
    hosted.show(independent_trace(small(**other)))
    of_before = "The picture shows the study of the model before: 2 × 2 heads, step 3."
    assert of_before in page.words
    assert of_before in picture.accessibleDescription()
    assert "pause it" not in page.words
    assert 0 < contrast() < 0.5 * strong
    hands.click(picture, picture.cells[2].center())
    assert chosen == []
    (study,) = hosted.page.wanted()
    page.show_part(study, 3, 8)
    assert page.words.startswith("Computing: 3 of 8 heads were turned off.")
    page.say_stopped()
    assert page.words.startswith("Stopped.")
    assert of_before in page.words
    hosted.run_beside()
    assert "before" not in page.words


@pytest.mark.parametrize(
    ("values", "said"),
    [
        ({"held_out": 0.2}, "64 held-out sequences."),
        ({}, "64 newly drawn sequences (some may have occurred in training)."),
        (
            {"task": {"kind": "add", "digits": 1}, "vocab_size": 12},
            "64 newly drawn sequences (some may have occurred in training).",
        ),
        (
            {"task": {"kind": "add", "digits": 1}, "vocab_size": 12, "batch_size": 64},
            "64 newly drawn sequences, some of which occurred in training.",
        ),
    ],
    ids=str,
)
def test_that_sequences_are_called_held_out_only_where_no_step_draws_them(values: dict[str, Any], said: str) -> None:
    study = HeadsInTurn(of=small(**values), step=2)
    (result,) = run(study)
    assert isinstance(result, HeadsInTurnTrace)
    assert f"{study.tested_on(result.sequences).text}." == said


def test_that_a_study_of_heads_says_after_each_how_many_are_done() -> None:
    parts: list[tuple[int, int]] = []
    list(run(HeadsInTurn(of=small(), step=2), progress=lambda done, count: parts.append((done, count))))
    assert parts == [(done, 4) for done in range(4)]


def effects_made(
    lost: Any, scores: dict[tuple[int, int], float], step: int = 12
) -> tuple[tuple[HeadEffect, ...], HeadsInTurnTrace]:
    """Return heads with these losses of accuracy (L, h) and scores of induction."""
    spec = small()
    study: Any = HeadsInTurnTrace(
        HeadsInTurn(of=spec, step=step), 64, Quality(0.1, 1.0), np.zeros((2, 2)) + 0.1, 1.0 - np.asarray(lost)
    )
    made = tuple(
        HeadEffect(
            layer=layer,
            head=head,
            named=HeadRole(ROLES["induction"], scores[layer, head], 2) if (layer, head) in scores else None,
            off=False,
            accuracy=1.0 - lost[layer][head],
            lost=lost[layer][head],
            loss_gained=0.0,
        )
        for layer, head in np.ndindex(spec.num_layers, spec.num_heads)
    )
    return made, study


def test_that_the_sentence_names_the_needed_head_and_one_that_only_looks_like_it() -> None:
    said = effect_sentence(*effects_made([[0.42, 0.0], [0.05, 0.02]], {(1, 1): 0.98})).text
    assert said == (
        "Without 1.1 (no clear role) accuracy falls from 100 % to 58 %. Without 2.2 (induction 0.98) it "
        "falls by only 2 percentage points."
    )
    assert effect_sentence(*effects_made([[0.42, 0.3], [0.3, 0.3]], {(1, 1): 0.98})).text.endswith("to 58 %.")
    assert effect_sentence(*effects_made([[0.0, -0.1], [0.0, 0.0]], {})).text.startswith("No head is needed")
    said = effect_sentence(*effects_made([[0.0, -0.01], [0.002, 0.0]], {}, step=0)).text
    assert said == "Untrained: accuracy is 100 %, and no head changes it by more than 1 %."
    assert [loss_said(gained) for gained in (0.41, -0.0004, -0.00001)] == ["+0.41", "−0.0004", "0"]


def of_role(lost: float, alone: float, two: float | None = None, count: int = 4) -> RoleEffect:
    heads = tuple((1, head) for head in range(count))
    return RoleEffect(ROLES["induction"], heads, before=1.0, accuracy=1.0 - lost, alone=alone, two=two)


def test_that_heads_that_only_together_are_needed_are_said_to_be_that_where_it_was_measured() -> None:
    said = spare_heads_sentence((of_role(0.91, 0.003), of_role(0.95, 0.4))).text
    assert said == "Induction: any one of 4 heads can be off (at most −0.3 %), but not all (9 %)."
    for not_measured in (of_role(0.91, 0.4), of_role(0.05, 0.0), of_role(0.91, 0.0, count=1)):
        assert not spare_heads_sentence((not_measured,))
    effect = of_role(0.91, 0.003, 0.05)
    assert role_off_sentence((effect,), effect.heads).text == (
        "Induction off: accuracy 100 % → 9 %; each alone at most −0.3 %, two at most −5 %."
    )
    assert not role_off_sentence((effect,), effect.heads[:3])


def test_that_each_role_has_a_line_with_its_numbers_and_a_box_that_turns_all_its_heads_off(
    host: Callable[[Any], Host], hands: Hands
) -> None:
    hosted = host(EffectPage)
    page, spec = hosted.page, small(num_heads=4)
    asked: list[Any] = []
    page.switched.connect(asked.append)
    hosted.show(independent_trace(spec))
    hosted.run_beside()
    result: Any = list(run(RolesInTurn(of=spec, step=12)))[-1]
    alone: Any = list(run(HeadsInTurn(of=spec, step=12)))[-1]
    (line,) = page.roles.lines
    (effect,) = role_effects(result, alone)
    assert line[2].text() == effect.said().text
    assert f"→ {percent_said(result.roles[0].quality.accuracy)}" in line[2].text()
    pairs = [each.name for each in page.picture.bars.ranked.listed_pairs]
    assert pairs == [each.name for each in pair_effects(result, alone)][: len(pairs)] != []
    hands.qtbot.mouseClick(line[0], hands.left)
    assert asked == [effect.heads]
    assert line[0].checkState() == Qt.CheckState.Checked, "it follows the trace"
    hosted.show(independent_trace(small(num_heads=4, heads_off=effect.names)))
    assert line[0].checkState() == Qt.CheckState.Unchecked
    assert line[0].isEnabled(), "it is known, and stays"
    hosted.run_beside()
    assert page.words.startswith(f"{effect.role.title} off: accuracy ")
    hosted.show(independent_trace(small(num_heads=4, heads_off=effect.names[:1], steps=11)))
    assert line[0].checkState() == Qt.CheckState.PartiallyChecked
    assert not line[0].isEnabled(), "the numbers are those of another step"
    assert "step 12" in page.roles.title.text()


def test_that_a_head_that_is_off_loses_nothing_and_is_named_off() -> None:
    trace = independent_trace(small(heads_off=("1.2",)))
    result: Any = list(run(HeadsInTurn(of=trace.spec, step=trace.step)))[-1]
    effects = {each.name: each for each in effects_of(trace, result)}
    assert effects["1.2"].off
    assert effects["1.2"].lost == 0


@cache
def loss_without(heads: frozenset[str]) -> float:
    """Return the loss of a model of four heads on held-out sequences without some of them."""
    found: Any = list(run(HeldOut(of=small(num_heads=4, heads_off=tuple(sorted(heads))), step=12)))[-1]
    return float(found.shown.loss)


def test_that_the_pairs_of_a_head_are_those_of_the_model_with_both_off_and_the_one_that_stands_in_for_it_is_first(
    host: Callable[[Any], Host],
) -> None:
    hosted = host(EffectPage)
    page, spec = hosted.page, small(num_heads=4)
    hosted.show(independent_trace(spec))
    hosted.run_beside()
    hosted.view = hosted.view.model_copy(update={"pairs_of_head": True})
    for layer, head, off in ((1, 0, ()), (0, 2, ()), (0, 2, ("1.1",)), (0, 0, ("1.1",))):
        spec = small(num_heads=4, heads_off=off)
        hosted.view = hosted.view.model_copy(update={"layer": layer})
        hosted.selection.lock(Selection(head, None, None))
        hosted.show(independent_trace(spec))
        name = f"{layer + 1}.{head + 1}"
        assert page.roles.pairs.text() == f"Pairs with {name}"
        if not off:
            assert page.picture.bars.ranked.listed_pairs == (), "those of another head"
            assert f"Computing pairs with {name}" in page.picture.accessibleDescription()
        asked = hosted.run_beside()
        if name in off:
            assert page.picture.bars.ranked.listed_pairs == ()
            assert "1.1 is off: it has no pairs" in page.picture.accessibleDescription()
            continue
        assert len(asked) == (2 if off else 1), "nothing but what is shown"

        def loss(*more: str) -> float:
            return loss_without(frozenset({*off, *more}))  # noqa: B023

        every = {f"{each + 1}.{of + 1}" for each, of in np.ndindex(2, 4)} - {name, *off}
        pairs = page.picture.bars.ranked.pairs.rows
        assert {pair.name for pair in pairs} == {f"{name}, {other}" for other in every}
        now, beyond = loss(), []
        for pair in pairs:
            other = pair.name.split(", ")[1]
            assert pair.second == loss_said(loss(name, other) - now)
            beyond.append(loss(name, other) - loss(name) - loss(other))
        assert beyond == pytest.approx(sorted(beyond, reverse=True), abs=1e-12)
        assert page.words.startswith(f"Without both {pairs[0].name} the loss changes by {pairs[0].second};")


@pytest.mark.parametrize("theme", [LIGHT, DARK], ids=lambda theme: str(theme.name))
@pytest.mark.parametrize("size", [(676, 520), (692, 390)], ids=str)
def test_that_heads_that_are_off_are_crossed_out_and_24_tiles_have_room_for_a_picture_name_and_number(
    size: tuple[int, int], theme: Theme, qtbot: QtBot
) -> None:
    picture = HeadMap(Look(theme), "heads")
    qtbot.addWidget(picture)
    picture.resize(*size)  # in windows of 1280 × 800 and 1024 × 640
    named = {at: HeadRole(ROLES[("previous", "induction")[at[1] % 3]], 0.5, 2) for at in PLACES if at[1] % 3 < 2}
    lost = HeadValues(
        values=np.full((3, 8), 0.004), number=change_said, heading="without", roles=named, off={(0, 1), (2, 7)}
    )
    loss = HeadValues(values=np.full((3, 8), 0.1), number=loss_said)
    picture.show_values(lost, None, (np.zeros((24, 4, 4), np.uint8), colour_table("viridis", theme)), loss)
    bars: Any = picture.bars
    assert {each.name for each in bars.ranked.listed[-2:]} == {"1.2", "3.8"} or len(bars.ranked.listed) < 24
    seen, danger = look(picture), QColor(theme.danger).rgb() & 0xFFFFFF
    height = QFontMetricsF(Look(theme).font("small")).height()
    for at, tile in zip(PLACES, picture.cells, strict=True):
        area, off = bars.picture_in(tile), at in lost.off
        assert bool((inside(seen, area) & 0xFFFFFF == danger).sum() > area.width()) == off
        of_role, of_number = (bars.bar_in(tile, line) for line in (0, 1))
        assert area.width() >= 28
        assert of_role.top() - area.bottom() >= height
        assert of_number.top() - of_role.bottom() >= height
        assert tile.contains(of_number)
        lettered = inside(seen, QRectF(of_number.left(), of_number.top() - height, of_number.width(), height))
        assert len(np.unique(lettered)) > 4, "it says what is lost, or that it is off"
        assert ("is off" in picture.tip(tile.center())) == off


TEXT = "a rose is a rose is a rose is a rose. "


@pytest.fixture
def writing(host: Callable[[Any], Host]) -> Host:
    """The page of writing beside a trained model of a short text."""
    hosted = host(WritePage)
    task = {"kind": "text", "text": TEXT}
    hosted.show(independent_trace(TrainSpec(**{**_SMALL, "task": task, "vocab_size": len(set(TEXT)), "steps": 30})))
    return hosted


def test_that_what_is_written_is_the_study_of_what_was_set(writing: Host, hands: Hands) -> None:
    page = writing.page
    hands.type(page.prompt, "a ro")
    hands.type(page.temperature, "1.5")
    hands.type(page.seed, "3")
    hands.type(page.count, "20")
    hands.qtbot.mouseClick(page.write, hands.left)
    assert (writing.view.temperature, writing.view.writing_seed, writing.view.prompt) == (1.5, 3, "a ro")
    assert writing.trace is not None
    wanted = Writing(of=writing.trace.spec, step=30, prompt=tuple("a ro"), count=20, temperature=1.5, seed=3)
    assert writing.run_beside() == (wanted,)
    result: Any = list(run(wanted))[-1]
    words = tuple(writing.trace.spec.alphabet[each.token] for each in result.written)
    hands.qtbot.waitUntil(lambda: page.text.visible_words == words, timeout=5000)
    moments: list[Any] = []
    page.moment_chosen.connect(moments.append)
    hands.click(page.text, page.text.place_of(9))
    seen = tuple(writing.trace.spec.alphabet[token] for token in result.written[9].seen)
    assert moments == [seen]
    assert len(seen) == 8
    assert "".join(("a ro" + "".join(words))[: 4 + 9][-8:]) == "".join(seen)
    assert f"probability {result.written[9].probability:.3f}" in page.words
    assert TrainSpec.model_validate({**dict(writing.trace.spec), "probe": seen}).probe == seen


def test_that_what_the_model_expects_is_said_while_the_prompt_is_typed(writing: Host, hands: Hands) -> None:
    page, trace = writing.page, writing.trace
    assert trace is not None
    page.prompt.clear()
    hands.qtbot.keyClicks(page.prompt, "a ro")
    wanted = Writing(of=trace.spec, step=30, prompt=tuple("a ro"), count=1, temperature=0, seed=0)
    assert writing.run_beside() == (wanted,), "the newest alone"
    result: Any = list(run(wanted))[-1]
    assert f"predicts “{trace.spec.alphabet[result.written[0].token]}”" in page.words
    assert page.text.visible_words == ()
    hands.qtbot.keyClicks(page.prompt, "z")
    assert "“z” is not in the training text" in page.words
    assert page.wanted() == ()


def test_that_the_ground_of_a_token_is_the_darker_the_less_probable_it_was(writing: Host, hands: Hands) -> None:
    page = writing.page
    page.text.show_text("a", ("b", "b", "b"), (1.0, 0.5, 0.0))
    hands.qtbot.waitUntil(lambda: len(page.text.visible_words) == 3)
    seen = look(page.text)
    colours = [
        QColor.fromRgb(int(ground(seen, page.text.place_of(place).adjusted(0, 6, 0, -6)))).lightness()
        for place in range(3)
    ]
    assert colours[0] > colours[1] > colours[2]


def test_that_a_written_text_is_as_large_as_all_of_it_fits(writing: Host, hands: Hands) -> None:
    text = writing.page.text
    writing.page.resize(420, 420)
    heights = []
    for count in (20, 100, 400):
        text.show_text("a", "b " * (count // 2), (1.0,) * count)
        hands.qtbot.waitUntil(lambda: text.width() > 300)
        assert text.place_of(count - 1).bottom() <= text.height()
        heights.append(text.place_of(0).height())
    assert heights[0] == heights[1] > 1.5 * heights[2]


def test_that_a_prompt_of_unknown_characters_is_a_sentence_and_nothing_is_run(writing: Host, hands: Hands) -> None:
    page = writing.page
    hands.type(page.prompt, "a z")
    hands.qtbot.mouseClick(page.write, hands.left)
    assert "“z” is not in the training text" in page.words
    assert writing.trace is not None
    assert page.wanted() == ()


def test_that_a_and_b_and_their_difference_take_the_width_of_the_page(
    host: Callable[[Any], Host], hands: Hands
) -> None:
    hosted = host(CompareSteps)
    pair = hosted.page.pair
    hosted.page.resize(944, 500)  # of a window of 1280 × 800 with its controls
    hosted.show(independent_trace(small(steps=4)))
    hands.qtbot.mouseClick(pair.pin, hands.left)
    hosted.show(independent_trace(small()))
    hosted.run_beside()
    shown = pair.a, pair.b, pair.difference
    assert len({(part.cells.width(), part.cells.height()) for part in shown}) == 1
    assert sum(part.cells.width() for part in shown) >= 0.83 * hosted.page.width()


def test_that_the_order_of_pairs_and_the_mark_in_their_bars_are_said_in_the_picture(
    host: Callable[[Any], Host], monkeypatch: pytest.MonkeyPatch
) -> None:
    written: list[str] = []

    def noted(painter: Any, look: Look, place: QRectF, *choices: tuple[str, str]) -> None:
        written.append(choices[0][0])
        assert QFontMetricsF(painter.font()).horizontalAdvance(choices[0][0]) <= place.width() or choices[1:]
        write(painter, look, place, *choices)

    monkeypatch.setattr(ranked_list, "write", noted)
    hosted = host(EffectPage)
    hosted.page.resize(900, 700)
    hosted.show(independent_trace(small(num_heads=4)))
    hosted.run_beside()
    for pairs, order in ((False, "sorted by accuracy lost"), (True, "sorted by loss beyond each alone")):
        hosted.view = hosted.view.model_copy(update={"pairs_of_head": pairs})
        hosted.show(independent_trace(small(num_heads=4)))
        hosted.run_beside()
        written.clear()
        hosted.page.picture.grab()
        assert order in written
        assert "each alone, added" in written
