"""Python's garbage is collected in the window's thread; in the end all is left as it was."""

import gc
from collections.abc import Iterator

import pytest
from PySide6.QtWidgets import QApplication

from attnviz.gui.process import GarbageCollector


@pytest.fixture
def _as_it_was() -> Iterator[None]:
    """Leave the collector as the other tests have it."""
    yield
    gc.disable()
    gc.collect()
    gc.freeze()


@pytest.mark.usefixtures("_as_it_was")
def test_that_what_was_passed_over_is_collected_again_in_the_end(qapp: QApplication) -> None:
    collector = GarbageCollector()
    assert not gc.isenabled()
    collector.keep_what_is_loaded()
    assert gc.get_freeze_count() > 0
    collector.close()
    assert gc.isenabled()
    assert gc.get_freeze_count() == 0
