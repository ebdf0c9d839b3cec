"""The bar above: menu, labs, presets, undo, transport, device, export, presenter."""

from pathlib import Path

from PySide6.QtCore import QSize, Qt, Signal, Slot
from PySide6.QtGui import QAction, QActionGroup, QResizeEvent
from PySide6.QtWidgets import QApplication, QFrame, QMenu, QSizePolicy, QToolButton, QWidget
from typing_extensions import override

from attnviz.experiment.colours import SEQUENTIAL
from attnviz.experiment.labs import LABS
from attnviz.experiment.specs_in_files import Preset, presets
from attnviz.gui.forms.editor import ComboBox
from attnviz.gui.session.manager import finish_typing
from attnviz.gui.session.settings import RecentFiles
from attnviz.gui.theme import Look
from attnviz.gui.widgets.buttons import Segments
from attnviz.gui.widgets.explained import place_in_manual
from attnviz.gui.widgets.labels import as_plain
from attnviz.gui.widgets.layouts import row_of
from attnviz.gui.widgets.letters import LetteredMenu
from attnviz.gui.widgets.words import translate
from attnviz.gui.window.actions import Actions


class TopBar(QFrame):
    """Says what the user chose; the window does it."""

    lab_chosen = Signal(str)
    preset_chosen = Signal(str)
    device_chosen = Signal(str)
    map_chosen = Signal(str)

    def __init__(self, actions: Actions, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("topBar")
        place_in_manual(self, "window#top-bar")
        self.menu = _button(actions, "menu")
        self.menu.setObjectName("quiet")
        self.menu.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        labs = tuple((lab.name, translate(lab.title), "") for lab in LABS.values())
        self._labs = Segments(self.tr("Lab"), labs)
        self._labs.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Preferred)
        self._labs.chosen.connect(self._choose_lab)
        self.presets = ComboBox()
        self.presets.setAccessibleName(self.tr("Preset"))
        # As wide as the longest title where there is room, and narrower in a narrow window.
        self.presets.setSizeAdjustPolicy(ComboBox.SizeAdjustPolicy.AdjustToContents)
        self.presets.setMinimumContentsLength(12)
        self.presets.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        self.presets.activated.connect(self._choose_preset)
        self._undo, self._redo = (_button(actions, key) for key in ("undo", "redo"))
        self._transport = [_button(actions, key) for key in ("reset", "run", "step")]
        self.device = ComboBox()
        self.device.setAccessibleName(self.tr("Device"))
        self.device.setToolTip(self.tr("Where the module runs"))
        self.device.setMinimumContentsLength(10)
        self.device.setSizeAdjustPolicy(ComboBox.SizeAdjustPolicy.AdjustToContents)  # narrower where room is short
        self.device.addItem(self.tr("Auto device"), "auto")
        self.device.activated.connect(self._choose_device)
        self._theme = _button(actions, "theme")
        self.export = _button(actions, "export", text=True)
        self.export.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        self.export.setMenu(self._export_menu(actions))
        present = _button(actions, "present", text=True)
        present.setObjectName("primary")
        present.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextOnly)
        transport = row_of(None, *self._transport)
        transport.setContentsMargins(8, 0, 0, 0)
        left = (self.menu, self._labs, self.presets, self._undo, self._redo, transport)
        self._row = row_of(self, *left, None, self.device, self._theme, self.export, present)
        self._row.setContentsMargins(8, 7, 16, 7)

    @override
    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fold()

    def _fold(self) -> None:
        """Leave to the menu what it has too, as far as the bar would be cut; then Export is a picture alone."""
        self.export.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        for button in (self._theme, self._undo, self._redo):
            button.setVisible(True)
        for group in ((self._theme,), (self._undo, self._redo)):
            if self._row.sizeHint().width() > self.width():
                for button in group:
                    button.setVisible(False)
        if self._row.sizeHint().width() > self.width():
            self.export.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonIconOnly)
        self._row.activate()  # now: a frame with the room of buttons that are hidden would squeeze the others

    def restyle(self, look: Look) -> None:
        """Take another type scale."""
        for button in self.findChildren(QToolButton):
            button.setIconSize(QSize(look.px(16), look.px(16)))
            if button.toolButtonStyle() == Qt.ToolButtonStyle.ToolButtonIconOnly and button is not self.export:
                # Undo has another name after each change, for which the bar need not be laid out anew.
                button.ensurePolished()
                button.setFixedSize(button.sizeHint())
        self._fold()

    def show_lab(self, name: str, trains: bool) -> None:
        """Press the lab's button, list its presets, and show the transport where something is trained."""
        self._labs.show_value(name)
        if self.presets.property("lab") != name:
            self.presets.setProperty("lab", name)
            self._list_presets(name)
        for button in self._transport:
            button.setVisible(trains)
        self._fold()

    def show_preset(self, preset: Preset | None) -> None:
        """Name the preset that the spec is, or (None) say that it is the user's own."""
        self.presets.setPlaceholderText(self.tr("Own settings"))
        self.presets.setCurrentIndex(-1 if preset is None else self.presets.findData(preset.name))

    def show_devices(self, devices: tuple[tuple[str, str], ...]) -> None:
        """List what the machine has."""
        for name, label in devices:
            self._list_device(name, label)

    def _list_device(self, name: str, label: str) -> None:
        if self.device.findData(name) < 0:
            self.device.addItem(label, name)

    @property
    def devices(self) -> str:
        """The devices of this machine, and the chosen one in brackets."""
        listed = ", ".join(self.device.itemText(place) for place in range(self.device.count()))
        return f"{listed} ({self.device.currentText()})"

    def show_device(self, name: str) -> None:
        """Show the spec's device, also one that this machine does not have."""
        self._list_device(name, name)
        self.device.setCurrentIndex(self.device.findData(name))

    @Slot(str)
    def show_map(self, name: str) -> None:
        """Mark the colour map that weights are drawn in."""
        for action in self._maps.actions():
            action.setChecked(action.data() == name)

    def _list_presets(self, lab: str) -> None:
        """List the presets of a lab with their numbers, below the titles of their chapters, which cannot be chosen."""
        box, chapter = self.presets, ""
        box.clear()
        for preset in presets().values():
            if preset.spec.lab != lab:
                continue
            if preset.chapter != chapter:
                chapter = preset.chapter
                box.add_heading(translate(chapter))
            box.addItem(f"{preset.number}  {translate(preset.title)}", preset.name)
            box.setItemData(box.count() - 1, translate(preset.about), Qt.ItemDataRole.ToolTipRole)

    def _export_menu(self, actions: Actions) -> QMenu:
        menu = LetteredMenu(self)
        for key in ("figure", "copy_picture", "animation", "save_numbers", "save_spec", "code"):
            menu.addAction(actions[key])
        menu.addSeparator()
        maps = menu.addMenu(self.tr("Colours of weights"))
        self._maps = QActionGroup(self)  # one of which is checked
        for name in SEQUENTIAL:
            action = self._maps.addAction(name)
            action.setCheckable(True)
            action.setData(name)
        maps.addActions(self._maps.actions())
        self.show_map(SEQUENTIAL[0])
        maps.triggered.connect(self._choose_map)
        return menu

    @Slot()
    def _choose_lab(self) -> None:
        lab = self._labs.value
        finish_typing(QApplication.focusWidget())  # it belongs to the lab that is left
        self.lab_chosen.emit(lab)

    @Slot(int)
    def _choose_preset(self, index: int) -> None:
        self.preset_chosen.emit(self.presets.itemData(index))

    @Slot(int)
    def _choose_device(self, index: int) -> None:
        self.device_chosen.emit(self.device.itemData(index))

    @Slot(object)
    def _choose_map(self, action: object) -> None:
        self.map_chosen.emit(action.data())  # type: ignore[attr-defined]


