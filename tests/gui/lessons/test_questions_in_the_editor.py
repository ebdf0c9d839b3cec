"""Questions and tasks are written in the window by someone who knows no file format; what is wrong is said at once."""

from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QAbstractButton
from pytestqt.qtbot import QtBot
from windows import Settle

from attnviz.engine.lessons import check_lesson
from attnviz.experiment.lessons.reading import lesson_named, lesson_names, lesson_of, read_lesson
from attnviz.gui.lessons.lesson_draft import LessonDraft
from attnviz.gui.lessons.lesson_editor import LessonEditor
from attnviz.gui.lessons.typed_fields import Field
from attnviz.gui.window.main_window import MainWindow

CTRL = Qt.KeyboardModifier.ControlModifier


def click(qtbot: QtBot, button: QAbstractButton) -> None:
    """Click a button as the user does, once it is in sight."""
    assert button.isVisible()
    button.click()


def type_in(qtbot: QtBot, field: Field, text: str) -> None:
    field.box.setFocus()
    field.box.selectAll()
    qtbot.keyClicks(field.box, text)


def checked(qtbot: QtBot, draft: LessonDraft) -> dict[str, str]:
    """Return what is wrong with the chosen step, by its fields."""
    qtbot.waitUntil(lambda: draft.now.step is draft.step and not draft._checking.busy)
    return {problem.field: str(problem.text) for problem in draft.now.problems}


def begin(window: MainWindow, settle: Settle, name: str) -> tuple[LessonEditor, LessonDraft]:
    window.session_state.open_preset(name)
    settle(window)
    window.lessons.add_step()
    return window.lessons.editor, window.lessons.draft


