"""The middle of the window: controls on the left, notice and stage, inspector and notes on the right."""

from PySide6.QtCore import QSignalBlocker, Qt, QTimer, Signal, Slot
from PySide6.QtGui import QAccessible, QAccessibleAnnouncementEvent, QMouseEvent, QResizeEvent, QTextOption
from PySide6.QtWidgets import (
    QFrame,
    QLabel,
    QPlainTextEdit,
    QScrollArea,
    QStackedWidget,
    QVBoxLayout,
    QWidget,
)
from typing_extensions import override

from attnviz.experiment.session import LONGEST_NOTES
from attnviz.gui.labs.room import AnyRoom
from attnviz.gui.labs.rooms import Rooms
from attnviz.gui.theme import Look
from attnviz.gui.widgets.explained import place_in_manual
from attnviz.gui.widgets.inspector import Fold
from attnviz.gui.widgets.layouts import column_of, row_of
from attnviz.gui.window.last_good import LastGoodMark

_HEIGHT = 132


class Notes(QWidget):
    """A text without form, part of the session."""

    changed = Signal()
    """The user has typed, or another session brought other notes."""
    refused = Signal(str)
    """Why what was typed, or pasted, is not taken whole."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("notesPanel")
        place_in_manual(self, "window#notes")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self._text = ""
        self.editor = QPlainTextEdit()
        self.editor.setAccessibleName(self.tr("Notes"))
        self.editor.setPlaceholderText(self.tr("What to remember about this session"))
        self.editor.setTabChangesFocus(True)
        # Breaking words too would take seconds for a text of 200,000 signs in one word, which a file may hold.
        self.editor.setWordWrapMode(QTextOption.WrapMode.WordWrap)
        self.editor.textChanged.connect(self._take)
        self.fold = Fold(self.tr("Notes").upper(), self.editor)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(17, 0, 16, 8)
        layout.addWidget(self.fold)

    @property
    def text(self) -> str:
        """The text, never longer than a session can hold."""
        return self._text

    def set_text(self, text: str) -> None:
        """Show other notes; they unfold where there are some."""
        if text == self._text:
            return
        self._text = text
        self._show()
        if text and not self.fold.isExpanded():
            self.fold.expand()
        self.changed.emit()

    def restyle(self, look: Look) -> None:
        """Take another theme or type scale."""
        self.fold.restyle(look)
        self.editor.setFixedHeight(look.px(_HEIGHT))

    @Slot()
    def _take(self) -> None:
        # Half of a surrogate pair, which a broken clipboard may hold, is no text that a file can keep.
        text = self.editor.toPlainText().encode(errors="replace").decode()
        if len(text) > LONGEST_NOTES:
            self._text = text[:LONGEST_NOTES]
            self._show()
            self.refused.emit(self.tr("Notes end after {0} characters.").format(f"{LONGEST_NOTES:,}"))
        else:
            self._text = text
        self.changed.emit()

    def _show(self) -> None:
        with QSignalBlocker(self.editor):
            self.editor.setPlainText(self._text)


INFO_MS, TOLD_MS = 4000, 20_000


class Notice(QLabel):
    """A problem of a run stays until the next good picture, anything else for some seconds; a click hides either.

    It overlays its parent, so that no picture moves when it appears or disappears.
    """

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.setObjectName("notice")
        self.setWordWrap(True)
        self.setTextFormat(Qt.TextFormat.PlainText)  # a line of a file may look like markup
        self.setToolTip(self.tr("Click to hide"))
        self.hide()
        self._outlives_next_picture = False
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(INFO_MS)
        self._timer.timeout.connect(self.hide)
        self._told = QTimer(self)
        self._told.setSingleShot(True)
        self._told.setInterval(TOLD_MS)
        self._told.timeout.connect(self.hide)

    def say(self, text: str, *, problem: bool = True, outlives_next_picture: bool = False) -> None:
        """Show a sentence. One about a fallback outlives the picture that the fallback makes."""
        self._outlives_next_picture = outlives_next_picture
        self.setProperty("kind", "problem" if problem else "info")
        self.style().unpolish(self)
        self.style().polish(self)
        self.setText(text)
        self.fit()
        self.show()
        self.raise_()
        if QAccessible.isActive():
            QAccessible.updateAccessibility(QAccessibleAnnouncementEvent(self, text))
        self._told.stop()
        if problem:
            self._timer.stop()
        else:
            self._timer.start()

    def tell(self, text: str, problem: bool = True) -> None:
        """Show a sentence that has nothing to do with the picture: a training under way would wipe it off at once."""
        self.say(text, problem=problem)
        if problem:
            self._told.start()

    def fit(self) -> None:
        """Take the width of the parent, and the height that the sentence needs."""
        over = self.parentWidget()
        if over is not None:
            self.setGeometry(0, 0, over.width(), self.heightForWidth(over.width()))

    @override
    def mousePressEvent(self, event: QMouseEvent) -> None:
        self.hide()

    def make_way(self) -> None:
        """Hide a problem: a good picture has arrived."""
        if self._outlives_next_picture:
            self._outlives_next_picture = False
        elif not self._timer.isActive() and not self._told.isActive():
            self.hide()


CONTROLS_WIDTH, INSPECTOR_WIDTH = 276, 296


class Panels(QWidget):
    """Shows one room at a time; before its first picture a sentence takes the place of the stage."""

    def __init__(self, rooms: Rooms, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._rooms = rooms
        rooms.built.connect(self._take_in)
        self._labs_on_screen: dict[str, str] = {}  # of the controls and of the stage, which follows with its trace
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
        self.last_good = LastGoodMark(self._stages)
        layout = row_of(self, gap=0)
        self.notes = Notes()
        self._middle = column_of(None, self._stages, gap=0, wide=(self._stages,))
        layout.addWidget(self._controls)
        layout.addLayout(self._middle, 1)
        self._right = QWidget()
        column_of(self._right, self._inspectors, self.notes, gap=0, wide=(self._inspectors,))
        layout.addWidget(self._right)
        self._beside: QWidget | None = None

    def put_above_stage(self, bar: QWidget) -> None:
        """Put a bar between the top bar and the stage."""
        self._middle.insertWidget(0, bar)

    def add_beside(self, panel: QWidget) -> None:
        """Take in a panel that `show_beside` shows; it is hidden until then."""
        panel.hide()
        layout = self.layout()
        assert layout is not None
        layout.addWidget(panel)

    def show_beside(self, panel: QWidget | None) -> None:
        """Show a panel of `add_beside` in place of the inspector and the notes; None shows these again."""
        if self._beside is not None:
            self._beside.hide()
        self._beside = panel
        self._right.setVisible(panel is None)
        if panel is not None:
            panel.show()

    @override
    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.notice.fit()

    def show_controls(self, lab: str) -> None:
        """Show the form and the inspector of a lab."""
        form, inspector = self._sides[self._rooms.enter(lab)]
        self._labs_on_screen["controls"] = lab
        self._controls.setCurrentWidget(form)
        self._inspectors.setCurrentWidget(inspector)

    def show_stage(self, lab: str) -> None:
        """Show the stage of a lab."""
        stage = self._rooms.enter(lab).stage
        self._labs_on_screen["stage"] = lab
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
        self._rooms.restyle(look, set(self._labs_on_screen.values()))

    @Slot(object)
    def _take_in(self, room: AnyRoom) -> None:
        form, inspector = self._sides[room] = _scrolling(room.form), _scrolling(room.inspector)
        self._controls.addWidget(form)
        self._stages.addWidget(room.stage)
        self._inspectors.addWidget(inspector)


def _scrolling(widget: QWidget) -> QScrollArea:
    area = QScrollArea()
    area.setWidget(widget)
    area.setWidgetResizable(True)
    area.setFrameShape(QFrame.Shape.NoFrame)
    area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
    area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
    return area
