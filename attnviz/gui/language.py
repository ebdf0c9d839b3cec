"""The language of the window: the chosen one, else that of the system if it is available; else English."""

from pathlib import Path

from PySide6.QtCore import QCoreApplication, QLibraryInfo, QLocale, QObject, QTranslator
from PySide6.QtGui import QFontMetrics, QGuiApplication
from typing_extensions import override

from attnviz.experiment.texts.languages import ENGLISH, languages
from attnviz.folders import resource
from attnviz.gui.widgets.words import translate
from attnviz.log import note

_OURS = "language"


def nearest_language(locale: QLocale) -> str:
    """Return the language of a locale in its script, "zh_CN" for "zh_SG" but not for "zh_TW"; English for others."""
    for code in languages():
        if (QLocale(code).language(), QLocale(code).script()) == (locale.language(), locale.script()):
            return code
    return ENGLISH


def name_of_language(code: str) -> str:
    """Return the name of a language in itself."""
    if code == ENGLISH:  # Qt calls it American English
        return QLocale.languageToString(QLocale.Language.English)
    return QLocale(code).nativeLanguageName()


def has_glyphs(code: str) -> bool:
    """Return whether this machine's fonts have the characters of a language, judged by its own name."""
    fonts = QFontMetrics(QGuiApplication.font())
    return all(fonts.inFontUcs4(ord(character)) for character in name_of_language(code))


def needs_a_font(code: str) -> str:
    """Return a message about a language without glyphs."""
    name = QLocale.languageToString(QLocale(code).language())
    template = translate("{0} cannot be displayed: no font has its characters. Install one, such as Noto Sans CJK.")
    return template.format(name)


class Catalogue(QTranslator):
    """The texts of a language. A text has one translation in all contexts, which only inform translators."""

    def __init__(self, code: str, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.code = code
        self.sources: dict[str, str] = {}
        """The English of each text that was asked for."""
        self.of_qt = QTranslator(parent)
        files = (
            (self, resource("translations") / f"attnviz_{code}.qm"),
            (self.of_qt, Path(QLibraryInfo.path(QLibraryInfo.LibraryPath.TranslationsPath)) / f"qtbase_{code}.qm"),
        )
        for translator, file in files:
            if not translator.load(str(file)):
                note(f"the texts of {file} are in English, since the file is missing or broken")

    @override
    def translate(self, context: str, source: str, disambiguation: str | None = None, n: int = -1) -> str:
        """Return the translation of a text, or the text itself."""
        text = super().translate("attnviz", source, None, n)
        # Qt's catalogue has some texts of its dialogs without shortcuts that they have now.
        text = text or self.of_qt.translate(context, source.replace("&", "")) or source
        self.sources[text] = source
        return text


def language_now() -> str:
    """Return the code of the language that was installed last."""
    catalogue = _catalogue()
    return ENGLISH if catalogue is None else catalogue.code


def english_of(text: str) -> str:
    """Return the English source of a text on screen, or the text itself."""
    catalogue = _catalogue()
    return text if catalogue is None else catalogue.sources.get(text, text)


def install_language(app: QCoreApplication, code: str) -> None:
    """Switch the window to a language: attnviz's texts, and those of Qt's own dialogs, which are looked up first."""
    for old in app.findChildren(QTranslator, _OURS):
        app.removeTranslator(old)
        old.setParent(None)
        old.deleteLater()
    if code == ENGLISH:
        return
    ours = Catalogue(code, app)
    for each in (ours, ours.of_qt):  # an empty one is not installed
        each.setObjectName(_OURS)
        app.installTranslator(each)


def _catalogue() -> Catalogue | None:
    app = QCoreApplication.instance()
    found = [] if app is None else app.findChildren(Catalogue)
    return found[-1] if found else None
