"""The lecturer's desk: it follows the lesson, leads it, has the answer of the run, and leaves nothing behind."""

import numpy as np
import pytest
from PySide6.QtCore import QCoreApplication, QEvent, Qt
from PySide6.QtGui import QFontInfo
from PySide6.QtWidgets import QAbstractButton, QLabel, QWidget
from pytestqt.qtbot import QtBot
from shiboken6 import Shiboken
from windows import Opener, Settle

from attnviz.experiment.lessons.lesson import Lesson
from attnviz.experiment.lessons.reading import lesson_named, lesson_of
from attnviz.gui.lessons.desk import Desk
from attnviz.gui.lessons.desk_parts import GRAB_MS, LessonClock, time_said
from attnviz.gui.lessons.lesson_text import LessonText
from attnviz.gui.theme import THEMES
from attnviz.gui.window.main_window import MainWindow
from attnviz.gui.window.screens import screen_beside, screen_of_hall

Key = Qt.Key
TEXT = """# Weights

```attnviz
{"minutes": 2}
```

## Choose

```attnviz
{"preset": "masked-softmax-book",
 "predict": {"choices": ["weights[0, 0, 0, 0] > 0.5", "weights[0, 0, 0, 0] < 0.5"]}}
```

### Predict

Key 1?

1. more than a half

   Too much.
2. {weights[0, 0, 0, 0]:.2f}

   As it is.

### Notes

- It has {weights[0, 0, 0, 0]:.3f}.

## Guess

```attnviz
{"predict": {"number": "weights[0, 0, 0, 1]", "within": 0.05}}
```

### Predict

How much?

### Hint

Less than one.

## Mark

```attnviz
{"predict": {"cells": "weights[0, 0] == 0"}}
```

### Predict

Which are zero?

## Act

```attnviz
{"controls": ["valid_lens"], "do": {"until": "valid_lens == [2, 4]", "answer": {"spec": {"valid_lens": [2, 4]}}}}
```

### Do

Set it to 4.

### Done

Well.

### Hint

A length.
"""
LESSON = lesson_of(TEXT, "99-weights")
ALL = (0, False), (0, True), (1, False), (1, True), (2, False), (2, True), (3, False)


def opened(window: MainWindow, settle: Settle, lesson: Lesson = LESSON, place: int = 0) -> Desk:
    window.lessons.open(lesson, place)
    settle(window)
    window.actions_["desk"].trigger()
    desk = window.lessons.desk
    assert desk is not None
    return desk


@pytest.fixture
def desk(window: MainWindow, settle: Settle) -> Desk:
    return opened(window, settle)


def test_that_its_keys_lead_the_lesson(window: MainWindow, desk: Desk, settle: Settle, qtbot: QtBot) -> None:
    now = window.lessons.now
    assert desk.hidden.text() == "the answer is hidden"
    qtbot.keyClick(desk, Key.Key_PageDown)
    assert (now.place, now.asks) == (0, False)
    assert desk.hidden.text() == "the answer is shown"
    qtbot.keyClick(desk, Key.Key_PageDown)
    settle(window)
    assert (now.place, now.asks) == (1, True)
    qtbot.keyClick(desk, Key.Key_PageUp)
    assert now.place == 0
    qtbot.mouseClick(desk.steps[3], Qt.MouseButton.LeftButton)
    assert now.place == 3
    assert [button.isChecked() for button in desk.steps] == [False, False, False, True]
    assert desk.now_title.text() == "4  Act"
    assert desk.on.text() == "Close the lesson"
    assert "ends" in desk.next.text.text()


def test_that_a_letter_answers_while_a_question_is_open_and_else_blanks_the_hall(
    window: MainWindow, desk: Desk, qtbot: QtBot
) -> None:
    window.present(True, full_screen=False)
    assert desk.hints["letters"].keys.text() == "A - B"
    qtbot.keyClick(desk, Key.Key_B)
    assert (window.lessons.now.given.guess, window.presentation.blank.on) == (1, False)
    assert not desk.hints["letters"].isVisible()
    for on in (True, False):
        qtbot.keyClick(desk, Key.Key_B)
        assert window.presentation.blank.on is on
    numbers = window.look.numbers
    qtbot.keyClick(desk, Key.Key_N)
    assert window.look.numbers is not numbers
    qtbot.keyClick(desk, Key.Key_Z)
    assert window.presentation.frozen.on
    window.present(False)
    assert not any(desk.hints[key].isVisible() for key in ("blank", "hide_numbers", "freeze", "spotlight"))


