"""A page: one picture or several related ones, and the interface between it and a stage."""

from collections.abc import Callable, Mapping
from typing import Any, ClassVar, Generic, NamedTuple, TypeVar

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QStackedWidget, QWidget

from attnviz.experiment.colours import Scale
from attnviz.experiment.labs import Asked, Event
from attnviz.experiment.study import StudyResult
from attnviz.gui.plots.matrix.tile import ColourTable
from attnviz.gui.theme import Look
from attnviz.gui.widgets.layouts import Placed
from attnviz.gui.widgets.selection import SelectionModel

DataT = TypeVar("DataT")


def _short(value: float) -> str:
    return f"{value:.0f}" if value == int(value) and abs(value) < 1e6 else f"{value:.3g}"


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
    contrast: str | None = None
    """The contrast of drawn weights, a name in `CONTRASTS`, "" for 0 to 1; None without weights."""
    offered: str = ""
    """The name of the contrast to suggest if most cells are dark."""
    left_out: bool = False
    """Whether the contrast leaves out cells, which are hatched."""
    number: Callable[[float], str] = _short
    """Formats the numbers at its two ends, in the format of the cells."""


class Page(Placed, Generic[DataT]):
    """One picture, or several related ones. The view settings, in the `CurrentView`, name the page on screen."""

    painted = Signal(float)
    """The milliseconds of the last drawing."""
    said = Signal()
    """`words` or `hint` has changed."""
    hint = ""
    """A hint on mouse actions, for a page without numbers to read."""
    sentence_room: ClassVar[int] = 0
    """The stage width, at scale 1, in which the sentences of the page fit into one line; 0 for that of the lab."""
    at_once: ClassVar[bool] = False
    """Whether its side runs are requested while another page is on screen."""
    redraw_asked = Signal()
    """The page needs another `show_data`: there is more to draw, or its colour scale has changed."""

    def __init__(self, look: Look, selection: SelectionModel, current: Any) -> None:
        super().__init__()
        self._look, self._selection, self._current = look, selection, current

    def restyle(self, look: Look) -> None:
        """Apply a theme and type scale. Extended by pages that draw with it."""
        self._look = look

    def show_data(self, data: DataT) -> None:
        """Draw the stage's data; the stage then calls `select`. Reimplemented by pages."""

    def select(self) -> None:
        """Follow the selection."""

    def colour_line(self) -> ColourLine | None:
        """Return the contents of the colour bar; None without a picture or a colour bar."""
        return None

    @property
    def close_up(self) -> QWidget:
        """The large picture, which can be exported alone."""
        return self

    @property
    def study_on_screen(self) -> StudyResult | None:
        """The result of the study that the page's figure draws; None: it draws the trace."""
        return None

    @property
    def words(self) -> str:
        """The sentence about the page's pictures; "" for that of the trace."""
        return ""

    @property
    def pictures_across(self) -> float:
        """The width of the pictures side by side, in widths of one, for which the window makes room."""
        return 1

    def follow(self, trace: Any) -> None:
        """Follow the trace on screen, also while another page is shown."""

    def wanted(self) -> tuple[Asked, ...]:
        """Return the side runs that the page needs for the trace on screen, except those already done."""
        return ()

    def show_part(self, asked: Asked, done: int, count: int) -> None:
        """Show the progress of a run of `wanted`."""

    def show_events(self, events: tuple[Event, ...]) -> None:
        """Show the results of `wanted`, in the same order."""

    def say_stopped(self) -> None:
        """Show that the runs of `wanted` were cancelled."""

    def forget(self) -> None:
        """Need the side runs of `wanted` anew: a file outside their specs has changed."""

    def leave(self, spec: Any) -> None:
        """Drop results of other specs to free memory, since another page is shown."""


PageT = TypeVar("PageT", bound=Page[Any])


class PageStack(QStackedWidget):
    """The pages of a lab by name, one of them on screen."""

    def __init__(self, pages: Mapping[str, Page[Any]]) -> None:
        super().__init__()
        self.pages = dict(pages)
        for page in self.pages.values():
            self.addWidget(page)

    def page_of(self, kind: type[PageT]) -> PageT:
        """Return the page of a class."""
        return next(page for page in self.pages.values() if isinstance(page, kind))

    def turn_to(self, name: str, spec: Any) -> Page[Any]:
        """Show the page with this name; ``spec`` is that of the trace on screen."""
        for page in self.pages.values():
            if page is not self.pages[name]:
                page.leave(spec)
        self.setCurrentWidget(self.pages[name])
        return self.pages[name]

    def follow(self, trace: Any) -> None:
        """Follow the trace on screen."""
        for page in self.pages.values():
            page.follow(trace)
