"""The curves of a training: loss and accuracy, and what every head does; and the row to choose a step."""

from collections.abc import Sequence

import numpy as np
from PySide6.QtCore import QSignalBlocker, Qt, Signal, Slot
from PySide6.QtGui import QFont, QFontMetrics, QResizeEvent
from PySide6.QtWidgets import QLabel, QSlider, QWidget
from typing_extensions import override

from attnviz.definitions.counting import head_name
from attnviz.definitions.roles import ROLES, role_of
from attnviz.experiment.train.trace import TrainTrace
from attnviz.gui.labs.train.role_words import role_colour, role_text_colour, role_title, score_text
from attnviz.gui.plots.curves.step_curves import StepCurve, StepCurves
from attnviz.gui.theme import Look, Theme
from attnviz.gui.widgets.explained import explain
from attnviz.gui.widgets.labels import SteadyLabel, caption
from attnviz.gui.widgets.layouts import row_of
from attnviz.gui.widgets.words import number_text, translate

MOST_HEADS = 96
"""In all layers together."""


def coloured(colour: str, text: str, *, bold: bool = False) -> str:
    """Return a text in a colour as rich text."""
    weight = f";font-weight:{QFont.Weight.DemiBold.value}" if bold else ""  # <b> asks for more than the font has
    return f'<span style="color:{colour}{weight}">{text}</span>'


_HEADING = 18


