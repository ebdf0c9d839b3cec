"""Encoder-decoders: three sides with the model's own weights, and an answer with the tokens of its own `generate`."""

import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from model_families import _BOTH, _T5, FAMILIES, Family, tiny
from model_folders import SMALL, change_config, made, tokenizer, write_json, written

from attnviz.engine.model.generating.record import recorded
from attnviz.engine.run import run, run_to_end, start
from attnviz.experiment.files.session import Session
from attnviz.experiment.model.sides import has_sides
from attnviz.experiment.model.spec import ModelSpec
from attnviz.experiment.model.studies import HeadsInTurn
from attnviz.experiment.model.trace import ModelTrace
from attnviz.experiment.model.view import ModelViewSettings
from attnviz.experiment.run import Cursor, Failure, never_stop

TEXT, TARGET = "the dog ran on a mat .", "the cat sat"
KINDS = ("self", "decoder", "cross")
BOUND = 2e-6
"""The rows of single passes differ from those of one pass over the whole text by rounding: 8e-7 measured."""
_FURTHER = {
    "umt5": Family("UMT5ForConditionalGeneration", _T5),
    "switch_transformers": Family(
        "SwitchTransformersForConditionalGeneration", _T5 | {"num_experts": 2, "num_decoder_layers": 2}
    ),
    "mbart": Family("MBartForConditionalGeneration", _BOTH),
    "plbart": Family("PLBartForConditionalGeneration", _BOTH),
    "mvp": Family("MvpForConditionalGeneration", _BOTH),
    "blenderbot": Family("BlenderbotForConditionalGeneration", _BOTH),
    "blenderbot_small": Family("BlenderbotSmallForConditionalGeneration", _BOTH),
    "bigbird_pegasus": Family("BigBirdPegasusForConditionalGeneration", _BOTH),
    "nllb_moe": Family("NllbMoeForConditionalGeneration", _BOTH | {"num_experts": 2}),
}
FAMILIES_AS_LISTED = [name for name, each in FAMILIES.items() if each.takes == "both"]
_FAMILIES = {name: FAMILIES[name] for name in FAMILIES_AS_LISTED} | _FURTHER


@pytest.fixture(scope="session", name="folder_of")
def _folder_of(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], tuple[Path, Any]]:
    """Return the folder of a family, and the model in it."""
    known: dict[str, tuple[Path, Any]] = {}

    def find(name: str) -> tuple[Path, Any]:
        if name not in known:
            path = written(tmp_path_factory.mktemp(name) / "model", tiny(_FAMILIES[name]))
            kind: Any = type(tiny(_FAMILIES[name]))
            known[name] = path, kind.from_pretrained(path, attn_implementation="eager").eval()
        return known[name]

    return find


def trace_of(path: Path, **values: Any) -> ModelTrace:
    trace = run_to_end(ModelSpec(folder=str(path), text=TEXT, **values))
    assert isinstance(trace, ModelTrace), getattr(trace, "message", trace)
    return trace


def failure_of(path: Path, **values: Any) -> str:
    failure = run_to_end(ModelSpec(**{"folder": str(path), "text": TEXT} | values))
    assert isinstance(failure, Failure)
    return failure.message


def own_weights(model: Any, trace: ModelTrace) -> dict[str, np.ndarray[Any, Any]]:
    read, target = trace.sides["encoder"].read.ids, trace.sides["decoder"].read.ids
    with torch.no_grad():
        found = model(
            input_ids=torch.tensor([read]),
            decoder_input_ids=torch.tensor([target]),
            output_attentions=True,
            use_cache=False,
        )
    sides = {"encoder": found.encoder_attentions, "decoder": found.decoder_attentions, "cross": found.cross_attentions}
    return {side: torch.cat(list(each)).numpy() for side, each in sides.items()}


def answer_of(model: Any, trace: ModelTrace, count: int, **values: Any) -> list[int]:
    read = torch.tensor([trace.sides["encoder"].read.ids])
    found = model.generate(read, max_new_tokens=count, do_sample=False, num_beams=1, **values)
    return found[0].tolist()


@pytest.mark.parametrize("name", _FAMILIES)
def test_that_three_sides_have_the_models_own_weights(name: str, folder_of: Any) -> None:
    path, model = folder_of(name)
    trace = trace_of(path, target=TARGET)
    arrays = trace.arrays()
    for side, weights in own_weights(model, trace).items():
        assert np.array_equal(arrays[f"{side}/weights"], weights), side
        assert arrays[f"{side}/layers"].tolist() == [1, 2]
    assert arrays["encoder/tokens"].tolist() == ["[CLS]", *TEXT.split(), "[SEP]"]
    assert arrays["cross/tokens"].tolist() == arrays["decoder/tokens"].tolist()
    assert arrays["decoder/tokens"].tolist()[1:] == TARGET.split()
    assert arrays["cross/key_tokens"].tolist() == arrays["encoder/tokens"].tolist()
    assert str(trace.check.text()) == "logits and weights equal the model's own: max difference 0"
    queries, keys = arrays["cross/q"], arrays["cross/k"]
    assert (queries.shape[2], keys.shape[2]) == (len(TARGET.split()) + 1, len(TEXT.split()) + 2)


