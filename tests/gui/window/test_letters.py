"""Letters with Alt: each field of a form and each choice of the view has its own, and so has each entry of a menu."""

from collections.abc import Iterator
from string import ascii_lowercase

import pytest
from hands import Hands
from hypothesis import given
from hypothesis import strategies as st
from lab_forms import lab_form
from PySide6.QtCore import Qt
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QApplication, QCheckBox, QLabel, QMenu, QSlider, QWidget
from pytestqt.qtbot import QtBot
from small_specs import attention, regression, training
from windows import At

from attnviz.experiment.fields.knob import fields_of
from attnviz.experiment.labs import LABS, Spec
from attnviz.experiment.texts.languages import ENGLISH
from attnviz.gui.language import install_language
from attnviz.gui.theme import LIGHT, Look, restyle
from attnviz.gui.widgets.buttons import Switch
from attnviz.gui.widgets.inspector import Fold
from attnviz.gui.widgets.letters import VIEW, letters_of, plain
from attnviz.gui.window.main_window import MainWindow

ALT = Qt.KeyboardModifier.AltModifier


@given(st.lists(st.text("abcdeVé &-1", max_size=12), max_size=12))
def test_that_no_letter_is_given_twice_and_each_is_in_its_title(titles: list[str]) -> None:
    letters = letters_of(titles, "v")
    given_ = [letter for letter in letters if letter]
    assert len(set(given_)) == len(given_)
    assert "v" not in given_
    for letter, title in zip(letters, titles, strict=True):
        assert letter in title.lower() or not any(each in title.lower() for each in ascii_lowercase)


@pytest.mark.parametrize("spec", [attention(), regression(), training()], ids=["attention", "regression", "training"])
def test_that_every_field_of_a_form_has_a_letter_of_its_own(spec: Spec, at: At) -> None:
    window = at(spec)
    for fold in window.room.form.findChildren(Fold):
        fold.expand()
    letters = [_letter(label.text()) for label in _labels(window.room.form)]
    letters.append(_letter(window.room.stage.view_button.text()))
    assert len(letters) > 5
    if len(letters) < 20:  # more have not enough letters among them
        assert "" not in letters
    letters = [letter for letter in letters if letter]
    assert len(set(letters)) == len(letters)


@pytest.mark.parametrize("lab", LABS)
def test_that_a_chinese_form_has_the_letters_of_the_english_one_and_shows_all_of_each_title(
    lab: str, qtbot: QtBot, qapp: QApplication
) -> None:
    letters: dict[str, dict[str, str]] = {}
    for language in (ENGLISH, "zh_CN"):
        install_language(qapp, language)
        try:
            form = lab_form(lab)
        finally:
            install_language(qapp, ENGLISH)
        qtbot.addWidget(form)
        letters[language] = {name: form.letter(name) for name in fields_of(LABS[lab].spec_type) if form.row_of(name)}
    given_ = [letter for letter in letters[ENGLISH].values() if letter]
    assert len(given_) > 10
    assert len({*given_, VIEW}) == len(given_) + 1
    assert letters["zh_CN"] == letters[ENGLISH]
    restyle(form, Look(LIGHT))
    form.set_spec(LABS[lab].spec_type())
    form.show()
    for label in _labels(form):  # of the Chinese one
        title = label.text().replace("&", "")
        assert label.width() >= label.fontMetrics().horizontalAdvance(title), title


def test_that_alt_and_a_letter_goes_to_a_field_and_flips_a_switch(at: At, hands: Hands) -> None:
    window = at(attention())
    window.activateWindow()
    hands.qtbot.waitUntil(window.isActiveWindow)
    form = window.room.form
    lettered = [label for label in _labels(form) if _letter(label.text())]
    assert len(lettered) > 10
    for label in lettered:
        field = label.buddy()
        before = field.isChecked() if isinstance(field, Switch) else None
        hands.qtbot.keyClick(window, _key(_letter(label.text())), ALT)
        hands.qtbot.waitUntil(lambda field=field: QApplication.focusWidget() is field)  # type: ignore[misc]
        if isinstance(field, Switch):
            hands.qtbot.waitUntil(lambda field=field, before=before: field.isChecked() is not before)  # type: ignore[misc]
            hands.qtbot.keyClick(field, Qt.Key.Key_Space)


def test_that_digits_typed_after_a_letter_are_the_number_of_a_row_with_a_slider(at: At, hands: Hands) -> None:
    window = at(attention())
    window.activateWindow()
    hands.qtbot.waitUntil(window.isActiveWindow)
    form = window.room.form
    hands.qtbot.keyClick(window, _key(form.letter("num_heads")), ALT)
    hands.qtbot.keyClicks(QApplication.focusWidget(), "4")
    hands.qtbot.keyClick(QApplication.focusWidget(), Qt.Key.Key_Return)
    assert window.controller.spec == attention(num_heads=4)
    for fold in form.findChildren(Fold):
        fold.expand()
    for label in _labels(form):  # of every row, those of the knobs of a score step too
        assert not isinstance(label.buddy(), QSlider), label.text()
    for slider in form.findChildren(QSlider):
        assert not slider.focusPolicy() & Qt.FocusPolicy.TabFocus, "the box beside it takes the keys"


@pytest.mark.qt_log_ignore("This plugin does not support")  # of popups, by the platform without a screen
def test_that_every_choice_of_the_view_has_a_letter_of_its_own(at: At, hands: Hands) -> None:
    panel = at(attention()).room.stage.view_panel
    panel.open()
    parts = [*_labels(panel), *(box for box in panel.findChildren(QCheckBox) if box.isVisible())]
    letters = [_letter(part.text()) for part in parts]
    panel.hide()
    assert len(letters) > 5
    assert "" not in letters
    assert len(set(letters)) == len(letters)


@pytest.fixture(params=["menu", "export"])
def menu(request: pytest.FixtureRequest, used_window: MainWindow) -> Iterator[QMenu]:
    """Each menu of the window, open."""
    found = used_window.menu if request.param == "menu" else used_window.top_bar.export.menu()
    before = [action.text() for action in found.actions()]
    found.popup(used_window.pos())
    yield found
    found.hide()
    assert [action.text() for action in found.actions()] == before


@pytest.mark.qt_log_ignore("This plugin does not support")
def test_that_every_entry_of_an_open_menu_has_a_letter_of_its_own(menu: QMenu) -> None:
    entries: list[QAction] = [action for action in menu.actions() if action.isVisible() and not action.isSeparator()]
    letters = [_letter(action.text()) for action in entries]
    assert len(letters) > 5
    assert "" not in letters
    assert len(set(letters)) == len(letters)


def _labels(root: QWidget) -> list[QLabel]:
    return [label for label in root.findChildren(QLabel) if label.isVisible() and label.buddy() is not None]


def _letter(text: str) -> str:
    """Return the letter after a single &."""
    return next((part[0].lower() for part in text.replace("&&", "").split("&")[1:] if part), "")


def _key(letter: str) -> Qt.Key:
    return Qt.Key(ord(letter.upper()))


def test_that_a_text_reads_as_before_without_its_letter() -> None:
    assert plain("Open this && t&hat") == "Open this & that"
    assert plain("层 && 头(&L) ...") == "层 & 头 ..."
