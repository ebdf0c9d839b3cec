"""The recording of a generation by a loaded model of the user's own."""

from collections.abc import Mapping
from typing import Any

import torch
from torch import Tensor, nn

from attnviz.engine.machine import RunError
from attnviz.engine.model.generating.generation import Generation
from attnviz.engine.model.recording import Inputs, Output, Recording, compare_outputs, record
from attnviz.engine.model.stack import stack_of
from attnviz.experiment.run import never_stop


def recorded(model: nn.Module, inputs: Inputs, generate: int = 0) -> tuple[Recording, tuple[int, ...]]:
    """Record one run of a model, or its continuation of a text by ``generate`` tokens; also return these.

    The output is compared with that of the unmodified model: in one pass over all tokens, if it continued a text.

    Raises:
        RunError: the attention cannot be recorded, or the model or the inputs cannot be continued.
    """
    if not generate:
        recording = record(model, inputs)
        assert recording is not None
        return recording, ()
    prompt = _prompt_of(model, inputs)
    generation = Generation(model, prompt[0].tolist(), generate)
    while generation.advance():
        pass
    steps = len(generation.steps) - 1
    calls = tuple(generation.call(layer, steps) for layer in range(len(generation.prompt_calls)))
    read = torch.cat([prompt[0], prompt.new_tensor(generation.ids[:steps])])[None]
    output = Output(generation.logits[None, None], None)
    comparison = compare_outputs(output, model, {"input_ids": read}, (read.shape[1] - 1,), never_stop)
    recording = Recording(
        calls=calls,
        stacks={"self": stack_of(model, [call.name for call in calls])},
        logits=generation.logits[None],
        last_hidden=None,
        witness=generation.witness,
        comparison=comparison,
        complete=True,
        note="",
    )
    return recording, generation.ids


def _prompt_of(model: nn.Module, inputs: Inputs) -> Tensor:
    """Return the tokens (1, T) to continue."""
    if not hasattr(model, "generate") or getattr(getattr(model, "config", None), "is_encoder_decoder", False):
        sentence = "{module} cannot continue a text: it has no generate, or an encoder; nearest: generate=0"
        raise RunError("not_generating", sentence, module=type(model).__name__)
    ids = inputs.get("input_ids") if isinstance(inputs, Mapping) else inputs
    ids = ids[0] if isinstance(ids, (list, tuple)) and len(ids) == 1 else ids
    if not isinstance(ids, Tensor) or ids.dim() != 2 or len(ids) != 1:
        shape: Any = tuple(ids.shape) if isinstance(ids, Tensor) else type(ids).__name__
        sentence = "generate continues one text, input_ids of shape (1, tokens), not {shape}; nearest: one text"
        raise RunError("one_text", sentence, shape=str(shape))
    mask = inputs.get("attention_mask") if isinstance(inputs, Mapping) else None
    if isinstance(mask, Tensor) and not mask.all():
        raise RunError("padded_text", "generate continues a text without padding; nearest: the tokens without padding")
    return ids
