"""The stored states of a training in a session, from which it resumes: the states after some of its steps.

A state is one row of numbers: the parameters in the order of the model, then the optimiser's state for each of them.
Shape letters: n steps, m measured steps, L layers, h heads, R roles, V vocabulary, T tokens, D hidden.
"""

import base64
import binascii
import math
import zlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from attnviz.definitions.decoder.initial_values import WIDER
from attnviz.definitions.decoder.optimizers import OPTIMIZERS
from attnviz.definitions.decoder.positions import POSITIONS
from attnviz.definitions.text import Refused, nearest_word, quoted
from attnviz.experiment.arrays import read_only
from attnviz.experiment.train.spec import TrainSpec
from attnviz.experiment.train.trace import History

MOST_BYTES = 64 << 20
"""The limit of the states in a session, in unpacked bytes."""
_MOST_STATES = 2
_PACKED = ("values", "loss", "accuracy", "roles")
_MEASURED = ("role_lowest", "role_distances")
"""Absent from files of an older version, which measured roles only on the task's own probe."""
_FIELDS = ("spec", "steps", "role_steps", "role_names", *_PACKED, *_MEASURED)
_MOST_NAMES, _MOST_MEASURED = 16, 2_000
_MOMENTS = 2
"""If an optimiser has this many numbers per parameter, the last is a mean of squares."""
_ROUNDING = 1e-3
"""The tolerance above 1 of a share, for rounding."""


def parameter_shapes(spec: TrainSpec) -> dict[str, tuple[int, ...]]:
    """Return the shapes of the parameters of a spec's model by name, in the order of the model."""
    V, T, D = spec.vocab_size, spec.num_tokens, spec.num_hiddens
    norm = {"weight": (D,), "bias": (D,)} if spec.norm else {}
    shapes: dict[str, tuple[int, ...]] = {"embedding.weight": (V, D)}
    if POSITIONS[spec.positions].is_learned:
        shapes["position_embedding.weight"] = (T, D)
    for layer in (f"layers.{number}" for number in range(spec.num_layers)):
        shapes |= {f"{layer}.attention_norm.{name}": shape for name, shape in norm.items()}
        shapes |= {f"{layer}.attention.{name}.weight": (D, D) for name in ("W_q", "W_k", "W_v", "W_o")}
        if spec.feed_forward:
            inner = WIDER * D
            shapes |= {f"{layer}.feed_forward_norm.{name}": shape for name, shape in norm.items()}
            shapes |= {f"{layer}.feed_forward.W_1.weight": (inner, D), f"{layer}.feed_forward.W_1.bias": (inner,)}
            shapes |= {f"{layer}.feed_forward.W_2.weight": (D, inner), f"{layer}.feed_forward.W_2.bias": (D,)}
    shapes |= {f"final_norm.{name}": shape for name, shape in norm.items()}
    return shapes if spec.tied_embedding else {**shapes, "unembedding.weight": (V, D)}


def parameter_count(spec: TrainSpec) -> int:
    """Return the number of parameters of a spec's model."""
    return sum(map(math.prod, parameter_shapes(spec).values()))


def state_bytes(spec: TrainSpec) -> int:
    """Return the bytes of the state after a step of a training."""
    return parameter_count(spec) * (1 + OPTIMIZERS[spec.optimizer].remembers) * np.dtype(spec.dtype).itemsize


