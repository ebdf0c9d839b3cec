"""A model continues its text: tokens and probabilities are those of `generate`, and every row that of the model."""

import gc
import shutil
import threading
from typing import Any

import pytest
import torch
from model_changes import changes
from model_families import FAMILIES, VOCABULARY, WATCHED, tiny
from model_folders import SMALL, made, write_json, written
from torch import Tensor

from attnviz.engine.machine import RunError
from attnviz.engine.model.folder import check
from attnviz.engine.model.generating.generation import Generation
from attnviz.engine.model.generating.settings import take_settings
from attnviz.engine.model.generating.stepwise import Stepwise
from attnviz.engine.run import run as run_events
from attnviz.engine.run import run_to_end, start
from attnviz.experiment.model.generation import Sampling
from attnviz.experiment.model.sentences import effect_said
from attnviz.experiment.model.spec import ModelSpec
from attnviz.experiment.model.studies import HeadsInTurn
from attnviz.experiment.run import Cursor, StoppedError, never_stop
from attnviz.folders import resource

PROMPT, NEW = 9, 6
BOUND = 1e-6
"""The rows of single passes differ from those of one pass over the whole text by rounding alone: 2.4e-7 measured."""
CONTINUING = [name for name, each in (FAMILIES | WATCHED).items() if each.takes == "text" and "CausalLM" in each.model]


def model_of(name: str, **values: Any) -> Any:
    model: Any = tiny((FAMILIES | WATCHED)[name])
    model.generation_config.update(**{"eos_token_id": None, "pad_token_id": 0} | values)
    return model


def prompt_of(seed: int = 0) -> list[int]:
    return torch.randint(4, VOCABULARY, (PROMPT,), generator=torch.Generator().manual_seed(seed)).tolist()


def generated(model: Any, count: int = NEW, **values: Any) -> Generation:
    found = Generation(model, prompt_of(), count, **values)
    while found.advance():
        pass
    return found


def by_generate(model: Any, **values: Any) -> Any:
    return model.generate(
        torch.tensor([prompt_of()]),
        return_dict_in_generate=True,
        output_scores=True,
        **{"max_new_tokens": NEW, "do_sample": False, "num_beams": 1} | values,
    )


def in_one_pass(model: Any, ids: tuple[int, ...]) -> tuple[Tensor, ...]:
    with torch.no_grad():
        found: tuple[Tensor, ...] = model(
            torch.tensor([[*prompt_of(), *ids]]), output_attentions=True, use_cache=False
        ).attentions
    return found


@pytest.mark.parametrize("name", CONTINUING)
def test_that_tokens_are_those_of_generate_and_rows_those_of_the_model(name: str) -> None:
    model = model_of(name)
    found = generated(model)
    assert list(found.ids) == by_generate(model).sequences[0, PROMPT:].tolist()
    assert found.witness == 0.0
    own = in_one_pass(model, found.ids)
    for step in (0, 1, NEW - 1):
        tokens = PROMPT + step
        for layer, weights in enumerate(own):
            call = found.call(layer, step)
            assert call.known
            assert call.weights().shape[1:] == (tokens, tokens)
            assert (call.weights() - weights[0, :, :tokens, :tokens]).abs().max() < BOUND
            assert call.scoring is not None
            assert (call.scoring.weights(0) - call.weights()).abs().max() < BOUND, "q, k, mask and biases lead to them"


def test_that_rows_are_kept_as_the_pass_computed_them_whatever_follows() -> None:
    found = Generation(model_of("llama"), prompt_of(), NEW)
    seen = []
    while found.advance():
        seen.append(found.call(1, len(found.steps) - 1).weights())
    for step, weights in enumerate(seen):
        assert torch.equal(found.call(1, step).weights(), weights)
        assert torch.equal(found.call(1, NEW - 1).weights()[:, : PROMPT + step, : PROMPT + step], weights)


