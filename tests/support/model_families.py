"""Every supported family of models, as a tiny random model: 2 layers, 4 heads, 12 tokens.

A family is the name of a class of transformers and its differences from `_SIZES`; no weights are downloaded.
"""

import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

os.environ.setdefault("HF_HUB_OFFLINE", "1")
os.environ.setdefault("TRANSFORMERS_VERBOSITY", "error")

import torch
from torch import Tensor, nn

TOKENS, VOCABULARY = 12, 64
_SPECIAL = {"bos_token_id": 1, "eos_token_id": 2, "pad_token_id": 0}
_SIZES = {
    "vocab_size": VOCABULARY,
    "hidden_size": 32,
    "num_hidden_layers": 2,
    "num_attention_heads": 4,
    "intermediate_size": 48,
    "max_position_embeddings": 128,
    **_SPECIAL,
}
_GROUPED = _SIZES | {"num_key_value_heads": 2, "head_dim": 8}
_BOTH = {
    "vocab_size": VOCABULARY,
    "d_model": 32,
    "encoder_layers": 2,
    "decoder_layers": 2,
    "encoder_attention_heads": 4,
    "decoder_attention_heads": 4,
    "encoder_ffn_dim": 48,
    "decoder_ffn_dim": 48,
    "max_position_embeddings": 128,
    "decoder_start_token_id": 2,
    **_SPECIAL,
}
_T5 = {
    "vocab_size": VOCABULARY,
    "d_model": 32,
    "d_kv": 12,
    "d_ff": 48,
    "num_layers": 2,
    "num_heads": 4,
    "decoder_start_token_id": 0,
    "eos_token_id": 1,
    "pad_token_id": 0,
}
_IMAGE = _SIZES | {"image_size": 24, "patch_size": 8, "num_channels": 3}


@dataclass(frozen=True)
class Family:
    """A family: its class, its configuration and the kind of its input."""

    model: str
    config: Mapping[str, Any]
    takes: str = "text"
    heads: int = 4
    layers: int = 2
    watched: bool = False
    """Whether its attention is detected by its softmax."""
    known: bool = True
    """Whether its weights can be recomputed from q and k bit for bit."""
    sinks: bool = False
    further: Mapping[str, Any] = field(default_factory=dict)
    """Settings that its configuration accepts only as attributes."""


FAMILIES: dict[str, Family] = {
    "gpt2": Family("GPT2LMHeadModel", _SPECIAL | {"n_layer": 2, "n_head": 4, "n_embd": 32, "vocab_size": VOCABULARY}),
    "gpt_neox": Family("GPTNeoXForCausalLM", _SIZES | {"rotary_pct": 0.5}),
    "phi": Family("PhiForCausalLM", _SIZES),
    "opt": Family("OPTForCausalLM", _SIZES | {"ffn_dim": 48, "word_embed_proj_dim": 16}),
    "biogpt": Family("BioGptForCausalLM", _SIZES),
    "llama": Family("LlamaForCausalLM", _GROUPED),
    "qwen2": Family("Qwen2ForCausalLM", _GROUPED),
    "qwen3": Family("Qwen3ForCausalLM", _GROUPED | {"head_dim": 12}),
    "phi3": Family("Phi3ForCausalLM", _GROUPED),
    "olmo2": Family("Olmo2ForCausalLM", _GROUPED),
    "cohere": Family("CohereForCausalLM", _GROUPED),
    "mixtral": Family("MixtralForCausalLM", _GROUPED | {"num_local_experts": 2}),
    "mistral": Family("MistralForCausalLM", _GROUPED | {"sliding_window": 4}),
    "gemma": Family("GemmaForCausalLM", _GROUPED | {"num_key_value_heads": 1}),
    "gemma2": Family(
        "Gemma2ForCausalLM",
        _GROUPED | {"sliding_window": 4, "attn_logit_softcapping": 5.0, "query_pre_attn_scalar": 12},
    ),
    "gemma3": Family("Gemma3ForCausalLM", _GROUPED | {"sliding_window": 4, "sliding_window_pattern": 2}),
    "deepseek_v3": Family(
        "DeepseekV3ForCausalLM",
        _SIZES
        | {
            "num_key_value_heads": 4,
            "kv_lora_rank": 16,
            "q_lora_rank": 16,
            "qk_rope_head_dim": 4,
            "qk_nope_head_dim": 8,
            "v_head_dim": 8,
            "n_routed_experts": 4,
            "n_group": 1,
            "topk_group": 1,
            "num_experts_per_tok": 2,
            "moe_intermediate_size": 16,
            "first_k_dense_replace": 1,
        },
    ),
    "gpt_oss": Family(
        "GptOssForCausalLM",
        _GROUPED | {"num_local_experts": 2, "num_experts_per_tok": 1, "sliding_window": 4},
        sinks=True,
    ),
    "bert": Family("BertForMaskedLM", _SIZES),
    "roberta": Family("RobertaForMaskedLM", _SIZES),
    "distilbert": Family(
        "DistilBertForMaskedLM", {"vocab_size": VOCABULARY, "dim": 32, "n_layers": 2, "n_heads": 4, "hidden_dim": 48}
    ),
    "albert": Family("AlbertForMaskedLM", _SIZES | {"embedding_size": 16}),
    "electra": Family("ElectraForMaskedLM", _SIZES | {"embedding_size": 16}),
    "camembert": Family("CamembertForMaskedLM", _SIZES),
    "modernbert": Family("ModernBertForMaskedLM", _SIZES | {"local_attention": 8, "global_attn_every_n_layers": 2}),
    "esm": Family("EsmForMaskedLM", _SIZES | {"position_embedding_type": "rotary", "mask_token_id": 3}),
    "clip": Family("CLIPTextModel", _SIZES),
    "vit": Family("ViTModel", _IMAGE, "image"),
    "deit": Family("DeiTModel", _IMAGE, "image"),
    "dinov2": Family("Dinov2Model", _IMAGE, "image"),
    "beit": Family("BeitModel", _IMAGE | {"use_relative_position_bias": True}, "image"),
    "swin": Family(
        "SwinModel",
        {"image_size": 32, "patch_size": 4, "embed_dim": 16, "depths": [2, 2], "num_heads": [4, 4], "window_size": 4},
        "image",
        layers=4,
    ),
    "t5": Family("T5ForConditionalGeneration", _T5, "both"),
    "mt5": Family("MT5ForConditionalGeneration", _T5, "both"),
    "bart": Family("BartForConditionalGeneration", _BOTH, "both"),
    "marian": Family("MarianMTModel", _BOTH, "both"),
    "pegasus": Family("PegasusForConditionalGeneration", _BOTH, "both"),
    "m2m_100": Family("M2M100ForConditionalGeneration", _BOTH, "both"),
    "whisper": Family(
        "WhisperForConditionalGeneration",
        _BOTH | {"num_mel_bins": 8, "max_source_positions": TOKENS, "max_target_positions": 64},
        "sound",
    ),
}
"""The families that call transformers' attention interface."""

