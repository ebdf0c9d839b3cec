"""The window speaks the language of the system, or the one that is chosen, also while it is open; else English."""

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import QByteArray, QLocale
from PySide6.QtGui import QAction
from PySide6.QtSvg import QSvgRenderer
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractSlider,
    QApplication,
    QCheckBox,
    QComboBox,
    QDialogButtonBox,
    QFileDialog,
    QLabel,
    QLineEdit,
    QPlainTextEdit,
    QScrollBar,
    QToolButton,
    QWidget,
)
from pytestqt.qtbot import QtBot
from small_specs import attention, independent_trace, regression
from train_hands import small_training
from windows import Opener, Settle

from attnviz.definitions.text import Text
from attnviz.experiment.colours import SEQUENTIAL
from attnviz.experiment.pin import Pin
from attnviz.experiment.texts.languages import ENGLISH, languages, translator, wrong_language
from attnviz.gui import language
from attnviz.gui.language import install_language, language_now, name_of_language, nearest_language
from attnviz.gui.layers.words import formula_of
from attnviz.gui.widgets.formula_view import set_formula, worded
from attnviz.gui.widgets.inspector import Fold
from attnviz.gui.widgets.selection import Selection
from attnviz.gui.widgets.words import translate
from attnviz.gui.window.main_window import MainWindow


@pytest.mark.usefixtures("chinese")
def test_that_a_text_is_in_the_language_wherever_it_stands_and_so_are_qts_own(qtbot: QtBot) -> None:
    assert (language_now(), QLabel().tr("Export"), translate("Export")) == ("zh_CN", "导出", "导出")
    assert translate("no text of ours") == "no text of ours"
    assert [translate(Text("{count} heads", {"count": count}, "{count} head")) for count in (1, 2)] == [
        "1 个头",
        "2 个头",
    ]
    box = QDialogButtonBox(QDialogButtonBox.StandardButton.Cancel)
    qtbot.addWidget(box)
    assert box.buttons()[0].text().startswith("取消")
    dialog = QFileDialog()
    qtbot.addWidget(dialog)
    dialog.setOption(QFileDialog.Option.DontUseNativeDialog)
    assert [label.text() for label in dialog.findChildren(QLabel)] == ["查找范围：", "文件名称(&N)：", "文件类型："]


@pytest.mark.usefixtures("chinese")
def test_that_the_words_of_a_formula_are_in_the_language_and_are_drawn() -> None:
    layer = independent_trace(attention(causal=True, painted="1: 2")).layer
    assert r"\text{除非}" in worded(formula_of(layer, "masked_scores")[0])
    assert worded(r"S \text{where $j$ is masked for $i$}") == r"S \text{若 }j\text{ 对 }i\text{ 被掩蔽}"
    svg = set_formula(worded(r"\text{unless}\ i"), "#112233", 20)
    assert "".join(re.findall(r"<text[^>]*>(.)</text>", svg.decode())) == "除非"
    assert QSvgRenderer(QByteArray(svg)).defaultSize().width() > 40  # two characters, each as wide as it is high


@pytest.mark.usefixtures("chinese")
def test_that_a_problem_names_the_nearest_value_once_and_in_the_language() -> None:
    problem = Text("“{word}” is unknown{near}", {"word": "x", "near": Text("; nearest: {nearest}", {"nearest": 8})})
    assert translate(problem).count("8") == 1
    assert "；最接近的：8" in translate(problem)
    assert "8" not in translate(problem.without_nearest)


def test_that_figures_have_the_texts_of_the_window_without_qt(qapp: QApplication) -> None:
    texts = ["Export", "no text of ours", "; nearest: {nearest}"]
    without_qt = [translator("zh_CN")(text) for text in texts]
    install_language(qapp, "zh_CN")
    assert [translate(text) for text in texts] == without_qt
    install_language(qapp, ENGLISH)
    assert [translate(text) for text in texts] == texts == [translator(ENGLISH)(text) for text in texts]


@pytest.mark.parametrize(
    ("system", "spoken"), [("zh_CN", "zh_CN"), ("zh_SG", "zh_CN"), ("zh_TW", "en"), ("de_AT", "en"), ("en_GB", "en")]
)
def test_that_the_language_is_that_of_the_system_in_its_script(system: str, spoken: str) -> None:
    assert nearest_language(QLocale(system)) == spoken


def test_that_every_language_has_a_name_and_another_word_for_one_is_refused() -> None:
    assert [name_of_language(code) for code in languages()] == ["English", "简体中文"]
    assert str(wrong_language("zh")) == "'zh' is not a language of attnviz (en, zh_CN); nearest: zh_CN"
    assert str(wrong_language("ZH_cn")).endswith("nearest: zh_CN")
    assert not wrong_language("zh_CN")


def test_that_another_language_leaves_the_work_as_it_is(
    open_window: Opener, settle: Settle, qapp: QApplication, qtbot: QtBot
) -> None:
    before = open_window(attention())
    settle(before)
    before.controller.propose(before.controller.spec.model_copy(update={"seed": 5}))
    before.panels.notes.editor.setPlainText("for Tuesday")
    settle(before)
    asked: list[str] = []
    before.language_chosen.connect(asked.append)
    (action,) = (each for each in before.menu.languages.actions() if each.data() == "zh_CN")
    action.trigger()
    assert asked == ["zh_CN"]
    shown, runner = before.controller.shown, before.runner
    view = before.room.view_settings()
    install_language(qapp, "zh_CN")
    window = MainWindow(before.controller.spec, before=before)
    window.show()
    try:
        before.leave()
        settle(window)
        assert (window.runner, window.controller.shown, window.room.stage.trace) == (runner, shown, shown)
        assert (window.room.view_settings(), window.panels.notes.text) == (view, "for Tuesday")
        assert window.keeper.modified
        assert "放映" in {each.text() for each in window.top_bar.findChildren(QAbstractButton)}
        window.actions_["undo"].trigger()
        settle(window)
        assert window.controller.spec.seed == attention().seed
        assert window.room.form.spec == window.controller.spec
    finally:
        install_language(qapp, ENGLISH)
        window.keeper.asks = False
        window.close()
        window.deleteLater()


