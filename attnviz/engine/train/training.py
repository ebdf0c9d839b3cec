"""The steps of a training: runs that share its past share its branches and their checkpoints.

A step depends only on its number, the spec and the state before it, so any step can be revisited: from the checkpoint
before it, by repeating the steps between. On the CPU that gives the same numbers bit for bit.
"""

from collections.abc import Collection, Sequence
from itertools import accumulate
from typing import Final

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from attnviz.attention.descent import Descent, DescentState, clip_gradients
from attnviz.attention.transformer import Transformer, next_token_accuracy, next_token_loss
from attnviz.engine.growing import Growing
from attnviz.engine.machine import RunError, one_thread
from attnviz.engine.train.batches import draw_batch
from attnviz.engine.train.checkpoints import CHECKPOINT_BYTES, Checkpoint, Checkpoints
from attnviz.engine.train.model import first_model, roles_of
from attnviz.experiment.train.roles import RoleScores
from attnviz.experiment.train.spec import MOST_STEPS, TrainSpec
from attnviz.experiment.train.trace import History
from attnviz.experiment.train.trained import TrainedState

SPACINGS: Final = (4, 8, 16, 32, 96)
"""The steps from one checkpoint to the next, wider the more there are; each divides the one after it."""
_ON_THE_WAY = 16
"""The interval of steps shown while many are repeated."""
_LARGE_PARAMETER = 10.0
"""A parameter beyond this is rare unless the training diverges."""


def is_measured(step: int) -> bool:
    """Return whether the roles of the heads are measured after a step: every fourth, later ever fewer."""
    return step % max(4, 1 << max(0, step.bit_length() - 7)) == 0


class Branch:
    """The steps of one spec of a training. n steps, m measured steps, L layers, h heads, R roles."""

    def __init__(self, spec: TrainSpec) -> None:
        self.spec = spec
        self.loss = Growing(np.empty(0))
        """(n,)."""
        self.accuracy = Growing(np.empty(0))
        """(n,)."""
        self.role_steps = Growing(np.empty(0, np.int64))
        """(m,)."""
        heads = spec.num_layers, spec.num_heads
        self.roles = Growing(np.empty((0, *heads, len(spec.roles))))
        """(m, L, h, R)."""
        self.role_lowest = Growing(np.empty((0, *heads, len(spec.roles))))
        """(m, L, h, R)."""
        self.role_distances = Growing(np.empty((0, *heads), np.int64))
        """(m, L, h)."""
        self.on_probe = False
        """Whether its roles were read from an older session, which measured them on the task's own probe alone."""
        self.checkpoints: dict[int, Checkpoint] = {}
        """By step; that of step 0 is always there."""
        self.carried = 0
        """Up to which step its history was read from a session."""

    @property
    def steps(self) -> int:
        """The number of steps taken."""
        return len(self.loss)

    @property
    def nbytes(self) -> int:
        """The approximate bytes of its history."""
        heads = self.spec.num_layers * self.spec.num_heads
        return 16 * self.steps + 8 * len(self.roles) * (1 + heads * (1 + 2 * len(self.spec.roles)))

    def forked(self, spec: TrainSpec, steps: int) -> "Branch":
        """Return the branch of another spec that shares the first steps."""
        branch = Branch(spec)
        measured = self._measured(steps)
        branch.loss, branch.accuracy = self.loss.copy(steps), self.accuracy.copy(steps)
        branch.role_steps, branch.roles = self.role_steps.copy(measured), self.roles.copy(measured)
        branch.role_lowest = self.role_lowest.copy(measured)
        branch.role_distances = self.role_distances.copy(measured)
        branch.on_probe = self.on_probe
        branch.checkpoints = {step: each for step, each in self.checkpoints.items() if step <= steps}
        branch.carried = min(self.carried, steps)
        return branch

    def reachable(self, steps: int) -> int:
        """Return up to which step another branch can share its first steps and continue in a moment.

        If the nearest carried state is far away, the steps before it are better taken as steps of that branch:
        they can be watched and stopped.
        """
        before = max(step for step in self.checkpoints if step <= steps)
        return steps if steps - before <= SPACINGS[-1] else before

    def history(self, steps: int) -> History:
        """Return the history of the first steps."""
        measured = self._measured(steps)
        return History(
            self.loss.first(steps),
            self.accuracy.first(steps),
            self.role_steps.first(measured),
            self.roles.first(measured),
            self.role_lowest.first(measured),
            self.role_distances.first(measured),
            self.on_probe,
            min(self.carried, steps),
        )

    def measure(self, step: int, measured: RoleScores) -> None:
        """Add the roles of the heads after a step; drop values of another measure, since a curve has one measure."""
        if self.on_probe:
            new = Branch(self.spec)
            self.role_steps, self.roles, self.on_probe = new.role_steps, new.roles, False
            self.role_lowest, self.role_distances = new.role_lowest, new.role_distances
        self.role_steps.append(step)
        self.roles.append(measured.scores)
        self.role_lowest.append(measured.lowest)
        self.role_distances.append(measured.distances)

    def _measured(self, steps: int) -> int:
        return int(np.searchsorted(self.role_steps.first(len(self.role_steps)), steps, side="right"))


