"""The page of own functions: edits run live, errors are marked, files are followed, and foreign code asks first."""

import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFileDialog
from pytestqt.qtbot import QtBot
from session_hands import begin_at
from small_specs import attention
from windows import At, Opener, Settle

from attnviz.definitions.masks import MASKS
from attnviz.experiment.attention.mods import Mods
from attnviz.experiment.files import consent
from attnviz.experiment.pin import Pin
from attnviz.gui.labs.attention.consent_dialog import ConsentDialog
from attnviz.gui.labs.attention.functions_page import FunctionsPage
from attnviz.gui.labs.attention.room import AttentionRoom
from attnviz.gui.labs.attention.templates import TEMPLATES
from attnviz.gui.session.files import Stamp
from attnviz.gui.window.main_window import MainWindow

SIZES: dict[str, Any] = {"self_attention": True, "batch_size": 1, "num_queries": 6, "num_kvpairs": 6}
CAUSAL = "def causal(b, h, q_idx, kv_idx):\n    return q_idx >= kv_idx\n"
FUTURE = CAUSAL.replace(">=", "<=")
LOWER = np.tril(np.ones((6, 6), bool))


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "my_mods.py"
    path.write_text(CAUSAL)
    return path


class Desk:
    """A window that shows the page, and what its user sees and does there."""

    def __init__(self, window: MainWindow, qtbot: QtBot, settle: Settle) -> None:
        self.window, self.qtbot, self.settle = window, qtbot, settle
        room = window.rooms["attention"]
        assert isinstance(room, AttentionRoom)
        self.room = room
        self.page = room.stage.pages.page_of(FunctionsPage)

    @property
    def mods(self) -> Mods | None:
        return self.window.controller.spec.mods  # type: ignore[attr-defined, no-any-return]

    @property
    def allowed(self) -> Any:
        """The mask (Q, K) of the first head in the trace on screen."""
        return self.window.controller.shown.layer.mask[0, 0]  # type: ignore[union-attr]

    @property
    def undo_text(self) -> str:
        return self.window.controller.undo_stack.undoText()

    def write(self, text: str) -> None:
        """Type another text, and wait for its result."""
        self.page.code.selectAll()
        self.page.code.insertPlainText(text)
        self.qtbot.waitUntil(lambda: self.mods is not None and self.mods.source == text)
        self.wait()

    def start_from(self, title: str) -> None:
        """Choose an entry of the menu *Start from*, and wait for its result."""
        self.page.menu.aboutToShow.emit()
        next(each for each in self.page.menu.actions() if each.data() and each.data().title == title).trigger()
        self.wait()

    def wait(self) -> None:
        """Wait until the run of the current spec has ended, well or not."""
        controller = self.window.controller
        self.qtbot.waitUntil(
            lambda: not controller.computing and (controller.up_to_date or controller.has_failed), timeout=30_000
        )


@pytest.fixture
def desk(at: At, qtbot: QtBot, settle: Settle) -> Iterator[Desk]:
    window = begin_at(at(attention(**SIZES)))
    desk = Desk(window, qtbot, settle)
    desk.room.current_view.propose(page="functions")
    yield desk
    desk.wait()
    window.notice.hide()
    window.controller.propose(attention(**SIZES))
    settle(window)
    begin_at(window)


def opened(desk: Desk, file: Path, patch: pytest.MonkeyPatch) -> None:
    patch.setattr(QFileDialog, "getOpenFileName", lambda *_: (str(file), ""))
    desk.page.open.click()
    desk.qtbot.waitUntil(lambda: desk.mods is not None)
    desk.wait()
    desk.qtbot.waitUntil(lambda: desk.room.functions.file.text is not None)


def saved_elsewhere(file: Path, text: str) -> None:
    """Save as editors do: write another file, and rename it."""
    part = file.with_suffix(".part")
    part.write_text(text)
    os.replace(part, file)


def test_that_a_function_written_on_the_page_masks_the_heads_beside_it(desk: Desk) -> None:
    desk.write(CAUSAL)
    assert (desk.mods.mask_mod, desk.mods.path) == ("causal", "")  # type: ignore[union-attr]
    assert (desk.allowed == LOWER).all()
    assert desk.page.heads.heatmap.isVisible()
    desk.write(FUTURE)
    assert (desk.allowed == LOWER.T).all()
    desk.window.controller.undo_stack.undo()
    desk.wait()
    assert desk.page.code.text in ("", CAUSAL)  # two edits within a second are one step


