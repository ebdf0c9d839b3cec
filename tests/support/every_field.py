"""Every field of every spec, each with a legal value that differs from its value in some small specs.

The fields and their values come from the specs and the registries, so new fields, records and knobs are included
automatically. A field of a new type needs a value in `_WRITTEN`; `changes` says so.
"""

import atexit
import shutil
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Literal, get_args, get_origin

from pydantic import BaseModel
from pydantic.fields import FieldInfo

from attnviz.definitions.mechanisms import MECHANISMS
from attnviz.definitions.tasks import TASKS
from attnviz.experiment.attention.masks import MechanismKnobs
from attnviz.experiment.fields.chosen_records import ChosenRecords
from attnviz.experiment.fields.knob import OneOf, limits_of
from attnviz.experiment.files.consent import allow, digest_of
from attnviz.experiment.labs import LABS, Spec, SpecError, make_spec
from attnviz.folders import resource

NOT_WALKED = {"lab", "device", "chat", "image", "target", "forced_bos_token_id"}
"""Left out: the lab is the type of the spec, this machine may have only one device, a chat needs a folder with a
template (tests/engine/model/test_chat.py), an image one with a vision transformer (test_images.py there), and the next
two one with an encoder-decoder (test_sides.py there)."""

_MASKED = {"valid_lens": [0, 4], "num_queries": 5, "num_kvpairs": 5, "num_heads": 2, "num_hiddens": 8}
_ATTENTION: list[dict[str, Any]] = [
    *({"mechanism": name} | _MASKED for name, record in MECHANISMS.items() if not record.is_given),
    _MASKED | {"dropout": 0.5, "training": True, "bias": True},
    _MASKED | {"dtype": "float16", "mask_policy": "book"},
    {"batch_size": 2, "num_queries": 2, "num_kvpairs": 3, "num_heads": 2, "num_hiddens": 8},
    {"inputs": {"kind": "sentence", "text": "a cat sat"}, "num_heads": 2, "num_hiddens": 8},
    {"inputs": {"kind": "two_sentences", "text": "a cat", "keys_text": "a dog sat"}, "num_heads": 2, "num_hiddens": 8},
]
_REGRESSION: list[dict[str, Any]] = [
    {"x_test": {"step": 1.0}},
    {"kernel": "boxcar", "width": 0.05, "x_test": {"step": 0.25}},
    {"estimator": "parametric", "epochs": 2, "learning_rate": 0.01, "optimizer": "momentum"},
    {"estimator": "parametric", "epochs": 2, "w_init": 1.0, "num_heads": 2, "optimizer": "adam"},
]
_SMALL = {"num_hiddens": 16, "num_heads": 2, "batch_size": 3, "steps": 2, "warmup": 3}
_TRAIN: list[dict[str, Any]] = [
    _SMALL,
    _SMALL | {"positions": "alibi"},
    _SMALL | {"task": {"kind": "text"}},
    _SMALL | {"optimizer": "momentum", "feed_forward": True, "tied_embedding": True, "norm": False},
    _SMALL | {"changes": [{"step": 1, "learning_rate": 0.1}]},
]
_PATCH = [{"head": "1.2", "token": 5, "from": "b"}]
_UNDER = "then one red fox ran under and one red fox"
_MODEL: list[dict[str, Any]] = [
    {},
    {"text_b": _UNDER, "patch": _PATCH, "heads_off": ["1.3"], "tokens_hidden": [2]},
    {"painted": {"2": "4: 1-2"}, "temperature": 1.5, "text": "the old cat saw the cat"},
    {"generate": 4, "choose": "sample", "sampling": {"temperature": 4.0}, "chosen": {"2": 7}},
]
BASES: dict[str, list[dict[str, Any]]] = {name: [{}] for name in LABS}
BASES |= {"attention": _ATTENTION, "regression": _REGRESSION, "train": _TRAIN, "model": _MODEL}
WITHOUT_RUNS = {"model"} if find_spec("transformers") is None else set()
"""The labs whose runs need packages that are not installed."""
"""Small specs of each lab, by its name; every field is active in at least one of them."""

