"""The run of the model lab: what it shows is the model's own, and its interventions do what they say."""

import os
import re
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from model_folders import SMALL, WORDS, made, written

from attnviz.engine.model import opened as open_models
from attnviz.engine.model.run import ModelRun
from attnviz.engine.run import run, run_to_end
from attnviz.experiment.labs import make_spec
from attnviz.experiment.layers.cell import attention_row
from attnviz.experiment.layers.panels import dot_at, panels_of, product_of
from attnviz.experiment.model.sentences import effect_said, sentence_of
from attnviz.experiment.model.spec import ModelSpec
from attnviz.experiment.model.studies import HeadsInTurn
from attnviz.experiment.model.trace import ModelTrace
from attnviz.experiment.model.view import ModelViewSettings
from attnviz.experiment.run import Cursor, Failure, never_stop, no_progress

TEXT = "the cat sat on the mat the cat sat"
OTHER = "a dog ran on the mat the cat ran"
Run = Callable[..., ModelTrace]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    sizes: dict[str, Any] = SMALL | {"num_key_value_heads": 2, "initializer_range": 0.4}
    return written(tmp_path_factory.mktemp("models") / "llama", made("llama", **sizes))


@pytest.fixture(scope="module")
def encoder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    model = made("bert", "AutoModelForMaskedLM", **SMALL, initializer_range=0.4)
    return written(tmp_path_factory.mktemp("models") / "bert", model)


def spec_of(folder: Path, **values: Any) -> ModelSpec:
    spec = make_spec({"lab": "model", "device": "cpu", "folder": str(folder), "text": TEXT, **values})
    assert isinstance(spec, ModelSpec)
    return spec


def trace_of(folder: Path, layer: int = 0, **values: Any) -> ModelTrace:
    going = ModelRun(spec_of(folder, **values), no_progress)
    while not going.final:
        assert going.advance(never_stop)
    return going.at(Cursor(layer=layer))


def failure_of(folder: Path, values: dict[str, Any]) -> str:
    last = run_to_end(make_spec(dict(spec_of(folder)) | values))
    assert isinstance(last, Failure)
    return last.message


def own_weights(folder: Path, trace: ModelTrace) -> Any:
    """Return (layers, heads, Q, K) of the model as transformers alone runs it."""
    import transformers

    model = transformers.AutoModelForCausalLM.from_pretrained(folder, attn_implementation="eager")
    with torch.no_grad():
        output = model(torch.tensor([trace.read.ids]), output_attentions=True)
    return torch.cat(output.attentions).numpy(), output.logits[0].double().softmax(-1).numpy()


def test_that_weights_and_prediction_are_those_of_transformers_alone(folder: Path) -> None:
    trace = trace_of(folder)
    weights, shares = own_weights(folder, trace)
    assert (trace.arrays()["weights"] == weights).all()
    assert trace.prediction is not None
    best = np.argsort(-shares[-1])[:10]
    np.testing.assert_allclose(trace.prediction.probabilities, shares[-1][best], rtol=1e-6)
    assert trace.prediction.ids == tuple(best.tolist())
    assert str(trace.check.text()) == "logits and weights equal the model's own: max difference 0"


def test_that_the_first_trace_says_what_is_still_compared_and_the_last_does_not(folder: Path) -> None:
    first, last = list(run(spec_of(folder, text="the mat sat")))
    assert isinstance(first, ModelTrace)
    assert isinstance(last, ModelTrace)
    assert (bool(first.incomplete), first.final) == (True, False)
    assert (bool(last.incomplete), last.final) == (False, True)
    assert str(first.check.text()) == "weights equal the model's own: max difference 0"


def test_that_a_layer_comes_by_its_cursor_and_one_that_is_not_there_is_the_last(folder: Path) -> None:
    assert [trace_of(folder, layer).number for layer in (0, 1, 7)] == [0, 1, 1]