@pytest.mark.parametrize(
    "values",
    [
        {"repetition_penalty": 1.5},
        {"no_repeat_ngram_size": 1},
        {"min_new_tokens": 4, "eos_token_id": [7, 9, 11, 13, 15, 17, 19, 21, 23, 25, 27, 29, 31, 33, 35, 37, 39]},
        {"suppress_tokens": list(range(4, 50))},
        {"eos_token_id": list(range(0, VOCABULARY, 2))},
    ],
    ids="+".join,
)
def test_that_the_models_own_settings_act_as_in_generate(values: dict[str, Any]) -> None:
    plain, model = model_of("gpt2"), model_of("gpt2", **values)
    found, own = generated(model), by_generate(model)
    assert list(found.ids) == own.sequences[0, PROMPT:].tolist()
    assert found.ids != generated(plain).ids
    for step, scores in zip(found.steps, own.scores, strict=True):
        expected = scores[0].double().softmax(-1)
        assert torch.equal(step.probabilities, expected[list(step.ids)])
        assert torch.equal(step.probabilities, expected.sort(descending=True).values[: len(step.ids)])


@pytest.mark.parametrize(
    "sampling", [Sampling(temperature=0.6), Sampling(temperature=1.5, top_k=12), Sampling(top_p=0.7)]
)
def test_that_drawn_tokens_have_the_probabilities_of_generate(sampling: Sampling) -> None:
    model = model_of("gpt2")
    values = {"temperature": sampling.temperature, "top_k": sampling.top_k, "top_p": sampling.top_p}
    with torch.random.fork_rng():
        torch.manual_seed(5)
        own = by_generate(model, do_sample=True, **values)
    found = generated(model, sampling=sampling, seed=5)
    assert list(found.ids) == own.sequences[0, PROMPT:].tolist(), "torch draws the same from the same seed"
    for step, scores in zip(found.steps, own.scores, strict=True):
        assert torch.equal(step.probabilities, scores[0].double().softmax(-1)[list(step.ids)])
    assert generated(model, sampling=sampling, seed=5).ids == found.ids


def test_that_a_token_of_the_text_that_equals_the_padding_token_is_read() -> None:
    padded, plain = (model_of("llama", pad_token_id=each) for each in (prompt_of()[3], None))
    assert torch.equal(generated(padded).call(0, 2).weights(), generated(plain).call(0, 2).weights())


def test_that_a_chosen_token_takes_the_place_of_the_models() -> None:
    model = model_of("llama")
    plain = generated(model)
    other = next(each for each in plain.steps[2].ids if each != plain.ids[2])
    found = generated(model, chosen={2: other})
    assert found.ids[:3] == (*plain.ids[:2], other)
    assert found.ids[3:] == tuple(
        model.generate(torch.tensor([[*prompt_of(), *found.ids[:3]]]), max_new_tokens=NEW - 3, do_sample=False)[
            0, PROMPT + 3 :
        ].tolist()
    )


def test_that_a_rest_in_between_changes_nothing() -> None:
    model, rested = model_of("mistral"), Generation(model_of("mistral"), prompt_of(), NEW, sampling=Sampling())
    while rested.advance():
        if len(rested.steps) == 3:
            rested.rest()
    whole = generated(model, sampling=Sampling())
    assert rested.ids == whole.ids
    assert torch.equal(rested.call(1, NEW - 1).weights(), whole.call(1, NEW - 1).weights())


def test_that_interventions_act_on_new_tokens_as_on_those_of_the_prompt() -> None:
    model = model_of("llama")
    forbidden = torch.ones(1, PROMPT + NEW, PROMPT + NEW, dtype=torch.bool)
    forbidden[0, PROMPT + 1, 3] = False
    found = generated(
        model,
        changes=changes(heads_off=[(0, 1)], hidden=[2, PROMPT], temperature=2.0, painted={1: forbidden.numpy()}),
    )
    first, second = found.call(0, NEW - 1), found.call(1, NEW - 1)
    assert not first.heads[1].any()
    for call in (first, second):
        weights = call.weights()
        keeps = [token for token in range(PROMPT + NEW - 1) if token not in (2, PROMPT)]
        assert not weights[:, keeps][..., [2, PROMPT]].any()
    assert not second.weights()[:, PROMPT + 1, 3].any()
    assert second.weights()[:, PROMPT + 2, 3].all()


