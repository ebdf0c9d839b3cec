"""Watching the functions of torch that a model calls: the product with W_o, and attention that is not announced.

Attention is found as a product q · k whose result goes, by steps that are followed, through a softmax over its last
axis into a product with values. What is found is a guess until it is compared: the recorder makes the weights again and
calls them known only if they are the model's bit for bit.
"""

import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from inspect import signature
from types import FunctionType
from typing import Any, NamedTuple, Protocol

import torch
from torch import Tensor, nn
from torch.nn import functional
from torch.overrides import TorchFunctionMode
from torch.utils.weak import WeakIdKeyDictionary
from typing_extensions import override

from attnviz.engine.model.calls import Scoring, Step, allowed_and_rest, difference


@dataclass(eq=False, slots=True)
class Seen:
    """A softmax that looks like that of attention.

    Attributes:
        weights: what it gave, or what the model goes on with, (B, h, Q, K).
        scoring: what the weights are made of; None if no product of queries and keys led here.
        changed: whether the model goes on with other weights.
        apart: how far the outputs that the weights make are from the model's, in shares of its largest, where it has no
            weights of its own.
    """

    weights: Tensor
    scoring: Scoring | None
    changed: bool = False
    apart: float = 0.0


class Watches(Protocol):
    """What is told of the calls that a watcher sees."""

    def settle(self, output_weight: Tensor | None, /) -> None:
        """Take W_o, (D, h · e), of the call before."""

    def weigh(self, module: nn.Module, seen: Seen, scores: Tensor, again: Callable[[Tensor], Tensor], /) -> None:
        """Change the weights of a softmax if asked; ``again`` is the softmax of scores (B, h, Q, K)."""

    def pool(self, module: nn.Module, seen: Seen, values: Tensor | None, output: Tensor, /) -> Tensor:
        """Take a call whose weights met their values; return its outputs (B, Q, h, e) as they go on."""


class _Done(NamedTuple):
    """A step that a model took with scores of a number of axes; ``cells`` are a bias or what a mask allows."""

    does: str
    number: float = 1.0
    cells: Tensor | None = None
    axes: int = 4


class _Trail(NamedTuple):
    """How scores came from q · k: (.., Q, d), (.., K, d), and what was done since."""

    q: Tensor
    k: Tensor
    done: tuple[_Done, ...] = ()


