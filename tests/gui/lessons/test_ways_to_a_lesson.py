"""Ways to a lesson: an offer at the first start, a line under a preset, a file that is dropped; never a dialog."""

from pathlib import Path

import pytest
from PySide6.QtCore import QSettings, Qt
from PySide6.QtWidgets import QMenu
from pytestqt.qtbot import QtBot
from session_hands import drop
from windows import Opener, Settle

from attnviz.experiment.files.specs_in_files import preset, presets
from attnviz.experiment.lessons.reading import lesson_named, topics
from attnviz.gui.window.main_window import MainWindow

FIRST = topics()[0]


@pytest.fixture
def settings(tmp_path: Path) -> QSettings:
    return QSettings(str(tmp_path / "settings.ini"), QSettings.Format.IniFormat)


def offered(window: MainWindow, settings: QSettings, qtbot: QtBot) -> bool:
    window.lessons.load(settings)
    qtbot.waitUntil(lambda: not window.lessons._heads.busy)
    return window.lessons.first.isVisible()


def test_that_the_first_start_offers_the_first_lesson_until_one_is_opened(
    open_window: Opener, settings: QSettings, qtbot: QtBot, settle: Settle
) -> None:
    window = open_window()
    assert offered(window, settings, qtbot)
    link = window.lessons.first.link
    assert FIRST.title in link.text()
    qtbot.mouseClick(link, Qt.MouseButton.LeftButton)  # the only click from the start to the lesson
    settle(window)
    opened = window.lessons.now.lesson
    assert opened is not None
    assert opened.name == FIRST.name
    window.lessons.now.close()
    assert not window.lessons.first.isVisible()
    window.lessons.save(settings)
    assert not offered(open_window(), settings, qtbot)


def test_that_the_offer_is_closed_for_good(open_window: Opener, settings: QSettings, qtbot: QtBot) -> None:
    window = open_window()
    assert offered(window, settings, qtbot)
    qtbot.mouseClick(window.lessons.first.close_button, Qt.MouseButton.LeftButton)
    assert not window.lessons.first.isVisible()
    window.lessons.save(settings)
    assert not window.lessons.is_open
    assert not offered(open_window(), settings, qtbot)


def test_that_three_clicks_in_the_menu_open_the_first_lesson(window: MainWindow, settle: Settle, qtbot: QtBot) -> None:
    clicks = 1  # on the button that opens the menu, which waits in a loop of its own
    menu: QMenu = window.menu
    menu.popup(window.top_bar.menu.mapToGlobal(window.top_bar.menu.rect().bottomLeft()))
    for title in ("Lessons", f"1  {FIRST.title}"):
        qtbot.waitUntil(menu.isVisible)
        action = next(each for each in menu.actions() if each.text().replace("&", "") == title)
        qtbot.mouseClick(menu, Qt.MouseButton.LeftButton, pos=menu.actionGeometry(action).center())
        clicks += 1
        menu = action.menu() or menu
    settle(window)
    assert clicks == 3
    opened = window.lessons.now.lesson
    assert opened is not None
    assert opened.name == FIRST.name


def test_that_every_preset_that_a_lesson_is_about_links_it(window: MainWindow, settle: Settle, qtbot: QtBot) -> None:
    about = {name: [topic for topic in topics() if name in topic.presets] for name in presets()}
    qtbot.waitUntil(lambda: bool(window.lessons._topics))
    links = window.lessons.links.links
    for name, expected in about.items():
        window.lessons.show_preset(preset(name))
        shown = [(link.name, link.text()) for link in links if not link.isHidden()]
        assert shown == [(each.name, f"Lesson {each.number}: {each.title}") for each in expected]
    window.session_state.open_preset("masked-softmax-book")
    settle(window)
    qtbot.waitUntil(links[0].isVisible)
    assert links[0].mapTo(window, links[0].rect().topLeft()).y() > window.panels.about.geometry().top()
    qtbot.mouseClick(links[0], Qt.MouseButton.LeftButton)
    settle(window)
    assert window.lessons.now.lesson is not None
    assert window.lessons.now.lesson.number == 4
    assert not links[0].isVisible()


def test_that_heads_say_what_the_lessons_say() -> None:
    for language in ("", "zh_CN"):
        for topic in topics(language):
            lesson = lesson_named(topic.name, language)
            assert (topic.title, topic.number, topic.presets) == (lesson.title, lesson.number, lesson.head.presets)


def test_that_a_lesson_opens_where_its_file_is_dropped_or_chosen(
    window: MainWindow, tmp_path: Path, settle: Settle, qtbot: QtBot
) -> None:
    path = tmp_path / "Mine.MD"
    path.write_text("# Mine\n\n## One\n\nA step.\n", encoding="utf-8")
    assert drop(window, path)
    qtbot.waitUntil(lambda: window.lessons.is_open)
    settle(window)
    assert path in window.keeper.recent.existing()
    window.lessons.now.close()
    window.menu.recent_chosen.emit(path)
    qtbot.waitUntil(lambda: window.lessons.is_open)
    settle(window)
