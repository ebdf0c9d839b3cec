import pytest
from hypothesis import given
from hypothesis import strategies as st

from attnviz.experiment.attention.fields import MAX_TEXT, SentenceInputs


def tokens(text: str) -> list[str]:
    return list(SentenceInputs(text=text).tokens)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("The cat sat.", ["The", "cat", "sat", "."]),
        ("It didn't, it won’t", ["It", "didn't", ",", "it", "won’t"]),
        ("well-known (yes!)", ["well", "-", "known", "(", "yes", "!", ")"]),
        ("注意力机制 is all", ["注", "意", "力", "机", "制", "is", "all"]),
        ("abc注def", ["abc", "注", "def"]),
        ("snake_case __", ["snake", "_", "case", "__"]),
        ("3.14 x2", ["3", ".", "14", "x2"]),
        ("Straße café", ["Straße", "café"]),
        ("🐈🐈", ["🐈", "🐈"]),
        (" \t\n", []),
        ("", []),
    ],
)
def test_that_a_sentence_falls_into_words_marks_and_single_chinese_characters(text: str, expected: list[str]) -> None:
    assert tokens(text) == expected


@given(text=st.text(max_size=60))
def test_that_tokens_are_the_text_without_its_spaces(text: str) -> None:
    assert "".join(tokens(text)) == "".join(text.split())


def test_that_a_sentence_is_cut_at_no_place_below_the_longest_legal_one() -> None:
    assert len(tokens("a " * (MAX_TEXT // 2))) == MAX_TEXT // 2


@pytest.mark.parametrize("word", ["e\u0301te\u0301", "हिन्दी", "ภาษาไทยนี้"], ids=["decomposed", "Hindi", "Thai"])
def test_that_a_word_with_combining_marks_is_one_token(word: str) -> None:
    assert tokens(word) == [word]


def test_that_no_token_is_invisible() -> None:
    assert tokens("I ❤️ you") == ["I", "❤️", "you"]
