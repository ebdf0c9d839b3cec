"""A cache of function results, so that a run need not repeat computations of an earlier one.

The key is the function and *all* of its arguments, so no table has to say which field affects what. Plain values are
equal if their types and texts are. Tensors are equal if they are the same object, unmodified since: a cached result, or
one that `KeptResults.same` compared bit for bit.
"""

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from types import EllipsisType, NoneType
from typing import Any, Protocol, TypeVar

import numpy as np
import torch
from torch import Tensor
from torch.overrides import TorchFunctionMode
from typing_extensions import override

LEAST_BYTES = 16 << 20
"""Runs below this size bypass the cache, since looking results up takes about as long as computing them."""
MOST_BYTES = 256 << 20
"""The limit of the cache between runs; a run that needs more is not cached."""

_PLAIN = {int, float, bool, str, NoneType, EllipsisType, torch.dtype, torch.device, torch.layout, torch.memory_format}
"""The types of plain values; 1 and 1.0 differ, and so do 0.0 and -0.0."""
_BITS = {1: torch.uint8, 2: torch.int16, 4: torch.int32, 8: torch.int64}
"""The integer type of each size in bytes, for comparing bits."""

T = TypeVar("T")


class Results(Protocol):
    """The source of a run's results: computed or cached."""

    keeps: bool
    """Whether results are cached and must therefore not be modified."""

    def of(self, function: Callable[..., T], /, *args: Any) -> T:
        """Return ``function(*args)``; the function must depend on its arguments only."""

    def same(self, tensor: Tensor) -> Tensor:
        """Return an earlier tensor with the same bits, if there is one, else the tensor."""

    def of_torch(self) -> AbstractContextManager[Any]:
        """Enter the mode in which torch computes, without gradients."""

    def complete(self) -> None:
        """Finish a run that has all its results."""


class _Afresh:
    """Computes everything and caches nothing."""

    keeps = False

    def of(self, function: Callable[..., T], /, *args: Any) -> T:
        return function(*args)

    def same(self, tensor: Tensor) -> Tensor:
        return tensor

    def of_torch(self) -> AbstractContextManager[Any]:
        return torch.inference_mode()

    def complete(self) -> None:
        pass


AFRESH: Results = _Afresh()


@dataclass(slots=True)
class _Kept:
    """A cached result."""

    result: Any
    versions: tuple[int, ...]
    """The version counter of each of its tensors."""
    arguments: tuple[Tensor, ...]
    """The tensors among its arguments, kept alive so that no other tensor gets their identity."""
    run: int
    """The last run that used it."""


class _NotPlainError(Exception):
    """An argument may change without changing its identity, such as a random generator."""


