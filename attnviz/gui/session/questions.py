"""Questions about files and sessions: paths to save or open, replacing files, unsaved changes."""

from collections.abc import Callable, Collection
from enum import Enum, auto
from pathlib import Path

from PySide6.QtCore import QObject, Qt
from PySide6.QtWidgets import QFileDialog, QMessageBox, QWidget

from attnviz.experiment.files.plain_files import is_there
from attnviz.experiment.labs import endings_opened
from attnviz.experiment.lessons.reading import SUFFIX as LESSON
from attnviz.export.document import ENDING


def whole_name(
    chosen: Path, ending: str, may_replace: Callable[[Path], bool], others: Collection[str] = ()
) -> Path | None:
    """Return the path to write for a typed name: with this suffix, unless the name has it or one of ``others``.

    None if that file exists and may not be replaced.
    """
    if chosen.suffix.lower() in (ending, *others):
        return chosen
    path = chosen.with_name(chosen.name + ending)
    # The dialog has asked about the typed name, which is not the path that is written.
    return path if not is_there(path) or may_replace(path) else None


class FileQuestions(QObject):
    """Asks and waits for the answer; a test answers instead of the user."""

    def __init__(self, window: QWidget) -> None:
        super().__init__(window)
        self._window = window
        self.title = self.tr("Save")
        """Title of the question whether a file may be replaced."""

    def may_replace(self, path: Path, more: str = "") -> bool:
        """Ask whether an existing file may be replaced; Enter and Esc keep it.

        ``more`` says what is lost, if that is not just a file of this name.
        """
        button = QMessageBox.StandardButton
        buttons = {button.Yes: self.tr("Replace"), button.Cancel: self.tr("Cancel")}
        more = more or self.tr("A file of this name exists already; its content would be lost.")
        return self.ask(self.title, self.tr("Replace {0}?").format(path.name), more, buttons) == button.Yes

    def ask(
        self,
        title: str,
        text: str,
        more: str,
        buttons: dict[QMessageBox.StandardButton, str],
        default: QMessageBox.StandardButton = QMessageBox.StandardButton.Cancel,
    ) -> QMessageBox.StandardButton:
        """Show a box with buttons of these names, and return the chosen one; Esc is Cancel, Enter the default."""
        box = QMessageBox(self._window)
        box.setIcon(QMessageBox.Icon.NoIcon)
        box.setTextFormat(Qt.TextFormat.PlainText)  # a file's name may look like markup
        box.setWindowTitle(title)
        box.setText(text)
        box.setInformativeText(more)
        for button, name in buttons.items():
            box.addButton(button).setText(name)
        box.setDefaultButton(default)
        box.setEscapeButton(QMessageBox.StandardButton.Cancel)
        chosen = QMessageBox.StandardButton(box.exec())
        box.deleteLater()
        return chosen


class Answer(Enum):
    """The answer about unsaved changes."""

    SAVE = auto()
    DISCARD = auto()
    CANCEL = auto()
    """The window, and the session in it, stay."""


def session_file(questions: "SessionQuestions", proposed: Path) -> Path | None:
    """Ask for a session's file, which always ends in `ENDING`; None if the user cancels."""
    chosen = questions.where_to_save(proposed)
    return None if chosen is None else whole_name(chosen, ENDING, questions.may_replace)


class SessionQuestions(FileQuestions):
    """Questions about sessions; a test answers instead of the user."""

    def __init__(self, window: QWidget) -> None:
        super().__init__(window)
        self.title = self.tr("Save session")
        self._where: QFileDialog | None = None

    def unsaved(self, name: str) -> Answer:
        """Ask whether to save the changes of a session; Enter saves, Esc changes nothing."""
        button = QMessageBox.StandardButton
        named = {button.Save: self.tr("Save"), button.Discard: self.tr("Discard"), button.Cancel: self.tr("Cancel")}
        text = self.tr("Save changes to {0}?").format(name)
        more = self.tr("Your changes will be lost if you do not save them.")
        chosen = self.ask(self.tr("Unsaved changes"), text, more, named, button.Save)
        return {button.Save: Answer.SAVE, button.Discard: Answer.DISCARD}.get(chosen, Answer.CANCEL)

    def where_to_save(self, proposed: Path) -> Path | None:
        """Ask for a session's file; None if the user cancels."""
        dialog = self._where = self._where or self._where_dialog()
        dialog.setDirectory(str(proposed.parent))
        dialog.selectFile(proposed.name)
        chosen = dialog.selectedFiles() if dialog.exec() else []
        return Path(chosen[0]) if chosen else None

    def may_replace_changed(self, path: Path) -> bool:
        """Ask whether a file that another program has changed may be replaced; Enter and Esc keep it."""
        more = self.tr("Another window or program has changed it since; that would be lost. Save as keeps both.")
        return self.may_replace(path, more)

    def may_discard(self, count: int) -> bool:
        """Ask whether the unsaved sessions may be deleted; Enter and Esc keep them."""
        button = QMessageBox.StandardButton
        text = self.tr("Discard the unsaved work of {0} windows?").format(count)
        buttons = {button.Yes: self.tr("Discard all"), button.Cancel: self.tr("Cancel")}
        return self.ask(self.tr("Unsaved work"), text, "", buttons) == button.Yes

    def what_to_open(self, folder: Path) -> Path | None:
        """Ask for a file that holds a session, a spec, a figure or a lesson."""
        kinds = " ".join(f"*{ending}" for ending in (*endings_opened(), LESSON))
        filters = ";;".join(
            (
                self.tr("All supported files ({0})").format(kinds),
                self.tr("Sessions ({0})").format(f"*{ENDING}"),
                self.tr("Lessons ({0})").format(f"*{LESSON}"),
                self.tr("All files ({0})").format("*"),
            )
        )
        name, _ = QFileDialog.getOpenFileName(self._window, self.tr("Open"), str(folder), filters)
        return Path(name) if name else None

    def _where_dialog(self) -> QFileDialog:
        dialog = QFileDialog(self._window, self.tr("Save session"))
        dialog.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)
        dialog.setFileMode(QFileDialog.FileMode.AnyFile)
        dialog.setNameFilter(self.tr("Sessions ({0})").format(f"*{ENDING}"))
        dialog.setDefaultSuffix(ENDING[1:])  # before it asks whether to replace a file of that name
        return dialog
