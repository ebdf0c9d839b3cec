"""A tiny random configuration of any family of transformers, made from the family's own defaults.

Sizes are recognised by the names of their fields; further settings of a family are in its row of the table in
``tests/families``.
"""

import os
import re
from collections.abc import Mapping
from typing import Any

os.environ.setdefault("HF_HUB_OFFLINE", "1")
os.environ.setdefault("TRANSFORMERS_VERBOSITY", "error")

VOCABULARY = 128
_SIZES = [
    (re.compile(pattern), size)
    for pattern, size in {
        r"(.*_)?vocab_size(_.*)?|n_vocab": VOCABULARY,
        r"(.*_)?num_hidden_layers|(num|n)_layers?|(num_)?(en|de)coder_layers|depth": 2,
        r"(num|n)_heads?|(.*_)?(num_)?attention_heads": 4,
        r"(.*_)?(num|n)_(key_value|kv)_heads?": 2,
        r"(.*_)?(hidden_size|embed_dim)|d_model|n_embd|embedding_size|(emb_|hidden_|model_|projection_)?dim": 32,
        r"(qk_)?rope_head_dim|rotary_dim": 4,
        r"head_dim|d_kv|attention_head_size|.*_head_dim": 8,
        r"(.*_)?intermediate_size(_.*)?|d_ff|d_inner|(.*_)?ffn_dim|ffn_hidden_size|n_inner|(.*_)?mlp_dim": 48,
        r"(num_(local_|routed_)?|n_routed_|moe_num_)experts": 4,
        r"num_experts_per_tok(en)?|moe_topk|moe_k|top_k|moe_top_k": 2,
        r"n_group|topk_group|num_expert_group|(mamba_)?n_groups": 1,
        r"(.*_)?lora_rank": 16,
        r"max_position_embeddings|n_positions|n_ctx|max_seq_len.*|max_(target|source)_positions|seq_length": 128,
        r"sliding_window(_.*)?|window_size|attention_window|local_attention": 4,
        r"image_size": 28,
        r"patch_size": 14,
        r"first_k_dense_replace": 1,
        r"num_mel_bins": 8,
        r"mamba_(n|num)_heads|linear_num_(key|value)_heads": 4,
        r"mamba_d_head|mamba_head_dim|linear_(key|value)_head_dim": 16,
        r"mamba_d_state|ssm_state_size|state_size": 8,
        r"index_topk|index_n_heads": 4,
        r"(mamba_)?chunk_size": 16,
        r"hidden_size_per_layer_input": 8,
    }.items()
]
_NOT_OF_A_MODEL = {"transformers_version", "architectures", "dtype", "id2label", "label2id", "num_labels"}
_LAYERS = re.compile(r"num_hidden_layers|(num|n)_layers?")
_TOKEN = re.compile(r"(.*)_token_(id|ids|index)")
_BEGINNING = {"pad": 0, "bos": 1, "eos": 2}


def tiny_config(config_class: type, **changed: Any) -> Any:
    """Return a configuration of a class with a few layers of a few features; updated with ``changed``."""
    small = _small(config_class().to_dict())
    del small["model_type"]
    return config_class(**merged(small, changed))


def merged(config: Mapping[str, Any], changed: Mapping[str, Any]) -> dict[str, Any]:
    """Return a configuration with changed values, also in nested configurations; None removes a key."""
    result = dict(config)
    for key, value in changed.items():
        if isinstance(value, Mapping) and isinstance(result.get(key), Mapping):
            result[key] = merged(result[key], value)
        else:
            result[key] = value
    return result


def _small(config: Mapping[Any, Any]) -> dict[Any, Any]:
    if not all(isinstance(key, str) for key in config):  # a table, not fields
        return dict(config)
    count = next((config[key] for key in config if _LAYERS.fullmatch(key) and isinstance(config[key], int)), None)
    kinds = config.get("layer_types")
    layers = max(2, len(set(kinds))) if isinstance(kinds, list) else 2
    result: dict[str, Any] = {}
    for key, value in config.items():
        if key in _NOT_OF_A_MODEL or key.startswith("_"):
            continue
        if key == "layer_types" and isinstance(value, list) and value:
            one_of_each = list(dict.fromkeys(value))
            result[key] = one_of_each if len(one_of_each) > 1 else value[:2]
        elif key == "per_layer_config" and isinstance(value, Mapping) and value:
            result[key] = {str(layers - 1): _small(next(iter(value.values())))}
        elif isinstance(value, Mapping):
            result[key] = dict(value) if key.startswith("rope") else _small(value)
        elif isinstance(value, list) and count and count > 2 and len(value) == count:
            result[key] = value[:layers]
        elif _LAYERS.fullmatch(key) and isinstance(value, int):
            result[key] = layers
        else:
            result[key] = _size(key, value)
    if "kv_lora_rank" in result and "num_attention_heads" in result:  # latent attention has as many key heads
        result["num_key_value_heads"] = result["num_attention_heads"]
        if config.get("head_dim") == config.get("qk_rope_head_dim"):
            result["head_dim"] = result["qk_rope_head_dim"]
    return result


def _size(key: str, value: Any) -> Any:
    token = _TOKEN.fullmatch(key)
    if token and isinstance(value, int) and value >= VOCABULARY:
        return _BEGINNING.get(token[1], 100 + sum(map(ord, key)) % 20)
    if token and isinstance(value, list):
        return [2]
    if isinstance(value, bool) or not isinstance(value, int) or value <= 0:
        return value
    return next((min(value, size) for pattern, size in _SIZES if pattern.fullmatch(key)), value)
