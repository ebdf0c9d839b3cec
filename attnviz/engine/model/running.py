"""Running an open model on a text: as it is, or with interventions, with the numbers of its heads."""

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from attnviz.engine import memory
from attnviz.engine.machine import RunError, wait_for
from attnviz.engine.model import LESS_MEMORY
from attnviz.engine.model.calls import Call
from attnviz.engine.model.changes import NO_CHANGES, Changes
from attnviz.engine.model.layers import array_of, mask_of
from attnviz.engine.model.opened import Opened, Ran
from attnviz.engine.model.recording import Recording, record
from attnviz.experiment.arrays import read_only
from attnviz.experiment.model.measure import Measuring
from attnviz.experiment.model.text import ReadText
from attnviz.experiment.model.trace import Effect
from attnviz.experiment.run import Progress, ShouldStop
from attnviz.log import first_line, note_defect

_MOST_KEPT = 256 << 20
"""Bytes of recordings without interventions that stay beside the newest two: of the text, and of text B."""
_LARGE = 16 << 20
"""Weights of a layer with more bytes leave much freed memory behind."""

OnShown = Callable[[Call, Tensor], None]
"""Gets a call of self-attention and its weights (h, T, T)."""


def plain_run(held: Opened, read: ReadText, progress: Progress, should_stop: ShouldStop) -> Ran | None:
    """Return a model as it is on a text: run before, or now; None if stopped."""
    key = read.text, read.ids
    found = held.plain.pop(key, None) or _ran(held, read, NO_CHANGES, lambda *_: None, progress, should_stop)
    if found is not None:
        held.plain[key] = found
        while len(held.plain) > 2 and sum(each.recording.nbytes for each in held.plain.values()) > _MOST_KEPT:
            del held.plain[next(iter(held.plain))]
    return found


def changed_run(
    held: Opened, plain: Ran, changes: Changes, progress: Progress, should_stop: ShouldStop
) -> tuple[Ran, Effect] | None:
    """Return a model with interventions, and what they change; None if stopped."""
    moved = np.full(plain.shape, np.nan)

    def compare(call: Call, weights: Tensor) -> None:
        before = plain.recording.shown[call.layer]
        for head in range(call.num_heads):
            apart = (weights[head] - before.weights(head)[0]).abs().float().sum(-1).mean() / 2
            moved[call.layer, head] = float(apart)

    found = _ran(held, plain.read, changes, compare, progress, should_stop)
    if found is None:
        return None
    cosines = torch.ones(len(plain.read), dtype=torch.float64)
    before, after = plain.recording.last_hidden, found.recording.last_hidden
    if before is not None and after is not None:
        cosines = torch.cosine_similarity(before.double(), after.double(), dim=-1).cpu()
    return found, Effect(read_only(cosines.numpy()), read_only(moved))


def _ran(
    held: Opened, read: ReadText, changes: Changes, on_shown: OnShown, progress: Progress, should_stop: ShouldStop
) -> Ran | None:
    """Return a recorded run with the numbers of its heads; None if stopped."""
    model = held.loaded.model
    memory.require(run_bytes(model.config, len(read)), held.device, LESS_MEMORY)
    start = time.perf_counter()
    layers = getattr(model.config, "num_hidden_layers", 0)
    measuring = Measuring(read)
    value_norms: dict[int, NDArray[Any] | None] = {}

    def measure(call: Call, weights: Tensor) -> None:
        if call.kind != "self":
            return
        norms = call.value_norms
        value_norms[call.layer] = None if norms is None else array_of(norms)
        measuring.add(call.layer, array_of(weights), mask_of(call, len(read)), value_norms[call.layer])
        on_shown(call, weights)
        if weights.nbytes > _LARGE:
            memory.give_back()
        progress(call.layer + 1, max(layers, call.layer + 1))

    asked = held.asked(read)
    with _telling():
        recording = record(model, **asked, changes=changes, on_layer=measure, should_stop=should_stop, compare=False)
    if recording is None:
        return None
    wait_for(held.device)
    _check_finite(recording, model)
    memory.give_back()
    milliseconds = (time.perf_counter() - start) * 1e3
    return Ran(read, recording, measuring.result(), value_norms, milliseconds, held.predicted_place(read))


def run_bytes(config: Any, tokens: int) -> int:
    """Return about how many bytes a run takes beside the model: vectors of all layers, cells of one, and its logits."""
    names = ("num_hidden_layers", "num_attention_heads", "hidden_size", "head_dim", "vocab_size")
    layers, heads, hidden, of_head, words = (int(getattr(config, name, None) or 1) for name in names)
    return 4 * (4 * layers * tokens * max(hidden, heads * of_head) + 8 * heads * tokens * tokens + words)


@contextmanager
def _telling() -> Iterator[None]:
    """Make one sentence of what the code of a model raises where its configuration misleads it."""
    try:
        yield
    except (LookupError, TypeError, AttributeError, ArithmeticError, AssertionError) as error:
        note_defect("the code of a model failed", error)
        sentence = "the model's own code failed on this text: {why}; its folder may not belong together"
        raise RunError("model_failed", sentence, why=f"{type(error).__name__}: {first_line(error)}") from error


def _check_finite(recording: Recording, model: Any) -> None:
    """Check what the model puts out, and name the weight that is to blame if one is no number."""
    if all(found is None or torch.isfinite(found).all() for found in (recording.logits, recording.last_hidden)):
        return
    for name, weight in model.named_parameters():
        if not torch.isfinite(weight).all():
            sentence = "the weight {name} holds numbers that are not finite (NaN or infinite); choose another folder"
            raise RunError("weights_not_finite", sentence, name=name)
    sentence = "the model's output is not finite (NaN or infinite); nearest: float32, or fewer interventions"
    raise RunError("not_finite", sentence)
