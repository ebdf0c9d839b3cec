"""Layout of a fit, its matrix and the curves of its training, all in pixels."""

from dataclasses import dataclass

from attnviz.gui.plots.layout import Margins, Rect, cells_size, has_true_proportions


@dataclass(frozen=True, slots=True)
class FitRules:
    """The constraints of the layout."""

    shape: tuple[int, int]
    """Rows and columns of the matrix."""
    margins: Margins
    """For the labels of the matrix."""
    fit: tuple[float, float]
    """The least width and height of the fit, axes included."""
    gap: float
    least: float
    """See `cells_size`."""
    histories: tuple[tuple[float, float], ...] = ()
    """The least width and height of the training's curves in each of their arrangements; empty without a training."""
    history_from: float = 0.0
    """From this width on the curves are beside the fit."""


@dataclass(frozen=True, slots=True)
class FitLayout:
    """The fit, its matrix, and the curves of its training."""

    fit: Rect
    matrix: Rect
    """With its labels."""
    history: Rect | None = None
    """None without a training, or room for its curves."""

    @property
    def covered(self) -> float:
        """The area of the fit and the matrix together."""
        return self.fit.area + self.matrix.area


def fit_layout(room: Rect, rules: FitRules) -> FitLayout:
    """Return the layout of a fit and its matrix: side by side, or the matrix below if it is wider than the room.

    The curves of a training are included if the fit and the matrix still cover most of the room.
    """
    layouts = [_fit_and_matrix(room, rules, history) for history in (*rules.histories, None)]
    best = max(layouts[:-1], key=lambda layout: layout.covered, default=layouts[-1])
    large = best.covered >= _COVERED * room.area and best.matrix.area >= _MATRIX_LEAST * room.area
    fits = best.fit.width >= rules.fit[0] and best.fit.height >= rules.fit[1]
    return best if large and fits and room.width >= rules.history_from else layouts[-1]


_COVERED, _MATRIX_LEAST = 0.68, 0.12
"""The least shares of the room for a fit and its matrix, and for the matrix alone, beside the curves of a training."""
_HISTORY_SHARE = 0.27
"""The least share of the width for the curves at the right of the matrix."""
_MATRIX_MOST, _STRETCHED_MOST = 0.5, 0.36
"""The largest share of the width for the matrix beside the fit, or of the height below it: with square cells, and with
others."""


def _fit_and_matrix(room: Rect, rules: FitRules, history: tuple[float, float] | None) -> FitLayout:
    """Return the layout with the curves of a training under the fit, or at the right of a matrix below it."""
    gap, (rows, columns) = rules.gap, rules.shape
    most = _MATRIX_MOST if has_true_proportions(rules.shape) else _STRETCHED_MOST
    if columns * room.height <= rows * room.width:
        matrix = _matrix_size(rules, most * (room.width - gap), room.height)
        taken = 0.0 if history is None else history[1] + gap
        fit = Rect(room.x, room.y, room.width - gap - matrix[0], room.height - taken)
        curves = Rect(fit.x, fit.bottom + gap, fit.width, taken - gap)
        return FitLayout(fit, Rect(fit.right + gap, room.y, *matrix), None if history is None else curves)
    taken = 0.0 if history is None else max(history[0], _HISTORY_SHARE * room.width) + gap
    matrix = _matrix_size(rules, room.width - taken, most * (room.height - gap))
    low = max(matrix[1], 0.0 if history is None else history[1])
    fit = Rect(room.x, room.y, room.width, room.height - gap - low)
    place = Rect(room.x, fit.bottom + gap, *matrix)
    if history is None:
        return FitLayout(fit, place.moved((room.width - place.width) / 2, 0))
    return FitLayout(fit, place, Rect(place.right + gap, place.y, room.right - place.right - gap, low))


def _matrix_size(rules: FitRules, width: float, height: float) -> tuple[float, float]:
    """Return the width and height of the matrix, labels included: with square cells, or all of the room."""
    across = rules.margins.left + rules.margins.right
    down = rules.margins.top + rules.margins.bottom
    if not has_true_proportions(rules.shape):
        return max(width, across + rules.least), max(height, down + rules.least)
    cells = cells_size(rules.shape, width - across, height - down, rules.least)
    return cells[0] + across, cells[1] + down


def history_sizes(plot: tuple[float, float], line: float, gap: float) -> tuple[tuple[float, float], ...]:
    """Return the least width and height of two plots and a line below them: one above the other, and side by side."""
    width, height = plot
    return (width, 2 * height + line + 2 * gap), (2 * width + gap, height + line + gap)


def history_layout(room: Rect, plot: tuple[float, float], line: float, gap: float) -> tuple[Rect, Rect, Rect]:
    """Return the rectangles of two plots and a line below: one above the other if they have their least height."""
    below = Rect(room.x, room.bottom - line, room.width, line)
    height = room.height - line - gap
    if height >= 2 * plot[1] + gap or room.width < 2 * plot[0] + gap:
        each = Rect(room.x, room.y, room.width, max(1.0, (height - gap) / 2))
        return each, each.moved(0, each.height + gap), below
    each = Rect(room.x, room.y, max(1.0, (room.width - gap) / 2), max(1.0, height))
    return each, each.moved(each.width + gap, 0), below
