"""The fields of the attention lab's spec, with label, help, limits and position in the form."""

import re
import unicodedata
from functools import lru_cache
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import Field, SerializerFunctionWrapHandler, model_serializer

from attnviz.definitions.masks.causal import CAUSAL
from attnviz.definitions.masks.documents import DOCUMENTS
from attnviz.definitions.masks.painted import PAINTED
from attnviz.definitions.masks.valid_lens import VALID_LENS
from attnviz.definitions.masks.window import WINDOW
from attnviz.definitions.mechanisms import MECHANISMS
from attnviz.definitions.number_formats import NUMBER_FORMATS
from attnviz.definitions.text import English
from attnviz.experiment.arrays import MAX_SIZE, MOST_HEADS, MOST_ITEMS
from attnviz.experiment.attention.masks import FurtherMasks, MechanismKnobs, ScoreSteps
from attnviz.experiment.attention.mods import Mods
from attnviz.experiment.attention.valid_lens import DocumentLens, ValidLens
from attnviz.experiment.bases import SpecBase
from attnviz.experiment.fields.chosen_records import with_defaults
from attnviz.experiment.fields.knob import (
    MASK_POLICIES,
    MaskPolicy,
    Number,
    OneOf,
    Part,
    Whole,
    WholeOrNone,
    device_knob,
    knob,
    seed_knob,
)
from attnviz.experiment.fields.painted import CellsText
from attnviz.experiment.files.given_weights import holds_weights

_TOKEN = re.compile(r"[\u3400-\u9fff]|[^\W_\u3400-\u9fff]+(?:['’][^\W_]+)*|[^\w\s][\ufe00-\ufe0f]?|_+")

MAX_TEXT = 20_000
_LATER = ("mods", "num_kv_heads", "positions")
"""The fields that earlier versions do not know; at their defaults they are left out of files."""


def _is_mark(sign: str) -> bool:
    """Return whether a character is a combining mark of a letter; variation selectors belong to symbols."""
    return unicodedata.category(sign).startswith("M") and not "\ufe00" <= sign <= "\ufe0f"


class RandomInputs(Part):
    """Standard normal queries, keys and values, drawn from the spec's seed."""

    kind: Literal["random"] = "random"


class OnesInputs(Part):
    """The all-ones inputs of Zhang et al.: equal keys, so every row of weights is uniform.

    ``values`` may instead count 0, 1, 2, ... through each item, so that the output shows what was pooled.
    """

    kind: Literal["ones"] = "ones"
    values: Literal["ones", "arange"] = "ones"


class IdentityInputs(Part):
    """One-hot inputs: token i is the i-th unit vector (modulo the number of features)."""

    kind: Literal["identity"] = "identity"


class SentenceInputs(Part):
    """The words of a sentence attending to each other: seeded embeddings, usually plus sinusoidal positions.

    Words that differ only in case share one embedding, which depends on the word and the seed.
    """

    kind: Literal["sentence"] = "sentence"
    text: str = Field("The animal didn't cross the street because it was tired", max_length=MAX_TEXT)

    @property
    def tokens(self) -> tuple[str, ...]:
        """The words and punctuation marks, each Chinese character by itself."""
        return _tokens_in(self.text)

    @property
    def key_tokens(self) -> tuple[str, ...]:
        """The tokens attended to: the same."""
        return self.tokens


class TwoSentencesInputs(Part):
    """The words of one sentence attending to those of another (cross-attention), with embeddings as of one sentence.

    Keys and values are one tensor. A word that is in both sentences has one embedding, if both have one size.
    """

    kind: Literal["two_sentences"] = "two_sentences"
    text: str = Field("Das Tier überquerte die Straße nicht", max_length=MAX_TEXT)
    """The sentence of the queries."""
    keys_text: str = Field("The animal didn't cross the street", max_length=MAX_TEXT)

    @property
    def tokens(self) -> tuple[str, ...]:
        """The tokens of the queries' sentence."""
        return _tokens_in(self.text)

    @property
    def key_tokens(self) -> tuple[str, ...]:
        """The tokens of the keys' sentence."""
        return _tokens_in(self.keys_text)


WordInputs = SentenceInputs | TwoSentencesInputs
"""Inputs that are words; as a type, and for ``isinstance``."""


