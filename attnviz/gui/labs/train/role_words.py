"""How roles of heads are drawn and written: a colour for each, never without its name."""

import math

from attnviz.definitions.roles import ROLES, Role
from attnviz.gui.theme import Theme
from attnviz.gui.widgets.words import translate

_MARKS = ("k", "q", "v", "output")
"""The theme's colours of the first roles; further ones have those of overlays."""


def role_colour(role: Role | None, theme: Theme) -> str:
    """Return the colour of a role's curve; of a head without a role, a grey."""
    if role is None:
        return theme.muted
    place = list(ROLES).index(role.name)
    if place < len(_MARKS):
        return str(getattr(theme, _MARKS[place]))
    return theme.curves[(place - len(_MARKS)) * 2 % len(theme.curves)]


def role_text_colour(role: Role | None, theme: Theme) -> str:
    """Return the colour in which a role is written."""
    if role is None:
        return theme.muted
    place = list(ROLES).index(role.name)
    return theme.text_of(_MARKS[place]) if place < len(_MARKS) else theme.text


def score_text(score: float) -> str:
    """Return a score as text; a dash where no place counts."""
    return f"{score:.2f}" if math.isfinite(score) else "–"


def role_title(role: Role | None) -> str:
    """Return the short name of a role; "" for none."""
    return "" if role is None else translate(role.short)


def role_heading(role: Role | None) -> str:
    """Return the narrow name of a role; "" for none."""
    return "" if role is None else translate(role.heading)
