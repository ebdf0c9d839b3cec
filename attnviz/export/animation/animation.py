"""Animations as GIF or APNG: training steps, the stages of one run, or a sweep of a field."""

import math
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Annotated, Any, BinaryIO

import numpy as np
from pydantic import BaseModel, ConfigDict

from attnviz.definitions.formats import Format, format_for
from attnviz.definitions.motions import MOTIONS
from attnviz.definitions.text import Refused
from attnviz.experiment.fields.knob import knob
from attnviz.experiment.files.plain_files import write_atomically
from attnviz.experiment.files.session import Session
from attnviz.experiment.labs import Trace
from attnviz.experiment.run import ShouldStop, StoppedError, check_stop, never_stop
from attnviz.export.animation.files import ApngWriter, GifWriter, Part, Pixels, Writer
from attnviz.export.animation.frames import Film, Frame
from attnviz.export.figures.figure import paper_figure
from attnviz.export.figures.parts import CELLS
from attnviz.export.figures.settings import Extent, FigureSettings
from attnviz.export.labs import EXPORTS
from attnviz.export.options import Flag, Said

LEAST_SIDE, GREATEST_SIDE = 160, 2048
"""The limits of a side, in pixels."""

_USUAL_DPI, _USUAL_AREA = 130.0, 640 * 400
_LEAST_DPI = 100.0
_LEAST_INCHES = 1.6  # the least side of a page

_PACES = ", ".join(f"{each.name} {each.pace:g}" for each in MOTIONS.values())


class AnimationSettings(BaseModel):
    """The size, pace and look of an animation; `checked` reports errors."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    width: Annotated[int, Said(unit="pixels")] = knob(
        640, "Width", "Frame width in pixels", group="", ge=LEAST_SIDE, le=GREATEST_SIDE
    )
    height: Annotated[int, Said(unit="pixels")] = knob(
        400, "Height", "Frame height in pixels", group="", ge=LEAST_SIDE, le=GREATEST_SIDE
    )
    frames_per_second: Annotated[float, Flag("--fps", "N", usual=_PACES), Said("pace", "frames per second")] = knob(
        5.0, "Frames per second", "Frames per second of an animation", group="Animation", ge=0.1, le=50
    )
    hold: Annotated[float, Said(unit="seconds")] = knob(
        1.0, "Hold", "Minimum seconds that the last frame is shown", group="", ge=0, le=60
    )
    loop: bool = knob(True, "Loop", "Whether the animation repeats", group="")
    figure: FigureSettings = FigureSettings()
    """Heads, item, stage, colour map and theme; its sizes are ignored."""

    @property
    def dpi(self) -> float:
        """Pixels per inch of the page: text grows with the picture, but stays legible in a small one."""
        usual = _USUAL_DPI * math.sqrt(self.width * self.height / _USUAL_AREA)
        return min(max(usual, _LEAST_DPI), min(self.width, self.height) / _LEAST_INCHES)


def seconds_of_a_frame(settings: AnimationSettings, form: Format) -> float:
    """Return the time for which a format shows each frame, in seconds."""
    seconds = 1 / settings.frames_per_second
    return max(2, round(seconds * 100)) / 100 if form.whole_hundredths else seconds


def pace_note(settings: AnimationSettings, form: Format) -> str:
    """Return a message if a format cannot keep the requested pace; else an empty string."""
    real = 1 / seconds_of_a_frame(settings, form)
    if math.isclose(real, settings.frames_per_second, rel_tol=2e-3):
        return ""
    return (
        f"{form.title} shows a frame for whole hundredths of a second: {real:.3g} frames a second instead of "
        f"{settings.frames_per_second:g}"
    )


def _say_nothing(done: int, count: int) -> None:
    del done, count


def write_animation(
    film: Film,
    path: Path,
    settings: AnimationSettings,
    session: Session,
    *,
    progress: Callable[[int, int], object] = _say_nothing,
    should_stop: ShouldStop = never_stop,
) -> bool:
    """Write a film in the format of the path's suffix; return False if it was cancelled.

    Frames are drawn and written one by one, so that memory does not grow with their number. An older file stays
    untouched until the film is complete, also if writing is cancelled or fails.

    Args:
        film: the frames; see `film`.
        path: has the suffix of an animation format.
        settings: size, pace and look.
        session: embedded in the file.
        progress: called after each frame with the frames done and their total.
        should_stop: called between frames; True cancels.

    Raises:
        ValueError: the suffix or the settings are invalid, a frame has no such head, item or stage or does not fit on
            the page, or there are no frames.
        OSError: the file cannot be written.
    """
    form = format_for(path, "animation")

    def write(file: BinaryIO) -> None:
        pictures = _pictures(film, settings, progress, should_stop)
        _write(pictures, form.writer("animation")(file, settings, session), settings, form)

    try:
        write_atomically(path, write)
    except StoppedError:
        return False
    return True


_Picture = tuple[Pixels, list[Part]]
"""A drawn frame, and its parts that show cells."""


def gif(file: BinaryIO, settings: AnimationSettings, session: Session) -> Writer:
    """Return the writer of a GIF's frames."""
    return GifWriter(file, settings.figure.palette, settings.figure.colour_map, session, loop=settings.loop)