WATCHED: dict[str, Family] = {
    "gptj": Family(
        "GPTJForCausalLM",
        _SPECIAL | {"n_layer": 2, "n_head": 4, "n_embd": 32, "rotary_dim": 4, "vocab_size": VOCABULARY},
    ),
    "gpt_neo": Family(
        "GPTNeoForCausalLM",
        _SPECIAL
        | {
            "hidden_size": 32,
            "num_layers": 2,
            "num_heads": 4,
            "attention_types": [[["global", "local"], 1]],
            "window_size": 4,
            "vocab_size": VOCABULARY,
            "max_position_embeddings": 128,
        },
    ),
    "falcon": Family("FalconForCausalLM", _SIZES | {"new_decoder_architecture": False, "multi_query": False}),
    "falcon_alibi": Family(
        "FalconForCausalLM", _SIZES | {"new_decoder_architecture": False, "multi_query": False, "alibi": True}
    ),
    "bloom": Family(
        "BloomForCausalLM", _SPECIAL | {"hidden_size": 32, "n_layer": 2, "n_head": 4, "vocab_size": VOCABULARY}
    ),
    "mpt": Family("MptForCausalLM", _SPECIAL | {"d_model": 32, "n_heads": 4, "n_layers": 2, "vocab_size": VOCABULARY}),
    "xglm": Family(
        "XGLMForCausalLM",
        _SPECIAL | {"d_model": 32, "num_layers": 2, "attention_heads": 4, "ffn_dim": 48, "vocab_size": VOCABULARY},
    ),
    "deberta": Family(
        "DebertaForMaskedLM",
        _SIZES | {"relative_attention": True, "pos_att_type": ["c2p", "p2c"], "max_relative_positions": 16},
    ),
    "deberta_v2": Family(
        "DebertaV2ForMaskedLM",
        _SIZES | {"relative_attention": True, "pos_att_type": ["c2p", "p2c"], "max_relative_positions": 16},
    ),
    "mpnet": Family("MPNetForMaskedLM", _SIZES),
    "xlnet": Family(
        "XLNetLMHeadModel",
        _SPECIAL | {"d_model": 32, "n_layer": 2, "n_head": 4, "d_inner": 48, "vocab_size": VOCABULARY},
    ),
}
"""The families whose attention is detected by its softmax."""

