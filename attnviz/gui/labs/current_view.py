"""How a room's trace is looked at: the one value that its widgets show, and that they propose the next of."""

from typing import Any, Generic, TypeVar

from PySide6.QtCore import QObject, Signal

from attnviz.experiment.view_settings import ViewSettings

ViewT = TypeVar("ViewT", bound=ViewSettings)


class CurrentView(QObject, Generic[ViewT]):
    """Holds the value, and another one while a trace is awaited that is to be looked at otherwise."""

    changed = Signal()
    """The user has chosen another value around the picture."""

    def __init__(self, first: ViewT, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._value = first
        self._awaited: ViewT | None = None

    @property
    def value(self) -> ViewT:
        """How the trace on screen is looked at."""
        return self._value

    @property
    def awaited(self) -> ViewT | None:
        """How the next trace is to be looked at, where that is not as the one on screen."""
        return self._awaited

    @property
    def next_value(self) -> ViewT:
        """How the trace that is awaited will be looked at; that on screen, where none is."""
        return self._value if self._awaited is None else self._awaited

    def propose(self, **changes: Any) -> None:
        """Take what the user has chosen, for the awaited trace too; what is on screen already changes nothing."""
        if self.note(**changes):
            self.changed.emit()

    def note(self, **changes: Any) -> bool:
        """Take what is on screen already, such as the cell that is held; return whether it is another value."""
        new = {name: value for name, value in changes.items() if getattr(self._value, name) != value}
        if new:
            self._value = self._value.model_copy(update=new)
            if self._awaited is not None:
                self._awaited = self._awaited.model_copy(update=new)
        return bool(new)

    def insist(self, **changes: Any) -> None:
        """As `propose`, and let the awaited trace be looked at so also where that on screen is."""
        if self._awaited is not None:
            self._awaited = self._awaited.model_copy(update=changes)
        self.propose(**changes)

    def put(self, value: ViewT) -> None:
        """Take a value as a whole, without a signal: a trace follows that is drawn so."""
        self._value = value

    def await_trace(self, value: ViewT) -> None:
        """Keep a value for the next trace."""
        self._awaited = value

    def take_awaited(self) -> ViewT | None:
        """Return the value that was kept for the next trace, which is there now."""
        awaited, self._awaited = self._awaited, None
        return awaited
