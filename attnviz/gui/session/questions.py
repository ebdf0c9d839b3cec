"""What the window asks about sessions: where to, which one, and what becomes of changes that are not saved."""

from enum import Enum, auto
from pathlib import Path

from PySide6.QtWidgets import QFileDialog, QMessageBox, QWidget

from attnviz.export.document import ENDING, OPENS
from attnviz.gui.session.file_questions import FileQuestions, whole_name


class Answer(Enum):
    """What becomes of changes that are not saved."""

    SAVE = auto()
    DISCARD = auto()
    CANCEL = auto()
    """Nothing: the window, or the session in it, stays."""


def session_file(questions: "SessionQuestions", proposed: Path) -> Path | None:
    """Ask for a session's file, which ends in `ENDING` whatever was typed; None where nothing is to be saved."""
    chosen = questions.where_to_save(proposed)
    return None if chosen is None else whole_name(chosen, ENDING, questions.may_replace)


class SessionQuestions(FileQuestions):
    """What is asked about sessions; a test answers in the user's place."""

    def __init__(self, window: QWidget) -> None:
        super().__init__(window)
        self.title = self.tr("Save session")
        self._unsaved: QMessageBox | None = None
        self._where: QFileDialog | None = None
        self._changed: QMessageBox | None = None

    def unsaved(self, name: str) -> Answer:
        """Ask whether the changes of a session are to be saved; Enter does, Esc changes nothing."""
        box = self._unsaved = self._unsaved or self._unsaved_box()
        box.setText(self.tr("Save the changes of {0}?").format(name))
        buttons = QMessageBox.StandardButton
        box.setDefaultButton(buttons.Save)
        match buttons(box.exec()):
            case buttons.Save:
                return Answer.SAVE
            case buttons.Discard:
                return Answer.DISCARD
        return Answer.CANCEL

    def where_to_save(self, proposed: Path) -> Path | None:
        """Ask for a session's file; None where the user thought better of it."""
        dialog = self._where = self._where or self._where_dialog()
        dialog.setDirectory(str(proposed.parent))
        dialog.selectFile(proposed.name)
        chosen = dialog.selectedFiles() if dialog.exec() else []
        return Path(chosen[0]) if chosen else None

    def may_replace_changed(self, path: Path) -> bool:
        """Ask whether a file may be replaced that somebody else has changed; Enter and Esc leave it alone."""
        box = self._changed = self._changed or self.replace_box()
        box.setInformativeText(
            self.tr("Another window or program has changed it since; that would be lost. Save as keeps both.")
        )
        return self.replaces(box, path)

    def what_to_open(self, folder: Path) -> Path | None:
        """Ask for a file that holds a session, a spec or a figure."""
        kinds = " ".join(f"*{ending}" for ending in OPENS)
        filters = ";;".join(
            (
                self.tr("All that opens ({0})").format(kinds),
                self.tr("Sessions ({0})").format(f"*{ENDING}"),
                self.tr("All files ({0})").format("*"),
            )
        )
        name, _ = QFileDialog.getOpenFileName(self._window, self.tr("Open"), str(folder), filters)
        return Path(name) if name else None

    def _unsaved_box(self) -> QMessageBox:
        button = QMessageBox.StandardButton
        named = {button.Save: self.tr("Save"), button.Discard: self.tr("Discard"), button.Cancel: self.tr("Cancel")}
        box = self.box(named)
        box.setWindowTitle(self.tr("Unsaved changes"))
        box.setInformativeText(self.tr("Without saving, everything since the last save is lost."))
        return box

    def _where_dialog(self) -> QFileDialog:
        dialog = QFileDialog(self._window, self.tr("Save session"))
        dialog.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)
        dialog.setFileMode(QFileDialog.FileMode.AnyFile)
        dialog.setNameFilter(self.tr("Sessions ({0})").format(f"*{ENDING}"))
        dialog.setDefaultSuffix(ENDING[1:])  # before it asks whether to replace a file of that name
        return dialog
