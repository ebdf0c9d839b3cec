"""The editor of an image file; below it the image as the model on screen sees it."""

from collections.abc import Mapping
from typing import Any

from PySide6.QtCore import Qt
from PySide6.QtGui import QPixmap
from PySide6.QtWidgets import QFileDialog, QLabel, QWidget
from typing_extensions import override

from attnviz.experiment.files.plain_files import is_there
from attnviz.experiment.model.generation import ChosenTokens
from attnviz.experiment.model.image import SeenImage
from attnviz.experiment.model.spec import OWN_IMAGE
from attnviz.gui.labs.model.editors.path_edit import PathEdit
from attnviz.gui.labs.model.image_view import picture_of
from attnviz.gui.widgets.layouts import column_of

_SIDE = 96
"""The longest side of the small picture, in pixels."""


class ImageEdit(PathEdit):
    """No image, the included one, recent ones, and a dialog."""

    def __init__(self, parent: QWidget | None = None) -> None:
        self.picture = QLabel()
        self.picture.hide()
        super().__init__(parent, key="images", is_there=is_there, included=("", OWN_IMAGE))
        self.picture.setAccessibleName(self.tr("The image, as the model gets it"))
        self.below = QWidget()
        column_of(self.below, self.picture)

    def show_image(self, path: str, image: SeenImage | None) -> None:
        """Show the image of the run on screen, small; its file becomes a recent one."""
        if path == self.value() and image is not None:
            small = QPixmap.fromImage(picture_of(image.pixels))
            keep, smooth = Qt.AspectRatioMode.KeepAspectRatio, Qt.TransformationMode.SmoothTransformation
            self.picture.setPixmap(small.scaled(_SIDE, _SIDE, keep, smooth))
            self.picture.show()
        self.remember(path)

    @override
    def forget(self) -> None:
        self.picture.hide()

    @override
    def named(self, path: str) -> str:
        return super().named(path) if path else self.tr("none: the text is read")

    @override
    def other(self) -> str:
        return self.tr("Other image ...")

    @override
    def asked(self, begin: str) -> str:
        kinds = f"{self.tr('Images')} (*.png *.jpg *.jpeg)"
        return QFileDialog.getOpenFileName(self.window(), self.tr("Image that the model reads"), begin, kinds)[0]

    @override
    def brings(self) -> tuple[Mapping[str, Any], ...]:
        return ({"generate": 0, "chosen": ChosenTokens(), "patch": ()},)  # an image is not continued, nor patched
