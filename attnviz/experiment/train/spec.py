"""The spec of the training lab: a small transformer, its task, and its optimisation."""

from collections.abc import Mapping, Sequence
from functools import lru_cache
from itertools import islice
from typing import Annotated, Any, Literal, Self

from pydantic import FailFast, Field, SerializerFunctionWrapHandler, field_validator, model_serializer, model_validator

from attnviz.definitions.decoder.optimizers import OPTIMIZERS, has_momentum
from attnviz.definitions.decoder.positions import POSITIONS, turns_pairs
from attnviz.definitions.knobs import NumberKnob
from attnviz.definitions.legal import Legal, both, divisors, multiples
from attnviz.definitions.number_formats import NUMBER_FORMATS
from attnviz.definitions.roles import ROLES, Role
from attnviz.definitions.stages import STAGES, stages_of
from attnviz.definitions.stages.stage import Stage
from attnviz.definitions.tasks import TASKS
from attnviz.definitions.tasks.task import NUM_TOKENS, VOCAB_SIZE, TaskRule
from attnviz.definitions.text import Text, nearest_word, quoted
from attnviz.experiment.bases import SpecBase
from attnviz.experiment.fields.knob import (
    Number,
    NumberOrNone,
    OneOf,
    Part,
    Whole,
    device_knob,
    knob,
    momentum_knob,
    nearest_in,
    seed_knob,
)
from attnviz.experiment.fields.problems import Repair, problem, said_all
from attnviz.experiment.layers.head_names import HeadsOff, head_of
from attnviz.experiment.layers.knobs import Knobs
from attnviz.experiment.train.task import TASK_TYPES, AnyTask, TaskChoice, TokenWords, alphabet_of, as_typed

_MOST_TYPED, _MOST_GROUPS = 40, 20
"""The most characters of a probe, and groups of a model's words, in a message."""
MOST_STEPS = 20_000
_MOST_CHANGES = 100
_LARGE_RATE = 0.1
"""The learning rate above which Adam's steps are as large as the parameters: 1 / sqrt(hidden) at first."""


class RateChange(Part):
    """A training's learning rate from a step on."""

    step: Whole = Field(ge=0, le=MOST_STEPS, title="At step")
    """The number of steps before it applies."""
    learning_rate: Number = Field(gt=0, le=1e6, title="Learning rate")


class FromHereOn:
    """Marks a field that may be changed in the middle of a training."""


def _size_knob(size: NumberKnob, slider: tuple[int, int]) -> Any:
    least, greatest = int(size.least), int(size.greatest)
    return knob(int(size.default), size.title, size.help, group="Task", slider=slider, ge=least, le=greatest)


