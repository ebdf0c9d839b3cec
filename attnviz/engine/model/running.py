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
from attnviz.engine.model.changes import Changes
from attnviz.engine.model.layers import array_of, mask_of
from attnviz.engine.model.opened import Opened, Plain
from attnviz.engine.model.recording import Recording, record
from attnviz.experiment.arrays import read_only
from attnviz.experiment.model.measure import Measuring
from attnviz.experiment.model.text import ReadText
from attnviz.experiment.model.trace import Effect
from attnviz.experiment.run import Progress, ShouldStop
from attnviz.log import first_line, note_defect

_LARGE = 16 << 20
"""Weights of a layer with more bytes leave much freed memory behind."""
_LARGE_RUN = 256 << 20
"""So does a run that takes more; for a smaller one, fresh memory costs more time than it is worth."""


def plain_run(held: Opened, special: bool, read: ReadText, progress: Progress, should_stop: ShouldStop) -> Plain | None:
    """Return a model as it is on a text: run before, or now; None if stopped."""
    found = held.plain(read.text, special)
    if found is None:
        found = _recorded(held, read, None, None, progress, should_stop)
        if found is not None:
            held.keep(special, found)
    return found


def changed_run(
    held: Opened, plain: Plain, changes: Changes, progress: Progress, should_stop: ShouldStop
) -> tuple[Plain, Effect] | None:
    """Return a model with interventions, and what they change; None if stopped."""
    moved = np.full((len(plain.recording.shown), max(call.num_heads for call in plain.recording.shown)), np.nan)

    def compare(call: Call, weights: Tensor) -> None:
        before = plain.recording.shown[call.layer]
        for head in range(call.num_heads):
            apart = (weights[head] - before.weights(head)[0]).abs().float().sum(-1).mean() / 2
            moved[call.layer, head] = float(apart)

    found = _recorded(held, plain.read, changes, compare, progress, should_stop)
    if found is None:
        return None
    cosines = torch.ones(len(plain.read))
    before, after = plain.recording.last_hidden, found.recording.last_hidden
    if before is not None and after is not None:
        cosines = torch.cosine_similarity(before.double(), after.double(), dim=-1).cpu()
    return found, Effect(read_only(cosines.double().numpy()), read_only(moved))


def _recorded(
    held: Opened,
    read: ReadText,
    changes: Changes | None,
    further: Callable[[Call, Tensor], None] | None,
    progress: Progress,
    should_stop: ShouldStop,
) -> Plain | None:
    """Return a recorded run with the numbers of its heads; None if stopped."""
    needed = run_bytes(held.loaded.model.config, len(read))
    memory.require(needed, held.device, LESS_MEMORY)
    start = time.perf_counter()
    layers = getattr(held.loaded.model.config, "num_hidden_layers", 0)
    measuring = Measuring(read)
    value_norms: dict[int, NDArray[Any] | None] = {}

    def measure(call: Call, weights: Tensor) -> None:
        if call.kind != "self":
            return
        norms = call.value_norms
        value_norms[call.layer] = None if norms is None else array_of(norms)
        measuring.add(call.layer, array_of(weights), mask_of(call, len(read)), value_norms[call.layer])
        if further is not None:
            further(call, weights)
        if weights.nbytes > _LARGE:
            memory.give_back()
        progress(call.layer + 1, max(layers, call.layer + 1))

    with _telling():
        recording = record(
            held.loaded.model,
            inputs_of(held, read),
            changes,
            on_layer=measure,
            should_stop=should_stop,
            compare=False,
            rows=rows_of(held, read),
        )
    if recording is None:
        return None
    wait_for(held.device)
    _check_finite(recording, held.loaded.model)
    if needed > _LARGE_RUN:
        memory.give_back()
    return Plain(read, recording, measuring.result(), value_norms, (time.perf_counter() - start) * 1e3)


def run_bytes(config: Any, tokens: int) -> int:
    """Return about how many bytes a run takes beside the model: vectors of all layers, cells of one, and its logits."""
    layers, heads, hidden = (
        int(getattr(config, name, usual) or usual)
        for name, usual in (("num_hidden_layers", 1), ("num_attention_heads", 1), ("hidden_size", 1))
    )
    wide = max(hidden, heads * int(getattr(config, "head_dim", None) or 0))
    return 4 * (4 * layers * tokens * wide + 8 * heads * tokens * tokens + int(getattr(config, "vocab_size", 0) or 0))


def inputs_of(held: Opened, read: ReadText) -> dict[str, Tensor]:
    """Return what the model takes."""
    return {"input_ids": torch.tensor([read.ids], device=held.device)}


def predicted_place(held: Opened, read: ReadText) -> int | None:
    """Return the place whose state predicts: the last, or the first masked one; None where nothing is predicted."""
    match held.loaded.head:
        case "next":
            return len(read) - 1
        case "masked" if held.loaded.tokens.mask_id in read.ids:
            return read.ids.index(held.loaded.tokens.mask_id)
    return None


def rows_of(held: Opened, read: ReadText) -> tuple[int, ...]:
    """Return the rows of the logits that are kept."""
    place = predicted_place(held, read)
    return (len(read) - 1 if place is None else place,)


def probabilities(recording: Recording) -> NDArray[np.float64]:
    """Return the probabilities (V,) of the tokens at the first place whose logits were kept."""
    assert recording.logits is not None
    found: NDArray[np.float64] = recording.logits[0].double().softmax(-1).cpu().numpy()
    return found


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
    raise RunError(
        "not_finite", "the model's output is not finite (NaN or infinite); nearest: float32, or fewer interventions"
    )
