"""Start and end of the application: Qt, settings, the exception hook, and `--screenshot`."""

import contextlib
import os
import signal
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import NoReturn

from PySide6.QtCore import QLocale, QObject, QSettings, QSize, Qt, QTimer, Slot
from PySide6.QtGui import QIcon
from PySide6.QtWidgets import QApplication

from attnviz import __version__
from attnviz.crash_report import Watch
from attnviz.experiment.files.first_picture import first_picture
from attnviz.experiment.files.plain_files import write_atomically
from attnviz.experiment.files.session import Session
from attnviz.experiment.labs import Spec
from attnviz.experiment.lessons.lesson import Lesson
from attnviz.experiment.run import Failure
from attnviz.experiment.texts.languages import ENGLISH, languages
from attnviz.folders import resource, state_folder
from attnviz.gui.dialogs.screenshot import release_clipboard
from attnviz.gui.language import has_glyphs, install_language, nearest_language, needs_a_font
from attnviz.gui.process import GarbageCollector, Hooks, QtMessages
from attnviz.gui.run.background import Background, finish_all
from attnviz.gui.run.mailbox import Ready
from attnviz.gui.session.autosave import AFTER_MS, Autosave, RecoveredSessions
from attnviz.gui.session.crash_notice import CrashNotice, RestoreBar
from attnviz.gui.session.settings import Changes, keep_motion, motion_chosen, open_settings, system_allows_motion
from attnviz.gui.theme import DARK, LIGHT, THEMES, Look, Theme, load_fonts
from attnviz.gui.window.main_window import MainWindow
from attnviz.gui.window.screens import screen_of

_TITLE_BAR = 32
"""The height of a title bar in pixels."""
SETTLE_MS = 150  # the delay of the screenshot after the result, for layout and the formula
PATIENCE_MS = 60_000
WRITING_S = 30.0
"""The time in seconds to wait for files being written when the window is closed."""


@dataclass(frozen=True, slots=True)
class Options:
    """The options of the command line for the window."""

    session: Session
    theme: str | None = None
    size: tuple[int, int] | None = None
    screenshot: Path | None = None
    scale: int = 1
    source: Path | None = None
    """The file that the session was read from."""
    present: bool = False
    """Whether the window opens in Present, as for an audience."""
    lesson: Lesson | None = None
    lesson_place: int | None = None
    """Its step, counted from 0; None is the first, which offers to continue where the lesson was left."""
    desk: bool = False
    """Whether the lecturer's desk is opened beside it."""
    language: str | None = None
    """The code of the window's language; None is the one of the last window, or else of the system."""

    @property
    def is_fresh(self) -> bool:
        """Whether nothing is opened, so that a stored picture may be shown; not for a screenshot, which shows a run."""
        return self.source is None and self.lesson is None and self.screenshot is None


def start(options: Options) -> int:
    """Open the window and return the exit code when it is closed."""
    # Ctrl+C ends the start at once. A KeyboardInterrupt would be raised in one of Qt's callbacks and be lost.
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    watch = Watch()
    watch.begin()
    messages = QtMessages(watch)
    messages.begin()
    app = make_application()
    collector = GarbageCollector()  # created first and closed last: no other thread may ever collect a widget
    messages.window_can_open()
    settings = None if options.screenshot else open_settings()
    language = _language(options.language, settings)
    install_language(app, language if has_glyphs(language) else ENGLISH)
    window = MainWindow(options.session.spec, _theme(app, options.theme, settings))
    window.keeper.begin(options.session, options.source)
    if options.size:
        window.resize(*options.size)
    elif settings is not None:
        restore_place(window, settings)
    memory = None if settings is None else _SavedState(window, settings, watch)
    hooks = Hooks(window, watch)
    hooks.begin()
    window.controller.settled.connect(collector.keep_what_is_loaded, Qt.ConnectionType.SingleShotConnection)
    shot = _Screenshot(window, options.screenshot, options.scale) if options.screenshot else None
    desk = _Desk(app, window, hooks, memory, settings, language)
    window.show()
    if options.present:
        window.present(True, full_screen=options.screenshot is None)
    hooks.take_signals()  # the collector's timer lets Python handle signals within a second
    if options.lesson is not None:
        window.lessons.open(options.lesson, options.lesson_place)
    if options.desk:
        window.lessons.toggle_desk()
    window.start()
    if options.is_fresh and (stored := first_picture(options.session.spec)) is not None:
        window.controller.show_stored(stored)
    code = app.exec()
    code = code if shot is None else shot.code
    how = f"code {code}" + (f", closed by {hooks.ended_by}" if hooks.ended_by else "")
    hooks.end()
    release_clipboard()
    if memory is not None:
        memory.close()
    hooks.release_signals()
    written, over = finish_all(WRITING_S), desk.window.runner.close(timeout_ms=0)
    if not (written and over):
        watch.close(f"{how}, in the middle of {'a run' if written else 'writing a file'}")
        _exit_at_once(code, "" if written else "closed while a file was still being written")
    collector.close()
    messages.end()
    watch.close(how)
    return code


