"""The languages of attnviz, and their texts without Qt; those of the window are in `attnviz.gui.language`."""

from functools import cache

from attnviz.definitions.text import English, Text, Translate, english, nearest_word
from attnviz.folders import MissingResourceError, resource

ENGLISH = "en"


def languages() -> tuple[str, ...]:
    """Return the codes of the languages: English, and each with a compiled catalogue in resources/translations."""
    try:
        catalogues = sorted(resource("translations").glob("*.qm"))
    except MissingResourceError:  # English needs none
        catalogues = []
    return ENGLISH, *(path.stem.removeprefix("attnviz_") for path in catalogues)


def wrong_language(code: str) -> Text:
    """Return why a code is not that of a language, with the nearest one; empty if it is."""
    if code in languages():
        return Text()
    usual = code.lower().replace("-", "_")
    alike = next((each for each in languages() if each.lower() == usual), code)
    values = {"code": code, "languages": ", ".join(languages()), "near": nearest_word(alike, languages())}
    return Text("'{code}' is not a language of attnviz ({languages}){near}", values)


@cache
def translator(code: str) -> Translate:
    """Return the translator into a language."""
    if code == ENGLISH:
        return english
    from xml.etree import ElementTree

    texts = {}
    for message in ElementTree.parse(resource(f"translations/attnviz_{code}.ts")).iter("message"):
        done = message.find("translation")
        if done is not None and done.get("type") is None:
            form = done.find("numerusform")  # Chinese has one form for all numbers
            texts[message.findtext("source", "")] = (done if form is None else form).text or ""

    def translated(template: English, count: int | None = None, /) -> str:
        del count
        return texts.get(template, template)

    return translated
