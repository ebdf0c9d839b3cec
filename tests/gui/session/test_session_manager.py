"""The session and its file: saved or not, under which name, and what is asked before changes would be lost."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hands import Hands
from PySide6.QtCore import QSettings, Qt, QTimer
from PySide6.QtGui import QKeySequence, QTextDocumentFragment
from PySide6.QtWidgets import QApplication, QFileDialog, QMessageBox
from pytestqt.qtbot import QtBot
from session_hands import answers, change, file_of, saves_to, sentence
from small_specs import SMALL, attention, regression
from windows import Settle

from attnviz.experiment.attention.view import AttentionViewSettings
from attnviz.experiment.files.session import Session
from attnviz.experiment.files.specs_in_files import preset
from attnviz.experiment.labs import LABS
from attnviz.export.document import read_document
from attnviz.gui.session.questions import Answer, SessionQuestions
from attnviz.gui.session.settings import MOST, LastFolder, RecentFiles
from attnviz.gui.window.main_window import MainWindow

really_ask = SessionQuestions.unsaved  # before a fixture puts an answer in its place


@pytest.fixture
def save(begun: MainWindow, qtbot: QtBot) -> Callable[[], None]:
    """Save the session by its key and wait for the sentence about it."""

    def saved() -> None:
        with qtbot.waitSignal(begun.keeper.said):
            qtbot.keySequence(begun, QKeySequence("Ctrl+S"))

    return saved


def test_that_a_saved_session_is_read_back_and_unmodified(
    begun: MainWindow, save: Callable[[], None], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    proposed = saves_to(begun, monkeypatch, tmp_path / "lecture")
    begun.panels.notes.editor.setPlainText("Mind the mask.")
    change(begun)
    assert begun.isWindowModified()
    save()
    assert [path.name for path in proposed] == ["multi-head-2-heads-seed-7.attnviz"]
    assert read_document(tmp_path / "lecture.attnviz") == begun.session_state.session()
    assert begun.notice.text() == f"Saved {tmp_path / 'lecture.attnviz'}"
    assert not begun.isWindowModified()
    assert begun.windowTitle() == "lecture.attnviz[*] - attnviz"
    change(begun, seed=8)
    save()
    assert len(proposed) == 1, "a session that has a file is saved there"
    assert read_document(tmp_path / "lecture.attnviz").spec == attention(seed=8)


def test_that_save_as_leaves_the_old_file_and_goes_on_in_the_new_one(
    begun: MainWindow, save: Callable[[], None], monkeypatch: pytest.MonkeyPatch, tmp_path: Path, qtbot: QtBot
) -> None:
    saves_to(begun, monkeypatch, tmp_path / "one.attnviz")
    save()
    old = (tmp_path / "one.attnviz").read_bytes()
    change(begun)
    proposed = saves_to(begun, monkeypatch, tmp_path / "two.attnviz")
    with qtbot.waitSignal(begun.keeper.said):
        qtbot.keySequence(begun, QKeySequence("Ctrl+Shift+S"))
    assert proposed == [tmp_path / "one.attnviz"]
    assert begun.keeper.path == tmp_path / "two.attnviz"
    assert (tmp_path / "one.attnviz").read_bytes() == old


def test_that_undoing_a_change_makes_the_session_unmodified_and_looking_never_modifies_it(begun: MainWindow) -> None:
    assert not begun.isWindowModified()
    assert begun.windowTitle() == "Untitled[*] - attnviz"
    room: Any = begun.room
    room.stage.strip.go(-1)
    room.stage.contrast.choose("row")
    room.stage.page_buttons.press("compare")
    begun.actions_["theme"].trigger()
    begun.actions_["theme"].trigger()
    assert not begun.isWindowModified()
    for do in (
        lambda: change(begun),
        lambda: begun.panels.notes.editor.setPlainText("x"),
        room.stage.pages.compare.pin_current,
    ):
        do()
        assert begun.isWindowModified()
        begun.actions_["undo"].trigger()
        begun.panels.notes.editor.setPlainText("")
        room.stage.pages.compare.unpin_current()
        assert not begun.isWindowModified()


def test_that_a_device_that_gave_way_is_no_change_of_the_users(begun: MainWindow, settle: Settle) -> None:
    spec = attention(device="cuda:77")
    begun.controller.propose(spec)
    begun.keeper.begin(Session(spec=spec))
    settle(begun)
    assert begun.controller.spec == SMALL
    assert not begun.isWindowModified()


@pytest.mark.parametrize("where", ["no such folder/mine.attnviz", "a file/mine.attnviz", "full.attnviz"])
def test_that_a_failed_save_is_said_and_the_session_stays_modified(
    where: str, begun: MainWindow, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, qtbot: QtBot
) -> None:
    (tmp_path / "a file").write_text("in the way")
    before = file_of(Session(spec=SMALL), tmp_path / "full.attnviz").read_bytes()
    saves_to(begun, monkeypatch, tmp_path / where)
    change(begun)

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr("os.replace", full)
        said = sentence(begun, qtbot, begun.keeper.save)
    assert said.startswith("Not saved: ")
    assert str(tmp_path / where) in said
    assert begun.isWindowModified()
    assert begun.keeper.path is None
    assert (tmp_path / "full.attnviz").read_bytes() == before


def test_that_what_changes_while_it_is_saved_is_not_saved(
    begun: MainWindow, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, qtbot: QtBot
) -> None:
    saves_to(begun, monkeypatch, tmp_path / "mine.attnviz")
    change(begun, seed=1)
    with qtbot.waitSignal(begun.keeper.said):
        begun.keeper.save()
        change(begun, seed=2)
    assert read_document(tmp_path / "mine.attnviz").spec == attention(seed=1)
    assert begun.isWindowModified()


def test_that_new_is_the_opening_preset_seen_as_a_lab_is_entered(
    begun: MainWindow, monkeypatch: pytest.MonkeyPatch, qtbot: QtBot, settle: Settle
) -> None:
    answers(begun, monkeypatch, Answer.DISCARD)
    begun.panels.notes.editor.setPlainText("old notes")
    begun.room.stage.pages.compare.pin_current()
    begun.room.stage.strip.go(-1)
    qtbot.keySequence(begun, QKeySequence("Ctrl+N"))
    settle(begun)
    session = begun.session_state.session()
    assert session.spec == preset(LABS["attention"].opening_preset).spec
    assert (session.notes, session.pinned) == ("", None)
    assert session.view is not None
    assert session.view.stage == "weights"
    assert not begun.isWindowModified()
    assert begun.actions_["undo"].text() == "Undo New"
    begun.actions_["undo"].trigger()
    settle(begun)


def test_that_new_forgets_the_other_lab_and_undo_brings_it_back(
    begun: MainWindow, monkeypatch: pytest.MonkeyPatch, settle: Settle
) -> None:
    answers(begun, monkeypatch, Answer.DISCARD)
    state = begun.session_state
    state.enter_lab("regression")
    settle(begun)
    begun.controller.propose(regression(width=0.3))
    state.enter_lab("attention")
    settle(begun)
    begun.actions_["new"].trigger()
    state.enter_lab("regression")
    settle(begun)
    assert begun.controller.spec == preset(LABS["regression"].opening_preset).spec
    for _ in range(2):
        begun.actions_["undo"].trigger()
    assert begun.controller.spec == SMALL
    state.enter_lab("regression")
    assert begun.controller.spec == regression(width=0.3)
    settle(begun)


def test_that_a_preset_sets_all_that_is_looked_at_and_undo_brings_it_back(begun: MainWindow, settle: Settle) -> None:
    room: Any = begun.room
    begun.panels.notes.editor.setPlainText("my notes")
    room.apply_view(AttentionViewSettings(head=1, query=2, key=1, item=1, stage="scores", extremes=True))
    room.stage.tools.brushes.press("forbid")
    before = begun.session_state.session()
    for name in ("masked-softmax-book", "causal-sentence", "causal-sentence"):
        begun.session_state.open_preset(name)
        settle(begun)
        found = begun.session_state.session()
        assert (found.spec, found.view) == (preset(name).spec, preset(name).session.view)
        assert found.notes == "my notes"
        assert room.stage.tools.brush == ""
        room.apply_view(AttentionViewSettings(page="policies", query=0, ranked=True, statistic="distance"))
    for _ in range(3):
        begun.actions_["undo"].trigger()
    settle(begun)
    assert begun.session_state.session() == before


def _at(controller: Any) -> tuple[int, int, bool]:
    """Return the step on screen, how many are known, and whether the run is paused."""
    return controller.shown.step, controller.shown.known_steps, controller.paused


def test_that_a_preset_chosen_again_is_shown_before_its_first_step_with_the_steps_that_it_has(
    begun: MainWindow, settle: Settle, qtbot: QtBot
) -> None:
    state, controller = begun.session_state, begun.controller
    controller.set_pace(None)
    for known in (0, 60):
        state.open_preset("kernel-learned")
        qtbot.waitUntil(lambda known=known: _at(controller)[:2] == (0, known))
        assert not controller.playing
        controller.run_or_pause()
        settle(begun)
        assert controller.shown.final  # type: ignore[union-attr]
    begun.actions_["undo"].trigger()
    settle(begun)
    assert controller.shown.final  # type: ignore[union-attr]


def test_that_a_save_after_a_preset_holds_for_what_undo_brings_back(
    begun: MainWindow, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, qtbot: QtBot, settle: Settle
) -> None:
    saves_to(begun, monkeypatch, tmp_path / "mine.attnviz")
    begun.session_state.open_preset("causal-sentence")
    with qtbot.waitSignal(begun.keeper.said):
        begun.keeper.save()
    assert not begun.isWindowModified()
    begun.actions_["undo"].trigger()
    assert begun.isWindowModified()
    assert begun.keeper.path == tmp_path / "mine.attnviz"
    begun.actions_["redo"].trigger()
    assert not begun.isWindowModified()
    settle(begun)


@pytest.mark.parametrize("doing", ["new", "open"])
@pytest.mark.parametrize("answer", Answer)
def test_that_changes_are_asked_about_before_another_session_takes_their_place(
    answer: Answer, doing: str, begun: MainWindow, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, qtbot: QtBot,
    settle: Settle,
) -> None:  # fmt: skip
    other = file_of(Session(spec=attention(seed=50)), tmp_path / "other.attnviz")
    saves_to(begun, monkeypatch, tmp_path / "mine.attnviz")
    monkeypatch.setattr(begun.keeper.questions, "what_to_open", lambda _: other)
    asked = answers(begun, monkeypatch, answer)
    change(begun)
    begun.actions_[doing].trigger()
    qtbot.waitUntil(lambda: bool(asked))
    new = attention(seed=50) if doing == "open" else preset("causal-sentence").spec
    qtbot.waitUntil(lambda: begun.controller.spec == (attention(seed=7) if answer is Answer.CANCEL else new))
    assert asked == ["Untitled"]
    assert (tmp_path / "mine.attnviz").exists() is (answer is Answer.SAVE)
    if answer is Answer.SAVE:
        assert read_document(tmp_path / "mine.attnviz").spec == attention(seed=7)
    assert begun.isWindowModified() is (answer is Answer.CANCEL)
    settle(begun)


def test_that_a_file_that_cannot_be_opened_asks_nothing(
    begun: MainWindow, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, qtbot: QtBot
) -> None:
    asked = answers(begun, monkeypatch, Answer.DISCARD)
    change(begun)
    sentence(begun, qtbot, lambda: begun.keeper.open_path(tmp_path / "gone.attnviz"))
    assert not asked
    assert begun.controller.spec == attention(seed=7)


def test_that_a_picture_that_comes_in_does_not_wipe_off_what_is_said_about_a_file(
    begun: MainWindow, tmp_path: Path, qtbot: QtBot, settle: Settle
) -> None:
    said = sentence(begun, qtbot, lambda: begun.keeper.open_path(tmp_path / "gone.attnviz"))
    change(begun)
    settle(begun)
    assert begun.notice.text() == said
    assert not begun.notice.isHidden()


def press_soon(key: Any, question: str, window: MainWindow, hands: Hands) -> None:
    """Press a key, or a button, in the box that is about to ask a question."""

    def press() -> None:
        (box,) = [it for it in QApplication.topLevelWidgets() if isinstance(it, QMessageBox) and it.isVisible()]
        assert box.text() == question
        if isinstance(key, str):
            hands.press(box, key)
        else:
            hands.qtbot.keyClick(box.defaultButton() if key == Qt.Key.Key_Return else box, key)

    QTimer.singleShot(50, window, press)


@pytest.mark.parametrize(
    ("key", "answer"),
    [(Qt.Key.Key_Return, Answer.SAVE), (Qt.Key.Key_Escape, Answer.CANCEL), ("Discard", Answer.DISCARD)],
)
def test_that_enter_saves_and_esc_cancels(key: Any, answer: Answer, begun: MainWindow, hands: Hands) -> None:
    press_soon(key, "Save changes to lecture.attnviz?", begun, hands)
    assert really_ask(begun.keeper.questions, "lecture.attnviz") is answer


@pytest.mark.parametrize("asks", [lambda it: it.keeper.questions, lambda it: it.exporter], ids=["session", "export"])
@pytest.mark.parametrize(("key", "answer"), [(Qt.Key.Key_Return, False), (Qt.Key.Key_Escape, False), ("Replace", True)])
def test_that_only_the_button_replaces_a_file(
    key: Any, answer: bool, asks: Any, begun: MainWindow, tmp_path: Path, hands: Hands
) -> None:
    press_soon(key, "Replace notes.2026.attnviz?", begun, hands)
    assert asks(begun).may_replace(tmp_path / "notes.2026.attnviz") is answer


def test_that_the_dialog_where_to_save_adds_the_ending_before_it_asks_about_an_older_file(
    begun: MainWindow, tmp_path: Path
) -> None:
    seen: list[str] = []

    def accept() -> None:
        (dialog,) = [it for it in QApplication.topLevelWidgets() if isinstance(it, QFileDialog) and it.isVisible()]
        seen.append(dialog.defaultSuffix())
        dialog.accept()

    QTimer.singleShot(100, begun, accept)
    path = begun.keeper.questions.where_to_save(tmp_path / "my lecture.attnviz")
    assert path == tmp_path / "my lecture.attnviz"
    assert seen == ["attnviz"]


def test_that_recent_files_are_the_last_that_exist_and_survive_the_window(tmp_path: Path) -> None:
    settings = QSettings(str(tmp_path / "settings.ini"), QSettings.Format.IniFormat)
    recent = RecentFiles()
    recent.remember_in(settings)
    paths = [tmp_path / f"{number}.attnviz" for number in range(MOST + 3)]
    for path in paths:
        path.touch()
        recent.add(path)
    recent.add(paths[5])
    assert recent.existing() == (paths[5], *(path for path in paths[:2:-1] if path != paths[5]))
    paths[5].unlink()
    settings.sync()
    again = RecentFiles()
    again.remember_in(QSettings(str(tmp_path / "settings.ini"), QSettings.Format.IniFormat))
    assert again.existing() == recent.existing() == tuple(path for path in paths[:2:-1] if path != paths[5])
    again.clear()
    assert again.existing() == ()
    again.add(paths[0])
    settings.sync()
    assert settings.value("recent") in (str(paths[0]), [str(paths[0])])


def test_that_two_windows_share_the_recent_files(tmp_path: Path) -> None:
    name = str(tmp_path / "settings.ini")
    one, other = RecentFiles(), RecentFiles()
    for recent in (one, other):
        recent.remember_in(QSettings(name, QSettings.Format.IniFormat))
    paths = [tmp_path / f"{number}.attnviz" for number in range(3)]
    for path, recent in zip(paths, (one, other, one), strict=True):
        path.touch()
        recent.add(path)
    assert one.existing() == other.existing() == (paths[2], paths[1], paths[0])
    other.clear()
    one.add(paths[0])
    assert other.existing() == (paths[0],)


@pytest.mark.parametrize("broken", [3, "x\0y", ["", 4, None], b"x"])
def test_that_broken_settings_are_an_empty_list(broken: Any, tmp_path: Path) -> None:
    settings = QSettings(str(tmp_path / "settings.ini"), QSettings.Format.IniFormat)
    settings.setValue("recent", broken)
    recent = RecentFiles()
    recent.remember_in(settings)
    assert recent.existing() == ()


def test_that_a_recent_file_opens_from_the_menu(
    begun: MainWindow, tmp_path: Path, qtbot: QtBot, settle: Settle
) -> None:
    folders = [tmp_path / "a", tmp_path / "b"]
    for seed, folder in enumerate(folders):
        folder.mkdir()
        begun.keeper.recent.add(file_of(Session(spec=attention(seed=40 + seed)), folder / "same & other.attnviz"))
    begun.keeper.recent.add(tmp_path / "gone.attnviz")
    begun.menu.aboutToShow.emit()
    offered = [action for action in begun.menu.recent.actions() if action.isVisible() and action.data()]
    assert [action.text() for action in offered] == ["same && other.attnviz  (b)", "same && other.attnviz  (a)"]
    offered[1].trigger()
    qtbot.waitUntil(lambda: begun.controller.spec == attention(seed=40))
    settle(begun)
    begun.menu.recent.actions()[-1].trigger()
    begun.menu.aboutToShow.emit()
    assert not begun.menu.recent.menuAction().isEnabled()


def test_that_a_file_that_is_no_session_leaves_the_folder_for_files_as_it_is(
    window: MainWindow, tmp_path: Path, qtbot: QtBot
) -> None:
    (tmp_path / "model").mkdir()
    (tmp_path / "model" / "config.json").write_text('{"model_type": "bert"}', encoding="utf-8")
    before = window.keeper.proposed.parent
    assert "model_type" in sentence(window, qtbot, lambda: window.keeper.open_path(tmp_path / "model" / "config.json"))
    assert window.keeper.proposed.parent == before != tmp_path / "model"


def test_that_a_name_that_looks_like_a_mark_stands_in_the_title_as_it_is(
    begun: MainWindow, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, save: Callable[[], None]
) -> None:
    saves_to(begun, monkeypatch, tmp_path / "a[*]b.attnviz")
    save()
    assert begun.windowTitle() == "a[*][*]b.attnviz[*] - attnviz"


def test_that_the_last_folder_is_one_for_all_files_and_outlasts_the_window(
    window: MainWindow, tmp_path: Path, qtbot: QtBot
) -> None:
    (tmp_path / "figures").mkdir()
    window.exporter.save_spec(tmp_path / "figures" / "mine.json")
    assert window.keeper.proposed.parent == tmp_path / "figures"
    qtbot.waitUntil((tmp_path / "figures" / "mine.json").exists)
    settings = QSettings(str(tmp_path / "settings.ini"), QSettings.Format.IniFormat)
    window.exporter.folder.save(settings)
    again = LastFolder()
    again.load(QSettings(str(tmp_path / "settings.ini"), QSettings.Format.IniFormat))
    assert again.path == tmp_path / "figures"
    (tmp_path / "figures" / "mine.json").unlink()
    (tmp_path / "figures").rmdir()
    assert again.path == Path.home()  # it is gone: the user's own takes its place
    settings.setValue("folder", [1, 2])
    again.load(settings)
    assert again.path == Path.home()


def test_that_the_tooltip_of_a_recent_file_shows_its_path_and_follows_no_markup(
    used_window: MainWindow, tmp_path: Path
) -> None:
    folder = tmp_path / "<b>bold<" / "a &lt; b"
    folder.mkdir(parents=True)
    path = folder / "mine.attnviz"
    path.write_text("{}")
    used_window.keeper.recent.add(path)
    used_window.menu.aboutToShow.emit()
    said = QTextDocumentFragment.fromHtml(used_window.menu.recent.actions()[0].toolTip()).toPlainText()
    assert said == str(path)
