"""The window: combines the parts and connects their signals; makes no decisions about experiments."""

from collections.abc import Callable
from dataclasses import replace
from functools import partial

from PySide6.QtCore import QChildEvent, QEvent, QObject, QRect, Qt, QTimer, Signal, Slot
from PySide6.QtGui import QCloseEvent, QKeySequence, QResizeEvent
from PySide6.QtWidgets import QApplication, QMainWindow, QWidget
from typing_extensions import override

from attnviz.definitions.labs import LEAST_WINDOW
from attnviz.experiment.files.specs_in_files import preset_of, presets
from attnviz.experiment.labs import Spec, Trace
from attnviz.experiment.run import Failure
from attnviz.gui.dialogs.export_dialogs import ExportDialogs
from attnviz.gui.dialogs.exporter import Exporter
from attnviz.gui.help.help import Help, HelpContext
from attnviz.gui.labs.room import AnyRoom
from attnviz.gui.labs.rooms import Rooms, SideRuns
from attnviz.gui.lessons.lessons import Lessons
from attnviz.gui.run.controller import Controller
from attnviz.gui.run.mailbox import Ready
from attnviz.gui.run.runner import Runner
from attnviz.gui.session.file_drops import FileDrops
from attnviz.gui.session.manager import SessionManager
from attnviz.gui.session.model_folder import ModelFolderSaver
from attnviz.gui.session.state import SessionState
from attnviz.gui.sweeps.sweeps import Sweeps
from attnviz.gui.theme import DARK, LIGHT, Look, Theme, dress, palette
from attnviz.gui.widgets.layouts import column_of
from attnviz.gui.widgets.words import failure_text, preset_before, spec_title, translate
from attnviz.gui.window.actions import ActionRow, Actions, UndoActions
from attnviz.gui.window.panels import Panels
from attnviz.gui.window.present import Presentation
from attnviz.gui.window.screens import hall_screen, screen_of
from attnviz.gui.window.status_bar import StatusBar, state_of
from attnviz.gui.window.top_bar import TopBar, WindowMenu

_REST = 50
"""The time in milliseconds after a resize in Present before the type is adapted."""
_FALL_BACK_ON = ("device_missing", "run_failed", "out_of_memory", "no_float64")


