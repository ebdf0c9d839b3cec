"""Where queries, keys and values come from."""

import re
import unicodedata
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

_TOKEN = re.compile(r"[\u3400-\u9fff]|[^\W_\u3400-\u9fff]+(?:['’][^\W_]+)*|[^\w\s][\ufe00-\ufe0f]?|_+")

MAX_TEXT = 20_000


def _is_mark(sign: str) -> bool:
    """Return whether a character is a combining mark of a letter; variation selectors belong to symbols."""
    return unicodedata.category(sign).startswith("M") and not "\ufe00" <= sign <= "\ufe0f"


class _Inputs(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class RandomInputs(_Inputs):
    """Standard normal queries, keys and values, drawn from the spec's seed."""

    kind: Literal["random"] = "random"


class OnesInputs(_Inputs):
    """The textbook's all-ones inputs: equal keys, so every row of weights is even.

    ``values`` may instead count 0, 1, 2, ... through each item, which shows in the output what was pooled.
    """

    kind: Literal["ones"] = "ones"
    values: Literal["ones", "arange"] = "ones"


class IdentityInputs(_Inputs):
    """One-hot inputs: token i is the i-th unit vector (modulo the number of features)."""

    kind: Literal["identity"] = "identity"


class SentenceInputs(_Inputs):
    """The words of a sentence attending to each other: seeded embeddings plus sinusoidal positions.

    Words that are equal but for their case share one embedding; it depends on the word and the seed alone.
    """

    kind: Literal["sentence"] = "sentence"
    text: str = Field("The animal didn't cross the street because it was tired", max_length=MAX_TEXT)

    @property
    def tokens(self) -> tuple[str, ...]:
        """The words and punctuation marks, each Chinese character by itself."""
        # Python's re does not count combining marks as letters; a substitute of the same length finds the words.
        plain = "".join("x" if _is_mark(sign) else sign for sign in self.text)
        return tuple(self.text[found.start() : found.end()] for found in _TOKEN.finditer(plain))


class FileInputs(_Inputs):
    """The user's own arrays, which also determine every size.

    ``.npz`` with ``queries``, ``keys``, ``values`` of shape (length, size) or (batch, length, size), and optionally
    ``W_q W_k W_v W_o`` as ``nn.Linear`` stores them, (out, in); ``.npy`` with one array that attends to itself.
    For given weights instead ``weights``, and optionally ``mask``, ``query_tokens`` and ``key_tokens`` (see
    `given_weights`); ``.npy`` with the weights alone.
    """

    kind: Literal["file"] = "file"
    path: str = Field("", max_length=4096)


Inputs = Annotated[
    RandomInputs | OnesInputs | IdentityInputs | SentenceInputs | FileInputs, Field(discriminator="kind")
]
