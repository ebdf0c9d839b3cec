"""A part of a panel that is folded away until it is asked for."""

from PySide6.QtCore import Slot
from PySide6.QtWidgets import QWidget
from superqt import QCollapsible

from attnviz.gui.icons import icon
from attnviz.gui.theme import Look


class Fold(QCollapsible):
    """A heading that opens and closes what lies under it. What is folded away is out of the keyboard's way too."""

    def __init__(self, title: str, part: QWidget, parent: QWidget | None = None) -> None:
        super().__init__(title, parent)
        self.setObjectName("fold")
        self.setDuration(0)
        self.addWidget(part)
        for layout in (self.layout(), self.content().layout()):
            if layout is not None:
                layout.setContentsMargins(0, 0, 0, 0)
        self.collapse(animate=False)
        self.content().hide()
        self.toggled.connect(self._show_content)

    def restyle(self, look: Look) -> None:
        """Take another theme."""
        self.setCollapsedIcon(icon("folded", look.theme.muted))
        self.setExpandedIcon(icon("unfolded", look.theme.muted))

    @Slot(bool)
    def _show_content(self, expanded: bool) -> None:
        self.content().setVisible(expanded)
        if expanded:
            self.fit()

    def fit(self) -> None:
        """Make room for a part that has grown since it was unfolded."""
        self.content().setMaximumHeight(self.content().sizeHint().height())
