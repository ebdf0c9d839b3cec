"""The selected head, row and cell. Hover previews, click locks, Esc releases; every view shows the same one."""

from dataclasses import dataclass, replace

from PySide6.QtCore import QObject, Signal, Slot

from attnviz.gui.plots.matrix.matrix import Cell


@dataclass(frozen=True, slots=True)
class Selection:
    """A head, a query (row) and a key (column); None for a query or key is "none in particular"."""

    head: int = 0
    query: int | None = None
    key: int | None = None

    @property
    def cell(self) -> Cell | None:
        """The row, with its cell if there is one in particular; None without a row."""
        return None if self.query is None else Cell(self.query, self.key)


class SelectionModel(QObject):
    """The locked selection and the one under the mouse, which takes precedence."""

    changed = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.locked = Selection()
        """The selection that remains when the mouse leaves."""
        self._hovered: Selection | None = None
        self._sizes: tuple[int, int, int] | None = None  # heads, queries and keys of the trace on screen

    @property
    def current(self) -> Selection:
        """The selection on screen."""
        return self._hovered or self.locked

    def hover(self, selection: Selection | None) -> None:
        """Show another selection while the mouse is there; None, or one outside the trace on screen, ends this."""
        if selection is not None:
            selection = self._within(selection)  # None if the mouse is over another trace, such as a pinned one
        if selection != self._hovered:
            self._hovered = selection
            self.changed.emit()

    def lock(self, selection: Selection) -> None:
        """Lock a selection, if it is within the trace on screen."""
        within = self._within(selection)
        if within is not None:
            self.locked = within
            self.changed.emit()

    def begin_with(self, selection: Selection) -> None:
        """Lock a selection for the next trace; `fit` adapts it to that trace."""
        self.locked, self._hovered = selection, None

    def _within(self, selection: Selection) -> Selection | None:
        """Return a selection with the nearest existing head; None if its query or key does not exist."""
        if self._sizes is None:
            return selection
        selection = replace(selection, head=min(selection.head, self._sizes[0] - 1))
        return selection if _lies_in(selection, *self._sizes) else None

    @Slot(object)
    def toggle(self, selection: Selection) -> None:
        """Lock a cell; if it is locked already, release its key."""
        again = selection == self.locked and selection.key is not None
        self.lock(replace(selection, key=None) if again else selection)

    @Slot(object)
    def hover_cell(self, cell: Cell | None) -> None:
        """Show a cell of the locked head while the mouse is there."""
        self.hover(None if cell is None else Selection(self.locked.head, cell.row, cell.column))

    @Slot(object)
    def lock_cell(self, cell: Cell) -> None:
        """Lock a cell of the locked head, or release it."""
        self.toggle(Selection(self.locked.head, cell.row, cell.column))

    def release(self) -> None:
        """Release the cell and the hover preview; the head and its row stay."""
        self._hovered = None
        self.locked = replace(self.locked, key=None)
        self.changed.emit()

    def fit(self, heads: int, queries: int, keys: int, first_query: int | None = None) -> None:
        """Adapt the selection to a trace of these sizes; a row not chosen yet is ``first_query`` or the last."""
        self._sizes = heads, queries, keys
        old = self.locked
        chosen = first_query if old.query is None else old.query
        query = queries - 1 if chosen is None else min(chosen, queries - 1)
        key = None if old.key is None else min(old.key, keys - 1)
        fitted = Selection(min(old.head, heads - 1), query, key)
        # The mouse may stay over a cell while one trace follows another; only a missing cell is released.
        hovered = self._hovered
        if hovered is not None and not _lies_in(hovered, heads, queries, keys):
            hovered = None
        if (fitted, hovered) != (old, self._hovered):
            self.locked, self._hovered = fitted, hovered
            self.changed.emit()


def _lies_in(selection: Selection, heads: int, queries: int, keys: int) -> bool:
    indices = ((selection.head, heads), (selection.query, queries), (selection.key, keys))
    return all(index is None or index < count for index, count in indices)
