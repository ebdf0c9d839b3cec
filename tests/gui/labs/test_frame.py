"""Where the parts of a stage are, for any size of window and text."""

import itertools

from hypothesis import given
from hypothesis import strategies as st

from attnviz.gui.labs.frame import NOWHERE, Lengths, frame_of

SIZES = st.tuples(st.integers(440, 2400), st.integers(400, 1400))


@st.composite
def lengths(draw: st.DrawFn, present: bool | None = None) -> Lengths:
    """Return the measured texts of some stage, at its type scale."""
    scale = draw(st.sampled_from((1.0, 1.25, 1.6, 2.16)))
    several, layered, headed = draw(st.booleans()), draw(st.booleans()), draw(st.booleans())
    return Lengths(
        scale=scale,
        present=draw(st.booleans()) if present is None else present,
        pages=scale * draw(st.integers(150, 330)) if several else 0,
        pages_menu=scale * draw(st.integers(60, 110)) if several else 0,
        strip=scale * draw(st.integers(200, 640)) if headed or not layered else 0,
        strip_short=scale * draw(st.integers(80, 170)),
        play=draw(st.sampled_from((0, 28))) * scale,
        view=60 * scale,
        outer=scale * draw(st.integers(200, 640)) if layered else 0,
        outer_short=scale * draw(st.integers(80, 170)) if layered else 0,
        formula=scale * draw(st.integers(20, 500)) if headed or not layered else 0,
        formula_height=scale * draw(st.integers(12, 90)),
        shapes=scale * draw(st.integers(20, 400)),
        further=scale * draw(st.sampled_from((0, 90, 220))),
        legend=scale * draw(st.sampled_from((0, 300, 460))),
        sentence=draw(st.booleans()),
        note=scale * draw(st.sampled_from((0, 120))),
        read_out=scale * draw(st.integers(380, 440)),
    )


@given(SIZES, lengths())
def test_that_no_part_of_a_stage_covers_another_or_leaves_it(size: tuple[int, int], given_lengths: Lengths) -> None:
    width, height = size[0] * given_lengths.scale, size[1] * given_lengths.scale
    frame = frame_of(width, height, given_lengths)
    for part in frame.parts:
        assert part.width >= 1
        assert part.height >= 1
        assert part.x >= 0
        assert part.y >= 0
        assert part.right <= width + 1
        assert part.bottom <= height + 1
    for a, b in itertools.combinations(frame.parts, 2):
        apart = a.right <= b.x + 1 or b.right <= a.x + 1 or a.bottom <= b.y + 1 or b.bottom <= a.y + 1
        assert apart, (a, b)


@given(SIZES, lengths(present=False))
def test_that_the_buttons_of_pages_are_at_the_left_in_every_stage(size: tuple[int, int], measured: Lengths) -> None:
    frame = frame_of(size[0] * measured.scale, size[1] * measured.scale, measured)
    assert (frame.pages != NOWHERE) + (frame.pages_menu != NOWHERE) == bool(measured.pages)
    shown = frame.pages if frame.pages != NOWHERE else frame.pages_menu
    if measured.pages:
        assert shown.x == round(16 * measured.scale)
        assert (frame.outer if measured.outer else frame.strip).x >= shown.right
    assert frame.strip.width >= min(measured.strip, measured.strip_short)
    assert frame.outer.width >= min(measured.outer, measured.outer_short)


@given(SIZES, lengths(present=False), st.integers(20, 900))
def test_that_the_picture_stays_where_it_is_when_only_texts_change(
    size: tuple[int, int], measured: Lengths, formula: int
) -> None:
    width, height = size[0] * measured.scale, size[1] * measured.scale
    formula = formula if measured.formula else 0  # a page without a formula has none whatever is shown
    other = Lengths(**{name: getattr(measured, name) for name in Lengths.__dataclass_fields__} | {"formula": formula})
    assert frame_of(width, height, measured).picture == frame_of(width, height, other).picture
