"""The row or cell that a sentence is about: its names, and the origin of its numbers."""

from dataclasses import dataclass
from functools import cached_property
from typing import Any

from attnviz.definitions.counting import SCREEN
from attnviz.definitions.stages import STAGES
from attnviz.definitions.text import English, One, Text, listed, number_said
from attnviz.experiment.layers.cell import AttentionRow, attention_row, reasons_at
from attnviz.experiment.layers.layer import Layer

_LONGEST = 18
"""The most characters of a token in a sentence; a longer one is truncated."""
_MOST_REASONS = 2
"""The most masks that a sentence names for a masked key; the inspector names all."""


@dataclass(frozen=True, eq=False)
class Subject:
    """A row of a layer, and optionally one of its keys, at a stage."""

    layer: Layer
    stage: str
    item: int
    head: int
    query: int
    key: int | None
    split: str

    @cached_property
    def row(self) -> AttentionRow:
        """The chosen row."""
        return attention_row(self.layer, self.item, self.head, self.query)

    @property
    def at(self) -> tuple[int, int, int]:
        """The indices of the row in arrays of the layer."""
        return self.item, self.head, self.query

    def say(self, template: English, one: One = "", **values: Any) -> Text:
        """Return a sentence whose numbers depend on the inputs and weights, whose origin it begins with.

        ``one`` is the template for a ``count`` of 1.
        """
        return Text("{origin}: {sentence}", {"origin": Text(self._origin), "sentence": Text(template, values, one)})

    def fill(self, key: int) -> str:
        """Return the masked score of a key."""
        return number_said(self.layer.masked_row(self.at)[key])

    @property
    def _origin(self) -> English:
        layer = self.layer
        if layer.is_given:
            return "Given weights"
        of = STAGES[self.stage].projects
        projections = [parameter for parameter in layer.mechanism.parameters if parameter.of in of]
        used = {name for projection in projections for name in (projection.name, projection.bias_name)}
        return "Random weights" if used & layer.random_parameters else layer.origin

    @property
    def the_query(self) -> Text:
        """The name of the query."""
        return self._named(self.layer.query_names, self.query, "query {number}")

    def the_key(self, key: int) -> Text:
        """Return the name of a key, "itself" if it is the query's own token."""
        itself = key == self.query and self.layer.self_attention and not self.layer.is_given
        return Text("itself") if itself else self.the_value(key)

    def the_value(self, key: int) -> Text:
        """Return the name of a key, also if it is the query's own token."""
        return self._named(self.layer.key_names, key, "key {number}")

    def _named(self, tokens: tuple[str, ...], position: int, numbered: English) -> Text:
        token, number = tokens[position], SCREEN.number(position)
        if not self.layer.has_words and token == str(number):
            return Text(numbered, {"number": number})
        cut = token[:_LONGEST]
        if len(token) > _LONGEST:
            values = {"token": f"{cut}…", "number": number}
            repeated = sum(other.startswith(cut) for other in tokens) > 1
        else:
            values, repeated = {"token": token, "number": number}, tokens.count(token) > 1
        return Text("“{token}” ({number})" if repeated else "“{token}”", values)

    def why_masked(self, key: int) -> Text:
        """Return why a key is masked: the first reasons, and the number of further ones."""
        reasons = reasons_at(self.layer.masks, self.item, self.head, self.query, key)
        named = [Text(reason.template, reason.numbers) for reason in reasons[:_MOST_REASONS]]
        more = len(reasons) - len(named)
        return listed([*named, *([Text("{count} more", {"count": more})] if more else [])])
