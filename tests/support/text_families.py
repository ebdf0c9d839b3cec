"""The text families of transformers: those shown, those refused (with the error code), and those not tried.

A text family reads ``input_ids``; some also read images or sound.
"""

from typing import Any

import tiny_configs  # noqa: F401 - sets what transformers reads when it is imported

_MAPPINGS = ("IMAGE_TEXT_TO_TEXT_", "MULTIMODAL_LM_", "CAUSAL_LM_", "MASKED_LM_", "SEQ_TO_SEQ_CAUSAL_LM_")


def class_of(family: str) -> Any:
    """Return the model class that a family's folders are usually saved with."""
    import transformers

    of_family = transformers.CONFIG_MAPPING[family]
    for mapping in (*(f"MODEL_FOR_{name}MAPPING" for name in _MAPPINGS), "MODEL_MAPPING"):
        found = getattr(transformers, mapping).get(of_family, None)
        for each in found if isinstance(found, tuple) else (found,):
            if each is not None and each.config_class is of_family:
                return each
    found = transformers.MODEL_FOR_CAUSAL_LM_MAPPING.get(of_family, None)  # of another family's class
    if found is None:
        raise LookupError(family)
    return found[0] if isinstance(found, tuple) else found


def text_families() -> list[str]:
    """Return every family of the installed transformers whose models read text."""
    import transformers

    families = []
    for family in list(transformers.CONFIG_MAPPING):
        try:
            made_by = class_of(family)
            inputs = made_by.input_modalities
        except (LookupError, ImportError, ValueError):  # no model, or one whose package is missing
            continue
        inputs = (inputs,) if isinstance(inputs, str) else inputs
        if "text" in inputs and made_by.main_input_name == "input_ids":
            families.append(family)
    return families


SHOWN = tuple(
    """
        EvollaModel afmoe albert apertus apertus1p5_text arcee aria aria_text axk1 axk2 aya_vision
        bailing_hybrid bamba bart beam bert bert-generation big_bird bigbird_pegasus biogpt bitnet blenderbot
        blenderbot-small bloom camembert chameleon clip clip_text_model codegen cohere cohere2 cohere2_moe
        cohere2_vision convbert cosmos3_edge cosmos3_edge_text cosmos3_omni ctrl cwm data2vec-text deberta
        deberta-v2 deepseek_v2 deepseek_v3 deepseek_v32 deepseek_vl deepseek_vl_hybrid distilbert doge dory
        dots1 dpr electra embedding_gemma2_text ernie ernie4_5 ernie4_5_moe esm esmc eurobert evolla exaone
        exaone4 exaone4_5 exaone_moe falcon falcon_h1 flaubert flex_olmo flint fsmt fun_asr_nano fuyu gemma
        gemma2 gemma3 gemma3_text gemma3n_text gemma4 gemma4_text gemma4_unified gemma4_unified_text git glm
        glm4 glm46v glm4_moe glm4_moe_lite glm4v glm4v_moe glm4v_moe_text glm4v_text glm5_next glm5_next_text
        glm_image_text glm_moe_dsa glm_ocr glm_ocr_text glmasr got_ocr2 gpt-sw3 gpt2 gpt_bigcode gpt_neo
        gpt_neox gpt_neox_japanese gpt_oss gptj granite granite_docling granite_docling_text granite_speech
        granite_speech_plus granite_swa granitemoe granitemoe_swa granitemoehybrid granitemoeshared gte helium
        higgs_audio_v2 hrm_text hunyuan_v1_dense hunyuan_v1_moe hunyuan_vl hunyuan_vl_text hy_v3 hy_v4 hy_v4_vl
        hy_v4_vl_text hyperclovax hyperclovax_vision_v2 ibert idefics2 idefics3 inkling_text internlm3 internvl
        iquestcoder jais2 jamba jetmoe jina_embeddings_v3 kimi_k25 kimi_linear kolibri1 kosmos-2.5 laguna
        lara_mini layoutlm lfm2 lfm2_moe lfm2_vl lfm3 lfm3_vl lighton_ocr llama llama4_text llava llava_next
        llava_next_video llava_onevision longcat_flash luke m2m_100 marian markuplm mbart megatron-bert mellum
        metaclip_2 mimo_v2_flash minicpm3 minicpm_ocr minicpmv4_6 minicpmv4_7 minimax minimax_m2
        minimax_m3_vl
        minimax_m3_vl_text ministral ministral3 mistral mistral3 mistral4 mistral_large4 mistral_large4_text
        mixtral mllama mobilebert modernbert modernbert-decoder molmo2 molmo2_text moshi moss_transcribe_diarize
        mpnet mpt mt5 muse_glimmer muse_glimmer_text muse_spark muse_spark_text mvp nanochat nemotron nemotron_h
        nemotron_h_omni nllb-moe nomic_bert nystromformer olmo olmo2 olmo3 olmo_hybrid olmoe omniasr openai-gpt
        openai_privacy_filter opt ovis2 paddleocr_vl paligemma pegasus persimmon phi phi3 phi4_multimodal phimoe
        plbart prophetnet qianfan_ocr qwen2 qwen2_5_omni_thinker qwen2_5_vl qwen2_5_vl_text qwen2_audio
        qwen2_moe qwen2_vl qwen2_vl_text qwen3 qwen3_5 qwen3_5_moe qwen3_5_moe_text qwen3_5_text qwen3_asr
        qwen3_moe qwen3_next qwen3_omni_moe_thinker qwen3_vl qwen3_vl_moe qwen3_vl_moe_text qwen3_vl_text
        recurrent_gemma rembert roberta roberta-prelayernorm roc_bert roformer sarvam_mla sarvam_moe seed_oss
        siglip smollm3 smolvlm solar_open splinter squeezebert stablelm starcoder2 step3p7 switch_transformers t5
        t5gemma tapas tipsv2_text_model ultrabert umt5 vaultgemma video_llama_3 video_llava vipllava voxtral
        xglm xlm xlm-roberta xlm-roberta-xl xlnet youtu zamba zamba2 zaya
    """.split()  # noqa: SIM905 - a line for each would fill a page
)
"""Shown with weights and outputs equal to the model's own."""

