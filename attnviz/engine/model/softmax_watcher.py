"""Watching the functions of torch that a model calls: the product with W_o, and the softmax of attention itself."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, Protocol

import torch
from torch import Tensor
from torch.nn import functional
from torch.overrides import TorchFunctionMode
from typing_extensions import override


class Watches(Protocol):
    """What is told of the calls that a watcher sees."""

    def settle(self, output_weight: Tensor | None, /) -> None:
        """Take W_o, (D, h · e), of the call before."""


class SoftmaxWatcher(TorchFunctionMode):
    """Sees every function of torch that is called while it is entered."""

    def __init__(self, told: Watches) -> None:
        super().__init__()
        self._told = told
        self._rests = False
        self._followed: Tensor | None = None

    @contextmanager
    def resting(self) -> Iterator[None]:
        """Look away for a while."""
        before, self._rests = self._rests, True
        try:
            yield
        finally:
            self._rests = before

    def follow(self, output: Tensor) -> None:
        """Look for the product of heads' outputs (B, Q, h, e) with W_o: its input shares their memory."""
        self._followed = output

    @override
    def __torch_function__(
        self, func: Any, types: Any, args: Sequence[Any] = (), kwargs: dict[str, Any] | None = None
    ) -> Any:
        if not self._rests and self._followed is not None and func in _PRODUCTS:
            self._meet(*_PRODUCTS[func](args))
        return func(*args, **(kwargs or {}))

    def _meet(self, given: Tensor, matrix: Tensor) -> None:
        """Tell of W_o if a product is the one that is looked for; ``matrix`` is (h · e, D)."""
        out = self._followed
        if out is None or given.numel() != out.numel() or given.shape[-1] != out.shape[-1] * out.shape[-2]:
            return
        if given.untyped_storage().data_ptr() == out.untyped_storage().data_ptr():
            self._followed = None
            with self.resting():
                self._told.settle(matrix.detach().T)


_PRODUCTS: dict[Any, Callable[[Sequence[Any]], tuple[Tensor, Tensor]]] = {
    functional.linear: lambda args: (args[0], args[1].T),
    torch.addmm: lambda args: (args[1], args[2]),
    torch.matmul: lambda args: (args[0], args[1]),
    Tensor.matmul: lambda args: (args[0], args[1]),
    Tensor.__matmul__: lambda args: (args[0], args[1]),
}
"""The products of outputs with a matrix, and where they have them."""
