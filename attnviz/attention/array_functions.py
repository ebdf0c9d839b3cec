"""The array functions that formulas and records call, for tensors.

They are not numpy's, whose sine differs in the last bit: the exported script repeats these operations one by one
(`attnviz.export.code.formula`), so its numbers equal those of the run.
"""

from typing import Any

import torch
from torch import Tensor

from attnviz.definitions.functions.formula import Functions


def _sign(u: Tensor) -> Tensor:
    """Return -1, 0 or 1 in the shape of u, and NaN where u is NaN (torch.sign gives 0 there)."""
    return torch.where(u.isnan(), u, torch.sign(u))


def _step(u: Tensor) -> Tensor:
    """Return 0 below 0, else 1, in the shape of u; NaN where u is NaN."""
    return torch.where(u.isnan(), u, (u >= 0).to(u.dtype))


def _box(u: Tensor) -> Tensor:
    """Return 1 where |u| < 1, else 0, in the shape of u; NaN where u is NaN."""
    return torch.where(u.isnan(), u, (u.abs() < 1).to(u.dtype))


def _min(u: Any, v: Any) -> Tensor:
    """Return the smaller of two, broadcast; one of them may be a number."""
    if isinstance(u, Tensor) and isinstance(v, Tensor):
        return torch.minimum(u, v)
    return torch.clamp(u, max=v) if isinstance(u, Tensor) else torch.clamp(v, max=u)


def _max(u: Any, v: Any) -> Tensor:
    """Return the larger of two, broadcast; one of them may be a number."""
    if isinstance(u, Tensor) and isinstance(v, Tensor):
        return torch.maximum(u, v)
    return torch.clamp(u, min=v) if isinstance(u, Tensor) else torch.clamp(v, min=u)


def _at(values: Any, *indices: Tensor) -> Tensor:
    table = torch.tensor(values, dtype=torch.long, device=indices[0].device)
    return table[tuple(index.long() for index in indices)]


def _searchsorted(values: tuple[int, ...], x: Tensor) -> Tensor:
    return torch.searchsorted(torch.tensor(values, dtype=torch.long, device=x.device), x.long(), right=True)


def _booleans(data: bytearray, shape: tuple[int, ...], like: Tensor) -> Tensor:
    return torch.frombuffer(data, dtype=torch.bool).view(shape).to(like.device)


def _pad(x: Tensor, value: float) -> Tensor:
    return torch.nn.functional.pad(x, (0, 1), value=value)


def _softmax(scores: Tensor) -> Tensor:
    return scores.softmax(dim=-1)


def _sparsemax(scores: Tensor) -> Tensor:
    """Return max(scores - τ, 0), where τ makes each row sum to 1 (Martins & Astudillo 2016); NaN in a row of -inf."""
    scores = scores - scores.amax(dim=-1, keepdim=True)
    falling = scores.sort(dim=-1, descending=True).values
    count = torch.arange(1, scores.shape[-1] + 1, dtype=scores.dtype, device=scores.device)
    sums = falling.cumsum(dim=-1) - 1
    support = (count * falling > sums).sum(dim=-1, keepdim=True).clamp(min=1)
    return (scores - sums.gather(-1, support - 1) / support).clamp(min=0)


TORCH: Functions = {
    "sin": torch.sin,
    "cos": torch.cos,
    "tan": torch.tan,
    "asin": torch.asin,
    "acos": torch.acos,
    "atan": torch.atan,
    "sinh": torch.sinh,
    "cosh": torch.cosh,
    "tanh": torch.tanh,
    "exp": torch.exp,
    "log": torch.log,
    "ln": torch.log,
    "log10": torch.log10,
    "sqrt": torch.sqrt,
    "abs": torch.abs,
    "sign": _sign,
    "floor": torch.floor,
    "ceil": torch.ceil,
    "sinc": torch.sinc,
    "step": _step,
    "box": _box,
    "min": _min,
    "max": _max,
    "at": _at,
    "searchsorted": _searchsorted,
    "booleans": _booleans,
    "concatenate": torch.cat,
    "divide": torch.div,
    "pad": _pad,
    "softmax": _softmax,
    "sigmoid": torch.sigmoid,
    "sparsemax": _sparsemax,
}
"""The functions of formulas for tensors, by the names that users type; and those of `INDEXING`."""


def _divide_in_place(x: Tensor, divisor: float) -> Tensor:
    """Divide a tensor in place, without the copy of the scores that would cost as much as a softmax."""
    return x.div_(divisor)


IN_PLACE: Functions = {**TORCH, "divide": _divide_in_place, "tanh": torch.tanh_}
"""Variants that may write to their argument: for scores and features without another reference."""
