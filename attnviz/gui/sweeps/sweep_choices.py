"""The definition of a sweep as typed: one or two fields with their values, seeds, and the measure."""

from dataclasses import replace
from pathlib import Path
from typing import Any

from PySide6.QtCore import QTimer, Signal, Slot
from PySide6.QtWidgets import QFileDialog, QLabel, QLineEdit, QPushButton, QToolButton, QWidget

from attnviz.definitions.text import English, Text
from attnviz.experiment.labs import Spec, SpecError, scalars_of
from attnviz.experiment.scalars import Scalar
from attnviz.experiment.sweeps.crossing import Crossing, counts_said, read_crossing
from attnviz.experiment.sweeps.files import ValueFile
from attnviz.experiment.sweeps.heads import other_measures
from attnviz.experiment.sweeps.results import SEED
from attnviz.experiment.view_settings import SweepChoice
from attnviz.gui.forms.editor import ComboBox
from attnviz.gui.labs.rooms import Rooms
from attnviz.gui.run.background import Background
from attnviz.gui.session.settings import LastFolder
from attnviz.gui.sweeps.knobs import first_values, has_seed, offered, title_of_knob
from attnviz.gui.theme import Look
from attnviz.gui.widgets.labels import ElidingLabel, caption, show_text
from attnviz.gui.widgets.layouts import column_of, row_of
from attnviz.gui.widgets.words import problem_text, translate

_REST_MS = 250
"""The time in milliseconds after the last keystroke before the input is parsed."""
MOST_RUNS = 100_000
"""The window keeps the measures of all runs, and searches them for each picture."""


class KnobEdit(QWidget):
    """Editor of a field and its values, in the syntax of ``--over``."""

    edited = Signal()

    def __init__(self, name: str, *, may_be_none: bool) -> None:
        super().__init__()
        self.field, self.values = ComboBox(), QLineEdit()
        self.field.setAccessibleName(name)
        self.values.setAccessibleName(self.tr("Its values"))
        self.values.setToolTip(
            self.tr("1,2,4 or FIRST:LAST or FIRST:LAST:STEP or log(0.0001, 0.1, 20) or @FILE.csv:COLUMN")
        )
        self.file = QToolButton()
        self.file.setText("…")
        self.file.setAccessibleName(self.tr("Values from a file"))
        self.file.setToolTip(self.tr("Values from a file: its lines, a column of a table, or a field of JSON lines"))
        self._folder = LastFolder()
        self._may_be_none = may_be_none
        self._spec: Spec | None = None
        row_of(self, self.field, self.values, self.file, gap=4, wide=(self.values,))
        self.file.clicked.connect(self._ask_file)
        self.field.activated.connect(self._propose)
        self.values.textEdited.connect(self.edited)

    def offer(self, spec: Spec) -> None:
        """Offer the fields of a spec; the chosen one stays if it is among them."""
        self._spec = spec
        chosen, names = self.field.currentData(), offered(spec)
        if [self.field.itemData(index) for index in range(self.field.count())] != ["", *names][not self._may_be_none :]:
            self.field.clear()
            if self._may_be_none:
                self.field.addItem(self.tr("no second one"), "")
            for name in names:
                self.field.addItem(title_of_knob(spec, name), name)
        self.field.setCurrentIndex(max(0, self.field.findData(chosen)))
        if not self.values.text():
            self._fill()
        self._show_values()

    def _show_values(self) -> None:
        for part in (self.values, self.file):
            part.setVisible(bool(self._name))

    @Slot()
    def _ask_file(self) -> None:
        path, _ = QFileDialog.getOpenFileName(self, self.tr("Values from a file"), str(self._folder.path))
        if path:
            self._folder.take(Path(path))
            self.take_file(Path(path))

    def take_file(self, path: Path) -> None:
        """Take the values of a file: of a table the column named like the field, or "text", else its first one."""
        columns = ValueFile(path).columns()
        named = (name for name in (self._name, self._name.rpartition(".")[2], "text") if name in columns)
        column = next(named, columns[0] if columns else "")
        self.values.setText(f"@{path}{f':{column}' if column else ''}")
        self.edited.emit()

    @property
    def _name(self) -> str:
        return str(self.field.currentData() or "")

    @property
    def over(self) -> str:
        """The typed text: "num_heads=1,2,4"; "" if no field is chosen."""
        return f"{self._name}={self.values.text().strip()}" if self._name else ""

    def take(self, over: str) -> None:
        """Show the text of a field on offer: "num_heads=1,2,4"; "" chooses none."""
        name, _, values = over.partition("=")
        at = self.field.findData(name)
        if at >= 0:
            self.field.setCurrentIndex(at)
            self.values.setText(values)
            self._show_values()

    @Slot()
    def _propose(self) -> None:
        self._fill()
        self._show_values()
        self.edited.emit()

    def _fill(self) -> None:
        self.values.setText(first_values(self._spec, self._name) if self._name and self._spec is not None else "")


