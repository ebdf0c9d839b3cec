"""The curves of a training: loss and accuracy, and the role of every head; and the row to choose a step."""

from typing import Generic, TypeAlias, TypeVar

import numpy as np
from PySide6.QtCore import Qt
from PySide6.QtGui import QFont, QFontMetrics, QResizeEvent
from PySide6.QtWidgets import QLabel, QSizePolicy, QWidget
from typing_extensions import override

from attnviz.definitions.counting import head_name
from attnviz.definitions.tasks import EVERY_ROLE
from attnviz.definitions.text import Text
from attnviz.experiment.layers.head_names import heads_said
from attnviz.experiment.layers.statistics import score_said
from attnviz.experiment.train.curves import head_curves, loss_end
from attnviz.experiment.train.studies import HeldOutTrace
from attnviz.experiment.train.trace import TrainTrace
from attnviz.gui.labs.train.shown import Shown
from attnviz.gui.plots.curves.step_curves import StepCurve, StepCurves
from attnviz.gui.plots.heads.role_words import role_colour, role_text_colour, role_title
from attnviz.gui.theme import Look, Theme
from attnviz.gui.widgets.layouts import column_of
from attnviz.gui.widgets.words import number_text, translate

MOST_HEADS = 96
"""In all layers together."""
_FEW = 2
"""The most ablated heads named above the curves."""


def coloured(colour: str, text: str, *, bold: bool = False) -> str:
    """Return a text in a colour as rich text."""
    weight = f";font-weight:{QFont.Weight.DemiBold.value}" if bold else ""  # <b> asks for more than the font has
    return f'<span style="color:{colour}{weight}">{text}</span>'


PlotT = TypeVar("PlotT", bound=StepCurves)
_Parts: TypeAlias = tuple[tuple[str, str], ...]
_GAP = "\u00a0\u00a0 "
"""Between the parts of a line above curves."""


class TitledCurves(QWidget, Generic[PlotT]):
    """Curves under a line that names them."""

    def __init__(self, look: Look, plot: PlotT, *, within: bool = False) -> None:
        """``within``: the line is in the upper left corner of the plot, which leaves room for it."""
        super().__init__()
        self._within = within
        self._said: tuple[_Parts, _Parts] = (), ()
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
        self._said = (), ()

    def say(self, *parts: tuple[str, str], short: _Parts = ()) -> None:
        """Set the line above: texts, each in a colour, "" for that of texts; ``short`` if they do not fit."""
        if (parts, short) != self._said:
            self._said = parts, short
            self._write()

    def _write(self) -> None:
        parts, short = self._said
        metrics = QFontMetrics(self._look.font("body", bold=True))

        def fits(texts: _Parts) -> bool:
            return metrics.horizontalAdvance(_GAP.join(text for text, _ in texts)) <= self.width()

        said = parts if fits(parts) or not short else short
        while len(said) > 1 and not fits(said):  # in whole parts: half a number would be another one
            said = said[:-1]
        spans = (coloured(colour or self._look.theme.text, text, bold=True) for text, colour in said)
        self.heading.setText(_GAP.join(spans))
        if self._within:
            self.heading.adjustSize()

    @override
    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._write()

    def describe(self, said: str) -> None:
        """Describe the curves at the current step to a screen reader."""
        self.plot.setAccessibleDescription(self.tr("{0}. Press to look back at a step").format(said))


def quality_curves(trace: TrainTrace, theme: Theme) -> tuple[StepCurve, ...]:
    """Return loss and accuracy over the steps, both from 0 to 1: the loss is divided by the end of its axis."""
    history, end = trace.history, loss_end(trace)
    steps = np.arange(len(history.loss), dtype=np.float64)
    loss = StepCurve(steps, history.loss / end, theme.accent, translate("loss / {0}").format(end))
    accuracy = StepCurve(steps, history.accuracy, theme.v, translate("accuracy"), theme.v_text)
    return loss, accuracy


def quality_heading(data: Shown, look: Look, *, short: bool = False) -> tuple[tuple[str, str], ...]:
    """Return loss and accuracy at the trace's step with their colours; no numbers if these are hidden.

    With ablated heads, the numbers are those of a test, with every head and without them; a training has all on.
    ``short`` leaves out their names, which the curves have too.
    """
    trace, tested, theme = data.trace, data.tested, look.theme
    known, off = bool(trace.step) and look.numbers, trace.spec.heads_off
    loss = number_text(trace.history.loss[trace.step - 1], ".2g") if known else ""
    accuracy = f"{100 * trace.history.accuracy[trace.step - 1]:.0f} %" if known else ""
    without: tuple[tuple[str, str], ...] = ()
    if off:
        few = len(off) <= _FEW
        named = heads_said(off) if few else Text("{count} heads", {"count": len(off)}, "1 head")
        without = ((translate("{0} off").format(named.filled(translate)), theme.danger),)
        loss = accuracy = ""  # which the training has with every head
    names = ("", "") if short else (translate("loss"), translate("accuracy"))
    if off and isinstance(tested, HeldOutTrace) and look.numbers:
        whole, shown = tested.whole, tested.shown
        loss = f"{number_text(whole.loss, '.2g')} → {number_text(shown.loss, '.2g')}"
        accuracy = f"{100 * whole.accuracy:.0f} % → {100 * shown.accuracy:.0f} %"
    texts = (f"{name} {number}".lstrip() for name, number in zip(names, (loss, accuracy), strict=True))
    return (*without, *zip(texts, (theme.accent, theme.v_text), strict=True))


def role_curves(trace: TrainTrace, chosen: str, theme: Theme) -> tuple[StepCurve, ...]:
    """Return the curve of each head, named after the role of its score; grey if it lacks it: see `head_curves`."""
    curves = []
    for layer, head, _, role, named, distance, steps, scores in head_curves(trace, chosen):
        shown = role if named else None
        curves.append(
            StepCurve(
                steps.astype(np.float64),
                scores,
                role_colour(shown, theme),
                f"{head_name(layer, head)} {role_title(role, distance)}",
                role_text_colour(shown, theme),
                weight=float(scores[-1]) if named else 0.0,
                thin=not named,
            )
        )
    return tuple(curves)


def roles_heading(trace: TrainTrace, theme: Theme) -> tuple[tuple[str, str], ...]:
    """Return the title of the heads' curves, and whether an older version measured them, with their colours."""
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
    curves = head_curves(trace, chosen)
    measured = int(np.searchsorted(curves[0].steps, trace.step, side="right")) - 1 if curves else -1
    if measured < 0:
        return ""
    found = [
        f"{head_name(each.layer, each.head)} {role_title(each.role, each.distance)} {score_said(each.scores[measured])}"
        for each in curves
    ]
    return translate("step {step}: {heads}").format(step=curves[0].steps[measured], heads=", ".join(found))


def longest_role_name() -> str:
    """Return the longest name of a head with its role."""
    return f"{head_name(0, 9)} {max((role_title(role) for role in EVERY_ROLE.values()), key=len)}"