@pytest.mark.parametrize(
    ("name", "target"), [*((name, TARGET) for name in FAMILIES_AS_LISTED), ("t5", ""), ("marian", "")]
)
def test_that_an_answer_is_that_of_generate_and_its_rows_those_of_the_model(
    name: str, target: str, folder_of: Any
) -> None:
    path, model = folder_of(name)
    trace = trace_of(path, target=target, generate=5)
    start_token = trace.written.ids[0]
    prompt = trace.written.ids[: 1 + len(target.split())]
    own = answer_of(model, trace, 5, decoder_input_ids=torch.tensor([prompt]))
    assert trace.generated is not None
    assert [*prompt, *trace.generated.ids] == own
    assert start_token == model.generation_config.decoder_start_token_id
    arrays = trace.arrays()
    for side, weights in own_weights(model, trace).items():
        assert arrays[f"{side}/weights"].shape == weights.shape
        assert np.abs(arrays[f"{side}/weights"] - weights).max() < BOUND, side
    assert arrays["generated"].tolist() == list(trace.generated.ids)
    assert trace.check.weights_apart == 0.0


def test_that_an_encoder_decoder_without_a_target_writes_by_itself(folder_of: Any) -> None:
    path, model = folder_of("pegasus")
    trace = trace_of(path)
    assert trace.generated is not None
    assert [trace.written.ids[0], *trace.generated.ids] == answer_of(model, trace, 64)
    assert len(trace.generated.ids) == 64, "no end token came"
    path, model = folder_of("bart")
    assert trace_of(path).generated.ids[-1] == model.generation_config.eos_token_id  # type: ignore[union-attr]


@pytest.mark.parametrize(
    "values",
    [
        {"forced_bos_token_id": 9, "forced_eos_token_id": 2},
        {"suppress_tokens": list(range(4, 40)), "min_length": 4},
        {"repetition_penalty": 1.8, "no_repeat_ngram_size": 2},
    ],
    ids="+".join,
)
def test_that_the_folders_settings_act_as_in_generate(values: dict[str, Any], tmp_path: Path) -> None:
    model: Any = made("bart", "AutoModelForSeq2SeqLM", **_BOTH)
    model.generation_config.update(**values)
    path = written(tmp_path / "model", model)
    trace = trace_of(path, generate=6)
    assert trace.generated is not None
    assert [trace.written.ids[0], *trace.generated.ids] == answer_of(model, trace, 6)
    assert set(values) <= set(trace.generated.processors)


def test_that_the_first_token_is_forced_and_stands_before_a_target(folder_of: Any) -> None:
    path, model = folder_of("m2m_100")
    trace = trace_of(path, forced_bos_token_id=11, generate=3)
    assert trace.generated is not None
    assert trace.generated.ids[0] == 11
    assert [trace.written.ids[0], *trace.generated.ids] == answer_of(model, trace, 3, forced_bos_token_id=11)
    assert trace_of(path, forced_bos_token_id=11, target=TARGET).written.ids == (2, 11, 4, 5, 6)


def test_that_a_cursor_names_the_side_and_the_step(folder_of: Any) -> None:
    path, _ = folder_of("t5")
    going = start(ModelSpec(folder=str(path), text=TEXT, generate=4))
    while not going.final:
        going.advance(never_stop)
    last = going.at(Cursor(side="cross", layer=1))
    assert (last.side, last.number, last.weights.shape[2:]) == ("cross", 1, (4, 9))
    early = going.at(Cursor(side="decoder", step=1))
    assert early.weights.shape[2:] == (2, 2)
    assert np.array_equal(early.weights[0], going.at(Cursor(side="decoder")).weights[0, :, :2, :2])
    assert going.at(Cursor(step=1)).cursor == Cursor(step=1, layer=0, side="encoder")


def test_that_the_measures_of_cross_attention_compare_no_places(folder_of: Any) -> None:
    path, _ = folder_of("bart")
    overviews = {side: each.overview() for side, each in trace_of(path, target=TARGET).sides.items()}
    assert np.isfinite(overviews["cross"].of("entropy")).all()
    assert np.isfinite(overviews["cross"].of("norm")).all()
    assert np.isnan(overviews["cross"].of("previous")).all()
    assert not overviews["cross"].head_roles
    assert np.isfinite(overviews["decoder"].of("previous")).all()