def test_that_another_language_shows_no_picture_of_another_lab_while_a_lab_waits_for_its_own(
    open_window: Opener, settle: Settle
) -> None:
    before = open_window(attention())
    settle(before)
    before.controller.propose(regression())  # its trace has not arrived
    window = MainWindow(before.controller.spec, before=before)
    window.show()
    try:
        before.leave()
        assert window.controller.shown.spec.lab == "attention"
        assert window.status._trace is None
        assert not window.rooms["attention"].stage.isVisible()
        settle(window)
        assert window.status._trace is window.controller.shown is window.room.stage.trace
    finally:
        window.keeper.asks = False
        window.close()
        window.deleteLater()


def chosen_in(window: MainWindow) -> dict[tuple[object, ...], object]:
    """Return what a hand has set in every part of a window, by the part, the kind of widget and its place there."""
    room, found = window.room, {}
    parts = {"bar": window.top_bar, "left": window.panels.left, "right": window.panels.right}
    parts |= {"form": room.form, "stage": room.stage, "view": room.stage.view_panel, "inspector": room.inspector}
    for name, part in parts.items():
        for kind, value in _VALUES.items():
            for place, widget in enumerate(part.findChildren(kind)):
                if widget.isVisibleTo(part):
                    found[name, kind.__name__, place] = value(widget)
        found[name, "width"] = part.isVisible() and part.width()
    pins, held = window.rooms.pins.all, window.room.selection.locked
    found["menus"] = sorted(each.text() for each in window.findChildren(QAction) if each.isChecked())
    return found | {"pins": pins, "held": held, "look": window.look}


_VALUES: dict[type[QWidget], Callable[[Any], object]] = {
    QAbstractButton: QAbstractButton.isChecked,
    QAbstractSlider: lambda slider: isinstance(slider, QScrollBar) or slider.value(),
    QComboBox: lambda box: [box.currentIndex(), *map(box.itemText, range(box.count()))],
    QLineEdit: QLineEdit.text,
    QPlainTextEdit: QPlainTextEdit.toPlainText,
}


def set_what_can_be_set(window: MainWindow, settle: Settle) -> None:
    """Unfold, press and choose what is on screen beside the form, and turn to another page."""
    stage, inspector = window.room.stage, window.room.inspector
    for fold in window.findChildren(Fold):
        fold.header.setChecked(not fold.isExpanded())
    buttons = [each for each in inspector.findChildren(QToolButton) if each.isCheckable()]
    boxes = [each for part in (stage, stage.view_panel) for each in part.findChildren(QCheckBox)]
    for button in (*buttons, *boxes):
        if button.isEnabled() and button.isVisibleTo(button.window()):
            button.click()
    pages = list(stage.pages.pages)
    stage.current_view.propose(page=pages[1])
    settle(window)
    window.room.selection.lock(Selection(1, 1, 1))
    if window.top_bar.pace.isVisible():
        window.top_bar.pace.slider.setValue(2)


def test_that_nothing_that_was_set_in_any_part_is_lost_to_the_window_of_another_language(
    open_window: Opener, settle: Settle
) -> None:
    before = open_window(attention())
    settle(before)
    labs = ("regression", "train", "attention")
    specs = {"regression": regression(), "train": small_training(), "attention": attention(num_heads=2)}
    for lab in labs:
        before.controller.propose(specs[lab])
        settle(before)
        set_what_can_be_set(before, settle)
    before.room.ask_pin(Pin(before.controller.spec))
    before.top_bar.show_devices((("made-up", "a made-up device"),))
    before.panels.notes.editor.setPlainText("for Tuesday")
    before.panels.left.button.click()
    before.rooms.set_map(SEQUENTIAL[-1])
    before.show_motion(False)
    known = {}
    for lab in labs:
        before.session_state.enter_lab(lab)
        settle(before)
        known[lab] = chosen_in(before)
    steps = before.controller.undo_stack.count()
    window = MainWindow(before.controller.spec, before=before)  # in the same language: every text can be compared
    window.show()
    try:
        assert window.controller.undo_stack.count() == steps
        before.leave()
        settle(window)
        assert [room.lab_name for room in window.rooms.values()] == ["attention"]  # the others would take 0.4 s more
        assert all(window.rooms[lab] for lab in labs)  # places in a panel count the parts of all labs
        for lab in reversed(labs):
            window.session_state.enter_lab(lab)
            settle(window)
            assert chosen_in(window) == known[lab], lab
    finally:
        window.keeper.asks = False
        window.close()
        window.deleteLater()


def test_that_a_broken_catalogue_is_logged(qapp: QApplication, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    noted: list[str] = []
    (tmp_path / "attnviz_zh_CN.qm").write_bytes(b"broken")
    monkeypatch.setattr(language, "resource", lambda _: tmp_path)
    monkeypatch.setattr(language, "note", noted.append)
    assert language.Catalogue("zh_CN").translate("", "Attention") == "Attention"
    assert noted == [
        f"the texts of {tmp_path / 'attnviz_zh_CN.qm'} are in English, since the file is missing or broken"
    ]
