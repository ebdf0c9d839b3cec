"""The figure, the film and the table of a training: their cells, curves and words are those of the trace."""

import csv
from collections.abc import Iterator
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import attnviz
from attnviz.definitions.roles import ROLES
from attnviz.engine.run import run
from attnviz.engine.train import run as train_run
from attnviz.experiment.colours import colours_of_levels
from attnviz.experiment.files.session import Session
from attnviz.experiment.labs import make_spec
from attnviz.experiment.train.spec import TrainSpec
from attnviz.experiment.train.trace import TrainTrace
from attnviz.export.animation.animation import AnimationSettings, figure_of_frame, write_animation
from attnviz.export.animation.frames import film_of_training, steps_shown
from attnviz.export.document import read_document
from attnviz.export.figures.figure import paper_figure, write_figure
from attnviz.export.figures.parts import CELLS
from attnviz.export.figures.settings import FigureSettings
from attnviz.export.figures.train.figure import extent_of
from attnviz.export.numbers import write_long_table, write_npz
from attnviz.palette import THEMES

SMALL = {
    "lab": "train",
    "task": {"kind": "repeat", "segment": 5},
    "num_tokens": 14,
    "vocab_size": 16,
    "num_layers": 2,
    "num_heads": 3,
    "num_hiddens": 24,
    "batch_size": 8,
    "steps": 12,
    "learning_rate": 0.02,
    "warmup": 0,
    "device": "cpu",
}


def spec_of(**values: Any) -> TrainSpec:
    spec = make_spec(SMALL | values)
    assert isinstance(spec, TrainSpec)
    return spec


def last_of(**values: Any) -> TrainTrace:
    trace = list(run(spec_of(**values)))[-1]
    assert isinstance(trace, TrainTrace)
    return trace


@pytest.fixture(scope="module")
def trace() -> TrainTrace:
    """The last step of a small training with a head off."""
    return last_of(heads_off=["1.3"])


def texts_of(figure: Any) -> list[str]:
    """Return every text of a figure apart from numbers beside axes."""
    from matplotlib.text import Text

    return [text.get_text() for text in figure.findobj(Text) if text.get_text()]


def cells_of(figure: Any) -> Iterator[tuple[Any, np.ndarray]]:
    """Yield the axes of each matrix with its image."""
    for axes in figure.axes:
        if axes.get_label() == CELLS:
            yield axes, np.asarray(axes.images[0].get_array())


def pixels_of(trace: TrainTrace, layer: int, head: int, theme: str) -> np.ndarray:
    """Return the colours (T, T, 3) of a head's weights."""
    return colours_of_levels("viridis", THEMES[theme])[trace.layers[layer].levels("weights")[0, head]]


