"""The user's own arrays from .npz and .npy files, without unpickling, and checked for size before they are read."""

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray

from attnviz.definitions.formats import suffixes_with
from attnviz.definitions.mechanisms import MECHANISMS
from attnviz.definitions.text import English, Text, listed, nearest_word
from attnviz.engine import memory
from attnviz.engine.machine import RunError
from attnviz.experiment.arrays import MAX_SIZE, MOST_ITEMS
from attnviz.experiment.files.arrays_file import ArrayHeader, ArraysOfFile, CorruptFileError, arrays_of
from attnviz.experiment.files.given_weights import (
    ARRAYS,
    GivenError,
    GivenWeights,
    array_name,
    check_forms,
    given_weights,
    layer_numbers,
    name_of,
)

MAX_BYTES = 4 << 30
"""The limit for the unpacked bytes of all arrays in a file."""
_INPUTS = ("queries", "keys", "values")

_MOST_NAMED, _LONGEST_NAME = 8, 40
"""The most array names listed in a message, and the most characters of each."""


Arrays = dict[str, NDArray[Any]]
_Check = Callable[[Mapping[str, ArrayHeader]], None]


def read_arrays(path: str) -> Arrays:
    """Return queries, keys, values as (batch, length, size), and any matrices of mechanisms in the file.

    An .npy file holds one array used for all three.

    Raises:
        RunError: the file cannot be read, or an array has a wrong name, shape, type or value; names the position.
    """

    def check(announced: Mapping[str, ArrayHeader]) -> None:
        for name, header in announced.items():
            (_check_input if name in _INPUTS else _check_matrix)(path, name, header)

    # W_q, W_k, W_v, W_o, and the matrices of further mechanisms
    matrices = (each.name for record in MECHANISMS.values() for each in record.parameters if each.is_matrix)
    missing: English = "choose an {either} file to read queries, keys and values from"
    less = Text("a part of the queries, keys and values needs less")
    raw = _read(path, _INPUTS, tuple(dict.fromkeys(matrices)), missing, less, check)
    numbers: dict[int, NDArray[Any]] = {}
    for name, array in raw.items():
        if id(array) not in numbers:
            read = _numbers(path, name, array)
            numbers[id(array)] = read[None] if name in _INPUTS and read.ndim == 2 else read
    return {name: numbers[id(array)] for name, array in raw.items()}


def layers_given(path: str) -> tuple[int, ...]:
    """Return the layers, from 0, stored under numbered names; empty for a single layer or an unreadable file."""
    try:
        with arrays_of(Path(path)) as file:
            return layer_numbers(file.names) if file.is_archive and "weights" not in file.names else ()
    except Exception:  # a corrupt file may raise anything; `read_given` reports it
        return ()


def read_given(path: str, layer: int | None = None) -> GivenWeights:
    """Return weights computed by another model, with the optional arrays of the layer.

    Args:
        path: the file.
        layer: the layer of a file with several, counted from 0.

    Raises:
        RunError: the file cannot be read, or does not hold weights; names the file and the position.
    """
    plain = {array_name(name, layer): name for name in ARRAYS}
    weights, *further = plain

    def check(announced: Mapping[str, ArrayHeader]) -> None:
        check_forms({plain[name]: each for name, each in announced.items()})

    missing: English = "choose an {either} file to read weights from"
    try:
        arrays = _read(path, (weights,), tuple(further), missing, Text("a part of the weights needs less"), check)
        return given_weights({plain[name]: array for name, array in arrays.items()})
    except GivenError as error:
        raise RunError(error.code, "{path}: {problem}", path=path, problem=error.text) from error
    except MemoryError as error:
        raise RunError("unreadable", "{path} needs more memory than is free", path=path) from error


def _read(
    path: str, needed: tuple[str, ...], further: tuple[str, ...], missing: English, less: Text, check: _Check
) -> Arrays:
    """Return the needed arrays of a file and its optional (``further``) ones, unchanged, after ``check``.

    ``missing`` is the message without a path, and ``less`` what needs less memory.
    """
    either = listed(suffixes_with("arrays"), "{first} or {rest}")
    if not path:
        raise RunError("no_file", missing, either=either)
    if Path(path).suffix.lower() not in suffixes_with("arrays"):
        raise RunError("unreadable", "{path} must end in {either}", path=path, either=either)
    try:
        with arrays_of(Path(path)) as file:
            announced = _header_of(path, file, needed, further)
            check(announced)
            _require(path, list(announced.values()), less)
            arrays = {name: file.read(name) for name in announced}
            return arrays if file.is_archive else dict.fromkeys(needed, arrays[needed[0]])
    except (RunError, GivenError):
        raise
    except CorruptFileError as error:
        raise RunError("unreadable", "{path}: {problem}", path=path, problem=error.text) from error
    except OSError as error:
        raise RunError("unreadable", "{path} cannot be read: {why}", path=path, why=error.strerror or error) from error
    except MemoryError as error:
        raise RunError("unreadable", "{path} needs more memory than is free, or is damaged", path=path) from error
    except Exception as error:
        # A corrupt file can make numpy and zipfile raise anything, with messages that do not help a user.
        raise RunError(
            "unreadable",
            "{path} holds no plain arrays of numbers that can be read (pickled objects never are)",
            path=path,
        ) from error


