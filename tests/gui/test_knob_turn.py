"""Which changes are one turn of a knob."""

import pytest

from attnviz.gui.run import gesture as knob_turn
from attnviz.gui.run.gesture import MERGE_WITHIN_S, KnobTurn, goes_on


@pytest.mark.parametrize(
    ("field", "before", "apart", "same"),
    [
        ("seed", "seed", MERGE_WITHIN_S - 0.01, True),
        ("seed", "seed", MERGE_WITHIN_S, False),
        ("seed", "num_heads", 0.0, False),
        ("", "", 0.0, False),
        ("data#3", "data#3", 10 * MERGE_WITHIN_S, True),
        ("data#4", "data#3", 0.0, False),
    ],
)
def test_that_a_turn_goes_on_with_its_field_at_once_and_a_drag_until_its_end(
    field: str, before: str, apart: float, same: bool
) -> None:
    assert goes_on(field, before, apart) is same


def test_that_a_turn_began_with_its_first_request_however_long_a_drag_pauses(monkeypatch: pytest.MonkeyPatch) -> None:
    now = [100.0]
    monkeypatch.setattr(knob_turn.time, "monotonic", lambda: now[0])
    turn, began = KnobTurn(), []
    for generation, field in enumerate(("seed", "seed", "data#1", "data#1", "data#1", "data#2"), start=2):
        turn.change(field, generation)
        began.append(turn.began)
        now[0] += 2 * MERGE_WITHIN_S
    assert began == [2, 3, 4, 4, 4, 7]
