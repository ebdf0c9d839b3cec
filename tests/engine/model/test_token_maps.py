"""Maps of tokens: laws and an example by hand; each equals what numpy or autograd computes from the model's outputs."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from model_families import FAMILIES, HYBRIDS, TOKENS, WATCHED, inputs_of, tiny
from model_folders import SMALL, made, written
from numpy.typing import NDArray
from torch import Tensor

from attnviz.engine.machine import RunError
from attnviz.engine.model.recording import record
from attnviz.engine.model.token_maps.gradients import weighted_gradients
from attnviz.engine.model.token_maps.products import lengths, lengths_of_sums, reachable, rolled_gradients, rolled_out
from attnviz.engine.run import run
from attnviz.experiment.model.spec import ModelSpec
from attnviz.experiment.model.token_maps.sentences import limits_of
from attnviz.experiment.model.token_maps.study import TokenMapOf, TokenMapTrace
from attnviz.experiment.run import Failure

FOLLOWED = [
    "gpt2",
    "gpt_neox",
    "opt",
    "llama",
    "mistral",
    "gemma2",
    "gpt_oss",
    "deepseek_v3",
    "bert",
    "t5",
    "bart",
    "bloom",
    "mpnet",
]
"""Families of every kind: learned and rotary positions, grouped heads, windows, sinks, both sides, watched ones."""
ALL = FAMILIES | WATCHED


def layers_of(count: int, tokens: int, *, seed: int, causal: bool = True) -> list[Tensor]:
    random = torch.Generator().manual_seed(seed)
    scores = torch.randn(count, tokens, tokens, generator=random)
    if causal:
        scores = scores.masked_fill(~torch.ones(tokens, tokens, dtype=torch.bool).tril(), -torch.inf)
    return list(scores.softmax(-1))


def test_that_an_example_by_hand_comes_out() -> None:
    first, second = torch.tensor([[1.0, 0.0], [0.5, 0.5]]), torch.tensor([[1.0, 0.0], [0.2, 0.8]])
    # Mixed with half of the identity: [[1, 0], [0.25, 0.75]] and [[1, 0], [0.1, 0.9]];
    # the last row of their product is 0.1 (1, 0) + 0.9 (0.25, 0.75).
    torch.testing.assert_close(rolled_out([first, second], 0.5), torch.tensor([[1.0, 0.0], [0.325, 0.675]]))
    # (I + G2) (I + G1) - I = G1 + G2 + G2 G1: in the last row 0.5 + 0.2 + 0.2 + 0.8 * 0.5, and 0.5 + 0.8 + 0.8 * 0.5.
    torch.testing.assert_close(rolled_gradients([first, second]), torch.tensor([[3.0, 0.0], [1.3, 1.7]]))


@settings(max_examples=30, deadline=None)
@given(st.integers(1, 4), st.integers(1, 9), st.integers(0, 99), st.floats(0, 1), st.booleans())
def test_that_rows_sum_to_1_and_no_row_looks_ahead(
    count: int, tokens: int, seed: int, residual: float, causal: bool
) -> None:
    layers = layers_of(count, tokens, seed=seed, causal=causal)
    found = rolled_out(layers, residual)
    torch.testing.assert_close(found.sum(-1), torch.ones(tokens), atol=1e-5, rtol=0)
    assert float(found.min()) >= 0
    if causal:
        assert torch.equal(found, found.tril())
        assert torch.equal(rolled_gradients(layers), rolled_gradients(layers).tril())


def test_that_all_residual_is_the_identity_and_none_the_plain_product() -> None:
    layers = layers_of(3, 6, seed=0)
    assert torch.equal(rolled_out(layers, 1.0), torch.eye(6))
    torch.testing.assert_close(rolled_out(layers, 0.0), layers[2] @ layers[1] @ layers[0])


def test_that_a_row_with_a_sink_is_divided_by_its_sum_and_an_empty_one_stays_empty() -> None:
    with_sink = torch.tensor([[0.2, 0.0], [0.1, 0.3]])
    torch.testing.assert_close(rolled_out([with_sink], 0.0), torch.tensor([[1.0, 0.0], [0.25, 0.75]]))
    empty = torch.tensor([[0.0, 0.0], [0.5, 0.5]])
    torch.testing.assert_close(rolled_out([empty], 0.0), empty)
    torch.testing.assert_close(rolled_out([empty], 0.5)[0], torch.tensor([1.0, 0.0]))


def test_that_windows_reach_further_with_every_layer() -> None:
    window = torch.ones(6, 6, dtype=torch.bool).tril().triu(-1)
    for count in (1, 2, 3):
        assert torch.equal(reachable([window] * count, 6), torch.ones(6, 6, dtype=torch.bool).tril().triu(-count))
    causal = torch.ones(6, 6, dtype=torch.bool).tril()
    assert torch.equal(reachable([window, causal, causal], 6), causal)
    assert reachable([causal, None], 6).all()


# Numbers of models.


def own_weights(model: Any, name: str, inputs: dict[str, Tensor], kind: str) -> tuple[Any, tuple[Tensor, ...]]:
    """Return transformers' own output and weights, which its graph goes through."""
    output = model(**inputs, output_attentions=True)
    if ALL[name].takes == "both":
        return output, output.encoder_attentions if kind == "self" else output.decoder_attentions
    return output, output.attentions


