"""The chat template of a folder: a jinja2 template that wraps a user's turn as the model was trained to read it."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from attnviz.engine.machine import RunError
from attnviz.engine.model.folder import json_object, read_file
from attnviz.experiment.files.plain_files import is_there

CONFIG, TEMPLATE = "tokenizer_config.json", "chat_template.jinja"
_MOST_CONFIG, _MOST_TEMPLATE = 16 << 20, 1 << 20
"""The limits, in bytes, of these files."""
_SPECIAL = ("bos_token", "eos_token", "unk_token", "sep_token", "pad_token", "cls_token", "mask_token")
"""The special tokens that a template may name."""


@dataclass(frozen=True, slots=True)
class ChatTemplate:
    """A template, which is untrusted code: only the tokenizer's process renders it, in a sandbox."""

    template: str
    tokens: dict[str, str]
    """The special tokens, by their names in the template."""


def chat_template_of(folder: Path) -> ChatTemplate | RunError | None:
    """Return the chat template of a folder; None if it has none, or why it cannot be read: only a chat needs it."""
    try:
        return _read(folder)
    except RunError as error:
        return error


def _read(folder: Path) -> ChatTemplate | None:
    config = json_object(read_file(folder / CONFIG, _MOST_CONFIG), CONFIG) if is_there(folder / CONFIG) else {}
    template = config.get("chat_template")
    if isinstance(template, list):  # several by name
        named = {each.get("name"): each.get("template") for each in template if isinstance(each, dict)}
        template = named.get("default")
    if is_there(folder / TEMPLATE):
        template = read_file(folder / TEMPLATE, _MOST_TEMPLATE).decode("utf-8", "replace")
    if not isinstance(template, str):
        return None
    tokens = {name: _content(config.get(name)) for name in _SPECIAL}
    return ChatTemplate(template, {name: token for name, token in tokens.items() if token is not None})


def _content(token: Any) -> str | None:
    """Return the text of a special token, which is written as such or as an object."""
    token = token.get("content") if isinstance(token, dict) else token
    return token if isinstance(token, str) else None
