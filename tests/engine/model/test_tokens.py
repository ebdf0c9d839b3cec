"""The tokens of a text: where they lie, how the screen calls them, which words they are pieces of."""

import json
from itertools import pairwise

import pytest
from model_folders import WORDS, tokenizer
from tokenizers import Tokenizer, decoders, models, normalizers, pre_tokenizers, processors, trainers

from attnviz.engine.model.tokenizer.tokens import Tokens
from attnviz.experiment.model.text import ReadText

TAUGHT = ["the animal did not cross the street because it was tired 中文句子 café 👩‍👩‍👧 "] * 20
SENTENCES = {
    "English": "the tired animal, it was",
    "Chinese": "中文句子 was 中文",
    "emoji": "it 👩‍👩‍👧 was 🎉",
    "accents": "café naïve",
    "blanks": "  the  street\nit ",
}


def in_bytes(trim: bool) -> Tokens:
    """Return a tokenizer of bytes, as GPT-2 has it."""
    made = Tokenizer(models.BPE())
    made.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=not trim)
    made.decoder, made.post_processor = decoders.ByteLevel(), processors.ByteLevel(trim_offsets=trim)
    alphabet = pre_tokenizers.ByteLevel.alphabet()
    trainer = trainers.BpeTrainer(vocab_size=300, initial_alphabet=alphabet, show_progress=False)
    made.train_from_iterator(TAUGHT, trainer)
    return Tokens(made.to_str(), 300)


def in_pieces(split: bool) -> Tokens:
    """Return a tokenizer of pieces with bytes for what they lack, as LLaMA (not split at blanks) and T5 have it."""
    made = Tokenizer(models.BPE(byte_fallback=True, unk_token="<unk>"))
    if split:
        made.pre_tokenizer, made.decoder = pre_tokenizers.Metaspace(), decoders.Metaspace()
    else:
        made.normalizer = normalizers.Sequence([normalizers.Prepend("▁"), normalizers.Replace(" ", "▁")])
    special = ["<unk>", *(f"<0x{byte:02X}>" for byte in range(256))]
    trainer = trainers.BpeTrainer(vocab_size=330, special_tokens=special, show_progress=False)
    made.train_from_iterator(TAUGHT, trainer)
    return Tokens(made.to_str(), 330)


@pytest.fixture(scope="module", params=["bytes", "bytes with blanks", "pieces", "pieces of words", "words"])
def tokens(request: pytest.FixtureRequest) -> Tokens:
    """Each kind of tokenizer."""
    match request.param:
        case "bytes" | "bytes with blanks":
            return in_bytes(trim=request.param == "bytes")
        case "pieces" | "pieces of words":
            return in_pieces(split=request.param == "pieces of words")
    return Tokens(json.dumps(tokenizer()), 40)


def covered(text: str, encoded: ReadText) -> set[int]:
    return {at for start, end in encoded.spans for at in range(start, end)}


@pytest.mark.parametrize("text", SENTENCES.values(), ids=SENTENCES)
def test_that_spans_cover_every_character_of_the_text_in_order(tokens: Tokens, text: str) -> None:
    encoded = tokens.encode(text, special=False)
    assert covered(text, encoded) >= {at for at, character in enumerate(text) if not character.isspace()}
    assert all(0 <= start <= end <= len(text) for start, end in encoded.spans)
    assert all(before[0] <= after[0] for before, after in pairwise(encoded.spans))


@pytest.mark.parametrize("text", SENTENCES.values(), ids=SENTENCES)
def test_that_a_blank_and_an_ideograph_end_a_word_and_parts_of_a_character_never_do(tokens: Tokens, text: str) -> None:
    encoded = tokens.encode(text, special=False)
    found: dict[int, set[int]] = {}
    for (start, end), word in zip(encoded.spans, encoded.word_ids, strict=True):
        assert word is not None
        found.setdefault(word, set()).update(range(start, end))
    assert list(found) == list(range(len(found)))
    for places in found.values():
        said = text[min(places) : max(places) + 1] if places else ""
        assert not any(map(str.isspace, said.strip())), said
    whole = [at for places in found.values() for at in places if not text[at].isspace()]
    assert len(whole) == len(set(whole)), "a character belongs to one word"


