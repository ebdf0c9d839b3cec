"""The page *Sweep* of a lab: one or two knobs, seeds and a measure; the picture fills in while the rows come."""

import json
import shlex
import time
from functools import partial
from pathlib import Path
from typing import Any

from PySide6.QtCore import QTimer, Signal, Slot
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QLabel, QLineEdit, QPushButton, QToolButton, QWidget

from attnviz.definitions.formats import FORMATS, formats_for
from attnviz.definitions.text import English
from attnviz.experiment.differences import differences
from attnviz.experiment.files import write_atomically
from attnviz.experiment.knob import fields_of
from attnviz.experiment.labs import Spec, SpecError, scalars_of
from attnviz.experiment.scalars import Scalar
from attnviz.experiment.specs_in_files import preset_of
from attnviz.experiment.sweeps.crossing import Crossing, counts_said, read_crossing
from attnviz.experiment.sweeps.results import SEED, run_of, sentence_of, value_text
from attnviz.experiment.view_settings import SweepChoice
from attnviz.export.tables.lines import JsonLines
from attnviz.gui.dialogs.exporter import Exporter
from attnviz.gui.dialogs.screenshot import pdf_of, picture_of, pixels_of
from attnviz.gui.forms.editor import ComboBox
from attnviz.gui.plots.sweep_plot import SweepPlot, SweptPicture
from attnviz.gui.run.background import Background
from attnviz.gui.sweeps.knobs import first_values, has_seed, offered, title_of_knob
from attnviz.gui.sweeps.sweep_process import SweepProcess
from attnviz.gui.theme import Look
from attnviz.gui.widgets.labels import ElidingLabel, as_plain, caption
from attnviz.gui.widgets.layouts import column_of, row_of
from attnviz.gui.widgets.words import error_text, field_title, translate

_REST_MS = 250
"""How long typing must rest before what is typed is read."""
_SECONDS, _MINUTES = 90, 60
_PICTURES = ("png", "pdf")
MOST_RUNS = 100_000
"""The window keeps the numbers of all runs, and looks through them for each picture."""


class KnobEdit(QWidget):
    """A knob and its values, as ``--over`` takes them."""

    edited = Signal()

    def __init__(self, name: str, *, may_be_none: bool) -> None:
        super().__init__()
        self.field, self.values = ComboBox(), QLineEdit()
        self.field.setAccessibleName(name)
        self.values.setAccessibleName(self.tr("Its values"))
        self.values.setToolTip(self.tr("1,2,4 or FIRST:LAST or FIRST:LAST:STEP or log(0.0001, 0.1, 20)"))
        self._may_be_none = may_be_none
        self._spec: Spec | None = None
        row_of(self, self.field, self.values, gap=4, wide=(self.values,))
        self.field.activated.connect(self._propose)
        self.values.textEdited.connect(self.edited)

    def offer(self, spec: Spec, first: str = "") -> None:
        """Offer the knobs of a spec; the chosen one stays if it is there."""
        self._spec = spec
        chosen = str(self.field.currentData() or first)
        names = offered(spec)
        if [self.field.itemData(place) for place in range(self.field.count())] != ["", *names][not self._may_be_none :]:
            self.field.clear()
            if self._may_be_none:
                self.field.addItem(self.tr("no second knob"), "")
            for name in names:
                self.field.addItem(title_of_knob(spec, name), name)
        self.field.setCurrentIndex(max(0, self.field.findData(chosen)))
        if not self.values.text():
            self._fill()
        self.values.setVisible(bool(self.field.currentData()))

    @property
    def over(self) -> str:
        """What is typed: "num_heads=1,2,4"; "" if no knob is chosen."""
        name = str(self.field.currentData() or "")
        return f"{name}={self.values.text().strip()}" if name else ""

    def take(self, over: str) -> None:
        """Show what is typed of a knob that is offered: "num_heads=1,2,4"; "" chooses none."""
        name, _, values = over.partition("=")
        at = self.field.findData(name)
        if at >= 0:
            self.field.setCurrentIndex(at)
            self.values.setText(values)
            self.values.setVisible(bool(name))

    @Slot()
    def _propose(self) -> None:
        self._fill()
        self.values.setVisible(bool(self.field.currentData()))
        self.edited.emit()

    def _fill(self) -> None:
        name = str(self.field.currentData() or "")
        self.values.setText(first_values(self._spec, name) if name and self._spec is not None else "")


