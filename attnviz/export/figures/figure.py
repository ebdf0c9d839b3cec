"""A trace as a figure for a paper, drawn by matplotlib: on a screen, in a notebook, or as PNG, PDF or SVG."""

import io
import math
import os
from pathlib import Path
from typing import Any

from attnviz.definitions.formats import FORMATS, format_for, formats_for
from attnviz.definitions.text import Refused
from attnviz.experiment.files.plain_files import write_atomically
from attnviz.experiment.files.session import Session
from attnviz.experiment.labs import Outcome
from attnviz.experiment.study import StudyResult
from attnviz.export.embedded_session import into_pdf, into_svg, png_text
from attnviz.export.figures.settings import FigureSettings, check_settings

_MOST_PIXELS = 1 << 28  # drawing and packing these takes about 2.3 GB of memory
_LONGEST_SIDE = 65_000  # pixels, just below matplotlib's limit


def paper_figure(trace: Outcome, settings: FigureSettings | None = None) -> Any:
    """Return a ``matplotlib.figure.Figure`` of a trace or of a page's study, drawn from its own arrays.

    The caption says if weights are random; a warning of the trace is written across the figure.

    Raises:
        ValueError: the trace has no such head, item or stage, or the page has no figure; names the nearest.
    """
    from attnviz.export.figures.type_style import figure_style, mark_across, note_missing_glyphs
    from attnviz.export.labs import figure_of_page

    settings = settings or FigureSettings()
    spec = trace.spec.of if isinstance(trace, StudyResult) else trace.spec
    draw = figure_of_page(spec, settings.page, trace)
    if isinstance(trace, StudyResult):
        with figure_style(settings.palette):
            return draw(trace, settings)
    check_settings(settings, trace.spec, trace.num_heads, trace.items, trace.num_layers)
    notes = [each.translated(settings.language) for each in (trace.warning, trace.untrained_note)]
    captions = [text for text in (settings.caption, *notes) if text]
    settings = settings.model_copy(update={"caption": " · ".join(captions)})
    with figure_style(settings.palette):
        figure = note_missing_glyphs(lambda settings: draw(trace, settings), trace, settings)
        if notes[0]:
            mark_across(figure, notes[0], settings.palette)
        return figure


def figure_bytes(figure: Any, kind: str, session: Session, *, dpi: float = 300, transparent: bool = False) -> bytes:
    """Return a figure as the bytes of a file with a session; ``dpi`` affects raster formats only.

    Raises:
        ValueError: there would be too many pixels; names the nearest ``dpi``.
    """
    from attnviz.export.figures.type_style import figure_style

    form = FORMATS[kind]
    if form.has_pixels:
        check_pixels(figure, dpi)
    colour = "none" if transparent else figure.get_facecolor()
    with figure_style(FigureSettings().palette):
        content: bytes = form.writer("figure")(figure, session, dpi, colour)
    return content


def png(figure: Any, session: Session, dpi: float, colour: Any) -> bytes:
    """Return a figure as PNG."""
    file = io.BytesIO()
    figure.savefig(file, format="png", dpi=dpi, facecolor=colour, pil_kwargs={"pnginfo": png_text(session)})
    return file.getvalue()


def pdf(figure: Any, session: Session, _dpi: float, colour: Any) -> bytes:
    """Return a figure as PDF."""
    file = io.BytesIO()
    figure.savefig(file, format="pdf", facecolor=colour, metadata={"CreationDate": None})
    return into_pdf(file.getvalue(), session)


def svg(figure: Any, session: Session, _dpi: float, colour: Any) -> bytes:
    """Return a figure as SVG."""
    file = io.BytesIO()
    figure.savefig(file, format="svg", facecolor=colour, metadata={"Date": None})
    return into_svg(file.getvalue().decode(), session).encode()


def check_pixels(figure: Any, dpi: float) -> None:
    """Reject a PNG with more pixels than an ordinary machine can draw.

    Raises:
        ValueError: there are too many pixels; names the nearest ``dpi``.
    """
    width, height = figure.get_size_inches()
    nearest = min(math.sqrt(_MOST_PIXELS / (width * height)), _LONGEST_SIDE / max(width, height))
    if not 1 <= dpi <= nearest:
        raise Refused(
            "{dpi:g} pixels per inch must be in 1..{most} for a page of {width:.3g} × {height:.3g} cm; "
            "nearest: {nearest}",
            dpi=dpi,
            most=math.floor(nearest),
            width=width * 2.54,
            height=height * 2.54,
            nearest=1 if dpi < 1 else math.floor(nearest),
        )


def write_figure(trace: Outcome, path: Path, settings: FigureSettings, *, session: Session) -> None:
    """Write a figure of a trace in the format of the path's suffix.

    Raises:
        ValueError: the trace has no such head, item or stage, the suffix is no figure format, or there would
            be too many pixels.
        OSError: the path cannot be written; an older file stays unchanged.
    """
    form = format_for(path, "figure")
    figure = paper_figure(trace, settings)
    content = figure_bytes(figure, form.name, session, dpi=settings.dpi, transparent=settings.transparent)
    write_atomically(path, lambda file: file.write(content))


def figure_with_session(figure: Any, session: Session) -> Any:
    """Return the figure; its ``savefig`` writes PNG, PDF and SVG with attnviz's fonts and the session as metadata.

    Other formats, and calls with further options, use matplotlib's own ``savefig``.
    """
    usual = figure.savefig

    def savefig(fname: Any, *, dpi: float = 300, transparent: bool = False, **options: Any) -> None:
        is_path = isinstance(fname, str | os.PathLike)
        named = options.get("format") or (Path(fname).suffix if is_path else "png")
        kind = named.removeprefix(".").lower()
        if options.keys() - {"format"} or kind not in [each.name for each in formats_for("figure")]:
            usual(fname, dpi=dpi, transparent=transparent, **options)
            return
        content = figure_bytes(figure, kind, session, dpi=dpi, transparent=transparent)
        if is_path:
            write_atomically(Path(fname), lambda file: file.write(content))
        else:
            fname.write(content)

    figure.savefig = savefig
    return figure
