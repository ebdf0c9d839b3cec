"""Weights computed by another model: validation of their dtypes, shapes and values.

Nothing is computed from them. They are shown unchanged: not scaled, not clipped, not normalised.
"""

import math
import re
import sys
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from attnviz.definitions.text import CodedError, English, Text, quoted
from attnviz.experiment.arrays import MAX_SIZE, MOST_HEADS, MOST_ITEMS, read_only
from attnviz.experiment.files.arrays_file import WARNING, ArrayHeader, ArraysOfFile, arrays_of
from attnviz.experiment.warning import warning_in_file

ARRAYS = ("weights", "mask", "query_tokens", "key_tokens", "q", "k", "v", "scale", WARNING)
"""The names of the arrays in a file; all but the first are optional."""
_TOKENS = ("query_tokens", "key_tokens")
SHARED = (*_TOKENS, WARNING)
"""The arrays shared by all layers of a file."""
_OF_LAYER = re.compile(r"weights\.([1-9][0-9]{0,3})")
TOLERANCE = 1e-3
"""The tolerance beyond 0..1, for the rounding of half precision."""
MOST = {"batch items": MOST_ITEMS, "heads": MOST_HEADS, "queries": MAX_SIZE, "keys": MAX_SIZE}
"""The limits of the window, the same as those of a spec."""
LONGEST_TOKEN = 200
"""The longest token, or warning, in characters."""
MOST_TEXT = 64 << 20
"""The limit of an array of tokens in bytes; each of its entries takes as much as the longest."""

_SHAPES: English = (
    "weights has shape {shape}; needed (queries, keys), (heads, queries, keys) or (batch, heads, queries, keys), none "
    "of them 0{near}"
)
_ONE_TEXT: English = "warning must be one text of at most {most} characters, not {dtype} of shape {shape}"
_SCALE: English = "scale must be one finite number that is not 0; nearest: 1.0"


class _Dtypes(NamedTuple):
    """The kinds of dtype that an array may have, and the message about another dtype."""

    kinds: str
    otherwise: English


_DTYPES = {
    "weights": _Dtypes(
        "f", "weights holds {dtype}, not half, single or double floats; nearest: weights.astype('{nearest}')"
    ),
    "mask": _Dtypes("b", "mask holds {dtype}, not booleans (True = may attend); nearest: mask.astype(bool)"),
    **dict.fromkeys(_TOKENS, _Dtypes("U", "{name} holds {dtype}, not text; nearest: {name}.astype(str)")),
    **dict.fromkeys("qkv", _Dtypes("f", "{name} holds {dtype}, not floats; nearest: {name}.astype('float32')")),
    "scale": _Dtypes("fiu", _SCALE),
    WARNING: _Dtypes("U", _ONE_TEXT),
}

Form = ArrayHeader | NDArray[Any]
"""An array, or only its header before it is read."""


class GivenError(CodedError, ValueError):
    """Weights that cannot be shown."""


@dataclass(frozen=True, slots=True, eq=False)
class GivenWeights:
    """Given weights and related arrays. B batch items, h heads, Q queries, K keys."""

    weights: NDArray[np.floating]
    """(B, h, Q, K), read-only, float32 or float64."""
    mask: NDArray[np.bool_]
    """(B, h, Q, K), True = may attend; read-only, and all True if none was given."""
    query_tokens: tuple[str, ...]
    key_tokens: tuple[str, ...]
    q: NDArray[np.floating] | None = None
    """(B, h, Q, d), the queries of each head; None if they were not given."""
    k: NDArray[np.floating] | None = None
    """(B, g, K, d), the keys of g heads, each of which serves h / g heads."""
    v: NDArray[np.floating] | None = None
    """(B, g, K, e)."""
    scale: float | None = None
    """The factor of q . k; None is 1 / sqrt(d)."""
    warning: Text = Text()  # noqa: RUF009 - frozen
    """The reason why the weights are not what their name says; empty if they are."""


def array_name(name: str, layer: int | None) -> str:
    """Return the name of an array in a file; for a layer, counted from 0, in a file of several: "weights.1"."""
    return name if layer is None or name in SHARED else f"{name}.{layer + 1}"