class SweepPage(QWidget):
    """Its sweep runs in a process of its own: the lab stays as live as ever."""

    left = Signal()
    """The user goes back to the picture."""
    run_opened = Signal(object, str)
    """The user wants to see a run: its spec, and the name of the undo step."""
    said = Signal(str, bool)
    """A sentence for the user, and whether it is about a failure."""

    def __init__(self, spec: Spec, look: Look, exporter: Exporter) -> None:
        super().__init__()
        self.setObjectName("stage")
        self._spec, self._look, self._exporter = spec, look, exporter
        self._crossing: Crossing | None = None  # what was read last, if it is legal
        self._read_of: tuple[Spec, tuple[str, ...]] | None = None  # the spec and the text that it was read of
        self._swept: Spec | None = None  # the spec of the sweep on screen
        self._chosen: SweepChoice | None = None  # what the view settings have of it
        self._overs: tuple[str, ...] = ()
        self.process = SweepProcess(self)
        self.first, self.second = (
            KnobEdit(self.tr("Knob"), may_be_none=False),
            KnobEdit(self.tr("Second knob"), may_be_none=True),
        )
        self.seeds_title, self.seeds = QLabel(self.tr("Seeds")), QLineEdit("0:7")
        self.seeds_title.setBuddy(self.seeds)
        self.seeds.setToolTip(self.tr("Each value is run with each of these seeds; empty: with the one of the form"))
        self.measure = ComboBox()
        self.measure.setAccessibleName(self.tr("Measure"))
        self.run, self.stop = QPushButton(self.tr("Run the sweep")), QPushButton(self.tr("Stop"))
        self.run.setObjectName("primary")
        self.back = QToolButton()
        self.back.setText(self.tr("Back to the picture"))
        self.counts, self.progress = ElidingLabel(), ElidingLabel()
        self.problem = caption(name="problem", wraps=True, plain=True)
        self.sentence = caption(name="sentence", wraps=True, plain=True)
        self.note, self.read_out = caption(wraps=True, plain=True), ElidingLabel()
        self.plot = SweepPlot(look)
        self.save, self.picture = QPushButton(self.tr("Save table ...")), QPushButton(self.tr("Save picture ..."))
        self.command, self.cell = QPushButton(self.tr("Copy command")), QPushButton(self.tr("Copy cell"))
        self.command.setToolTip(self.tr("The same table from a terminal"))
        self.cell.setToolTip(self.tr("The same table in a notebook"))
        self._reading, self._writing = Background(self), Background(self, pool="exports")
        self._rest = QTimer(self, singleShot=True, interval=_REST_MS)
        self._lay_out()
        self._connect()
        self.follow(spec)

    def _lay_out(self) -> None:
        self._choices, self._foot = QWidget(), QWidget()  # an audience sees the picture and its sentence alone
        self._knobs = row_of(None, self.first, self.second, self.seeds_title, self.seeds, wide=(self.first,))
        acts = row_of(None, self.measure, self.run, self.stop, self.counts, self.back, wide=(self.counts,))
        column_of(self._choices, self._knobs, acts, self.problem, gap=6)
        row_of(self._foot, self.read_out, self.save, self.picture, self.command, self.cell, wide=(self.read_out,))
        parts = (self._choices, self.sentence, self.progress, self.note, self.plot, self._foot)
        column = column_of(self, *parts, gap=6, wide=(self.plot,))
        column.setContentsMargins(16, 8, 16, 8)
        for label in (self.problem, self.note):
            label.hide()

    def _connect(self) -> None:
        for edited in (self.first.edited, self.second.edited, self.seeds.textEdited):
            edited.connect(self._rest.start)
            edited.connect(self._keep_choice)
        self.measure.activated.connect(self._keep_choice)
        self._rest.timeout.connect(self._read)
        self._reading.done.connect(self._take_crossing)
        self.measure.activated.connect(self.show_results)
        self.run.clicked.connect(self.start)
        self.stop.clicked.connect(self.process.stop)
        self.back.clicked.connect(self.left)
        self.process.advanced.connect(self.show_results)
        self.process.ended.connect(self._end)
        self.plot.run_hovered.connect(self._read_out)
        self.plot.run_clicked.connect(self._open)
        self.save.clicked.connect(self._ask_and_save)
        self.picture.clicked.connect(self._ask_and_save_picture)
        self.command.clicked.connect(self._copy_command)
        self.cell.clicked.connect(self._copy_cell)
        self._writing.done.connect(self._report_saved)
        self._writing.failed.connect(self._report_not_saved)

    def follow(self, spec: Spec) -> None:
        """Take the current spec: the next sweep begins with it."""
        self._spec = spec
        self.first.offer(spec)
        self.second.offer(spec)
        for part in (self.seeds_title, self.seeds):
            part.setVisible(has_seed(spec))
        if self.process.results is None:
            self._offer_measures(scalars_of(spec))
        choice = self._exporter.rooms[spec.lab].view_settings().sweep
        if choice is not None and choice != self._chosen:
            self._take_choice(choice)
        self._read()
        self.show_results()

    def restyle(self, look: Look) -> None:
        """Apply a theme and type scale."""
        self._look = look
        self.seeds.setFixedWidth(look.px(64))
        for part in (self.first, self.second):
            part.field.setFixedWidth(look.px(130))
        self.measure.setMinimumWidth(look.px(150))
        for rows in (self._choices, self._foot):
            rows.setVisible(not look.present)
        self.plot.restyle(look)
        self.show_results()

    # What is typed.

    @property
    def overs(self) -> tuple[str, ...]:
        """What is typed, as ``--over`` takes it."""
        seeds = self.seeds.text().strip() if has_seed(self._spec) else ""
        return tuple(over for over in (self.first.over, self.second.over, f"{SEED}={seeds}" if seeds else "") if over)

    @property
    def choice(self) -> SweepChoice:
        """What is typed and measured, as the view settings have it."""
        knobs = tuple(over for over in (self.first.over, self.second.over) if over)
        return SweepChoice(knobs=knobs, seeds=self.seeds.text(), measure=str(self.measure.currentData() or ""))

    @Slot()
    def _keep_choice(self) -> None:
        """Put what the user has chosen into the view settings, which a session keeps."""
        self._chosen = self.choice
        self._exporter.rooms[self._spec.lab].current_view.note(sweep=self._chosen)
        self._show_buttons()

    def _take_choice(self, choice: SweepChoice) -> None:
        """Show the choice of a session that was opened; what the spec does not offer stays as it is."""
        self._chosen = choice
        for part, over in zip((self.first, self.second), (*choice.knobs, "", ""), strict=False):
            part.take(over)
        self.seeds.setText(choice.seeds)
        if (at := self.measure.findData(choice.measure)) >= 0:
            self.measure.setCurrentIndex(at)

    @Slot()
    def _read(self) -> None:
        """Read what is typed, outside the window's thread: many specs may have to be tried."""
        spec, overs = self._spec, self.overs
        self._reading.start(lambda: _crossing_or_error(spec, overs), instead=True)

    @Slot(object)
    def _take_crossing(self, found: tuple[Spec, tuple[str, ...], "Crossing | SpecError"]) -> None:
        spec, overs, result = found
        if spec != self._spec or overs != self.overs:
            return  # it has changed since
        self._crossing, self._read_of = None if isinstance(result, SpecError) else result, (spec, overs)
        problem = error_text(result) if isinstance(result, SpecError) else ""
        self.problem.setText(problem)
        self.problem.setVisible(bool(problem))
        self.counts.setText("" if isinstance(result, SpecError) else translate(counts_said(result)))
        self._show_buttons()

    def _offer_measures(self, scalars: tuple[Scalar, ...]) -> None:
        names = [self.measure.itemData(place) for place in range(self.measure.count())]
        if names == [scalar.name for scalar in scalars]:
            return
        chosen = self.measure.currentData()
        self.measure.clear()
        for scalar in scalars:
            self.measure.addItem(translate(scalar.title), scalar.name)
            self.measure.setItemData(self.measure.count() - 1, translate(scalar.help), 3)
        self.measure.setCurrentIndex(max(0, self.measure.findData(chosen)))

    # The sweep.

    @property
    def may_start(self) -> bool:
        """Whether what is typed now has been read, is legal, and no other sweep runs."""
        known = self._crossing is not None and self._read_of == (self._spec, self.overs)
        return known and not self.process.busy

    @Slot()
    def start(self) -> None:
        """Start the sweep that is typed, in place of the one on screen."""
        if self._crossing is None or not self.may_start:
            return
        shown = self._exporter.shown
        of_screen = shown is not None and shown.spec == self._spec
        spec = shown.spec_written_out if shown is not None and of_screen else self._spec
        self._swept, self._overs = self._spec, self.overs
        self._keep_choice()
        self._offer_measures(self._crossing.scalars)
        self.process.start(self._crossing, self._overs, spec)

    @Slot(str)
    def _end(self, why: str) -> None:
        if why:
            self.said.emit(self.tr("The sweep has ended: {0}").format(why), True)
        self.show_results()

    @Slot()
    def show_results(self) -> None:
        """Draw the rows that have come, and say what they are."""
        self._show_buttons()
        results, measure = self.process.results, self._measure
        if results is None or measure is None:
            self.sentence.setText(self.tr("Choose knobs and their values: each is run, and a number of each is drawn."))
            self.plot.show_picture(None)
            return
        on_screen = run_of(results.crossing, self._spec)
        titles = {field: title_of_knob(results.crossing.base, field) for field in results.crossing.fields}
        said = sentence_of(results, measure, titles) if self._look.numbers else measure.title
        self.sentence.setText(translate(said))
        self.progress.setText(self._progress_said())
        note = "" if on_screen is not None or self._swept == self._spec else self._apart_said()
        self.note.setText(note)
        self.note.setVisible(bool(note))
        colours = self._exporter.rooms[self._spec.lab].view.colour_map
        self.plot.show_picture(SweptPicture(results, measure, colours, titles, on_screen))

    @property
    def _measure(self) -> Scalar | None:
        results, name = self.process.results, self.measure.currentData()
        known = () if results is None else results.crossing.scalars
        return next((scalar for scalar in known if scalar.name == name), known[0] if known else None)

    def _progress_said(self) -> str:
        """Return how many runs have ended, how many of them failed, and how long the others take."""
        results = self.process.results
        assert results is not None
        done, count = len(results), len(results.crossing)
        parts = [self.tr("{0} of {1} runs").format(done, count)]
        if results.failures:
            parts.append(self.tr("{0} failed").format(len(results.failures)))
        if self.process.busy and done:
            left = (time.monotonic() - self.process.began) / done * (count - done)
            parts.append(self.tr("{0} left").format(_duration(left)))
        elif self.process.busy:
            parts.append(self.tr("about {0}").format(self.process.estimate) if self.process.estimate else "")
            parts.append("" if self.process.estimate else self.tr("starting ..."))
        elif done < count:
            parts.append(self.tr("stopped"))
        return "   ".join(part for part in parts if part)

    def _apart_said(self) -> str:
        """Return in what the sweep on screen was made with other settings than those of the form."""
        assert self._swept is not None
        swept = {over.partition("=")[0].partition(".")[0] for over in self._overs}
        fields = fields_of(type(self._spec))
        found = [each for each in differences(self._swept, self._spec) if each.field not in swept]
        said = "   ".join(
            f"{field_title(each.field, fields)}: {translate(each.old)} → {translate(each.new)}" for each in found
        )
        return self.tr("The picture is of the settings before: {0}").format(said) if said else ""

    def _show_buttons(self) -> None:
        self._knobs.setStretchFactor(self.second, 1 if self.second.over else 0)
        busy, there = self.process.busy, bool(self.process.results)
        self.run.setEnabled(self.may_start)
        self.stop.setEnabled(busy)
        for button in (self.save, self.picture, self.command, self.cell):
            button.setEnabled(there)

    @Slot(object)
    def _read_out(self, run: int | None) -> None:
        results, measure = self.process.results, self._measure
        if run is None or results is None or measure is None:
            self.read_out.setText(self.tr("Point at a run to read it, click to open it.") if results else "")
            return
        base, changes = results.crossing.base, results.crossing.changes(run)
        where = ", ".join(f"{title_of_knob(base, name)} {value_text(value)}" for name, value in changes.items())
        match results.state(run, measure.name):
            case "failed":
                what = results.failures[run]
            case "waits":
                what = self.tr("not run yet")
            case "never":
                what = self.tr("{0}: never").format(translate(measure.title))
            case "none":
                what = self.tr("{0}: none").format(translate(measure.title))
            case _:
                what = f"{translate(measure.title)} {measure.number(results.value(run, measure.name))}"
        self.read_out.setText(f"{where}: {what}")
        self.plot.setAccessibleDescription(f"{where}: {what}")
        self.plot.setToolTip(as_plain(f"{where}: {what}"))

    @Slot(int)
    def _open(self, run: int) -> None:
        results = self.process.results
        assert results is not None
        spec = results.crossing.spec(run)
        if isinstance(spec, SpecError):
            self.said.emit(error_text(spec), True)
        else:
            self.run_opened.emit(spec, self.tr("Run {0} of the sweep").format(run))

    # What leaves.

    @property
    def command_text(self) -> str:
        """The command that makes the same table."""
        assert self._swept is not None
        known = preset_of(self._swept)
        overs = " ".join(f"--over {shlex.quote(over)}" for over in self._overs)
        what = f"sweep {f'preset:{known.name}' if known else '-'} {overs} -o table.csv"
        given = "" if known else f"echo {shlex.quote(self._swept.model_dump_json())} | "
        return f"{given}attnviz {what}"

    @property
    def cell_text(self) -> str:
        """The cell of a notebook that makes the same table."""
        assert self._swept is not None
        known = preset_of(self._swept)
        spec = repr(known.name) if known else repr(json.loads(self._swept.model_dump_json()))
        over = dict(each.split("=", 1) for each in self._overs)
        return f"import attnviz\n\ntable = attnviz.sweep({spec}, {over!r})\ntable"

    @Slot()
    def _copy_command(self) -> None:
        self._copy(self.command_text, self.tr("The command is on the clipboard."))

    @Slot()
    def _copy_cell(self) -> None:
        self._copy(self.cell_text, self.tr("The cell is on the clipboard."))

    def _copy(self, text: str, said: str) -> None:
        QGuiApplication.clipboard().setText(text)
        self.said.emit(said, False)

    @Slot()
    def _ask_and_save(self) -> None:
        path = self._exporter.ask_where("table", formats_for("table"), "sweep")
        if path is not None:
            self.save_to(path)

    @Slot()
    def _ask_and_save_picture(self) -> None:
        path = self._exporter.ask_where("figure", [FORMATS[name] for name in _PICTURES], "sweep")
        if path is not None:
            self.save_to(path)

    def save_to(self, path: Path) -> None:
        """Write the rows that there are, or the picture, as the path ends; the place was chosen."""
        self._exporter.folder.take(path)
        if path.suffix[1:] in _PICTURES:
            self._writing.start(partial(_write_bytes, path, self._picture_as(path.suffix[1:])))
            return
        table, results = self.process.table, self.process.results
        if table is not None and results is not None:
            self._writing.start(partial(_write_table, path, table, results.crossing))

    def _picture_as(self, form: str) -> bytes:
        if form == "pdf":
            return pdf_of(self.plot, self.sentence.text())
        from attnviz.export.embedded_session import screen_png

        return screen_png(pixels_of(picture_of(self.plot, 3)), 3, self._exporter.session())

    @Slot(object)
    def _report_saved(self, path: str) -> None:
        self.said.emit(self.tr("Saved {0}").format(path), False)

    @Slot(str)
    def _report_not_saved(self, why: str) -> None:
        self.said.emit(self.tr("Not saved: {0}").format(why), True)


