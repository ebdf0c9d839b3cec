"""What the form of a training proposes beside a trace: another rate from the shown step on, or a new training."""

import time

from PySide6.QtCore import QObject, Signal, Slot
from PySide6.QtWidgets import QPushButton

from attnviz.experiment.labs import make_spec
from attnviz.experiment.train.branching import begun_anew, with_rate_from
from attnviz.experiment.train.spec import TrainSpec
from attnviz.experiment.train.trace import TrainTrace
from attnviz.gui.forms.spec_form import SpecForm
from attnviz.gui.run.undo import MERGE_WITHIN_S
from attnviz.gui.widgets.labels import caption


class TrainingHand(QObject):
    """Adds the button of a new training above a form, and applies an edited learning rate from the shown step on."""

    beginning_asked = Signal(object, str)
    """The user wants a new training: its spec, and the name of the undo step."""

    def __init__(self, form: SpecForm, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._form = form
        self._step = 0  # the step from which the edited rate applies
        self._edited_at = 0.0
        self._proposed: TrainSpec | None = None
        self.button = QPushButton(self.tr("New training"))
        self.button.setToolTip(
            self.tr(
                "Train again from step 0 with these settings: the learning rate acts from the start. Undo "
                "brings this training back."
            )
        )
        self.button.clicked.connect(self._begin)
        self.note = caption(self.tr("Not trained with these settings yet: New training starts it, or Run."), wraps=True)
        """Said while no step was taken."""
        self.note.hide()
        form.add_above(self.note)
        form.add_above(self.button)

    def show_trace(self, trace: TrainTrace) -> None:
        """Say whether the settings of a trace are trained."""
        self.note.setVisible(trace.known_steps == 0)

    def adapted(self, spec: TrainSpec, changed: str, trace: TrainTrace | None) -> TrainSpec:
        """Return the spec to propose instead of the form's values while a trace is shown.

        Edits in quick succession, as with a slider, apply from the step of the first one.

        Raises:
            SpecError: there are as many rates as a spec can hold.
        """
        before, now = self._form.spec, time.monotonic()
        if changed != "learning_rate" or not isinstance(before, TrainSpec) or spec.past == before.past:
            return spec
        if before is not self._proposed or now - self._edited_at >= MERGE_WITHIN_S:
            shown = trace is not None and trace.spec.past == before.past
            self._step = trace.step if trace is not None and shown else 0
        self._edited_at = now
        rest = spec.model_copy(update={"learning_rate": before.learning_rate})
        branch = make_spec(dict(with_rate_from(rest, self._step, spec.learning_rate)))
        assert isinstance(branch, TrainSpec)
        self._proposed = branch
        return branch

    @Slot()
    def _begin(self) -> None:
        if isinstance(self._form.spec, TrainSpec):
            self.beginning_asked.emit(begun_anew(self._form.spec), self.tr("New training"))
