"""Suggested expressions for the author of a lesson: those of the window's state, each with its value there."""

from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np

from attnviz.definitions.text import English, Text, number_said
from attnviz.experiment.labs import Spec, Trace
from attnviz.experiment.lessons.expression import Values
from attnviz.experiment.view_settings import ViewSettings

_OF_CELLS: dict[str, English] = {
    "weights": "weight of query {query} on key {key}",
    "scores": "score of query {query} and key {key}",
}
"""Arrays with a number for each cell, by name."""
_LEFT_OUT = {"lab", "device", "dtype"}


class Offer(NamedTuple):
    """An expression with its title and value."""

    title: Text
    """Its meaning in the picture; empty for a field of the form, which has a title there."""
    expression: str
    value: Any
    """Its value on screen."""

    @property
    def value_said(self) -> str:
        """Its value in a few characters."""
        return number_said(self.value) if isinstance(self.value, float) else str(self.value)

    @property
    def in_text(self) -> str:
        """Its placeholder in a text."""
        return f"{{{self.expression}{':.2f' if isinstance(self.value, float) else ''}}}"

    @property
    def condition(self) -> str:
        """A condition that is true of the window's state."""
        if isinstance(self.value, bool):
            return self.expression if self.value else f"not {self.expression}"
        if isinstance(self.value, float):
            return f"abs({self.expression} - {self.value:.4g}) < 0.01"
        value = f'"{self.value}"' if isinstance(self.value, str) else self.value
        return f"{self.expression} == {value}"


def offers(spec: Spec, view: ViewSettings, trace: Trace, values: Values, before: Spec | None = None) -> list[Offer]:
    """Return the suggestions for a run and its selection; first the fields that differ from another spec."""
    fields = list(_of_fields(spec))
    changed = [
        offer for offer in fields if before is not None and getattr(before, offer.expression, None) != offer.value
    ]
    return [*changed, *_of_cells(view, trace, values), *(offer for offer in fields if offer not in changed)]


def _of_fields(spec: Spec) -> Iterator[Offer]:
    """Yield the fields with a number, a name or a switch that have an effect."""
    kind, written = type(spec), spec.model_dump(mode="json")
    active = kind.active_fields(dict(spec))
    for name in kind.model_fields:
        value = written.get(name)
        simple = isinstance(value, bool | int | float) or (isinstance(value, str) and 0 < len(value) < 40)
        if name in active and name not in _LEFT_OUT and simple and '"' not in str(value) and "\\" not in str(value):
            yield Offer(Text(), name, value)


def _of_cells(view: ViewSettings, trace: Trace, values: Values) -> Iterator[Offer]:
    query, key = view.query or 0, view.key or 0
    first = getattr(view, "layer", 0) if trace.spec.has_layers else view.batch_item
    numbers = {"query": query + 1, "key": key + 1}
    for name, sentence in _OF_CELLS.items():
        array = values.get(name)
        if isinstance(array, np.ndarray) and array.ndim in (2, 4):
            at = (*(() if array.ndim == 2 else (first, view.head)), query, key)
            if all(index < size for index, size in zip(at, array.shape, strict=True)):
                expression = f"{name}[{', '.join(map(str, at))}]"
                yield Offer(Text(sentence, numbers), expression, float(array[at]))
    weights = values.get("weights")
    if isinstance(weights, np.ndarray) and weights.ndim in (2, 4):
        at = (*(() if weights.ndim == 2 else (first, view.head)), query)
        if all(index < size for index, size in zip(at, weights.shape, strict=False)):
            row = f"weights[{', '.join(map(str, at))}]"
            yield Offer(Text("largest weight of query {query}", numbers), f"max({row})", float(np.max(weights[at])))
            best = Text("key with the largest weight of query {query}", numbers)
            yield Offer(best, f"argmax({row}) + 1", int(np.argmax(weights[at])) + 1)
            open_keys = Text("number of keys that query {query} attends to", numbers)
            yield Offer(open_keys, f"sum({row} > 0)", int(np.sum(weights[at] > 0)))


def offers_of_cells(view: ViewSettings, trace: Trace, values: Values) -> list[Offer]:
    """Return boolean matrices, (queries, keys), of the head on screen: cells to mark."""
    first = getattr(view, "layer", 0) if trace.spec.has_layers else view.batch_item
    offers = []
    sentences: dict[str, tuple[English, str]] = {
        "mask": ("cells that the mask leaves open", ""),
        "weights": ("cells with a weight above 0", " > 0"),
    }
    for name, (sentence, ending) in sentences.items():
        array = values.get(name)
        if isinstance(array, np.ndarray) and array.ndim in (2, 4):
            at = () if array.ndim == 2 else (first, view.head)
            if all(index < size for index, size in zip(at, array.shape, strict=False)):
                expression = f"{name}[{', '.join(map(str, at))}]" if at else name
                offers.append(Offer(Text(sentence), f"{expression}{ending}", int(np.sum(array[at] > 0))))
    return offers
