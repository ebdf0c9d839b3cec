"""Parts of the lecturer's desk: its clock, the audience's view, the next step, and the answer."""

import time
from collections.abc import Callable

from PySide6.QtCore import QElapsedTimer, QEvent, QObject, QPoint, QRect, QSize, Qt, QTimer, Slot
from PySide6.QtGui import QPainter, QPaintEvent, QPen, QPixmap
from PySide6.QtWidgets import QFrame, QLabel, QSizePolicy, QWidget
from typing_extensions import override

from attnviz.definitions.counting import numbers
from attnviz.definitions.text import number_said
from attnviz.experiment.lessons.expression import ExpressionError
from attnviz.experiment.lessons.lesson import LETTERS, Choice, LessonStep, PredictionQuestion
from attnviz.gui.lessons.cells import HiddenCells
from attnviz.gui.lessons.lesson_text import LessonText
from attnviz.gui.lessons.open_lesson import OpenLesson, cells_of
from attnviz.gui.theme import LIGHT, Look, Styled
from attnviz.gui.widgets.buttons import tiny_button
from attnviz.gui.widgets.labels import caption
from attnviz.gui.widgets.layouts import column_of, row_of, scrolling
from attnviz.gui.widgets.words import translate

GRAB_MS = 500
"""The least time in milliseconds between two captures of the audience's window."""
_SETTLED_MS = 40
"""The delay in milliseconds after the first change, since others come with it."""
_HIGHEST = 0.4
"""The largest share of the desk's height for the picture of the audience's window."""


class LessonClock(QObject):
    """The time elapsed since a lesson was first advanced; reset for another lesson."""

    def __init__(self, lesson: OpenLesson, now: Callable[[], float] = time.monotonic) -> None:
        super().__init__(lesson)
        self._lesson, self._now = lesson, now
        self._of, self._at = "", (0, False)
        self._gone = 0.0  # until it was last started
        self._since: float | None = None  # the start time; None while it is stopped
        self.begun = False
        """Whether it was started since the last reset."""
        lesson.changed.connect(self._follow)

    @property
    def gone(self) -> int:
        """The elapsed seconds."""
        return int(self._gone + (0.0 if self._since is None else self._now() - self._since))

    @property
    def runs(self) -> bool:
        """Whether it runs."""
        return self._since is not None

    @Slot()
    def toggle(self) -> None:
        """Stop or resume it."""
        if self._since is None:
            self._since, self.begun = self._now(), True
        else:
            self._gone, self._since = self._gone + self._now() - self._since, None

    @Slot()
    def reset(self) -> None:
        """Reset it to zero; it starts with the next step."""
        self._gone, self._since, self.begun = 0.0, None, False

    def take_over(self, other: "LessonClock") -> None:
        """Continue the clock of another window."""
        self._of, self._at, self._gone = other._of, other._at, other._gone
        self._since, self.begun = other._since, other.begun

    @Slot()
    def _follow(self) -> None:
        lesson = self._lesson.lesson
        if lesson is None:
            return
        at = self._lesson.place, self._lesson.given.answered
        if lesson.name != self._of:
            self.reset()
        elif at != self._at and not self.begun:
            self.toggle()
        self._of, self._at = lesson.name, at


