"""The spec of a model: its JSON, its canonical form, what it refuses; and the words that tokens are pieces of."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from attnviz.experiment.files.session import session_or_spec_from_json
from attnviz.experiment.labs import SpecError, make_spec, spec_to_json
from attnviz.experiment.layers.arrays import layer_of_arrays
from attnviz.experiment.model.shown import shown_layer
from attnviz.experiment.model.spec import ModelSpec
from attnviz.experiment.model.text import ReadText
from attnviz.folders import resource

EVERYTHING: dict[str, Any] = {
    "lab": "model",
    "folder": "models/mine",
    "text": "中文 and an emoji 🐈",
    "text_b": "another",
    "special_tokens": False,
    "heads_off": ["1.2", "3.4"],
    "tokens_hidden": [2, 5],
    "temperature": 2.5,
    "patch": [{"head": "3.4", "token": 9, "from": "b"}],
    "painted": {"3.4": "1: 3-5", "5": "0: 1"},
    "ablation": "mean",
    "dtype": "bfloat16",
    "device": "cpu",
    "seed": 3,
}


def spec_of(**values: Any) -> ModelSpec:
    spec = make_spec({"lab": "model", **values})
    assert isinstance(spec, ModelSpec)
    return spec


def test_that_its_json_has_the_names_of_its_fields_and_is_read_back() -> None:
    spec = make_spec(EVERYTHING)
    assert json.loads(spec_to_json(spec)) == EVERYTHING
    assert session_or_spec_from_json(spec_to_json(spec)).spec == spec
    assert hash(spec) == hash(make_spec(EVERYTHING))


def test_that_heads_tokens_patches_and_cells_have_one_order_and_one_spelling() -> None:
    patch = [{"head": head, "token": token} for head, token in (("2.1", 3), ("1.4", 9), ("2.1", 1), ("1.4", 9))]
    spec = spec_of(
        heads_off=["10.1", "2.03", "2.3", "1.1"],
        tokens_hidden=[5, 2, 5],
        text_b="b",
        patch=patch,
        painted={"10": "2: 1", "2.1": "1: 3 4", "3": ""},
    )
    assert spec.heads_off == ("1.1", "2.3", "10.1")
    assert make_spec({"lab": "model", "heads_off": ["1.99999999999"]}).heads_off == ("1.99999999999",)
    assert spec.tokens_hidden == (2, 5)
    assert [(each.head, each.token) for each in spec.patch] == [("1.4", 9), ("2.1", 1), ("2.1", 3)]
    assert dict(spec.painted) == {"2.1": "1: 3-4", "10": "2: 1"}
    assert spec.pairs_off() == ((0, 0), (1, 2), (9, 0))


@pytest.mark.parametrize(
    ("values", "sentence"),
    [
        ({"heads_off": ["0.1"]}, "there is no head '0.1' in heads_off: layers and heads count from 1; nearest: 1.1"),
        ({"heads_off": ["1.0"]}, "nearest: 1.1"),
        ({"heads_off": 3}, "heads_off 3 must be a list; nearest: []"),
        ({"tokens_hidden": "2"}, "tokens_hidden '2' must be a list; nearest: []"),
        ({"heads_off": ["first"]}, "'first' in heads_off must name a head as layer.head; nearest: 1.1"),
        ({"tokens_hidden": [-1]}, "tokens_hidden.0 -1 must be at least 0; nearest: 0"),
        ({"temperature": 0}, "temperature 0 must be at least 1e-06; nearest: 1e-06"),
        ({"patch": [{"head": "1.1", "token": 0}]}, "takes the output of a head from text_b, which is empty"),
        ({"patch": [{"head": "1.1", "token": 0, "from": "c"}], "text_b": "x"}, "'c' must be one of 'b'"),
        ({"patch": [{"head": "1", "token": 0}], "text_b": "x"}, "'1' in patch must name a head as layer.head"),
        ({"painted": {"all": "1: 2"}}, "'all' in painted must name a head or a layer, such as 3.4 or 3; nearest: 1"),
        ({"painted": {"1": "0: 1", "01": "1: 2"}}, "painted names '1' twice; nearest: one text with all its cells"),
        ({"painted": {"1.1": "1"}}, "painted entry '1' must read 'query: keys'"),
        ({"painted": "1: 2"}, "painted '1: 2' must be an object with a text for each head or layer"),
        ({"ablation": "noise"}, "ablation 'noise' must be one of 'zero' or 'mean'"),
        ({"dtype": "int8"}, "dtype 'int8' must be one of"),
        ({"layers": 3}, "there is no field 'layers'"),
        ({"text": "x" * 20_001}, "text is longer than 20000 characters"),
    ],
)
def test_that_what_is_illegal_is_refused_with_the_nearest(values: dict[str, Any], sentence: str) -> None:
    with pytest.raises(SpecError) as caught:
        spec_of(**values)
    assert sentence in str(caught.value)


@pytest.mark.parametrize("name", ModelSpec.interventions())
def test_that_each_intervention_is_one_and_none_is_left_without_them(name: str) -> None:
    changed = spec_of(**{name: EVERYTHING[name], "text_b": "another"})
    assert changed.has_changes
    assert not changed.without_changes.has_changes
    assert changed.of_text_b == spec_of(text="another")
    assert not spec_of(text_b="another").has_changes


def test_that_a_folder_that_comes_along_is_found_from_everywhere(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("HOME", str(tmp_path))
    assert ModelSpec().path == resource("models/induction")
    for name, path in (("mine", "mine"), ("models/../mine", "models/../mine"), ("models/nowhere", "models/nowhere")):
        assert spec_of(folder=name).path == Path(path)
    assert spec_of(folder="~/mine").path == tmp_path / "mine"
    assert spec_of(folder="~nobody-of-that-name/x").path == Path("~nobody-of-that-name/x")


@pytest.mark.parametrize("folder", [" x", "\0", "a/" * 2000, "C:\\models\\gpt2", "models/induction"])
def test_that_a_file_name_is_proposed_for_any_folder(folder: str) -> None:
    name = "-".join(part for part in spec_of(folder=folder).name_parts if part)
    assert name.startswith("model")
    assert not set(name) & set('/\\:\0"')


# The words of a text.

READ = ReadText(
    text="unhappy cat",
    ids=(1, 5, 6, 7, 2),
    names=("[CLS]", "un", "##happy", "cat", "[SEP]"),
    spans=((0, 0), (0, 2), (2, 7), (8, 11), (0, 0)),
    special=(True, False, False, False, True),
    word_ids=(None, 0, 0, 1, None),
)


def test_that_pieces_of_a_word_and_special_tokens_are_shown_as_asked() -> None:
    def names(**how: bool) -> list[str]:
        return [group.name for group in READ.groups(**how)]

    assert names(joined=False, hide_special=False) == list(READ.names)
    assert names(joined=True, hide_special=False) == ["[CLS]", "unhappy", "cat", "[SEP]"]
    assert names(joined=False, hide_special=True) == ["un", "##happy", "cat"]
    assert names(joined=True, hide_special=True) == ["unhappy", "cat"]
    assert READ.sinks == (0, 4)
    bare = ReadText("", (1, 2), ("[CLS]", "[SEP]"), ((0, 0), (0, 0)), (True, True), (None, None))
    assert [group.name for group in bare.groups(joined=True, hide_special=True)] == ["[CLS]", "[SEP]"]


def test_that_a_word_has_the_sum_of_its_pieces_as_a_key_and_their_mean_as_a_query() -> None:
    weights = np.random.default_rng(0).random((1, 2, 5, 5)).astype(np.float32)
    weights /= weights.sum(axis=-1, keepdims=True)
    layer = layer_of_arrays(weights, np.ones((1, 2, 5, 5), bool), READ.names, READ.names)
    joined = shown_layer(layer, READ, joined=True)
    assert joined.weights.shape == (1, 2, 4, 4)
    np.testing.assert_allclose(joined.row_sums, 1, atol=1e-6)
    assert joined.weights[0, 1, 1, 2] == pytest.approx(weights[0, 1, 1:3, 3].mean())
    assert joined.weights[0, 1, 2, 1] == pytest.approx(weights[0, 1, 3, 1:3].sum())
    assert "the sum over keys, the mean over queries" in str(joined.note)
    bare = shown_layer(layer, READ, hide_special=True)
    np.testing.assert_array_equal(bare.weights, weights[:, :, 1:4, 1:4])
    assert "rows no longer sum to 1" in str(bare.note)
    assert shown_layer(layer, READ) is layer
