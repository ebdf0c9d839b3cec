"""What is asked before a file is written: under which whole name, and whether it may take the place of another."""

from collections.abc import Callable, Collection
from pathlib import Path

from PySide6.QtCore import QObject, Qt
from PySide6.QtWidgets import QMessageBox, QWidget

from attnviz.experiment.files.plain_files import is_there


def whole_name(
    chosen: Path, ending: str, may_replace: Callable[[Path], bool], others: Collection[str] = ()
) -> Path | None:
    """Return the file that is written for a name that was typed: with this ending, unless it has it or another.

    None where that is a file already and may not be replaced.
    """
    if chosen.suffix.lower() in (ending, *others):
        return chosen
    path = chosen.with_name(chosen.name + ending)
    # The dialog has asked about the name that was typed, which is not the one that is written.
    return path if not is_there(path) or may_replace(path) else None


class FileQuestions(QObject):
    """Asks, and waits for the answer; a test answers in its place."""

    def __init__(self, window: QWidget) -> None:
        super().__init__(window)
        self._window = window
        self.title = self.tr("Save")
        """What stands over the question whether a file may be replaced."""
        self._replace: QMessageBox | None = None

    def may_replace(self, path: Path) -> bool:
        """Ask whether a file that is there may be replaced; Enter and Esc leave it alone."""
        box = self._replace = self._replace or self.replace_box()
        return self.replaces(box, path)

    def replaces(self, box: QMessageBox, path: Path) -> bool:
        """Ask a box of `replace_box` about a file."""
        box.setText(self.tr("Replace {0}?").format(path.name))
        buttons = QMessageBox.StandardButton
        box.setDefaultButton(buttons.Cancel)
        return buttons(box.exec()) == buttons.Yes

    def replace_box(self) -> QMessageBox:
        """Return a box that says what is lost with a file."""
        button = QMessageBox.StandardButton
        box = self.box({button.Yes: self.tr("Replace"), button.Cancel: self.tr("Cancel")})
        box.setWindowTitle(self.title)
        box.setInformativeText(self.tr("A file of this name is there already; what it holds would be lost."))
        return box

    def box(self, buttons: dict[QMessageBox.StandardButton, str]) -> QMessageBox:
        """Return a box with buttons of these names; Esc is Cancel."""
        box = QMessageBox(self._window)
        box.setIcon(QMessageBox.Icon.NoIcon)
        box.setTextFormat(Qt.TextFormat.PlainText)  # a file's name may look like markup
        for button, text in buttons.items():
            box.addButton(button).setText(text)
        box.setEscapeButton(QMessageBox.StandardButton.Cancel)
        return box
