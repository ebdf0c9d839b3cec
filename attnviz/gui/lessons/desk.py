"""The lecturer's desk: a window beside the audience's, with speaker notes, the answer, and the time."""

from dataclasses import replace

from PySide6.QtCore import QLocale, Qt, QTime, QTimer, Signal, Slot
from PySide6.QtGui import QCloseEvent, QHideEvent, QKeySequence, QResizeEvent, QShortcut, QShowEvent
from PySide6.QtWidgets import QFrame, QLabel, QSizePolicy, QToolButton, QWidget
from typing_extensions import override

from attnviz.experiment.lessons.lesson import LETTERS
from attnviz.gui.lessons.desk_parts import (
    AnswerCard,
    DeskText,
    HallPicture,
    KeyHint,
    LessonClock,
    NextCard,
    TimeLine,
    desk_label,
    time_said,
)
from attnviz.gui.lessons.lesson_panel import LessonPanel
from attnviz.gui.lessons.open_lesson import OpenLesson
from attnviz.gui.theme import Look, restyle, set_state, style_sheet
from attnviz.gui.widgets.buttons import tiny_button
from attnviz.gui.widgets.explained import place_in_manual
from attnviz.gui.widgets.gestures import Gesture
from attnviz.gui.widgets.labels import ElidingLabel, caption
from attnviz.gui.widgets.layouts import FlowLayout, column_of, row_of, scrolling
from attnviz.gui.window.actions import FOR_AUDIENCE, Actions

SIZE = 1280, 800
"""The size at which its type has the usual size."""
_SCALE, _LEAST_SCALE = 1.3, 14 / 11
"""The type scale at that size, and the least one: no type is smaller than 14 pixels."""
_LEFT = 320
"""The width of the left column, at scale 1."""
_SAID = 1.3
"""The type scale of text that is read while speaking, relative to other text."""
ZOOMS = (0.7, 0.8, 0.9, 1.0, 1.1, 1.2, 1.35, 1.5, 1.7, 2.0)
"""The zoom factors of that text."""
_TICK_MS = 250
_ACTIONS = ("page_on", "page_back", "present", "desk", "theme", "undo", "redo", *FOR_AUDIENCE)
"""The actions of the window that also work here."""