def _button(actions: Actions, key: str, *, text: bool = False) -> QToolButton:
    button = QToolButton()
    button.setDefaultAction(actions[key])
    style = Qt.ToolButtonStyle.ToolButtonTextBesideIcon if text else Qt.ToolButtonStyle.ToolButtonIconOnly
    button.setToolButtonStyle(style)
    return button


class WindowMenu(LetteredMenu):
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
        self.addActions([actions[key] for key in ("save", "save_as", "save_model")])
        self.addSeparator()
        self.addActions([actions["undo"], actions["redo"]])
        self.addSeparator()
        self.addActions([actions[key] for key in ("theme", "fold_left", "fold_right", "present")])
        self.addSeparator()
        self.addActions([actions["manual"], actions["shortcuts"], actions["about"]])
        self.aboutToShow.connect(self._list_recent)
        self.recent.triggered.connect(self._choose_recent)
        self._list_recent()

    @Slot()
    def _list_recent(self) -> None:
        """List the files that are still there; two of one name are told apart by their folders."""
        paths = self._recent.existing()
        names = [path.name for path in paths]
        self.recent.clear()
        for path in paths:
            text = path.name if names.count(path.name) == 1 else f"{path.name}  ({path.parent.name})"
            action = self.recent.addAction(text.replace("&", "&&"))
            action.setToolTip(as_plain(str(path)))
            action.setData(str(path))
        self.recent.addSeparator()
        self.recent.addAction(self.tr("Clear"))
        self.recent.menuAction().setEnabled(bool(paths))

    @Slot(QAction)
    def _choose_recent(self, action: QAction) -> None:
        if action.data():
            self.recent_chosen.emit(Path(action.data()))
        else:
            self._recent.clear()
