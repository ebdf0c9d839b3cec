"""The batches of a training: each depends on the task's knobs, the seed and the step alone."""

from collections.abc import Iterator
from typing import NamedTuple

import torch
from torch import Tensor

from attnviz.definitions.tasks.task import Integers, Knobs, Task

HELD_OUT = -1
"""The step of a batch to test on: of sequences that are held out, if any are, and else of fresh draws."""

_AT_ONCE = 4096  # a number drawn alone takes as long as hundreds of them


class Batch(NamedTuple):
    """Sequences of a task. B batch, T tokens."""

    tokens: Tensor
    """(B, T), int64."""
    counts: Tensor
    """(B, T) booleans: whether the next token is in the sequence and can be known."""


def generator_of(seed: int, step: int) -> torch.Generator:
    """Return the generator of one step of a training.

    Torch's generator on the CPU reads the lower 32 bits of its seed only, so both numbers are mixed into these.
    """
    return torch.Generator("cpu").manual_seed((seed * 1_000_003 + step) % 2**32)


def integers_from(generator: torch.Generator) -> Integers:
    """Return the source of integers that a task draws from: low <= number < high."""

    def numbers() -> Iterator[int]:
        while True:
            yield from torch.randint(2**62, (_AT_ONCE,), generator=generator, device="cpu").tolist()

    drawn = numbers()
    return lambda low, high: low + next(drawn) % (high - low)


def draw_batch(task: Task, knobs: Knobs, batch_size: int, seed: int, step: int) -> Batch:
    """Return the batch of a step, on the CPU; the task's rules must be kept."""
    integers = integers_from(generator_of(seed, step))
    sequences = [task.drawn(knobs, integers, held_out=step == HELD_OUT) for _ in range(batch_size)]
    counts = [task.counts(knobs, sequence) for sequence in sequences]
    return Batch(torch.tensor(sequences, device="cpu"), torch.tensor(counts, device="cpu"))
