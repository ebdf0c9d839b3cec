"""The spec of the attention lab. Its trace is in `attnviz.experiment.attention.trace`."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any, Self

from pydantic import TypeAdapter, ValidationError, ValidationInfo, field_validator, model_validator
from typing_extensions import override

from attnviz.definitions.legal import Legal, both
from attnviz.definitions.mechanisms import MECHANISMS
from attnviz.definitions.mechanisms.mechanism import Mechanism, Rule
from attnviz.definitions.number_formats import is_half
from attnviz.definitions.score_steps import acting, policy_acts
from attnviz.definitions.text import English, Text, untranslated
from attnviz.experiment.attention import valid_lens as lens
from attnviz.experiment.attention.fields import (
    AttentionFields,
    FileInputs,
    SentenceInputs,
    TwoSentencesInputs,
    WordInputs,
)
from attnviz.experiment.attention.masks import FurtherMasks, MechanismKnobs, ScoreSteps
from attnviz.experiment.attention.mods import Mods, with_source
from attnviz.experiment.attention.valid_lens import DocumentLens, ValidLens
from attnviz.experiment.fields import painted as paint
from attnviz.experiment.fields.chosen_records import check_size, knobs_of
from attnviz.experiment.fields.knob import nearest_in
from attnviz.experiment.fields.problems import Repair, problem

_BOOL = TypeAdapter(bool)
_KNOBS = "mechanism_knobs", "mechanism_knobs_form", "mechanism_knob"
"""The field, and the codes of its problems."""


class AttentionSpec(AttentionFields):
    """One attention experiment: a frozen value that fully determines a run.

    The sizes of queries, keys and values are those of the inputs; null means num_hiddens. Dependent fields (the keys of
    self-attention, the tokens of a sentence) need not be given, and must not contradict the others.
    """

    @model_validator(mode="before")
    @classmethod
    def _fill_in_what_follows(cls, data: Any) -> Any:
        """Fill in dependent fields; contradictions are found after validation."""
        return _filled_in(data) if isinstance(data, Mapping) else data

    @field_validator("valid_lens", mode="before")
    @classmethod
    def _parse_valid_lens(cls, raw: Any) -> ValidLens:
        return lens.parse(raw)

    @field_validator("document_lens", mode="before")
    @classmethod
    def _parse_document_lens(cls, raw: Any) -> DocumentLens:
        return lens.parse_documents(raw)

    @field_validator("mechanism_knobs", mode="after")
    @classmethod
    def _check_knobs(cls, knobs: MechanismKnobs, info: ValidationInfo) -> MechanismKnobs:
        record = _mechanism_of(info.data)
        return knobs if record is None else MechanismKnobs(knobs_of(record, knobs, *_KNOBS), record.name)

    @field_validator("painted", mode="before")
    @classmethod
    def _parse_painted(cls, raw: Any) -> str:
        return paint.parse(raw)

    @model_validator(mode="after")
    def _check_fields_against_each_other(self) -> Self:
        self._check_rules(of_sizes=False)
        self._check_steps()
        if self.is_given and not isinstance(self.inputs, FileInputs):
            raise _not_from_a_file(self.inputs.kind)
        if isinstance(self.inputs, FileInputs):
            # The file's arrays set the sizes; the engine validates them as soon as it has read them.
            return self
        self._check_rules(of_sizes=True)
        self._check_sentence()
        if self.self_attention:
            self._check_self_attention()
        lens.check(self.valid_lens, self.batch_size, self.num_queries, self.num_kvpairs)
        paint.check(self.painted, self.num_queries, self.num_kvpairs)
        self.masks.check_sizes(self.sizes)
        self.score_steps.check_sizes(self.sizes)
        for knob in self.mechanism_record.knobs:
            value, field = self.mechanism_knobs[knob.name], f"mechanism_knobs.{knob.name}"
            check_size(self.mechanism_record, knob, value, field, self.sizes)
        return self

    def _check_rules(self, *, of_sizes: bool) -> None:
        for rule in self.mechanism_record.all_rules:
            if rule.of_sizes == of_sizes and not rule.is_kept(self):
                raise self._broken(rule)

    def _broken(self, rule: Rule) -> Exception:
        fields, sizes = type(self).model_fields, self.sizes
        nearest: dict[str, tuple[int, ...]] = {}
        for name, legal in rule.legal.items():
            numbers = legal(self)
            if numbers is not None:
                nearest[name] = nearest_in(numbers, sizes[name], fields[name])
        own = {"nearest_values": nearest[rule.field]} if nearest else {}
        repairs = tuple(Repair.of(name, number) for name, numbers in nearest.items() for number in numbers)
        return problem(rule.field, rule.code, rule.text, rule.text_in_form, repairs, **rule.numbers(self.sizes), **own)

    def _check_steps(self) -> None:
        for step in acting(self):
            if step.does == "vectors" and self.mechanism_record.features is not None:
                others = ScoreSteps({name: knobs for name, knobs in self.score_steps.items() if name != step.name})
                raise problem(
                    "score_steps",
                    "no_product",
                    "score_steps.{name} changes the vectors of a dot product, which the scores of the module "
                    "{mechanism} are not; nearest: leave it out",
                    "{title} changes the vectors of a dot product, which the scores of this module are not; "
                    "nearest: leave it out",
                    (Repair("score_steps", others, "leave it out"),),
                    name=step.name,
                    title=Text(step.title),
                    mechanism=self.mechanism,
                )

        rows = [step for step in acting(self) if step.does in ("share", "weigh")]
        if len(rows) > 1:
            kept = ScoreSteps({name: knobs for name, knobs in self.score_steps.items() if name != rows[1].name})
            raise problem(
                "score_steps",
                "two_softmaxes",
                "score_steps.{name} and score_steps.{other} both make the weights of a row; nearest: leave out {other}",
                "{title} and {second} both make the weights of a row; nearest: leave out {second}",
                (Repair("score_steps", kept, "leave it out"),),
                name=rows[0].name,
                other=rows[1].name,
                title=Text(rows[0].title),
                second=Text(rows[1].title),
            )

    def _check_sentence(self) -> None:
        if isinstance(self.inputs, TwoSentencesInputs):
            self._check_two_sentences(self.inputs)
        elif isinstance(self.inputs, SentenceInputs):
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

    def _check_two_sentences(self, inputs: TwoSentencesInputs) -> None:
        counts = len(inputs.tokens), len(inputs.key_tokens)
        if 0 in counts:
            raise problem("inputs", "no_words", "each sentence needs a word; type at least one")
        if self.self_attention:
            raise problem(
                "inputs",
                "sentences_apart",
                "self_attention is on, and one sentence attends to another; nearest: one sentence",
                "In self-attention a sentence attends to itself; nearest: one sentence",
                (Repair("inputs", SentenceInputs(text=inputs.text), "one sentence"),),
            )
        if (self.num_queries, self.num_kvpairs, self.batch_size) != (*counts, 1):
            raise problem(
                "num_queries",
                "not_the_sentences",
                "num_queries {num_queries} and num_kvpairs {num_kvpairs} in a batch of {batch_size} are not the "
                "sentences' {queries} and {keys} tokens in a batch of 1; nearest: {queries} and {keys}",
                num_queries=self.num_queries,
                num_kvpairs=self.num_kvpairs,
                batch_size=self.batch_size,
                queries=counts[0],
                keys=counts[1],
            )
        if self.size_of_keys != self.size_of_values:
            raise problem(
                "value_size",
                "one_sentence",
                "value_size {value_size} must equal key_size {key_size} where keys and values are one sentence; "
                "nearest: {key_size}",
                value_size=self.size_of_values,
                key_size=self.size_of_keys,
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

    @property
    @override
    def code(self) -> tuple[str, ...]:
        return () if self.mods is None or self.mods.source is None else (self.mods.source,)

    @override
    def beside(self, folder: Path) -> Self:
        return self if self.mods is None else self.model_copy(update={"mods": with_source(self.mods, folder)})

    @property
    @override
    def session_format(self) -> int:
        return 7 if self.has_later else 1

    @property
    @override
    def first_waits_for(self) -> English:
        return "" if self.own_functions is None else "starting the process of your functions"

    @property
    def mechanism_record(self) -> Mechanism:
        """The record of the mechanism."""
        return MECHANISMS[self.mechanism]

    @property
    def size_of_queries(self) -> int:
        """The features of an input query."""
        return self.query_size or self.num_hiddens

    @property
    def size_of_keys(self) -> int:
        """The features of an input key."""
        return self.key_size or self.num_hiddens

    @property
    def size_of_values(self) -> int:
        """The features of an input value."""
        return self.value_size or self.num_hiddens

    @property
    def sizes(self) -> dict[str, int]:
        """Every size by name, including dependent ones."""
        names = ("batch_size", "num_queries", "num_kvpairs", "num_hiddens", "num_heads", "context_length")
        of_inputs = {
            "query_size": self.size_of_queries,
            "key_size": self.size_of_keys,
            "value_size": self.size_of_values,
        }
        return {name: getattr(self, name) for name in names} | of_inputs | {"num_kv_heads": self.kv_heads_run}

    @property
    def own_functions(self) -> Mods | None:
        """The user's functions, if the spec names any and they act."""
        mods = None if self.is_given else self.mods
        return mods if mods is not None and (mods.mask_mod or mods.score_mod) else None

    @property
    def adds_positions(self) -> bool:
        """Whether sinusoidal positions are added to the inputs; a file's arrays are taken as they are."""
        if self.positions == "sentences":
            return isinstance(self.inputs, WordInputs)
        return self.positions == "sinusoidal" and not isinstance(self.inputs, FileInputs)

    @property
    def heads_run(self) -> int:
        """The number of heads of the module: 1 for mechanisms without heads."""
        return self.num_heads if self.mechanism_record.headed else 1

    @property
    def kv_heads_run(self) -> int:
        """The number of heads of the keys and values; each serves as many heads of the queries."""
        return (self.num_kv_heads if self.mechanism_record.shares_keys else None) or self.heads_run

    @property
    def shares_keys(self) -> bool:
        """Whether several heads share keys and values."""
        return self.kv_heads_run < self.heads_run

    @property
    def steps(self) -> int:
        """The number of training steps of a run."""
        return 0

    @property
    def items_run(self) -> int:
        """The number of batch items of a run."""
        return self.batch_size

    @property
    def sizes_known(self) -> bool:
        """Whether the numbers of heads and items follow from the spec alone; for a file they are in the file."""
        return not isinstance(self.inputs, FileInputs)

    @property
    def name_parts(self) -> tuple[str, ...]:
        """The parts of a proposed file name for its run."""
        heads = f"{self.heads_run}-heads" if self.heads_run > 1 else ""
        causal = "causal" if self.causal and not self.mechanism_record.is_causal else ""
        return self.mechanism, heads, causal, self.inputs.kind if self.inputs.kind != "random" else f"seed-{self.seed}"

    @property
    @override
    def subject(self) -> Text:
        if self.is_given:
            return Text("Your arrays")
        return Text() if self.own_functions is None else untranslated(self.own_functions.name)

    @property
    def is_given(self) -> bool:
        """Whether the weights come from a file: nothing is computed, and no other field has an effect."""
        return self.mechanism_record.is_given

    @property
    def dropout_acts(self) -> bool:
        """Whether dropout changes the weights between softmax and pooling."""
        return self.training and self.dropout > 0 and not self.is_given

    @property
    def fills_with_inf(self) -> bool:
        """Whether an empty row becomes NaN: by policy, or because -1e6 does not fit into float16."""
        return (self.mask_policy == "inf" or self.fill_overflows) and policy_acts(acting(self))

    @property
    def fill_overflows(self) -> bool:
        """Whether the fill of -1e6 does not fit into the dtype of the scores, and becomes -inf."""
        return self.mask_policy == "book" and self.dtype == "float16" and not self.upcast

    @property
    def has_sink(self) -> bool:
        """Whether a step adds a sink to the softmax, so that rows of weights sum to less than 1."""
        return any(step.does == "share" for step in acting(self))

    @classmethod
    def notes(cls, values: Mapping[str, Any]) -> Mapping[str, Text]:
        """Return notes about valid values, by field."""
        found: dict[str, Text] = {}
        if values.get("dropout") and not values.get("training"):
            found["dropout"] = Text("It acts in train mode only, which is off.")
        mods = dict(values.get("mods") or {})
        if mods and not (mods.get("mask_mod") or mods.get("score_mod")):
            found["mods"] = Text("Choose a function of the file; none acts yet.")
        return found

    @classmethod
    def legal_values(cls, values: Mapping[str, Any]) -> Mapping[str, Legal]:
        """Return the numbers that the other fields allow, by field, given these (possibly invalid) values."""
        record = _mechanism_of(values)
        if record is None:
            return {}
        defaults = {name: field.default for name, field in cls.model_fields.items()}  # pydantic would copy each
        spec: Any = cls.model_construct(**(defaults | _filled_in(values)))
        limits: dict[str, Legal] = {}
        for rule in record.all_rules:
            if rule.of_sizes and _kind_of(values) == "file":
                continue
            for name, legal in rule.legal.items():
                numbers = legal(spec)
                if numbers is not None:
                    limits[name] = both(limits[name], numbers) if name in limits else numbers
        return limits | cls._legal_knobs(spec, record)

    @classmethod
    def _legal_knobs(cls, spec: Any, record: Mechanism) -> dict[str, Legal]:
        """Return the numbers that sizes allow for options, by path."""
        knobs = {f"mechanism_knobs.{knob.name}": knob for knob in record.knobs}
        for named in (FurtherMasks, ScoreSteps):
            knobs |= {f"{named.field}.{field}": knob for field, (_, knob) in named.knobs().items()}
        limited = {field: knob for field, knob in knobs.items() if knob.most is not None and knob.whole}
        sizes = spec.sizes if limited else {}
        return {field: range(int(knob.least), int(knob.most_for(sizes)) + 1) for field, knob in limited.items()}

    @classmethod
    def active_fields(cls, values: Mapping[str, Any]) -> frozenset[str]:
        """Return the fields with an effect, given these (possibly invalid) values; others are dependent or idle."""
        record, kind = _mechanism_of(values), _kind_of(values)
        if record and record.is_given:
            return frozenset({"lab", "mechanism", "inputs"})
        idle: set[str] = set() if FurtherMasks.records() else {"masks"}
        idle |= set() if record and record.knobs else {"mechanism_knobs"}
        if record:
            idle |= set().union(*(other.reads for other in MECHANISMS.values())) - record.reads | set(record.fixed)
        if not is_half(values.get("dtype")):
            idle |= {"upcast"}
        if kind == "sentence":
            idle |= {"self_attention", "num_queries", "batch_size"}
        if kind == "two_sentences":
            idle |= {"self_attention", "num_queries", "num_kvpairs", "batch_size", "value_size"}
        if kind == "file":
            idle |= {"positions", "self_attention", "num_queries", "num_kvpairs", "batch_size"}
            idle |= {"query_size", "key_size", "value_size"}
        if kind == "sentence" or (record and record.attends_to_itself) or values.get("self_attention"):
            idle |= {"num_kvpairs", "key_size", "value_size"}
        return frozenset(cls.model_fields) - idle


