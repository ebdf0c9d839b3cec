"""The figure, the numbers and the script of a model: those of its trace, by the command line too."""

import csv
import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from calling import attnviz as command
from calling import forked
from model_families import BRANCHING, HYBRIDS, tiny
from model_folders import WORDS, made, written
from scripts import run_scripts

import attnviz
from attnviz.experiment.colours import colours_of_levels, quantise
from attnviz.experiment.files.session import Session
from attnviz.experiment.labs import make_spec, spec_to_json
from attnviz.experiment.model.overview import OVERVIEW
from attnviz.experiment.model.spec import ModelSpec
from attnviz.experiment.model.trace import ModelTrace
from attnviz.experiment.model.view import ModelViewSettings
from attnviz.export.animation.frames import film_of_stages
from attnviz.export.code.script import pytorch_code
from attnviz.export.document import read_document, write_session
from attnviz.export.figures.figure import paper_figure, write_figure
from attnviz.export.figures.parts import CELLS
from attnviz.export.figures.settings import FigureSettings, seen_as
from attnviz.palette import THEMES

OFF = {"heads_off": ["1.3"], "temperature": 1.5}


def trace_of(**values: Any) -> ModelTrace:
    trace = attnviz.run({"lab": "model", "device": "cpu", **values})
    assert isinstance(trace, ModelTrace)
    return trace


@pytest.fixture(scope="module")
def trace() -> ModelTrace:
    return trace_of(**OFF)


def texts_of(figure: Any) -> list[str]:
    from matplotlib.text import Text

    return [text.get_text() for text in figure.findobj(Text) if text.get_text()]


def matrices_of(figure: Any) -> list[tuple[Any, Any]]:
    """Return the axes of the overview and of the large head, each with the colours of its cells."""
    axes = [each for each in figure.axes if each.get_label() == CELLS]
    return [(each, np.asarray(each.images[0].get_array())) for each in axes]


