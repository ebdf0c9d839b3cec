"""What the stages of all labs have in common: the current view, a header, pages, and the stage that shows them."""

import html
import re
from collections.abc import Mapping
from typing import Any, ClassVar, Generic, NamedTuple, TypeVar

from PySide6.QtCore import QObject, Qt, Signal, Slot
from PySide6.QtWidgets import QCheckBox, QHBoxLayout, QStackedWidget, QWidget

from attnviz.experiment.colours import Scale
from attnviz.experiment.labs import Asked, Event, Lab, Trace
from attnviz.experiment.view_settings import ViewSettings
from attnviz.gui.labs.stage_strip import StagePlayer, StageStrip
from attnviz.gui.plots.matrix.colour_bar import ColourBar
from attnviz.gui.plots.matrix.tile import ColourTable, colour_table
from attnviz.gui.run.background import Background
from attnviz.gui.theme import Look
from attnviz.gui.widgets.buttons import Segments
from attnviz.gui.widgets.formula_view import FormulaView
from attnviz.gui.widgets.labels import caption
from attnviz.gui.widgets.layouts import column_of
from attnviz.gui.widgets.selection import SelectionModel
from attnviz.gui.widgets.words import translate

ViewT = TypeVar("ViewT", bound=ViewSettings)


class CurrentView(QObject, Generic[ViewT]):
    """Holds the view settings, and those for the next trace while one with other settings is awaited."""

    changed = Signal()
    """The user has changed the settings."""

    def __init__(self, first: ViewT, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._value = first
        self._awaited: ViewT | None = None

    @property
    def value(self) -> ViewT:
        """The settings of the trace on screen."""
        return self._value

    @property
    def next_value(self) -> ViewT:
        """The settings of the awaited trace, or of the one on screen if none is awaited."""
        return self._value if self._awaited is None else self._awaited

    def propose(self, **changes: Any) -> None:
        """Apply changes of the user, to the awaited trace too; emit `changed` if a value differs."""
        if self.note(**changes):
            self.changed.emit()

    def note(self, **changes: Any) -> bool:
        """Record what is on screen already, such as the locked cell, without a signal; return whether it is new."""
        new = {name: value for name, value in changes.items() if getattr(self._value, name) != value}
        if new:
            self._value = self._value.model_copy(update=new)
            if self._awaited is not None:
                self._awaited = self._awaited.model_copy(update=new)
        return bool(new)

    def insist(self, **changes: Any) -> None:
        """Like `propose`, but set the values for the awaited trace even if the trace on screen has them."""
        if self._awaited is not None:
            self._awaited = self._awaited.model_copy(update=changes)
        self.propose(**changes)

    def put(self, value: ViewT) -> None:
        """Replace all settings without a signal: the caller draws a trace with them."""
        self._value = value

    def await_trace(self, value: ViewT) -> None:
        """Set the settings for the next trace."""
        self._awaited = value

    def take_awaited(self) -> ViewT | None:
        """Return the settings for the next trace, which has arrived, and forget them."""
        awaited, self._awaited = self._awaited, None
        return awaited


class StageHeader(QWidget):
    """Shows what the stage computes."""

    def __init__(self, look: Look, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.formula = FormulaView(look)
        self.shapes = caption()
        self.shapes.setAccessibleName(self.tr("Shapes"))
        self.shapes.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.shapes.setMinimumWidth(1)
        said = column_of(None, self.formula, self.shapes, gap=0, wide=(self.formula,))
        self._line = QHBoxLayout(self)
        self._line.setContentsMargins(2, 0, 2, 0)
        self._line.setSpacing(16)
        self._line.addLayout(said, 1)
        self.restyle(look)

    def add(self, widget: QWidget) -> None:
        """Put a widget at the end of the line."""
        self._line.addWidget(widget)

    def show_stage(self, latex: str, spoken: str, shapes: str) -> None:
        """Show a formula, its text for screen readers, and one or two lines of shapes; ``L_q`` gets a subscript."""
        self.formula.show_formula(latex, spoken)
        self.shapes.setText(re.sub(r"_(\w)", r"<sub>\1</sub>", html.escape(shapes)).replace("\n", "<br>"))

    def restyle(self, look: Look) -> None:
        """Apply a theme and type scale."""
        self.formula.restyle(look)
        self.setFixedHeight(look.px(58))


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


TraceT = TypeVar("TraceT", bound=Trace)


class LabStage(QWidget, Generic[TraceT, ViewT]):
    """Shows one trace with the view settings. It never requests a run."""

    painted = Signal(float)
    """Milliseconds that the last drawing took."""
    watched = Signal(str)
    """The stage whose colours the next traces need, by a name that the trace's `prepare` takes."""
    pace_chosen = Signal(object)
    """Training steps per second, None for no limit; emitted by labs that train."""
    contrast_field: ClassVar[str]
    """The field of the view settings that `contrast` shows."""
    pages: PageStack
    """The pages of the lab; made by the lab's stage."""
    page_chosen = Signal()
    """The user has pressed the button of a page, which may be the one on screen."""

    def __init__(
        self,
        lab: Lab,
        look: Look,
        selection: SelectionModel,
        current: CurrentView[ViewT],
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self.setObjectName("stage")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self._look = look
        self._selection = selection
        self.current_view = current
        self.trace: TraceT | None = None
        self.strip = StageStrip(lab.stages, current.value.stage)
        self.player = StagePlayer(self.strip)
        self.header = StageHeader(look)
        self.bar = ColourBar(look)
        self.contrast = QCheckBox()
        """Whether colours scale to the largest weight."""
        self._background = Background(self)
        self.contrast.toggled.connect(self._choose_contrast)
        self.strip.changed.connect(self._choose_stage)
        current.changed.connect(self._change)
        selection.changed.connect(self.select)

    @property
    def view(self) -> ViewT:
        """The view settings."""
        return self.current_view.value

    @property
    def map_name(self) -> str:
        """The colour map of weights."""
        return self.view.colour_map

    @property
    def weight_table(self) -> ColourTable:
        """The colours of weights."""
        return colour_table(self.map_name, self._look.theme)

    @property
    def pace(self) -> float | None:
        """The chosen pace of a training, in steps per second; None is no limit."""
        return None

    @property
    def page(self) -> Page[Any]:
        """The page on screen."""
        return self.pages.pages[self.view.page]

    @property
    def close_up(self) -> QWidget:
        """The large picture of the page on screen."""
        return self.page.close_up

    def show_trace(self, trace: TraceT) -> None:
        """Draw a trace with the view settings, adapted to what it has; a lab's stage overrides it."""
        raise NotImplementedError

    def show_view(self) -> None:
        """Draw the trace, if there is one, with the view settings; a lab's stage overrides it."""
        raise NotImplementedError

    def show_widgets(self) -> None:
        """Show the view settings in the widgets around the picture; a lab's stage overrides it, and calls this."""
        if self.view.stage in self.strip.offered:
            self.strip.press(self.view.stage)
        self.contrast.setChecked(self.view.reaches_largest)

    def show_colours(self, line: ColourLine | None) -> None:
        """Show the colour bar below the picture; None hides it."""
        self.bar.setVisible(line is not None)
        if line is not None:
            signs = {"masked": line.masked, "not_finite": line.not_finite, "dropped": line.dropped}
            self.bar.show_scale(line.scale, line.table, line.caption, **signs)

    @Slot()
    def select(self) -> None:
        """Follow the selection; a lab's stage overrides it."""

    def show_stage(self, stage: str) -> None:
        """Show another step of the mechanism."""
        self.strip.go_to(stage)

    def restyle(self, look: Look) -> None:
        """Apply a theme and type scale; a lab's stage overrides it, and calls this first."""
        self._look = look
        for part in (self.player, self.header, self.bar):
            part.restyle(look)

    @Slot()
    def _choose_stage(self) -> None:
        """Show the step chosen in the strip; a lab's stage overrides it if the choice also changes the page."""
        self.current_view.propose(stage=self.strip.stage)

    @Slot(bool)
    def _choose_contrast(self, on: bool) -> None:
        self.current_view.propose(**{self.contrast_field: on})

    @Slot()
    def turn_page(self) -> None:
        """Show the page whose button, one of those of `page_choice`, the user has pressed."""
        buttons = self.sender()
        assert isinstance(buttons, Segments)
        self.current_view.propose(page=buttons.value)
        self.page_chosen.emit()

    @Slot()
    def _change(self) -> None:
        self.show_widgets()
        self.show_view()


def page_choice(pages: Mapping[str, Any]) -> Segments:
    """Return the buttons of a lab's pages, from the registry of their names."""
    titles = ((page.name, translate(page.title), translate(page.help)) for page in pages.values())
    return Segments(translate("Page"), tuple(titles))
