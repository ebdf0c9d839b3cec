"""Attribution by head equals a reference in numpy, from what hooks see at the model's own modules, in 8 families."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from image_folders import image_file, image_folder
from model_families import _T5, FAMILIES, GRANITE, Family, tiny
from model_folders import WORDS, made, tokenizer, write_json, written
from numpy.typing import NDArray

import attnviz
from attnviz.engine.model.interventions import done
from attnviz.engine.run import run
from attnviz.experiment.model.residual.attribution import Attribution, AttributionTrace
from attnviz.experiment.model.spec import ModelSpec
from attnviz.experiment.model.studies import HeadsInTurn
from attnviz.experiment.model.view import ModelViewSettings
from attnviz.experiment.run import Failure, never_stop, no_progress

TEXT = "the cat sat on the mat . the cat"


@dataclass(frozen=True)
class Layout:
    """Where a family has its parts."""

    layers: str = "model.layers"
    output: str = "self_attn.o_proj"
    norm: str = "model.norm"
    centred: bool = False
    after: tuple[str, str] | None = None
    """The norms of what attention and the MLP add."""
    plus: float = 0.0
    """What is added to the weight of a norm."""


_AFTER = "post_attention_layernorm", "post_feedforward_layernorm"
LAYOUTS = {
    "gpt2": Layout("transformer.h", "attn.c_proj", "transformer.ln_f", centred=True),
    "gpt_neox": Layout("gpt_neox.layers", "attention.dense", "gpt_neox.final_layer_norm", centred=True),
    "llama": Layout(),
    "gemma2": Layout(after=_AFTER, plus=1.0),
    "gemma3": Layout(after=_AFTER, plus=1.0),
    "olmo2": Layout(after=_AFTER),
    "granite": Layout(),
    "cohere": Layout(centred=True),
}
_ALL = FAMILIES | {"granite": GRANITE}


def model_of(name: str) -> Any:
    return tiny(_ALL[name])


@pytest.fixture(scope="module", name="folder_of")
def _folder_of(tmp_path_factory: pytest.TempPathFactory) -> Any:
    known: dict[str, Path] = {}

    def find(name: str) -> Path:
        if name not in known:
            known[name] = written(tmp_path_factory.mktemp(name) / "model", model_of(name))
        return known[name]

    return find


def attributed(**values: Any) -> AttributionTrace:
    of = {name: values.pop(name) for name in ("token", "minus", "continued") if name in values}
    (found,) = run(Attribution(of=ModelSpec(**{"text": TEXT, **values}), **of))
    assert isinstance(found, AttributionTrace), found
    return found


def refused(**values: Any) -> Failure[Any]:
    of = {name: values.pop(name) for name in ("token", "minus") if name in values}
    (found,) = run(Attribution(of=ModelSpec(**{"text": TEXT, **values}), **of))
    assert isinstance(found, Failure)
    return found


def _number(tensor: Any) -> NDArray[np.float64]:
    return np.asarray(tensor.detach().double().numpy())


def reference(model: Any, layout: Layout, ids: Any, token: int) -> tuple[NDArray[np.float64], Mapping[str, Any]]:
    """Return what heads (L, h) and other parts add to the logit after the last position, by numpy."""
    modules, seen = dict(model.named_modules()), {}
    layers = len(modules[layout.layers])
    named = {f"{at} {each}": f"{layout.layers}.{at}.{each}" for at in range(layers) for each in (layout.output, "mlp")}
    named |= {f"{at} {each}": f"{layout.layers}.{at}.{each}" for at in range(layers) for each in layout.after or ()}
    named |= {"last": layout.norm, "first": f"{layout.layers}.0"}

    def note(name: str) -> Any:
        def hook(_: Any, args: Any, kwargs: Any, output: Any) -> None:
            entered = args[0] if args else kwargs["hidden_states"]
            seen[name] = _number(entered)[0, -1], _number(output[0] if isinstance(output, tuple) else output)[0, -1]

        return hook

    hooks = [modules[path].register_forward_hook(note(name), with_kwargs=True) for name, path in named.items()]
    with torch.no_grad():
        model(torch.tensor([ids]))
    for hook in hooks:
        hook.remove()

    def normed(norm: Any, part: Any, whole: Any) -> Any:
        """Return a part after a norm whose scale is that of the whole, without the norm's bias."""
        centre = (lambda x: x - x.mean()) if layout.centred else (lambda x: x)
        eps = getattr(norm, "variance_epsilon", None) or getattr(norm, "eps", 0.0)
        weight = _number(norm.weight) + layout.plus
        return centre(part) / np.sqrt((centre(whole) ** 2).mean() + eps) * weight

    config, end = model.config, modules[layout.norm]
    factor = getattr(config, "logit_scale", None) or 1 / getattr(config, "logits_scaling", 1.0)
    head = model.get_output_embeddings()
    read = factor * _number(head.weight)[token]

    def adds(part: Any) -> float:
        return float(read @ normed(end, part, seen["last"][0]))

    def after(at: int, which: int, part: Any) -> Any:
        """Return what reaches the residual stream of a part of attention (0) or an MLP (1)."""
        if layout.after is not None:
            name = layout.after[which]
            part = normed(modules[f"{layout.layers}.{at}.{name}"], part, seen[f"{at} {name}"][0])
        return part * getattr(config, "residual_multiplier", 1.0)

    heads, biases = np.zeros((layers, config.num_attention_heads)), [0.0]
    for at in range(layers):
        projection = modules[f"{layout.layers}.{at}.{layout.output}"]
        matrix = _number(projection.weight)
        matrix = matrix.T if type(projection).__name__ == "Conv1D" else matrix
        size = matrix.shape[1] // heads.shape[1]
        for number in range(heads.shape[1]):
            of = slice(number * size, (number + 1) * size)
            heads[at, number] = adds(after(at, 0, matrix[:, of] @ seen[f"{at} {layout.output}"][0][of]))
        if projection.bias is not None:
            biases.append(adds(after(at, 0, _number(projection.bias))))
    if getattr(end, "bias", None) is not None:
        biases.append(float(read @ _number(end.bias)))
    mlp = np.array([adds(after(at, 1, seen[f"{at} mlp"][1])) for at in range(layers)])
    return heads, {"mlp": mlp, "embedding": adds(seen["first"][0]), "bias": sum(biases)}