@lru_cache(maxsize=4)  # a form and a spec's validation use those of the same sentences
def _tokens_in(text: str) -> tuple[str, ...]:
    # Python's re does not count combining marks as letters; a substitute of the same length finds the words.
    plain = "".join("x" if _is_mark(sign) else sign for sign in text)
    return tuple(text[match.start() : match.end()] for match in _TOKEN.finditer(plain))


class FileInputs(Part):
    """The user's own arrays, which also determine every size.

    ``.npz`` with ``queries``, ``keys``, ``values`` of shape (length, size) or (batch, length, size), and optionally
    ``W_q W_k W_v W_o`` as stored in ``nn.Linear``, (out, in); ``.npy`` with one array that attends to itself.
    For given weights instead ``weights``, and optionally ``mask``, ``query_tokens`` and ``key_tokens`` (see
    `given_weights`); ``.npy`` with the weights alone.
    """

    kind: Literal["file"] = "file"
    path: str = Field("", max_length=4096)


Inputs = Annotated[
    RandomInputs | OnesInputs | IdentityInputs | SentenceInputs | TwoSentencesInputs | FileInputs,
    Field(discriminator="kind"),
]


def _size_knob(title: English, help_: English) -> Any:
    return knob(None, title, help_, group="More", nothing="as hidden", ge=1, le=MAX_SIZE)


