"""The run that a session had pinned: its spec is run beside the next picture, and its trace pinned as A."""

from PySide6.QtCore import QObject, Signal, Slot

from attnviz.experiment.attention.spec import AttentionSpec
from attnviz.experiment.attention.trace import AttentionTrace
from attnviz.experiment.failure import Failure
from attnviz.experiment.labs import Event
from attnviz.gui.labs.attention.compare_page import ComparePage
from attnviz.gui.widgets.words import translate


class PinnedRun(QObject):
    """Knows which run is pinned, also before its trace is there; what is pinned by hand takes its place."""

    changed = Signal()
    """`spec` is another."""
    failed = Signal(str)
    """Why there is no trace of it, as a sentence."""

    def __init__(self, page: ComparePage, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._page = page
        self._awaited: AttentionSpec | None = None
        self._has_failed = False
        page.pinned_changed.connect(self._forget)

    @property
    def spec(self) -> AttentionSpec | None:
        """The spec of the pinned run. One whose run has failed stays, so that saving a session does not lose it."""
        return self._page.pinned.spec if self._page.pinned is not None else self._awaited

    @property
    def wanted(self) -> tuple[AttentionSpec, ...]:
        """The spec that is to be run, where there is one."""
        return () if self._awaited is None or self._has_failed else (self._awaited,)

    def pin(self, spec: AttentionSpec | None) -> None:
        """Pin the run of a spec as soon as it has been run, or none; one that has failed is tried again."""
        if spec == self.spec and not self._has_failed:
            return
        if self._page.pinned is not None or self._has_failed:
            self._page.let_go()
        self._awaited, self._has_failed = spec, False
        self.changed.emit()

    def take(self, event: Event) -> None:
        """Take what the run came to."""
        if isinstance(event, AttentionTrace):
            self._page.pin_run(event)
        elif isinstance(event, Failure):
            self._has_failed = True
            why = translate(event.message)
            self._page.say_failure(why)
            self.failed.emit(self.tr("The pinned run cannot be shown: {0}").format(why))

    @Slot()
    def _forget(self) -> None:
        """Another run was pinned, or none."""
        self._awaited, self._has_failed = None, False
        self.changed.emit()
