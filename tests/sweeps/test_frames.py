import math
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from attnviz.experiment.files.specs_in_files import preset
from attnviz.experiment.labs import Spec, SpecError, make_spec
from attnviz.experiment.sweeps.fields import numeric_fields
from attnviz.experiment.sweeps.frames import MOST_FRAMES, Sweep, parse_sweep

HEADED = make_spec({})
ALONE = preset("dot-product-random").spec
SENTENCE = preset("causal-sentence").spec
KERNEL = make_spec({"lab": "regression"})
DRAWN = make_spec({"lab": "regression", "data": {"kind": "synthetic"}})
GIVEN = make_spec({"mechanism": "given", "inputs": {"kind": "file", "path": "weights.npz"}})


def values(sweep: Sweep) -> list[float]:
    return [each.value for each in sweep.specs]


def sentence_of(text: str, spec: Spec) -> str:
    with pytest.raises(SpecError) as caught:
        parse_sweep(text, spec)
    return str(caught.value)


@pytest.mark.parametrize(
    ("text", "spec", "expected"),
    [
        ("batch_size=1:4", HEADED, [1, 2, 3, 4]),
        ("batch_size = 1 : 4 : 3", HEADED, [1, 4]),
        ("batch_size=1:6:2", HEADED, [1, 3, 5]),
        ("num_heads=10,1,10", HEADED, [10, 1, 10]),
        ("num_heads=1e1", HEADED, [10]),
        ("batch_size=4:1", HEADED, [4, 3, 2, 1]),
        ("width=0.1:0.5:0.1", KERNEL, [0.1, 0.2, 0.3, 0.4, 0.5]),
        ("width=1:1", KERNEL, [1]),
        ("width=0.5,2", KERNEL, [0.5, 2]),
        ("data.n_train=10:100:30", DRAWN, [10, 40, 70, 100]),
        ("x_test.step=0.5,0.25", KERNEL, [0.5, 0.25]),
        ("window=1:3", SENTENCE, [1, 2, 3]),
        ("data.noise=0:5e-324", DRAWN, [0]),
    ],
)
def test_that_a_sweep_sets_the_values_it_reads(text: str, spec: Spec, expected: list[float]) -> None:
    sweep = parse_sweep(text, spec)
    assert values(sweep) == expected
    assert sweep.left_out == ()


def test_that_a_range_of_any_numbers_is_twenty_evenly_spaced_ones() -> None:
    found = values(parse_sweep("data.noise=0:1.9", DRAWN))
    assert found == pytest.approx([each / 10 for each in range(20)], abs=1e-11)
    assert (found[0], found[-1]) == (0, 1.9)


def test_that_each_spec_has_the_value_and_everything_else_of_the_first() -> None:
    for each in parse_sweep("temperature=1:3:1", SENTENCE).specs:
        assert each.spec == SENTENCE.model_copy(update={"temperature": each.value})
    for each in parse_sweep("data.seed=1:3", DRAWN).specs:
        assert each.spec == make_spec({"lab": "regression", "data": {"kind": "synthetic", "seed": each.value}})


def test_that_heads_that_do_not_divide_the_hidden_size_are_left_out_with_the_rule() -> None:
    sweep = parse_sweep("num_heads=0:16", HEADED)
    assert values(sweep) == [1, 2, 4, 5, 10]
    assert [each.value for each in sweep.left_out] == [0, 3, 6, 7, 8, 9, 11, 12, 13, 14, 15, 16]
    why = {each.value: str(each.why) for each in sweep.left_out}
    assert why[0] == "num_heads 0 must be at least 1; nearest: 1"
    assert why[3] == "num_hiddens 100 is not divisible by num_heads 3; nearest: 99, 102"


def test_that_fields_which_follow_from_the_swept_one_follow() -> None:
    spec = make_spec({"self_attention": True, "num_queries": 4})
    found = parse_sweep("num_queries=2:5", spec).specs
    assert [(each.value, each.spec.num_queries, each.spec.num_kvpairs) for each in found] == [  # type: ignore[union-attr]
        (each, each, each) for each in (2, 3, 4, 5)
    ]


