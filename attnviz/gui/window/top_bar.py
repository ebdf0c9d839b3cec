"""The bar above: menu, labs, presets, undo, transport, device, export, presenter."""

from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QSize, Qt, Signal, Slot
from PySide6.QtGui import QAction, QResizeEvent
from PySide6.QtWidgets import QApplication, QFrame, QMenu, QSizePolicy, QToolButton, QWidget
from typing_extensions import override

from attnviz.definitions.labs import LAB_NAMES
from attnviz.experiment.colours import SEQUENTIAL
from attnviz.experiment.files.specs_in_files import Preset, presets
from attnviz.experiment.texts.languages import languages
from attnviz.gui.forms.editor import ComboBox
from attnviz.gui.language import language_now, name_of_language
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
from attnviz.gui.window.pace_slider import PaceSlider

_GAPS = 8, 5
"""The pixels between the parts of the bar, and where room is short."""


class TopBar(QFrame):
    """Emits the user's choices, which the window handles."""

    lab_chosen = Signal(str)
    preset_chosen = Signal(str)
    device_chosen = Signal(str)
    map_chosen = Signal(str)

    def __init__(self, actions: Actions) -> None:
        super().__init__()
        self.setObjectName("topBar")
        place_in_manual(self, "window#top-bar")
        self.menu = _button(actions, "menu")
        self.menu.setObjectName("quiet")
        self.menu.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        labs = tuple((lab.name, translate(lab.title), "") for lab in LAB_NAMES.values())
        self._labs = Segments(self.tr("Lab"), labs)
        self._labs.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Preferred)
        self._labs.chosen.connect(self._choose_lab)
        self._lab_box = ComboBox()
        """The same choice, where room is short."""
        self._lab_box.setAccessibleName(self.tr("Lab"))
        self._lab_box.setSizeAdjustPolicy(ComboBox.SizeAdjustPolicy.AdjustToContents)
        for name, title, _ in labs:
            self._lab_box.addItem(title, name)
        self._lab_box.activated.connect(self._choose_lab)
        self._lab_box.hide()
        self.presets = ComboBox()
        self.presets.setAccessibleName(self.tr("Preset"))
        # As wide as the longest title where there is room, and narrower in a narrow window.
        self.presets.setSizeAdjustPolicy(ComboBox.SizeAdjustPolicy.AdjustToContents)
        self.presets.setMinimumContentsLength(12)
        self.presets.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        self.presets.activated.connect(self._choose_preset)
        self._undo, self._redo = (_button(actions, key) for key in ("undo", "redo"))
        self.pace = PaceSlider()
        reset, self._run, step = (_button(actions, key, text=key == "run") for key in ("reset", "run", "step"))
        self._transport: tuple[QWidget, ...] = reset, self._run, step, self.pace
        self.device = ComboBox()
        self.device.setAccessibleName(self.tr("Device"))
        self.device.setToolTip(self.tr("Where the module runs"))
        self.device.setMinimumContentsLength(10)
        self.device.setSizeAdjustPolicy(ComboBox.SizeAdjustPolicy.AdjustToContents)  # narrower where room is short
        self.devices_menu = LetteredMenu(self.tr("Device"), self)
        """The same choice, for the window's menu."""
        self.devices_menu.triggered.connect(self._choose_listed_device)
        self._list_device("auto", self.tr("Auto device"))
        self.device.activated.connect(self._choose_device)
        self._theme = _button(actions, "theme")
        self.export = _button(actions, "export", text=True)
        self.export.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        self.export.setMenu(self._export_menu(actions))
        self._sweep = _button(actions, "sweep", text=True)
        self._sweep.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextOnly)
        present = _button(actions, "present", text=True)
        present.setObjectName("primary")
        present.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextOnly)
        left = (self.menu, self._labs, self._lab_box, self.presets, self._undo, self._redo, *self._transport)
        self._shown_for: tuple[str, bool] | None = None
        self._row = row_of(self, *left, None, self._sweep, self.device, self._theme, self.export, present, gap=_GAPS[0])
        self._row.setContentsMargins(8, 7, 16, 7)

    @override
    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fold()

    def _fold(self) -> None:
        """Shorten texts, leave actions to the menus, and reduce gaps, as far as needed to fit.

        Then the titles of presets are elided, undo and the device are left to the menu, and last the labs become a
        list.
        """
        lists = not self._folds_for(lists=False)
        if lists:
            self._folds_for(lists=True)
        # Shown and hidden at once, and only where that changes: the frame would grow with both, and fold again.
        if lists != self._lists:
            first, then = (self._labs, self._lab_box) if lists else (self._lab_box, self._labs)
            first.hide()
            then.show()
        self._row.activate()  # now: a frame with the room of buttons that are hidden would squeeze the others

    @property
    def _lists(self) -> bool:
        """Whether the labs are a list now."""
        return not self._lab_box.isHidden()

    def _folds_for(self, *, lists: bool) -> bool:
        """Fold the parts beside the labs, which are shown as a list or buttons; return whether everything fits."""
        self._row.setSpacing(_GAPS[0])
        self.pace.write_out(True)
        self.export.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        self._show_undo(True)
        for part in (self._theme, self.device, self._sweep):
            part.show()
        folds: tuple[Callable[[], None], ...] = (
            self._theme.hide,
            self._sweep.hide,
            lambda: self.export.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonIconOnly),
            lambda: self.pace.write_out(False),
            lambda: self._row.setSpacing(_GAPS[1]),
        )
        for fold in folds:
            if self._over(lists) > 0:
                fold()
        spare = self.presets.sizeHint().width() - self.presets.minimumSizeHint().width()
        for fold in (lambda: self._show_undo(False), self.device.hide):
            if self._over(lists) > spare:
                fold()
        return self._over(lists) <= spare

    def _over(self, lists: bool) -> int:
        """Return the pixels missing for the whole titles of presets, with the labs as a list or buttons."""
        grows = self._labs.sizeHint().width() - self._lab_box.sizeHint().width()
        return self._row.sizeHint().width() + grows * (int(self._lists) - int(lists)) - self.width()

    def _show_undo(self, on: bool) -> None:
        for button in (self._undo, self._redo):
            button.setVisible(on)

    def restyle(self, look: Look) -> None:
        """Apply a type scale."""
        self._run.ensurePolished()
        metrics, words = self._run.fontMetrics(), (self.tr("Run"), self.tr("Pause"))
        widest = max(map(metrics.horizontalAdvance, words)) - metrics.horizontalAdvance(self._run.text())
        self._run.setFixedWidth(self._run.sizeHint().width() + widest)  # the bar is not laid out anew at each press
        for button in self.findChildren(QToolButton):
            button.setIconSize(QSize(look.px(16), look.px(16)))
            if button.toolButtonStyle() == Qt.ToolButtonStyle.ToolButtonIconOnly and button is not self.export:
                # Undo has another name after each change, for which the bar need not be laid out anew.
                button.ensurePolished()
                button.setFixedSize(button.sizeHint())
        self._fold()

    def show_lab(self, name: str, trains: bool, first_pace: float | None) -> None:
        """Press the lab's button, list its presets, and show the transport if the lab trains."""
        self.pace.show_lab(name, first_pace)
        if (name, trains) == self._shown_for:
            return  # to fold the bar takes a tenth of the frame of a turned knob
        self._shown_for = name, trains
        self._labs.show_value(name)
        self._lab_box.setCurrentIndex(self._lab_box.findData(name))
        if self.presets.property("lab") != name:
            self.presets.setProperty("lab", name)
            self._list_presets(name)
        for part in self._transport:
            part.setVisible(trains)
        self._fold()

    def show_preset(self, preset: Preset | None, named: str) -> None:
        """Name the preset that equals the spec, or (None) show ``named``."""
        self.presets.setPlaceholderText(named)
        self.presets.setCurrentIndex(-1 if preset is None else self.presets.findData(preset.name))

    def show_devices(self, devices: tuple[tuple[str, str], ...]) -> None:
        """List the machine's devices."""
        for name, label in devices:
            self._list_device(name, label)
        self._fold()

    def take_over(self, other: "TopBar") -> None:
        """Take over the devices and the pace of another window."""
        listed = other.device
        self.show_devices(tuple((listed.itemData(at), listed.itemText(at)) for at in range(1, listed.count())))
        self.pace.take_over(other.pace)

    def _list_device(self, name: str, label: str) -> None:
        if self.device.findData(name) < 0:
            self.device.addItem(label, name)
            _add_choice(self.devices_menu, label, name)

    @property
    def devices(self) -> str:
        """The devices of this machine, and the chosen one in brackets."""
        listed = ", ".join(self.device.itemText(place) for place in range(self.device.count()))
        return f"{listed} ({self.device.currentText()})"

    def show_device(self, name: str) -> None:
        """Show the spec's device, even if this machine does not have it."""
        if self.device.findData(name) < 0:
            self.show_devices(((name, name),))
        self.device.setCurrentIndex(self.device.findData(name))
        _check(self.devices_menu, name)

    @Slot(str)
    def show_map(self, name: str) -> None:
        """Mark the colour map that weights are drawn in."""
        _check(self._maps, name)

    def _list_presets(self, lab: str) -> None:
        """List the presets of a lab with their numbers, below the titles of their chapters, which cannot be chosen."""
        box, chapter = self.presets, ""
        box.clear()
        for preset in presets().values():
            if preset.lab != lab:
                continue
            if preset.chapter != chapter:
                chapter = preset.chapter
                box.add_heading(translate(chapter))
            box.addItem(f"{preset.number}  {translate(preset.title)}", preset.name)
            box.setItemData(box.count() - 1, translate(preset.about), Qt.ItemDataRole.ToolTipRole)

    def _export_menu(self, actions: Actions) -> QMenu:
        menu = LetteredMenu(self)
        for key in ("figure", "copy_picture", "animation", "sweep", "save_numbers", "save_spec", "code"):
            menu.addAction(actions[key])
        menu.addSeparator()
        self._maps = menu.addMenu(self.tr("Colours of weights"))
        for name in SEQUENTIAL:
            _add_choice(self._maps, name, name)
        self.show_map(SEQUENTIAL[0])
        self._maps.triggered.connect(self._choose_map)
        return menu

    @Slot()
    def _choose_lab(self) -> None:
        lab = self._lab_box.currentData() if self.sender() is self._lab_box else self._labs.value
        finish_typing(QApplication.focusWidget())  # it belongs to the lab that is left
        self.lab_chosen.emit(lab)

    @Slot(int)
    def _choose_preset(self, index: int) -> None:
        self.preset_chosen.emit(self.presets.itemData(index))

    @Slot(int)
    def _choose_device(self, index: int) -> None:
        self.device_chosen.emit(self.device.itemData(index))

    @Slot(QAction)
    def _choose_map(self, action: QAction) -> None:
        self.map_chosen.emit(action.data())

    @Slot(QAction)
    def _choose_listed_device(self, action: QAction) -> None:
        _check(self.devices_menu, self.device.currentData())  # until it is the one: Qt has checked both, or none
        self.device_chosen.emit(action.data())


