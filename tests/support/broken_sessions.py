"""Broken session files: truncated, flipped bytes, swapped types, huge numbers, deep nesting, wrong kinds."""

import copy
import json
import random
from collections.abc import Iterator
from typing import Any

from attnviz.experiment.attention.view import AttentionViewSettings
from attnviz.experiment.files.session import Session, session_to_json
from attnviz.experiment.labs import make_spec
from attnviz.experiment.pin import Pin
from attnviz.experiment.regression.view_settings import RegressionViewSettings
from attnviz.experiment.run import Cursor

FULL = Session(
    spec=make_spec({"num_heads": 2, "num_hiddens": 8, "valid_lens": [3, 2], "painted": "0: 1", "device": "cpu"}),
    view=AttentionViewSettings(stage="scores", page="compare", item=1, query=2, key=0, split="k"),
    pinned=make_spec({"num_heads": 4, "num_hiddens": 8, "device": "cpu"}),
    notes='Zwei Köpfe, "quoted"\n注意 𝄞',
)
OTHER = Session(
    spec=make_spec({"lab": "regression", "data": {"kind": "points", "x": [0, 1.5], "y": [2, -1]}, "device": "cpu"}),
    view=RegressionViewSettings(stage="kernel", page="errors", full_contrast=False, key=1),
)
PINS = OTHER.with_pins((Pin(FULL.spec), Pin(make_spec({"lab": "train", "steps": 12, "device": "cpu"}), Cursor(step=5))))
_STRANGE: tuple[Any, ...] = (
    None, True, -1, 0, 2**63, 10**400, 1e308, "", "x", "\ud800", "9" * 5000, [], {}, [[]], {"kind": "x"}, [1] * 50,
)  # fmt: skip


def broken(count: int, seed: int = 7) -> Iterator[bytes]:
    """Yield the contents of broken files, the same for the same seed; a few are still legal."""
    chance = random.Random(seed)
    ways = (_flipped, _cut, _with_a_strange_value, _with_a_strange_name, _nested, _of_another_kind, _newer, _doubled)
    for number in range(count):
        yield ways[number % len(ways)](session_to_json(chance.choice((FULL, OTHER, PINS))), chance)


def _flipped(text: str, chance: random.Random) -> bytes:
    content = bytearray(text.encode())
    for _ in range(chance.choice((1, 1, 3, 20))):
        content[chance.randrange(len(content))] ^= 1 << chance.randrange(8)
    return bytes(content)


def _cut(text: str, chance: random.Random) -> bytes:
    return text.encode()[: chance.randrange(len(text))]


def _with_a_strange_value(text: str, chance: random.Random) -> bytes:
    values = json.loads(text)
    place, name = chance.choice(list(_places(values)))
    place[name] = copy.deepcopy(chance.choice(_STRANGE))
    return json.dumps(values).encode()


def _with_a_strange_name(text: str, chance: random.Random) -> bytes:
    values = json.loads(text)
    place, name = chance.choice([(place, name) for place, name in _places(values) if isinstance(place, dict)])
    place[chance.choice(("", "notse", "\0", "x" * 10_000, "kind", "lab"))] = place.pop(name)
    return json.dumps(values).encode()


def _nested(text: str, chance: random.Random) -> bytes:
    depth = chance.choice((50, 900, 20_000))
    name = chance.choice(("notes", "spec", "pinned", "pins", "view", "format"))
    opening, closing = chance.choice((("[", "]"), ('{"a":', "}")))
    deep = opening * depth + "1" + closing * depth
    return text.rstrip().removesuffix("}").encode() + f', "{name}": {deep}}}'.encode()


def _of_another_kind(text: str, chance: random.Random) -> bytes:
    values = json.loads(text)
    other = json.loads(session_to_json(OTHER if values["spec"]["lab"] == "attention" else FULL))
    part = chance.choice(("spec", "view", "pinned", "pins"))
    values[part] = chance.choice((other["spec"], other["view"], other, "spec", [other]))
    return json.dumps(values).encode()


def _newer(text: str, chance: random.Random) -> bytes:
    values = json.loads(text) | {"format": chance.choice((0, 2, 99, 1.5, "1", None, True, 10**30))}
    return json.dumps(values | {"of_a_later_time": 1}).encode()


def _doubled(text: str, chance: random.Random) -> bytes:
    return text.encode() + chance.choice((text.encode(), b"\0" * 100, b"\xff", b"}"))


def _places(values: Any) -> Iterator[tuple[Any, Any]]:
    """Yield every entry of nested JSON values as its container and its key or index."""
    names: Any = range(len(values)) if isinstance(values, list) else list(values)
    for name in names:
        yield values, name
        if isinstance(values[name], dict | list):
            yield from _places(values[name])
