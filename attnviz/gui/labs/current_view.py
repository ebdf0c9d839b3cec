"""The view settings of a room: one value, which the widgets around the picture show and change."""

from typing import Any, Generic, TypeVar

from PySide6.QtCore import QObject, Signal

from attnviz.experiment.view_settings import ViewSettings

ViewT = TypeVar("ViewT", bound=ViewSettings)


class CurrentView(QObject, Generic[ViewT]):
    """Holds the view settings, and those for the next trace while one with other settings is awaited."""

    changed = Signal()
    """The user has changed the settings."""

    def __init__(self, first: ViewT, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._value = first
        self._awaited: ViewT | None = None

    @property
    def value(self) -> ViewT:
        """The settings of the trace on screen."""
        return self._value

    @property
    def awaited(self) -> ViewT | None:
        """The settings for the next trace, None if they are those of the trace on screen."""
        return self._awaited

    @property
    def next_value(self) -> ViewT:
        """The settings of the awaited trace, or of the one on screen if none is awaited."""
        return self._value if self._awaited is None else self._awaited

    def propose(self, **changes: Any) -> None:
        """Apply changes of the user, to the awaited trace too; emit `changed` if a value differs."""
        if self.note(**changes):
            self.changed.emit()

    def note(self, **changes: Any) -> bool:
        """Record what is on screen already, such as the locked cell, without a signal; return whether it is new."""
        new = {name: value for name, value in changes.items() if getattr(self._value, name) != value}
        if new:
            self._value = self._value.model_copy(update=new)
            if self._awaited is not None:
                self._awaited = self._awaited.model_copy(update=new)
        return bool(new)

    def insist(self, **changes: Any) -> None:
        """Like `propose`, but set the values for the awaited trace even if the trace on screen has them."""
        if self._awaited is not None:
            self._awaited = self._awaited.model_copy(update=changes)
        self.propose(**changes)

    def put(self, value: ViewT) -> None:
        """Replace all settings without a signal: the caller draws a trace with them."""
        self._value = value

    def await_trace(self, value: ViewT) -> None:
        """Set the settings for the next trace."""
        self._awaited = value

    def take_awaited(self) -> ViewT | None:
        """Return the settings for the next trace, which has arrived, and forget them."""
        awaited, self._awaited = self._awaited, None
        return awaited
