"""The screenshot that ends by itself: of one lab, and nothing of the other is loaded for it."""

from collections.abc import Callable
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot
from small_specs import SMALL

from attnviz.export.document import read_document
from attnviz.gui.app import _Screenshot
from attnviz.gui.window.main_window import MainWindow


def test_that_a_screenshot_waits_for_no_other_lab(
    open_window: Callable[..., MainWindow], tmp_path: Path, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    loaded: list[str] = []
    monkeypatch.setattr("attnviz.gui.labs.rooms._load", lambda: loaded.append("all"))
    window = open_window(start=False)
    shot = _Screenshot(window, tmp_path / "shot.png", 1)
    with qtbot.waitSignal(window.closed, timeout=20_000):
        window.start()
    assert shot.code == 0
    assert read_document(tmp_path / "shot.png").spec == SMALL
    assert loaded == []