@pytest.mark.parametrize("name", FOLLOWED)
def test_that_gradients_are_those_of_autograd_through_the_models_own_weights(name: str) -> None:
    model: Any = tiny(ALL[name])
    inputs, token = inputs_of(ALL[name]), 7
    last = inputs.get("decoder_input_ids", inputs["input_ids"]).shape[1] - 1
    for kind in ("self", "decoder") if ALL[name].takes == "both" else ("self",):
        model.requires_grad_(requires_grad=True)
        output, own = own_weights(model, name, inputs, kind)
        for each in own:
            each.retain_grad()
        output.logits[0, last, token].backward()
        expected = [(each * each.grad)[0].detach() for each in own]  # type: ignore[operator]
        model.requires_grad_(requires_grad=False)
        with torch.no_grad():
            found = weighted_gradients(model, inputs, kind, token, rows=(last,))
        assert len(found) == len(expected)
        for mine, its in zip(found, expected, strict=True):
            torch.testing.assert_close(mine, its, atol=0, rtol=0)
        assert any(bool(each.any()) for each in found)
        assert not any(each.requires_grad for each in model.parameters())


def test_that_a_family_whose_weights_have_no_gradient_is_refused() -> None:
    with torch.no_grad(), pytest.raises(RunError, match="no gradient reaches the weights"):
        weighted_gradients(tiny(WATCHED["xlnet"]), inputs_of(WATCHED["xlnet"]), "self", 7, rows=(TOKENS - 1,))


