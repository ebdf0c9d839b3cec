"""What the stages of all labs have in common: the current view, the pages, the panel of the view, and their frame."""

from collections.abc import Mapping
from typing import Any, ClassVar, Generic, TypeVar

from PySide6.QtCore import QObject, QPoint, Qt, Signal, Slot
from PySide6.QtGui import QHideEvent, QResizeEvent
from PySide6.QtWidgets import (
    QCheckBox,
    QFormLayout,
    QFrame,
    QHBoxLayout,
    QLabel,
    QLayout,
    QToolButton,
    QWidget,
)
from typing_extensions import override

from attnviz.experiment.colours import SEQUENTIAL
from attnviz.experiment.labs import Lab, Trace
from attnviz.experiment.view_settings import PageName, ViewSettings
from attnviz.gui.forms.editor import ComboBox
from attnviz.gui.labs.frame import NOWHERE, Lengths, StageFrame, frame_of
from attnviz.gui.labs.pace_box import PaceBox
from attnviz.gui.labs.stage_strip import StagePlayer, StageStrip
from attnviz.gui.plots.matrix.colour_bar import ColourBar
from attnviz.gui.plots.matrix.tile import ColourTable, colour_table
from attnviz.gui.plots.page import ColourLine, Page, PageStack
from attnviz.gui.run.background import Background
from attnviz.gui.theme import Look
from attnviz.gui.widgets.buttons import Segments
from attnviz.gui.widgets.formula_view import FormulaView
from attnviz.gui.widgets.labels import ElidingLabel, as_plain, caption
from attnviz.gui.widgets.letters import give_letters
from attnviz.gui.widgets.selection import SelectionModel
from attnviz.gui.widgets.words import translate

ViewT = TypeVar("ViewT", bound=ViewSettings)


