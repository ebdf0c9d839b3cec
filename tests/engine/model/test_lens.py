"""The logit lens: each layer's state through the last norm and the head by hand, and the last row is the prediction."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from calling import attnviz as command
from model_families import FAMILIES, GRANITE, WATCHED, tiny
from model_folders import SMALL, made, written

import attnviz
from attnviz.engine.model import recording
from attnviz.engine.model.residual import lens as lens_module
from attnviz.engine.model.residual.lens import top_of
from attnviz.engine.run import run, run_to_end
from attnviz.experiment.labs import LABS
from attnviz.experiment.model.extras import EXTRAS
from attnviz.experiment.model.lens import Lens, LensAt, LensTrace
from attnviz.experiment.model.spec import ModelSpec
from attnviz.experiment.run import Failure

TEXT = "the dog ran on a mat ."
ALL = FAMILIES | WATCHED | {"granite": GRANITE}
Rows = Any


def weight(module: Any, name: str = "weight") -> Rows:
    return np.asarray(getattr(module, name).detach().double().numpy())


def rms(x: Rows, norm: Any, eps: float, plus: float = 0.0) -> Rows:
    return x / np.sqrt((x**2).mean(-1, keepdims=True) + eps) * (weight(norm) + plus)


def layer_norm(x: Rows, norm: Any) -> Rows:
    x = x - x.mean(-1, keepdims=True)
    scaled = x / np.sqrt((x**2).mean(-1, keepdims=True) + norm.eps) * weight(norm)
    return scaled if norm.bias is None else scaled + weight(norm, "bias")


def opt(model: Any, x: Rows) -> Rows:
    decoder = model.model.decoder
    return layer_norm(x, decoder.final_layer_norm) @ weight(decoder.project_out).T @ weight(model.lm_head).T


def gemma2(model: Any, x: Rows) -> Rows:
    cap = model.config.final_logit_softcapping
    return cap * np.tanh(rms(x, model.model.norm, model.config.rms_norm_eps, 1.0) @ weight(model.lm_head).T / cap)


def bert(model: Any, x: Rows) -> Rows:
    end, erf = model.cls.predictions, torch.special.erf
    inner = x @ weight(end.transform.dense).T + weight(end.transform.dense, "bias")
    inner = inner * 0.5 * (1 + erf(torch.tensor(inner / np.sqrt(2))).numpy())
    return layer_norm(inner, end.transform.LayerNorm) @ weight(end.decoder).T + weight(end.decoder, "bias")


def t5(model: Any, x: Rows) -> Rows:
    normed = rms(x, model.decoder.final_layer_norm, model.config.layer_norm_epsilon)
    tied = torch.equal(model.lm_head.weight, model.shared.weight)
    return normed * (model.config.d_model**-0.5 if tied else 1.0) @ weight(model.lm_head).T


BY_HAND: dict[str, Callable[[Any, Rows], Rows]] = {
    "llama": lambda model, x: rms(x, model.model.norm, model.config.rms_norm_eps) @ weight(model.lm_head).T,
    "gpt2": lambda model, x: layer_norm(x, model.transformer.ln_f) @ weight(model.lm_head).T,
    "granite": lambda model, x: rms(x, model.model.norm, model.config.rms_norm_eps) @ weight(model.lm_head).T / 4.0,
    "gpt_neox": lambda model, x: (
        layer_norm(x, model.gpt_neox.final_layer_norm) @ weight(model.get_output_embeddings()).T
    ),
    "opt": opt,
    "gemma2": gemma2,
    "bert": bert,
    "t5": t5,
    "bart": lambda model, x: x @ weight(model.lm_head).T + weight(model, "final_logits_bias"),
}
"""What the model's own code does after its last layer, in numpy."""


def shaken(name: str) -> Any:
    return tiny(ALL[name])


def result(asked: Any) -> Any:
    return run_to_end(asked)


def lens_of(spec: ModelSpec, **values: Any) -> LensTrace:
    found = result(LensAt(of=spec, **values) if values else Lens(of=spec))
    assert isinstance(found, LensTrace), getattr(found, "message", found)
    return found


