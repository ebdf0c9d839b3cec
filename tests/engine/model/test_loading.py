"""Opening a folder: the model that was saved comes back, in the number format asked for, without a network."""

import json
from pathlib import Path
from typing import Any

import pytest
import torch
from calling import forked
from model_folders import SMALL, change_config, made, written

from attnviz.engine import memory
from attnviz.engine.machine import RunError
from attnviz.engine.model import loading
from attnviz.engine.model.folder import check
from attnviz.engine.model.loading import Loaded, load
from attnviz.experiment.run import StoppedError, never_stop

CPU = torch.device("cpu")
CAUSAL, MASKED, PLAIN, BOTH = (
    f"AutoModel{name}" for name in ("ForCausalLM", "ForMaskedLM", "", "ForSeq2SeqLM")
)  # fmt: skip
GROUPED = SMALL | {"num_key_value_heads": 2}
GPT = {"n_embd": 32, "n_layer": 2, "n_head": 4, "vocab_size": 40}
T5 = {"d_model": 32, "d_kv": 8, "d_ff": 48, "num_layers": 2, "num_heads": 4, "vocab_size": 40}
BART = {"d_model": 32, "vocab_size": 40} | {
    f"{side}_{name}": size
    for side in ("encoder", "decoder")
    for name, size in (("layers", 2), ("ffn_dim", 48), ("attention_heads", 4))
}
OPT = {"ffn_dim": 48, "word_embed_proj_dim": 32, "max_position_embeddings": 50}
FAMILIES = {
    "GPT-2": ("gpt2", CAUSAL, GPT, "next", "decoder", 1024),
    "LLaMA": ("llama", CAUSAL, GROUPED, "next", "decoder", 2048),
    "LLaMA without its head": ("llama", PLAIN, GROUPED, "", "decoder", 2048),
    "Mixtral": ("mixtral", CAUSAL, GROUPED | {"num_local_experts": 4}, "next", "decoder", 131072),
    "OPT": ("opt", CAUSAL, SMALL | OPT, "next", "decoder", 50),
    "BLOOM": ("bloom", CAUSAL, SMALL | {"n_layer": 2, "n_head": 4}, "next", "decoder", None),
    "BERT": ("bert", MASKED, SMALL, "masked", "encoder", 512),
    "BERT of sentences": ("bert", PLAIN, SMALL, "", "encoder", 512),
    "RoBERTa": ("roberta", MASKED, SMALL | {"max_position_embeddings": 34}, "masked", "encoder", 32),
    "ALBERT": ("albert", MASKED, SMALL | {"embedding_size": 16}, "masked", "encoder", 512),
    "XLNet": ("xlnet", PLAIN, {"d_model": 32, "n_layer": 2, "n_head": 4, "d_inner": 48}, "", "encoder", None),
    "T5": ("t5", BOTH, T5, "next", "encoder-decoder", None),
    "BART": ("bart", BOTH, BART, "next", "encoder-decoder", 1024),
}


def opened(path: Path, dtype: str = "float32") -> Loaded:
    return load(check(path), dtype, CPU, never_stop)


def outputs(model: Any, **further: Any) -> torch.Tensor:
    with torch.inference_mode():
        return model(input_ids=torch.tensor([[4, 5, 6, 7, 5]]), **further)[0]


@pytest.mark.parametrize("family", FAMILIES.values(), ids=FAMILIES)
def test_that_the_model_which_was_saved_comes_back_with_what_it_predicts(family: Any, tmp_path: Path) -> None:
    kind_of_model, by, config, head, kind, places = family
    model = made(kind_of_model, by, **config)
    found = opened(written(tmp_path, model))
    written_too = {"decoder_input_ids": torch.tensor([[2, 5, 6]])} if kind == "encoder-decoder" else {}
    torch.testing.assert_close(outputs(found.model, **written_too), outputs(model, **written_too), rtol=0, atol=0)
    assert (found.head, found.kind, found.most_tokens) == (head, kind, places)
    assert not found.model.training
    assert not any(parameter.requires_grad for parameter in found.model.parameters())


