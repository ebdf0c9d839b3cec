import itertools
import os
import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from made_traces import attention_trace, regression_trace
from pictures import cell_axes, found_and_expected, last_trace, trace_of

from attnviz.definitions.formats import FORMATS, formats_for
from attnviz.definitions.text import Text
from attnviz.engine.run import run
from attnviz.experiment.attention.spec import AttentionSpec
from attnviz.experiment.attention.trace import AttentionTrace
from attnviz.experiment.colours import colours_of_levels, rgb
from attnviz.experiment.files.session import Session
from attnviz.experiment.files.specs_in_files import preset
from attnviz.experiment.labs import LABS, Trace, make_spec, stages_of
from attnviz.experiment.regression.spec import Overlay
from attnviz.experiment.regression.trace import OverlayCurve
from attnviz.experiment.run import Failure
from attnviz.experiment.sweeps.frames import parse_sweep
from attnviz.export.animation.animation import (
    AnimationSettings,
    figure_of_frame,
    pace_note,
    seconds_of_a_frame,
    write_animation,
)
from attnviz.export.animation.files import SIZE, changed_part, nearest_in, packed, palette_of
from attnviz.export.animation.frames import (
    Film,
    FilmFailedError,
    Frame,
    film_of_stages,
    film_of_sweep,
    film_of_training,
)
from attnviz.export.document import read_document
from attnviz.export.figures.parts import COLOUR_BAR
from attnviz.export.figures.settings import FigureSettings
from attnviz.export.options import checked
from attnviz.palette import DARK, LIGHT

SENTENCE = preset("causal-sentence").spec
SESSION = Session(spec=SENTENCE, notes="naïve 注意 <&> \0")
SMALL = AnimationSettings(width=320, height=200)
EVERY_KIND = pytest.mark.parametrize("ending", [".gif", ".apng"])
RNG = np.random.default_rng(0)


def film_of(*weights: Any) -> Film:
    frames = [Frame(attention_trace(each), f"frame {place}") for place, each in enumerate(weights)]
    return Film(frames, len(frames))


def frames_of(path: Path) -> list[np.ndarray[Any, Any]]:
    """Return every frame of a file as (height, width, 3), as a reader shows it."""
    from PIL import Image, ImageSequence

    with Image.open(path) as image:
        return [np.asarray(each.convert("RGB")) for each in ImageSequence.Iterator(image)]


def times_of(path: Path) -> tuple[list[float], Any]:
    """Return how many milliseconds each frame stays, and what the file says about repeating."""
    from PIL import Image

    with Image.open(path) as image:
        times = []
        for place in range(image.n_frames):  # type: ignore[attr-defined]
            image.seek(place)
            times.append(image.info["duration"])
        return times, image.info.get("loop")


SWEPT = film_of_sweep(parse_sweep("num_heads=1,2,4", SENTENCE), last_trace)
SWEPT = replace(SWEPT, frames=list(SWEPT.frames))
"""Three frames, of one, two and four heads, that can be gone through again."""


@pytest.mark.parametrize(
    ("ending", "look"),
    [(".gif", FigureSettings()), (".apng", FigureSettings(theme="dark", colour_map="Reds", contrast=True))],
)
def test_that_the_middle_of_every_cell_of_every_frame_has_exactly_the_colour_of_its_weight(
    ending: str, look: FigureSettings, tmp_path: Path
) -> None:
    settings = AnimationSettings(width=480, height=300, figure=look)
    path = tmp_path / f"film{ending}"
    assert write_animation(SWEPT, path, settings, SESSION)
    colours = colours_of_levels(look.colour_map, look.palette)
    pictures = frames_of(path)
    assert len(pictures) == SWEPT.count
    for frame, pixels in zip(SWEPT.frames, pictures, strict=True):
        trace = frame.trace
        assert isinstance(trace, AttentionTrace)
        figure = figure_of_frame(frame, settings)
        assert len(cell_axes(figure)) == trace.num_heads
        for axes, levels in zip(cell_axes(figure), trace.levels("weights", look.contrast_drawn)[0], strict=True):
            at = (-0.38, -0.38) if axes.texts else (0.0, 0.0)
            found, expected = found_and_expected(figure, axes, pixels, levels, colours, at=at)
            assert len(found) == 55
            assert (found == expected).all()


