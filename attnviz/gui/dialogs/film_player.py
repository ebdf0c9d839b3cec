"""Pictures of a preview: a still one, or an animated GIF whose pace may change while it plays."""

from PySide6.QtCore import QBuffer, QByteArray, Qt, QTimer, Slot
from PySide6.QtGui import QHideEvent, QImage, QMovie, QPixmap, QResizeEvent
from PySide6.QtWidgets import QLabel
from typing_extensions import override

LEAST_WIDTH, LEAST_HEIGHT = 420, 300


def show_fitted(label: QLabel, image: QImage, *, enlarges: bool = True) -> None:
    """Show an image in a label at the size of the label, or at most at its own."""
    ratio = label.devicePixelRatioF()
    room = label.size() * ratio
    if enlarges or image.width() > room.width() or image.height() > room.height():
        image = image.scaled(room, Qt.AspectRatioMode.KeepAspectRatio, Qt.TransformationMode.SmoothTransformation)
    shown = QPixmap.fromImage(image)
    shown.setDevicePixelRatio(ratio)
    label.setPixmap(shown)


class FilmPlayer(QLabel):
    """Plays an animation in a loop; without one it shows a text."""

    def __init__(self) -> None:
        super().__init__()
        self.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.setWordWrap(True)
        self.setObjectName("caption")
        self.setMinimumSize(LEAST_WIDTH, LEAST_HEIGHT)
        self._film: QMovie | None = None
        self._content = QBuffer(self)
        self._pace, self._hold = 1.0, 1.0
        self._next = QTimer(self, singleShot=True)
        self._next.timeout.connect(self._show_next)

    @property
    def playing(self) -> bool:
        """Whether an animation is playing."""
        return self._next.isActive()

    @property
    def seconds(self) -> float:
        """The time for which the current frame is shown."""
        film = self._film
        last = film is not None and film.currentFrameNumber() == film.frameCount() - 1
        return max(self._pace, self._hold) if last else self._pace

    def play(self, gif: bytes) -> None:
        """Play an animation from its first frame."""
        self.stop()
        self._content.setData(QByteArray(gif))
        self._content.open(QBuffer.OpenModeFlag.ReadOnly)
        self._film = QMovie(self._content, QByteArray(b"gif"), self)
        self._film.jumpToFrame(0)
        self._show()

    def set_pace(self, seconds: float, hold: float) -> None:
        """Set the time of each frame, and the least time of the last one."""
        self._pace, self._hold = seconds, hold
        if self.playing:
            self._next.start(round(self.seconds * 1000))

    def stop(self, message: str = "") -> None:
        """Remove the animation, and show a text in its place."""
        self._next.stop()
        if self._film is not None:
            self._film.deleteLater()
            self._film = None
        self._content.close()
        self.setText(message)

    @override
    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if self._film is not None:
            show_fitted(self, self._film.currentImage(), enlarges=False)

    @override
    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        self.stop()

    @Slot()
    def _show_next(self) -> None:
        if self._film is not None:
            if not self._film.jumpToNextFrame():
                self._film.jumpToFrame(0)
            self._show()

    def _show(self) -> None:
        assert self._film is not None
        show_fitted(self, self._film.currentImage(), enlarges=False)
        self._next.start(round(self.seconds * 1000))
