"""What the mouse does on a page that shows the heads of all layers, each by its place in the whole model."""

from dataclasses import replace

from PySide6.QtCore import QObject, Signal, Slot

from attnviz.gui.widgets.selection import Selection, SelectionModel


class PointedHeads(QObject):
    """Turns a place in the whole model into a layer and a head."""

    pointed = Signal(object)
    """(layer, `Selection`) of the head under the mouse, or None."""
    chosen = Signal(int, int)
    """Layer and number of the head that the user chose."""
    num_heads = 0
    """The heads of a layer; 0 before there is a trace."""

    def __init__(self, selection: SelectionModel, parent: QObject) -> None:
        super().__init__(parent)
        self._selection = selection

    @Slot(object)
    def point(self, place: int | None) -> None:
        """Preview a head, with the row and cell that are held; None or -1 for none."""
        self.point_cell(None if place is None or place < 0 else replace(self._selection.locked, head=place))

    @Slot(object)
    def point_cell(self, pointed: Selection | None) -> None:
        """Preview a head with a row or cell."""
        if pointed is None or not self.num_heads:
            self.pointed.emit(None)
            return
        layer, head = divmod(pointed.head, self.num_heads)
        self.pointed.emit((layer, replace(pointed, head=head)))

    @Slot(int)
    def choose(self, place: int) -> None:
        """Choose a head."""
        if self.num_heads:
            self.chosen.emit(*divmod(place, self.num_heads))