def test_that_a_likely_mistake_in_the_mask_is_told_below_the_text_and_leads_to_the_page_of_the_mask(
    desk: Desk,
) -> None:
    desk.write(CAUSAL)
    desk.qtbot.waitUntil(lambda: not desk.window.runner.busy and not desk.page.wanted(), timeout=8000)
    assert desk.page.finding.isHidden()
    desk.write(FUTURE)
    desk.qtbot.waitUntil(desk.page.finding.isVisible, timeout=8000)
    said = "No query may attend to an earlier key, only to later ones: are q_idx and kv_idx swapped?"
    assert desk.page.finding.text().startswith(said)
    both = "def both(b, h, q_idx, kv_idx):\n    return (q_idx >= kv_idx) & (q_idx < 2)\n"
    desk.write(both)
    said = "q_idx &lt; 2: It depends on q_idx only: was kv_idx meant?"
    desk.qtbot.waitUntil(lambda: desk.page.finding.text().startswith(said), timeout=8000)
    desk.page.finding.linkActivated.emit("mask")
    assert desk.room.view.page == "mask"


def test_that_an_error_is_told_with_its_line_while_the_last_good_picture_stays(desk: Desk) -> None:
    desk.write(CAUSAL)
    shown = desk.window.controller.shown
    desk.write(CAUSAL.replace("q_idx >=", "q_index >="))
    assert desk.window.controller.shown is shown
    assert desk.page.code.wrong_line == 2
    assert "q_index" in desk.page.message.text()
    assert desk.page.message.isVisible()
    assert not desk.window.notice.isVisible()  # it is told once
    desk.page.message.linkActivated.emit("2")
    assert desk.page.code.textCursor().blockNumber() == 1
    desk.write("def causal(b, h, q_idx, kv_idx:\n    return True\n")
    assert desk.page.code.wrong_line == 1
    desk.write(CAUSAL)
    assert (desk.page.code.wrong_line, desk.page.message.isVisible()) == (0, False)


