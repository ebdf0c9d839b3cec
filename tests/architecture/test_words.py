"""Plain English: phrases that readers stumble over are in no text of the window, the command line or the source."""

import re
from xml.etree import ElementTree

import pytest
from source_tree import PACKAGE, ROOT

# Each phrase, and what to write instead.
PHRASES = {
    r"(hang|hangs|hung|hanging) on": "depend on",
    r"nobody('s)?": "no user, no thread, or the passive",
    r"somebody('s)?": "the user, a thread, or the passive",
    r"whoever": "the user, the reader",
    r"(come|comes|came|coming) to": "give, equal, reach, become",
    r"by and by": "gradually",
    r"is nothing that": "cannot be",
    r"(so many times|such a factor)": "the factor, described by its name",
    r"who (ordered|asked)": "the caller, the client, the user",
    r"what (nothing|nobody)": "unused ...",
    r"for ever": "forever, or without an end",
}
TEXT_FILES = (".py", ".qss", ".json", ".svg", ".md")
VISIBLE_PHRASES = {
    r"looks? at (what|where)": "attends to the token after",
    r"rests? on the first token": "parks its attention on the first token (attention sink)",
    r"cannot be shared by": "is not divisible by",
    r"(goes|gone|going) on with": "resumes",
    r"filling": "padding",
    r"fresh draws": "newly drawn sequences",
    r"is no (number|text|file|name|table|whole|language)": "is not a",
    r"is rank": "ranks number",
    r"the hall": "the audience",
    r"(first|which) word comes": "the top prediction",
    r"left the finite numbers": "diverged",
    r"knobs?": "setting",
    r"number format (the|that)": "precision (on screen), dtype (in documentation)",
    r"by itself alone": "alone",
    r"so many": "a count, by its name",
    r"what (nothing|nobody|nothing else)": "a noun",
}
"""Phrases that must not come back into what users read: messages, lessons, the manual, the changelog."""


def lines_with(phrase: str, text: str) -> list[int]:
    """Return the lines on which a phrase begins; it may go on on the next line, in a comment behind its sign."""
    pattern = r"\b" + phrase.replace(" ", r"[\s#\"']+") + r"\b"
    return [text.count("\n", 0, found.start()) + 1 for found in re.finditer(pattern, text, re.IGNORECASE)]


@pytest.mark.parametrize("phrase", PHRASES)
def test_that_no_text_has_the_phrase(phrase: str) -> None:
    paths = [path for folder in (PACKAGE, ROOT / "resources") for path in folder.rglob("*")]
    texts = {path: path.read_text(encoding="utf-8") for path in paths if path.suffix in TEXT_FILES}
    found = [f"{path.relative_to(ROOT)}:{line}" for path in texts for line in lines_with(phrase, texts[path])]
    assert not found, f"write instead: {PHRASES[phrase]}\n" + "\n".join(sorted(found))


def test_that_a_phrase_is_seen_across_lines_and_cases_and_a_word_that_holds_it_let_pass() -> None:
    hang, nobody = list(PHRASES)[:2]
    assert lines_with(hang, "first\n# it does not Hang\n    # on it") == [2]
    assert lines_with(nobody, "Nobody's") == [1]
    assert lines_with(hang, "a hanger-on; changing one; what it depends on") == []


def visible_texts() -> dict[str, str]:
    """Return all English texts that users read, by their places: the messages and the pages, without code."""
    catalogue = ElementTree.parse(ROOT / "resources/translations/attnviz.ts").getroot()
    texts = {"messages": "\n".join(re.sub(r"\{.*?\}", "", each.text or "") for each in catalogue.iter("source"))}
    pages = [*(ROOT / "resources/help").glob("*.md"), *(ROOT / "resources/lessons").glob("*.md")]
    for path in [*pages, ROOT / "README.md", ROOT / "CHANGELOG.md"]:
        text = re.sub(r"```.*?```", "", path.read_text(encoding="utf-8"), flags=re.DOTALL)
        texts[path.name] = re.sub(r"`[^`]*`|\([^)\s]*\)", "", text)
    return texts


@pytest.mark.parametrize("phrase", VISIBLE_PHRASES)
def test_that_no_text_for_users_has_the_idiom(phrase: str) -> None:
    found = {place: lines_with(phrase, text) for place, text in visible_texts().items()}
    assert not any(found.values()), f"write instead: {VISIBLE_PHRASES[phrase]}: {found}"
