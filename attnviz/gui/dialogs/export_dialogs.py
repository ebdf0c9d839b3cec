"""The dialogs of the export menu, each loaded and made when it is first asked for: the first window waits for none."""

from functools import cached_property
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Slot

if TYPE_CHECKING:
    from attnviz.gui.dialogs.animation_dialog import AnimationDialog
    from attnviz.gui.dialogs.code_dialog import CodeDialog
    from attnviz.gui.dialogs.figure_dialog import FigureDialog
    from attnviz.gui.window.main_window import MainWindow


class ExportDialogs(QObject):
    """Opens them on what the window shows now."""

    def __init__(self, window: "MainWindow") -> None:
        super().__init__(window)
        self._window = window

    @cached_property
    def figure(self) -> "FigureDialog":
        """Pictures and figures."""
        from attnviz.gui.dialogs.figure_dialog import FigureDialog

        return FigureDialog(self._window, self._window.exporter)

    @cached_property
    def animation(self) -> "AnimationDialog":
        """What moves."""
        from attnviz.gui.dialogs.animation_dialog import AnimationDialog

        return AnimationDialog(self._window, self._window.exporter)

    @cached_property
    def code(self) -> "CodeDialog":
        """The PyTorch script."""
        from attnviz.gui.dialogs.code_dialog import CodeDialog

        return CodeDialog(self._window, self._window.exporter)

    @Slot()
    def open_figure(self) -> None:
        """Open the dialog of figures."""
        shown = self._window.exporter.shown or self._window.controller
        self.figure.open_for(self._window.rooms[shown.spec.lab], self._window.look)

    @Slot()
    def open_animation(self) -> None:
        """Open the dialog of animations."""
        self.animation.open_for(self._window.controller.spec, self._window.look)

    @Slot()
    def open_code(self) -> None:
        """Show the script of the run on screen, and copy it."""
        self.code.open_for(self._window.controller.spec, self._window.look)

    def finish(self) -> None:
        """End what a dialog has started: the window is being closed."""
        if "animation" in self.__dict__:
            self.animation.finish()
