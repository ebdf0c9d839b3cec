"""Opens, saves and replaces the session in the window, and asks about unsaved changes."""

from collections.abc import Callable
from functools import partial
from pathlib import Path

from PySide6.QtCore import QObject, Signal, Slot
from PySide6.QtWidgets import QAbstractItemView, QAbstractSpinBox, QLineEdit, QWidget

from attnviz.experiment.files.session import Session
from attnviz.experiment.files.specs_in_files import proposed_name
from attnviz.experiment.labs import Trace, Trained
from attnviz.experiment.lessons.reading import SUFFIX as LESSON
from attnviz.export.document import ENDING
from attnviz.gui.forms.text_editors import SentenceEdit
from attnviz.gui.run.controller import Controller
from attnviz.gui.session.files import SessionFiles
from attnviz.gui.session.questions import Answer, SessionQuestions, session_file
from attnviz.gui.session.settings import LastFolder, RecentFiles
from attnviz.gui.session.state import Save, SessionState
from attnviz.gui.widgets.code_edit import CodeEdit
from attnviz.gui.widgets.words import translate


class SessionManager(QObject):
    """Files are read and written outside the window's thread; every outcome is reported as a message."""

    said = Signal(str, bool)
    """A message, and whether it reports a failure."""
    lesson_chosen = Signal(object)
    """The path of a file that holds a lesson, which is no session."""
    changed = Signal()
    """The session, its file, or its saved state has changed."""

    def __init__(self, window: QWidget, controller: Controller, state: SessionState, folder: LastFolder) -> None:
        super().__init__(window)
        self._controller, self._state, self._folder = controller, state, folder
        self._window, self.questions = window, SessionQuestions(window)
        self.recent = RecentFiles()
        self.asks = True
        """Whether to ask about unsaved changes; a terminal's Ctrl+C and a screenshot do not wait for an answer."""
        self._go_on: Callable[[], object] | None = None
        self._opened: tuple[Session, Path] | None = None  # one of an earlier version whose run has not arrived yet
        self._with_model: Path | None = None  # the path for the session with its trained model, which was requested
        self._files = SessionFiles(self, self.questions)
        self._files.said.connect(self.said)
        self._files.saved.connect(self._take_saved)
        self._files.not_saved.connect(self._stay)
        self._files.opened.connect(self._take_document)
        state.changed.connect(self._show)
        controller.trained_taken.connect(self._take_trained)
        controller.trace_accepted.connect(self._say_shown_otherwise)

    def move_to(self, window: QWidget) -> None:
        """Ask questions and set the title in another window from now on."""
        self._window, self.questions = window, SessionQuestions(window)
        self._files.move_to(self.questions)
        self._show()

    @property
    def modified(self) -> bool:
        """Whether there is unsaved work."""
        return self._state.modified

    @property
    def path(self) -> Path | None:
        """The session file; None after opening a figure or a bare spec."""
        return self._state.path

    @property
    def name(self) -> str:
        """The title of the session."""
        return self._state.name or self.tr("Untitled")

    @property
    def origin(self) -> str:
        """The path that Save as proposes, if the session has a name; else empty."""
        return str(self.proposed) if self._state.name else ""

    @property
    def proposed(self) -> Path:
        """The path that Save as proposes."""
        name = self._state.name or proposed_name(self._state.work.spec)
        return self.path or self._folder.path / f"{name}{ENDING}"

    def begin(self, session: Session, source: Path | None = None) -> None:
        """Take the first session of the window; its spec is the current one already."""
        self._state.begin(session, source)
        self.remember(source)
        self._files.know(source)
        self._note_opened(session, source)

    @Slot()
    def new(self) -> None:
        """Start with the opening preset of each lab."""
        self._unless_unsaved(self._state.new)

    @Slot()
    def open(self) -> None:
        """Ask for a file and open it."""
        self._finish_typing()
        with self._files.question():
            path = self.questions.what_to_open(self._folder.path)
        if path is not None:
            self.open_path(path)

    @Slot(object)
    def open_path(self, path: Path) -> None:
        """Open a session, a spec, a figure or a lesson; one that cannot be opened changes nothing."""
        if path.suffix.lower() == LESSON:
            self._folder.take(path)
            self.lesson_chosen.emit(path)
        else:
            self._files.open(path)

    @Slot()
    def save(self) -> None:
        """Save the session in its file, or ask for one."""
        if self.path is None:
            self.save_as()
        else:
            self._finish_typing()
            self._save_in(self.path)

    @Slot()
    def save_as(self) -> None:
        """Ask for a file, and save the session in it."""
        path = self._ask_where()
        if path is not None:
            self._save_in(path)

    @Slot()
    def save_with_model(self) -> None:
        """Ask for a file, and save the session in it with the trained model in its current state."""
        path = self._ask_where()
        if path is not None:
            self._with_model = path
            self._controller.want_trained()

    def may_close(self) -> bool:
        """Return whether the window may close now; if the changes are saved first, it is closed afterwards."""
        closing: list[bool] = []
        if self.asks:
            self._unless_unsaved(lambda: closing.append(True), afterwards=self._window.close)
        return bool(closing) or not self.asks

    def restore(self, session: Session, restored: Callable[[], object]) -> None:
        """Show a session, still marked as unsaved, under its name; call ``restored`` when it is shown.

        Saving it asks for the file, which may have changed since, and proposes that of its origin.
        """
        self._unless_unsaved(partial(self._restore, session, restored))

    def _unless_unsaved(self, go_on: Callable[[], object], afterwards: Callable[[], object] | None = None) -> None:
        """Call ``go_on``, which ends the session; ask about unsaved changes first.

        Once they are saved, ``afterwards`` is called instead of ``go_on``.
        """
        if self._files.asking:
            return  # one question at a time
        self._finish_typing()
        waited = self._go_on is not None  # for a slow save, and now the user asks again
        self._go_on, answer = None, Answer.DISCARD
        if not waited and self._files.is_saving(self._state):
            self._go_on = afterwards or go_on  # all changes are being saved, so there is nothing to ask
        elif self.modified and self.asks:
            with self._files.question():
                answer = self.questions.unsaved(self.name)
        if answer is Answer.CANCEL:
            return
        self._files.forget()
        if answer is Answer.SAVE:
            self._go_on = afterwards or go_on
            self.save()
        elif self._go_on is None:
            go_on()

    def _restore(self, session: Session, restored: Callable[[], object]) -> None:
        self._state.replace(session, None, self.tr("Restore"))
        if session.origin:
            self._folder.take(Path(session.origin))
        self._state.mark_unsaved(Path(session.origin).stem)
        restored()

    @Slot(object)
    def remember(self, file: Path | None) -> None:
        """Add an opened or saved file to the recent ones; None adds nothing."""
        if file is not None:
            self._folder.take(file)
            self.recent.add(file)

    def _ask_where(self) -> Path | None:
        """Ask for a session's file; None if the user cancels, which also cancels the action waiting for the save."""
        self._finish_typing()
        with self._files.question():
            path = session_file(self.questions, self.proposed)
        if path is None:
            self._stay()
        return path

    def _save_in(self, path: Path, trained: Trained | None = None) -> None:
        """Save the session with a trained model, or with that of its file if it still belongs to the spec."""
        self._files.save(self._state.save_as(path, self._state.trained if trained is None else trained))

    @Slot(object, str)
    def _take_trained(self, trained: Trained | None, why: str) -> None:
        path, self._with_model = self._with_model, None
        if path is None:
            return
        if trained is not None and trained.fits(self._state.work.spec):
            self._save_in(path, trained)
            return
        self.said.emit(self.tr("Not saved: {0}").format(why or self.tr("no step has been trained yet")), True)
        self._stay()

    def _note_opened(self, session: Session, file: Path | None) -> None:
        if session.misfit and file is not None:
            self.said.emit(f"{file}: {translate(session.misfit)}", True)
        self._opened = (session, file) if session.predates and file is not None else None
        shown = self._controller.shown
        if shown is not None:  # it may have been kept
            self._say_shown_otherwise(shown)

    @Slot(object)
    def _say_shown_otherwise(self, trace: Trace) -> None:
        """Report once what the version that wrote the session showed differently."""
        if self._opened is not None and trace.spec == self._opened[0].spec:
            file, self._opened = self._opened[1], None
            if trace.shown_otherwise:
                said = " ".join(map(translate, trace.shown_otherwise))
                self.said.emit(f"{file}: {said}", True)

    @Slot(object)
    def _take_saved(self, saved: Save) -> None:
        still_here = self._state.take_saved(saved)
        self.remember(saved.path)
        self.said.emit(self.tr("Saved {0}").format(saved.path), False)
        if not self._files.is_last(saved):
            return  # a later save is in progress, and decides
        go_on, self._go_on = self._go_on, None
        if still_here and go_on is not None:
            go_on()

    @Slot()
    def _stay(self) -> None:
        self._go_on = None  # cancels the action waiting for the save

    @Slot(object, object)
    def _take_document(self, session: Session, path: Path) -> None:
        self._unless_unsaved(partial(self._open, session, path))

    def _open(self, session: Session, path: Path) -> None:
        self._state.replace(session, path, self.tr("Open {0}").format(path.name))
        self.remember(path)
        self._files.say_opened(path)
        self._note_opened(session, path)

    def _finish_typing(self) -> None:
        finish_typing(self._window.focusWidget())

    @Slot()
    def _show(self) -> None:
        name = self.name.replace("[*]", "[*][*]")  # a literal "[*]" in a window title
        self._window.setWindowTitle(self.tr("{0}[*] - attnviz").format(name))
        if self._window.isWindowModified() != self.modified:
            self._window.setWindowModified(self.modified)
        self.changed.emit()


def finish_typing(focused: QWidget | None) -> None:
    """Commit the text typed in a widget, except an incomplete number such as "1e-"."""
    match focused:
        case QAbstractSpinBox():
            if focused.hasAcceptableInput():  # Qt would replace any other text by the last number
                focused.interpretText()
        case QLineEdit():
            table = _table_around(focused)
            if table is None:
                focused.editingFinished.emit()
            else:
                table.commitData(focused)
        case SentenceEdit():
            focused.finished.emit()
        case CodeEdit():
            focused.finish()


def _table_around(widget: QWidget) -> QAbstractItemView | None:
    around = widget.parentWidget()
    while around is not None and not isinstance(around, QAbstractItemView):
        around = around.parentWidget()
    return around
