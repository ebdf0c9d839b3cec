"""Direct logit attribution: what each head, each layer's MLP, the embedding and the biases add to a logit.

The last residual state is a sum of what all parts have written into it. If the scale of every norm on its way is held
fixed, that way is linear up to the logit: each part adds its product with the logit's gradient (Elhage et al. 2021, "A
Mathematical Framework for Transformer Circuits"). The model's own code runs once; outputs of heads and MLPs are cut
from what computed them, so that the gradient follows residual connections alone, whatever lies on them: norms after
attention, multipliers, projections. All parts sum to the logit up to rounding, or the model is refused.
"""

import threading
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, replace
from typing import Any

import torch
from torch import Tensor, nn
from torch.nn import functional
from torch.overrides import TorchFunctionMode

from attnviz.definitions.text import Text
from attnviz.engine.machine import RunError
from attnviz.engine.model.calls import Call
from attnviz.engine.model.changes import NO_CHANGES, Changes
from attnviz.engine.model.recording import outputs_under
from attnviz.engine.model.residual.layers import layers_of
from attnviz.experiment.model.sides import Kind
from attnviz.experiment.run import ShouldStop, never_stop

_LARGEST_REST = {torch.float32: 1e-4, torch.float64: 1e-9}
"""The largest share of the sum of the parts' sizes that may remain, by dtype; 2e-2 in half precision."""


@dataclass(frozen=True, slots=True, eq=False)
class Attribution:
    """The parts of a logit, float64; L calls of attention in order, h heads of the layer with most."""

    heads: Tensor
    """(L, h); NaN where a layer has fewer heads."""
    others: Mapping[int, float]
    """By the number of a layer: its MLP, or what else it has in place of attention."""
    embedding: float
    """The state that enters the first layer: tokens, positions, and a norm of them."""
    bias: float
    """The biases of output projections, of norms after attention, of the last norm and of the head."""
    logit: float
    """The logit, before a soft cap."""

    @property
    def rest(self) -> float:
        """The logit without the sum of all parts: rounding."""
        return self.logit - float(self.heads.nansum()) - sum(self.others.values()) - self.embedding - self.bias


def attribution(
    model: nn.Module,
    inputs: Mapping[str, Any],
    calls: Sequence[Call],
    numbers: Mapping[Kind, Sequence[int]],
    *,
    position: int,
    tokens: Mapping[int, float],
    changes: Changes = NO_CHANGES,
    should_stop: ShouldStop = never_stop,
) -> Attribution:
    """Return the parts of a logit, or of a weighted sum of logits.

    Args:
        model: of transformers, with a head that predicts tokens.
        inputs: the arguments of its ``forward``, by name; a batch of one.
        calls: its recorded calls whose heads write into the residual stream, by their W_o.
        numbers: the layer in the model of each call of a kind of attention.
        position: the token whose state predicts.
        tokens: the factor of each token's logit: ``{7: 1.0}``, or ``{7: 1.0, 9: -1.0}`` for a difference.
        changes: the interventions.
        should_stop: asked at every module.

    Raises:
        RunError: its parts do not sum to the logit, or one of them cannot be found.
        StoppedError: cancelled.
    """
    weights = {call.output_weight.data_ptr(): at for at, call in enumerate(calls) if call.output_weight is not None}
    if len(weights) < len(calls):
        raise _refused(Text("the output projections of its heads are not known, or shared between layers"))
    layers = _layers_of(model, calls, [numbers[call.kind][call.layer] for call in calls])
    # BLOOM and MPT add the residual state inside the module of their MLP.
    for parts in (layers, [layer.by_products() for layer in layers]):
        path = _ResidualPath(weights, getattr(getattr(model, "config").get_text_config(), "vocab_size", 0))  # noqa: B009
        with path.cut(parts), path:
            output = outputs_under(model, inputs, [changes], should_stop=should_stop, rows=(position,), numbers=numbers)
        if path.is_bent:
            raise _refused(Text("what follows its last layer is not linear"))
        if output.logits is None or not output.logits.requires_grad or path.embedding is None:
            raise _refused(Text("no residual connections lead from its layers to its logits"))
        if missing := [call for at, call in enumerate(calls) if at not in path.heads]:
            raise _refused(Text("the heads of {name} were not seen", {"name": missing[0].name}))
        target = sum(factor * output.logits[0, 0, token] for token, factor in tokens.items())
        assert isinstance(target, Tensor)
        found = path.parts(target)
        if found is not None:
            return _checked(found, calls, float(target.detach()), output.logits.dtype)
    raise _refused(Text("its residual state runs through the modules of its layers"))