def test_that_it_has_the_answer_of_the_run_and_why_others_are_wrong(
    window: MainWindow, desk: Desk, settle: Settle, qtbot: QtBot
) -> None:
    trace = window.controller.shown
    assert trace is not None
    weights = trace.weights[0, 0]
    lines = [line for line in desk.answer.choices if line.isVisible()]
    assert [line.letter.text() for line in lines] == ["B", "A"]
    assert f"{weights[0, 0]:.2f}" in lines[0].text.text()
    assert "Too much." in lines[1].why.text()
    assert f"{weights[0, 0]:.3f}" in desk.say.text()
    window.lessons.now.go(1)
    settle(window)
    assert float(desk.answer.number.text()) == pytest.approx(weights[0, 1], abs=0.01)
    window.lessons.now.go(2)
    settle(window)
    assert desk.answer.cells.marked == set(map(tuple, np.argwhere(weights == 0).tolist()))
    window.lessons.now.go(3)
    settle(window)
    assert "A length." in desk.answer.hint.text()
    qtbot.mouseClick(desk.answer.show_me, Qt.MouseButton.LeftButton)
    settle(window)
    qtbot.waitUntil(lambda: desk.answer.state.text().startswith("✓"))


def test_that_the_clock_starts_with_the_first_step_led_on_and_stops_at_a_click(
    window: MainWindow, desk: Desk, qtbot: QtBot
) -> None:
    at = [100.0]
    clock = LessonClock(window.lessons.now, now=lambda: at[0])
    window.lessons.now.changed.emit()
    desk._clock = clock
    desk.gone.clicked.disconnect()
    desk.gone.clicked.connect(clock.toggle)
    at[0] += 50
    assert (clock.gone, clock.runs) == (0, False)
    window.lessons.now.on()
    at[0] += 61
    desk.show_time()
    assert (desk.gone.text(), desk.line.part) == ("01:01", pytest.approx(61 / 120))
    qtbot.mouseClick(desk.gone, Qt.MouseButton.LeftButton)
    at[0] += 500
    window.lessons.now.on()
    assert clock.gone == 61
    clock.toggle()
    at[0] += 5
    assert clock.gone == 66
    clock.reset()
    assert (clock.gone, clock.begun) == (0, False)
    window.lessons.now.back()
    assert clock.runs
    assert time_said(3700) == "1:01:40"


