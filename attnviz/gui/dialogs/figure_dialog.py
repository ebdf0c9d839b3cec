"""The figure dialog: choices on the left, a preview on the right; saved, or copied to the clipboard."""

from collections.abc import Callable
from contextlib import nullcontext
from dataclasses import dataclass, replace
from functools import partial

from PySide6.QtCore import Qt, QTimer, Slot
from PySide6.QtGui import QImage, QResizeEvent
from PySide6.QtWidgets import QLabel, QWidget
from typing_extensions import override

from attnviz.definitions.formats import FORMATS
from attnviz.definitions.text import Text, text_of_error
from attnviz.experiment.files.session import Session
from attnviz.experiment.labs import Trace
from attnviz.experiment.study import StudyResult
from attnviz.export.embedded_session import Pixels, pixels_in, screen_png
from attnviz.export.figures.figure import check_pixels, figure_bytes, paper_figure
from attnviz.export.figures.settings import FigureSettings, looked_at, seen_as
from attnviz.gui.dialogs.button_dialog import ButtonDialog
from attnviz.gui.dialogs.exporter import Exporter
from attnviz.gui.dialogs.figure_choices import FigureChoice, FigureChoices
from attnviz.gui.dialogs.film_player import show_fitted
from attnviz.gui.dialogs.screenshot import pdf_of, picture_of, pixels_of, see_through, unscrolled, without_notices
from attnviz.gui.labs.room import AnyRoom
from attnviz.gui.run.background import Background
from attnviz.gui.theme import Look
from attnviz.gui.widgets.labels import caption
from attnviz.gui.widgets.layouts import column_of, row_of
from attnviz.gui.widgets.selection import Selection
from attnviz.gui.widgets.words import translate

PREVIEW_DPI = 160

Make = Callable[[], bytes]
"""Creates a file's content, in another thread."""


@dataclass(frozen=True, slots=True)
class Drawn:
    """The result of a choice: its file, the same as PNG, and a PNG for the preview."""

    file: Make
    png: Make
    preview: Make


@dataclass(frozen=True, slots=True, eq=False)
class FigureMaker:
    """One trace as it was on screen, with the cell under the mouse."""

    window: QWidget
    room: AnyRoom
    look: Look
    trace: Trace
    session: Session
    hovered: Selection | None
    study: StudyResult | None
    """The result that the page shows in place of the trace."""

    def for_paper(self, choice: FigureChoice) -> Drawn:
        """Return the functions that draw a figure of the trace, independent of the screen."""
        view = self.session.view
        seen = {} if view is None else looked_at(view, self.trace.spec)
        settings, form = choice.settings.model_copy(update=seen), FORMATS[choice.kind]
        return Drawn(
            partial(self._paper, settings, form.name, settings.dpi),
            partial(self._paper, settings, "png", settings.dpi),
            partial(self._paper, settings, "png", PREVIEW_DPI, settings.dpi if form.has_pixels else None),
        )

    def of_screen(self, choice: FigureChoice) -> Drawn:
        """Capture the screen now, in the window's thread; the result is made of that picture."""
        stage = self.room.stage
        parts = {"pictures": stage.page, "stage": stage, "close_up": stage.page.close_up, "window": self.window}
        part = parts[choice.part]
        form = FORMATS[choice.kind]
        self.room.selection.hover(self.hovered)
        try:
            without = without_notices(self.window, stage.page if part is stage.page else None)
            whole = nullcontext() if part is self.window else unscrolled(part)
            with without, whole, stage.across.over(part):
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
            return Drawn(partial(form.writer("print"), pdf, self.session), png, png)
        return Drawn(partial(form.writer("screen"), pixels, choice.scale, self.session), png, png)

    def _paper(self, settings: FigureSettings, kind: str, dpi: int, also_at: int | None = None) -> bytes:
        """Draw the figure; ``also_at`` is the resolution of the file, which must be possible too."""
        figure = paper_figure(self.study or self.trace, settings)
        if also_at is not None:
            check_pixels(figure, also_at)
        session = seen_as(settings, self.session)
        return figure_bytes(figure, kind, session, dpi=dpi, transparent=settings.transparent)


