"""Folders whose model also takes pictures or sound, has layers of their own sizes, or is half of an encoder-decoder."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from model_folders import WORDS, change_config, made, written

import attnviz
from attnviz.engine.labs import cores_for
from attnviz.experiment.model.trace import ModelTrace

TEXT = "the cat sat on the mat"
_TEXT: dict[str, Any] = {
    "vocab_size": 64,
    "hidden_size": 32,
    "num_attention_heads": 4,
    "num_key_value_heads": 2,
    "head_dim": 8,
    "intermediate_size": 48,
    "max_position_embeddings": 128,
    "num_hidden_layers": 2,
    "pad_token_id": 0,
}
_VISION: dict[str, Any] = {
    "hidden_size": 32,
    "num_hidden_layers": 1,
    "num_attention_heads": 4,
    "intermediate_size": 48,
    "image_size": 28,
    "patch_size": 14,
}
_SHARED: dict[str, Any] = _TEXT | {
    "num_hidden_layers": 6,
    "sliding_window": 4,
    "num_kv_shared_layers": 2,
    "hidden_size_per_layer_input": 8,
    "vocab_size_per_layer_input": 64,
    "layer_types": ["sliding_attention", "full_attention"] * 3,
}
_OF_GEMMA_3N: dict[str, Any] = _SHARED | {"laurel_rank": 4, "activation_sparsity_pattern": [0.0] * 6}
_OF_GEMMA_4: dict[str, Any] = _SHARED | {
    "global_head_dim": 16,
    "num_global_key_value_heads": 1,
    "attention_k_eq_v": True,
}
_DELTA = {"linear_num_key_heads": 2, "linear_num_value_heads": 4, "linear_key_head_dim": 8, "linear_value_head_dim": 8}
_SPECIAL = {"image_token_id": 50, "video_token_id": 51, "vision_start_token_id": 52, "vision_end_token_id": 53}
_TOWER = {"depth": 1, "hidden_size": 32, "intermediate_size": 48, "num_heads": 4, "out_hidden_size": 32}

FAMILIES: dict[str, tuple[dict[str, Any], str, list[int]]] = {
    "gemma3": (
        {
            "text_config": _TEXT | {"sliding_window": 4},
            "vision_config": _VISION,
            "mm_tokens_per_image": 4,
            "image_token_index": 50,
            "boi_token_index": 51,
            "eoi_token_index": 52,
        },
        "pictures",
        [1, 2],
    ),
    "qwen3_5": (
        {
            "text_config": _TEXT | _DELTA | {"num_hidden_layers": 4},
            "vision_config": _TOWER | {"num_position_embeddings": 16},
            **_SPECIAL,
        },
        "pictures, videos",
        [4],
    ),
    "mllama": (
        {
            "text_config": _TEXT | {"num_hidden_layers": 3, "cross_attention_layers": [1]},
            "vision_config": _VISION
            | {
                "attention_heads": 4,
                "num_global_layers": 1,
                "vision_output_dim": 64,
                "intermediate_layers_indices": [0],
                "supported_aspect_ratios": [[1, 1]],
                "max_num_tiles": 1,
            },
            "image_token_index": 50,
        },
        "pictures",
        [1, 3],
    ),
    "qwen2_audio": (
        {
            "text_config": _TEXT | {"model_type": "qwen2"},
            "audio_config": {
                "model_type": "qwen2_audio_encoder",
                "d_model": 32,
                "encoder_layers": 1,
                "encoder_attention_heads": 4,
                "encoder_ffn_dim": 48,
                "num_mel_bins": 8,
                "max_source_positions": 16,
            },
            "audio_token_index": 50,
        },
        "sound",
        [1, 2],
    ),
}
"""The configuration of each, what it takes beside text, and its layers with attention."""


def trace_of(folder: Path) -> ModelTrace:
    trace = attnviz.run({"lab": "model", "device": "cpu", "folder": str(folder), "text": TEXT})
    assert isinstance(trace, ModelTrace)
    return trace


def shaken(model: Any) -> Any:
    """Return a model whose biases and norms are random too."""
    generator = torch.Generator().manual_seed(0)
    with torch.no_grad():
        for parameter in model.parameters():
            parameter.add_(torch.randn(parameter.shape, generator=generator) * 0.1)
    return model


def own_weights(model: Any, trace: ModelTrace) -> list[Any]:
    """Return the weights of the layers with attention, as the model computes them by itself."""
    with torch.no_grad(), cores_for(trace.spec):
        output = model(input_ids=torch.tensor([trace.read.ids]), output_attentions=True, use_cache=False)
    return [each.numpy() for each in output.attentions if each is not None]


def assert_is_own(model: Any, trace: ModelTrace) -> None:
    for number, own in zip(trace.layers.numbers, own_weights(model, trace), strict=True):
        np.testing.assert_array_equal(trace.layer_at(number).weights, own)


@pytest.mark.parametrize("family", FAMILIES)
def test_that_a_model_that_takes_more_than_text_reads_text_and_says_what_is_left_out(
    family: str, tmp_path: Path
) -> None:
    config, left_out, numbers = FAMILIES[family]
    model = shaken(made(family, "AutoModelForMultimodalLM", **config))
    trace = trace_of(written(tmp_path / family, model))
    assert_is_own(model, trace)
    assert str(trace.note) == f"Left out: {left_out}. The model reads the text alone."
    assert trace.arrays()["layers"].tolist() == numbers
    assert trace.model.most_tokens == 128
    assert trace.prediction is not None
    assert str(trace.check.text()) == "logits and weights equal the model's own: max difference 0"


def test_that_a_model_that_only_compares_pictures_with_text_is_refused(tmp_path: Path) -> None:
    model = made("chinese_clip", "AutoModel", text_config=_TEXT, vision_config=_VISION)
    with pytest.raises(RuntimeError, match="a model of the family chinese_clip takes image, text; this lab takes text"):
        trace_of(written(tmp_path / "clip", model))


@pytest.mark.parametrize(("family", "config"), [("gemma4_text", _OF_GEMMA_4), ("gemma3n_text", _OF_GEMMA_3N)])
def test_that_layers_of_their_own_sizes_open_and_say_whose_keys_they_use(
    family: str, config: dict[str, Any], tmp_path: Path
) -> None:
    model = shaken(made(family, **config))
    trace = trace_of(written(tmp_path / family, model))
    assert_is_own(model, trace)
    layers = [trace.layer_at(number) for number in range(6)]
    assert [str(each.note) for each in layers] == [
        *[""] * 4,
        "The keys and values of this layer are those of layer 3.",
        "The keys and values of this layer are those of layer 4.",
    ]
    np.testing.assert_array_equal(layers[4].k, layers[2].k)
    np.testing.assert_array_equal(layers[5].v, layers[3].v)
    arrays = trace.arrays()
    assert arrays["layers"].tolist() == [1, 2, 3, 4, 5, 6]
    assert arrays["weights"].shape[0] == 6
    if family == "gemma4_text":
        assert [arrays[f"q/{number}"].shape[-1] for number in range(1, 7)] == [8, 16] * 3
        assert "q" not in arrays
        assert [arrays[f"k/{number}"].shape[0] for number in range(1, 7)] == [2, 1] * 3
        assert [str(each) for each in trace.model.texts()][2] == "1 to 2 key-value heads"
        for number, layer in enumerate(layers, start=1):
            np.testing.assert_array_equal(arrays[f"k/{number}"], layer.k[0])


@pytest.mark.parametrize("family", ["t5", "mt5", "umt5"])
@pytest.mark.parametrize("has_decoder", [True, False])
def test_that_a_folder_that_holds_an_encoder_alone_opens(family: str, has_decoder: bool, tmp_path: Path) -> None:
    import transformers

    sizes = {"d_model": 32, "d_kv": 8, "d_ff": 48, "num_layers": 2, "num_heads": 4, "vocab_size": len(WORDS)}
    kind = getattr(transformers, f"{family.upper()}EncoderModel")
    model = shaken(kind._from_config(kind.config_class(**sizes), attn_implementation="eager").eval())
    folder = written(tmp_path / family, model)
    change_config(folder, is_encoder_decoder=has_decoder)
    trace = trace_of(folder)
    assert_is_own(model, trace)
    assert str(trace.note) == ""


def test_that_a_model_that_takes_no_text_is_refused_by_what_it_takes(tmp_path: Path) -> None:
    folder = written(tmp_path / "focalnet")
    change_config(folder, model_type="focalnet", architectures=["FocalNetModel"])
    with pytest.raises(RuntimeError, match="a model of the family focalnet takes image; this lab takes text"):
        trace_of(folder)
