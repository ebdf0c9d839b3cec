"""The heads of a model by their names, "1.4": the fourth head of the first layer."""

from collections.abc import Sequence

from attnviz.definitions.text import Text, said, untranslated
from attnviz.experiment.problems import problem

_MOST_NAMED = 8
"""So many heads are named in a line; of more, their number is."""


def layer_and_head(name: str, field: str) -> tuple[int, int]:
    """Return the layer and the head, from 0, that "1.4" names; ``field`` of the spec holds the name.

    Raises:
        PydanticCustomError: it names none.
    """
    layer, point, head = name.partition(".")
    if not (point and layer.isascii() and layer.isdecimal() and head.isascii() and head.isdecimal()):
        raise problem(
            field,
            "no_head_name",
            "{said} in {where} must name a head as layer.head; nearest: 1.1",
            said=said(name),
            where=field,
        )
    return int(layer[:9]) - 1, int(head[:9]) - 1


def heads_said(names: Sequence[str]) -> Text:
    """Return the names of heads, or of many their number."""
    if len(names) > _MOST_NAMED:
        return Text("{count} heads", {"count": len(names)})
    return untranslated(", ".join(names))