def test_that_a_gif_of_more_colours_than_a_palette_holds_is_exact_all_the_same(tmp_path: Path) -> None:
    every = np.linspace(0, 1, 254)
    parts = [every[:85], every[85:170], every[170:]]
    film = film_of(*(np.resize(part, (1, 1, 10, 10)) for part in parts))
    settings = AnimationSettings(width=640, height=480)
    write_animation(film, tmp_path / "film.gif", settings, SESSION)
    colours, levels = colours_of_levels("viridis", LIGHT), set()
    for frame, pixels in zip(film.frames, frames_of(tmp_path / "film.gif"), strict=True):
        figure, of_frame = figure_of_frame(frame, settings), frame.trace.levels()[0, 0]  # type: ignore[union-attr, operator]
        (axes,) = cell_axes(figure)
        found, expected = found_and_expected(figure, axes, pixels, of_frame, colours, at=(-0.38, -0.38))
        assert (found == expected).all()
        levels |= set(of_frame.ravel().tolist())
    assert len(levels) == 254


def off_in_bars(film: Film, folder: Path) -> list[int]:
    """Return how far from the true colour the worst pixel of each frame's colour bars is in a GIF."""
    settings = AnimationSettings(width=480, height=300)
    for ending in ("gif", "apng"):
        write_animation(film, folder / f"film.{ending}", settings, SESSION)
    found = []
    for frame, *pictures in zip(film.frames, *(frames_of(folder / f"film.{e}") for e in ("gif", "apng")), strict=True):
        boxes = [each.bbox for each in figure_of_frame(frame, settings).axes if each.get_label() == COLOUR_BAR]
        ramps = [slice(int(300 - box.y1) + 3, int(300 - box.y0) - 2) for box in boxes]
        columns = [slice(int(box.x0) + 2, int(box.x1) - 2) for box in boxes]
        gif, true = ([each[part].astype(int) for part in zip(ramps, columns, strict=True)] for each in pictures)
        found += [max(np.abs(one - two).max() for one, two in zip(gif, true, strict=True))] if boxes else []
    return found


def test_that_colour_bars_of_a_gif_have_their_colours_when_the_stages_map_changes(tmp_path: Path) -> None:
    off = off_in_bars(film_of_stages(trace_of("kernel-average")), tmp_path)
    assert len(off) == 4
    assert max(off) <= 24


def test_that_colour_bars_of_a_gif_have_their_colours_where_no_cell_holds_a_number(tmp_path: Path) -> None:
    numbers = attention_trace(RNG.random((1, 1, 16, 16)))
    gaps = attention_trace(np.full((1, 1, 16, 16), np.nan))
    frames = [Frame(numbers, "numbers"), Frame(numbers, "scores", "scores"), Frame(gaps, "gaps")]
    assert max(off_in_bars(Film(frames, 3), tmp_path)) <= 24


@pytest.mark.parametrize("count", [1, 100, 180, 230, 254])
def test_that_a_palette_keeps_the_colours_of_cells_and_where_it_cannot_takes_a_neighbour(count: int) -> None:
    colours = colours_of_levels("viridis", LIGHT)[1 : count + 1]
    blends = RNG.integers(0, 256, (5000, 3), np.uint8)
    palette = palette_of(packed(np.concatenate([colours, blends])), [packed(colours)], LIGHT, "viridis")
    assert len(palette) == SIZE
    off = np.abs(shown(palette, colours) - colours.astype(int))
    assert off.max() <= (0 if count <= 230 else 6)
    plain = np.array([rgb(colour) for colour in (LIGHT.panel, LIGHT.text, LIGHT.masked)], np.uint8)
    assert (shown(palette, plain) == plain).all()


def shown(palette: Any, colours: Any) -> Any:
    """Return the colours (n, 3) of a palette that stand for these."""
    found = palette[nearest_in(palette, packed(colours))]
    return np.stack([found >> 16, found >> 8 & 255, found & 255], axis=-1).astype(int)


