"""The editors of interventions: a chip for each, which removes it, and a button that adds the selection."""

from collections.abc import Callable, Sequence
from typing import Any

from PySide6.QtCore import Slot
from PySide6.QtWidgets import QToolButton
from typing_extensions import override

from attnviz.gui.forms.editor import Editor
from attnviz.gui.widgets.buttons import tiny_button
from attnviz.gui.widgets.labels import caption
from attnviz.gui.widgets.layouts import FlowLayout
from attnviz.gui.widgets.words import translate


class ChipsEdit(Editor):
    """Values in a row of chips. The selection in the pictures can be added."""

    def __init__(self, tip: str) -> None:
        """``tip`` describes a click on a chip."""
        super().__init__()
        self.name_of: Callable[[Any], str] = str
        """Returns what stands on the chip of a value."""
        self._tip = tip
        self._values: tuple[Any, ...] = ()
        self._offered: tuple[Any, ...] = ()
        self._chips: list[QToolButton] = []
        self._flow = FlowLayout(self, gap=6, line_gap=6)
        self.add = tiny_button("", self._add)
        """Adds what is chosen."""
        self.none = caption(translate("none"))
        for part in (self.add, self.none):
            self._flow.addWidget(part)
        self.setFocusProxy(self.add)

    @override
    def value(self) -> Any:
        return self._values

    @override
    def set_value(self, value: Any) -> None:
        self._values = tuple(value)
        self.show_names()

    def offer(self, values: tuple[Any, ...], said: str, tip: str) -> None:
        """Offer values to be added together; () offers nothing."""
        self._offered = values
        self.add.setText(f"+ {said}")
        self.add.setToolTip(tip)
        self.add.setAccessibleName(tip)
        self._show_add()

    def _show_add(self) -> None:
        self.add.setVisible(not set(self._offered) <= set(self._values))
        self.none.setVisible(not self._values and self.add.isHidden())

    @property
    def texts(self) -> Sequence[str]:
        """The texts of the chips."""
        return [self.name_of(value) for value in self._values]

    @Slot()
    def _remove(self) -> None:
        place = self._chips.index(self.sender())  # type: ignore[arg-type]
        self._change((*self._values[:place], *self._values[place + 1 :]), self._values[place])

    @Slot()
    def _add(self) -> None:
        self._change(tuple(dict.fromkeys((*self._values, *self._offered))), self._offered)

    def _change(self, values: tuple[Any, ...], value: Any) -> None:
        self.place = str(value)
        focused = self.isAncestorOf(self.focusWidget())  # else Qt gives the keyboard to a part beside the form
        self._values = values
        self.show_names()
        if focused:
            left = [self.add, *self._chips[: len(values)]]
            next((part for part in left if not part.isHidden()), self).setFocus()
        self.edited.emit()

    def show_names(self) -> None:
        """Update the texts of the chips: the name of a value may depend on the text."""
        while len(self._chips) < len(self._values):
            chip = tiny_button("", self._remove, self._tip)
            self._chips.append(chip)
            for part in (chip, self.add, self.none):  # Qt takes a part that is there already from its place
                self._flow.addWidget(part)
        for place, chip in enumerate(self._chips):
            chip.setVisible(place < len(self._values))
        for chip, said in zip(self._chips, self.texts, strict=False):
            chip.setText(f"{said}  ×")
            chip.setAccessibleName(f"{self._tip}: {said}")
        self._show_add()


class OfMappingEdit(ChipsEdit):
    """A chip for each entry of a mapping."""

    @override
    def value(self) -> Any:
        return dict(self._values)

    @override
    def set_value(self, value: Any) -> None:
        super().set_value(dict(value).items())


class PaintedEdit(OfMappingEdit):
    """A chip for each mask that was painted by hand; the picture's brush paints them."""


class ChosenEdit(OfMappingEdit):
    """A chip for each token that the user chose; a bar of *Next token* chooses one."""

    fits_any = ({},)

    @override
    def follow(self, spec: Any) -> None:
        """Keep the choices of the steps that are left."""
        self.set_value({step: token for step, token in self._values if int(step) < spec.generate})