def _filled_in(data: Mapping[str, Any]) -> dict[str, Any]:
    """Return values with dependent fields filled in."""
    filled = dict(data)
    record = _mechanism_of(filled)
    if record and record.knobs:
        filled.setdefault("mechanism_knobs", {})
    for name, value in record.fixed.items() if record else ():
        filled.setdefault(name, value)
    tokens = _tokens_of(filled.get("inputs"))
    if tokens is not None:
        queries, keys = tokens
        filled.setdefault("self_attention", _kind_of(filled) == "sentence")
        filled.setdefault("num_queries", max(len(queries), 1))
        filled.setdefault("batch_size", 1)
        if not _is_on(filled["self_attention"]):
            filled.setdefault("num_kvpairs", max(len(keys), 1))
            filled.setdefault("value_size", filled.get("key_size"))
    if _is_on(filled.get("self_attention")):
        filled.setdefault("num_kvpairs", filled.get("num_queries", AttentionSpec.model_fields["num_queries"].default))
        filled.setdefault("key_size", filled.get("query_size"))
        filled.setdefault("value_size", filled.get("query_size"))
    return filled


def _mechanism_of(values: Mapping[str, Any]) -> Mechanism | None:
    """Return the record of the mechanism in these values, by default the default's; None if the name is unknown."""
    name = values.get("mechanism", AttentionSpec.model_fields["mechanism"].default)
    return MECHANISMS.get(name) if isinstance(name, str) else None