_REFUSED_WITH = {
    "attends_twice": """
        diffllama lilt
    """,
    "model_not_of_text": """
        align altclip audioflamingo3 bark blip_2_qformer bridgetower canine chinese_clip clap clipseg clvp
        dia embedding_gemma2 exaone4_5_vision fastspeech2_conformer fastspeech2_conformer_with_hifigan flava
        gemma4_vision glm_image glm_image_vqmodel gradium_phonon_tts groupvit layoutlmv3 lxmert
        modernvbert musicflamingo neomme owlv2 owlvit pe_audio pocket_tts qwen2_5_vl_vision seamless_m4t
        seamless_m4t_v2 siglip2 t5gemma2 tipsv2 udop ultravbert vilt vision-text-dual-encoder visual_bert
        vits whisper xclip
    """,
    "model_refused": """
        bros idefics voxtral_realtime xmod
    """,
    "model_unknown": """
        encoder-decoder gemma4_unified_assistant trocr
    """,
    "no_attention": """
        falcon_mamba fnet mamba mamba2 mra reformer rwkv xlstm yoso
    """,
    "not_followed": """
        blt cpmant deepseek_v4 funnel inkling2 inkling2_loop inkling2_loop_text inkling2_text led longformer
        longt5 pegasus_x
    """,
}
REFUSED = {family: code for code, families in _REFUSED_WITH.items() for family in families.split()}
"""Refused, with the error code of each."""

_UNTRIED_BECAUSE = {
    "its code fails in this version of transformers": """
        llama4
    """,
    "its parts for images or sound have no small size": """
        florence2 janus qwen2_5_omni tvp vibevoice vibevoice_asr
    """,
    "needs the package detectron2": """
        layoutlmv2
    """,
    "needs the package scipy": """
        inkling_mm_model
    """,
    "needs the package timm": """
        fast_vlm gemma3n pe_audio_video pe_video perception_lm
    """,
    "no small configuration is legal": """
        apertus1p5 cohere_compass cohere_compass_text csm dbrx deepseek_ocr2 diffusion_gemma dots3_note
        dots3_note_text emu3 ernie4_5_vl_moe gemma4_assistant granite4_vision kyutai_speech_to_text musicgen
        musicgen_melody qwen3_omni_moe qwen4_exp qwen4_exp_text t5gemma2_encoder
    """,
    "no small configuration of its code fits its weights": """
        nemo_speechlm
    """,
    "no small configuration of its code runs": """
        unlimited_ocr
    """,
}
UNTRIED = {family: why for why, families in _UNTRIED_BECAUSE.items() for family in families.split()}
"""Not tried, with the reason why no tiny model can be made."""

