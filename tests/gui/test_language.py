"""A catalogue of the system's language is installed, and chooses among the forms of a number; without one, English."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QLocale, QTranslator
from PySide6.QtWidgets import QApplication, QLabel

from attnviz.definitions.text import Text
from attnviz.gui import language
from attnviz.gui.widgets.words import translate

_MESSAGES = """<TS version="2.1" language="de"><context><name>attnviz/gui</name>
<message><source>Heads</source><translation>Köpfe</translation></message>
<message><source>Rows</source><translation type="unfinished">Zeilen</translation></message>
<message numerus="yes"><source>{count} heads</source><translation>
<numerusform>{count} Kopf</numerusform><numerusform>{count} Köpfe</numerusform></translation></message>
<message><source>{said} is too large</source><translation>{said} ist zu groß</translation></message>
<message><source>; nearest: {nearest}</source><translation>; am nächsten: {nearest}</translation></message>
</context></TS>"""


@pytest.fixture
def german(qapp: QApplication, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """German, with three texts; and English again afterwards."""
    (tmp_path / "attnviz_de.ts").write_text(_MESSAGES, encoding="utf-8")

    def found(name: str) -> Path:
        path = tmp_path / Path(name).name
        if not path.is_file():
            raise language.MissingResourceError(name)
        return path

    monkeypatch.setattr(language, "resource", found)
    monkeypatch.setattr(QLocale, "system", lambda: QLocale("de_AT"))
    before = set(qapp.findChildren(QTranslator))
    language.install_language(qapp)
    yield
    for each in set(qapp.findChildren(QTranslator)) - before:
        qapp.removeTranslator(each)
        each.deleteLater()


@pytest.mark.usefixtures("german")
def test_that_a_text_is_in_the_language_of_the_system_wherever_it_stands() -> None:
    assert (QLabel().tr("Heads"), translate("Heads")) == ("Köpfe", "Köpfe")
    assert (translate("Rows"), translate("Tokens")) == ("Rows", "Tokens")
    heads = [Text("{count} heads", {"count": count}, "{count} head") for count in (0, 1, 2)]
    assert list(map(translate, heads)) == ["0 Köpfe", "1 Kopf", "2 Köpfe"]


@pytest.mark.usefixtures("german")
def test_that_a_problem_names_the_nearest_value_once_and_in_the_language() -> None:
    near = Text("; nearest: {nearest}", {"nearest": 8})
    for text in (
        Text("{said} is too large; nearest: {nearest}", {"said": 9, "nearest": 8}),
        Text("{problem}{near}", {"problem": Text("{said} is too large", {"said": 9}), "near": near}),
    ):
        assert translate(text) == "9 ist zu groß; am nächsten: 8"
        assert translate(text.without_nearest) == "9 ist zu groß"


def test_that_nothing_is_installed_without_a_catalogue(qapp: QApplication, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(QLocale, "system", lambda: QLocale("xh_ZA"))
    before = qapp.findChildren(QTranslator)
    language.install_language(qapp)
    assert qapp.findChildren(QTranslator) == before
    assert translate(Text("{count} heads", {"count": 1}, "{count} head")) == "1 head"
