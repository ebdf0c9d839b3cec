"""The middle of the window: controls on the left, notice and stage, inspector and notes on the right."""

from PySide6.QtCore import Qt, Slot
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QScrollArea, QStackedWidget, QVBoxLayout, QWidget
from typing_extensions import override

from attnviz.gui.labs.room import AnyRoom
from attnviz.gui.labs.rooms import Rooms
from attnviz.gui.theme import Look
from attnviz.gui.window.notes import Notes
from attnviz.gui.window.notice import Notice

CONTROLS_WIDTH, INSPECTOR_WIDTH = 276, 296


class Panels(QWidget):
    """Shows one room at a time; before its first picture a sentence takes the place of the stage."""

    def __init__(self, rooms: Rooms, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._rooms = rooms
        rooms.built.connect(self._take_in)
        self._sides: dict[AnyRoom, tuple[QWidget, QWidget]] = {}  # its form and its inspector, each where it scrolls
        self.waiting = QLabel(self.tr("Loading PyTorch ..."))
        self.waiting.setObjectName("waiting")
        self.waiting.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.waiting.setWordWrap(True)
        self.waiting.setTextFormat(Qt.TextFormat.PlainText)
        self._controls, self._stages, self._inspectors = QStackedWidget(), QStackedWidget(), QStackedWidget()
        self._controls.setObjectName("controls")
        self._inspectors.setObjectName("inspector")
        self._stages.addWidget(self.waiting)
        self.notice = Notice(self._stages)
        layout = QHBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        self.notes = Notes()
        self._middle = _column(self._stages)
        layout.addWidget(self._controls)
        layout.addLayout(self._middle, 1)
        layout.addLayout(_column(self._inspectors, self.notes))

    def put_above_stage(self, bar: QWidget) -> None:
        """Put a bar between the top bar and the stage."""
        self._middle.insertWidget(0, bar)

    @override
    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.notice.fit()

    def show_controls(self, lab: str) -> None:
        """Show the form and the inspector of a lab."""
        form, inspector = self._sides[self._rooms[lab]]
        self._controls.setCurrentWidget(form)
        self._inspectors.setCurrentWidget(inspector)

    def show_stage(self, lab: str) -> None:
        """Show the stage of a lab."""
        stage = self._rooms[lab].stage
        self._stages.setCurrentWidget(stage)
        if self._stages.hasFocus():
            stage.strip.setFocus(Qt.FocusReason.OtherFocusReason)  # Left and Right step through the stages

    def show_stage_or_wait(self, lab: str) -> None:
        """Show the stage of a lab, or that it has no picture yet."""
        if self._rooms[lab].stage.trace is not None:
            self.show_stage(lab)
        else:
            self.waiting.setText(self.tr("No picture yet"))
            self._stages.setCurrentWidget(self.waiting)

    def take_focus(self) -> None:
        """Take the keyboard without lighting a knob."""
        self._stages.setFocus()

    def restyle(self, look: Look) -> None:
        """Take another theme or type scale, rooms included."""
        self._controls.setFixedWidth(look.px(CONTROLS_WIDTH))
        self._inspectors.setFixedWidth(look.px(INSPECTOR_WIDTH))
        self.notes.setFixedWidth(look.px(INSPECTOR_WIDTH))
        self.notes.restyle(look)
        self._rooms.restyle(look)

    @Slot(object)
    def _take_in(self, room: AnyRoom) -> None:
        form, inspector = self._sides[room] = _scrolling(room.form), _scrolling(room.inspector)
        self._controls.addWidget(form)
        self._stages.addWidget(room.stage)
        self._inspectors.addWidget(inspector)


def _column(first: QWidget, *others: QWidget) -> QVBoxLayout:
    """Return widgets one below the other, without gaps; the first has the room that is left."""
    column = QVBoxLayout()
    column.setSpacing(0)
    column.addWidget(first, 1)
    for other in others:
        column.addWidget(other)
    return column


def _scrolling(widget: QWidget) -> QScrollArea:
    area = QScrollArea()
    area.setWidget(widget)
    area.setWidgetResizable(True)
    area.setFrameShape(QFrame.Shape.NoFrame)
    area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
    area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
    return area
