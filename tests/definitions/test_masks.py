"""Every mask in the registry: whole, and told apart from the others."""

import re
from typing import Any

import pytest

from attnviz.definitions.masks import MASKS, in_force, made_beside_module
from attnviz.definitions.masks.mask import Mask
from attnviz.experiment.attention.fields import AttentionFields
from attnviz.experiment.attention.masks import FurtherMasks
from attnviz.experiment.fields.chosen_records import with_defaults
from attnviz.experiment.labs import make_spec

EVERYTHING: dict[str, Any] = {
    "causal": True,
    "valid_lens": [2, 3],
    "window": 2,
    "document_lens": [2, 1],
    "painted": "0: 1",
}


def everything(**values: Any) -> Any:
    """Return a spec that has every mask of the registry in force."""
    further = {name: with_defaults(mask) for name, mask in FurtherMasks.records().items()}
    return make_spec(EVERYTHING | {"masks": further} | values)


@pytest.mark.parametrize("mask", MASKS.values(), ids=lambda mask: mask.name)
def test_that_a_mask_has_its_words_its_formula_and_its_code(mask: Mask) -> None:
    (state,) = (state for each, state in in_force(everything()) if each is mask)
    numbers = mask.numbers(state)
    for text in (mask.title, mask.help, mask.words, mask.spoken.format(**numbers)):
        assert text.strip() == text != ""
    assert re.search(r"[a-z]", mask.formula.format(**numbers))
    assert mask.reason.format(**mask.reason_numbers(state, 0, 0, 0, 1))
    compile(mask.code(state).rule, mask.name, "eval")
    compile("\n".join(mask.code(state).lines), mask.name, "exec")


def test_that_each_field_of_the_group_mask_but_three_is_the_field_of_one_mask() -> None:
    group = [
        name
        for name, field in AttentionFields.model_fields.items()
        if isinstance(field.json_schema_extra, dict) and field.json_schema_extra["group"] == "Mask"
    ]
    fields = [mask.field for mask in MASKS.values() if mask.field]
    assert sorted([*fields, "masks", "mask_policy", "mods"]) == sorted(group)


def test_that_nothing_is_in_force_in_a_plain_spec_and_a_modules_own_mask_is_not_made_beside_it() -> None:
    assert list(in_force(make_spec({}))) == []
    causal: Any = make_spec({"mechanism": "causal_multi_head", "window": 3})
    assert [mask.name for mask, _ in in_force(causal)] == ["causal", "window"]
    assert [mask.name for mask, _ in made_beside_module(causal)] == ["window"]