def softmax(logits: Rows) -> Rows:
    shares = np.exp(logits - logits.max(-1, keepdims=True))
    return np.asarray(shares / shares.sum(-1, keepdims=True))


@pytest.mark.parametrize("name", BY_HAND)
def test_that_a_state_goes_through_the_last_norm_and_the_head(name: str, tmp_path: Path) -> None:
    folder = written(tmp_path / "model", shaken(name))
    target = "the cat sat" if ALL[name].takes == "both" else ""
    spec = ModelSpec(folder=str(folder), text=TEXT, target=target, device="cpu")
    trace = result(spec)
    found = lens_of(spec)
    model = type(shaken(name)).from_pretrained(folder, attn_implementation="eager").eval()
    inputs = {"input_ids": torch.tensor([trace.source.ids])}
    inputs |= {"decoder_input_ids": torch.tensor([trace.written.ids])} if trace.sides else {}
    with torch.no_grad():
        own = model(**inputs, output_hidden_states=True, use_cache=False)
    states = own.decoder_hidden_states if trace.sides else own.hidden_states
    assert found.tokens == trace.written.names
    for layer in range(len(found.ids) - 1):
        expected = softmax(BY_HAND[name](model, states[layer + 1][0].double().numpy()))
        at = np.arange(len(expected))[:, None]
        np.testing.assert_allclose(found.probabilities[layer], expected[at, found.ids[layer]], atol=2e-6)
        np.testing.assert_allclose(found.probabilities[layer], -np.sort(-expected, -1)[:, :10], atol=2e-6)
        np.testing.assert_allclose(found.shares[layer], expected[at[:, 0], found.followed], atol=2e-6)
        larger = expected > expected[at[:, 0], found.followed][:, None]
        assert found.ranks[layer].tolist() == (larger.sum(-1) + 1).tolist()
    last = softmax(own.logits[0].double().numpy())
    np.testing.assert_allclose(found.probabilities[-1], -np.sort(-last, -1)[:, :10], atol=1e-6)
    assert found.rest == 0
    assert (found.ranks[-1] == 1).all()
    if trace.prediction is not None:
        assert tuple(found.ids[-1, found.position].tolist()) == trace.prediction.ids
        assert (found.probabilities[-1, found.position] == trace.prediction.probabilities).all()


@pytest.mark.parametrize("name", ["t5", "bart"])
def test_that_a_decoder_that_writes_by_itself_is_read_as_far_as_it_has_written(name: str, tmp_path: Path) -> None:
    spec = ModelSpec(folder=str(written(tmp_path / "model", tiny(FAMILIES[name]))), text=TEXT, device="cpu")
    trace: Any = run_to_end(spec)
    found = lens_of(spec)
    assert (found.tokens, found.rest) == (trace.written.names, 0)
    assert found.ids[-1, -1, 0] == trace.prediction.ids[0]


@pytest.mark.parametrize("dtype", ["bfloat16", "float16"])
def test_that_half_precision_has_the_same_last_row(dtype: str, folder: Path) -> None:
    spec = ModelSpec(folder=str(folder), text=TEXT, dtype=dtype, device="cpu")
    trace: Any = run_to_end(spec)
    found = lens_of(spec)
    assert found.rest == 0
    assert (found.probabilities[-1, -1] == trace.prediction.probabilities).all()


def test_that_layers_without_attention_have_a_row(tmp_path: Path) -> None:
    kinds = {"layer_types": ["conv", "full_attention", "conv", "full_attention", "conv"], "num_hidden_layers": 5}
    sizes = SMALL | {"num_key_value_heads": 2, "initializer_range": 0.4}
    spec = ModelSpec(folder=str(written(tmp_path / "model", made("lfm2", **sizes | kinds))), text=TEXT, device="cpu")
    found = lens_of(spec)
    assert (len(found.ids), found.rest) == (5, 0)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    sizes: dict[str, Any] = SMALL | {"num_hidden_layers": 3, "num_key_value_heads": 2, "initializer_range": 0.4}
    return written(tmp_path_factory.mktemp("models") / "llama", made("llama", **sizes))


