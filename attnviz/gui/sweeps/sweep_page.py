"""The page *Sweep* of a lab: one or two fields, seeds and a measure; the picture is updated as rows arrive."""

import time

from PySide6.QtCore import Signal, Slot
from PySide6.QtWidgets import QWidget

from attnviz.experiment.fields.differences import differences
from attnviz.experiment.fields.knob import fields_of
from attnviz.experiment.labs import Spec, SpecError
from attnviz.experiment.scalars import Scalar
from attnviz.experiment.sweeps.results import run_of, sentence_of, value_text
from attnviz.gui.dialogs.exporter import Exporter
from attnviz.gui.plots.sweep_plot import SweepPlot, SweptPicture
from attnviz.gui.sweeps.knobs import title_of_knob
from attnviz.gui.sweeps.sweep_choices import SweepChoices
from attnviz.gui.sweeps.sweep_exports import SweepExports
from attnviz.gui.sweeps.sweep_process import SweepProcess
from attnviz.gui.theme import Look
from attnviz.gui.widgets.labels import ElidingLabel, as_plain, caption, show_text
from attnviz.gui.widgets.layouts import column_of, row_of
from attnviz.gui.widgets.words import error_text, field_title, translate

_SECONDS, _MINUTES = 90, 60


class SweepPage(QWidget):
    """Its sweep runs in a separate process, so that the lab stays responsive."""

    left = Signal()
    """The user returns to the picture."""
    run_opened = Signal(object, str)
    """The user wants to see a run: its spec, and the name of the undo step."""
    said = Signal(str, bool)
    """A message, and whether it reports a failure."""

    def __init__(self, spec: Spec, look: Look, exporter: Exporter, process: SweepProcess | None = None) -> None:
        """Create a page; with a ``process`` it shows and continues the sweep of another page."""
        super().__init__()
        self.setObjectName("stage")
        self.spec = spec
        """The current spec."""
        self._look, self._exporter = look, exporter
        self.process = process or SweepProcess()
        self.process.setParent(self)
        self.choices = SweepChoices(spec, exporter.rooms)
        self.sentence = caption(name="sentence", wraps=True, plain=True)
        self.progress, self.read_out = ElidingLabel(), ElidingLabel()
        self.note = caption(wraps=True, plain=True)
        self.note.hide()
        self.plot = SweepPlot(look)
        self.exports = SweepExports(self.process, self.plot, self.sentence, exporter)
        self._foot = QWidget()  # hidden from an audience, which sees the picture and its sentence
        row_of(self._foot, self.read_out, self.exports, wide=(self.read_out,))
        parts = (self.choices, self.sentence, self.progress, self.note, self.plot, self._foot)
        column = column_of(self, *parts, gap=6, wide=(self.plot,))
        column.setContentsMargins(16, 8, 16, 8)
        self._connect()
        self.follow(spec)

    def _connect(self) -> None:
        self.choices.changed.connect(self._show_buttons)
        self.choices.measure.activated.connect(self.show_results)
        self.choices.run.clicked.connect(self.start)
        self.choices.stop.clicked.connect(self.process.stop)
        self.choices.back.clicked.connect(self.left)
        self.process.advanced.connect(self.show_results)
        self.process.ended.connect(self._end)
        self.plot.hovered.connect(self._read_out)
        self.plot.clicked.connect(self._open)
        self.exports.said.connect(self.said)

    def follow(self, spec: Spec) -> None:
        """Follow the current spec: the next sweep is based on it."""
        self.spec = spec
        results = self.process.results
        self.choices.follow(spec, None if results is None else results.crossing)
        self.show_results()

    def restyle(self, look: Look) -> None:
        """Apply a theme and type scale."""
        self._look = look
        for part in (self.choices, self._foot):
            part.setVisible(not look.present)
        self.show_results()

    @Slot()
    def start(self) -> None:
        """Start the typed sweep, in place of the one on screen."""
        crossing, shown = self.choices.crossing, self._exporter.shown
        if crossing is None or self.process.busy:
            return
        spec = shown.spec_written_out if shown is not None and shown.spec == self.spec else self.spec
        self.choices.keep()
        self.choices.offer_measures(crossing)
        self.process.start(crossing, self.choices.overs, spec)

    @Slot(str)
    def _end(self, why: str) -> None:
        if why:
            self.said.emit(self.tr("The sweep has ended: {0}").format(why), True)
        self.show_results()

    @Slot()
    def show_results(self) -> None:
        """Draw the rows so far, and describe them."""
        self._show_buttons()
        results, measure = self.process.results, self._measure
        if results is None or measure is None:
            self.sentence.setText(
                self.tr(
                    "Choose settings and their values: every combination is run, and the chosen measure is plotted."
                )
            )
            self.plot.show_picture(None)
            return
        on_screen = run_of(results.crossing, self.spec)
        titles = {field: title_of_knob(results.crossing.base, field) for field in results.crossing.fields}
        sentence = sentence_of(results, measure, titles) if self._look.numbers else measure.title
        self.sentence.setText(translate(sentence))
        self.progress.setText(self._progress_said())
        show_text(self.note, "" if on_screen is not None else self._apart_said(results.crossing.base))
        colours = self._exporter.rooms[self.spec.lab].view.colour_map
        self.plot.show_picture(SweptPicture(results, measure, colours, titles, on_screen))

    @property
    def _measure(self) -> Scalar | None:
        results, name = self.process.results, self.choices.measure.currentData()
        known = () if results is None else results.crossing.scalars
        return next((scalar for scalar in known if scalar.name == name), known[0] if known else None)

    def _progress_said(self) -> str:
        """Return a text with the number of finished and failed runs, and the remaining time."""
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

    def _apart_said(self, base: Spec) -> str:
        """Return a text about the settings in which the sweep on screen differs from the form."""
        swept = {over.partition("=")[0].partition(".")[0] for over in self.process.overs}
        fields = fields_of(type(self.spec))
        apart = [each for each in differences(base, self.spec) if each.field not in swept]
        listing = "   ".join(
            f"{field_title(each.field, fields)}: {translate(each.old)} → {translate(each.new)}" for each in apart
        )
        return self.tr("The picture shows the previous settings: {0}").format(listing) if listing else ""

    @Slot()
    def _show_buttons(self) -> None:
        self.choices.show_state(busy=self.process.busy)
        self.exports.setEnabled(bool(self.process.results))

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
                reading = results.failures[run]
            case "waits":
                reading = self.tr("not run yet")
            case "never":
                reading = self.tr("{0}: never").format(translate(measure.title))
            case "none":
                reading = self.tr("{0}: none").format(translate(measure.title))
            case _:
                reading = f"{translate(measure.title)} {measure.number(results.value(run, measure.name))}"
        reading += f" · “{results.texts[run]}”" if run in results.texts else ""
        self.read_out.setText(f"{where}: {reading}")
        self.plot.setAccessibleDescription(f"{where}: {reading}")
        self.plot.setToolTip(as_plain(f"{where}: {reading}"))

    @Slot(object)
    def _open(self, run: int) -> None:
        assert self.process.results is not None
        spec = self.process.results.crossing.spec(run)
        if isinstance(spec, SpecError):
            self.said.emit(error_text(spec), True)
        else:
            self.run_opened.emit(spec, self.tr("Run {0} of the sweep").format(run + 1))


def _duration(seconds: float) -> str:
    return f"{seconds:.0f} s" if seconds < _SECONDS else f"{seconds / _MINUTES:.0f} min"
