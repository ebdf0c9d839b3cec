"""The steps of a training: all runs that share its past share its branches and their checkpoints.

A step depends on its number, the spec and the state before it alone, so any step can be looked at again bit for bit:
from the checkpoint before it, by taking the steps between once more.
"""

from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np
import torch
from torch import Tensor

from attnviz.attention.descent import Descent, DescentState, clip_gradients
from attnviz.attention.transformer import Transformer, next_token_accuracy, next_token_loss
from attnviz.definitions.roles import scores_of
from attnviz.engine.machine import RunError
from attnviz.engine.train.batches import draw_batch
from attnviz.engine.train.model import first_model, one_thread, weights_on
from attnviz.experiment.arrays import read_only
from attnviz.experiment.train.spec import MOST_STEPS, TrainSpec
from attnviz.experiment.train.trace import History

MOST_REPLAYED = 100
"""The most steps between two checkpoints."""
CHECKPOINT_BYTES = 256 << 20
"""How much memory the checkpoints of one training take."""


class Checkpoint(NamedTuple):
    """The state after a step; no tensor is shared with a model."""

    parameters: tuple[Tensor, ...]
    descent: DescentState

    @property
    def nbytes(self) -> int:
        """Its bytes."""
        tensors = (*self.parameters, *self.descent.first, *self.descent.second)
        return sum(each.nbytes for each in tensors)


def is_measured(step: int) -> bool:
    """Return whether the roles of the heads are measured after a step: every fourth, later ever fewer."""
    return step % max(4, 1 << max(0, step.bit_length() - 7)) == 0


@dataclass
class Branch:
    """The steps of one spec of a training."""

    spec: TrainSpec
    loss: list[float] = field(default_factory=list)
    accuracy: list[float] = field(default_factory=list)
    role_steps: list[int] = field(default_factory=list)
    roles: list[np.ndarray] = field(default_factory=list)
    checkpoints: dict[int, Checkpoint] = field(default_factory=dict)

    @property
    def steps(self) -> int:
        """The number of steps taken."""
        return len(self.loss)

    def forked(self, spec: TrainSpec, steps: int) -> "Branch":
        """Return the branch of another spec that shares the first steps."""
        measured = sum(step <= steps for step in self.role_steps)
        kept = {step: each for step, each in self.checkpoints.items() if step <= steps}
        return Branch(
            spec, self.loss[:steps], self.accuracy[:steps], self.role_steps[:measured], self.roles[:measured], kept
        )

    def history(self, steps: int) -> History:
        """Return the history of the first steps."""
        measured = sum(step <= steps for step in self.role_steps)
        shape = (0, self.spec.num_layers, self.spec.num_heads, 0)
        roles = np.stack(self.roles[:measured]) if measured else np.empty(shape)
        return History(
            read_only(np.array(self.loss[:steps], np.float64)),
            read_only(np.array(self.accuracy[:steps], np.float64)),
            read_only(np.array(self.role_steps[:measured], np.int64)),
            read_only(roles),
        )


class Place:
    """A model and its descent at one step of a branch."""

    def __init__(self, spec: TrainSpec, device: torch.device) -> None:
        self.model: Transformer = first_model(spec, device)
        self.parameters = list(self.model.parameters())
        self.descent = Descent(self.parameters, spec.optimizer, spec.learning_rate, spec.momentum, spec.weight_decay)
        self.branch: Branch | None = None
        self.step = 0

    def checkpoint(self) -> Checkpoint:
        """Return the state."""
        return Checkpoint(tuple(each.detach().clone() for each in self.parameters), self.descent.state())

    def restore(self, checkpoint: Checkpoint, branch: Branch, step: int) -> None:
        """Go to a checkpoint of a branch."""
        with torch.no_grad():
            for parameter, values in zip(self.parameters, checkpoint.parameters, strict=True):
                parameter.copy_(values)
        self.descent.restore(checkpoint.descent)
        self.branch, self.step = branch, step

    def take_step(self, spec: TrainSpec, device: torch.device) -> tuple[float, float]:
        """Take a step; return the loss and the accuracy of its batch before it."""
        batch = draw_batch(spec.task.record, spec.knobs, spec.batch_size, spec.seed, self.step)
        tokens, counts = batch.tokens.to(device), batch.counts.to(device)
        with torch.inference_mode(mode=False), torch.enable_grad():
            logits = self.model(tokens)
            loss = next_token_loss(logits, tokens, counts)
            gradients = torch.autograd.grad(loss, self.parameters)
        if spec.clip is not None:
            clip_gradients(gradients, spec.clip)
        self.descent.learning_rate = spec.rate_at(self.step)
        self.descent.step(gradients)
        self.step += 1
        return loss.item(), next_token_accuracy(logits.detach(), tokens, counts).item()


