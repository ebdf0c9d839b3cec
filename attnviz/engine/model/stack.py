"""The layers of a model by its own numbers, and descriptions of those without attention.

A model's own code numbers its layers by their positions in a list of modules, "model.layers.3.self_attn". If the names
of the calling modules do not tell, layers are numbered in the order of the calls: ALBERT calls one module for every
layer, and the stages of Swin have lists of their own.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from os.path import commonprefix
from typing import Any

from torch import nn

from attnviz.definitions.text import Text

_IN_A_LIST = re.compile(r"(?:(.*?)\.)?(\d+)(?:\.|$)")
"""Matches the path of a module inside a list: the list's path, and the first index."""
_KINDS = (
    (("mamba",), Text("Mamba: no weights")),
    (("recurrent", "rglru"), Text("recurrent block: no weights")),
    (("linear", "lightning", "delta"), Text("linear attention: no weights")),
    (("crossattention",), Text("cross-attention: not run, there is nothing to attend to")),
    (("attention",), Text("attention that could not be recorded")),
    (("conv",), Text("convolution: no weights")),
    (("mlp", "moe", "expert", "feedforward"), Text("feed-forward layer: no weights")),
)
"""Descriptions of layers without recorded attention, by a part of their class names; the first match counts."""
_OF_MAMBA = "ssm_state_size"
"""An attribute of Mamba modules under any name."""


@dataclass(frozen=True, slots=True)
class Stack:
    """The layers of a model."""

    numbers: tuple[int, ...]
    """The layer of each recorded call of self-attention, from 0, ascending."""
    others: Mapping[int, Text] = field(default_factory=dict)
    """Descriptions of the layers without recorded attention."""

    @property
    def num_layers(self) -> int:
        """The number of layers, with or without attention."""
        return len(self.numbers) + len(self.others)

    def nearest(self, number: int) -> int:
        """Return the nearest layer that has attention."""
        return min(self.numbers, key=lambda each: abs(each - number))


def stack_of(model: nn.Module, names: Sequence[str]) -> Stack:
    """Return the layers of a model from the paths of the modules that called attention, in order."""
    paths = defaultdict(list)
    for path, module in model.named_modules(remove_duplicate=False):
        paths[id(module)].append(path)
    modules, called = dict(model.named_modules()), Counter[str]()
    positions: list[tuple[str, int]] = []
    for name in names:
        mine = paths[id(modules[name])] if name in modules else []
        match = _IN_A_LIST.match(mine[called[name]]) if called[name] < len(mine) else None  # layers may share a module
        called[name] += 1
        if match is None:
            return Stack(tuple(range(len(names))))
        positions.append((match[1] or "", int(match[2])))
    lists, numbers = {path for path, _ in positions}, tuple(number for _, number in positions)
    layers = modules.get(next(iter(lists), ""))
    ascending = tuple(sorted(set(numbers)))
    if len(lists) > 1 or numbers != ascending or not isinstance(layers, (nn.ModuleList, nn.Sequential)):
        return Stack(tuple(range(len(names))))
    config: Any = getattr(model, "config", None)
    of_text = config.get_text_config() if hasattr(config, "get_text_config") else config
    used = getattr(of_text, "num_hidden_layers", None)  # a list may hold more
    count = used if isinstance(used, int) and numbers[-1] < used < len(layers) else len(layers)
    family = commonprefix(  # noqa: RUF071 - of names, not of paths
        [type(each).__name__ for layer in layers for each in _own_modules(layer)]
    )
    return Stack(numbers, {at: _kind_of(layers[at], family) for at in range(count) if at not in numbers})


def _own_modules(layer: nn.Module) -> list[nn.Module]:
    """Return the modules of a layer whose classes are defined in the same file as its own class."""
    return [each for each in layer.modules() if type(each).__module__ == type(layer).__module__]


def _kind_of(layer: nn.Module, family: str) -> Text:
    """Return the description of a layer without recorded attention; its class names begin with that of the family."""
    own = _own_modules(layer)
    if any(hasattr(each, _OF_MAMBA) for each in own):
        return _KINDS[0][1]
    names = " ".join(type(each).__name__.removeprefix(family).lower() for each in own)
    known = (kind for parts, kind in _KINDS if any(part in names for part in parts))
    return next(known, Text("{name}: no weights", {"name": type(layer).__name__}))