def test_that_any_other_colour_becomes_the_nearest_of_a_palette() -> None:
    palette = packed(np.array([[0, 0, 0], [200, 0, 0], [255, 255, 255]], np.uint8))
    colours = packed(np.array([[10, 10, 10], [180, 5, 5], [250, 251, 252], [200, 0, 0]], np.uint8))
    assert nearest_in(palette, colours).tolist() == [0, 1, 2, 1]


@EVERY_KIND
@pytest.mark.parametrize("size", [(160, 160), (321, 203), (640, 400), (400, 777)])
def test_that_every_frame_has_exactly_the_size_and_the_page_is_the_panel(
    ending: str, size: tuple[int, int], tmp_path: Path
) -> None:
    settings = AnimationSettings(width=size[0], height=size[1], figure=FigureSettings(theme="dark", transparent=True))
    film = film_of(RNG.random((1, 2, 3, 4)), RNG.random((1, 2, 4, 3)))
    write_animation(film, tmp_path / f"film{ending}", settings, SESSION)
    pictures = frames_of(tmp_path / f"film{ending}")
    assert len(pictures) == 2
    for pixels in pictures:
        assert pixels.shape == (size[1], size[0], 3)
        border = np.concatenate([pixels[0], pixels[-1], pixels[:, 0], pixels[:, -1]])
        assert (border == rgb(DARK.panel)).all(), "nothing is cut off"


def test_that_only_cells_and_the_caption_change_while_a_knob_is_turned(tmp_path: Path) -> None:
    film = film_of_sweep(parse_sweep("temperature=0.3:3:0.9", SENTENCE), last_trace)
    film = replace(film, frames=list(film.frames))
    write_animation(film, tmp_path / "film.apng", SMALL, SESSION)
    pictures = np.stack(frames_of(tmp_path / "film.apng"))
    changes = (pictures != pictures[0]).any(axis=(0, -1))
    figure = figure_of_frame(next(iter(film.frames)), SMALL)
    for axes in cell_axes(figure):
        box = axes.get_window_extent()
        part = slice(int(SMALL.height - box.y1), int(SMALL.height - box.y0) + 2), slice(int(box.x0), int(box.x1) + 2)
        assert changes[part].any()
        changes[part] = False
    caption = int(0.22 * SMALL.dpi) + 1
    assert changes[-caption:].any()
    assert not changes[:-caption].any()


def test_that_the_axes_of_a_fit_stay_where_they_are_while_the_noise_grows(tmp_path: Path) -> None:
    spec = make_spec({"lab": "regression", "data": {"kind": "synthetic", "n_train": 20}})
    ran: list[Any] = []

    def trace_of_spec(each: Any) -> Trace:
        ran.append(each)
        return last_trace(each)

    sweep = parse_sweep("data.noise=0,1,3", spec)
    write_animation(film_of_sweep(sweep, trace_of_spec), tmp_path / "film.apng", SMALL, SESSION)
    assert ran == [each.spec for each in sweep.specs] * 2, "once to see how far the points reach"
    pictures = np.stack(frames_of(tmp_path / "film.apng"))
    left = int(0.42 * SMALL.dpi)
    assert (pictures[:, :150, :left] == pictures[0, :150, :left]).all(), "the numbers beside the axis are the same"
    assert (pictures[0, :150, :left] != 255).any()


def test_that_the_axes_of_a_fit_stay_where_they_are_wherever_the_curve_goes(tmp_path: Path) -> None:
    curves = (np.zeros(3), np.full(3, 500.0))
    film = Film([Frame(regression_trace(np.eye(3), y_train=[1, 2, 3], y_hat=y), "") for y in curves], 2)
    write_animation(film, tmp_path / "film.apng", SMALL, SESSION)
    first, second = frames_of(tmp_path / "film.apng")
    left = int(0.4 * SMALL.dpi)
    assert (first[:, :left] == second[:, :left]).all()
    assert (first != second).any()


@pytest.mark.parametrize(
    ("places", "part"),
    [
        ([(1, 2)], (1, 2, 2, 3)),
        ([(0, 0), (4, 6)], (0, 5, 0, 7)),
        ([(3, 1), (2, 5)], (2, 4, 1, 6)),
        ([], (0, 1, 0, 1)),
    ],
)
def test_that_the_changed_part_of_a_frame_holds_every_pixel_that_differs(places: Any, part: Any) -> None:
    last = np.zeros((5, 7), np.uint32)
    now = last.copy()
    for place in places:
        now[place] = 1
    rows, columns = changed_part(last, now)
    assert (rows.start, rows.stop, columns.start, columns.stop) == part
    assert changed_part(None, now) == (slice(0, 5), slice(0, 7))


