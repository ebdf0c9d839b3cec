"""How much of a window the cells of the chosen head take, at the sizes that people have."""

import pytest
from train_hands import stage_of
from windows import At, Settle

from attnviz.experiment.files.specs_in_files import presets
from attnviz.experiment.lessons.reading import lesson_named
from attnviz.gui.window.main_window import MainWindow


@pytest.fixture
def opened(at: At) -> MainWindow:
    """The shared window on the first training preset, cut short, as a first start shows it."""
    window = at(presets()["train-induction"].spec.model_copy(update={"steps": 2}))
    stage_of(window).current_view.propose(page="train", layer=1)
    return window


def _share(window: MainWindow) -> float:
    cells = stage_of(window).pages.train.heatmap.cells
    return float(cells.width() * cells.height() / (window.width() * window.height()))


LEAST = {(900, 520): 0.09, (900, 600): 0.1, (960, 540): 0.1, (1024, 640): 0.1, (1280, 800): 0.15, (1920, 1080): 0.2}


def test_that_the_chosen_head_is_large(opened: MainWindow, settle: Settle) -> None:
    try:
        for size, least in LEAST.items():
            opened.resize(*size)
            settle(opened)
            assert _share(opened) >= least, size
            page = stage_of(opened).pages.train
            cells = page.heatmap.cells
            assert page.steps.isVisible(), size
            assert page.quality.isVisible() or size[1] <= 600  # a low window has the row of steps alone
            assert page.no_curves.isVisible() != page.quality.isVisible(), size
            assert page.no_curves.shown_text == page.no_curves.text(), size
            assert cells.width() * cells.height() > page.quality.width() * page.quality.height(), size
    finally:
        opened.resize(1280, 800)


def test_that_it_is_larger_before_an_audience(opened: MainWindow, settle: Settle) -> None:
    try:
        for size in ((1280, 800), (1280, 720), (1920, 1080)):
            opened.resize(*size)
            opened.present(True, full_screen=False)
            settle(opened)
            assert _share(opened) >= 0.22, size
            assert stage_of(opened).pages.train.quality.isVisible(), size
    finally:
        opened.present(False)
        opened.resize(1280, 800)


def test_that_beside_a_lesson_before_an_audience_the_chosen_head_is_large_and_the_curves_and_tiles_stay(
    opened: MainWindow, settle: Settle
) -> None:
    try:
        opened.lessons.open(lesson_named("10-a-head-is-born"), 5)
        for size in ((1920, 1080), (1280, 720)):
            opened.resize(*size)
            opened.present(True, full_screen=False)
            settle(opened)
            page = stage_of(opened).pages.train
            assert opened.lessons.panel.isVisible()
            assert _share(opened) >= 0.12, size
            assert page.quality.isVisible(), size
            assert page.roles.isVisible(), size
            assert page.tiles.verticalScrollBar().maximum() == 0, size
            heading = page.quality.heading
            assert heading.sizeHint().width() <= heading.width(), size
            assert not page.quality.plot.names(), "no room"
    finally:
        opened.present(False)
        opened.lessons.now.close()
        opened.resize(1280, 800)