class TrainSpec(SpecBase):
    """One training of a decoder that predicts the next token. Its JSON names are fixed."""

    lab: Literal["train"] = knob("train", "Lab", "Which experiment this is.", group="")
    task: AnyTask = knob(
        TASK_TYPES["repeat"](kind="repeat"), "Task", "What the model learns to continue.", group="Task"
    )
    num_tokens: Whole = _size_knob(NUM_TOKENS, slider=(4, 64))
    vocab_size: Whole = _size_knob(VOCAB_SIZE, slider=(2, 64))
    num_layers: Whole = knob(2, "Layers", "Number of attention layers.", group="Model", slider=(1, 6), ge=1, le=6)
    num_heads: Whole = knob(4, "Heads", "How many heads each layer has.", group="Model", slider=(1, 16), ge=1, le=16)
    num_hiddens: Whole = knob(
        64,
        "Hidden",
        "Size of the residual stream; each head has hidden / heads features.",
        group="Model",
        slider=(8, 256),
        ge=8,
        le=256,
    )
    positions: Annotated[str, OneOf(POSITIONS)] = knob(
        "rotary", "Positions", "How the model knows the positions of its tokens.", group="Model"
    )
    feed_forward: bool = knob(
        False, "Feed-forward", "A two-layer network after the attention of each layer.", group="Model"
    )
    norm: bool = knob(
        True, "Layer norm", ("Layer norm before each attention layer and before the prediction."), group="More"
    )
    tied_embedding: bool = knob(
        False, "Tied embedding", "The output layer shares the weights of the token embedding.", group="More"
    )
    optimizer: Annotated[str, OneOf(OPTIMIZERS)] = knob(
        "adamw",
        "Optimiser",
        "How the gradients move the parameters: all by one step size, or each by its own.",
        group="Training",
    )
    momentum: Number = momentum_knob()
    learning_rate: Annotated[Number, FromHereOn()] = knob(
        0.003,
        "Learning rate",
        (
            "Step size of the optimiser, from the start; while a training is shown, a new learning "
            "rate acts from the step on screen."
        ),
        group="Training",
        slider=(0.0001, 0.1),
        gt=0,
        le=1e6,
    )
    warmup: Whole = knob(
        50,
        "Warm-up",
        "Steps over which the learning rate grows from 0 to its value.",
        group="More",
        slider=(0, 500),
        stops=(0, 10, 20, 50, 100, 200, 500),
        ge=0,
        le=MOST_STEPS,
    )
    weight_decay: Number = knob(
        0.01, "Weight decay", "How strongly the parameters shrink.", group="More", slider=(0, 0.5), ge=0, le=1e3
    )
    clip: NumberOrNone = knob(
        1.0,
        "Clip",
        "The largest norm of a gradient; larger ones are clipped.",
        group="More",
        nothing="off",
        gt=0,
        le=1e6,
    )
    batch_size: Whole = knob(
        64,
        "Batch",
        "Sequences in each step.",
        group="Training",
        slider=(1, 256),
        stops=(1, 2, 4, 8, 16, 24, 32, 48, 64, 96, 128, 192, 256),
        ge=1,
        le=256,
    )
    steps: Whole = knob(
        400,
        "Steps",
        "How many steps are trained.",
        group="Training",
        slider=(50, 5000),
        stops=(50, 100, 150, 200, 300, 400, 500, 600, 800, 1000, 1500, 2000, 3000, 4000, 5000),
        ge=1,
        le=MOST_STEPS,
    )
    changes: Annotated[tuple[RateChange, ...], FailFast()] = knob(
        (), "Changes", "Changes of the learning rate during training.", group="Training", max_length=_MOST_CHANGES
    )
    heads_off: HeadsOff = knob(
        (),
        "Heads off",
        "Heads to turn off (ablate) in the picture, as layer.head; training is unaffected.",
        group="",
        max_length=96,
    )
    probe: Annotated[tuple[str, ...] | None, TokenWords()] = knob(
        None,
        "Probe",
        "The sequence shown: tokens separated by blanks, or the characters of a text, where a "
        "blank is a token too. Empty is the task's own.",
        group="Task",
        max_length=256,
    )
    held_out: Number = knob(
        0.0,
        "Held out",
        (
            "The share of the sequences held out of training, to test on; of a text its end, of sums "
            "both orders of a pair."
        ),
        group="More",
        slider=(0, 0.5),
        stops=tuple(twentieth / 20 for twentieth in range(11)),
        ge=0,
        le=0.5,
    )
    seed: Whole = seed_knob("Decides the first parameters and every batch.", group="Training")
    device: str = device_knob()
    dtype: Annotated[str, OneOf(NUMBER_FORMATS, only=lambda each: not each.is_half)] = knob(
        "float32", "Precision", "Precision (dtype) the model computes in.", group="More"
    )

    @model_validator(mode="before")
    @classmethod
    def _fill_in_what_follows(cls, data: Any) -> Any:
        """Fill in the vocabulary if the task determines it, and a task's usual sizes if they are not given."""
        return _filled_in(data) if isinstance(data, Mapping) else data

    @model_serializer(mode="wrap")
    def _leave_out_nothing_held_out(self, write: SerializerFunctionWrapHandler) -> dict[str, Any]:
        """Omit a ``held_out`` of 0: earlier versions do not know this field."""
        written: dict[str, Any] = write(self)
        if not self.held_out:
            written.pop("held_out", None)
        return written

    @field_validator("changes")
    @classmethod
    def _one_for_each_step(cls, changes: tuple[RateChange, ...]) -> tuple[RateChange, ...]:
        steps = [change.step for change in changes]
        if steps != sorted(set(steps)):
            raise problem(
                "changes",
                "changes_out_of_order",
                ("the steps of changes, {steps}, must be increasing"),
                steps=quoted(steps),
            )
        return changes

    @model_validator(mode="after")
    def _check(self) -> Self:
        self._check_heads()
        record, follows = self.task.record, self.task.record.vocabulary(self.knobs)
        knobs = self.knobs | ({"vocab_size": follows} if record.decides_vocabulary else {})
        broken = record.problem(knobs)
        if broken is not None:
            raise self._broken(broken, knobs)
        if self.vocab_size != follows:
            raise problem(
                "vocab_size",
                "vocabulary_follows",
                "vocab_size {vocab_size} must be {follows}, the tokens of the task '{kind}'; nearest: {follows}",
                "The task has {follows} different tokens, not {vocab_size}; nearest: {follows}",
                vocab_size=self.vocab_size,
                follows=follows,
                kind=self.task.kind,
                nearest_values=(follows,),
            )
        self._check_held_out()
        self._check_heads_off()
        self._check_probe()
        return self

    def _check_heads(self) -> None:
        legal = self.legal_sizes(dict(self))
        if self.num_hiddens in legal["num_hiddens"]:
            return
        sizes = {name: getattr(self, name) for name in legal}
        near = {name: nearest_in(legal[name], size, type(self).model_fields[name]) for name, size in sizes.items()}
        repairs = tuple(Repair.of(name, number) for name in near for number in near[name])
        rule, values = POSITIONS[self.positions].attention.all_rules[0], sizes | {"nearest_values": near["num_hiddens"]}
        raise problem(rule.field, rule.code, rule.text, rule.text_in_form, repairs, **values)

    def _broken(self, rule: TaskRule, knobs: Mapping[str, Any]) -> Exception:
        field_of = {name: _field_of(name) for name in rule.legal}
        legal = self.legal_values(dict(self))
        fields = {**type(self.task).model_fields, **type(self).model_fields}
        near = {name: nearest_in(legal[field], knobs[name], fields[name]) for name, field in field_of.items()}
        record = self.task.record
        follows = {"vocab_size"} if record.decides_vocabulary else set()
        mending = ((name, n) for name in field_of if name not in follows for n in near[name])
        repairs = tuple(Repair.of(field_of[name], n) for name, n in mending if not record.problem({**knobs, name: n}))
        own = near[rule.field]
        at_text = rule.field in follows  # the text determines it, so only another text helps
        values = {name: value for name, value in knobs.items() if name != "text"} | dict(rule.amounts(knobs))
        values |= {"nearest": said_all(own) or rule.otherwise, "nearest_values": () if at_text else own}
        return problem("task" if at_text else field_of[rule.field], rule.code, rule.text, "", repairs, **values)

    def _check_held_out(self) -> None:
        if not self.held_out or _divides(self.task, self.num_tokens, self.vocab_size, self.held_out):
            return
        near = _legal_shares(self.task, self.num_tokens, self.vocab_size, self.held_out)
        raise problem(
            "held_out",
            "nothing_to_divide",
            "with held_out {held_out} no sequence of the task is held out, or every one; nearest: {nearest}",
            "With {held_out} no sequence of the task is held out, or every one; nearest: {nearest}",
            held_out=self.held_out,
            nearest_values=near,
        )

    def _check_heads_off(self) -> None:
        for head in self.heads_off:
            layer, number = head_of(head)
            if layer >= self.num_layers or number >= self.num_heads:
                raise problem(
                    "heads_off",
                    "no_such_head",
                    "there is no head {said} in heads_off; the last one is {last}; nearest: {last}",
                    said=quoted(head),
                    last=f"{self.num_layers}.{self.num_heads}",
                )

    def _check_probe(self) -> None:
        if self.probe is None:
            return
        if not 1 <= len(self.probe) <= self.num_tokens:
            raise problem(
                "probe",
                "probe_length",
                "a probe of {count} tokens must have 1 to {num_tokens}; nearest: {nearest} tokens",
                count=len(self.probe),
                num_tokens=self.num_tokens,
                nearest=min(max(len(self.probe), 1), self.num_tokens),
            )
        self.check_words("probe", self.probe)

    def check_words(self, where: str, tokens: Sequence[str]) -> None:
        """Raise a problem of a field for the first word that is no token of the model."""
        known = self.alphabet
        for number, word in enumerate(tokens, start=1):
            if word not in known:
                raise problem(
                    where,
                    "no_such_token",
                    (
                        "token {place} of the {where}, {said}, is not among the {count} that the model knows: "
                        "{known}{near}"
                    ),
                    "",
                    self._repairs_of(where, tokens),
                    place=number,
                    where=where,
                    said=quoted(word),
                    count=len(known),
                    known=_runs_said(known),
                    near=nearest_word(word, known) or Text("; nearest: {nearest}", {"nearest": quoted(known[0])}),
                )

    def _repairs_of(self, where: str, tokens: Sequence[str]) -> tuple[Repair, ...]:
        """Return the probe most similar to one with unknown words: in the other case, or without them."""
        if where != "probe":
            return ()
        known = set(self.alphabet)
        cases = ((word, word.lower(), word.upper()) for word in tokens)
        legal = tuple(same for each in cases if (same := next((case for case in each if case in known), "")))
        legal = legal[: self.num_tokens] or self.alphabet[:1]
        typed = as_typed(legal, self.task)
        return (Repair("probe", legal, f"{typed[:_MOST_TYPED]}..." if len(typed) > _MOST_TYPED else typed),)

    @property
    def knobs(self) -> dict[str, Any]:
        """The options for the task's functions."""
        return _knobs_with(self.task, self.num_tokens, self.vocab_size, self.held_out)

    @property
    def alphabet(self) -> tuple[str, ...]:
        """The words of the tokens, by token id."""
        return alphabet_of(self.task, self.num_tokens, self.vocab_size)

    @property
    def probe_tokens(self) -> tuple[int, ...]:
        """The token ids of the probe."""
        if self.probe is None:
            return self.own_probe
        numbers = {word: number for number, word in enumerate(self.alphabet)}
        return tuple(numbers[word] for word in self.probe)

    @property
    def own_probe(self) -> tuple[int, ...]:
        """The task's own probe, held out if any sequence is."""
        return self.task.record.probe(self.knobs)

    @property
    def roles(self) -> tuple[Role, ...]:
        """The possible roles of heads."""
        return (*ROLES.values(), *self.task.record.roles)

    @property
    def role_sequences(self) -> tuple[tuple[int, ...], ...]:
        """The sequences on which roles are measured."""
        return self.task.record.role_sequences(self.knobs)

    @property
    def pairs_off(self) -> tuple[tuple[int, int], ...]:
        """The ablated heads, as (layer, head) from 0."""
        return tuple(map(head_of, self.heads_off))

    def rate_at(self, step: int) -> float:
        """Return the learning rate of the step that is taken after ``step`` others, warm-up included."""
        rate = self._full_rate_at(step)
        return rate * min(1.0, (step + 1) / self.warmup) if self.warmup else rate

    def _full_rate_at(self, step: int) -> float:
        """Return the learning rate of a step without the warm-up."""
        return next((each.learning_rate for each in reversed(self.changes) if each.step <= step), self.learning_rate)

    @property
    def heads_run(self) -> int:
        """The number of heads per layer."""
        return self.num_heads

    @property
    def layers_run(self) -> int:
        """The number of layers."""
        return self.num_layers

    @property
    def layer_knobs(self) -> Knobs:
        """The attributes of each layer that records of mechanisms and stages read."""
        return Knobs(mechanism=POSITIONS[self.positions].mechanism, num_heads=self.num_heads)

    @property
    def layer_stages(self) -> tuple[Stage, ...]:
        """The stages of each layer's attention."""
        return tuple(STAGES[name] for name in stages_of(self.layer_knobs))

    @property
    def name_parts(self) -> tuple[str, ...]:
        """The parts of a proposed file name for its run."""
        return "train", self.task.kind, f"{self.num_layers}-layers", f"{self.num_heads}-heads", f"seed-{self.seed}"

    @property
    def past(self) -> Self:
        """A spec that is equal for all trainings that share steps, whatever their length, rate changes and display."""
        return self.model_copy(update={"steps": 1, "changes": (), "heads_off": (), "probe": None})

    def shares_steps_with(self, other: Self) -> int:
        """Return after how many steps two trainings with the same past diverge, at most ``MOST_STEPS``."""
        steps = sorted({change.step for change in (*self.changes, *other.changes)})
        return next((step for step in steps if self._full_rate_at(step) != other._full_rate_at(step)), MOST_STEPS)

    def keeps_step_of(self, other: object) -> bool:
        """Return whether its run is shown at the step on screen of another's run, with shared steps."""
        return isinstance(other, TrainSpec) and self != other and self.past == other.past

    @classmethod
    def notes(cls, values: Mapping[str, Any]) -> Mapping[str, Text]:
        """Return notes about valid values, by field."""
        notes: dict[str, Text] = {}
        changes, steps = values.get("changes") or (), values.get("steps")
        if changes and isinstance(steps, int) and isinstance(changes[-1], RateChange) and changes[-1].step >= steps:
            notes["changes"] = Text("The last one acts beyond the last step: raise Steps, or begin a new training.")
        rate, optimizer = values.get("learning_rate"), values.get("optimizer")
        record = OPTIMIZERS.get(optimizer) if isinstance(optimizer, str) else None
        if record and record.own_step_sizes and isinstance(rate, int | float) and rate > _LARGE_RATE:
            sentence = "{name} moves each parameter by about the learning rate per step: above {rate} it rarely learns."
            notes["learning_rate"] = Text(sentence, {"name": record.name, "rate": f"{_LARGE_RATE:g}"})
        return notes

    @classmethod
    def legal_sizes(cls, values: Mapping[str, Any]) -> dict[str, Legal]:
        """Return the numbers of heads and hidden features that fit each other."""
        pairs = 2 if turns_pairs(values.get("positions")) else 1
        heads, hidden = values.get("num_heads"), values.get("num_hiddens")
        sizes: dict[str, Legal] = {}
        if isinstance(heads, int):
            sizes["num_hiddens"] = multiples(pairs * heads)
        if isinstance(hidden, int):
            sizes["num_heads"] = divisors(hidden // pairs) if hidden % pairs == 0 else ()
        return sizes

    @classmethod
    def legal_values(cls, values: Mapping[str, Any]) -> Mapping[str, Legal]:
        """Return the numbers that the other fields allow, by field, given these (possibly invalid) values.

        The task's own options are named with their part: "task.segment".
        """
        filled = _filled_in(values)
        limits = cls.legal_sizes(filled)
        knobs = _knobs_of(filled)
        task = _task_of(filled)
        for rule in task.rules if task is not None and knobs is not None else ():
            for name, legal in rule.legal.items():
                assert knobs is not None
                field, numbers = _field_of(name), legal(knobs)
                limits[field] = both(limits[field], numbers) if field in limits else numbers
        return limits

    @classmethod
    def active_fields(cls, values: Mapping[str, Any]) -> frozenset[str]:
        """Return the fields that have an effect, given these (possibly invalid) values."""
        task = _task_of(values)
        idle = {"vocab_size"} if task is not None and task.decides_vocabulary else set()
        idle |= set() if has_momentum(values.get("optimizer")) else {"momentum"}
        idle |= set() if values.get("changes") else {"changes"}
        return frozenset(cls.model_fields) - idle


def _knobs_with(task: TaskChoice, num_tokens: int, vocab_size: int, held_out: float) -> dict[str, Any]:
    """Return the options of a task's functions; ``held_out`` only if it is not 0."""
    knobs = {"num_tokens": num_tokens, "vocab_size": vocab_size, **task.own}
    return knobs | {"held_out": held_out} if held_out else knobs


@lru_cache(maxsize=64)
def _divides(task: TaskChoice, num_tokens: int, vocab_size: int, held_out: float) -> bool:
    """Return whether a share splits the sequences of a task: some are held out, and some are not."""
    knobs = _knobs_with(task, num_tokens, vocab_size, held_out)
    return task.record.has_both(knobs, task.record.sample(knobs))


def _legal_shares(task: TaskChoice, num_tokens: int, vocab_size: int, held_out: float) -> tuple[float, ...]:
    """Return 0 and the nearest share in hundredths that splits the sequences of a task, if there is one."""
    knobs = _knobs_with(task, num_tokens, vocab_size, held_out)
    few = tuple(dict.fromkeys(task.record.sample(knobs)))
    shares = sorted((hundredth / 100 for hundredth in range(1, 51)), key=lambda share: abs(share - held_out))
    legal = (share for share in shares if task.record.has_both({**knobs, "held_out": share}, few))
    return (*islice(legal, 1), 0.0)


def _field_of(knob: str) -> str:
    """Return the field of a task's option, with its part if it is the task's own."""
    return knob if knob in TrainSpec.model_fields else f"task.{knob}"


def _runs_said(tokens: Sequence[str]) -> str:
    """Return the words that a model knows: "a-z A-F"; only the first of many groups."""
    runs: list[list[str]] = []
    for word in tokens:
        follows = bool(runs) and len(word) == len(runs[-1][-1]) == 1 and ord(word) == ord(runs[-1][-1]) + 1
        if follows and word.isalnum():
            runs[-1].append(word)
        else:
            runs.append([word])
    groups = [f"{run[0]}-{run[-1]}" if len(run) > 2 else " ".join(run) for run in runs]
    shown = " ".join(quoted(group)[1:-1] for group in groups[:_MOST_GROUPS])
    return f"{shown} ..." if len(groups) > _MOST_GROUPS else shown


def _filled_in(data: Mapping[str, Any]) -> dict[str, Any]:
    """Return values with those that follow from the task: its usual sizes if none is given, its vocabulary."""
    filled = dict(data)
    task = _task_of(filled)
    if task is None:
        return filled
    for name in ("num_tokens", "vocab_size"):
        if name in task.defaults:
            filled.setdefault(name, task.defaults[name])
    knobs = _knobs_of(filled) if task.decides_vocabulary and "vocab_size" not in data else None
    if knobs is not None and int(VOCAB_SIZE.least) <= (follows := task.vocabulary(knobs)) <= int(VOCAB_SIZE.greatest):
        filled["vocab_size"] = follows
    return filled


def _task_of(values: Mapping[str, Any]) -> Any:
    """Return the record of the task in these values, by default the default's; None if the name is unknown."""
    task = values.get("task", TrainSpec.model_fields["task"].default)
    kind = task.get("kind") if isinstance(task, Mapping) else getattr(task, "kind", None)
    return TASKS.get(kind) if isinstance(kind, str) else None


def _knobs_of(values: Mapping[str, Any]) -> dict[str, Any] | None:
    """Return the options in these values for the task's functions; None if one of them has a wrong type."""
    record = _task_of(values)
    if record is None:
        return None
    task = values.get("task", TrainSpec.model_fields["task"].default)
    own = task.own if isinstance(task, TaskChoice) else {name: each for name, each in task.items() if name != "kind"}
    sizes = {name: values[name] for name in ("num_tokens", "vocab_size") if name in values}
    knobs = {**record.default_knobs, **sizes, **own}
    right = all(
        isinstance(value, str) if name == "text" else isinstance(value, int) and not isinstance(value, bool)
        for name, value in knobs.items()
    )
    share = values.get("held_out")
    if right and isinstance(share, int | float) and share > 0:
        knobs["held_out"] = share
    return knobs if right else None