def _checked(found: "_Parts", calls: Sequence[Call], logit: float, dtype: torch.dtype) -> Attribution:
    heads = torch.full((len(calls), max(call.num_heads for call in calls)), torch.nan, dtype=torch.float64)
    for at, call in enumerate(calls):
        heads[at, : call.num_heads] = found.of_heads(at, call.num_heads)
    result = Attribution(heads, found.others, found.embedding, found.bias, logit)
    size = float(heads.abs().nansum()) + sum(map(abs, found.others.values())) + abs(found.embedding) + abs(found.bias)
    if abs(result.rest) > _LARGEST_REST.get(dtype, 2e-2) * max(size, abs(logit)):
        raise _refused(
            Text(
                "they leave a rest of {rest} of the logit {logit}",
                {"rest": f"{result.rest:.2g}", "logit": f"{logit:.4g}"},
            )
        )
    return result


def _refused(why: Text) -> RunError:
    sentence = "the parts of this model do not sum to its logits ({why}), so none is shown"
    return RunError("not_attributable", sentence, why=why)


@dataclass(frozen=True, slots=True)
class _LayerParts:
    """A layer, and those of its modules whose outputs are added to the residual stream beside attention."""

    number: int
    module: nn.Module
    others: tuple[nn.Module, ...]

    def by_products(self) -> "_LayerParts":
        """Return the same with the linear modules inside the others in place of these."""
        inside = (each for module in self.others for each in module.modules())
        return replace(self, others=tuple(each for each in inside if type(each).__name__ in ("Linear", "Conv1D")))


def _layers_of(model: nn.Module, calls: Sequence[Call], numbers: Sequence[int]) -> list[_LayerParts]:
    """Return the parts of all layers, also of those without attention."""
    names = [call.name for call in calls]
    path, layers = layers_of(model, names, numbers)
    found = []
    for number, layer in enumerate(layers):
        others = tuple(_beside_attention(layer, f"{path}.{number}", names))
        found.append(_LayerParts(number, layer, others))
    return found


def _beside_attention(module: nn.Module, path: str, names: Sequence[str]) -> Iterator[nn.Module]:
    """Yield the children with weights that are no norms and do not call attention; T5 has them in a list."""
    for name, child in module.named_children():
        calls = any(f"{each}.".startswith(f"{path}.{name}.") for each in names)
        if calls and isinstance(child, nn.ModuleList):
            yield from _beside_attention(child, f"{path}.{name}", names)
        elif not calls and "norm" not in type(child).__name__.lower() and any(True for _ in child.parameters()):
            yield child


def _first_tensor(values: Iterable[Any]) -> Tensor | None:
    return next((each for each in values if isinstance(each, Tensor) and each.is_floating_point()), None)


