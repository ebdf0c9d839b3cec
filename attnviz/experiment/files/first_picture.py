"""The picture of a fresh start: the trace of the opening preset in a file that comes along, for there is no run yet.

It holds the arrays of the trace, its tokens, and the spec and version that they belong to. The run replaces it.
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
    """Return the stored trace of a spec, which has no time of a run.

    None if the file has that of another spec or version, or cannot be used, whatever the cause: then the run is waited
    for.
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
    except Exception:  # a spoilt file may raise anything
        return None
    return trace


def made_on(path: Path | None = None) -> str:
    """Return what computed the stored trace, as `write_first_picture` was told."""
    with arrays_of(path or resource(NAME)) as file:
        return str(json.loads(str(file.read(_ABOUT)))["made_on"])


def write_first_picture(trace: Trace, path: Path, made_on: str) -> None:
    """Write a trace for `first_picture`; ``made_on`` says what computed it, for sums differ between processors.

    Raises:
        OSError: the place cannot be written; an older file there is whole.
    """
    arrays: dict[str, Any] = {name: np.array(getattr(trace, name)) for name in _TOKENS} | trace.arrays()
    arrays[_ABOUT] = np.array(json.dumps(_about(trace.spec, made_on)))
    write_atomically(path, lambda file: np.savez_compressed(file, **arrays))


def _about(spec: Spec, made_on: str) -> dict[str, Any]:
    return {"version": own_version(), "spec": spec.model_dump(mode="json"), "made_on": made_on}
