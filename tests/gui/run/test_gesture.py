"""Which changes are one gesture of the hand."""

import pytest

from attnviz.gui.run import gesture as module
from attnviz.gui.run.gesture import MERGE_WITHIN_S, Gesture


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
def test_that_a_gesture_goes_on_with_its_field_at_once_and_a_drag_until_its_end(
    field: str, before: str, apart: float, same: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module.time, "monotonic", lambda: 100.0 + apart)
    gesture = Gesture(before, number=7, began=40, last=100.0)
    after = gesture.then(field, 41)
    assert (after.number, after.began) == ((7, 40) if same else (8, 41))


def test_that_a_gesture_began_with_its_first_request_however_long_a_drag_pauses(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    now = [100.0]
    monkeypatch.setattr(module.time, "monotonic", lambda: now[0])
    gesture, began = Gesture(), []
    for generation, field in enumerate(("seed", "seed", "data#1", "data#1", "data#1", "data#2"), start=2):
        gesture = gesture.then(field, generation)
        began.append(gesture.began)
        now[0] += 2 * MERGE_WITHIN_S
    assert began == [2, 3, 4, 4, 4, 7]
