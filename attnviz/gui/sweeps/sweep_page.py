"""The page *Sweep* of a lab: one or two fields, seeds and a measure; the picture is updated as rows arrive."""

import time

from PySide6.QtCore import Signal, Slot
from PySide6.QtWidgets import QWidget

from attnviz.definitions.text import Refused
from attnviz.experiment.fields.differences import differences
from attnviz.experiment.fields.knob import fields_of
from attnviz.experiment.labs import Spec, SpecError
from attnviz.experiment.scalars import Scalar
from attnviz.experiment.sweeps.crossing import Crossing
from attnviz.experiment.sweeps.heads import Apart, Head, HeadsPicture, picture_of, roles_over_texts, runs_of_head
from attnviz.experiment.sweeps.results import run_of, sentence_of, value_text
from attnviz.gui.dialogs.exporter import Exporter
from attnviz.gui.plots.sweep_plot import SweepPlot, SweptPicture
from attnviz.gui.plots.swept_heads import SweptHeads
from attnviz.gui.run.background import Background
from attnviz.gui.sweeps.knobs import title_of_knob
from attnviz.gui.sweeps.sweep_choices import SweepChoices
from attnviz.gui.sweeps.sweep_exports import SweepExports, rows_in
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
    head_opened = Signal(object, str, object)
    """The user wants to see a head of a run: its spec, the name of the undo step, and the `Head`."""
    roles_taken = Signal(object, object)
    """The user wants heads to be named by these `RolesOverRuns`; and the base of their sweep."""
    said = Signal(str, bool)
    """A message, and whether it reports a failure."""

    def __init__(self, spec: Spec, look: Look, exporter: Exporter, process: SweepProcess | None = None) -> None:
        """Create a page; with a ``process`` it shows and continues the sweep of another page."""
        super().__init__()
        self.setObjectName("stage")
        self.spec = spec
        self._look, self._exporter = look, exporter
        self.process = process or SweepProcess()
        self.process.setParent(self)
        self.choices = SweepChoices(spec, exporter.rooms)
        self.sentence = caption(name="sentence", wraps=True, plain=True)
        self.progress, self.read_out = ElidingLabel(), ElidingLabel()
        self.note = caption(wraps=True, plain=True)
        self.note.hide()
        self.plot, self.points = SweepPlot(look), SweptHeads(look)
        self.points.hide()
        self.exports = SweepExports(self.process, self.plot, self.points, self.sentence, exporter)
        self._scan = Background(self)  # for the runs of a head
        self._scanned: tuple[Head, bool, Crossing] | None = None
        head = row_of(None, self.progress, self.choices.of_picture, wide=(self.progress,))
        self._foot = QWidget()  # hidden from an audience, which sees the picture and its sentence
        column_of(self._foot, self.read_out, row_of(None, None, self.exports), gap=4)
        parts = (self.choices, self.sentence, head, self.note, self.plot, self.points, self._foot)
        column = column_of(self, *parts, gap=6, wide=(self.plot, self.points))
        column.setContentsMargins(16, 8, 16, 8)
        self._connect()
        self.follow(spec)

    def _connect(self) -> None:
        self.choices.changed.connect(self._show_buttons)
        for box in (self.choices.measure, self.choices.against, self.choices.colours):
            box.activated.connect(self.show_results)
        self.choices.run.clicked.connect(self.start)
        self.choices.stop.clicked.connect(self.process.stop)
        self.choices.back.clicked.connect(self.left)
        self.process.advanced.connect(self.show_results)
        self.process.ended.connect(self._end)
        self.plot.hovered.connect(self._read_out)
        self.plot.clicked.connect(self._open)
        self.points.hovered.connect(self._read_head)
        self.points.opened.connect(self._find_run)
        self._scan.done.connect(self._open_head)
        self._scan.failed.connect(self._say_unread)
        self.exports.said.connect(self.said)
        self.choices.roles.clicked.connect(self._take_roles)

    def follow(self, spec: Spec) -> None:
        """Follow the current spec: the next sweep is based on it."""
        self.spec = spec
        results = self.process.results
        self.choices.follow(spec, None if results is None else results.crossing)
        self.show_results()

    def restyle(self, look: Look) -> None:
        """Apply a theme and type scale."""
        self._look = look
        for part in (self.choices, self.choices.of_picture, self._foot):
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
            self._show_plot(None)
            self.plot.show_picture(None)
            return
        on_screen = run_of(results.crossing, self.spec)
        titles = {field: title_of_knob(results.crossing.base, field) for field in results.crossing.fields}
        heads = self.heads_picture
        sentence = sentence_of(results, measure, titles) if self._look.numbers else measure.title
        sentence = sentence if heads is None else heads.sentence
        self.sentence.setText(translate(sentence))
        self.progress.setText(self._progress_said())
        show_text(self.note, "" if on_screen is not None else self._apart_said(results.crossing.base))
        colours = self._exporter.rooms[self.spec.lab].view.colour_map
        self._show_plot(heads)
        if heads is None:
            self.plot.show_picture(SweptPicture(results, measure, colours, titles, on_screen))
        else:
            self.points.show_picture(heads, colours)

    def _show_plot(self, heads: HeadsPicture | None) -> None:
        self.plot.setVisible(heads is None)
        self.points.setVisible(heads is not None)
        if heads is None:
            self.points.show_picture(None, "")
        elif self.points.pointed is None:
            self._read_head(None)

    @property
    def heads_picture(self) -> HeadsPicture | None:
        """The picture of heads; None if that of runs is shown, or no run has heads yet."""
        results, measure, against = self.process.results, self._measure, self.choices.against.currentData()
        if results is None or measure is None or not against or not results.heads.heads:
            return None
        try:
            return picture_of(results.heads, measure.name, against, self.choices.colours.currentData())
        except Refused:
            return None

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
        results = self.process.results
        self.exports.setEnabled(bool(results))
        self.exports.heads.setVisible(results is not None and bool(results.heads.heads))
        has_roles = results is not None and len(results.crossing.overs) == 1 and bool(results.heads.has_roles)
        self.choices.roles.setVisible(has_roles)
        self.choices.roles.setEnabled(has_roles and not self.process.busy)

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

    @Slot()
    def _take_roles(self) -> None:
        results = self.process.results
        assert results is not None, "the button is enabled with the rows"
        roles = roles_over_texts(results.heads, results.crossing, self.process.overs)
        if roles is None:
            self.said.emit(self.tr("No head stands out in a role in most of these runs."), True)
        else:
            self.roles_taken.emit(roles, results.crossing.base)

    @Slot(object)
    def _read_head(self, head: Head | None) -> None:
        picture = self.heads_picture
        if head is None or picture is None:
            self.read_out.setText(
                self.tr(
                    "Point at a head to read it, click to open it on its most typical run, "
                    "Shift+click on its most extreme."
                )
            )
            return
        told = translate(picture.told(head))
        self.read_out.setText(told)
        self.points.setAccessibleDescription(told)
        self.points.setToolTip(as_plain(told))

    @Slot(object, bool)
    def _find_run(self, head: Head, extreme: bool) -> None:
        """Find the run on which to open a head, outside the window's thread: the table may be large."""
        picture, table, results = self.heads_picture, self.process.table, self.process.results
        if picture is None or table is None or results is None:
            return
        measures, points = (picture.x.name, picture.y.name), picture.points
        self._scanned = head, extreme, results.crossing
        self._scan.start(lambda: runs_of_head(head, measures, points, rows_in(table)), instead=True)

    @Slot(object)
    def _open_head(self, found: Apart | None) -> None:
        assert self._scanned is not None
        head, extreme, crossing = self._scanned
        if found is None:
            self.said.emit(self.tr("No run has both numbers of head {0}.").format(head.name), True)
            return
        run = found.extreme if extreme else found.typical
        spec = crossing.spec(run)
        assert not isinstance(spec, SpecError), "it has a row with numbers"
        name = (
            self.tr("Head {0} on its most extreme run, {1}")
            if extreme
            else self.tr("Head {0} on its most typical run, {1}")
        )
        self.head_opened.emit(spec, name.format(head.name, run + 1), head)

    @Slot(str)
    def _say_unread(self, why: str) -> None:
        self.said.emit(self.tr("The table of the sweep cannot be read: {0}").format(why), True)

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