def test_that_an_ablated_head_gives_new_tokens_its_mean_over_the_prompt() -> None:
    found = generated(model_of("llama"), changes=changes(heads_off=[(0, 1)], ablation="mean"))
    heads = found.call(0, NEW - 1).heads
    assert torch.equal(heads[1], heads[1, :1].expand_as(heads[1]))
    assert torch.equal(heads[1, 0], generated(model_of("llama")).prompt_calls["self"][0].heads[1].mean(0))


def test_that_a_stop_leaves_nothing_and_the_same_call_may_be_made_again() -> None:
    found = Generation(model_of("gpt2"), prompt_of(), 2)
    with pytest.raises(StoppedError):
        found.advance(lambda: True)
    assert not found.steps
    assert found.advance()
    assert found.ids == generated(model_of("gpt2"), 2).ids[:1]
    found.rest()


def test_that_the_settings_of_a_folder_are_taken_and_named(tmp_path: Any) -> None:
    folder = check(written(tmp_path / "model"))
    values = {"repetition_penalty": 1.2, "eos_token_id": [3, 5], "num_beams": 4, "top_p": 0.5, "min_length": 0}
    write_json(folder.path / "generation_config.json", values | {"cache_implementation": "static", "x": {"y": 1}})
    model = made("llama", **SMALL)
    found = take_settings(folder, model)
    assert (found.processors, found.end_ids, found.left_out) == (("repetition_penalty",), (3, 5), ("num_beams",))
    settings = model.generation_config
    assert (settings.repetition_penalty, settings.eos_token_id, settings.pad_token_id) == (1.2, [3, 5], 3)
    assert settings.cache_implementation is None
    (folder.path / "generation_config.json").unlink()
    assert take_settings(folder, made("llama", **SMALL, eos_token_id=4)).end_ids == (4,)


@pytest.mark.parametrize("content", ["[]", '{"eos_token_id": "x"}', '{"eos_token_id": [1, -5]}', "{", '{"a": ' * 9999])
def test_that_broken_settings_are_a_message_that_names_the_file(content: str, tmp_path: Any) -> None:
    folder = check(written(tmp_path / "model"))
    (folder.path / "generation_config.json").write_text(content)
    with pytest.raises(RunError, match="generation_config"):
        take_settings(folder, made("llama", **SMALL))


def test_that_a_stepwise_function_runs_in_turn_and_its_error_is_the_callers() -> None:
    seen: list[str] = []

    def work(pause: Any) -> None:
        seen.append("first")
        pause()
        seen.append("second")
        pause()
        raise ValueError("of the function")

    steps = Stepwise(work)
    assert not seen
    assert steps.advance()
    assert seen == ["first"]
    assert steps.advance()
    with pytest.raises(ValueError, match="of the function"):
        steps.advance()
    assert not steps.advance()


def test_that_a_closed_stepwise_function_has_ended() -> None:
    ended: list[bool] = []

    def work(pause: Any) -> None:
        try:
            pause()
        finally:
            ended.append(True)

    steps = Stepwise(work)
    steps.close()
    assert not steps.advance()
    assert not ended, "it never began"
    steps = Stepwise(work)
    steps.advance()
    steps.close()
    assert ended
    assert not steps.advance()


def test_that_an_abandoned_run_ends_its_thread() -> None:
    before = set(threading.enumerate())
    run = start(ModelSpec(generate=5, device="cpu"))
    for _ in range(2):
        assert run.advance(never_stop)
    mine = set(threading.enumerate()) - before
    assert any(each.name == "stepwise" for each in mine)
    del run
    gc.collect()
    assert not [each for each in mine if each.name == "stepwise" and each.is_alive()]


