"""What the stages of all labs have in common: a strip of steps, a player, a header, and pages that follow one view."""

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
    """Shows one trace as the view says. It never asks for a run."""

    painted = Signal(float)
    """Milliseconds that the last drawing took."""
    watched = Signal(str)
    """What the colours of the traces to come are made from, by the name that `prepare` of the trace knows."""
    pace_chosen = Signal(object)
    """Steps a second, or None for as fast as they come; from a lab that trains."""
    pages: PageStack
    """The pages of the lab, which its stage makes."""
    page_chosen = Signal()
    """The user has pressed the name of a page, be it the one on screen."""

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
        """Whether colours reach to the largest weight."""
        self._background = Background(self)
        self.strip.changed.connect(self._choose_stage)
        current.changed.connect(self._change)
        selection.changed.connect(self.select)

    @property
    def view(self) -> ViewT:
        """How the trace is looked at."""
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
        """The chosen pace of a training, in steps a second; None is as fast as they come."""
        return None

    @property
    def page(self) -> Page[Any]:
        """The page that the view names."""
        return self.pages.pages[self.view.page]

    @property
    def close_up(self) -> QWidget:
        """The large picture of the page on screen."""
        return self.page.close_up

    def show_trace(self, trace: TraceT) -> None:
        """Draw a trace of the lab, as far as it has what the view says; a lab's stage overrides it."""
        raise NotImplementedError

    def show_view(self) -> None:
        """Draw what the view says of the trace, if there is one; a lab's stage overrides it."""
        raise NotImplementedError

    def show_widgets(self) -> None:
        """Show the view's value in the widgets around the picture; a lab's stage overrides it, and calls this."""
        if self.view.stage in self.strip.offered:
            self.strip.press(self.view.stage)
        self.contrast.setChecked(self.view.reaches_largest)

    def show_colours(self, line: ColourLine | None) -> None:
        """Say below the picture what its colours stand for, where they need to be explained."""
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
        """Take another theme or type scale; a lab's stage overrides it, and calls this first."""
        self._look = look
        for part in (self.player, self.header, self.bar):
            part.restyle(look)

    @Slot()
    def _choose_stage(self) -> None:
        """Show a step that was chosen above; a lab's stage overrides it, where a page gives way to that."""
        self.current_view.propose(stage=self.strip.stage)

    @Slot()
    def _change(self) -> None:
        self.show_widgets()
        self.show_view()


def line_of(*parts: QWidget | None, stretched: tuple[QWidget, ...] = ()) -> QHBoxLayout:
    """Return parts side by side; None is the room that is left, ``stretched`` ones share it."""
    line = QHBoxLayout()
    line.setSpacing(8)
    for part in parts:
        if part is None:
            line.addStretch(1)
        else:
            line.addWidget(part, 1 if part in stretched else 0)
    return line
