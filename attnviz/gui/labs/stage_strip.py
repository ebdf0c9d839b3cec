"""The strip above a lab's stage: the steps of its mechanism, one of them chosen; Left and Right change it."""

from collections.abc import Mapping

from PySide6.QtCore import QRectF, Qt, Signal, Slot
from PySide6.QtGui import QFocusEvent, QKeyEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QHBoxLayout, QLabel, QToolButton, QWidget
from typing_extensions import override

from attnviz.gui.widgets.flow_layout import FlowLayout
from attnviz.gui.widgets.words import translate

_BY_KEYBOARD = (Qt.FocusReason.TabFocusReason, Qt.FocusReason.BacktabFocusReason, Qt.FocusReason.ShortcutFocusReason)
_ARROWS = {Qt.Key.Key_Left: -1, Qt.Key.Key_Right: 1}


class StageStrip(QWidget):
    """One button per stage, joined by arrows. It takes the focus as a whole, like a tab bar."""

    changed = Signal()
    """The user chose another stage."""

    def __init__(self, stages: Mapping[str, str], chosen: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setAccessibleName(self.tr("Stages"))
        self._ringed = False
        self._offered: tuple[str, ...] = ()
        self._titles = {name: translate(title) for name, title in stages.items()}
        self._chosen = chosen
        self._buttons: dict[str, QToolButton] = {}
        self._arrows: dict[str, QLabel] = {}
        self._links: dict[str, QWidget] = {}
        layout = FlowLayout(self)  # wraps in a narrow window
        layout.setContentsMargins(2, 2, 2, 2)
        for stage in stages:
            layout.addWidget(self._make_link(stage))
        self.offer(tuple(stages))

    @property
    def stage(self) -> str:
        """The chosen stage."""
        return self._chosen

    @property
    def offered(self) -> tuple[str, ...]:
        """The stages that can be chosen, in order."""
        return self._offered

    @property
    def at_end(self) -> bool:
        """Whether the last stage is chosen."""
        return self._chosen == self._offered[-1]

    def offer(self, stages: tuple[str, ...]) -> None:
        """Offer a trace's stages; if the chosen one is not among them, choose the nearest before it."""
        if stages == self._offered:
            return
        self._offered = stages
        for name in self._buttons:
            self._links[name].setVisible(name in stages)
            self._arrows[name].setVisible(name != stages[0])
        if self._chosen not in stages:
            order = list(self._buttons)
            before = [name for name in order[: order.index(self._chosen)] if name in stages]
            self._chosen = before[-1] if before else stages[0]
        self.press(self._chosen)

    def press(self, stage: str) -> None:
        """Choose a stage without a signal."""
        self._chosen = stage
        for name, button in self._buttons.items():
            button.setChecked(name == stage)
        at = self._offered.index(stage) + 1
        self.setAccessibleDescription(self.tr("{0}, {1} of {2}").format(self._titles[stage], at, len(self._offered)))

    def go(self, by: int) -> None:
        """Choose the stage ``by`` places away, if there is one, and emit `changed`."""
        at = self._offered.index(self._chosen) + by
        if 0 <= at < len(self._offered):
            self.press(self._offered[at])
            self.changed.emit()

    def go_to(self, stage: str) -> None:
        """Choose a stage and emit `changed`."""
        if stage in self._offered and stage != self._chosen:
            self.press(stage)
            self.changed.emit()

    @override
    def keyPressEvent(self, event: QKeyEvent) -> None:
        match event.key():
            case Qt.Key.Key_Left | Qt.Key.Key_Right:
                self.go(_ARROWS[Qt.Key(event.key())])
            case Qt.Key.Key_Home:
                self.go_to(self._offered[0])
            case Qt.Key.Key_End:
                self.go_to(self._offered[-1])
            case _:
                super().keyPressEvent(event)

    @override
    def focusInEvent(self, event: QFocusEvent) -> None:
        """Show a focus ring only if the focus came by the keyboard."""
        self._ringed = event.reason() in _BY_KEYBOARD
        super().focusInEvent(event)

    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        if self.hasFocus() and self._ringed:
            painter = QPainter(self)
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.setPen(self.palette().highlight().color())
            painter.drawRoundedRect(QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5), 6, 6)

    @Slot()
    def _click(self) -> None:
        stage = self.sender().property("stage")
        self.setFocus(Qt.FocusReason.MouseFocusReason)  # so that Left and Right work from here
        self.press(stage)
        self.changed.emit()

    def _make_link(self, stage: str) -> QWidget:
        """Return an arrow and a stage's button, which stay together."""
        link = QWidget()
        layout = QHBoxLayout(link)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addWidget(self._make_arrow(stage))
        layout.addWidget(self._make_button(stage))
        self._links[stage] = link
        return link

    def _make_button(self, stage: str) -> QToolButton:
        button = QToolButton()
        button.setObjectName("stageStep")
        button.setText(self._titles[stage])
        button.setAccessibleName(self._titles[stage])
        button.setCheckable(True)
        button.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        button.setProperty("stage", stage)
        button.clicked.connect(self._click)
        self._buttons[stage] = button
        return button

    def _make_arrow(self, stage: str) -> QLabel:
        arrow = QLabel("›")
        arrow.setObjectName("caption")
        self._arrows[stage] = arrow
        return arrow
