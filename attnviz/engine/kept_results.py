"""What a run need not compute again, since an earlier one called the same functions with the same arguments.

A result is found by its function and *all* of its arguments, so no list says which knob changes what. Plain values are
the same if their type and text are. Tensors are the same if they are one object, not written to since: a result that
was found again, or what `KeptResults.same` has compared bit for bit.
"""

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from types import EllipsisType, NoneType
from typing import Any, Protocol, TypeVar

import torch
from torch import Tensor
from torch.overrides import TorchFunctionMode
from typing_extensions import override

LEAST_BYTES = 16 << 20
"""A run that needs less is computed as a whole: that takes about as long as to look its results up."""
MOST_BYTES = 256 << 20
"""What is kept between runs has at most so many bytes; a run that needs more keeps nothing."""

_PLAIN = {int, float, bool, str, NoneType, EllipsisType, torch.dtype, torch.device, torch.layout, torch.memory_format}
"""The types of plain values. 1 is not 1.0, and 0.0 not -0.0."""
_BITS = {1: torch.uint8, 2: torch.int16, 4: torch.int32, 8: torch.int64}
"""Whole numbers of as many bytes."""

T = TypeVar("T")


class Results(Protocol):
    """How a run comes by its results."""

    keeps: bool
    """Whether they are kept, so that none may be written to."""

    def of(self, function: Callable[..., T], /, *args: Any) -> T:
        """Return what a function makes of its arguments, on which alone it depends."""

    def same(self, tensor: Tensor) -> Tensor:
        """Return an earlier tensor of the same bits in its place, if there is one."""

    def of_torch(self) -> AbstractContextManager[Any]:
        """Enter the mode in which torch computes, without gradients."""

    def complete(self) -> None:
        """End a run that has all its results."""


class _Afresh:
    """Everything is computed, and nothing kept."""

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
    """A result."""

    result: Any
    versions: tuple[int, ...]
    """How often each tensor of it had been written to."""
    arguments: tuple[Tensor, ...]
    """The tensors it was made of. They live as long as it does, so that no other gets their identity."""
    run: int
    """The last run that asked for it."""


class _NotPlainError(Exception):
    """An argument may change while it stays the same object, such as a generator of random numbers."""


class KeptResults:
    """The results of the last two runs, so that a knob that is turned to and fro finds both. For one thread.

    A function must depend on its arguments alone: it draws from a generator among them, never from the global one. A
    result is not found if it was written to, or by a run on another number of threads, which may sum in another order.
    """

    keeps = True

    def __init__(self, least_bytes: int = LEAST_BYTES, most_bytes: int = MOST_BYTES) -> None:
        self._least, self._most = least_bytes, most_bytes
        self._kept: dict[Any, _Kept] = {}
        self._compared: list[_Kept] = []
        self._run = 0
        self._threads = 0
        self.found = 0
        """How many of the results of the newest run had been kept."""

    @property
    def nbytes(self) -> int:
        """The bytes of all that is kept, arguments included; tensors that share memory count once."""
        storages = {}
        for kept in (*self._kept.values(), *self._compared):
            for tensor in (*_tensors_in(kept.result), *kept.arguments):
                storage = tensor.untyped_storage()
                storages[storage.data_ptr()] = storage.nbytes()
        return sum(storages.values())

    def clear(self) -> None:
        """Let go of everything."""
        self._kept.clear()
        self._compared.clear()

    def for_run(self, needed: int, available: int) -> Results:
        """Return these results for a run that needs so many bytes, or `AFRESH` if it is small, or too large to keep.

        Everything is let go of where memory is scarce.
        """
        if needed > self._most or 2 * needed > available or self.nbytes > self._most:
            self.clear()
        if not self._least <= needed <= min(self._most, available // 2):
            return AFRESH
        self._threads = torch.get_num_threads()
        self.found = 0
        return self

    def complete(self) -> None:
        """End a run: let go of what neither it nor the one before asked for, and of more if that is too much."""
        for oldest in (self._run - 1, self._run, self._run + 1):
            self._kept = {key: kept for key, kept in self._kept.items() if kept.run >= oldest}
            self._compared = [kept for kept in self._compared if kept.run >= oldest]
            if self.nbytes <= self._most:
                break
        self._run += 1

    def of(self, function: Callable[..., T], /, *args: Any, **options: Any) -> T:
        """Return what a function makes of its arguments, or what it made of the same ones before."""
        try:
            key = self._threads, function, self._identity(args), self._identity(tuple(options.items()))
        except _NotPlainError:
            return function(*args, **options)
        kept = self._kept.get(key)
        if kept is not None and kept.versions == _versions(kept.result):
            kept.run = self._run
            self.found += 1
            found: T = kept.result
            return found
        result = function(*args, **options)
        if _tensors_in(result) and not isinstance(result, list):
            arguments = _tensors_in((args, tuple(options.values())))
            self._kept[key] = _Kept(result, _versions(result), arguments, self._run)
        return result

    def same(self, tensor: Tensor) -> Tensor:
        """Return an earlier tensor of the same bits in its place, if there is one."""
        for kept in self._compared:
            earlier: Tensor = kept.result
            if _same_bits(earlier, tensor):
                kept.run = self._run
                return earlier
        self._compared.append(_Kept(tensor, (), (), self._run))
        return tensor

    @contextmanager
    def of_torch(self) -> Iterator[None]:
        """Find, or keep, the result of every function of torch that is called inside."""
        # Not the inference mode, whose tensors do not count how often they are written to.
        with torch.no_grad(), _EveryFunction(self):
            yield

    def _identity(self, value: Any) -> Any:
        """Return what tells an argument apart.

        Raises:
            _NotPlainError: nothing does, whatever becomes of it.
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
    """Asks for the result of every function of torch that is called."""

    def __init__(self, results: KeptResults) -> None:
        super().__init__()
        self._results = results

    @override
    def __torch_function__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        return self._results.of(func, *args, **(kwargs or {}))


def _tensors_in(value: Any) -> tuple[Tensor, ...]:
    """Return a tensor, or those in a tuple or list, however deep."""
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
    return torch.equal(one.view(bits), other.view(bits))
