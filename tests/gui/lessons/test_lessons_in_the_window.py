"""A lesson in the window: its step is shown, its question hides the picture, its task is judged as the learner acts."""

from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, QSettings, Qt
from PySide6.QtGui import QColor
from PySide6.QtWidgets import QLabel
from pytestqt.qtbot import QtBot
from windows import Opener, Settle

from attnviz.experiment.attention.trace import AttentionTrace
from attnviz.experiment.lessons.lesson import Lesson
from attnviz.experiment.lessons.reading import lesson_named, lesson_names, lesson_of
from attnviz.experiment.regression.trace import RegressionTrace
from attnviz.experiment.train.trace import TrainTrace
from attnviz.gui.labs.lab_stage import LabStage
from attnviz.gui.lessons.cells import HiddenCells
from attnviz.gui.lessons.lesson_panel import ChoiceButton
from attnviz.gui.lessons.open_lesson import Left, OpenLesson
from attnviz.gui.plots.matrix.heatmap import Heatmap
from attnviz.gui.run.mailbox import Ahead, Ready
from attnviz.gui.window.main_window import MainWindow

TEXT = """# Weights

```attnviz
{"minutes": 2}
```

## Choose

Row sums: {sum(weights[0, 0, 0]):.3f}

```attnviz
{"preset": "masked-softmax-book", "controls": ["valid_lens"], "look": {"query": 0, "key": 1},
 "predict": {"choices": ["weights[0, 0, 0, 0] > 0.5", "weights[0, 0, 0, 0] < 0.5"]}}
```

### Predict

Key 1?

1. more than a half

   Too much.
2. {weights[0, 0, 0, 0]:.2f}

### Answer

It has {weights[0, 0, 0, 0]:.2f}.

## Mark

```attnviz
{"predict": {"cells": "weights[0, 0] == 0"}}
```

### Predict

Which are zero?

## Guess

```attnviz
{"predict": {"number": "weights[0, 0, 0, 1]", "within": 0.05}}
```

### Predict

How much?

## Act

```attnviz
{"controls": ["valid_lens"], "look": {"control": "valid_lens"},
 "do": {"until": "valid_lens == [2, 4] and query == 0",
         "answer": {"spec": {"valid_lens": [2, 4]}, "view": {"query": 0}}}}
```

### Do

Set it to 4.

### Done

Well.

### Hint

A length.
"""
LESSON = lesson_of(TEXT, "99-weights")


@pytest.fixture
def lesson(window: MainWindow, settle: Settle) -> MainWindow:
    """A window with the lesson at its first step."""
    return shown(window, settle, LESSON, 0)


def shown(window: MainWindow, settle: Settle, lesson: Lesson, place: int) -> MainWindow:
    window.lessons.open(lesson, place)
    settle(window)
    return window


def has_picture(window: MainWindow) -> bool:
    return isinstance(window.panels.stages.currentWidget(), LabStage)


def test_that_a_question_hides_picture_inspector_and_facts_until_answered(lesson: MainWindow, qtbot: QtBot) -> None:
    window, panel = lesson, lesson.lessons.panel
    assert window.controller.shown is not None
    assert window.controller.shown.spec == LESSON.steps[0].spec
    assert not has_picture(window)
    assert not window.room.stage.isVisible()
    assert not window.room.inspector.isVisible()
    assert "1.000" not in window.status.facts.text()
    assert "Row sums: 1.000" in panel.text.text()
    qtbot.mouseClick(panel.question.choices[0], Qt.MouseButton.LeftButton)
    assert has_picture(window)
    assert window.room.inspector.isVisible()
    assert "1.000" in window.status.facts.text()
    true = window.controller.shown.weights[0, 0, 0, 0]
    assert f"It has {true:.2f}." in panel.question.answer.text()
    assert [choice.accessibleName().split()[-1] for choice in panel.question.choices[:2]] == ["wrong", "right"]


