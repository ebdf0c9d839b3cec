"""The file formats: their suffixes, possible contents, and the functions that write them.

To add one, add a record and the functions that it names. They are imported on first use, so that a file dialog does not
load matplotlib or Pillow.
"""

import pkgutil
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import PurePath
from typing import Any, Literal

from attnviz.definitions.registry import Registry
from attnviz.definitions.text import English, Refused, closest

Output = Literal["figure", "screen", "print", "animation", "numbers", "session", "points", "code", "table", "heads"]
"""The kind of an export. The arguments of each writer, and its result:

figure: (figure, session, dpi, colour) -> bytes. The matplotlib figure as a file; colour is its background.
screen: (pixels, scale, session) -> bytes. The pixels of the window.
print: (pdf, session) -> bytes. The window as printed by Qt.
animation: (file, settings, session) -> `Writer` of frames.
numbers: (trace, path, heads, item). Only the chosen heads and item if the format supports it.
session: (session, path).
points: (x, y, path).
code: (spec) -> str.
table: (path, sweep, force) -> `GrowingTable`, to which the rows of a sweep are added.
heads: (rows, path). A row for each head of a sweep's runs."""

Input = Literal["session", "arrays", "points", "functions"]
"""The kind of an input."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Writer:
    """The function that writes one output in a format."""

    function: str
    """"package.module:function"."""
    title: English = ""
    """The file dialog's name for these files; empty: the format's own title."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Format:
    """One format of files."""

    name: str
    """The suffix without its dot."""
    title: English
    help: English = ""
    writers: Mapping[Output, Writer] = field(default_factory=dict)
    inputs: frozenset[Input] = frozenset()
    """The contents that attnviz can read from such a file; exported figures hold a session, exported arrays a spec."""
    media_type: str = ""
    """Its MIME type on the clipboard."""
    has_pixels: bool = False
    """Whether a figure is a raster image, so that dpi applies."""
    whole_hundredths: bool = False
    """Whether the duration of a frame is an integer number of hundredths of a second, at least two."""

    @property
    def suffix(self) -> str:
        """The suffix with its dot."""
        return f".{self.name}"

    def writer(self, output: Output) -> Any:
        """Import and return the function that writes an output.

        Raises:
            KeyError: the format cannot hold it.
        """
        return pkgutil.resolve_name(self.writers[output].function)

    def title_of(self, output: Output) -> English:
        """Return the file dialog's name for files of an output."""
        return self.writers[output].title or self.title


_SESSION: frozenset[Input] = frozenset({"session"})
_FIGURE = "attnviz.export.figures.figure"
_EMBEDDED = "attnviz.export.embedded_session"
_ANIMATION = "attnviz.export.animation.animation"
_NUMBERS = "attnviz.export.numbers"
_TABLES = "attnviz.export.tables"

