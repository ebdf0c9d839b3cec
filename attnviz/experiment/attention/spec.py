"""The attention lab's nouns: what was asked. What came out is in `attention_trace`."""

from collections.abc import Mapping
from typing import Any, Self

from pydantic import TypeAdapter, ValidationError, field_validator, model_validator

from attnviz.experiment.attention import document_lens as documents
from attnviz.experiment.attention import painted as paint
from attnviz.experiment.attention import valid_lens as lens
from attnviz.experiment.attention.document_lens import DocumentLens
from attnviz.experiment.attention.fields import HALF_TYPES, AttentionFields
from attnviz.experiment.attention.inputs import FileInputs, SentenceInputs
from attnviz.experiment.attention.masks import further_masks
from attnviz.experiment.attention.valid_lens import ValidLens
from attnviz.experiment.limits import MAX_SIZE
from attnviz.experiment.problems import problem

_BOOL = TypeAdapter(bool)
_HEADED = ("multi_head", "causal_multi_head")


class AttentionSpec(AttentionFields):
    """One attention experiment: a frozen value that alone decides what a run computes.

    The sizes of queries, keys and values are those of the inputs; null means num_hiddens. Fields that follow from
    others (the keys of self-attention, the tokens of a sentence) need not be given, and must not contradict them.
    """

    @model_validator(mode="before")
    @classmethod
    def _fill_in_what_follows(cls, data: Any) -> Any:
        """Give the fields that follow from others; what contradicts them is found after validation."""
        if not isinstance(data, Mapping):
            return data
        given = dict(data)
        if given.get("mechanism") == "causal_multi_head":
            given.setdefault("causal", True)
            given.setdefault("self_attention", True)
        tokens = _tokens_of(given.get("inputs"))
        if tokens is not None:
            given.setdefault("self_attention", True)
            given.setdefault("num_queries", max(len(tokens), 1))
            given.setdefault("batch_size", 1)
        if _is_on(given.get("self_attention")):
            given.setdefault("num_kvpairs", given.get("num_queries", cls.model_fields["num_queries"].default))
            given.setdefault("key_size", given.get("query_size"))
            given.setdefault("value_size", given.get("query_size"))
        return given

    @field_validator("valid_lens", mode="before")
    @classmethod
    def _parse_valid_lens(cls, raw: Any) -> ValidLens:
        return lens.parse(raw)

    @field_validator("document_lens", mode="before")
    @classmethod
    def _parse_document_lens(cls, raw: Any) -> DocumentLens:
        return documents.parse(raw)

    @field_validator("painted", mode="before")
    @classmethod
    def _parse_painted(cls, raw: Any) -> str:
        return paint.parse(raw)

    @model_validator(mode="after")
    def _check_fields_against_each_other(self) -> Self:
        if self.mechanism in _HEADED and self.num_hiddens % self.num_heads:
            raise _not_divisible(self.num_hiddens, self.num_heads)
        if self.mechanism == "causal_multi_head" and not self.causal:
            raise problem("causal", "always_causal", "causal_multi_head always has causal on; turn it on")
        if self.is_given and not isinstance(self.inputs, FileInputs):
            raise _not_from_a_file(self.inputs.kind)
        if isinstance(self.inputs, FileInputs):
            # The file's arrays set the sizes; the engine checks them as soon as it has read them.
            return self
        self._check_sizes()
        if self.self_attention:
            self._check_self_attention()
        if self.mechanism == "causal_multi_head":
            self._check_causal_module()
        lens.check(self.valid_lens, self.batch_size, self.num_queries, self.num_kvpairs)
        paint.check(self.painted, self.num_queries, self.num_kvpairs)
        return self

    def _check_sizes(self) -> None:
        if self.mechanism == "dot_product" and self.size_of_queries != self.size_of_keys:
            raise problem(
                "key_size",
                "sizes_differ",
                "key_size {key_size} and query_size {query_size} have no dot product; nearest: {query_size}, "
                "or the additive module",
                key_size=self.size_of_keys,
                query_size=self.size_of_queries,
                nearest_values=(self.size_of_queries,),
            )
        if isinstance(self.inputs, SentenceInputs):
            count = len(self.inputs.tokens)
            if count == 0:
                raise problem("inputs", "no_words", "the sentence has no word; type at least one")
            if (self.num_queries, self.batch_size) != (count, 1):
                raise problem(
                    "num_queries",
                    "not_the_sentence",
                    "num_queries {num_queries} in a batch of {batch_size} is not the sentence's {count} tokens "
                    "in a batch of 1; nearest: {count}",
                    num_queries=self.num_queries,
                    batch_size=self.batch_size,
                    count=count,
                )
            if not self.self_attention:
                raise problem(
                    "self_attention", "sentence_alone", "a sentence attends to itself; turn self_attention on"
                )

    def _check_self_attention(self) -> None:
        if self.num_kvpairs != self.num_queries:
            raise problem(
                "num_kvpairs",
                "not_self",
                "num_kvpairs {num_kvpairs} must equal num_queries {num_queries} in self-attention; "
                "nearest: {num_queries}",
                num_kvpairs=self.num_kvpairs,
                num_queries=self.num_queries,
            )
        sizes = self.size_of_queries, self.size_of_keys, self.size_of_values
        if len(set(sizes)) > 1:
            raise problem(
                "key_size",
                "not_self",
                "query_size {query_size}, key_size {key_size} and value_size {value_size} must be equal in "
                "self-attention; nearest: {query_size}",
                query_size=sizes[0],
                key_size=sizes[1],
                value_size=sizes[2],
            )

    def _check_causal_module(self) -> None:
        if not self.self_attention:
            raise problem("self_attention", "always_self", "causal_multi_head always has self_attention on; turn it on")
        if self.num_queries > self.context_length:
            raise problem(
                "context_length",
                "context_too_short",
                "{num_queries} tokens are more than the context length {context_length}; nearest: {num_queries}",
                num_queries=self.num_queries,
                context_length=self.context_length,
                nearest_values=(self.num_queries,),
            )

    @property
    def size_of_queries(self) -> int:
        """Features of an input query."""
        return self.query_size or self.num_hiddens

    @property
    def size_of_keys(self) -> int:
        """Features of an input key."""
        return self.key_size or self.num_hiddens

    @property
    def size_of_values(self) -> int:
        """Features of an input value."""
        return self.value_size or self.num_hiddens

    @property
    def heads_run(self) -> int:
        """How many heads the module has: 1 for the mechanisms without heads."""
        return self.num_heads if self.mechanism in _HEADED else 1

    @property
    def trains(self) -> bool:
        """Whether a run goes on in steps."""
        return False

    @property
    def is_given(self) -> bool:
        """Whether the weights are somebody else's: nothing is computed, and no other knob means anything."""
        return self.mechanism == "given"

    @property
    def dropout_acts(self) -> bool:
        """Whether the weights that pool the values are not the weights after softmax."""
        return self.training and self.dropout > 0 and not self.is_given

    @property
    def fills_with_inf(self) -> bool:
        """Whether a row with no valid key comes out as NaN: by policy, or because -1e6 does not fit into float16."""
        overflows = self.mask_policy == "book" and self.dtype == "float16" and not self.upcast
        return self.mask_policy == "inf" or overflows

    @classmethod
    def active_fields(cls, values: Mapping[str, Any]) -> frozenset[str]:
        """Return the fields that matter beside these (perhaps not yet valid) values; the others follow or are idle."""
        mechanism, source = values.get("mechanism"), values.get("inputs")
        if mechanism == "given":
            return frozenset({"lab", "mechanism", "inputs"})
        kind = getattr(source, "kind", None) or (source.get("kind") if isinstance(source, Mapping) else None)
        idle: set[str] = set() if further_masks() else {"masks"}
        if mechanism not in _HEADED:
            idle |= {"num_heads", "bias"}
        if mechanism == "additive":
            idle |= {"scaled"}
        if values.get("dtype") not in HALF_TYPES:
            idle |= {"upcast"}
        if mechanism == "causal_multi_head":
            idle |= {"causal", "self_attention"}
        else:
            idle |= {"context_length"}
        if kind == "sentence":
            idle |= {"self_attention", "num_queries", "batch_size"}
        if kind == "file":
            idle |= {"self_attention", "num_queries", "num_kvpairs", "batch_size"}
            idle |= {"query_size", "key_size", "value_size"}
        if kind == "sentence" or mechanism == "causal_multi_head" or values.get("self_attention"):
            idle |= {"num_kvpairs", "key_size", "value_size"}
        return frozenset(cls.model_fields) - idle


