"""The panel of a lesson, in place of the form: a step with its question, its task and its hint, and the navigation."""

from collections.abc import Callable
from math import isfinite

from PySide6.QtCore import QSize, Qt, QTimer, Signal, Slot
from PySide6.QtGui import QAction, QKeySequence, QPainter, QPaintEvent, QShortcut
from PySide6.QtWidgets import (
    QAbstractButton,
    QFrame,
    QLabel,
    QLineEdit,
    QMenu,
    QSizePolicy,
    QToolButton,
    QVBoxLayout,
    QWidget,
)
from typing_extensions import override

from attnviz.definitions.text import number_said
from attnviz.experiment.lessons.expression import ExpressionError
from attnviz.experiment.lessons.lesson import LETTERS, LessonStep
from attnviz.experiment.lessons.reading import as_markdown, lesson_names, topics
from attnviz.gui.language import language_now
from attnviz.gui.lessons.cells import HiddenCells
from attnviz.gui.lessons.lesson_text import LessonText
from attnviz.gui.lessons.open_lesson import Cells, Given, OpenLesson, cells_of
from attnviz.gui.theme import LIGHT, Look, Styled, set_state
from attnviz.gui.widgets.buttons import tiny_button
from attnviz.gui.widgets.explained import place_in_manual
from attnviz.gui.widgets.gestures import Gesture
from attnviz.gui.widgets.labels import caption, show_text
from attnviz.gui.widgets.layouts import FlowLayout, column_of, row_of, scrolling
from attnviz.gui.widgets.words import translate

_BAR = 4
"""The height of a progress bar, at scale 1."""
_WAITS_MS = 150
"""The time in milliseconds for which the texts of a step wait silently for its run: most take less."""
_SETTLED_MS = 200
"""The time in milliseconds after which the panel has its final height: formulas are typeset in the background."""


class Progress(Styled):
    """A bar for each step, filled for finished steps and for the current one."""

    def __init__(self, lesson: OpenLesson) -> None:
        super().__init__()
        self._lesson = lesson
        self.setFixedHeight(_BAR)

    @override
    def restyle(self, look: Look) -> None:
        super().restyle(look)
        self.setFixedHeight(look.px(_BAR))

    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        if self._lesson.lesson is None:
            return
        count, gap = len(self._lesson.lesson.steps), self._look.px(4)
        width = (self.width() - gap * (count - 1)) / count
        painter = QPainter(self)
        for place in range(count):
            seen = place == self._lesson.place or self._lesson.is_finished(place)
            left = round(place * (width + gap))
            painter.fillRect(
                left, 0, max(1, round(width)), self.height(), self._look.color("accent" if seen else "line")
            )


class ChoiceButton(QAbstractButton):
    """A choice; once the question is answered, also the reason why it is right or wrong."""

    GESTURES = (Gesture("A to F", "Choose an answer", "Question of a lesson"),)

    def __init__(self, letter: str) -> None:
        super().__init__()
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        # A button's own height is its size hint's, whatever its heightForWidth.
        self.setSizePolicy(QSizePolicy.Policy.Minimum, QSizePolicy.Policy.Preferred)
        self._look, self._colour = Look(LIGHT), "field"
        self._letter = QLabel(letter)
        self._words, self._why = LessonText(), LessonText("caption")
        for part in (self._letter, self._words, self._why):
            part.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        texts = column_of(None, self._words, self._why, gap=2)
        row_of(self, self._letter, texts, gap=10, wide=(texts,)).setContentsMargins(10, 6, 8, 6)

    def show_choice(self, text: str, why: str, state: str) -> None:
        """Show it; ``state`` is "open", "right", "wrong" or "other"."""
        self._words.show_markdown(text)
        self._why.show_markdown("" if state == "open" else why)
        self._colour = {"right": "right_soft", "wrong": "danger_soft"}.get(state, "field")
        judged = state in ("right", "wrong")  # the right and the chosen one stay dark, the others are pale
        for part in (self._letter, self._words):
            set_state(part, "judged", judged)
        self.setEnabled(state == "open")
        sign = {"right": " ✓", "wrong": " ✗"}.get(state, "")
        self._letter.setText(self._letter.text()[:1] + sign)
        said = {"right": self.tr("right"), "wrong": self.tr("wrong")}.get(state, "")
        self.setAccessibleName(f"{self._letter.text()[:1]}: {self._words.accessibleName()} {said}".rstrip())
        self.update()

    def restyle(self, look: Look) -> None:
        """Apply a theme and type scale."""
        self._look = look
        self._letter.setFont(look.font(bold=True))
        self._letter.setMinimumWidth(look.px(26))

    @override
    def sizeHint(self) -> QSize:
        layout = self.layout()
        assert layout is not None
        return layout.sizeHint()

    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        look, painter = self._look, QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        lit = self.isEnabled() and (self.underMouse() or self.hasFocus())
        painter.setPen(look.color("accent" if lit else "edge"))
        painter.setBrush(look.color(self._colour))
        radius = look.px(6)
        painter.drawRoundedRect(self.rect().adjusted(1, 1, -2, -2), radius, radius)


