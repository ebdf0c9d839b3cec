"""The model that is open: loading takes seconds, so it stays until another one is asked for."""

import threading
from collections import OrderedDict
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray

from attnviz.engine.machine import RunError
from attnviz.engine.model.folder import Folder, check
from attnviz.engine.model.loading import Loaded, load
from attnviz.engine.model.recording import Recording
from attnviz.experiment.model.overview import Overview
from attnviz.experiment.model.spec import ModelSpec
from attnviz.experiment.model.text import ReadText
from attnviz.experiment.run import ShouldStop

_MOST_KEPT = 256 << 20
"""Bytes of recordings without interventions that stay beside the newest two: of the text, and of text B."""


@dataclass(slots=True, eq=False)
class Plain:
    """The model as it is, on one text."""

    read: ReadText
    recording: Recording
    overview: Overview
    value_norms: Mapping[int, NDArray[np.floating] | None]
    """(h, T) by layer, see `Call.value_norms`."""
    milliseconds: float
    outputs_apart: float | None = None
    """See `Check`; None: not compared yet."""

    @property
    def nbytes(self) -> int:
        """The bytes of what is kept."""
        return self.recording.nbytes


@dataclass(slots=True, eq=False)
class Opened:
    """A loaded model, and its runs without interventions."""

    loaded: Loaded
    device: torch.device
    _plain: OrderedDict[tuple[str, bool], Plain] = field(default_factory=OrderedDict)

    @property
    def folder(self) -> Folder:
        """The folder as it was when the model was loaded."""
        return self.loaded.folder

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

    def plain(self, text: str, special: bool) -> Plain | None:
        """Return the model as it is on a text, if that was run before."""
        found = self._plain.get((text, special))
        if found is not None:
            self._plain.move_to_end((text, special))
        return found

    def keep(self, special: bool, plain: Plain) -> None:
        """Keep a run, and drop the oldest ones beyond two that take much memory."""
        self._plain[plain.read.text, special] = plain
        while len(self._plain) > 2 and sum(each.nbytes for each in self._plain.values()) > _MOST_KEPT:
            self._plain.popitem(last=False)


_lock = threading.Lock()
_open: dict[Any, Opened] = {}  # one at most


def opened(spec: ModelSpec, device: torch.device, should_stop: ShouldStop) -> Opened | None:
    """Return the model of a spec, loaded unless it is open already and its folder is the same; None if stopped.

    Raises:
        RunError: the folder holds no model that can be opened.
    """
    folder = check(spec.path)
    key = str(Path(folder.path).absolute()), folder.fingerprint, folder.stamps, spec.dtype, str(device)
    with _lock:
        if key in _open:
            return _open[key]
        _open.clear()  # before the next one is loaded: both may not fit
        loaded = load(folder, spec.dtype, device, should_stop)
        if loaded is None:
            return None
        _open[key] = Opened(loaded, device)
        return _open[key]
