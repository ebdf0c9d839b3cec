"""Configurations as transformers writes them: everything in them that describes a model is read."""

import json
import math
from pathlib import Path
from typing import Any

import pytest
from model_folders import change_config, written

from attnviz.engine.model import loading
from attnviz.engine.model.folder import check
from attnviz.engine.model.images.families import FAMILIES

transformers: Any = loading.transformers()  # told before its first import to write nothing
StrictDataclassError: Any = pytest.importorskip("huggingface_hub.errors").StrictDataclassError

DESCRIBES_NO_MODEL = {
    *("_name_or_path", "dtype", "transformers_version", "architectures", "attn_implementation"),
    *("chunk_size_feed_forward", "use_cache", "return_dict", "output_attentions", "output_hidden_states"),
    *("output_router_logits", "id2label", "label2id", "num_labels", "problem_type"),
    *("_frame_rate", "_label_trainable_num_channels", "_remove_final_layer_norm"),  # of sound and pictures
}
"""How a model is loaded, what its outputs are called, and which of them it returns."""


def differing(written_: Any, read: Any, key: str = "") -> list[str]:
    """Return the keys of a configuration that are not read as they were written."""
    if isinstance(written_, dict) and isinstance(read, dict):
        kept = written_.keys() - DESCRIBES_NO_MODEL
        return [each for name in kept for each in differing(written_[name], read.get(name), name)]
    if isinstance(written_, dict) and set(written_) == {"__float__"}:
        return [] if isinstance(read, float) and read == float(written_["__float__"]) else [key]
    if isinstance(written_, list) and isinstance(read, list) and len(written_) == len(read):
        return [each for pair in zip(written_, read, strict=True) for each in differing(*pair, key)]
    return [] if written_ == read else [key]


def test_that_every_key_of_every_family_that_describes_a_model_is_read(tmp_path: Path) -> None:
    path = written(tmp_path)
    count, unread = 0, {}
    for family in transformers.CONFIG_MAPPING:
        try:
            text = transformers.CONFIG_MAPPING[family]().to_json_string(use_diff=False)
        except (ValueError, StrictDataclassError):
            continue  # two families have no configuration by default
        config = json.loads(text)
        (path / "config.json").write_text(json.dumps(config | {"model_type": family}))
        count += 1
        of_images = family in FAMILIES and not FAMILIES[family].text_side
        if found := differing(config | {"model_type": family}, check(path, of_images=of_images).config):
            unread[family] = found
    assert unread == {}
    assert count > 500


@pytest.mark.parametrize("given", [{"__float__": "Infinity"}, float("inf")], ids=["as it is written now", "as before"])
def test_that_numbers_which_json_lacks_are_read_in_both_notations(given: Any, tmp_path: Path) -> None:
    path = written(tmp_path)
    minus = {"__float__": "-Infinity"} if isinstance(given, dict) else float("-inf")
    none = {"__float__": "NaN"} if isinstance(given, dict) else float("nan")
    change_config(path, time_step_limit=[0.0, given], lowest=minus, none=none)
    config = check(path).config
    assert config["time_step_limit"] == [0.0, math.inf]
    assert config["lowest"] == -math.inf
    assert math.isnan(config["none"])
