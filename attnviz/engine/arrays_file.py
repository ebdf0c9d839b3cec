"""The user's own arrays from .npz and .npy files. Nothing is ever unpickled, nor read before its size is known."""

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray

from attnviz.definitions.formats import suffixes_with
from attnviz.definitions.mechanisms import MECHANISMS
from attnviz.definitions.text import nearest_word
from attnviz.engine import memory
from attnviz.engine.machine import RunError
from attnviz.experiment.arrays import MAX_SIZE, MOST_ITEMS
from attnviz.experiment.arrays_file import ArrayHeader, ArraysOfFile, CorruptFileError, arrays_of
from attnviz.experiment.given_weights import ARRAYS, GivenError, GivenWeights, check_forms, given_weights, name_of

MAX_BYTES = 4 << 30
"""The most bytes that the arrays of a file may take together, unpacked."""
_INPUTS = ("queries", "keys", "values")

_MOST_NAMED, _LONGEST_NAME = 8, 40
"""How many arrays of a file a sentence names, and by how many characters of each."""

Arrays = dict[str, NDArray[Any]]
_Check = Callable[[Mapping[str, ArrayHeader]], None]


def read_arrays(path: str) -> Arrays:
    """Return queries, keys, values as (batch, length, size), and the matrices of mechanisms that the file has.

    An .npy file gives one array for all three.

    Raises:
        RunError: the file cannot be read, or an array has a wrong name, shape, type or value; names the place.
    """

    def check(announced: Mapping[str, ArrayHeader]) -> None:
        for name, each in announced.items():
            (_check_input if name in _INPUTS else _check_matrix)(path, name, each)

    # W_q, W_k, W_v, W_o, and those of mechanisms added later
    matrices = (each.name for record in MECHANISMS.values() for each in record.parameters if each.is_matrix)
    raw = _read(path, _INPUTS, tuple(dict.fromkeys(matrices)), "queries, keys and values", check)
    numbers: dict[int, NDArray[Any]] = {}
    for name, array in raw.items():
        if id(array) not in numbers:
            read = _numbers(path, name, array)
            numbers[id(array)] = read[None] if name in _INPUTS and read.ndim == 2 else read
    return {name: numbers[id(array)] for name, array in raw.items()}


def read_given(path: str) -> GivenWeights:
    """Return the weights that another model computed, with mask and tokens if the file has them.

    Raises:
        RunError: the file cannot be read, or does not hold weights; names the file and the place.
    """
    try:
        return given_weights(_read(path, ARRAYS[:1], ARRAYS[1:], "weights", check_forms))
    except GivenError as error:
        raise RunError(error.code, f"{path}: {error}") from error
    except MemoryError as error:
        raise RunError("unreadable", f"{path} needs more memory than is free") from error


def _read(path: str, needed: tuple[str, ...], further: tuple[str, ...], what: str, check: _Check) -> Arrays:
    """Return the needed arrays of a file and its optional (``further``) ones, unchanged, after ``check``."""
    either = " or ".join(suffixes_with("arrays"))
    if not path:
        raise RunError("no_file", f"choose an {either} file to read {what} from")
    if Path(path).suffix.lower() not in suffixes_with("arrays"):
        raise RunError("unreadable", f"{path} must end in {either}")
    try:
        with arrays_of(Path(path)) as file:
            announced = _header_of(path, file, needed, further)
            check(announced)
            _require(path, list(announced.values()), what)
            arrays = {name: file.read(name) for name in announced}
            return arrays if file.is_archive else dict.fromkeys(needed, arrays[needed[0]])
    except (RunError, GivenError):
        raise
    except CorruptFileError as error:
        raise RunError("unreadable", f"{path}: {error}") from error
    except OSError as error:
        raise RunError("unreadable", f"{path} cannot be read: {error.strerror or error}") from error
    except MemoryError as error:
        raise RunError("unreadable", f"{path} needs more memory than is free, or is spoilt") from error
    except Exception as error:
        # A corrupt file can make numpy and zipfile raise anything; their messages would not help a user.
        raise RunError(
            "unreadable", f"{path} holds no plain arrays of numbers that can be read (pickled objects never are)"
        ) from error