@pytest.mark.parametrize("ending", [form.suffix for form in formats_for("animation")])
def test_that_a_film_carries_its_session(ending: str, tmp_path: Path) -> None:
    long = Session(spec=SENTENCE, notes="注意\n" * 30_000)
    for session in (SESSION, long):
        write_animation(film_of(RNG.random((1, 1, 2, 2))), tmp_path / f"film{ending}", SMALL, session)
        assert read_document(tmp_path / f"film{ending}") == session


@pytest.mark.parametrize(
    ("pace", "ending", "milliseconds"),
    [
        (5, ".gif", 200), (0.5, ".gif", 2000), (15, ".gif", 70), (50, ".gif", 20), (1, ".gif", 1000), (40, ".gif", 20),
        (5, ".png", 200), (15, ".apng", 1000 / 15), (50, ".apng", 20),
    ],
)  # fmt: skip
def test_that_a_frame_stays_as_long_as_the_pace_says(
    pace: float, ending: str, milliseconds: int, tmp_path: Path
) -> None:
    settings = SMALL.model_copy(update={"frames_per_second": pace, "hold": 2.5})
    write_animation(film_of(*RNG.random((2, 1, 1, 2, 2))), tmp_path / f"film{ending}", settings, SESSION)
    times, loop = times_of(tmp_path / f"film{ending}")
    assert times == pytest.approx([milliseconds, 2500])
    assert loop == 0, "for ever"
    assert seconds_of_a_frame(settings, FORMATS[ending[1:]]) == pytest.approx(milliseconds / 1000)


def test_that_a_pace_which_gif_cannot_keep_is_said() -> None:
    assert pace_note(SMALL.model_copy(update={"frames_per_second": 15}), FORMATS["gif"]) == (
        "GIF shows a frame for whole hundredths of a second: 14.3 frames a second instead of 15"
    )
    for pace, ending in ((5, ".gif"), (12.5, ".gif"), (15, ".apng"), (50, ".gif")):
        assert pace_note(SMALL.model_copy(update={"frames_per_second": pace}), FORMATS[ending[1:]]) == ""


@EVERY_KIND
def test_that_a_film_which_is_not_to_repeat_is_shown_once(ending: str, tmp_path: Path) -> None:
    settings = SMALL.model_copy(update={"loop": False})
    write_animation(film_of(*RNG.random((2, 1, 1, 2, 2))), tmp_path / f"film{ending}", settings, SESSION)
    assert times_of(tmp_path / f"film{ending}")[1] == (None if ending == ".gif" else 1)


@EVERY_KIND
def test_that_frames_which_are_all_the_same_are_a_film_too(ending: str, tmp_path: Path) -> None:
    one = Frame(attention_trace([[[[1, 0], [0, 1]]]]), "the same")
    write_animation(Film([one] * 3, 3), tmp_path / f"film{ending}", SMALL, SESSION)
    pictures = frames_of(tmp_path / f"film{ending}")
    assert len(pictures) == 3
    assert all((each == pictures[0]).all() for each in pictures)


@EVERY_KIND
def test_that_a_frame_is_in_the_file_before_the_next_but_one_is_asked_for(ending: str, tmp_path: Path) -> None:
    sizes = []

    def frames() -> Iterator[Frame]:
        for place in range(6):
            sizes.append(sum(each.stat().st_size for each in tmp_path.iterdir()))
            yield Frame(attention_trace(RNG.random((1, 4, 20, 20))), f"{place}")

    write_animation(Film(frames(), 6), tmp_path / f"film{ending}", AnimationSettings(), SESSION)
    assert all(later > earlier for earlier, later in itertools.pairwise(sizes[2:])), sizes


def test_that_progress_is_told_after_each_frame(tmp_path: Path) -> None:
    told: list[tuple[int, int]] = []
    film = film_of(*RNG.random((3, 1, 1, 2, 2)))
    write_animation(
        film, tmp_path / "film.gif", SMALL, SESSION, progress=lambda done, count: told.append((done, count))
    )
    assert told == [(1, 3), (2, 3), (3, 3)]


