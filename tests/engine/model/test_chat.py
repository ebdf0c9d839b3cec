"""A chat template wraps the text as the library does, in a process of its own; what is wrong with one is said."""

import json
from pathlib import Path
from typing import Any

import pytest
from model_folders import WORDS, made, tokenizer, write_json, written

from attnviz.engine.model.tokenizer import process
from attnviz.engine.model.tokenizer.chat import chat_template_of
from attnviz.engine.model.tokenizer.tokens import Tokens
from attnviz.engine.run import run_to_end
from attnviz.experiment.model.spec import ModelSpec
from attnviz.experiment.run import Failure

CHAT = """\
{%- if messages[0].role == 'system' %}{{ raise_exception('no system') }}{% endif %}
{{ bos_token }}{% for message in messages %}
    {%- if loop.index0 > 5 %}{% break %}{% endif %}
<|{{ message.role }}|> {{ message.content | trim }}{{ eos_token }}
{% endfor %}
{% generation %}{% if add_generation_prompt %}<|assistant|> {{ {'a': 'é'} | tojson }}{% endif %}{% endgeneration %}"""
MARKS = ("<s>", "</s>", "<|user|>", "<|assistant|>")


END = {"__type": "AddedToken", "content": "</s>", "special": True} | dict.fromkeys(
    ("lstrip", "rstrip", "normalized", "single_word"), False
)


def folder_with(path: Path, template: Any = CHAT, **further: Any) -> Path:
    written(path, made("llama", hidden_size=32, num_hidden_layers=2, num_attention_heads=4, vocab_size=60))
    write_json(path / "tokenizer.json", tokenizer((*WORDS, *MARKS)))
    config = {"tokenizer_class": "PreTrainedTokenizerFast", "bos_token": "<s>", "eos_token": END}
    (path / "tokenizer_config.json").write_text(json.dumps(config | {"chat_template": template} | further))
    return path


def wrapped(path: Path, text: str) -> str:
    content = (path / "tokenizer.json").read_text()
    return Tokens(content, 60, chat=chat_template_of(path)).wrapped(text)


@pytest.mark.parametrize("kept", ["config", "named", "file"])
def test_that_a_text_is_wrapped_as_by_the_library(kept: str, tmp_path: Path) -> None:
    from transformers import AutoTokenizer

    named = [{"name": "default", "template": CHAT}, {"name": "tool_use", "template": "x"}]
    path = folder_with(tmp_path / "m", {"config": CHAT, "named": named, "file": None}[kept])
    if kept == "file":
        (path / "chat_template.jinja").write_text(CHAT, encoding="utf-8")
    own = AutoTokenizer.from_pretrained(path, local_files_only=True)
    turn = [{"role": "user", "content": " the cat "}]
    expected = own.apply_chat_template(turn, tokenize=False, add_generation_prompt=True)
    assert wrapped(path, " the cat ") == expected
    assert expected.startswith("<s>")
    assert "<|user|> the cat</s>" in expected


def test_that_the_run_reads_the_template_and_without_it_says_that_a_chat_is_expected(tmp_path: Path) -> None:
    path = str(folder_with(tmp_path / "m"))
    chat, plain = (
        run_to_end(ModelSpec(folder=path, text="the cat", chat=each, device="cpu")) for each in (True, False)
    )
    assert chat.read.text == wrapped(Path(path), "the cat")
    assert len(chat.read) > len(plain.read)
    assert "expects a chat" in str(plain.note)
    assert "expects a chat" not in str(chat.note)


@pytest.mark.parametrize(
    ("template", "words"),
    [
        (None, "has no chat template; nearest: chat off"),
        ("{{ raise_exception('only for experts') }}", "only for experts"),
        ("{% if %}", "fails"),
        ("{{ ''.__class__.__mro__ }}", "fails"),
        ("{{ 'x' * 300000 }}", "too long"),
        ("{% for a in range(100000) %}{% for b in range(100000) %}{% endfor %}{% endfor %}", "seconds"),
    ],
)
def test_that_a_template_that_fails_is_a_message(
    template: str | None, words: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(process, "MOST_SECONDS", 2.0)  # of the last one
    path = str(folder_with(tmp_path / "m", template))
    event = run_to_end(ModelSpec(folder=path, text="the cat", chat=True, device="cpu"))
    assert isinstance(event, Failure)
    assert words in event.message


def test_that_a_broken_configuration_of_the_tokenizer_is_named_where_it_is_needed(tmp_path: Path) -> None:
    path = folder_with(tmp_path / "m")
    (path / "tokenizer_config.json").write_text("[]")
    chat, plain = (run_to_end(ModelSpec(folder=str(path), text="the cat", chat=each, device="cpu")) for each in (1, 0))
    assert isinstance(chat, Failure)
    assert "tokenizer_config.json" in chat.message
    assert len(plain.read) == 4