def _is_on(raw: Any) -> bool:
    """Return whether a raw value is one that pydantic takes for true."""
    try:
        return _BOOL.validate_python(raw)
    except ValidationError:
        return False


def _tokens_of(raw_inputs: Any) -> tuple[str, ...] | None:
    if isinstance(raw_inputs, Mapping) and raw_inputs.get("kind") == "sentence":
        text = raw_inputs.get("text", SentenceInputs.model_fields["text"].default)
        return SentenceInputs.model_construct(kind="sentence", text=text).tokens if isinstance(text, str) else None
    return raw_inputs.tokens if isinstance(raw_inputs, SentenceInputs) else None


def _not_from_a_file(kind: str) -> Exception:
    return problem(
        "inputs",
        "given_from_file",
        "given weights are read from a file, and the source is '{kind}'; choose Source: File; nearest: file",
        kind=kind,
    )


def _not_divisible(num_hiddens: int, num_heads: int) -> Exception:
    below = num_hiddens // num_heads * num_heads
    nearest = tuple(size for size in (below, below + num_heads) if 0 < size <= MAX_SIZE)
    return problem(
        "num_hiddens",
        "not_divisible",
        "num_hiddens {num_hiddens} is not divisible by num_heads {num_heads}; nearest: {nearest}",
        num_hiddens=num_hiddens,
        num_heads=num_heads,
        nearest=", ".join(map(str, nearest)),
        nearest_values=nearest,
    )
