"""Where the parts of the training page are, for any size of page, model and text."""

import itertools

from hypothesis import given
from hypothesis import strategies as st

from attnviz.gui.labs.train.layout import TileLabel, TrainRules, train_layout
from attnviz.gui.plots.curves.step_curves import apart
from attnviz.gui.plots.layout import Margins, Rect

SIZES = st.tuples(st.integers(300, 2400), st.integers(330, 1500))


@st.composite
def rules(draw: st.DrawFn) -> TrainRules:
    """Return the measured parts of some model, at a type scale."""
    scale = draw(st.sampled_from((1.0, 1.6, 2.16)))
    return TrainRules(
        tokens=draw(st.integers(4, 256)),
        margins=Margins(*(scale * each for each in (20, 42, 4, 8))),
        layers=draw(st.integers(1, 6)),
        heads=draw(st.integers(1, 16)),
        labels=(TileLabel(16 * scale, 100 * scale), TileLabel(30 * scale, 52 * scale)),
        tile=(34 * scale, 150 * scale),
        chip=(scale * draw(st.integers(26, 80)), 48 * scale),
        chips_title=(38 * scale, 19 * scale, 330 * scale),
        plot=(140 * scale, 78 * scale),
        slider=22 * scale,
        gap=10 * scale,
        scroll_bar=10 * scale,
        edge=4,
        wanted=draw(st.sampled_from((0.0, 150_000.0, 420_000.0))),
    )


@given(SIZES, rules())
def test_that_no_part_covers_another_or_leaves_the_page(size: tuple[int, int], measured: TrainRules) -> None:
    scale = measured.edge and measured.slider / 22
    room = Rect(0, 0, size[0] * scale, size[1] * scale)
    layout = train_layout(room, measured)
    for part in layout.parts:
        assert part.width >= 1
        assert part.height >= 1
        assert part.x >= -1
        assert part.y >= -1
        assert part.right <= room.right + 1
        assert part.bottom <= room.bottom + 1
    for a, b in itertools.combinations(layout.parts, 2):
        overlap = a.right <= b.x + 1 or b.right <= a.x + 1 or a.bottom <= b.y + 1 or b.bottom <= a.y + 1
        assert overlap, (a, b)
    assert measured.heads % layout.grid.across == 0  # no row of tiles holds two layers
    assert layout.across >= 1


@given(rules())
def test_that_the_chosen_head_has_the_area_that_is_wanted_where_it_fits(measured: TrainRules) -> None:
    side = max(measured.wanted**0.5, 200) * 1.2
    room = Rect(0, 0, side + 400 * measured.slider / 22, side + 300 * measured.slider / 22)
    cells = train_layout(room, measured).head.within(measured.margins)
    if measured.tokens <= 60:  # cells of many tokens take whole pixels
        assert cells.width * cells.height >= 0.85 * measured.wanted


@given(st.lists(st.floats(-50, 250), max_size=12).map(sorted), st.integers(8, 15))
def test_that_names_at_the_ends_of_curves_do_not_overlap(places: list[float], height: int) -> None:
    middles = apart(places, height, 0, 200)
    assert len(middles) == len(places)
    assert all(b - a >= height - 1e-6 for a, b in itertools.pairwise(middles))
    assert all(height / 2 - 1e-6 <= middle <= 200 - height / 2 + 1e-6 for middle in middles)


def test_that_a_name_stays_at_the_end_of_its_curve_where_nothing_is_near() -> None:
    assert apart([20, 100, 180], 12, 0, 200) == (20, 100, 180)
