"""Where a fit, its matrix and the curves of its training are placed: the rules hold for any sizes."""

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rects import inside, overlap

from attnviz.gui.labs.regression.plots.fit_layout import FitRules, fit_layout, history_layout, history_sizes
from attnviz.gui.plots.layout import Margins, Rect, has_true_proportions

SHAPES = st.tuples(st.integers(1, 600), st.integers(1, 600))
LEAST = 16
PLOT, LINE, GAP = (180, 112), 24, 6
FIT = (240, 170)


def fit_rules(shape: tuple[int, int], *, trains: bool, scale: float = 1) -> FitRules:
    """Return what the fit page measures at a scale of the type."""
    histories = history_sizes((PLOT[0] * scale, PLOT[1] * scale), LINE * scale, GAP * scale) if trains else ()
    return FitRules(
        shape,
        Margins(*(side * scale for side in (36, 48, 16, 8))),
        (FIT[0] * scale, FIT[1] * scale),
        gap=10 * scale,
        least=LEAST * scale,
        histories=histories,
        history_from=720 * scale,
    )


@given(SHAPES, st.integers(300, 2400), st.integers(260, 1400), st.booleans())
def test_that_a_fit_its_matrix_and_its_training_share_the_room(
    shape: tuple[int, int], width: int, height: int, trains: bool
) -> None:
    room, rules = Rect(0, 0, width, height), fit_rules(shape, trains=trains)
    layout = fit_layout(room, rules)
    parts = [part for part in (layout.fit, layout.matrix, layout.history) if part is not None]
    assert all(inside(part, room) for part in parts)
    assert not any(overlap(a, b) for a, b in itertools.combinations(parts, 2))
    cells = layout.matrix.within(rules.margins)
    if has_true_proportions(shape):
        assert cells.width / shape[1] == pytest.approx(cells.height / shape[0]) or min(cells[2:]) <= LEAST + 1e-6
    assert layout.fit.width >= 0.5 * FIT[0]
    assert layout.fit.height >= 0.5 * FIT[1]
    if not trains:
        assert layout.history is None
    if layout.history is not None:
        assert any(
            layout.history.width >= least[0] - 1e-6 and layout.history.height >= least[1] - 1e-6
            for least in rules.histories
        )
        loss, w, line = history_layout(layout.history, PLOT, LINE, GAP)
        assert min(loss.height, w.height) >= PLOT[1]
        assert min(loss.width, w.width) >= PLOT[0]
        assert not any(overlap(a, b) for a, b in itertools.combinations((loss, w, line), 2))
        assert all(inside(part, layout.history) for part in (loss, w, line))


@pytest.mark.parametrize("shape", [(10, 50), (100, 50), (250, 50), (250, 80)])
@pytest.mark.parametrize(
    ("room", "window", "share", "scale"),
    [
        ((676, 555), (1280, 800), 0.35, 1),
        ((1316, 870), (1920, 1080), 0.40, 1),
        ((1228, 620), (1280, 800), 0.50, 1.6),  # in Present
        ((1850, 860), (1920, 1080), 0.50, 2.16),
    ],
)
@pytest.mark.parametrize("trains", [False, True])
def test_that_a_fit_and_its_matrix_cover_what_they_should_of_a_window(
    shape: tuple[int, int], room: tuple[int, int], window: tuple[int, int], share: float, scale: float, trains: bool
) -> None:
    layout = fit_layout(Rect(0, 0, *room), fit_rules(shape, trains=trains, scale=scale))
    assert layout.covered >= share * window[0] * window[1]
    assert trains or layout.history is None
    if window[0] == 1920:
        assert (layout.history is not None) == trains


def test_that_the_matrix_of_a_fit_by_hand() -> None:
    # 100 queries by 50 points: a height of 660 less 56 for labels leaves 6 pixels for a cell.
    layout = fit_layout(Rect(0, 0, 1200, 660), fit_rules((100, 50), trains=False))
    assert layout.matrix.within(Margins(36, 48, 16, 8))[2:] == (300, 600)
    assert layout.fit == Rect(0, 0, 1200 - 10 - 352, 660)
