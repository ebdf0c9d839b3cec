"""An editor of a path on this machine: chosen in a dialog, among recent and included ones, or dropped."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from PySide6.QtCore import QSettings, Qt, Slot
from PySide6.QtWidgets import QWidget
from typing_extensions import override

from attnviz.gui.forms.editor import ComboBox, Editor
from attnviz.gui.session.settings import RecentPaths
from attnviz.gui.widgets.labels import as_plain
from attnviz.gui.widgets.layouts import row_of


class PathEdit(Editor):
    """Combo box of recent paths, with an entry that opens a dialog."""

    def __init__(
        self, parent: QWidget | None = None, *, key: str, is_there: Callable[[Path], bool], included: Sequence[str]
    ) -> None:
        """``key`` is the name of recent paths in the settings; the first of the ``included`` ones is the default."""
        super().__init__(parent)
        self._included = tuple(included)
        self._path = self._newest = self._included[0]
        self.recent = RecentPaths(key, is_there)
        self._combo = ComboBox()
        self._combo.activated.connect(self._choose)
        row_of(self, self._combo, wide=(self._combo,))
        self.setFocusProxy(self._combo)
        self._list()

    def asked(self, begin: str) -> str:
        """Return the path that the user chooses in a dialog, which begins in a folder; "" for none."""
        raise NotImplementedError

    def other(self) -> str:
        """Return the name of the entry that opens the dialog."""
        raise NotImplementedError

    def named(self, path: str) -> str:
        """Return the name of a path in the list."""
        return Path(path).name or path

    def forget(self) -> None:
        """Remove what is said of the path before."""

    @override
    def value(self) -> str:
        return self._path

    @override
    def set_value(self, value: Any) -> None:
        if str(value) != self._path:  # else every change of the spec would look for the recent ones
            self._path = str(value)
            self.forget()
            self._list()

    def remember_in(self, settings: QSettings) -> None:
        """Load the paths of earlier windows from settings, and keep these up to date."""
        self.recent.remember_in(settings)
        self._list()

    def remember(self, path: str) -> None:
        """Make the path of the picture on screen a recent one."""
        if path not in (*self._included, self._newest):
            self._newest = path
            self.recent.add(Path(path))
            self._list()

    @Slot(int)
    def _choose(self, row: int) -> None:
        path = self._combo.itemData(row)
        if path is None:
            self._list()  # the list shows the path again, whatever the dialog gives
            used = [path for path in (Path(self._path), *self.recent.existing()) if path.is_absolute()]
            path = self.asked(str(used[0].parent if used else Path.home()))  # Qt's own memory is of all files
            if not path:
                return
        if path != self._path:
            self.set_value(path)
            self.edited.emit()

    def _list(self) -> None:
        """List the path, the included ones, and recent ones."""
        paths = dict.fromkeys((self._path, *self._included, *map(str, self.recent.existing())))
        self._combo.clear()
        for path in paths:
            self._combo.addItem(self.named(path), path)
            self._combo.setItemData(self._combo.count() - 1, as_plain(path), Qt.ItemDataRole.ToolTipRole)
        self._combo.addItem(self.other(), None)
        self._combo.setCurrentIndex(0)
        self._combo.setToolTip(as_plain(self._path))
