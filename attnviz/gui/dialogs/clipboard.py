"""The clipboard: pictures in several forms at once, and its end."""

from PySide6.QtCore import QMimeData
from PySide6.QtGui import QGuiApplication, QImage

from attnviz.export.screen_picture import Pixels

PNG_TYPE = "image/png"
_MARK = "application/x-attnviz-picture"
"""What tells our own picture from what another program has put there since."""


def offer_picture(pixels: Pixels, png: bytes, kind: str = PNG_TYPE, content: bytes = b"") -> None:
    """Offer a picture to other programs: as pixels, as the PNG that carries its session, and as another kind."""
    height, width = pixels.shape[:2]
    image = QImage(pixels.data, width, height, 4 * width, QImage.Format.Format_RGBA8888)
    data = QMimeData()
    data.setImageData(image.copy())
    data.setData(PNG_TYPE, png)
    data.setData(_MARK, b"")
    if content:
        data.setData(kind, content)
    QGuiApplication.clipboard().setMimeData(data)


def let_go() -> None:
    """Leave on the clipboard what Qt can destroy by itself; to be called before the application ends.

    It destroys its data after Python has gone, and aborts where that data was made in Python.
    """
    clipboard = QGuiApplication.clipboard()
    data = clipboard.mimeData()
    if data is not None and data.hasFormat(_MARK):
        clipboard.setImage(clipboard.image())