def test_that_a_broken_file_in_which_no_function_is_found_is_told_too(
    desk: Desk, file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file.write_text(CAUSAL.replace("kv_idx):", "kv_idx:"))
    opened(desk, file, monkeypatch)
    assert (desk.mods.mask_mod, desk.page.code.wrong_line) == (None, 1)  # type: ignore[union-attr]
    assert desk.page.message.isVisible()
    desk.write(CAUSAL)
    assert (desk.mods.mask_mod, desk.page.code.wrong_line) == ("causal", 0)  # type: ignore[union-attr]


def test_that_what_the_functions_print_is_below_the_text(desk: Desk) -> None:
    desk.write(CAUSAL + "print('read me')\n")
    desk.qtbot.waitUntil(desk.page.printed.isVisible)
    assert "read me" in desk.page.printed.toPlainText()
    desk.write(CAUSAL)
    assert not desk.page.printed.isVisible()
    desk.write(CAUSAL.replace("return", "print(q_idx.shape, 'here')\n    return unknown +"))
    assert "here" in desk.page.printed.toPlainText()


@pytest.mark.parametrize("template", TEMPLATES, ids=lambda template: template.title)
def test_that_every_template_runs_as_it_is(desk: Desk, template: Any) -> None:
    before = desk.window.controller.shown
    desk.start_from(template.title)
    assert not desk.window.controller.has_failed, desk.page.message.text()
    layer, plain = desk.window.controller.shown.layer, before.layer  # type: ignore[union-attr]
    assert desk.mods.source == template.source  # type: ignore[union-attr]
    assert (layer.weights != plain.weights).any()
    assert bool(template.mask_mod) is not bool(layer.mask.all())


@pytest.mark.parametrize("mask", MASKS.values(), ids=lambda mask: mask.name)
def test_that_starting_from_a_mask_of_the_form_forbids_what_it_forbade_and_turns_it_off(desk: Desk, mask: Any) -> None:
    on: dict[str, Any] = SIZES | ({mask.field: mask.example} if mask.field else {"masks": {mask.name: {}}})
    on |= {"batch_size": 2} if mask.per_item else {}
    desk.window.controller.propose(attention(**on))
    desk.wait()
    before = desk.window.controller.shown.layer.mask  # type: ignore[union-attr]
    desk.start_from(mask.title)
    assert not desk.window.controller.has_failed, desk.page.message.text()
    now = desk.window.controller.shown.layer  # type: ignore[union-attr]
    assert (now.mask == before).all()
    assert [each.name for each, _ in now.masks] == ["mask_mod"]
    desk.window.controller.undo_stack.undo()
    desk.wait()
    assert desk.window.controller.spec == attention(**on)


def test_that_a_mask_with_an_entry_for_each_item_starts_with_as_many_as_there_are(desk: Desk) -> None:
    desk.window.controller.propose(attention(**SIZES | {"batch_size": 5}))
    desk.wait()
    desk.start_from("Valid lengths")
    assert not desk.window.controller.has_failed, desk.page.message.text()
    assert desk.window.controller.shown.layer.mask[4, 0, 0].sum() == 6  # type: ignore[union-attr]


def test_that_all_masks_of_an_experiment_start_as_clauses_of_one(desk: Desk) -> None:
    desk.window.controller.propose(attention(**SIZES, causal=True, window=2))
    desk.wait()
    before = desk.window.controller.shown.layer.mask  # type: ignore[union-attr]
    desk.start_from("All masks of this experiment")
    own = desk.window.controller.shown.own  # type: ignore[union-attr]
    assert (desk.window.controller.shown.layer.mask == before).all()  # type: ignore[union-attr]
    assert [each.name for each in own.mask.clauses] == ["causal_mask", "window_mask"]


def test_that_a_file_saved_elsewhere_is_run_as_one_step_of_undo_that_says_so(
    desk: Desk, file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened(desk, file, monkeypatch)
    steps = desk.window.controller.undo_stack.count()
    for text in (FUTURE, CAUSAL.replace(">=", "==")):  # renamed over it, twice
        saved_elsewhere(file, text)
        desk.qtbot.waitUntil(lambda text=text: desk.mods.source == text)  # type: ignore[misc]
    desk.wait()
    assert (desk.allowed == np.eye(6, dtype=bool)).all()
    assert desk.undo_text == "my_mods.py was saved"
    assert desk.window.controller.undo_stack.count() == steps + 2
    desk.window.controller.undo_stack.undo()
    desk.wait()
    assert (desk.mods.source, desk.page.code.text) == (FUTURE, FUTURE)  # type: ignore[union-attr]
    assert desk.page.revert.isEnabled()


def test_that_a_saved_file_that_the_functions_import_is_run_again_without_a_step_of_undo(
    desk: Desk, file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    rule = "def rule(q, k):\n    return q >= k\n"
    helper = file.with_name("rules_of_mine.py")
    helper.write_text(rule)
    file.write_text("from rules_of_mine import rule\n\n" + CAUSAL.replace("q_idx >= kv_idx", "rule(q_idx, kv_idx)"))
    opened(desk, file, monkeypatch)
    assert (desk.allowed == LOWER).all()
    desk.qtbot.waitUntil(lambda: not desk.window.runner.busy and not desk.page.wanted(), timeout=8000)
    steps = desk.window.controller.undo_stack.count()
    saved_elsewhere(helper, rule.replace(">=", "<="))
    desk.qtbot.waitUntil(lambda: bool((desk.allowed == LOWER.T).all()), timeout=8000)
    desk.qtbot.waitUntil(desk.page.finding.isVisible, timeout=8000)  # what is told about the mask is new, too
    helper.write_text("def rule(q, k):\n    return q >\n")
    desk.qtbot.waitUntil(lambda: "rules_of_mine.py" in desk.page.message.text(), timeout=8000)
    assert (desk.allowed == LOWER.T).all()
    helper.unlink()
    helper.write_text(rule)
    desk.qtbot.waitUntil(lambda: bool((desk.allowed == LOWER).all()), timeout=8000)
    desk.wait()
    assert not desk.page.message.isVisible()
    assert desk.window.controller.undo_stack.count() == steps


def test_that_a_deleted_file_keeps_its_text_and_comes_back(
    desk: Desk, file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened(desk, file, monkeypatch)
    file.unlink()
    desk.qtbot.waitUntil(desk.window.notice.isVisible)
    assert "my_mods.py is gone" in desk.window.notice.text()
    assert (desk.mods.source, desk.page.save.isEnabled()) == (CAUSAL, True)  # type: ignore[union-attr]
    file.write_text(CAUSAL)
    desk.qtbot.waitUntil(lambda: "my_mods.py is there again" in desk.window.notice.text())
    saved_elsewhere(file, FUTURE)
    desk.qtbot.waitUntil(lambda: desk.mods.source == FUTURE)  # type: ignore[union-attr]
    desk.window.notice.hide()
    file.write_bytes(b"\xff\xfe\x00")
    desk.qtbot.waitUntil(desk.window.notice.isVisible)
    assert desk.mods.source == FUTURE  # type: ignore[union-attr]


def test_that_a_text_is_saved_in_its_file_without_being_news_and_reverted(
    desk: Desk, file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened(desk, file, monkeypatch)
    desk.write(FUTURE)
    assert desk.page.name.text() == "my_mods.py, edited"
    steps = desk.window.controller.undo_stack.count()
    desk.page.code.setFocus()
    desk.qtbot.keyClick(desk.page.code, Qt.Key.Key_S, Qt.KeyboardModifier.ControlModifier)
    desk.qtbot.waitUntil(lambda: file.read_text() == FUTURE and not desk.page.save.isEnabled())
    desk.qtbot.wait(250)  # what would have been news
    assert desk.window.controller.undo_stack.count() == steps
    desk.write(CAUSAL)
    desk.page.revert.click()
    desk.wait()
    assert (desk.mods.source, desk.page.code.text) == (FUTURE, FUTURE)  # type: ignore[union-attr]


def test_that_functions_without_a_file_ask_for_one_when_saved(
    desk: Desk, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    desk.write(CAUSAL)
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: (str(tmp_path / "new"), ""))
    desk.page.save.click()
    desk.qtbot.waitUntil(lambda: desk.mods.path == str(tmp_path / "new.py"))  # type: ignore[union-attr]
    assert (tmp_path / "new.py").read_text() == CAUSAL


def test_that_a_file_changed_by_another_program_is_not_overwritten(
    desk: Desk, file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened(desk, file, monkeypatch)
    desk.write(FUTURE)
    monkeypatch.setattr(desk.room.functions.file, "stamp", Stamp(1, 2, 3))
    desk.page.save.click()
    desk.qtbot.waitUntil(desk.window.notice.isVisible)
    assert "was changed by another" in desk.window.notice.text()
    assert file.read_text() == CAUSAL


def test_that_a_text_written_here_is_not_asked_about_by_later_windows_once_it_rests(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = CAUSAL + "# of my own\n"
    desk.write(text)
    remembered: list[str] = []
    monkeypatch.setattr(consent, "allow", lambda digest, remember=True: remembered.append(digest) if remember else None)
    desk.qtbot.waitUntil(lambda: remembered == [desk.mods.digest], timeout=10_000)  # type: ignore[union-attr]


def foreign(name: str) -> Mods:
    """Return functions without consent to run."""
    return Mods(path=f"/elsewhere/{name}.py", mask_mod="causal", source=f"{CAUSAL}# {name}\n")


def question(desk: Desk) -> ConsentDialog:
    asked: list[ConsentDialog] = []
    desk.qtbot.waitUntil(lambda: bool(asked.extend(_visible(desk))) or bool(asked))
    return asked[0]


def _visible(desk: Desk) -> list[ConsentDialog]:
    return [each for each in desk.window.findChildren(ConsentDialog) if each.isVisible()]


def test_that_foreign_code_is_shown_and_asked_about_and_runs_once_it_is_allowed(desk: Desk) -> None:
    mods = foreign("theirs")
    desk.window.controller.propose(attention(**SIZES, mods=mods))
    dialog = question(desk)
    assert desk.allowed.all()  # nothing has run
    assert dialog.code.text == mods.source
    assert dialog.code.isReadOnly()
    dialog.allow.click()
    desk.qtbot.waitUntil(lambda: bool((desk.allowed == LOWER).all()), timeout=30_000)
    assert consent.is_allowed(mods.digest)
    assert not desk.page.allow.isVisible()


def test_that_foreign_code_does_not_run_by_a_no_or_by_an_edit_of_it_and_a_button_asks_again(desk: Desk) -> None:
    mods = foreign("others")
    desk.window.controller.propose(attention(**SIZES, mods=mods))
    question(desk).not_now.click()
    desk.wait()
    assert desk.allowed.all()
    assert desk.page.allow.isVisible()
    desk.write((mods.source or "") + "# more\n")
    question(desk).not_now.click()
    assert desk.allowed.all()
    assert not consent.is_allowed(desk.mods.digest)  # type: ignore[union-attr]
    desk.page.allow.click()
    question(desk).allow.click()
    desk.qtbot.waitUntil(lambda: bool((desk.allowed == LOWER).all()), timeout=30_000)


def test_that_a_pinned_run_of_foreign_code_asks_too(desk: Desk) -> None:
    desk.room.ask_pin(Pin(spec=attention(**SIZES, mods=foreign("pinned"))))
    question(desk).allow.click()
    compare = desk.room.stage.pages.compare
    desk.qtbot.waitUntil(lambda: compare.a is not None, timeout=30_000)
    assert (compare.a.layer.mask[0, 0] == LOWER).all()
    desk.room.ask_pin(None)


def test_that_a_file_that_has_changed_since_is_told_and_the_text_of_the_session_stays(desk: Desk, file: Path) -> None:
    mods = Mods(path=str(file), mask_mod="causal", source=FUTURE)
    consent.allow(mods.digest, remember=False)
    desk.window.controller.propose(attention(**SIZES, mods=mods))
    desk.qtbot.waitUntil(desk.window.notice.isVisible)
    assert "my_mods.py has changed since" in desk.window.notice.text()
    desk.wait()
    assert (desk.allowed == LOWER.T).all()
    desk.page.revert.click()
    desk.wait()
    assert (desk.allowed == LOWER).all()


def test_that_a_file_saved_while_another_lab_is_on_screen_waits_for_this_one(
    desk: Desk, file: Path, monkeypatch: pytest.MonkeyPatch, settle: Settle
) -> None:
    opened(desk, file, monkeypatch)
    desk.window.session_state.enter_lab("regression")
    settle(desk.window)
    saved_elsewhere(file, FUTURE)
    desk.qtbot.wait(400)
    assert desk.window.controller.spec.lab == "regression"
    desk.window.session_state.enter_lab("attention")
    desk.qtbot.waitUntil(lambda: desk.mods.source == FUTURE)  # type: ignore[union-attr]


def test_that_what_is_no_function_is_told_on_the_page_until_it_is_one_again(desk: Desk) -> None:
    desk.write(CAUSAL)
    line = desk.page.functions["mask_mod"].line
    for text, wrong in (("causal(size)", True), ("causal", False)):
        line.setFocus()
        line.setText(text)  # typing would open the list of completions
        desk.qtbot.keyClick(line, Qt.Key.Key_Return)
        assert desk.page.message.isVisible() is wrong
        assert ("sliding_window(4)" in desk.page.message.text()) is wrong
    assert desk.mods.mask_mod == "causal"  # type: ignore[union-attr]


def test_that_a_text_beyond_the_limit_is_a_problem_of_its_field_and_nothing_is_lost(desk: Desk) -> None:
    desk.write(CAUSAL)
    long = CAUSAL + "# long\n" * 80_000
    desk.page.code.selectAll()
    desk.page.code.insertPlainText(long)
    desk.page.code.finish()
    assert "500" in desk.room.form.problem("mods")
    assert desk.mods.source == CAUSAL  # type: ignore[union-attr]
    assert desk.page.code.text == long
    desk.write(CAUSAL + "\n")
    assert desk.room.form.problem("mods") == ""


def test_that_the_page_leads_from_the_form_and_its_names_are_told_to_a_screen_reader(
    desk: Desk, file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened(desk, file, monkeypatch)
    desk.room.current_view.propose(page="stages")
    editor: Any = desk.room.form.editor("mods")
    editor.edit.click()
    assert desk.page.isVisible()
    named: list[Callable[[], str]] = [desk.page.code.accessibleName, desk.page.printed.accessibleName]
    named += [edit.box.accessibleName for edit in desk.page.functions.values()]
    assert all(name() for name in named)


def test_that_functions_whose_first_run_fails_can_be_mended_on_their_page(
    open_window: Opener, qtbot: QtBot, settle: Settle
) -> None:
    mods = Mods(mask_mod="causal", source="import not_installed\n" + CAUSAL)
    consent.allow(mods.digest, remember=False)
    window = open_window(attention(**SIZES, mods=mods), wait=False)
    desk = Desk(window, qtbot, settle)
    qtbot.waitUntil(desk.page.message.isVisible, timeout=30_000)
    assert (desk.page.code.wrong_line, window.notice.isVisible()) == (1, False)
    desk.write(CAUSAL)
    assert (desk.allowed == LOWER).all()
    assert desk.page.heads.heatmap.isVisible()


def test_that_a_window_that_opens_with_foreign_code_shows_it_and_its_own_view_once_it_is_allowed(
    open_window: Opener, qtbot: QtBot, settle: Settle
) -> None:
    window = open_window(attention(**SIZES, mods=foreign("first")), wait=False)
    desk = Desk(window, qtbot, settle)
    dialog = question(desk)
    assert desk.page.allow.isVisible()
    dialog.allow.click()
    qtbot.waitUntil(lambda: window.controller.shown is not None, timeout=30_000)
    desk.wait()
    assert (desk.allowed == LOWER).all()
    assert window.room.stage.view.page == "stages"
    assert not desk.page.isVisible()


def test_that_nothing_of_another_lab_is_exported_while_the_first_run_of_this_one_was_refused(
    open_window: Opener, qtbot: QtBot, settle: Settle
) -> None:
    window = open_window(attention(**SIZES, mods=foreign("unseen")), wait=False)
    desk = Desk(window, qtbot, settle)
    question(desk).not_now.click()
    window.session_state.enter_lab("regression")
    settle(window)
    assert window.exporter.shown is window.controller.shown
    window.session_state.enter_lab("attention")
    desk.wait()
    assert window.exporter.session().spec == window.controller.spec
    window.dialogs.open_figure()
    assert window.dialogs.figure.isHidden()
    assert window.notice.text() == "There is no picture yet."


def test_that_the_error_of_a_former_text_is_dimmed_at_once_and_gone_when_its_run_is_stopped(desk: Desk) -> None:
    desk.write(CAUSAL.replace("q_idx >=", "q_index >="))
    assert desk.page.message.isEnabled()
    desk.page.code.selectAll()
    desk.page.code.insertPlainText("while True:\n    pass\n" + CAUSAL)
    desk.page.code.finish()
    assert (desk.page.message.isEnabled(), desk.page.code.wrong_line) == (False, 0)
    desk.qtbot.waitUntil(desk.page.message.isHidden)
    desk.window.controller.stop()
    desk.qtbot.waitUntil(lambda: desk.window.status.state.text() == "stopped", timeout=10_000)
    assert desk.page.message.isHidden()
    desk.window.controller.undo_stack.undo()


def test_that_playing_the_stages_leads_to_their_page(desk: Desk) -> None:
    desk.write(CAUSAL)
    stage = desk.room.stage
    stage.strip.go_to("weights")
    assert stage.view.page == "functions"
    stage.strip.go_to("heads")
    assert (stage.view.page, stage.view.drawn) == ("stages", "heads")
    desk.room.current_view.propose(page="functions")
    assert (stage.view.drawn, stage.strip.stage) == ("weights", "weights")


def test_that_a_text_of_ones_own_that_a_template_replaces_comes_back_by_undo_as_the_notice_says(desk: Desk) -> None:
    desk.start_from("Documents, from a tensor")
    desk.start_from("A mask that differs between heads")
    assert not desk.window.notice.isVisible()
    own = CAUSAL + "# mine\n"
    desk.write(own)
    desk.start_from("Documents, from a tensor")
    assert desk.page.code.text != own
    assert "brings it back" in desk.window.notice.text()
    desk.window.controller.undo_stack.undo()
    desk.wait()
    assert (desk.page.code.text, desk.mods.source) == (own, own)  # type: ignore[union-attr]


def test_that_refused_code_offers_no_stages_and_names_the_button_that_allows_it(
    open_window: Opener, qtbot: QtBot, settle: Settle
) -> None:
    window = open_window(attention(**SIZES, mods=foreign("never")), wait=False)
    desk = Desk(window, qtbot, settle)
    question(desk).not_now.click()
    stage = window.room.stage
    assert desk.page.allow.text() in desk.page.message.text()
    assert "--" not in desk.page.message.text()
    for part in (stage.strip, stage.player, stage.formula, stage.rows.further):
        assert not part.isVisible()
    desk.page.allow.click()
    question(desk).allow.click()
    desk.wait()
    assert stage.strip.isVisible()


def test_that_an_audience_sees_whole_lines_and_one_large_picture(desk: Desk) -> None:
    desk.write(CAUSAL + "# " + 12 * "a comment " + "\n")
    page, window = desk.page, desk.window
    assert page.heads.grid.isVisible()
    window.present(True)
    desk.settle(window)
    try:
        code = page.code
        assert code.horizontalScrollBar().maximum() == 0
        assert not page.heads.grid.isVisible()
        assert page.heads.heatmap.width() > 0.6 * min(page.heads.width(), page.heads.height())
        for part in (page.open, page.save, page.save_as, page.revert):
            assert not part.isVisible()
    finally:
        window.present(False)
        desk.settle(window)
    assert page.open.isVisible()