_SPARSE = _SIZES | {
    "num_key_value_heads": 4,
    "kv_lora_rank": 16,
    "q_lora_rank": 16,
    "qk_rope_head_dim": 4,
    "qk_nope_head_dim": 8,
    "v_head_dim": 8,
    "n_routed_experts": 4,
    "n_group": 1,
    "topk_group": 1,
    "num_experts_per_tok": 2,
    "moe_intermediate_size": 16,
    "first_k_dense_replace": 1,
    "index_topk": 4,
    "index_n_heads": 2,
    "index_head_dim": 8,
}
_INDEXED = {"layer_types": ["indexed_attention"] * 2}
_GEMMA4 = _GROUPED | {
    "sliding_window": 4,
    "hidden_size_per_layer_input": 8,
    "vocab_size_per_layer_input": VOCABULARY,
    "global_head_dim": 8,
    "layer_types": ["sliding_attention", "full_attention"],
}

BRANCHING: dict[str, Family] = {
    "axk2": Family("AXK2ForCausalLM", _SPARSE),
    "deepseek_v32": Family("DeepseekV32ForCausalLM", _SPARSE),
    "dots3_note": Family("Dots3NoteForCausalLM", _SPARSE | _INDEXED | {"shared_experts_intermediate_size": 16}),
    "gemma4": Family("Gemma4ForCausalLM", _GEMMA4),
    "gemma4_unified": Family("Gemma4UnifiedForCausalLM", _GEMMA4),
    "glm5_next": Family(
        "Glm5NextTextModel",
        _SPARSE
        | _INDEXED
        | {"qk_rope_head_dim": 0, "index_kpool": 2, "linear_head_dim": 8, "linear_num_heads": 2}
        | {"mlp_layer_types": ["dense", "sparse"]},
    ),
    "glm_moe_dsa": Family("GlmMoeDsaForCausalLM", _SPARSE),
    "hy_v4": Family("HYV4ForCausalLM", _SPARSE | {"hc_mult": 2}),
    "hy_v4_vl": Family(
        "HYV4VLTextModel",
        _SPARSE | {"hc_mult": 2, "rope_parameters": {"rope_type": "default", "mrope_section": [1, 1, 0]}},
    ),
    "minimax_m3_vl": Family(
        "MiniMaxM3VLForCausalLM",
        _GROUPED
        | {"num_local_experts": 2, "num_experts_per_tok": 1, "dense_intermediate_size": 48, "rotary_dim": 4}
        | {"shared_intermediate_size": 48, "index_n_heads": 2, "index_head_dim": 8, "index_block_size": 2}
        | {"index_topk_blocks": 1, "layer_types": ["minimax_m3_sparse"] * 2},
    ),
    "mistral_large4": Family("MistralLarge4TextModel", _SPARSE),
}
"""Families whose code branches on the name of the implementation; most select a few keys per row."""


_PLAIN = {key: value for key, value in _GROUPED.items() if key != "head_dim"}
_DELTA = {
    "linear_num_key_heads": 2,
    "linear_num_value_heads": 4,
    "linear_key_head_dim": 8,
    "linear_value_head_dim": 8,
}
_MAMBA = {"mamba_n_heads": 8, "mamba_d_head": 8, "mamba_d_state": 8, "mamba_n_groups": 1}
_EXPERTS = {"num_experts": 2, "num_experts_per_tok": 1, "moe_intermediate_size": 16}


@dataclass(frozen=True)
class Hybrid(Family):
    """A family with layers without attention."""

    numbers: tuple[int, ...] = ()
    """The layers that have attention, from 0."""
    others: tuple[str, ...] = ()
    """The kind of each other layer."""