def test_that_the_folder_is_loaded_once_for_all_texts_and_interventions(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    trace_of(folder)
    monkeypatch.setattr(open_models, "load", lambda *_: pytest.fail("it was loaded again"))
    trace_of(folder, text="the cat", heads_off=["1.1"])


def test_that_a_folder_that_has_changed_is_loaded_again(tmp_path: Path) -> None:
    place = written(tmp_path / "model", made("llama", **SMALL))
    before = trace_of(place)
    changed = made("llama", **SMALL | {"num_attention_heads": 2})
    written(place, changed)
    after = trace_of(place)
    assert (before.num_heads, after.num_heads) == (4, 2)
    view = ModelViewSettings().within(before)
    assert not view.is_changed(before)
    assert view.is_changed(after)
    assert view.within(after).is_changed(after)


def test_that_a_run_is_stopped_between_layers_and_goes_on_from_there(folder: Path) -> None:
    asked = 0

    def stop() -> bool:
        nonlocal asked
        asked += 1
        return asked > 2

    going = ModelRun(spec_of(folder, text="the cat ran on the mat"), no_progress)
    assert not going.advance(stop)
    assert going.known is None
    assert going.advance(never_stop)
    assert going.known == Cursor()


def test_that_the_comparison_with_the_models_own_run_is_stopped_within_the_model(folder: Path) -> None:
    going = ModelRun(spec_of(folder, text="the mat sat on a dog"), no_progress)
    assert going.advance(never_stop)
    answers = iter([False, False, False, True])
    assert not going.advance(lambda: next(answers))
    assert not going.final
    assert going.advance(never_stop)
    assert going.final


def test_that_progress_is_told_by_layers(folder: Path) -> None:
    told: list[tuple[int, int]] = []
    going = ModelRun(spec_of(folder, text="the dog sat on a cat"), lambda done, count: told.append((done, count)))
    going.advance(never_stop)
    assert told == [(1, 2), (2, 2)]


def test_that_a_head_that_is_off_puts_out_zeros_or_its_mean(folder: Path) -> None:
    zero, mean, usual = (
        trace_of(folder, **values)
        for values in ({"heads_off": ["1.2"]}, {"heads_off": ["1.2"], "ablation": "mean"}, {})
    )
    assert not zero.layer.heads[0, 1].any()
    assert zero.layer.heads_off == frozenset({1})
    np.testing.assert_allclose(
        mean.layer.heads[0, 1], np.broadcast_to(usual.layer.heads[0, 1].mean(0), (11, 8)), atol=1e-6
    )
    assert (zero.layer.heads[0, 0] == usual.layer.heads[0, 0]).all()
    assert (zero.layer.weights == usual.layer.weights).all()
    assert (trace_of(folder, 1, heads_off=["1.2"]).layer.weights != trace_of(folder, 1).layer.weights).any()


def test_that_a_hidden_token_gets_no_weight_and_says_why(folder: Path) -> None:
    trace = trace_of(folder, tokens_hidden=[2])
    assert not trace.layer.weights[0, :, np.arange(11) != 2, 2].any()
    assert trace.layer.masks is not None
    assert "hidden" in [mask.name for mask, _ in trace.layer.masks]
    assert [str(text) for text in [trace.badge]] == ["hidden: cat (3)"]


def test_that_painted_cells_get_no_weight_in_their_head_or_layer_alone(folder: Path) -> None:
    trace = trace_of(folder, 1, painted={"2.3": "4: 0-2", "1": "5: 1"})
    assert not trace.layer.weights[0, 2, 4, :3].any()
    assert trace.layer.weights[0, 1, 4, :3].all()
    assert not trace.layer_at(0).weights[0, :, 5, 1].any()


def test_that_a_temperature_divides_every_score(folder: Path) -> None:
    warm, usual = trace_of(folder, temperature=2.0), trace_of(folder)
    np.testing.assert_array_equal(warm.layer.scores, usual.layer.scores)
    shares = np.where(usual.layer.mask, np.exp(usual.layer.scores / 2), 0)
    np.testing.assert_allclose(warm.layer.weights, shares / shares.sum(-1, keepdims=True), atol=1e-6)


def test_that_a_patch_with_itself_changes_nothing_and_one_from_another_text_does(folder: Path) -> None:
    patch = [{"head": "1.1", "token": 4, "from": "b"}]
    same = trace_of(folder, 1, patch=patch, text_b=TEXT)
    assert same.effect is not None
    np.testing.assert_allclose(same.effect.cosines, 1)
    assert not same.effect.heads.any()
    other = trace_of(folder, 1, patch=patch, text_b=OTHER)
    assert (other.layer_at(0).heads[0, 0, 4] == trace_of(folder, text=OTHER).layer.heads[0, 0, 4]).all()
    assert other.effect is not None
    assert other.effect.heads[1].any()
    assert not other.effect.heads[0].any()


def test_that_what_an_intervention_changes_is_that_of_two_runs(folder: Path) -> None:
    changed, usual = (trace_of(folder, 1, heads_off=heads) for heads in (["1.1", "1.3"], []))
    assert changed.effect is not None
    moved = np.abs(changed.layer.weights[0] - usual.layer.weights[0]).sum(-1).mean(-1) / 2
    np.testing.assert_allclose(changed.effect.heads[1], moved, atol=1e-6)
    assert changed.effect.most_changed_heads(1) == ((1, int(moved.argmax())),)
    assert changed.before is not None
    assert usual.prediction is not None
    assert changed.before.ids == usual.prediction.ids
    assert changed.before.other is not None
    assert changed.prediction is not None
    if changed.before.ids[0] in changed.prediction.ids:
        at = changed.prediction.ids.index(changed.before.ids[0])
        assert changed.before.other[0] == changed.prediction.probabilities[at]
    assert usual.effect is None
    assert len(effect_said(changed)) == 4


def test_that_every_head_off_in_turn_loses_what_a_run_without_it_loses(folder: Path) -> None:
    told: list[tuple[int, int]] = []
    spec = spec_of(folder, tokens_hidden=[3])
    found, *more = run(HeadsInTurn(of=spec), progress=lambda done, count: told.append((done, count)))
    assert not more
    assert not isinstance(found, Failure)
    study: Any = found
    for layer, head in np.ndindex(2, 4):
        alone = trace_of(folder, tokens_hidden=[3], heads_off=[f"{layer + 1}.{head + 1}"])
        assert alone.before is not None
        shown = trace_of(folder, tokens_hidden=[3]).prediction
        assert shown is not None
        assert study.token == shown.tokens[0]
        assert study.shown == pytest.approx(shown.probabilities[0], abs=5e-6)
        prediction = alone.prediction
        assert prediction is not None
        known = dict(zip(prediction.ids, prediction.probabilities, strict=True))
        if shown.ids[0] in known:
            assert study.probability[layer, head] == pytest.approx(known[shown.ids[0]], abs=5e-6)
    assert told[-1] == (8, 8)


def test_that_weights_which_a_training_saves_over_the_open_ones_are_read(tmp_path: Path) -> None:
    """Neither the configuration nor the shapes of the weights tell them apart, but samples of these do."""
    folder = written(tmp_path / "trained", made("llama", **SMALL, initializer_range=0.4))
    before = trace_of(folder)
    model = made("llama", **SMALL, initializer_range=0.4)
    with torch.no_grad():
        for weight in model.parameters():
            weight.mul_(-0.5)
    model.save_pretrained(folder)
    after = trace_of(folder)
    assert after.model.fingerprint != before.model.fingerprint
    assert not np.array_equal(after.weights, before.weights)


@pytest.mark.parametrize("error", [IndexError("index 9"), TypeError("none"), KeyError("eager"), ZeroDivisionError()])
def test_that_an_error_of_the_models_code_is_one_sentence(
    error: Exception, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fails(*_: Any, **__: Any) -> None:
        raise error

    monkeypatch.setattr(open_models, "record", fails)
    said = failure_of(folder, {"text": f"the cat {type(error).__name__}"})
    assert said.startswith(f"the model's own code failed on this text: {type(error).__name__}: ")


def test_that_an_error_of_attnviz_is_not_blamed_on_the_model(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The statistics of the heads get weights of another shape than the text has."""
    own = open_models.measure
    monkeypatch.setattr(open_models, "measure", lambda *given: own(*given[:3], given[3][..., :5]))
    said = failure_of(folder, {"text": "the dog sat on the mat"})
    assert re.match("attnviz failed to record this model, a defect of attnviz: (ValueError|IndexError): ", said)


def test_that_a_weight_that_is_no_number_is_named(tmp_path: Path) -> None:
    model = made("llama", **SMALL)
    with torch.no_grad():
        model.model.layers[1].self_attn.q_proj.weight[0, 0] = float("nan")
    said = failure_of(written(tmp_path / "broken", model), {})
    assert said.startswith("the weight model.layers.1.self_attn.q_proj.weight holds numbers that are not finite")


def test_that_the_changes_are_said_with_their_place_and_kind(folder: Path) -> None:
    patches = [{"head": "1.2", "token": 1, "from": "b"}]
    trace = trace_of(folder, heads_off=["1.1"], ablation="mean", text_b=OTHER, patch=patches)
    assert str(trace.badge) == "off, as their mean: 1.1; patched: 1.2 · the (2)"


@pytest.mark.parametrize("temperature", [1e-6, 1e6])
@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_that_the_ends_of_the_temperature_give_rows_that_sum_to_1(dtype: str, temperature: float, folder: Path) -> None:
    trace = trace_of(folder, dtype=dtype, temperature=temperature)
    np.testing.assert_allclose(trace.row_sums, 1, rtol=1e-5)
    assert "scores" in trace.stage_names


def test_that_a_masked_model_fills_in_the_masked_token(encoder: Path) -> None:
    trace = trace_of(encoder, text="the [MASK] sat")
    assert trace.prediction is not None
    assert trace.prediction.position == trace.read.names.index("[MASK]")
    assert trace.overview.of("sink_share")[0, 0] == pytest.approx(
        trace.layer.weights[0, 0][:, list(trace.read.sinks)].sum(-1).mean(), abs=1e-6
    )
    without = trace_of(encoder, text="the cat sat")
    assert without.prediction is None
    assert "top_tokens" not in without.arrays()


def test_that_the_text_without_special_tokens_is_shorter(encoder: Path) -> None:
    assert trace_of(encoder).read.names[0] == "[CLS]"
    plain = trace_of(encoder, special_tokens=False)
    assert plain.read.names == tuple(TEXT.split())
    assert not any(plain.read.special)


@pytest.mark.parametrize(
    ("values", "sentence"),
    [
        ({"text": " ", "special_tokens": False}, "the text has no tokens; type at least one word"),
        ({"heads_off": ["3.1"]}, "there is no head 3.1: this model has 2 layers of 4 heads; nearest: 2.1"),
        ({"heads_off": ["1.9"]}, "nearest: 1.4"),
        ({"painted": {"7": "1: 0"}}, "there is no head 7: this model has 2 layers of 4 heads; nearest: 2"),
        ({"painted": {"1": "40: 0"}}, "token 40 is not in the text, whose tokens are 0..10; nearest: 10"),
        ({"tokens_hidden": [11]}, "token 11 is not in the text, whose tokens are 0..10; nearest: 10"),
        (
            {"patch": [{"head": "1.1", "token": 9, "from": "b"}], "text_b": "the cat"},
            "token 9 of a patch is not in text B, which has 4 tokens and is shorter; nearest: 3",
        ),
        ({"folder": "/nowhere/at/all"}, "there is no folder /nowhere/at/all"),
        ({"text": "the " * 3000}, "this model reads at most 2048"),
    ],
)
def test_that_what_does_not_fit_is_refused_with_the_nearest(
    folder: Path, values: dict[str, Any], sentence: str
) -> None:
    assert sentence in failure_of(folder, values)


def test_that_the_arrays_of_some_layers_are_those_of_all(folder: Path) -> None:
    trace = trace_of(folder)
    whole, second = trace.arrays(), trace.arrays_of([1])
    assert second["weights"].shape == (1, 4, 11, 11)
    for name in ("weights", "q", "k", "v", "mask", "scores"):
        np.testing.assert_array_equal(second[name][0], whole[name][1])
    with pytest.raises(ValueError, match=r"layer 3 must be in 1\.\.2; nearest: 2"):
        trace.arrays_of([2])


def test_that_a_sentence_says_what_the_head_does_and_what_is_expected(folder: Path) -> None:
    trace = trace_of(folder, heads_off=["1.2"])
    said = str(sentence_of(trace, ModelViewSettings(head=1), ModelViewSettings(head=1, query=3)))
    assert said.startswith("Head 1.2 is off and adds nothing, though “sat” (4) gives ")
    assert "without interventions it predicts" in said
    assert len(set(re.findall(r"predicts “[^”]+” \(([^)]+)\)", said))) == 2, "a small change is seen in the digits"
    assert sentence_of(trace, ModelViewSettings(layer=1), ModelViewSettings()).template == ""


def test_that_what_was_checked_is_said_of_the_model_without_the_changes(folder: Path) -> None:
    usual, changed = trace_of(folder), trace_of(folder, heads_off=["1.2"])
    assert str(usual.checked) == str(usual.check.text())
    assert str(changed.checked) == f"without interventions, {changed.check.text()}"
    assert changed.checked in changed.facts()


@pytest.mark.parametrize("ablation", ["zero", "mean"])
def test_that_an_output_that_is_replaced_is_no_sum_of_values(folder: Path, ablation: str) -> None:
    patch = [{"head": "1.3", "token": 4, "from": "b"}]
    trace = trace_of(folder, heads_off=["1.2"], ablation=ablation, patch=patch, text_b=OTHER)

    def said(head: int, query: int) -> str:
        view = ModelViewSettings(page="stages", stage="heads", head=head, query=query)
        return str(sentence_of(trace, view, view))

    assert said(1, 3) == said(1, 4) != said(0, 4)
    assert ("0 for every token" in said(1, 3)) == (ablation == "zero")
    assert "head 3 pools" in said(2, 3)
    assert said(2, 4) == "The output of head 3 for “on” is replaced by that of another run (patched)."
    for head, query, replaced in ((0, 4, False), (1, 3, True), (1, 4, True), (2, 3, False), (2, 4, True)):
        row = attention_row(trace.layer, 0, head, query)
        assert row.is_replaced == replaced
        (product,) = [product_of(panels_of(trace.layer, "heads", 0, head, query))]
        assert product is not None
        dots = [dot_at(product, query, column) for column in range(len(row.output))]
        assert any(dot.replaced is not None for dot in dots) == replaced
        if replaced:
            made = [dot.result if dot.replaced is None else dot.replaced for dot in dots]
            np.testing.assert_allclose(made, row.dropped_weights @ row.values, rtol=0.05, atol=1e-5)


@pytest.mark.parametrize("values", [{}, {"temperature": 0.5, "heads_off": ["1.2"], "tokens_hidden": [1]}])
def test_that_every_stage_has_a_sentence_of_every_cell_and_row(folder: Path, values: dict[str, Any]) -> None:
    trace = trace_of(folder, **values)
    for stage in trace.layer.stage_names:
        for query, key in ((3, None), (3, 1), (0, 5)):
            view = ModelViewSettings(page="stages", stage=stage, query=query, key=key)
            assert "{" not in str(sentence_of(trace, view, view))
    assert ("cooled_scores" in trace.layer.stage_names) == bool(values)


def test_that_a_precision_in_which_the_code_of_a_model_fails_is_said(tmp_path: Path) -> None:
    sizes = {"d_model": 32, "n_layer": 2, "n_head": 4, "d_inner": 48, "vocab_size": len(WORDS)}
    written(tmp_path, made("xlnet", **sizes))
    sentence = "the model's own code fails in float16: expected scalar type Float but found Half; nearest: float32"
    assert failure_of(tmp_path, {"dtype": "float16"}) == sentence


def test_that_threads_may_run_one_model_at_once(folder: Path) -> None:
    texts = [" ".join(TEXT.split()[: 3 + at % 6]) + " mat" * (at // 6) for at in range(30)]
    before = os.readlink("/proc/self/fd/2") if os.path.isdir("/proc/self/fd") else ""
    alone = [trace_of(folder, text=text).arrays() for text in texts]
    for held in open_models._open.values():
        held._plain.clear()
    with ThreadPoolExecutor(3) as threads:
        together = list(threads.map(lambda text: trace_of(folder, text=text).arrays(), texts))
    for one, other in zip(alone, together, strict=True):
        assert one.keys() == other.keys()
        for name in ("weights", "q", "v"):
            np.testing.assert_allclose(one[name], other[name], atol=1e-6)
    assert not before or os.readlink("/proc/self/fd/2") == before, "what is written to stderr is not lost from then on"


def test_that_a_head_that_puts_out_its_mean_is_not_said_to_add_nothing(folder: Path) -> None:
    trace = trace_of(folder, heads_off=["1.2"], ablation="mean")
    said = str(sentence_of(trace, ModelViewSettings(head=1), ModelViewSettings(head=1, query=3)))
    assert said.startswith("Head 1.2 is off and adds its mean, though ")


def test_that_a_changed_token_that_occurs_more_than_once_has_its_place(folder: Path) -> None:
    trace = trace_of(folder, tokens_hidden=[1, 4])
    assert str(trace.badge) == "hidden: the (2), on"


@pytest.mark.parametrize("dtype", ["float16", "bfloat16", "float64"])
def test_that_a_patch_with_itself_changes_nothing_in_any_number_format(dtype: str, folder: Path) -> None:
    patch = [{"head": "1.2", "token": 4, "from": "b"}, {"head": "2.4", "token": 8, "from": "b"}]
    plain = trace_of(folder, layer=1, dtype=dtype)
    patched = trace_of(folder, layer=1, dtype=dtype, text_b=TEXT, patch=patch)
    assert np.array_equal(patched.weights, plain.weights)
    assert patched.prediction is not None
    assert plain.prediction is not None
    assert np.array_equal(patched.prediction.probabilities, plain.prediction.probabilities)


def test_that_norms_of_values_are_those_of_an_output_projection_that_is_not_square(tmp_path: Path) -> None:
    """Qwen3's heads are together wider than the model."""
    model = made("qwen3", **SMALL, head_dim=16, num_key_value_heads=2)
    trace = trace_of(written(tmp_path / "qwen3", model))
    projection = model.model.layers[0].self_attn.o_proj.weight.detach().numpy().astype(np.float64)
    assert projection.shape == (32, 64)
    values = np.repeat(trace.layer.v[0].astype(np.float64), 2, axis=0)
    expected = [
        np.linalg.norm(values[head] @ projection[:, 16 * head : 16 * head + 16].T, axis=-1) for head in range(4)
    ]
    written_by_each = (trace.layer.weights[0] * np.array(expected)[:, None, :]).sum(axis=-1).mean(axis=-1)
    np.testing.assert_allclose(trace.overview.of("norm")[0], written_by_each, rtol=1e-5)


def test_that_norms_beside_learned_sinks_are_those_of_the_weights_and_older_documents_are_told(tmp_path: Path) -> None:
    sizes = {"hidden_size": 32, "intermediate_size": 32, "num_hidden_layers": 2, "num_attention_heads": 4}
    sizes |= {"num_key_value_heads": 2, "head_dim": 8, "num_local_experts": 2, "num_experts_per_tok": 1}
    oss = made("gpt_oss", vocab_size=len(WORDS), **sizes)
    with torch.no_grad():
        for layer in oss.model.layers:
            layer.self_attn.sinks.copy_(torch.tensor([0.5, -3.0, 2.0, 0.0]))
    trace = trace_of(written(tmp_path / "oss", oss), text=" ".join(WORDS[2:7]))
    values = np.repeat(trace.layer.v[0], 2, axis=0).astype(float)  # (h, T, e)
    written_by = oss.model.layers[0].self_attn.o_proj.weight.detach().double().numpy().T.reshape(4, 8, -1)
    norms = np.linalg.norm(values @ written_by, axis=-1)
    expected = (trace.layer.weights[0].astype(float) * norms[:, None]).sum(axis=-1).mean(axis=-1)
    np.testing.assert_allclose(trace.overview.of("norm")[0], expected, rtol=1e-5)
    assert [str(said)[:20] for said in trace.shown_otherwise] == ["“Weighted by norm” n"]
    assert trace_of(written(tmp_path / "plain", made("gpt2", vocab_size=len(WORDS)))).shown_otherwise == ()


def test_that_an_unknown_token_is_a_word_and_older_documents_are_told(encoder: Path) -> None:
    trace = trace_of(encoder, text="the zebra sat")
    unknown = trace.read.names.index("[UNK]")
    assert not trace.read.special[unknown]
    assert unknown not in trace.read.sinks
    assert [str(said)[:35] for said in trace.shown_otherwise] == ["[UNK] no longer counts as a special"]
