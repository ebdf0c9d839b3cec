"""A line for each role: the loss by ablating all its heads, and a box that switches them."""

from collections.abc import Iterable

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtWidgets import QCheckBox, QGraphicsOpacityEffect, QGridLayout, QWidget

from attnviz.experiment.layers.head_names import heads_said
from attnviz.experiment.train.role_effects import RoleEffect
from attnviz.gui.plots.heads.bar_tiles import DIMMED
from attnviz.gui.theme import Look
from attnviz.gui.widgets.labels import ElidingLabel
from attnviz.gui.widgets.layouts import column_of, row_of
from attnviz.gui.widgets.words import translate

_HEADS = 150
"""The greatest width for the names of heads at scale 1: a tooltip has all of them."""
_Box = tuple[QCheckBox, ElidingLabel, ElidingLabel]


class RoleSwitches(QWidget):
    """The boxes show which heads are ablated."""

    switched = Signal(object)
    """The heads of the role whose box was clicked, each with its layer."""

    def __init__(self) -> None:
        super().__init__()
        self.title = ElidingLabel()
        self.title.setObjectName("caption")
        self.pairs = QCheckBox()
        self.pairs.setToolTip(
            self.tr(
                "List the chosen head with each other one, both off, instead of pairs of a role.\nThe mark "
                "in a bar is the sum of what is lost without each of them alone.\nPairs whose loss rises "
                "most beyond that come first: one head stands in for the other."
            )
        )
        self._heads = _HEADS
        self._effects: tuple[RoleEffect, ...] = ()
        self._off: frozenset[tuple[int, int]] = frozenset()
        self.lines: list[_Box] = []
        """The box, the heads and the numbers of each role; those beyond the roles on screen are hidden."""
        self._all = QWidget()
        self._dimmed = QGraphicsOpacityEffect(self._all)
        self._dimmed.setOpacity(DIMMED)
        self._all.setGraphicsEffect(self._dimmed)
        self._grid = QGridLayout(self._all)
        self._grid.setContentsMargins(0, 0, 0, 0)
        self._grid.setHorizontalSpacing(14)
        self._grid.setVerticalSpacing(2)
        self._grid.setColumnStretch(2, 1)
        column_of(self, row_of(None, self.title, self.pairs, wide=(self.title,)), self._all, gap=2)

    def restyle(self, look: Look) -> None:
        """Apply a type scale."""
        self._heads = look.px(_HEADS)
        for _, heads, _ in self.lines:
            heads.setMaximumWidth(self._heads)

    def show_roles(self, effects: tuple[RoleEffect, ...]) -> None:
        """Show the roles of a model."""
        if effects != self._effects:
            self._effects = effects
            while len(self.lines) < len(effects):
                self._add_line()
            for place, line in enumerate(self.lines):
                for part in line:
                    part.setVisible(place < len(effects))
            for each, (box, heads, numbers) in zip(effects, self.lines, strict=False):
                box.setText(translate(each.role.title))
                names = ", ".join(each.names)
                box.setAccessibleDescription(f"{names}: {each.said().filled(translate)}")
                heads.setText(heads_said(each.names).filled(translate))
                heads.setToolTip(names)
                numbers.setText(each.said().filled(translate))
            self._mark()

    def show_off(self, off: Iterable[tuple[int, int]]) -> None:
        """Show which heads are ablated."""
        self._off = frozenset(off)
        self._mark()

    def say(self, title: str, *, old: bool) -> None:
        """Set the title above the lines; ``old`` ones are of another model or step, and switch nothing."""
        self.title.setText(title)
        self._all.setEnabled(not old)
        self._dimmed.setEnabled(old)

    def _add_line(self) -> None:
        box, heads, numbers = line = QCheckBox(), ElidingLabel(), ElidingLabel()
        box.setToolTip(self.tr("Clear the box to turn all heads of this role off"))
        box.clicked.connect(self._switch)
        self.lines.append(line)
        heads.setMaximumWidth(self._heads)
        for column, part in enumerate((box, heads, numbers)):
            self._grid.addWidget(part, len(self.lines) - 1, column)

    def _mark(self) -> None:
        for each, (box, *_) in zip(self._effects, self.lines, strict=False):
            count = len(self._off.intersection(each.heads))
            some = Qt.CheckState.PartiallyChecked if count < len(each.heads) else Qt.CheckState.Unchecked
            box.setCheckState(some if count else Qt.CheckState.Checked)

    @Slot()
    def _switch(self) -> None:
        place = next(at for at, (box, *_) in enumerate(self.lines) if box is self.sender())
        self._mark()  # the boxes follow when the trace without the heads is there
        self.switched.emit(self._effects[place].heads)
