"""The list of all shortcuts and gestures, with a search."""

from collections.abc import Iterable, Iterator
from typing import Any

from PySide6.QtCore import QEvent, QObject, Qt, Slot
from PySide6.QtGui import QAction, QKeyEvent, QKeySequence
from PySide6.QtWidgets import QApplication, QDialog, QHeaderView, QLineEdit, QTreeWidget, QTreeWidgetItem, QWidget
from typing_extensions import override

from attnviz.gui.forms.editor import PassedByWheel
from attnviz.gui.forms.spec_form import SpecForm
from attnviz.gui.labs.rooms import ROOMS
from attnviz.gui.labs.stage_strip import StagePlayer, StageStrip
from attnviz.gui.layers.numbers_table import NumbersTable
from attnviz.gui.lessons.cells import HiddenCells
from attnviz.gui.lessons.desk import Desk
from attnviz.gui.lessons.lesson_editor import LessonEditor
from attnviz.gui.lessons.lesson_panel import ChoiceButton
from attnviz.gui.plots.curves.step_curves import StepCurves
from attnviz.gui.plots.lines.lines_view import LinesView
from attnviz.gui.plots.matrix.head_grid import HeadGrid
from attnviz.gui.plots.matrix.heatmap import Heatmap
from attnviz.gui.plots.sweep_plot import SweepPlot
from attnviz.gui.plots.swept_heads import SweptHeads
from attnviz.gui.plots.tensors.reshape_view import ReshapeView
from attnviz.gui.theme import Look
from attnviz.gui.widgets.gestures import Gesture
from attnviz.gui.widgets.layouts import column_of
from attnviz.gui.widgets.letters import LetteredMenu
from attnviz.gui.widgets.words import translate
from attnviz.gui.window.covers import Blank
from attnviz.gui.window.panels import Panels
from attnviz.gui.window.side_panel import PanelEdge

_PICTURES = (
    StageStrip,
    StagePlayer,
    Heatmap,
    HeadGrid,
    LinesView,
    ReshapeView,
    NumbersTable,
    StepCurves,
    SweepPlot,
    SweptHeads,
)
_WINDOW = (
    PassedByWheel,
    SpecForm,
    LetteredMenu,
    Panels,
    PanelEdge,
    Blank,
    ChoiceButton,
    HiddenCells,
    Desk,
    LessonEditor,
)

_SIZE = 720, 600
_MARGIN = 16


def with_gestures() -> Iterator[type[Any]]:
    """Yield every widget class that declares gestures, in the order of the list; imports the rooms of all labs."""
    yield from _PICTURES
    for row in ROOMS.values():
        yield from row.load().with_gestures
    yield from _WINDOW


def gestures_of(actions: Iterable[QAction], form: QKeySequence.SequenceFormat) -> tuple[Gesture, ...]:
    """Return every line of the list: the actions' shortcuts, in one of Qt's formats, and the gestures."""
    lines = [
        Gesture._make(
            (
                ", ".join(keys.toString(form) for keys in action.shortcuts()),
                action.text().replace("&&", "&").removesuffix(" ..."),
                action.property("where") or translate("Anywhere"),
            )
        )
        for action in actions
        if action.shortcuts()
    ]
    declared = (gesture for widget in with_gestures() for gesture in widget.GESTURES)
    return (*lines, *(Gesture._make(map(translate, gesture)) for gesture in declared))


class ShortcutsSheet(QDialog):
    """A list filtered by the words of the search. Esc closes it."""

    def __init__(self, window: QWidget) -> None:
        super().__init__(window)
        self._window = window
        self.setWindowTitle(self.tr("Keys and gestures"))
        self.search = QLineEdit()
        self.search.setPlaceholderText(self.tr("Search"))
        self.search.setAccessibleName(self.tr("Search the keys and gestures"))
        self.search.setClearButtonEnabled(True)
        self.search.textChanged.connect(self._filter)
        self.search.installEventFilter(self)
        self.list = QTreeWidget()
        self.list.setAccessibleName(self.windowTitle())
        self.list.setHeaderLabels([self.tr("Shortcut"), self.tr("What"), self.tr("Where")])
        self.list.setRootIsDecorated(False)
        self.list.setUniformRowHeights(True)
        self.list.header().setSectionResizeMode(QHeaderView.ResizeMode.ResizeToContents)
        column_of(self, self.search, self.list, wide=(self.list,)).setContentsMargins(
            _MARGIN, _MARGIN, _MARGIN, _MARGIN
        )

    def open_with(self, gestures: Iterable[Gesture], look: Look) -> None:
        """Show these lines, and clear the search."""
        self.list.clear()
        self.list.addTopLevelItems([QTreeWidgetItem(list(gesture)) for gesture in gestures])
        self.search.clear()
        around = look.px(_MARGIN) * 2 + self.list.verticalScrollBar().sizeHint().width() + look.px(4)
        for part in (self, self.list):
            part.ensurePolished()  # the columns are as wide as the style's type
        self.list.doItemsLayout()
        width = max(look.px(_SIZE[0]), self.list.header().length() + around)
        self.resize(min(width, self._window.width()), look.px(_SIZE[1]))
        self.show()
        self.activateWindow()
        self.search.setFocus()

    @property
    def shown(self) -> tuple[Gesture, ...]:
        """The lines on screen."""
        return tuple(gesture for item, gesture in self._lines() if not item.isHidden())

    def _lines(self) -> Iterator[tuple[QTreeWidgetItem, Gesture]]:
        for row in range(self.list.topLevelItemCount()):
            item = self.list.topLevelItem(row)
            assert item is not None
            yield item, Gesture(*(item.text(column) for column in range(3)))

    @override
    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Scroll the list from the search field."""
        if isinstance(event, QKeyEvent) and event.type() == QEvent.Type.KeyPress:
            keys = (Qt.Key.Key_Up, Qt.Key.Key_Down, Qt.Key.Key_PageUp, Qt.Key.Key_PageDown)
            if event.key() in keys:
                QApplication.sendEvent(self.list, event)
                return True
        return super().eventFilter(watched, event)

    @Slot(str)
    def _filter(self, text: str) -> None:
        wanted = text.casefold().split()
        for item, gesture in self._lines():
            said = " ".join(gesture).casefold()
            item.setHidden(not all(word in said for word in wanted))