@EVERY_KIND
@pytest.mark.parametrize("after", [0, 1, 2, 3])
def test_that_a_film_which_is_stopped_leaves_the_old_file_whole_and_nothing_beside_it(
    ending: str, after: int, tmp_path: Path
) -> None:
    done: list[int] = []
    film = film_of(*RNG.random((3, 1, 1, 2, 2)))
    path = tmp_path / f"film{ending}"
    for old in (None, b"old"):
        done.clear()
        if old:
            path.write_bytes(old)
        told = write_animation(
            film,
            path,
            SMALL,
            SESSION,
            progress=lambda count, _: done.append(count),
            should_stop=lambda: len(done) >= after,
        )
        assert told is False
        assert len(done) == after
        assert [each.read_bytes() for each in tmp_path.iterdir()] == ([old] if old else [])


def test_that_a_film_is_stopped_while_it_is_looked_at_beforehand(tmp_path: Path) -> None:
    ran: list[Any] = []
    film = Film((), 0, (ran.append(place) or trace_of("kernel-fixed") for place in range(5)))  # type: ignore[func-returns-value]
    assert not write_animation(film, tmp_path / "film.gif", SMALL, SESSION, should_stop=lambda: len(ran) == 2)
    assert len(ran) == 2


@pytest.mark.parametrize("wrong", [Frame(trace_of("kernel-fixed"), "", "split"), RuntimeError("torn")])
def test_that_a_frame_which_fails_leaves_the_old_file_whole(wrong: Any, tmp_path: Path) -> None:
    def frames() -> Iterator[Frame]:
        yield Frame(trace_of("kernel-fixed"), "good")
        if isinstance(wrong, Exception):
            raise wrong
        yield wrong

    (tmp_path / "film.gif").write_bytes(b"old")
    with pytest.raises((ValueError, RuntimeError), match=r"stage 'split' must be one of|torn"):
        write_animation(Film(frames(), 2), tmp_path / "film.gif", SMALL, SESSION)
    assert [each.read_bytes() for each in tmp_path.iterdir()] == [b"old"]


@pytest.mark.parametrize(
    ("values", "said"),
    [
        ({"width": 100}, "width 100 pixels must be in 160..2048; nearest: 160"),
        ({"height": 5000}, "height 5000 pixels must be in 160..2048; nearest: 2048"),
        ({"frames_per_second": 0}, "pace 0 frames per second must be in 0.1..50; nearest: 0.1"),
        ({"frames_per_second": float("nan")}, "pace nan frames per second must be in 0.1..50; nearest: 5"),
        ({"hold": -1}, "hold -1 seconds must be in 0..60; nearest: 0"),
    ],
)
def test_that_settings_out_of_their_limits_are_a_sentence_with_the_nearest(values: dict[str, Any], said: str) -> None:
    with pytest.raises(ValueError, match=re.escape(said)):
        checked(AnimationSettings, values)


def test_that_another_ending_is_a_sentence_and_that_there_must_be_a_frame(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match=r"not among \.png, \.gif, \.apng; nearest: film\.png"):
        write_animation(SWEPT, tmp_path / "film.mp4", SMALL, SESSION)
    with pytest.raises(ValueError, match="there is no frame to show"):
        write_animation(Film((), 0), tmp_path / "film.gif", SMALL, SESSION)
    with pytest.raises(OSError, match="missing"):
        write_animation(SWEPT, tmp_path / "missing" / "film.gif", SMALL, SESSION)
    assert os.listdir(tmp_path) == []


LEARNED = make_spec({"lab": "regression", "estimator": "parametric", "epochs": 40, "learning_rate": 0.02, "w_init": 1})
TRAINED: list[Any] = list(run(LEARNED, untrained_first=True))