PROJECTIONS = {
    "2.3": "model.encoder.layers.1.self_attn.out_proj",
    "decoder 1.2": "model.decoder.layers.0.self_attn.out_proj",
    "cross 2.4": "model.decoder.layers.1.encoder_attn.out_proj",
}


@pytest.mark.parametrize("head", PROJECTIONS)
def test_that_a_head_of_a_side_is_off_as_if_its_output_were_zero(head: str, folder_of: Any) -> None:
    path, model = folder_of("bart")
    trace = trace_of(path, target=TARGET, heads_off=[head])
    first = 8 * (int(head[-1]) - 1)

    def cut(_: Any, given: tuple[torch.Tensor, ...]) -> tuple[torch.Tensor, ...]:
        given[0][..., first : first + 8] = 0
        return given

    with torch.no_grad(), model.get_submodule(PROJECTIONS[head]).register_forward_pre_hook(cut):
        own = own_weights(model, trace)
        read, target = trace.sides["encoder"].read.ids, trace.written.ids
        logits = model(input_ids=torch.tensor([read]), decoder_input_ids=torch.tensor([target])).logits[0, -1]
    for side, weights in own.items():
        assert np.array_equal(trace.arrays()[f"{side}/weights"], weights), side
    assert trace.prediction is not None
    shares = logits.double().softmax(-1).sort(descending=True).values[:10].numpy()
    assert np.allclose(trace.prediction.probabilities, shares, rtol=0, atol=1e-6)
    assert trace.effect is not None


def test_that_masks_temperature_and_patches_act_on_their_side(folder_of: Any) -> None:
    path, _ = folder_of("t5")
    plain = trace_of(path, target=TARGET).arrays()
    painted = trace_of(path, target=TARGET, painted={"cross 1.2": "1: 3-4", "decoder 2": "2: 0"}).arrays()
    assert not painted["cross/weights"][0, 1, 1, 3:5].any()
    assert np.array_equal(painted["cross/weights"][0, 0], plain["cross/weights"][0, 0])
    assert not painted["decoder/weights"][1, :, 2, 0].any()
    assert np.array_equal(painted["encoder/weights"], plain["encoder/weights"])
    hidden = trace_of(path, target=TARGET, tokens_hidden=[2]).arrays()
    assert not hidden["cross/weights"][..., 2].any()
    assert hidden["decoder/weights"][:, :, 3, 2].all(), "the decoder's tokens are others"
    cooled = trace_of(path, target=TARGET, temperature=3.0).arrays()
    assert all(
        (cooled[f"{side}/weights"] != plain[f"{side}/weights"]).any() for side in ("encoder", "decoder", "cross")
    )
    patch = [{"head": "cross 2.1", "token": 2, "from": "b"}]
    patched = trace_of(path, target=TARGET, text_b="a dog sat", patch=patch)
    there = trace_of(path, target=TARGET).sides["cross"].made_layer(1)
    other = run_to_end(ModelSpec(folder=str(path), text="a dog sat", target=TARGET)).sides["cross"].made_layer(1)  # type: ignore[union-attr]
    mine = patched.sides["cross"].made_layer(1)
    assert np.array_equal(mine.heads[0, 0, 2], other.heads[0, 0, 2])
    assert np.array_equal(mine.heads[0, 1], there.heads[0, 1])


def test_that_a_bare_head_is_the_encoders() -> None:
    spec = ModelSpec(heads_off=["cross 2.3", "encoder 1.2", "2.1", "decoder 1.1", "Cross 1.1"])
    assert spec.heads_off == ("1.2", "2.1", "decoder 1.1", "cross 1.1", "cross 2.3")
    assert spec.pairs_off("decoder") == ((0, 0),)
    assert spec.session_format == 6
    assert Session(spec=ModelSpec(heads_off=["2.1"])).format == 5, "an earlier version reads it"
    assert Session(spec=ModelSpec(), view=ModelViewSettings(side="cross")).format == 6


@pytest.mark.parametrize(
    ("name", "values", "sentence"),
    [
        ("t5", {"forced_bos_token_id": 99}, "forced_bos_token_id is 99, but the model knows the tokens below 64 only"),
        ("t5", {"heads_off": ["cross 3.1"]}, "side cross has 2 layers of 4 heads; nearest: cross 2.1"),
        ("bart", {"target": "the " * 200}, "the target has 201 tokens, and this decoder reads at most 128; nearest"),
        ("bart", {"target": "the " * 120, "generate": 20}, "this model reads at most 128 tokens"),
        ("t5", {"painted": {"cross 1.1": "1: 40"}}, "token 40 is not in text, whose tokens are 0..8; nearest: 8"),
    ],
)  # fmt: skip
def test_that_what_does_not_fit_is_one_sentence(
    name: str, values: dict[str, Any], sentence: str, folder_of: Any
) -> None:
    path, _ = folder_of(name)
    assert sentence in failure_of(path, **values)


