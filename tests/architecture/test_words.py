"""Plain English: phrases that readers stumble over are in no text of the window, the command line or the source."""

import re

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
}
TEXT_FILES = (".py", ".qss", ".json", ".svg", ".md")


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
