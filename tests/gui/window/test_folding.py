"""Which panels are folded at any width, with any choices of the user: the laws of a pure function."""

from hypothesis import given
from hypothesis import strategies as st

from attnviz.gui.window.folding import (
    GREATEST_WIDTH,
    LEAST_WIDTH,
    RAIL,
    RAIL_IN_PRESENT,
    Side,
    folded_sides,
    toggled,
    widths,
)

sides = st.builds(Side, st.integers(LEAST_WIDTH, GREATEST_WIDTH), st.sampled_from([None, True, False]))
both = st.tuples(sides, sides)
window_widths = st.integers(900, 7680)
scales = st.sampled_from([1.0, 1.44, 1.6, 2.16])
needs = st.integers(0, 2500)


@given(window_widths, scales, both, needs)
def test_that_what_the_user_has_folded_or_opened_stays_so(
    width: int, scale: float, sides: tuple[Side, Side], needed: int
) -> None:
    for side, folded in zip(sides, folded_sides(width, scale, sides, needed), strict=True):
        assert side.folded in (None, folded)


@given(window_widths, scales, both, needs)
def test_that_a_panel_folds_by_itself_only_where_the_page_lacks_room_and_the_right_one_first(
    width: int, scale: float, sides: tuple[Side, Side], needed: int
) -> None:
    folds = folded_sides(width, scale, sides, needed)
    rail = round(RAIL * scale)

    def page(*folded: bool) -> int:
        return width - sum(
            rail if fold else round(side.width * scale) for side, fold in zip(sides, folded, strict=True)
        )

    left_by_itself = sides[0].folded is None and folds[0]
    right_by_itself = sides[1].folded is None and folds[1]
    if right_by_itself:
        assert page(bool(sides[0].folded), False) < needed
    if left_by_itself:
        assert page(False, folds[1]) < needed
        assert folds[1] or sides[1].folded is False
    if not (sides[0].folded is None and not folds[0]) and not (sides[1].folded is None and not folds[1]):
        return  # the user has decided, or all that may fold is folded
    assert page(*folds) >= needed


@given(st.integers(900, 4000), st.integers(0, 500), scales, both, needs)
def test_that_a_wider_window_folds_no_more(
    width: int, more: int, scale: float, sides: tuple[Side, Side], needed: int
) -> None:
    narrow, wide = (folded_sides(each, scale, sides, needed) for each in (width, width + more))
    assert all(before or not after for before, after in zip(narrow, wide, strict=True))


@given(window_widths, scales, both, needs, st.sampled_from([RAIL, RAIL_IN_PRESENT]))
def test_that_open_panels_leave_the_page_room_and_are_no_wider_than_chosen(
    width: int, scale: float, sides: tuple[Side, Side], needed: int, rail: int
) -> None:
    folds = folded_sides(width, scale, sides, needed)
    found = widths(width, scale, sides, folds, rail)
    assert width - sum(found) >= width // 5
    for panel, side, folded in zip(found, sides, folds, strict=True):
        assert panel <= round((rail if folded else side.width) * scale)
        assert folded or panel >= min(round(LEAST_WIDTH * scale), width * 2 // 5)


@given(window_widths, scales, both, needs, st.sampled_from([0, 1]))
def test_that_the_fold_key_turns_its_panel_and_keeps_the_other_ones_choice(
    width: int, scale: float, sides: tuple[Side, Side], needed: int, place: int
) -> None:
    now = folded_sides(width, scale, sides, needed)
    after = toggled(width, scale, sides, place, needed)
    assert after[1 - place] == sides[1 - place]
    assert after[place].width == sides[place].width
    assert folded_sides(width, scale, after, needed)[place] is not now[place]


@given(st.floats(-100, 5000))
def test_that_a_panel_is_never_too_narrow_or_too_wide(wished: float) -> None:
    assert LEAST_WIDTH <= Side(300).resized(wished).width <= GREATEST_WIDTH
