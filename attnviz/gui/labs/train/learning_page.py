"""The page about the learning itself: loss, accuracy and roles over the steps, large, and all heads at the step."""

from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np
from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QFontMetrics, QResizeEvent
from typing_extensions import override

from attnviz.definitions.counting import head_name
from attnviz.definitions.text import Text
from attnviz.experiment.train.curves import head_curves, loss_end
from attnviz.experiment.train.marks import LearningMark, counted, mark_said, marks_of
from attnviz.experiment.train.trace import TrainTrace
from attnviz.gui.labs.train.curves import (
    MOST_HEADS,
    TitledCurves,
    coloured,
    longest_role_name,
    quality_curves,
    quality_heading,
    quality_told,
    role_curves,
    roles_heading,
)
from attnviz.gui.labs.train.head_values import pictures_of, role_values
from attnviz.gui.labs.train.shown import PointedHeads, Shown
from attnviz.gui.plots.curves.learning_curves import LearningCurves, Scale, StepMark
from attnviz.gui.plots.heads.heads_view import HeadsView
from attnviz.gui.plots.heads.role_words import role_text_colour
from attnviz.gui.plots.page import ColourLine, Page
from attnviz.gui.theme import Look
from attnviz.gui.widgets.labels import caption
from attnviz.gui.widgets.selection import SelectionModel
from attnviz.gui.widgets.step_row import StepRow
from attnviz.gui.widgets.words import translate

_SHARE, _PRESENT_SHARE = 0.205, 0.355
"""The share of the window for both axes, unless the map needs the room."""
_PRESENT_PAGE = 0.508
"""The least share of the page for both axes in Present, unless the map needs the room."""
_CURVES_SHARE, _MAP_SHARE = 0.5, 0.12
"""The least shares of the page's height for the axes and for the map."""
_HEADING_OVER = 5
"""The overlap of the line above the lower plot with the empty strip below the upper one, at scale 1."""
_WORDS = 150
"""The least width of the text beside the map, at scale 1."""
_LEFT = 60
"""The width of the left axis, at scale 1."""


