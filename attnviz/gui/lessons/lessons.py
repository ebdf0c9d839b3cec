"""Lessons in a window: opens them, and coordinates panel, picture, form and ring at each step."""

from functools import cached_property, partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject, QPoint, QRect, QSettings, QSize, Qt, QTimer, Signal, Slot
from PySide6.QtWidgets import QMenu, QWidget

from attnviz.definitions.text import Refused, text_of_error
from attnviz.experiment.files.plain_files import Stamp, naming_path, stamp_of
from attnviz.experiment.files.specs_in_files import Preset
from attnviz.experiment.labs import Trace
from attnviz.experiment.lessons.lesson import Lesson, LessonStep, Topic
from attnviz.experiment.lessons.reading import lesson_named, lesson_names, read_lesson, topics
from attnviz.gui.labs.room import AnyRoom
from attnviz.gui.labs.rooms import Rooms
from attnviz.gui.language import language_now
from attnviz.gui.lessons.desk_parts import LessonClock
from attnviz.gui.lessons.lesson_links import FirstLesson, PresetLinks
from attnviz.gui.lessons.lesson_panel import LessonPanel
from attnviz.gui.lessons.look_ring import LookRing, place_of
from attnviz.gui.lessons.open_lesson import OpenLesson
from attnviz.gui.lessons.question_page import QuestionPage
from attnviz.gui.run.background import Background
from attnviz.gui.run.controller import Controller
from attnviz.gui.session.settings import Changes, LastFolder
from attnviz.gui.session.state import SessionState
from attnviz.gui.theme import LIGHT, Look
from attnviz.gui.widgets.letters import LetteredMenu
from attnviz.gui.widgets.words import translate
from attnviz.gui.window.actions import Actions
from attnviz.gui.window.panels import Panels
from attnviz.gui.window.screens import other_screen, screen_of

if TYPE_CHECKING:
    from attnviz.gui.lessons.desk import Desk
    from attnviz.gui.lessons.lesson_draft import LessonDraft
    from attnviz.gui.lessons.lesson_editor import LessonEditor

_RING_MS = 40
"""The delay in milliseconds before the ring is placed: layouts and pictures have settled by then."""
_OFFERED = "first_lesson"
"""The setting that says whether the first lesson was dismissed."""


