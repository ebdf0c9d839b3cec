"""How a run is played: the state after each event and what follows from it, without threads or clocks."""

from collections.abc import Callable
from dataclasses import replace
from itertools import product

import pytest

from attnviz.experiment.run import Cursor
from attnviz.gui.run.playback import HERE, Due, Phase, Playback, Show

PLAYING, PAUSED, OVER = Phase.PLAYING, Phase.PAUSED, Phase.OVER
NEW = Playback().submit()
THIRD = Cursor(step=3)

EVENTS: dict[str, Callable[[Playback], Playback]] = {
    "play": Playback.play,
    "pause": Playback.pause,
    "step": Playback.step,
    "seek": lambda state: state.seek(THIRD),
    "stop": Playback.stop,
    "finish": Playback.finish,
    "give up": Playback.give_up,
    "begin": lambda state: state.begin(0.0),
}


def after(*events: str, state: Playback = NEW) -> Playback:
    """Return the state after some events."""
    for event in events:
        state = EVENTS[event](state)
    return state


def tasks(state: Playback, most: int = 5) -> list[object]:
    """Return what the worker does, one after the other, until nothing is due."""
    done: list[object] = []
    while len(done) < most and isinstance(task := state.due(0.0), Due | Show):
        state = state.do(task, 0.0)
        done.append(task)
        if task is Due.END:
            state = state.give_up()
    return done


@pytest.mark.parametrize(
    ("events", "phase", "does"),
    [
        (("begin",), PLAYING, [Due.STEP] * 5),
        (("begin", "pause"), PAUSED, [Show(HERE)]),
        (("pause", "begin"), PAUSED, [Show(HERE)]),
        (("begin", "pause", "step", "step"), PAUSED, [Show(HERE), Due.STEP, Due.STEP]),
        (("begin", "step"), PAUSED, [Due.STEP]),
        (("begin", "step", "play"), PLAYING, [Show(HERE), *[Due.STEP] * 4]),
        (("begin", "seek"), PAUSED, [Show(THIRD)]),
        (("begin", "seek", "step"), PAUSED, [Show(THIRD), Due.STEP]),
        (("begin", "seek", "play"), PLAYING, [Show(THIRD), *[Due.STEP] * 4]),
        (("seek", "begin"), PLAYING, [Due.STEP] * 5),
        (("begin", "stop"), PLAYING, [Due.END]),
        (("begin", "pause", "stop"), PAUSED, [Due.END, Show(HERE)]),
        (("begin", "stop", "give up"), OVER, []),
        (("begin", "stop", "play", "give up"), PLAYING, [Show(HERE), *[Due.STEP] * 4]),
        (("begin", "stop", "step"), PAUSED, [Due.STEP]),
        (("begin", "step", "step", "finish"), OVER, []),
        (("begin", "finish", "pause"), OVER, []),
        (("begin", "finish", "stop"), OVER, []),
        (("begin", "finish", "seek"), OVER, [Show(THIRD)]),
        (("begin", "finish", "seek", "play"), PLAYING, [Show(THIRD), *[Due.STEP] * 4]),
        (("begin", "finish", "step"), PAUSED, [Due.STEP]),
    ],
    ids=lambda part: " ".join(part) if isinstance(part, tuple) else "",
)
def test_that_events_lead_to_a_phase_and_to_what_the_worker_does(
    events: tuple[str, ...], phase: Phase, does: list[object]
) -> None:
    state = after(*events)
    assert state.phase is phase
    assert tasks(state) == does


@pytest.mark.parametrize("first", EVENTS)
def test_that_after_any_events_a_stop_ends_the_run_and_run_goes_on_with_it(first: str) -> None:
    for events in product(EVENTS, repeat=2):
        state = after("begin", first, *events)
        stopped = state.stop()
        while isinstance(task := stopped.due(0.0), Due | Show):
            stopped = stopped.do(task, 0.0)
            assert task is not Due.STEP, events
            stopped = stopped.give_up() if task is Due.END else stopped
        assert stopped.phase is OVER
        assert tasks(stopped.play())[-1] is Due.STEP
        assert tasks(state.step())[-1] is Due.STEP


def test_that_another_run_takes_over_the_pace_and_nothing_else() -> None:
    for events in product(EVENTS, repeat=2):
        state = after("begin", *events).at_pace(0.25)
        fresh = replace(Playback(phase=PAUSED, target=THIRD, pace=0.25), stepped_at=state.stepped_at)
        assert state.submit(paused=True, target=THIRD) == fresh


@pytest.mark.parametrize("event", ["play", "pause", "step", "seek"])
def test_that_a_hand_on_the_transport_cuts_short_the_way_to_a_step(event: str) -> None:
    state = Playback().submit(target=Cursor(step=50)).begin(0.0)
    assert state.target == Cursor(step=50)
    assert after(event, state=state).target == HERE


def test_that_a_run_that_was_suspended_waits_where_it_was() -> None:
    state = Playback().submit(paused=True, target=Cursor(step=50, layer=1)).begin(0.0).resume()
    assert (state.phase, state.target) == (PAUSED, Cursor(layer=1))


def test_that_steps_follow_each_other_at_the_pace_and_single_ones_at_once() -> None:
    state = NEW.at_pace(0.5).begin(10.0)
    assert state.due(10.2) == pytest.approx(0.3)
    assert state.due(10.5) is Due.STEP
    stepped = state.do(Due.STEP, 10.6)
    assert stepped.due(10.7) == pytest.approx(0.4)
    assert stepped.at_pace(0.0).due(10.7) is Due.STEP
    assert stepped.step().due(10.7) is Due.STEP


def test_that_another_layer_is_shown_where_the_run_is_and_the_run_goes_on_as_before() -> None:
    layer = Cursor(layer=2)
    state = after("begin").seek(layer)
    assert state.phase is PLAYING
    assert tasks(state, most=2) == [Show(layer), Due.STEP]
    assert tasks(after("begin", "seek").seek(layer)) == [Show(Cursor(step=3, layer=2))], "a step is sought already"
    assert tasks(after("begin", "finish").seek(layer)) == [Show(layer)], "it is over and stays over"


def test_that_a_layer_asked_for_before_the_run_has_begun_is_the_first_that_is_shown() -> None:
    assert NEW.seek(Cursor(layer=2)).target == Cursor(layer=2)
    assert after("play", state=NEW.seek(Cursor(layer=2))).target == Cursor(layer=2)
    assert NEW.submit(target=THIRD).seek(Cursor(layer=2)).target == Cursor(step=3, layer=2)