class _Box(QFrame):
    """A part of a step with a heading of its own."""

    def __init__(self) -> None:
        super().__init__()
        self.title = caption(name="boxTitle")
        self.text = LessonText()
        self.parts = column_of(self, self.title, self.text, gap=6)
        self.parts.setContentsMargins(12, 8, 12, 10)


class QuestionBox(_Box):
    """The question: choices, a number, or cells to mark; then the guess and the answer side by side."""

    def __init__(self, lesson: OpenLesson, marked: Callable[[], Cells]) -> None:
        super().__init__()
        self.setObjectName("question")
        self.title.setText(self.tr("Predict"))
        self._lesson, self._marked, self._look = lesson, marked, Look(LIGHT)
        self.choices = [ChoiceButton(letter) for letter in LETTERS]
        for place, choice in enumerate(self.choices):
            choice.clicked.connect(self._choose)
            self.parts.addWidget(choice)
            shortcut = QShortcut(QKeySequence(LETTERS[place]), choice)
            shortcut.activated.connect(choice.click)
        self.number = QLineEdit()
        self.number.setAccessibleName(self.tr("Your guess"))
        self.number.setPlaceholderText(self.tr("a number"))
        self.number.returnPressed.connect(self._take)
        self.number.textChanged.connect(self._draft)
        self.take = tiny_button(self.tr("Check"), self._take)
        self.parts.addLayout(row_of(None, self.number, self.take, None, gap=8))
        self.problem = caption(name="problem", wraps=True, plain=True)
        self.verdict = caption(name="verdict", plain=True)
        self.verdict.setWordWrap(True)
        self._mine, self._its = HiddenCells(), HiddenCells()
        of_mine, of_its = caption(self.tr("Your cells")), caption(self.tr("The run's"))
        self._compared, self._of_mine = QWidget(), QWidget()
        column_of(self._of_mine, of_mine, self._mine)
        row_of(self._compared, self._of_mine, column_of(None, of_its, self._its), gap=12)
        self.answer = LessonText()
        for part in (self.problem, self.verdict, self._compared, self.answer):
            self.parts.addWidget(part)

    def show_step(self, step: LessonStep) -> None:
        """Show the question of a step, or its answer."""
        asked, given, lesson = step.block.predict, self._lesson.given, self._lesson
        self.setVisible(asked is not None)
        if asked is None:
            return
        is_open = not given.answered
        self.text.show_markdown(lesson.filled(step.question))
        right = lesson.right_choice
        for place, button in enumerate(self.choices):
            there = place < len(step.choices)
            button.setVisible(there)
            if there:
                choice = step.choices[place]
                judged = "right" if place == right else "wrong" if place == given.guess else "other"
                state = "open" if is_open else judged
                button.show_choice(lesson.filled(choice.text), lesson.filled(choice.why), state)
        self.number.setVisible(bool(asked.number) and is_open)
        self.take.setVisible(bool(asked.number or asked.cells) and is_open)
        self.problem.hide()
        self._say_verdict(step, given)
        self.answer.show_markdown("" if is_open else lesson.filled(step.answer))

    def restyle(self, look: Look) -> None:
        """Apply a theme and type scale."""
        self._look = look

    def _say_verdict(self, step: LessonStep, given: Given) -> None:
        asked, values = step.block.predict, self._lesson.values
        said, compared = "", False
        try:
            if asked is None or values is None or not given.answered:
                pass
            elif asked.number:
                said = self._of_number(asked.true_number(values), given, asked.within)
            elif asked.cells:
                true = asked.true_cells(values)
                said, compared = self._of_cells(cells_of(true), true.shape, given), True
        except ExpressionError as error:
            said = translate(error.text)
        show_text(self.verdict, said)
        self._compared.setVisible(compared)

    def _of_number(self, true: float, given: Given, within: float) -> str:
        number = number_said(true)
        if not isinstance(given.guess, int | float):
            return self.tr("It is {0}.").format(number)
        guess = number_said(float(given.guess))
        if abs(given.guess - true) <= within * (1 + 1e-9):
            return self.tr("Right: you answered {0}, and it is {1}.").format(guess, number)
        return self.tr("You answered {0}; it is {1}.").format(guess, number)

    def _of_cells(self, true: Cells, shape: tuple[int, ...], given: Given) -> str:
        mine = given.guess if isinstance(given.guess, frozenset) else frozenset()
        for grid, cells, wrong in ((self._mine, mine, mine ^ true), (self._its, true, frozenset[tuple[int, int]]())):
            grid.show_cells(("",) * shape[0], ("",) * shape[1], sign="")
            grid.show_marks(cells, wrong)
        self._compared.setFixedHeight(self._look.px(min(32 + 26 * shape[0], 180)))
        self._of_mine.setVisible(isinstance(given.guess, frozenset))
        count = len(mine ^ true)
        if not isinstance(given.guess, frozenset):
            return self.tr("It is these cells.")
        return self.tr("Right: every cell.") if not count else self.tr("{0} cells differ.").format(count)

    @Slot()
    def _choose(self) -> None:
        self._lesson.guess(next(place for place, each in enumerate(self.choices) if each is self.sender()))

    @Slot()
    def _take(self) -> None:
        step = self._lesson.step
        if step is None or step.block.predict is None or self._lesson.given.answered:
            return
        if step.block.predict.cells:
            self._lesson.guess(self._marked())
            return
        guess = self._typed
        if guess is None:
            self.problem.setText(self.tr("“{0}” is not a number; nearest: 0.5").format(self.number.text().strip()[:40]))
            self.problem.show()
            return
        self.number.clear()
        self._lesson.guess(guess)

    @Slot()
    def _draft(self) -> None:
        self._lesson.draft = self._typed

    @property
    def _typed(self) -> float | None:
        try:
            number = float(self.number.text().strip().replace(",", ".").replace("−", "-"))
        except ValueError:
            return None
        return number if isfinite(number) else None


