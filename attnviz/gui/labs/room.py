"""What every room offers to the window: a form, a stage and an inspector that follow one trace."""

from typing import Any, Protocol

from PySide6.QtWidgets import QWidget

from attnviz.gui.forms.spec_form import SpecForm
from attnviz.gui.theme import Look


class Room(Protocol):
    """One lab's screen. ``stage`` has a signal ``painted(float)``: milliseconds of its last drawing."""

    form: SpecForm
    stage: Any
    inspector: QWidget
    trains: bool
    """Whether run, pause and step mean something here."""

    def show_trace(self, trace: Any) -> None:
        """Draw a trace of this lab."""

    def restyle(self, look: Look) -> None:
        """Take another theme or type scale."""

    def release(self) -> None:
        """Let go of what is locked (Esc)."""

    def set_map(self, name: str) -> None:
        """Draw weights in another colour map."""