class ModelState:
    """A model and its optimiser at one step of a branch."""

    def __init__(self, spec: TrainSpec, device: torch.device) -> None:
        with torch.inference_mode(mode=False):
            self.model: Transformer = first_model(spec, device)
        self.parameters = list(self.model.parameters())
        self.descent = Descent(self.parameters, spec.optimizer, spec.learning_rate, spec.momentum, spec.weight_decay)
        self.branch: Branch | None = None
        """None if its state is that of no branch."""
        self.step = 0
        self._device = device

    @property
    def nbytes(self) -> int:
        """The bytes of its parameters."""
        return sum(each.nbytes for each in self.parameters)

    def is_at(self, branch: Branch, step: int) -> bool:
        """Return whether its state is the one after a step of a branch."""
        return self.branch is branch and self.step == step

    def values(self) -> NDArray[np.floating]:
        """Return its state as one row of numbers: the parameters, then the optimiser's state."""
        state = self.descent.state()
        tensors = (*self.parameters, *state.first, *state.second)
        return torch.cat([each.detach().reshape(-1) for each in tensors]).cpu().numpy()

    def restore(self, values: NDArray[np.floating], branch: Branch, step: int) -> None:
        """Go to the state after a step of a branch."""
        self.branch = None
        numbers = torch.tensor(values)  # a copy, since arrays from a file may be read-only
        shapes = [each.shape for each in self.parameters]
        parts = [_cut(row, shapes) for row in numbers.view(-1, sum(shape.numel() for shape in shapes))]
        with torch.inference_mode(mode=False), torch.no_grad():
            for parameter, part in zip(self.parameters, parts[0], strict=True):
                parameter.copy_(part)
            first, second = ([each.to(self._device) for each in part] for part in (*parts[1:], (), ())[:2])
            self.descent.restore(DescentState(step, tuple(first), tuple(second)))
        self.branch, self.step = branch, step

    def take_step(self) -> tuple[float, float]:
        """Take a step of its branch; return the loss and the accuracy of its batch before it."""
        branch, self.branch = self.branch, None  # until the step is complete
        assert branch is not None
        spec = branch.spec
        with torch.inference_mode(mode=False):
            batch = draw_batch(spec.task.record, spec.knobs, spec.batch_size, spec.seed, self.step)
            tokens, counts = batch.tokens.to(self._device), batch.counts.to(self._device)
            with torch.enable_grad():
                logits = self.model(tokens)
                loss = next_token_loss(logits, tokens, counts)
                gradients = torch.autograd.grad(loss, self.parameters)
            if spec.clip is not None:
                clip_gradients(gradients, spec.clip)
            self.descent.learning_rate = spec.rate_at(self.step)
            self.descent.step(gradients)
            metrics = loss.item(), next_token_accuracy(logits.detach(), tokens, counts).item()
        self.branch, self.step = branch, self.step + 1
        return metrics

    def is_finite(self, probe: Sequence[int]) -> bool:
        """Return whether all parameters, and the model's prediction for a sequence, are finite.

        Products of finite parameters may overflow; for small ones the prediction, which takes time, is skipped.
        """
        with torch.no_grad():
            largest = torch.cat([each.reshape(-1) for each in self.parameters]).abs().max()
            # The maximum of numbers with a NaN is NaN.
            if largest <= _LARGE_PARAMETER or not largest.isfinite():
                return bool(largest.isfinite())
            logits = self.model(torch.tensor([tuple(probe)], device=self._device))
            return bool(logits.isfinite().all())