class TaskBox(_Box):
    """The task, and whether it is done."""

    def __init__(self, lesson: OpenLesson) -> None:
        super().__init__()
        self.setObjectName("task")
        self.title.setText(self.tr("Do"))
        self._lesson = lesson
        self.state = QLabel()
        self.show_me = tiny_button(self.tr("Show me"), lesson.solve, self.tr("Do it as the lesson's author did"))
        self.done = LessonText()
        self.parts.addLayout(row_of(None, self.state, None, self.show_me))
        self.parts.addWidget(self.done)

    def show_step(self, step: LessonStep) -> None:
        """Show the task of a step."""
        self.setVisible(step.block.do is not None and not self._lesson.asks)
        self.text.show_markdown(self._lesson.filled(step.task))
        done = self._lesson.holds
        self.state.setText(self.tr("✓ done") if done else self.tr("○ not yet"))
        self.show_me.setVisible(not done)
        self.done.show_markdown(self._lesson.filled(step.done) if done else "")


class ResumeBox(QFrame):
    """Asks where to continue in a lesson that was read before; meanwhile its first step is shown, unanswered."""

    def __init__(self, lesson: OpenLesson) -> None:
        super().__init__()
        self.setObjectName("task")
        self._lesson = lesson
        self.text = QLabel()
        self.text.setWordWrap(True)
        self.resume = tiny_button("", lesson.resume, self.tr("With what was answered and done then"))
        self.again = tiny_button(
            self.tr("Begin again"), lesson.begin_again, self.tr("Every question is asked again, from the first step")
        )
        column = column_of(self, self.text, row_of(None, self.resume, self.again, None, gap=6), gap=6)
        column.setContentsMargins(12, 8, 12, 10)

    def show_left(self) -> None:
        """Show where the lesson was left; hidden if there is nothing to ask."""
        lesson, left = self._lesson.lesson, self._lesson.left
        self.setVisible(left is not None)
        if lesson is None or left is None:
            return
        step = min(left.place, len(lesson.steps) - 1) + 1
        said = self.tr("You have read this lesson before, up to step {0} of {1}.")
        self.text.setText(said.format(step, len(lesson.steps)))
        self.resume.setText(self.tr("Continue at step {0}").format(step))