def _header_of(
    path: str, file: ArraysOfFile, needed: tuple[str, ...], further: tuple[str, ...]
) -> dict[str, ArrayHeader]:
    """Return type and shape of the needed arrays and of the optional (``further``) ones that exist."""
    if not file.is_archive:
        return {needed[0]: file.header(needed[0])}  # the others are the same
    missing = [name for name in needed if name not in file.names]
    if missing:
        found = nearest_word(missing[0], file.names[:100])
        raise RunError("missing_arrays", f"{path} has no array {', '.join(missing)}{_said_to_have(file)}{found}")
    return {name: file.header(name) for name in needed + further if name in file.names}


def _said_to_have(file: ArraysOfFile) -> str:
    """Return what a file has instead: "; it has: a (3, 4), b (2,)", its first few arrays with their shapes."""
    said: list[str] = []
    for name in file.names[:_MOST_NAMED]:
        try:
            shape = f" {file.header(name).shape}"
        except Exception:  # a corrupt array may raise anything, and this is not the one that is read
            shape = ""
        said.append(f"{name[:_LONGEST_NAME]}{shape}")
    more = [f"and {len(file.names) - _MOST_NAMED} more"] if len(file.names) > _MOST_NAMED else []
    return f"; it has: {', '.join(said + more)}" if said else "; it has none"


def _require(path: str, announced: list[ArrayHeader], what: str) -> None:
    """Refuse arrays above the limit or the free memory, before any of them is read."""
    size = sum(each.nbytes for each in announced)
    if size > MAX_BYTES:
        raise RunError("too_large", f"{path} unpacks to {size >> 20} MiB; at most {MAX_BYTES >> 20} MiB are read")
    widened = sum(each.size * (4 if _fits_float32(each.dtype) else 8) for each in announced if each.dtype.kind in "fiu")
    memory.require(size + widened, torch.device("cpu"), f"a part of the {what} needs less")


def _check_input(path: str, name: str, array: ArrayHeader) -> None:
    shape = array.shape
    if len(shape) not in (2, 3) or 0 in shape:
        raise RunError(
            "file_shapes",
            f"{path}: {name} has shape {shape}; needed (length, size) or (batch, length, size), none of them 0",
        )
    if max(shape[-2:]) > MAX_SIZE or max(shape[:-2], default=0) > MOST_ITEMS:
        raise RunError(
            "file_shapes",
            f"{path}: {name} has shape {shape}; at most {MOST_ITEMS} items of {MAX_SIZE} by {MAX_SIZE} are read",
        )
    _check_type(path, name, array)


def _check_matrix(path: str, name: str, array: ArrayHeader) -> None:
    if len(array.shape) != 2:
        raise RunError("file_shapes", f"{path}: {name} has shape {array.shape}; needed (out, in)")
    _check_type(path, name, array)


def _check_type(path: str, name: str, array: ArrayHeader) -> None:
    if array.dtype.kind not in "fiu":
        raise RunError("file_type", f"{path}: {name} holds {name_of(array.dtype)}, not real numbers")


def _fits_float32(dtype: np.dtype[Any]) -> bool:
    return dtype.itemsize <= (4 if dtype.kind == "f" else 2)


def _numbers(path: str, name: str, array: NDArray[Any]) -> NDArray[Any]:
    with np.errstate(over="ignore"):  # an overflow gives inf, which is found below
        numbers = np.ascontiguousarray(array, dtype=np.float32 if _fits_float32(array.dtype) else np.float64)
    if not np.isfinite(numbers).all():
        place = tuple(int(i) for i in np.argwhere(~np.isfinite(numbers))[0])
        raise RunError("not_finite", f"{path}: {name} holds {numbers[place]} at {place}; every number must be finite")
    return numbers