def test_that_interventions_and_new_tokens_are_those_of_the_run(folder: Path) -> None:
    spec = ModelSpec(folder=str(folder), text=TEXT, device="cpu", heads_off=("1.2", "2.1"), generate=3)
    trace = result(spec)
    found, grown = result(Lens(of=spec, continued=())), lens_of(spec)
    assert len(grown.tokens) == len(found.tokens) + len(trace.continued) > len(found.tokens)
    assert grown.tokens == trace.read.names
    assert tuple(grown.ids[-1, -1, :1].tolist()) == trace.prediction.ids[:1]
    np.testing.assert_allclose(grown.probabilities[:, : len(found.tokens)], found.probabilities, atol=1e-6)
    plain = lens_of(ModelSpec(folder=str(folder), text=TEXT, device="cpu"))
    assert (abs(found.probabilities - plain.probabilities).max((1, 2)) > 1e-3).all()
    assert found.rest == grown.rest == plain.rest == 0


def test_that_one_position_is_a_part_of_all_and_follows_any_token(folder: Path) -> None:
    spec = ModelSpec(folder=str(folder), text=TEXT, device="cpu")
    whole, one = lens_of(spec), lens_of(spec, position=2, token=7)
    np.testing.assert_allclose(one.probabilities[:, 0], whole.probabilities[:, 2], atol=1e-6)
    assert (one.ids[:, 0] == whole.ids[:, 2]).all()
    assert (one.positions, one.followed.tolist()) == ((2,), [7])
    at = [layer for layer, ids in enumerate(whole.ids[:, 2].tolist()) if 7 in ids]
    assert at, "a token that is among the first ten of some layer"
    for layer in at:
        assert one.ranks[layer, 0] == whole.ids[layer, 2].tolist().index(7) + 1
    failure = result(LensAt(of=spec, position=2, token=40))
    assert failure.message == "there is no token 40: this model's are 0..39; nearest: 39"