def apng(file: BinaryIO, settings: AnimationSettings, session: Session) -> Writer:
    """Return the writer of an APNG's frames."""
    return ApngWriter(file, session, loop=settings.loop)


def _write(pictures: Iterator[_Picture], writer: Writer, settings: AnimationSettings, form: Format) -> None:
    """Write pictures, each once the next one is known, since the last is shown longer."""
    pace = seconds_of_a_frame(settings, form)
    waiting = next(pictures, None)
    if waiting is None:
        raise Refused("there is no frame to show")
    for picture in pictures:
        pixels, cells = waiting
        writer.add(pixels, pace, cells)
        waiting = picture
    pixels, cells = waiting
    writer.add(pixels, max(pace, settings.hold), cells)
    writer.close()


def _pictures(
    film: Film, settings: AnimationSettings, progress: Callable[[int, int], object], should_stop: ShouldStop
) -> Iterator[_Picture]:
    extent = settings.figure.extent
    for trace in film.beforehand:
        check_stop(should_stop)
        extent = _extent_with(trace, extent)
    check_stop(should_stop)
    for done, frame in enumerate(film.frames, 1):
        check_stop(should_stop)
        extent = extent or _extent_with(frame.trace, None)
        yield _picture(frame, settings, extent)
        progress(done, film.count)
    check_stop(should_stop)


def _extent_with(trace: Trace, extent: Extent | None) -> Extent | None:
    own = EXPORTS[trace.spec.lab].extent_of(trace)
    return extent if own is None else own if extent is None else extent.joined(own)


def figure_of_frame(frame: Frame, settings: AnimationSettings, extent: Extent | None = None) -> Any:
    """Return a frame as a figure that fills a page of exactly the requested pixels.

    Raises:
        ValueError: the trace has no such head, item or stage, or the page is too small for it.
    """
    dpi = settings.dpi
    page = {"width_cm": settings.width / dpi * 2.54, "height_cm": settings.height / dpi * 2.54}
    stage = {} if frame.stage is None else {"stage": frame.stage}
    whole: dict[str, Any] = {
        "caption": settings.figure.tr(frame.caption),
        "extent": extent,
        "page": "",  # an animation has its own pictures, whatever page is on screen
        "transparent": False,
        **page,
        **stage,
    }
    figure = paper_figure(frame.trace, settings.figure.model_copy(update=whole))
    figure.set_dpi(dpi)
    # A hundredth of a pixel more, so that truncation to whole pixels cannot lose one to rounding.
    figure.set_size_inches((settings.width + 0.01) / dpi, (settings.height + 0.01) / dpi)
    return figure


def _picture(frame: Frame, settings: AnimationSettings, extent: Extent | None) -> _Picture:
    from matplotlib.backends.backend_agg import FigureCanvasAgg

    from attnviz.export.figures.type_style import figure_style

    figure = figure_of_frame(frame, settings, extent)
    with figure_style(settings.figure.palette):
        canvas: Any = FigureCanvasAgg(figure)
        canvas.draw()
    pixels = np.asarray(canvas.buffer_rgba())[..., :3].copy()
    assert pixels.shape == (settings.height, settings.width, 3)
    return pixels, [_part_of(axes, settings.height) for axes in figure.axes if axes.get_label() == CELLS]


def _part_of(axes: Any, height: int) -> Part:
    """Return the rows and columns of pixels that axes cover."""
    box = axes.get_window_extent()
    return (
        slice(max(0, math.floor(height - box.y1)), math.ceil(height - box.y0)),
        slice(max(0, math.floor(box.x0)), math.ceil(box.x1)),
    )