@pytest.mark.parametrize("dtype", ["float16", "bfloat16"])
def test_that_a_half_folder_is_widened_and_its_own_format_is_kept_on_request(dtype: str, tmp_path: Path) -> None:
    model = made("gpt2", **GPT).to(getattr(torch, dtype))
    folder = check(written(tmp_path, model))
    assert folder.dtype == dtype
    assert {parameter.dtype for parameter in opened(tmp_path, dtype).model.parameters()} == {getattr(torch, dtype)}
    widened = opened(tmp_path).model
    assert torch.equal(outputs(widened), outputs(model.float()))


@pytest.mark.parametrize("dtype", ["float16", "bfloat16"])
@pytest.mark.parametrize(("family", "by", "sizes"), [("t5", BOTH, T5), ("gpt2", CAUSAL, GPT)])
def test_that_a_folder_in_half_precision_is_the_one_that_transformers_opens(
    family: str, by: str, sizes: dict[str, Any], dtype: str, tmp_path: Path
) -> None:
    saved = made(family, by, **sizes)
    written(tmp_path, saved)
    own = type(saved).from_pretrained(tmp_path, dtype=getattr(torch, dtype)).state_dict()
    found = opened(tmp_path, dtype).model.state_dict()
    for name, weight in found.items():
        assert weight.dtype == own[name if name in own else f"encoder.{name}"].dtype, name
        assert torch.equal(weight, own[name if name in own else f"encoder.{name}"]), name
    wide = {name for name, weight in found.items() if weight.dtype == torch.float32}
    assert bool(wide) == (family == "t5" and dtype == "float16"), "T5 keeps a part in float32 in float16"


def test_that_weights_in_several_files_are_those_in_one(tmp_path: Path) -> None:
    model = made("llama", **SMALL)
    written(tmp_path / "many", model, max_shard_size="10KB")
    assert not (tmp_path / "many" / "model.safetensors").exists()
    one, many = check(written(tmp_path / "one", model)), check(tmp_path / "many")
    read = [{name: (each.dtype, each.shape) for name, each in folder.weights.items()} for folder in (many, one)]
    assert read[0] == read[1]
    assert len({weight.file for weight in many.weights.values()}) > 2
    assert torch.equal(outputs(opened(tmp_path / "many").model), outputs(model))


def test_that_a_folder_says_what_it_holds_before_any_weight_is_read(tmp_path: Path) -> None:
    model = made("llama", **SMALL)
    folder = check(written(tmp_path, model))
    numbers = sum(parameter.numel() for parameter in model.parameters())
    assert (folder.model_type, folder.dtype, folder.parameters) == ("llama", "float32", numbers)
    assert folder.weights["model.norm.weight"][:2] == (torch.float32, (32,))


@pytest.mark.parametrize("name", ["config.json", "tokenizer.json", "model.safetensors"])
def test_that_the_fingerprint_tells_folders_apart_by_each_file(name: str, tmp_path: Path) -> None:
    before = check(written(tmp_path)).fingerprint
    assert check(tmp_path).fingerprint == before
    path = tmp_path / name
    path.write_bytes(path.read_bytes().replace(b'"model.norm.weight"', b'"model.mron.weight"').replace(b"}", b"} ", 1))
    if name == "model.safetensors":
        written(tmp_path, made("llama", **SMALL | {"intermediate_size": 40}))
    assert check(tmp_path).fingerprint != before


def changed_config(path: Path) -> None:
    change_config(path, rms_norm_eps=0.5)


def cut(path: Path) -> None:
    weights = path / "model.safetensors"
    weights.write_bytes(weights.read_bytes()[:-4])


def removed(path: Path) -> None:
    (path / "model.safetensors").unlink()


@pytest.mark.parametrize(
    ("change", "code"), [(changed_config, "folder_changed"), (cut, "weights_broken"), (removed, "no_weights")]
)
def test_that_a_folder_which_changes_after_it_was_checked_is_told(change: Any, code: str, tmp_path: Path) -> None:
    folder = check(written(tmp_path))
    change(tmp_path)
    with pytest.raises(RunError) as raised:
        load(folder, "float32", CPU, never_stop)
    assert raised.value.code == code


