"""The picture of a fresh start: the stored trace of the opening preset, shown until its run has one.

The file holds the arrays of the trace, its tokens, and the spec and version that they belong to.
"""

import json
from pathlib import Path
from typing import Any

import numpy as np

from attnviz.experiment.arrays import read_only
from attnviz.experiment.files.arrays_file import arrays_of
from attnviz.experiment.files.plain_files import write_atomically
from attnviz.experiment.labs import LABS, Spec, Trace
from attnviz.folders import resource
from attnviz.versions import own_version

NAME = "first_picture.npz"
_ABOUT, _TOKENS = "about", ("query_tokens", "key_tokens")


def first_picture(spec: Spec, path: Path | None = None) -> Trace | None:
    """Return the stored trace of a spec, without a run time.

    None if the file belongs to another spec or version, or cannot be used for any reason; then the run is awaited.
    """
    make = LABS[spec.lab].trace_of
    if make is None:
        return None
    try:
        with arrays_of(path or resource(NAME)) as file:
            if json.loads(str(file.read(_ABOUT))) | {"made_on": ""} != _about(spec, ""):
                return None
            arrays = {name: read_only(file.read(name)) for name in file.names if name != _ABOUT}
        trace: Trace = make(spec, arrays)
        trace.prepare()
    except Exception:  # a corrupt file may raise anything
        return None
    return trace


def made_on(path: Path | None = None) -> str:
    """Return the machine that computed the stored trace, as passed to `write_first_picture`."""
    with arrays_of(path or resource(NAME)) as file:
        return str(json.loads(str(file.read(_ABOUT)))["made_on"])


def write_first_picture(trace: Trace, path: Path, made_on: str) -> None:
    """Write a trace for `first_picture`; ``made_on`` names the machine, since sums differ between processors.

    Raises:
        OSError: the file cannot be written; an older file is kept.
    """
    arrays: dict[str, Any] = {name: np.array(getattr(trace, name)) for name in _TOKENS} | trace.arrays()
    arrays[_ABOUT] = np.array(json.dumps(_about(trace.spec, made_on)))
    write_atomically(path, lambda file: np.savez_compressed(file, **arrays))


def _about(spec: Spec, made_on: str) -> dict[str, Any]:
    return {"version": own_version(), "spec": spec.model_dump(mode="json"), "made_on": made_on}