def _header_of(
    path: str, file: ArraysOfFile, needed: tuple[str, ...], further: tuple[str, ...]
) -> dict[str, ArrayHeader]:
    """Return type and shape of the needed arrays and of the optional (``further``) ones that exist."""
    if not file.is_archive:
        return {needed[0]: file.header(needed[0])}  # used for all of them
    missing = [name for name in needed if name not in file.names]
    if missing:
        near = nearest_word(missing[0], file.names[:100])
        values = {"path": path, "missing": ", ".join(missing), "known": _said_to_have(file), "near": near}
        raise RunError("missing_arrays", "{path} has no array {missing}{known}{near}", **values)
    return {name: file.header(name) for name in needed + further if name in file.names}


def _said_to_have(file: ArraysOfFile) -> Text:
    """Return the end of a message, "; it has: a (3, 4), b (2,)", with the first few arrays and their shapes."""
    arrays: list[str] = []
    for name in file.names[:_MOST_NAMED]:
        try:
            shape = f" {file.header(name).shape}"
        except Exception:  # a corrupt array may raise anything, and it is not one that is needed
            shape = ""
        arrays.append(f"{name[:_LONGEST_NAME]}{shape}")
    values = {"arrays": ", ".join(arrays), "more": len(file.names) - len(arrays)}
    if not arrays:
        return Text("; it has none")
    return Text("; it has: {arrays}, and {more} more" if values["more"] else "; it has: {arrays}", values)


def _require(path: str, announced: list[ArrayHeader], remedy: Text) -> None:
    """Raise a RunError for arrays above the limit or the free memory, before any of them is read."""
    size = sum(each.nbytes for each in announced)
    if size > MAX_BYTES:
        values = {"path": path, "size": size >> 20, "most": MAX_BYTES >> 20}
        raise RunError("too_large", "{path} unpacks to {size} MiB; at most {most} MiB are read", **values)
    widened = sum(each.size * (4 if _fits_float32(each.dtype) else 8) for each in announced if each.dtype.kind in "fiu")
    memory.require(size + widened, torch.device("cpu"), remedy)


def _check_input(path: str, name: str, array: ArrayHeader) -> None:
    shape = array.shape
    values: dict[str, Any] = {"path": path, "name": name, "shape": shape}
    if len(shape) not in (2, 3) or 0 in shape:
        sentence = "{path}: {name} has shape {shape}; needed (length, size) or (batch, length, size), none of them 0"
        raise RunError("file_shapes", sentence, **values)
    if max(shape[-2:]) > MAX_SIZE or max(shape[:-2], default=0) > MOST_ITEMS:
        sentence = "{path}: {name} has shape {shape}; at most {items} items of {most} by {most} are read"
        raise RunError("file_shapes", sentence, **values, items=MOST_ITEMS, most=MAX_SIZE)
    _check_type(path, name, array)


def _check_matrix(path: str, name: str, array: ArrayHeader) -> None:
    if len(array.shape) != 2:
        raise RunError(
            "file_shapes", "{path}: {name} has shape {shape}; needed (out, in)", path=path, name=name, shape=array.shape
        )
    _check_type(path, name, array)


def _check_type(path: str, name: str, array: ArrayHeader) -> None:
    if array.dtype.kind not in "fiu":
        values = {"path": path, "name": name, "dtype": name_of(array.dtype)}
        raise RunError("file_type", "{path}: {name} holds {dtype}, not real numbers", **values)


def _fits_float32(dtype: np.dtype[Any]) -> bool:
    return dtype.itemsize <= (4 if dtype.kind == "f" else 2)


def _numbers(path: str, name: str, array: NDArray[Any]) -> NDArray[Any]:
    with np.errstate(over="ignore"):  # an overflow gives inf, which is reported below
        numbers = np.ascontiguousarray(array, dtype=np.float32 if _fits_float32(array.dtype) else np.float64)
    if not np.isfinite(numbers).all():
        index = tuple(int(i) for i in np.argwhere(~np.isfinite(numbers))[0])
        values = {"path": path, "name": name, "value": numbers[index], "place": index}
        raise RunError("not_finite", "{path}: {name} holds {value} at {place}; every number must be finite", **values)
    return numbers
