"""Files whose functions never end, take all memory, or attack their process: an error, and the next run works."""

import contextlib
import os
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path

import psutil
import pytest
import torch
from own_files import SIZES, mask, own, score

from attnviz.engine.attention.mods import process
from attnviz.engine.attention.mods.process import mask_of, scores_after
from attnviz.engine.machine import RunError
from attnviz.experiment.run import StoppedError

GOOD = mask("return q_idx >= kv_idx")
FORK = "while True: os.fork()"
pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="forks and signals")


@pytest.fixture(autouse=True)
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    mask_of(own(GOOD), SIZES)  # started with the usual limits
    monkeypatch.setattr(process, "SECONDS", 1.0)
    monkeypatch.setattr(process, "IMPORT_SECONDS", 1.5)
    monkeypatch.setattr(process, "MOST_BYTES", 700 << 20)


def children() -> list[psutil.Process]:
    """Return the processes of own functions below this one; other tests may have left others."""
    found = []
    for each in psutil.Process().children(recursive=True):
        with contextlib.suppress(psutil.Error):
            if any(word.endswith(str(Path("mods/worker.py"))) for word in each.cmdline()):
                found.append(each)
    return found


ENDLESS = {
    "loop": (mask("while True: pass"), "it takes more than "),
    "sleep": (mask("time.sleep(1000)"), "it takes more than 3 seconds"),
    "import": ("while True: pass\n", "while it is imported, it takes more than 1.5 seconds"),
    "importing sleep": ("import time\ntime.sleep(1000)\n", "while it is imported, it takes more than 1.5 seconds"),
    "list": (mask("a = []", "while True: a.append(bytes(1 << 20))"), "it needs more than 700.0 MiB"),
    "tensor": (mask("a = torch.ones(1 << 31)", "time.sleep(9)"), "it needs more than"),
    "children": (mask("os.fork() or time.sleep(99)", "a = bytearray(900 << 20)", "time.sleep(99)"), "it needs more"),
    "forks": (mask(FORK), "it "),
    "kill": (mask("os.kill(os.getpid(), 9)"), "its process ended (signal 9)"),
    "exit": (mask("os._exit(7)"), "its process ended (exit code 7)"),
    "fault": (mask("__import__('ctypes').string_at(0)"), "its process ended (signal 11)"),
    "closed": (mask("os.closerange(0, 4096)", "time.sleep(9)"), "its process ended ("),
    "rubbish": (mask("for n in range(3, 64):", "    try: os.write(n, b'{\"bytes\": 99999999}\\n')",
                     "    except OSError: pass", "time.sleep(9)"), "its process ended ("),
}  # fmt: skip


LINES = {
    "loop": 3,
    "sleep": 3,
    "import": 1,
    "importing sleep": 2,
    "list": 4,
    "forks": 3,
    "fault": 3,
}
"""Where the functions were; not known of a process that vanished, and by chance where it does two things."""


@pytest.mark.parametrize("kind", ENDLESS)
def test_that_a_function_ends_at_its_limits_with_all_that_it_has_started(kind: str) -> None:
    source, words = ENDLESS[kind]
    before = children()
    with pytest.raises(RunError) as caught:
        mask_of(own(source), SIZES)
    assert str(caught.value).startswith("my_mods.py")
    assert caught.value.numbers["line"] == LINES.get(kind, caught.value.numbers["line"])
    assert words in str(caught.value)
    assert not [each for each in before if each.is_running() and each.status() != psutil.STATUS_ZOMBIE]
    assert mask_of(own(GOOD + f"# {time.time()}"), SIZES).allowed.sum() == 10
    assert len(children()) == 1, "the process of the next run, and no other"


def after(seconds: float) -> Callable[[], bool]:
    end = time.monotonic() + seconds
    return lambda: time.monotonic() > end


@pytest.mark.parametrize(
    "source", [mask("while True: pass"), "import time\ntime.sleep(1000)\n"], ids=["mask", "import"]
)
def test_that_stop_ends_functions_at_once_and_the_next_run_works(source: str) -> None:
    began = time.monotonic()
    with pytest.raises(StoppedError):
        mask_of(own(source), SIZES, after(0.2))
    assert time.monotonic() - began < 1
    assert mask_of(own(GOOD + f"# {time.time()}"), SIZES).allowed.sum() == 10


def test_that_stop_ends_a_run_that_waits_for_another_one_which_goes_on() -> None:
    slow, found = own(mask("time.sleep(0.8)", "return q_idx >= kv_idx")), []
    other = threading.Thread(target=lambda: found.append(mask_of(slow, SIZES)))
    other.start()
    time.sleep(0.2)
    with pytest.raises(StoppedError):
        mask_of(own(GOOD), (1, 2, 3, 4), after(0.1))
    other.join()
    assert found[0].allowed.sum() == 10


def test_that_stop_ends_the_sending_of_scores_to_functions_that_hold_their_process() -> None:
    mods = own(score("time.sleep(9)"), None, "score_mod")
    with pytest.raises(StoppedError):
        scores_after(mods, torch.zeros(4, 8, 300, 300), after(0.3))


@pytest.mark.parametrize(
    "lines",
    [
        ["import threading", "threading.Thread(target=time.sleep, args=[99], daemon=True).start()"],
        ["import subprocess", "subprocess.Popen(['sleep', '99'], start_new_session=True)"],
    ],
    ids=["thread", "process"],
)
def test_that_what_a_function_leaves_running_ends_with_its_answer(lines: list[str]) -> None:
    assert mask_of(own(mask(*lines, "return q_idx >= kv_idx")), SIZES).allowed.sum() == 10
    names = [each.name() for each in children()]
    assert "sleep" not in names
    assert mask_of(own(GOOD + f"# {time.time()}"), SIZES).allowed.sum() == 10


def test_that_the_process_ends_with_its_parent_even_while_functions_run(tmp_path: Path) -> None:
    trace = tmp_path / "pid"
    code = f"""if True:
        from attnviz.engine.attention.mods.process import mask_of
        from own_files import own, mask
        mask_of(own(mask("open({str(trace)!r}, 'w').write(str(os.getpid()))", "while True: pass")), (1, 1, 2, 2))
    """
    environment = os.environ | {"PYTHONPATH": str(Path(__file__).parents[1] / "support")}
    parent = psutil.Popen([sys.executable, "-c", code], env=environment)
    while not trace.exists() or not trace.read_text():
        time.sleep(0.05)
    child = psutil.Process(int(trace.read_text()))
    parent.kill()
    parent.wait()
    assert child.wait(5) in (0, None) or not child.is_running()
