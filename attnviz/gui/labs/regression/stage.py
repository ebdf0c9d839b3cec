"""The middle of the regression lab: the fit with a step of its mechanism, or a page about many fits."""

from typing import Any

import numpy as np
from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtWidgets import QCheckBox, QHBoxLayout, QLabel, QStackedWidget, QVBoxLayout, QWidget

from attnviz.experiment.colours.maps import MapName
from attnviz.experiment.regression.trace import RegressionTrace
from attnviz.experiment.stages import REGRESSION_STAGES
from attnviz.gui.forms.choice_editors import ComboBox
from attnviz.gui.labs.regression.errors_page import WidthErrorsPage
from attnviz.gui.labs.regression.fit_page import RegressionFit
from attnviz.gui.labs.regression.head_choice import HeadChoice
from attnviz.gui.labs.regression.kernels_page import KernelGridPage
from attnviz.gui.labs.regression.pictures import header_of, picture_of
from attnviz.gui.labs.regression.words import legend_of, reading_of
from attnviz.gui.labs.stage_header import StageHeader
from attnviz.gui.labs.stage_player import StagePlayer
from attnviz.gui.labs.stage_strip import StageStrip
from attnviz.gui.labs.stage_words import stage_title
from attnviz.gui.plots.matrix.colour_bar import ColourBar
from attnviz.gui.plots.matrix.colour_table import ColourTable, colour_table
from attnviz.gui.run.background import AT_ONCE, Background
from attnviz.gui.theme import Look
from attnviz.gui.widgets.segments import Segments
from attnviz.gui.widgets.selection import SelectionModel
from attnviz.gui.widgets.words import translate

PAGES = ("fit", "kernels", "errors")
PACES: tuple[float | None, ...] = (2, 10, 60, None)
DEFAULT_PACE = 2  # index of 60 steps a second