def are_cells(image: np.ndarray, pixels: np.ndarray) -> bool:
    """Return whether an image shows these colours, each as one cell."""
    down, across = (image.shape[axis] // pixels.shape[axis] for axis in (0, 1))
    return np.array_equal(image, pixels.repeat(down, axis=0).repeat(across, axis=1))


@pytest.mark.parametrize(("theme", "width"), [("light", 8.0), ("dark", 16.0)])
def test_that_every_tile_and_the_large_head_have_the_colours_of_their_weights(
    trace: TrainTrace, theme: str, width: float
) -> None:
    figure = paper_figure(trace, FigureSettings(theme=theme, width_cm=width, large=(0, 1)))  # type: ignore[arg-type]
    *tiles, (large, shown) = cells_of(figure)
    places = [(layer, head) for layer in range(2) for head in range(3)]
    for (axes, image), (layer, head) in zip(tiles, places, strict=True):
        assert are_cells(image, pixels_of(trace, layer, head, theme))
        assert axes.texts[0].get_text() == f"{layer + 1}.{head + 1}"
        assert large.get_window_extent().width > 2 * axes.get_window_extent().width
    assert are_cells(shown, pixels_of(trace, 0, 1, theme))
    assert [label.get_text() for label in large.get_yticklabels()] == list(trace.words)
    assert [label.get_text() for label in large.get_xticklabels()] == list(trace.words)


def test_that_each_tile_is_named_after_the_role_of_its_head_with_its_score_and_one_that_is_off_is_said() -> None:
    trace = last_of(heads_off=["1.3"], steps=2)
    figure = paper_figure(trace, FigureSettings(width_cm=16))
    tiles = [axes for axes, _ in cells_of(figure)][:-1]
    named = [" ".join(text.get_text() for text in axes.texts[1:]).split() for axes in tiles]
    expected = []
    for layer, head in np.ndindex(2, 3):
        role = trace.role(layer, head)
        expected.append(
            []
            if role is None
            else sorted(
                [
                    *str(role.short_at(trace.distance(layer, head))).split(),
                    f"{trace.score(role, layer, head):.2f}",
                ]
            )
        )
    expected[2] = ["off"]
    assert any(len(words) == 2 for words in expected)
    assert [sorted(words) for words in named] == expected
    assert "heads off: 1.3" in texts_of(figure)


@pytest.mark.parametrize("width", [4.0, 5.0, 8.0, 16.0])
def test_that_the_words_of_the_curves_stay_on_the_page_and_apart_at_any_width(trace: TrainTrace, width: float) -> None:
    long = replace(trace, spec=trace.spec.model_copy(update={"steps": 4000}))
    figure = paper_figure(long, FigureSettings(width_cm=width))
    figure.draw_without_rendering()
    for axes in figure.axes[:2]:
        headings = [text for text in axes.texts if text.get_position()[1] > 1]
        assert headings
        assert max(text.get_window_extent().x1 for text in headings) <= figure.bbox.x1
        ticks = [label.get_window_extent() for label in axes.get_xticklabels() if label.get_text()]
        assert len(ticks) >= 2
        assert all(one.x1 < other.x0 for one, other in pairwise(ticks))


def test_that_loss_accuracy_and_every_heads_role_are_curves_of_the_history(trace: TrainTrace) -> None:
    quality, roles, *_ = paper_figure(trace, FigureSettings()).axes
    loss, accuracy = (line.get_ydata() for line in quality.lines[:2])
    np.testing.assert_allclose(loss * 4, trace.history.loss)  # 4 is above the logarithm of 16
    np.testing.assert_array_equal(accuracy, trace.history.accuracy)
    assert "loss / 4" in texts_of(quality)
    history = trace.history
    curves = [line.get_ydata() for line in roles.lines[:6]]
    for curve, (layer, head) in zip(curves, np.ndindex(2, 3), strict=True):
        ways = [history.roles[:, layer, head, place] for place in range(len(ROLES))]
        assert any(np.array_equal(curve, way, equal_nan=True) for way in ways)


@pytest.mark.parametrize(
    ("values", "named"),
    [
        ({}, "head 2.1"),
        ({"large": "1.2"}, "head 1.2"),
        ({"heads": (2, 1)}, "head 2.3"),
        ({"heads": (2, 1), "large": (0, 1)}, "head 1.2"),
        ({"heads": (2,), "large": (0, 1)}, "head 1.3"),
    ],
)
def test_which_head_is_large(trace: TrainTrace, values: dict[str, Any], named: str) -> None:
    figure = paper_figure(trace, FigureSettings.model_validate(values))
    *tiles, (large, _) = cells_of(figure)
    assert large.get_title(loc="left").startswith(named)
    assert len(tiles) == 2 * len(values.get("heads", range(3)))


@pytest.mark.parametrize(
    ("values", "said"),
    [
        ({"large": (2, 0)}, "there is no head 3.1; the last one is 2.3; nearest: 2.1"),
        ({"large": (0, 3)}, "there is no head 1.4; the last one is 2.3; nearest: 1.3"),
        ({"stage": "split heads"}, "nearest: split"),
        ({"width_cm": 5.0, "height_cm": 4.0}, "a page of 5 × 4 cm has no room"),
    ],
)
def test_that_what_a_training_cannot_show_is_refused_in_a_sentence(
    trace: TrainTrace, values: dict[str, Any], said: str
) -> None:
    with pytest.raises(ValueError, match=said.replace(".", r"\.")):
        paper_figure(trace, FigureSettings.model_validate(values))


def test_that_a_stage_without_cells_is_shown_of_the_chosen_layer(trace: TrainTrace) -> None:
    figures = [paper_figure(trace, FigureSettings(stage="merge", large=(layer, 0))) for layer in (0, 1)]
    images = [[image for _, image in cells_of(figure)] for figure in figures]
    assert not np.array_equal(images[0][0], images[1][0])
    assert ["layer 1 · heads off: 1.3" in texts_of(figures[0]), "layer 2 · heads off: 1.3" in texts_of(figures[1])]
    assert all(len(each) > 1 for each in images)


def test_that_random_weights_are_said_before_the_first_step_only() -> None:
    first, *_, last = run(spec_of(seed=3), untrained_first=True)
    said = [texts_of(paper_figure(each, FigureSettings())) for each in (first, last)]
    assert "Untrained: random weights, seed 3" in said[0]
    assert not any("Untrained" in text for text in said[1])


@pytest.mark.parametrize("ending", ["png", "svg", "pdf"])
def test_that_a_figure_opens_again_on_its_head(trace: TrainTrace, ending: str, tmp_path: Path) -> None:
    path = tmp_path / f"figure.{ending}"
    settings = FigureSettings(large=(0, 1))
    from attnviz.export.figures.settings import seen_as

    write_figure(trace, path, settings, session=seen_as(settings, Session(spec=trace.spec)))
    opened = read_document(path)
    assert opened.spec == trace.spec
    assert (opened.shown_view.large, opened.shown_view.stage) == ((0, 1), "weights")


def test_that_a_film_builds_the_traces_of_its_frames_alone_and_says_where_each_stands(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    spec, built, build = spec_of(steps=20), [], train_run.trace_of

    def counted(*arguments: Any) -> Any:
        built.append(arguments[2])
        return build(*arguments)

    monkeypatch.setattr(train_run, "trace_of", counted)
    steps = steps_shown(spec, 5)
    film = film_of_training(run(spec, untrained_first=True, steps=steps), spec, 5)
    frames = list(film.frames)
    assert built == sorted(steps) == [0, 5, 10, 15, 20]
    history = frames[-1].trace.history  # type: ignore[attr-defined]
    said = [f": loss {history.loss[step - 1]:.3g}, accuracy {100 * history.accuracy[step - 1]:.0f} %" for step in built]
    said[0] = ""
    assert [str(frame.caption) for frame in frames] == [
        f"step {step} of 20{rest}" for step, rest in zip(built, said, strict=True)
    ]
    assert film.count == 5


def test_that_the_axes_of_all_frames_are_the_same() -> None:
    spec = spec_of(steps=4, learning_rate=5.0)  # so that the loss rises far above that of equal chances
    film = film_of_training(run(spec, untrained_first=True), spec)
    settings, seen = AnimationSettings(), set()
    frames = list(film.frames)
    assert frames[-1].trace.history.loss.max() > 6  # type: ignore[attr-defined]
    extent = extent_of(frames[0].trace)  # type: ignore[arg-type]
    for frame in frames:
        figure = figure_of_frame(frame, settings, extent)
        quality, roles = figure.axes[:2]
        divisor = [text for text in texts_of(quality) if text.startswith("loss / ")] or ["loss / 4"]
        boxes = tuple(tuple(axes.get_position().bounds) for axes in figure.axes)
        seen.add((quality.get_xlim(), quality.get_ylim(), roles.get_xlim(), divisor[0], boxes))
    assert len(seen) == 1


@pytest.mark.parametrize("ending", ["gif", "apng"])
def test_that_a_film_of_a_training_is_a_file_that_opens_again(ending: str, tmp_path: Path) -> None:
    from PIL import Image

    spec, path = spec_of(steps=2), tmp_path / f"film.{ending}"
    film = film_of_training(run(spec, untrained_first=True), spec)
    assert write_animation(film, path, AnimationSettings(), Session(spec=spec))
    with Image.open(path) as picture:
        assert picture.n_frames == 3
    assert read_document(path).spec == spec


def test_that_the_table_has_every_cell_under_its_heads_name(trace: TrainTrace, tmp_path: Path) -> None:
    write_long_table(trace, tmp_path / "cells.csv", heads=(2, 0))
    with (tmp_path / "cells.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    assert len(rows) == 2 * 2 * 14 * 14
    assert {row["head"] for row in rows} == {"1.1", "2.1", "1.3", "2.3"}
    for row in rows:
        layer, head = (int(part) - 1 for part in row["head"].split("."))
        query, key = int(row["query"]), int(row["key"])
        assert np.float32(row["weight"]) == trace.weights[layer, head, query, key]
        assert np.float32(row["score"]) == trace.layers[layer].scores[0, head, query, key]
        assert row["masked"] == str(int(key > query))
        assert (row["query_token"], row["key_token"]) == (trace.words[query], trace.words[key])


def test_that_the_file_of_arrays_has_its_fixed_names(trace: TrainTrace, tmp_path: Path) -> None:
    write_npz(trace, tmp_path / "run.npz")
    with np.load(tmp_path / "run.npz") as arrays:
        names = {name for name in arrays.files if not name.startswith("param/")}
        shapes = {name: arrays[name].shape for name in names}
        assert str(arrays["spec"]) == trace.spec.model_dump_json()
        assert "param/layers.1.attention.W_o.weight" in arrays.files
    kept = len(trace.history.role_steps)
    assert shapes == {
        "loss": (12,),
        "accuracy": (12,),
        "roles": (kept, 2, 3, len(ROLES)),
        "role_names": (len(ROLES),),
        "role_steps": (kept,),
        "role_lowest": (kept, 2, 3, len(ROLES)),
        "role_distances": (kept, 2, 3),
        "role_sequences": (15, 14),
        "weights": (2, 3, 14, 14),
        "tokens": (14,),
        "probabilities": (14, 16),
        "step": (),
        "spec": (),
    }


def test_that_python_runs_draws_and_displays_a_training() -> None:
    trace: Any = attnviz.run(SMALL, steps=2)
    assert trace.weights.shape == (2, 3, 14, 14)
    figure = attnviz.figure(trace, large="1.2", width_cm=12)
    assert list(cells_of(figure))[-1][0].get_title(loc="left").startswith("head 1.2")
    assert trace._repr_png_().startswith(b"\x89PNG")
    with pytest.raises(ValueError, match=r"head 'two' must be layer\.head"):
        attnviz.figure(trace, large="two")
    with pytest.raises(ValueError, match="has no layers"):
        attnviz.figure(attnviz.run("multi-head-random"), large=(0, 0))