@pytest.mark.parametrize("name", ["gpt2", "llama", "bert", "deepseek_v3", "opt", "t5", "gemma2", "bart"])
def test_that_lengths_are_those_of_weighted_values_through_the_output_projection(name: str) -> None:
    recording = record(tiny(FAMILIES[name]), inputs_of(FAMILIES[name]), compare=False)
    assert recording is not None
    for call in recording.shown:
        assert call.v is not None
        assert call.output_weight is not None
        values = call.v.double().detach().numpy().repeat(call.num_heads // len(call.v), axis=0)
        projection = call.output_weight.double().detach().numpy()
        size = values.shape[-1]
        weights = call.weights().double().numpy()
        written = np.stack([values[h] @ projection[:, h * size : (h + 1) * size].T for h in range(call.num_heads)])
        vectors = weights[..., None] * written[:, None]  # (h, queries, keys, D), what a head writes at i from j
        heads, together = lengths(call), lengths_of_sums(call)
        assert heads is not None
        assert together is not None
        np.testing.assert_allclose(heads.numpy(), np.linalg.norm(vectors, axis=-1), atol=1e-5)
        np.testing.assert_allclose(together.numpy(), np.linalg.norm(vectors.sum(0), axis=-1), atol=1e-5)
        without = lengths_of_sums(call, off=(0,))
        assert without is not None
        np.testing.assert_allclose(without.numpy(), np.linalg.norm(vectors[1:].sum(0), axis=-1), atol=1e-5)


# The study.


@pytest.fixture(scope="module")
def spec(tmp_path_factory: pytest.TempPathFactory) -> ModelSpec:
    model = made("llama", **{**SMALL, "num_hidden_layers": 3, "num_key_value_heads": 2, "initializer_range": 0.5})
    folder = written(tmp_path_factory.mktemp("llama"), model)
    return ModelSpec(folder=str(folder), text="the cat sat on the mat . a dog ran")


def traced(study: TokenMapOf) -> TokenMapTrace:
    (found,) = run(study)
    assert isinstance(found, TokenMapTrace), found
    return found


def weights_of(spec: ModelSpec) -> NDArray[np.float64]:
    """Return the weights (L, h, T, T) that the run of a spec shows."""
    trace: Any = [*run(spec)][-1]
    return np.stack([trace.layer_at(number).weights[0] for number in range(trace.num_layers)]).astype(np.float64)


@pytest.mark.parametrize("combination", ["mean", "max", "head"])
@pytest.mark.parametrize("residual", [0.0, 0.3, 1.0])
def test_that_a_rollout_is_that_of_numpy_on_the_weights_on_screen(
    spec: ModelSpec, combination: str, residual: float
) -> None:
    weights = weights_of(spec)
    combine = {"max": weights.max(1)}.get(combination, weights.mean(1))
    for last in (0, 1, 2):
        layers = [*combine[: last + 1]]
        if combination == "head":
            layers[-1] = weights[last, 3]
        expected = np.eye(weights.shape[-1])
        for each in layers:
            mixed = (1 - residual) * each + residual * np.eye(len(each))
            expected = mixed / mixed.sum(-1, keepdims=True) @ expected
        study = TokenMapOf(of=spec, heads=combination, head=3, residual=residual, layer=last)
        found = traced(study)
        np.testing.assert_allclose(found.matrix, expected, atol=1e-6)
        assert found.numbers == tuple(range(last + 1))
        raw = traced(study.model_copy(update={"map": "raw"}))
        np.testing.assert_allclose(raw.matrix, layers[-1], atol=1e-6)
        assert raw.numbers == (last,)


def test_that_norms_are_rolled_out_as_shares(spec: ModelSpec) -> None:
    layers = [traced(TokenMapOf(of=spec, map="norm_weighted", layer=each)).matrix for each in range(3)]
    expected = np.eye(len(layers[0]))
    for each in layers:
        expected = (0.6 * each / each.sum(-1, keepdims=True) + 0.4 * np.eye(len(each))) @ expected
    found = traced(TokenMapOf(of=spec, map="norm_rollout", residual=0.4))
    np.testing.assert_allclose(found.matrix, expected, atol=1e-6)
    np.testing.assert_allclose(found.matrix.sum(-1), 1, atol=1e-6)


def test_that_gradients_are_of_the_top_token_or_of_a_chosen_one(spec: ModelSpec) -> None:
    trace: Any = [*run(spec)][-1]
    top = traced(TokenMapOf(of=spec, map="gradient_weighted"))
    assert (top.token, top.token_name) == (trace.prediction.ids[0], trace.prediction.tokens[0])
    assert top.position == len(trace.read) - 1
    named = traced(TokenMapOf(of=spec, map="gradient_weighted", token=top.token))
    np.testing.assert_array_equal(named.matrix, top.matrix)
    other = traced(TokenMapOf(of=spec, map="gradient_weighted", token=trace.prediction.ids[1]))
    assert not np.allclose(other.matrix, top.matrix)
    assert top.matrix[-1].max() > 0
    (refused,) = run(TokenMapOf(of=spec, map="gradient_weighted", token=40))
    assert isinstance(refused, Failure)
    assert "0..39" in str(refused.text)


def test_that_interventions_act_on_a_map(spec: ModelSpec) -> None:
    hidden = spec.model_copy(update={"tokens_hidden": (2,)})
    found = traced(TokenMapOf(of=hidden, residual=0.0))
    np.testing.assert_array_equal(np.delete(found.matrix[:, 2], 2), 0)
    assert traced(TokenMapOf(of=spec, residual=0.0)).matrix[5, 2] > 0
    off = spec.model_copy(update={"heads_off": ("3.1", "3.2", "3.3", "3.4")})
    assert not traced(TokenMapOf(of=off, map="norm_weighted")).matrix.any()
    second_off = spec.model_copy(update={"heads_off": ("1.2",)})
    alone: dict[str, Any] = {"map": "gradient_weighted", "heads": "head", "layer": 0}
    assert not traced(TokenMapOf(of=second_off, **alone, head=1)).matrix.any()  # nothing depends on its weights
    assert traced(TokenMapOf(of=second_off, **alone, head=0)).matrix.any()
    warm = spec.model_copy(update={"temperature": 2.0})
    (refused,) = run(TokenMapOf(of=warm, map="gradient_weighted"))
    assert isinstance(refused, Failure)
    assert "temperature 1" in str(refused.text)


def test_that_a_map_says_what_its_rows_are_about(spec: ModelSpec) -> None:
    found = traced(TokenMapOf(of=spec, heads="max", residual=0.25))
    arrays = found.arrays()
    assert {name: arrays[name].item() for name in arrays if name != "rollout"} == {
        "rollout_heads": "max",
        "rollout_layer": 2,
        "rollout_residual": 0.25,
    }
    assert np.array_equal(found.mask, np.tri(len(found.read), dtype=bool))
    assert not found.has_sinks


def test_that_sinks_and_layers_without_attention_are_said(tmp_path: Path) -> None:
    sizes = {"vocab_size": 40, "initializer_range": 0.5}
    sinks = written(tmp_path / "sinks", made("gpt_oss", **{**FAMILIES["gpt_oss"].config, **sizes}))
    spec = ModelSpec(folder=str(sinks), text="the cat sat on the mat")
    raw, rolled = traced(TokenMapOf(of=spec, map="raw")), traced(TokenMapOf(of=spec))
    assert raw.has_sinks
    assert raw.matrix.sum(-1).max() < 0.99
    np.testing.assert_allclose(rolled.matrix.sum(-1), 1, atol=1e-6)
    assert "divided by its sum" in str(limits_of(rolled))
    hybrid = written(tmp_path / "hybrid", made("lfm2", **{**HYBRIDS["lfm2"].config, "vocab_size": 40}))
    found = traced(TokenMapOf(of=ModelSpec(folder=str(hybrid), text="the cat sat")))
    assert (found.numbers, found.left_out, found.number) == ((1, 3), 2, 3)
    assert "2 layers without attention" in str(limits_of(found))


def test_that_each_side_of_an_encoder_decoder_has_its_own_map(tmp_path: Path) -> None:
    config = {**FAMILIES["bart"].config, "vocab_size": 40, "init_std": 0.5}
    folder = written(tmp_path / "bart", made("bart", "AutoModelForSeq2SeqLM", **config))
    spec = ModelSpec(folder=str(folder), text="the cat sat on the mat", target="a dog ran")
    (trace,) = list(run(spec))[-1:]
    sides = trace.sides  # type: ignore[union-attr]
    encoder, decoder = (traced(TokenMapOf(of=spec, side=side)) for side in ("encoder", "decoder"))
    assert len(encoder.matrix) == len(sides["encoder"].read)
    assert len(decoder.matrix) == len(sides["decoder"].read)
    assert encoder.mask.all()
    assert np.array_equal(decoder.mask, np.tri(len(decoder.matrix), dtype=bool))
    assert (encoder.position, decoder.position) == (None, len(decoder.matrix) - 1)
    for side in ("encoder", "decoder"):
        assert traced(TokenMapOf(of=spec, side=side, map="gradient_weighted")).matrix.max() > 0
    (refused,) = run(TokenMapOf(of=spec, side="cross"))
    assert isinstance(refused, Failure)
    assert "different texts" in str(refused.text)


def test_that_a_map_of_a_generation_is_of_all_that_it_has_read(spec: ModelSpec) -> None:
    written_on = spec.model_copy(update={"generate": 3})
    trace: Any = [*run(written_on)][-1]
    whole = traced(TokenMapOf(of=written_on))
    assert whole.read.ids == trace.read.ids
    assert len(whole.read) == len(traced(TokenMapOf(of=written_on, continued=())).read) + len(trace.continued)
    assert len(trace.continued) == 2
    np.testing.assert_array_equal(whole.matrix, traced(TokenMapOf(of=written_on, continued=trace.continued)).matrix)
