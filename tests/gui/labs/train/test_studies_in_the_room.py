"""The pages of studies in the window: their studies run when the training rests, and what they propose is done."""

from typing import Any

from hands import Hands
from PySide6.QtWidgets import QToolButton
from small_specs import independent_trace
from windows import Opener

from attnviz.experiment.pin import Pin
from attnviz.experiment.run import Cursor
from attnviz.experiment.train.spec import TrainSpec
from attnviz.gui.window.main_window import MainWindow

TEXT = "a rose is a rose is a rose is a rose. "
SMALL = {"num_tokens": 8, "num_hiddens": 8, "num_heads": 2, "batch_size": 8, "steps": 12, "device": "cpu"}
REPEAT = TrainSpec(**{**SMALL, "task": {"kind": "repeat", "segment": 3}, "vocab_size": 8})
WRITES = TrainSpec(**{**SMALL, "task": {"kind": "text", "text": TEXT}, "vocab_size": len(set(TEXT))})


def turn_to(window: MainWindow, page: str) -> Any:
    """Press the button of a page, and return the page."""
    buttons = window.room.stage.page_buttons.findChildren(QToolButton)
    next(it for it in buttons if it.property("value") == page).click()
    assert window.room.view.page == page
    return window.room.stage.pages.pages[page]


def wait_beside(window: MainWindow, hands: Hands) -> None:
    """Wait until the training rests and all that the room wants beside it is there."""

    def all_there() -> bool:
        controller, room = window.controller, window.room
        rests = controller.up_to_date and not controller.computing_beside and not room._rest.isActive()
        return rests and not room.specs_beside(controller.spec)

    hands.qtbot.waitUntil(all_there, timeout=10_000)


def test_that_a_pinned_step_is_beside_heads_off_in_the_picture_the_read_out_and_the_session(
    open_window: Opener, hands: Hands
) -> None:
    window = open_window(REPEAT)
    page = turn_to(window, "compare")
    window.controller.seek(Cursor(step=5))
    hands.qtbot.waitUntil(lambda: window.controller.shown is not None and window.controller.shown.step == 5)
    hands.qtbot.mouseClick(page.pair.pin, hands.left)
    assert window.rooms.pins.all == (Pin(REPEAT, Cursor(step=5)),)
    assert window.session_state.session().all_pins == (Pin(REPEAT, Cursor(step=5)),)
    window.room.switch_head(1, 0)
    wait_beside(window, hands)
    a = independent_trace(REPEAT.model_copy(update={"steps": 5}))
    b = window.controller.shown
    assert b is not None
    assert (page.a.weights == a.weights).all()
    assert b.spec.heads_off == ("2.1",)  # type: ignore[attr-defined]
    assert page.pair.changes.text().count("accuracy") == 2
    hands.click(page.pair.b, page.pair.b.rect_of(6, 2))
    numbers = a.weights[0, 0, 6, 2], b.weights[0, 0, 6, 2]
    assert f"A {numbers[0]:.3f}  B {numbers[1]:.3f}" in window.room.stage.read_out.text()


def test_that_the_effect_of_heads_is_computed_at_rest_and_a_tile_chooses_a_head(
    open_window: Opener, hands: Hands
) -> None:
    window = open_window(REPEAT)
    page = turn_to(window, "effect")
    wait_beside(window, hands)
    assert "64 newly drawn sequences" in window.room.stage.sentence.text()
    assert window.room.stage.bar.isVisible()
    hands.click(page.picture, page.picture.cells[page.picture.values.values.shape[1] + 1].center())
    assert (window.room.view.layer, window.room.selection.locked.head) == (1, 1)
    switches = page.roles.lines[0][0]
    off = page.roles._effects[0].names
    hands.qtbot.mouseClick(switches, hands.left)
    wait_beside(window, hands)
    assert window.controller.spec.heads_off == off  # type: ignore[attr-defined]
    assert f"off: {', '.join(off)}" in window.status.badge.text()
    hands.qtbot.mouseClick(switches, hands.left)
    wait_beside(window, hands)
    assert window.controller.spec == REPEAT


def test_that_a_written_token_shows_what_the_model_saw_with_its_last_row(open_window: Opener, hands: Hands) -> None:
    window = open_window(WRITES)
    page = turn_to(window, "write")
    hands.type(page.prompt, "a ro")
    hands.qtbot.mouseClick(page.write, hands.left)
    wait_beside(window, hands)
    hands.qtbot.waitUntil(lambda: len(page.text.visible_words) == 80, timeout=10_000)
    written = "a ro" + "".join(page.text.visible_words)
    hands.click(page.text, page.text.place_of(20).center())
    seen = written[24 - 8 : 24]
    assert window.controller.spec.probe == tuple(seen)  # type: ignore[attr-defined]
    assert window.controller.undo_stack.undoText().startswith("Probe")
    hands.qtbot.waitUntil(lambda: window.controller.up_to_date)
    assert window.controller.shown is not None
    assert window.controller.shown.step == 12, "the training is kept"
    assert window.room.selection.locked.query == 7
    assert len(page.text.visible_words) == 80, "the text stays"
    turn_to(window, "train")
    assert window.room.view.prompt == "a ro"


def test_that_a_text_of_a_longer_or_another_model_is_said_and_not_looked_at(open_window: Opener, hands: Hands) -> None:
    window = open_window(WRITES)
    page = turn_to(window, "write")
    hands.qtbot.mouseClick(page.write, hands.left)
    wait_beside(window, hands)
    other = "xyz xyz xxy yyz x"
    of_another = (
        WRITES.model_copy(update={"num_tokens": 5}),
        TrainSpec(**{**SMALL, "task": {"kind": "text", "text": other}, "vocab_size": len(set(other))}),
    )
    for spec in of_another:
        window.controller.propose(spec)
        wait_beside(window, hands)
        page.text.chosen.emit(12)
        assert window.controller.spec == spec
        assert "Another model wrote this" in window.room.stage.sentence.text()