def layer_numbers(names: Iterable[str]) -> tuple[int, ...]:
    """Return the layers, from 0, of the arrays with these names; empty for a single layer without a number."""
    matches = (_OF_LAYER.fullmatch(name) for name in names)
    return tuple(sorted(int(match[1]) - 1 for match in matches if match is not None))


def given_weights(arrays: Mapping[str, NDArray[Any]]) -> GivenWeights:
    """Return validated weights, mask and tokens from arrays with these names (see `ARRAYS`).

    Args:
        arrays: ``weights`` of shape (Q, K), (h, Q, K) or (B, h, Q, K), half, single or double floats within 0..1, or
            NaN; ``mask``, boolean, True = may attend, of a shape that broadcasts to the weights; ``query_tokens`` and
            ``key_tokens``, text, (Q,) and (K,). Tokens of queries are also used for the keys if their numbers agree.
            ``q``, ``k`` and ``v`` shaped like the weights except for the last axes, (Q, d), (K, d) and (K, e); ``k``
            and ``v`` may have fewer heads, of which the weights have a multiple. ``scale``, one number. ``warning``,
            one text: why the weights are not what their name says, shown in every picture and export of them.

    Raises:
        GivenError: an array has a wrong dtype, shape or value.
    """
    check_forms(arrays)
    weights = _of_heads(arrays["weights"])
    _check_values(weights.reshape(arrays["weights"].shape))
    queries, keys = weights.shape[2:]
    query_tokens = _tokens(arrays, "query_tokens")
    key_tokens = _tokens(arrays, "key_tokens")
    if key_tokens is None and query_tokens is not None and queries == keys:
        key_tokens = query_tokens
    return GivenWeights(
        weights,
        np.broadcast_to(arrays.get("mask", np.True_), weights.shape),
        query_tokens or _positions(queries),
        key_tokens or _positions(keys),
        **{name: _of_heads(arrays[name]) for name in ("q", "k", "v") if name in arrays},
        scale=_scale_of(arrays["scale"]) if "scale" in arrays else None,
        warning=_warning_of(arrays[WARNING]) if WARNING in arrays else Text(),
    )


def check_forms(arrays: Mapping[str, Form]) -> None:
    """Reject invalid arrays as far as dtypes and shapes tell, so that no numbers need be read.

    Raises:
        GivenError: an array has a wrong dtype or shape, or is too large.
    """
    weights = arrays["weights"]
    for name in ARRAYS:
        if name in arrays:
            _check_dtype(name, arrays[name])
    _check_shape(weights)
    if "mask" in arrays:
        _check_mask(arrays["mask"].shape, weights.shape)
    for name, count, axis in zip(_TOKENS, weights.shape[-2:], ("queries", "keys"), strict=True):
        if name in arrays:
            _check_tokens(name, arrays[name], count, axis)
    _check_heads(arrays)
    for name in ("scale", WARNING):
        if name in arrays and (arrays[name].shape != () or arrays[name].dtype.itemsize > 4 * LONGEST_TOKEN):
            raise _refused("file_type", _DTYPES[name].otherwise, name, arrays[name])


def _refused(code: str, sentence: English, name: str, array: Form, **values: Any) -> GivenError:
    known = {"name": name, "dtype": name_of(array.dtype), "shape": array.shape, "most": LONGEST_TOKEN}
    return GivenError(code, sentence, **known | values)