def are_cells(image: Any, pixels: Any) -> bool:
    down, across = (image.shape[axis] // pixels.shape[axis] for axis in (0, 1))
    return np.array_equal(image, pixels.repeat(down, axis=0).repeat(across, axis=1))


@pytest.mark.parametrize(("theme", "width"), [("light", 8.0), ("dark", 16.0)])
@pytest.mark.parametrize("name", ["entropy", "role_previous"])
def test_that_the_overview_and_the_large_head_have_the_colours_of_their_numbers(
    trace: ModelTrace, name: str, theme: str, width: float
) -> None:
    settings = FigureSettings(theme=theme, width_cm=width, large=(1, 2), overview=name)  # type: ignore[arg-type]
    figure = paper_figure(trace, settings)
    (overview, shown), (large, weights) = matrices_of(figure)
    colours, values = colours_of_levels("viridis", THEMES[settings.theme]), trace.overview.of(name)
    levels = quantise(values, np.isfinite(values), np.nanmin(values), np.nanmax(values))
    assert are_cells(shown, colours[levels])
    written = {text.get_text() for text in overview.texts}
    on = np.isfinite(values) & (np.indices(values.shape) != np.array([0, 2])[:, None, None]).any(axis=0)  # 1.3 is off
    assert written == {OVERVIEW[name].number(float(value)) for value in values[on]}
    assert are_cells(weights, colours[trace.layer_at(1).levels()[0, 2]])
    assert [label.get_text() for label in large.get_yticklabels()] == list(trace.read.names)
    assert large.get_title(loc="left").startswith("head 2.3")
    assert {"off: 1.3 · temperature 1.5"} <= set(texts_of(figure))


def test_that_a_head_that_is_off_is_crossed_out_in_the_overview(trace: ModelTrace) -> None:
    (overview, _), _ = matrices_of(paper_figure(trace, FigureSettings(large=(1, 2))))
    ends = {tuple(map(tuple, line.get_xydata().tolist())) for line in overview.lines}
    assert ends == {((1.5, -0.5), (2.5, 0.5)), ((1.5, 0.5), (2.5, -0.5))}


def test_that_a_wide_page_has_the_large_head_beside_the_overview_and_is_filled(trace: ModelTrace) -> None:
    figure = paper_figure(trace, FigureSettings(width_cm=32, height_cm=18))
    overview, large = (axes.get_position() for axes in figure.axes if axes.get_label() == CELLS)
    assert large.x0 > overview.x1
    assert large.height > 0.8
    assert large.x1 > 0.8


def test_that_a_stage_without_cells_is_drawn_as_matrices_of_the_layer(trace: ModelTrace) -> None:
    figure = paper_figure(trace, FigureSettings(stage="heads", large=(1, 0)))
    assert any(text.startswith("layer 2 · off: 1.3") for text in texts_of(figure))


@pytest.mark.parametrize(
    ("settings", "sentence"),
    [
        ({"large": (5, 0)}, "there is no head 6.1; the last one is 2.4; nearest: 2.1"),
        ({"overview": "entropi"}, "there is no overview 'entropi' in the lab 'model', only .*; nearest: entropy"),
        ({"stage": "split", "large": (0, 0)}, "layer 1 has no stage split; it has "),
        ({"width_cm": 4.0, "height_cm": 4.0}, "has no room for 2 × 4 heads"),
    ],
)
def test_that_a_figure_that_cannot_be_is_a_sentence(trace: ModelTrace, settings: dict[str, Any], sentence: str) -> None:
    with pytest.raises(ValueError, match=sentence.replace("(", r"\(")):
        paper_figure(trace, FigureSettings(**settings))


def test_that_a_figure_opens_as_it_was_drawn(trace: ModelTrace, tmp_path: Path) -> None:
    settings = FigureSettings(large=(1, 2), dpi=60)
    path = tmp_path / "model.png"
    write_figure(trace, path, settings, session=seen_as(settings, Session(spec=trace.spec)))
    session = read_document(path)
    assert session.spec == trace.spec
    assert isinstance(session.view, ModelViewSettings)
    assert (session.view.layer, session.view.head) == (1, 2)


def other_families(folder: Path) -> dict[str, Any]:
    """Return values of specs: sparse attention asks for the name of its function, Mamba for what has a gradient."""
    found: dict[str, Any] = {}
    for name, family in (BRANCHING | HYBRIDS).items():
        if name in ("deepseek_v32", "gemma4", "jamba"):
            values = {"folder": str(written(folder / name, tiny(family))), "text": " ".join(WORDS[4:12])}
            found |= {name: values, f"{name}_changed": values | {"heads_off": ["2.1"], "tokens_hidden": [2]}}
    return found


def with_sinks(folder: Path) -> dict[str, Any]:
    """Return values of a spec whose scores are divided beside learned sinks."""
    sizes = {"hidden_size": 32, "intermediate_size": 32, "num_hidden_layers": 2, "num_attention_heads": 4}
    sizes |= {"num_key_value_heads": 2, "head_dim": 8, "num_local_experts": 2, "num_experts_per_tok": 1}
    model = made("gpt_oss", vocab_size=len(WORDS), **sizes)
    with torch.no_grad():
        for layer in model.model.layers:
            layer.self_attn.sinks.copy_(torch.tensor([0.5, -1.0, 2.0, 0.0]))
    return {"folder": str(written(folder, model)), "text": " ".join(WORDS[2:7]), "temperature": 2.0}


def test_that_scripts_of_plain_and_changed_models_have_their_weights(hybrid: dict[str, Any], tmp_path: Path) -> None:
    other = "then one red fox ran under and one red fox"
    specs = {
        "plain": {},
        "changed": OFF | {"tokens_hidden": [2], "painted": {"2.1": "4: 0-1"}, "ablation": "mean"},
        "patched": {"text_b": other, "patch": [{"head": "1.2", "token": 5, "from": "b"}]},
        "hybrid": hybrid,
        "hybrid_changed": hybrid | {"heads_off": ["5.2", "2.1"], "painted": {"5.4": "3: 0-1"}},  # layers as it has them
        "sinks": with_sinks(tmp_path / "sinks"),
        **other_families(tmp_path),
    }
    made = {name: make_spec({"lab": "model", "device": "cpu", **values}) for name, values in specs.items()}
    scripts = {name: pytorch_code(spec) for name, spec in made.items()}
    left = run_scripts(scripts, tmp_path, fresh=True)
    found = {name: trace_of(**values).arrays()["weights"] for name, values in specs.items()}
    for name, weights in found.items():
        np.testing.assert_array_equal(left[name]["weights"], weights, err_msg=name)
    assert (found["sinks"].sum(-1) < 0.99).all()
    assert all("model.requires_grad_(False)" in script for script in scripts.values())


def test_that_the_script_of_a_changed_model_without_a_function_of_attention_is_refused_in_a_sentence(
    tmp_path: Path,
) -> None:
    model = made("bloom", hidden_size=32, n_layer=2, n_head=4, vocab_size=len(WORDS))
    spec = {"lab": "model", "device": "cpu", "folder": str(written(tmp_path / "bloom", model)), "text": WORDS[2]}
    said = forked(cwd=tmp_path, code=pytorch_code(make_spec(spec | OFF)))
    assert said.code == 1
    assert said.err.splitlines()[-1].startswith("this family has no function of its own for attention")
    assert "Traceback" not in said.err


def test_that_the_script_needs_nothing_of_attnviz_and_no_function_where_nothing_is_changed() -> None:
    plain, changed = (pytorch_code(make_spec({"lab": "model", **values})) for values in ({}, OFF))
    assert "import attnviz" not in plain + changed
    assert "def attend" not in plain
    assert "def attend" in changed
    assert "def cooled" in changed


def test_that_a_film_goes_through_the_stages_that_the_layer_has(trace: ModelTrace) -> None:
    stages = [frame.stage for frame in film_of_stages(trace).frames]
    assert stages == ["scores", "cooled_scores", "masked_scores", "weights", "heads", "merge"]


# The command line.


@pytest.fixture
def spec_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.chdir(tmp_path)
    spec = make_spec({"lab": "model", "device": "cpu", **OFF})
    Path("model.json").write_text(spec_to_json(spec), encoding="utf-8")
    return "model.json"


def test_that_a_run_says_what_was_checked_and_what_is_expected_and_writes_some_layers(spec_file: str) -> None:
    said = command("run", spec_file, "-o", "model.npz", "--layers", "2")
    assert said.code == 0
    assert "logits and weights equal the model's own: max difference 0" in said.out
    assert "off: 1.3" in said.out
    assert "11 tokens, weights (1, 4, 11, 11) in each layer" in said.out
    with np.load("model.npz") as file:
        assert {name: file[name].shape for name in file.files} == {
            "tokens": (11,),
            "layers": (1,),
            "weights": (1, 4, 11, 11),
            **dict.fromkeys("qkv", (1, 4, 11, 16)),
            **dict.fromkeys(("mask", "scores"), (1, 4, 11, 11)),
            **dict.fromkeys(("top_tokens", "top_probabilities"), (10,)),
            "spec": (),
        }
        assert file["layers"].tolist() == [2]
        np.testing.assert_array_equal(file["weights"][0], trace_of(**OFF).layer_at(1).weights[0])


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (("run", "-o", "x.npz", "--layers", "3"), "layer 3 must be in 1..2; nearest: 2"),
        (("run", "--layers", "3"), "layer 3 must be in 1..2; nearest: 2"),
        (("run", "--layers", "one"), "'one' must be counted from 1, such as 3,4 or 2-4; nearest: 1"),
        (("export", "-o", "x.pdf", "--large", "9.9"), "there is no head 9.9; the last one is 2.4; nearest: 2.4"),
    ],
)
def test_that_what_is_not_there_is_refused_in_one_line(spec_file: str, words: tuple[str, ...], sentence: str) -> None:
    said = command(words[0], spec_file, *words[1:])
    assert said.code == 2
    assert said.err.splitlines()[-1].startswith("attnviz: ")
    assert sentence in said.err
    assert "Traceback" not in said.err


