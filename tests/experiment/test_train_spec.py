"""The spec of a training: every rule with its sentence, the values that mend it, and what two specs share."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from trainings import train_spec
from wrong_values import the_problem

from attnviz.definitions.tasks import TASKS
from attnviz.experiment.files.session import session_or_spec_from_json
from attnviz.experiment.labs import make_spec, spec_to_json
from attnviz.experiment.train.spec import MOST_STEPS, TrainSpec


def mended(values: dict[str, Any], field: str, value: Any) -> dict[str, Any]:
    """Return values in which one field has another value."""
    name, _, part = field.partition(".")
    if not part:
        return values | {name: value}
    return values | {name: values.get(name, {"kind": "repeat"}) | {part: value}}


REPEAT = {"kind": "repeat"}
TEXT = {"kind": "text"}
WRONG: list[tuple[dict[str, Any], str, str]] = [
    (
        {"num_heads": 3},
        "num_hiddens",
        "num_hiddens 64 does not give each of num_heads 3 an even number of features, which are rotated in pairs; "
        "nearest: 60, 66",
    ),
    (
        {"num_heads": 4, "num_hiddens": 9, "positions": "none"},
        "num_hiddens",
        "num_hiddens 9 is not divisible by num_heads 4; nearest: 8, 12",
    ),
    (
        {"task": REPEAT | {"segment": 40}},
        "task.segment",
        "a segment of 40 distinct tokens needs a vocabulary larger than 32; nearest: 14",
    ),
    (
        {"task": REPEAT | {"segment": 20}},
        "task.segment",
        "twice a segment of 20 is more than 28 tokens; nearest: 14",
    ),
    (
        {"num_tokens": 60},
        "num_tokens",
        "60 tokens, of which 8 occur twice, need a vocabulary larger than 32; nearest: 40",
    ),
    (
        {"task": {"kind": "copy", "symbols": 20}},
        "task.symbols",
        "20 symbols, a bar and their answer are more than 17 tokens; nearest: 8",
    ),
    (
        {"task": {"kind": "add", "digits": 10}},
        "num_tokens",
        "a sum of numbers of 10 digits is longer than 9 tokens; nearest: 33",
    ),
    (
        {"task": {"kind": "add"}, "vocab_size": 14},
        "vocab_size",
        "vocab_size 14 must be 12, the tokens of the task 'add'; nearest: 12",
    ),
    (
        {"task": TEXT | {"text": "to be, or not"}},
        "num_tokens",
        "the text has 13 characters, fewer than 32 tokens; nearest: 13",
    ),
    (
        {"task": TEXT | {"text": "ab"}},
        "num_tokens",
        "the text has 2 characters, fewer than 32 tokens; nearest: a longer text",
    ),
    (
        {"task": TEXT | {"text": "a" * 40}},
        "task",
        "a model handles 2 to 128 distinct characters, but the text has 1; nearest: another text",
    ),
    (
        {"task": TEXT | {"text": "".join(chr(300 + number) for number in range(200))}},
        "task",
        "a model handles 2 to 128 distinct characters, but the text has 200; nearest: another text",
    ),
    (
        {"heads_off": ["3.1"]},
        "heads_off",
        "there is no head '3.1' in heads_off; the last one is 2.4; nearest: 2.4",
    ),
    (
        {"heads_off": ["1.0"]},
        "heads_off",
        "there is no head '1.0' in heads_off: layers and heads count from 1; nearest: 1.1",
    ),
    ({"heads_off": ["one"]}, "heads_off", "'one' in heads_off must name a head as layer.head; nearest: 1.1"),
    ({"probe": []}, "probe", "a probe of 0 tokens must have 1 to 28; nearest: 1 tokens"),
    ({"probe": ["a"] * 30}, "probe", "a probe of 30 tokens must have 1 to 28; nearest: 28 tokens"),
    (
        {"task": TEXT | {"text": "a\n" * 20}, "probe": ["Q"]},
        "probe",
        "token 1 of the probe, 'Q', is not among the 2 that the model knows: \\n a; nearest: '\\n'",
    ),
    (
        {"probe": ["a", "zz"]},
        "probe",
        "token 2 of the probe, 'zz', is not among the 32 that the model knows: a-z A-F; nearest: z",
    ),
    (
        {"changes": [{"step": 5, "learning_rate": 1}, {"step": 5, "learning_rate": 2}]},
        "changes",
        "the steps of changes, [5, 5], must be increasing",
    ),
    ({"steps": 20_001}, "steps", "steps 20001 must be at most 20000; nearest: 20000"),
    ({"num_layers": 0}, "num_layers", "num_layers 0 must be at least 1; nearest: 1"),
    ({"batch_size": 257}, "batch_size", "batch_size 257 must be at most 256; nearest: 256"),
    ({"held_out": 60.0}, "held_out", "held_out 60 must be at most 0.5; nearest: 0.5"),
    ({"held_out": 0.6}, "held_out", "held_out 0.6 must be at most 0.5; nearest: 0.5"),
    (
        {"task": TEXT, "num_tokens": 150, "held_out": 0.2},
        "num_tokens",
        "the text has 257 characters, fewer than twice 150 tokens; some of it is held out for testing; nearest: 128",
    ),
    (
        {"task": {"kind": "add", "digits": 1}, "held_out": 0.01},
        "held_out",
        "with held_out 0.01 no sequence of the task is held out, or every one; nearest: 0.02, 0",
    ),
    (
        {"task": {"kind": "copy", "symbols": 1}, "vocab_size": 2, "num_tokens": 4, "held_out": 0.3},
        "held_out",
        "with held_out 0.3 no sequence of the task is held out, or every one; nearest: 0",
    ),
    ({"clip": 0}, "clip", "clip 0 must be above 0; nearest: 0.01"),
    (
        {"positions": "rotery"},
        "positions",
        "positions 'rotery' must be one of 'none', 'sinusoidal', 'learned', 'rotary' or 'alibi'; nearest: rotary",
    ),
]


@pytest.mark.parametrize(("values", "field", "sentence"), WRONG)
def test_that_a_rule_is_said_at_its_field_with_the_value_and_the_nearest_and_what_mends_it_is_legal(
    values: dict[str, Any], field: str, sentence: str
) -> None:
    found = the_problem(lab="train", **values)
    assert (found.field, found.message) == (field, sentence)
    for repair in found.repairs:
        make_spec({"lab": "train"} | mended(values, repair.field, repair.value))


@pytest.mark.parametrize("task", TASKS)
def test_that_each_task_brings_its_sizes_and_the_vocabulary_that_it_decides(task: str) -> None:
    spec = make_spec({"lab": "train", "task": {"kind": task}})
    assert isinstance(spec, TrainSpec)
    assert spec.knobs == TASKS[task].default_knobs
    assert len(spec.alphabet) == spec.vocab_size
    assert len(spec.probe_tokens) == spec.num_tokens
    assert ("vocab_size" in TrainSpec.active_fields(dict(spec))) != TASKS[task].decides_vocabulary
    assert session_or_spec_from_json(spec_to_json(spec)).spec == spec


def test_that_a_spec_comes_back_from_json_with_all_that_was_changed() -> None:
    changes = [{"step": 3, "learning_rate": 0.25}, {"step": 9, "learning_rate": 1e-4}]
    spec = train_spec(
        changes=changes, heads_off=["2.2", "1.01", "2.2"], probe=["b", "a"], clip=None, dtype="float64", held_out=0.5
    )
    document = json.loads(spec_to_json(spec))
    assert document["changes"] == changes
    assert document["held_out"] == 0.5
    assert "held_out" not in json.loads(spec_to_json(train_spec())), "earlier versions read the file"
    assert document["heads_off"] == ["1.1", "2.2"], "in order, each once, in one spelling"
    assert document["task"] == {"kind": "repeat", "segment": 3}
    assert set(document) == set(TrainSpec.model_fields)
    assert make_spec(document) == spec


def test_that_the_rate_grows_in_the_warm_up_and_changes_where_it_is_said() -> None:
    spec = train_spec(
        warmup=4, learning_rate=0.4, changes=[{"step": 2, "learning_rate": 0.8}, {"step": 6, "learning_rate": 0.2}]
    )
    assert [spec.rate_at(step) for step in range(8)] == pytest.approx([0.1, 0.2, 0.6, 0.8, 0.8, 0.8, 0.2, 0.2])
    assert train_spec(warmup=0, learning_rate=0.4).rate_at(0) == 0.4


RATES = st.dictionaries(st.integers(0, 9), st.sampled_from([0.1, 0.2, 0.3]), max_size=4)


def with_rates(rates: dict[int, float]) -> TrainSpec:
    changes = [{"step": step, "learning_rate": rate} for step, rate in sorted(rates.items())]
    return train_spec(learning_rate=0.1, changes=changes)


@given(one=RATES, other=RATES)
def test_that_two_lists_of_changes_share_the_steps_before_the_first_whose_rates_differ(
    one: dict[int, float], other: dict[int, float]
) -> None:
    a, b = with_rates(one), with_rates(other)
    differ = [step for step in range(12) if a.rate_at(step) != b.rate_at(step)]
    assert a.shares_steps_with(b) == b.shares_steps_with(a) == (differ[0] if differ else MOST_STEPS)
    assert a.past == b.past
    assert b.keeps_step_of(a) == (a != b)


@pytest.mark.parametrize(
    ("rate", "optimizer", "noted"), [(0.2, "adamw", True), (0.1, "adam", False), (9, "sgd", False)]
)
def test_that_a_rate_at_which_adam_rarely_learns_is_noted_at_its_field(
    rate: float, optimizer: str, noted: bool
) -> None:
    notes = TrainSpec.notes({"learning_rate": rate, "optimizer": optimizer})
    assert list(notes) == (["learning_rate"] if noted else [])
