"""The pinned run of an opened session: its spec is run beside the next trace, and the result is pinned as A."""

from PySide6.QtCore import QObject, Signal, Slot

from attnviz.experiment.attention.spec import AttentionSpec
from attnviz.experiment.attention.trace import AttentionTrace
from attnviz.experiment.failure import Failure
from attnviz.experiment.labs import Event
from attnviz.gui.labs.attention.compare_page import ComparePage
from attnviz.gui.widgets.words import translate


class PinnedRun(QObject):
    """Holds the pinned spec, also before its trace has arrived; a run that the user pins replaces it."""

    changed = Signal()
    """`spec` has changed."""
    failed = Signal(str)
    """Why its run failed, as a sentence."""

    def __init__(self, page: ComparePage, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._page = page
        self._awaited: AttentionSpec | None = None
        self._has_failed = False
        page.pinned_changed.connect(self._forget)

    @property
    def spec(self) -> AttentionSpec | None:
        """The spec of the pinned run. It stays if its run fails, so that saving the session does not lose it."""
        return self._page.pinned.spec if self._page.pinned is not None else self._awaited

    @property
    def wanted(self) -> tuple[AttentionSpec, ...]:
        """The spec that must be run, if there is one."""
        return () if self._awaited is None or self._has_failed else (self._awaited,)

    def pin(self, spec: AttentionSpec | None) -> None:
        """Pin the run of a spec when its result is there, or unpin (None); a failed spec is tried again."""
        if spec == self.spec and not self._has_failed:
            return
        if self._page.pinned is not None or self._has_failed:
            self._page.let_go()
        self._awaited, self._has_failed = spec, False
        self.changed.emit()

    def take(self, event: Event) -> None:
        """Take the result of the run."""
        if isinstance(event, AttentionTrace):
            self._page.pin_run(event)
        elif isinstance(event, Failure):
            self._has_failed = True
            why = translate(event.message)
            self._page.say_failure(why)
            self.failed.emit(self.tr("The pinned run cannot be shown: {0}").format(why))

    @Slot()
    def _forget(self) -> None:
        """Follow the page: another run was pinned, or A was unpinned."""
        self._awaited, self._has_failed = None, False
        self.changed.emit()
