"""The tokens of a text by the tokenizer of a folder: their names, spans in the text, and words."""

import re
from collections.abc import Sequence
from itertools import pairwise
from os.path import commonprefix

from attnviz.engine.machine import RunError
from attnviz.engine.model.tokenizer.chat import ChatTemplate
from attnviz.engine.model.tokenizer.process import TokenizerProcess, UnansweredError
from attnviz.engine.model.tokenizer.worker import MOST_TOKENS
from attnviz.experiment.model.text import ReadText
from attnviz.experiment.run import ShouldStop, never_stop

_BLANK = "·"
_NAMED = 8
"""The number of tokens that a message names."""
_SHOWN = str.maketrans({" ": _BLANK, "▁": _BLANK, "\n": "\\n", "\t": "\\t", "\r": "\\r"})
_PLAIN = [*range(33, 127), *range(161, 173), *range(174, 256)]
_OTHERS = [byte for byte in range(256) if byte not in _PLAIN]
_BYTES = {chr(byte): byte for byte in _PLAIN} | {chr(256 + at): byte for at, byte in enumerate(_OTHERS)}
"""The byte of each character in a byte-level vocabulary, as in GPT-2."""
_IDEOGRAPH = re.compile(r"[\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U000323af]")
"""Chinese and Japanese characters; each is a word of its own, as in BERT."""


class Tokens:
    """The tokenizer of a folder, which runs in a separate process; see `TokenizerProcess`."""

    def __init__(
        self,
        content: str,
        rows: int,
        should_stop: ShouldStop = never_stop,
        *,
        chat: ChatTemplate | RunError | None = None,
    ) -> None:
        """Read a tokenizer.json, for a model that knows tokens below ``rows``, and its chat template if it has one.

        Raises:
            RunError: it is broken, or exceeds the limits of time or memory.
            StoppedError: cancelled.
        """
        self.rows = rows
        """The model knows the tokens below this number."""
        self.chat = chat
        self._process = TokenizerProcess(content, rows)
        try:
            known = self._process.describe(should_stop)
        except UnansweredError as error:
            sentence = "the tokenizer of this folder cannot be read: {error}"
            raise RunError("tokenizer_broken", sentence, error=error.why) from error
        self._pieces: list[str | None] = known["pieces"]
        self._in_bytes: bool = known["in_bytes"]
        self._added: dict[int, str] = {number: piece for number, piece, _ in known["added"]}
        self._special: dict[int, str] = {number: piece for number, piece, special in known["added"] if special}
        self._around = frozenset(known["around"])
        masks = [number for number, name in self._special.items() if "mask" in name.lower()]
        self.mask_id = min(masks, key=lambda number: len(self._special[number]), default=None)
        """The token that a masked model fills in, such as [MASK]; None if there is none."""
        self._others = self._special.keys() - self._around - {self.mask_id}
        """Tokens with a meaning of their own that are not put around a text, such as [UNK]."""

    @property
    def special_names(self) -> tuple[tuple[int, str], ...]:
        """The special tokens, with their names."""
        return tuple(sorted(self._special.items()))

    def encode(self, text: str, special: bool, should_stop: ShouldStop = never_stop) -> ReadText:
        """Return the tokens of a text, with those that the tokenizer adds around it if ``special``.

        Raises:
            RunError: the tokenizer fails, or gives too many tokens, or one that the model does not know.
            StoppedError: cancelled.
        """
        try:
            answer = self._process.ask({"text": text, "special": special}, should_stop)
        except UnansweredError as error:
            if "Missing [UNK]" in str(error.why):
                known = [seen(piece) for piece in self._pieces if piece]
                words = {"count": len(known), "some": ", ".join(known[:_NAMED])}
                sentence = "the text has a word that this model has no token for; it knows {count}, such as {some}"
                raise RunError("unknown_word", sentence, **words) from error
            sentence = "the tokenizer of this folder cannot tokenize this text: {error}"
            raise RunError("tokenizer_broken", sentence, error=error.why) from error
        if "count" in answer:
            sentence = "the tokenizer of this folder makes {count} tokens of this text; at most {most} are read"
            raise RunError("too_many_tokens", sentence, count=answer["count"], most=MOST_TOKENS)
        ids, around = tuple(answer["ids"]), list(map(bool, answer["around"]))
        if ids and max(ids) >= self.rows:
            values = {"token": self._name(max(ids), answer["last"]), "id": max(ids), "rows": self.rows}
            sentence = "the tokenizer gives {token} the number {id}, but the model knows those below {rows} only"
            raise RunError("tokens_unknown", sentence, **values)
        names = tuple(map(self.name, ids))
        spans = _spans(text, names, answer["offsets"])
        marks = tuple(added or number in self._around for added, number in zip(around, ids, strict=True))
        of_words = _words(text, spans, around, answer["words"])
        others = tuple(position for position, number in enumerate(ids) if number in self._others)
        return ReadText(text, ids, names, spans, marks, of_words, others)

    def wrapped(self, text: str, should_stop: ShouldStop = never_stop) -> str:
        """Return a text as a user's turn, wrapped by the chat template.

        Raises:
            RunError: there is no chat template, or it fails.
            StoppedError: cancelled.
        """
        if isinstance(self.chat, RunError):
            raise self.chat
        if self.chat is None:
            raise RunError("no_chat_template", "this folder has no chat template; nearest: chat off")
        request = {"template": self.chat.template, "tokens": self.chat.tokens, "text": text}
        try:
            wrapped: str = self._process.ask(request, should_stop)["wrapped"]
        except UnansweredError as error:
            sentence = "the chat template of this folder fails: {error}; nearest: chat off"
            raise RunError("chat_template", sentence, error=error.why) from error
        return wrapped

    def continued(self, read: ReadText, ids: Sequence[int], should_stop: ShouldStop = never_stop) -> ReadText:
        """Return a text continued by generated tokens, whose text is what they add when the tokenizer decodes all.

        Raises:
            RunError: the tokenizer fails.
            StoppedError: cancelled.
        """
        if not ids:
            return read
        try:
            texts = self._process.ask({"ids": [*read.ids, *ids], "first": len(read)}, should_stop)["texts"]
        except UnansweredError as error:
            sentence = "the tokenizer of this folder cannot decode these tokens: {error}"
            raise RunError("tokenizer_broken", sentence, error=error.why) from error
        text, spans, words = read.text, list(read.spans), list(read.word_ids)
        for before, after in pairwise(texts):
            kept = len(commonprefix([before, after]))  # noqa: RUF071 - a character may take several tokens
            piece = after[kept:]
            text = text[: len(text) - (len(before) - kept)]
            start = len(text) + len(piece) - len(piece.lstrip())
            text += piece
            spans.append((min(start, len(text)), max(min(start, len(text)), len(text.rstrip()))))
            last = max((word for word in words if word is not None), default=-1)
            goes_on = words[-1] is not None and piece[:1].isalnum() and text[: len(text) - len(piece)][-1:].isalnum()
            words.append(last if goes_on else last + 1)
        return ReadText(
            text,
            (*read.ids, *ids),
            (*read.names, *map(self.name, ids)),
            tuple(spans),
            (*read.special, *(number in self._around for number in ids)),
            tuple(words),
            (*read.others, *(place for place, number in enumerate(ids, len(read)) if number in self._others)),
        )

    def name(self, number: int) -> str:
        """Return a token's name on screen: its text with "·" for a blank, <0xE4> for a part of a character."""
        return self._name(number, self._pieces[number] if number < len(self._pieces) else None)

    def _name(self, number: int, piece: str | None) -> str:
        if piece is None:
            return f"<{number}>"
        if number in self._added:
            return seen(piece.translate(_SHOWN) if piece.isspace() else piece) or f"<{number}>"
        if self._in_bytes:
            piece = _of_bytes(piece)
        return seen(piece.translate(_SHOWN)) or f"<{number}>"


