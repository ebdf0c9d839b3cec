"""The parts of a side column: captions, facts, shapes and steps, and collapsible sections; rooms add their own."""

from collections.abc import Sequence

from PySide6.QtCore import QSize, Qt, Signal, Slot
from PySide6.QtGui import QIcon
from PySide6.QtWidgets import (
    QAbstractButton,
    QGridLayout,
    QHBoxLayout,
    QLabel,
    QPushButton,
    QSizePolicy,
    QVBoxLayout,
    QWidget,
)

from attnviz.gui.theme import Look, icon
from attnviz.gui.widgets.explained import explain, explanation
from attnviz.gui.widgets.labels import ElidingLabel, SteadyLabel, caption
from attnviz.gui.widgets.layouts import column_of


class Fold(QWidget):
    """A heading that expands and collapses the part below it. A collapsed part cannot get the keyboard focus."""

    toggled = Signal(bool)
    """It was expanded or collapsed, by the user or by code."""

    def __init__(self, title: str, part: QWidget) -> None:
        super().__init__()
        self.setObjectName("fold")
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Maximum)
        self.part = part
        self.header = QPushButton(title)
        self.header.setCheckable(True)  # tells a screen reader that it is open
        self._folded, self._unfolded = QIcon(), QIcon()
        column_of(self, self.header, part, gap=6)
        part.hide()
        self.header.toggled.connect(self._toggle)

    def isExpanded(self) -> bool:
        """Return whether the part is visible."""
        return self.header.isChecked()

    def expand(self) -> None:
        """Show the part."""
        self.header.setChecked(True)

    def collapse(self) -> None:
        """Collapse the part."""
        self.header.setChecked(False)

    def restyle(self, look: Look) -> None:
        """Apply a theme and type scale."""
        size = look.px(16)
        self._folded, self._unfolded = (icon(name, look.theme.muted, size) for name in ("folded", "unfolded"))
        self.header.setIconSize(QSize(size, size))
        self._turn_arrow()

    @Slot(bool)
    def _toggle(self, expanded: bool) -> None:
        self.part.setVisible(expanded)
        self._turn_arrow()
        self.toggled.emit(expanded)

    def _turn_arrow(self) -> None:
        self.header.setIcon(self._unfolded if self.isExpanded() else self._folded)


class Inspector(QWidget):
    """A column of captioned sections."""

    def __init__(self) -> None:
        super().__init__()
        self.setObjectName("inspectorBody")
        self._layout = QVBoxLayout(self)
        self._layout.setContentsMargins(16, 0, 16, 16)
        self._layout.setSpacing(4)
        self._layout.addStretch(1)

    def add_section(self, title: str, part: QWidget, beside: QWidget | None = None) -> QLabel:
        """Add a part under a caption, with a small widget beside it; return the caption's label."""
        label = ElidingLabel()  # a token may have any length
        label.setText(title.upper())
        explain(label).setObjectName("group")
        at = self._layout.count() - 1
        if beside is None:
            self._layout.insertWidget(at, label)
        else:
            line = QHBoxLayout()
            line.addWidget(label, 1)
            line.addWidget(beside, 0, Qt.AlignmentFlag.AlignBottom)
            self._layout.insertLayout(at, line)
        self._layout.insertWidget(at + 1, part)
        return label

    def add_fold(self, title: str, part: QWidget) -> Fold:
        """Add a collapsible part, collapsed initially."""
        fold = Fold(title.upper(), part)
        fold.header.setToolTip(explanation(title))
        self._layout.insertWidget(self._layout.count() - 1, fold)
        return fold

    @property
    def pressed(self) -> tuple[bool, ...]:
        """The states of its checkable buttons, including its folds."""
        return tuple(each.isChecked() for each in self.findChildren(QAbstractButton))

    def press(self, pressed: tuple[bool, ...]) -> None:
        """Expand parts and check buttons as in another inspector of the same kind."""
        for button, on in zip(
            self.findChildren(QAbstractButton), pressed, strict=False
        ):  # one that shows a run has more
            button.setChecked(on)  # no effect on a button that is not checkable


class Facts(QWidget):
    """Names and values in two columns."""

    def __init__(self, names: tuple[str, ...]) -> None:
        super().__init__()
        layout = QGridLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setVerticalSpacing(4)
        layout.setHorizontalSpacing(12)
        layout.setColumnStretch(1, 1)
        self._values: list[SteadyLabel] = []
        for row, name in enumerate(names):
            label, value = explain(caption(name)), SteadyLabel()
            value.setObjectName("number")
            value.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
            value.setAccessibleName(name)
            layout.addWidget(label, row, 0)
            layout.addWidget(value, row, 1, Qt.AlignmentFlag.AlignLeft)
            self._values.append(value)

    def show_facts(self, values: tuple[str, ...]) -> None:
        """Show one value per name."""
        for label, value in zip(self._values, values, strict=True):
            label.setText(value)

    def texts(self) -> tuple[str, ...]:
        """Return the values on screen."""
        return tuple(label.text() for label in self._values)


_TOP_RIGHT = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignTop


class StepList(QWidget):
    """Steps of a computation, one line each with its number. Lines are reused; surplus ones are hidden."""

    def __init__(self) -> None:
        super().__init__()
        self._layout = QGridLayout(self)
        self._layout.setContentsMargins(0, 0, 0, 0)
        self._layout.setHorizontalSpacing(12)
        self._layout.setVerticalSpacing(3)
        self._layout.setColumnStretch(0, 1)
        self._lines: list[tuple[QLabel, SteadyLabel]] = []
        self.steps: tuple[tuple[str, str], ...] = ()
        """The names and numbers on screen."""

    def show_steps(self, steps: Sequence[tuple[str, str]]) -> None:
        """Show these steps."""
        while len(self._lines) < len(steps):
            self._add_line()
        others = [name for name, _ in steps] != [name for name, _ in self.steps]
        self.steps = tuple(steps)
        for index, (name, value) in enumerate(self._lines):
            shown = index < len(steps)
            if others:
                name.setVisible(shown)
                value.setVisible(shown)
            if shown:
                value.setText(steps[index][1])
                if others:
                    explain(name, steps[index][0])
                    name.setText(steps[index][0])
                    value.fit()
                value.setAccessibleName(f"{steps[index][0]} {steps[index][1]}")

    def _add_line(self) -> None:
        name, value = caption(), SteadyLabel()
        name.setWordWrap(True)  # a cell may be masked for many reasons
        value.setObjectName("number")
        value.setAlignment(_TOP_RIGHT)
        value.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        line = len(self._lines)
        self._layout.addWidget(name, line, 0)
        self._layout.addWidget(value, line, 1, _TOP_RIGHT)
        self._lines.append((name, value))