_ROTATED = {"rope_parameters": {"mrope_section": [2, 1, 1]}}
SIZES: dict[str, dict[str, Any]] = {
    "align": {"vision_config": {"depthwise_padding": [], "width_coefficient": 0.1, "depth_coefficient": 0.1}},
    "aria": {"projector_patch_to_query_dict": {"4": 4}},
    "bamba": {"attn_layer_indices": [1]},
    "blt": {"encoder_hash_byte_group_vocab": 64},
    "bridgetower": {
        "num_attention_heads": 4,
        "vision_config": {"hidden_size": 64},
        "text_config": {"num_attention_heads": 4, "hidden_size": 32},
    },
    "chameleon": {"vocabulary_map": {"<image>": 100}},
    "cosmos3_edge": {"text_config": _ROTATED},
    "cosmos3_edge_text": _ROTATED,
    "deepseek_v2": {"num_experts_per_tok": 2, "topk_method": "greedy"},
    "dory": {
        "n_input_layers": 1,
        "n_recurrent_layers": 1,
        "n_output_layers": 1,
        "num_hidden_layers": 3,
        "layer_types": ["full_attention", "full_attention", "full_attention"],
    },
    "dots1": {"n_routed_experts": 4, "num_experts_per_tok": 2, "n_shared_experts": 1},
    "esm": {"vocab_size": 128, "position_embedding_type": "rotary", "mask_token_id": 3, "pad_token_id": 0},
    "esmc": {"num_key_value_heads": 4},
    "falcon_h1": {"mamba_d_ssm": 64, "mamba_n_heads": 4, "mamba_d_head": 16},
    "fun_asr_nano": {"adaptor_config": {"intermediate_size": 8}},
    "gemma3n_text": {"num_kv_shared_layers": 0, "layer_types": ["sliding_attention", "full_attention"]},
    "gemma4_unified_assistant": {"text_config": {"num_kv_shared_layers": 0}},
    "glm46v": {"text_config": _ROTATED},
    "glm4v": {"text_config": _ROTATED},
    "glm4v_moe": {"text_config": {"rope_parameters": {"mrope_section": [1, 1, 0]}}},
    "glm4v_moe_text": {"rope_parameters": {"mrope_section": [1, 1, 0]}},
    "glm4v_text": _ROTATED,
    "glm5_next": {"text_config": {"index_kpool": 2}},
    "glm5_next_text": {"index_kpool": 2},
    "glm_image_text": _ROTATED,
    "glm_ocr": {"text_config": _ROTATED},
    "glm_ocr_text": _ROTATED,
    "gradium_phonon_tts": {"flow_head_config": {"condition_dim": 32}},
    "granitemoehybrid": {"layer_types": ["linear_attention", "full_attention"]},
    "hunyuan_v1_dense": {"head_dim": 8},
    "hunyuan_v1_moe": {"head_dim": 8},
    "hunyuan_vl": {"text_config": {"head_dim": 8, "rope_parameters": {"xdrope_section": [1, 1, 1, 1]}}},
    "hunyuan_vl_text": {"head_dim": 8, "rope_parameters": {"xdrope_section": [1, 1, 1, 1]}},
    "hy_v4_vl": {"text_config": {"rope_parameters": {"mrope_section": [1, 1, 0]}}},
    "hy_v4_vl_text": {"rope_parameters": {"mrope_section": [1, 1, 0]}},
    "jamba": {"attn_layer_period": 2, "attn_layer_offset": 1, "num_hidden_layers": 2, "use_mamba_kernels": False},
    "lfm2_moe": {"layer_types": ["full_attention", "conv"], "num_hidden_layers": 2},
    "lilt": {"hidden_size": 48},
    "longcat_flash": {"qk_head_dim": 12, "head_dim": 4},
    "mamba2": {"num_heads": 4, "head_dim": 16, "hidden_size": 32},
    "ministral": {"head_dim": 8},
    "mobilebert": {"embedding_size": 32, "intra_bottleneck_size": 32, "true_hidden_size": 32},
    "molmo2": {"adapter_config": {"vision_feature_layer": [1, 0]}},
    "nemotron": {"num_key_value_heads": 2, "head_dim": 8},
    "neomme": {"rope_parameters": {"full_attention": {"partial_rotary_factor": 0.5}}},
    "paddleocr_vl": {"text_config": _ROTATED},
    "pocket_tts": {"flow_head_config": {"condition_dim": 32}},
    "qwen2_5_omni_thinker": {"text_config": _ROTATED},
    "qwen2_5_vl": {"text_config": _ROTATED},
    "qwen2_5_vl_text": _ROTATED,
    "qwen2_vl": {"text_config": _ROTATED},
    "qwen2_vl_text": _ROTATED,
    "recurrent_gemma": {
        "lru_width": 32,
        "num_hidden_layers": 3,
        "block_types": ["recurrent", "recurrent", "attention"],
    },
    "reformer": {
        "is_decoder": True,
        "axial_pos_shape": [4, 32],
        "axial_pos_embds_dim": [16, 16],
        "attn_layers": ["local", "lsh"],
    },
    "step3p7": {"text_config": {"sliding_window": 4}},
    "tipsv2": {"vision_config": {"out_features": ["stage2"], "out_indices": [2]}},
    "xlnet": {"d_model": 32, "n_head": 4, "d_head": 8},
    "xlstm": {"hidden_size": 32, "num_heads": 4, "num_blocks": 2, "embedding_dim": 32},
    "zamba": {
        "num_hidden_layers": 4,
        "layers_block_type": ["mamba", "hybrid", "mamba", "hybrid"],
        "attn_layer_period": 2,
        "attn_layer_offset": 1,
        "attention_hidden_size": 64,
        "attention_head_dim": 16,
    },
    "zamba2": {
        "num_hidden_layers": 4,
        "layers_block_type": ["mamba", "hybrid", "mamba", "hybrid"],
        "hybrid_layer_ids": [1, 3],
        "num_mem_blocks": 1,
        "attention_hidden_size": 64,
        "attention_head_dim": 16,
        "mamba_headdim": 16,
        "mamba_ngroups": 1,
        "n_mamba_heads": 4,
    },
}
"""Settings of a family besides the sizes of `tiny_config`."""
