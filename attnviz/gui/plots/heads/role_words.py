"""Colours and names of roles: a colour for each, never without its name."""

from attnviz.definitions.roles import Role
from attnviz.definitions.tasks import EVERY_ROLE
from attnviz.gui.theme import Theme
from attnviz.gui.widgets.words import translate

_FAR = 88
"""A distance of typical width."""


def role_colour(role: Role | None, theme: Theme) -> str:
    """Return the colour of a role's curve; of a head without a role, a grey."""
    return theme.muted if role is None else theme.mark(list(EVERY_ROLE).index(role.name))


def role_text_colour(role: Role | None, theme: Theme) -> str:
    """Return the text colour of a role."""
    return theme.muted if role is None else theme.mark_text(list(EVERY_ROLE).index(role.name))


def role_title(role: Role | None, distance: int = _FAR) -> str:
    """Return the short name of a role of a head with a distance; "" for none."""
    return "" if role is None else translate(role.short_at(distance))


def role_heading(role: Role | None) -> str:
    """Return the narrow name of a role; "" for none."""
    return "" if role is None else translate(role.heading)
