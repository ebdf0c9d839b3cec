"""The editor of the overlays: estimators whose curves are drawn beside the fit."""

from typing import Any

from PySide6.QtCore import Slot
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QMenu, QToolButton, QWidget
from typing_extensions import override

from attnviz.definitions.functions.kernels import KERNELS
from attnviz.experiment.regression.spec import MOST_OVERLAYS, TEACHING_WIDTHS, Overlay, RegressionSpec
from attnviz.gui.forms.editor import Editor
from attnviz.gui.labs.regression.words import overlay_title
from attnviz.gui.widgets.buttons import tiny_button
from attnviz.gui.widgets.layouts import FlowLayout, row_of
from attnviz.gui.widgets.words import translate


class OverlaysEdit(Editor):
    """A menu that adds an estimator, and below it one button for each overlay, which removes it."""

    def __init__(self) -> None:
        super().__init__()
        self._overlays: tuple[Overlay, ...] = ()
        self._own = Overlay()
        self._add = QToolButton()
        self._add.setText(self.tr("Add ..."))
        self._add.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        self.menu = QMenu(self._add)
        self._menus = [self.menu]
        self._own_action = self._fill(self.menu)
        self.menu.aboutToShow.connect(self._prepare)
        self.menu.triggered.connect(self._choose)
        self._add.setMenu(self.menu)
        row_of(self, self._add, None)
        self.below = QWidget()
        flow = FlowLayout(self.below, gap=6, line_gap=6)
        self._chips: list[QToolButton] = []
        for _ in range(MOST_OVERLAYS):
            chip = tiny_button("", self._remove, self.tr("Remove this curve"))
            flow.addWidget(chip)
            self._chips.append(chip)
        self.setFocusProxy(self._add)
        self._show()

    @override
    def value(self) -> tuple[Overlay, ...]:
        return self._overlays

    @override
    def set_value(self, value: Any) -> None:
        self._overlays = tuple(value)
        self._show()

    @override
    def follow(self, spec: RegressionSpec) -> None:
        self._own = spec.own_overlay  # which the menu can add

    def _fill(self, menu: QMenu) -> QAction:
        own = menu.addAction("")
        menu.addSeparator()
        for overlay in (Overlay(estimator="average"), Overlay(estimator="parametric")):
            menu.addAction(overlay_title(overlay)).setData(overlay)
        menu.addSeparator()
        for kernel in KERNELS.values():
            if kernel.has_width:  # without a width it is the average
                widths = menu.addMenu(translate(kernel.title))
                self._menus.append(widths)
                for width in TEACHING_WIDTHS:
                    overlay = Overlay(estimator="nonparametric", kernel=kernel.name, width=width)
                    widths.addAction(f"{width:g}").setData(overlay)
        return own

    @Slot()
    def _prepare(self) -> None:
        """Name the fit's own estimator, and disable what is drawn already."""
        self._own_action.setText(self.tr("Keep this one: {0}").format(overlay_title(self._own)))
        self._own_action.setData(self._own)
        drawn = {overlay.identity for overlay in self._overlays}
        for action in (action for menu in self._menus for action in menu.actions() if action.data() is not None):
            action.setEnabled(action.data().identity not in drawn and len(self._overlays) < MOST_OVERLAYS)

    @Slot(QAction)
    def _choose(self, action: QAction) -> None:
        self._overlays = (*self._overlays, action.data())
        self._show()
        self.edited.emit()

    @Slot()
    def _remove(self) -> None:
        place = self._chips.index(self.sender())  # type: ignore[arg-type]
        self._overlays = (*self._overlays[:place], *self._overlays[place + 1 :])
        self._show()
        self.edited.emit()

    def _show(self) -> None:
        for place, chip in enumerate(self._chips):
            there = place < len(self._overlays)
            chip.setVisible(there)
            if there:
                title = overlay_title(self._overlays[place])
                chip.setText(f"{title}  ×")
                chip.setAccessibleName(self.tr("Remove {0}").format(title))
        assert self.below is not None
        self.below.setVisible(bool(self._overlays))
        self._add.setToolTip(self.tr("Draw another estimator on the same points"))
