"""A recorded call of attention as a layer: its arrays, the masks that explain its masked cells, and its rotation."""

import sys
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from attnviz.definitions.counting import SCREEN
from attnviz.definitions.masks.causal import CAUSAL
from attnviz.definitions.masks.mask import Mask
from attnviz.definitions.masks.of_layers import OF_MODEL
from attnviz.definitions.masks.window import WINDOW
from attnviz.definitions.text import Text
from attnviz.engine.machine import one_thread
from attnviz.engine.model.calls import Call
from attnviz.engine.model.changes import Changes, forbidding
from attnviz.experiment.arrays import read_only
from attnviz.experiment.layers.arrays import layer_of_arrays
from attnviz.experiment.layers.layer import Layer
from attnviz.experiment.model.interventions.heads_off import HEADS_OFF
from attnviz.experiment.model.interventions.intervention import At
from attnviz.experiment.model.measure import Measuring
from attnviz.experiment.model.terms import Rotary
from attnviz.experiment.model.text import ReadText

_NOT_KNOWN = Text(
    "How this model computes its scores is not known: the weights are its own, and the stages before them are left out."
)

_SHARED = Text("The keys and values of this layer are those of layer {layer}.")

Cells = NDArray[np.bool_]

_CHECKED = 16
"""The approximate number of queries per head that are recomputed as a check; the weights were compared bit for bit."""


def array_of(tensor: Tensor, *, alone: bool = True) -> NDArray[Any]:
    """Return a tensor as a read-only array on the CPU; half precision is widened to float32.

    ``alone``: it keeps no larger tensor alive, of which this one is a part.
    """
    wide = tensor.detach().float() if tensor.is_floating_point() and tensor.itemsize < 4 else tensor.detach()
    return read_only((wide.contiguous() if alone else wide).cpu().numpy())


def mask_of(call: Call, queries: int, keys: int) -> Cells:
    """Return the keys that the queries of a call may attend to, (1 or h, Q, K)."""
    if call.mask is None:
        return np.ones((1, queries, keys), bool)
    mask = array_of(call.mask)
    return np.broadcast_to(mask, (len(mask), queries, keys))


def measure(measuring: Measuring, place: int, call: Call, weights: Tensor) -> None:
    """Measure the heads of a call with weights (h, Q, K), which is the call of the layer at ``place``."""
    norms = call.value_norms
    measuring.add(
        place,
        array_of(weights),
        mask_of(call, *weights.shape[1:]),
        None if norms is None else array_of(norms),
        sinks=call.scoring is not None and call.scoring.sinks is not None,
    )


def layer_of(
    call: Call,
    read: ReadText,
    changes: Changes,
    *,
    keys: ReadText | None = None,
    number: int | None = None,
    of_keys: int | None = None,
) -> Layer:
    """Return the layer of a call, under the interventions of its run.

    Args:
        call: the call.
        read: the tokens of the queries.
        changes: the interventions.
        keys: the tokens of the keys; None: those of the queries.
        number: the layer's number in the model; None: that of the call.
        of_keys: the layer whose keys and values it shares; None: its own.
    """
    number = call.layer if number is None else number
    # Those of a generation stay a part of the memory that they grow in.
    weights = array_of(
        call.weights(), alone=call.kept is None
    )  # with the run's number of threads, which may affect the last bits
    with one_thread():
        keys = read if keys is None else keys
        heads, cells = len(weights), (len(read), len(keys))
        allowed, at = mask_of(call, *cells), At(number, call.kind, *cells)
        known: dict[str, Any] = {"note": _NOT_KNOWN}
        if call.known and (scoring := call.scoring) is not None:
            known = {
                "q": array_of(scoring.q[call.item])[None],
                "k": array_of(scoring.k[call.item])[None],
                "scale": scoring.scale,
                "cooling": scoring.temperature,
                "score_steps": {} if scoring.softcap is None else {"softcap": {"cap": scoring.softcap}},
                "note": Text() if of_keys is None else replace(_SHARED, values={"layer": SCREEN.number(of_keys)}),
                "sinks": None if scoring.sinks is None else array_of(scoring.sinks),
            }
            if call.bias is not None:
                known["bias"] = np.broadcast_to(array_of(call.bias), (len(call.bias), *cells))
        if call.v is not None:
            known |= {"v": array_of(call.v)[None], "heads": array_of(call.heads)[None]}
        return layer_of_arrays(
            weights[None],
            np.broadcast_to(allowed[None], (1, heads, *cells)),
            read.names,
            keys.names,
            masks=tuple(_masks_of(allowed, changes, at)),
            holds_masked=False,  # they take as much memory as the weights
            product=lambda a, b: (torch.tensor(a) @ torch.tensor(b)).numpy(),
            checked=slice(None, None, max(1, len(read) // _CHECKED)),
            has_words=True,
            self_attention=call.kind != "cross",
            origin="Learned weights",
            heads_off=frozenset(
                head for kind, layer, head in changes.get(HEADS_OFF, ()) if (kind, layer) == (call.kind, number)
            ),
            **known,
        )


def _masks_of(allowed: Cells, changes: Changes, at: At) -> Iterator[tuple[Mask, Any]]:
    """Yield the masks, with their states, that together explain every masked cell of (1 or h, Q, K)."""
    queries, keys = allowed.shape[1:]
    causal, rest = np.tri(queries, keys, dtype=bool), ~allowed
    if at.kind != "cross" and keys > 1 and rest[:, ~causal].all():
        yield CAUSAL, True
        rest = rest & causal
    for effect, value, cells in forbidding(changes, at):
        yield effect.mask, effect.state(value, cells)
        rest = rest & cells
    if rest.any():
        window = None if at.kind == "cross" else _window_of(allowed, rest)
        yield (OF_MODEL, allowed) if window is None else (WINDOW, window)


def _window_of(allowed: Cells, rest: Cells) -> int | None:
    """Return the window that masks exactly the cells outside it in ``rest``; None if there is no such window."""
    positions = np.arange(allowed.shape[-1])
    far = np.abs(positions[:, None] - positions)
    window = int(far[rest.any(axis=0)].min())
    return window if window and not allowed[:, far >= window].any() else None


def rotary_of(model: nn.Module, call: Call) -> Rotary | None:
    """Return the rotation of a call's queries and keys; None: there is none, or it cannot be determined.

    It is recognised by the function in the model's file that swaps the features of each pair, and by its frequencies.
    """
    module = dict(model.named_modules()).get(call.name)
    swap = getattr(sys.modules.get(type(module).__module__), "rotate_half", None)
    buffers = [buffer for name, buffer in model.named_buffers() if name.rpartition(".")[2] == "inv_freq"]
    if swap is None or not buffers or call.q is None or any(not torch.equal(buffers[0], each) for each in buffers[1:]):
        return None
    frequencies = array_of(buffers[0])
    if frequencies.ndim != 1 or not 0 < 2 * len(frequencies) <= call.q.shape[-1]:
        return None
    try:
        swapped = [round(number) for number in swap(torch.arange(1.0, 5.0)).tolist()]
    except Exception:  # it may take other arguments in another family
        return None
    if swapped not in ([-3, -4, 1, 2], [-2, 1, -4, 3]):
        return None
    return Rotary(frequencies, interleaved=swapped[0] == -2)
