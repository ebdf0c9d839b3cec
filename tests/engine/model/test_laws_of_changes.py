"""What is changed in a model's attention, in every family: each change is compared with another way to the same end."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np
import pytest
import torch
from model_changes import changes
from model_families import FAMILIES, TOKENS, WATCHED, inputs_of, tiny
from torch import Tensor, nn

from attnviz.engine.machine import RunError
from attnviz.engine.model.recording import Call, Changes, Recording, outputs_under, record

ALL = FAMILIES | WATCHED
OFF = (1, 2)
SIDEWAYS = {"vit", "deit", "dinov2", "beit", "swin"}
"""Families whose tokens are patches, perhaps in windows."""


def run(model: nn.Module, inputs: Any, made: Changes | None = None, **values: Any) -> Recording:
    recording = record(model, inputs, made, compare=False, **values)
    assert recording is not None
    return recording


def output(recording: Recording) -> Tensor:
    found = recording.last_hidden if recording.logits is None else recording.logits
    assert found is not None
    return found


def projection(model: nn.Module, call: Call) -> nn.Module | None:
    """Return the module that multiplies by W_o; None where it is a bare parameter."""
    place = call.output_weight.untyped_storage().data_ptr()
    owners = (each for each in model.modules() if isinstance(getattr(each, "weight", None), Tensor))
    return next((each for each in owners if each.weight.untyped_storage().data_ptr() == place), None)


@contextmanager
def hooked(model: nn.Module, call: Call, see: Any, *, before: bool) -> Iterator[bool]:
    module = projection(model, call)
    if module is None:
        yield False
        return
    hook = module.register_forward_pre_hook(see) if before else module.register_forward_hook(see)
    with torch.no_grad():
        yield True
    hook.remove()


@pytest.mark.parametrize("name", ALL)
def test_that_a_head_off_is_its_slice_of_the_input_of_w_o_at_zero(name: str) -> None:
    family = ALL[name]
    model, inputs = tiny(family), inputs_of(family)
    call = run(model, inputs).shown[OFF[0]]
    width, times = call.output.shape[-1], []

    def zero(_: nn.Module, given: tuple[Tensor]) -> tuple[Tensor]:
        times.append(1)
        if name == "albert" and len(times) == 1:  # its layers share one module
            return given
        changed = given[0].clone()
        changed[..., OFF[1] * width : (OFF[1] + 1) * width] = 0
        return (changed,)

    with hooked(model, call, zero, before=True) as can_be:
        if can_be:
            truth = output(run(model, inputs))
    off = run(model, inputs, changes(heads_off=frozenset({OFF})))
    assert not off.shown[OFF[0]].heads[OFF[1]].any()
    assert not torch.equal(output(off), output(run(model, inputs)))
    if can_be:
        assert torch.equal(output(off), truth)


@pytest.mark.parametrize("name", ALL)
def test_that_heads_times_w_o_make_the_output_of_the_module(name: str) -> None:
    family = ALL[name]
    model, inputs = tiny(family), inputs_of(family)
    call = run(model, inputs).shown[0]
    assert call.output_weight is not None
    seen: list[Tensor] = []
    with hooked(model, call, lambda module, given, made: seen.append(made), before=False) as can_be:
        run(model, inputs)
    if can_be:
        bias = getattr(projection(model, call), "bias", None)
        per_head = call.output_weight.T.reshape(family.heads, call.output.shape[-1], -1)
        made = (call.heads @ per_head).sum(0) + (0 if bias is None else bias)
        torch.testing.assert_close(made, seen[0].reshape(-1, made.shape[-1])[: len(made)], rtol=0, atol=2e-5)
    else:
        assert name == "xlnet"
    values = call.v.repeat_interleave(family.heads // len(call.v), 0)
    norms = call.output_weight.T.reshape(family.heads, -1, len(call.output_weight))
    torch.testing.assert_close(call.value_norms, (values @ norms).norm(dim=-1), rtol=1e-5, atol=1e-6)


@pytest.mark.parametrize(
    "name", [name for name in ALL if name != "swin"]
)  # its windows are a batch that one patch fills
def test_that_a_patch_with_itself_changes_nothing_and_with_another_text_something(name: str) -> None:
    family = ALL[name]
    model, inputs, other = tiny(family), inputs_of(family), inputs_of(family, seed=1)
    here, there = run(model, inputs), run(model, other)
    for source, same in ((here, True), (there, False)):
        patch = changes(patches={(1, 2, 3): source.shown[1].heads[2, 3].numpy()})
        patched = run(model, inputs, patch)
        assert torch.equal(patched.shown[1].heads[2, 3], source.shown[1].heads[2, 3])
        assert torch.equal(output(patched), output(here)) == same


@pytest.mark.parametrize("name", ALL)
def test_that_the_one_key_left_gets_all_the_weight_and_a_row_without_any_sees_itself(name: str) -> None:
    family = ALL[name]
    model, inputs = tiny(family), inputs_of(family)
    before = run(model, inputs).shown[1]
    queries, keys = before.weights().shape[1:]
    only = np.ones((family.heads, queries, keys), dtype=bool)
    only[3] = False
    only[3, 4, 2] = True
    only.setflags(write=False)
    painted = run(model, inputs, changes(painted={1: only}))
    weights, allowed = painted.shown[1].weights(), before.mask
    seen = torch.ones((queries, keys), dtype=torch.bool) if allowed is None else allowed[min(3, len(allowed) - 1)]
    left = (
        torch.eye(queries)
        if not seen[4, 2]
        else torch.eye(queries).index_copy_(0, torch.tensor([4]), torch.eye(keys)[2:3])
    )
    assert torch.equal(weights[3] if not family.sinks else weights[3].ceil(), left)
    assert torch.equal(weights[:3], before.weights()[:3])
    assert painted.shown[1].known


@pytest.mark.parametrize("name", [name for name in ALL if name not in SIDEWAYS])
def test_that_a_hidden_token_is_no_key_and_keeps_its_row(name: str) -> None:
    family = ALL[name]
    model, inputs = tiny(family), inputs_of(family)
    before, hidden = run(model, inputs), run(model, inputs, changes(hidden=frozenset({0, 5})))
    kinds = {call.kind for call in hidden.calls if call.kind != "decoder"}
    for call, own in zip(hidden.calls, before.calls, strict=True):
        assert call.known
        weights = call.weights()
        if call.kind in kinds:
            alone = torch.zeros_like(weights).bool()
            if call.kind == "self" and own.mask is not None and not own.mask[..., 0, 1:].any():
                alone[:, 0, 0] = True
            assert not weights[..., [0, 5]][~alone[..., [0, 5]]].any()
            sums = weights.sum(-1)
            assert (sums > 0).all()
            if not family.sinks:
                torch.testing.assert_close(sums, torch.ones_like(sums))


@pytest.mark.parametrize(
    "name", ["bert", "distilbert", "modernbert", "llama", "gemma2", "t5", "deberta", "gpt_neo", "mpnet"]
)
def test_that_a_hidden_token_is_an_attention_mask_of_0(name: str) -> None:
    family = ALL[name]
    model, inputs = tiny(family), inputs_of(family)
    mask = torch.ones(1, TOKENS, dtype=torch.long)
    mask[0, 5] = 0
    truth, hidden = run(model, inputs | {"attention_mask": mask}), run(model, inputs, changes(hidden=frozenset({5})))
    kept = [place for place in range(len(output(truth))) if place != 5]  # DeBERTa also blanks the token's own row
    assert torch.equal(output(hidden)[kept], output(truth)[kept])


@pytest.mark.parametrize("name", ALL)
def test_that_a_temperature_divides_the_scores_after_every_step(name: str) -> None:
    family = ALL[name]
    model, inputs = tiny(family), inputs_of(family)
    before, warm = run(model, inputs).shown[0], run(model, inputs, changes(temperature=2.5)).shown[0]
    first, heads = slice(0, 1), slice(0, before.num_heads)
    scores = before.scoring._scores(first, heads)[0]
    torch.testing.assert_close(warm.scoring._scores(first, heads)[0], scores / 2.5)
    of, was = warm.scoring, before.scoring
    assert (of.scale, of.softcap, of.temperature) == (was.scale, was.softcap, 2.5)
    scores = scores if before.mask is None else scores.masked_fill(~before.mask, -torch.inf)
    if not family.sinks:
        torch.testing.assert_close(warm.weights(), (scores / 2.5).softmax(-1))
    changed = run(model, inputs, changes(temperature=2.5))
    pooled = warm.weights() @ warm.v.repeat_interleave(family.heads // len(warm.v), 0)
    torch.testing.assert_close(changed.shown[0].heads, pooled)
    assert not torch.equal(output(changed), output(run(model, inputs)))


def test_that_no_changes_are_no_run_of_another_kind() -> None:
    model, inputs = tiny(FAMILIES["gemma2"]), inputs_of(FAMILIES["gemma2"])
    assert not changes()
    assert torch.equal(output(run(model, inputs, changes())), output(run(model, inputs)))


def test_that_the_mean_of_a_head_takes_its_place_at_every_token() -> None:
    model, inputs = tiny(FAMILIES["llama"]), inputs_of(FAMILIES["llama"])
    before = run(model, inputs).shown[1]
    off = run(model, inputs, changes(heads_off=frozenset({OFF}), ablation="mean")).shown[1]
    torch.testing.assert_close(off.heads[2], before.heads[2].mean(0, keepdim=True).expand_as(before.heads[2]))
    assert torch.equal(off.heads[[0, 1, 3]], before.heads[[0, 1, 3]])


@pytest.mark.parametrize("name", ["gpt2", "qwen3", "bert", "falcon", "deberta"])
def test_that_changes_in_one_batch_are_those_of_runs_alone(name: str) -> None:
    family = ALL[name]
    model, inputs = tiny(family), inputs_of(family)
    painted = np.ones((4, TOKENS, TOKENS), dtype=bool)
    painted[0] = np.tri(TOKENS, dtype=bool)
    several = [
        changes(),
        changes(heads_off=frozenset({(0, 1)})),
        changes(heads_off=frozenset({(1, 3)}), ablation="mean"),
        changes(hidden=frozenset({2}), painted={1: painted}),
        changes(patches={(0, 0, 1): torch.ones(family.config.get("head_dim", 8))}),
    ]
    logits, hidden = outputs_under(model, inputs, several, rows=[3, 11])
    alone = [run(model, inputs, each) for each in several]
    torch.testing.assert_close(logits, torch.stack([output(each)[[3, 11]] for each in alone]), rtol=0, atol=2e-5)
    torch.testing.assert_close(hidden, torch.stack([each.last_hidden for each in alone]), rtol=0, atol=2e-5)


@pytest.mark.parametrize("name", ["gpt2", "mpt"])
def test_that_a_painted_mask_of_other_tokens_is_refused(name: str) -> None:
    with pytest.raises(RunError, match=r"\(3, 12\)"):
        run(tiny(ALL[name]), inputs_of(ALL[name]), changes(painted={0: np.ones((1, 3, 12), bool)}))
