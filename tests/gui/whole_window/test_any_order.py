"""That nothing which hands do to a window, in any order, breaks it."""

import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from any_files import Files
from any_order import AnyOrder
from hypothesis import HealthCheck, Phase, settings
from hypothesis.stateful import run_state_machine_as_test
from pytestqt.exceptions import capture_exceptions
from pytestqt.qtbot import QtBot
from random_states import Stand

from attnviz.gui.window.main_window import MainWindow

_EXAMPLES = {"dev": 5, "ci": 8, "long": 700}
_ACTS = 80
"""The most acts of one example; most examples have so many, some fewer."""


@pytest.fixture
def stand(
    qtbot: QtBot, qtlog: Any, tmp_path: Path, open_window: Callable[..., MainWindow], monkeypatch: pytest.MonkeyPatch
) -> Iterator[Stand]:
    """The window that is acted on, its exceptions and Qt's messages caught."""
    files = Files(tmp_path)
    files.answer(monkeypatch)
    with capture_exceptions() as exceptions:
        standing = Stand(qtbot, files, open_window, qtlog, exceptions)
        monkeypatch.setattr(AnyOrder, "stand", standing, raising=False)
        yield standing


@pytest.mark.timeout(7200)
def test_that_nothing_breaks_in_any_order(stand: Stand, long: bool, capsys: pytest.CaptureFixture[str]) -> None:
    examples = _EXAMPLES[settings.get_current_profile_name()]
    # A failure is printed with its acts and its seed; to find fewer acts takes minutes, which a long run has.
    phases = [phase for phase in Phase if long or phase is not Phase.shrink]
    health = list(HealthCheck)
    began = time.monotonic()
    run_state_machine_as_test(
        AnyOrder,
        settings=settings(
            max_examples=examples, stateful_step_count=_ACTS, suppress_health_check=health, phases=phases
        ),
    )
    took = time.monotonic() - began
    said = f"{stand.acts} acts, {stand.acts / took:.0f} a second; the longest wait {stand.longest_rest_s:.1f} s"
    if long:
        with capsys.disabled():
            print(f"\n{said}")
    assert stand.acts > 20 * examples, said