def time_said(seconds: int) -> str:
    """Return a duration as minutes and seconds, with hours if there are any."""
    hours, minutes = divmod(seconds // 60, 60)
    return f"{hours}:{minutes:02}:{seconds % 60:02}" if hours else f"{minutes:02}:{seconds % 60:02}"


class TimeLine(Styled):
    """The elapsed share of a lesson's time, as a thin line."""

    def __init__(self) -> None:
        super().__init__()
        self.part = 0.0

    def show_part(self, part: float) -> None:
        """Show a share of the time, where 1 is all of it."""
        if part != self.part:
            self.part = part
            self.update()

    @override
    def restyle(self, look: Look) -> None:
        super().restyle(look)
        self.setFixedHeight(look.px(2))

    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        painter, over = QPainter(self), self.part > 1
        painter.fillRect(self.rect(), self._look.color("line"))
        gone = round(self.width() * min(self.part, 1.0))
        painter.fillRect(0, 0, gone, self.height(), self._look.color("danger" if over else "accent"))


class HallPicture(Styled):
    """The window as the audience sees it: captured after a paint, at most every `GRAB_MS`, while it is visible."""

    def __init__(self, hall: QWidget, part: QWidget) -> None:
        """Show a ``part`` of the window ``hall``."""
        super().__init__()
        self._hall, self._part = hall, part
        self.picture = QPixmap()
        """What was taken last."""
        self.taken = 0
        """How often it was."""
        self._most = 1 << 14
        self._stale = True
        self._since = QElapsedTimer()  # since the last capture
        self._rest = QTimer(self, singleShot=True)
        self._rest.timeout.connect(self._take)
        self.setAccessibleName(self.tr("What the audience sees"))
        hall.installEventFilter(self)

    def limit(self, height: int) -> None:
        """Limit the height."""
        self._most = round(height * _HIGHEST)
        self._fit()

    def release(self) -> None:
        """Stop watching the window."""
        self._hall.removeEventFilter(self)
        self._rest.stop()

    @override
    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Note a paint in the window."""
        if event.type() in (QEvent.Type.UpdateRequest, QEvent.Type.Resize):
            self._stale = True
            self._take_soon()
        return False

    @override
    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Show and self._stale:
            self._take_soon()
        return super().event(event)

    def _take_soon(self) -> None:
        if self.isVisible() and not self._rest.isActive():
            rested = self._since.elapsed() if self._since.isValid() else GRAB_MS
            self._rest.start(max(_SETTLED_MS, GRAB_MS - rested))

    @Slot()
    def _take(self) -> None:
        if not self.isVisible() or not self._stale or not self._hall.isVisible():
            return
        self._stale = False
        self._since.start()
        self.picture = self._part.grab()
        self.taken += 1
        self._fit()
        self.update()

    def _fit(self) -> None:
        shape = self._part.size()
        wide = round(self.width() * shape.height() / max(1, shape.width()))
        height = min(wide, self._most)
        if height != self.height():
            self.setFixedHeight(height)

    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        if self.picture.isNull():
            return
        painter, look = QPainter(self), self._look
        room = QSize(self.width() - 4, self.height() - 4)
        ratio = self.devicePixelRatioF()
        small = self.picture.scaled(
            room * ratio, Qt.AspectRatioMode.KeepAspectRatio, Qt.TransformationMode.SmoothTransformation
        )
        small.setDevicePixelRatio(ratio)
        size = small.deviceIndependentSize().toSize()
        corner = QPoint((self.width() - size.width()) // 2, (self.height() - size.height()) // 2)
        painter.drawPixmap(corner, small)
        painter.setPen(QPen(look.color("accent"), 2))
        painter.drawRect(QRect(corner, size).adjusted(-1, -1, 0, 0))


class DeskText(LessonText):
    """A text of a lesson in a wide column, exactly as high as it needs to be there."""

    def __init__(self, name: str = "", *, bullets: bool = False) -> None:
        super().__init__(name, bullets=bullets)
        policy = self.sizePolicy()
        policy.setVerticalPolicy(QSizePolicy.Policy.Preferred)  # else it would be as high as in a narrow column
        self.setSizePolicy(policy)


class NextCard(QFrame):
    """The next step, in words: its run does not exist yet, and computing it would disturb the current one.

    It scrolls if it does not fit.
    """

    def __init__(self, lesson: OpenLesson) -> None:
        super().__init__()
        self.setObjectName("deskCard")
        self._lesson = lesson
        self._kind = caption(name="boxTitle")
        self.text, self.asked = DeskText(), DeskText()
        body = QWidget()
        body.setObjectName("deskPage")
        self.area = scrolling(body)
        column_of(self, self.area).setContentsMargins(1, 1, 1, 1)
        column_of(body, self.text, self._kind, self.asked, None, gap=6).setContentsMargins(14, 10, 14, 10)

    def show_step(self, step: LessonStep | None) -> None:
        """Show a step; None: there is none."""
        self._kind.setVisible(step is not None and bool(step.question or step.task))
        if step is None:
            self.text.show_markdown(self.tr("The lesson ends with this step."))
            self.asked.show_markdown("")
            return
        self._kind.setText(self.tr("Predict") if step.question else self.tr("Do"))
        for part, text in ((self.text, step.text), (self.asked, step.question or step.task)):
            part.show_markdown(self._lesson.filled_ahead(text, step))


class _ChoiceLine(QWidget):
    """A choice, its letter, and the reason why it is right or wrong."""

    def __init__(self) -> None:
        super().__init__()
        self.letter = QLabel()
        self.letter.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.text, self.why = DeskText("stepTitle"), DeskText()
        texts = column_of(None, self.text, self.why, gap=0)
        row = row_of(self, self.letter, texts, gap=12, wide=(texts,))
        row.setAlignment(self.letter, Qt.AlignmentFlag.AlignTop)

    def show_choice(self, letter: str, choice: Choice, *, right: bool, lesson: OpenLesson) -> None:
        """Show a choice."""
        self.letter.setText(letter)
        name = "letterRight" if right else "letterWrong"
        if self.letter.objectName() != name:
            self.letter.setObjectName(name)
            self.letter.style().unpolish(self.letter)
            self.letter.style().polish(self.letter)
        self.text.show_markdown(lesson.filled(choice.text))
        self.why.show_markdown(lesson.filled(choice.why))

    def restyle(self, look: Look) -> None:
        """Apply a theme and type scale."""
        self.letter.setFixedSize(look.px(20), look.px(20))


class AnswerCard(QFrame):
    """The answer of a step's question, by its run, the reasons why the other choices are wrong; and the task."""

    def __init__(self, lesson: OpenLesson) -> None:
        super().__init__()
        self.setObjectName("deskCard")
        self._lesson, self._look = lesson, Look(LIGHT)
        self.heading, self.heading_of_task = desk_label(self.tr("The answer")), desk_label(self.tr("Do"))
        self.number = caption(name="answerNumber")
        self.near = caption()
        self.cells = HiddenCells()
        self.choices = [_ChoiceLine() for _ in LETTERS]
        self.answer, self.task, self.hint = DeskText(), DeskText(), DeskText()
        self.state = QLabel()
        self.show_me = tiny_button(self.tr("Show me"), lesson.solve, self.tr("Do it as the lesson's author did"))
        self._doing = QWidget()
        row_of(self._doing, self.state, None, self.show_me)
        number = row_of(None, self.number, self.near, None, gap=12)
        doing = self.heading_of_task, self.task, self.hint, self._doing
        column = column_of(self, self.heading, number, self.cells, *self.choices, self.answer, *doing, gap=10)
        column.setContentsMargins(20, 14, 20, 16)

    def show_step(self, step: LessonStep) -> None:
        """Show the answer of a step."""
        asked, task = step.block.predict, step.block.do
        self.setVisible(asked is not None or task is not None)
        for of_question in (self.heading, self.answer):
            of_question.setVisible(asked is not None)
        unused: tuple[QWidget, ...] = self.number, self.near, self.cells, *self.choices
        for part in unused:
            part.hide()
        if asked is not None:
            self.answer.show_markdown("" if self._lesson.waits else self._lesson.filled(step.answer))
            self._show_answer(step, asked)
        for of_task in (self.heading_of_task, self._doing):
            of_task.setVisible(task is not None)
        done = self._lesson.holds
        self.task.show_markdown("" if task is None or self._lesson.waits else self._lesson.filled(step.task))
        self.hint.show_markdown(self.tr("Hint: {0}").format(self._lesson.filled(step.hint)) if step.hint else "")
        self.state.setText(self.tr("✓ done") if done else self.tr("○ not yet"))
        self.show_me.setVisible(not done and not self._lesson.asks)

    def _show_answer(self, step: LessonStep, asked: PredictionQuestion) -> None:
        values = self._lesson.values
        if values is None or self._lesson.waits:
            self._say(self.tr("It comes with the run."))
            return
        try:
            if asked.choices:
                right = asked.right_choice(values)
                places = [right, *(place for place in range(len(step.choices)) if place != right)]
                for line, place in zip(self.choices, places, strict=False):
                    choice = step.choices[place]
                    line.show_choice(LETTERS[place], choice, right=place == right, lesson=self._lesson)
                    line.show()
            elif asked.number:
                self.number.setText(number_said(asked.true_number(values)))
                self.number.show()
                self._say(self.tr("A guess within {0} is right.").format(number_said(asked.within)))
            else:
                true = asked.true_cells(values)
                rows, columns = true.shape
                self.cells.show_cells(numbers(rows), numbers(columns), sign="")
                self.cells.show_marks(cells_of(true))
                self.cells.setFixedHeight(self._look.px(min(72 + 30 * rows, 220)))
                self.cells.show()
        except ExpressionError as error:
            self._say(translate(error.text))

    def _say(self, text: str) -> None:
        self.near.setText(text)
        self.near.show()

    def restyle(self, look: Look) -> None:
        """Apply a theme and type scale."""
        self._look = look


def desk_label(text: str) -> QLabel:
    """Return the heading of a part of the desk."""
    return caption(text.upper(), name="deskLabel")


class KeyHint(QWidget):
    """A key and what it does."""

    def __init__(self, keys: str, does: str) -> None:
        super().__init__()
        self.keys = caption(keys, name="key")
        row_of(self, self.keys, caption(does), gap=6)