class TitledCurves(QWidget):
    """Curves under a line that names them.

    It has no layout: with every step the line has another text, and Qt would lay the whole window out anew.
    """

    def __init__(self, look: Look, name: str, most: int, longest: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._said: tuple[tuple[str, str], ...] = ()
        self._size = ""
        self.heading = QLabel(self)
        self.heading.setTextFormat(Qt.TextFormat.RichText)
        self.plot = StepCurves(look, name, most, longest)
        self.plot.setParent(self)
        self.restyle(look)

    def restyle(self, look: Look) -> None:
        """Apply a theme and type scale."""
        self._look = look
        self._said, self._size = (), ""  # what is written, and how large: both anew
        self.plot.restyle(look)
        self._place()
        self._fit()

    def say(self, *parts: tuple[str, str]) -> None:
        """Write the line above: texts, each in a colour, "" for that of texts."""
        if parts != self._said:
            self._said = parts
            spans = (coloured(colour or self._look.theme.text, text, bold=True) for text, colour in parts)
            self.heading.setText("&nbsp;&nbsp; ".join(spans))
            self._fit()

    def describe(self, said: str) -> None:
        """Tell a screen reader what the curves are at the step on screen."""
        self.plot.setAccessibleDescription(self.tr("{0}. Press to look back at a step").format(said))

    @override
    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._place()
        self._fit()

    def _place(self) -> None:
        height = self._look.px(_HEADING)
        self.heading.setGeometry(0, 0, self.width(), height)
        self.plot.setGeometry(0, height, self.width(), max(1, self.height() - height))

    def _fit(self) -> None:
        """Write the line smaller where it does not fit."""
        words = "    ".join(text for text, _ in self._said)
        needed = QFontMetrics(self._look.font("body", bold=True)).horizontalAdvance(words)
        size = "small" if needed > self.width() else "body"
        if size != self._size:
            self._size = size
            self.heading.setFont(self._look.font(size))


class StepRow(QWidget):
    """A slider over the steps of a training, and the step on screen in numbers."""

    looked = Signal(int)
    """The user wants to see this step."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.slider = QSlider(Qt.Orientation.Horizontal)
        self.slider.setAccessibleName(self.tr("Step of the training"))
        self.slider.setAccessibleDescription(self.tr("Show an earlier step; Run continues from there"))
        self.steps = SteadyLabel()
        self.steps.setObjectName("number")
        self._known = self._shown = 0
        row_of(self, explain(caption(self.tr("step"))), self.slider, self.steps, gap=8, wide=(self.slider,))
        self.slider.valueChanged.connect(self._look)
        self.slider.sliderReleased.connect(self._follow)

    def show_trace(self, trace: TrainTrace) -> None:
        """Mark the step of a trace among those of its training."""
        self._known, self._shown = trace.known_steps, trace.step
        self.steps.setText(f"{trace.step} / {trace.spec.steps}")
        with QSignalBlocker(self.slider):
            self.slider.setRange(0, trace.spec.steps)
        if not self.slider.isSliderDown():
            self._follow()

    @Slot()
    def _follow(self) -> None:
        with QSignalBlocker(self.slider):
            self.slider.setValue(self._shown)

    @Slot(int)
    def _look(self, step: int) -> None:
        self.looked.emit(min(step, self._known))


def quality_curves(trace: TrainTrace, theme: Theme) -> tuple[tuple[StepCurve, ...], int]:
    """Return loss and accuracy over the steps, and the number that the loss is divided by to share an axis."""
    history = trace.history
    steps = np.arange(len(history.loss), dtype=np.float64)
    finite = history.loss[np.isfinite(history.loss)]
    divisor = max(1, int(np.ceil(min(float(finite.max(initial=1.0)), 1e6))))
    said = translate("loss") if divisor == 1 else translate("loss / {0}").format(divisor)
    loss = StepCurve(steps, history.loss / divisor, theme.accent, said)
    accuracy = StepCurve(steps, history.accuracy, theme.v, translate("accuracy"), theme.v_text)
    return (loss, accuracy), divisor


def quality_heading(trace: TrainTrace, look: Look) -> tuple[tuple[str, str], ...]:
    """Return loss and accuracy at the trace's step with their colours; no numbers where these are hidden."""
    theme, known = look.theme, bool(trace.step) and look.numbers
    loss = number_text(trace.history.loss[trace.step - 1], ".2g") if known else ""
    accuracy = f"{100 * trace.history.accuracy[trace.step - 1]:.0f} %" if known else ""
    return (f"{translate('loss')} {loss}", theme.accent), (f"{translate('accuracy')} {accuracy}", theme.v_text)


def role_curves(trace: TrainTrace, chosen: str, theme: Theme) -> tuple[StepCurve, ...]:
    """Return a curve for each head, layer after layer: its score in a chosen role, or ("") in its own.

    A head's own role is the one it has at the last step that was measured, or is nearest to.
    """
    steps, scores = trace.history.role_steps.astype(np.float64), trace.history.roles
    if not len(steps):
        return ()
    curves = []
    for layer, head in np.ndindex(*scores.shape[1:3]):
        last: list[float] = scores[-1, layer, head].tolist()
        place = _place_of(last, chosen)
        role = tuple(ROLES.values())[place]
        named = last[place] >= role.from_score
        curves.append(
            StepCurve(
                steps,
                scores[:, layer, head, place],
                role_colour(role if named else None, theme),
                f"{head_name(layer, head)} {role_title(role)}" if named else head_name(layer, head),
                role_text_colour(role if named else None, theme),
                weight=last[place] if named else 0.0,
                thin=not named,
            )
        )
    return tuple(curves)


def quality_told(trace: TrainTrace) -> str:
    """Return loss and accuracy of the batch before the trace's step in words."""
    if not trace.step:
        return translate("before the first step")
    loss = number_text(trace.history.loss[trace.step - 1], ".2g")
    words = {"step": trace.step, "loss": loss, "accuracy": f"{100 * trace.history.accuracy[trace.step - 1]:.0f}"}
    return translate("step {step}: loss {loss}, accuracy {accuracy} %").format(**words)


def roles_told(trace: TrainTrace, chosen: str) -> str:
    """Return the scores that the curves of `role_curves` have at the trace's step, or at the last measured before."""
    steps, scores = trace.history.role_steps, trace.history.roles
    measured = int(np.searchsorted(steps, trace.step, side="right")) - 1
    if measured < 0:
        return ""
    found = []
    for layer, head in np.ndindex(*scores.shape[1:3]):
        place = _place_of(scores[-1, layer, head].tolist(), chosen)
        role = role_title(tuple(ROLES.values())[place])
        found.append(f"{head_name(layer, head)} {role} {score_text(scores[measured, layer, head, place])}")
    return translate("step {step}: {heads}").format(step=steps[measured], heads=", ".join(found))


def longest_role_name() -> str:
    """Return the longest name of a head with its role."""
    return f"{head_name(0, 9)} {max((role_title(role) for role in ROLES.values()), key=len)}"


def _place_of(scores: Sequence[float], chosen: str) -> int:
    """Return the place of the role that a head's curve shows: the chosen one, or ("") its own or the nearest to it."""
    own = role_of(scores)
    name = chosen or ("" if own is None else own.name)
    if name:
        return list(ROLES).index(name)
    away = [score - role.from_score for score, role in zip(scores, ROLES.values(), strict=True)]
    return int(np.nanargmax(away)) if np.isfinite(away).any() else 0