CHOICES_WIDTH = 272
PAUSE_MS = 120  # the delay of a preview while a number is being changed


@dataclass(frozen=True, slots=True)
class _Preview:
    """The preview: a picture, or the reason why there is none."""

    number: int
    """Counts the requested previews."""
    choice: FigureChoice
    drawn: Drawn
    png: bytes = b""
    problem: Text = Text()  # noqa: RUF009 - frozen


@dataclass(frozen=True, slots=True)
class _Copied:
    """The clipboard's content: a file of the chosen kind, the same as PNG, and its pixels."""

    drawn: Drawn
    kind: str
    content: bytes
    png: bytes
    pixels: Pixels


class FigureDialog(ButtonDialog):
    """Shows the trace that was on screen when the dialog was opened, with the cell under the mouse."""

    def __init__(self, window: QWidget, exporter: Exporter) -> None:
        self.choices, self.preview, self.size_label = FigureChoices(), QLabel(), caption()
        right = column_of(None, self.preview, self.size_label, gap=-1, wide=(self.preview,))
        right.setAlignment(self.size_label, Qt.AlignmentFlag.AlignHCenter)
        super().__init__(window, translate("Figure"), row_of(None, self.choices, right, gap=24, wide=(right,)))
        self._window, self._exporter = window, exporter
        self._maker: FigureMaker | None = None
        self._drawn: Drawn | None = None
        self._choice: FigureChoice | None = None
        self._asked_for = 0
        self._image = QImage()
        self.preview.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.preview.setMinimumSize(420, 320)
        self.preview.setAccessibleName(self.tr("Preview"))
        self.button(self.tr("Close"), self.reject)
        self.copy = self.button(self.tr("Copy"), self._copy)
        self.save = self.button(self.tr("Save ..."), self._ask_and_save, primary=True)
        self.save.setDefault(True)
        self._pause = QTimer(self, singleShot=True, interval=PAUSE_MS)
        self._pause.timeout.connect(self._draw)
        self._background = Background(self, pool="exports")
        self._background.done.connect(self._take)
        self._background.failed.connect(self._stay)
        self._copying = Background(self, pool="exports")  # separate: a new preview replaces one that waits
        self._copying.done.connect(self._put_on_clipboard)
        self._copying.failed.connect(self._stay)
        self.choices.changed.connect(self._await)

    def open_for(self, room: AnyRoom, look: Look) -> None:
        """Show the current state of a room; nothing before there is a trace."""
        trace = self._exporter.shown
        if trace is None:
            self._exporter.said.emit(self.tr("There is no picture yet."), True)
            return
        chosen = room.selection
        hovered = chosen.current if chosen.current != chosen.locked else None
        study = room.stage.page.study_on_screen
        maker = FigureMaker(self._window, room, look, trace, self._exporter.session(), hovered, study)
        self._maker = maker
        self.choices.offer(trace, maker.session.view)
        self.choices.setFixedWidth(look.px(CHOICES_WIDTH))
        self.resize(look.px(900), look.px(560))
        self.preview.clear()
        self.size_label.clear()
        self._await()  # and give the formula beside the picture, typeset in the background, time to arrive
        self.open()

    @override
    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    @override
    def done(self, result: int) -> None:
        """Close, and release the trace; the result of a copy in progress is dropped."""
        super().done(result)
        self._maker, self._drawn, self._image = None, None, QImage()

    @Slot()
    def _await(self) -> None:
        """Wait for the preview of the current choice; nothing can be saved or copied before it is there."""
        self._drawn = None
        self._show_buttons()
        self._pause.start()

    @Slot()
    def _draw(self) -> None:
        """Start the preview of the choice; the screen is captured at once, the rest is done in the background."""
        try:
            choice = self.choices.choice
        except ValueError as error:
            self.choices.say(translate(text_of_error(error)))
            return
        maker = self._current_maker() if choice.source == "screen" else self._maker
        if maker is not None:
            figure = maker.of_screen(choice) if choice.source == "screen" else maker.for_paper(choice)
            self._asked_for += 1
            self._background.start(partial(_previewed, self._asked_for, choice, figure), instead=True)

    def _current_maker(self) -> FigureMaker | None:
        """Return the maker for the screen, which may show another trace by now than when the dialog was opened."""
        maker, trace = self._maker, self._exporter.shown
        if maker is None or trace is None or trace is maker.trace:
            return maker
        room = self._exporter.rooms[trace.spec.lab]
        return replace(maker, room=room, trace=trace, session=self._exporter.session(), hovered=None, study=None)

    @Slot(object)
    def _take(self, preview: _Preview) -> None:
        if preview.number != self._asked_for or self._maker is None or self._pause.isActive():
            return  # another is on its way
        self.choices.say(translate(preview.problem))
        if not preview.problem:
            self._drawn, self._choice = preview.drawn, preview.choice
            self._image = QImage.fromData(preview.png)
            self.size_label.setText(_size_of(preview.choice, self._image))
            self._fit()
        self._show_buttons()

    def _show_buttons(self) -> None:
        """Enable saving and copying if there is a preview."""
        self.save.setEnabled(self._drawn is not None)
        self.copy.setEnabled(self._drawn is not None and not self._copying.busy)
        self.copy.setText(self.tr("Copying ...") if self._copying.busy else self.tr("Copy"))

    def _fit(self) -> None:
        if not self._image.isNull():
            show_fitted(self.preview, self._image)

    @Slot()
    def _ask_and_save(self) -> None:
        if self._drawn is None or self._choice is None:
            return
        kind, make = self._choice.kind, self._drawn.file
        path = self._exporter.ask_where("figure", (FORMATS[kind],))
        if path:
            self._exporter.write_bytes(path, make)
            self.accept()

    @Slot()
    def _copy(self) -> None:
        """Copy the preview to the clipboard, also as pixels, for programs that accept nothing else."""
        if self._drawn is not None and self._choice is not None:
            self._copying.start(partial(_copied, self._drawn, self._choice.kind))
            self._show_buttons()

    @Slot(object)
    def _put_on_clipboard(self, copied: _Copied) -> None:
        self._show_buttons()
        if self._maker is None or self._drawn is not copied.drawn:
            return  # the dialog was closed, or shows something else
        self._exporter.put_on_clipboard(copied.pixels, copied.png, FORMATS[copied.kind].media_type, copied.content)
        self.accept()

    @Slot(str)
    def _stay(self, why: str) -> None:
        """Report why there is no preview, or the clipboard is unchanged; another choice may work."""
        self.choices.say(why)
        self._show_buttons()


def _size_of(choice: FigureChoice, image: QImage) -> str:
    """Return the size of the file, in the units of its kind."""
    if choice.source == "paper":
        width = choice.settings.width_cm
        height = width * image.height() / max(image.width(), 1)
        size_text = translate("{0} × {1} cm").format(f"{width:g}", f"{height:.1f}")
        if not FORMATS[choice.kind].has_pixels:
            return size_text
        sides = (int(length / 2.54 * choice.settings.dpi) for length in (width, height))
        return f"{size_text}, " + translate("{0} × {1} px").format(*sides)
    if FORMATS[choice.kind].has_pixels:
        return translate("{0} × {1} px").format(image.width(), image.height())
    points = (side / choice.scale * 0.75 for side in (image.width(), image.height()))
    return translate("{0} × {1} pt").format(*(f"{side:.0f}" for side in points))


def _copied(figure: Drawn, kind: str) -> _Copied:
    png = figure.png()
    return _Copied(figure, kind, figure.file(), png, pixels_in(png))


def _previewed(number: int, choice: FigureChoice, figure: Drawn) -> _Preview:
    try:
        return _Preview(number, choice, figure, png=figure.preview())
    except ValueError as error:
        return _Preview(number, choice, figure, problem=text_of_error(error))