def test_that_a_file_cut_while_its_weights_are_read_is_told(tmp_path: Path) -> None:
    folder = check(written(tmp_path))
    asked = iter([cut, *[lambda path: None] * 99])

    def stop() -> bool:
        next(asked)(tmp_path)
        return False

    with pytest.raises(RunError) as raised:
        load(folder, "float32", CPU, stop)
    assert raised.value.code == "folder_changed"


def test_that_weights_which_are_written_anew_while_they_are_read_are_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Other numbers in a file of the same size would be shown as the model's own."""
    path = written(tmp_path / "model")
    folder, read = check(path), loading._weights

    def written_anew(*given: Any) -> Any:
        for at, weight in enumerate(read(*given)):
            if at == 2:
                content = (path / "model.safetensors").read_bytes()
                (path / "new").write_bytes(content[:-400] + bytes(400))
                (path / "new").replace(path / "model.safetensors")
            yield weight

    monkeypatch.setattr(loading, "_weights", written_anew)
    with pytest.raises(RunError) as raised:
        load(folder, "float32", CPU, never_stop)
    assert raised.value.code == "folder_changed"


def test_that_loading_ends_when_it_is_stopped(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder, weights = check(written(tmp_path)), iter(range(3))
    monkeypatch.setattr(loading, "_weights", lambda *_: ((str(at), torch.zeros(1)) for at in weights))
    with pytest.raises(StoppedError):
        load(folder, "float32", CPU, lambda: weights.__length_hint__() < 2)
    assert list(weights) == [2], "no weight is read after the one at which it was stopped"


def test_that_more_weights_than_memory_are_refused_before_any_is_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = check(written(tmp_path))
    monkeypatch.setattr(memory, "available_bytes", lambda device: 2 * folder.parameters)
    monkeypatch.setattr(loading, "_weights", lambda *_: pytest.fail("weights were read"))
    with pytest.raises(RunError) as raised:
        load(folder, "float32", CPU, never_stop)
    assert raised.value.code == "not_enough_memory"
    assert raised.value.numbers["needed"] > 4 * folder.parameters


def test_that_without_transformers_one_sentence_says_how_to_get_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = check(written(tmp_path))
    monkeypatch.setattr(loading, "installed_version", lambda name: "")
    with pytest.raises(RunError, match=r"python -m pip install 'transformers>=5\.15,<6'$") as raised:
        load(folder, "float32", CPU, never_stop)
    assert raised.value.code == "no_transformers"


NO_NETWORK = """
import json, socket, sys
asked = []

class Recorded(socket.socket):
    def __init__(self, *arguments, **words):
        asked.append("socket")
        super().__init__(*arguments, **words)

socket.socket = Recorded
for name in ("create_connection", "getaddrinfo", "gethostbyname"):
    setattr(socket, name, lambda *arguments, name=name, **words: asked.append((name, str(arguments))))
import torch
from pathlib import Path
from attnviz.engine.model.folder import check
from attnviz.engine.model.loading import load
threads = []
import threading
start = threading.Thread.start

def noted(self):
    if not self.name.startswith("attnviz"):
        threads.append(self.name)
    start(self)

threading.Thread.start = noted
for path in map(Path, sys.argv[1:]):
    found = load(check(path), "float32", torch.device("cpu"), lambda: False)
    found.tokens.encode("the cat", special=True)
    found.model(input_ids=torch.tensor([[4, 5]]))
print(json.dumps({"asked": asked, "threads": threads}))
"""


def test_that_opening_a_folder_asks_no_network_and_writes_nothing(tmp_path: Path) -> None:
    folders = [written(tmp_path / "llama"), written(tmp_path / "bert", made("bert", MASKED, **SMALL))]
    change_config(folders[0], _name_or_path="evil/repo", auto_map={"AutoModel": "evil/repo--modeling.Evil"})
    done = forked(*map(str, folders), cwd=tmp_path, code=NO_NETWORK)
    assert (done.code, done.err) == (0, "")
    assert json.loads(done.out) == {"asked": [], "threads": []}