@dataclass(frozen=True, slots=True)
class TrainedState:
    """The states of a training after some of its steps, the newest last, with the history up to it.

    The bytes are those of arrays in little-endian order.
    """

    spec: TrainSpec
    """The spec of the training, as far as the states depend on it; its length is the newest step."""
    steps: tuple[int, ...]
    """The number of steps before each state, ascending; one or two, none of them 0."""
    values: bytes
    """Their numbers, one state after the other, in the spec's dtype."""
    loss: bytes
    """(n,), float64, see `History`."""
    accuracy: bytes
    """(n,), float64."""
    role_steps: tuple[int, ...]
    """m steps, see `History`."""
    roles: bytes
    """(m, L, h, R), float64."""
    role_lowest: bytes | None
    """(m, L, h, R), float64; None if the roles were measured only on the task's own probe."""
    role_distances: bytes | None
    """(m, L, h), float64; None as ``role_lowest``."""

    @classmethod
    def of(cls, spec: TrainSpec, states: Mapping[int, NDArray[np.floating]], history: History) -> Self:
        """Return the value for a training's states (numbers,) by step, and its history up to the newest.

        Raises:
            ValueError: the states are too large to be stored; names the sizes.
        """
        steps = tuple(sorted(states))
        newest = steps[-1]
        needed = len(steps) * state_bytes(spec)
        if needed > MOST_BYTES:
            size, most = -(-needed >> 20), MOST_BYTES >> 20
            raise Refused(
                "the trained model takes {size} MiB, and a session carries at most {most} MiB", size=size, most=most
            )
        acted = tuple(change for change in spec.changes if change.step < newest)
        of = spec.model_copy(update={"steps": newest, "changes": acted, "heads_off": (), "probe": None})
        return cls(
            of,
            steps,
            b"".join(_bytes_of(states[step], spec.dtype) for step in steps),
            _bytes_of(history.loss),
            _bytes_of(history.accuracy),
            tuple(history.role_steps.tolist()),
            _bytes_of(history.roles),
            None if history.on_probe else _bytes_of(history.role_lowest),
            None if history.on_probe else _bytes_of(history.role_distances),
        )

    @property
    def step(self) -> int:
        """The newest stored step."""
        return self.steps[-1]

    @property
    def session_format(self) -> int:
        """The lowest session format that can hold it."""
        return 2 if self.role_lowest is None else 4

    @property
    def history(self) -> History:
        """The history of all steps up to the newest state."""
        heads = len(self.role_steps), self.spec.num_layers, self.spec.num_heads
        shape = *heads, len(self.spec.roles)
        on_probe = self.role_lowest is None or self.role_distances is None
        lowest = np.full(shape, np.nan) if self.role_lowest is None else _numbers(self.role_lowest).reshape(shape)
        distances = np.zeros(heads) if self.role_distances is None else _numbers(self.role_distances).reshape(heads)
        return History(
            _numbers(self.loss),
            _numbers(self.accuracy),
            read_only(np.array(self.role_steps, np.int64)),
            _numbers(self.roles).reshape(shape),
            read_only(lowest),
            read_only(distances.astype(np.int64)),
            on_probe,
            carried=self.step,
        )

    def states(self) -> Iterator[tuple[int, NDArray[np.floating]]]:
        """Yield each step with the numbers of its state, read-only."""
        size = state_bytes(self.spec)
        for index, step in enumerate(self.steps):
            yield step, _numbers(self.values[index * size : (index + 1) * size], self.spec.dtype)

    def fits(self, spec: Any) -> bool:
        """Return whether a spec's training has these states, independently of the device."""
        if not isinstance(spec, TrainSpec):
            return False
        here = spec.model_copy(update={"device": self.spec.device})
        return here.past == self.spec.past and here.shares_steps_with(self.spec) >= self.step

    def to_json(self) -> dict[str, Any]:
        """Return it as JSON values; the arrays are compressed (zlib) and encoded in base64."""
        names = (*_PACKED, *_MEASURED)
        return {
            "spec": self.spec.model_dump(mode="json"),
            "steps": list(self.steps),
            "role_steps": list(self.role_steps),
            "role_names": [role.name for role in self.spec.roles],
            **{name: _packed(content) for name in names if (content := getattr(self, name)) is not None},
        }

    @classmethod
    def from_json(cls, spec: TrainSpec, values: Mapping[str, Any]) -> Self:
        """Return it from JSON values whose ``spec`` has been read.

        Raises:
            ValueError: a value is missing or invalid; names the field and the rule.
        """
        for name in values:
            if name not in _FIELDS:
                raise Refused("there is no field {name}{near}", name=quoted(name), near=nearest_word(name, _FIELDS))
        steps = _ascending("steps", values, 1, spec.steps, _MOST_STATES)
        if not steps or steps[-1] != spec.steps:
            raise Refused(
                "steps {said} must end with {last}, the steps of its spec", said=quoted(list(steps)), last=spec.steps
            )
        size = len(steps) * state_bytes(spec)
        if size > MOST_BYTES:
            raise Refused(
                "values would take {size} MiB, and at most {most} MiB are read", size=size >> 20, most=MOST_BYTES >> 20
            )
        role_steps = _ascending("role_steps", values, 0, spec.steps, _MOST_MEASURED)
        names = values.get("role_names")
        if not isinstance(names, list) or len(names) > _MOST_NAMES or not all(isinstance(each, str) for each in names):
            raise Refused(
                "role_names {said} must be a list of at most {most} names", said=quoted(names), most=_MOST_NAMES
            )
        if len(set(names)) < len(names):
            raise ValueError(f"role_names {quoted(names)} must name each role once")
        n, cells = spec.steps, len(role_steps) * spec.num_layers * spec.num_heads
        loss, accuracy = (_unpacked(name, values, 8 * n) for name in ("loss", "accuracy"))
        roles = _numbers(_unpacked("roles", values, 8 * cells * len(names))).reshape(cells, len(names))
        numbers = _unpacked("values", values, size)
        _check_finite("values", _numbers(numbers, spec.dtype))
        if OPTIMIZERS[spec.optimizer].remembers == _MOMENTS:
            second = _numbers(numbers, spec.dtype).reshape(len(steps), 1 + _MOMENTS, -1)[:, _MOMENTS]
            _check_not_negative("values", second, "a mean of squares")
        _check_finite("loss", _numbers(loss))
        _check_not_negative("loss", _numbers(loss), "a cross-entropy")
        _check_shares("accuracy", _numbers(accuracy))
        _check_shares("roles", roles[~np.isnan(roles)])
        # A role added by a later attnviz was not measured; a removed one is not shown.
        empty = np.full(cells, np.nan)

        def in_order(scores: NDArray[Any]) -> bytes:
            of_each = [scores[:, names.index(role.name)] if role.name in names else empty for role in spec.roles]
            return _bytes_of(np.stack(of_each, axis=1))

        lowest = distances = None
        if any(name in values for name in _MEASURED):
            least = _numbers(_unpacked("role_lowest", values, 8 * cells * len(names))).reshape(cells, len(names))
            _check_shares("role_lowest", least[~np.isnan(least)])
            distances = _unpacked("role_distances", values, 8 * cells)
            _check_distances(_numbers(distances), spec.num_tokens)
            lowest = in_order(least)
        accuracy = _bytes_of(_numbers(accuracy) + 0.0)  # 0 for -0
        return cls(spec, steps, numbers, loss, accuracy, role_steps, in_order(roles), lowest, distances)


