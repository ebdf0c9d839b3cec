"""What every page of a lab's stage has in common."""

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
    """What the colour bar below a page says."""

    scale: Scale
    table: ColourTable
    caption: str
    masked: bool = False
    """Whether there are masked cells."""
    not_finite: bool = False
    """Whether there are cells that are not a number."""
    dropped: bool = False
    """Whether there are cells that dropout took."""


class Page(QWidget, Generic[DataT]):
    """One picture, or some that belong together. Which page is shown, the view settings say by its name."""

    painted = Signal(float)
    """Milliseconds that the last drawing took."""
    redraw_asked = Signal()
    """There is more to draw, or the colours stand for something else: `show_data` is to be called again."""

    def show_data(self, data: DataT) -> None:
        """Draw what the stage hands out; a page overrides it."""
        raise NotImplementedError

    def select(self) -> None:
        """Follow the selection."""

    def restyle(self, look: Look) -> None:
        """Take another theme or type scale; a page overrides it."""
        raise NotImplementedError

    def colour_line(self) -> ColourLine | None:
        """Return what the colours stand for, once there is a picture; None where the page needs no colour bar."""
        return None

    @property
    def close_up(self) -> QWidget:
        """The large picture, which a figure of the screen can show alone."""
        return self

    def wanted(self, spec: Any) -> tuple[Asked, ...]:
        """Return what is to be run beside the trace of a spec while the page is shown, as far as it is not there."""
        del spec
        return ()

    def show_events(self, events: tuple[Event, ...]) -> None:
        """Show the outcomes of `wanted`, in that order."""

    def say_stopped(self) -> None:
        """Say that what is wanted was stopped."""

    def leave(self, spec: Any) -> None:
        """Let go of outcomes that are not of this spec: another page is on screen, and may stay there."""


class PageStack(QStackedWidget):
    """The pages of a lab by name, one of them on screen."""

    def __init__(self, pages: Mapping[str, Page[Any]], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.pages = dict(pages)
        for page in self.pages.values():
            self.addWidget(page)

    def turn_to(self, name: str, spec: Any) -> Page[Any]:
        """Show a page of that name; ``spec`` is that of the trace on screen."""
        for page in self.pages.values():
            if page is not self.pages[name]:
                page.leave(spec)
        self.setCurrentWidget(self.pages[name])
        return self.pages[name]

    def restyle(self, look: Look) -> None:
        """Take another theme or type scale."""
        for page in self.pages.values():
            page.restyle(look)
