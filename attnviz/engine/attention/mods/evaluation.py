"""In the process of the user's functions: a ``mask_mod`` or ``score_mod`` for all cells at once, by torch's own vmap.

As uncompiled ``flex_attention`` and ``create_mask`` do it: four nested `torch.vmap` over b, h, q_idx and kv_idx, within
torch's mode that lets a captured tensor be indexed by them.
"""

import builtins
import contextlib
import functools
import time
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import torch
from torch import Tensor
from torch._dynamo._trace_wrapped_higher_order_op import TransformGetItemToIndex

from attnviz.engine.attention.mods.failures import Failure, is_data_dependent

_DIMENSIONS = ((None, None, None, 0), (None, None, 0, None), (None, 0, None, None), (0, None, None, None))

_OPERANDS_SECONDS = 2.0
"""The time after which no further operand of a mask is evaluated."""

Sizes = tuple[int, int, int, int]
"""B, h, Q and K."""


def masks(
    function: Callable[..., Any], operands: Sequence[Callable[..., Any]], sizes: Sizes, name: str, line: int = 0
) -> tuple[Tensor, list[Tensor | None]]:
    """Return the mask of a ``mask_mod``, and those of its operands: bool, (1 or B, 1 or h, Q, K).

    An operand is None if it fails or gives no mask, or if time has run out. What operands print is lost: the function
    itself has printed it.

    Raises:
        Failure: the function does not return one bool per cell; besides whatever it raises itself.
    """
    failed: set[int] = set()

    def of_all(*indices: Tensor) -> tuple[Tensor, ...]:
        found = [_checked(function(*indices), name, "mask_mod", line)]
        until = time.monotonic() + _OPERANDS_SECONDS
        with contextlib.redirect_stdout(None):
            for at, operand in enumerate(operands):
                try:
                    if time.monotonic() > until:
                        raise TimeoutError
                    found.append(_checked(operand(*indices), "", "mask_mod", 0))
                except Exception:
                    failed.add(at)
                    found.append(indices[0].new_zeros((), dtype=torch.bool))
        return tuple(found)

    mask, *others = map(_compact, _over_cells(of_all, sizes))
    return mask, [None if at in failed else other for at, other in enumerate(others)]


def scores_after(function: Callable[..., Any], scores: Tensor, name: str, line: int = 0) -> Tensor:
    """Return the scores (B, h, Q, K) as changed by a ``score_mod``, in their dtype.

    Raises:
        Failure: the function does not return one number per cell; besides whatever it raises itself.
    """

    def checked(*arguments: Tensor) -> tuple[Tensor]:
        return (_checked(function(*arguments), name, "score_mod", line),)

    sizes = _sizes(scores)
    try:
        (after,) = _over_cells(checked, sizes, scores.clone())  # the function may change them in place
    except RuntimeError as error:
        if not is_data_dependent(error):
            raise
        with _min_and_max_of_tensors():
            (after,) = _over_cells(checked, sizes, scores)
    return after.to(scores.dtype).contiguous()


@contextlib.contextmanager
def _min_and_max_of_tensors() -> Iterator[None]:
    """Let ``min`` and ``max`` take tensors, as they do where ``flex_attention`` traces a ``score_mod``."""
    before = builtins.min, builtins.max

    def of_tensors(plain: Callable[..., Any], of_two: Callable[[Tensor, Tensor], Tensor]) -> Callable[..., Any]:
        def chosen(*args: Any, **options: Any) -> Any:
            if not any(isinstance(each, Tensor) for each in args):
                return plain(*args, **options)
            return functools.reduce(of_two, map(torch.as_tensor, args))

        return chosen

    builtins.min, builtins.max = of_tensors(min, torch.minimum), of_tensors(max, torch.maximum)
    try:
        yield
    finally:
        builtins.min, builtins.max = before


def _sizes(scores: Tensor) -> Sizes:
    batch, heads, queries, keys = scores.shape
    return batch, heads, queries, keys


def _over_cells(function: Callable[..., tuple[Tensor, ...]], sizes: Sizes, *scores: Tensor) -> list[Tensor]:
    """Return the results on the CPU; functions with captured tensors on an accelerator are evaluated there."""
    for dimensions in _DIMENSIONS:
        function = torch.vmap(function, in_dims=(0,) * len(scores) + dimensions)

    def on(device: str) -> list[Tensor]:
        with torch.no_grad(), TransformGetItemToIndex():
            indices = [torch.arange(size, device=device) for size in sizes]
            return [each.cpu() for each in function(*(each.to(device) for each in scores), *indices)]

    try:
        return on("cpu")
    except RuntimeError as error:
        if "same device" not in str(error) or not torch.cuda.is_available():
            raise
        return on("cuda")


def _checked(result: Any, name: str, kind: str, line: int) -> Tensor:
    if not isinstance(result, Tensor):
        raise Failure("result_type", line, name=name, kind=kind, type=type(result).__name__)
    if result.dim():
        raise Failure("result_shape", line, name=name, kind=kind, shape=str(tuple(result.shape)))
    if kind == "mask_mod" and result.dtype != torch.bool:
        raise Failure("result_dtype", line, name=name, dtype=str(result.dtype).removeprefix("torch."))
    if result.is_complex():
        raise Failure("result_complex", line, name=name, dtype=str(result.dtype).removeprefix("torch."))
    return result


def _compact(result: Tensor) -> Tensor:
    """Return a mask with one item, or head, if it is the same for all."""
    for axis in (0, 1):
        first = result.narrow(axis, 0, 1)
        if result.shape[axis] > 1 and (result.stride(axis) == 0 or bool((result == first).all())):
            result = first
    return result.contiguous()
