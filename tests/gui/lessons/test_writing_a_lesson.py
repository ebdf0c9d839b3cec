"""A lesson is written beside the picture: views become steps, texts are typed, and the file is a lesson."""

from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot
from windows import Opener, Settle

from attnviz.engine.lessons import check_lesson
from attnviz.experiment.lessons.reading import lesson_named, read_lesson
from attnviz.gui.lessons.lesson_editor import LessonEditor
from attnviz.gui.session.questions import Answer
from attnviz.gui.window.main_window import MainWindow


def write(qtbot: QtBot, editor: LessonEditor, title: str, text: str) -> None:
    editor.step_title.selectAll()
    qtbot.keyClicks(editor.step_title, title)
    qtbot.keyClicks(editor.text, text)


def saves_to(window: MainWindow, monkeypatch: pytest.MonkeyPatch, path: Path | None) -> None:
    monkeypatch.setattr(window.lessons.draft.questions, "where_to_save", lambda _: path)


def test_that_views_become_a_lesson_that_is_checked_and_reads_as_it_was_written(
    window: MainWindow, settle: Settle, qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    lessons, room = window.lessons, window.room
    window.activateWindow()
    room.selection.lock(replace(room.selection.locked, query=1, key=0))
    first = window.controller.spec, room.view_settings()
    qtbot.keyClick(window, Qt.Key.Key_L, Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier)
    editor = lessons.editor
    assert editor.isVisible()
    assert not room.inspector.isVisible()
    write(qtbot, editor, "Held", "It is {weights[0, 0, 1, 0]:.2f}.")
    window.session_state.open_preset("masked-softmax-book")
    settle(window)
    window.actions_["lesson_step"].trigger()
    write(qtbot, editor, "Masked", "Now with a mask.")
    qtbot.keyClicks(editor.notes, "Wait.")
    editor.title.selectAll()
    qtbot.keyClicks(editor.title, "Two views")
    saves_to(window, monkeypatch, tmp_path / "two")
    qtbot.mouseClick(editor.save, Qt.MouseButton.LeftButton)
    path = tmp_path / "two.md"
    qtbot.waitUntil(lambda: not lessons.draft.modified)
    read = read_lesson(path)
    assert (read.title, [step.title for step in read.steps]) == ("Two views", ["Held", "Masked"])
    assert (read.steps[0].spec, read.steps[0].view) == first
    assert (read.steps[0].view.query, read.steps[0].view.key) == (1, 0)
    assert read.steps[1].notes == "Wait."
    assert '{"preset": "masked-softmax-book"' in path.read_text(encoding="utf-8")
    assert not list(check_lesson(read))
    assert not editor.save.isEnabled()
    assert path in window.keeper.recent.existing()


def test_that_steps_are_ordered_shown_taken_anew_deleted_and_brought_back(
    window: MainWindow, settle: Settle, qtbot: QtBot
) -> None:
    lessons = window.lessons
    for name in ("masked-softmax-book", "dot-product-book", "additive-book"):
        window.session_state.open_preset(name)
        settle(window)
        lessons.add_step()
    editor, draft = lessons.editor, lessons.draft
    first, second, third = (step.session for step in draft.lesson.steps)

    def order() -> list[object]:
        return [step.session for step in draft.lesson.steps]

    qtbot.mouseClick(editor.up, Qt.MouseButton.LeftButton)
    assert order() == [first, third, second]
    editor.steps.setCurrentRow(0)
    assert not editor.up.isEnabled()
    qtbot.mouseClick(editor.down, Qt.MouseButton.LeftButton)
    assert order() == [third, first, second]
    qtbot.mouseClick(editor.delete, Qt.MouseButton.LeftButton)
    assert order() == [third, second]
    editor.steps.setCurrentRow(0)
    qtbot.mouseClick(editor.bring_back, Qt.MouseButton.LeftButton)
    assert order() == [third, first, second]
    assert not editor.bring_back.isVisible()
    qtbot.mouseClick(editor.show_step, Qt.MouseButton.LeftButton)
    settle(window)
    assert window.controller.spec == first.spec
    editor.steps.setCurrentRow(2)
    qtbot.mouseClick(editor.take, Qt.MouseButton.LeftButton)
    assert order()[2] == first.model_copy(update={"view": window.room.view_settings()})
    qtbot.mouseClick(editor.preview, Qt.MouseButton.LeftButton)
    settle(window)
    assert lessons.now.place == 2
    assert lessons.panel.isVisible()


def test_that_an_open_lesson_is_written_on_with_its_questions_and_tasks(
    window: MainWindow, settle: Settle, qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    lessons = window.lessons
    lessons.open_named("04-masked-softmax")
    settle(window)
    lessons.write()
    draft, editor = lessons.draft, lessons.editor
    own = lesson_named("04-masked-softmax").steps
    asking = next(step for step in own if step.block.predict is not None)
    editor.steps.setCurrentRow(asking.number - 1)
    assert editor.question.question.text == asking.question
    qtbot.keyClicks(editor.text, "More. ")
    saves_to(window, monkeypatch, tmp_path / "mine.md")
    draft.save()
    qtbot.waitUntil(lambda: not draft.modified)
    read = read_lesson(tmp_path / "mine.md")
    assert [step.block for step in read.steps] == [step.block for step in own]
    assert [step.choices for step in read.steps] == [step.choices for step in own]
    assert read.steps[asking.number - 1].text == f"More. {asking.text}"


def test_that_a_text_that_is_no_text_is_said_and_not_saved(
    window: MainWindow, qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    window.lessons.add_step()
    window.lessons.editor.text.setPlainText("## A heading")
    assert window.lessons.draft.preview() is None
    assert "step 1" in window.notice.text()
    window.notice.hide()
    saves_to(window, monkeypatch, tmp_path / "no.md")
    window.lessons.draft.save()
    qtbot.waitUntil(lambda: "step 1" in window.notice.text())
    assert not (tmp_path / "no.md").exists()


def test_that_a_file_that_another_program_has_changed_is_not_lost(
    window: MainWindow, qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    lessons, path = window.lessons, tmp_path / "mine.md"
    path.write_text("# Mine\n\n## One\n", encoding="utf-8")
    lessons.open_file(path)
    qtbot.waitUntil(lambda: lessons.is_open)
    lessons.write()
    lessons.draft.retitle("Ours")
    path.write_text("# Theirs\n\n## One\n\nLonger.\n", encoding="utf-8")
    monkeypatch.setattr(lessons.draft.questions, "may_replace_changed", lambda _: False)
    lessons.draft.save()
    qtbot.waitUntil(lambda: "changed by another" in window.notice.text())
    assert read_lesson(path).title == "Theirs"
    monkeypatch.setattr(lessons.draft.questions, "may_replace_changed", lambda _: True)
    lessons.draft.save()
    qtbot.waitUntil(lambda: not lessons.draft.modified)
    assert read_lesson(path).title == "Ours"


@pytest.mark.parametrize(("answer", "closes"), [(Answer.CANCEL, False), (Answer.SAVE, True), (Answer.DISCARD, True)])
def test_that_a_lesson_that_is_not_saved_is_asked_about_before_the_window_closes(
    answer: Answer, closes: bool, open_window: Opener, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    window = open_window()
    window.lessons.add_step()
    saves_to(window, monkeypatch, tmp_path / "kept.md")
    monkeypatch.setattr(window.lessons.draft.questions, "unsaved", lambda _: answer)
    assert window.close() is closes
    assert (tmp_path / "kept.md").exists() is (answer is Answer.SAVE)
    monkeypatch.setattr(window.lessons.draft.questions, "unsaved", lambda _: Answer.DISCARD)


def test_that_another_language_goes_on_with_what_was_written(window: MainWindow, qtbot: QtBot) -> None:
    window.lessons.add_step()
    window.lessons.editor.text.setPlainText("Kept.")
    other = MainWindow(window.controller.spec, before=window)
    try:
        other.show()
        assert other.lessons.editor.text.toPlainText() == "Kept."
        assert other.lessons.is_writing
    finally:
        window.leave()
        other.keeper.asks = False
        other.close()
        other.deleteLater()


def test_that_an_audience_does_not_see_the_editor(window: MainWindow, settle: Settle) -> None:
    window.lessons.add_step()
    editor, right = window.lessons.editor, window.panels.right
    assert editor.isVisible()
    without = window.panels.page.width()
    window.present(True, full_screen=False)
    settle(window)
    assert not editor.isVisible()
    assert right.folded
    assert window.panels.page.width() > without
    right.fold_asked.emit()
    assert window.room.inspector.isVisible()
    assert not editor.isVisible()
    window.present(False)
    settle(window)
    assert editor.isVisible()
    assert not window.room.inspector.isVisible()