def _add_choice(menu: QMenu, text: str, value: str) -> None:
    """Add one of the values to a menu, of which one is checked."""
    action = menu.addAction(text.replace("&", "&&"))
    action.setCheckable(True)
    action.setData(value)


def _check(menu: QMenu, value: str) -> None:
    for action in menu.actions():
        action.setChecked(action.data() == value)


def _button(actions: Actions, key: str, *, text: bool = False) -> QToolButton:
    button = QToolButton()
    button.setDefaultAction(actions[key])
    style = Qt.ToolButtonStyle.ToolButtonTextBesideIcon if text else Qt.ToolButtonStyle.ToolButtonIconOnly
    button.setToolButtonStyle(style)
    return button


class WindowMenu(LetteredMenu):
    """The window's actions in order; below Open the recent files."""

    recent_chosen = Signal(object)
    """The path of one of the recent files."""
    language_chosen = Signal(str)
    """The code of another language."""

    def __init__(
        self, actions: Actions, recent: RecentFiles, menus: tuple[QMenu, ...], parent: QWidget | None = None
    ) -> None:
        """Make the menu, with others in it."""
        super().__init__(parent)
        self._recent = recent
        self.addAction(actions["new"])
        self.addAction(actions["open"])
        self.recent = self.addMenu(self.tr("Open recent"))
        self.recent.setToolTipsVisible(True)
        self.addActions([actions[key] for key in ("save", "save_as", "save_model", "save_folder")])
        self.addSeparator()
        self.addActions([actions["undo"], actions["redo"]])
        self.addSeparator()
        self.addAction(actions["sweep"])
        for menu in menus:
            self.addMenu(menu)
        self.languages = self.addMenu(self.tr("Language"))
        for code in languages():
            _add_choice(self.languages, name_of_language(code), code)
        _check(self.languages, language_now())
        self.languages.triggered.connect(self._choose_language)
        self.addActions([actions[key] for key in ("theme", "motion", "fold_left", "fold_right", "present")])
        self.addSeparator()
        self.addActions([actions["manual"], actions["shortcuts"], actions["about"]])
        self.addSeparator()
        self.addAction(actions["quit"])
        self.aboutToShow.connect(self._list_recent)
        self.recent.triggered.connect(self._choose_recent)
        self._list_recent()

    @Slot(QAction)
    def _choose_language(self, action: QAction) -> None:
        _check(self.languages, language_now())  # until the window speaks it
        if action.data() != language_now():
            self.language_chosen.emit(action.data())

    @Slot()
    def _list_recent(self) -> None:
        """List the existing recent files; those of equal names are distinguished by their folders."""
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
