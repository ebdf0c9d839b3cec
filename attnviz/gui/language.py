"""The language of the window: that of the system, where there is a catalogue of it; else English."""

from collections.abc import Mapping
from pathlib import Path
from xml.etree import ElementTree

from PySide6.QtCore import QCoreApplication, QLocale, QObject, QTranslator

from attnviz.folders import MissingResourceError, resource


class Catalogue(QTranslator):
    """The texts of a language. A text is the same wherever it stands; contexts are for the translator's eyes."""

    def __init__(self, texts: Mapping[str, tuple[str, ...]], parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._texts = texts

    def isEmpty(self) -> bool:
        """Return whether there is no text; an empty translator is not installed."""
        return not self._texts

    def translate(self, context: str, source: str, disambiguation: str | None = None, n: int = -1) -> str:
        """Return a text, or itself where it has no translation; of two forms the first is for 1."""
        del context, disambiguation
        forms = self._texts.get(source) or (source,)
        return forms[min(int(n != 1), len(forms) - 1)]


def texts_of(path: Path) -> dict[str, tuple[str, ...]]:
    """Return the finished translations of a catalogue of Qt Linguist, each with its forms for numbers."""
    texts: dict[str, tuple[str, ...]] = {}
    for message in ElementTree.parse(path).iter("message"):
        done = message.find("translation")
        if done is not None and done.get("type") is None:
            forms = tuple(form.text or "" for form in done.iter("numerusform")) or (done.text or "",)
            texts[message.findtext("source", "")] = forms
    return texts


def install_language(app: QCoreApplication) -> None:
    """Install the catalogue of the system's language, ``attnviz_zh_CN.ts`` or ``attnviz_zh.ts``, if there is one."""
    name = QLocale.system().name()
    for each in (name, name.partition("_")[0]):
        try:
            path = resource(f"translations/attnviz_{each}.ts")
        except MissingResourceError:
            continue
        app.installTranslator(Catalogue(texts_of(path), app))
        return