class SoftmaxWatcher(TorchFunctionMode):
    """Sees every function of torch that is called while it is entered."""

    def __init__(self, told: Watches, model: nn.Module, batch_size: int) -> None:
        super().__init__()
        self._told = told
        self._batch_size = batch_size
        self._parameters = {each.untyped_storage().data_ptr() for each in model.parameters()}
        self.saw_softmax = False
        """Whether there was any softmax, of attention or not."""
        self._rests = False
        self._trails: Any = WeakIdKeyDictionary()
        self._softmaxes: Any = WeakIdKeyDictionary()
        self._outputs: Any = WeakIdKeyDictionary()
        self._followed: Tensor | None = None
        self._open: dict[int, Seen] = {}

    @property
    def lost(self) -> int:
        """The number of softmaxes of products whose weights met no values."""
        return len(self._open)

    @property
    def changed_in_vain(self) -> bool:
        """Whether weights were changed that met no values."""
        return any(seen.changed for seen in self._open.values())

    @contextmanager
    def resting(self) -> Iterator[None]:
        """Look away for a while."""
        before, self._rests = self._rests, True
        try:
            yield
        finally:
            self._rests = before

    def follow(self, output: Tensor, handed_on: Tensor) -> None:
        """Look for the product of heads' outputs (B, Q, h, e) with W_o, from the tensor that the model goes on with."""
        self._followed = output
        self._outputs.clear()
        self._outputs[handed_on] = True

    @override
    def __torch_function__(
        self, func: Any, types: Any, args: Sequence[Any] = (), kwargs: dict[str, Any] | None = None
    ) -> Any:
        given = kwargs or {}
        see = None if self._rests else _SEES.get(getattr(func, "__name__", ""))
        if see is None:
            return func(*args, **given)
        return see(self, func, args, given)

    def see_product(self, func: Any, args: Sequence[Any], given: Mapping[str, Any]) -> Any:
        """See a @ b: with W_o, of weights and values, or of queries and keys."""
        left, right = args[0], args[1] if len(args) > 1 else next(iter(given.values()))
        if left in self._outputs:
            self._meet(left, right)
        result = func(*args, **given)
        if not isinstance(right, Tensor) or right.dim() < 2 or not self._is_computed(right):
            return result
        if left in self._softmaxes:
            return self._pooled(self._softmaxes[left], left, right, result)
        if left.dim() > 1:
            self._trails[result] = _Trail(left, right.transpose(-1, -2))
        return result

    def see_linear(self, func: Any, args: Sequence[Any], given: Mapping[str, Any]) -> Any:
        """See a linear layer, perhaps W_o."""
        if args and args[0] in self._outputs and len(args) > 1:
            self._meet(args[0], args[1].T)
        return func(*args, **given)

    def see_addmm(self, func: Any, args: Sequence[Any], given: Mapping[str, Any]) -> Any:
        """See bias + a @ b, perhaps W_o of GPT-2."""
        if len(args) > 2 and args[1] in self._outputs:
            self._meet(args[1], args[2])
        return func(*args, **given)

    def see_added_product(self, func: Any, args: Sequence[Any], given: Mapping[str, Any]) -> Any:
        """See bias + factor (q · k) in one function."""
        result = func(*args, **given)
        bound = dict(zip(("input", "batch1", "batch2"), args, strict=False)) | dict(given)
        if (beta := bound.get("beta", 1)) in (0, 1):
            bias = bound["input"] if beta else result.new_zeros(())  # what is not added may be anything
            done = _Done("fused", float(bound.get("alpha", 1)), bias, 3)
            self._trails[result] = _Trail(bound["batch1"], bound["batch2"].transpose(-1, -2), (done,))
        return result

    def see_einsum(self, func: Any, args: Sequence[Any], given: Mapping[str, Any]) -> Any:
        """See a product that is written with letters; others than products of two tensors are not followed."""
        operands = args[1] if len(args) == 2 and isinstance(args[1], (tuple, list)) else args[1:]
        result = func(*args, **given)
        sides = str(args[0]).replace(" ", "").replace("->", ",").split(",")
        if len(operands) != 2 or len(sides) != 3 or "." in args[0]:
            return result
        (left, right), (a, b, out) = operands, sides
        summed = [letter for letter in a if letter in b and letter not in out]
        if left in self._outputs:
            if len(summed) == 2 and a.endswith("".join(summed)) and set(b) == {*summed, out[-1]}:
                self._meet(left.flatten(-2), right.permute([b.index(x) for x in (*summed, out[-1])]).flatten(0, 1))
        elif left in self._softmaxes and len(summed) == 1 and len(a) == 4:
            batch, head, query, key, value = *a, next((x for x in b if x not in a), "")
            if key == summed[0] and value and set(b) == {batch, head, key, value}:
                values = right.permute([b.index(x) for x in (batch, head, key, value)])
                order = [out.index(x) for x in (batch, head, query, value)]
                return self._pooled(self._softmaxes[left], left, values, result, order)
        elif len(summed) == 1 and len(out) > 1 and set(out[:-2]) <= set(a) & set(b) and out[-2] in a and out[-1] in b:
            q = left.permute([a.index(x) for x in (*out[:-2], out[-2], *summed)])
            k = right.permute([b.index(x) for x in (*out[:-2], out[-1], *summed)])
            if self._is_computed(right):
                self._trails[result] = _Trail(q, k)
        return result

    def see_step(self, func: Any, args: Sequence[Any], given: Mapping[str, Any]) -> Any:
        """See a step from scores to scores."""
        trail = self._trails.get(args[0]) if args and isinstance(args[0], Tensor) else None
        other = args[1] if len(args) > 1 else None
        if trail is None and isinstance(other, Tensor):  # a + scores, and where(mask, scores, a)
            trail, other = self._trails.get(other), args[0]
        result = func(*args, **given)
        if trail is not None:
            step = _step(func.__name__.strip("_"), other, args, given)
            if step is not None and isinstance(result, Tensor):
                self._trails[result] = trail._replace(done=(*trail.done, step._replace(axes=result.dim())))
            elif isinstance(result, Tensor):
                self._trails.pop(result, None)  # changed in place in a way that is not followed
        return result

    def see_layout(self, func: Any, args: Sequence[Any], given: Mapping[str, Any]) -> Any:
        """See a function that moves numbers or widens their format, but leaves what they are."""
        result = func(*args, **given)
        source = args[0] if args else given.get("input")
        if isinstance(source, Tensor) and isinstance(result, Tensor) and result.numel() == source.numel():
            if source in self._outputs:
                self._outputs[result] = True
            if func.__name__ not in _MOVES_AXES:
                for known in (self._trails, self._softmaxes):
                    if source in known:
                        known[result] = known[source]
        return result

    def see_softmax(self, func: Any, args: Sequence[Any], given: Mapping[str, Any]) -> Any:
        """See a softmax; over the last axis of scores it is taken for that of attention."""
        self.saw_softmax = True
        result = func(*args, **given)
        scores = args[0] if args else given.get("input")
        dim = given.get("dim", args[1] if len(args) > 1 else None)
        if not isinstance(scores, Tensor) or dim not in (-1, scores.dim() - 1) or not 1 < scores.dim() < 5:
            return result
        trail = self._trails.get(scores)
        if trail is None and scores.dim() < 3:
            return result
        seen = Seen(self._cells(result, result.dim()), None if trail is None else self._scoring(trail))
        if trail is not None or scores.shape[-1] == scores.shape[-2]:

            def again(changed: Tensor) -> Tensor:
                return self._cells(func(changed.reshape(scores.shape), *args[1:], **given), scores.dim())

            self._told.weigh(_calling_module(), seen, self._cells(scores, scores.dim()), again)
            if seen.changed:
                result = seen.weights.to(result.dtype).reshape(result.shape)
        if trail is not None or seen.changed:
            self._open[id(seen)] = seen
        self._softmaxes[result] = seen
        return result

    def see_fused(self, func: Any, args: Sequence[Any], given: Mapping[str, Any]) -> Any:
        """See attention in one function: it has no weights, so they are made here, and their outputs compared."""
        result = func(*args, **given)
        names = ("query", "key", "value", "attn_mask", "dropout_p", "is_causal")
        bound = dict(zip(names, args, strict=False)) | dict(given)
        q, k, v = (self._cells(bound[name], bound[name].dim()) for name in names[:3])
        mask, rest = None, None
        if bound.get("is_causal"):
            mask = q.new_ones((q.shape[2], k.shape[2]), dtype=torch.bool).tril()[None, None]
        elif bound.get("attn_mask") is not None:
            mask, rest = allowed_and_rest(self._cells(bound["attn_mask"], result.dim()))
        scale = bound.get("scale")
        steps = (Step("times", q.shape[-1] ** -0.5 if scale is None else scale),)
        scoring = Scoring(q, k, mask, steps if rest is None else (*steps, Step("add", bias=rest)))
        seen = Seen(scoring.weights(), scoring)
        self._told.weigh(_calling_module(), seen, seen.weights, lambda scores: scores.softmax(-1))
        made = seen.weights @ v.repeat_interleave(q.shape[1] // v.shape[1], 1)
        if seen.changed:
            result = made.reshape(result.shape)
        else:
            seen.apart = difference(made, self._cells(result, result.dim())) / max(1.0, result.abs().max().item())
        return self._pooled(seen, seen.weights, v, result)

    def see_attention(self, func: Any, args: Sequence[Any], given: Mapping[str, Any]) -> Any:
        """See nn.MultiheadAttention: let it compute weights of its heads, and look on."""
        bound = signature(func).bind(*args, **given)
        bound.apply_defaults()
        values = bound.arguments
        wanted, averaged = values["need_weights"], values["average_attn_weights"]
        values |= {"need_weights": True, "average_attn_weights": False}
        before, self._batch_size = self._batch_size, values["query"].shape[1] if values["query"].dim() == 3 else 1
        with self:
            output, weights = _attention(*bound.args, **bound.kwargs)
        self._batch_size = before
        return output, None if not wanted else weights.mean(-3) if averaged else weights

    def _pooled(
        self, seen: Seen, weights: Tensor, values: Any, result: Tensor, order: Sequence[int] = (0, 1, 2, 3)
    ) -> Tensor:
        """Tell of a product of weights and values; ``order`` are the axes B, h, Q, e of its result."""
        self._open.pop(id(seen), None)
        seen.weights = self._cells(weights, weights.dim())
        output = self._cells(result, result.dim()).permute(*order).transpose(1, 2).contiguous()
        cells = self._cells(values, values.dim()) if values.dim() == weights.dim() else None
        changed = self._told.pool(_calling_module(), seen, cells, output)
        if changed is not output:
            inverse = [list(order).index(axis) for axis in range(4)]
            result = changed.transpose(1, 2).permute(inverse).reshape(result.shape)
        self.follow(changed, result)
        return result

    def _meet(self, given: Tensor, matrix: Any) -> None:
        """Tell of W_o if a product is the one that is looked for; ``matrix`` is (h · e, D)."""
        out = self._followed
        if out is None or not isinstance(matrix, Tensor) or matrix.dim() != 2 or given.numel() != out.numel():
            return
        flat = given.reshape(-1)
        if given.shape[-1] == matrix.shape[0] == out.shape[-1] * out.shape[-2] and (
            torch.equal(flat, out.reshape(-1)) or torch.equal(flat, out.transpose(0, 1).reshape(-1))
        ):
            self._followed = None
            self._outputs.clear()
            self._told.settle(matrix.detach().T)

    def _is_computed(self, matrix: Tensor) -> bool:
        """Return whether a matrix was computed, and is no parameter of the model."""
        return matrix.untyped_storage().data_ptr() not in self._parameters

    def _cells(self, tensor: Tensor, axes: int) -> Tensor:
        """Return a tensor as (B, h, .., ..), where its last axes count for it or for what it is added to."""
        tensor = tensor.reshape((1,) * (axes - tensor.dim()) + tuple(tensor.shape))
        if axes == 3 and tensor.shape[0] > 1:
            batch = self._batch_size if tensor.shape[0] % self._batch_size == 0 else tensor.shape[0]
            return tensor.reshape(batch, tensor.shape[0] // batch, *tensor.shape[1:])
        return tensor.reshape((1,) * (4 - axes) + tuple(tensor.shape))

    def _scoring(self, trail: _Trail) -> Scoring | None:
        """Return what weights are made of, from what was done with q · k."""
        if trail.q.dim() != trail.k.dim():
            return None
        q, k = (self._cells(each, each.dim()) for each in (trail.q, trail.k))
        mask: Tensor | None = None
        steps: list[Step] = []
        for does, number, cells, at in trail.done:
            if cells is None:
                steps.append(Step(does, number))  # type: ignore[arg-type]
                continue
            here = self._cells(cells, at)
            allowed, rest = (here, None) if does == "mask" else allowed_and_rest(here)
            if allowed is not None:
                mask = allowed if mask is None else mask & allowed
            if rest is not None:
                steps.append(Step("fused" if does == "fused" else "add", number, rest))
            elif does == "fused" and number != 1:
                steps.append(Step("fused", number, here.new_zeros((1, 1, 1, 1))))
        if q.shape[0] != k.shape[0] or q.shape[1] % k.shape[1]:
            return None
        return Scoring(q, k, mask, tuple(steps))


def _attention(*args: Any, **given: Any) -> Any:
    """Call the function of nn.MultiheadAttention so that a mode sees what it calls: by itself it shows itself only."""
    whole = functional.multi_head_attention_forward
    names = vars(functional) | {"has_torch_function": lambda _: False}
    inner = FunctionType(whole.__code__, names, whole.__name__, whole.__defaults__, whole.__closure__)
    return inner(*args, **given)


def _calling_module() -> nn.Module:
    """Return the module whose code is running."""
    frame: Any = sys._getframe(1)
    while frame is not None:
        if isinstance(found := frame.f_locals.get("self"), nn.Module):
            return found
        frame = frame.f_back
    raise LookupError("no module is running")


def _number(value: Any) -> float | None:
    """Return a number, or that of a tensor without axes; None if it is neither."""
    if isinstance(value, Tensor):
        return float(value) if value.numel() == 1 and not value.is_complex() else None
    return float(value) if isinstance(value, (int, float)) else None


def _step(name: str, other: Any, args: Sequence[Any], given: Mapping[str, Any]) -> _Done | None:
    """Return what a function does with scores; None if that is not followed."""
    other = other if other is not None else next(iter(given.values()), None)
    number = _number(other)
    if name in ("mul", "rmul", "imul", "multiply"):
        return None if number is None else _Done("times", number)
    if name in ("div", "truediv", "itruediv", "true_divide", "divide"):
        return None if number is None else _Done("over", number)
    if name in ("add", "radd", "iadd") and isinstance(other, Tensor) and not given.get("alpha"):
        return _Done("add", cells=other)
    if name in ("add", "radd", "iadd") and number == 0:
        return _Done("times", 1.0)
    if name in ("sub", "isub") and isinstance(other, Tensor) and not given.get("alpha"):
        return _Done("add", cells=-other)
    if name == "tanh":
        return _Done("tanh")
    if name == "masked_fill":
        return _Done("mask", cells=~other)
    if name == "where":
        return _Done("mask", cells=next(each for each in args if isinstance(each, Tensor) and each.dtype == torch.bool))
    if name in ("max", "maximum") and number is not None:
        return _Done("times", 1.0)
    return None


_MOVES_AXES = {"permute", "transpose", "swapaxes", "flatten", "unflatten", "movedim", "rearrange"}

_See = Callable[[SoftmaxWatcher, Any, Sequence[Any], Mapping[str, Any]], Any]


def _named(see: _See, names: str) -> dict[str, _See]:
    return dict.fromkeys(names.split(), see)


_SEES: dict[str, _See] = {
    **_named(SoftmaxWatcher.see_product, "matmul __matmul__ bmm"),
    **_named(SoftmaxWatcher.see_linear, functional.linear.__name__),
    **_named(SoftmaxWatcher.see_addmm, "addmm"),
    **_named(SoftmaxWatcher.see_added_product, "baddbmm"),
    **_named(SoftmaxWatcher.see_einsum, "einsum"),
    **_named(SoftmaxWatcher.see_softmax, "softmax"),
    **_named(SoftmaxWatcher.see_fused, "scaled_dot_product_attention"),
    **_named(SoftmaxWatcher.see_attention, functional.multi_head_attention_forward.__name__),
    **_named(
        SoftmaxWatcher.see_step,
        "mul mul_ __mul__ __rmul__ __imul__ multiply div div_ __truediv__ __itruediv__ true_divide divide "
        "add add_ __add__ __radd__ __iadd__ sub __sub__ __isub__ tanh tanh_ masked_fill masked_fill_ where max maximum",
    ),
    **_named(
        SoftmaxWatcher.see_layout,
        "view reshape to float type type_as contiguous dropout clone unsqueeze squeeze view_as "
        + " ".join(sorted(_MOVES_AXES)),
    ),
}
"""What is seen, by the name of the function: torch has the same function as a method and as an operator."""
