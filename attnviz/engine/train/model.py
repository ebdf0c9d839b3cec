"""The model of a training: built from its spec, set to a step, and evaluated on the probe."""

from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from attnviz.attention.transformer import LayerStages, Transformer
from attnviz.definitions.masks.causal import CAUSAL
from attnviz.definitions.text import Text
from attnviz.experiment.arrays import read_only
from attnviz.experiment.layers.layer import Layer
from attnviz.experiment.train.roles import RoleScores, batch_of
from attnviz.experiment.train.spec import TrainSpec
from attnviz.experiment.train.task import shown
from attnviz.experiment.train.trace import History, TrainTrace


def first_model(spec: TrainSpec, device: torch.device) -> Transformer:
    """Return the model before its first step; its parameters depend only on the seed and the sizes."""
    model = Transformer(
        spec.vocab_size,
        spec.num_layers,
        spec.num_heads,
        spec.num_hiddens,
        spec.num_tokens,
        spec.positions,
        spec.norm,
        spec.feed_forward,
        spec.tied_embedding,
        generator=torch.Generator("cpu").manual_seed(spec.seed),
    )
    return model.to(device, getattr(torch, spec.dtype))


def roles_of(spec: TrainSpec, model: Transformer, device: torch.device) -> RoleScores:
    """Return the role scores of a model's heads on the fixed sequences of its task, without ablated heads."""

    def weights_of(tokens: NDArray[np.int64]) -> NDArray[np.floating]:
        with torch.no_grad():
            layers = model.stages(torch.tensor(tokens, device=device)).layers
            return torch.stack([layer.attention.weights for layer in layers], dim=1).cpu().numpy()

    return batch_of(spec).measure(weights_of)


def trace_of(
    spec: TrainSpec, model: Transformer, step: int, history: History, device: torch.device, seconds: float
) -> TrainTrace:
    """Return the trace of a model after ``step`` steps, with the spec's heads ablated."""
    probe = spec.probe_tokens
    model.turn_off(spec.pairs_off)
    try:
        with torch.no_grad():
            stages = model.stages(torch.tensor([probe], device=device))
        measured = roles_of(spec, model, device)
    finally:
        model.turn_off(())
    tokens = shown([spec.alphabet[number] for number in probe])
    parameters = {name: _array(values.detach().clone()) for name, values in model.named_parameters()}
    untrained = Text() if step else Text("Untrained: random weights, seed {seed}", {"seed": spec.seed})
    layers = tuple(
        _layer(spec, number, layer, parameters, tokens, untrained) for number, layer in enumerate(stages.layers)
    )
    return TrainTrace(
        spec=spec,
        step=step,
        history=history,
        token_numbers=probe,
        embedded=_array(stages.embedded[0]),
        layers=layers,
        measured=measured,
        logits=_array(stages.logits[0]),
        parameters=parameters,
        device=str(device),
        dtype=spec.dtype,
        milliseconds=seconds * 1e3,
    )


def _layer(
    spec: TrainSpec,
    number: int,
    stages: LayerStages,
    parameters: dict[str, NDArray[Any]],
    tokens: tuple[str, ...],
    untrained: Text,
) -> Layer:
    attention = stages.attention
    read = _array(stages.normed)
    own = f"layers.{number}.attention."
    weights = _array(attention.weights)
    mask = np.True_ if attention.mask is None else attention.mask.cpu().numpy()
    named = {
        name.removeprefix(own).removesuffix(".weight"): values
        for name, values in parameters.items()
        if name.startswith(own)
    }
    return Layer(
        stages=spec.layer_stages,
        mechanism=spec.layer_knobs.mechanism_record,
        knobs=spec.layer_knobs,
        masks=((CAUSAL, True),),
        dtype=spec.dtype,
        has_words=True,
        self_attention=True,
        random_parameters=frozenset(named) if untrained.template else frozenset(),
        untrained_note=untrained,
        heads_off=frozenset(head for layer, head in spec.pairs_off if layer == number),
        queries=read,
        keys=read,
        values=read,
        parameters=named,
        q=_array(attention.q),
        k=_array(attention.k),
        v=_array(attention.v),
        scores=_array(attention.scores),
        mask=np.broadcast_to(mask, weights.shape),
        masked_scores=_array(attention.masked_scores),
        weights=weights,
        dropped_weights=weights,
        heads=_array(attention.heads),
        merged=_array(attention.merged),
        output=_array(attention.output),
        before={stage: (_array(q), _array(k)) for stage, (q, k) in attention.before.items()},
        query_tokens=tokens,
        key_tokens=tokens,
    )


def _array(tensor: Tensor) -> NDArray[Any]:
    return read_only(tensor.cpu().numpy())
