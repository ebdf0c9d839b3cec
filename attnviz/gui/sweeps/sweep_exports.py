"""Exports of a sweep: its table, its picture, and the command and notebook cell that reproduce the table."""

import copy
import json
import shlex
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

from PySide6.QtCore import Signal, Slot
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QLabel, QPushButton, QWidget

from attnviz.definitions.formats import FORMATS, Format, Output, formats_for
from attnviz.experiment.files.specs_in_files import preset_of
from attnviz.experiment.sweeps.crossing import Crossing
from attnviz.experiment.sweeps.heads import heads_of_rows, rows_of_heads
from attnviz.export.figures.settings import FigureSettings
from attnviz.export.tables.lines import JsonLines
from attnviz.gui.dialogs.exporter import Exporter
from attnviz.gui.dialogs.screenshot import pdf_of, picture_of, pixels_of
from attnviz.gui.plots.sweep_plot import SweepPlot
from attnviz.gui.plots.swept_heads import SweptHeads
from attnviz.gui.sweeps.sweep_process import SweepProcess
from attnviz.gui.widgets.layouts import row_of
from attnviz.gui.widgets.words import translate

_WIDTH_CM = 16.0
"""Of a figure of heads."""
_SHARPNESS = 3
"""The resolution of a saved picture relative to the screen's."""


class SweepExports(QWidget):
    """The buttons that save or copy the sweep on screen."""

    said = Signal(str, bool)
    """A message, and whether it reports a failure."""

    def __init__(
        self, process: SweepProcess, plot: SweepPlot, points: SweptHeads, sentence: QLabel, exporter: Exporter
    ) -> None:
        super().__init__()
        self._process, self._sentence, self._exporter = process, sentence, exporter
        self._plot, self._points = plot, points
        self.save, self.picture = QPushButton(self.tr("Save table ...")), QPushButton(self.tr("Save picture ..."))
        self.command, self.cell = QPushButton(self.tr("Copy command")), QPushButton(self.tr("Copy cell"))
        self.command.setToolTip(self.tr("The same table from a terminal"))
        self.cell.setToolTip(self.tr("The same table in a notebook"))
        self.heads = QPushButton(self.tr("Save heads ..."))
        self.heads.setToolTip(self.tr("A table with a row for each head: means, spreads and roles over the runs"))
        row_of(self, self.save, self.heads, self.picture, self.command, self.cell)
        self.heads.clicked.connect(self._ask_and_save_heads)
        self.save.clicked.connect(self._ask_and_save)
        self.picture.clicked.connect(self._ask_and_save_picture)
        self.command.clicked.connect(self._copy_command)
        self.cell.clicked.connect(self._copy_cell)

    @Slot()
    def _ask_and_save(self) -> None:
        self.save_to(self._exporter.ask_where("table", formats_for("table"), "sweep"))

    @Slot()
    def _ask_and_save_picture(self) -> None:
        of_heads = self._points.picture is not None
        forms = formats_for("figure") if of_heads else [FORMATS[name] for name in ("png", "pdf")]
        self.save_to(self._exporter.ask_where("figure", forms, "heads" if of_heads else "sweep"))

    @Slot()
    def _ask_and_save_heads(self) -> None:
        self.save_heads_to(self._exporter.ask_where("heads", formats_for("heads"), "heads"))

    def save_heads_to(self, path: Path | None) -> None:
        """Write the heads over the rows so far, in the format of the path's suffix; None: no path was chosen."""
        form = None if path is None else self._exporter.format_for(path, "heads")
        table, results = self._process.table, self._process.results
        if path is not None and form is not None and table is not None and results is not None:
            self._exporter.write(path, partial(_write_heads, form, path, table, results.crossing))

    def save_to(self, path: Path | None) -> None:
        """Write the rows so far, or the picture, in the format of the path's suffix; None: no path was chosen."""
        picture = self._points.picture
        of_picture: tuple[Output, ...] = ("screen", "print") if picture is None else ("figure",)
        form = None if path is None else self._exporter.format_for(path, "table", *of_picture)
        table, results = self._process.table, self._process.results
        if path is None or form is None or table is None or results is None:
            return
        if "table" in form.writers:
            self._exporter.write(path, partial(_write_table, form, path, table, results.crossing))
        elif picture is not None:
            from attnviz.export.figures.heads import write_heads  # matplotlib

            view = self._exporter.rooms[results.crossing.base.lab].view
            settings = FigureSettings(colour_map=view.colour_map, width_cm=_WIDTH_CM, language=translate)
            kept = copy.deepcopy(picture)  # rows may arrive meanwhile
            self._exporter.write(path, partial(write_heads, kept, path, settings, self._exporter.session()))
        else:
            content = self._picture_as(form)
            self._exporter.write_bytes(path, lambda: content)

    def _picture_as(self, form: Format) -> bytes:
        if "print" in form.writers:
            return pdf_of(self._plot, self._sentence.text())
        pixels = pixels_of(picture_of(self._plot, _SHARPNESS))
        content: bytes = form.writer("screen")(pixels, _SHARPNESS, self._exporter.session())
        return content

    @property
    def command_text(self) -> str:
        """The command that reproduces the table."""
        spec = self._swept.base
        known = preset_of(spec)
        overs = " ".join(f"--over {shlex.quote(over)}" for over in self._process.overs)
        command = f"sweep {f'preset:{known.name}' if known else '-'} {overs} -o table.csv"
        pipe = "" if known else f"echo {shlex.quote(spec.model_dump_json())} | "
        return f"{pipe}attnviz {command}"

    @property
    def cell_text(self) -> str:
        """The notebook cell that reproduces the table."""
        spec = self._swept.base
        known = preset_of(spec)
        base = repr(known.name) if known else repr(json.loads(spec.model_dump_json()))
        over = dict(each.split("=", 1) for each in self._process.overs)
        return f"import attnviz\n\ntable = attnviz.sweep({base}, {over!r})\ntable"

    @property
    def _swept(self) -> Crossing:
        assert self._process.results is not None, "the buttons are enabled with the first rows"
        return self._process.results.crossing

    @Slot()
    def _copy_command(self) -> None:
        self._copy(self.command_text, self.tr("The command is on the clipboard."))

    @Slot()
    def _copy_cell(self) -> None:
        self._copy(self.cell_text, self.tr("The cell is on the clipboard."))

    def _copy(self, text: str, message: str) -> None:
        QGuiApplication.clipboard().setText(text)
        self.said.emit(message, False)


def _write_heads(form: Format, path: Path, rows: Path, crossing: Crossing) -> None:
    heads = heads_of_rows(crossing, rows_in(rows))
    form.writer("heads")(rows_of_heads(heads), path)


def rows_in(table: Path) -> Iterator[dict[str, Any]]:
    """Yield the rows of a table of JSON lines; without the one that is being written."""
    lines = JsonLines()
    with table.open("rb") as file:
        for line in file:
            row = lines.row(line, ())
            if row is not None:
                yield row


def _write_table(form: Format, path: Path, rows: Path, crossing: Crossing) -> None:
    """Convert a table of JSON lines, in the order of the runs."""
    table = form.writer("table")(path, crossing, force=True)
    try:
        table.add(list(rows_in(rows)))
        table.finish()
    finally:
        table.close()