def test_that_the_hall_is_pictured_only_after_it_has_changed_and_not_too_often(
    window: MainWindow, desk: Desk, qtbot: QtBot
) -> None:
    picture = desk.picture
    qtbot.waitUntil(lambda: picture.taken > 0)
    qtbot.wait(3 * GRAB_MS)
    before = picture.taken
    qtbot.wait(2 * GRAB_MS)
    assert picture.taken == before
    hidden = picture.picture.toImage()
    window.lessons.now.on()
    for _ in range(20):
        window.panels.page.update()
        qtbot.wait(GRAB_MS // 20)
    assert 1 <= picture.taken - before <= 3
    qtbot.waitUntil(lambda: picture.picture.toImage() != hidden)
    desk.hide()
    before = picture.taken
    window.panels.page.update()
    qtbot.wait(2 * GRAB_MS)
    assert picture.taken == before


@pytest.mark.parametrize("way", ["key", "lesson", "window"])
def test_that_it_closes_with_its_key_with_the_lesson_and_with_the_window(
    way: str, window: MainWindow, desk: Desk, qtbot: QtBot
) -> None:
    if way == "key":
        qtbot.keyClick(desk, Key.Key_D, Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier)
    elif way == "lesson":
        window.lessons.now.close()
    else:
        window.close()
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
    assert window.lessons.desk is None
    assert not Shiboken.isValid(desk)
    assert window.findChildren(Desk) == []


def test_that_without_a_lesson_it_is_said_what_it_is_for(window: MainWindow) -> None:
    window.actions_["desk"].trigger()
    assert window.lessons.desk is None
    assert "lesson" in window.notice.text()


@pytest.mark.parametrize("size", [(1280, 800), (1920, 1080)])
@pytest.mark.parametrize("theme", ["light", "dark"])
def test_that_nothing_on_it_is_small_or_cut(
    size: tuple[int, int], theme: str, window: MainWindow, desk: Desk, settle: Settle
) -> None:
    desk.resize(*size)
    if window.look.theme is not THEMES[theme]:
        window.toggle_theme()
    for place, answered in ALL:
        window.lessons.now.go(place)
        settle(window)
        if answered:
            window.lessons.now.guess(None)
        parts = [part for part in desk.findChildren(QWidget) if part.isVisible()]
        assert min(QFontInfo(part.font()).pixelSize() for part in parts) >= 14
        texts = [part for part in parts if isinstance(part, LessonText)]
        assert [part.text() for part in texts if part.height() < part.heightForWidth(part.width())] == []
    colour = desk.body.grab().toImage().pixelColor(2, desk.height() - 2).name()
    assert colour == THEMES[theme].window


def test_that_its_type_is_its_own_whatever_the_hall_has(window: MainWindow, desk: Desk, qtbot: QtBot) -> None:
    def sizes() -> list[int]:
        return [QFontInfo(part.font()).pixelSize() for part in (desk.say, desk.title, desk.answer.answer, desk.on)]

    before = sizes()
    window.present(True, full_screen=False)
    assert sizes() == before
    window.present(False)
    qtbot.keyClick(desk, Key.Key_Plus)
    larger = sizes()
    assert larger[0] > before[0]
    assert larger[1] == before[1]
    qtbot.keyClick(desk, Key.Key_Minus)
    assert sizes() == before


@pytest.mark.usefixtures("chinese")
def test_that_another_language_keeps_it_open_with_its_time(window: MainWindow, desk: Desk) -> None:
    window.lessons.now.on()
    window.lessons.clock._gone += 300
    other = MainWindow(window.controller.spec, before=window)
    try:
        theirs = other.lessons.desk
        assert theirs is not None
        assert theirs.geometry() == desk.geometry()
        assert theirs.gone.text() >= "05:00"
        assert theirs.on.text() == "下一步 ›"
    finally:
        window.leave()
        other.keeper.asks = False
        other.close()
        other.deleteLater()


def test_that_the_hall_is_where_the_desk_is_not() -> None:
    wall, laptop = object(), object()
    assert screen_of_hall((laptop, wall), laptop, laptop) is wall
    assert screen_of_hall((laptop, wall), wall, laptop) is wall
    assert screen_of_hall((laptop, wall), laptop, None) is laptop
    assert screen_of_hall((laptop,), laptop, laptop) is laptop
    assert screen_beside((laptop,), laptop) is None


def texts_of(panel: QWidget) -> list[QLabel | QAbstractButton]:
    parts = [*panel.findChildren(QLabel), *panel.findChildren(QAbstractButton)]
    return [part for part in parts if part.isVisible() and (part.text() if hasattr(part, "text") else "")]


@pytest.mark.parametrize("at_start", [True, False])
def test_that_all_text_of_a_lesson_in_present_can_be_read_in_a_hall(
    at_start: bool, open_window: Opener, settle: Settle
) -> None:
    window = open_window(start=not at_start, size=(1920, 1080))
    window.present(True, full_screen=False)
    if at_start:
        window.start()
        settle(window)
    seen = 0
    for lesson, steps in ((LESSON, ALL), (lesson_named("04-masked-softmax"), ((0, False), (2, False), (6, False)))):
        for place, answered in steps:
            window.lessons.open(lesson, place)
            settle(window)
            panel = window.lessons.panel
            if answered:
                window.lessons.now.guess(None)
            panel.hint_button.click()
            places = panel, panel.head, panel.foot, window.lessons.question
            parts = [each for part in places for each in texts_of(part)]
            small = {part.text(): QFontInfo(part.font()).pixelSize() for part in parts}
            assert {text: size for text, size in small.items() if size < 22} == {}
            seen += len(parts)
    assert seen > 80
