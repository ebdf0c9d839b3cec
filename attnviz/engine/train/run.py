"""The run of the training lab: one step after the other; each can be revisited and shared with other runs."""

import time
from dataclasses import replace

import torch

from attnviz.attention.transformer import Transformer
from attnviz.definitions.text import Refused
from attnviz.engine import memory
from attnviz.engine.machine import choose, one_thread, wait_for
from attnviz.engine.train import LESS_MEMORY
from attnviz.engine.train.checkpoints import CHECKPOINT_BYTES
from attnviz.engine.train.model import trace_of
from attnviz.engine.train.training import Branch, Training
from attnviz.experiment.run import Cursor, Progress, ShouldStop
from attnviz.experiment.train.spec import TrainSpec
from attnviz.experiment.train.trace import TrainTrace
from attnviz.experiment.train.trained import MOST_BYTES, TrainedState, state_bytes

_AT_REST = 8 << 20
"""The bytes attributed to a suspended training: the history is in memory, the states are in a file."""


def train_bytes(spec: TrainSpec) -> int:
    """Return the peak bytes of a training, a trace and its colours included.

    Shape letters: B batch, T tokens, D hidden, h heads, V vocabulary.
    """
    B, T, D, V = spec.batch_size, spec.num_tokens, spec.num_hiddens, spec.vocab_size
    wider = 8 if spec.feed_forward else 0
    parameters = 2 * V * D + T * D + spec.num_layers * (4 + wider) * D * D
    # Kept for the backward pass in each layer: the stream and its derived tensors, scores and weights with their masks.
    of_layer = B * T * D * (20 + 2 * wider) + 5 * B * spec.num_heads * T * T
    sequences = spec.num_layers * of_layer + 4 * B * T * V
    # Two models with gradients and Adam's moments; a state while it is copied, and the trace's parameters.
    item = 4 if spec.dtype == "float32" else 8
    return item * (12 * parameters + sequences) + CHECKPOINT_BYTES


class TrainRun:
    """A training; its cursors are the steps taken so far."""

    def __init__(self, spec: TrainSpec, past: "TrainRun | None", progress: Progress) -> None:
        self.spec = spec
        self.training: Training | None = None if past is None else past.training
        self._branch: Branch | None = None
        self._carried: TrainedState | None = None
        self._progress = progress
        self._steps = 0
        self._seconds = 0.0  # the duration of the last step

    @property
    def known(self) -> Cursor | None:
        """The last cursor that can be shown."""
        return None if self._branch is None else Cursor(step=self._steps)

    @property
    def final(self) -> bool:
        """Whether its last step was taken."""
        return self._branch is not None and self._steps == self.spec.steps

    @property
    def nbytes(self) -> int:
        """The approximate bytes it holds while suspended."""
        return _AT_REST

    def advance(self, should_stop: ShouldStop) -> bool:
        """Prepare the model, or take a step; return False if stopped before.

        Raises:
            RunError: the device or the memory is insufficient, or the training diverges.
        """
        if self.final or should_stop():
            return False
        start = time.perf_counter()
        if self._branch is None:
            self._begin()
            return True
        assert self.training is not None
        if self._branch.steps == self._steps:
            self.training.advance(self._branch)
            wait_for(self.training.device)
        self._steps += 1
        self._progress(self._steps, self.spec.steps)
        self._seconds = time.perf_counter() - start
        return True

    def at(self, cursor: Cursor) -> TrainTrace:
        """Return the trace of a step; see `attnviz.experiment.run.Run`.

        Raises:
            ValueError: the step has not been taken.
        """
        step = self._steps if cursor.step is None else cursor.step
        if self._branch is None or self.training is None or not 0 <= step <= self._steps:
            raise Refused("step {step} must be in 0..{steps}", step=step, steps=self._steps)
        model = self.training.model_at(self._branch, step)
        with one_thread():
            history = self._branch.history(self._steps)
            return trace_of(self.spec, model, step, history, self.training.device, self._seconds)

    def carry(self, trained: TrainedState) -> None:
        """Resume from carried states of the same training; call it before the first step."""
        self._carried = trained

    def carried(self, cursor: Cursor) -> TrainedState | None:
        """Return the states at the newest step and, if there is room, at a cursor; None before the first step.

        Raises:
            ValueError: they are too large to be stored.
        """
        if self._branch is None or self.training is None or self._steps == 0:
            return None
        steps = {self._steps, min(cursor.step or self._steps, self._steps)}
        if len(steps) * state_bytes(self.spec) > MOST_BYTES:
            steps = {self._steps}
        return self.training.carried(self._branch, steps)

    def near(self, cursor: Cursor) -> Cursor:
        """Return a cursor on the way to an earlier one, or that one itself if it can be restored in a moment."""
        if self._branch is None or self.training is None or cursor.step is None:
            return cursor
        return replace(cursor, step=self.training.near(self._branch, cursor.step))

    def rest(self) -> None:
        """Release as much memory as possible until the next call."""
        if self.training is not None:
            self.training.rest()

    def model_at(self, step: int) -> tuple[Transformer, torch.device]:
        """Return the model after an earlier step, and its device; valid until the run continues."""
        assert self._branch is not None
        assert self.training is not None
        return self.training.model_at(self._branch, step), self.training.device

    def _begin(self) -> None:
        if self.training is None:
            device = choose(self.spec.device)
            memory.require(train_bytes(self.spec), device, LESS_MEMORY)
            with one_thread():
                self.training = Training(self.spec, device)
        branch = self.training.branch_of(self.spec)
        if self._carried is not None:
            self.training.carry(branch, self._carried)
            self._carried = None
        self._branch = branch
        self._steps = min(branch.steps, self.spec.steps)