@pytest.mark.parametrize("name", LAYOUTS)
def test_that_parts_equal_a_reference_in_numpy_and_sum_to_the_logit(name: str, folder_of: Any) -> None:
    path = folder_of(name)
    found = attributed(folder=str(path))
    ids = done(found.spec.of, no_progress, never_stop).shown.read.ids
    heads, others = reference(model_of(name), LAYOUTS[name], ids, found.token_id)
    assert np.abs(found.of_kind["self"] - heads).max() < 5e-6
    assert np.abs(found.mlp - others["mlp"]).max() < 5e-6
    assert found.embedding == pytest.approx(others["embedding"], abs=5e-6)
    assert found.bias == pytest.approx(others["bias"], abs=5e-6)
    assert abs(found.rest) <= 1e-4 * abs(found.logit)
    assert found.logit == pytest.approx(heads.sum() + others["mlp"].sum() + others["embedding"] + others["bias"], 1e-4)


@pytest.mark.parametrize(
    ("family", "config"),
    [
        ("T5ForConditionalGeneration", _T5),
        ("T5ForConditionalGeneration", _T5 | {"feed_forward_proj": "gated-gelu", "tie_word_embeddings": False}),
        ("BartForConditionalGeneration", dict(FAMILIES["bart"].config)),
        ("MarianMTModel", dict(FAMILIES["marian"].config)),
        ("M2M100ForConditionalGeneration", dict(FAMILIES["m2m_100"].config)),
    ],
)
def test_that_an_answer_is_the_sum_of_both_kinds_of_a_decoders_heads(family: str, config: Any, tmp_path: Path) -> None:
    path = written(tmp_path / "model", tiny(Family(family, config)))
    found = attributed(folder=str(path), target="the cat sat")
    assert set(found.of_kind) == {"decoder", "cross"}
    assert abs(found.rest) <= 1e-4 * max(abs(found.logit), 0.1)
    assert all(np.isfinite(each).all() and np.abs(each).min() > 0 for each in found.of_kind.values())
    arrays = found.arrays()
    both = arrays["attribution"].sum() + arrays["attribution_cross"].sum() + arrays["attribution_mlp"].sum()
    rest = both + arrays["attribution_embedding"] + arrays["attribution_bias"] + arrays["attribution_rest"]
    assert rest == pytest.approx(arrays["attribution_logit"], abs=1e-9)