FORMATS = Registry(
    "format",
    (
        Format(
            name="png",
            title="PNG",
            help="Pixels",
            writers={
                "figure": Writer(function=f"{_FIGURE}:png"),
                "screen": Writer(function=f"{_EMBEDDED}:screen_png"),
                "animation": Writer(function=f"{_ANIMATION}:apng"),
            },
            inputs=_SESSION,
            media_type="image/png",
            has_pixels=True,
        ),
        Format(
            name="pdf",
            title="PDF",
            help="Text and lines as vectors, cells as images",
            writers={"figure": Writer(function=f"{_FIGURE}:pdf"), "print": Writer(function=f"{_EMBEDDED}:into_pdf")},
            inputs=_SESSION,
            media_type="application/pdf",
        ),
        Format(
            name="svg",
            title="SVG",
            help="For a paper: lines as such. As on screen: the pixels in an SVG",
            writers={"figure": Writer(function=f"{_FIGURE}:svg"), "screen": Writer(function=f"{_EMBEDDED}:screen_svg")},
            inputs=_SESSION,
            media_type="image/svg+xml",
        ),
        Format(
            name="npz",
            title="NumPy arrays",
            writers={"numbers": Writer(function=f"{_NUMBERS}:write_npz", title="NumPy arrays of every stage")},
            inputs=frozenset({"session", "arrays"}),
        ),
        Format(
            name="csv",
            title="Table",
            writers={
                "numbers": Writer(function=f"{_NUMBERS}:write_long_table", title="Table with a row for each cell"),
                "points": Writer(function=f"{_NUMBERS}:write_points", title="Two columns"),
                "table": Writer(function=f"{_TABLES}.growing:csv_table", title="Table with a row for each run"),
                "heads": Writer(function=f"{_TABLES}.heads:write_csv", title="Table with a row for each head"),
            },
            inputs=frozenset({"points"}),
        ),
        Format(
            name="jsonl",
            title="JSON lines",
            writers={
                "table": Writer(function=f"{_TABLES}.growing:json_table"),
                "heads": Writer(function=f"{_TABLES}.heads:write_json"),
            },
        ),
        Format(name="parquet", title="Parquet", writers={"table": Writer(function=f"{_TABLES}.parquet:ParquetTable")}),
        Format(
            name="json",
            title="Spec",
            writers={"session": Writer(function="attnviz.export.document:write_bare_spec")},
            inputs=_SESSION,
        ),
        Format(
            name="attnviz",
            title="Sessions",
            writers={"session": Writer(function="attnviz.export.document:write_session")},
            inputs=_SESSION,
        ),
        Format(
            name="gif",
            title="GIF",
            help="Plays everywhere",
            writers={"animation": Writer(function=f"{_ANIMATION}:gif")},
            inputs=_SESSION,
            whole_hundredths=True,
        ),
        Format(
            name="apng",
            title="APNG",
            help="Smaller, with all colours",
            writers={"animation": Writer(function=f"{_ANIMATION}:apng")},
            inputs=_SESSION,
        ),
        Format(
            name="py",
            title="Python",
            writers={"code": Writer(function="attnviz.export.code.script:pytorch_code")},
            inputs=frozenset({"functions"}),
        ),
        Format(name="npy", title="One NumPy array", inputs=frozenset({"arrays"})),
        Format(name="tsv", title="Columns between tabs", inputs=frozenset({"points"})),
        Format(name="txt", title="Columns of text", inputs=frozenset({"points"})),
    ),
)


def format_of(path: PurePath) -> Format | None:
    """Return the format of a path's suffix; None if no format has it."""
    return FORMATS.get(path.suffix.removeprefix(".").lower())


def format_for(path: PurePath, *outputs: Output) -> Format:
    """Return the format of a path's suffix, which can hold one of these outputs.

    Raises:
        Refused: it cannot; the text names the suffixes that can.
    """
    form = format_of(path)
    if form is None or form.writers.keys().isdisjoint(outputs):
        suffixes = [each.suffix for each in formats_for(*outputs)]
        values = {"path": path, "ending": path.suffix, "endings": ", ".join(suffixes)}
        misspelt = closest(path.suffix, suffixes) if form is None else ""
        nearest = f"{path.stem or 'out'}{misspelt or suffixes[0]}"
        if not path.suffix:
            raise Refused(
                "{path} has no ending; one of {endings} is needed; nearest: {nearest}", nearest=nearest, **values
            )
        raise Refused("{path}: {ending} is not among {endings}; nearest: {nearest}", nearest=nearest, **values)
    return form


def formats_for(*outputs: Output) -> tuple[Format, ...]:
    """Return the formats that can hold one of these outputs."""
    return tuple(each for each in FORMATS.values() if any(output in each.writers for output in outputs))


def suffixes_with(content: Input) -> tuple[str, ...]:
    """Return the suffixes, with dots, of files that may hold such content."""
    return tuple(each.suffix for each in FORMATS.values() if content in each.inputs)