class MainWindow(QMainWindow):
    """One window, one controller, one room per lab."""

    closed = Signal()
    """The window was closed; the worker has ended, or was asked to."""
    language_chosen = Signal(str)
    """The user chose another language, by its code: a window created with this one as ``before`` uses it."""

    def __init__(self, first: Spec, theme: Theme = LIGHT, before: "MainWindow | None" = None) -> None:
        super().__init__()
        self.look: Look = Look(theme) if before is None else before.look
        self._styled: tuple[Theme, float] | None = None  # what the style sheet was made for
        self._last_preset = ""
        self._failed: Spec | None = None  # what the notice is about
        self._own_place: QRect | None = None  # where it was before it was presented on another screen
        self._resized = QTimer(self, singleShot=True, interval=_REST)
        self._resized.timeout.connect(self._fit_type)
        self.falls_back = True
        """Whether a device that fails gives way to the CPU, with a message."""
        self.runner: Runner = Runner(self) if before is None else before.runner
        self.controller: Controller = Controller(first, self.runner, self) if before is None else before.controller
        self.rooms = Rooms(self.look, self)
        self.exporter = Exporter(self, self.controller, self.rooms)
        self.status = StatusBar()
        self.panels = Panels(self.rooms)
        central = QWidget()
        self.setCentralWidget(central)
        self.presentation = Presentation(self, central, self.panels, self._described)
        self.notice = self.panels.notice
        if before is None:
            self.session_state = SessionState(self.controller, self.rooms, self.panels.notes, self)
            self.keeper = SessionManager(self, self.controller, self.session_state, self.exporter.folder)
        else:
            self._take_over(before)
        folder = self.exporter.folder
        self.model_folder = ModelFolderSaver(self, self.controller, folder)
        self.lessons = Lessons(self, central, self.controller, self.rooms, self.session_state, self.panels, folder)
        self.dialogs = ExportDialogs(self, self.exporter, self.rooms, self.controller, lambda: self.look)
        self.sweeps = Sweeps(self.controller, self.exporter, self.panels, self.look, self)
        self.help = Help(self, self.panels, self._what_help_needs)
        self.panels.learned.clicked.connect(self.help.open_at_learning)
        self.actions_ = Actions(self._action_rows(), self)
        self.top_bar = TopBar(self.actions_)
        of_lessons = self.lessons.menu(self, self.actions_)
        self.menu = WindowMenu(self.actions_, self.keeper.recent, (of_lessons, self.top_bar.devices_menu), self)
        self.top_bar.menu.setMenu(self.menu)
        self.undo_actions = UndoActions(self.controller.undo_stack, self.actions_, self)
        self.presentation.take_actions(self.actions_)
        column_of(central, self.top_bar, self.panels, self.status, gap=0, wide=(self.panels,))
        self.lessons.ring.raise_()  # once: what covers the window in Present is raised above it
        self.drops = FileDrops(self, self.controller, self.keeper, self.rooms)
        self._connect()
        # Connected last: its requests depend on the trace on screen.
        self.side_runs = SideRuns(self.controller, self.rooms, self)
        self._restyle()
        # This builds the first room: all listeners of `rooms.built` must be connected before.
        self.panels.show_controls(first.lab)
        self.setMinimumSize(*LEAST_WINDOW)
        self.resize(1280, 800)
        if before is not None:
            self._show_as(before)

    @property
    def room(self) -> AnyRoom:
        """The room of the current lab."""
        return self.rooms[self.controller.spec.lab]

    def start(self) -> None:
        """Load the engine and run the first spec."""
        self._show_state()
        self.panels.stages.setFocus()  # no knob is lit
        trained = self.lessons.now.trained or self.session_state.trained
        self.controller.start(self.room.view_settings().cursor, trained)
        _FirstPaint(self, self.runner.begin)

    def _take_over(self, before: "MainWindow") -> None:
        """Take over the work of another window: its run, undo steps, files and pins."""
        self.session_state, self.keeper = before.session_state, before.keeper
        self.exporter.folder = before.exporter.folder
        for part in (self.runner, self.controller, self.session_state, self.keeper):
            part.setParent(self)
        self.rooms.pins.put_all(before.rooms.pins.all)
        self.panels.notes.set_text(before.panels.notes.text)
        self.session_state.move_to(self.rooms, self.panels.notes)
        self.keeper.move_to(self)

    def _show_as(self, before: "MainWindow") -> None:
        """Restore the state of another window, and show its content."""
        self._last_preset, self.falls_back = before._last_preset, before.falls_back
        self.rooms.take_over(before.rooms)
        self.panels.fold_as(before.panels)
        self.top_bar.take_over(before.top_bar)
        self.lessons.take_over(before.lessons)
        self.sweeps.take_over(before.sweeps)
        self.actions_["present"].setChecked(self.look.present)
        self.actions_["motion"].setChecked(self.look.motion)
        self.setGeometry(before.geometry())
        self.setWindowState(before.windowState())
        if self.controller.shown is not None:
            self._show_trace(self.controller.shown)
        self._show_spec(self.controller.spec)  # last: the trace is another lab's until that of the spec arrives
        self.side_runs.ask()
        self._show_state()

    def leave(self) -> None:
        """Close, once another window has taken over."""
        self.lessons.close_desk()
        self.hide()
        self.dialogs.finish()
        self.sweeps.finish()
        self.deleteLater()

    @Slot()
    def toggle_theme(self) -> None:
        """Toggle between light and dark."""
        self.look = replace(self.look, theme=LIGHT if self.look.theme is DARK else DARK)
        self._restyle()

    @Slot(bool)
    def present(self, on: bool, *, full_screen: bool = True) -> None:
        """Show the picture to an audience: on the window's whole screen, in type of matching size."""
        if on and not self.look.present:
            self.lessons.begin_lecture()
        screen = hall_screen(self, self.lessons.desk)
        height = screen.size().height() if full_screen else self.height()
        self.look = self.look.presented(height) if on else Look(self.look.theme, motion=self.look.motion)
        self.actions_["present"].setChecked(on)
        self._restyle()
        full, others = Qt.WindowState.WindowFullScreen, self.windowState() & ~Qt.WindowState.WindowFullScreen
        if on and full_screen and screen is not screen_of(self):
            self._own_place = self.geometry()
            self.setScreen(screen)
            self.setGeometry(screen.geometry())
        # A window that was maximised comes back as that.
        self.setWindowState(others | full if on and full_screen else others)
        if not on and self._own_place is not None:
            self.setGeometry(self._own_place)
            self._own_place = None
        if self.lessons.desk is not None:
            self.presentation.notes.hide()  # the desk has what is to be said

    @Slot()
    def toggle_numbers(self) -> None:
        """Hide the numbers in the pictures, so that an audience can guess them, or show them."""
        self.look = replace(self.look, numbers=not self.look.numbers)
        self._restyle()

    @Slot(bool)
    @Slot(object)
    def show_motion(self, on: bool) -> None:
        """Let cells move from one stage to the next, or show each stage at once."""
        self.look = replace(self.look, motion=on)
        self.actions_["motion"].setChecked(on)
        self._restyle()

    @override
    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if self.look.present:
            self._resized.start()

    @Slot()
    def _fit_type(self) -> None:
        """Adapt the type to an audience's screen after a pause in resizing, since restyling takes long."""
        if self.look.present and self.look != (look := self.look.presented(self.height())):
            self.look = look  # the screen is another one
            self._restyle()

    @override
    def childEvent(self, event: QChildEvent) -> None:
        super().childEvent(event)
        if event.polished() and isinstance(child := event.child(), QWidget) and child.isWindow():
            dress(child, self.look)  # a dialog that was made since

    @override
    def closeEvent(self, event: QCloseEvent) -> None:
        event.ignore()  # stay open, too, if an exception keeps the user from being asked about unsaved changes
        if not self.keeper.may_close() or (self.keeper.asks and not self.lessons.may_close()):
            return
        event.accept()
        self.lessons.close_desk()
        self.hide()
        self.dialogs.finish()
        self.sweeps.finish()
        self.runner.close()
        self.closed.emit()

    def _action_rows(self) -> tuple[ActionRow, ...]:
        """Return the table of the window's actions; those of `UndoActions` and of menus are connected later."""
        key, controller, exporter, keeper = QKeySequence.StandardKey, self.controller, self.exporter, self.keeper
        dialogs, lessons, present = self.dialogs, self.lessons, self.presentation
        for_audience = partial(ActionRow, repeats=False, where=self.tr("Present"))
        return (
            ActionRow("new", self.tr("New"), "", key.New, keeper.new),
            ActionRow("open", self.tr("Open ..."), "", key.Open, keeper.open),
            ActionRow("save", self.tr("Save"), "", key.Save, keeper.save),
            ActionRow("save_as", self.tr("Save as ..."), "", "Ctrl+Shift+S", keeper.save_as),
            ActionRow("save_model", self.tr("Save with the trained model ..."), "", "", keeper.save_with_model),
            ActionRow("save_folder", self.tr("Save as a model folder ..."), "", "", self.model_folder.save),
            ActionRow("undo", self.tr("Undo"), "undo", key.Undo, None),
            ActionRow("redo", self.tr("Redo"), "redo", ("Ctrl+Y", "Ctrl+Shift+Z"), None),
            ActionRow("run", self.tr("Run"), "run", "Ctrl+R", controller.run_or_pause),
            ActionRow("step", self.tr("Step"), "step", "Ctrl+.", controller.step),
            ActionRow("reset", self.tr("Reset"), "reset", "Ctrl+Shift+R", controller.reset),
            ActionRow("previous_stage", self.tr("Previous stage"), "", "Alt+Left", self.previous_stage),
            ActionRow("next_stage", self.tr("Next stage"), "", "Alt+Right", self.next_stage),
            ActionRow("page_back", self.tr("Previous stage, or step of the lesson"), "", "PgUp", self.page_back),
            ActionRow("page_on", self.tr("Next stage, or step of the lesson"), "", "PgDown", self.page_on),
            ActionRow("previous_preset", self.tr("Previous preset"), "", "Ctrl+PgUp", self.previous_preset),
            ActionRow("next_preset", self.tr("Next preset"), "", "Ctrl+PgDown", self.next_preset),
            ActionRow("play_stages", self.tr("Play the stages"), "", "F5", self.play_stages),
            ActionRow("present_previous", self.tr("Previous stage"), "", "Left", self.present_back, everywhere=False),
            ActionRow("present_next", self.tr("Next stage"), "", "Right", self.present_on, everywhere=False),
            ActionRow(
                "release", self.tr("Let go of the held cell, close the manual, leave Present"), "", "Esc", self._release
            ),
            ActionRow("next_panel", self.tr("Next panel"), "", "F6", self.next_panel),
            ActionRow("menu", self.tr("Menu"), "menu", "F10", None),
            ActionRow("theme", self.tr("Light or dark"), "theme", "Ctrl+T", self.toggle_theme),
            ActionRow("motion", self.tr("Motion between stages"), "", "", self.show_motion, checkable=True),
            ActionRow("export", self.tr("Export"), "export", "", None),
            ActionRow("fold_left", self.tr("Fold or open the controls"), "", "F7", self.panels.left.button.click),
            ActionRow("fold_right", self.tr("Fold or open the inspector"), "", "F8", self.panels.right.button.click),
            ActionRow("present", self.tr("Present"), "present", "F11", self.present, checkable=True),
            for_audience("blank", self.tr("Black screen"), "", ("B", "."), present.blank.toggle),
            for_audience("hide_numbers", self.tr("Hide or show the numbers"), "", "N", self.toggle_numbers),
            for_audience("spotlight", self.tr("Spotlight on or off"), "", "L", present.spotlight.toggle),
            for_audience("freeze", self.tr("Freeze the picture"), "", "Z", present.toggle_freeze),
            ActionRow("figure", self.tr("Figure ..."), "", "Ctrl+E", dialogs.open_figure),
            ActionRow("copy_picture", self.tr("Copy picture"), "", key.Copy, exporter.copy_picture),
            ActionRow("save_numbers", self.tr("Numbers ..."), "", "Ctrl+Shift+E", exporter.save_numbers),
            ActionRow("animation", self.tr("Animation ..."), "", "Ctrl+Shift+A", dialogs.open_animation),
            ActionRow("sweep", self.tr("Sweep"), "", "Ctrl+Shift+W", self.sweeps.toggle, checkable=True),
            ActionRow("code", self.tr("Copy as PyTorch"), "", "Ctrl+Shift+C", dialogs.open_code),
            ActionRow("save_spec", self.tr("Spec ..."), "", "", exporter.save_spec),
            ActionRow("desk", self.tr("Lecturer's desk"), "", "Ctrl+Shift+D", lessons.toggle_desk),
            ActionRow("lesson_step", self.tr("Add this view as a step"), "", "Ctrl+Shift+L", lessons.add_step),
            ActionRow("lesson_write", self.tr("Write a lesson"), "", "", lessons.write),
            ActionRow("manual", self.tr("Manual"), "", key.HelpContents, self.help.open_manual),
            ActionRow("shortcuts", self.tr("Keys and gestures"), "", "?", self.help.open_shortcuts),
            ActionRow("about", self.tr("About attnviz"), "", "", self.help.open_about),
            ActionRow("quit", self.tr("Quit"), "", "Ctrl+Q", self.close),
        )

    def _connect(self) -> None:
        controller, bar = self.controller, self.top_bar
        controller.spec_changed.connect(self._show_spec)
        controller.trace_accepted.connect(self._show_trace)
        controller.failed.connect(self._fail)
        controller.state_changed.connect(self._show_state)
        controller.engine_ready.connect(self._engine_ready)
        controller.settled.connect(self.rooms.load_others, Qt.ConnectionType.SingleShotConnection)
        self.rooms.built.connect(self._furnish)
        bar.lab_chosen.connect(self.session_state.enter_lab)
        bar.preset_chosen.connect(self.session_state.open_preset)
        bar.device_chosen.connect(controller.choose_device)
        bar.map_chosen.connect(self.rooms.set_map)
        bar.pace.chosen.connect(controller.set_pace)
        self.rooms.map_changed.connect(bar.show_map)
        self.actions_["menu"].triggered.connect(bar.menu.showMenu)
        self.actions_["export"].triggered.connect(bar.export.showMenu)
        self.status.stop.clicked.connect(controller.stop)
        self.menu.recent_chosen.connect(self.keeper.open_path)
        self.menu.language_chosen.connect(self.language_chosen)
        self.panels.notes.refused.connect(self.notice.tell)
        self.panels.space_pressed.connect(controller.run_or_pause)
        self.panels.step_pressed.connect(self.go_step)
        for key, panel in (("fold_left", self.panels.left), ("fold_right", self.panels.right)):
            panel.say_keys(self.actions_[key].shortcut().toString(QKeySequence.SequenceFormat.NativeText))
        self.lessons.asks_changed.connect(self._note_question)
        self.lessons.file_opened.connect(self.keeper.remember)
        self.keeper.lesson_chosen.connect(self.lessons.open_file)
        self.sweeps.opened.connect(self.actions_["sweep"].setChecked)
        self.session_state.laid_out.connect(self.sweeps.close)  # its picture was chosen to be looked at
        self.session_state.laid_out.connect(self.notice.hide)  # it was about something before
        for part in (self.exporter, self.keeper, self.model_folder, self.drops, self.lessons, self.sweeps):
            part.said.connect(self.notice.tell)

    @Slot(object)
    def _furnish(self, room: AnyRoom) -> None:
        controller = self.controller
        room.form.proposed.connect(controller.propose)
        room.form.refuses_changed.connect(self._show_state)
        room.stage.painted.connect(self.status.show_drawing)
        room.beginning_asked.connect(controller.begin)
        room.points_asked.connect(self.exporter.save_points)
        room.cursor_asked.connect(controller.seek)
        room.step_asked.connect(controller.go)
        play = self.actions_["play_stages"].shortcut()
        room.stage.player.say_keys(play.toString(QKeySequence.SequenceFormat.NativeText))
        room.stage.map_chosen.connect(self.rooms.set_map)
        room.stage.watched.connect(self.runner.watch)
        room.selection.changed.connect(self._note_held)
        room.said.connect(self.notice.tell)
        room.stage.head.take_actions(self.actions_["run"], self.actions_["present"])

    def _restyle(self) -> None:
        look = self.look
        for bar in (self.top_bar, self.status):
            bar.setVisible(not look.present)
        if self._styled != (look.theme, look.scale):
            self._styled = look.theme, look.scale
            app = QApplication.instance()
            assert isinstance(app, QApplication)
            app.setPalette(palette(look.theme))
            app.setFont(look.font())
            # Qt tells widgets of it later: those of a room that is built before then would keep the font of before.
            QApplication.sendPostedEvents(None, QEvent.Type.ApplicationFontChange)
        self.actions_.restyle(look)
        for part in (self.top_bar, self.status, *self.children()):
            if isinstance(part, QWidget) and part is not self.centralWidget():
                dress(part, look)
        self.status.fit_height()
        self.panels.restyle(look)
        self.lessons.restyle(look)
        self.sweeps.restyle(look)
        self.presentation.restyle(look)
        self._show_state()

    @Slot(object)
    def _show_spec(self, spec: Spec) -> None:
        if self._failed is not None and spec != self._failed:
            self._failed = None
            self.notice.expire()
        room = self.room
        found = preset_of(spec)
        if found is not None:
            self._last_preset = found.name
            self.lessons.show_preset(found)
        self.panels.show_controls(spec.lab)
        if self.controller.shown is not None:
            self.panels.show_stage(spec.lab, waits=room.stage.trace is None)
            self._show_facts(room.stage.trace)
        thread = preset_before(spec, presets().get(self._last_preset)) if found is None else found
        named = spec_title(spec, thread)
        room.stage.head.preset = thread
        room.form.set_spec(spec)
        self.top_bar.show_lab(spec.lab, spec.trains, room.first_pace)
        self.top_bar.show_preset(found, named)
        self.panels.show_preset(found, named)
        self._note_held()
        self.top_bar.show_device(spec.device)

    @Slot(object)
    def _show_trace(self, trace: Trace) -> None:
        room = self.rooms[trace.spec.lab]
        self.panels.show_stage(trace.spec.lab)
        room.show_trace(trace)
        self.panels.fit_page()  # the first trace of a session may bring another page
        self._show_facts(trace)
        self.notice.make_way()

    def _show_facts(self, trace: Trace | None) -> None:
        """Show the facts of a trace below the picture and the form; nothing if the lab on screen has none yet."""
        self.status.show_trace(None if self.lessons.now.asks else trace)
        note = "" if trace is None else trace.untrained_note.translated(translate)
        self.panels.show_note(note, learns=self.room.lab.trained_type is not None)

    @Slot(object)
    def _fail(self, failure: Failure[Spec]) -> None:
        message = failure_text(failure)
        if self.falls_back and failure.code in _FALL_BACK_ON and failure.spec.device not in ("auto", "cpu"):
            text = self.tr("{0}. Running on the CPU instead.").format(message)
            self.notice.say(text, outlives_next_picture=True)
            self.controller.fall_back_to("cpu")
            self.session_state.take_device(failure.spec)
        else:
            if self.room.stage.trace is None:
                self.panels.waiting.setText(message)
            self.room.take_failure(failure)
            if self.room.tells_failure(failure):
                self.notice.hide()
                self.panels.show_stage(failure.spec.lab)  # there may have been no picture yet
            else:
                self.notice.say(message)
            self._failed = failure.spec

    @Slot()
    def _show_state(self) -> None:
        controller = self.controller
        drawn = controller.shown is not None and self.room.stage.trace is not None
        loading = (controller.shown is None or controller.shows_stored) and self.runner.busy
        self.room.stage.last_good.show_for(controller, has_picture=drawn, not_run=self.room.form.refuses)
        text = state_of(controller, loading=loading, has_picture=drawn)
        busy = controller.computing or controller.computing_beside
        self.status.show_state(text, busy=busy, goal=controller.goal)
        for name in ("save_model", "save_folder"):
            self.actions_[name].setEnabled(controller.has_trained)
        running = controller.playing
        text = self.tr("Pause") if running else self.tr("Run")
        self.actions_.show_as("run", text, "pause" if running else "run", self.look)

    @Slot(object)
    def _engine_ready(self, ready: Ready) -> None:
        self.top_bar.show_devices(ready.devices)
        self.top_bar.show_device(self.controller.spec.device)
        if ready.problem:
            self.panels.waiting.setText(self.tr("PyTorch could not be loaded: nothing can be drawn"))
            self.notice.say(self.tr("{0}. 'attnviz doctor' says what to install.").format(translate(ready.problem)))

    @Slot()
    def play_stages(self) -> None:
        """Step through the stages automatically, or stop."""
        self.room.stage.player.toggle()

    @Slot()
    def next_stage(self) -> None:
        """Show the next stage."""
        self.room.stage.strip.go(1)

    @Slot()
    def previous_stage(self) -> None:
        """Show the previous stage."""
        self.room.stage.strip.go(-1)

    @Slot(int)
    def go_step(self, by: int) -> bool:
        """Show another step of a run that Left and Right step through; return whether it is one."""
        if not (self.room.arrows_step and self.controller.spec.trains):
            return False
        self.controller.go(by)
        return True

    @Slot()
    def present_on(self) -> None:
        """Show the next step of such a run, else the next stage."""
        if not self.go_step(1):
            self.next_stage()

    @Slot()
    def present_back(self) -> None:
        """Show the previous step of such a run, else the previous stage."""
        if not self.go_step(-1):
            self.previous_stage()

    @Slot()
    def next_panel(self) -> None:
        """Move the focus to the controls, the stage, the inspector and the bar above, in turn."""
        self.panels.focus_next(self.top_bar)

    @Slot()
    def page_on(self) -> None:
        """Show the next step of the lesson, or the next stage without a lesson."""
        if self.lessons.is_open:
            self.lessons.now.on()
        else:
            self.next_stage()

    @Slot()
    def page_back(self) -> None:
        """Show the previous step of the lesson, or the previous stage without a lesson."""
        if self.lessons.is_open:
            self.lessons.now.back()
        else:
            self.previous_stage()

    @Slot()
    def _note_question(self) -> None:
        """Hide facts in the status bar about a hidden picture."""
        self._show_facts(self.room.stage.trace)
        self.presentation.take_question(self.lessons.now.asks)
        for key in ("figure", "animation", "save_numbers"):
            self.actions_[key].setEnabled(not self.lessons.now.asks)

    @property
    def _held(self) -> bool:
        """Whether a cell is locked."""
        return self.room.selection.locked.key is not None

    @Slot()
    def _note_held(self) -> None:
        self.presentation.take_held(self._held)

    @Slot()
    def next_preset(self) -> None:
        """Open the preset after the one on screen, or after the last one that was."""
        self._step_preset(1)

    @Slot()
    def previous_preset(self) -> None:
        """Open the preset before the one on screen, or before the last one that was."""
        self._step_preset(-1)

    def _step_preset(self, by: int) -> None:
        names = list(presets())
        at = names.index(self._last_preset) + by if self._last_preset else 0
        if 0 <= at < len(names):
            self.session_state.open_preset(names[at])

    @Slot()
    def _release(self) -> None:
        """Remove a cover, release the selection, close the manual, or leave Present.

        The first of these that applies; a manual with the focus closes before the selection is released.
        """
        if self.presentation.escape():
            return
        if self.help.has_focus or (self.help.has_manual_open and not self._held):
            self.help.close_manual()
        elif self.look.present and not self._held:
            self.present(False)
        elif self.sweeps.is_open:
            self.sweeps.close()
        else:
            self.room.selection.release()

    def _described(self) -> str:
        """Return the subject of the picture on screen: its preset and seed."""
        shown = self.exporter.shown
        spec = self.controller.spec if shown is None else shown.spec
        found = preset_of(spec)
        title = translate(spec.subject) or self.tr("own settings") if found is None else translate(found.title)
        return self.tr("{0}, seed {1}").format(title, getattr(spec, "seed", "-"))

    def _what_help_needs(self) -> HelpContext:
        return HelpContext(self.room, self.look, self.top_bar.devices)


class _FirstPaint(QObject):
    """Calls a slot once a window, with all its children, has been painted."""

    _painted = Signal()

    def __init__(self, window: QWidget, slot: Callable[[], None]) -> None:
        super().__init__(window)
        # The whole window is painted in one event; a queued slot runs after it.
        self._painted.connect(slot, Qt.ConnectionType.QueuedConnection)
        window.installEventFilter(self)

    @override
    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Paint:
            watched.removeEventFilter(self)
            self._painted.emit()
            self.deleteLater()
        return False
