"""The policies for empty rows: the weights of a query that may attend to no key."""

from dataclasses import dataclass

from attnviz.definitions.text import English, Text


@dataclass(frozen=True, slots=True)
class EmptyRowPolicy:
    """A policy, and the messages about its effect.

    The texts are templates. Their words are ``policy`` (its title), ``count`` (of keys), ``weight``, and in attention
    ``query`` and ``fill``, in kernel regression ``x``.
    """

    title: English
    row: Text
    """Its effect on a row of attention."""
    points: Text
    """Its effect on the weights of a query of kernel regression without a training point in reach."""


_FILLED = Text(
    "{query} may attend to no key: the policy {policy} fills its {count} scores with {fill}, so each weight is "
    "{weight}.",
    one="{query} may attend to no key: the policy {policy} fills its one score with {fill}, so its weight is {weight}.",
)
EMPTY_ROW_POLICIES = {
    "zero": EmptyRowPolicy(
        "Zeros",
        Text(
            "{query} may attend to no key: the policy {policy} sets its {count} weights to 0.",
            one="{query} may attend to no key: the policy {policy} sets its one weight to 0.",
        ),
        Text(
            "no training point is in reach of x = {x}: the policy {policy} sets its {count} weights to 0.",
            one="no training point is in reach of x = {x}: the policy {policy} sets its one weight to 0.",
        ),
    ),
    "book": EmptyRowPolicy(
        "-1e6 (book)",
        _FILLED,
        Text(
            "no training point is in reach of x = {x}: the policy {policy} makes its {count} weights equal, {weight} "
            "each.",
            one="no training point is in reach of x = {x}: the policy {policy} makes its one weight {weight}.",
        ),
    ),
    "inf": EmptyRowPolicy(
        "-inf (NaN)",
        _FILLED,
        Text(
            "no training point is in reach of x = {x}: the policy {policy} makes its {count} weights {weight}.",
            one="no training point is in reach of x = {x}: the policy {policy} makes its one weight {weight}.",
        ),
    ),
}
"""The policies by their names in a spec."""