def test_that_a_newcomer_writes_a_question_and_a_task_that_a_student_takes(
    window: MainWindow, settle: Settle, qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    window.activateWindow()
    room = window.room
    window.session_state.open_preset("masked-softmax-book")
    settle(window)
    room.selection.lock(replace(room.selection.locked, query=1, key=1))
    window.lessons.add_step()
    editor, draft = window.lessons.editor, window.lessons.draft
    type_in(qtbot, editor.fields["title"], "A mask")
    editor.fields["text"].box.setFocus()
    qtbot.keyClicks(editor.text, "Query 2 gives key 2 ")
    field = editor.fields["text"]
    field.list_offers()
    field.menu.actions()[0].trigger()  # the weight that is held comes first
    assert editor.text.toPlainText() == "Query 2 gives key 2 {weights[0, 0, 1, 1]:.2f}"

    editor.question.form.press("choices")
    type_in(qtbot, editor.question.question, "Which key gets the larger weight?")
    for place, (text, why) in enumerate((("Key 1", "Its score is smaller."), ("Key 2", "Its score is larger."))):
        type_in(qtbot, editor.question.choices[place].text, text)
        type_in(qtbot, editor.question.choices[place].why, why)
    assert checked(qtbot, draft) == {"choices": "no choice is marked as the right one"}
    assert editor.question.of_choices.isVisible()
    click(qtbot, editor.question.choices[1].right)
    assert not editor.question.choices[0].text.problems.is_wrong
    type_in(qtbot, editor.question.answer, "The larger score wins.")
    assert checked(qtbot, draft) == {}
    assert not editor.question.of_choices.isVisible()

    click(qtbot, editor.task.has_task)
    type_in(qtbot, editor.task.task, "Use another seed.")
    window.controller.propose(window.controller.spec.model_copy(update={"seed": 7}))
    settle(window)
    click(qtbot, editor.task.take)
    assert editor.task.until.text == "seed == 7"
    assert checked(qtbot, draft) == {}
    assert editor.task.holds.text().startswith("✓")
    type_in(qtbot, editor.task.done, "Other weights.")
    assert draft.step is not None
    assert draft.step.block.controls == ("seed",)

    path = tmp_path / "mine.md"
    monkeypatch.setattr(draft.questions, "where_to_save", lambda _: path)
    click(qtbot, editor.save)
    qtbot.waitUntil(lambda: not draft.modified)
    read = read_lesson(path)
    assert not list(check_lesson(read))
    assert '"choices": ["False", "True"]' in path.read_text(encoding="utf-8")

    click(qtbot, editor.preview)
    settle(window)
    now = window.lessons.now
    assert now.asks
    click(qtbot, window.lessons.panel.question.choices[1])
    qtbot.waitUntil(lambda: now.right_choice == 1)
    assert not now.given.done
    now.solve()
    settle(window)
    qtbot.waitUntil(lambda: now.given.done)


def test_that_an_error_stands_under_its_field_while_it_is_typed_and_goes_with_it(
    window: MainWindow, settle: Settle, qtbot: QtBot
) -> None:
    editor, draft = begin(window, settle, "masked-softmax-book")
    text = editor.fields["text"]
    type_in(qtbot, text, "It is {weighs[0, 0, 1, 0]}")
    assert checked(qtbot, draft) == {"text": "there is no 'weighs' here; nearest: weights"}
    assert text.problems.isVisible()
    assert "nearest: weights" in text.problems.wrong.text()
    assert "nearest: weights" in text.box.accessibleDescription()
    assert text.box.property("problem") is True
    type_in(qtbot, text, "It is {weights[0, 0, 1, 0]}")
    assert checked(qtbot, draft) == {}
    assert not text.problems.isVisible()
    assert text.box.property("problem") is False


def test_that_the_run_decides_where_each_choice_has_a_condition(
    window: MainWindow, settle: Settle, qtbot: QtBot
) -> None:
    editor, draft = begin(window, settle, "masked-softmax-book")
    form = editor.question
    form.form.press("choices")
    type_in(qtbot, form.question, "Which?")
    click(qtbot, form.by_run)
    for place in range(2):
        type_in(qtbot, form.choices[place].text, f"Key {place + 1}")
        type_in(qtbot, form.choices[place].condition, f"argmax(weights[0, 0, 1]) == {place}")
    assert checked(qtbot, draft) == {}
    weights = window.controller.shown.weights  # type: ignore[union-attr]
    right = int(weights[0, 0, 1].argmax())
    assert [form.choices[place].right.isChecked() for place in range(2)] == [place == right for place in range(2)]
    type_in(qtbot, form.choices[right].condition, "1 == 2")
    assert "0 of the choices" in checked(qtbot, draft)["choices"]
    click(qtbot, form.by_run)  # the conditions are kept
    click(qtbot, form.by_run)
    assert form.choices[right].condition.text == "1 == 2"


def test_that_undo_brings_everything_back_and_leaves_the_picture_alone(
    window: MainWindow, settle: Settle, qtbot: QtBot
) -> None:
    editor, draft = begin(window, settle, "masked-softmax-book")
    window.activateWindow()
    spec, undone = window.controller.spec, window.actions_["undo"].isEnabled()
    draft._typed_at = 0
    type_in(qtbot, editor.fields["text"], "First.")
    draft._typed_at = 0
    qtbot.keyClicks(editor.text, " Second.")
    editor.question.form.press("choices")
    type_in(qtbot, editor.question.choices[0].text, "One")
    click(qtbot, editor.question.choices[0].remove)
    whole = draft.lesson
    states = []
    while draft.can_undo:
        states.append(draft.lesson)
        target = editor.text if len(states) % 2 else editor.question.by_run
        qtbot.keyClick(target, Qt.Key.Key_Z, CTRL)
    assert draft.lesson.steps == ()
    assert len(states) == 6
    for _ in states:
        qtbot.keyClick(editor.text, Qt.Key.Key_Z, CTRL | Qt.KeyboardModifier.ShiftModifier)
    assert draft.lesson == whole
    assert not draft.can_redo
    assert editor.text.toPlainText() == "First. Second."
    assert window.controller.spec == spec
    assert window.actions_["undo"].isEnabled() is undone


def test_that_nothing_is_lost_of_what_cannot_be_saved(
    window: MainWindow, settle: Settle, qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    editor, draft = begin(window, settle, "masked-softmax-book")
    editor.question.form.press("number")
    type_in(qtbot, editor.question.question, "How much?")
    type_in(qtbot, editor.question.number, "weights[0, 0")
    begin(window, settle, "dot-product-book")
    whole = draft.lesson
    monkeypatch.setattr(draft.questions, "where_to_save", lambda _: tmp_path / "mine.md")
    click(qtbot, editor.save)
    qtbot.waitUntil(lambda: "step 1, number" in window.notice.text())
    assert draft.lesson is whole
    assert draft.place == 0  # where it is wrong
    qtbot.waitUntil(editor.question.number.problems.isVisible)
    assert not (tmp_path / "mine.md").exists()
    other = MainWindow(window.controller.spec, before=window)  # as another language does
    try:
        other.show()
        assert other.lessons.editor.question.number.text == "weights[0, 0"
        other.lessons.draft.undo()
        other.lessons.draft.redo()
        assert other.lessons.draft.lesson == whole
    finally:
        window.leave()
        other.keeper.asks = False
        other.close()
        other.deleteLater()


@pytest.mark.parametrize("name", lesson_names())
def test_that_to_look_at_every_step_of_a_lesson_in_the_editor_changes_nothing(
    name: str, window: MainWindow, settle: Settle, qtbot: QtBot
) -> None:
    window.lessons.draft.begin(lesson_named(name))
    window.lessons._open_editor()
    editor, draft = window.lessons.editor, window.lessons.draft
    for row, step in enumerate(lesson_named(name).steps):
        editor.steps.setCurrentRow(row)
        assert editor.question.question.text == step.question
        assert [form.text.text for form in editor.question.choices if form.isVisible()] == [
            choice.text for choice in step.choices
        ]
    assert not draft.modified
    assert not draft.can_undo


def test_that_titles_that_look_like_markup_are_shown_as_they_are_written(
    window: MainWindow, settle: Settle, qtbot: QtBot
) -> None:
    title = "<img src=x> <b>one</b>"
    lesson = lesson_of(f"# {title}\n\n## {title}\n\n## {title}\n")
    window.lessons.open(lesson, 0)
    settle(window)
    window.lessons.toggle_desk()
    desk, panel = window.lessons.desk, window.lessons.panel
    assert desk is not None
    for label in (panel.heading, desk.title, desk.now_title, desk.next_title):
        assert title in label.text()
        assert label.textFormat() is Qt.TextFormat.PlainText
    desk.close()