def seen(piece: str) -> str:
    """Return a piece with U+0007 for each unprintable character; joiners stay."""
    joiners = "\u200c\u200d" if len(piece) > 1 else ""
    return "".join(each if each.isprintable() or each in joiners else f"<U+{ord(each):04X}>" for each in piece)


def _of_bytes(piece: str) -> str:
    """Return the text of a token written in bytes; for a part of a character, the bytes as numbers."""
    if not _BYTES.keys() >= set(piece):
        return piece
    text = bytes(map(_BYTES.__getitem__, piece)).decode("utf-8", "surrogateescape")
    return "".join(f"<0x{ord(each) - 0xDC00:02X}>" if "\udc80" <= each <= "\udcff" else each for each in text)


def _spans(text: str, names: Sequence[str], offsets: Sequence[tuple[int, int]]) -> tuple[tuple[int, int], ...]:
    """Return the characters of each token, without surrounding blanks."""
    spans = []
    for name, (first, last) in zip(names, offsets, strict=True):
        piece = text[first:last]
        start, end = first + len(piece) - len(piece.lstrip()), first + len(piece.rstrip())
        if start >= end:
            start, end = first, last  # only blanks
        elif not name.strip(_BLANK):  # added before a word without a blank; takes the start of the next token
            end = start
        spans.append((start, end))
    return tuple(spans)


def _words(
    text: str, spans: Sequence[tuple[int, int]], around: Sequence[bool], own_numbers: Sequence[int | None]
) -> tuple[int | None, ...]:
    """Return each token's word index: words end where the tokenizer says so, at blanks, and at ideographs."""
    numbers: list[int | None] = []
    count, before, number, blank = -1, None, None, False
    for (start, end), added, own in zip(spans, around, own_numbers, strict=True):
        has_text = bool(text[start:end].strip())
        begins = before is None or own != number or start > before or not has_text
        if not begins and not blank and start == before and start > 0:
            begins = _IDEOGRAPH.search(text[start - 1 : start + 1]) is not None
        count += begins and not added
        numbers.append(None if added else count)
        before, number, blank = (None if added else max(start, end)), own, not has_text
    return tuple(numbers)