class AttentionFields(SpecBase):
    """The fields; `AttentionSpec` adds the rules between them. Their JSON names are fixed."""

    lab: Literal["attention"] = knob("attention", "Lab", "Which experiment this is.", group="")
    mechanism: Annotated[str, OneOf(MECHANISMS)] = knob(
        "multi_head",
        "Module",
        "Which attention module computes the weights; given ones were computed by another model and come from a file.",
        group="Mechanism",
    )
    mechanism_knobs: MechanismKnobs = knob(
        MechanismKnobs(), "Settings of the module", "Settings that only this module has.", group="Mechanism"
    )
    num_heads: Whole = knob(
        5,
        "Heads",
        "How many heads share the hidden size; each gets hidden / heads features.",
        group="Mechanism",
        slider=(1, 16),
        ge=1,
        le=MOST_HEADS,
    )
    num_kv_heads: WholeOrNone = knob(
        None,
        "Key-value heads",
        "How many heads the keys and values have, each shared by a group of heads (grouped-query attention); 1 is "
        "multi-query attention.",
        group="Mechanism",
        nothing="as heads",
        ge=1,
        le=MOST_HEADS,
    )
    num_hiddens: Whole = knob(
        100,
        "Hidden",
        "Size of the projected queries, keys and values, all heads together.",
        group="Mechanism",
        slider=(8, 1024),
        ge=1,
        le=MAX_SIZE,
    )
    scaled: bool = knob(
        True, "Scaled by √d", "Divide the scores by √d, so the softmax stays soft as d grows.", group="Mechanism"
    )
    inputs: Inputs = knob(
        RandomInputs(),
        "Source",
        "Where queries, keys and values come from.",
        group="Input",
        titles={
            "random": "Random",
            "ones": "All ones",
            "identity": "Identity",
            "sentence": "Sentence",
            "two_sentences": "Two sentences",
            "file": "File ...",
        },
    )
    positions: Literal["sentences", "none", "sinusoidal"] = knob(
        "sentences",
        "Positions",
        "Whether sinusoidal positions (Vaswani et al. 2017) are added to the inputs; by default, to sentences only.",
        group="Input",
        titles={"sentences": "Sentences only", "none": "None", "sinusoidal": "Sinusoidal"},
    )
    self_attention: bool = knob(
        False, "Self-attention", "One set of tokens serves as queries, keys and values.", group="Input"
    )
    batch_size: Whole = knob(
        2, "Batch", "Number of items in the batch.", group="Input", slider=(1, 8), ge=1, le=MOST_ITEMS
    )
    num_queries: Whole = knob(
        4, "Queries", "Rows of the weights: the queries.", group="Input", slider=(1, 64), ge=1, le=MAX_SIZE
    )
    num_kvpairs: Whole = knob(
        6, "Keys", "Columns of the weights: key-value pairs.", group="Input", slider=(1, 64), ge=1, le=MAX_SIZE
    )
    seed: Whole = seed_knob("Decides every random number of the run.", group="Input")
    causal: bool = knob(False, CAUSAL.title, CAUSAL.help, group="Mask")
    valid_lens: ValidLens = knob(None, VALID_LENS.title, VALID_LENS.help, group="Mask")
    window: WholeOrNone = knob(None, WINDOW.title, WINDOW.help, group="Mask", ge=1, le=MAX_SIZE)
    document_lens: DocumentLens = knob(None, DOCUMENTS.title, DOCUMENTS.help, group="Mask")
    painted: Annotated[str, CellsText()] = knob("", PAINTED.title, PAINTED.help, group="Mask")
    masks: FurtherMasks = knob(
        FurtherMasks(), "Further masks", "Masks without a field of their own, by name.", group="Mask"
    )
    mods: Mods | None = knob(
        None,
        "Own functions",
        "A mask_mod and a score_mod of FlexAttention from a Python file; they act beside the other masks and steps.",
        group="Mask",
    )
    mask_policy: MaskPolicy = knob(
        "zero",
        "Empty row",
        (
            "A row with no valid key (empty row): zero gives weights of 0, book fills with -1e6 (a "
            "uniform row), inf gives NaN."
        ),
        group="Mask",
        titles=MASK_POLICIES,
    )
    score_steps: ScoreSteps = knob(
        ScoreSteps(), "Score steps", "Steps applied to the scores before the mask and in the softmax.", group="More"
    )
    dropout: Number = knob(
        0.0, "Dropout", "Chance that a weight is dropped in training.", group="More", slider=(0, 0.9), ge=0, lt=1
    )
    training: bool = knob(False, "Training", "Train mode: dropout acts. Off is eval mode.", group="More")
    bias: bool = knob(False, "Bias", "Projections of queries, keys and values have a bias.", group="More")
    temperature: Number = knob(
        1.0,
        "Temperature",
        "Scores are divided by it: small is sharp, large is even.",
        group="More",
        slider=(0.1, 4),
        gt=0,
        le=1e6,
    )
    context_length: Whole = knob(
        64,
        "Context",
        "Tokens the causal module's mask buffer is made for (also called block size).",
        group="More",
        slider=(1, 256),
        ge=1,
        le=MAX_SIZE,
    )
    query_size: WholeOrNone = _size_knob("Query size", "Features of an input query; empty is the hidden size.")
    key_size: WholeOrNone = _size_knob("Key size", "Features of an input key; empty is the hidden size.")
    value_size: WholeOrNone = _size_knob("Value size", "Features of an input value; empty is the hidden size.")
    dtype: Annotated[str, OneOf(NUMBER_FORMATS)] = knob(
        "float32", "Precision", "Precision (dtype) the module computes in.", group="More"
    )
    upcast: bool = knob(
        True, "Upcast", "Half precision: mask and softmax in float32. Off, -1e6 is -inf in float16.", group="More"
    )
    device: str = device_knob()

    @model_serializer(mode="wrap")
    def _leave_out_what_is_empty(self, write: SerializerFunctionWrapHandler) -> dict[str, Any]:
        """Omit what has its default in fields that earlier versions do not know."""
        written: dict[str, Any] = write(self)
        usual = with_defaults(MECHANISMS[self.mechanism])
        for name, default in {"masks": {}, "score_steps": {}, "mechanism_knobs": usual}.items():
            if dict(getattr(self, name)) == default:
                written.pop(name, None)
        for name in _LATER:
            if getattr(self, name) == type(self).model_fields[name].default:
                written.pop(name, None)
        return written

    @property
    def has_later(self) -> bool:
        """Whether it sets what versions before session format 7 do not know."""
        fields, usual = type(self).model_fields, with_defaults(MECHANISMS[self.mechanism])
        later = any(getattr(self, name) != fields[name].default for name in _LATER)
        later |= isinstance(self.inputs, TwoSentencesInputs)
        return later or dict(self.mechanism_knobs) != usual


def values_of_arrays(path: Path) -> dict[str, Any]:
    """Return the fields of a spec for a file of arrays: inputs, or given weights."""
    inputs: dict[str, Any] = {"inputs": FileInputs(path=str(path))}
    return inputs | {"mechanism": "given"} if holds_weights(path) else inputs
