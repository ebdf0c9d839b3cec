"""The whole window in a language in which every text is bracketed and half as long again, and in Chinese.

Nothing but names, numbers and formulas is left without brackets, every text asked for is in the catalogue, and no
label or button is cut.
"""

import re
from collections.abc import Callable, Iterator
from typing import ClassVar
from xml.sax.saxutils import escape, unescape

import pytest
from PySide6.QtCore import Qt, QTranslator
from PySide6.QtGui import QAction, QPainter
from PySide6.QtWidgets import QAbstractButton, QApplication, QComboBox, QDialog, QLabel, QWidget
from pytestqt.qtbot import QtBot
from small_specs import attention, independent_run, regression, transformer

from attnviz.experiment.labs import Spec
from attnviz.experiment.texts.languages import translator
from attnviz.export.figures.figure import paper_figure
from attnviz.export.figures.settings import FigureSettings
from attnviz.folders import resource
from attnviz.gui.widgets import explained
from attnviz.gui.widgets.labels import ElidingLabel
from attnviz.gui.window.main_window import MainWindow
from attnviz.gui.window.side_panel import Rail

_CATALOGUE = resource("translations/attnviz.ts").read_text(encoding="utf-8")
_NAME = re.compile(r"b?float\d+")
_WORD = re.compile(r"[^\W\d_]{2,}")
_NAMES = {"attnviz", "cpu", "CPU", "float", "bfloat", "viridis", "cividis", "CET", "CBL", "Reds", "Lq", "Lk"}
_NAMES |= {"English", "简体中文"}
_NAMES |= {"sin", "cos", "log", "log₂", "softmax", "cap", "tanh", "mean", "x²", "xᵢ"}
"""Names of things, and what stands in formulas."""
_KEYS = {"PNG", "PDF", "SVG", "GIF", "APNG", "Ctrl", "Shift", "Alt", "Esc", "dpi", "px", "cm"}
_SIGNS = re.compile(r"<[^>]*>|&\w+;|«[^«»]*[»…]")
_PROPERTIES = ("text", "title", "placeholderText", "toolTip", "accessibleName", "accessibleDescription", "windowTitle")


class Pseudo(QTranslator):
    """Brackets what it is asked for; notes what no catalogue has."""

    unknown: ClassVar[set[str]] = set()

    def isEmpty(self) -> bool:
        """Return False: it has every text."""
        return False

    def translate(self, context: str, source: str, disambiguation: str | None = None, n: int = -1) -> str:
        """Return a text in the language."""
        del disambiguation, n
        if not re.search(r"[^\W\d_]", re.sub(r"\{[^{}]*\}", "", source)):
            return source
        if (
            context == "attnviz"
            and not _NAME.fullmatch(source)
            and f"<source>{escape(source)}</source>" not in _CATALOGUE
        ):
            self.unknown.add(source)
        return f"«{source}{' more' * (len(source) // 10)}»"


@pytest.fixture
def painted(qapp: QApplication, monkeypatch: pytest.MonkeyPatch) -> Iterator[set[str]]:
    """The language; and what is painted in it."""
    texts: set[str] = set()
    draw = QPainter.drawText

    def note(painter: QPainter, *arguments: object) -> object:
        texts.update(each for each in arguments if isinstance(each, str))
        return draw(painter, *arguments)

    monkeypatch.setattr(QPainter, "drawText", note)
    monkeypatch.setattr(explained, "terms_in", lambda *_: ())  # the glossary is a page, not in the catalogue
    language = Pseudo(qapp)
    qapp.installTranslator(language)
    yield texts
    qapp.removeTranslator(language)
    language.deleteLater()


def bare(text: str) -> set[str]:
    """Return the words of a text that are not in brackets."""
    while (inner := _SIGNS.sub(" ", text)) != text:
        text = inner
    return set(_WORD.findall(text)) - _NAMES


def texts_in(window: QWidget) -> Iterator[tuple[object, str]]:
    """Yield what widgets and actions say."""
    for widget in (window, *window.findChildren(QWidget), *window.findChildren(QAction)):
        found = [widget.property(name) for name in _PROPERTIES]
        if isinstance(widget, QComboBox):
            found += [widget.itemText(place) for place in range(widget.count())]
        yield from ((widget, text) for text in found if isinstance(text, str))


