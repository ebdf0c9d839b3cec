"""The choices of the animation dialog: the content, size, speed and format."""

from dataclasses import dataclass

from PySide6.QtCore import Signal, Slot
from PySide6.QtWidgets import QLineEdit, QWidget

from attnviz.definitions.formats import formats_for
from attnviz.definitions.motions import MOTIONS
from attnviz.definitions.text import Text, text_of_error
from attnviz.experiment.labs import Spec, SpecError
from attnviz.experiment.sweeps.fields import numeric_fields
from attnviz.experiment.sweeps.frames import Sweep, parse_sweep
from attnviz.export.animation.animation import AnimationSettings
from attnviz.export.figures.settings import FigureSettings
from attnviz.export.options import checked
from attnviz.gui.dialogs.figure_choices import format_segments
from attnviz.gui.forms.editor import ComboBox
from attnviz.gui.forms.spec_form import SettingsForm
from attnviz.gui.sweeps.knobs import reach_of, title_of_knob
from attnviz.gui.widgets.buttons import Segments
from attnviz.gui.widgets.labels import caption, show_text
from attnviz.gui.widgets.layouts import column_of, row_of
from attnviz.gui.widgets.words import error_text, translate

SIZES = ((320, 240), (640, 400), (800, 600), (1280, 800), (1920, 1080))
_FIRST_SIZE = 1
_ALWAYS = ("size", "frames_per_second", "kind", "theme")
_RANGES = {"num_heads": "1:16", "width": "0.1:2"}
"""The default ranges of a sweep; for other fields the range of their slider."""


@dataclass(frozen=True, slots=True)
class AnimationChoice:
    """The content of the animation: a sweep as in ``attnviz export --sweep``, or the argument of ``--animate``."""

    animate: str
    sweep: str
    kind: str
    """The name of a format."""
    size: str
    settings: AnimationSettings
    """Pace and palette; the other settings are the session's, or the defaults."""