@pytest.mark.parametrize(
    ("text", "spec", "said"),
    [
        ("", HEADED, "nearest: num_heads=1:4"),
        ("num_heads", HEADED, "nearest: num_heads=1:4"),
        ("=1:4", KERNEL, "nearest: width=0.1:2"),
        ("num_head=1:4", HEADED, "there is no field 'num_head' in this spec; nearest: num_heads"),
        ("data.nois=1", DRAWN, "there is no field 'data.nois' beside data.kind 'synthetic'; nearest: data.noise"),
        ("data.noise=1", KERNEL, "there is no field 'data.noise' beside data.kind 'book'"),
        ("temperature=1", KERNEL, "there is no field 'temperature'"),
        ("mechanism=1:2", HEADED, "mechanism is not a number that can be swept"),
        ("causal=0:1", HEADED, "causal is not a number"),
        ("data=1", DRAWN, "data is not a number that can be swept; nearest: data.seed"),
        ("data.function=1", DRAWN, "data.function is not a number"),
        ("num_heads=", HEADED, "num_heads: value '' must be a whole number; nearest: 1"),
        ("num_heads=1:x", HEADED, "num_heads: value 'x' must be a whole number"),
        ("num_heads=1.5", HEADED, "num_heads: value 1.5 must be a whole number; nearest: 2"),
        ("num_heads=1:4:0.5", HEADED, "num_heads: step 0.5 must be a whole number; nearest: 1"),
        ("num_heads=1:4:0", HEADED, "step 0 must be above 0; nearest: 1"),
        ("width=0:1.9:-1", KERNEL, "step -1 must be above 0; nearest: 0.1"),
        ("width=nan", KERNEL, "value 'nan' must be a finite number"),
        ("width=-1e308:1e308", KERNEL, "are too far apart"),
        ("num_heads=1:2:3:4", HEADED, "nearest: num_heads=1:2:3"),
        (
            "num_heads=7:9",
            HEADED,
            "no value of num_heads=7:9 is legal; num_hiddens 100 is not divisible by num_heads 7",
        ),
        ("num_heads=7:9", HEADED, "nearest num_heads: 5"),
        ("width=0", KERNEL, "no value of width=0 is legal; width 0 must be at least 1e-06; nearest: 1e-06"),
        (
            "num_heads=1,2",
            ALONE,
            "num_heads changes nothing beside the other fields of this spec; nearest: num_hiddens",
        ),
        ("num_heads=1:4", GIVEN, "'num_heads' cannot be swept: given weights are shown as they are, with no setting"),
        ("seed", GIVEN, "given weights are shown as they are, with no setting to sweep"),
        ("num_queries=12", SENTENCE, "is not the sentence's 10 tokens"),
    ],
)
def test_that_what_is_wrong_is_a_sentence_with_the_value_the_rule_and_the_nearest(
    text: str, spec: Spec, said: str
) -> None:
    assert said in sentence_of(text, spec)


@pytest.mark.parametrize(
    ("text", "spec"),
    [
        ("num_hiddens=1:16384", HEADED),
        ("width=0.1:2:0.0001", KERNEL),
        ("data.noise=1:0:1e-6", DRAWN),
        ("seed=0:500", HEADED),
    ],
)
def test_that_the_step_which_is_offered_for_too_many_frames_is_not_too_many(text: str, spec: Spec) -> None:
    said = sentence_of(text, spec)
    assert f"makes more than {MOST_FRAMES} frames; nearest step: " in said
    field, _, wanted = text.partition("=")
    ends = ":".join(wanted.split(":")[:2])
    sweep = parse_sweep(f"{field}={ends}:{said.rpartition(' ')[2]}", spec)
    assert MOST_FRAMES / 2 < len(sweep.specs) + len(sweep.left_out) <= MOST_FRAMES


def test_that_as_many_frames_as_there_may_be_are_made() -> None:
    assert len(parse_sweep(f"seed=1:{MOST_FRAMES}", HEADED).specs) == MOST_FRAMES
    many = ",".join("1" * (MOST_FRAMES + 1))
    assert f"{MOST_FRAMES + 1} values are more than {MOST_FRAMES}; nearest" in sentence_of(f"seed={many}", HEADED)


@pytest.mark.parametrize("spec", [HEADED, ALONE, SENTENCE, KERNEL, DRAWN])
def test_that_every_numeric_field_can_be_swept_and_holds_numbers(spec: Spec) -> None:
    fields = numeric_fields(spec)
    assert {"seed", "dropout"} <= set(fields) or {"width", "x_test.start"} <= set(fields)
    active = type(spec).active_fields(spec.model_dump())
    for field, whole in fields.items():
        if field.partition(".")[0] in active:
            assert parse_sweep(f"{field}=1,0.5,0,2,3,8" if not whole else f"{field}=1,2,4,8,10", spec).specs


def test_that_a_sweep_of_the_points_says_that_they_change() -> None:
    assert parse_sweep("data.noise=0:1", DRAWN).changes_points
    assert not parse_sweep("width=0.5:1", DRAWN).changes_points


PARTS = st.sampled_from(["num_heads", "width", "data.noise", "=", ":", ",", "1", "-", "0.5", "1e999", "٣", "\0", "."])


@given(parts=st.lists(PARTS | st.text(max_size=3), max_size=9), spec=st.sampled_from([HEADED, DRAWN]))
def test_that_any_text_is_a_sweep_or_a_sentence(parts: list[str], spec: Any) -> None:
    try:
        sweep = parse_sweep("".join(parts), spec)
    except SpecError as error:
        said = str(error)
    else:
        assert all(math.isfinite(each.value) for each in sweep.specs)
        said = f"{len(sweep.specs) + len(sweep.left_out)} frames"
    assert 5 < len(said) < 900
