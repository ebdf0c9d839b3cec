"""The dialogs of the export menu, each imported and created on first use, to keep the start of the window fast."""

from collections.abc import Callable
from functools import cached_property
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Slot
from PySide6.QtWidgets import QWidget

from attnviz.gui.dialogs.exporter import Exporter
from attnviz.gui.labs.rooms import Rooms
from attnviz.gui.run.controller import Controller
from attnviz.gui.theme import Look

if TYPE_CHECKING:
    from attnviz.gui.dialogs.animation_dialog import AnimationDialog
    from attnviz.gui.dialogs.code_dialog import CodeDialog
    from attnviz.gui.dialogs.figure_dialog import FigureDialog


class ExportDialogs(QObject):
    """Opens the dialogs for the window's current state, in the window's style."""

    def __init__(
        self, window: QWidget, exporter: Exporter, rooms: Rooms, controller: Controller, style: Callable[[], Look]
    ) -> None:
        super().__init__(window)
        self._window, self._exporter, self._rooms = window, exporter, rooms
        self._controller, self._style = controller, style

    @cached_property
    def figure(self) -> "FigureDialog":
        """Figures for papers."""
        from attnviz.gui.dialogs.figure_dialog import FigureDialog

        return FigureDialog(self._window, self._exporter)

    @cached_property
    def animation(self) -> "AnimationDialog":
        """Animations of a training or a sweep."""
        from attnviz.gui.dialogs.animation_dialog import AnimationDialog

        return AnimationDialog(self._window, self._exporter)

    @cached_property
    def code(self) -> "CodeDialog":
        """The PyTorch script."""
        from attnviz.gui.dialogs.code_dialog import CodeDialog

        return CodeDialog(self._window, self._exporter)

    @Slot()
    def open_figure(self) -> None:
        """Open the dialog of figures."""
        shown = self._exporter.shown or self._controller
        self.figure.open_for(self._rooms[shown.spec.lab], self._style())

    @Slot()
    def open_animation(self) -> None:
        """Open the dialog of animations."""
        self.animation.open_for(self._controller.spec, self._style())

    @Slot()
    def open_code(self) -> None:
        """Show the script of the current spec, and copy it."""
        self.code.open_for(self._controller.spec, self._style())

    def finish(self) -> None:
        """Stop the processes of all dialogs: the window is being closed."""
        if "animation" in self.__dict__:
            self.animation.finish()
