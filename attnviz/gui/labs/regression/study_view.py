"""The base of the views of studies: each requests a study beside the fit, and shows its result."""

from typing import Any, ClassVar, NamedTuple

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel, QWidget
from typing_extensions import override

from attnviz.experiment.failure import Failure
from attnviz.experiment.labs import Event
from attnviz.experiment.regression.spec import RegressionSpec
from attnviz.experiment.regression.studies import Study
from attnviz.experiment.regression.trace import RegressionTrace
from attnviz.experiment.regression.view_settings import RegressionViewSettings
from attnviz.gui.labs.page import Page
from attnviz.gui.plots.matrix.colour_table import ColourTable
from attnviz.gui.widgets.words import translate


class Fit(NamedTuple):
    """The data that a page of the lab draws."""

    trace: RegressionTrace
    shown: RegressionTrace
    """The trace, or its chosen head as a trace."""
    view: RegressionViewSettings
    weights: ColourTable
    """The colours of weights."""


class RegressionPage(Page[Fit]):
    """A page of the regression lab."""

    with_stages: ClassVar[bool] = False
    """Whether the page draws the step of the mechanism; then its header, legend and read-out are shown."""

    def uses_contrast(self, view: RegressionViewSettings) -> bool:
        """Return whether the page's colours can scale to the largest weight."""
        del view
        return False

    def follow(self, trace: RegressionTrace) -> None:
        """Take the trace on screen, also while another page is shown; a page overrides it."""
        raise NotImplementedError


class StudyView(RegressionPage):
    """Shows the result of a study of the points on screen, below a sentence about it."""

    study_type: ClassVar[type[Any]]

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._spec = RegressionSpec()
        self._event: Event | None = None
        self.sentence = QLabel()
        self.sentence.setObjectName("caption")
        self.sentence.setWordWrap(True)
        self.sentence.setTextFormat(Qt.TextFormat.PlainText)

    def study_of(self, spec: RegressionSpec) -> Study | None:
        """Return the study of a spec's points, None if there is none; a view overrides it."""
        raise NotImplementedError

    def draw_outcome(self, event: Event) -> None:
        """Draw the result of the study; a view overrides it."""
        raise NotImplementedError

    @override
    def wanted(self, spec: RegressionSpec) -> tuple[Study, ...]:
        study = self.study_of(spec)
        return () if study is None or (self._event is not None and self._event.spec == study) else (study,)

    @override
    def show_events(self, events: tuple[Event, ...]) -> None:
        for event in events:
            if isinstance(event.spec, self.study_type):
                self._event = event
                self.draw_outcome(event)
                self.say()

    @override
    def say_stopped(self) -> None:
        if self.wanted(self._spec):
            self.sentence.setText(self.in_words_stopped())

    def say(self) -> None:
        """Show the sentence about the result, or why there is none."""
        if self._event is None or self.wanted(self._spec):
            self.sentence.setText(f"{self.in_words_computing()} {self.in_words_before()}")
        elif isinstance(self._event, Failure):
            self.sentence.setText(f"{translate(self._event.message)}. {self.in_words_before()}")
        else:
            self.sentence.setText(self.in_words(self._event))

    def in_words(self, outcome: Any) -> str:
        """Return the sentence about a result; a view overrides it."""
        raise NotImplementedError

    def in_words_computing(self) -> str:
        """Return the sentence while the study runs."""
        return self.tr("Computing ...")

    def in_words_stopped(self) -> str:
        """Return the sentence after the study was cancelled."""
        return f"{self.tr('Stopped. Press the button of the page again to compute it.')} {self.in_words_before()}"

    def in_words_before(self) -> str:
        """Return a sentence about the older pictures on screen, "" if there are none."""
        return ""
