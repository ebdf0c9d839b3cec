"""The worker's hold on one run: it takes steps, shows a training again from its history, and says what came out."""

import time
from collections.abc import Callable, Iterator
from typing import Any

from attnviz.experiment.failure import Failure
from attnviz.experiment.labs import RunEvent, Spec, Trace
from attnviz.experiment.regression.trace import RegressionTrace
from attnviz.gui.run.mailbox import PATIENCE_S, Mailbox
from attnviz.gui.run.requests import Arrival, Request

_FEW = 50_000
"""A trace of so many weights that takes the place of one nobody has seen is delivered as it is: it will mostly be
replaced in its turn, and if it is shown after all, its colours are the work of a moment."""

RunFunction = Callable[..., Iterator[Any]]
LookBack = Callable[[RegressionTrace, int], RunEvent]


class Player:
    """Plays one request. A training may be looked back on and played again from there; then its steps go on."""

    def __init__(self, request: Request, mailbox: Mailbox, run: RunFunction, look_back: LookBack) -> None:
        self.request = request
        self._mailbox = mailbox
        self._run, self._look_back = run, look_back
        self._events: Iterator[RunEvent] | None = None  # begun by the first step, as a run that rests is again
        self._newest: Trace | None = None  # the farthest that the run has come
        self._step = 0  # what is shown of a training
        self._resting = False

    def play(self) -> None:
        """Carry out what a run does at once: a fixed one to its end, a training to its first picture."""
        while not self._resting and (self._newest is None or not self.request.spec.trains):
            self.advance()

    def advance(self) -> None:
        """Show the next step: one that the history holds already, or a new one."""
        self._resting = False
        newest = self._newest
        if isinstance(newest, RegressionTrace) and self._step < newest.known_steps:
            self._show(self._step + 1)
            return
        if self._events is None:
            self._events = self._go_on()
        event = next(self._events, None)
        if event is None:
            self.end()
        elif isinstance(event, Failure):
            self._rest(event)
        else:
            self._take(event)

    def _take(self, trace: Trace) -> None:
        """Take a new trace as the farthest, and show it unless a later one is on its way."""
        self._newest, self._step = trace, getattr(trace, "step", 0)
        if self._step >= self.request.from_step:
            self._mailbox.there()
        if trace.final:
            self._rest(trace)
        elif not self._mailbox.hurries or self._is_late():
            self._deliver(trace)

    def look(self, step: int | None) -> None:
        """Show a training as it was after a step, as far as its history reaches; None is where it is."""
        if isinstance(self._newest, RegressionTrace):
            self._show(min(self._step if step is None else step, self._newest.known_steps))

    def close(self) -> None:
        """Let go of the run, for another takes its place; what holds itself would otherwise outlive it."""
        self._events = self._newest = None

    def fail(self, failure: Failure[Spec]) -> None:
        """Let the run be over where it is; it may be resumed."""
        self._rest(failure)

    def end(self) -> None:
        """Let the run be over where it is; it may be resumed."""
        self._events = None
        if self._mailbox.end():
            self._resting = True
            # One word of the end is enough: after it another request may be under way, which a second would end.
            self._mailbox.deliver(Arrival(self.request.generation, None, finished=True))

    def _begin(self) -> Iterator[RunEvent]:
        return self._run(self.request.spec, should_stop=self._should_stop, untrained_first=True)

    def _go_on(self) -> Iterator[RunEvent]:
        """Yield what an ended run has left to say; its way there is gone again unseen, to the same numbers."""
        seen = getattr(self._newest, "step", -1)
        for event in self._begin():
            if isinstance(event, Failure) or getattr(event, "step", 0) > seen:
                yield event

    def _should_stop(self) -> bool:
        on_its_way = self._newest is None or self._step < self.request.from_step
        generation = self.request.generation
        return self._mailbox.displaced(self.request) if on_its_way else self._mailbox.over(generation)

    def _is_late(self) -> bool:
        return time.monotonic() - self.request.asked_at > PATIENCE_S

    def _show(self, step: int) -> None:
        newest = self._newest
        assert isinstance(newest, RegressionTrace)
        at_end = step == newest.known_steps
        event = newest if at_end else self._look_back(newest, step)
        if isinstance(event, Failure):
            self._rest(event)  # at the step on screen: played on, it would fail again and again
            return
        self._step = step
        if at_end and newest.final:
            self._rest(event)
        else:
            self._deliver(event)

    def _rest(self, event: RunEvent) -> None:
        # A run that rests is begun again where it is to go on: suspended, it would hold all that it has made.
        self._events, self._resting = None, True
        self._mailbox.rest(self.request.generation)
        self._deliver(event)

    def _deliver(self, event: RunEvent) -> None:
        if not isinstance(event, Failure) and not (self._mailbox.unseen and event.weights.size <= _FEW):
            event.prepare(self._mailbox.watched)
        self._mailbox.deliver(Arrival(self.request.generation, event, self._resting))
