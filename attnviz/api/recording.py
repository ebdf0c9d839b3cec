"""What the attention of a model did in one run, for people who have the model loaded."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from attnviz.definitions.counting import LAYERS

Kind = Literal["self", "cross", "decoder"]
Arrays = tuple[NDArray[Any] | None, ...]
"""One for each layer; None where it is not known."""


@dataclass(frozen=True, eq=False)
class Recorded:
    """The attention of every layer, one entry each. B batch items, h heads, g key-value heads, Q queries, K keys.

    ``attnviz.view(recorded, tokens)`` opens the window on it.
    """

    names: tuple[str, ...]
    """The path of the module that computed it."""
    layers: tuple[int, ...]
    """The number of the layer in the model, counted from 1 as in the name 3.4 of a head; a hybrid lacks some."""
    weights: tuple[NDArray[Any], ...]
    """(B, h, Q, K), the model's own."""
    q: Arrays
    """(B, h, Q, d), after rotation and norms."""
    k: Arrays
    """(B, g, K, d)."""
    v: Arrays
    """(B, g, K, e)."""
    mask: Arrays
    """(1 or B, 1 or h, Q, K), True = may attend; None: all, or not known."""
    scale: tuple[float | None, ...]
    """What q . k is multiplied by, where softmax(q . k scale) under the mask is the weights; None where there is more:
    a bias, a soft cap, a sink, or what is not known."""
    heads: tuple[NDArray[Any], ...]
    """(B, h, Q, e), the outputs of the heads."""
    max_difference: float
    """The largest difference of the weights made of q and k from the model's own function; 0 is bit for bit."""
    output_difference: float
    """The largest difference of the output from that of the model as it was handed over, under its own implementation
    of attention and with its own mask; NaN: not comparable."""
    largest_output: float
    """The largest absolute value of the output that was compared; NaN: not comparable."""
    compared_with: str
    """The model's own implementation of attention, such as "sdpa"; "" if the model is not one of transformers."""
    padding: int
    """The number of positions of all batch items whose output was not compared because they are padding. Padding has
    other outputs under each implementation, and no meaning."""
    beyond_rounding: bool
    """Whether the run differs from the model as it was handed over by more than rounding: by more than 1e-4 of the
    largest value in float32, 2e-2 in float16, 1e-1 in bfloat16. Then `attnviz.record` warns."""
    warning: str
    """Then this says what differs and by how much, and `attnviz.view` marks the pictures with it; else it is ""."""
    complete: bool
    """Whether all attention of the model was seen."""
    known: tuple[NDArray[np.bool_], ...]
    """(B,), whether the weights of an item are those of q, k and mask. An item that is padding alone is not known: its
    weights may be NaN."""

    def __len__(self) -> int:
        return len(self.weights)

    def __repr__(self) -> str:
        shapes = sorted({each.shape for each in self.weights})
        return f"<attnviz.Recorded, {len(self)} layers of {', '.join(map(str, shapes))}>"

    def shown(self) -> dict[str, list[Any]]:
        """Return the arguments of `attnviz.view`, one entry for each layer."""
        led = [scale is not None for scale in self.scale]
        q, k = ([x if known else None for x, known in zip(each, led, strict=True)] for each in (self.q, self.k))
        return {"mask": list(self.mask), "q": q, "k": k, "v": list(self.v), "scale": list(self.scale)}


def wrong_inputs(inputs: Any) -> str:
    """Return a sentence about inputs that hold no tensor, or keys of an earlier run; empty if they are right."""
    if isinstance(inputs, Mapping) and inputs.get("past_key_values") is not None:
        return "inputs hold past_key_values, keys that were made in another run; nearest: every token in input_ids"
    if _holds_tensor(inputs):
        return ""
    held = isinstance(inputs, Mapping | list | tuple)
    what = f"a {type(inputs).__name__} without a tensor" if held else type(inputs).__name__
    return (
        f"inputs must be tensors as the model's tokenizer returns them, not {what}; "
        'nearest: tokenizer("hello", return_tensors="pt")'
    )


def _holds_tensor(value: Any) -> bool:
    parts = value.values() if isinstance(value, Mapping) else value if isinstance(value, list | tuple) else ()
    return hasattr(value, "detach") or any(map(_holds_tensor, parts))  # torch is not imported here


class RecordingWarning(RuntimeWarning):
    """What `attnviz.record` returns is not all that the model computes, or not what it computes."""


def warning_of(found: Recorded) -> str:
    """Return what is to be warned of; empty if nothing is."""
    sentences = []
    if found.beyond_rounding:
        under = f" under {found.compared_with}" if found.compared_with else ""
        sentences.append(
            f"this is not what the model computes: the recorded run differs from the model's own{under} by more than "
            f"rounding, its output by {found.output_difference:.3g} (largest value {found.largest_output:.3g})"
        )
    if not found.complete:
        sentences.append("some attention of this model was not recorded")
    return "; ".join(sentences)


def recorded(model: Any, inputs: Any, kind: Kind) -> Recorded:
    """Return what the attention of a model did; see `attnviz.record`."""
    from attnviz.engine.labs import record

    recording = record(model, inputs)
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
        **held,
    )


def _stacked(call: Any, name: str) -> NDArray[Any] | None:
    """Return a tensor of all batch items of a call, (B, ...); None where it is not known."""
    found = [getattr(call.at(item), name) for item in range(call.batch_size)]
    tensors = [(each() if callable(each) else each).detach() for each in found if each is not None]
    wide = [each.float() if each.is_floating_point() and each.itemsize < 4 else each for each in tensors]
    return np.stack([each.cpu().numpy() for each in wide]) if wide else None


def _scale_of(call: Any) -> float | None:
    plain = any(call.items_known) and call.bias is None and call.scoring.softcap is None and call.scoring.sinks is None
    return float(call.scoring.scale) if plain else None
