"""The animation dialog: what it asks the command line for, how it follows it, and how it stops it."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from calling import Said, attnviz
from PIL import Image
from PySide6.QtCore import QByteArray, QProcess, QTemporaryDir, QTimer, Slot
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractSpinBox, QFileDialog, QToolButton
from pytestqt.qtbot import QtBot
from small_specs import attention, training
from typing_extensions import override
from windows import At

from attnviz.definitions.motions import MOTIONS
from attnviz.experiment.labs import make_spec, stages_of
from attnviz.export.document import read_document
from attnviz.gui.dialogs.animation_dialog import AnimationDialog
from attnviz.gui.window.main_window import MainWindow

LONG_MS = 40_000  # a process of its own, which loads PyTorch


def opened(window: MainWindow) -> AnimationDialog:
    window.actions_["animation"].trigger()
    dialog = window.dialogs.animation
    assert dialog.isVisible()
    return dialog


def test_that_a_sweep_is_written_with_progress_and_said(
    at: At, qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    window = at(attention(num_hiddens=12))
    said: list[tuple[str, bool]] = []
    window.exporter.said.connect(lambda text, wrong: said.append((text, wrong)))
    dialog = opened(window)
    dialog.choices.source.press("sweep")
    dialog.choices.range.setText("1:4")
    dialog.choices.pixels.setCurrentIndex(0)
    dialog.choices.look_at_sweep()
    assert dialog.choices.frames.text() == "4 frames"
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: (str(tmp_path / "heads"), ""))
    dialog.start.click()
    assert dialog.busy
    assert not dialog.start.isEnabled()
    assert dialog.cancel.text() == "Cancel"
    seen: set[int] = set()
    dialog.progress.valueChanged.connect(seen.add)
    qtbot.waitUntil(lambda: bool(said), timeout=LONG_MS)
    assert said == [(f"Saved {tmp_path / 'heads.gif'}", False)]
    assert {1, 2, 3, 4} <= seen
    with Image.open(tmp_path / "heads.gif") as image:
        assert (image.size, image.n_frames) == ((320, 240), 4)
    assert read_document(tmp_path / "heads.gif").spec == window.controller.spec
    assert not dialog.isVisible()


def test_that_each_kind_has_its_pace_and_keeps_the_one_that_was_typed(at: At) -> None:
    dialog = opened(at(training()))
    choices = dialog.choices

    def pace_of(moving: str) -> float:
        choices.source.press(moving)
        return choices.choice.settings.frames_per_second

    assert [pace_of(name) for name in MOTIONS] == [motion.pace for motion in MOTIONS.values()]
    pace_of("stages")
    box = choices.form.editors["frames_per_second"].findChild(QAbstractSpinBox)
    box.selectAll()
    QTest.keyClicks(box, "0.25")
    assert pace_of("training") == MOTIONS["training"].pace
    assert pace_of("stages") == 0.25
    dialog.reject()


class InThisProcess(QProcess):
    """A process that is none: it calls the command line here, where PyTorch is loaded, and ends when events are next
    handled."""

    def __init__(self, dialog: AnimationDialog) -> None:
        super().__init__()
        self._began, self._given, self._said = False, b"", Said(0, "", "")
        self.finished.connect(dialog._finish)

    def start(self, _program: str, arguments: list[str]) -> None:  # type: ignore[override]
        self._began, self._arguments = True, arguments[2:]

    def write(self, data: bytes) -> int:  # type: ignore[override]
        self._given += data
        return len(data)

    @override
    def closeWriteChannel(self) -> None:
        self._said = attnviz(*self._arguments, stdin=self._given)
        QTimer.singleShot(0, self._end)

    @override
    def state(self) -> QProcess.ProcessState:
        return QProcess.ProcessState.Running if self._began else QProcess.ProcessState.NotRunning

    @override
    def exitCode(self) -> int:
        return self._said.code

    @override
    def readAllStandardOutput(self) -> QByteArray:
        return QByteArray((self._said.out + self._said.err).encode())

    @Slot()
    def _end(self) -> None:
        self._began = False
        self.finished.emit(self._said.code, QProcess.ExitStatus.NormalExit)


def test_that_a_preview_plays_the_frames_at_the_chosen_pace_and_saves_nothing(
    at: At, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    spec = attention(causal=True)
    dialog = opened(at(spec))
    monkeypatch.setattr(dialog, "_process", InThisProcess(dialog))  # that there is one, the tests around this one show
    player, choices = dialog.player, dialog.choices
    choices.source.press("stages")
    choices.pixels.setCurrentIndex(0)
    dialog.preview.click()
    assert not dialog.start.isEnabled()
    qtbot.waitUntil(lambda: player.playing, timeout=LONG_MS)
    assert dialog.isVisible()
    assert dialog.start.isEnabled()
    assert player.pixmap().toImage().size().toTuple() == (320, 240)
    pace = choices.form.editors["frames_per_second"]
    pace.set_value(40.0)
    pace.edited.emit()
    assert player.seconds == 0.02, "GIF's whole hundredths"
    shown: list[bytes] = []
    for _ in stages_of(spec):
        picture = player.pixmap().toImage()
        shown.append(bytes(picture.constBits()))
        player._show_next()
    assert len(set(shown)) == len(stages_of(spec))
    assert bytes(player.pixmap().toImage().constBits()) == shown[0], "from the first again"
    choices.source.press("sweep")
    assert not player.playing, "another film has other frames"
    assert player.text() == "Preview plays the animation here."
    dialog.reject()


def test_that_a_preview_that_fails_or_is_stopped_says_so(at: At, qtbot: QtBot) -> None:
    window = at(attention())
    said: list[tuple[str, bool]] = []
    window.exporter.said.connect(lambda text, wrong: said.append((text, wrong)))
    dialog = opened(window)
    dialog.choices.source.press("stages")
    dialog.preview.click()
    dialog.cancel.click()
    qtbot.waitUntil(lambda: not dialog.busy, timeout=LONG_MS)
    assert dialog.said.text() == "Stopped; nothing was written."
    dialog._last_words = "no room"
    dialog._folder = QTemporaryDir()
    dialog._stopped = False
    dialog._process.exitCode = lambda: 1  # type: ignore[method-assign]
    dialog._finish()
    assert said == [("No preview: no room", True)]
    assert not dialog.player.playing
    dialog.reject()


def test_that_cancel_ends_it_and_leaves_no_file(at: At, qtbot: QtBot, tmp_path: Path) -> None:
    dialog = opened(at(attention(num_hiddens=840)))
    dialog.choices.source.press("sweep")
    dialog.choices.field.setCurrentIndex(dialog.choices.field.findData("seed"))
    dialog.choices.range.setText("0:400")
    dialog.save_to(tmp_path / "out.gif", dialog.choices.choice)
    qtbot.waitUntil(lambda: dialog.progress.value() > 0, timeout=LONG_MS)
    dialog.cancel.click()
    qtbot.waitUntil(lambda: not dialog.busy, timeout=LONG_MS)
    assert dialog.said.text() == "Stopped; nothing was written."
    assert list(tmp_path.iterdir()) == []
    assert dialog.start.isEnabled()
    dialog.cancel.click()
    assert not dialog.isVisible()


def test_that_a_failure_is_said_in_the_words_of_the_command(at: At, qtbot: QtBot, tmp_path: Path) -> None:
    window = at(attention())
    said: list[tuple[str, bool]] = []
    window.exporter.said.connect(lambda text, wrong: said.append((text, wrong)))
    dialog = opened(window)
    dialog.choices.source.press("stages")
    dialog.save_to(tmp_path / "nowhere" / "out.gif", dialog.choices.choice)
    qtbot.waitUntil(lambda: bool(said), timeout=LONG_MS)
    assert said == [(f"Not saved: {tmp_path / 'nowhere' / 'out.gif'}: there is no such folder", True)]
    dialog.reject()


@pytest.mark.parametrize(
    ("typed", "words"),
    [
        ("3:1:0", "step 0 must be above 0"),
        ("x", "must be a whole number"),
        ("5:7", "no value of num_heads=5:7 is legal"),
    ],
)
def test_that_a_sweep_that_cannot_be_is_told_at_its_field(typed: str, words: str, at: At, qtbot: QtBot) -> None:
    dialog = opened(at(attention(num_hiddens=8)))
    dialog.choices.source.press("sweep")
    dialog.choices.field.setCurrentIndex(dialog.choices.field.findData("num_heads"))
    dialog.choices.range.clear()
    qtbot.keyClicks(dialog.choices.range, typed)
    assert words in dialog.choices.problem.text()
    assert not dialog.start.isEnabled()
    dialog.choices.range.clear()
    qtbot.keyClicks(dialog.choices.range, "1:4")
    assert dialog.choices.frames.text().startswith(
        "3 frames; left out: 3, for example because num_hiddens 8 is not divisible"
    )
    assert dialog.start.isEnabled()
    dialog.reject()


def test_that_a_training_is_offered_where_something_is_trained(at: At) -> None:
    for spec, offered, animated in ((training(), True, "training"), (attention(), False, "stages")):
        dialog = opened(at(spec))
        buttons = dialog.choices.source.findChildren(QToolButton)
        (button,) = [it for it in buttons if it.property("value") == "training"]
        assert button.isVisible() is offered
        if offered:
            button.click()
        assert dialog.choices.choice.animate == animated
        dialog.reject()


def test_that_a_generation_is_animated_token_by_token(at: At) -> None:
    dialog = opened(at(make_spec({"lab": "model", "text": "then one red fox", "generate": 3})))
    buttons = dialog.choices.source.findChildren(QToolButton)
    shown = {it.property("value"): it for it in buttons if it.isVisible()}
    assert "training" not in shown
    shown["generation"].click()
    assert dialog.choices.choice.animate == "generation"
    dialog.reject()


def test_that_given_weights_have_no_knob_to_turn(at: At, tmp_path: Path) -> None:
    np.save(tmp_path / "w.npy", np.eye(3, dtype=np.float32))
    source = {"kind": "file", "path": str(tmp_path / "w.npy")}
    dialog = opened(at(make_spec({"mechanism": "given", "inputs": source})))
    assert dialog.choices.choice.animate == "stages"
    assert dialog.choices.choice.sweep == ""
    dialog.reject()


def test_that_what_was_offered_is_what_is_animated(at: At) -> None:
    window = at(attention(seed=1))
    dialog = opened(window)
    at(training())
    assert dialog._session is not None
    assert dialog._session.spec == attention(seed=1)
    dialog.reject()


def test_that_closing_the_window_ends_the_process(
    open_window: Callable[..., Any], qtbot: QtBot, tmp_path: Path
) -> None:
    window = open_window()
    dialog = opened(window)
    dialog.choices.source.press("stages")
    dialog.save_to(tmp_path / "out.gif", dialog.choices.choice)
    qtbot.waitUntil(lambda: dialog.busy)
    window.close()
    assert not dialog.busy


class Pipe(QProcess):
    """A process whose words come in the pieces that it is given."""

    def __init__(self) -> None:
        super().__init__()
        self.pieces: list[bytes] = []

    @override
    def readAllStandardOutput(self) -> QByteArray:
        return QByteArray(self.pieces.pop(0)) if self.pieces else QByteArray()


@pytest.fixture
def piped(at: At) -> Iterator[tuple[AnimationDialog, Callable[[bytes], None]]]:
    """The dialog, and a function that lets it read a piece of what a process says."""
    dialog = AnimationDialog(at(attention()), at(attention()).exporter)
    pipe, own = Pipe(), dialog._process
    dialog._process = pipe

    def read(piece: bytes) -> None:
        pipe.pieces.append(piece)
        dialog._read()

    yield dialog, read
    dialog._process = own
    dialog.deleteLater()


def test_that_lines_cut_anywhere_are_read_whole(piped: tuple[AnimationDialog, Callable[[bytes], None]]) -> None:
    dialog, read = piped
    for piece in (b"frame 1/1", b"2\nfra"):
        read(piece)
        assert (dialog.progress.value(), dialog.progress.maximum()) != (1, 1)
    assert (dialog.progress.value(), dialog.progress.maximum()) == (1, 12)
    read(b"me 5/12\nattnviz: no room for m\xc3")
    assert dialog.said.text() == "Frame 5 of 12"
    read(b"\xa4r.gif")
    assert dialog._last_words == ""
    read(b"\n")
    assert dialog._last_words == "no room for mär.gif"


def test_that_no_frame_is_counted_while_it_is_being_stopped(
    piped: tuple[AnimationDialog, Callable[[bytes], None]],
) -> None:
    dialog, read = piped
    read(b"frame 1/12\n")
    dialog.stop()
    read(b"frame 2/12\n")
    assert dialog.said.text() == "Stopping ..."
    dialog._patience.stop()


def test_that_the_last_words_count_also_without_an_end_of_line(
    at: At, piped: tuple[AnimationDialog, Callable[[bytes], None]]
) -> None:
    dialog, read = piped
    said: list[str] = []
    at(attention()).exporter.said.connect(lambda text, _: said.append(text))
    read(b"attnviz: the disk is full")
    dialog._process.exitCode = lambda: 1  # type: ignore[method-assign]
    dialog._finish()
    assert said == ["Not saved: the disk is full"]