class AnimationChoices(QWidget):
    """Every control is created once; the rows of a sweep are visible if one is chosen."""

    changed = Signal()

    def __init__(self) -> None:
        super().__init__()
        self._spec: Spec | None = None
        self._settings = AnimationSettings()
        self._paces = {each.name: each.pace for each in MOTIONS.values()}
        self._moving = ""
        self.form = SettingsForm()
        self.source = Segments(
            self.tr("What moves"),
            tuple((each.name, translate(each.title), translate(each.help)) for each in MOTIONS.values()),
        )
        self.field = ComboBox()
        self.range = QLineEdit()
        self.range.setToolTip(self.tr("FIRST:LAST, FIRST:LAST:STEP, or values such as 1,2,4"))
        # A format that is also one of figures would look like a still picture by its name.
        self.kind = format_segments(form for form in formats_for("animation") if "figure" not in form.writers)
        self.pixels = ComboBox()
        for width, height in SIZES:
            self.pixels.addItem(f"{width} × {height}", f"{width}x{height}")
        self.pixels.setCurrentIndex(_FIRST_SIZE)
        self.frames = caption(wraps=True, plain=True)
        self.problem = caption(name="problem", wraps=True, plain=True)
        for label in (self.frames, self.problem):
            label.hide()
        self._lay_out()
        self.form.editors["frames_per_second"].edited.connect(self._keep_pace)
        self.field.activated.connect(self._propose_range)
        for signal in (self.source.chosen, self.range.textEdited, self.form.changed):
            signal.connect(self.look_at_sweep)

    def offer(self, spec: Spec, theme: str) -> None:
        """Offer the possible animations of a spec."""
        self._spec = spec
        of_steps, chosen = ("training", "generation"), self.source.value
        for name in of_steps:
            self.source.offer(name, spec.trains and name == spec.motion)
        usual = spec.motion if spec.trains else "stages"
        if chosen in ("", *of_steps) and chosen != usual:
            self.source.press(usual)
        self.form.editors["theme"].set_value(theme)
        chosen = self.field.currentData()
        self.field.clear()
        active = type(spec).active_fields(spec.model_dump())
        for name in numeric_fields(spec):
            if name.partition(".")[0] in active:
                self.field.addItem(title_of_knob(spec, name), name)
        self.source.offer("sweep", self.field.count() > 0)
        index = self.field.findData(chosen)
        first = max(self.field.findData("num_heads"), self.field.findData("width"), 0)
        self.field.setCurrentIndex(index if index >= 0 else first)
        if index < 0 or not self.range.text():
            self._propose_range()
        self.look_at_sweep()

    @property
    def choice(self) -> AnimationChoice:
        """The current choice."""
        swept = self.source.value == "sweep"
        return AnimationChoice(
            animate="" if swept else self.source.value,
            sweep=f"{self.field.currentData()}={self.range.text().strip()}" if swept else "",
            kind=self.kind.value,
            size=str(self.pixels.currentData()),
            settings=self._settings,
        )

    @property
    def is_legal(self) -> bool:
        """Whether the choice can be animated."""
        return not self.problem.text()

    @Slot()
    def look_at_sweep(self) -> None:
        """Show the number of frames of a sweep and its omissions, or the errors in it."""
        self._show_pace()
        swept = self.source.value == "sweep"
        self.form.show_rows({"sweep", *_ALWAYS} if swept else _ALWAYS)
        summary, problem = "", ""
        try:
            values = self.form.values()
            figure = checked(FigureSettings, {"theme": values.pop("theme"), "language": translate})
            self._settings = checked(AnimationSettings, values | {"figure": figure}, by_flag=True)
        except ValueError as error:
            problem = translate(text_of_error(error))
        if swept and self._spec is not None and not problem:
            try:
                summary = _said_of(parse_sweep(self.choice.sweep, self._spec))
            except SpecError as error:
                problem = error_text(error)
        show_text(self.frames, summary)
        show_text(self.problem, problem)
        self.changed.emit()

    def _show_pace(self) -> None:
        """Show the pace: the last one chosen for this content, or its default."""
        moving = self.source.value
        if moving != self._moving:
            self._moving = moving
            self.form.editors["frames_per_second"].set_value(self._paces[moving])

    @Slot()
    def _keep_pace(self) -> None:
        self._paces[self.source.value] = self.form.editors["frames_per_second"].value()

    @Slot()
    def _propose_range(self) -> None:
        if not self.field.count():
            return
        name = str(self.field.currentData())
        self.range.setText(_RANGES.get(name) or (reach_of(self._spec, name) if self._spec else ""))
        self.look_at_sweep()

    def _lay_out(self) -> None:
        self._sweep = QWidget()
        row_of(self._sweep, self.field, self.range, gap=-1, wide=(self.field, self.range))
        self._sweep.setAccessibleName(self.tr("Setting"))
        self.pixels.setAccessibleName(self.tr("Size in pixels"))
        self.form.add_row("sweep", self.tr("Setting"), self._sweep)
        self.form.add_row("size", self.tr("Size"), self.pixels)
        self.form.add_fields(AnimationSettings, "frames_per_second")
        self.form.add_row("kind", self.tr("Format"), self.kind)
        self.form.add_fields(FigureSettings, "theme")
        self.field.setAccessibleName(self.tr("Setting"))
        self.range.setAccessibleName(self.tr("Its values"))
        column_of(self, self.source, self.form, self.frames, self.problem, gap=12)


def _said_of(sweep: Sweep) -> str:
    summary = translate(Text("{count} frames", {"count": len(sweep.specs)}, "1 frame"))
    if sweep.left_out:
        values = ", ".join(f"{each.value:g}" for each in sweep.left_out[:12])
        more = " ..." if len(sweep.left_out) > 12 else ""
        summary += translate("; left out: {0}{1}, for example because {2}").format(
            values, more, translate(sweep.left_out[0].why)
        )
    return summary