def test_that_the_token_is_the_top_prediction_with_the_interventions(folder_of: Any) -> None:
    folder = {"folder": str(folder_of("llama"))}
    plain = attributed(**folder)
    off = attributed(heads_off=["1.2", "2.1"], tokens_hidden=[1], **folder)
    changed = done(off.spec.of, no_progress, never_stop).shown
    assert changed.recording.logits is not None
    assert off.token_id == int(changed.recording.logits[0].argmax())
    assert off.logit == pytest.approx(float(changed.recording.logits[0].max()), abs=1e-5)
    assert off.of_kind["self"][0, 1] == off.of_kind["self"][1, 0] == 0
    assert off.logit != plain.logit
    patched = attributed(patch=[{"head": "1.2", "token": 8}], text_b="a dog ran on a mat . the dog", **folder)
    assert abs(patched.rest) < 1e-5


def test_that_a_token_is_chosen_by_number_by_name_and_against_another_one(folder_of: Any) -> None:
    folder = {"folder": str(folder_of("gpt2"))}
    cat, dog = WORDS.index("cat"), WORDS.index("dog")
    one, other = attributed(token=cat, **folder), attributed(token="dog", **folder)
    assert (one.token, other.token_id) == ("cat", dog)
    both = attributed(token=f"#{cat}", minus="dog", **folder)
    assert both.subject == "“cat” − “dog”"
    assert np.abs(both.of_kind["self"] - (one.of_kind["self"] - other.of_kind["self"])).max() < 1e-5
    assert both.arrays()["attribution_minus"] == dog


@pytest.mark.parametrize(
    ("values", "said"),
    [
        ({"token": 64}, "there is no token 64: this model's are 0..63; nearest: 63"),
        ({"token": -3}, "there is no token -3: this model's are 0..63; nearest: 0"),
        ({"token": "the cat"}, "“the cat” is 2 tokens of this model (the, cat); nearest: the"),
        ({"token": ""}, "“” is no token of this model; nearest: the top token"),
        ({"token": "cat", "minus": "#5"}, "the two tokens are the same, cat, so their difference is 0"),
    ],
)
def test_that_a_wrong_token_is_refused_with_the_nearest_one(values: Any, said: str, folder_of: Any) -> None:
    assert said in str(refused(folder=str(folder_of("gpt2")), **values).message)


def test_that_a_word_that_the_tokenizer_does_not_know_is_not_followed_as_unknown() -> None:
    (found,) = run(Attribution(of=ModelSpec(), token="zebra"))
    assert "“zebra” is no token of this model, which reads it as [UNK]" in str(found.message)
    (known,) = run(Attribution(of=ModelSpec(), token="Home"))
    assert known.token == "home"


def test_that_a_model_is_refused_whose_parts_do_not_sum_or_which_predicts_nothing(tmp_path: Path) -> None:
    bert = written(tmp_path / "bert", tiny(FAMILIES["bert"]))
    for dtype in ("float32", "bfloat16"):  # in half precision, rounding could hide the difference
        said = str(refused(folder=str(bert), text="the [MASK] sat", dtype=dtype).message)
        assert "do not sum to its logits (what follows its last layer is not linear)" in said
    assert "put a mask token" in str(refused(folder=str(bert), text="the cat sat").message)
    headless = written(tmp_path / "headless", made("gpt2", "AutoModel", n_layer=2, n_head=4, n_embd=32, vocab_size=40))
    assert "no head that predicts tokens" in str(refused(folder=str(headless)).message)