class KeptResults:
    """The cached results of the last two runs, so that toggling a field back and forth hits both. Not thread-safe.

    A function must depend on its arguments only: it draws from a generator among them, never from the global one. A
    result is not reused once it was modified, or by a run with another number of threads, which may sum in another
    order.
    """

    keeps = True

    def __init__(self, least_bytes: int = LEAST_BYTES, most_bytes: int = MOST_BYTES) -> None:
        self._least, self._most = least_bytes, most_bytes
        self._kept: dict[Any, _Kept] = {}
        self._compared: list[_Kept] = []
        self._run = 0
        self._threads = 0
        self.hits = 0
        """How many of the results of the newest run had been kept."""

    @property
    def nbytes(self) -> int:
        """The bytes of all cached results and arguments; tensors that share memory count once."""
        storages = {}
        for kept in (*self._kept.values(), *self._compared):
            for tensor in (*_tensors_in(kept.result), *kept.arguments):
                storage = tensor.untyped_storage()
                storages[storage.data_ptr()] = storage.nbytes()
        return sum(storages.values())

    def clear(self) -> None:
        """Empty the cache."""
        self._kept.clear()
        self._compared.clear()

    def for_run(self, needed: int, available: int) -> Results:
        """Return this cache for a run that needs ``needed`` bytes, or `AFRESH` if that is too little or too much.

        The cache is emptied if memory is scarce.
        """
        if needed > self._most or 2 * needed > available or self.nbytes > self._most:
            self.clear()
        if not self._least <= needed <= min(self._most, available // 2):
            return AFRESH
        self._threads = torch.get_num_threads()
        self.hits = 0
        return self

    def complete(self) -> None:
        """Finish a run: drop results unused by it and the run before, and more if the limit is exceeded."""
        for oldest in (self._run - 1, self._run, self._run + 1):
            self._kept = {key: kept for key, kept in self._kept.items() if kept.run >= oldest}
            self._compared = [kept for kept in self._compared if kept.run >= oldest]
            if self.nbytes <= self._most:
                break
        self._run += 1

    def of(self, function: Callable[..., T], /, *args: Any, **options: Any) -> T:
        """Return ``function(*args, **options)``, cached if possible."""
        try:
            key = self._threads, function, self._identity(args), self._identity(tuple(options.items()))
        except _NotPlainError:
            return function(*args, **options)
        kept = self._kept.get(key)
        if kept is not None and kept.versions == _versions(kept.result):
            kept.run = self._run
            self.hits += 1
            cached: T = kept.result
            return cached
        result = function(*args, **options)
        if _tensors_in(result) and not isinstance(result, list):
            arguments = _tensors_in((args, tuple(options.values())))
            self._kept[key] = _Kept(result, _versions(result), arguments, self._run)
        return result

    def same(self, tensor: Tensor) -> Tensor:
        """Return an earlier tensor with the same bits, if there is one, else the tensor."""
        for kept in self._compared:
            earlier: Tensor = kept.result
            if _same_bits(earlier, tensor):
                kept.run = self._run
                return earlier
        self._compared.append(_Kept(tensor, (), (), self._run))
        return tensor

    @contextmanager
    def of_torch(self) -> Iterator[None]:
        """Cache the result of every torch function called inside."""
        # Not inference mode, whose tensors have no version counters.
        with torch.no_grad(), _EveryFunction(self):
            yield

    def _identity(self, value: Any) -> Any:
        """Return the part of the key for an argument.

        Raises:
            _NotPlainError: the argument has no stable identity.
        """
        kind = type(value)
        if isinstance(value, Tensor) and not value.is_inference():
            return kind, id(value), value._version
        if kind in _PLAIN:
            return kind, repr(value)
        if kind is slice:
            return kind, self._identity((value.start, value.stop, value.step))
        if isinstance(value, tuple | list):
            return kind, tuple(self._identity(each) for each in value)
        raise _NotPlainError


class _EveryFunction(TorchFunctionMode):
    """Looks up the result of every torch function that is called."""

    def __init__(self, results: KeptResults) -> None:
        super().__init__()
        self._results = results

    @override
    def __torch_function__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        return self._results.of(func, *args, **(kwargs or {}))


def _tensors_in(value: Any) -> tuple[Tensor, ...]:
    """Return a tensor, or all tensors in a tuple or list, at any depth."""
    if isinstance(value, Tensor):
        return (value,)
    return tuple(tensor for each in value for tensor in _tensors_in(each)) if isinstance(value, tuple | list) else ()


def _versions(result: Any) -> tuple[int, ...]:
    return tuple(tensor._version for tensor in _tensors_in(result))


def _same_bits(one: Tensor, other: Tensor) -> bool:
    if one is other:
        return True
    if (one.dtype, one.device, one.shape, one.stride()) != (other.dtype, other.device, other.shape, other.stride()):
        return False
    bits = _BITS[one.itemsize]
    one, other = one.view(bits), other.view(bits)
    # On the CPU numpy compares 512 x 512 booleans in 0.02 ms, torch.equal in 0.7, and more where its threads must wait.
    return np.array_equal(one.numpy(), other.numpy()) if one.device.type == "cpu" else torch.equal(one, other)
