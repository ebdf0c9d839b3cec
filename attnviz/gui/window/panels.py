"""The middle of the window: controls on the left, notice and stage, inspector and notes on the right."""

import contextlib
from dataclasses import replace
from string import ascii_lowercase
from typing import Any

from PySide6.QtCore import QPoint, QRect, QSettings, Qt, Signal, Slot
from PySide6.QtGui import (
    QKeyEvent,
    QKeySequence,
    QResizeEvent,
    QShortcut,
)
from PySide6.QtWidgets import QAbstractButton, QScrollArea, QStackedWidget, QToolButton, QWidget
from typing_extensions import override

from attnviz.experiment.files.specs_in_files import Preset
from attnviz.gui.labs.lab_stage import LabStage
from attnviz.gui.labs.room import AnyRoom
from attnviz.gui.labs.rooms import Rooms
from attnviz.gui.session.settings import Changes
from attnviz.gui.theme import LIGHT, Look, dress
from attnviz.gui.widgets.gestures import Gesture
from attnviz.gui.widgets.labels import caption, show_text
from attnviz.gui.widgets.layouts import column_of, scrolling
from attnviz.gui.widgets.letters import VIEW
from attnviz.gui.widgets.words import translate
from attnviz.gui.window.folding import (
    RAIL,
    RAIL_IN_PRESENT,
    Side,
    Sides,
    folded_sides,
    one_open,
    toggled,
    widths,
    with_side,
)
from attnviz.gui.window.notes import Notes
from attnviz.gui.window.notice import Notice
from attnviz.gui.window.side_panel import SidePanel

_MOST_CONTROLS = 0.45
"""The largest share of the height for the controls of a step."""
_NO_LIMIT = 16_777_215
"""Qt's QWIDGETSIZE_MAX."""
_STEPS: dict[int, int] = {Qt.Key.Key_Left: -1, Qt.Key.Key_Right: 1}
_UNMODIFIED = (Qt.KeyboardModifier.NoModifier, Qt.KeyboardModifier.KeypadModifier)
_LETTERS = "".join(letter for letter in ascii_lowercase if letter != VIEW)


FIRST_SIDES = Side(276), Side(296)
"""The panels at a first start."""
_SIDE_NAMES = "left", "right"
_FOLDS = {None: "as the window", True: "yes", False: "no"}
"""The folded state of a panel in settings."""
_BESIDE_WIDTH = 380
"""The least width, at scale 1, of a panel in place of the inspector, whose text is read."""
_NEEDED = 560
"""The width in pixels, at scale 1, of a page whose room does not exist yet."""


