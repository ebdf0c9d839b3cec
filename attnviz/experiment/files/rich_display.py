"""What a notebook shows of a trace: a picture. The nouns cannot draw; who can (`attnviz.api`) hands in how."""

from collections.abc import Callable
from typing import Any, ClassVar


class RichDisplay:
    """A value that a notebook draws when it is the last line of a cell; nothing but text until someone can draw."""

    drawer: ClassVar[Callable[[Any], bytes] | None] = None
    """Makes a PNG of a trace."""

    def _repr_png_(self) -> bytes | None:
        """Return the picture that IPython asks for by this name."""
        draw = RichDisplay.drawer
        return None if draw is None else draw(self)
