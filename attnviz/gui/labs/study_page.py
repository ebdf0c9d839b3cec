"""A page about more than the trace on screen: it requests side runs, keeps their results, and shows their state."""

from abc import abstractmethod
from typing import Any

from typing_extensions import override

from attnviz.experiment.labs import Asked, Event
from attnviz.gui.plots.page import DataT, Page
from attnviz.gui.theme import Look
from attnviz.gui.widgets.selection import SelectionModel


class StudyPage(Page[DataT]):
    """Draws the results of its studies; those of an older trace stay until the new ones are there."""

    stopped = ""
    """The sentence after its side runs were cancelled; empty: none."""

    def __init__(self, look: Look, selection: SelectionModel, current: Any) -> None:
        super().__init__(look, selection, current)
        self._results: tuple[Event, ...] = ()
        self._words = ""

    @property
    @override
    def words(self) -> str:
        return self._words

    @abstractmethod
    def studies(self) -> tuple[Asked, ...]:
        """Return the specs and studies that are shown beside the trace on screen; reimplemented by pages."""

    @property
    def study(self) -> Asked | None:
        """The first of `studies`, None without any."""
        return next(iter(self.studies()), None)

    def takes(self, event: Event) -> bool:
        """Return whether a result is one of its own."""
        return event.spec in self.studies()

    @abstractmethod
    def draw_results(self) -> None:
        """Draw the results so far; reimplemented by pages."""

    def result(self, study: Asked | None) -> Any:
        """Return the result of a study, or its failure; None if there is none yet."""
        return next((event for event in self._results if event.spec == study), None)

    @override
    def forget(self) -> None:
        self._results = ()

    @override
    def wanted(self) -> tuple[Asked, ...]:
        return tuple(study for study in self.studies() if self.result(study) is None)

    @override
    def show_events(self, events: tuple[Event, ...]) -> None:
        studies, own = self.studies(), tuple(event for event in events if self.takes(event))
        if own:
            kept = (event for event in self._results if event.spec in studies)
            self._results = (*kept, *own)
            self.draw_results()

    @override
    def say_stopped(self) -> None:
        if self.stopped and self.wanted():
            self.say(self.stopped)

    def say(self, words: str) -> None:
        """Set a sentence about the pictures."""
        if words != self._words:
            self._words = words
            self.said.emit()
