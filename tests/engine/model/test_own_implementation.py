"""Models run under the name that they know, and only in the thread that records them."""

import re
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import torch
from model_families import BRANCHING, FAMILIES, WATCHED, inputs_of, tiny
from torch import Tensor

from attnviz.engine.model import loading
from attnviz.engine.model.recording import record

transformers = loading.transformers()  # told before its first import to write nothing


def in_another_thread(run: Callable[[], Any]) -> Any:
    """Return what a function returns in a thread of its own."""
    results: list[Any] = []
    thread = threading.Thread(target=lambda: results.append(run()))
    thread.start()
    thread.join()
    return results[0]


def logits_of(model: Any, inputs: Any) -> Tensor:
    with torch.no_grad():
        found: Tensor = model(**inputs, use_cache=False).logits
    return found


@pytest.mark.parametrize("same", [True, False])
@pytest.mark.parametrize("implementation", ["sdpa", "eager"])
def test_that_a_model_in_another_thread_keeps_its_own_function_while_one_is_recorded(
    implementation: str, same: bool
) -> None:
    family = FAMILIES["llama"]
    recorded, inputs = tiny(family), inputs_of(family)
    recorded.set_attn_implementation(implementation)  # type: ignore[operator]
    model = recorded if same else tiny(FAMILIES["gemma2"], seed=1)
    alone, names, others = logits_of(model, inputs), [], []

    def meanwhile(*_: Any) -> None:
        others.append(in_another_thread(lambda: logits_of(model, inputs)))
        names.append(in_another_thread(lambda: model.config._attn_implementation))

    recording = record(recorded, inputs, on_layer=meanwhile, rows=[3])
    assert recording is not None
    assert [call.name for call in recording.calls] == ["model.layers.0.self_attn", "model.layers.1.self_attn"]
    assert len(others) == 2
    assert all(torch.equal(each, alone) for each in others)
    assert set(names) == {model.config._attn_implementation}


def test_that_two_threads_record_two_models_as_one_after_the_other() -> None:
    models = [tiny(FAMILIES[name]) for name in ("llama", "bert", "t5", "gpt2")] * 3
    inputs = [inputs_of(FAMILIES[name], seed=1) for name in ("llama", "bert", "t5", "gpt2")] * 3
    alone = [record(*pair) for pair in zip(models, inputs, strict=True)]
    found: dict[int, Any] = {}
    threads = [
        threading.Thread(target=lambda at=at: found.update({at: record(models[at], inputs[at])}))
        for at in range(len(models))
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for at, true in enumerate(alone):
        assert true is not None
        assert len(found[at].calls) == len(true.calls)
        for call, own in zip(found[at].calls, true.calls, strict=True):
            assert call.name == own.name
            assert torch.equal(call.weights(), own.weights())


def test_that_transformers_is_left_as_it_was_also_after_an_error() -> None:
    from transformers import AttentionInterface, PreTrainedConfig

    before = AttentionInterface.get_interface, vars(PreTrainedConfig)["_attn_implementation"]
    model, inputs = tiny(FAMILIES["llama"]), inputs_of(FAMILIES["llama"])

    def fails(*_: Any) -> None:
        assert AttentionInterface.get_interface is not before[0]
        raise ArithmeticError

    record(model, inputs)
    with pytest.raises(ArithmeticError):
        record(model, inputs, on_layer=fails)
    assert (AttentionInterface.get_interface, vars(PreTrainedConfig)["_attn_implementation"]) == before


_BRANCHES = re.compile(r"attn_impl(?:ementation)?\b[^\n=]*?(?:==|!=|\b(?:not )?in (?:\(|\[))")
_NO_TEXT = {
    "decision_transformer": "takes states; its file is that of GPT-2",
    "qwen2_5_omni": "the branch is in its synthesis of speech",
    "timm_backbone": "takes images; the branch is a warning",
    "timm_wrapper": "takes images; the branch is a warning",
}


def test_that_every_family_whose_file_branches_on_the_name_is_among_the_tested_ones() -> None:
    files = Path(transformers.__file__).parent.glob("models/*/modeling_*.py")
    branching = {path.parent.name for path in files if _BRANCHES.search(path.read_text(encoding="utf-8"))}
    assert branching - _NO_TEXT.keys() - BRANCHING.keys() == {"gpt2", "falcon"}
    assert branching >= BRANCHING.keys()
    assert FAMILIES.keys() | WATCHED.keys() >= {"gpt2", "falcon"}


@pytest.mark.parametrize("implementation", ["eager", "sdpa"])
@pytest.mark.parametrize("name", BRANCHING)
def test_that_a_family_that_branches_on_the_name_computes_as_by_itself(name: str, implementation: str) -> None:
    model, inputs = tiny(BRANCHING[name]), inputs_of(BRANCHING[name])
    with torch.no_grad():
        own = model(**inputs, output_attentions=True, use_cache=False)
    implementation = implementation if model._supports_sdpa else "eager"
    model.set_attn_implementation(implementation)  # type: ignore[operator]
    recording = record(model, inputs)
    assert recording is not None
    assert recording.comparison.implementation == implementation
    assert recording.comparison.difference < (5e-6 if implementation == "sdpa" else 1e-45)
    assert len(recording.calls) == len(own.attentions) == 2
    for call, weights in zip(recording.calls, own.attentions, strict=True):
        assert call.known
        assert torch.equal(call.weights(), weights[0])
    chosen = (own.attentions[0][0, 0] > 0).sum(-1)
    assert chosen.max() < 12  # a window, or the keys that the model selects
