"""Work in the other threads: who waits for whom, and what becomes of a job that fails."""

import threading
from collections.abc import Iterator

import pytest
from pytestqt.qtbot import QtBot

from attnviz.gui import background as module
from attnviz.gui.background import Background


@pytest.fixture
def held() -> Iterator[threading.Event]:
    """An event that jobs wait for; it is let go in the end."""
    event = threading.Event()
    yield event
    event.set()


def test_that_files_do_not_wait_for_figures(held: threading.Event, qtbot: QtBot) -> None:
    figure, file = Background(), Background(pool="files")
    figure.start(lambda: held.wait(20))
    with qtbot.waitSignal(file.done) as done:
        file.start(lambda: "saved")
    assert done.args == ["saved"]
    assert figure.busy
    with qtbot.waitSignal(figure.done):
        held.set()


def test_that_a_defect_is_told_and_the_other_jobs_of_that_moment_are_reported(
    held: threading.Event, qtbot: QtBot
) -> None:
    background = Background()
    said: list[str] = []
    background.done.connect(said.append)
    background.failed.connect(said.append)

    def defect() -> None:
        raise KeyError("no such thing")

    def refused() -> None:
        raise OSError(13, "Permission denied", "/etc/shadow")

    for job in (lambda: held.wait(20) and "first", defect, refused, lambda: "last"):
        background.start(job)
    with qtbot.captureExceptions() as caught:
        held.set()
        assert background.finish(20)  # so that all of them are reported at once
        qtbot.waitUntil(lambda: not background.busy)
    assert said == ["first", "KeyError: 'no such thing'", "/etc/shadow Permission denied", "last"]
    assert [kind for kind, _, _ in caught] == [KeyError]


def test_that_only_a_job_that_takes_long_is_worth_a_word(
    held: threading.Event, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "PATIENCE_MS", 30)
    background = Background()
    with qtbot.assertNotEmitted(background.lasts, wait=80):
        background.start(lambda: "soon")
    with qtbot.waitSignal(background.lasts):
        background.start(lambda: held.wait(20))
    with qtbot.waitSignal(background.done):
        held.set()
