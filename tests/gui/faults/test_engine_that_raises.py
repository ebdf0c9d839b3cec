"""An engine that raises at any call: a run ends in one failure, and the window shows its next spec."""

import math
import sys
from collections.abc import Callable, Iterator
from itertools import cycle
from typing import Any

import pytest
import torch
from injected import Exploded, Fault, places_in, start_with
from pytestqt.qtbot import QtBot
from running import bits
from small_specs import SMALL, attention, independent_trace, regression, training
from windows import At, Opener, Settle

from attnviz.engine import run as engine_run
from attnviz.engine.run import run, start
from attnviz.experiment.attention.trace import AttentionTrace
from attnviz.experiment.labs import Asked, Spec
from attnviz.experiment.regression.studies import KernelGrid, LossOverW, WidthErrors
from attnviz.experiment.regression.trace import RegressionTrace
from attnviz.experiment.run import Cursor, Failure, never_stop
from attnviz.gui.run import worker
from attnviz.gui.window.main_window import MainWindow

FEW: dict[str, Any] = {"data": {"kind": "synthetic", "n_train": 3}, "x_test": {"start": 0, "stop": 2, "step": 1}}
OVERLAID = regression(**FEW, overlays=[{"estimator": "nonparametric", "kernel": "boxcar"}])
RUNS: dict[str, Asked] = {
    "multi-head": SMALL,
    "additive": attention(mechanism="additive", dtype="float16", valid_lens=(1, 0)),
    "causal": attention(mechanism="causal_multi_head", num_queries=4, training=True, dropout=0.5),
    "kernel": OVERLAID,
    "training": training(**FEW, epochs=2),
    "kernels beside": KernelGrid(of=regression(**FEW), kernels=("boxcar",), widths=(0.5,)),
    "errors beside": WidthErrors(of=regression(**FEW), kernel="gaussian", count=2),
    "loss beside": LossOverW(of=training(**FEW), low=0.1, high=1.0, count=2),
}
TOLD = (
    lambda: RuntimeError("CUDA error: unspecified launch failure\nat line 3"),
    lambda: ValueError("no such thing"),
    lambda: MemoryError("Unable to allocate 3.00 GiB for an array with shape (7,)"),
    lambda: RecursionError("maximum recursion depth exceeded"),
    StopIteration,
    lambda: OSError(5, "Input/output error"),
)
DEFECTS = (
    lambda: TypeError("'NoneType' object is not callable"),
    lambda: KeyError("key"),
    AssertionError,
    KeyboardInterrupt,
    lambda: SystemExit(3),
    GeneratorExit,
    lambda: Exploded("all of it"),
)
# How the sentence begins by which the user is told of each.
SAID: dict[type[BaseException], str] = {
    defect: f"the run failed unexpectedly: {defect.__name__}" for defect in (type(each()) for each in DEFECTS)
}
SAID |= {
    RuntimeError: "the run failed: CUDA error: unspecified launch failure",
    ValueError: "the run failed: no such thing",
    MemoryError: "the memory of cpu ran out when 3.00 GiB more were asked for; fewer",
    RecursionError: "the run failed unexpectedly: RecursionError: maximum recursion depth exceeded",
    StopIteration: "the run failed",
    OSError: "the run failed: [Errno 5] Input/output error",
}


def state_of_torch() -> tuple[Any, ...]:
    return (
        torch.is_grad_enabled(),
        torch.is_inference_mode_enabled(),
        torch.get_default_dtype(),
        torch.get_default_device(),
        torch.get_num_threads(),
    )


