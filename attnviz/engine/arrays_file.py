"""The user's own arrays from .npz and .npy files. Nothing is ever unpickled."""

import zipfile
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from attnviz.engine.errors import RunError
from attnviz.experiment.files import size_of_plain_file
from attnviz.experiment.given_weights import ARRAYS, GivenError, GivenWeights, given_weights
from attnviz.experiment.problems import nearest_word

MAX_BYTES = 4 << 30
_INPUTS = ("queries", "keys", "values")
_MATRICES = ("W_q", "W_k", "W_v", "W_o")


def read_arrays(path: str) -> dict[str, NDArray[Any]]:
    """Return queries, keys, values as (batch, length, size), and the matrices W_q, W_k, W_v, W_o that are there.

    Raises:
        RunError: the file cannot be read, or an array has a wrong name, shape, type or value; names the place.
    """
    raw = _read(path, _INPUTS, _MATRICES, "queries, keys and values")
    arrays = {name: _with_batch(path, name, array) for name, array in raw.items() if name in _INPUTS}
    arrays |= {name: _matrix(path, name, array) for name, array in raw.items() if name in _MATRICES}
    return arrays


def read_given(path: str) -> GivenWeights:
    """Return the weights that somebody else's model computed, with mask and tokens where the file has them.

    Raises:
        RunError: the file cannot be read, or what it holds are no weights; names the file and the place.
    """
    raw = _read(path, ARRAYS[:1], ARRAYS[1:], "weights")
    try:
        return given_weights(raw)
    except GivenError as error:
        raise RunError(error.code, f"{path}: {error}") from error
    except MemoryError as error:
        raise RunError("unreadable", f"{path} needs more memory than is free") from error


def _read(path: str, needed: tuple[str, ...], further: tuple[str, ...], what: str) -> dict[str, NDArray[Any]]:
    """Return the needed arrays of a file and those of the further ones that it has, as they are."""
    if not path:
        raise RunError("no_file", f"choose an .npz or .npy file to read {what} from")
    try:
        raw = _load(Path(path), needed, further)
    except RunError:
        raise
    except OSError as error:
        raise RunError("unreadable", f"{path} cannot be read: {error.strerror or error}") from error
    except MemoryError as error:
        raise RunError("unreadable", f"{path} needs more memory than is free, or is spoilt") from error
    except Exception as error:
        # numpy and zipfile raise whatever a spoilt file leads them to; their words would not help a user.
        raise RunError(
            "unreadable", f"{path} holds no plain arrays of numbers that can be read (pickled objects never are)"
        ) from error
    for name, array in raw.items():
        if not isinstance(array, np.ndarray):
            raise RunError("unreadable", f"{path}: {name} is no array")
    return raw


def _load(path: Path, needed: tuple[str, ...], further: tuple[str, ...]) -> dict[str, NDArray[Any]]:
    size, ending = size_of_plain_file(path), path.suffix.lower()
    if ending == ".npy":
        _refuse_huge(path, size)
        array = np.load(path, allow_pickle=False)
        return dict.fromkeys(needed, array)
    if ending != ".npz":
        raise RunError("unreadable", f"{path} must end in .npz or .npy")
    with zipfile.ZipFile(path) as archive:
        _refuse_huge(path, sum(info.file_size for info in archive.infolist()))
    with np.load(path, allow_pickle=False) as archive:
        missing = [name for name in needed if name not in archive.files]
        if missing:
            found = nearest_word(missing[0], archive.files[:100])
            raise RunError("missing_arrays", f"{path} has no array {', '.join(missing)}{found}")
        return {name: _member(path, archive, name) for name in archive.files if name in needed + further}


def _member(path: Path, archive: Any, name: str) -> Any:
    try:
        return archive[name]
    except ValueError as error:
        if "pickle" not in str(error).lower() or not name.endswith("_tokens"):
            raise
        # A list of words becomes an array of objects only where somebody asked for it; the way out is short.
        raise RunError(
            "unreadable",
            f"{path}: {name} holds pickled objects, which are never read; nearest: np.array(tokens, dtype=str)",
        ) from error


def _refuse_huge(path: Path, size: int) -> None:
    if size > MAX_BYTES:
        raise RunError("too_large", f"{path} unpacks to {size >> 20} MiB; at most {MAX_BYTES >> 20} MiB are read")


def _with_batch(path: str, name: str, array: NDArray[Any]) -> NDArray[Any]:
    if array.ndim not in (2, 3) or 0 in array.shape:
        raise RunError(
            "file_shapes",
            f"{path}: {name} has shape {array.shape}; needed (length, size) or (batch, length, size), none of them 0",
        )
    numbers = _numbers(path, name, array)
    return numbers[None] if array.ndim == 2 else numbers


def _matrix(path: str, name: str, array: NDArray[Any]) -> NDArray[Any]:
    if array.ndim != 2:
        raise RunError("file_shapes", f"{path}: {name} has shape {array.shape}; needed (out, in)")
    return _numbers(path, name, array)


def _numbers(path: str, name: str, array: NDArray[Any]) -> NDArray[Any]:
    if array.dtype.kind not in "fiu":
        raise RunError("file_type", f"{path}: {name} holds {array.dtype}, not real numbers")
    fits_float32 = array.dtype.itemsize <= (4 if array.dtype.kind == "f" else 2)
    with np.errstate(over="ignore"):  # what overflows is not finite, and found below
        numbers = np.ascontiguousarray(array, dtype=np.float32 if fits_float32 else np.float64)
    if not np.isfinite(numbers).all():
        place = tuple(int(i) for i in np.argwhere(~np.isfinite(numbers))[0])
        raise RunError("not_finite", f"{path}: {name} holds {numbers[place]} at {place}; every number must be finite")
    return numbers
