"""The base of the stages of all labs: a strip of steps, a player, a header, and pages that follow one view."""

from typing import Any, Generic, TypeVar

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtWidgets import QCheckBox, QHBoxLayout, QWidget

from attnviz.experiment.labs import Lab, Trace
from attnviz.gui.labs.current_view import CurrentView, ViewT
from attnviz.gui.labs.page import ColourLine, Page, PageStack
from attnviz.gui.labs.stage_header import StageHeader
from attnviz.gui.labs.stage_player import StagePlayer
from attnviz.gui.labs.stage_strip import StageStrip
from attnviz.gui.plots.matrix.colour_bar import ColourBar
from attnviz.gui.plots.matrix.colour_table import ColourTable, colour_table
from attnviz.gui.run.background import Background
from attnviz.gui.theme import Look
from attnviz.gui.widgets.selection import SelectionModel

TraceT = TypeVar("TraceT", bound=Trace)


class LabStage(QWidget, Generic[TraceT, ViewT]):
    """Shows one trace with the view settings. It never requests a run."""

    painted = Signal(float)
    """Milliseconds that the last drawing took."""
    watched = Signal(str)
    """The stage whose colours the next traces need, by a name that the trace's `prepare` takes."""
    pace_chosen = Signal(object)
    """Training steps per second, None for no limit; emitted by labs that train."""
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

    @Slot()
    def _change(self) -> None:
        self.show_widgets()
        self.show_view()


def line_of(*parts: QWidget | None, stretched: tuple[QWidget, ...] = ()) -> QHBoxLayout:
    """Return a row of widgets; None is a stretch, and ``stretched`` widgets share the spare width."""
    line = QHBoxLayout()
    line.setSpacing(8)
    for part in parts:
        if part is None:
            line.addStretch(1)
        else:
            line.addWidget(part, 1 if part in stretched else 0)
    return line
