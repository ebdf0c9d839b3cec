"""How much of a window the cells of the chosen head take, at the sizes that people have."""

from collections.abc import Callable, Iterator

import pytest
from attention_hands import as_it_opens, stage_of
from windows import At, Settle

from attnviz.experiment.files.specs_in_files import opening_session, presets
from attnviz.experiment.labs import Spec
from attnviz.gui.window.main_window import MainWindow

SIZES = ((900, 600), (960, 540), (1024, 640), (1280, 800), (1920, 1080))
FIRST = ("causal-sentence", "mask-laboratory", "why-root-d", "multi-head-book", "self-attention-book")
FIRST += ("masked-softmax-book", "causal-book", "many-heads")
"""The presets of the short suite; the others have matrices of the same sizes."""
ATTENTION = [name for name, each in presets().items() if each.spec.lab == "attention"]


@pytest.fixture
def sized(at: At, settle: Settle) -> Iterator[Callable[..., float]]:
    """Return a function that shows a spec in a window of a size, and returns the share of the window in cells."""
    windows: list[MainWindow] = []

    def share(spec: Spec, width: int, height: int) -> float:
        if not windows or windows[0].controller.spec != spec:
            windows[:] = [as_it_opens(at(spec))]
        window = windows[0]
        window.resize(width, height)
        settle(window)
        assert (window.width(), window.height()) == (width, height)
        cells = [picture.cells for picture in stage_of(window).pages.heads.pictures]
        return sum(each.width() * each.height() for each in cells) / (width * height)

    yield share
    for window in windows:
        window.resize(1280, 800)


@pytest.mark.parametrize(("size", "least"), [((1280, 800), 0.15), ((1920, 1080), 0.20)], ids=str)
def test_that_the_first_picture_is_a_large_part_of_the_window(
    size: tuple[int, int], least: float, sized: Callable[..., float]
) -> None:
    assert sized(opening_session("attention").spec, *size) >= least


@pytest.mark.parametrize("name", ATTENTION)
def test_that_the_cells_of_every_preset_are_a_tenth_of_the_window(
    name: str, sized: Callable[..., float], long: bool
) -> None:
    if not long and name not in FIRST:
        pytest.skip("one preset of each size is enough for the short suite")
    spec = presets()[name].spec
    rows, columns = spec.num_queries, spec.num_kvpairs  # type: ignore[union-attr]
    shares = {size: sized(spec, *size) for size in SIZES}
    if max(rows, columns) <= 2 * min(rows, columns):
        assert min(shares.values()) >= 0.1, shares