def _check_heads(arrays: Mapping[str, Form]) -> None:
    """Reject queries, keys and values that do not fit the weights or each other."""
    *outer, queries, keys = (1,) * (4 - len(arrays["weights"].shape)) + tuple(arrays["weights"].shape)
    for name, length in (("q", queries), ("k", keys), ("v", keys)):
        if name not in arrays:
            continue
        shape = tuple(arrays[name].shape)
        batch, heads, rows, size = (1,) * (4 - len(shape)) + shape if 2 <= len(shape) <= 4 else (0,) * 4
        fits = heads == outer[1] if name == "q" else heads and outer[1] % heads == 0
        if not (batch == outer[0] and fits and rows == length and size):
            sentence: English = "{name} has shape {shape}, which does not fit; nearest: {nearest}"
            raise _refused("file_shapes", sentence, name, arrays[name], nearest=(*outer, length, size or 1))
    if "k" in arrays and "v" in arrays:
        of_keys, of_values = (arrays[name].shape[-3] if len(arrays[name].shape) > 2 else 1 for name in "kv")
        if of_keys != of_values:
            raise GivenError(
                "file_shapes",
                "v has {of_values} heads and k has {of_keys}, but keys and values must have the same number of heads; "
                "nearest: {of_keys}",
                of_values=of_values,
                of_keys=of_keys,
            )
    sizes = [arrays[name].shape[-1] for name in ("q", "k") if name in arrays]
    if len(sizes) == 2 and sizes[0] != sizes[1]:
        sentence = "q has {q} features and k has {k}: they have no product; nearest: {k}"
        raise GivenError("file_shapes", sentence, q=sizes[0], k=sizes[1])
    if len(sizes) == 1:
        raise GivenError("file_shapes", "q and k make the scores together; give both, or neither")


def _of_heads(array: NDArray[Any]) -> NDArray[np.floating]:
    wide: NDArray[np.floating] = np.ascontiguousarray(array, np.float64 if array.dtype.itemsize == 8 else np.float32)
    return read_only(wide.reshape((1,) * (4 - wide.ndim) + wide.shape))


def name_of(dtype: np.dtype[Any]) -> str:
    """Return the name of a dtype for a message; that of a table with a thousand columns is truncated."""
    name = str(dtype)
    return name if len(name) <= 80 else f"{name[:77]}..."


def _check_dtype(name: str, array: Form) -> None:
    allowed, kind = _DTYPES[name], array.dtype.kind
    if kind in allowed.kinds and (allowed.kinds != "f" or array.dtype.itemsize <= 8):
        return
    if name == "weights" and kind not in "fiub":
        raise _refused("file_type", "weights holds {dtype}, not numbers", name, array)
    raise _refused("file_type", allowed.otherwise, name, array, nearest="float64" if kind == "f" else "float32")


def _check_shape(weights: Form) -> None:
    shape = weights.shape
    if not 2 <= len(shape) <= 4 or 0 in shape:
        near = Text("; nearest: {nearest}", {"nearest": "weights[0]"}) if len(shape) == 5 and 0 not in shape else Text()
        raise GivenError("file_shapes", _SHAPES, shape=shape, near=near)
    for axis, (name, most) in enumerate(reversed(MOST.items()), 1):
        if axis <= len(shape) and shape[-axis] > most:
            values: dict[str, Any] = {"size": shape[-axis], "axis": name, "most": most}
            raise GivenError("too_large", "weights has {size} {axis}; at most {most} can be shown", **values)


def _check_values(weights: NDArray[np.floating]) -> None:
    """Reject the first weight, in array order, that no softmax can produce; NaN is possible."""
    low, high = (float(extreme.reduce(weights, axis=None)) for extreme in (np.fmin, np.fmax))
    if np.isnan(low) or (low >= -TOLERANCE and high <= 1 + TOLERANCE):
        return
    with np.errstate(invalid="ignore"):
        wrong = (weights < -TOLERANCE) | (weights > 1 + TOLERANCE)
    index = tuple(int(i) for i in np.unravel_index(wrong.argmax(), wrong.shape))
    value = float(weights[index])
    values: dict[str, Any] = {"place": ", ".join(map(str, index)), "value": value, "nearest": int(value > 0)}
    raise GivenError(
        "not_weights",
        "weights[{place}] is {value:.6g}, and a weight is in 0..1 (scores become weights by a softmax); nearest: "
        "{nearest}",
        **values,
    )


def _check_mask(shape: tuple[int, ...], needed: tuple[int, ...]) -> None:
    """Reject a mask that does not broadcast to (B, h, Q, K); ``needed`` is the shape of the user's weights."""
    spread = (1,) * (4 - len(needed)) + needed
    sides = zip(reversed(shape), reversed(spread), strict=False)
    if len(shape) > len(spread) or any(side not in (1, whole) for side, whole in sides):
        sentence: English = (
            "mask has shape {shape}, which does not spread over weights of shape {needed}; nearest: {needed}"
        )
        raise GivenError("file_shapes", sentence, shape=shape, needed=needed)