def _bytes_of(array: NDArray[Any], dtype: str = "float64") -> bytes:
    return np.ascontiguousarray(array, np.dtype(dtype).newbyteorder("<")).tobytes()


def _numbers(content: bytes, dtype: str = "float64") -> NDArray[Any]:
    """Return the array (n,) in these bytes, in the machine's byte order, read-only."""
    numbers = np.frombuffer(content, np.dtype(dtype).newbyteorder("<"))
    return read_only(numbers.astype(dtype, copy=False))


def _packed(content: bytes) -> str:
    return base64.b64encode(zlib.compress(content, 1)).decode("ascii")  # low effort, since noise hardly shrinks


def _unpacked(name: str, values: Mapping[str, Any], size: int) -> bytes:
    """Return the bytes of a packed field, which must have exactly this size; no more are ever unpacked."""
    text = values.get(name)
    if not isinstance(text, str):
        raise Refused("{name} {said} must be text in base64", name=name, said=quoted(text))
    if len(text) > 4 * (size + size // 256 + 256) // 3:
        raise Refused("{name} is longer than {size} bytes can be, which its spec has", name=name, size=size)
    try:
        unpack = zlib.decompressobj()
        content = unpack.decompress(base64.b64decode(text, validate=True), size + 1)
    except (binascii.Error, ValueError, zlib.error) as error:
        raise Refused("{name} cannot be unpacked: it is not zlib data in base64, or is damaged", name=name) from error
    if len(content) != size or not unpack.eof or unpack.unused_data:
        raise Refused(
            "{name} must unpack to {size} bytes, which its spec has; it is cut or too long", name=name, size=size
        )
    return content


def _ascending(name: str, values: Mapping[str, Any], least: int, greatest: int, most: int) -> tuple[int, ...]:
    steps = values.get(name)
    if not isinstance(steps, list) or len(steps) > most:
        raise Refused("{name} {said} must be a list of at most {most} steps", name=name, said=quoted(steps), most=most)
    for before, step in zip([least - 1, *steps], steps, strict=False):
        if isinstance(step, bool) or not isinstance(step, int) or not before < step <= greatest:
            details = {"name": name, "least": least, "greatest": greatest, "said": quoted(step)}
            raise Refused("{name} must be increasing whole numbers from {least} to {greatest}, not {said}", **details)
    return tuple(steps)


def _check_finite(name: str, numbers: NDArray[np.floating]) -> None:
    if not np.isfinite(numbers).all():
        raise Refused("{name} holds a number that is not finite", name=name)


def _check_not_negative(name: str, numbers: NDArray[np.floating], quantity: str) -> None:
    if (numbers < 0).any():
        raise ValueError(f"{name} holds {quantity} of {numbers.min():g}; it must be at least 0")


def _check_distances(numbers: NDArray[np.floating], tokens: int) -> None:
    if not ((numbers >= 0) & (numbers < tokens) & (numbers % 1 == 0)).all():
        raise Refused("role_distances holds a number that is no distance of {tokens} tokens", tokens=tokens)


def _check_shares(name: str, numbers: NDArray[np.floating]) -> None:
    if not ((numbers >= 0) & (numbers <= 1 + _ROUNDING)).all():
        raise Refused("{name} holds a number that is not from 0 to 1", name=name)
