"""The window speaks the language of the system, or the one that is chosen, also while it is open; else English."""

import pytest
from PySide6.QtCore import QLocale
from PySide6.QtWidgets import QAbstractButton, QApplication, QDialogButtonBox, QLabel
from pytestqt.qtbot import QtBot
from small_specs import attention
from windows import Opener, Settle

from attnviz.definitions.text import Text
from attnviz.experiment.languages import ENGLISH, languages, translator, wrong_language
from attnviz.gui.language import install_language, language_now, name_of_language, nearest_language
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
    assert str(wrong_language("zh")) == "'zh' is no language of attnviz (en, zh_CN); nearest: zh_CN"
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
