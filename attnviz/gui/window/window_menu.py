"""The menu at the left of the top bar: what is done with the session as a whole, and with the window."""

from pathlib import Path

from PySide6.QtCore import Signal, Slot
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QMenu, QWidget

from attnviz.gui.session.recent_files import MOST, RecentFiles
from attnviz.gui.widgets.labels import as_plain
from attnviz.gui.window.actions import Actions


class WindowMenu(QMenu):
    """The window's actions in order; below Open the files that were opened or saved last."""

    recent_chosen = Signal(object)
    """The path of one of the recent files."""

    def __init__(self, actions: Actions, recent: RecentFiles, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._recent = recent
        self.addAction(actions["new"])
        self.addAction(actions["open"])
        self.recent = self.addMenu(self.tr("Open recent"))
        self.recent.setToolTipsVisible(True)
        self._files = [self.recent.addAction("") for _ in range(MOST)]
        self.recent.addSeparator()
        self._clear = self.recent.addAction(self.tr("Clear"))
        self.addActions([actions["save"], actions["save_as"]])
        self.addSeparator()
        self.addActions([actions["undo"], actions["redo"]])
        self.addSeparator()
        self.addActions([actions["theme"], actions["present"]])
        self.aboutToShow.connect(self._list_recent)
        self.recent.triggered.connect(self._choose_recent)
        self._list_recent()

    @Slot()
    def _list_recent(self) -> None:
        """List the files that are still there; two of one name are told apart by their folders."""
        paths = self._recent.existing()
        names = [path.name for path in paths]
        for place, action in enumerate(self._files):
            action.setVisible(place < len(paths))
            if place < len(paths):
                path = paths[place]
                text = path.name if names.count(path.name) == 1 else f"{path.name}  ({path.parent.name})"
                action.setText(text.replace("&", "&&"))
                action.setToolTip(as_plain(str(path)))
                action.setData(str(path))
        self.recent.menuAction().setEnabled(bool(paths))

    @Slot(QAction)
    def _choose_recent(self, action: QAction) -> None:
        if action is self._clear:
            self._recent.clear()
        else:
            self.recent_chosen.emit(Path(action.data()))
