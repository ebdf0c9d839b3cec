"""Pictures of what is on screen."""

from pathlib import Path

from PySide6.QtCore import QPoint
from PySide6.QtGui import QImage
from PySide6.QtWidgets import QWidget

from attnviz.experiment.labs import Spec

SPEC_KEY = "attnviz-spec"
"""Under this name a picture carries the spec it shows."""


def picture_of(widget: QWidget, scale: int, spec: Spec) -> QImage:
    """Return the widget as drawn, with ``scale`` pixels per point; text and cells are drawn at that sharpness."""
    image = QImage(widget.size() * scale, QImage.Format.Format_RGB32)
    image.setDevicePixelRatio(scale)
    image.fill(widget.palette().color(widget.backgroundRole()))
    widget.render(image, QPoint(0, 0))
    image.setText(SPEC_KEY, spec.model_dump_json())
    return image


def save_picture(image: QImage, path: Path) -> None:
    """Write a PNG.

    Raises:
        OSError: the place cannot be written.
    """
    if not image.save(str(path), "PNG"):  # type: ignore[call-overload]
        raise OSError(f"{path} cannot be written")