class LearningPage(Page[Shown]):
    """Both plots choose the step; pointing at a head or a curve previews the head.

    The row of steps is left to the window: an audience reads the step above the curves.
    """

    looked = Signal(int)
    """The user wants to see this step."""

    def __init__(self, look: Look, selection: SelectionModel, current: Any) -> None:
        super().__init__(look, selection, current)
        self.hint = self.tr("Drag over the curves to look at a step. Click a head to choose it.")
        self.heads = PointedHeads(selection, self)
        self._shown: Shown | None = None
        self._headed: object = None
        self._chosen_said = "", ""
        self._marked: tuple[object, tuple[LearningMark, ...]] = None, ()
        longest = f"1.3, {longest_role_name()}"
        quality = LearningCurves(
            look, self.tr("Loss and accuracy"), 2, longest, left=_LEFT, labels=True, numbered=False
        )
        roles = LearningCurves(
            look, self.tr("What the heads do"), MOST_HEADS, longest, left=_LEFT, joined=self._name_of_all
        )
        self.quality, self.roles = TitledCurves(look, quality, within=True), TitledCurves(look, roles)
        self.steps = StepRow()
        self.map = HeadsView(look, translate("Roles of all heads"))
        self.chosen = caption(wraps=True)
        """What the chosen head does, where the map leaves room: an audience has no inspector."""
        self.chosen.setTextFormat(Qt.TextFormat.RichText)
        self.chosen.setAlignment(Qt.AlignmentFlag.AlignTop)
        for part in (self.quality, self.roles, self.steps, self.map, self.chosen):
            part.setParent(self)
        for curves in (self.quality, self.roles):
            curves.plot.looked.connect(self.steps.look)
        self.steps.looked.connect(self.looked)
        quality.marks_said.connect(roles.show_marks)
        roles.pointed.connect(self.heads.point)
        self.map.hovered.connect(self.heads.point)
        self.map.clicked.connect(self.heads.choose)
        self.map.painted.connect(self.painted)

    @property
    @override
    def words(self) -> str:
        return "" if self._shown is None else self._shown.effect

    @override
    def show_data(self, data: Shown) -> None:
        before, self._shown = self._shown, data
        self.heads.num_heads = data.trace.num_heads
        same_view = before is not None and _looks(before) == _looks(data)
        if before is None or before.trace is not data.trace or not same_view:
            self._show_curves(data)
            pictures = partial(pictures_of, data.trace, data.view.contrast_drawn)
            self.map.show_values(role_values(data.trace), pictures, data.weights)
        self._place()

    @override
    def resizeEvent(self, event: QResizeEvent) -> None:
        with_weights = self.map.uses_weights
        super().resizeEvent(event)
        if with_weights != self.map.uses_weights:
            self.redraw_asked.emit()  # the colour bar appears or disappears

    @override
    def select(self) -> None:
        data = self._shown
        if data is None:
            return
        chosen = data.in_model(self._selection.current)
        self.map.select(chosen)
        self._say_chosen(data, *divmod(chosen.head, data.trace.num_heads))
        self.roles.plot.light((chosen.head,))

    @override
    def restyle(self, look: Look) -> None:
        super().restyle(look)
        if self._shown is not None:
            data, self._shown = self._shown, None
            self.show_data(data)
            self.select()

    @override
    def colour_line(self) -> ColourLine | None:
        return None if self._shown is None or not self.map.uses_weights else self._shown.colour_line()

    # Drawing.

    def _show_curves(self, data: Shown) -> None:
        trace, view, theme = data.trace, data.view, self._look.theme
        marks = self._marks_of(trace, view.role)
        end = loss_end(trace)
        loss, accuracy = quality_curves(trace, theme)
        plot = self.quality.plot
        curves = replace(loss, name=self.tr("loss")), accuracy
        plot.show_curves(curves, trace.spec.steps, trace.step)
        numbers = Scale(theme.accent, ("0", f"{end / 2:g}", f"{end}")), Scale(theme.v_text, ("0 %", "50 %", "100 %"))
        plot.show_marks(marks, numbers)
        step = ((f"{self.tr('step')} {trace.step} / {trace.spec.steps}", ""),) if self._look.present else ()
        self.quality.say(*step, *quality_heading(data, self._look))
        headed = self._look, trace.spec.heads_off  # numbers alone must not move the words of marks
        wide = self.quality.heading.width()
        plot.taken, self._headed = max(plot.taken, wide) if headed == self._headed else wide, headed
        self.quality.describe(quality_told(trace))
        self.roles.plot.show_curves(role_curves(trace, view.role, theme), trace.spec.steps, trace.step)
        self.roles.describe(". ".join(f"{each.title} {each.long}" for each in marks))  # the heads' are in the inspector
        heading = roles_heading(trace, theme)
        of_which = self.tr("score in the role named at the right, held at the last step"), theme.muted
        self.roles.say(*heading, *(() if view.role else (of_which,)), short=heading)
        self.steps.show_step(trace.step, trace.known_steps, trace.spec.steps)

    def _say_chosen(self, data: Shown, layer: int, head: int) -> None:
        """Describe the chosen head; its role's number is above its picture."""
        role, theme = data.trace.role(layer, head), self._look.theme
        lines = [coloured(theme.text, self.tr("head {0}").format(head_name(layer, head)), bold=True)]
        if role is not None:
            title = role.title_at(data.trace.distance(layer, head)).translated(translate)
            lines.append(coloured(role_text_colour(role, theme), title, bold=True))
        self._chosen_said = "<br>".join(lines), self.tr("no role") if role is None else translate(role.help)
        self._fit_chosen()

    def _fit_chosen(self) -> None:
        """Show as much text about the chosen head as fits: no line is truncated."""
        title, words = self._chosen_said[0], self._chosen_said[1].split()
        width, height = self.chosen.width(), self.chosen.height()

        def fits(count: int) -> bool:
            more = " …" if 0 < count < len(words) else ""
            self.chosen.setText("<br>".join(part for part in (title, " ".join(words[:count]) + more) if part))
            return self.chosen.heightForWidth(width) <= height

        if not fits(len(words)):
            fits(bisect_left(range(1, len(words)), True, key=lambda count: not fits(count)))
        self.chosen.setToolTip(self._chosen_said[1])

    def _marks_of(self, trace: TrainTrace, chosen: str) -> tuple[StepMark, ...]:
        """Return the marks, of the role whose curves are chosen or of all; computed again where roles were measured."""
        drawn = tuple(curve.role_index for curve in head_curves(trace, chosen))
        key = trace.spec, len(trace.history.role_steps), trace.history.on_probe, drawn, chosen
        if key != self._marked[0]:
            of_heads = np.array(drawn, np.intp).reshape(trace.role_scores.shape[:2]) if drawn else np.array(-1)
            only = of_heads if chosen else None  # a head may have had another role before the one of its curve
            self._marked = key, marks_of(trace.history, trace.spec.steps, trace.spec.roles, only)
        return tuple(
            StepMark(
                mark.step,
                translate(Text("step {step}:", {"step": mark.step})),
                translate(mark_said(mark, short=False)),
                translate(mark_said(mark, short=True)),
                translate(Text("{count} heads", {"count": sum(len(each.heads) for each in mark.changes)}, "1 head")),
            )
            for mark in self._marked[1]
        )

    def _name_of_all(self, places: Sequence[int]) -> str:
        """Return the name of several heads of one role."""
        assert self._shown is not None
        heads = [divmod(place, self._shown.trace.num_heads) for place in places]
        _, _, role = self.roles.plot.shown[places[0]].name.partition(" ")
        names = (f"{translate(counted(heads, named=named))} {role}".rstrip() for named in (True, False))
        name, short = names
        wide = QFontMetrics(self._look.font("small")).horizontalAdvance(name)
        return name if wide + self._look.px(8) <= self.roles.plot.around[0] - self._look.px(_LEFT) else short

    # Layout.

    @override
    def _place(self) -> None:
        """Give the axes their share of the window, and the map the rest, in which every head is visible."""
        if self._shown is None:
            return
        px, width, height = self._look.px, self.width(), self.height()
        window, gap = self.window(), px(2)
        steps, heading = self.steps.sizeHint().height(), self.roles.heading.sizeHint().height()
        self.steps.setVisible(not self._look.present)
        steps = 0 if self._look.present else steps + gap
        plots = self.quality.plot, self.roles.plot
        axes = width - plots[0].around[0]
        over = px(_HEADING_OVER)
        around = heading - over + sum(plot.around[1] for plot in plots) + steps + gap
        share, of_page = (_PRESENT_SHARE, _PRESENT_PAGE) if self._look.present else (_SHARE, 0.0)
        area = max(share * window.width() * window.height(), of_page * width * height)
        wanted = max(area / max(1.0, axes), _CURVES_SHARE * height)
        layers = len(self._shown.trace.layers)
        least = min(max(self.map.cells.least_height(layers), _MAP_SHARE * height), 0.4 * height)
        both = max(1.0, min(wanted, height - around - least))
        left = height - around - both
        both += max(0.0, left - self.map.height_in(width, left, layers))
        top = 0
        for curves, above, lifted in ((self.quality, 0, 0), (self.roles, heading, over)):
            tall = round(above + both / 2 + curves.plot.around[1])
            curves.setGeometry(0, top - lifted, width, tall)
            top += tall - lifted
        top += gap
        self.steps.setGeometry(0, top, width, max(0, steps - gap))
        top += steps
        self.map.setGeometry(0, top, width, max(1, height - top))
        left = self.map.used_width + px(24)
        self.chosen.setVisible(width - left >= px(_WORDS))
        self.chosen.setGeometry(left, top + px(4), max(0, width - left), max(1, height - top - px(4)))
        self._fit_chosen()


def _looks(data: Shown) -> tuple[object, ...]:
    """Return a key of how heads and curves are drawn, except for the trace."""
    return data.view.contrast, data.view.contrast_by, data.view.role, id(data.weights), id(data.tested)
