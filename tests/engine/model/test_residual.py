"""The residual stream: the parts of a logit sum to it, and a layer's state predicts by the model's own end."""

from typing import Any

import numpy as np
import pytest
import torch
from model_families import FAMILIES, GRANITE, TOKENS, VOCABULARY, WATCHED, tiny
from torch import Tensor

from attnviz.engine.machine import RunError
from attnviz.engine.model.recording import Recording, record
from attnviz.engine.model.residual.attribution import Attribution, attribution
from attnviz.engine.model.residual.lens import States, states_of

ALL = FAMILIES | WATCHED | {"granite": GRANITE}
CONTINUING = [name for name, each in ALL.items() if each.takes == "text" and "CausalLM" in each.model]
EVERY = range(TOKENS)
IDS = torch.randint(4, VOCABULARY, (1, TOKENS), generator=torch.Generator().manual_seed(0))


def model_of(name: str) -> Any:
    return tiny(ALL[name])


def recorded(model: Any) -> Recording:
    with torch.inference_mode():
        found = record(model, {"input_ids": IDS}, rows=(TOKENS - 1,), compare=False)
    assert found is not None
    return found


def attributed(model: Any, tokens: dict[int, float], recording: Recording | None = None) -> Attribution:
    recording = recording or recorded(model)
    numbers = {kind: stack.numbers for kind, stack in recording.stacks.items()}
    return attribution(model, {"input_ids": IDS}, recording.shown, numbers, position=TOKENS - 1, tokens=tokens)


def states(model: Any) -> States:
    recording = recorded(model)
    numbers = {kind: stack.numbers for kind, stack in recording.stacks.items()}
    return states_of(model, {"input_ids": IDS}, recording.shown, numbers)


@pytest.mark.parametrize("name", CONTINUING)
def test_that_the_parts_of_a_logit_sum_to_it(name: str) -> None:
    model = model_of(name)
    recording = recorded(model)
    assert recording.logits is not None
    token = int(recording.logits[0].argmax())
    found, logit = attributed(model, {token: 1.0}, recording), float(recording.logits[0, token])
    cap = getattr(model.config, "final_logit_softcapping", None)
    assert found.logit == pytest.approx(logit if cap is None else cap * np.arctanh(logit / cap), abs=1e-5)
    assert abs(found.rest) < 1e-5
    assert found.heads.isfinite().all()
    assert found.heads.abs().min() > 0
    assert abs(found.embedding) > 0


def test_that_a_head_adds_what_its_output_adds_through_w_o_the_norm_and_the_head() -> None:
    model = model_of("llama")
    recording, token = recorded(model), 7
    last: dict[str, Tensor] = {}
    hook = model.model.norm.register_forward_pre_hook(lambda _, args: last.update(state=args[0][0, -1]))
    model(IDS)
    hook.remove()
    state = last["state"].detach().double().numpy()
    scale = 1 / np.sqrt((state**2).mean() + model.config.rms_norm_eps)
    to_logit = model.lm_head.weight[token].double().detach().numpy() * model.model.norm.weight.double().detach().numpy()
    found = attributed(model, {token: 1.0}, recording)
    for layer, call in enumerate(recording.shown):
        outputs, size = call.heads.double().numpy()[:, -1], call.heads.shape[-1]
        for head in range(call.num_heads):
            matrix = call.output_weight.double().detach().numpy()[:, head * size : (head + 1) * size]  # type: ignore[union-attr]
            expected = to_logit @ (matrix @ outputs[head]) * scale
            assert float(found.heads[layer, head]) == pytest.approx(expected, abs=1e-6)


def test_that_a_difference_of_logits_has_the_difference_of_parts() -> None:
    model = model_of("gemma2")
    one, other = attributed(model, {3: 1.0}), attributed(model, {5: 1.0})
    both = attributed(model, {3: 1.0, 5: -1.0})
    torch.testing.assert_close(both.heads, one.heads - other.heads, atol=1e-6, rtol=0)
    assert both.logit == pytest.approx(one.logit - other.logit, abs=1e-6)


@pytest.mark.parametrize("name", ["bert", "xlnet", "albert"])
def test_that_a_model_whose_parts_do_not_sum_is_refused(name: str) -> None:
    with pytest.raises(RunError, match=r"do not sum|not in one list"):
        attributed(model_of(name), {3: 1.0})


def test_that_a_model_is_left_as_it_was() -> None:
    model = model_of("gpt2")
    before = model(IDS).logits
    attributed(model, {3: 1.0})
    states(model)
    assert torch.equal(model(IDS).logits, before)
    assert all(weight.grad is None for weight in model.parameters())


@pytest.mark.parametrize("name", [*CONTINUING, "bert", "distilbert"])
def test_that_the_state_after_the_last_layer_gives_the_models_own_logits(name: str) -> None:
    found, own = states(model_of(name)), model_of(name)(IDS).logits[0]
    assert torch.equal(found.logits(-1, EVERY), own)
    assert not torch.equal(found.logits(0, EVERY), own)


def opt(model: Any, state: Tensor) -> Tensor:
    decoder = model.model.decoder
    return model.lm_head(decoder.project_out(decoder.final_layer_norm(state)))  # type: ignore[no-any-return]


@pytest.mark.parametrize(
    ("name", "end"),
    [
        ("llama", lambda model, state: model.lm_head(model.model.norm(state))),
        ("gpt2", lambda model, state: model.lm_head(model.transformer.ln_f(state))),
        ("opt", opt),
        ("granite", lambda model, state: model.lm_head(model.model.norm(state)) / 4.0),
    ],
)
def test_that_an_earlier_state_goes_through_the_last_norm_and_the_head(name: str, end: Any) -> None:
    model = model_of(name)
    own = model(IDS, output_hidden_states=True).hidden_states[1]
    found = states(model)
    torch.testing.assert_close(found.layers[0], own[0], atol=0, rtol=0)
    torch.testing.assert_close(found.logits(0, EVERY), end(model, own)[0], atol=1e-6, rtol=0)


def test_that_a_stream_in_another_layout_is_refused() -> None:
    with pytest.raises(RunError, match="cannot be found"):
        states(model_of("xlnet"))
