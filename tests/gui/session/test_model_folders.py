"""Save as a model folder: from the training lab's menu to the model lab, and back by Undo."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot
from windows import Opener, Settle

from attnviz.experiment.labs import make_spec
from attnviz.experiment.run import Cursor
from attnviz.gui.window.main_window import MainWindow

SPEC = make_spec({"lab": "train", "num_layers": 1, "num_heads": 2, "num_hiddens": 8, "num_tokens": 20, "steps": 20})


@pytest.fixture
def window(open_window: Opener, settle: Settle) -> MainWindow:
    """A window with a training at its end."""
    return trained(open_window, settle, SPEC)


def trained(open_window: Opener, settle: Settle, spec: Any) -> MainWindow:
    """Return a window that shows the last step of a training."""
    window = open_window(spec, start=False)
    window.controller.start(Cursor(step=spec.steps))
    while window.controller.shown is None or window.controller.shown.step < spec.steps:
        QTest.qWait(1)
    settle(window)
    return window


def test_that_the_model_on_screen_is_saved_and_opens_in_the_model_lab_with_the_same_weights(
    window: MainWindow, settle: Settle, qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    last = window.controller.shown
    monkeypatch.setattr(window.model_folder.questions, "where", lambda _: tmp_path / "mine")
    monkeypatch.setattr(window.model_folder.questions, "may_open", lambda folder, step: step == last.step)
    with qtbot.waitSignal(window.model_folder.said) as said:
        window.actions_["save_folder"].trigger()
    assert said.args == [f"Saved {tmp_path / 'mine'}", False]
    qtbot.waitUntil(lambda: window.controller.spec.lab == "model", timeout=10_000)
    settle(window)
    shown = window.controller.shown
    assert shown.spec.folder == str(tmp_path / "mine")
    np.testing.assert_allclose(shown.layer.weights, last.layers[0].weights, atol=1e-6, rtol=0)
    window.actions_["undo"].trigger()
    assert window.controller.spec == SPEC


def test_that_a_model_of_no_family_is_not_asked_about(
    open_window: Opener, settle: Settle, monkeypatch: pytest.MonkeyPatch
) -> None:
    window = trained(open_window, settle, SPEC.model_copy(update={"positions": "alibi"}))
    monkeypatch.setattr(window.model_folder.questions, "where", lambda _: pytest.fail("a folder was asked for"))
    window.actions_["save_folder"].trigger()
    assert "Not saved: no known family of models has positions" in window.notice.text()


def test_that_a_folder_with_files_is_refused_and_another_lab_has_no_such_model(
    window: MainWindow, settle: Settle, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").write_text("mine")
    monkeypatch.setattr(window.model_folder.questions, "where", lambda _: tmp_path)
    window.actions_["save_folder"].trigger()
    assert "is not empty" in window.notice.text()
    window.controller.propose(make_spec({"lab": "attention"}))
    settle(window)
    assert not window.actions_["save_folder"].isEnabled()
    assert [each.name for each in tmp_path.iterdir()] == ["file"]