class Panels(QWidget):
    """Shows one room at a time; before its first picture a message replaces the stage.

    The panels beside the stage fold and have user-defined widths; in Present they are folded at first.
    """

    GESTURES = (
        Gesture("Left, Right", "Show the stage or the new token before or after, while no cell is held", "Present"),
        Gesture("Left, Right", "Show the new token before or after, where nothing else uses the keys", "Model"),
        Gesture("Space", "Run or pause a training, where the focused widget has no use for it", "Anywhere"),
        Gesture("Click", "Fold or open the panel", "Arrow or rail of a panel"),
    )
    _question: QWidget | None = None  # of a lesson, in place of the picture
    _lesson: tuple[QWidget, ...] | None = None  # what tells the step of a lesson, and the buttons around it
    _named = ""  # what the form is of
    _about_holds = False  # whether the preset's sentence is true of the spec as it is
    _about_of = ""  # the lab whose preset's sentence has room above the form
    _reading = False  # whether a lesson is open
    instead: QWidget | None = None
    """A page about more than the picture, shown in place of it."""
    _fitted_for = 0  # the width in pixels that the page needed when they were last placed
    space_pressed = Signal()
    """The space bar was pressed where no widget had a use for it."""
    step_pressed = Signal(int)
    """Left (-1) or Right (1) was pressed where no widget had a use for it."""
    moved = Signal()
    """The panels or the page have moved."""
    beside_folded = Signal()
    """The user folds the panel that replaces the inspector."""

    def __init__(self, rooms: Rooms) -> None:
        super().__init__()
        self._rooms = rooms
        rooms.built.connect(self._take_in)
        self._look = Look(LIGHT)
        self._sides: Sides = FIRST_SIDES
        self._before_present: Sides = FIRST_SIDES
        self._labs_on_screen: dict[str, str] = {}  # of the controls and of the stage, which follows with its trace
        self._areas: dict[AnyRoom, tuple[QWidget, QWidget]] = {}  # its form and its inspector, each where it scrolls
        self.waiting = caption(self.tr("Loading PyTorch ..."), name="waiting", wraps=True, plain=True)
        self.waiting.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self._controls, self._inspectors = QStackedWidget(), QStackedWidget()
        self.stages = QStackedWidget()
        """What shows the stage of one lab, or a sentence in its place."""
        self._controls.setObjectName("controls")
        self._inspectors.setObjectName("inspector")
        self._inspectors.addWidget(QWidget())  # before a lab's first picture
        self.stages.addWidget(self.waiting)
        self.notice = Notice()
        self.about, self.note = (caption(name=name, wraps=True, plain=True) for name in ("about", "note"))
        self.note.setIndent(0)
        self.learned = QToolButton()
        """Opens the manual at the lab in which weights are learned; beside the note that they are random."""
        self.learned.setText(self.tr("Where weights are learned"))
        self.learned.setObjectName("noteLink")
        self.learned.setCursor(Qt.CursorShape.PointingHandCursor)
        self.learned.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self._of_preset: list[QWidget] = [self.about]
        self.notes = Notes()
        controls, right, self._readings, self.page = QWidget(), QWidget(), QWidget(), QWidget(self)
        self._of_form = above, below = QWidget(), QWidget()  # what is above and below it, and not beside a lesson
        self._around_form = column_of(above, self.about, gap=0), column_of(below, self.note, self.learned, gap=0)
        self._left_column = column_of(controls, above, self._controls, below, gap=0, wide=(self._controls,))
        column_of(self._readings, self._inspectors, self.notes, gap=0, wide=(self._inspectors,))
        self._right_column = column_of(right, self._readings, gap=0, wide=(self._readings,))
        self.beside: QWidget | None = None
        """What is in place of the inspector, but in Present."""
        self._picture: QWidget = self.waiting  # the stage on screen, or what is in its place before its first trace
        self._above = QWidget()
        self._above_column = column_of(self._above, gap=0)
        column_of(self.page, self._above, self.stages, self.notice, gap=0, wide=(self.stages,))
        self.left = SidePanel(self.tr("Controls"), controls, at_left=True, parent=self)
        self.right = SidePanel(self.tr("Inspector"), right, at_left=False, parent=self)
        self._letters = [QShortcut(QKeySequence(f"Alt+{letter}"), self, self._go_by_letter) for letter in _LETTERS]
        self.left.mouse_left.connect(self._fit_about)
        for panel in (self.left, self.right):
            panel.fold_asked.connect(self._toggle)
            panel.dragged.connect(self._drag)
        for part in (self.about, self.note, self.learned):
            part.hide()
        own = self.about, self.note, self.learned, self.notes, self.notice, self.waiting, self._above
        heads = self.left.heading, self.left.button, self.right.heading, self.right.button
        self._dressed: list[QWidget] = [*own, *heads]

    @property
    def own_sides(self) -> Sides:
        """The user's widths and folds; Present has its own."""
        return self._before_present if self._look.present else self._sides

    def take_sides(self, sides: Sides) -> None:
        """Set the widths and folds of the last window."""
        self._sides = self._before_present = sides
        self.fit()

    def save(self, settings: QSettings | Changes) -> None:
        """Store the widths and folds for the next window."""
        for name, side in zip(_SIDE_NAMES, self.own_sides, strict=True):
            settings.setValue(f"panels/{name}_width", side.width)
            settings.setValue(f"panels/{name}_folded", _FOLDS[side.folded])

    def load(self, settings: QSettings) -> None:
        """Load the widths and folds of the last window; a broken settings file changes nothing."""
        sides = []
        for name, first in zip(_SIDE_NAMES, FIRST_SIDES, strict=True):
            width, fold = (settings.value(f"panels/{name}_{what}") for what in ("width", "folded"))
            side = replace(first, folded={said: folded for folded, said in _FOLDS.items()}.get(str(fold)))
            with contextlib.suppress(TypeError, ValueError):
                side = side.resized(int(width))
            sides.append(side)
        self.take_sides((sides[0], sides[1]))

    def put_above_stage(self, bar: QWidget) -> None:
        """Put a bar between the top bar and the stage; hidden in Present."""
        self._above_column.addWidget(bar)

    def add_beside(self, panel: QWidget) -> None:
        """Add a panel for `show_beside`, hidden initially."""
        panel.hide()
        self._dressed.append(panel)
        dress(panel, self._look)
        self._right_column.addWidget(panel, 1)

    def show_beside(self, panel: QWidget | None) -> None:
        """Show a panel of `add_beside` in place of the inspector and the notes; None shows these again.

        It is hidden in Present.
        """
        if self.beside is not None:
            self.beside.hide()
        self.beside = panel
        self._show_readings()
        self.fit()

    def _show_readings(self) -> None:
        """Show the panel beside the picture, or the inspector and the notes."""
        beside = None if self._look.present else self.beside
        if self.beside is not None:
            self.beside.setVisible(beside is not None)
        self._readings.setVisible(beside is None and self._question is None)
        self.right.heading.setText(self.right.rail.text() if beside is None else beside.accessibleName())

    def add_lesson(self, panel: QWidget, head: QWidget, foot: QWidget, question: QWidget) -> None:
        """Add a lesson's panel, the buttons above and below it, and the page that replaces a hidden picture."""
        self._lesson = panel, head, foot
        for part in self._lesson:
            part.hide()
        self.left.head.insertWidget(1, head)
        self._left_column.insertWidget(0, panel, 1)
        self._left_column.addWidget(foot)
        self.stages.addWidget(question)
        self._dressed += [panel, head, foot, question]

    def add_links(self, above: QWidget, below: QWidget) -> None:
        """Add links to lessons: above and below the form."""
        self._of_preset.append(above)
        for column, links in zip(self._around_form, (above, below), strict=True):
            column.addWidget(links)
            self._dressed.append(links)

    def show_lesson(self, on: bool, *, controls: bool) -> None:
        """Show the lesson, or the form alone again; ``controls``: a part of the form, or all of it, is below it."""
        assert self._lesson is not None
        began, self._reading = on and not self._reading, on
        for part in self._lesson:
            part.setVisible(on)
        self._controls.setVisible(controls)
        self.left.heading.setText(self._lesson[0].accessibleName() if on else self._named)
        for part in self._of_form:
            part.setVisible(not on)
        if began:
            self._sides = replace(self._sides[0], folded=None), self._sides[1]
        self.fit()

    def fit_controls(self) -> bool:
        """Give the form below a lesson the height that it needs, but the lesson at least the larger part.

        Return whether the height has changed.
        """
        form = self._controls.currentWidget()
        fields = form.widget() if isinstance(form, QScrollArea) else None
        height = _NO_LIMIT
        if self._reading and fields is not None:
            height = min(fields.sizeHint().height(), round(self.height() * _MOST_CONTROLS))
        before = self._controls.maximumHeight()
        self._controls.setMaximumHeight(height)
        self._controls.setMinimumHeight(0 if height == _NO_LIMIT else height)  # a text guesses its own too high
        layout = None if fields is None else fields.layout()
        if fields is not None and layout is not None and layout.geometry().size() != fields.size():
            layout.invalidate()  # Qt resizes a form that is being shown without telling its layout
        return height != before

    def ask(self, question: QWidget | None) -> None:
        """Show a question in place of the picture and the inspector, or (None) these again."""
        self._question = question
        self._show_readings()
        self._show_page()

    def show_instead(self, page: QWidget | None) -> None:
        """Show a page in place of the picture, the inspector beside it, or (None) the picture again."""
        self.instead = page
        if page is not None and self.stages.indexOf(page) < 0:
            self.stages.addWidget(page)
        self._show_page()

    def show_preset(self, preset: Preset | None, named: str) -> None:
        """Name the preset above the form, with its description; None: show ``named`` instead.

        The description of a changed preset may not be true any more.
        """
        self._named = named if preset is None else translate(preset.title)
        if not self._reading:
            self.left.heading.setText(self._named)
        if preset is not None and (about := translate(preset.about)) != self.about.text():
            show_text(self.about, about)
        self._about_holds = preset is not None
        self._fit_about()

    @Slot()
    def _fit_about(self) -> None:
        """Show or hide the description of a preset; its room stays, so that the form does not move at a change."""
        lab = self._labs_on_screen["controls"]
        has_room = self._about_of == lab
        if self._about_holds and not has_room and self.left.underMouse():
            return  # until the mouse has left
        self._about_of = lab if has_room or self._about_holds else ""
        for part in self._of_preset:
            policy = part.sizePolicy()
            policy.setRetainSizeWhenHidden(bool(self._about_of))
            part.setSizePolicy(policy)
            part.setVisible(self._about_holds)

    def show_note(self, text: str, *, learns: bool) -> None:
        """Show a note about the weights below the form, such as that they are random; "" for none.

        A lab that ``learns`` them needs no link to learned weights.
        """
        show_text(self.note, text)
        self.learned.setVisible(bool(text) and not learns)

    @override
    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.fit()

    @override
    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Space and not event.isAutoRepeat():
            self.space_pressed.emit()
        elif event.key() in _STEPS and event.modifiers() in _UNMODIFIED:
            self.step_pressed.emit(_STEPS[event.key()])
        else:
            super().keyPressEvent(event)

    @Slot()
    def fit(self) -> None:
        """Place the panels and the page; fold those that the page leaves no room for."""
        sides = self._sides
        if self._reading and sides[0].folded is None:  # it was asked for
            sides = replace(sides[0], folded=False), sides[1]
        if self.beside is not None and not self._look.present:  # it was asked for: it has room to be read
            sides = sides[0], Side(max(sides[1].width, _BESIDE_WIDTH), folded=False)
        width, height, scale, present = self.width(), self.height(), self._look.scale, self._look.present
        needed = self._fitted_for = self._needed
        folds, rail = folded_sides(width, scale, sides, needed), RAIL_IN_PRESENT if present else RAIL
        left, right = widths(width, scale, sides, folds, rail)
        shown = (
            (self.left, folds[0], QRect(0, 0, left, height)),
            (self.right, folds[1], QRect(width - right, 0, right, height)),
        )
        for panel, folded, place in shown:
            if panel.folded is not folded:
                panel.fold(folded)
            if panel.geometry() != place:  # to raise a panel paints it anew, with all that is in it
                panel.setGeometry(place)
                panel.raise_()
        self.page.setGeometry(left, 0, max(0, width - left - right), height)
        for letter in self._letters:  # those of the form, which Qt forgets while it is hidden
            letter.setEnabled(folds[0])
        self._offer_knobs()
        self.fit_controls()
        self.moved.emit()

    def fold_as(self, others: "Panels") -> None:
        """Fold the sides as in another window."""
        self._sides, self._before_present = others._sides, others._before_present
        self.fit()

    def show_controls(self, lab: str) -> None:
        """Show the form and, once it has something to show, the inspector of a lab."""
        room = self._rooms.enter(lab)
        form, inspector = self._areas[room]
        self._labs_on_screen["controls"] = lab
        self._controls.setCurrentWidget(form)
        if room.stage.trace is None:
            self._inspectors.setCurrentIndex(0)
        else:
            self._inspectors.setCurrentWidget(inspector)

    def show_stage(self, lab: str, *, waits: bool = False) -> None:
        """Show the stage of a lab and its inspector, or that it ``waits`` for its first picture."""
        if waits:
            self.waiting.setText(self.tr("Computing the first picture of this lab ..."))
            self._picture = self.waiting
        else:
            room = self._rooms.enter(lab)
            self._inspectors.setCurrentWidget(self._areas[room][1])
            self._labs_on_screen["stage"], self._picture = lab, room.stage
        self._show_page()

    def _show_page(self) -> None:
        """Show the question of a lesson, or else the page in place of the picture, or else the picture."""
        page = self._question or self.instead or self._picture
        focused, another = self.window().focusWidget(), self.stages.currentWidget() is not page
        had_keyboard = another and focused is not None and self.stages.isAncestorOf(focused)
        self.stages.setCurrentWidget(page)
        if isinstance(page, LabStage) and (had_keyboard or self.stages.hasFocus()):
            # Qt would give it to the list of the pages, which Space opens; Left and Right step through the stages.
            page.focus_strip.setFocus(Qt.FocusReason.OtherFocusReason)
        if another or self._reading:
            self.fit()
        self.fit_page()

    def fit_page(self) -> None:
        """Place the panels anew if the page on screen needs another width."""
        if self._needed != self._fitted_for:
            self.fit()

    @property
    def strip_place(self) -> QRect:
        """The rectangle of the stages' strip on the page; empty without one."""
        stage = self.stages.currentWidget()
        if not isinstance(stage, LabStage):
            return QRect()
        return QRect(stage.strip.mapTo(self.page, QPoint()), stage.strip.size())

    def focus_stage(self) -> None:
        """Focus the strip of the stages on screen, or its placeholder."""
        stage = self.stages.currentWidget()
        (stage.focus_strip if isinstance(stage, LabStage) else self.stages).setFocus(Qt.FocusReason.OtherFocusReason)

    def focus_next(self, bar: QWidget) -> None:
        """Focus the next of the controls, the stage, the inspector and the bar, at its last focused widget."""
        parts = [part for part in (self.left, self.page, self.right, bar) if part.isVisible()]
        focused = self.window().focusWidget()
        at = next((place for place, part in enumerate(parts) if focused and part.isAncestorOf(focused)), -1)
        part = parts[(at + 1) % len(parts)]
        last = part.rail if isinstance(part, SidePanel) and part.folded else part.focusWidget()
        if last is not None and last.isVisible() and last.isEnabled():
            last.setFocus(Qt.FocusReason.TabFocusReason)
        elif part is self.page:
            self.focus_stage()
        else:
            _focus_first(self._controls if part is self.left else self._inspectors if part is self.right else bar)

    def restyle(self, look: Look) -> None:
        """Apply a theme and type scale, rooms included. Notes are hidden in Present."""
        if look.present and not self._look.present:
            self._before_present = self._sides
            self._sides = replace(self._sides[0], folded=not self._reading), replace(self._sides[1], folded=True)
        elif self._look.present and not look.present:
            self._sides = self._before_present
        self._look = look
        self._show_readings()
        for part in self._dressed:
            dress(part, look)
        for part in (self.notes, self._above):
            part.setVisible(not look.present)
        for panel in (self.left, self.right):
            panel.restyle(look)
        self._rooms.restyle(look, set(self._labs_on_screen.values()))
        self.fit()

    @property
    def _needed(self) -> int:
        """The width in pixels that the page on screen needs; in Present it has all of it."""
        lab = self._labs_on_screen.get("stage")
        if self._look.present:
            return 0
        return self._look.px(_NEEDED) if lab is None else self._rooms[lab].stage.width_needed()

    @Slot()
    def _offer_knobs(self) -> None:
        """Show the field of the preset above the picture, unless the form beside it has it."""
        for room in self._rooms.values():
            room.stage.head.offer_knob(self.left.folded)

    @Slot()
    def _go_by_letter(self) -> None:
        """Handle a mnemonic of the folded form: flip a switch, or go to the field."""
        letter: Any = self.sender()
        room = self._rooms[self._labs_on_screen["controls"]]
        field = room.form.field_at(letter.key().toString()[-1].lower())
        lead = room.form.lead_of(field) if field else None
        if isinstance(lead, QAbstractButton):
            lead.click()
        elif field:
            self._go_to(field)

    @Slot(str)
    def _go_to(self, field: str) -> None:
        """Focus a field: above the picture in Present, or in the form, expanded."""
        room = self._rooms[self._labs_on_screen["controls"]]
        knob = room.stage.head.knob
        if knob is not None and knob.alone == field and knob.isVisible():
            knob.go_to(field)
            return
        if self.left.folded:
            self.left.fold_asked.emit()
        room.form.go_to(field)

    @Slot()
    def _toggle(self) -> None:
        """Fold or open the panel that requested it."""
        place = int(self.sender() is self.right)
        if place == 1 and self.beside is not None and not self._look.present:
            self.beside_folded.emit()
            return
        if place == 0 and self._reading:
            self._sides = with_side(self._sides, 0, replace(self._sides[0], folded=not self.left.folded))
        else:
            self._sides = toggled(self.width(), self._look.scale, self._sides, place, self._needed)
        if self._look.present and not self._sides[place].folded:
            self._sides = one_open(self.width(), self._look.scale, self._sides, place)
        self.fit()

    @Slot(int)
    def _drag(self, width: int) -> None:
        """Resize the dragged panel, at most to the width that the page allows: nothing folds during a drag."""
        place = int(self.sender() is self.right)
        panel, other = (self.right, self.left) if place else (self.left, self.right)
        most = max(panel.width(), self.width() - other.width() - self._needed)
        wished = FIRST_SIDES[place].width if width < 0 else min(width, most) / self._look.scale
        self._sides = with_side(self._sides, place, self._sides[place].resized(wished))
        self.fit()

    @Slot(object)
    def _take_in(self, room: AnyRoom) -> None:
        form, inspector = self._areas[room] = scrolling(room.form), scrolling(room.inspector)
        room.parts = form, room.stage, inspector
        form.verticalScrollBar().valueChanged.connect(self.moved)
        form.verticalScrollBar().rangeChanged.connect(self.moved)  # a message makes a form longer
        self._controls.addWidget(form)
        self.stages.addWidget(room.stage)
        self._inspectors.addWidget(inspector)
        room.current_view.changed.connect(self.fit)  # another page may need another width
        room.stage.head.knob_changed.connect(self._offer_knobs)
        room.field_asked.connect(self._go_to)
        room.pin_shown.connect(self.fit)  # the three pictures of a comparison are wider than one


def _focus_first(part: QWidget) -> None:
    """Focus the first widget of a part in tab order."""
    widget = part.nextInFocusChain()
    while widget is not None and widget is not part:
        takes_it = widget.focusPolicy() & Qt.FocusPolicy.TabFocus and widget.isVisible() and widget.isEnabled()
        if takes_it and part.isAncestorOf(widget):
            widget.setFocus(Qt.FocusReason.TabFocusReason)
            return
        widget = widget.nextInFocusChain()
