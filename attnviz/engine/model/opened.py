"""The model that is open: loading takes seconds, so it stays until another one is asked for."""

import threading
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray

from attnviz.engine.machine import RunError
from attnviz.engine.model.folder import check
from attnviz.engine.model.loading import Loaded, load
from attnviz.engine.model.recording import Recording
from attnviz.experiment.model.overview import Overview
from attnviz.experiment.model.spec import ModelSpec
from attnviz.experiment.model.text import ReadText
from attnviz.experiment.run import ShouldStop


@dataclass(slots=True, eq=False)
class Ran:
    """A run of the model on a text: as it is, or with interventions."""

    read: ReadText
    recording: Recording
    overview: Overview
    value_norms: Mapping[int, NDArray[np.floating] | None]
    """(h, T) by layer, see `Call.value_norms`."""
    milliseconds: float
    place: int | None
    """The token whose state predicts; None where nothing is predicted."""
    outputs_apart: float | None = None
    """See `Check`; None: not compared yet."""

    @property
    def shape(self) -> tuple[int, int]:
        """How many layers the model has, and heads the layer with most."""
        return len(self.recording.shown), max(call.num_heads for call in self.recording.shown)

    @property
    def probabilities(self) -> NDArray[np.float64] | None:
        """What is predicted, (V,); None where nothing is."""
        if self.place is None or self.recording.logits is None:
            return None
        found: NDArray[np.float64] = self.recording.logits[0].double().softmax(-1).cpu().numpy()
        return found


@dataclass(slots=True, eq=False)
class Opened:
    """A loaded model, and its runs without interventions."""

    loaded: Loaded
    device: torch.device
    plain: dict[tuple[str, tuple[int, ...]], Ran] = field(default_factory=dict)
    """By their texts and tokens, the newest last."""

    def read(self, text: str, special: bool) -> ReadText:
        """Return the tokens of a text.

        Raises:
            RunError: it has none, or more than the model can read.
        """
        found = self.loaded.tokens.encode(text, special)
        count, most = len(found), self.loaded.most_tokens
        if not count:
            raise RunError("no_tokens", "the text has no tokens; type at least one word")
        if most is not None and count > most:
            sentence = "the text has {count} tokens, and this model reads at most {most}; nearest: {most} tokens"
            raise RunError("too_many_tokens", sentence, count=count, most=most)
        return found

    def predicted_place(self, read: ReadText) -> int | None:
        """Return the place whose state predicts: the last, or the first masked one; None if nothing is predicted."""
        match self.loaded.head:
            case "next":
                return len(read) - 1
            case "masked" if self.loaded.tokens.mask_id in read.ids:
                return read.ids.index(self.loaded.tokens.mask_id)
        return None

    def asked(self, read: ReadText) -> dict[str, Any]:
        """Return arguments of `record`: the tokens as the model takes them, and the row of the logits that is kept."""
        place = self.predicted_place(read)
        ids = torch.tensor([read.ids], device=self.device)
        return {"inputs": {"input_ids": ids}, "rows": (len(read) - 1 if place is None else place,)}


_lock = threading.Lock()
_open: dict[Any, Opened] = {}  # one at most


def opened(spec: ModelSpec, device: torch.device, should_stop: ShouldStop) -> Opened | None:
    """Return the model of a spec, loaded unless it is open already and its folder is the same; None if stopped.

    Raises:
        RunError: the folder holds no model that can be opened.
    """
    folder = check(spec.path)
    key = str(folder.path.absolute()), folder.fingerprint, folder.stamps, spec.dtype, str(device)
    with _lock:
        if key in _open:
            return _open[key]
        _open.clear()  # before the next one is loaded: both may not fit
        loaded = load(folder, spec.dtype, device, should_stop)
        if loaded is None:
            return None
        _open[key] = Opened(loaded, device)
        return _open[key]
