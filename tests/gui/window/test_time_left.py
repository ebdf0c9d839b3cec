"""How long a training will take is measured over its last steps."""

import pytest

from attnviz.gui.window.status_bar import TimeLeft


def test_that_the_time_left_follows_from_the_pace_of_the_last_steps() -> None:
    left = TimeLeft()
    assert left.seconds(100) is None
    for step in range(11):
        left.note("one", step, step * 0.5)
    assert left.seconds(100) == pytest.approx(45)
    for step in range(11, 61):  # it has become ten times as fast
        left.note("one", step, 5 + (step - 10) * 0.05)
    left.note("one", 80, 8.5)
    assert left.seconds(100) == pytest.approx(1, rel=0.2)


def test_that_another_training_or_an_earlier_step_begins_anew() -> None:
    left = TimeLeft()
    left.note("one", 0, 0.0)
    left.note("one", 10, 1.0)
    left.note("two", 11, 2.0)
    assert left.seconds(100) is None
    left.note("two", 21, 3.0)
    left.note("two", 5, 4.0)
    assert left.seconds(100) is None
    left.note("two", 5, 5.0)  # the same step again
    assert left.seconds(100) is None
    left.forget()
    assert left.seconds(100) is None
