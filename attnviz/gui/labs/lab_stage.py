"""The base of all labs' stages: the pages, and what is around them."""

import pkgutil
from abc import abstractmethod
from typing import Any, ClassVar, Generic, TypeVar

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtGui import QHideEvent, QKeySequence, QShortcut
from PySide6.QtWidgets import QToolButton, QWidget
from typing_extensions import override

from attnviz.experiment.colours import SEQUENTIAL
from attnviz.experiment.labs import Lab, Trace
from attnviz.gui.labs.across_mark import AcrossMark
from attnviz.gui.labs.current_view import CurrentView, ViewPanel, ViewT
from attnviz.gui.labs.stage_rows import RoomFor, StageRows, box_of
from attnviz.gui.labs.stage_strip import StageStrip
from attnviz.gui.layers.numbers_table import NumbersTable
from attnviz.gui.plots.matrix.canvas import Canvas
from attnviz.gui.plots.matrix.tile import ColourTable, colour_table
from attnviz.gui.plots.page import ColourLine, Page, PageStack
from attnviz.gui.run.background import Background
from attnviz.gui.theme import Look
from attnviz.gui.widgets.labels import as_plain, show_indexed
from attnviz.gui.widgets.layouts import Placed
from attnviz.gui.widgets.selection import SelectionModel
from attnviz.gui.widgets.spoken import announce
from attnviz.gui.widgets.words import translate, with_patches

TraceT = TypeVar("TraceT", bound=Trace)
_MOST_PLACINGS = 3
"""The most layout passes until no page asks for others."""
_NEEDED = 560
"""The width in pixels, at scale 1, that a picture needs."""


