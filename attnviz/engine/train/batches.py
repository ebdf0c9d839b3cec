"""The batches of a training: each depends only on the task's options, the seed and the step."""

from collections.abc import Iterator
from typing import NamedTuple

import torch
from torch import Tensor

from attnviz.definitions.tasks.task import Integers, Knobs, Task

HELD_OUT = -1
"""The step of the test batch: held-out sequences if there are any, else newly drawn ones."""

_AT_ONCE = 4096  # drawing one number takes as long as hundreds


class Batch(NamedTuple):
    """Sequences of a task. B batch, T tokens."""

    tokens: Tensor
    """(B, T), int64."""
    counts: Tensor
    """(B, T) booleans: whether the next token is in the sequence and predictable."""


def generator_of(seed: int, step: int) -> torch.Generator:
    """Return the random generator of one training step.

    Torch's generator on the CPU uses only the lower 32 bits of its seed, so both numbers are mixed into these.
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
    """Return the batch of a step, on the CPU; the options must satisfy the task's rules."""
    integers = integers_from(generator_of(seed, step))
    sequences = [task.drawn(knobs, integers, held_out=step == HELD_OUT) for _ in range(batch_size)]
    counts = [task.counts(knobs, sequence) for sequence in sequences]
    return Batch(torch.tensor(sequences, device="cpu"), torch.tensor(counts, device="cpu"))
