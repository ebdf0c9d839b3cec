"""The editor of a model's folder; below it facts about the model."""

from collections.abc import Sequence

from PySide6.QtWidgets import QFileDialog, QWidget
from typing_extensions import override

from attnviz.experiment.files.plain_files import is_folder
from attnviz.experiment.model.spec import OWN_FOLDER
from attnviz.gui.labs.model.editors.path_edit import PathEdit
from attnviz.gui.widgets.labels import caption
from attnviz.gui.widgets.layouts import column_of


class FolderEdit(PathEdit):
    """Recent folders, the included one, and a dialog."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent, key="models", is_there=is_folder, included=(OWN_FOLDER,))
        self.facts = caption(wraps=True, plain=True)
        """What is known of the folder."""
        self.below = QWidget()
        column_of(self.below, self.facts)

    def show_facts(self, path: str, facts: Sequence[str]) -> None:
        """Show facts about the folder of the model on screen; it becomes a recent one."""
        if path == self.value():
            self.facts.setText(", ".join(facts))
        self.remember(path)

    @override
    def forget(self) -> None:
        self.facts.setText("")

    @override
    def other(self) -> str:
        return self.tr("Other folder ...")

    @override
    def asked(self, begin: str) -> str:
        return QFileDialog.getExistingDirectory(self.window(), self.tr("Folder of a model"), begin)
