"""Watches the torch functions that a model calls, to find the product with W_o and attention outside known functions.

Attention is recognised as a product q · k whose result goes, by traceable steps, through a softmax over its last axis
into a product with values. This is a guess until it is compared: the recorder recomputes the weights and treats them as
known only if they equal the model's bit for bit.
"""

import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from inspect import signature
from traceback import walk_tb
from types import FrameType, FunctionType
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
        weights: its result, or what the model continues with, (B, h, Q, K).
        scoring: the inputs of the weights; None if no product of queries and keys led here.
        changed: whether the model continues with other weights.
        pooling: the very tensor that is multiplied by the values, in the model's own shape; None before that.
        apart: if the model has no weights, the differences between its outputs and recomputed ones, relative to the
            largest.
    """

    weights: Tensor
    scoring: Scoring | None
    changed: bool = False
    pooling: Tensor | None = None
    apart: float = 0.0


class Watches(Protocol):
    """The listener of a watcher."""

    def settle(self, output_weight: Tensor | None, /) -> None:
        """Receive W_o, (D, h · e), of the previous call."""

    def weigh(self, module: nn.Module, seen: Seen, scores: Tensor, again: Callable[[Tensor], Tensor], /) -> None:
        """Apply interventions to a softmax, if there are any; ``again`` is the softmax of scores (B, h, Q, K)."""

    def pool(self, running: FrameType, seen: Seen, values: Tensor | None, output: Tensor, /) -> Tensor:
        """Receive a call whose weights were multiplied by their values; return its outputs (B, Q, h, e) to pass on."""


class _Trail(NamedTuple):
    """The origin of scores; None if they come from a product in another layout."""

    scoring: Scoring | None


class _Followed:
    """Marks a tensor that holds the outputs of a call's heads."""