class CurrentView(QObject, Generic[ViewT]):
    """Holds the view settings, and those for the next trace while one with other settings is awaited."""

    changed = Signal()
    """The user has changed the settings."""

    def __init__(self, first: ViewT, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._value = first
        self._awaited: ViewT | None = None

    @property
    def value(self) -> ViewT:
        """The settings of the trace on screen."""
        return self._value

    @property
    def next_value(self) -> ViewT:
        """The settings of the awaited trace, or of the one on screen if none is awaited."""
        return self._value if self._awaited is None else self._awaited

    def propose(self, **changes: Any) -> None:
        """Apply changes of the user, to the awaited trace too; emit `changed` if a value differs."""
        if self.note(**changes):
            self.changed.emit()

    def note(self, **changes: Any) -> bool:
        """Record what is on screen already, such as the locked cell, without a signal; return whether it is new."""
        new = {name: value for name, value in changes.items() if getattr(self._value, name) != value}
        if new:
            self._value = self._value.model_copy(update=new)
            if self._awaited is not None:
                self._awaited = self._awaited.model_copy(update=new)
        return bool(new)

    def insist(self, **changes: Any) -> None:
        """Like `propose`, but set the values for the awaited trace even if the trace on screen has them."""
        if self._awaited is not None:
            self._awaited = self._awaited.model_copy(update=changes)
        self.propose(**changes)

    def put(self, value: ViewT) -> None:
        """Replace all settings without a signal: the caller draws a trace with them."""
        self._value = value

    def await_trace(self, value: ViewT) -> None:
        """Set the settings for the next trace."""
        self._awaited = value

    @property
    def awaits(self) -> bool:
        """Whether the next trace has settings of its own."""
        return self._awaited is not None

    def take_awaited(self) -> ViewT | None:
        """Return the settings for the next trace, which has arrived, and forget them."""
        awaited, self._awaited = self._awaited, None
        return awaited


class ViewPanel(QFrame):
    """How the picture is drawn: a panel below the View button, closed by Esc or a click elsewhere."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent, Qt.WindowType.Popup)
        self.setObjectName("viewPanel")
        self.setAccessibleName(self.tr("View"))
        self._form = QFormLayout(self)
        self._form.setContentsMargins(12, 10, 12, 10)
        self._form.setHorizontalSpacing(12)
        self._form.setVerticalSpacing(8)
        self._form.setSizeConstraint(QLayout.SizeConstraint.SetFixedSize)  # choices come and go while it is open
        self._corner = QPoint()  # its upper right one, on the screen

    def add(self, title: str, widget: QWidget, help_text: str = "") -> None:
        """Add a choice under its title; without a title, such as a check box, it takes both columns."""
        if title:
            label = QLabel(title)
            label.setBuddy(widget)
            self._form.addRow(label, widget)
        else:
            self._form.addRow(widget)
        if help_text:
            widget.setToolTip(help_text)
        if not widget.accessibleName():
            widget.setAccessibleName(title)

    def offer(self, widget: QWidget, on: bool) -> None:
        """Show a choice, or hide it where it has no effect."""
        self._form.setRowVisible(widget, on)

    def open_below(self, button: QWidget) -> None:
        """Show the panel below a button, their right sides aligned."""
        give_letters(self)
        self.adjustSize()
        self._corner = button.mapToGlobal(button.rect().bottomRight()) + QPoint(1, 4)
        self._place()
        self.show()
        self.setFocus(Qt.FocusReason.PopupFocusReason)
        self.focusNextChild()

    @override
    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._place()

    def _place(self) -> None:
        self.move(self._corner.x() - self.width(), self._corner.y())


TraceT = TypeVar("TraceT", bound=Trace)
_NEEDED = 560
"""The width in pixels, at scale 1, that a picture needs."""


class LabStage(QWidget, Generic[TraceT, ViewT]):
    """Shows one trace with the view settings. It never requests a run.

    A row of choices, the formula, a sentence with the trace's numbers, the picture, its colours, and a read-out:
    `frame_of` places them.
    """

    sentence_width: ClassVar[int] = 780
    """The width, at scale 1, of a stage in which its sentences need one line."""
    legend_width: ClassVar[int] = 460
    read_out_width: ClassVar[int] = 440
    """The widths that the colour bar and the read-out of a cell need, at scale 1."""
    painted = Signal(float)
    """Milliseconds that the last drawing took."""
    watched = Signal(str)
    """The stage whose colours the next traces need, by a name that the trace's `prepare` takes."""
    pace_chosen = Signal(object)
    """Training steps per second, None for no limit; emitted by labs that train."""
    map_chosen = Signal(str)
    """The user has chosen the colours of weights, for all labs."""
    _pace: PaceBox | None = None
    contrast_field: ClassVar[str] = "contrast"
    """The field of the view settings that `contrast` chooses."""
    pages: PageStack
    """The pages of the lab; made by the lab's stage, which then calls `lay_out`."""
    page_chosen = Signal()
    """The user has pressed the button of a page, which may be the one on screen."""
    outer: StageStrip | None = None
    """A strip above that of the stages, where a lab has one: the layers that they belong to."""

    def __init__(
        self,
        lab: Lab,
        look: Look,
        selection: SelectionModel,
        current: CurrentView[ViewT],
        pages: Mapping[str, PageName],
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self.setObjectName("stage")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self._lab = lab
        self._look = look
        self._selection = selection
        self.current_view = current
        self.trace: TraceT | None = None
        titles = tuple((page.name, translate(page.title), translate(page.help)) for page in pages.values())
        self.page_buttons = Segments(self.tr("Page"), titles, self)
        self.page_box = _box_of(self.tr("Page"), titles, self)
        self.strip = StageStrip(lab.stages, current.value.stage, self)
        self.player = StagePlayer(self.strip, self)
        self.view_button = QToolButton(self)
        self.view_button.setText(self.tr("&View"))
        self.view_button.setObjectName("viewButton")
        self.view_panel = ViewPanel(self)
        self.formula = FormulaView(look, self)
        self.shapes = ElidingLabel(self)
        self.shapes.setObjectName("caption")
        self.shapes.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        self.shapes.setAccessibleName(self.tr("Shapes"))
        self.further = QWidget(self)
        """Choices beside the shapes, such as the batch item."""
        self._further = QHBoxLayout(self.further)
        self._further.setContentsMargins(0, 0, 0, 0)
        self._further.setSpacing(8)
        self.sentence = QLabel(self)
        self.sentence.setObjectName("sentence")
        self.sentence.setWordWrap(True)
        self.sentence.setTextFormat(Qt.TextFormat.PlainText)
        self.note = caption(plain=True)
        self.note.setParent(self)
        self.note.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        self.bar = ColourBar(look, self)
        self.read_out = ElidingLabel(self)
        self.read_out.setObjectName("caption")
        self.maps = _box_of(self.tr("Colours"), tuple((name, name, "") for name in SEQUENTIAL), self)
        self.contrast = QCheckBox(self.tr("Full contrast"))
        """Whether colours scale to the largest weight."""
        self.contrast.setToolTip(self.tr("Colours scale to the largest weight instead of 1"))
        self._background = Background(self)
        self.strip.changed.connect(self._choose_stage)
        self.page_buttons.chosen.connect(self._press_page)
        self.page_box.activated.connect(self._list_page)
        self.view_button.clicked.connect(self._open_view)
        self.maps.activated.connect(self._choose_map)
        self.formula.changed.connect(self._place)
        current.changed.connect(self._change)
        selection.changed.connect(self.select)

    def lay_out(self) -> None:
        """Take the pages into the stage, and the choices that all labs have into the panel of the view."""
        self.pages.setParent(self)
        self.contrast.toggled.connect(self._choose_contrast)
        self.pages.painted.connect(self.painted)
        self.pages.redraw_asked.connect(self.show_view)
        for page in self.pages.pages.values():
            page.said.connect(self.say)
        self.view_panel.add("", self.contrast)
        self.view_panel.add(self.tr("Colours of weights"), self.maps)
        self.view_panel.add(self.tr("Play a stage for"), self.player.pace)
        self._place()

    def add_pace(self, first: float | None) -> PaceBox:
        """Add the choice of how fast a training is shown to the panel of the view, and return it."""
        self._pace = PaceBox(first)
        self._pace.chosen.connect(self.pace_chosen)
        self.view_panel.add(self.tr("Train at"), self._pace)
        return self._pace

    def add_beside(self, widget: QWidget) -> None:
        """Add a choice beside the shapes."""
        self._further.addWidget(widget)

    def offer_page(self, page: str, on: bool) -> None:
        """Offer a page in the buttons and in the list, or in neither."""
        self.page_buttons.offer(page, on)
        at = self.page_box.findData(page)
        self.page_box.view().setRowHidden(at, not on)  # type: ignore[attr-defined]
        self.page_box.model().item(at).setEnabled(on)  # type: ignore[attr-defined]

    @property
    def look(self) -> Look:
        """The theme and the type scale."""
        return self._look

    @property
    def view(self) -> ViewT:
        """The view settings."""
        return self.current_view.value

    @property
    def view_on_screen(self) -> ViewT:
        """The view settings with what the mouse previews beyond the selection."""
        return self.view

    @property
    def map_name(self) -> str:
        """The colour map of weights."""
        return self.view.colour_map

    @property
    def weight_table(self) -> ColourTable:
        """The colours of weights."""
        return colour_table(self.map_name, self._look.theme)

    @property
    def pace(self) -> float | None:
        """The chosen pace of a training, in steps per second; None is no limit."""
        return None if self._pace is None else self._pace.pace

    @property
    def stretches(self) -> bool:
        """Whether contrast has several ways, see `CONTRASTS`."""
        return False

    @property
    def page(self) -> Page[Any]:
        """The page on screen."""
        return self.pages.pages[self.view.page]

    @property
    def close_up(self) -> QWidget:
        """The large picture of the page on screen."""
        return self.page.close_up

    def width_needed(self) -> int:
        """Return the width in pixels below which the window should fold its panels."""
        return self._look.px(round(_NEEDED * self.page.pictures_across))

    def show_trace(self, trace: TraceT) -> None:
        """Draw a trace with the view settings, adapted to what it has; a lab's stage overrides it."""
        raise NotImplementedError

    def show_view(self) -> None:
        """Draw the trace, if there is one, with the view settings; a lab's stage overrides it."""
        raise NotImplementedError

    def show_widgets(self) -> None:
        """Show the view settings in the widgets around the picture; a lab's stage overrides it, and calls this."""
        self.strip.light(self.page.with_stages)
        if self.view.drawn in self.strip.offered and self.view.drawn != self.strip.stage:
            self.strip.press(self.view.drawn)
        self.page_buttons.show_value(self.view.page)
        self.page_box.setCurrentIndex(self.page_box.findData(self.view.page))
        self.maps.setCurrentIndex(self.maps.findData(self.view.colour_map))
        self.contrast.setChecked(self.view.reaches_largest)

    def show_header(self, latex: str, spoken: str, shapes: str) -> None:
        """Show a formula, its text for screen readers, and the shapes in and out."""
        self.formula.show_formula(latex, spoken)
        self.shapes.setText(shapes)
        self.shapes.setToolTip(shapes)
        self._place()

    @Slot()
    def say(self) -> None:
        """Say in one sentence what the picture shows: that of the page, or of the trace and the selection.

        Nothing while numbers are hidden, for it tells them.
        """
        text = self.page.words
        if not text and self.trace is not None:
            sentence = self._lab.sentence_of(self.trace, self.view_on_screen, self._selection.current)
            text = sentence.translated(translate)
        if not self._look.numbers:
            text = ""
        if text != self.sentence.text():
            self.sentence.setText(text)
            self.sentence.setToolTip(as_plain(text))
        if self.page.hint:
            self.read_out.setText(self.page.hint)
        note = "" if self.trace is None else self.trace.untrained_note.translated(translate)
        if note != self.note.text():
            self.note.setText(note)
            if self._look.present:  # elsewhere the note is below the form
                self._place()

    def show_colours(self, line: ColourLine | None) -> None:
        """Show the colour bar below the picture; None hides it."""
        shown = self.bar.isVisibleTo(self)
        self.bar.setVisible(line is not None)
        if line is not None:
            signs = {"masked": line.masked, "not_finite": line.not_finite, "dropped": line.dropped}
            self.bar.show_scale(line.scale, line.table, line.caption, **signs)
        if shown != (line is not None):
            self._place()

    @Slot()
    def select(self) -> None:
        """Follow the selection; a lab's stage overrides it."""

    def show_stage(self, stage: str) -> None:
        """Show another step of the mechanism."""
        self.strip.go_to(stage)

    def restyle(self, look: Look) -> None:
        """Apply a theme and type scale; a lab's stage overrides it, and calls this first."""
        self._look = look
        for part in (self.player, self.formula, self.bar):
            part.restyle(look)
        for label in (self.sentence, self.note):
            label.setProperty("caption", look.present)
            label.style().unpolish(label)
            label.style().polish(label)
            side = look.px(12) if look.present else 0
            label.setContentsMargins(side, 0, side, 0)
        self.say()
        self._place()

    @override
    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._place()

    @override
    def hideEvent(self, event: QHideEvent) -> None:
        """Close the panel of the view with the picture that it is about: another lab is entered."""
        super().hideEvent(event)
        self.view_panel.hide()

    @property
    def focus_strip(self) -> StageStrip:
        """The strip that gets the keyboard when the stage does."""
        return self.strip if self.outer is None or self.lengths.strip else self.outer

    @property
    def frame(self) -> StageFrame:
        """Where the parts are."""
        return frame_of(self.width(), self.height(), self.lengths)

    @property
    def lengths(self) -> Lengths:
        """What is measured of the parts before they are placed."""
        look, present = self._look, self._look.present
        several = self.page_box.count() > 1
        further = self.further.sizeHint().width() if any_shown(self.further) else 0
        return Lengths(
            scale=look.scale,
            present=present,
            pages=self.page_buttons.sizeHint().width() if several else 0,
            pages_menu=self.page_box.sizeHint().width() if several else 0,
            strip=self.strip.full_width,
            strip_short=self.strip.short_width,
            play=self.player.sizeHint().width() if len(self.strip.offered) > 1 else 0,
            view=self.view_button.sizeHint().width(),
            formula=self.formula.sizeHint().width(),
            formula_height=self.formula.sizeHint().height(),
            shapes=self.shapes.sizeHint().width(),
            further=further,
            legend=look.px(self.legend_width) if self.bar.isVisibleTo(self) else 0,
            sentence=True,
            sentence_width=self.sentence_width,
            note=min(self.note.sizeHint().width() + look.px(24), self.width() // 3) if self.note.text() else 0,
            read_out=look.px(self.read_out_width),
            outer=0 if self.outer is None else self.outer.full_width,
            outer_short=0 if self.outer is None else self.outer.short_width,
        )

    @Slot()
    def _place(self) -> None:
        if not hasattr(self, "pages"):
            return
        frame = self.frame
        if self.outer is not None:
            self.outer.setGeometry(*map(round, frame.outer))
            if frame.strip == NOWHERE and self.strip.hasFocus():
                self.outer.setFocus(Qt.FocusReason.OtherFocusReason)  # Qt would pass the keyboard to a button
        for widget, place in (
            (self.page_buttons, frame.pages),
            (self.page_box, frame.pages_menu),
            (self.strip, frame.strip),
            (self.player, frame.play),
            (self.view_button, frame.view),
            (self.formula, frame.formula),
            (self.shapes, frame.shapes),
            (self.further, frame.further),
            (self.sentence, frame.sentence),
            (self.note, frame.note),
            (self.pages, frame.picture),
            (self.bar, frame.legend),
            (self.read_out, frame.read_out),
        ):
            widget.setVisible(place != NOWHERE)
            if place != NOWHERE:
                widget.setGeometry(*map(round, place))

    @Slot()
    def _choose_stage(self) -> None:
        """Show the step chosen in the strip; a lab's stage overrides it if the choice also changes the page."""
        self.current_view.propose(stage=self.strip.stage)

    @Slot()
    def _press_page(self) -> None:
        self._turn_page(self.page_buttons.value)

    @Slot()
    def _list_page(self) -> None:
        self._turn_page(self.page_box.currentData())

    def _turn_page(self, page: str) -> None:
        self.current_view.propose(page=page)
        self.page_chosen.emit()

    @Slot()
    def _open_view(self) -> None:
        self.view_panel.open_below(self.view_button)

    @Slot(bool)
    def _choose_contrast(self, on: bool) -> None:
        self.current_view.propose(**{self.contrast_field: on})

    @Slot()
    def _choose_map(self) -> None:
        self.map_chosen.emit(self.maps.currentData())

    @Slot()
    def _change(self) -> None:
        self.show_widgets()
        self.show_view()


def any_shown(holder: QWidget) -> bool:
    """Return whether a widget holds one that is not hidden."""
    return any(not child.isHidden() for child in holder.findChildren(QWidget, options=_DIRECT))


_DIRECT = Qt.FindChildOption.FindDirectChildrenOnly


def _box_of(name: str, choices: tuple[tuple[str, str, str], ...], parent: QWidget) -> ComboBox:
    box = ComboBox(parent)
    box.setAccessibleName(name)
    for value, text, help_text in choices:
        box.addItem(text, value)
        box.setItemData(box.count() - 1, help_text, Qt.ItemDataRole.ToolTipRole)
    box.setSizeAdjustPolicy(ComboBox.SizeAdjustPolicy.AdjustToContents)
    return box