@pytest.mark.parametrize(
    "values", [{"target": TARGET}, {"forced_bos_token_id": 3}, {"heads_off": ["cross 1.1"]}], ids="+".join
)
def test_that_a_model_with_one_stack_refuses_what_is_about_a_side(values: dict[str, Any], tmp_path: Path) -> None:
    path = written(tmp_path / "model", made("llama", **SMALL))
    said = failure_of(path, **values)
    assert "no encoder-decoder" in said or "shows no cross side" in said
    assert "nearest" in said


def test_that_a_folder_without_a_start_token_shows_its_encoder_and_says_why(tmp_path: Path) -> None:
    model: Any = made("t5", "AutoModelForSeq2SeqLM", **_T5)
    path = written(tmp_path / "model", model)
    settings = json.loads((path / "generation_config.json").read_text(encoding="utf-8"))
    write_json(path / "generation_config.json", {k: v for k, v in settings.items() if "start" not in k})
    change_config(path, decoder_start_token_id=None)
    trace = trace_of(path)
    assert (trace.side, dict(trace.sides)) == ("", {})
    assert "the folder names no decoder_start_token_id" in str(trace.note)
    assert "weights" in trace.arrays()
    assert "the decoder of this model is not run" in failure_of(path, target=TARGET)


def test_that_languages_are_found_among_the_special_tokens(tmp_path: Path) -> None:
    words = ("[UNK]", "[CLS]", "[SEP]", "[MASK]", "__en__", "__de__", "the", "cat")
    path = written(tmp_path / "model", made("m2m_100", "AutoModelForSeq2SeqLM", **_BOTH))
    content = tokenizer(words)
    plain = {"special": True, "single_word": False, "lstrip": False, "rstrip": False, "normalized": False}
    content["added_tokens"] += [{"id": at, "content": words[at], **plain} for at in (4, 5)]
    write_json(path / "tokenizer.json", content)
    assert trace_of(path, target="the cat").model.languages == ((4, "__en__"), (5, "__de__"))


def test_that_a_trace_of_a_side_can_be_pickled(folder_of: Any) -> None:
    import pickle

    path, _ = folder_of("t5")
    trace = trace_of(path, target=TARGET)
    again = pickle.loads(pickle.dumps(trace))
    assert all(np.array_equal(each, again.arrays()[name]) for name, each in trace.arrays().items())


@pytest.mark.parametrize("name", ["t5", "marian"])
def test_that_a_loaded_model_is_recorded_while_it_answers(name: str, folder_of: Any) -> None:
    _, model = folder_of(name)
    ids = torch.randint(4, 60, (1, 8), generator=torch.Generator().manual_seed(0))
    recording, generated = recorded(model, {"input_ids": ids, "attention_mask": torch.ones_like(ids)}, 4)
    own = model.generate(ids, max_new_tokens=4, do_sample=False, num_beams=1)[0].tolist()
    assert list(generated) == own[1:]
    assert recording.comparison.difference < 1e-5
    assert recording.witness == 0.0
    sizes = {kind: {tuple(call.weights().shape[1:]) for call in recording.calls if call.kind == kind} for kind in KINDS}
    assert sizes == {"self": {(8, 8)}, "decoder": {(4, 4)}, "cross": {(4, 8)}}


def test_that_the_study_turns_the_heads_of_a_side_off(folder_of: Any) -> None:
    path, _ = folder_of("bart")
    spec = ModelSpec(folder=str(path), text=TEXT, target=TARGET)
    (found,) = run(HeadsInTurn(of=spec, side="cross"))
    off = trace_of(path, target=TARGET, heads_off=["cross 2.3"])
    assert off.before is not None
    assert off.before.other is not None
    assert abs(found.probability[1, 2] - off.before.other[0]) < 1e-5
    assert abs(found.shown - off.before.probabilities[0]) < 1e-6


def test_that_a_configuration_which_is_no_file_or_no_object_says_nothing_of_sides(tmp_path: Path) -> None:
    assert not has_sides(tmp_path)
    for content in ("[1]", "{", '{"is_encoder_decoder": "yes"}', '{"is_encoder_decoder": true, "architectures": 3}'):
        (tmp_path / "config.json").write_text(content, encoding="utf-8")
        assert not has_sides(tmp_path)
    if hasattr(os, "mkfifo"):
        (tmp_path / "config.json").unlink()
        os.mkfifo(tmp_path / "config.json")
        assert not has_sides(tmp_path), "and a pipe is not waited for"