def _kind_of(values: Mapping[str, Any]) -> Any:
    """Return the kind of the inputs in these values, which may be a model or its fields; None without inputs."""
    source = values.get("inputs")
    return source.get("kind") if isinstance(source, Mapping) else getattr(source, "kind", None)


def _is_on(raw: Any) -> bool:
    """Return whether pydantic parses a raw value as true."""
    try:
        return _BOOL.validate_python(raw)
    except ValidationError:
        return False


def _tokens_of(raw_inputs: Any) -> tuple[tuple[str, ...], tuple[str, ...]] | None:
    """Return the tokens of queries and of keys; None for inputs that are not words, or are no valid ones."""
    if isinstance(raw_inputs, WordInputs):
        return raw_inputs.tokens, raw_inputs.key_tokens
    kinds: dict[str, Any] = {"sentence": SentenceInputs, "two_sentences": TwoSentencesInputs}
    kind = raw_inputs.get("kind") if isinstance(raw_inputs, Mapping) else None
    if not isinstance(kind, str) or kind not in kinds:
        return None
    fields = kinds[kind].model_fields
    given = {name: raw_inputs.get(name, fields[name].default) for name in ("text", "keys_text") if name in fields}
    if not all(isinstance(text, str) for text in given.values()):
        return None
    inputs = kinds[kind].model_construct(kind=kind, **given)
    return inputs.tokens, inputs.key_tokens


def _not_from_a_file(kind: str) -> Exception:
    return problem(
        "inputs",
        "given_from_file",
        "given weights are read from a file, and the source is '{kind}'; choose Source: File; nearest: file",
        "Given weights are read from a file, .npz or .npy.",
        invites=True,
        kind=kind,
    )