@pytest.mark.parametrize("asked", RUNS.values(), ids=RUNS)
def test_that_a_run_that_fails_at_any_call_ends_in_one_failure_and_leaves_nothing_behind(asked: Asked) -> None:
    before, whole = state_of_torch(), list(run(asked, untrained_first=True))
    errors, silent = cycle((*TOLD, *DEFECTS)), []
    # In a training the last calls are those of its last step, after which there is a history to lose.
    places = places_in(lambda: list(run(asked, untrained_first=True)), last=asked == RUNS["training"])
    assert len(places) > 40
    for at in places[:: max(1, len(places) // 60)]:
        error, events, raised = next(errors), [], None
        with Fault(at, error) as fault:
            try:
                events.extend(run(asked, untrained_first=True))
            except BaseException as found:
                raised = found
        assert fault.struck
        if raised is not None:
            # A defect is nobody's to hide, and Ctrl+C ends what it ends; whoever runs a spec tells of it.
            assert type(raised) in {type(each()) for each in DEFECTS}, (fault.struck, raised)
        else:
            failure = events[-1] if events else None
            if isinstance(failure, Failure):
                assert failure.spec == asked
                assert len(failure.message.splitlines()) == 1
                events = events[:-1]
            else:
                silent.append((fault.struck, type(error()).__name__))
        for event, known in zip(events, whole, strict=False):
            if isinstance(event, AttentionTrace | RegressionTrace):
                assert bits(event) == bits(known), "a trace before the fault is another"
        assert state_of_torch() == before, fault.struck
    assert silent == [], "nobody was told"
    for event, known in zip(run(asked, untrained_first=True), whole, strict=True):
        if isinstance(event, AttentionTrace | RegressionTrace):
            assert bits(event) == bits(known), "the run after all those faults is another"


class Struck:
    """What strikes the engine of the module's window."""

    def __init__(self) -> None:
        self.run: Callable[[Any], Fault | None] = lambda _: None
        self.look: Callable[[Cursor], Fault | None] = lambda _: None
        self.call: Callable[[Any], BaseException | None] = lambda _: None
        """What is raised before there is a run at all."""

    def of_run(self, asked: Any) -> Fault | None:
        return self.run(asked)

    def of_look(self, cursor: Cursor) -> Fault | None:
        return self.look(cursor)


@pytest.fixture(scope="module")
def engine_of_module() -> Iterator[Struck]:
    """An engine that can be struck, in every window that is opened in this module."""
    struck = Struck()
    watched = start_with(struck.of_run, struck.of_look)

    def called(asked: Any, past: Any = None, **options: Any) -> Any:
        error = struck.call(asked)
        if error is not None:
            raise error
        return watched(asked, past, **options)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(engine_run, "start", called)
        # Each step makes its trace, and so as many calls as without a window, however slowly the window takes them.
        patch.setattr(worker, "FRAME_S", 0.0)
        patch.setattr(worker, "UNTAKEN_SHARE", math.inf)
        yield struck


@pytest.fixture
def struck(engine_of_module: Struck, at: At) -> Iterator[Struck]:
    """The engine of the module's window; nothing strikes it before or after the test."""
    yield engine_of_module
    engine_of_module.__init__()  # type: ignore[misc]


@pytest.fixture(scope="module", autouse=True)
def _before_the_window(shared: Any, engine_of_module: Struck) -> Iterator[None]:
    """The worker takes the functions of the engine when it starts: the window is made while they are replaced."""
    shared.close()
    yield
    shared.close()


def lives(window: MainWindow, settle: Settle, spec: Spec = SMALL) -> None:
    """Check that a window shows a spec after a fault, with nothing said of it any more."""
    window.controller.propose(spec)
    settle(window)
    shown = window.controller.shown
    assert shown is not None
    assert bits(shown) == bits(independent_trace(spec))
    assert window.notice.isHidden()
    assert not window.controller.computing


def fails(window: MainWindow, qtbot: QtBot, do: Callable[[], object]) -> str:
    """Do something that ends in a failure, and return the sentence that the user reads."""
    with qtbot.waitSignal(window.controller.failed, timeout=20_000):
        do()
    assert not window.notice.isHidden()
    assert not window.controller.computing
    said = window.notice.text()
    assert len(said.splitlines()) == 1
    return said


def steps_as_in_the_window(spec: Spec) -> None:
    """Make the calls that `start_with` watches: those of the run itself."""
    going = start(spec)
    while not going.final and going.advance(never_stop):
        going.at(Cursor())


@pytest.mark.parametrize(
    ("spec", "other"),
    [(attention(seed=9), SMALL), (training(**FEW, epochs=2), regression(**FEW))],
    ids=["attention", "training"],
)
def test_that_a_window_whose_run_fails_at_any_call_says_so_and_shows_its_next_spec(
    spec: Spec, other: Spec, struck: Struck, at: At, settle: Settle, qtbot: QtBot
) -> None:
    places = places_in(lambda: steps_as_in_the_window(spec), last=spec.trains)
    window = at(other)
    window.controller.set_pace(20)  # every step is shown, so every call is made
    for place, error in zip(places[:: max(1, len(places) // 13)], (*TOLD, *DEFECTS), strict=False):
        struck.run = lambda asked, place=place, error=error: Fault(place, error) if asked == spec else None  # type: ignore[misc]
        show = window.controller.begin if spec.trains else window.controller.propose
        said = fails(window, qtbot, lambda show=show: show(spec, ""))  # type: ignore[misc]
        assert said.startswith(SAID[type(error())]), (place, said)
        assert window.room.stage.last_good.isVisible()
        struck.run = lambda _: None
        lives(window, settle, other)


@pytest.mark.parametrize("error", [TypeError("no such thing"), MemoryError(), SystemExit(1), StopIteration()])
def test_that_an_engine_that_raises_before_its_first_event_does_not_leave_the_window_waiting(
    error: BaseException, struck: Struck, at: At, settle: Settle, qtbot: QtBot
) -> None:
    window = at(SMALL)
    struck.call = lambda asked: error if asked == attention(seed=9) else None
    fails(window, qtbot, lambda: window.controller.propose(attention(seed=9)))
    lives(window, settle)


SOME = (TOLD[0], TOLD[2], TOLD[4], DEFECTS[0], DEFECTS[4], DEFECTS[5])
each_of_some = pytest.mark.parametrize("error", SOME, ids=lambda error: type(error()).__name__)


@each_of_some
def test_that_looking_back_that_fails_leaves_the_step_on_screen_and_can_be_tried_again(
    error: Callable[[], BaseException], struck: Struck, at: At, settle: Settle, qtbot: QtBot
) -> None:
    spec = training(epochs=4)
    window = at(spec)
    steps = [trace for trace in run(spec, untrained_first=True) if isinstance(trace, RegressionTrace)]
    struck.look = lambda _: Fault(3, error)
    fails(window, qtbot, lambda: window.controller.seek(Cursor(step=1)))
    assert bits(window.controller.shown) == bits(steps[4])  # type: ignore[arg-type]
    struck.look = lambda _: None
    with qtbot.waitSignal(window.controller.trace_accepted):
        window.controller.seek(Cursor(step=1))
    assert window.controller.shown.y_hat.tobytes() == steps[1].y_hat.tobytes()  # type: ignore[union-attr]
    struck.look = lambda cursor: Fault(3, error) if cursor.step == 3 else None
    fails(window, qtbot, window.controller.run_or_pause)  # it plays up to the step that cannot be shown, and rests
    struck.look = lambda _: None
    window.controller.run_or_pause()
    qtbot.waitUntil(lambda: window.controller.shown is not None and window.controller.shown.final)
    lives(window, settle)


@each_of_some
@pytest.mark.parametrize("spec", [attention(seed=9), training(epochs=3)], ids=["attention", "training"])
def test_that_colours_that_cannot_be_made_are_a_failed_run(
    spec: Spec, error: Callable[[], BaseException], at: At, settle: Settle, qtbot: QtBot,
    monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    window = at(SMALL)

    def prepare(trace: Any, watched: str = "") -> None:
        raise error()

    with monkeypatch.context() as patch:
        patch.setattr(type(independent_trace(spec)), "prepare", prepare)
        said = fails(window, qtbot, lambda: window.controller.propose(spec))
    if isinstance(error(), MemoryError):
        assert said.startswith("the memory of cpu ran out when 3.00 GiB more were asked for; fewer ")
    lives(window, settle)


@each_of_some
def test_that_a_training_for_which_there_is_no_room_while_it_rests_does_not_keep_the_window_waiting(
    error: Callable[[], BaseException], at: At, settle: Settle, monkeypatch: pytest.MonkeyPatch
) -> None:
    def rest(_: object) -> None:
        raise error()

    spec = training(epochs=3)
    window = at(spec)
    with monkeypatch.context() as patch:
        patch.setattr(type(start(spec)), "rest", rest)
        lives(window, settle)
        lives(window, settle, spec)
    lives(window, settle)


@each_of_some
def test_that_of_what_is_asked_for_beside_a_run_only_what_fails_is_missing(
    error: Callable[[], BaseException], struck: Struck, at: At, settle: Settle, qtbot: QtBot
) -> None:
    window = at(SMALL)
    specs = tuple(attention(mask_policy=policy, upcast=True) for policy in ("zero", "book", "inf"))
    struck.run = lambda asked: Fault(30, error) if asked == specs[1] else None
    with qtbot.waitSignal(window.controller.beside_accepted) as accepted:
        window.controller.run_beside(specs)
    events = accepted.args[0]
    assert [event.spec for event in events] == list(specs)
    assert [isinstance(event, Failure) for event in events] == [False, True, False]
    assert len(events[1].message.splitlines()) == 1
    assert not window.controller.computing_beside
    lives(window, settle, attention(seed=2))


@pytest.mark.parametrize("error", [SystemExit("no such library"), KeyboardInterrupt(), MemoryError(), Exploded("!")])
def test_that_whatever_an_engine_raises_while_it_is_loaded_is_said_and_the_window_lives(
    error: BaseException, open_window: Opener, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    def devices() -> Any:
        raise error

    monkeypatch.setattr("attnviz.engine.machine.devices", devices)
    window = open_window(start=False)
    with qtbot.waitSignal(window.controller.engine_ready) as ready:
        window.start()
    problem = ready.args[0].problem.text
    assert problem == f"PyTorch cannot be loaded: {str(error) or type(error).__name__}"
    assert problem in window.notice.text()
    window.controller.propose(attention(seed=1))
    assert not window.controller.computing


def test_that_a_lab_that_cannot_be_loaded_is_said_and_the_other_one_runs(
    at: At, settle: Settle, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    window = at(SMALL)
    with monkeypatch.context() as patch:
        patch.setitem(sys.modules, "attnviz.engine.regression.run", None)
        said = fails(window, qtbot, lambda: window.controller.propose(regression()))
        assert "attnviz.engine.regression.run" in said
        lives(window, settle)
    lives(window, settle, regression())
