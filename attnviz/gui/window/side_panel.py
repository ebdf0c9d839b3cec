"""A panel at the side of the window: it folds to a rail, and its edge can be dragged."""

from PySide6.QtCore import QEvent, QPoint, QRect, QSize, Qt, Signal
from PySide6.QtGui import QMouseEvent, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QAbstractButton, QToolButton, QWidget
from typing_extensions import override

from attnviz.gui.theme import LIGHT, Look, Styled, icon
from attnviz.gui.widgets.columns import column_height, draw_in_column
from attnviz.gui.widgets.gestures import Gesture
from attnviz.gui.widgets.labels import ElidingLabel
from attnviz.gui.widgets.layouts import column_of, row_of

_EDGE = 6
"""The width of the draggable edge of a panel, in pixels."""


class SidePanel(Styled):
    """Shows its content, or a rail with the panel's name; `Panels` controls which of them, and its geometry."""

    mouse_left = Signal()
    """The mouse is no longer over the panel."""
    fold_asked = Signal()
    """The user wants to fold the panel, or to open it."""
    dragged = Signal(int)
    """The width in pixels that the user drags the panel to; -1 is its default width."""

    def __init__(self, name: str, content: QWidget, *, at_left: bool, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._at_left = at_left
        self.heading = ElidingLabel()
        """What the panel is about, beside the button that folds it."""
        self.heading.setObjectName("panelHeading")
        self.heading.setText(name)
        self.button = QToolButton()
        self.button.setObjectName("quiet")
        self.button.clicked.connect(self.fold_asked)
        self.open = QWidget(self)
        self.head = row_of(None, self.heading, self.button, gap=0, wide=(self.heading,))
        self.head.setContentsMargins(16, 2, 6, 0)
        column = column_of(self.open, self.head, content, gap=0, wide=(content,))
        column.setContentsMargins(0 if at_left else 1, 0, 1 if at_left else 0, 0)  # the panel's border
        self.rail = Rail(name, at_left=at_left, parent=self)
        self.rail.clicked.connect(self.fold_asked)
        self.edge = PanelEdge(self, at_left=at_left)
        self.edge.dragged.connect(self.dragged)
        self.fold(False)

    @property
    def folded(self) -> bool:
        """Whether the rail is shown."""
        return self.open.isHidden()

    def fold(self, folded: bool) -> None:
        """Show the rail, or the content; the keyboard follows."""
        inside = self.focusWidget() if self.isVisible() else None
        had_keyboard = inside is not None and inside.hasFocus()
        self.rail.setVisible(folded)
        self.edge.setVisible(not folded)
        self.open.setVisible(not folded)
        if had_keyboard:
            (self.rail if folded else self.button).setFocus(Qt.FocusReason.OtherFocusReason)

    def say_keys(self, keys: str) -> None:
        """Show the shortcut that folds and opens the panel."""
        name = self.rail.text()
        for button, verb in ((self.button, self.tr("Fold {0}")), (self.rail, self.tr("Open {0}"))):
            said = verb.format(name)
            button.setAccessibleName(said)
            button.setToolTip(f"{said} ({keys})")

    @override
    def restyle(self, look: Look) -> None:
        super().restyle(look)
        size = look.px(16)
        self.button.setIcon(icon("chevron-left" if self._at_left else "folded", look.theme.muted, size))
        self.button.setIconSize(QSize(size, size))
        self.rail.restyle(look)

    @override
    def leaveEvent(self, event: QEvent) -> None:
        super().leaveEvent(event)
        self.mouse_left.emit()

    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw its background, and a line to the page."""
        painter = QPainter(self)
        painter.fillRect(self.rect(), self._look.color("panel"))
        painter.fillRect(QRect(self.width() - 1 if self._at_left else 0, 0, 1, self.height()), self._look.color("line"))

    @override
    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        for part in (self.open, self.rail):
            part.setGeometry(self.rect())
        left = self.width() - _EDGE if self._at_left else 0
        self.edge.setGeometry(QRect(left, 0, _EDGE, self.height()))
        self.edge.raise_()


class Rail(QAbstractButton):
    """A folded panel: an arrow, and the panel's name as vertical text."""

    def __init__(self, name: str, *, at_left: bool, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._look = Look(LIGHT)
        self._at_left = at_left
        self.setText(name)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setAttribute(Qt.WidgetAttribute.WA_Hover)

    def restyle(self, look: Look) -> None:
        """Apply a theme and type scale."""
        self._look = look
        self.update()

    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        look, theme = self._look, self._look.theme
        painter = QPainter(self)
        painter.fillRect(self.rect(), look.color("faint" if self.underMouse() else "panel"))
        border = self.width() - 1 if self._at_left else 0
        painter.fillRect(QRect(border, 0, 1, self.height()), look.color("line"))
        size = look.px(16)
        arrow = icon("folded" if self._at_left else "chevron-left", theme.muted, size)
        arrow.paint(painter, QRect((self.width() - size) // 2, look.px(8), size, size))
        if not look.present:
            painter.setFont(look.font("small", bold=True))
            painter.setPen(look.color("muted"))
            height = column_height(self.text(), painter.fontMetrics()) + 1
            draw_in_column(painter, QRect(0, look.px(32), self.width(), height), self.text(), at_top=True)
        if self.hasFocus():
            painter.setPen(look.color("accent"))
            painter.drawRect(self.rect().adjusted(1, 1, -2, -2))


class PanelEdge(QWidget):
    """The edge of a panel, dragged to resize it; a double click restores its default width."""

    GESTURES = (
        Gesture("Drag", "Make the panel wider or narrower", "Edge of a panel"),
        Gesture("Double click", "Reset the width of the panel", "Edge of a panel"),
    )
    dragged = Signal(int)

    def __init__(self, panel: QWidget, *, at_left: bool) -> None:
        super().__init__(panel)
        self._panel = panel
        self._at_left = at_left
        self._from: tuple[QPoint, int] | None = None  # where the drag began, and the width there
        self.setCursor(Qt.CursorShape.SplitHCursor)

    @override
    def mousePressEvent(self, event: QMouseEvent) -> None:
        if event.button() == Qt.MouseButton.LeftButton:
            self._from = event.globalPosition().toPoint(), self._panel.width()

    @override
    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        if self._from is not None:
            moved = event.globalPosition().toPoint().x() - self._from[0].x()
            self.dragged.emit(max(0, self._from[1] + (moved if self._at_left else -moved)))

    @override
    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        self._from = None

    @override
    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        self._from = None
        self.dragged.emit(-1)