class SweepChoices(QWidget):
    """The fields, the seeds and the measure, their errors, and the buttons that start and stop a sweep."""

    changed = Signal()
    """The input has changed, or has been parsed."""

    def __init__(self, spec: Spec, rooms: Rooms) -> None:
        super().__init__()
        self._spec, self._rooms = spec, rooms
        self._read_of: tuple[Spec, tuple[str, ...]] | None = None  # the spec and the text that were parsed last
        self._crossing: Crossing | None = None  # the result, if they are valid
        self._scalars: tuple[Scalar, ...] = ()  # on offer
        self._kept: SweepChoice | None = None  # as stored in the view settings
        self.first = KnobEdit(self.tr("Setting"), may_be_none=False)
        self.second = KnobEdit(self.tr("Second setting"), may_be_none=True)
        self._seeds_title, self.seeds = QLabel(self.tr("Seeds")), QLineEdit("0:7")
        self._seeds_title.setBuddy(self.seeds)
        self.seeds.setToolTip(self.tr("Each value is run with each of these seeds; empty: with the one of the form"))
        self.measure = ComboBox()
        self.measure.setAccessibleName(self.tr("Measure"))
        self.against, self.colours = ComboBox(), ComboBox()
        self.against.setAccessibleName(self.tr("Picture"))
        self.against.setToolTip(
            self.tr("A point for each run, or for each head, with its mean and spread over the runs")
        )
        self.colours.setAccessibleName(self.tr("Colours of heads"))
        for title, colour_by in ((self.tr("by role"), "role"), (self.tr("by layer"), "layer")):
            self.colours.addItem(title, colour_by)
        self.run, self.stop = QPushButton(self.tr("Run the sweep")), QPushButton(self.tr("Stop"))
        self.run.setObjectName("primary")
        self.of_picture = QWidget()
        """What is drawn of the rows, and how; placed beside the picture by the page."""
        self.roles = QPushButton(self.tr("Use these roles"))
        self.roles.setToolTip(
            self.tr("The overview names heads by the role in which they stand out in most of the runs")
        )
        row_of(self.of_picture, self.roles, self.against, self.colours)
        self.back = QToolButton()
        self.back.setText(self.tr("Back to the picture"))
        self.counts = ElidingLabel()
        self.problem = caption(name="problem", wraps=True, plain=True)
        self.problem.hide()
        self._knobs = row_of(None, self.first, self.second, self._seeds_title, self.seeds, wide=(self.first,))
        acts = row_of(None, self.measure, self.run, self.stop, self.counts, self.back, wide=(self.counts,))
        column_of(self, self._knobs, acts, self.problem, gap=6)
        self._reading = Background(self)
        self._reading.done.connect(self._take_crossing)
        self._rest = QTimer(self, singleShot=True, interval=_REST_MS)
        self._rest.timeout.connect(self.read)
        for edited in (self.first.edited, self.second.edited, self.seeds.textEdited):
            edited.connect(self._rest.start)
            edited.connect(self.keep)
        for box in (self.measure, self.against, self.colours):
            box.activated.connect(self.keep)
        self.measure.activated.connect(self._offer_others)

    def follow(self, spec: Spec, swept: Crossing | None) -> None:
        """Follow the current spec, and the sweep on screen, whose runs define the measures on offer."""
        self._spec = spec
        self.first.offer(spec)
        self.second.offer(spec)
        for part in (self._seeds_title, self.seeds):
            part.setVisible(has_seed(spec))
        self.offer_measures(swept)
        choice = self._rooms[spec.lab].view_settings().sweep
        if choice is not None and choice != self._kept:
            self._take_choice(choice)
        self.read()

    def restyle(self, look: Look) -> None:
        """Apply a theme and type scale."""
        self.seeds.setFixedWidth(look.px(64))
        for part in (self.first, self.second):
            part.field.setFixedWidth(look.px(130))
        self.measure.setMinimumWidth(look.px(150))
        self.against.setMinimumWidth(look.px(190))

    @property
    def overs(self) -> tuple[str, ...]:
        """The typed texts, in the syntax of ``--over``."""
        seeds = self.seeds.text().strip() if has_seed(self._spec) else ""
        return tuple(over for over in (self.first.over, self.second.over, f"{SEED}={seeds}" if seeds else "") if over)

    @property
    def crossing(self) -> Crossing | None:
        """The typed runs; None if they are invalid, or have not been parsed yet."""
        return self._crossing if self._read_of == (self._spec, self.overs) else None

    @Slot()
    def keep(self) -> None:
        """Store the choice in the view settings, which are part of a session."""
        knobs = tuple(over for over in (self.first.over, self.second.over) if over)
        measure, against = (str(box.currentData() or "") for box in (self.measure, self.against))
        colours = str(self.colours.currentData())
        self._kept = SweepChoice(
            knobs=knobs, seeds=self.seeds.text(), measure=measure, against=against, colour_by=colours
        )
        self.show_colours()
        self._rooms[self._spec.lab].current_view.note(sweep=self._kept)
        self.changed.emit()

    def _take_choice(self, choice: SweepChoice) -> None:
        """Show the choice of an opened session; fields that the spec lacks stay unchanged."""
        self._kept = choice
        for part, over in zip((self.first, self.second), (*choice.knobs, "", ""), strict=False):
            part.take(over)
        self.seeds.setText(choice.seeds)
        if (at := self.measure.findData(choice.measure)) >= 0:
            self.measure.setCurrentIndex(at)
            self._offer_others()
        self.against.setCurrentIndex(max(0, self.against.findData(choice.against)))
        self.colours.setCurrentIndex(max(0, self.colours.findData(choice.colour_by)))
        self.show_colours()

    def offer_measures(self, swept: Crossing | None) -> None:
        """Offer the measures of a sweep, or else those of the current spec; the chosen one stays if among them."""
        scalars = self._scalars = scalars_of(self._spec) if swept is None else swept.scalars
        names = [self.measure.itemData(index) for index in range(self.measure.count())]
        if names == [scalar.name for scalar in scalars]:
            return
        chosen = self.measure.currentData()
        self.measure.clear()
        for scalar in scalars:
            self.measure.addItem(translate(scalar.title), scalar.name)
            self.measure.setItemData(self.measure.count() - 1, translate(scalar.help), 3)
        self.measure.setCurrentIndex(max(0, self.measure.findData(chosen)))
        self._offer_others()

    @Slot()
    def _offer_others(self) -> None:
        """Offer the pictures of the chosen measure: of runs, or of heads against another measure of these."""
        chosen, measure = self.against.currentData() or "", self.measure.currentData()
        scalar = next((each for each in self._scalars if each.name == measure), None)
        others = () if scalar is None else other_measures(scalar, self._scalars)
        self.against.clear()
        self.against.addItem(self.tr("every run"), "")
        for other in others:
            self.against.addItem(self.tr("heads, against {0}").format(translate(other.title)), other.name)
        self.against.setCurrentIndex(max(0, self.against.findData(chosen)))
        self.against.setVisible(bool(others))
        self.show_colours()

    @Slot()
    def show_colours(self) -> None:
        """Offer the colours of heads where heads are drawn, and only by layer where they have no roles."""
        self.colours.setVisible(bool(self.against.currentData()))

    def show_state(self, *, busy: bool) -> None:
        """Enable the possible actions; ``busy``: a sweep is running."""
        self._knobs.setStretchFactor(self.second, 1 if self.second.over else 0)
        self.run.setEnabled(self.crossing is not None and not busy)
        self.stop.setEnabled(busy)

    @Slot()
    def read(self) -> None:
        """Parse the input outside the window's thread, since many specs may have to be validated."""
        spec, overs = self._spec, self.overs
        self._reading.start(lambda: (spec, overs, _crossing_or_error(spec, overs)), instead=True)

    @Slot(object)
    def _take_crossing(self, answer: tuple[Spec, tuple[str, ...], Any]) -> None:
        *read_of, result = answer
        if tuple(read_of) != (self._spec, self.overs):
            return  # it has changed meanwhile
        self._read_of = answer[:2]
        self._crossing = None if isinstance(result, SpecError) else result
        show_text(self.problem, _in_form(result, self._spec, self.overs) if isinstance(result, SpecError) else "")
        self.counts.setText("" if self._crossing is None else translate(counts_said(self._crossing)))
        self.changed.emit()


def _in_form(error: SpecError, spec: Spec, overs: tuple[str, ...]) -> str:
    """Return the message of an error, with the titles of the form's fields."""
    fields = (over.partition("=")[0] for over in overs)
    titles = {field: title_of_knob(spec, field) for field in fields}

    def titled(text: Text) -> Text:
        values = {name: titled(word) if isinstance(word, Text) else word for name, word in text.values.items()}
        values |= {name: titles.get(str(word), word) for name, word in values.items() if name == "field"}
        return replace(text, values=values)

    return "; ".join(problem_text(replace(each, text=titled(each.text)), titles) for each in error.problems[:3])


def _crossing_or_error(spec: Spec, overs: tuple[str, ...]) -> Crossing | SpecError:
    try:
        crossing = read_crossing(spec, overs)
        if len(crossing) > MOST_RUNS:
            sentence: English = "the window sweeps at most {most} runs, not {count}; the command line sweeps more"
            raise SpecError.of("", "too_many_runs", sentence, most=MOST_RUNS, count=len(crossing))
    except SpecError as error:
        return error
    return crossing
