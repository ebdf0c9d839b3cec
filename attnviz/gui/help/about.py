"""The About dialog: version, PyTorch, device, licence, and the versions needed in a bug report."""

import platform

from PySide6.QtCore import Slot
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QWidget
from typing_extensions import override

from attnviz import __version__
from attnviz.gui.dialogs.text_dialog import TextDialog
from attnviz.gui.theme import Look
from attnviz.versions import installed_version

_PACKAGES = ("torch", "numpy", "pydantic", "PySide6-Essentials", "pyqtgraph", "matplotlib")


class AboutDialog(TextDialog):
    """A few lines of text, and a button that copies them."""

    def __init__(self, window: QWidget) -> None:
        super().__init__(window, "About attnviz")

    def open_with(self, devices: str, look: Look) -> None:
        """Show the versions; ``devices`` names the available devices."""
        self.text.setPlainText(about_text(devices))
        self.said.setText(self.tr("MIT licence. The typeface Inter has the SIL Open Font Licence."))
        self.resize(look.px(560), look.px(340))
        self.open()

    @Slot()
    @override
    def copy_text(self) -> None:
        QGuiApplication.clipboard().setText(self.text.toPlainText())
        self.said.setText(self.tr("The versions are on the clipboard."))


def about_text(devices: str) -> str:
    """Return the versions of this program and its dependencies, one per line."""
    lines = [
        f"attnviz {__version__}: a desktop workbench for attention",
        f"Python {platform.python_version()}, {platform.platform()}",
        *(f"{package} {installed_version(package) or 'is not installed'}" for package in _PACKAGES),
        f"devices: {devices}",
        f"screen: {QGuiApplication.platformName()}",
    ]
    return "\n".join(lines)
