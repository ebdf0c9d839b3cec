"""What makes a file of a figure dialog's choice: from the trace for a paper, from the widgets as on screen."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

from PySide6.QtWidgets import QWidget

from attnviz.definitions.formats import FORMATS
from attnviz.experiment.labs import Trace
from attnviz.experiment.session import Session
from attnviz.export.figures.figure import check_pixels, figure_bytes, paper_figure
from attnviz.export.figures.settings import FigureSettings, seen_as
from attnviz.export.screen_picture import screen_png
from attnviz.gui.dialogs.figure_choices import FigureChoice
from attnviz.gui.dialogs.screenshot import pdf_of, picture_of, pixels_of, see_through, without_notices
from attnviz.gui.labs.room import AnyRoom
from attnviz.gui.theme import Look
from attnviz.gui.widgets.selection import Selection

PREVIEW_DPI = 160

Make = Callable[[], bytes]
"""Makes a file's content, in another thread."""


@dataclass(frozen=True, slots=True)
class Made:
    """The result of a choice: its file, the same as PNG, and a PNG for the preview."""

    file: Make
    png: Make
    preview: Make


@dataclass(frozen=True, slots=True, eq=False)
class FigureMaker:
    """One trace as it stood on screen, with what the mouse rested on then."""

    window: QWidget
    room: AnyRoom
    look: Look
    trace: Trace
    session: Session
    hovered: Selection | None

    def for_paper(self, choice: FigureChoice) -> Made:
        """Return what makes a figure of the trace; nothing of the screen is looked at."""
        view = self.session.view
        looked_at = {} if view is None else {"stage": view.stage, "colour_map": view.colour_map}
        settings, form = choice.settings.model_copy(update=looked_at), FORMATS[choice.kind]
        return Made(
            partial(self._paper, settings, form.name, settings.dpi),
            partial(self._paper, settings, "png", settings.dpi),
            partial(self._paper, settings, "png", PREVIEW_DPI, settings.dpi if form.has_pixels else None),
        )

    def of_screen(self, choice: FigureChoice) -> Made:
        """Take the picture of the screen as it is now, in the window's thread; what is made of it is that picture."""
        part = {"stage": self.room.stage, "close_up": self.room.stage.close_up, "window": self.window}[choice.part]
        form = FORMATS[choice.kind]
        self.room.selection.hover(self.hovered)
        try:
            with without_notices(self.window):
                if choice.settings.transparent:
                    with see_through(self.room, self.look):
                        image = picture_of(part, choice.scale, transparent=True)
                else:
                    image = picture_of(part, choice.scale)
                pdf = pdf_of(part, part.accessibleName() or "attnviz") if "print" in form.writers else b""
        finally:
            self.room.selection.hover(None)
        pixels = pixels_of(image)
        png = partial(screen_png, pixels, choice.scale, self.session)
        if pdf:
            return Made(partial(form.writer("print"), pdf, self.session), png, png)
        return Made(partial(form.writer("screen"), pixels, choice.scale, self.session), png, png)

    def _paper(self, settings: FigureSettings, kind: str, dpi: int, also_at: int | None = None) -> bytes:
        """Draw the figure; ``also_at`` is the sharpness that the file will have, which must be possible too."""
        figure = paper_figure(self.trace, settings)
        if also_at is not None:
            check_pixels(figure, also_at)
        session = seen_as(settings, self.session)
        return figure_bytes(figure, kind, session, dpi=dpi, transparent=settings.transparent)
