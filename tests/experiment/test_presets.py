import json
from collections.abc import Iterator
from itertools import groupby
from pathlib import Path

import pytest

from attnviz.engine.run import run
from attnviz.experiment.attention.fields import OnesInputs
from attnviz.experiment.attention.spec import AttentionSpec
from attnviz.experiment.fields.differences import differing
from attnviz.experiment.files import specs_in_files as module
from attnviz.experiment.files.session import session_or_spec_from_json
from attnviz.experiment.files.specs_in_files import Preset, nearest_preset, preset, preset_of, presets
from attnviz.experiment.labs import LABS, Spec, SpecError, spec_to_json, stages_of
from attnviz.experiment.regression.data import BookData
from attnviz.experiment.regression.spec import RegressionSpec
from attnviz.experiment.train.spec import TrainSpec
from attnviz.folders import resource

FILES = sorted(resource("presets").glob("*.json"))
NAMES = sorted(path.stem for path in FILES)


@pytest.fixture
def presets_in(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A folder of presets of its own."""
    monkeypatch.setattr(module, "resource", {"presets": tmp_path}.__getitem__)
    presets.cache_clear()
    yield tmp_path
    presets.cache_clear()


def test_that_every_file_is_a_preset_under_the_name_of_the_file() -> None:
    assert sorted(presets()) == NAMES
    assert all(preset(name).name == name for name in NAMES)


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_that_a_preset_says_what_its_file_says(path: Path) -> None:
    document = json.loads(path.read_text(encoding="utf-8"))
    found = preset(path.stem)
    assert (found.title, found.about) == (document["title"], document["about"])
    assert session_or_spec_from_json(json.dumps(document["spec"])).spec == found.spec
    assert session_or_spec_from_json(spec_to_json(found.spec)).spec == found.spec


def test_that_presets_come_in_the_order_of_the_lecture() -> None:
    orders = {path.stem: json.loads(path.read_text(encoding="utf-8"))["order"] for path in FILES}
    assert list(presets()) == sorted(orders, key=orders.__getitem__)
    assert len(set(orders.values())) == len(orders)
    assert [found.number for found in presets().values()] == list(range(1, len(orders) + 1))


def test_that_a_chapter_is_of_one_lab_and_its_presets_follow_each_other() -> None:
    chapters = [chapter for chapter, _ in groupby(presets().values(), lambda found: (found.chapter, found.spec.lab))]
    assert len({title for title, _ in chapters}) == len(chapters)


def test_that_no_two_presets_share_a_title_and_each_says_what_it_shows() -> None:
    assert len({found.title for found in presets().values()}) == len(NAMES)
    for found in presets().values():
        assert found.about.endswith(".")
        assert len(found.about) <= 90


def is_not_random(spec: Spec) -> bool:
    if isinstance(spec, AttentionSpec):
        return isinstance(spec.inputs, OnesInputs)
    return isinstance(spec, RegressionSpec) and isinstance(spec.data, BookData)


def twin_of(name: str) -> str:
    return f"{name.removesuffix('-book')}-random"


@pytest.mark.parametrize("name", [name for name, found in presets().items() if is_not_random(found.spec)])
def test_that_an_example_without_chance_has_a_seeded_random_twin(name: str) -> None:
    original, twin = preset(name).spec, preset(twin_of(name)).spec
    assert type(twin) is type(original)
    assert not is_not_random(twin)


@pytest.mark.parametrize("name", [name for name in NAMES if name.endswith("-book") and twin_of(name) in NAMES])
def test_that_a_twin_differs_from_its_example_in_its_numbers_alone(name: str) -> None:
    numbers = {"inputs", "data", "seed", "x_test"}
    original, twin = preset(name).spec, preset(twin_of(name)).spec
    assert original.model_dump(exclude=numbers) == twin.model_dump(exclude=numbers)
    assert original != twin


def test_that_every_preset_is_told_by_its_spec() -> None:
    assert [preset_of(found.spec) for found in presets().values()] == list(presets().values())
    assert preset_of(preset("many-heads").spec.model_copy(update={"seed": 4321})) is None


@pytest.mark.parametrize("changes", [{}, {"seed": 4321}, {"seed": 4321, "device": "cpu"}])
@pytest.mark.parametrize("most", [1, 6])
def test_that_the_nearest_preset_differs_in_the_fewest_fields(changes: dict[str, object], most: int) -> None:
    for name in NAMES:
        spec = preset(name).spec.model_copy(update=changes)
        counts = [len(differing(each.spec, spec)) for each in presets().values() if each.spec.lab == spec.lab]
        found = nearest_preset(spec, most)
        assert (found is None) == (min(counts) > most)
        assert found is None or len(differing(found.spec, spec)) == min(counts)


@pytest.mark.parametrize("found", presets().values(), ids=list(presets()))
def test_that_the_view_of_a_preset_is_one_that_its_run_has(found: Preset) -> None:
    # What can be shown of a transformer does not depend on how long it was trained.
    spec = found.spec.model_copy(update={"steps": 1}) if isinstance(found.spec, TrainSpec) else found.spec
    *_, trace = run(spec)
    view = found.session.shown_view
    assert view.stage in stages_of(found.spec)
    queries, keys = trace.weights.shape[-2:]
    assert view.head < trace.num_heads
    assert view.batch_item < trace.items
    assert view.query is None or view.query < queries
    assert view.key is None or view.key < keys


def test_that_the_temperature_is_one_in_every_preset() -> None:
    for found in presets().values():
        assert not isinstance(found.spec, AttentionSpec) or found.spec.temperature == 1


@pytest.mark.parametrize("lab", LABS.values(), ids=list(LABS))
def test_that_a_lab_opens_with_a_preset_of_its_own(lab: object) -> None:
    assert isinstance(preset(lab.opening_preset).spec, lab.spec_type)  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    ("wrong", "nearest"),
    [("multi-head-bok", "multi-head-book"), ("self-attention", "self-attention-"), ("kernel", "kernel-")],
)
def test_that_an_unknown_name_is_answered_with_the_nearest(wrong: str, nearest: str) -> None:
    with pytest.raises(SpecError, match=f"there is no preset '{wrong}'; nearest: {nearest}") as caught:
        preset(wrong)
    assert caught.value.problems[0].code == "no_such_preset"


@pytest.mark.parametrize("wrong", ["", "\0", "x" * 10_000, "../../secret"])
def test_that_a_hostile_name_is_answered_with_a_short_sentence(wrong: str) -> None:
    with pytest.raises(SpecError, match="'attnviz presets' lists them") as caught:
        preset(wrong)
    assert len(str(caught.value)) < 200


def test_that_an_illegal_preset_is_told_by_its_problem(presets_in: Path) -> None:
    document = {"order": 1, "chapter": "c", "title": "t", "about": "a", "knob": "seed", "spec": {"num_heads": 0}}
    (presets_in / "broken.json").write_text(json.dumps(document))
    with pytest.raises(SpecError, match="num_heads 0 must be at least 1"):
        _ = preset("broken").session


def test_that_a_knob_that_does_nothing_in_its_preset_is_told(presets_in: Path) -> None:
    document = {"order": 1, "chapter": "c", "title": "t", "about": "a", "knob": "num_head", "spec": {"num_heads": 2}}
    (presets_in / "broken.json").write_text(json.dumps(document))
    with pytest.raises(SpecError, match="'num_head' is no active field of preset broken; nearest: num_heads"):
        _ = preset("broken").session


def test_that_a_new_file_is_a_new_preset(presets_in: Path) -> None:
    for order, name in ((2, "b"), (1, "c")):
        document = {"order": order, "chapter": "c", "title": name, "about": "a", "knob": "seed"}
        document["spec"] = {"seed": order}
        (presets_in / f"{name}.json").write_text(json.dumps(document))
    found = [(name, each.number, each.spec.seed) for name, each in presets().items()]
    assert found == [("c", 1, 1), ("b", 2, 2)]
