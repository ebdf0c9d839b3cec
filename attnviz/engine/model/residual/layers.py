"""The layers of a model as modules in one list, and the residual state in what they return."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from torch import Tensor, nn

from attnviz.engine.machine import RunError


def layers_of(model: nn.Module, names: Sequence[str], numbers: Sequence[int]) -> tuple[str, tuple[nn.Module, ...]]:
    """Return the path of the list that holds all layers, and these, also those without attention.

    Args:
        model: the model.
        names: the modules that called attention, and
        numbers: their layers in the model.

    Raises:
        RunError: the layers are not in one list.
    """
    lists = {_list_of(name, number) for name, number in zip(names, numbers, strict=True)}
    path = lists.pop() if len(lists) == 1 else None
    layers = dict(model.named_modules()).get(path or "")
    if path is None or not isinstance(layers, nn.ModuleList | nn.Sequential):
        raise RunError("no_residual_stream", "the layers of this model are not in one list, so none is followed")
    return path, tuple(layers)


def _list_of(name: str, number: int) -> str | None:
    """Return the path of the list whose element of a number holds a module; None if there is no such."""
    parts = name.split(".")
    return next((".".join(parts[:at]) for at, part in enumerate(parts) if part == str(number)), None)


def state_of(output: Any) -> Tensor | None:
    """Return the residual state (B, T, D) in a layer's output; None if there is none."""
    state = output[0] if isinstance(output, tuple) and output else output
    return state if isinstance(state, Tensor) and state.dim() == 3 else None


@contextmanager
def passed_over(layers: Sequence[nn.Module], outputs: Sequence[Any], state: Tensor) -> Iterator[None]:
    """Replace the computation of modules by outputs that they had, and the state of the last one by another."""
    last = (state, *outputs[-1][1:]) if isinstance(outputs[-1], tuple) else state
    try:
        for layer, output in zip(layers, (*outputs[:-1], last), strict=True):
            layer.forward = lambda *_, known=output, **__: known
        yield
    finally:
        for layer in layers:
            vars(layer).pop("forward", None)