class SoftmaxWatcher(TorchFunctionMode):
    """Intercepts every torch function that is called while it is active."""

    def __init__(self, watcher: Watches, model: nn.Module, batch_size: int) -> None:
        super().__init__()
        self._watcher = watcher
        self._batch_size = batch_size
        self._parameters = {each.untyped_storage().data_ptr() for each in model.parameters()}
        self.saw_softmax = False
        """Whether there was any softmax, of attention or not."""
        self._known: Any = WeakIdKeyDictionary()  # by tensors, see `_is`
        self._followed: tuple[_Followed, Tensor] | None = None
        self.fused: dict[str, nn.Module] = {}
        """The functions that compute attention without giving its weights, with the first module that called each."""
        self.unmet: set[Seen] = set()
        """The softmaxes of products whose weights met no values."""

    def follow(self, output: Tensor, handed_on: Tensor) -> None:
        """Look for the product of heads' outputs (B, Q, h, e) with W_o, from the tensor the model continues with."""
        self._followed = _Followed(), output
        self._known[handed_on] = self._followed[0]

    @override
    def __torch_function__(
        self, func: Any, types: Any, args: Sequence[Any] = (), kwargs: dict[str, Any] | None = None
    ) -> Any:
        name = _name_of(func)
        if (see := _SEES.get(name)) is not None:
            return see(self, func, args, kwargs or {})
        if "attention" in name:
            self.fused.setdefault(name, _calling_module())
        return called(func, args, kwargs or {})

    def see_product(self, func: Any, args: Sequence[Any], kwargs: Mapping[str, Any]) -> Any:
        """Observe a @ b, or bias + factor (a @ b): with W_o, of weights and values, or of queries and keys."""
        *added, left, right = (each for each in (*args, *kwargs.values()) if isinstance(each, Tensor))
        self._meet(left, right)
        result = called(func, args, kwargs)
        if right.dim() < 2 or not self._is_computed(right):
            return result
        if isinstance(seen := self._is(left), Seen) and not added:
            return self._pooled(seen, left, right, result)
        if left.dim() > 1 and (beta := kwargs.get("beta", 1)) in (0, 1):
            trail = self._trail(left, right.transpose(-1, -2))
            if added:
                bias = added[0] if beta else result.new_zeros(())  # an unused operand may hold anything
                trail = self._after(trail, Step("fused", float(kwargs.get("alpha", 1)), bias), result.dim())
            self._known[result] = trail
        return result

    def see_linear(self, func: Any, args: Sequence[Any], kwargs: Mapping[str, Any]) -> Any:
        """Observe a linear layer, perhaps W_o."""
        if len(args) > 1:
            self._meet(args[0], args[1].transpose(0, -1))
        return called(func, args, kwargs)

    def see_einsum(self, func: Any, args: Sequence[Any], kwargs: Mapping[str, Any]) -> Any:
        """Observe an einsum; only products of two tensors are traced."""
        operands = args[1] if len(args) == 2 and isinstance(args[1], (tuple, list)) else args[1:]
        result = called(func, args, kwargs)
        sides = str(args[0]).replace(" ", "").replace("->", ",").split(",")
        if len(operands) != 2 or len(sides) != 3 or "." in args[0]:
            return result
        (left, right), (a, b, out) = operands, sides
        summed = "".join(letter for letter in a if letter in b and letter not in out)
        known = self._is(left)
        if isinstance(known, _Followed) and len(summed) == 2 and a.endswith(summed) and set(b) == {*summed, out[-1]}:
            flat = left.flatten(-2)
            self._known[flat] = known
            self._meet(flat, _in_order(right, b, summed + out[-1]).flatten(0, 1))
        elif len(summed) == 1 and len(out) > 1:
            rows, column = (a if isinstance(known, Seen) else out)[:-1], "".join(x for x in b if x not in a)
            if len(column) == 1 and set(a) == {*rows, summed} and set(b) == {*rows[:-1], summed, column}:
                one, other = _in_order(left, a, rows + summed), _in_order(right, b, rows[:-1] + summed + column)
                if isinstance(known, Seen) and len(a) == 4:
                    return self._pooled(known, one, other, result, [out.index(letter) for letter in rows + column])
                if self._is_computed(right):
                    self._known[result] = self._trail(one, other.transpose(-1, -2))
        return result

    def see_step(self, func: Any, args: Sequence[Any], kwargs: Mapping[str, Any]) -> Any:
        """Observe a step from scores to scores."""
        trail = self._is(args[0]) if args else None
        other = args[1] if len(args) > 1 else None
        if not isinstance(trail, _Trail):  # a + scores, and where(mask, scores, a)
            trail, other = self._is(other), args[0] if args else None
        result = called(func, args, kwargs)
        if isinstance(trail, _Trail) and isinstance(result, Tensor):
            if (step := _step(_name_of(func), other, kwargs)) is not None:
                self._known[result] = self._after(trail, step, result.dim())
            else:
                self._known.pop(result, None)  # changed in place in a way that is not traced
        return result

    def see_layout(self, func: Any, args: Sequence[Any], kwargs: Mapping[str, Any]) -> Any:
        """Observe a function that moves or widens numbers without changing them."""
        result = called(func, args, kwargs)
        source: Any = args[0] if args else kwargs.get("input")
        known = self._is(source)
        stays = isinstance(known, _Followed) or not _MOVES_AXES[_name_of(func)]
        if known is not None and stays and isinstance(result, Tensor) and result.numel() == source.numel():
            self._known[result] = known
        return result

    def see_softmax(self, func: Any, args: Sequence[Any], kwargs: Mapping[str, Any]) -> Any:
        """Observe a softmax; over the last axis of scores it is taken for that of attention."""
        self.saw_softmax = True
        result = called(func, args, kwargs)
        scores = args[0] if args else kwargs.get("input")
        dim = kwargs.get("dim", args[1] if len(args) > 1 else None)
        if not isinstance(scores, Tensor) or dim not in (-1, scores.dim() - 1) or not 1 < scores.dim() < 5:
            return result
        trail = self._is(scores)
        is_followed = isinstance(trail, _Trail)
        if not is_followed and scores.dim() < 3:
            return result
        seen = Seen(self._cells(result), trail.scoring if isinstance(trail, _Trail) else None)
        if is_followed or scores.shape[-1] == scores.shape[-2]:

            def again(changed: Tensor) -> Tensor:
                return self._cells(func(changed.reshape(scores.shape), *args[1:], **kwargs))

            self._watcher.weigh(_calling_module(), seen, self._cells(scores), again)
            if seen.changed:
                result = seen.weights.to(result.dtype).reshape(result.shape)
        if is_followed or seen.changed:
            self.unmet.add(seen)
        self._known[result] = seen
        return result

    def see_fused(self, func: Any, args: Sequence[Any], kwargs: Mapping[str, Any]) -> Any:
        """Observe fused attention: it returns no weights, so they are recomputed here, and the outputs compared."""
        result = called(func, args, kwargs)
        names = ("query", "key", "value", "attn_mask", "dropout_p", "is_causal")
        bound = dict(zip(names, args, strict=False)) | dict(kwargs)
        q, k, v = (self._cells(bound[name]) for name in names[:3])
        mask, rest = None, None
        if bound.get("is_causal"):
            mask = q.new_ones((q.shape[2], k.shape[2]), dtype=torch.bool).tril()[None, None]
        elif bound.get("attn_mask") is not None:
            mask, rest = allowed_and_rest(self._cells(bound["attn_mask"], result.dim()))
        scale = bound.get("scale")
        steps = (Step("times", q.shape[-1] ** -0.5 if scale is None else scale),)
        scoring = Scoring(q, k, mask, steps if rest is None else (*steps, Step("add", bias=rest)))
        weights = scoring.weights()
        if mask is not None and not (has_key := mask.any(-1, keepdim=True)).all():
            weights = weights * has_key  # torch's output of a row without a valid key is 0
        seen = Seen(weights, scoring)
        self._watcher.weigh(_calling_module(), seen, seen.weights, lambda scores: scores.softmax(-1))
        recomputed = seen.weights @ v.repeat_interleave(q.shape[1] // v.shape[1], 1)
        if seen.changed:
            result = recomputed.reshape(result.shape)
        else:
            seen.apart = difference(recomputed, self._cells(result)) / max(1.0, result.abs().max().item())
        return self._pooled(seen, seen.weights, v, result)

    def see_attention(self, func: Any, args: Sequence[Any], kwargs: Mapping[str, Any]) -> Any:
        """Observe nn.MultiheadAttention: request the weights of its heads, and watch the functions it calls."""
        bound = signature(func).bind(*args, **kwargs)
        bound.apply_defaults()
        values = bound.arguments
        wanted, averaged = values["need_weights"], values["average_attn_weights"]
        values |= {"need_weights": True, "average_attn_weights": False}
        before, self._batch_size = self._batch_size, values["query"].shape[1] if values["query"].dim() == 3 else 1
        with self:
            output, weights = _attention(*bound.args, **bound.kwargs)
        self._batch_size = before
        return output, None if not wanted else weights.mean(-3) if averaged else weights

    def _is(self, tensor: Any) -> "_Trail | Seen | _Followed | None":
        """Return the record about a tensor."""
        return self._known.get(tensor) if isinstance(tensor, Tensor) else None

    def _pooled(
        self, seen: Seen, weights: Tensor, values: Any, result: Tensor, order: Sequence[int] = (0, 1, 2, 3)
    ) -> Tensor:
        """Report a product of weights and values; ``order`` are the axes B, h, Q, e of its result."""
        self.unmet.discard(seen)
        seen.weights, seen.pooling = self._cells(weights), weights
        output = self._cells(result).permute(*order).transpose(1, 2).contiguous()
        cells = self._cells(values) if values.dim() == weights.dim() else None
        changed = self._watcher.pool(_running_method(), seen, cells, output)
        if changed is not output:
            inverse = [list(order).index(axis) for axis in range(4)]
            result = changed.transpose(1, 2).permute(inverse).reshape(result.shape)
        self.follow(changed, result)
        return result

    def _meet(self, left: Any, matrix: Any) -> None:
        """Report W_o, (h · e, D), if the pending outputs are multiplied by it."""
        if self._followed is None or self._is(left) is not self._followed[0]:
            return
        out = self._followed[1]
        if not isinstance(matrix, Tensor) or matrix.dim() != 2:
            return
        has_its_shape = left.shape[-1] == matrix.shape[0] == out.shape[-1] * out.shape[-2]
        if has_its_shape and any(torch.equal(left.flatten(), each.flatten()) for each in (out, out.transpose(0, 1))):
            self._followed = None
            self._watcher.settle(matrix.detach().T)

    def _is_computed(self, matrix: Tensor) -> bool:
        """Return whether a matrix was computed, i.e. is not a parameter of the model."""
        return matrix.untyped_storage().data_ptr() not in self._parameters

    def _cells(self, tensor: Tensor, axes: int = 0) -> Tensor:
        """Return a tensor as (B, h, .., ..); ``axes`` is that of the tensor it is added to, if larger."""
        tensor = tensor[(None,) * (axes - tensor.dim())]
        if tensor.dim() == 3 and tensor.shape[0] > 1:
            batch = self._batch_size if tensor.shape[0] % self._batch_size == 0 else tensor.shape[0]
            return tensor.reshape(batch, tensor.shape[0] // batch, *tensor.shape[1:])
        return tensor[(None,) * (4 - tensor.dim())]

    def _trail(self, q: Tensor, k: Tensor) -> _Trail:
        """Return the first trail of the scores of (.., Q, d) and (.., K, d)."""
        if q.dim() != k.dim():
            return _Trail(None)
        q, k = self._cells(q), self._cells(k)
        fits = q.shape[0] == k.shape[0] and k.shape[1] and not q.shape[1] % k.shape[1]
        return _Trail(Scoring(q, k, None, ()) if fits else None)

    def _after(self, trail: _Trail, step: Step, axes: int) -> _Trail:
        """Return the trail of scores with ``axes`` axes after a step; an added mask becomes their mask instead."""
        scoring = trail.scoring
        if scoring is None:
            return trail
        if step.bias is None:
            return _Trail(replace(scoring, steps=(*scoring.steps, step)))
        allowed, rest = allowed_and_rest(self._cells(step.bias, axes))
        if rest is None and step.does == "fused" and step.number != 1:
            rest = step.bias.new_zeros((1, 1, 1, 1))
        if allowed is not None:
            scoring = replace(scoring, mask=allowed if scoring.mask is None else scoring.mask & allowed)
        return _Trail(scoring if rest is None else replace(scoring, steps=(*scoring.steps, step._replace(bias=rest))))


def _name_of(func: Any) -> str:
    """Return the name of a torch function; "softmax" for "softmax.int", which exported modules call."""
    return getattr(func, "__name__", "").partition(".")[0]


def called(func: Callable[..., Any], args: Sequence[Any], kwargs: Mapping[str, Any]) -> Any:
    """Call a function for the model: an error in it counts as the model's. See `is_own_error`."""
    return func(*args, **kwargs)


def is_own_error(error: BaseException) -> bool:
    """Return whether an error in a run was raised by attnviz itself rather than by the model."""
    frames = (frame for frame, _ in walk_tb(error.__traceback__))
    codes = [(str(frame.f_globals.get("__name__")), frame.f_code) for frame in frames]
    own = [at for at, (name, _) in enumerate(codes) if name.startswith("attnviz.")]
    if not own or codes[own[-1]][1] is called.__code__:
        return False
    return all(name.startswith(_LIBRARIES) for name, _ in codes[own[-1] + 1 :])


_LIBRARIES = ("torch.", "numpy.")


def _attention(*args: Any, **kwargs: Any) -> Any:
    """Call the function of nn.MultiheadAttention so that a mode sees its inner calls, not only itself."""
    whole = functional.multi_head_attention_forward
    names = vars(functional) | {"has_torch_function": lambda _: False}
    inner = FunctionType(whole.__code__, names, whole.__name__, whole.__defaults__, whole.__closure__)
    return called(inner, args, kwargs)


def _calling_module() -> nn.Module:
    """Return the module whose code is running."""
    module: nn.Module = _running_method().f_locals["self"]
    return module


def _running_method() -> FrameType:
    """Return the innermost call of a method of a module."""
    frame: FrameType | None = sys._getframe(1)
    while frame is not None:
        if isinstance(frame.f_locals.get("self"), nn.Module):
            return frame
        frame = frame.f_back
    raise LookupError("no module is running")


def _number(value: Any) -> float | None:
    """Return a number, or the value of a tensor without axes; None if it is neither."""
    value = value.item() if isinstance(value, Tensor) and value.numel() == 1 else value
    return float(value) if isinstance(value, (int, float)) else None


def _step(name: str, other: Any, kwargs: Mapping[str, Any]) -> Step | None:
    """Return the step that a function of scores and another argument performs; None if it is not traced."""
    other = next(iter(kwargs.values()), None) if other is None else other
    number = _number(other)
    match _STEPS[name]:
        case "times" | "over" as does if number is not None:
            return Step(does, number)
        case "tanh":
            return Step("tanh")
        case "add" | "sub" as does if isinstance(other, Tensor) and not kwargs.get("alpha"):
            return Step("add", bias=other if does == "add" else -other)
        case "mask" if isinstance(other, Tensor) and other.dtype == torch.bool:
            forbidden = ~other if name == "where" else other
            return Step("add", bias=torch.zeros_like(other, dtype=torch.float32).masked_fill(forbidden, -torch.inf))
        case "add" | "max" as does if number is not None and (does == "max" or number == 0):
            return Step("times")
    return None


def _in_order(tensor: Tensor, letters: str, wanted: str) -> Tensor:
    return tensor.permute([letters.index(letter) for letter in wanted])


def _by_name(table: Mapping[str, Any]) -> dict[str, Any]:
    """Return a table by function: torch has each one also as a method, an operator and in place."""
    return {name: value for names, value in table.items() for name in names.split()}


_STEPS: dict[str, str] = _by_name(
    {
        "mul mul_ __mul__ __rmul__ __imul__ multiply": "times",
        "div div_ __truediv__ __itruediv__ true_divide divide": "over",
        "add add_ __add__ __radd__ __iadd__": "add",
        "sub __sub__ __isub__": "sub",
        "tanh tanh_": "tanh",
        "masked_fill masked_fill_ where": "mask",
        "max maximum": "max",
    }
)
"""The steps that functions perform on scores."""
_MOVES_AXES: dict[str, bool] = _by_name(
    {
        "permute transpose swapaxes flatten unflatten movedim rearrange": True,
        "view reshape to float type type_as contiguous dropout clone unsqueeze squeeze view_as": False,
    }
)
"""Functions that leave numbers unchanged, and whether they change the order of axes."""
_SEES: dict[str, Callable[[SoftmaxWatcher, Any, Sequence[Any], Mapping[str, Any]], Any]] = _by_name(
    {
        "matmul __matmul__ bmm addmm baddbmm": SoftmaxWatcher.see_product,
        "linear": SoftmaxWatcher.see_linear,
        "einsum": SoftmaxWatcher.see_einsum,
        "softmax": SoftmaxWatcher.see_softmax,
        "scaled_dot_product_attention": SoftmaxWatcher.see_fused,
        "multi_head_attention_forward": SoftmaxWatcher.see_attention,
        " ".join(_STEPS): SoftmaxWatcher.see_step,
        " ".join(_MOVES_AXES): SoftmaxWatcher.see_layout,
    }
)
"""The observer of each function."""