def test_that_logits_are_computed_for_some_positions_at_a_time_and_states_once(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    spec = ModelSpec(folder=str(folder), text=TEXT + " the cat", device="cpu")
    whole = lens_of(spec)
    sizes: list[int] = []
    own_outputs = recording.own_outputs
    monkeypatch.setattr(lens_module, "_MOST_LOGITS", 2 * 40)

    def counted(*arguments: Any) -> Any:
        sizes.append(len(arguments[2]))
        return own_outputs(*arguments)

    monkeypatch.setattr(lens_module, "own_outputs", counted)
    monkeypatch.setattr(lens_module, "outputs_under", lambda *_, **__: pytest.fail("another pass"))
    parts = lens_of(spec)
    assert max(sizes) == 2
    assert sum(sizes) == 3 * len(whole.tokens) + 1
    np.testing.assert_allclose(parts.probabilities, whole.probabilities, atol=1e-6)
    assert (parts.ranks == whole.ranks).all()


@pytest.mark.parametrize("vocabulary", [3, 64, 130])
def test_that_equal_logits_are_in_the_order_of_the_vocabulary(vocabulary: int) -> None:
    random = torch.Generator().manual_seed(0)
    logits = torch.randint(-2, 3, (50, vocabulary), generator=random).float()
    logits[::7, ::3] = -torch.inf
    followed = torch.randint(vocabulary, (50,), generator=random)
    found = top_of(logits, 10, followed)
    shares = logits.double().softmax(-1)
    expected = torch.argsort(logits, dim=-1, descending=True, stable=True)[:, :10]
    assert torch.equal(found.ids, expected)
    torch.testing.assert_close(found.probabilities, shares.gather(-1, expected), atol=1e-6, rtol=0)
    its = logits.gather(-1, followed[:, None])
    assert torch.equal(found.ranks, (logits > its).sum(-1) + 1)
    torch.testing.assert_close(found.shares, shares.gather(-1, followed[:, None])[:, 0], atol=1e-6, rtol=0)


def test_that_a_lens_that_is_stopped_has_no_result(folder: Path) -> None:
    asked, most = 0, 1 << 30

    def soon() -> bool:
        nonlocal asked
        asked += 1
        return asked > most

    def events(text: str) -> list[Any]:
        nonlocal asked
        asked = 0
        return list(run(Lens(of=ModelSpec(folder=str(folder), text=text, device="cpu")), should_stop=soon))

    assert len(events("a dog sat")) == 1
    needed = asked
    for most, text in ((0, "a cat sat"), (needed // 2, "a mat sat"), (needed - 1, "a dog ran")):
        assert events(text) == []
        assert asked == most + 1
    told: list[tuple[int, int]] = []
    spec = ModelSpec(folder=str(folder), text=TEXT, device="cpu")
    list(run(Lens(of=spec), progress=lambda done, count: told.append((done, count))))
    assert told == [(done, 3) for done in range(4)]


@pytest.mark.parametrize(
    ("family", "by", "message"),
    [
        ("xlnet", "AutoModelForCausalLM", "predicts no token at every position"),
        ("albert", "AutoModelForMaskedLM", "not in one list"),
        ("bert", "AutoModel", "predicts no token at every position"),
    ],
)
def test_that_a_model_without_a_lens_is_refused(family: str, by: str, message: str, tmp_path: Path) -> None:
    model = tiny(ALL[family]) if by != "AutoModel" else made("bert", by, **SMALL)
    folder = written(tmp_path / "model", model)
    failure = result(Lens(of=ModelSpec(folder=str(folder), text=TEXT, device="cpu")))
    assert isinstance(failure, Failure)
    assert message in failure.message
    assert failure.code in ("no_lens", "no_residual_stream")


# The arrays of a file.


@pytest.mark.parametrize("name", EXTRAS)
def test_that_an_extra_adds_the_arrays_that_it_names(name: str) -> None:
    values: dict[str, Any] = {"heads_off": ("1.2",)} if name == "random_sets" else {}
    plain, more = (attnviz.run("model-induction", with_=each, **values) for each in ((), name))
    assert more.arrays().keys() - plain.arrays().keys() == set(EXTRAS[name].arrays)


def test_that_the_command_line_and_python_write_the_same(tmp_path: Path) -> None:
    file = tmp_path / "numbers.npz"
    assert command("run", "preset:model-induction", "-o", str(file), "--with", "lens", "--layers", "2").code == 0
    found, own = np.load(file), attnviz.run("model-induction", with_=("lens",)).arrays()
    assert found["weights"].shape[0] == 1
    for name in ("lens_ids", "lens_probabilities"):
        assert found[name].shape == (2, 11, 10), "of all layers"
        np.testing.assert_array_equal(found[name], own[name])
    np.testing.assert_array_equal(found["lens_probabilities"][-1, -1], found["top_probabilities"])


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("preset:model-induction", "--with", "lense", "-o", "x.npz"), "it must be one of lens"),
        (("preset:causal-book", "--with", "lens", "-o", "x.npz"), "run of the lab attention; nearest: the lab model"),
        (
            ("preset:model-induction", "--with", "lens", "-o", "x.csv"),
            ".csv has no room for them; nearest: -o numbers.npz",
        ),
        (("preset:model-induction", "--with", "lens"), "no file is written; nearest: -o numbers.npz"),
    ],
)
def test_that_a_wrong_with_is_one_line_and_exit_2(arguments: tuple[str, ...], message: str, tmp_path: Path) -> None:
    done = command("run", *(str(tmp_path / each) if each.startswith("x.") else each for each in arguments))
    assert done.is_one_line(2, message)


def test_that_python_refuses_the_same_names() -> None:
    with pytest.raises(ValueError, match="'lense' cannot be added to a run; it must be one of lens"):
        attnviz.run("model-induction", with_=["lense"])
    with pytest.raises(ValueError, match="run of the lab attention"):
        attnviz.run("causal-book", with_="lens")
    assert [name for name, lab in LABS.items() if lab.extras] == ["model"]