def test_that_layers_without_attention_count_among_mlps(tmp_path: Path) -> None:
    """Their heads are NaN, and what they add is there."""
    config = {"layer_types": ["conv", "full_attention"], "block_auto_adjust_ff_dim": False}
    family = Family("Lfm2ForCausalLM", dict(FAMILIES["llama"].config) | config)
    write = written(tmp_path / "model", tiny(family))
    found = attributed(folder=str(write))
    assert np.isnan(found.of_kind["self"][0]).all()
    assert np.isfinite(found.of_kind["self"][1]).all()
    assert abs(found.mlp[0]) > 0
    assert abs(found.rest) < 1e-5


def test_that_a_continuation_is_attributed_at_its_last_token(folder_of: Any) -> None:
    path = str(folder_of("llama"))
    found = attributed(folder=path, continued=(5, 6))
    assert found.position == attributed(folder=path).position + 2


def test_that_a_byte_level_token_is_found_by_its_name_and_by_its_text(tmp_path: Path) -> None:
    path = written(tmp_path / "model", model_of("gpt2"))
    vocabulary = {word: at for at, word in enumerate([*"Ġhomerun", "Ġhome", "run"])}
    content = tokenizer()
    content |= {"added_tokens": [], "post_processor": None}
    content["pre_tokenizer"] = {"type": "ByteLevel", "add_prefix_space": False, "trim_offsets": True}
    merges = ["h o", "m e", "ho me", "Ġ home"]
    vocabulary |= {"ho": 20, "me": 21, "home": 22}
    content["model"] = {"type": "BPE", "vocab": vocabulary, "merges": merges, "unk_token": None}
    write_json(path / "tokenizer.json", content)
    for asked in ("·home", " home"):
        assert attributed(folder=str(path), text="run home", token=asked).token_id == vocabulary["Ġhome"]


@pytest.mark.parametrize("name", ["vit_classes", "deit", "dinov2_with_registers", "beit", "siglip_classes"])
def test_that_the_class_of_an_image_is_attributed_too(name: str, tmp_path: Path) -> None:
    folder = image_folder(tmp_path / "model", name)
    found = attributed(folder=str(folder), image=str(image_file(tmp_path / "image.png")), text="")
    assert found.token.startswith("LABEL_")
    assert abs(found.rest) <= 1e-4 * max(abs(found.logit), 0.1)
    assert np.isfinite(found.of_kind["self"]).all()


def test_that_a_soft_cap_is_left_out_of_what_ablation_costs(tmp_path: Path) -> None:
    """The logit lost is that of attributions with and without the head, which are before the cap."""
    family = Family("Gemma2ForCausalLM", dict(FAMILIES["gemma2"].config) | {"final_logit_softcapping": 1.0})
    folder = {"folder": str(written(tmp_path / "model", tiny(family)))}
    (lost,) = run(HeadsInTurn(of=ModelSpec(text=TEXT, **folder)))  # type: ignore[arg-type]
    whole = attributed(**folder)
    without = attributed(heads_off=["2.1"], token=whole.token_id, **folder)
    assert abs(whole.logit) > 0.9, "far from 0, where a cap changes little"
    assert lost.lost[1, 0] == pytest.approx(whole.logit - without.logit, abs=1e-5)  # type: ignore[union-attr,index]


def test_that_tokens_chosen_in_one_model_are_not_kept_for_another() -> None:
    trace: Any = attnviz.run(ModelSpec())
    view = ModelViewSettings(attributed=8, minus=24, map_token=3, lens_token="red")
    assert view.within(trace).attributed == 8  # as when a session is opened
    other = view.within(trace).changed(seen_folder="/another").within(trace)
    assert (other.attributed, other.minus, other.map_token, other.lens_token) == (None, None, None, None)