@pytest.mark.parametrize(
    ("most", "steps"),
    [(5, [0, 10, 20, 30, 40]), (2, [0, 40]), (41, list(range(41))), (500, list(range(41))), (4, [0, 13, 27, 40])],
)
def test_that_the_film_of_a_training_goes_evenly_from_the_first_fit_to_the_last(most: int, steps: list[int]) -> None:
    film = film_of_training(TRAINED, LEARNED, most)
    frames = list(film.frames)
    assert [frame.trace.step for frame in frames] == steps  # type: ignore[union-attr]
    assert film.count == len(frames)
    assert str(frames[0].caption) == "step 0 of 40: untrained, w 1"
    last = frames[-1].trace
    assert last is TRAINED[-1]
    assert str(frames[-1].caption) == f"step 40 of 40: loss before it {last.loss[39]:.4g}, w {last.w_now:.3g}"  # type: ignore[union-attr]


def test_that_overlays_which_come_late_are_in_every_frame_of_a_training() -> None:
    late = OverlayCurve(Overlay(), np.zeros(2), 0.0, 0.0, None)
    path = {"loss": [3.0, 2.0], "w": [1.0, 2.0], "w_start": 0.5}
    asked = {"estimator": "parametric", "overlays": [Overlay().model_dump()], "epochs": 2}
    events = [
        regression_trace(np.eye(2), **path, step=0, values=asked),  # type: ignore[arg-type]
        *(regression_trace(np.eye(2), **path, step=step, values=asked, curves=(late,)) for step in (1, 2)),  # type: ignore[arg-type]
    ]
    frames = list(film_of_training(events, events[0].spec).frames)
    assert [(frame.trace.step, frame.trace.curves) for frame in frames] == [(step, (late,)) for step in range(3)]  # type: ignore[union-attr]


def test_that_a_training_which_fails_ends_the_film_with_its_sentence(tmp_path: Path) -> None:
    failure = Failure(LEARNED, "diverged", Text("training diverged at step 2"))
    film = film_of_training([*TRAINED[:2], failure], LEARNED)
    with pytest.raises(FilmFailedError, match="training diverged") as caught:
        write_animation(film, tmp_path / "film.gif", SMALL, SESSION)
    assert str(caught.value) == failure.message
    assert os.listdir(tmp_path) == []


@pytest.mark.parametrize(
    ("spec", "most", "said"),
    [
        (SENTENCE, 10, "this spec trains nothing"),
        (preset("kernel-fixed").spec, 10, "this spec trains nothing"),
        (LEARNED, 1, "1 frames must be in 2..500; nearest: 2"),
        (LEARNED, 501, "501 frames must be in 2..500; nearest: 500"),
    ],
)
def test_that_a_film_of_no_training_is_a_sentence(spec: Any, most: int, said: str) -> None:
    with pytest.raises(ValueError, match=said):
        film_of_training([], spec, most)


@pytest.mark.parametrize("name", ["causal-sentence", "additive-random", "kernel-fixed"])
def test_that_the_film_of_a_run_shows_every_stage_in_order_and_names_it(name: str, tmp_path: Path) -> None:
    spec = preset(name).spec
    trace = last_trace(spec.model_copy(update={"num_heads": 2}) if isinstance(spec, AttentionSpec) else spec)
    film = film_of_stages(trace)
    stages = stages_of(trace.spec)
    assert [frame.stage for frame in film.frames] == list(stages)
    titles = [LABS[trace.spec.lab].stages[stage] for stage in stages]
    assert [str(frame.caption) for frame in film.frames] == [
        f"stage {place} of {len(stages)}: {title}" for place, title in enumerate(titles, 1)
    ], "the words of the stage strip"
    assert write_animation(film, tmp_path / "film.gif", SMALL, SESSION)
    pictures = frames_of(tmp_path / "film.gif")
    assert len(pictures) == film.count
    assert all((one != two).any() for one, two in itertools.pairwise(pictures))


def test_that_the_film_of_a_sweep_runs_each_spec_when_its_frame_is_drawn() -> None:
    ran: list[Any] = []
    sweep = parse_sweep("num_heads=1:8", SENTENCE)
    film = film_of_sweep(sweep, lambda spec: ran.append(spec) or trace_of("causal-sentence"))  # type: ignore[func-returns-value]
    assert (ran, film.count, list(film.beforehand)) == ([], 4, [])
    captions = [(str(frame.caption), len(ran)) for frame in film.frames]
    assert captions == [("num_heads 1", 1), ("num_heads 2", 2), ("num_heads 4", 3), ("num_heads 8", 4)]
    assert ran == [each.spec for each in sweep.specs]