def test_that_what_is_looked_at_is_held_ringed_and_said_in_the_words_of_the_run(
    lesson: MainWindow, settle: Settle, qtbot: QtBot
) -> None:
    window = lesson
    assert not window.lessons.ring.isVisible()
    window.lessons.now.guess(None)
    settle(window)
    qtbot.waitUntil(window.lessons.ring.isVisible)
    assert (window.room.selection.locked.query, window.room.selection.locked.key) == (0, 1)
    stage = window.room.stage
    assert window.lessons.panel.looked_at.accessibleName().replace("\\", "") == stage.sentence.text()
    ring, page = window.lessons.ring.geometry(), window.panels.page
    inside = page.mapTo(window.centralWidget(), QPoint())
    assert ring.left() > inside.x()
    assert ring.width() < page.width() / 2


def test_that_a_step_without_a_question_says_at_once_what_is_looked_at(
    window: MainWindow, settle: Settle, qtbot: QtBot
) -> None:
    block = '{"preset": "masked-softmax-book", "view": {"stage": "scores"}, "look": {"query": 0, "key": 1}}'
    shown(window, settle, lesson_of(f"# A\n## B\nc\n```attnviz\n{block}\n```\n"), 0)
    said = window.lessons.panel.looked_at
    qtbot.waitUntil(said.isVisible)
    assert said.accessibleName().replace("\\", "") == window.room.stage.sentence.text()


def test_that_a_number_is_typed_at_once_but_in_present_where_letters_are_keys(
    window: MainWindow, settle: Settle, qtbot: QtBot
) -> None:
    shown(window, settle, LESSON, 2)
    number = window.lessons.panel.question.number
    qtbot.waitUntil(lambda: window.focusWidget() is number)
    window.lessons.now.go(3)
    window.present(True, full_screen=False)
    window.lessons.now.go(2)
    settle(window)
    assert window.focusWidget() is not number


