"""The left side of the figure dialog: source, part, size and format."""

from collections.abc import Iterable
from dataclasses import dataclass

from PySide6.QtCore import Signal, Slot
from PySide6.QtWidgets import QWidget

from attnviz.definitions.counting import SCREEN
from attnviz.definitions.formats import FORMATS, Format, formats_for
from attnviz.experiment.labs import Trace
from attnviz.experiment.view_settings import ViewSettings
from attnviz.export.figures.settings import FigureSettings, check_choice
from attnviz.export.options import checked
from attnviz.gui.forms.editor import ComboBox
from attnviz.gui.forms.number_editors import IntEdit
from attnviz.gui.forms.spec_form import SettingsForm
from attnviz.gui.widgets.buttons import Segments
from attnviz.gui.widgets.labels import caption, show_text
from attnviz.gui.widgets.layouts import column_of
from attnviz.gui.widgets.words import translate

SCALES = (1, 2, 3, 4)
_OF_PAPER = ("heads", "item", "width_cm", "dpi", "theme", "contrast", "contrast_by", "transparent")


@dataclass(frozen=True, slots=True)
class FigureChoice:
    """The chosen export of the trace on screen."""

    source: str
    """"screen" or "paper"."""
    kind: str
    """The name of a format."""
    part: str
    """"stage", "close_up" or "window", of the screen."""
    scale: int
    settings: FigureSettings
    """Of a figure for a paper; for the screen only ``transparent`` is used."""


def format_segments(formats: Iterable[Format]) -> Segments:
    """Return a group of buttons for formats, of which one is chosen."""
    choices = tuple((form.name, form.title, translate(form.help)) for form in formats)
    return Segments(translate("Format"), choices)


class FigureChoices(QWidget):
    """Every control is created once; those without effect on the choice are hidden."""

    changed = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.source = Segments(
            self.tr("What"),
            (
                ("screen", self.tr("As on screen"), self.tr("The picture as it is drawn, with what is chosen in it")),
                ("paper", self.tr("For a paper"), self.tr("A clean figure with embedded type, legible at 8 cm")),
            ),
        )
        self.kind = format_segments(formats_for("figure"))
        self.part = ComboBox()
        for value, title in (
            ("pictures", self.tr("The pictures of the page")),
            ("stage", self.tr("The stage")),
            ("close_up", self.tr("The large picture")),
            ("window", self.tr("The whole window")),
        ):
            self.part.addItem(title, value)
        self.scale = ComboBox()
        for scale in SCALES:
            self.scale.addItem(f"{scale}×", scale)
        self.scale.setCurrentIndex(1)
        self.form = SettingsForm()
        self.form.add_row("part", self.tr("Part"), self.part)
        self.form.add_row("scale", self.tr("Pixels"), self.scale)
        self.part.setAccessibleName(self.tr("Part"))
        self.scale.setAccessibleName(self.tr("Pixels"))
        self.form.add_fields(FigureSettings, *_OF_PAPER)
        editor = self.form.editors["item"]
        assert isinstance(editor, IntEdit)
        editor.setToolTip(self.tr("Which item of the batch, counted from 1"))
        self._item = editor
        self._item.limit(range(SCREEN.first, SCREEN.first + 1))
        self._item.set_value(SCREEN.first)
        self.problem = caption(name="problem", wraps=True, plain=True)
        self.problem.hide()
        self._items = self._heads = 2
        column_of(self, self.source, self.kind, self.form, self.problem, None, gap=12)
        chosen = (self.source.chosen, self.kind.chosen, self.part.activated, self.scale.activated, self.form.changed)
        for signal in chosen:
            signal.connect(self._change)
        self._show_what_acts()

    @property
    def choice(self) -> FigureChoice:
        """The current choice.

        Raises:
            ValueError: a setting is invalid; with a message.
        """
        return FigureChoice(
            source=self.source.value,
            kind=self.kind.value,
            part=str(self.part.currentData()),
            scale=int(self.scale.currentData()),
            settings=self._settings(),
        )

    def _settings(self) -> FigureSettings:
        values = self.form.values()
        if isinstance(values.get("item"), int):
            values["item"] = SCREEN.position(values["item"])
        settings = checked(FigureSettings, values | {"language": translate}, by_flag=True)
        check_choice(settings.heads, settings.item, self._heads, self._items, SCREEN)
        return settings

    def offer(self, trace: Trace, view: ViewSettings | None) -> None:
        """Offer the options of a trace; the batch item and the contrast are initially those on screen."""
        self._item.limit(range(SCREEN.first, SCREEN.number(trace.items - 1) + 1))
        self._item.set_value(SCREEN.number(0 if view is None else min(view.batch_item, trace.items - 1)))
        self.form.editors["contrast"].set_value(view is not None and view.reaches_largest)
        self.form.editors["contrast_by"].set_value("head" if view is None else view.stretched_by)
        self._items, self._heads = trace.items, trace.num_heads
        self._show_what_acts()

    def say(self, problem: str) -> None:
        """Show an error in the choice, or that there is none."""
        show_text(self.problem, problem)

    @Slot()
    def _change(self) -> None:
        self._show_what_acts()
        self.changed.emit()

    def _show_what_acts(self) -> None:
        paper = self.source.value == "paper"
        for form in formats_for("figure"):
            self.kind.offer(form.name, paper or bool({"screen", "print"} & form.writers.keys()))
        form = FORMATS[self.kind.value]
        acts = {
            "part": not paper,
            "scale": not paper and "screen" in form.writers,
            "heads": paper and self._heads > 1,
            "item": paper and self._items > 1,
            "width_cm": paper,
            "dpi": paper and form.has_pixels,
            "theme": paper,
            "contrast": paper,
            "contrast_by": paper and bool(self.form.editors["contrast"].value()),
            "transparent": paper or (form.has_pixels and self.part.currentData() != "window"),
        }
        self.form.show_rows([name for name, shown in acts.items() if shown])
