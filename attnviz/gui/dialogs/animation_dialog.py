"""The animation dialog. The frames are written by ``attnviz export`` in a separate process, so that nothing waits.

The preview is such an animation too, in a temporary folder, played at the chosen pace.
"""

import re
from pathlib import Path

from PySide6.QtCore import QProcess, QTemporaryDir, QTimer, Slot
from PySide6.QtWidgets import QProgressBar, QWidget
from typing_extensions import override

from attnviz.definitions.formats import FORMATS
from attnviz.experiment.files.session import Session, session_to_json
from attnviz.experiment.labs import Spec
from attnviz.export.animation.animation import seconds_of_a_frame
from attnviz.gui.dialogs.animation_choices import AnimationChoice, AnimationChoices
from attnviz.gui.dialogs.button_dialog import ButtonDialog
from attnviz.gui.dialogs.exporter import Exporter
from attnviz.gui.dialogs.film_player import FilmPlayer
from attnviz.gui.run.command import start_command
from attnviz.gui.theme import Look
from attnviz.gui.widgets.layouts import column_of, row_of
from attnviz.gui.widgets.words import translate

_PROGRESS = re.compile(r"frame (\d+)/(\d+)")
CHOICES_WIDTH = 420
PATIENCE_MS = 3000
"""The time in milliseconds for a process to clean up after it was told to stop."""