class LessonPanel(QWidget):
    """Shows one step at a time. Back, Next and the contents are below and above it, whatever its length."""

    form_asked = Signal()
    """The learner wants all controls, or only those of the step again."""
    lesson_asked = Signal(str)
    """The name of another lesson to open."""
    waiting_changed = Signal(str)
    """What the texts of the step wait for, once that lasts; empty when they are there."""
    _step: LessonStep | None

    def __init__(self, lesson: OpenLesson, marked: Callable[[], Cells]) -> None:
        super().__init__()
        self.setObjectName("lesson")
        place_in_manual(self, "lessons")
        self._lesson, self._step, self._given, self._look = lesson, None, Given(), Look(LIGHT)
        self._news = QTimer(self, singleShot=True, interval=_SETTLED_MS)
        self._news.timeout.connect(self._show_news)
        self.heading = caption(name="lessonTitle", wraps=True, plain=True)  # a title may look like markup
        self.contents = tiny_button(self.tr("Contents"), self._open_contents, self.tr("All steps of this lesson"))
        closes = self.tr("Close the lesson; the picture stays")
        self.leave = tiny_button("✕", lesson.close, closes, self.tr("Close the lesson"))
        self.progress = Progress(lesson)
        self.title = LessonText("stepTitle")
        self.text, self.looked_at = LessonText(), LessonText("lookedAt")
        self.left, self.waiting = ResumeBox(lesson), caption(wraps=True)
        self.waiting.hide()
        self._waits = QTimer(self, singleShot=True, interval=_WAITS_MS)
        self._waits.timeout.connect(self._say_waits)
        self.question, self.task = QuestionBox(lesson, marked), TaskBox(lesson)
        self.restore = tiny_button(self.tr("Back to the step"), lesson.restore, self.tr("Undo what was changed here"))
        self.hint_button = tiny_button(self.tr("Show a hint"), self._show_hint)
        self.try_it = tiny_button(
            self.tr("Try it yourself"), self.form_asked, self.tr("All controls; the lesson stays at this step")
        )
        self.hint = LessonText("caption")
        self.body = QWidget()
        self.body.setObjectName("lessonBody")
        links = QWidget()
        flow = FlowLayout(links, gap=6, line_gap=6)
        for button in (self.hint_button, self.restore, self.try_it):
            flow.addWidget(button)
        about = self.title, self.waiting, self.text, self.looked_at
        parts = (self.left, *about, self.question, self.task, links, self.hint, None)
        self._column: QVBoxLayout = column_of(self.body, *parts, gap=10)
        self._column.setContentsMargins(16, 8, 14, 8)
        self.area = scrolling(self.body)
        self.head = QWidget()
        row_of(self.head, self.contents, self.leave, gap=4)
        top = column_of(None, self.heading, self.progress, gap=6)
        top.setContentsMargins(16, 4, 14, 4)
        column_of(self, top, self.area, gap=0, wide=(self.area,))
        self.foot = QWidget()
        self.foot.setObjectName("lessonFoot")
        self.back, self.next = QToolButton(), QToolButton()
        self.back.setText(self.tr("‹ Back"))
        self.back.clicked.connect(lesson.back)
        self.next.setObjectName("primary")
        self.next.clicked.connect(self.go_on)
        row_of(self.foot, self.back, self.next, gap=12, wide=(self.back, self.next)).setContentsMargins(16, 8, 14, 12)
        for button in (self.back, self.next):
            button.setSizePolicy(button.sizePolicy().Policy.Expanding, button.sizePolicy().Policy.Fixed)
        lesson.changed.connect(self.show_lesson)
        lesson.checked.connect(self._show_texts)

    def restyle(self, look: Look) -> None:
        """Apply a theme and type scale."""
        self._look = look
        self.show_looked_at()
        self.heading.setFont(look.font("large", bold=True))
        for button in (self.back, self.next):
            button.setFont(look.font())

    @Slot()
    def show_lesson(self) -> None:
        """Show the step on screen."""
        lesson, step = self._lesson.lesson, self._lesson.step
        if lesson is None or step is None:
            self._step = None
            return
        if step is not self._step:
            self._step = step
            self.hint.hide()
            self.hint_button.setVisible(bool(step.hint))
            self._news.stop()  # it is about the previous step
            self.area.verticalScrollBar().setValue(0)
            self.question.number.clear()
        elif self._lesson.given != self._given:
            self._news.start()
        self._given = self._lesson.given
        count = len(lesson_names())
        of_all = self.tr("Lesson {0} of {1}").format(lesson.number, count)
        self.setAccessibleName(of_all if 0 < lesson.number <= count else self.tr("Lesson"))
        self.heading.setText(lesson.title)
        self.back.setEnabled(step.number > 1)
        on = self.tr("Next ›")
        if self._lesson.asks:
            on = self.tr("Show the answer")
        elif self._at_end:
            on = self.tr("Next lesson ›") if self._lesson.following else self.tr("Close the lesson")
        self.next.setText(on)
        self.next.setToolTip(self._following_title if self._at_end else "")
        self.left.show_left()
        self.progress.update()
        self._show_texts()

    @property
    def _at_end(self) -> bool:
        """Whether the lesson has nothing left to show."""
        lesson, step = self._lesson.lesson, self._lesson.step
        return lesson is not None and step is not None and step.number == len(lesson.steps) and not self._lesson.asks

    @property
    def _following_title(self) -> str:
        name = self._lesson.following
        topic = next((each for each in topics(language_now()) if each.name == name), None)
        return "" if topic is None else self.tr("Lesson {0}: {1}").format(topic.number, topic.title)

    @Slot()
    def go_on(self) -> None:
        """Show the answer or the next step; at the end, open the next lesson, or close the last."""
        if not self._at_end:
            self._lesson.on()
        elif self._lesson.following:
            self.lesson_asked.emit(self._lesson.following)
        else:
            self._lesson.close()

    @Slot()
    def _show_texts(self) -> None:
        lesson, step = self._lesson, self._lesson.step
        if step is None:
            return
        self.title.show_markdown(f"{step.number}  {lesson.filled(step.title)}")
        self.restore.setVisible(lesson.deviates)
        if lesson.waits:  # a text with gaps, or an answer without a right choice, would be read aloud
            for part in (self.text, self.looked_at, self.question, self.task):
                part.hide()
            if self.waiting.isHidden():
                self._waits.start()
            else:
                self._say_waits()
            return
        self._waits.stop()
        self.waiting.hide()
        self.waiting_changed.emit("")
        self.text.show_markdown(lesson.filled(step.text))
        self.show_looked_at()
        self.question.show_step(step)
        self.task.show_step(step)
        if not self.hint.isHidden():
            self.hint.show_markdown(lesson.filled(step.hint))

    @Slot()
    def _say_waits(self) -> None:
        self.waiting.setText(self._lesson.waits_for)
        self.waiting.setVisible(self._lesson.waits)
        self.waiting_changed.emit(self._lesson.waits_for)

    def show_looked_at(self) -> None:
        """Show the sentence about what the step points at, once the picture is there."""
        in_caption = self._look.present  # where it is below the picture, in the same size
        looked_at = "" if self._lesson.waits or in_caption else self._lesson.looked_at.translated(translate)
        self.looked_at.show_markdown(as_markdown(looked_at))

    @Slot()
    def _show_news(self) -> None:
        """Scroll to the answer, or to the message about a finished task: both may be below the edge."""
        part = self.task if self._given.done else self.question
        if not part.isHidden():
            self.area.ensureWidgetVisible(part, 0, 0)

    @Slot()
    def _show_hint(self) -> None:
        if self._step is not None:
            self.hint_button.hide()
            self.hint.show_markdown(self._lesson.filled(self._step.hint))

    @Slot()
    def _open_contents(self) -> None:
        lesson = self._lesson.lesson
        if lesson is None:
            return
        menu = QMenu(self)
        for place, step in enumerate(lesson.steps):
            sign = "✓ " if self._lesson.is_finished(place) else ""
            action = menu.addAction(f"{sign}{step.number}  {self._lesson.filled(step.title)}".replace("&", "&&"))
            action.setData(place)
            action.setCheckable(True)
            action.setChecked(place == self._lesson.place)
        menu.addSeparator()
        menu.addAction(self.tr("Begin again"))
        menu.triggered.connect(self._go)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.popup(self.contents.mapToGlobal(self.contents.rect().bottomLeft()))

    @Slot(object)
    def _go(self, action: QAction) -> None:
        if action.data() is None:
            self._lesson.begin_again()
        else:
            self._lesson.go(action.data())
