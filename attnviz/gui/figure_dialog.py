"""The figure dialog: choices on the left, what will be written on the right; saved, or put on the clipboard."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from PySide6.QtCore import Qt, QTimer, Slot
from PySide6.QtGui import QImage, QPixmap, QResizeEvent
from PySide6.QtWidgets import QDialog, QHBoxLayout, QLabel, QPushButton, QVBoxLayout, QWidget
from typing_extensions import override

from attnviz.gui.background import Background
from attnviz.gui.exporter import PNG_TYPE, Exporter
from attnviz.gui.figure_choices import FigureChoice, FigureChoices
from attnviz.gui.figure_maker import FigureMaker
from attnviz.gui.labs.room import BaseRoom
from attnviz.gui.theme import Look

PAUSE_MS = 120  # what a preview waits for while a number is being turned
_TYPES = {"png": PNG_TYPE, "pdf": "application/pdf", "svg": "image/svg+xml"}


@dataclass(frozen=True, slots=True)
class _Preview:
    """What the right side shows: a picture, or why there is none."""

    choice: FigureChoice
    png: bytes = b""
    problem: str = ""


@dataclass(frozen=True, slots=True)
class _Copied:
    """What the clipboard gets: a file of the chosen kind, and the same as PNG."""

    kind: str
    content: bytes
    png: bytes


class FigureDialog(QDialog):
    """Shows one trace: the one that was on screen when it was opened, with what the mouse rested on then."""

    def __init__(self, window: QWidget, exporter: Exporter) -> None:
        super().__init__(window)
        self.setWindowTitle(self.tr("Figure"))
        self._window, self._exporter = window, exporter
        self._maker: FigureMaker | None = None
        self._image = QImage()
        self.choices = FigureChoices()
        self.preview = QLabel()
        self.preview.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.preview.setMinimumSize(420, 320)
        self.preview.setAccessibleName(self.tr("Preview"))
        self.size_label = QLabel()
        self.size_label.setObjectName("caption")
        self.save = QPushButton(self.tr("Save ..."))
        self.copy = QPushButton(self.tr("Copy"))
        self._pause = QTimer(self)
        self._pause.setSingleShot(True)
        self._pause.setInterval(PAUSE_MS)
        self._pause.timeout.connect(self._draw)
        self._background = Background(self)
        self._background.done.connect(self._take)
        self._copying = Background(self)  # of its own: a new preview takes the place of one that waits
        self._copying.done.connect(self._put_on_clipboard)
        self._lay_out()
        self.choices.changed.connect(self._pause.start)
        self.save.clicked.connect(self._ask_and_save)
        self.copy.clicked.connect(self._copy)

    def open_for(self, room: BaseRoom, look: Look) -> None:
        """Show what a room shows now; nothing before there is a trace."""
        trace = self._exporter.shown
        if trace is None:
            self._exporter.said.emit(self.tr("There is no picture yet."), True)
            return
        chosen = room.selection
        hovered = chosen.current if chosen.current != chosen.locked else None
        maker = FigureMaker(self._window, room, look, trace, self._exporter.session(), hovered)
        view = maker.session.view
        self._maker = maker
        self.choices.offer(
            items=maker.items,
            heads=trace.num_heads,
            item=min(getattr(view, "item", 0), maker.items - 1),
            contrast=bool(getattr(view, "contrast", getattr(view, "full_contrast", False))),
            contrast_word=room.stage.contrast.text(),
        )
        self._draw()
        self.open()

    @override
    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def _lay_out(self) -> None:
        self.choices.setFixedWidth(272)
        right = QVBoxLayout()
        right.addWidget(self.preview, 1)
        right.addWidget(self.size_label, 0, Qt.AlignmentFlag.AlignHCenter)
        top = QHBoxLayout()
        top.setSpacing(24)
        top.addWidget(self.choices)
        top.addLayout(right, 1)
        close = QPushButton(self.tr("Close"))
        close.clicked.connect(self.reject)
        buttons = QHBoxLayout()
        buttons.addStretch(1)
        for button in (close, self.copy, self.save):
            button.setAutoDefault(False)
            buttons.addWidget(button)
        self.save.setDefault(True)
        self.save.setObjectName("primary")
        layout = QVBoxLayout(self)
        layout.setContentsMargins(24, 24, 24, 16)
        layout.setSpacing(16)
        layout.addLayout(top, 1)
        layout.addLayout(buttons)
        self.resize(900, 560)

    @Slot()
    def _draw(self) -> None:
        """Begin the preview of what is chosen; what the screen shows is taken at once, the rest is made elsewhere."""
        choice = self._choice()
        if choice is not None and self._maker is not None:
            make = self._maker.maker(choice, "png", preview=True)
            self._background.start(partial(_previewed, choice, make), instead=True)

    def _choice(self) -> FigureChoice | None:
        """Return what is chosen; None where it cannot be read, which is said beside it."""
        try:
            return self.choices.choice
        except ValueError as error:
            self._show_problem(str(error))
            return None

    @Slot(object)
    def _take(self, made: _Preview) -> None:
        self._show_problem(made.problem)
        if not made.problem:
            self._show_preview(made)

    def _show_preview(self, made: _Preview) -> None:
        self._image = QImage.fromData(made.png)
        choice = made.choice
        if choice.source == "screen":
            words = f"{self._image.width()} × {self._image.height()} px"
        else:
            height = choice.width_cm * self._image.height() / max(self._image.width(), 1)
            words = f"{choice.width_cm:g} × {height:.1f} cm"
            if choice.kind == "png":
                width, high = (int(length / 2.54 * choice.dpi) for length in (choice.width_cm, height))
                words += f", {width} × {high} px"
        self.size_label.setText(words)
        self._fit()

    def _show_problem(self, problem: str) -> None:
        """Say what is wrong where it was typed; the last good preview stays."""
        self.choices.say(problem)
        self.save.setEnabled(not problem)
        self.copy.setEnabled(not problem)

    def _fit(self) -> None:
        if self._image.isNull():
            return
        ratio = self.devicePixelRatioF()
        keep, smooth = Qt.AspectRatioMode.KeepAspectRatio, Qt.TransformationMode.SmoothTransformation
        shown = QPixmap.fromImage(self._image.scaled(self.preview.size() * ratio, keep, smooth))
        shown.setDevicePixelRatio(ratio)
        self.preview.setPixmap(shown)

    @Slot()
    def _ask_and_save(self) -> None:
        choice = self._choice()
        if choice is None:
            return
        path = self._exporter.ask_where((f"{choice.kind.upper()} (*.{choice.kind})",))
        if path:
            self.save_to(path, choice)

    def save_to(self, path: Path, choice: FigureChoice) -> None:
        """Write what is chosen and close."""
        assert self._maker is not None
        self._exporter.write_bytes(path, self._maker.maker(choice))
        self.accept()

    @Slot()
    def _copy(self) -> None:
        """Put what is chosen on the clipboard, also as pixels, for programs that take nothing else."""
        choice = self._choice()
        if choice is not None and self._maker is not None:
            make, pixels = self._maker.maker(choice), self._maker.maker(choice, "png")
            self._copying.start(lambda: _Copied(choice.kind, make(), pixels()))

    @Slot(object)
    def _put_on_clipboard(self, made: _Copied) -> None:
        self._exporter.put_on_clipboard(QImage.fromData(made.png), made.png, _TYPES[made.kind], made.content)
        self.accept()


def _previewed(choice: FigureChoice, make: Callable[[], bytes]) -> _Preview:
    try:
        return _Preview(choice, png=make())
    except ValueError as error:
        return _Preview(choice, problem=str(error))
