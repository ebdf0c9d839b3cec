"""The base of every page of a lab's stage."""

from collections.abc import Mapping
from typing import Any, Generic, NamedTuple, TypeVar

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QStackedWidget, QWidget

from attnviz.experiment.colours.levels import Scale
from attnviz.experiment.labs import Asked, Event
from attnviz.gui.plots.matrix.colour_table import ColourTable
from attnviz.gui.theme import Look

DataT = TypeVar("DataT")


class ColourLine(NamedTuple):
    """The contents of the colour bar below a page."""

    scale: Scale
    table: ColourTable
    caption: str
    masked: bool = False
    """Whether there are masked cells."""
    not_finite: bool = False
    """Whether there are cells that are not a number."""
    dropped: bool = False
    """Whether there are cells set to zero by dropout."""


class Page(QWidget, Generic[DataT]):
    """One picture, or some that belong together. The view settings name the page on screen."""

    painted = Signal(float)
    """Milliseconds that the last drawing took."""
    redraw_asked = Signal()
    """The page needs `show_data` again: there is more to draw, or its colour scale has changed."""

    def show_data(self, data: DataT) -> None:
        """Draw the stage's data; a page overrides it."""
        raise NotImplementedError

    def select(self) -> None:
        """Follow the selection."""

    def restyle(self, look: Look) -> None:
        """Apply a theme and type scale; a page overrides it."""
        raise NotImplementedError

    def colour_line(self) -> ColourLine | None:
        """Return the contents of the colour bar; None if there is no picture, or the page needs no colour bar."""
        return None

    @property
    def close_up(self) -> QWidget:
        """The large picture, which can be exported alone."""
        return self

    def wanted(self, spec: Any) -> tuple[Asked, ...]:
        """Return the side runs that the page needs for the trace of a spec, without those whose results it has."""
        del spec
        return ()

    def show_events(self, events: tuple[Event, ...]) -> None:
        """Show the results of `wanted`, in the same order."""

    def say_stopped(self) -> None:
        """Show that the runs of `wanted` were cancelled."""

    def leave(self, spec: Any) -> None:
        """Drop results of other specs to free memory, as another page is shown."""


class PageStack(QStackedWidget):
    """The pages of a lab by name, one of them on screen."""

    def __init__(self, pages: Mapping[str, Page[Any]], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.pages = dict(pages)
        for page in self.pages.values():
            self.addWidget(page)

    def turn_to(self, name: str, spec: Any) -> Page[Any]:
        """Show the page with this name; ``spec`` is of the trace on screen."""
        for page in self.pages.values():
            if page is not self.pages[name]:
                page.leave(spec)
        self.setCurrentWidget(self.pages[name])
        return self.pages[name]

    def restyle(self, look: Look) -> None:
        """Apply a theme and type scale."""
        for page in self.pages.values():
            page.restyle(look)