class Lessons(QObject):
    """The lessons of a window; ``over`` is the widget under the ring."""

    said = Signal(str, bool)
    """A message, and whether it reports a failure."""
    file_opened = Signal(object)
    """The path of a file whose lesson was opened or saved."""
    asks_changed = Signal()
    """The picture was hidden or shown again."""

    def __init__(
        self,
        window: QWidget,
        over: QWidget,
        controller: Controller,
        rooms: Rooms,
        state: SessionState,
        panels: Panels,
        folder: LastFolder,
    ) -> None:
        super().__init__(window)
        self._state, self._look = state, Look(LIGHT)
        self._controller, self._rooms, self._panels, self._over = controller, rooms, panels, over
        self.now = OpenLesson(controller, rooms, state, self)
        self.question = QuestionPage()
        self.question.cells.changed.connect(self._draft)
        self.clock = LessonClock(self.now)
        self.desk: Desk | None = None
        """The lecturer's desk; None while it is closed."""
        self._actions: Actions | None = None
        self._zoom = 1.0
        self.panel = LessonPanel(self.now, lambda: self.question.cells.marked)
        self.ring = LookRing(over)
        self._window, self._folder = window, folder
        self._asked = False
        self._shows_all = False  # whether the learner wants the whole form
        self._place = -1
        panels.add_lesson(self.panel, self.panel.head, self.panel.foot, self.question)
        self.links, self.first = PresetLinks(), FirstLesson()
        panels.add_links(self.links, self.first)
        self._topics: tuple[Topic, ...] = ()  # empty until the headings are read
        self._preset: Preset | None = None
        self._offers = False  # whether to offer the first lesson, if none was ever begun
        self._heads, self._file = Background(self), Background(self, pool="files")
        self._heads.done.connect(self._take_topics)
        self._file.done.connect(self._take_file)
        self._file.failed.connect(self._fail_to_open)
        controller.settled.connect(self._read_topics, Qt.ConnectionType.SingleShotConnection)
        for link in (*self.links.links, self.first.link):
            link.chosen.connect(self.open_named)
        self.first.closed.connect(self._refuse_first)
        self._ringing = QTimer(self, singleShot=True, interval=_RING_MS)
        self._ringing.timeout.connect(self._surround)
        self.now.changed.connect(self.show)
        self.panel.form_asked.connect(self._toggle_form)
        self.panel.waiting_changed.connect(self.question.say_awaited)
        self.panel.lesson_asked.connect(self.open_named)
        controller.trace_accepted.connect(self._place_ring)
        controller.spec_changed.connect(self._show_texts)
        panels.moved.connect(self._place_ring)

    @cached_property
    def draft(self) -> "LessonDraft":
        """The lesson being written, created on first use."""
        from attnviz.gui.lessons.lesson_draft import LessonDraft

        draft = LessonDraft(self._window, self._state.session, self._shown_now, self._folder, self)
        draft.said.connect(self.said)
        draft.saved.connect(self.file_opened)
        return draft

    def _shown_now(self) -> Trace | None:
        """Return the trace of the window's state; None until its run has arrived."""
        return self._controller.shown if self._controller.up_to_date else None

    @cached_property
    def editor(self) -> "LessonEditor":
        """The editor of a lesson, in place of the inspector."""
        from attnviz.gui.lessons.lesson_editor import LessonEditor

        editor = LessonEditor(self.draft)
        editor.close_asked.connect(self.close_editor)
        editor.preview_asked.connect(self._preview)
        editor.show_asked.connect(self._show_draft_step)
        editor.new_asked.connect(self._begin_draft)
        self._panels.add_beside(editor)
        self._controller.trace_accepted.connect(self._look_again)
        self._controller.spec_changed.connect(self._look_again)
        for room in self._rooms.values():
            self._follow_view(room)
        self._rooms.built.connect(self._follow_view)
        self._panels.beside_folded.connect(self.close_editor)
        editor.show_draft()
        return editor

    @Slot(object)
    def _follow_view(self, room: AnyRoom) -> None:
        room.current_view.changed.connect(self._look_again)
        room.selection.changed.connect(self._look_again)

    @Slot()
    def _look_again(self) -> None:
        if self.is_writing:
            self.draft.look_again()

    @property
    def is_writing(self) -> bool:
        """Whether the editor is on screen."""
        return "editor" in self.__dict__ and self._panels.beside is self.editor

    @Slot()
    def write(self) -> None:
        """Edit the open lesson, or else continue the draft."""
        lesson = self.now.lesson
        if lesson is None or self.draft.is_of(lesson) or self.draft.begin(lesson):
            self._open_editor()

    @Slot()
    def add_step(self) -> None:
        """Add the window's state to the draft."""
        self.draft.add()
        self._open_editor()

    @Slot()
    def close_editor(self) -> None:
        """Show the inspector again; the draft is kept."""
        if self.is_writing:
            self._panels.show_beside(None)

    def may_close(self) -> bool:
        """Ask about an unsaved lesson; return whether the window may close."""
        return "draft" not in self.__dict__ or self.draft.may_go()

    def _open_editor(self) -> None:
        if not self.is_writing:
            self._panels.show_beside(self.editor)

    @Slot()
    def _preview(self) -> None:
        lesson = self.draft.preview()
        if lesson is not None:
            self.open(lesson, self.draft.place)

    @Slot()
    def _show_draft_step(self) -> None:
        step, trained = self.draft.step, self.draft.lesson.trained
        if step is not None:
            shown = step.session.model_copy(update={"view": step.view})
            fitting = trained if trained is not None and trained.fits(shown.spec) else None
            self._state.show_step(shown, self.tr("Step: {0}").format(step.title), fitting)

    @Slot()
    def _begin_draft(self) -> None:
        self.draft.begin(None)

    @Slot()
    def toggle_desk(self) -> None:
        """Open the lecturer's desk, on another screen than the window's if there is one, or close it."""
        if self.desk is not None:
            self.desk.close()
        elif self.is_open:
            self.begin_lecture()
            self._open_desk(None)
        else:
            self.said.emit(self.tr("The desk is for leading a lesson: open one first."), False)

    def begin_lecture(self) -> None:
        """Forget rehearsed answers, unless the lecture has already begun."""
        if not self._has_audience:
            self.now.forget()

    @property
    def _has_audience(self) -> bool:
        return self._look.present or self.desk is not None

    def close_desk(self) -> None:
        """Close the desk, if it is open."""
        if self.desk is not None:
            self.desk.close()

    def _open_desk(self, place: QRect | None) -> None:
        from attnviz.gui.lessons.desk import SIZE, Desk

        assert self._actions is not None
        desk = self.desk = Desk(self._window, self._over, self.now, self.panel, self.clock, self._actions)
        desk.closed.connect(self._forget_desk)
        desk.zoom = self._zoom
        if place is None:
            screen = other_screen(self._window)
            place = (screen or screen_of(self._window)).availableGeometry()
            if screen is None:
                size = QSize(*SIZE).boundedTo(place.size())
                place = QRect(place.center() - QPoint(size.width() // 2, size.height() // 2), size)
        desk.setGeometry(place)
        desk.restyle(self._look)
        desk.show_step()
        desk.show()

    @Slot()
    def _forget_desk(self) -> None:
        if self.desk is not None:
            self._zoom = self.desk.zoom
            self.desk.deleteLater()
            self.desk = None

    @property
    def is_open(self) -> bool:
        """Whether a lesson is open."""
        return self.now.lesson is not None

    def open(self, lesson: Lesson, place: int | None = None) -> None:
        """Open a lesson at a step, or at its first; an audience is not asked where to continue."""
        self.now.open(lesson, 0 if place is None and self._has_audience else place)

    @Slot(str)
    def open_named(self, name: str) -> None:
        """Open an included lesson, in the language of the window."""
        self.open(lesson_named(name, language_now()))

    @Slot(object)
    def open_file(self, path: Path) -> None:
        """Open the lesson of a file once it is read, or report why it is none."""
        self._file.start(partial(_read, path), instead=True)

    def load(self, settings: QSettings) -> None:
        """Load the progress in lessons; a user who has begun none is offered the first."""
        self.now.load(settings)
        self._offers = settings.value(_OFFERED) != "no" and not self.now.any_begun
        self._show_ways()

    def save(self, settings: QSettings | Changes) -> None:
        """Store the progress in lessons, and whether the first was dismissed."""
        self.now.save(settings)
        if not self._offers:
            settings.setValue(_OFFERED, "no")

    def show_preset(self, preset: Preset) -> None:
        """Link the lessons about the preset on screen."""
        self._preset = preset
        self._show_ways()

    def take_over(self, other: "Lessons") -> None:
        """Continue the lesson of another window, in the language of this one."""
        self._offers = other._offers
        self._read_topics()
        if "draft" in other.__dict__:
            self.draft.take_over(other.draft)
        if other.is_writing:
            self._open_editor()
        self.now.take_over(other.now)
        self.clock.take_over(other.clock)
        self._zoom = other._zoom if other.desk is None else other.desk.zoom
        lesson = other.now.lesson
        if lesson is not None:
            comes_along = lesson.file is None and lesson.name in lesson_names()
            self.now.read_on_in(lesson_named(lesson.name, language_now()) if comes_along else lesson)
            if other.desk is not None:
                self._open_desk(other.desk.geometry())

    def menu(self, parent: QWidget, actions: Actions) -> QMenu:
        """Return a menu of some actions and the included lessons, which are read when it is first opened.

        Others of the window's actions also work on the desk.
        """
        self._actions = actions
        menu = LetteredMenu(self.tr("Lessons"), parent)
        menu.addActions([actions[key] for key in ("desk", "lesson_step", "lesson_write")])
        menu.addSeparator()
        self._unlisted = True
        menu.aboutToShow.connect(self._list)
        menu.triggered.connect(self._open_chosen)
        return menu

    def restyle(self, look: Look) -> None:
        """Apply a theme and type scale."""
        self._look = look
        self.ring.restyle(look)
        self._place_ring()

    @Slot()
    def show(self) -> None:
        """Show the current step in the panel, in the form and in place of the picture."""
        step, asks = self.now.step, self.now.asks
        if step is None:
            self.close_desk()
        if step is not None and self._offers:
            self._refuse_first()
        is_other = self.now.place != self._place
        if is_other:
            self._place, self._shows_all = self.now.place, False
        self._show_controls()
        if step is not None and asks and not self._asked:
            self.question.ask(step, None)
        if asks is not self._asked:
            self._asked = asks
            self._panels.ask(self.question if asks else None)
            self.asks_changed.emit()
        if step is not None and asks:
            self._ask(step)
            if is_other and step.block.predict is not None and step.block.predict.number and not self._look.present:
                self.panel.question.number.setFocus()  # in Present, letters are keys of the lecturer
        self._place_ring()

    def _ask(self, step: LessonStep) -> None:
        """Show the inputs of the step's run in place of its picture, once it is there."""
        shown = self._controller.shown
        if shown is None or shown.spec != step.spec:
            self.question.ask(step, None)
        else:
            self.question.ask(step, shown, self._rooms[step.spec.lab].inputs_of(shown, step.view))

    @Slot()
    def _draft(self) -> None:
        self.now.draft = self.question.cells.marked

    @Slot()
    def _show_controls(self) -> None:
        step = self.now.step
        chosen = None if step is None or self._shows_all else step.block.controls
        for room in self._rooms.values():
            room.form.show_only(chosen)
        self._panels.show_lesson(step is not None, controls=chosen is None or bool(chosen))

    @Slot()
    def _show_texts(self) -> None:
        if self.is_open:
            self._show_controls()  # a lab that is entered has its own form
            self.panel.show_lesson()

    @Slot()
    def _toggle_form(self) -> None:
        self._shows_all = not self._shows_all
        self._show_controls()
        self._place_ring()

    @Slot()
    def _list(self) -> None:
        menu: Any = self.sender()
        if self._unlisted:
            self._unlisted = False
            for topic in topics(language_now()):
                menu.addAction(f"{topic.number}  {topic.title}".replace("&", "&&")).setData(topic.name)

    @Slot(object)
    def _open_chosen(self, action: Any) -> None:
        if action.data():
            self.open_named(action.data())

    @Slot()
    def _read_topics(self) -> None:
        self._heads.start(partial(topics, language_now()))

    @Slot(object)
    def _take_topics(self, found: tuple[Topic, ...]) -> None:
        self._topics = found
        self._show_ways()

    def _show_ways(self) -> None:
        preset = self._preset
        if preset is not None:
            self.links.show_topics([topic for topic in self._topics if preset.name in topic.presets])
        self.first.offer(self._topics[0] if self._topics and self._offers else None)

    @Slot()
    def _refuse_first(self) -> None:
        self._offers = False
        self._show_ways()

    @Slot(object)
    def _take_file(self, found: tuple[Path, Lesson | Refused, Stamp | None]) -> None:
        path, lesson, stamp = found
        if isinstance(lesson, Refused):
            self.said.emit(f"{path.name}: {translate(text_of_error(lesson))}", True)
        else:
            self.draft.know(path, stamp)
            self.open(lesson)
            self.file_opened.emit(path)

    @Slot(str)
    def _fail_to_open(self, why: str) -> None:
        self.said.emit(self.tr("Not opened: {0}").format(why), True)

    @Slot()
    def _place_ring(self) -> None:
        if self.is_open or self.ring.isVisible():
            self._ringing.start()

    @Slot()
    def _surround(self) -> None:
        if self._panels.fit_controls():
            self._ringing.start()  # again, once all have moved
        step, shown = self.now.step, self._controller.shown
        same = step is not None and shown is not None and shown.spec == step.spec
        if step is not None and self.now.asks and same and not self.question.cells.isVisible():
            self._ask(step)
        self.panel.show_looked_at()
        look = None if step is None or self.now.asks else step.block.look
        if look is None or step is None or not (same or look.control):
            self.ring.surround(None)
        else:
            before = self.ring.geometry()
            self.ring.surround(place_of(look, self._rooms[step.spec.lab], self._over))
            if self.ring.geometry() != before:
                self._ringing.start()  # again: a page may have moved its pictures to make room for its results


def _read(path: Path) -> tuple[Path, Lesson | Refused, Stamp | None]:
    stamp = stamp_of(path)  # before it is read: later changes count as changes
    with naming_path(path):
        try:
            return path, read_lesson(path), stamp
        except Refused as error:
            return path, error, stamp