def test_that_what_is_right_can_be_read_as_well_once_it_is_known(lesson: MainWindow, qtbot: QtBot) -> None:
    choices = lesson.lessons.panel.question.choices
    qtbot.mouseClick(choices[0], Qt.MouseButton.LeftButton)
    text = lesson.look.theme.text
    for choice in choices[:2]:
        letter = choice.findChild(QLabel)
        assert isinstance(letter, QLabel)
        image, background = letter.grab().toImage(), choice.grab().toImage().pixelColor(8, choice.height() // 2)
        darkest = min(
            (image.pixelColor(x, y) for x in range(image.width()) for y in range(image.height())),
            key=lambda colour: colour.lightness(),
        )
        assert abs(darkest.lightness() - QColor(text).lightness()) < 30 < background.lightness()


def test_that_marked_cells_are_compared_with_those_of_the_run(window: MainWindow, settle: Settle, qtbot: QtBot) -> None:
    shown(window, settle, LESSON, 1)
    cells, question = window.lessons.question.cells, window.lessons.panel.question
    qtbot.waitUntil(cells.isVisible)
    for row, column in ((0, 2), (0, 3), (1, 2)):
        qtbot.mouseClick(cells, Qt.MouseButton.LeftButton, pos=cells.rect_of(row, column).center().toPoint())
    qtbot.keyClick(cells, Qt.Key.Key_Right)
    qtbot.keyClick(cells, Qt.Key.Key_Left)
    assert cells.marked == {(0, 2), (0, 3), (1, 2)}
    qtbot.mouseClick(question.take, Qt.MouseButton.LeftButton)
    mine, its = question.findChildren(HiddenCells)
    assert (mine.marked, mine.wrong) == ({(0, 2), (0, 3), (1, 2)}, {(1, 3)})
    assert its.marked == {(row, column) for row in (0, 1) for column in (2, 3)}
    assert "1 cells" not in question.verdict.text() or has_picture(window)


def test_that_cells_are_marked_by_keyboard_at_once_and_the_presenters_key_compares_them(
    window: MainWindow, settle: Settle, qtbot: QtBot
) -> None:
    shown(window, settle, LESSON, 1)
    cells, question = window.lessons.question.cells, window.lessons.panel.question
    qtbot.waitUntil(lambda: window.focusWidget() is cells)
    for key in (Qt.Key.Key_Right, Qt.Key.Key_Right, Qt.Key.Key_Space, Qt.Key.Key_PageDown):
        qtbot.keyClick(cells, key)
    mine, _ = question.findChildren(HiddenCells)
    assert (mine.marked, mine.wrong) == ({(0, 2)}, {(0, 3), (1, 2), (1, 3)})
    assert mine.isVisible()


@pytest.mark.parametrize("preset", ["masked-softmax-book", "projections"])
def test_that_hidden_cells_have_the_names_that_the_picture_has(
    window: MainWindow, settle: Settle, qtbot: QtBot, preset: str
) -> None:
    block = f'{{"preset": "{preset}", "predict": {{"cells": "weights[0, 0] > 0"}}}}'
    shown(window, settle, lesson_of(f"# A\n## B\nc\n```attnviz\n{block}\n```\n### Predict\nd\n"), 0)
    cells, trace = window.lessons.question.cells, window.controller.shown
    qtbot.waitUntil(cells.isVisible)
    assert isinstance(trace, AttentionTrace)
    assert (cells.row_names, cells.column_names) == (trace.query_names, trace.key_names)


def test_that_without_a_guess_no_cells_are_said_to_be_the_learners(window: MainWindow, settle: Settle) -> None:
    shown(window, settle, LESSON, 1)
    window.lessons.now.on()
    mine, its = window.lessons.panel.question.findChildren(HiddenCells)
    assert (mine.isVisible(), its.isVisible()) == (False, True)


def test_that_an_answer_comes_with_the_picture_that_was_asked_about(
    lesson: MainWindow, settle: Settle, qtbot: QtBot
) -> None:
    window = lesson
    window.next_preset()
    settle(window)
    assert window.controller.spec != LESSON.steps[0].spec
    assert not has_picture(window)
    qtbot.mouseClick(window.lessons.panel.question.choices[1], Qt.MouseButton.LeftButton)
    settle(window)
    assert window.controller.spec == LESSON.steps[0].spec
    assert has_picture(window)


def test_that_what_is_hidden_cannot_be_exported_until_it_is_shown(lesson: MainWindow) -> None:
    exports = [lesson.actions_[key] for key in ("figure", "animation", "save_numbers")]
    assert not any(action.isEnabled() for action in exports)
    lesson.lessons.now.guess(None)
    assert all(action.isEnabled() for action in exports)


@pytest.mark.parametrize("typed", ["nan", "1e999", "a half"])
def test_that_what_is_no_number_is_no_answer(window: MainWindow, settle: Settle, qtbot: QtBot, typed: str) -> None:
    shown(window, settle, LESSON, 2)
    question = window.lessons.panel.question
    question.number.setText(typed)
    qtbot.keyClick(question.number, Qt.Key.Key_Return)
    assert window.lessons.now.asks
    assert question.problem.isVisible()


@pytest.mark.parametrize(("typed", "said"), [("0.86", "Right"), ("0,9", "Right"), ("0.2", "You answered 0.2")])
def test_that_a_number_is_compared_with_that_of_the_run(
    window: MainWindow, settle: Settle, qtbot: QtBot, typed: str, said: str
) -> None:
    shown(window, settle, LESSON, 2)
    question = window.lessons.panel.question
    question.number.setText("much")
    qtbot.keyClick(question.number, Qt.Key.Key_Return)
    assert "much" in question.problem.text()
    assert not has_picture(window)
    question.number.setText(typed)
    qtbot.keyClick(question.number, Qt.Key.Key_Return)
    assert question.verdict.text().startswith(said)
    assert has_picture(window)


def test_that_a_task_is_done_by_the_learner_or_shown_and_a_step_comes_back(
    window: MainWindow, settle: Settle, qtbot: QtBot
) -> None:
    shown(window, settle, LESSON, 3)
    panel, now = window.lessons.panel, window.lessons.now
    form = window.room.form
    visible = [name for name in type(form.spec).model_fields if (row := form.row_of(name)) and row.isVisible()]
    assert visible == ["valid_lens"]
    assert not now.given.done
    form.propose(form.spec.model_copy(update={"valid_lens": (2, 2)}), "valid_lens")
    settle(window)
    assert panel.restore.isVisible()
    settle(window)
    assert panel.body.width() <= panel.area.viewport().width(), "three buttons make no text wider than the panel"
    now.check()
    assert not now.given.done
    qtbot.mouseClick(panel.restore, Qt.MouseButton.LeftButton)
    settle(window)
    assert form.spec == LESSON.steps[3].spec
    assert not panel.restore.isVisible()
    form.propose(form.spec.model_copy(update={"valid_lens": (2, 4)}), "valid_lens")
    settle(window)
    window.room.selection.lock(replace(window.room.selection.locked, query=0))
    qtbot.waitUntil(lambda: now.given.done)
    assert panel.task.done.isVisible()
    now.begin_again()
    now.go(3)
    settle(window)
    qtbot.mouseClick(panel.task.show_me, Qt.MouseButton.LeftButton)
    settle(window)
    qtbot.waitUntil(lambda: now.given.done)


def test_that_the_keys_of_a_presenter_show_the_answer_first_and_then_the_next_step(
    lesson: MainWindow, settle: Settle, qtbot: QtBot
) -> None:
    window, now = lesson, lesson.lessons.now
    stage = window.room.view.stage
    qtbot.keyClick(window, Qt.Key.Key_PageDown)
    assert (now.place, now.asks) == (0, False)
    qtbot.keyClick(window, Qt.Key.Key_PageDown)
    settle(window)
    assert (now.place, now.asks) == (1, True)
    qtbot.keyClick(window, Qt.Key.Key_PageUp)
    settle(window)
    assert (now.place, now.asks) == (0, False)
    assert window.room.view.stage == stage
    now.close()
    qtbot.keyClick(window, Qt.Key.Key_PageDown)
    assert window.room.view.stage != stage
    assert has_picture(window)
    assert window.room.form.row_of("seed").isVisible()


def test_that_in_present_the_lesson_is_open_and_b_is_a_choice(lesson: MainWindow, settle: Settle, qtbot: QtBot) -> None:
    window = lesson
    window.present(True, full_screen=False)
    settle(window)
    assert window.lessons.panel.isVisible()
    assert window.lessons.panel.next.font().pixelSize() > 20
    assert window.panels.right.folded
    qtbot.keyClick(window, Qt.Key.Key_B)
    assert window.lessons.now.given.guess == 1
    assert not window.presentation.blank.on


def test_that_a_step_of_the_same_run_has_its_numbers_at_once(window: MainWindow, settle: Settle) -> None:
    same = lesson_of(
        '# A\n## B\n{num_heads}\n```attnviz\n{"view": {"stage": "scores"}}\n```\n## C\n{max(weights):.4f}\n'
    )
    shown(window, settle, same, 0)
    trace = window.controller.shown
    window.lessons.now.go(1)
    assert trace is not None
    assert f"{trace.weights.max():.4f}" in window.lessons.panel.text.text()


def test_that_undo_takes_back_what_a_step_has_shown(lesson: MainWindow, settle: Settle) -> None:
    window = lesson
    window.lessons.now.go(3)
    settle(window)
    before = window.controller.spec
    window.lessons.now.solve()
    settle(window)
    assert window.actions_["undo"].text() != ""
    window.actions_["undo"].trigger()
    settle(window)
    assert window.controller.spec == before


def test_that_progress_is_kept_for_lessons_that_come_along(
    window: MainWindow, settle: Settle, tmp_path: Path, open_window: Opener
) -> None:
    settings = QSettings(str(tmp_path / "s.ini"), QSettings.Format.IniFormat)
    settings.setValue("lessons/04-masked-softmax", "nonsense:1,x")
    window.lessons.now.load(settings)
    window.lessons.open_named("04-masked-softmax")
    window.lessons.now.guess(None)
    window.lessons.now.go(1)
    settle(window)
    window.lessons.now.save(settings)
    other = OpenLesson(window.controller, window.rooms, window.session_state, window)
    other.load(settings)
    assert other._progress["04-masked-softmax"] == Left(1, frozenset({0}))


def test_that_a_file_that_is_no_lesson_is_said_and_changes_nothing(
    window: MainWindow, tmp_path: Path, qtbot: QtBot
) -> None:
    path = tmp_path / "mine.md"
    path.write_text("# A\n## B\n### Dox\n", encoding="utf-8")
    spec = window.controller.spec
    window.lessons.open_file(path)
    qtbot.waitUntil(lambda: "line 3" in window.notice.text())
    window.lessons.open_file(tmp_path / "gone.md")
    qtbot.waitUntil(lambda: "gone.md" in window.notice.text())
    assert not window.lessons.is_open
    assert window.controller.spec == spec


def test_that_a_window_that_starts_with_a_lesson_trains_nothing_that_is_stored(
    open_window: Opener, settle: Settle, qtbot: QtBot
) -> None:
    lesson = lesson_named("10-a-head-is-born")
    window = open_window(lesson.steps[0].spec, start=False)
    window.lessons.open(lesson, 1)
    window.start()
    settle(window)
    assert window.controller.shown is not None
    assert window.controller.shown.step == 400
    window.lessons.now.guess(None)
    assert "from the file" in window.status.facts.text()
    window.lessons.now.go(8)
    settle(window)
    window.lessons.now.solve()
    settle(window)
    qtbot.waitUntil(lambda: window.lessons.now.given.done)  # once the test has come


def test_that_a_step_begins_at_its_first_line_after_the_answer_of_the_step_before(
    open_window: Opener, settle: Settle, qtbot: QtBot
) -> None:
    window = open_window(size=(1280, 800))
    window.present(True, full_screen=False)
    panel, now = window.lessons.panel, window.lessons.now
    window.lessons.open(lesson_named("11-inside-a-real-model"), 8)
    settle(window)
    now.guess(None)
    settle(window)
    now.go(9)
    settle(window)
    bar = panel.area.verticalScrollBar()
    qtbot.waitUntil(lambda: bar.maximum() > 0 and not panel._news.isActive())
    assert bar.value() == 0
    window.present(False)


def answer_all(window: MainWindow, settle: Settle) -> None:
    """Go through the open lesson; every question is answered and every task done."""
    now = window.lessons.now
    assert now.lesson is not None
    for place in range(len(now.lesson.steps)):
        now.go(place)
        settle(window)
        if now.asks:
            now.guess(None)
        now.solve()
        settle(window)
    now.check()
    assert all(map(now.is_finished, range(len(now.lesson.steps))))


def test_that_a_lesson_gone_through_once_opens_unanswered_and_asks_whether_to_continue(
    window: MainWindow, settle: Settle, qtbot: QtBot
) -> None:
    shown(window, settle, LESSON, 0)
    answer_all(window, settle)
    now, panel = window.lessons.now, window.lessons.panel
    now.go(2)
    now.close()
    window.lessons.open(LESSON)
    settle(window)
    assert (now.place, now.asks, panel.left.isVisible()) == (0, True, True)
    assert not any(map(now.is_finished, range(4)))
    now.close()  # without a decision
    window.lessons.open(LESSON)
    settle(window)
    qtbot.mouseClick(panel.left.resume, Qt.MouseButton.LeftButton)
    settle(window)
    assert (now.place, now.asks, panel.left.isVisible()) == (2, False, False)
    assert all(map(now.is_finished, range(4)))
    window.lessons.open(LESSON)
    qtbot.mouseClick(panel.left.again, Qt.MouseButton.LeftButton)
    settle(window)
    assert (now.place, now.asks, panel.left.isVisible()) == (0, True, False)


def test_that_present_and_the_desk_begin_with_nothing_answered_whatever_was_rehearsed(
    window: MainWindow, settle: Settle
) -> None:
    now, lessons = window.lessons.now, window.lessons
    shown(window, settle, LESSON, 0)
    for begin, end in (
        (lambda: window.present(True, full_screen=False), lambda: window.present(False)),
        (lessons.toggle_desk,) * 2,
    ):
        answer_all(window, settle)
        now.go(2)
        begin()
        settle(window)
        assert (now.place, now.asks) == (2, True), "where the lecturer was, and asked again"
        assert not any(map(now.is_finished, range(4)))
        lessons.open(LESSON)
        settle(window)
        assert (now.place, now.asks, lessons.panel.left.isVisible()) == (0, True, False)
        now.guess(None)
        lessons.begin_lecture()  # before an audience already: an answer that was given stays
        assert not now.asks
        end()
        settle(window)


def test_that_a_task_is_done_only_while_its_condition_holds(window: MainWindow, settle: Settle, qtbot: QtBot) -> None:
    shown(window, settle, LESSON, 3)
    now, panel = window.lessons.now, window.lessons.panel
    now.solve()
    settle(window)
    qtbot.waitUntil(panel.task.done.isVisible)
    form = window.room.form
    form.propose(form.spec.model_copy(update={"valid_lens": (2, 1)}), "valid_lens")
    settle(window)
    qtbot.waitUntil(lambda: not panel.task.done.isVisible())
    assert "done" not in panel.task.state.text()
    assert now.is_finished(3), "what was done once counts"
    now.go(0)
    now.go(3)
    settle(window)
    assert not panel.task.done.isVisible()


TRAINED = lesson_of(
    """# T
## Begin
At {step}.
```attnviz
{"spec": {"lab": "train", "num_tokens": 20, "steps": 60}, "view": {"step": 2}}
```
## End
After all {loss[59]:.3f}.
```attnviz
{"view": {"step": null}, "predict": {"choices": ["step == 60", "step < 60"]}}
```
### Predict
When?
1. then

   It is {loss[59]:.3f}.
2. now
### Answer
At {step}.
""",
    "98-trained",
)


def test_that_the_text_of_a_step_waits_for_its_run_and_has_no_gap(
    window: MainWindow, settle: Settle, qtbot: QtBot
) -> None:
    shown(window, settle, TRAINED, 0)
    now, panel = window.lessons.now, window.lessons.panel
    now._ahead = {}  # as if there had been no time to make it
    now.go(1)
    now.on()  # paged on before the run is there
    seen = []

    def look() -> bool:
        words = " ".join(label.text() for label in panel.findChildren(QLabel) if label.isVisible())
        seen.append(words)
        assert "…" not in words
        judged = [choice.accessibleName() for choice in panel.question.choices[:2] if choice.isVisible()]
        assert not judged or "right" in judged[0]
        return not now.waits

    qtbot.waitUntil(look, timeout=60_000)
    settle(window)
    look()
    trace = window.controller.shown
    assert trace is not None
    assert trace.step == 60
    assert "At 60" in seen[-1]
    assert not panel.waiting.isVisible()


def test_that_the_run_of_the_next_step_is_made_ahead_and_is_the_same(
    window: MainWindow, settle: Settle, qtbot: QtBot
) -> None:
    shown(window, settle, TRAINED, 1)
    now = window.lessons.now
    now.go(0)
    qtbot.waitUntil(lambda: 1 in now._ahead, timeout=60_000)
    ahead = now._ahead[1]
    now.go(1)
    assert not now.waits
    settle(window)
    qtbot.waitUntil(lambda: window.controller.shown is not None and window.controller.shown.step == 60)
    trace = window.controller.shown
    assert trace is not None
    assert (ahead["weights"] == trace.weights).all()
    assert (ahead["loss"] == trace.arrays()["loss"]).all()


def test_that_a_run_made_ahead_for_a_step_left_meanwhile_is_not_taken_for_the_next(
    window: MainWindow, settle: Settle, qtbot: QtBot
) -> None:
    shown(window, settle, TRAINED, 0)
    now, controller, trace = window.lessons.now, window.controller, window.controller.shown
    assert trace is not None
    assert (trace.step, trace.spec) == (2, TRAINED.steps[1].spec)
    qtbot.waitUntil(lambda: 1 in now._ahead, timeout=60_000)
    controller.ahead_taken.emit(Ahead(trace.spec, trace.cursor, trace=trace))  # late
    now.go(1)
    qtbot.waitUntil(lambda: not now.waits, timeout=60_000)
    assert now.values is not None
    assert (now.values["step"], now.right_choice) == (60, 0)


def test_that_a_lesson_left_at_its_first_step_is_not_offered_to_be_continued(
    window: MainWindow, settle: Settle
) -> None:
    window.lessons.open(TRAINED)
    settle(window)
    window.lessons.now.close()
    window.lessons.open(TRAINED)
    settle(window)
    assert not window.lessons.panel.left.isVisible()


def test_that_a_lesson_ends_with_the_next_one(window: MainWindow, settle: Settle, qtbot: QtBot) -> None:
    first, last = lesson_names()[0], lesson_names()[-1]
    now, panel = window.lessons.now, window.lessons.panel
    lesson = lesson_named(first)
    shown(window, settle, lesson, len(lesson.steps) - 1)
    assert panel.next.isEnabled()
    assert lesson_named(lesson_names()[1]).title in panel.next.toolTip()
    qtbot.mouseClick(panel.next, Qt.MouseButton.LeftButton)
    settle(window)
    assert now.lesson is not None
    assert (now.lesson.name, now.place) == (lesson_names()[1], 0)
    lesson = replace(lesson_named(first), name=last)
    shown(window, settle, lesson, len(lesson.steps) - 1)
    qtbot.mouseClick(panel.next, Qt.MouseButton.LeftButton)
    assert now.lesson is None


def test_that_a_control_has_its_full_height_the_first_time_that_its_step_is_shown(
    open_window: Opener, settle: Settle, qtbot: QtBot
) -> None:
    window = open_window(size=(1280, 800))
    now = window.lessons.now
    window.lessons.open(lesson_named("07-many-heads-at-the-cost-of-one"), 4)
    settle(window)
    now.guess(None)
    settle(window)
    now.go(5)
    settle(window)
    row = window.room.form.row_of("num_heads")
    assert row is not None
    qtbot.waitUntil(row.isVisible)
    qtbot.waitUntil(lambda: row.height() >= row.sizeHint().height())
    assert row.visibleRegion().boundingRect().height() == row.height()


def test_that_a_question_hides_the_result_and_not_the_inputs(window: MainWindow, settle: Settle, qtbot: QtBot) -> None:
    question = window.lessons.question
    shown(window, settle, lesson_named("01-averaging-and-weighting"), 2)
    trace = window.controller.shown
    assert isinstance(trace, RegressionTrace)
    qtbot.waitUntil(lambda: question.inputs is not None and question.inputs.isVisible())
    assert (question.inputs.points.x == trace.x_train).all()
    assert (question.inputs.points.y == trace.y_train).all()
    assert question.inputs.line.x == trace.x_test[5]
    shown(window, settle, TRAINED, 1)
    trace = window.controller.shown
    assert isinstance(trace, TrainTrace)
    qtbot.waitUntil(question.sequence.isVisible)
    assert tuple(question.sequence.tokens) == trace.tokens
    assert question.inputs is None
    assert not has_picture(window)


def test_that_the_rows_of_a_sequence_with_a_token_twice_have_their_positions(
    window: MainWindow, settle: Settle, qtbot: QtBot
) -> None:
    block = '{"preset": "model-induction", "view": {"page": "stages"}}'
    shown(window, settle, lesson_of(f"# A\n## B\nc\n```attnviz\n{block}\n```\n"), 0)
    maps = [each for each in window.room.stage.findChildren(Heatmap) if each.isVisible() and each.matrix is not None]
    matrix = max(maps, key=lambda each: each.width()).matrix
    assert matrix is not None
    names = window.controller.shown.tokens
    assert tuple(matrix.row_labels) == tuple(f"{name} ({place})" for place, name in enumerate(names, 1))


def test_that_before_an_audience_a_lesson_says_its_sentence_once_and_titles_are_whole(
    open_window: Opener, settle: Settle, qtbot: QtBot
) -> None:
    window = open_window(size=(1920, 1080))
    window.present(True, full_screen=False)
    window.lessons.open(lesson_named("10-a-head-is-born"), 5)
    settle(window)
    stage, panel = window.room.stage, window.lessons.panel
    qtbot.waitUntil(lambda: bool(stage.sentence.text()))
    qtbot.wait(100)
    assert not panel.looked_at.isVisible()
    for label in (stage.head.title, stage.head.chapter):
        assert not label.isVisible() or label.width() >= label.fontMetrics().horizontalAdvance(label.text())
    window.present(False)
    settle(window)
    assert panel.looked_at.isVisible()


def _is_whole(choice: ChoiceButton) -> bool:
    layout = choice.layout()
    return layout is not None and choice.height() >= layout.heightForWidth(choice.width())


@pytest.mark.usefixtures("chinese")
def test_that_a_choice_is_as_high_as_its_text_and_its_reason(open_window: Opener, settle: Settle, qtbot: QtBot) -> None:
    window, lesson = open_window(), lesson_named("07-many-heads-at-the-cost-of-one", "zh_CN")
    choices = window.lessons.panel.question.choices
    for place in (2, 3, 6):
        window.lessons.open(lesson, place)
        settle(window)
        window.lessons.now.guess(None)
        qtbot.waitUntil(lambda: all(map(_is_whole, (each for each in choices if each.isVisible()))))


def test_that_a_step_says_what_it_waits_for(open_window: Opener, settle: Settle, qtbot: QtBot) -> None:
    window = open_window(start=False)
    now, panel = window.lessons.now, window.lessons.panel
    window.lessons.open(TRAINED)
    qtbot.waitUntil(panel.waiting.isVisible)
    assert panel.waiting.text() == "Loading PyTorch ..."
    window.start()
    settle(window)
    qtbot.waitUntil(lambda: not now.waits)
    assert now.waits_for == ""
    assert not panel.waiting.isVisible()


def test_that_the_page_of_a_question_says_what_it_waits_for_until_that_is_there(
    open_window: Opener, settle: Settle, qtbot: QtBot
) -> None:
    window = open_window(start=False)
    said = window.lessons.question.said
    window.lessons.open(LESSON, 0)
    qtbot.waitUntil(said.isVisible)
    assert said.text() == "Loading PyTorch ..."
    window.start()
    settle(window)
    qtbot.waitUntil(said.isHidden)


def test_that_a_question_about_own_functions_waits_for_their_process(open_window: Opener, qtbot: QtBot) -> None:
    window = open_window(start=False)
    window.lessons.open(lesson_named("14-write-your-own-mask"), 0)
    window.controller.engine_ready.emit(Ready((("cpu", "cpu"),)))
    qtbot.waitUntil(window.lessons.question.said.isVisible)
    awaited = "starting the process of your functions"
    assert window.lessons.question.said.text() == f"Computing the picture of this step: {awaited} ..."
