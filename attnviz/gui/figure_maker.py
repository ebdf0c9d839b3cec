"""What makes a file of a figure dialog's choice: from the trace for a paper, from the widgets as on screen."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

from PySide6.QtWidgets import QWidget

from attnviz.experiment.attention_trace import AttentionTrace
from attnviz.experiment.labs import Trace
from attnviz.experiment.session import Session
from attnviz.export.carried_session import into_pdf
from attnviz.export.figure import figure_bytes, paper_figure
from attnviz.export.figure_settings import FigureSettings
from attnviz.export.screen_picture import screen_png, screen_svg
from attnviz.gui.figure_choices import FigureChoice
from attnviz.gui.labs.room import BaseRoom
from attnviz.gui.screenshot import pdf_of, picture_of, pixels_of, see_through
from attnviz.gui.selection import Selection
from attnviz.gui.theme import THEMES, Look

PREVIEW_DPI = 160


@dataclass(frozen=True, slots=True, eq=False)
class FigureMaker:
    """One trace as it stood on screen, with what the mouse rested on then."""

    window: QWidget
    room: BaseRoom
    look: Look
    trace: Trace
    session: Session
    hovered: Selection | None

    @property
    def items(self) -> int:
        """How many batch items there are."""
        return len(self.trace.weights) if isinstance(self.trace, AttentionTrace) else 1

    def maker(self, choice: FigureChoice, kind: str = "", *, preview: bool = False) -> Callable[[], bytes]:
        """Return what makes a file in another thread, of the choice's kind or another; a preview is less sharp.

        The screen is looked at here and now, in the window's thread.
        """
        kind = kind or choice.kind
        if choice.source == "screen":
            return self._screen(choice, kind)
        view = self.session.view
        settings = FigureSettings(
            heads=choice.heads,
            item=choice.item,
            stage=view.stage if view else "weights",
            contrast=choice.contrast,
            colour_map=view.colour_map if view else "viridis",
            theme=THEMES[choice.theme],
            width_cm=choice.width_cm,
            transparent=choice.transparent,
        )
        return partial(_paper, self.trace, settings, kind, self.session, PREVIEW_DPI if preview else choice.dpi)

    def _screen(self, choice: FigureChoice, kind: str) -> Callable[[], bytes]:
        part = {"stage": self.room.stage, "close_up": self.room.close_up, "window": self.window}[choice.part]
        self.room.selection.hover(self.hovered)
        try:
            if kind == "pdf":
                return partial(into_pdf, pdf_of(part, part.accessibleName() or "attnviz"), self.session)
            if choice.transparent:
                with see_through(self.room, self.look):
                    image = picture_of(part, choice.scale, transparent=True)
            else:
                image = picture_of(part, choice.scale)
        finally:
            self.room.selection.hover(None)
        return partial(screen_svg if kind == "svg" else screen_png, pixels_of(image), choice.scale, self.session)


def _paper(trace: Trace, settings: FigureSettings, kind: Any, session: Session, dpi: int) -> bytes:
    figure = paper_figure(trace, settings)
    return figure_bytes(figure, kind, session, dpi=dpi, transparent=settings.transparent)