class Training:
    """The branches of one past, with a model at the newest step and one for looking back."""

    def __init__(self, spec: TrainSpec, device: torch.device) -> None:
        self.device = device
        self._here = Place(spec, device)
        self._back: Place | None = None
        self._spacing = 1
        self._first = self._here.checkpoint()
        first = Branch(spec)
        first.checkpoints[0] = self._first
        self._measure(first, self._here)
        self._here.branch = first
        self.branches = [first]

    @property
    def nbytes(self) -> int:
        """The bytes that its checkpoints take."""
        return sum({id(each): each.nbytes for branch in self.branches for each in branch.checkpoints.values()}.values())

    def branch_of(self, spec: TrainSpec) -> Branch:
        """Return the branch of a spec, forked from the one that shares most steps with it if it is new."""
        shared = [(min(branch.spec.shares_steps_with(spec), branch.steps), branch) for branch in self.branches]
        for branch in self.branches:
            if branch.spec.shares_steps_with(spec) >= MOST_STEPS:
                return branch
        steps, nearest = max(shared, key=lambda pair: pair[0])
        self.branches.append(nearest.forked(spec, steps))
        return self.branches[-1]

    def advance(self, branch: Branch) -> None:
        """Take the next step of a branch.

        Raises:
            RunError: its loss or a parameter is not finite; the branch stays as it was.
        """
        with one_thread():
            here = self._here
            if here.branch is not branch or here.step != branch.steps:
                self._go(here, branch, branch.steps)
            loss, accuracy = here.take_step(branch.spec, self.device)
            if not np.isfinite(loss) or not all(bool(each.isfinite().all()) for each in here.parameters):
                here.branch = None
                raise diverged(branch.spec, branch.steps + 1, loss)
            branch.loss.append(loss)
            branch.accuracy.append(accuracy)
            self._measure(branch, here)
            if here.step % self._spacing == 0:
                self._keep(branch, here)

    def model_at(self, branch: Branch, step: int) -> Transformer:
        """Return the model after a step of a branch; it is valid until the next call."""
        if self._here.branch is branch and self._here.step == step:
            return self._here.model
        if self._back is None:
            self._back = Place(branch.spec, self.device)
        with one_thread():
            self._go(self._back, branch, step)
        return self._back.model

    def _go(self, place: Place, branch: Branch, step: int) -> None:
        """Put a model at a step: from where it is, or from the last checkpoint before it."""
        before = max(kept for kept in branch.checkpoints if kept <= step)
        if place.branch is not branch or not before <= place.step <= step:
            place.restore(branch.checkpoints[before], branch, before)
        while place.step < step:
            place.take_step(branch.spec, self.device)

    def _measure(self, branch: Branch, place: Place) -> None:
        if is_measured(place.step):
            probe = branch.spec.task.record.probe(branch.spec.knobs)
            branch.role_steps.append(place.step)
            branch.roles.append(scores_of(weights_on(place.model, probe, self.device), probe, np))

    def _keep(self, branch: Branch, place: Place) -> None:
        branch.checkpoints[place.step] = place.checkpoint()
        while self.nbytes > CHECKPOINT_BYTES and self._spacing < MOST_REPLAYED:
            self._spacing = min(2 * self._spacing, MOST_REPLAYED)
            for each in self.branches:
                each.checkpoints = {step: kept for step, kept in each.checkpoints.items() if step % self._spacing == 0}


def diverged(spec: TrainSpec, step: int, loss: float) -> RunError:
    """Return the error of a training whose numbers are no longer finite after a step."""
    return RunError(
        "diverged",
        f"the training left the finite numbers in step {step} (loss {loss:.4g}); "
        f"a smaller learning rate than {spec.rate_at(step - 1):g} helps",
        step=step,
    )