def _crossing_or_error(spec: Spec, overs: tuple[str, ...]) -> tuple[Spec, tuple[str, ...], Any]:
    try:
        crossing = read_crossing(spec, overs)
        if len(crossing) > MOST_RUNS:
            sentence: English = "the window sweeps at most {most} runs, not {count}; the command line sweeps more"
            raise SpecError.of("", "too_many_runs", sentence, most=MOST_RUNS, count=len(crossing))
        return spec, overs, crossing
    except SpecError as error:
        return spec, overs, error


def _write_bytes(path: Path, content: bytes) -> str:
    write_atomically(path, lambda file: file.write(content))
    return str(path)


def _write_table(path: Path, rows: Path, crossing: Crossing) -> str:
    """Write the rows of a table in JSON lines as another table, in the order of the runs."""
    form, lines = FORMATS[path.suffix[1:]], JsonLines()
    table = form.writer("table")(path, crossing, force=True)
    try:
        with rows.open("rb") as file:
            found = (lines.row(line, ()) for line in file)
            table.add([row for row in found if row is not None])
        table.finish()
    finally:
        table.close()
    return str(path)


def _duration(seconds: float) -> str:
    return f"{seconds:.0f} s" if seconds < _SECONDS else f"{seconds / _MINUTES:.0f} min"