class RegressionStage(QWidget):
    """Shows one trace on the page that is chosen."""

    painted = Signal(float)
    """Milliseconds that the last drawing of the heatmap took."""
    pace_chosen = Signal(object)
    """Steps a second, or None for as fast as they come."""
    watched = Signal(str)
    """What the colours of the traces to come are made from: a stage, or "contrast"."""
    page_changed = Signal()
    """Another page is shown, which may need runs beside the fit's own."""
    head_changed = Signal()
    """`shown` is another head of the trace now."""

    def __init__(self, look: Look, selection: SelectionModel, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("stage")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self._look = look
        self.map_name: MapName = "viridis"
        self._selection = selection
        self.trace: RegressionTrace | None = None
        self.strip = StageStrip(REGRESSION_STAGES, "weights")
        self.player = StagePlayer(self.strip)
        self.header = StageHeader(look)
        self.pages = _page_choice()
        self.heads = HeadChoice()
        self.views = RegressionFit(look, selection)
        self.fit, self.heatmap = self.views.plot, self.views.heatmap
        self.loss, self.w = self.views.history.loss, self.views.history.w
        self.kernels = KernelGridPage(look, selection)
        self.errors = WidthErrorsPage(look)
        self.bar = ColourBar(look)
        self.read_out = _caption()
        self.legend = _caption()
        self.legend.setWordWrap(True)
        self.contrast = QCheckBox(self.tr("Full contrast"))
        self.contrast.setToolTip(self.tr("Colours reach to the largest weight instead of 1"))
        self.contrast.setChecked(True)
        self._pace_label = _caption(self.tr("Pace"))
        self._pace = _pace_box()
        self._background = Background(self)
        self._lay_out()
        self._connect()

    @property
    def table(self) -> ColourTable:
        """The colours of weights."""
        return colour_table(self.map_name, self._look.theme)

    @property
    def pace(self) -> float | None:
        """The chosen pace of training."""
        return PACES[self._pace.currentIndex()]

    @property
    def page(self) -> str:
        """Which page is shown: fit, kernels or errors."""
        return self.pages.value

    @property
    def shown(self) -> RegressionTrace | None:
        """The trace, or the chosen one of its heads."""
        return None if self.trace is None else self.heads.of(self.trace)

    def show_trace(self, trace: RegressionTrace) -> None:
        """Draw a trace."""
        self.trace = trace
        self.heads.show_trace(trace)
        self.views.show_trace(trace, self.heads.of(trace))
        self.kernels.show_current(trace.spec_written_out)
        self.errors.show_current(trace)
        self.legend.setText(legend_of(trace, self._look))
        self.redraw()

    def set_map(self, name: MapName) -> None:
        """Draw weights in another colour map."""
        self.map_name = name
        self.redraw()

    def restyle(self, look: Look) -> None:
        """Take another theme or type scale."""
        self._look = look
        for part in (self.player, self.header, self.views, self.kernels, self.errors, self.bar):
            part.restyle(look)
        self.redraw()
        if self.trace is not None:
            self.legend.setText(legend_of(self.trace, look))

    def _connect(self) -> None:
        self._background.done.connect(self._draw)
        self.strip.changed.connect(self._show_step)
        self.pages.chosen.connect(self._turn_page)
        self.heads.chosen.connect(self._choose_head)
        self.contrast.toggled.connect(self.redraw)
        self._pace.currentIndexChanged.connect(self._choose_pace)
        self._selection.changed.connect(self._select)
        self.heatmap.painted.connect(self.painted)

    def _lay_out(self) -> None:
        self._stack = QStackedWidget()
        for page in (self.views, self.kernels, self.errors):
            self._stack.addWidget(page)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(16, 8, 16, 8)
        layout.setSpacing(6)
        layout.addLayout(_line(self.strip, self.player))
        layout.addWidget(self.header)
        layout.addLayout(_line(self.pages, self.heads, None, self._pace_label, self._pace))
        layout.addWidget(self.legend)
        layout.addWidget(self._stack, 1)
        layout.addWidget(self.read_out)
        layout.addLayout(_line(self.bar, self.contrast))

    @Slot()
    def _turn_page(self) -> None:
        self.redraw()
        self.page_changed.emit()

    @Slot()
    def _show_step(self) -> None:
        """Show a step of the mechanism, which stands on the first page."""
        if self.page == "fit":
            self.redraw()
        else:
            self.pages.press("fit")

    @Slot()
    def _choose_head(self) -> None:
        if self.trace is not None:
            self.views.show_trace(self.trace, self.heads.of(self.trace))
            self.redraw()
            self.head_changed.emit()

    @Slot()
    def redraw(self) -> None:
        """Draw the page; nothing is computed but its colours, those of many cells elsewhere."""
        trace, stage = self.shown, self.strip.stage
        self._stack.setCurrentIndex(PAGES.index(self.page))
        if trace is None:
            return
        self._show_tools(trace)
        if self.page == "kernels":
            scale = self.kernels.draw(self.table, full_contrast=self.contrast.isChecked())
            self.bar.show_scale(scale, self.table, self.kernels.caption, masked=False, not_finite=False)
        if self.page != "fit":
            self._select()
            return
        watched = "contrast" if stage == "weights" and self.contrast.isChecked() else stage
        self.watched.emit(watched)  # traces to come bring its colours with them, but those of one head
        of_head = trace is not self.trace and not trace.final
        if trace.is_prepared(watched) or trace.weights.size <= AT_ONCE or of_head:
            self._draw((trace, stage))
        else:
            self._background.start(lambda: _prepared(trace, stage, watched), instead=True)

    def _show_tools(self, trace: RegressionTrace) -> None:
        """Show what belongs to the page around it."""
        on_fit = self.page == "fit"
        self.header.setVisible(on_fit)
        self.read_out.setVisible(on_fit)
        self.legend.setVisible(on_fit)
        self._pace.setVisible(on_fit and trace.spec.trains)
        self._pace_label.setVisible(on_fit and trace.spec.trains)
        self.heads.setVisible(on_fit)
        self.bar.setVisible(self.page != "errors")
        self.contrast.setVisible(self.page == "kernels" or (on_fit and self.strip.stage == "weights"))

    @Slot(object)
    def _draw(self, prepared: tuple[RegressionTrace, str]) -> None:
        """Draw a stage whose colours are there, unless another has been asked for meanwhile."""
        trace, stage = prepared
        if trace is not self.shown or stage != self.strip.stage or self.page != "fit":
            return
        full = self.contrast.isChecked()
        picture = picture_of(trace, stage, self.map_name, self._look.theme, full_contrast=full)
        self.heatmap.setAccessibleName(self.tr("{0}: queries by training points").format(stage_title(stage)))
        self.heatmap.show_matrix(picture.matrix, picture.table)
        nowhere = stage in ("weights", "pooling") and bool(np.isnan(trace.row_sums).any())
        self.bar.show_scale(picture.scale, picture.table, picture.caption, masked=False, not_finite=nowhere)
        header = header_of(trace, stage)
        self.header.show_stage(header.latex, header.spoken, header.shapes)
        self._select()

    @Slot()
    def _select(self) -> None:
        trace, chosen = self.shown, self._selection.current
        if trace is None or chosen.query is None:
            return
        if self.page == "fit":
            self.views.select()
            self.read_out.setText(reading_of(trace, self.strip.stage, chosen.query, chosen.key))
        elif self.page == "kernels":
            self.kernels.select(chosen.query)

    @Slot()
    def _choose_pace(self) -> None:
        self.pace_chosen.emit(self.pace)


def _page_choice() -> Segments:
    return Segments(
        translate("Page"),
        (
            ("fit", translate("Fit"), translate("The curve, its weights and its training")),
            ("kernels", translate("Kernels"), translate("Every kernel at four widths: fits and weights")),
            ("errors", translate("Errors"), translate("How the errors hang on the width, and where they are least")),
        ),
    )


def _pace_box() -> ComboBox:
    box = ComboBox()
    box.setAccessibleName(translate("Pace of the training"))
    for pace in PACES:
        box.addItem(translate("full speed") if pace is None else translate("{0} steps/s").format(pace), pace)
    box.setSizeAdjustPolicy(ComboBox.SizeAdjustPolicy.AdjustToContents)
    box.setCurrentIndex(DEFAULT_PACE)
    return box


def _caption(text: str = "") -> QLabel:
    label = QLabel(text)
    label.setObjectName("caption")
    return label


def _line(*parts: QWidget | None) -> QHBoxLayout:
    """Return parts side by side; None is the room that is left."""
    line = QHBoxLayout()
    line.setSpacing(8)
    for part in parts:
        if part is None:
            line.addStretch(1)
        else:
            line.addWidget(part, 1 if isinstance(part, ColourBar | StageStrip) else 0)
    return line


def _prepared(trace: RegressionTrace, stage: str, watched: str) -> tuple[RegressionTrace, Any]:
    trace.prepare_stage(watched)
    return trace, stage
