"""A folder's settings of generation, from generation_config.json or else from config.json.

The file is untrusted: only the keys below are passed on, to transformers, which implements them.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from attnviz.definitions.text import quoted
from attnviz.engine.machine import RunError
from attnviz.engine.model.folder import MOST_CONFIG, Folder, json_object, read_file
from attnviz.experiment.files.plain_files import is_there
from attnviz.log import first_line

FILE = "generation_config.json"
_OF_PROCESSORS = (
    "sequence_bias",
    "repetition_penalty",
    "no_repeat_ngram_size",
    "bad_words_ids",
    "min_length",
    "min_new_tokens",
    "forced_eos_token_id",
    "remove_invalid_values",
    "exponential_decay_length_penalty",
    "suppress_tokens",
    "begin_suppress_tokens",
)
"""The keys that make a logits processor, which changes the scores of the next token."""
_OF_TOKENS = ("eos_token_id", "pad_token_id", "bos_token_id")
_OF_DECODERS = ("forced_bos_token_id",)
"""Those that make one in an encoder-decoder, whose answer begins with a token of its own."""
_LEFT_OUT = (
    "num_beams",
    "guidance_scale",
    "penalty_alpha",
    "dola_layers",
    "prompt_lookup_num_tokens",
    "stop_strings",
    "watermarking_config",
)
"""The keys of other ways to search, and of processors that need more than one pass or a tokenizer."""
_WITHOUT_EFFECT: Mapping[str, Any] = {
    "repetition_penalty": 1.0,
    "no_repeat_ngram_size": 0,
    "min_length": 0,
    "min_new_tokens": 0,
    "remove_invalid_values": False,
    "num_beams": 1,
    "guidance_scale": 1.0,
}


@dataclass(frozen=True, slots=True)
class Settings:
    """The settings of a folder that have an effect here."""

    processors: tuple[str, ...]
    """The names of those that change the scores, in the order in which they act."""
    end_ids: tuple[int, ...]
    """The tokens that end a text; empty if the folder names none."""
    left_out: tuple[str, ...]
    """The names of those that have no effect here, such as ``num_beams``: beams are not searched."""


def take_settings(folder: Folder, model: Any) -> Settings:
    """Give a model the settings of its folder, as its ``generation_config``, and return them.

    Raises:
        RunError: the file cannot be read, or transformers refuses its values.
    """
    from transformers import GenerationConfig

    path = folder.path / FILE
    given = json_object(read_file(path, MOST_CONFIG), FILE) if is_there(path) else model.generation_config.to_dict()
    has_encoder = bool(getattr(model.config, "is_encoder_decoder", False))
    of_processors = (*_OF_PROCESSORS, *(_OF_DECODERS if has_encoder else ()))
    of_tokens = (*_OF_TOKENS, *(("decoder_start_token_id",) if has_encoder else ()))
    acting = {key: each for key, each in given.items() if each is not None and each != _WITHOUT_EFFECT.get(key)}
    values = {key: acting[key] for key in (*of_processors, *of_tokens) if key in acting}
    end = values.get("eos_token_id", [])
    end_ids = tuple(end) if isinstance(end, list) else (end,)
    if not all(isinstance(each, int) and each >= 0 for each in end_ids):
        sentence = "{file} says eos_token_id {value}; it must be a token, or a list of tokens"
        raise RunError("model_config", sentence, file=FILE, value=quoted(end))
    try:
        model.generation_config = GenerationConfig(**{"pad_token_id": (*end_ids, 0)[0]} | values)
    except Exception as error:  # it checks the values in many ways
        sentence = "transformers refuses the values in {file}: {why}"
        raise RunError("model_config", sentence, file=FILE, why=first_line(error)) from error
    processors, left_out = (tuple(key for key in keys if key in acting) for keys in (of_processors, _LEFT_OUT))
    return Settings(processors, end_ids, left_out)
