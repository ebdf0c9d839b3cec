"""Runs of the user's own functions in the window, whose process may be slow to start, hang, or die."""

from typing import Any

import pytest
from pytestqt.qtbot import QtBot
from windows import Opener, Settle

from attnviz.engine.attention.mods import process
from attnviz.experiment.files.consent import allow, digest_of
from attnviz.experiment.labs import make_spec
from attnviz.gui.window.main_window import MainWindow

SMALL: dict[str, Any] = {"self_attention": True, "num_queries": 6, "num_heads": 2, "num_hiddens": 8, "batch_size": 1}
SOURCES = {
    "causal": "def own(b, h, q_idx, kv_idx):\n    return q_idx >= kv_idx\n",
    "endless": "def own(b, h, q_idx, kv_idx):\n    while True:\n        pass\n",
    "dies": "import os\n\ndef own(b, h, q_idx, kv_idx):\n    os._exit(3)\n",
}


def values(name: str) -> dict[str, Any]:
    source = SOURCES[name]
    allow(digest_of(source), remember=False)
    return SMALL | {"mods": {"path": "own.py", "mask_mod": "own", "source": source}}


def propose(window: MainWindow, name: str) -> None:
    window.controller.propose(make_spec(values(name)))


def test_that_the_first_own_function_says_what_it_waits_for(open_window: Opener, settle: Settle, qtbot: QtBot) -> None:
    process._process.end()
    window = open_window(make_spec(SMALL))
    settle(window)
    propose(window, "causal")
    qtbot.waitUntil(lambda: window.status.state.text() == "starting the process of your functions", timeout=5000)
    settle(window)
    assert window.status.state.text() == ""
    assert not window.room.stage.trace.mask[0, 0, 0, 1]
    propose(window, "endless")
    qtbot.waitUntil(lambda: window.controller.computing)
    assert window.status.state.text() == "computing", "the process is there"
    window.controller.stop()
    qtbot.waitUntil(lambda: not window.runner.busy, timeout=20_000)


@pytest.mark.parametrize("name", ["endless", "dies"])
def test_that_the_last_good_picture_stays_and_the_next_run_works(
    name: str, open_window: Opener, settle: Settle, qtbot: QtBot
) -> None:
    window = open_window(make_spec(values("causal")))
    settle(window)
    good = window.room.stage.trace
    propose(window, name)
    if name == "endless":
        qtbot.waitUntil(lambda: window.controller.computing)
        qtbot.wait(300)
        window.controller.stop()
    else:
        qtbot.waitUntil(window.notice.isVisible, timeout=30_000)
        assert "own.py" in window.notice.text()
    qtbot.waitUntil(lambda: not window.runner.busy, timeout=20_000)
    assert window.room.stage.trace is good
    propose(window, "causal")
    settle(window)
    window.controller.propose(make_spec(values("causal") | {"seed": 5}))
    settle(window)
    assert window.room.stage.trace.spec.seed == 5
