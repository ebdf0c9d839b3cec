"""The model that comes along: small, and its heads do what its preset and its lesson tell."""

import runpy
from pathlib import Path
from typing import Any

import pytest
import torch

from attnviz.engine.model.folder import check
from attnviz.engine.model.loading import Loaded, load
from attnviz.experiment.run import never_stop
from attnviz.folders import resource

ROOT = Path(__file__).resolve().parents[3]
FOLDER = resource("models/induction")
PROMPT, NEXT = "then one red fox ran home and one red fox ran", "home"
SIZE = 16
"""How many features a head has."""


@pytest.fixture(scope="module")
def loaded() -> Loaded:
    """The model, ready to run."""
    found = load(check(FOLDER), "float32", torch.device("cpu"), never_stop)
    assert found is not None
    return found


@torch.inference_mode()
def predicted(loaded: Loaded, ids: Any, off: str = "") -> tuple[torch.Tensor, tuple[torch.Tensor, ...]]:
    """Return the probabilities of the next tokens and the weights by layer, with a head such as "1.2" off."""

    def silence(module: Any, given: tuple[torch.Tensor]) -> tuple[torch.Tensor]:
        changed = given[0].clone()
        changed[..., (head - 1) * SIZE : head * SIZE] = 0
        return (changed,)

    layer, head = map(int, (off or "1.1").split("."))
    hook = loaded.model.model.layers[layer - 1].self_attn.o_proj.register_forward_pre_hook(silence) if off else None
    found = loaded.model(input_ids=torch.tensor(ids), output_attentions=True)
    if hook is not None:
        hook.remove()
    return found.logits.softmax(-1), found.attentions


def probability(loaded: Loaded, off: str = "") -> float:
    """Return the probability of the right word after the prompt."""
    ids, (right,) = (loaded.tokens.encode(text, special=True).ids for text in (PROMPT, NEXT))
    return float(predicted(loaded, [ids], off)[0][0, -1, right])


def test_that_it_is_small_passes_the_checks_and_predicts_the_next_token(loaded: Loaded) -> None:
    assert sum(path.stat().st_size for path in FOLDER.iterdir()) < 200_000
    assert {path.name for path in FOLDER.iterdir()} == {"config.json", "model.safetensors", "tokenizer.json"}
    assert (loaded.head, loaded.kind, loaded.folder.model_type) == ("next", "decoder", "llama")
    config = loaded.model.config
    assert (config.num_hidden_layers, config.num_attention_heads) == (2, 4)


def test_that_its_tokens_are_words() -> None:
    found = load(check(FOLDER), "float32", torch.device("cpu"), never_stop)
    assert found is not None
    encoded = found.tokens.encode("Then one red fox, quiet as ice.", special=True)
    assert encoded.names == ("then", "one", "red", "fox", ",", "quiet", "[UNK]", "[UNK]", ".")
    assert encoded.word_ids == tuple(range(9))
    assert not any(encoded.special)


def test_that_it_goes_on_with_what_repeats_wherever_it_stands(loaded: Loaded) -> None:
    assert probability(loaded) > 0.99
    generator = torch.Generator().manual_seed(0)
    mixed = torch.rand(200, 32, generator=generator).argsort(1)
    before, segment, between = mixed[:, 8:11], mixed[:, :8], mixed[:, 11:16]
    ids = torch.cat([before, segment, between, segment], 1)
    right = predicted(loaded, ids.tolist())[0][:, 16:-1].gather(2, ids[:, 17:, None])
    assert right.mean() > 0.95


def test_that_the_head_that_looks_at_nothing_but_the_word_itself_is_the_one_that_is_needed(loaded: Loaded) -> None:
    ids = loaded.tokens.encode(PROMPT, special=True).ids
    diagonal = predicted(loaded, [ids])[1][0][0, 1].diagonal()
    assert diagonal.mean() > 0.9
    assert probability(loaded, off="1.2") < 0.01


def test_that_the_head_that_looks_at_the_word_before_is_hardly_missed(loaded: Loaded) -> None:
    ids = loaded.tokens.encode(PROMPT, special=True).ids
    below = predicted(loaded, [ids])[1][0][0, 3].diagonal(-1)
    assert below.mean() > 0.85
    assert probability(loaded, off="1.4") > 0.95


@pytest.mark.parametrize("head", ["2.1", "2.2", "2.4"])
def test_that_heads_of_layer_2_look_at_what_followed_and_stand_in_for_each_other(head: str, loaded: Loaded) -> None:
    ids = loaded.tokens.encode(PROMPT, special=True).ids
    assert predicted(loaded, [ids])[1][1][0, int(head[2]) - 1, -1, 5] > 0.85
    assert probability(loaded, off=head) > 0.95


def test_that_its_script_makes_such_a_folder_of_the_same_vocabulary(tmp_path: Path) -> None:
    script = runpy.run_path(str(ROOT / "packaging" / "train_induction.py"))
    script["write"](script["trained"](steps=1), tmp_path)
    made, ours = check(tmp_path), check(FOLDER)
    assert (made.config, made.weights) == (ours.config, ours.weights)
    assert (tmp_path / "tokenizer.json").read_text() == (FOLDER / "tokenizer.json").read_text()