class AnimationDialog(ButtonDialog):
    """Asks for the content, starts the process and shows its progress. Closing it stops the process."""

    def __init__(self, window: QWidget, exporter: Exporter) -> None:
        self.choices, self.player, self.progress = AnimationChoices(), FilmPlayer(), QProgressBar()
        above = row_of(None, column_of(None, self.choices, None), self.player, gap=24, wide=(self.player,))
        super().__init__(window, translate("Animation"), above, self.progress)
        self._exporter = exporter
        self._session: Session | None = None
        self._path: Path | None = None
        self._stopped = False
        self._previewed: AnimationChoice | None = None  # the content of the player, now or soon
        self._folder: QTemporaryDir | None = None  # the folder of a preview in progress
        self._last_words = ""
        self._rest = b""  # the incomplete last line of the process's output
        self.progress.setAccessibleName(self.tr("Frames made"))
        self.progress.hide()
        self.cancel = self.button(self.tr("Close"), self.reject)
        self.preview = self.button(self.tr("Preview"), self._make_preview)
        self.preview.setToolTip(self.tr("Make the animation and play it here; nothing is saved"))
        self.start = self.button(self.tr("Save ..."), self._ask_and_start, primary=True)
        self._process = QProcess(self)
        self._process.setProcessChannelMode(QProcess.ProcessChannelMode.MergedChannels)
        self._process.readyReadStandardOutput.connect(self._read)
        self._process.finished.connect(self._finish)
        self._process.errorOccurred.connect(self._fail_to_start)
        self._patience = QTimer(self, singleShot=True, interval=PATIENCE_MS)
        self._patience.timeout.connect(self._process.kill)
        self.choices.changed.connect(self._follow_choice)

    @property
    def busy(self) -> bool:
        """Whether the process is running."""
        return self._process.state() != QProcess.ProcessState.NotRunning

    def open_for(self, spec: Spec, look: Look) -> None:
        """Offer the animations of the trace on screen, or of the spec without one."""
        if not self.busy:
            self._session = self._session_shown(spec)
            self.choices.offer(self._session.spec, look.theme.name)
            self.choices.setFixedWidth(look.px(CHOICES_WIDTH))
            self.resize(look.px(960), look.px(480))
            self._forget_preview()
            self._show_state()
        self.show()  # not modal: the window stays usable while frames are written
        self.activateWindow()

    def _session_shown(self, spec: Spec) -> Session:
        """Return the session to animate: the run on screen, or the spec before there is one."""
        shown = self._exporter.shown
        if shown is None:
            return Session(spec=spec)
        session = self._exporter.session()
        # The points as on screen, even if their file has changed.
        return session.model_copy(update={"spec": shown.spec_written_out})

    def save_to(self, path: Path, choice: AnimationChoice) -> None:
        """Start writing an animation; the user has agreed to replace an existing file."""
        self._exporter.folder.take(path)
        self._write(path, choice)

    @Slot()
    def _make_preview(self) -> None:
        """Write the animation as a GIF, which Qt can play, into a temporary folder."""
        self._forget_preview()
        self._previewed = self.choices.choice
        self._folder = QTemporaryDir()
        self._write(Path(self._folder.filePath("preview.gif")), self._previewed)

    def _write(self, path: Path, choice: AnimationChoice) -> None:
        self._path, self._stopped, self._last_words, self._rest = path, False, "", b""
        assert self._session is not None
        film = ["--sweep", choice.sweep] if choice.sweep else ["--animate", choice.animate]
        arguments = ["export", "-", "-o", str(path), "--force", "--size", choice.size]
        arguments += ["--fps", f"{choice.settings.frames_per_second:g}", "--theme", choice.settings.figure.theme, *film]
        self.progress.setRange(0, 0)
        start_command(self._process, arguments, session_to_json(self._session))
        self._show_state()

    @override
    def reject(self) -> None:
        """Stop the process, or close."""
        if self.busy:
            self.stop()
        else:
            super().reject()

    def stop(self) -> None:
        """Tell the process to stop; it leaves no unfinished file, and keeps an older one."""
        if not self._stopped:
            self._stopped = True
            self._process.terminate()
            self._patience.start()
            self.said.setText(self.tr("Stopping ..."))
            self.cancel.setEnabled(False)

    def finish(self) -> None:
        """Stop the process and wait for it: the window is being closed."""
        if self.busy:
            self.stop()
            if not self._process.waitForFinished(PATIENCE_MS):
                self._process.kill()
                self._process.waitForFinished(PATIENCE_MS)

    @Slot()
    def _show_state(self) -> None:
        busy = self.busy
        self.choices.setEnabled(not busy)
        for button in (self.preview, self.start):
            button.setEnabled(not busy and self.choices.is_legal)
        self.cancel.setText(self.tr("Cancel") if busy else self.tr("Close"))
        self.cancel.setEnabled(True)
        self.progress.setVisible(busy)
        self.said.setText(self.tr("Loading PyTorch ...") if busy and not self.progress.maximum() else "")

    @Slot()
    def _follow_choice(self) -> None:
        """Play at the chosen pace; discard the preview of another content."""
        choice = self.choices.choice
        self.player.set_pace(seconds_of_a_frame(choice.settings, FORMATS[choice.kind]), choice.settings.hold)
        if self._previewed is not None and not _same_frames(self._previewed, choice):
            self._forget_preview()
        self._show_state()

    def _forget_preview(self) -> None:
        self._previewed = self._folder = None
        self.player.stop(self.tr("Preview plays the animation here."))

    def _show_preview(self) -> None:
        assert self._path is not None
        self.player.play(self._path.read_bytes())
        self._folder = None

    @Slot()
    def _ask_and_start(self) -> None:
        choice = self.choices.choice
        path = self._exporter.ask_where("animation", (FORMATS[choice.kind],))
        if path:
            self.save_to(path, choice)

    @Slot()
    def _read(self) -> None:
        """Follow the process: its progress, and its last message."""
        *lines, self._rest = (self._rest + self._process.readAllStandardOutput().data()).split(b"\n")
        self._take_lines(lines)

    def _take_lines(self, lines: list[bytes]) -> None:
        for line in (each.decode(errors="replace") for each in lines):
            match = _PROGRESS.search(line)
            if match and self._stopped:
                continue  # it reports that it is being stopped
            if match:
                self.progress.setRange(0, int(match[2]))
                self.progress.setValue(int(match[1]))
                self.said.setText(self.tr("Frame {0} of {1}").format(match[1], match[2]))
            elif line.strip():
                self._last_words = line.removeprefix("attnviz: ").strip()

    @Slot()
    def _finish(self) -> None:
        self._patience.stop()
        self._read()
        self._take_lines([self._rest])
        well = self._process.exitStatus() == QProcess.ExitStatus.NormalExit and self._process.exitCode() == 0
        self._show_state()
        if well and self._folder is not None:
            self._show_preview()
        elif well:
            self._exporter.said.emit(self.tr("Saved {0}").format(self._path), False)
            super().accept()
        elif self._stopped:
            self._folder = None
            self.said.setText(self.tr("Stopped; nothing was written."))
        else:
            self.said.setText("")
            why = self._last_words or self.tr("the process ended with code {0}").format(self._process.exitCode())
            self._say_failure(why)

    @Slot(QProcess.ProcessError)
    def _fail_to_start(self, error: QProcess.ProcessError) -> None:
        if error == QProcess.ProcessError.FailedToStart:
            self._show_state()
            self._say_failure(self._process.errorString())

    def _say_failure(self, why: str) -> None:
        template = self.tr("Not saved: {0}") if self._folder is None else self.tr("No preview: {0}")
        self._folder = None
        self._exporter.said.emit(template.format(why), True)


def _same_frames(one: AnimationChoice, other: AnimationChoice) -> bool:
    """Return whether two choices differ at most in pace and format."""
    shown = [(each.animate, each.sweep, each.size, each.settings.figure) for each in (one, other)]
    return shown[0] == shown[1]
