"""Heads of a model by name, "1.4": the fourth head of the first layer."""

from collections.abc import Sequence
from functools import partial
from typing import Annotated

from pydantic import AfterValidator, FailFast

from attnviz.definitions.counting import head_name
from attnviz.definitions.text import Text, listed, quoted
from attnviz.experiment.fields.knob import in_order
from attnviz.experiment.fields.problems import problem

_MOST_DIGITS = 36
"""The most digits of a layer and of a head that are parsed, which is as many as a message quotes."""
_MOST_NAMED = 8
"""The most heads listed by name; more are counted."""


def head_of(name: str) -> tuple[int, int]:
    """Return the layer and head, from 0, of a canonical name, "3.4", or of a layer, "3": its head is -1."""
    layer, _, head = name.partition(".")
    return int(layer) - 1, int(head or 0) - 1


def canonical_head(field: str, name: str) -> str:
    """Return the canonical name of a head; ``field`` is the spec's field with the name.

    Raises:
        PydanticCustomError: it is not a name of a head.
    """
    layer, point, head = name.partition(".")
    if not (point and layer.isascii() and layer.isdecimal() and head.isascii() and head.isdecimal()):
        raise problem(
            field,
            "no_head_name",
            "{said} in {where} must name a head as layer.head; nearest: 1.1",
            said=quoted(name),
            where=field,
        )
    numbers = head_of(f"{layer[:_MOST_DIGITS]}.{head[:_MOST_DIGITS]}")
    if min(numbers) < 0:
        raise problem(
            field,
            "no_such_head",
            "there is no head {said} in {where}: layers and heads count from 1; nearest: {nearest}",
            said=quoted(name),
            where=field,
            nearest=head_name(*(max(each, 0) for each in numbers)),
        )
    return head_name(*numbers)


HeadOff = Annotated[str, AfterValidator(partial(canonical_head, "heads_off"))]
HeadsOff = Annotated[tuple[HeadOff, ...], FailFast(), in_order(head_of)]
"""The field ``heads_off`` of a spec."""


def heads_said(names: Sequence[str]) -> Text:
    """Return the names of heads, or their number if there are many; "3" stands for all heads of layer 3."""
    if len(names) > _MOST_NAMED:
        return Text("{count} heads", {"count": len(names)})
    return listed([name if "." in name else Text("layer {n}", {"n": name}) for name in names])