def test_that_every_chinese_character_of_its_own_is_a_word(tokens: Tokens) -> None:
    encoded = in_bytes(trim=True).encode("中文句子", special=False)
    words = {word: set() for word in encoded.word_ids}
    for (start, end), word in zip(encoded.spans, encoded.word_ids, strict=True):
        words[word] |= set(range(start, end))
    assert {at for places in words.values() for at in places} == {0, 1, 2, 3}
    assert len(words) >= 3


@pytest.mark.parametrize("split", [True, False])
def test_that_a_mark_added_before_a_chinese_word_has_no_character(split: bool) -> None:
    encoded = in_pieces(split).encode("句 was", special=False)
    alone = [at for at, name in enumerate(encoded.names) if name == "·"]
    assert alone
    assert encoded.spans[alone[0]] == (0, 0)
    assert encoded.word_ids[alone[0]] == encoded.word_ids[alone[0] + 1]


def test_that_names_show_text_blanks_and_bytes_readably() -> None:
    tokens = in_bytes(trim=True)
    encoded = tokens.encode("the street 中\n🎉", special=False)
    assert "".join(encoded.names).startswith("the·street·")
    assert "\\n" in encoded.names
    parts = [name for name, span in zip(encoded.names, encoded.spans, strict=True) if span == (13, 14)]
    assert "".join(parts) == "<0xF0><0x9F><0x8E><0x89>"
    assert not any(name.isspace() or "Ġ" in name or "ä" in name for name in encoded.names)


@pytest.mark.parametrize(
    ("character", "name"),
    [("\u0007", "<U+0007>"), ("\u200b", "<U+200B>"), ("\u202e", "<U+202E>"), ("\u200d", "<U+200D>"), ("ß", "ß")],
)
def test_that_a_character_without_a_picture_is_named(character: str, name: str) -> None:
    known = Tokenizer(models.WordLevel({character: 0}, unk_token=character)).to_str()
    assert Tokens(known, 1).encode(character, special=False).names == (name,)


def test_that_special_are_the_tokens_that_are_put_around_a_text_wherever_they_stand() -> None:
    tokens = Tokens(json.dumps(tokenizer(WORDS)), len(WORDS))
    read = tokens.encode("the zebra [SEP] sat [UNK] [MASK]", special=True)
    assert read.names == ("[CLS]", "the", "[UNK]", "[SEP]", "sat", "[UNK]", "[MASK]", "[SEP]")
    assert read.special == (True, False, False, True, False, False, False, True)
    assert read.sinks == (0, 3, 7)
    assert read.others == (2, 5)
    kept = read.groups(joined=True, hide_special=True)
    assert [group.name for group in kept] == ["the", "[UNK]", "sat", "[UNK]", "[MASK]"]


def test_that_special_tokens_are_added_on_request_and_belong_to_no_word() -> None:
    tokens = Tokens(json.dumps(tokenizer()), 40)
    bare, around = (tokens.encode("the [MASK] sat", special=special) for special in (False, True))
    assert around.names == ("[CLS]", *bare.names, "[SEP]")
    assert around.special == (True, *bare.special, True)
    assert not any(bare.special), "a token to fill in is none of them"
    assert around.word_ids == (None, 0, 1, 2, None)
    assert tokens.mask_id == WORDS.index("[MASK]")


@pytest.mark.parametrize(
    ("content", "name"), [("\x07", "<U+0007>"), ("<a\u202eb>", "<a<U+202E>b>"), ("  ", "··"), ("[CLS]", "[CLS]")]
)
def test_that_an_added_token_shows_what_has_no_picture(content: str, name: str) -> None:
    added = [{"id": 40, "content": content, "special": False} | dict.fromkeys(ADDED_KEYS, False)]
    tokens = Tokens(json.dumps(tokenizer(added_tokens=added)), 41)
    assert name in (tokens.name(number) for number in range(41))


ADDED_KEYS = ("single_word", "lstrip", "rstrip", "normalized")
