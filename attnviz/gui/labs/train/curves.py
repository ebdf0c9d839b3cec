"""The curves of a training: loss and accuracy, and what every head does; and the row to choose a step."""

from typing import Generic, TypeVar

import numpy as np
from PySide6.QtCore import Qt
from PySide6.QtGui import QFont
from PySide6.QtWidgets import QLabel, QSizePolicy, QWidget

from attnviz.definitions.counting import head_name
from attnviz.definitions.tasks import EVERY_ROLE
from attnviz.experiment.train.curves import head_curves, loss_end
from attnviz.experiment.train.trace import TrainTrace
from attnviz.gui.labs.train.role_words import role_colour, role_text_colour, role_title, score_text
from attnviz.gui.plots.curves.step_curves import StepCurve, StepCurves
from attnviz.gui.theme import Look, Theme
from attnviz.gui.widgets.layouts import column_of
from attnviz.gui.widgets.words import number_text, translate

MOST_HEADS = 96
"""In all layers together."""


def coloured(colour: str, text: str, *, bold: bool = False) -> str:
    """Return a text in a colour as rich text."""
    weight = f";font-weight:{QFont.Weight.DemiBold.value}" if bold else ""  # <b> asks for more than the font has
    return f'<span style="color:{colour}{weight}">{text}</span>'


PlotT = TypeVar("PlotT", bound=StepCurves)


class TitledCurves(QWidget, Generic[PlotT]):
    """Curves under a line that names them."""

    def __init__(self, look: Look, plot: PlotT, parent: QWidget | None = None, *, within: bool = False) -> None:
        """``within``: the line is in the upper left corner of the plot, which leaves it room."""
        super().__init__(parent)
        self._within = within
        self._said: tuple[tuple[str, str], ...] = ()
        self.heading = QLabel()
        self.heading.setTextFormat(Qt.TextFormat.RichText)
        self.heading.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self.plot = plot
        column_of(self, *(() if within else (self.heading,)), self.plot, gap=0, wide=(self.plot,))
        if within:
            self.heading.setParent(self.plot)
            self.heading.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.restyle(look)

    def restyle(self, look: Look) -> None:
        """Apply a theme and type scale."""
        self._look = look
        self._said = ()
        self.plot.restyle(look)

    def say(self, *parts: tuple[str, str]) -> None:
        """Write the line above: texts, each in a colour, "" for that of texts."""
        if parts != self._said:
            self._said = parts
            spans = (coloured(colour or self._look.theme.text, text, bold=True) for text, colour in parts)
            self.heading.setText("&nbsp;&nbsp; ".join(spans))
            if self._within:
                self.heading.adjustSize()

    def describe(self, said: str) -> None:
        """Tell a screen reader what the curves are at the step on screen."""
        self.plot.setAccessibleDescription(self.tr("{0}. Press to look back at a step").format(said))


def quality_curves(trace: TrainTrace, theme: Theme) -> tuple[StepCurve, ...]:
    """Return loss and accuracy over the steps; the loss is divided by the end of its axis: both are from 0 to 1."""
    history, end = trace.history, loss_end(trace)
    steps = np.arange(len(history.loss), dtype=np.float64)
    loss = StepCurve(steps, history.loss / end, theme.accent, translate("loss / {0}").format(end))
    accuracy = StepCurve(steps, history.accuracy, theme.v, translate("accuracy"), theme.v_text)
    return loss, accuracy


def quality_heading(trace: TrainTrace, look: Look) -> tuple[tuple[str, str], ...]:
    """Return loss and accuracy at the trace's step with their colours; no numbers where these are hidden."""
    theme, known = look.theme, bool(trace.step) and look.numbers
    loss = number_text(trace.history.loss[trace.step - 1], ".2g") if known else ""
    accuracy = f"{100 * trace.history.accuracy[trace.step - 1]:.0f} %" if known else ""
    return (f"{translate('loss')} {loss}", theme.accent), (f"{translate('accuracy')} {accuracy}", theme.v_text)


def role_curves(trace: TrainTrace, chosen: str, theme: Theme) -> tuple[StepCurve, ...]:
    """Return the curve of each head, in the colour and with the name of its role: see `head_curves`."""
    steps = trace.history.role_steps.astype(np.float64)
    curves = []
    for layer, head, _, role, named, distance, scores in head_curves(trace, chosen):
        shown = role if named else None
        curves.append(
            StepCurve(
                steps,
                scores,
                role_colour(shown, theme),
                f"{head_name(layer, head)} {role_title(shown, distance)}".rstrip(),
                role_text_colour(shown, theme),
                weight=float(scores[-1]) if named else 0.0,
                thin=not named,
            )
        )
    return tuple(curves)


def roles_heading(trace: TrainTrace, theme: Theme) -> tuple[tuple[str, str], ...]:
    """Return what the curves of the heads are, and whether an older version measured them, with their colours."""
    on_probe = ((translate("measured on its probe"), theme.muted),) if trace.history.on_probe else ()
    return (translate("what the heads do"), ""), *on_probe


def quality_told(trace: TrainTrace) -> str:
    """Return loss and accuracy of the batch before the trace's step in words."""
    if not trace.step:
        return translate("before the first step")
    loss = number_text(trace.history.loss[trace.step - 1], ".2g")
    words = {"step": trace.step, "loss": loss, "accuracy": f"{100 * trace.history.accuracy[trace.step - 1]:.0f}"}
    return translate("step {step}: loss {loss}, accuracy {accuracy} %").format(**words)


def roles_told(trace: TrainTrace, chosen: str) -> str:
    """Return the scores that the curves of `role_curves` have at the trace's step, or at the last measured before."""
    steps = trace.history.role_steps
    measured = int(np.searchsorted(steps, trace.step, side="right")) - 1
    if measured < 0:
        return ""
    found = [
        f"{head_name(each.layer, each.head)} {role_title(each.role, each.distance)} {score_text(each.scores[measured])}"
        for each in head_curves(trace, chosen)
    ]
    return translate("step {step}: {heads}").format(step=steps[measured], heads=", ".join(found))


def longest_role_name() -> str:
    """Return the longest name of a head with its role."""
    return f"{head_name(0, 9)} {max((role_title(role) for role in EVERY_ROLE.values()), key=len)}"
