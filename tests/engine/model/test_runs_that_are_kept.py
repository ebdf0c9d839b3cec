"""The runs that stay beside the model that is open."""

from typing import Any

import pytest
import torch
from model_families import FAMILIES, inputs_of, tiny

from attnviz.engine import memory
from attnviz.engine.model import opened
from attnviz.engine.model.opened import Opened, Ran
from attnviz.engine.model.recording import record
from attnviz.experiment.model.text import ReadText
from attnviz.experiment.run import never_stop, no_progress


def test_that_memory_goes_back_to_the_system_when_a_run_is_dropped(monkeypatch: pytest.MonkeyPatch) -> None:
    family = FAMILIES["gpt2"]
    recording = record(tiny(family), inputs_of(family))
    assert recording is not None
    given_back: list[int] = []
    ran: list[str] = []
    unknown: Any = None

    def run(_held: Opened, read: ReadText, *_: object) -> Ran:
        ran.append(read.text)
        return Ran(
            read=read,
            keys=read,
            calls=(),
            stack=unknown,
            overview=unknown,
            recording=recording,
            milliseconds=0.0,
            position=None,
        )

    held = Opened(unknown, torch.device("cpu"))
    monkeypatch.setattr(opened, "_MOST_KEPT", 3 * recording.nbytes)
    monkeypatch.setattr(memory, "give_back", lambda: given_back.append(number))
    monkeypatch.setattr(Opened, "_ran", run)
    reads = [ReadText(str(number), (1,), ("a",), ((0, 1),), (False,), (0,)) for number in range(6)]
    for number, read in enumerate(reads):  # noqa: B007 - the closure above reads it
        held.plain(read, no_progress, never_stop)
    assert given_back == [3, 4, 5]
    for read in reversed(reads[3:]):
        held.plain(read, no_progress, never_stop)
    assert ran == ["0", "1", "2", "3", "4", "5"]