_MODS = """\
def near(window):
    def near_mask(b, h, q_idx, kv_idx):
        return (q_idx - kv_idx).abs() < window

    return near_mask


def further(score, b, h, q_idx, kv_idx):
    return score + 0.5 * (kv_idx - q_idx) * (h + 1)
"""
"""The user's own functions; `allow` is the consent to run them."""
allow(digest_of(_MODS))  # remembered, since tests change the environment
_WRITTEN: dict[str, list[Any]] = {
    "valid_lens": [None, [1, 2], [[1, 2, 3, 4, 5], [5, 4, 3, 2, 1]]],
    "document_lens": [None, [1, 2]],
    "mods": [None, {"mask_mod": "near(2)", "source": _MODS}, {"score_mod": "further", "source": _MODS}],
    "painted": ["", "1: 0"],
    "heads_off": [[], ["1.2"]],
    "text": ["the cat sat on the mat the cat"],
    "text_b": ["", _UNDER, "then one red fox ran into her"],
    "tokens_hidden": [[], [1]],
    "patch": [[], _PATCH],
    "model.painted": [{}, {"1.2": "3: 0-2"}],
    "sampling": [{}, {"temperature": 1.5}, {"top_k": 3}, {"top_p": 0.5}],
    "chosen": [{}, {"1": 7}],
    "probe": [None, ["a", "b", "a", "c", "d"]],
    "changes": [[{"step": 1, "learning_rate": 0.1}], [{"step": 2, "learning_rate": 0.2}]],
    "overlays": [[], [{"estimator": "nonparametric", "width": 0.3}]],
    "inputs": [
        {"kind": "random"},
        {"kind": "ones"},
        {"kind": "identity"},
        {"kind": "sentence", "text": "a b c"},
        {"kind": "two_sentences", "text": "a b", "keys_text": "c b a"},
    ],
    "data": [{"kind": "book"}, {"kind": "synthetic"}, {"kind": "points", "x": [1.0, 2.0], "y": [0.0, 1.0]}],
    "x_test": [{"step": 1.0}, {"start": 1.0, "step": 0.5}, {"stop": 3.0, "step": 0.5}],
    "task": [{"kind": name} for name in TASKS],
}
"""Values for fields whose types are neither numbers, switches nor names of records."""


@cache
def other_model() -> Path:
    """Return a folder with the bundled model, with some of its weights set to 0."""
    folder = Path(tempfile.mkdtemp(prefix="attnviz-model-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    for file in resource("models/induction").iterdir():
        content = file.read_bytes()
        zeros = 4096 * (file.suffix == ".safetensors")
        (folder / file.name).write_bytes(content[: len(content) - zeros] + bytes(zeros))
    return folder


@dataclass(frozen=True)
class Change:
    """A small spec, and the same spec with another value of one field."""

    field: str
    before: Spec
    after: Spec

    def __str__(self) -> str:
        # Each process that collects tests has its own folder, and must use the same names.
        after = "another folder" if self.field == "folder" else getattr(self.after, self.field)
        return f"{self.before.lab}.{self.field}: {getattr(self.before, self.field)} -> {after}"

    @property
    def is_active(self) -> bool:
        """Whether the field is active in both specs."""
        return all(self._active)

    @property
    def may_act(self) -> bool:
        """Whether the field is active in at least one of the specs."""
        return any(self._active)

    @property
    def _active(self) -> tuple[bool, ...]:
        return tuple(self.field in type(spec).active_fields(dict(spec)) for spec in (self.before, self.after))


@cache
def changes() -> tuple[Change, ...]:
    """Return a change of every field in every small spec; in a lab's first one, a change to every value."""
    return tuple(
        change
        for lab in LABS
        if lab not in WITHOUT_RUNS
        for values in BASES[lab]
        for change in _changes_of(lab, values, values is BASES[lab][0])
    )


def _changes_of(lab: str, values: dict[str, Any], every_value: bool) -> Iterator[Change]:
    before = make_spec({"lab": lab, "device": "cpu"} | values)
    kind = type(before)
    for name, field in kind.model_fields.items():  # type: ignore[attr-defined]
        if name in NOT_WALKED:
            continue
        for value in _values(lab, name, field, getattr(before, name)):
            # As in the form and `attnviz.run`, omit fields derived from others, so that they adapt.
            proposed = {**dict(before), name: value}
            kept = kind.active_fields(proposed) | {"lab", "device", name}
            try:
                after = make_spec({each: value for each, value in proposed.items() if each in kept})
            except SpecError:
                continue
            if getattr(after, name) != getattr(before, name):
                yield Change(name, before, after)
                if not every_value:
                    break


def _values(lab: str, name: str, field: FieldInfo, now: Any) -> list[Any]:
    """Return values to try, not necessarily legal or new."""
    if name == "folder":
        return [str(other_model())]
    if found := _WRITTEN.get(f"{lab}.{name}", _WRITTEN.get(name)):
        return found
    if isinstance(now, ChosenRecords):
        each = [(record.name, knob) for record, knob in type(now).knobs().values()]
        others = (
            {name: {knob.name: knob.least if knob.default != knob.least else knob.greatest}} for name, knob in each
        )
        return [*({name: {}} for name in type(now).records()), *others]
    if isinstance(now, MechanismKnobs):
        return [{knob.name: knob.greatest} for record in MECHANISMS.values() for knob in record.knobs]
    for mark in field.metadata:
        if isinstance(mark, OneOf):
            return [record.name for record in mark.records]
    kinds = {*get_args(field.annotation), field.annotation}
    if get_origin(field.annotation) is Literal:
        return list(get_args(field.annotation))
    if bool in kinds:
        return [False, True]
    low, high = limits_of(field)
    if int in kinds:
        return [now + 1 if now else max(low, 1), (now or 0) * 2, 2, 3]
    if float in kinds:
        return [min(max(number, low), high) for number in ((now or 0.5) * 0.75, (now or 0.5) * 1.5)]
    assert isinstance(now, BaseModel), f"tests/support/every_field.py knows no value of the field {name!r}"
    return []