def _exit_at_once(code: int, why: str) -> NoReturn:
    """End the process while a thread still runs: a single operation may take any time.

    Destroying a running QThread would abort the process, and Python's exit would wait for any other thread.
    """
    with contextlib.suppress(AttributeError, OSError):  # there is no terminal, or it was closed
        if why and sys.stderr is not None:
            print(f"attnviz: {why}", file=sys.stderr)
        sys.stdout.flush()
        sys.stderr.flush()
    os._exit(code)


def make_application() -> QApplication:
    """Return the QApplication, with our fonts, style and limits."""
    sys.setswitchinterval(0.001)  # shortens the waits for the interpreter lock while the worker runs small operations
    app = QApplication.instance() or QApplication(["attnviz"])
    assert isinstance(app, QApplication)
    app.setApplicationName("attnviz")
    app.setApplicationVersion(__version__)
    app.setDesktopFileName("attnviz")
    app.setStyle("Fusion")
    app.setWindowIcon(QIcon(str(resource("icons") / "attnviz.svg")))
    load_fonts()
    app.setFont(Look(LIGHT).font())  # before any widget is created, which would resolve parts of its font with another
    return app


def restore_place(window: MainWindow, settings: QSettings) -> None:
    """Restore the geometry of the last window, except full screen; without one, fit into the screen."""
    restored = False
    # A broken settings file must not keep the window from opening.
    with contextlib.suppress(TypeError, ValueError):
        restored = window.restoreGeometry(settings.value("geometry"))
    if not restored:
        window.resize(window.size().boundedTo(screen_of(window).availableSize() - QSize(0, _TITLE_BAR)))
    window.setWindowState(window.windowState() & ~Qt.WindowState.WindowFullScreen)


def _theme(app: QApplication, asked: str | None, settings: QSettings | None) -> Theme:
    remembered = settings.value("theme") if settings is not None else None
    for name in (asked, remembered):
        if isinstance(name, str) and name in THEMES:
            return THEMES[name]
    return DARK if app.styleHints().colorScheme() == Qt.ColorScheme.Dark else LIGHT


def _language(asked: str | None, settings: QSettings | None) -> str:
    remembered = settings.value("language") if settings is not None else None
    for code in (asked, remembered):
        if isinstance(code, str) and code in languages():
            return code
    return nearest_language(QLocale.system())


class _Desk(QObject):
    """The window on screen. Another language recreates it, around the same run, undo steps and files."""

    def __init__(
        self,
        app: QApplication,
        window: MainWindow,
        hooks: Hooks,
        memory: "_SavedState | None",
        settings: QSettings | None,
        language: str,
    ) -> None:
        super().__init__()
        self._app, self._hooks, self._memory, self._settings = app, hooks, memory, settings
        self._take(window)
        self._has_font(language)

    def _take(self, window: MainWindow) -> None:
        self.window = window
        window.closed.connect(self._app.quit)
        window.language_chosen.connect(self.speak)

    @Slot(str)
    def speak(self, code: str) -> None:
        """Switch to another language, and store it."""
        before = self.window
        if not self._has_font(code):
            return
        install_language(self._app, code)
        if self._settings is not None:
            self._settings.setValue("language", code)
        self._take(MainWindow(before.controller.spec, before=before))
        self._hooks.move_to(self.window)
        if self._memory is not None:
            self._memory.move_to(self.window)
        self.window.show()
        before.leave()

    def _has_font(self, code: str) -> bool:
        """Return whether a language can be shown; if not, tell the user and the terminal."""
        if has_glyphs(code):
            return True
        text = needs_a_font(code)
        self.window.notice.tell(text)
        if sys.stderr is not None:
            print(f"attnviz: {text}", file=sys.stderr)
        return False