def _check_tokens(name: str, array: Form, count: int, axis: str) -> None:
    if len(array.shape) != 1:
        sentence: English = "{name} has shape {shape}; needed ({count},), a token for each row"
        raise _refused("file_shapes", sentence, name, array, count=count)
    if array.shape[0] != count:
        sentence = "{name} has {entries} entries for {count} {axis}; needed {count}, one for each"
        raise _refused("file_shapes", sentence, name, array, entries=array.shape[0], count=count, axis=axis)
    if (size := count * array.dtype.itemsize) > MOST_TEXT:
        sentence = "{name} takes {size} MiB; at most {most} MiB of tokens are read"
        raise _refused("too_large", sentence, name, array, size=size >> 20, most=MOST_TEXT >> 20)


def _tokens(arrays: Mapping[str, NDArray[Any]], name: str) -> tuple[str, ...] | None:
    array = arrays.get(name)
    if array is None:
        return None
    _check_characters(name, array)
    tokens = array.tolist()
    for index, token in enumerate(tokens):
        check_length(f"{name}[{index}]", token)
    return tuple(map(_visible, tokens))


def _check_characters(name: str, array: NDArray[Any]) -> None:
    if array.dtype.itemsize:
        # Python cannot even report such a character: it raises a SystemError.
        signs = np.ascontiguousarray(array, array.dtype.newbyteorder("=")).view(np.uint32)
        if signs.max() > sys.maxunicode:
            raise GivenError("file_type", "{name} holds a character that is not text", name=name)


def _warning_of(array: NDArray[Any]) -> Text:
    _check_characters(WARNING, array)
    return warning_in_file(_visible(str(array)))


def check_length(name: str, token: str) -> None:
    """Raise `GivenError` for a token that is too long for any axis."""
    if len(token) > LONGEST_TOKEN:
        start = quoted(token[:20])
        values: dict[str, Any] = {"name": name, "start": start, "count": len(token), "most": LONGEST_TOKEN}
        raise GivenError("too_large", "{name} {start}... has {count} characters; at most {most} are shown", **values)


def _visible(token: str) -> str:
    r"""Return a token with what cannot be seen written out: a line feed as \n, as models have it among their tokens."""
    if token.isprintable():
        return token
    return "".join(
        sign if sign.isprintable() else sign.encode("unicode_escape").decode("ascii", "replace") for sign in token
    )


def _positions(count: int) -> tuple[str, ...]:
    return tuple(map(str, range(count)))


_INPUTS = {"queries", "keys", "values"}
_MOST_NUMBERS = 1 << 22


def holds_weights(path: Path) -> bool:
    """Return whether the arrays of an .npz or .npy file are shown as weights; False if that cannot be determined.

    They are if an archive has ``weights`` but not all of queries, keys and values, or if a single array has the
    dimensions of weights and no number (among the first few millions) outside 0..1.
    """
    try:
        with arrays_of(path) as arrays:
            if path.suffix.lower() == ".npz":
                has_weights = ARRAYS[0] in arrays.names or layer_numbers(arrays.names) != ()
                return has_weights and not _INPUTS.issubset(arrays.names)
            return _looks_like_weights(arrays)
    except Exception:  # a corrupt file may raise anything in numpy and zipfile; the run reports it
        return False


def _looks_like_weights(arrays: ArraysOfFile) -> bool:
    announced = arrays.header("weights")
    dtype = announced.dtype
    if not 2 <= len(announced.shape) <= 4 or announced.size < 1 or dtype.kind != "f" or dtype.itemsize > 8:
        return False
    numbers = arrays.beginning("weights", _MOST_NUMBERS)
    low, high = (float(extreme.reduce(numbers)) for extreme in (np.fmin, np.fmax))
    return low >= -TOLERANCE and high <= 1 + TOLERANCE


def _scale_of(array: NDArray[Any]) -> float:
    scale = float(array)
    if not math.isfinite(scale) or scale == 0:
        raise GivenError("file_values", _SCALE)
    return scale
