"""The recording of a generation by a loaded model of the user's own."""

from collections.abc import Mapping
from typing import Any

import torch
from torch import Tensor, nn

from attnviz.engine.machine import RunError
from attnviz.engine.model.calls import Call
from attnviz.engine.model.generating.generation import Generation
from attnviz.engine.model.recording import Inputs, Output, Recording, compare_outputs, record
from attnviz.engine.model.stack import stack_of
from attnviz.experiment.model.sides import Kind
from attnviz.experiment.run import never_stop


def recorded(model: nn.Module, inputs: Inputs, generate: int = 0) -> tuple[Recording, tuple[int, ...]]:
    """Record one run of a model, or its continuation of a text by ``generate`` tokens; also return these.

    An encoder-decoder answers the text, or goes on from ``decoder_input_ids``.

    The output is compared with that of the unmodified model: in one pass over all tokens, if it continued a text.

    Raises:
        RunError: the attention cannot be recorded, or the model or the inputs cannot be continued.
    """
    if not generate:
        recording = record(model, inputs)
        assert recording is not None
        return recording, ()
    prompt, source = _prompt_of(model, inputs)
    ids = None if source is None else source[0].tolist()
    generation = Generation(model, prompt[0].tolist(), generate, source=ids)
    while generation.advance():
        pass
    steps = len(generation.steps) - 1
    by_kind: dict[Kind, tuple[Call, ...]] = {
        kind: calls if source is not None and kind == "self" else _grown(generation, kind, steps)
        for kind, calls in generation.prompt_calls.items()
    }
    read = torch.cat([prompt[0], prompt.new_tensor(generation.ids[:steps])])[None]
    output = Output(generation.logits[None, None], None)
    whole = {"input_ids": read} if source is None else {"input_ids": source, "decoder_input_ids": read}
    comparison = compare_outputs(output, model, whole, (read.shape[1] - 1,), never_stop)
    recording = Recording(
        calls=tuple(call for calls in by_kind.values() for call in calls),
        stacks={kind: stack_of(model, [call.name for call in calls]) for kind, calls in by_kind.items()},
        logits=generation.logits[None],
        last_hidden=None,
        witness=generation.witness,
        comparison=comparison,
        complete=True,
        note="",
    )
    return recording, generation.ids


def _grown(generation: Generation, kind: Kind, steps: int) -> tuple[Call, ...]:
    """Return the calls of a kind over all tokens that were read."""
    return tuple(generation.call(layer, steps, kind) for layer in range(len(generation.prompt_calls[kind])))


def _prompt_of(model: Any, inputs: Inputs) -> tuple[Tensor, Tensor | None]:
    """Return the tokens (1, T) to continue, and those that an encoder beside the decoder reads."""
    if not hasattr(model, "generate"):
        sentence = "{module} cannot continue a text: it has no generate; nearest: generate=0"
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
    if not getattr(getattr(model, "config", None), "is_encoder_decoder", False):
        return ids, None
    written = inputs.get("decoder_input_ids") if isinstance(inputs, Mapping) else None
    if written is None:
        settings = model.generation_config
        starts = (settings.decoder_start_token_id, settings.bos_token_id)
        start = next((each for each in starts if each is not None), None)
        if start is None:
            sentence = (
                "{module} names no token that its decoder begins with; nearest: decoder_input_ids among the inputs"
            )
            raise RunError("no_decoder_start", sentence, module=type(model).__name__)
        written = ids.new_tensor([[start]])
    return written, ids