class _SavedState:
    """The state beyond the window's lifetime: geometry and theme, recent files, and unsaved work after a crash."""

    def __init__(self, window: MainWindow, settings: QSettings, watch: Watch) -> None:
        self._window, self._settings = window, settings
        window.keeper.recent.remember_in(settings)
        window.rooms.remember_in(settings)
        window.exporter.folder.load(settings)
        window.panels.load(settings)
        window.lessons.load(settings)
        self._motion = _BeginningOfMotion(window, motion_chosen(settings))
        self._before = Changes()
        self._before = self._values()
        folder = state_folder()
        self._autosave = Autosave(folder, window.keeper, window.session_state)
        self._bar = RestoreBar()
        self._recovered = RecoveredSessions(folder, window.keeper, self._autosave, self._bar)
        self._crash_notice = CrashNotice(window, watch, self._bar)
        window.controller.engine_ready.connect(self._crash_notice.note_engine)
        self._timer = QTimer(interval=AFTER_MS)
        self._timer.timeout.connect(self._store)
        self._timer.start()
        self._say_in(window)

    def _say_in(self, window: MainWindow) -> None:
        self._autosave.failed.connect(window.notice.tell)
        window.panels.put_above_stage(self._bar)

    def move_to(self, window: MainWindow) -> None:
        """Report to and store the settings of another window from now on."""
        self._window = window
        for part in (self._crash_notice, self._motion):
            part.move_to(window)
        self._say_in(window)

    def close(self) -> None:
        """Store the settings that were changed in this window, and its geometry."""
        self._timer.stop()
        self._recovered.close()
        self._autosave.close()
        self._settings.setValue("geometry", self._window.saveGeometry())
        self._store()
        self._settings.sync()

    def _store(self) -> None:
        """Store the settings that were changed in this window; every few seconds, so that a crash loses none."""
        values = self._values()
        values.store_since(self._before, self._settings)
        self._before = values

    def _values(self) -> Changes:
        """Return the settings as they are in the window now."""
        look = self._window.look
        values = Changes(theme=look.theme.name)
        if "motion" in self._before or self._motion.first not in (None, look.motion):
            keep_motion(values, look.motion)
        for part in (self._window.exporter.folder, self._window.panels, self._window.lessons):
            part.save(values)
        return values


class _BeginningOfMotion(QObject):
    """Enables the motion of cells between stages after the first picture, as chosen, or else as the system prefers."""

    def __init__(self, window: MainWindow, chosen: bool | None) -> None:
        super().__init__(window)
        self._window = window
        self._chosen = chosen
        self.first: bool | None = None
        """What it began with; None until then."""
        self._background = Background(self)
        self._background.done.connect(self._take)
        window.controller.settled.connect(self._begin, Qt.ConnectionType.SingleShotConnection)

    def move_to(self, window: MainWindow) -> None:
        """Enable it in another window, if it is not enabled yet."""
        self.setParent(window)
        self._window = window

    @Slot()
    def _begin(self) -> None:
        if self._chosen is None:
            self._background.start(system_allows_motion)
        else:
            self._take(self._chosen)

    @Slot(object)
    def _take(self, on: bool) -> None:
        self.first = on
        self._window.show_motion(on)


class _Screenshot(QObject):
    """Waits for the end of the first run, saves a picture and closes the window."""

    def __init__(self, window: MainWindow, path: Path, scale: int) -> None:
        super().__init__(window)
        self.code = 1
        self._failed = False
        self._window, self._path, self._scale = window, path, scale
        self._problem = "no result within a minute"
        window.keeper.asks = False
        window.falls_back = False  # a picture from another device would be misleading
        window.controller.settled.disconnect(window.rooms.load_others)  # the user cannot enter another lab
        window.controller.set_pace(None)
        window.controller.state_changed.connect(self._look)
        window.controller.failed.connect(self._fail)
        window.controller.engine_ready.connect(self._check_engine)
        cursor = window.room.view_settings().cursor
        self._step = None if cursor is None else cursor.step
        self._timer = QTimer(self, singleShot=True)
        self._timer.timeout.connect(self._end)
        self._timer.start(PATIENCE_MS)

    @Slot()
    def _look(self) -> None:
        controller = self._window.controller
        shown = controller.shown
        # Without a requested step, a model is on screen before it has been compared.
        is_asked = shown is not None and self._step is not None and shown.cursor.step == self._step
        there = shown is not None and (shown.final or is_asked)
        if not self._failed and there and controller.up_to_date:
            self._problem = ""
            self._timer.start(SETTLE_MS)

    @Slot(object)
    def _fail(self, failure: Failure[Spec]) -> None:
        self._failed, self._problem = True, failure.message
        self._timer.start(SETTLE_MS)

    @Slot(object)
    def _check_engine(self, ready: Ready) -> None:
        if ready.problem:
            self._problem = str(ready.problem)
            self._timer.start(0)

    @Slot()
    def _end(self) -> None:
        if not self._problem:
            unset = any(background.busy for background in self._window.findChildren(Background))
            if unset or self._window.controller.computing_beside:
                self._timer.start(SETTLE_MS)  # the formula or a side run is not finished yet
                return
            try:
                _, png = self._window.exporter.picture(self._scale)
                content = png()
                write_atomically(self._path, lambda file: file.write(content))
                self.code = 0
            except OSError as error:
                self._problem = f"{self._path} cannot be written: {error.strerror or error}"
            except Exception as error:  # mainly out of memory; no user is there to close the window
                self._problem = f"{self._path} cannot be made: {type(error).__name__}: {error}"
        if self._problem and sys.stderr is not None:
            print(f"attnviz: {self._problem}", file=sys.stderr)
        self._window.close()
