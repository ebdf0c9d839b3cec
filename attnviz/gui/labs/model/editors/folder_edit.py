"""The editor of a model's folder: chosen in a dialog, among recent ones, or dropped; below it facts about the model."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from PySide6.QtCore import QSettings, Qt, Slot
from PySide6.QtWidgets import QFileDialog, QWidget
from typing_extensions import override

from attnviz.experiment.files.plain_files import is_folder
from attnviz.experiment.model.spec import OWN_FOLDER
from attnviz.gui.forms.editor import ComboBox, Editor
from attnviz.gui.session.settings import RecentPaths
from attnviz.gui.widgets.labels import as_plain, caption
from attnviz.gui.widgets.layouts import column_of, row_of

_KEY = "models"


class FolderEdit(Editor):
    """Combo box of recent folders, with an entry that opens the folder dialog."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._path = self._newest = OWN_FOLDER
        self.recent = RecentPaths(_KEY, is_folder)
        self._combo = ComboBox()
        self._combo.activated.connect(self._choose)
        row_of(self, self._combo, wide=(self._combo,))
        self.setFocusProxy(self._combo)
        self.facts = caption(wraps=True, plain=True)
        """What is known of the folder."""
        self.below = QWidget()
        column_of(self.below, self.facts)
        self._list()

    @override
    def value(self) -> str:
        return self._path

    @override
    def set_value(self, value: Any) -> None:
        if str(value) != self._path:  # else every change of the spec would look for the recent folders
            self._path = str(value)
            self.facts.setText("")  # which are of the folder before
            self._list()

    def remember_in(self, settings: QSettings) -> None:
        """Load the folders of earlier windows from settings, and keep these up to date."""
        self.recent.remember_in(settings)
        self._list()

    def show_facts(self, path: str, facts: Sequence[str]) -> None:
        """Show facts about the folder of the model on screen; it becomes a recent one."""
        if path == self._path:
            self.facts.setText(", ".join(facts))
        if path not in (OWN_FOLDER, self._newest):
            self._newest = path
            self.recent.add(Path(path))
            self._list()

    @Slot(int)
    def _choose(self, row: int) -> None:
        path = self._combo.itemData(row)
        if path is None:
            self._list()  # the list shows the folder again, whatever the dialog gives
            used = [path for path in (Path(self._path), *self.recent.existing()) if path.is_absolute()]
            begin = str(used[0].parent if used else Path.home())  # Qt's own memory, for "", is of files too
            path = QFileDialog.getExistingDirectory(self.window(), self.tr("Folder of a model"), begin)
        if path and path != self._path:
            self.set_value(path)
            self.edited.emit()

    def _list(self) -> None:
        """List the folder, the included one, and recent ones."""
        paths = dict.fromkeys((self._path, OWN_FOLDER, *map(str, self.recent.existing())))
        self._combo.clear()
        for path in paths:
            self._combo.addItem(Path(path).name or path, path)
            self._combo.setItemData(self._combo.count() - 1, as_plain(path), Qt.ItemDataRole.ToolTipRole)
        self._combo.addItem(self.tr("Other folder ..."), None)
        self._combo.setCurrentIndex(0)
        self._combo.setToolTip(as_plain(self._path))