class Desk(QWidget):
    """Follows an open lesson and controls it, with the actions of the window."""

    GESTURES = (
        Gesture("+, -", "Larger or smaller text", "Lecturer's desk"),
        Gesture("A to F", "Choose an answer", "Lecturer's desk"),
        Gesture("Click", "Stop the clock, or let it run on", "Time on the lecturer's desk"),
    )
    closed = Signal()
    """The user closed it, or `close` was called."""

    def __init__(
        self,
        window: QWidget,
        hall: QWidget,
        lesson: OpenLesson,
        panel: LessonPanel,
        clock: LessonClock,
        actions: Actions,
    ) -> None:
        """Create the desk; ``hall`` is the part of the window that the audience sees."""
        super().__init__(window)
        self.setWindowFlag(Qt.WindowType.Window)
        self.setWindowTitle(self.tr("Lecturer's desk - attnviz"))
        place_in_manual(self, "lessons#the-lecturers-desk")
        self._lesson, self._panel, self._clock, self._actions = lesson, panel, clock, actions
        self._look: Look | None = None
        self.zoom = 1.0
        """How large what is read is, a part of the usual size."""
        self.body = QWidget()
        self.body.setObjectName("deskBody")
        self._make_bar()
        self._make_left(window, hall)
        self._make_right()
        self._between = QFrame()
        self._between.setObjectName("deskLine")
        self._between.setFixedWidth(1)
        self._columns = row_of(None, self.left, self._between, self.right, gap=24, wide=(self.right,))
        column_of(self.body, self.bar, self.line, self._columns, gap=0, wide=(self._columns,))
        column_of(self, self.body)
        self._letters = [QShortcut(QKeySequence(letter), self, self._choose) for letter in LETTERS]
        for keys, slot in (("+", self.enlarge), ("=", self.enlarge), ("-", self.reduce)):
            QShortcut(QKeySequence(keys), self, slot)
        self.addActions([actions[key] for key in _ACTIONS])
        for key in FOR_AUDIENCE:
            actions[key].changed.connect(self._offer_keys)
        self._tick = QTimer(self, interval=_TICK_MS)
        self._tick.timeout.connect(self.show_time)
        lesson.changed.connect(self.show_step)
        lesson.checked.connect(self.show_step)

    def _make_bar(self) -> None:
        self.number, self.title = caption(name="deskNumber"), ElidingLabel()
        self.title.setObjectName("deskTitle")
        self.title.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        about = caption(self.tr("lecturer's desk; the audience sees the other window"))
        names = column_of(None, row_of(None, self.number, self.title, gap=10), about, gap=2)
        self.of_minutes = caption()
        self.of_minutes.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        self.gone = QToolButton()
        self.gone.setObjectName("deskTime")
        self.gone.setToolTip(self.tr("Stop the clock, or let it run on"))
        self.gone.clicked.connect(self._clock.toggle)
        self.gone.clicked.connect(self.show_time)
        self.reset = tiny_button(self.tr("Reset"), self._clock.reset, self.tr("Set the clock to zero"))
        self.reset.clicked.connect(self.show_time)
        self.wall = caption(name="deskTime")
        self.wall.setAccessibleName(self.tr("Time of day"))
        self.bar = QWidget()
        self.bar.setObjectName("deskBar")
        row = row_of(self.bar, names, self.of_minutes, self.gone, self.reset, self.wall, gap=12, wide=(names,))
        row.setContentsMargins(24, 10, 24, 10)
        self.line = TimeLine()

    def _make_left(self, window: QWidget, hall: QWidget) -> None:
        self.now_title, self.next_title = QLabel(), QLabel()
        self.hidden = caption()
        self.picture = HallPicture(window, hall)
        self.next = NextCard(self._lesson)
        self.steps: list[QToolButton] = []
        self._of_steps = QWidget()
        self._flow = FlowLayout(self._of_steps, gap=6, line_gap=6)
        now, after = desk_label(self.tr("Now")), desk_label(self.tr("Next"))
        for title in (self.now_title, self.next_title):
            title.setObjectName("stepTitle")
            title.setTextFormat(Qt.TextFormat.PlainText)  # it may look like markup
            title.setWordWrap(True)
        self.left = QWidget()
        column = column_of(
            self.left,
            row_of(None, now, self.now_title, self.hidden, gap=12, wide=(self.now_title,)),
            self.picture,
            row_of(None, after, self.next_title, gap=12, wide=(self.next_title,)),
            self.next,
            desk_label(self.tr("All steps")),
            self._of_steps,
            gap=10,
            wide=(self.next,),
        )
        column.setContentsMargins(24, 20, 0, 20)

    def _make_right(self) -> None:
        self.say, self.nothing = DeskText(bullets=True), caption(self.tr("No notes for this step."))
        self.answer = AnswerCard(self._lesson)
        self.page = QWidget()
        self.page.setObjectName("deskPage")
        self._page = column_of(self.page, self.say, self.nothing, None, self.answer, gap=20)
        self._page.setContentsMargins(0, 0, 6, 0)
        self.area = scrolling(self.page)
        self.hints = {
            "page_on": KeyHint(self.tr("PgDn"), self.tr("next")),
            "page_back": KeyHint(self.tr("PgUp"), self.tr("back")),
            "letters": KeyHint("A", self.tr("answer")),
            "blank": KeyHint("B", self.tr("blank")),
            "hide_numbers": KeyHint("N", self.tr("numbers")),
            "freeze": KeyHint("Z", self.tr("freeze")),
            "spotlight": KeyHint("L", self.tr("light")),
            "size": KeyHint("+ −", self.tr("text size")),
        }
        of_hints = QWidget()
        flow = FlowLayout(of_hints, gap=16, line_gap=6)
        for hint in self.hints.values():
            flow.addWidget(hint)
        self.on = QToolButton()
        self.on.setObjectName("primary")
        self.on.clicked.connect(self._panel.go_on)
        foot = row_of(None, of_hints, self.on, gap=16, wide=(of_hints,))
        self.right = QWidget()
        column = column_of(self.right, desk_label(self.tr("Say")), self.area, foot, gap=10, wide=(self.area,))
        column.setContentsMargins(0, 20, 24, 20)

    def restyle(self, look: Look) -> None:
        """Apply a theme; the type has the size that fits the desk."""
        self._look = look
        self._restyle()

    @Slot()
    def enlarge(self) -> None:
        """Enlarge the text that is read while speaking."""
        self._zoom_by(1)

    @Slot()
    def reduce(self) -> None:
        """Reduce the text that is read while speaking."""
        self._zoom_by(-1)

    @Slot()
    def show_step(self) -> None:
        """Show the current step."""
        lesson, step, now = self._lesson.lesson, self._lesson.step, self._lesson
        if lesson is None or step is None:
            return
        self.number.setText(str(lesson.number) if lesson.number else "")
        self.title.setText(lesson.title)
        self.now_title.setText(f"{step.number}  {_without_marks(now.filled(step.title))}")
        asked = step.block.predict is not None
        self.hidden.setText(
            self.tr("the answer is hidden") if now.asks else self.tr("the answer is shown") if asked else ""
        )
        after = lesson.steps[step.number] if step.number < len(lesson.steps) else None
        title = "" if after is None else f"{after.number}  {_without_marks(now.filled_ahead(after.title, after))}"
        self.next_title.setText(title)
        self.next.show_step(after)
        self.say.show_markdown("" if now.waits else now.filled(step.notes))
        self.nothing.setText(now.waits_for or self.tr("No notes for this step."))
        self.nothing.setVisible(now.waits or not step.notes)
        self.answer.show_step(step)
        self._show_steps(len(lesson.steps))
        self.on.setText(self._panel.next.text())
        self.on.setEnabled(self._panel.next.isEnabled())
        self._offer_keys()
        self.show_time()

    @Slot()
    def show_time(self) -> None:
        """Show the time of the day, and the elapsed time of the lesson."""
        lesson, clock = self._lesson.lesson, self._clock
        if lesson is None:
            return
        minutes, gone = lesson.head.minutes, clock.gone
        stands = clock.begun and not clock.runs
        said = self.tr("paused at\nof {0} min") if stands else self.tr("elapsed\nof {0} min")
        for part, text in (
            (self.of_minutes, said.format(minutes)),
            (self.gone, time_said(gone)),
            (self.wall, QLocale().toString(QTime.currentTime(), "HH:mm")),
        ):
            if part.text() != text:
                part.setText(text)
        self.gone.setAccessibleName(self.tr("{0} of {1} minutes").format(time_said(gone), minutes))
        self.reset.setEnabled(clock.begun)
        self.line.show_part(gone / (60 * minutes))

    def _show_steps(self, count: int) -> None:
        while len(self.steps) > count:
            self.steps.pop().deleteLater()
        while len(self.steps) < count:
            button = QToolButton()
            button.setObjectName("deskStep")
            button.setText(str(len(self.steps) + 1))
            button.setCheckable(True)
            button.setAccessibleName(self.tr("Step {0}").format(len(self.steps) + 1))
            button.clicked.connect(self._go)
            self.steps.append(button)
            self._flow.addWidget(button)
            self._fit_step(button)
        for place, button in enumerate(self.steps):
            button.setChecked(place == self._lesson.place)
            set_state(button, "seen", self._lesson.is_finished(place))

    @Slot()
    def _go(self) -> None:
        self._lesson.go(next(place for place, button in enumerate(self.steps) if button is self.sender()))

    @Slot()
    def _choose(self) -> None:
        self._panel.question.choices[self._letters.index(self.sender())].click()  # type: ignore[arg-type]

    @Slot()
    def _offer_keys(self) -> None:
        """Name the keys that are active now: those of Present there, the letters while choices are open."""
        step = self._lesson.step
        count = len(step.choices) if step is not None and self._lesson.asks else 0
        for place, letter in enumerate(self._letters):
            letter.setEnabled(place < count)
        self.hints["letters"].keys.setText(f"A - {LETTERS[count - 1]}")
        self.hints["letters"].setVisible(count > 0)
        for key in FOR_AUDIENCE:
            self.hints[key].setVisible(self._actions[key].isEnabled())

    def _zoom_by(self, by: int) -> None:
        at = min(range(len(ZOOMS)), key=lambda place: abs(ZOOMS[place] - self.zoom)) + by
        self.zoom = ZOOMS[min(max(at, 0), len(ZOOMS) - 1)]
        self._restyle()

    def _restyle(self) -> None:
        if self._look is None:
            return
        fitted = _SCALE * min(self.width() / SIZE[0], self.height() / SIZE[1])
        look = Look(self._look.theme, scale=max(_LEAST_SCALE, fitted))
        read = replace(look, scale=max(_LEAST_SCALE, look.scale * self.zoom))
        said = replace(look, scale=max(_LEAST_SCALE, look.scale * self.zoom * _SAID))
        for part, its in ((self.body, look), (self.next, read), (self.answer, read), (self.say, said)):
            _dress(part, its)
        for own in (self.line, self.picture):
            own.restyle(look)
        for text, its in ((self.next, read), (self.answer, read), (self.say, said)):
            restyle(text, its)
        self.left.setFixedWidth(look.px(_LEFT) + 24)
        self.on.setMinimumWidth(look.px(130))
        for button in self.steps:
            self._fit_step(button)
        self.picture.limit(self.height())

    def _fit_step(self, button: QToolButton) -> None:
        scale = _LEAST_SCALE if self._look is None else max(_LEAST_SCALE, self.left.width() / (_LEFT + 18))
        button.setFixedWidth(round(26 * scale))

    @override
    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._restyle()

    @override
    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self.show_time()
        self._tick.start()

    @override
    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        self._tick.stop()

    @override
    def closeEvent(self, event: QCloseEvent) -> None:
        super().closeEvent(event)
        self._tick.stop()
        self.picture.release()
        self.closed.emit()


def _dress(part: QWidget, look: Look) -> None:
    """Give a part type of its own size, independent of the application's, which the audience's window uses."""
    sheet = f"* {{ font-size: {look.px(13)}px; }}\n{style_sheet(look)}"
    if part.styleSheet() != sheet:
        part.setStyleSheet(sheet)


def _without_marks(markdown: str) -> str:
    """Return a title without Markdown characters."""
    return "".join(sign for sign in markdown if sign not in "*`$")
