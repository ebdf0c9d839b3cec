"""Every family as a layer of the kit: each cell leads to the model's own weight, and every mask is told."""

import numpy as np
import pytest
from model_changes import changes
from model_families import FAMILIES, WATCHED, Family, inputs_of, tiny

from attnviz.engine.model.changes import NO_CHANGES
from attnviz.engine.model.layers import layer_of, rotary_of
from attnviz.engine.model.recording import record
from attnviz.experiment.layers.cell import attention_cell, reasons_at
from attnviz.experiment.model.terms import score_terms
from attnviz.experiment.model.text import ReadText

TEXTS = {name: family for name, family in {**FAMILIES, **WATCHED}.items() if family.takes in ("text", "both")}


def read_of(tokens: int) -> ReadText:
    places = range(tokens)
    names = tuple(f"t{place}" for place in places)
    spans = tuple((place, place + 1) for place in places)
    return ReadText("x" * tokens, tuple(places), names, spans, (False,) * tokens, tuple(places))


@pytest.mark.parametrize("temperature", [1.0, 2.0])
@pytest.mark.parametrize("family", TEXTS.values(), ids=list(TEXTS))
def test_that_the_steps_of_every_cell_lead_to_the_models_own_weight(family: Family, temperature: float) -> None:
    model, inputs = tiny(family), inputs_of(family, padded=True)
    recording = record(model, inputs, changes(temperature=temperature), compare=False)
    assert recording is not None
    for call in recording.shown:
        tokens = call.heads.shape[1]
        layer = layer_of(call, read_of(tokens), changes(temperature=temperature))
        assert "scores" in layer.stage_names, layer.note
        assert ("cooled_scores" in layer.stage_names) == (temperature != 1)
        assert (layer.weights[0] == call.weights().numpy()).all()
        rotary = rotary_of(model, call)
        rng = np.random.default_rng(0)
        for head, query, key in rng.integers((layer.num_heads, tokens, tokens), size=(30, 3)).tolist():
            cell = attention_cell(layer, 0, head, query, key)
            if not cell.empty:
                assert cell.quotient == pytest.approx(cell.weight, abs=1e-6)
            terms = score_terms(layer, head, query, key, rotary)
            assert terms is not None
            assert terms.total == pytest.approx(terms.score, abs=5e-6)
            assert cell.allowed or reasons_at(layer.masks, 0, head, query, key)


@pytest.mark.parametrize(
    ("name", "steps"),
    [
        ("gpt2", ["root"]),
        ("gemma2", ["scale", "softcap"]),
        ("gpt_oss", ["root", "sinks"]),
        ("t5", ["bias"]),
        ("bloom", ["root", "bias"]),
    ],
)
def test_that_a_family_has_the_steps_that_its_own_code_takes(name: str, steps: list[str]) -> None:
    family = TEXTS[name]
    recording = record(tiny(family), inputs_of(family), compare=False)
    assert recording is not None
    call = recording.shown[0]
    layer = layer_of(call, read_of(call.heads.shape[1]), NO_CHANGES)
    assert [step.name for step in layer.steps] == steps


def test_that_a_sliding_window_is_told_from_the_mask_of_its_layer() -> None:
    family = TEXTS["mistral"]
    recording = record(tiny(family, sliding_window=4), inputs_of(family), compare=False)
    assert recording is not None
    layer = layer_of(recording.shown[0], read_of(12), NO_CHANGES)
    assert [(mask.name, state) for mask, state in layer.masks or ()] == [("causal", True), ("window", 4)]


@pytest.mark.parametrize("name", ["llama", "qwen3", "gpt_neox"])
def test_that_rotation_is_found_with_its_pairs_and_frequencies(name: str) -> None:
    family = TEXTS[name]
    model = tiny(family)
    recording = record(model, inputs_of(family), compare=False)
    assert recording is not None
    rotary = rotary_of(model, recording.shown[0])
    assert rotary is not None
    assert not rotary.interleaved
    assert rotary.frequencies[0] == 1.0
    assert (np.diff(rotary.frequencies) < 0).all()


def test_that_neighbours_are_the_pairs_where_the_family_turns_neighbours() -> None:
    family = TEXTS["cohere"]
    model = tiny(family)
    recording = record(model, inputs_of(family), compare=False)
    assert recording is not None
    call = recording.shown[0]
    terms = score_terms(layer_of(call, read_of(12), NO_CHANGES), 0, 5, 3, rotary_of(model, call))
    assert terms is not None
    assert [str(term.name).partition(",")[0] for term in terms.terms[:2]] == ["features 1 and 2", "features 3 and 4"]


@pytest.mark.parametrize("name", ["gpt2", "t5", "bert"])
def test_that_no_rotation_is_told_where_there_is_none(name: str) -> None:
    family = TEXTS[name]
    model = tiny(family)
    recording = record(model, inputs_of(family), compare=False)
    assert recording is not None
    assert rotary_of(model, recording.shown[0]) is None
