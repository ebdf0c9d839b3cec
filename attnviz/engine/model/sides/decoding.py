"""How the decoder of an encoder-decoder begins: its start token, a forced first token, then the target's tokens."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from attnviz.engine.machine import RunError
from attnviz.engine.model.folder import Folder
from attnviz.engine.model.generating.settings import take_settings
from attnviz.engine.model.tokenizer.tokens import Tokens
from attnviz.experiment.model.text import ReadText
from attnviz.experiment.run import ShouldStop

_LANGUAGE = re.compile(r"__([a-z]{2,3})__|([a-z]{2,3}_[A-Z]{2})|([a-z]{3}_[A-Z][a-z]{3})")
"""Matches the names of languages among special tokens: M2M-100's, mBART's and NLLB's."""
_FEWEST = 2
"""So few of them are no choice of a language."""


@dataclass(frozen=True, slots=True)
class Decoding:
    """What the decoder of a model reads first."""

    start: int
    """The token that it begins with."""
    forced: int | None
    """The token that the folder puts first in every answer, such as a language; None: none."""
    most_tokens: int | None
    """The most tokens that it has positions for; None if unlimited."""
    languages: tuple[tuple[int, str], ...]
    """The special tokens that name a language; empty if there are none."""

    def prefix(self, forced: int | None) -> tuple[int, ...]:
        """Return the tokens before a target: the start token, and the first one if it is forced."""
        first = self.forced if forced is None else forced
        return (self.start,) if first is None else (self.start, first)


def decoding_of(folder: Folder, model: Any, tokens: Tokens, most_tokens: int | None) -> Decoding:
    """Return how the decoder of a model begins, by its folder's settings of generation.

    Raises:
        RunError: they name no token that it begins with, or one that the model does not know.
    """
    take_settings(folder, model)
    config = model.generation_config
    start = next((each for each in (config.decoder_start_token_id, config.bos_token_id) if each is not None), None)
    if start is None:
        sentence = (
            "the folder names no decoder_start_token_id and no bos_token_id, so its decoder cannot begin; "
            "name one in generation_config.json"
        )
        raise RunError("no_decoder_start", sentence)
    for name, token in (("decoder_start_token_id", start), ("forced_bos_token_id", config.forced_bos_token_id)):
        if token is not None and not (isinstance(token, int) and 0 <= token < tokens.rows):
            sentence = "the folder's {name} is {token}, and the model knows the tokens below {rows} only"
            raise RunError("decoder_token_unknown", sentence, name=name, token=str(token), rows=tokens.rows)
    named = tokens.special_names
    languages = tuple((number, name) for number, name in named if _LANGUAGE.fullmatch(name) and number < tokens.rows)
    return Decoding(start, config.forced_bos_token_id, most_tokens, languages if len(languages) >= _FEWEST else ())


def read_target(
    decoding: Decoding, tokens: Tokens, target: str, forced: int | None, should_stop: ShouldStop
) -> ReadText:
    """Return the tokens that a decoder reads before it writes: the start token, and those of a target if there is one.

    The tokenizer adds no special tokens to a target: what begins it is the decoder's own, and it may go on.

    Raises:
        RunError: a token is not known, or there are more than the model can read.
        StoppedError: cancelled.
    """
    if forced is not None and forced >= tokens.rows:
        sentence = (
            "forced_bos_token_id is {token}, but the model knows the tokens below {rows} only; nearest: {nearest}"
        )
        values = {"token": forced, "rows": tokens.rows, "nearest": tokens.rows - 1}
        raise RunError("forced_unknown", sentence, **values)
    if not target:
        return _around((decoding.start,), tokens, None)
    read, prefix = tokens.encode(target, False, should_stop), decoding.prefix(forced)
    prefix = prefix[:1] if read.ids[:1] == prefix[1:] else prefix  # it has been typed
    whole = _around(prefix, tokens, read)
    check_length(len(whole), decoding.most_tokens)
    return whole


def check_length(count: int, most: int | None) -> None:
    """Raise a `RunError` if a decoder has too few positions for its tokens."""
    if most is not None and count > most:
        sentence = "the target has {count} tokens, and this decoder reads at most {most}; nearest: {most} tokens"
        raise RunError("target_too_long", sentence, count=count, most=most)


def _around(prefix: Sequence[int], tokens: Tokens, read: ReadText | None) -> ReadText:
    """Return special tokens, and a text after them."""
    count = len(prefix)
    marks: tuple[bool, ...] = (True,) * count
    names = tuple(map(tokens.name, prefix))
    if read is None:
        return ReadText("", tuple(prefix), names, ((0, 0),) * count, marks, (None,) * count)
    return ReadText(
        read.text,
        (*prefix, *read.ids),
        (*names, *read.names),
        (((0, 0),) * count) + read.spans,
        marks + read.special,
        ((None,) * count) + read.word_ids,
        tuple(place + count for place in read.others),
    )