def test_that_the_name_of_an_overview_is_checked_before_the_run_and_the_legal_ones_are_named(
    spec_file: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("attnviz.cli.export.last_trace", lambda *_, **__: pytest.fail("it was run"))
    for wrong, near in (("wrong", ""), ("induction", "; nearest: role_induction")):
        said = command("export", spec_file, "-o", "x.pdf", "--overview", wrong)
        assert said.code == 2
        assert f"there is no overview '{wrong}' in the lab 'model', only entropy, " in said.err
        assert "role_induction" in said.err
        assert said.err.rstrip().endswith(near)


def test_that_layers_of_a_lab_without_any_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    said = command("run", "preset:causal-sentence", "-o", "x.npz", "--layers", "1")
    assert (said.code, said.err.strip()) == (
        2,
        "attnviz: the lab 'attention' has no arrays of single layers; leave out 'layers'",
    )


def test_that_a_session_is_exported_at_the_layer_it_looks_at(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    spec = make_spec({"lab": "model", "device": "cpu"})
    assert isinstance(spec, ModelSpec)
    write_session(Session(spec=spec, view=ModelViewSettings(layer=1, head=2)), Path("mine.attnviz"))
    assert command("export", "mine.attnviz", "-o", "x.csv").code == 0
    with Path("x.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    weights = trace_of().layer_at(1).weights[0]
    assert len(rows) == weights.size
    assert rows[0]["head"] == "2.1"
    assert [float(row["weight"]) for row in rows] == pytest.approx(weights.ravel().tolist())


def test_that_a_folder_that_is_not_there_fails_in_one_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    spec = make_spec({"lab": "model", "folder": "gone"})
    Path("gone.json").write_text(spec_to_json(spec), encoding="utf-8")
    said = command("run", "gone.json")
    assert said.code == 1
    assert said.err.startswith(f"attnviz: there is no folder {Path.cwd() / 'gone'}; choose one that holds a model")
    assert said.err.count("\n") == 1


def test_that_a_long_path_is_named_by_its_ends(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("gone.json").write_text(spec_to_json(make_spec({"lab": "model", "folder": "gone/" * 800})), encoding="utf-8")
    said = command("run", "gone.json")
    assert said.code == 1
    assert "gone/gone" in said.err
    assert len(said.err) < 500


@pytest.mark.parametrize("folder", ["", "  "])
def test_that_an_empty_folder_is_refused_in_a_sentence(folder: str) -> None:
    with pytest.raises(ValueError, match=r"folder is empty; choose a folder with a model; nearest: models/induction"):
        make_spec({"lab": "model", "folder": folder})


# A hybrid, of which some layers have no attention.


@pytest.fixture(scope="module")
def hybrid(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """The values of a spec of a model whose layers 2 and 5 of 5 have attention."""
    sizes = {"hidden_size": 32, "num_hidden_layers": 5, "num_attention_heads": 4, "num_key_value_heads": 2}
    types = ["conv", "full_attention", "conv", "conv", "full_attention"]
    model = made("lfm2", **sizes, intermediate_size=48, vocab_size=len(WORDS), layer_types=types, initializer_range=0.4)
    folder = written(tmp_path_factory.mktemp("models") / "hybrid", model)
    return {"folder": str(folder), "text": "the cat sat on the mat"}


def test_that_the_figure_of_a_hybrid_says_what_its_other_layers_are(hybrid: dict[str, Any]) -> None:
    trace = trace_of(**hybrid)
    figure = paper_figure(trace, FigureSettings(large=(4, 2), width_cm=16))
    assert texts_of(figure).count("convolution: no weights") == 3
    (overview, _), (large, weights) = matrices_of(figure)
    assert [label.get_text() for label in overview.get_yticklabels()] == ["1", "2", "3", "4", "5"]
    assert large.get_title(loc="left").startswith("head 5.3")
    assert are_cells(weights, colours_of_levels("viridis", THEMES["light"])[trace.layer_at(4).levels()[0, 2]])
    sentence = r"no head of layer 3 can be large: it has no attention \(convolution: no weights\); nearest: 2.3"
    with pytest.raises(ValueError, match=sentence):
        paper_figure(trace, FigureSettings(large=(2, 2)))


def test_that_the_command_line_counts_layers_as_the_model_does(
    hybrid: dict[str, Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    spec = make_spec({"lab": "model", "device": "cpu", **hybrid})
    Path("hybrid.json").write_text(spec_to_json(spec), encoding="utf-8")
    said = command("run", "hybrid.json", "-o", "hybrid.npz", "--layers", "5")
    assert said.code == 0
    assert "layer 3: convolution: no weights" in said.out
    with np.load("hybrid.npz") as file:
        assert file["layers"].tolist() == [5]
        np.testing.assert_array_equal(file["weights"][0], trace_of(**hybrid).layer_at(4).weights[0])
    said = command("run", "hybrid.json", "--layers", "1,5")
    assert said.code == 2
    assert said.err.strip() == "attnviz: layer 1 has no attention (convolution: no weights); nearest: 2"


@pytest.mark.parametrize(("number", "count"), [(4, 1), (5, 0)])
@pytest.mark.parametrize("words", [("run",), ("export", "-o", "x.csv", "-o", "x.pdf")])
def test_that_the_command_line_says_once_what_an_earlier_version_showed_otherwise(
    words: tuple[str, ...],
    number: int,
    count: int,
    hybrid: dict[str, Any],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(tmp_path)
    content = {"format": number, "spec": {"lab": "model", "device": "cpu", **hybrid}}
    Path("old.attnviz").write_text(json.dumps(content), encoding="utf-8")
    said = command(words[0], "old.attnviz", *words[1:])
    assert said.code == 0
    assert said.err.count("old.attnviz: Layers now have the model's own numbers: layer 2 was called") == count


def test_that_a_sweep_names_heads_by_the_layers_of_the_model(
    hybrid: dict[str, Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("hybrid.json").write_text(json.dumps({"lab": "model", "device": "cpu", **hybrid}), encoding="utf-8")
    said = command("sweep", "hybrid.json", "--over", "temperature=1,2", "-o", "x.csv")
    assert said.code == 0, said.err
    with Path("x.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    entropy = trace_of(**hybrid).overview.of("entropy")
    for head in range(4):
        assert float(rows[0][f"entropy_5.{head + 1}"]) == pytest.approx(entropy[4, head])
    assert not [name for name in rows[0] if name.startswith(("entropy_1.", "entropy_3.", "entropy_4."))]