@dataclass(frozen=True, slots=True, eq=False)
class _Parts:
    """The products of parts with the gradient of a logit."""

    heads: Mapping[int, Tensor]
    others: Mapping[int, float]
    embedding: float
    bias: float

    def of_heads(self, at: int, count: int) -> Tensor:
        """Return those of the heads of a call, (h,)."""
        products = self.heads[at]
        return products.reshape(-1, count, products.shape[-1] // count).sum((0, 2))


class _ResidualPath(TorchFunctionMode):
    """Lets the gradient of a logit follow the residual connections alone, with every norm's scale held fixed.

    Parts that are added to the residual stream become leaves: the heads' outputs where they are multiplied by W_o,
    biases on the path, and outputs of modules by `cut`.
    """

    def __init__(self, weights: Mapping[int, int], vocabulary: int) -> None:
        super().__init__()
        self._weights, self._vocabulary = weights, vocabulary
        self.heads: dict[int, Tensor] = {}
        """(B, T, h · e) by the index of the call."""
        self._others: defaultdict[int, list[Tensor]] = defaultdict(list)
        self._biases: list[Tensor] = []
        self.embedding: Tensor | None = None
        self._ended = False
        self.is_bent = False
        """Whether an activation function follows the last layer, as in the heads of masked models."""

    @contextmanager
    def cut(self, layers: Sequence[_LayerParts]) -> Iterator[None]:
        """Cut the state that enters the first layer, and what modules beside attention add, in this thread."""
        thread = threading.get_ident()

        def enters(_: nn.Module, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
            if threading.get_ident() != thread or self.embedding is not None:
                return None
            state = _first_tensor((*args, *kwargs.values()))
            if state is None:
                return None
            self.embedding = _leaf(state)
            swap = {id(state): self.embedding}
            return tuple(swap.get(id(each), each) for each in args), {
                name: swap.get(id(each), each) for name, each in kwargs.items()
            }

        def adds(number: int) -> Callable[..., Any]:
            def cut(_: nn.Module, __: Any, output: Any) -> Any:
                several = isinstance(output, tuple)
                state = output[0] if several else output
                if threading.get_ident() != thread or not isinstance(state, Tensor):
                    return None
                added = _leaf(state)
                self._others[number].append(added)
                with torch.enable_grad():
                    added = added.clone()  # the model may add to it in place, as Falcon
                return (added, *output[1:]) if several else added

            return cut

        def ends(_: nn.Module, __: Any, ___: Any) -> None:
            self._ended |= threading.get_ident() == thread

        with ExitStack() as hooks:
            hooks.enter_context(layers[0].module.register_forward_pre_hook(enters, with_kwargs=True))
            hooks.enter_context(layers[-1].module.register_forward_hook(ends))
            for layer in layers:
                for module in layer.others:
                    hooks.enter_context(module.register_forward_hook(adds(layer.number)))
            yield

    def __torch_function__(self, function: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        """Run a function of torch with a gradient; see the class."""
        del types
        kwargs = kwargs or {}
        with torch.enable_grad():
            if function is functional.linear:
                x, weight, bias = _named(("input", "weight", "bias"), args, kwargs)
                return self._product(function, x, weight, bias)
            if function in (torch.addmm, Tensor.addmm) and not kwargs:
                bias, x, weight = args
                return self._product(lambda x, w, b: function(b, x, w), x, weight, bias)
            if function in _MATMULS:  # Falcon
                x, weight = args
                return self._product(lambda x, w, _: function(x, w), x, weight, None)
            if function is functional.layer_norm:
                x, shape, weight, bias, eps = _named(
                    ("input", "normalized_shape", "weight", "bias", "eps"), args, kwargs
                )
                if x.requires_grad:
                    return self._normed(x, len(shape), weight, bias, 1e-5 if eps is None else eps, centred=True)
            if function is functional.rms_norm:
                x, shape, weight, eps = _named(("input", "normalized_shape", "weight", "eps"), args, kwargs)
                if x.requires_grad:
                    own = torch.finfo(x.dtype).eps if eps is None else eps
                    return self._normed(x, len(shape), weight, None, own, centred=False)
            result = function(*args, **kwargs)
            if function in _SCALES:
                return result.detach()
            if function in _CAPS and result.shape[-1:] == (self._vocabulary,):
                return args[0]  # the logits before a soft cap
            if self._ended and function in _ACTIVATIONS and result.requires_grad:
                self.is_bent = True
            return result

    def _product(self, product: Callable[..., Tensor], x: Tensor, weight: Tensor, bias: Tensor | None) -> Tensor:
        at = self._weights.get(weight.data_ptr())
        if at is not None:
            x = self.heads[at] = _leaf(x)
        return product(x, weight, self._bias(bias) if x.requires_grad else bias)

    def _bias(self, bias: Tensor | None) -> Tensor | None:
        if bias is not None:
            bias = _leaf(bias)
            self._biases.append(bias)
        return bias

    def _normed(
        self, x: Tensor, axes: int, weight: Tensor | None, bias: Tensor | None, eps: float, *, centred: bool
    ) -> Tensor:
        over = tuple(range(-axes, 0))
        x = x - x.mean(over, keepdim=True) if centred else x
        x = x * (x.detach().square().mean(over, keepdim=True) + eps).rsqrt()
        x = x if weight is None else x * weight
        own = self._bias(bias)
        return x if own is None else x + own

    def parts(self, target: Tensor) -> _Parts | None:
        """Return the products of all parts with the gradient of a logit; None if it does not reach all heads."""
        assert self.embedding is not None
        leaves = [*self.heads.values(), self.embedding, *self._biases]
        leaves += [each for added in self._others.values() for each in added]
        gradients = torch.autograd.grad(target, leaves, allow_unused=True)
        if any(each is None for each in gradients[: len(self.heads) + 1]):
            return None
        products = {
            id(leaf): torch.zeros_like(leaf, dtype=torch.float64)
            if gradient is None
            else gradient.double().cpu() * leaf.detach().double().cpu()
            for leaf, gradient in zip(leaves, gradients, strict=True)
        }
        return _Parts(
            {at: products[id(leaf)] for at, leaf in self.heads.items()},
            {at: sum(float(products[id(leaf)].sum()) for leaf in added) for at, added in self._others.items()},
            float(products[id(self.embedding)].sum()),
            sum(float(products[id(leaf)].sum()) for leaf in self._biases),
        )


_SCALES = (torch.rsqrt, Tensor.rsqrt, torch.sqrt, Tensor.sqrt)
"""The functions that compute the scale of a norm."""
_MATMULS = (torch.matmul, Tensor.matmul, Tensor.__matmul__)
_CAPS = (torch.tanh, Tensor.tanh)
_ACTIVATIONS = (
    *_CAPS,
    functional.gelu,
    functional.relu,
    torch.relu,
    functional.silu,
    torch.erf,
    torch.sigmoid,
    Tensor.sigmoid,
)


def _leaf(tensor: Tensor) -> Tensor:
    return tensor.detach().clone().requires_grad_()


def _named(names: Sequence[str], args: Sequence[Any], kwargs: Mapping[str, Any]) -> list[Any]:
    """Return arguments in the order of their names, None for those that are left out."""
    return [args[at] if at < len(args) else kwargs.get(name) for at, name in enumerate(names)]