class LabStage(Placed, Generic[TraceT, ViewT]):
    """Shows one trace with the view settings. It never requests a run.

    It has a row of choices, the formula, a sentence with the trace's numbers, the picture, its colours, and a read-out.
    A lab's stage makes `pages`, calls `lay_out`, and overrides four methods, each of which ends with the next one:

    1. `show_trace` takes another trace, and fits the view settings to it;
    2. `show_widgets` shows the view settings in the widgets around the picture;
    3. `show_view` draws the page with the view settings, by `Page.show_data`, `show_header` and `show_colours`;
    4. `select` marks the selection on the page, and says it in the sentence (`say`) and the `read_out`.

    A change of the view settings begins with the second, one of the selection with the last. Where a lab needs it, it
    also overrides `_choose_stage`, `focus_strip`, `sentence_room` and `view_on_screen`.
    """

    room: RoomFor = RoomFor()
    painted = Signal(float)
    """The milliseconds of the last drawing."""
    watched = Signal(str, str)
    """The lab, and the stage whose colours its next traces need, by a name that the trace's `prepare` takes."""
    map_chosen = Signal(str)
    """The user has chosen the colours of weights, for all labs."""
    _numbers: NumbersTable | None = None  # made when it is first asked for
    _said_at = "", ""  # the page and stage that the sentence was last about
    contrast_field: ClassVar[str] = "contrast"
    """The field of the view settings that says whether the colours of weights are stretched."""
    pages: PageStack
    """The pages of the lab, created by the lab's stage, which then calls `lay_out`."""
    page_chosen = Signal()
    """The user has pressed the button of a page, which may be the one on screen."""
    outer: StageStrip | None = None
    """A strip above that of the stages, if the lab has one: the layers that they belong to."""
    _said = ""
    """The sentence, as plain text."""
    _placing = _place_again = False  # the rows are being placed; they are to be placed again
    _placed_for: object = None  # the view settings, header and choices that the rows were last placed for

    def __init__(self, lab: Lab, look: Look, selection: SelectionModel, current: CurrentView[ViewT]) -> None:
        super().__init__()
        self.setObjectName("stage")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self._lab = lab
        self.look = look
        self._selection = selection
        self.current_view = current
        self.trace: TraceT | None = None
        pages = current.value.pages.values()
        titles = tuple((page.name, translate(page.title), translate(page.help)) for page in pages)
        titles = titles or ((current.value.page, translate(lab.title), ""),)  # a lab with one picture
        self.rows = rows = StageRows(look, lab, current.value.stage, titles, self.room, self)
        self.page_buttons, self.page_box, self.view_button = rows.page_buttons, rows.page_box, rows.view_button
        self.strip, self.player, self.head = rows.strip, rows.player, rows.head
        self.formula, self.shapes, self.sentence, self.note = rows.formula, rows.shapes, rows.sentence, rows.note
        self.last_good, self.read_out, self.bar, self.contrast = rows.last_good, rows.read_out, rows.bar, rows.contrast
        self.across = AcrossMark(look, self)
        self.view_panel = ViewPanel(self.view_button, self)
        self.maps = box_of(self.tr("Colours"), tuple((name, name, "") for name in SEQUENTIAL), self)
        self._background = Background(self)
        self.strip.changed.connect(self._choose_stage)
        for choice, picked in ((self.page_buttons, self.page_buttons.chosen), (self.page_box, self.page_box.activated)):
            current.bind("page", choice)
            picked.connect(self.page_chosen)
        self.maps.textActivated.connect(self.map_chosen)
        self.contrast.chosen.connect(self._choose_contrast)
        self.formula.changed.connect(self._place)
        current.changed.connect(self._change)
        selection.changed.connect(self.select)

    def lay_out(self) -> None:
        """Add the pages to the stage, and the options common to all labs to the view panel."""
        self.pages.setParent(self)
        self.last_good.turned.connect(self._place)
        self.head.left.connect(self.take_focus)
        for page in self.pages.pages.values():
            page.painted.connect(self.painted)
            page.redraw_asked.connect(self.show_view)
            page.said.connect(self.say)
        self.view_panel.add(self.tr("Colours of weights"), self.maps)
        self.view_panel.add(self.tr("Play a stage for"), self.player.pace)
        as_table = QToolButton()
        as_table.setText(self.tr("Numbers as a table ({0})").format(NumbersTable.KEY))
        as_table.clicked.connect(self.show_numbers)
        self.view_panel.add("", as_table)
        QShortcut(QKeySequence(NumbersTable.KEY), self, self.show_numbers)
        self._place()

    def make_pages(self) -> dict[str, Page[Any]]:
        """Return the pages of the lab by name, made from their records."""
        kinds = {name: pkgutil.resolve_name(record.widget) for name, record in self.view.pages.items()}
        return {name: kind(self.look, self._selection, self.current_view) for name, kind in kinds.items()}

    def offer_pages(self, trace: TraceT) -> None:
        """Offer the pages that a trace has the data of."""
        for name, record in self.view.pages.items():
            on = record.offered(trace)
            self.page_buttons.offer(name, on)
            at = self.page_box.findData(name)
            self.page_box.view().setRowHidden(at, not on)  # type: ignore[attr-defined]
            self.page_box.model().item(at).setEnabled(on)  # type: ignore[attr-defined]

    @property
    def view(self) -> ViewT:
        """The view settings."""
        return self.current_view.value

    @property
    def view_on_screen(self) -> ViewT:
        """The view settings with what the mouse previews beyond the selection."""
        return self.view

    @property
    def weight_table(self) -> ColourTable:
        """The colours of weights."""
        return colour_table(self.view.colour_map, self.look.theme)

    @property
    def page(self) -> Page[Any]:
        """The page on screen."""
        return self.pages.pages[self.view.page]

    @property
    def sentence_room(self) -> int:
        """The width, at scale 1, in which the sentences of the page on screen need one line."""
        return self.page.sentence_room or self.room.sentence

    def width_needed(self) -> int:
        """Return the width in pixels below which the window should fold its panels."""
        return self.look.px(round(_NEEDED * self.page.pictures_across))

    @abstractmethod
    def show_trace(self, trace: TraceT) -> None:
        """Draw a trace with the view settings, adapted to it; reimplemented by a lab's stage."""

    @abstractmethod
    def show_view(self) -> None:
        """Draw the trace, if there is one, with the view settings; reimplemented by a lab's stage."""

    def show_widgets(self) -> None:
        """Show the view settings in the widgets around the picture; reimplemented by labs, which call this."""
        self.strip.light(self.view.page_stage != "")
        if self.view.drawn in self.strip.offered and self.view.drawn != self.strip.stage:
            self.strip.press(self.view.drawn)
        self.maps.setCurrentIndex(self.maps.findData(self.view.colour_map))
        self.current_view.show_bound()

    def show_header(self, latex: str, spoken: str, shapes: str) -> None:
        """Show a formula, its text for screen readers, and the shapes in and out."""
        self.formula.show_formula(latex, spoken)
        self.shapes.setText(shapes)
        placed_for = self.view.model_copy(update={"step": None}), latex, shapes, self.sentence_room, self.rows.choices
        if self.look.present or placed_for != self._placed_for:  # else each turned knob would lay the stage out anew
            self._placed_for = placed_for
            self._place()

    @Slot()
    def say(self) -> None:
        """Show the sentence about the picture: that of the page, or of the trace and the selection.

        Empty while numbers are hidden, since it contains them.
        """
        text = self.page.words
        if not text and self.trace is not None:
            sentence = self._lab.sentence_of(self.trace, self.view_on_screen, self._selection.current)
            text = with_patches(sentence.translated(translate))
        if not self.look.numbers:
            text = ""
        if text != self._said:
            self._said = text
            show_indexed(self.sentence, text)
            self.sentence.setToolTip(as_plain(text))
            if not self.last_good.isHidden():
                self._place()
            place = self.view.page, self.view.drawn
            if place != self._said_at:  # selections are announced by themselves, and not every step of a training
                self._said_at = place
                announce(text, self)
        if self.page.hint:
            self.read_out.setText(self.page.hint)
        if self._numbers is not None and self._numbers.isVisible():
            self._numbers.follow(self.tables, text)
        self.across.show_text("" if self.trace is None else self.trace.warning.translated(translate))
        note = "" if self.trace is None else self.trace.untrained_note.translated(translate)
        if note != self.note.text():
            self.note.setText(note)
            if self.look.present:  # elsewhere the note is below the form
                self._place()

    @property
    def tables(self) -> list[Canvas]:
        """The pictures on screen that can be read as tables."""
        return [part for part in self.page.findChildren(Canvas) if part.isVisible() and part.matrix is not None]

    @Slot()
    def show_numbers(self) -> None:
        """Show the numbers of the pictures as a table."""
        self.view_panel.hide()
        if not self.tables:
            self.read_out.setText(self.tr("No picture of this page is a matrix of numbers."))
            return
        if self._numbers is None:
            self._numbers = NumbersTable(self.look, self)
        self._numbers.open_on(self.tables, self.sentence.text(), self.look)

    def show_colours(self, line: ColourLine | None) -> None:
        """Show the colour bar below the picture; None hides it."""
        before = self.bar.isVisibleTo(self), self.contrast.isVisibleTo(self)
        now = line is not None, line is not None and line.contrast is not None
        self.bar.setVisible(now[0])
        self.rows.colours.setVisible(now[0])
        self.contrast.setVisible(now[1])
        moved = before != now
        if line is not None:
            self.bar.show_line(line)
            moved |= line.contrast is not None and self.contrast.show_contrast(line.contrast, line.offered)
        if moved:
            self._place()

    @Slot()
    def select(self) -> None:
        """Follow the selection; reimplemented by a lab's stage."""

    def restyle(self, look: Look) -> None:
        """Apply a theme and type scale."""
        self.look = self.across.look = look
        self.rows.restyle(look)
        self.say()
        self._place()
        self.show_view()

    @override
    def hideEvent(self, event: QHideEvent) -> None:
        """Close the view panel with its picture: another lab is entered."""
        super().hideEvent(event)
        self.view_panel.hide()
        if self._numbers is not None:
            self._numbers.close()

    @property
    def focus_strip(self) -> QWidget:
        """The strip, or the widget with its keys, that gets the focus of the stage."""
        return self.strip if self.outer is None or self.rows.staged else self.outer

    @Slot()
    def take_focus(self) -> None:
        """Give the focus to `focus_strip`: else Qt would pass it to a part beside the stage, or to the next button."""
        self.focus_strip.setFocus(Qt.FocusReason.OtherFocusReason)

    @Slot()
    @override
    def _place(self) -> None:
        if not hasattr(self, "pages"):
            return
        if not self.rows.staged and self.outer is not None and self.strip.hasFocus():
            self.take_focus()
        if self._placing:  # a page that took its size shows or hides the colour bar, which changes the rows
            self._place_again = True
            return
        self._placing = True
        try:
            for _ in range(_MOST_PLACINGS):
                self._place_again = False
                self.rows.place(self.pages, self.sentence_room)
                if not self._place_again:
                    break
        finally:
            self._placing = False
        self.across.setGeometry(self.pages.geometry())
        self.across.raise_()

    @Slot()
    def _choose_stage(self) -> None:
        """Show the stage chosen in the strip; reimplemented if the choice also changes the page."""
        self.current_view.propose(stage=self.strip.stage)

    @Slot(str)
    def _choose_contrast(self, contrast: str) -> None:
        by = {"contrast_by": contrast} if contrast else {}
        self.current_view.propose(**{self.contrast_field: bool(contrast)}, **by)

    @Slot()
    def _change(self) -> None:
        self.show_widgets()
        self.show_view()