def is_cut(widget: QWidget) -> bool:
    """Return whether a text has less room than it needs, and neither wraps nor ends in an ellipsis."""
    if not isinstance(widget, QAbstractButton | QLabel) or not widget.isVisible() or widget.visibleRegion().isEmpty():
        return False
    if isinstance(widget, Rail) or (isinstance(widget, QAbstractButton) and not widget.icon().isNull()):
        return False  # written upright, or not at all
    if isinstance(widget, QLabel) and (isinstance(widget, ElidingLabel) or widget.wordWrap() or "<" in widget.text()):
        return False
    needed = widget.fontMetrics().size(Qt.TextFlag.TextShowMnemonic, widget.text()).width()
    return needed > widget.contentsRect().width() + 1


def bracketed(template: str, count: int | None = None) -> str:
    """Return a template in the language of figures."""
    del count
    return f"«{template}»"


@pytest.mark.parametrize("spec", [attention(), regression(), transformer()], ids=lambda spec: str(spec.lab))
def test_that_every_text_is_in_the_language_of_the_window_and_none_is_cut(
    spec: Spec, painted: set[str], open_window: Callable[[Spec], MainWindow], settle: Callable[[MainWindow], None]
) -> None:
    window = open_window(spec)
    english: set[str] = set()
    cut: set[str] = set()
    for size in ((1280, 800), (1024, 640)):
        window.resize(*size)
        for page in window.room.stage.page_buttons.findChildren(QAbstractButton):
            page.click()
            settle(window)
            window.grab()
            english |= {f"{type(widget).__name__}: {text}" for widget, text in texts_in(window) if bare(text)}
            cut |= {f"{size[0]}: {each.property('text')}" for each in window.findChildren(QWidget) if is_cut(each)}
    assert english == set()
    assert {text for text in painted if bare(text) - set(getattr(spec, "alphabet", ()))} == set()
    assert Pseudo.unknown == set()
    assert cut == set()


@pytest.mark.usefixtures("chinese")
@pytest.mark.parametrize("spec", [attention(), regression(), transformer()], ids=lambda spec: str(spec.lab))
def test_that_no_text_is_english_in_a_chinese_window_and_none_is_cut(
    spec: Spec, open_window: Callable[[Spec], MainWindow], settle: Callable[[MainWindow], None]
) -> None:
    sources = {unescape(text) for text in re.findall("<source>(.*?)</source>", _CATALOGUE, re.DOTALL)}
    in_english = {text for text in sources if translator("zh_CN")(text) != text}
    window = open_window(spec)
    english: set[str] = set()
    cut: set[str] = set()
    for size in ((1280, 800), (1024, 640)):
        window.resize(*size)
        for page in window.room.stage.page_buttons.findChildren(QAbstractButton):
            page.click()
            settle(window)
            english |= {text for _, text in texts_in(window) if text in in_english}
            cut |= {f"{size[0]}: {each.property('text')}" for each in window.findChildren(QWidget) if is_cut(each)}
    assert english - {"Export"} == set()  # which pyqtgraph has in a menu that is never shown
    assert cut == set()


def test_that_dialogs_are_in_the_language_and_nothing_in_them_is_cut(
    painted: set[str], open_window: Callable[[Spec], MainWindow], qtbot: QtBot
) -> None:
    window = open_window(regression())
    for name in ("figure", "animation", "shortcuts"):
        window.actions_[name].trigger()
        qtbot.waitUntil(lambda: any(each.isVisible() for each in window.findChildren(QDialog)))
        (dialog,) = (each for each in window.findChildren(QDialog) if each.isVisible())
        dialog.grab()
        texts = {text for _, text in texts_in(dialog)}
        assert any("«" in text for text in texts)
        assert {text for text in texts if bare(text) - _KEYS} == set()
        assert {each.property("text") for each in dialog.findChildren(QWidget) if is_cut(each)} == set()
        dialog.reject()
    assert {text for text in painted if bare(text)} == set()
    assert Pseudo.unknown == set()


@pytest.mark.parametrize("spec", [attention(), regression(), transformer()], ids=lambda spec: str(spec.lab))
def test_that_every_text_of_a_figure_is_in_the_language_that_is_handed_in(spec: Spec) -> None:
    from matplotlib.text import Text

    figure = paper_figure(independent_run(spec)[-1], FigureSettings(language=bracketed))
    texts = {each.get_text() for each in figure.findobj(Text)}
    assert any("«" in text for text in texts)
    assert {text for text in texts if bare(text) - set(getattr(spec, "alphabet", ()))} == set()
