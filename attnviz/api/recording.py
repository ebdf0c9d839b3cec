"""The attention of a model of the user's own, recorded in one run."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from attnviz.definitions.counting import LAYERS

Kind = Literal["self", "cross", "decoder"]
Arrays = tuple[NDArray[Any] | None, ...]
"""One array per layer; None where it is not known."""


@dataclass(frozen=True, eq=False)
class Recorded:
    """The attention of every layer, one entry each. B batch items, h heads, g key-value heads, Q queries, K keys.

    ``attnviz.view(recorded, tokens)`` opens the window on it.
    """

    names: tuple[str, ...]
    """The name of the module that computed each layer."""
    layers: tuple[int, ...]
    """The layer's number in the model, counted from 1 as in the head name 3.4; a hybrid model lacks some."""
    weights: tuple[NDArray[Any], ...]
    """(B, h, Q, K), computed by the model."""
    q: Arrays
    """(B, h, Q, d), after rotation and norms."""
    k: Arrays
    """(B, g, K, d)."""
    v: Arrays
    """(B, g, K, e)."""
    mask: Arrays
    """(1 or B, 1 or h, Q, K), True = may attend; None: no mask, or not known."""
    scale: tuple[float | None, ...]
    """The factor of q . k where softmax(q . k scale) under the mask gives the weights; None if there is more to them:
    a bias, a soft cap, a sink, or something unknown."""
    heads: tuple[NDArray[Any], ...]
    """(B, h, Q, e), the outputs of the heads."""
    max_difference: float
    """The largest difference between the weights recomputed from q and k and the model's own; 0 is bit for bit."""
    output_difference: float
    """The largest difference between the recorded output and that of the unmodified model, with its own attention
    implementation and mask; NaN: not comparable."""
    largest_output: float
    """The largest absolute value of the compared output; NaN: not comparable."""
    compared_with: str
    """The model's own attention implementation, such as "sdpa"; "" if the model is not from transformers."""
    padding: int
    """The number of padding positions in the batch, whose outputs are not compared: they differ between implementations
    and have no meaning."""
    beyond_rounding: bool
    """Whether the recorded output differs from the unmodified model's by more than rounding: by more than 1e-4 of the
    largest value in float32, 2e-2 in float16, 1e-1 in bfloat16. Then `attnviz.record` warns."""
    warning: str
    """If beyond rounding, the message with the difference, which `attnviz.view` shows beside the pictures; else ""."""
    complete: bool
    """Whether all attention of the model was recorded."""
    known: tuple[NDArray[np.bool_], ...]
    """(B,), whether q, k and mask give the weights of an item. False for an item of padding only, whose weights may be
    NaN."""
    generated: tuple[int, ...] = ()
    """The tokens that the model continued with. The last one was not read, so it has no row."""

    def __len__(self) -> int:
        return len(self.weights)

    def __repr__(self) -> str:
        shapes = sorted({each.shape for each in self.weights})
        return f"<attnviz.Recorded, {len(self)} layers of {', '.join(map(str, shapes))}>"

    def shown(self) -> dict[str, list[Any]]:
        """Return the arguments of `attnviz.view`, one entry per layer."""
        led = [scale is not None for scale in self.scale]
        q, k = ([x if known else None for x, known in zip(each, led, strict=True)] for each in (self.q, self.k))
        return {"mask": list(self.mask), "q": q, "k": k, "v": list(self.v), "scale": list(self.scale)}


def wrong_inputs(inputs: Any) -> str:
    """Return a message about inputs that hold no tensor, or have keys of an earlier run; empty if they are valid."""
    if isinstance(inputs, Mapping) and inputs.get("past_key_values") is not None:
        return "inputs hold past_key_values, keys that were made in another run; nearest: every token in input_ids"
    if _holds_tensor(inputs):
        return ""
    held = isinstance(inputs, Mapping | list | tuple)
    kind = f"a {type(inputs).__name__} without a tensor" if held else type(inputs).__name__
    return (
        f"inputs must be tensors as the model's tokenizer returns them, not {kind}; "
        'nearest: tokenizer("hello", return_tensors="pt")'
    )


def _holds_tensor(value: Any) -> bool:
    parts = value.values() if isinstance(value, Mapping) else value if isinstance(value, list | tuple) else ()
    return hasattr(value, "detach") or any(map(_holds_tensor, parts))  # without importing torch


class RecordingWarning(RuntimeWarning):
    """The recording by `attnviz.record` is incomplete, or differs from what the model computes."""


def warning_of(recording: Recorded) -> str:
    """Return the text of the warning; empty for none."""
    sentences = []
    if recording.beyond_rounding:
        under = f" under {recording.compared_with}" if recording.compared_with else ""
        sentences.append(
            f"this is not what the model computes: the recorded run differs from the model's own{under} by more than "
            f"rounding, its output by {recording.output_difference:.3g} (largest value {recording.largest_output:.3g})"
        )
    if not recording.complete:
        sentences.append("some attention of this model was not recorded")
    return "; ".join(sentences)


def recorded(model: Any, inputs: Any, kind: Kind, generate: int) -> Recorded:
    """Record the attention of a model; see `attnviz.record`."""
    from attnviz.engine.labs import record

    recording, generated = record(model, inputs, generate)
    calls = [call for call in recording.calls if call.kind == kind]
    held: dict[str, Any] = {
        name: tuple(_stacked(call, name) for call in calls) for name in ("weights", "q", "k", "v", "mask", "heads")
    }
    return Recorded(
        names=tuple(call.name for call in calls),
        layers=tuple(map(LAYERS.number, recording.stacks[kind].numbers)),
        scale=tuple(_scale_of(call) for call in calls),
        max_difference=recording.witness,
        output_difference=recording.comparison.difference,
        largest_output=recording.comparison.largest,
        compared_with=recording.comparison.implementation,
        padding=recording.comparison.padding,
        beyond_rounding=bool(recording.warning),
        warning=str(recording.warning),
        complete=recording.complete,
        known=tuple(np.array(call.items_known) for call in calls),
        generated=generated,
        **held,
    )


def _stacked(call: Any, name: str) -> NDArray[Any] | None:
    """Return one tensor of a call for all batch items, (B, ...); None where it is not known."""
    items = [getattr(call.at(item), name) for item in range(call.batch_size)]
    tensors = [(each() if callable(each) else each).detach() for each in items if each is not None]
    wide = [each.float() if each.is_floating_point() and each.itemsize < 4 else each for each in tensors]
    return np.stack([each.cpu().numpy() for each in wide]) if wide else None


def _scale_of(call: Any) -> float | None:
    plain = any(call.items_known) and call.bias is None and call.scoring.softcap is None and call.scoring.sinks is None
    return float(call.scoring.scale) if plain else None