_LINEAR, _CONVOLUTION, _OF_MAMBA = ("linear attention", "convolution", "Mamba")
HYBRIDS: dict[str, Hybrid] = {
    "qwen3_5": Hybrid(
        "Qwen3_5ForCausalLM",
        _GROUPED | _DELTA | {"num_hidden_layers": 4},
        numbers=(3,),
        others=(_LINEAR,) * 3,
    ),
    "qwen3_next": Hybrid(
        "Qwen3NextForCausalLM",
        _GROUPED | _DELTA | _EXPERTS | {"num_hidden_layers": 8, "shared_expert_intermediate_size": 16},
        numbers=(3, 7),
        others=(_LINEAR,) * 6,
    ),
    "olmo_hybrid": Hybrid(
        "OlmoHybridForCausalLM",
        _PLAIN | _DELTA | {"num_hidden_layers": 4},
        numbers=(3,),
        others=(_LINEAR,) * 3,
    ),
    "minimax": Hybrid(
        "MiniMaxForCausalLM",
        _GROUPED | {"num_hidden_layers": 4, "num_local_experts": 2, "num_experts_per_tok": 1},
        numbers=(0, 2),
        others=(_LINEAR,) * 2,
    ),
    "lfm2": Hybrid(
        "Lfm2ForCausalLM",
        _GROUPED | {"num_hidden_layers": 4, "layer_types": ["conv", "full_attention"] * 2},
        numbers=(1, 3),
        others=(_CONVOLUTION,) * 2,
    ),
    "recurrent_gemma": Hybrid(
        "RecurrentGemmaForCausalLM",
        _GROUPED | {"num_hidden_layers": 6, "lru_width": 32, "attention_window_size": 8},
        numbers=(2, 5),
        others=("recurrent block",) * 4,
    ),
    "granite": Hybrid(
        "GraniteMoeHybridForCausalLM",
        _GROUPED
        | _MAMBA
        | {
            "num_hidden_layers": 3,
            "layer_types": ["mamba", "attention", "mamba"],
            "shared_intermediate_size": 48,
            "num_local_experts": 2,
            "num_experts_per_tok": 1,
        },
        numbers=(1,),
        others=(_OF_MAMBA,) * 2,
    ),
    "nemotron_h": Hybrid(
        "NemotronHForCausalLM",
        {key: value for key, value in _GROUPED.items() if key != "num_hidden_layers"}
        | {
            "layers_block_type": ["mamba", "mlp", "attention", "moe", "mamba", "attention"],
            "mamba_num_heads": 8,
            "mamba_head_dim": 8,
            "ssm_state_size": 8,
            "n_groups": 1,
            "n_routed_experts": 2,
            "num_experts_per_tok": 1,
            "moe_intermediate_size": 16,
            "moe_shared_expert_intermediate_size": 16,
            "n_group": 1,
            "topk_group": 1,
        },
        numbers=(2, 5),
        others=(_OF_MAMBA, "feed-forward layer", "feed-forward layer", _OF_MAMBA),
    ),
    "jamba": Hybrid(
        "JambaForCausalLM",
        _PLAIN
        | {
            "num_hidden_layers": 4,
            "attn_layer_period": 2,
            "attn_layer_offset": 1,
            "num_experts": 2,
            "num_experts_per_tok": 1,
            "mamba_d_state": 8,
        },
        numbers=(1, 3),
        others=(_OF_MAMBA,) * 2,
    ),
    "bamba": Hybrid(
        "BambaForCausalLM",
        _PLAIN | _MAMBA | {"num_hidden_layers": 3, "attn_layer_indices": [1]},
        numbers=(1,),
        others=(_OF_MAMBA,) * 2,
    ),
    "zamba2": Hybrid(
        "Zamba2ForCausalLM",
        _PLAIN
        | {
            "num_hidden_layers": 6,
            "layers_block_type": ["mamba", "hybrid"] * 3,
            "mamba_d_state": 8,
            "n_mamba_heads": 8,
            "mamba_ngroups": 1,
            "num_mem_blocks": 1,
            "use_shared_attention_adapter": False,
        },
        numbers=(1, 3, 5),
        others=(_OF_MAMBA,) * 3,
    ),
}
"""The families with layers without attention."""


_MULTIPLIERS = {"residual_multiplier": 0.3, "logits_scaling": 4.0, "embedding_multiplier": 6.0}
GRANITE = Family("GraniteForCausalLM", {**FAMILIES["llama"].config, **_MULTIPLIERS, "attention_multiplier": 0.2})
"""A family that multiplies what enters the residual stream, what is added to it, and the logits."""


def tiny(family: Family, seed: int = 0, dtype: torch.dtype = torch.float32, **changed: Any) -> nn.Module:
    """Return a random model of a family, in evaluation mode; its biases and norms are random too."""
    import transformers

    model_class = getattr(transformers, family.model)
    config = model_class.config_class(**dict(family.config) | changed)
    torch.manual_seed(seed)
    model: nn.Module = model_class._from_config(config, attn_implementation="eager").to(dtype).eval()
    generator = torch.Generator().manual_seed(seed)
    with torch.no_grad():  # biases of 0 and norms of 1 hide mistakes
        for parameter in model.parameters():
            parameter.add_(torch.randn(parameter.shape, generator=generator).to(dtype) * 0.1)
    return model


def inputs_of(family: Family, tokens: int = TOKENS, *, padded: bool = False, seed: int = 0) -> dict[str, Tensor]:
    """Return an input of a family; a padded text has two masked positions."""
    generator = torch.Generator().manual_seed(seed)
    ids = torch.randint(4, VOCABULARY, (1, tokens), generator=generator)
    if family.takes == "image":
        size = family.config["image_size"]
        return {"pixel_values": torch.randn(1, 3, size, size, generator=generator)}
    if family.takes == "sound":
        return {"input_features": torch.randn(1, 8, 2 * tokens, generator=generator), "decoder_input_ids": ids[:, :7]}
    given = {"input_ids": ids}
    if padded:
        given["attention_mask"] = (torch.arange(tokens) < tokens - 2).long()[None]
    return given | ({"decoder_input_ids": ids[:, :7]} if family.takes == "both" else {})
