"""The tokens of a text, by the tokenizer of a folder: what they are called, where they lie in the text, their words."""

import contextlib
import functools
import os
import re
import threading
from collections.abc import Iterator, Sequence

from attnviz.definitions.text import English
from attnviz.engine.machine import RunError
from attnviz.experiment.model.text import ReadText
from attnviz.log import first_line

_BLANK = "·"
_SHOWN = str.maketrans({" ": _BLANK, "▁": _BLANK, "\n": "\\n", "\t": "\\t", "\r": "\\r"})
_PLAIN = [*range(33, 127), *range(161, 173), *range(174, 256)]
_OTHERS = [byte for byte in range(256) if byte not in _PLAIN]
_BYTES = {chr(byte): byte for byte in _PLAIN} | {chr(256 + at): byte for at, byte in enumerate(_OTHERS)}
"""The byte that each character stands for in a byte-level vocabulary, as GPT-2 has it."""
_IDEOGRAPH = re.compile(r"[\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U000323af]")
"""Characters of Chinese and Japanese; each is a word of its own, as in BERT."""
_one_thread = threading.RLock()  # the process has one stderr


class Tokens:
    """The tokenizer of a folder; a failure in its own code, which is no `Exception`, becomes a `RunError`."""

    def __init__(self, content: str, rows: int) -> None:
        """Read a tokenizer.json, for a model that knows tokens below ``rows``; a RunError if it is broken."""
        from tokenizers import Tokenizer

        self._rows = rows
        with _told("the tokenizer of this folder cannot be read: {error}"):
            self._tokenizer: Tokenizer = Tokenizer.from_str(content)
            self._tokenizer.no_padding()
            self._tokenizer.no_truncation()
            self._added = self._tokenizer.get_added_tokens_decoder()
            self._in_bytes = "ByteLevel(" in f"{self._tokenizer.pre_tokenizer} {self._tokenizer.decoder}"
        self._special = {number: token.content for number, token in self._added.items() if token.special}
        masks = [number for number, name in self._special.items() if "mask" in name.lower()]
        self.mask_id = min(masks, key=lambda number: len(self._special[number]), default=None)
        """The token that a masked model fills in, such as [MASK]; None if there is none."""

    def encode(self, text: str, special: bool) -> ReadText:
        """Return the tokens of a text, with those that the tokenizer adds around it if ``special``.

        A RunError says that the tokenizer fails, or gives a token that the model does not know.
        """
        with _told("the tokenizer of this folder cannot tokenize this text: {error}"):
            found = self._tokenizer.encode(text, add_special_tokens=special)
        ids, around = tuple(found.ids), list(map(bool, found.special_tokens_mask))
        if ids and max(ids) >= self._rows:
            sentence = "the tokenizer gives {token} the number {id}, but the model knows those below {rows} only"
            raise RunError("tokens_unknown", sentence, token=self.name(max(ids)), id=max(ids), rows=self._rows)
        names = tuple(map(self.name, ids))
        spans = _spans(text, names, found.offsets)
        marked = self._special.keys() - {self.mask_id}
        marks = tuple(added or number in marked for added, number in zip(around, ids, strict=True))
        return ReadText(text, ids, names, spans, marks, _words(text, spans, around, found.word_ids))

    @functools.lru_cache(maxsize=4096)  # noqa: B019 - it lives as long as its model
    def name(self, number: int) -> str:
        """Return what the screen calls a token: its text with "·" for a blank, <0xE4> for a part of a character."""
        piece = self._tokenizer.id_to_token(number)
        if piece is None:
            return f"<{number}>"
        if number in self._added:
            return piece
        if self._in_bytes:
            piece = _of_bytes(piece)
        return _seen(piece.translate(_SHOWN)) or f"<{number}>"


@contextlib.contextmanager
def _told(sentence: English) -> Iterator[None]:
    """Make a `RunError` of whatever goes wrong; a Rust panic is no `Exception`, and writes to stderr itself."""
    try:
        with _silence():
            yield
    except (KeyboardInterrupt, SystemExit, GeneratorExit):
        raise
    except BaseException as error:
        raise RunError("tokenizer_broken", sentence, error=first_line(error)) from None


@contextlib.contextmanager
def _silence() -> Iterator[None]:
    """Have nothing written to the file of stderr: Rust writes there without asking Python."""
    with _one_thread, contextlib.ExitStack() as stack:
        with contextlib.suppress(OSError):  # a window of Windows has no stderr
            kept = os.dup(2)
            stack.callback(os.close, kept)
            stack.callback(os.dup2, kept, 2)
            with open(os.devnull, "wb") as nowhere:
                os.dup2(nowhere.fileno(), 2)
        yield


def _seen(piece: str) -> str:
    """Return a piece with the number of each character that has no picture, such as U+0007; joiners in it stay."""
    joiners = "\u200c\u200d" if len(piece) > 1 else ""
    return "".join(each if each.isprintable() or each in joiners else f"<U+{ord(each):04X}>" for each in piece)


def _of_bytes(piece: str) -> str:
    """Return the text of a token that is written in bytes; of a part of a character, the bytes as numbers."""
    if not _BYTES.keys() >= set(piece):
        return piece
    text = bytes(map(_BYTES.__getitem__, piece)).decode("utf-8", "surrogateescape")
    return "".join(f"<0x{ord(each) - 0xDC00:02X}>" if "\udc80" <= each <= "\udcff" else each for each in text)


def _spans(text: str, names: Sequence[str], offsets: Sequence[tuple[int, int]]) -> tuple[tuple[int, int], ...]:
    """Return the characters of each token, without blanks around them."""
    spans = []
    for name, (first, last) in zip(names, offsets, strict=True):
        piece = text[first:last]
        start, end = first + len(piece) - len(piece.lstrip()), first + len(piece.rstrip())
        if start >= end:
            start, end = first, last  # nothing but blanks
        elif not name.strip(_BLANK):  # added before a word without a blank; its span is said to be that of what follows
            end = start
        spans.append((start, end))
    return tuple(spans)


def _words(
    text: str, spans: Sequence[tuple[int, int]], around: Sequence[bool], given: Sequence[int | None]
) -> tuple[int | None, ...]:
    """Return the number of each token's word: it ends where the tokenizer says so, at blanks, and at ideographs."""
    words: list[int | None] = []
    count, before, number, blank = -1, None, None, False
    for (start, end), added, own in zip(spans, around, given, strict=True):
        has_text = bool(text[start:end].strip())
        begins = before is None or own != number or start > before or not has_text
        if not begins and not blank and start == before and start > 0:
            begins = _IDEOGRAPH.search(text[start - 1 : start + 1]) is not None
        count += begins and not added
        words.append(None if added else count)
        before, number, blank = (None if added else max(start, end)), own, not has_text
    return tuple(words)