class Training:
    """The branches of one past, with one model at the newest step and one for earlier steps."""

    def __init__(self, spec: TrainSpec, device: torch.device) -> None:
        self.device = device
        self._probe = spec.own_probe
        self._here: ModelState | None = ModelState(spec, device)
        self._back: ModelState | None = None
        self._store = Checkpoints(3 * self._here.nbytes)
        self._spacing = SPACINGS[0]
        first = Branch(spec)
        first.checkpoints[0] = self._store.keep(self._here.values())
        self._here.branch = first
        self._measure(first, self._here)
        self.branches = [first]

    @property
    def nbytes(self) -> int:
        """The bytes of memory of its checkpoints, models and histories."""
        states = sum(3 * state.nbytes for state in (self._here, self._back) if state is not None)
        return self._store.nbytes + states + sum(branch.nbytes for branch in self.branches)

    @property
    def checkpoint_bytes(self) -> int:
        """The bytes of memory of its checkpoints."""
        return self._store.nbytes

    @property
    def file_bytes(self) -> int:
        """The bytes of its checkpoint file."""
        return self._store.file_bytes

    def branch_of(self, spec: TrainSpec) -> Branch:
        """Return the branch of a spec; a new one is forked from the branch that shares most steps with it."""
        for branch in self.branches:
            if branch.spec.shares_steps_with(spec) >= MOST_STEPS:
                return branch
        shared = [branch.reachable(min(branch.spec.shares_steps_with(spec), branch.steps)) for branch in self.branches]
        nearest = int(np.argmax(shared))
        self.branches.append(self.branches[nearest].forked(spec, shared[nearest]))
        return self.branches[-1]

    def carry(self, branch: Branch, trained: TrainedState) -> None:
        """Let a branch resume from carried states, unless it has got as far.

        Raises:
            RunError: a state's prediction is not finite; the branch stays unchanged.
        """
        if branch.steps >= trained.step:
            return
        self._check_finite(branch, trained)
        history = trained.history
        branch.carried = trained.step
        branch.loss, branch.accuracy = Growing(history.loss), Growing(history.accuracy)
        branch.role_steps, branch.roles = Growing(history.role_steps), Growing(history.roles)
        branch.role_lowest, branch.role_distances = Growing(history.role_lowest), Growing(history.role_distances)
        branch.on_probe = history.on_probe
        for step, values in trained.states():
            branch.checkpoints[step] = kept = self._store.keep(values)
            kept.stays = True

    def _check_finite(self, branch: Branch, trained: TrainedState) -> None:
        """Set the newest model to each of the carried states, ending with the newest, where it resumes."""
        self._here = here = self._here or ModelState(branch.spec, self.device)
        self._keep_before_leaving(here)
        for step, values in trained.states():
            with one_thread():
                here.restore(values, branch, step)
                if here.is_finite(self._probe):
                    continue
            here.branch = None
            raise RunError(
                "carried_not_finite",
                "the session's trained model predicts no finite number after step {step}: the file was "
                "modified; train it anew",
                step=step,
            )

    def carried(self, branch: Branch, steps: Collection[int]) -> TrainedState:
        """Return the states after some steps of a branch, with the history up to the newest.

        Raises:
            ValueError: they are too large to be stored.
        """
        with one_thread():
            states = {step: self._state_at(branch, step).values() for step in steps}
        return TrainedState.of(branch.spec, states, branch.history(max(steps)))

    def near(self, branch: Branch, step: int) -> int:
        """Return a step on the way to an earlier one, or that step itself if it can be restored in a moment."""
        if self._here is not None and self._here.is_at(branch, step):
            return step
        before = max(kept for kept in branch.checkpoints if kept <= step)
        if self._back is not None and self._back.branch is branch and before < self._back.step <= step:
            before = self._back.step
        return step if step - before <= SPACINGS[-1] else before + _ON_THE_WAY

    def advance(self, branch: Branch) -> None:
        """Take the next step of a branch.

        Raises:
            RunError: its loss, a parameter or the next prediction is not finite; the branch stays unchanged.
        """
        with one_thread():
            here = self._newest(branch)
            loss, accuracy = here.take_step()
            if not (np.isfinite(loss) and here.is_finite(self._probe)):
                here.branch = None
                raise diverged(branch, branch.steps + 1, loss)
            self._measure(branch, here)
            branch.loss.append(loss)
            branch.accuracy.append(accuracy)
            if here.step % self._spacing == 0:
                self._keep(branch, here)

    def model_at(self, branch: Branch, step: int) -> Transformer:
        """Return the model after a step of a branch; it is valid until the next call."""
        with one_thread():
            return self._state_at(branch, step).model

    def rest(self) -> None:
        """Release as much memory as the disk allows until the next call."""
        if self._here is not None:
            self._keep_before_leaving(self._here)
        self._here = self._back = None
        self._store.move_all()

    def _state_at(self, branch: Branch, step: int) -> ModelState:
        """Return a model at an earlier step of a branch."""
        if self._here is not None and self._here.is_at(branch, step):
            return self._here
        if step == branch.steps:
            return self._newest(branch)
        if self._back is None:
            self._back = ModelState(branch.spec, self.device)
        self._go(self._back, branch, step)
        return self._back

    def _newest(self, branch: Branch) -> ModelState:
        """Return a model at the newest step of a branch."""
        if self._here is None:
            self._here = ModelState(branch.spec, self.device)
        if self._here.branch is not branch:
            self._keep_before_leaving(self._here)
        self._go(self._here, branch, branch.steps)
        return self._here

    def _keep_before_leaving(self, here: ModelState) -> None:
        """Keep the newest step of a branch, so that continuing there repeats no step."""
        if here.branch is not None and here.step not in here.branch.checkpoints:
            self._keep(here.branch, here)

    def _go(self, state: ModelState, branch: Branch, step: int) -> None:
        """Move a model to a step: from where it is, or from the last checkpoint before it.

        Raises:
            RunError: from a state stored in a session, the steps lead to numbers that are not finite.
        """
        before = max(kept for kept in branch.checkpoints if kept <= step)
        if state.branch is not branch or not before <= state.step <= step:
            state.restore(self._store.values_of(branch.checkpoints[before]), branch, before)
        while state.step < step:
            loss, _ = state.take_step()
            if not np.isfinite(loss) or (state.step == step and not state.is_finite(self._probe)):
                state.branch = None
                raise diverged(branch, state.step, loss)
            if state.step % self._spacing == 0 and state.step not in branch.checkpoints:
                self._keep(branch, state)  # before a carried state there are none yet

    def _measure(self, branch: Branch, state: ModelState) -> None:
        if is_measured(state.step):
            branch.measure(state.step, roles_of(branch.spec, state.model, self.device))

    def _keep(self, branch: Branch, state: ModelState) -> None:
        """Keep a checkpoint: the more there are, the wider their spacing; then the oldest go to a file."""
        branch.checkpoints[state.step] = self._store.keep(state.values())
        while self._store.nbytes > CHECKPOINT_BYTES and self._spacing <= MOST_STEPS:
            # If the disk is full as well, the spacing grows beyond the widest, and going back takes longer.
            if self._spacing == SPACINGS[-1] and self._store.move_oldest():
                continue
            wider = [each for each in SPACINGS if each > self._spacing]
            self._spacing = wider[0] if wider else 2 * self._spacing
            for each in self.branches:
                kept = each.checkpoints.items()
                each.checkpoints = {step: one for step, one in kept if one.stays or step % self._spacing == 0}
            self._store.forget_all_but([one for each in self.branches for one in each.checkpoints.values()])


def diverged(branch: Branch, step: int, loss: float) -> RunError:
    """Return the error of a training whose numbers are not finite after a step."""
    rate = branch.spec.rate_at(step - 1)
    values = {"step": step, "loss": loss, "rate": rate}
    if branch.carried:
        return RunError(
            "diverged",
            "training diverged at step {step} (loss {loss:.4g}) after resuming from the session's "
            "model; train it anew, or with a learning rate below {rate:g}",
            **values,
        )
    return RunError(
        "diverged", "training diverged at step {step} (loss {loss:.4g}); try a learning rate below {rate:g}", **values
    )


def _cut(row: Tensor, shapes: Sequence[torch.Size]) -> list[Tensor]:
    """Return tensors of these shapes from consecutive parts of a row."""
    parts = row.tensor_split(list(accumulate(shape.numel() for shape in shapes))[:-1])
    return [part.view(shape) for part, shape in zip(parts, shapes, strict=True)]