def test_that_each_head_is_turned_off_in_the_text_that_was_read() -> None:
    """The prediction is that of the step on screen, with and without each head."""
    spec = ModelSpec(generate=3, text="then one red fox ran home and one red fox", device="cpu")
    run = start(spec)
    while not run.final:
        run.advance(never_stop)
    trace = run.at(Cursor(step=2))
    study = HeadsInTurn(of=spec, continued=trace.generated.ids[:2])
    result = run_to_end(study)
    assert result.token == trace.prediction.tokens[0]
    assert result.shown == pytest.approx(trace.prediction.probabilities[0], abs=1e-5)
    alone = run_to_end(ModelSpec(text=trace.read.text, heads_off=("2.1",), device="cpu"))
    assert result.probability[1, 0] == pytest.approx(
        dict(zip(alone.prediction.ids, alone.prediction.probabilities, strict=True))[trace.prediction.ids[0]], abs=1e-5
    )


@pytest.mark.parametrize(
    ("values", "token"), [({"heads_off": ("2.1",)}, "“then” (1)"), ({"tokens_hidden": (10,)}, "“ran” (11)")]
)
def test_that_interventions_say_from_which_token_on_they_act(values: dict[str, Any], token: str) -> None:
    spec = ModelSpec(generate=3, text="then one red fox ran home and one red fox", device="cpu", **values)
    said = effect_said(run_to_end(spec))
    assert token in str(said[0])
    assert len(said) > 2  # effects over the text follow


def test_that_transformers_and_the_model_may_be_used_while_a_generation_waits() -> None:
    from transformers import AttentionInterface

    before, model = AttentionInterface.get_interface, model_of("llama")
    found = Generation(model, prompt_of(), 3)
    while found.advance():
        assert AttentionInterface.get_interface is before
        logits = found.logits.clone()
        model(torch.tensor([prompt_of(7)]))
        assert torch.equal(found.logits, logits)
    alone = generated(model_of("llama"), 3)
    assert found.ids == alone.ids
    assert [step.cache for step in found.steps] == [step.cache for step in alone.steps]


def test_that_a_run_yields_each_pass_once_and_the_last_one_if_an_end_token_comes_early(tmp_path: Any) -> None:
    text = "then one red fox ran home and one red fox"
    events = list(run_events(ModelSpec(generate=4, text=text, device="cpu"), untrained_first=True))
    assert [event.step for event in events] == [0, 1, 2, 3]
    assert [event.final for event in events] == [False, False, False, True]
    folder = tmp_path / "model"
    shutil.copytree(resource("models/induction"), folder)
    write_json(folder / "generation_config.json", {"eos_token_id": events[-1].generated.ids[0]})
    (alone,) = run_events(ModelSpec(folder=str(folder), generate=4, text=text, device="cpu"))
    assert alone.final
    assert len(alone.generated.ids) == 1
    assert "ran" in alone.summary()


def test_that_tokens_that_the_sampling_cuts_off_are_not_listed() -> None:
    found = generated(model_of("gpt2"), 2, sampling=Sampling(top_k=3))
    assert [len(step.ids) for step in found.steps] == [3, 3]


@pytest.mark.parametrize("name", ["gemma3", "mistral", "llama"])
def test_that_the_cache_is_told_as_the_model_keeps_it(name: str) -> None:
    model = model_of(name)
    size = 2 * 4 * model.config.num_key_value_heads * model.config.head_dim  # keys and values in float32
    for step in generated(model).steps[1:]:
        assert [each.old for each in step.cache["self"]] == [rows.weights.shape[2] - 1 for rows in step.rows["self"]]
        assert [each.nbytes for each in step.cache["self"]] == [each.positions * size for each in step.cache["self"]]
