"""A run that is not the model's own by more than rounding is marked in every picture, sentence and export of it."""

import csv
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from calling import attnviz as command
from model_families import FAMILIES, inputs_of, tiny
from model_hands import model, trace_of
from PIL import Image
from PySide6.QtGui import QColor
from PySide6.QtWidgets import QWidget
from windows import Opener, Settle

import attnviz
from attnviz.api import window as view_window
from attnviz.engine.model.recorder import Recorder
from attnviz.engine.run import run_to_end
from attnviz.engine.sweeps.cells import row_of
from attnviz.experiment.attention.trace import AttentionTrace
from attnviz.experiment.files.session import Session
from attnviz.experiment.labs import Spec, make_spec, spec_to_json
from attnviz.experiment.model.trace import Check, ModelTrace
from attnviz.experiment.texts.languages import translator
from attnviz.export.animation.animation import AnimationSettings, write_animation
from attnviz.export.animation.frames import film_of_stages
from attnviz.export.figures.figure import write_figure
from attnviz.export.figures.settings import FigureSettings
from attnviz.export.numbers import write_long_table, write_npz
from attnviz.gui.dialogs.screenshot import picture_of
from attnviz.palette import THEMES

UNTRUE = "not what the model computes: logits differ by up to "
TEXT = "then the fox ran home and the fox"


@pytest.fixture
def _tampered(monkeypatch: pytest.MonkeyPatch) -> None:
    """Heads put out a fifth more in the recorded run alone."""
    attend = Recorder.attend

    def louder(self: Any, *of: Any, **values: Any) -> Any:
        output, weights = attend(self, *of, **values)
        return output * 1.2, weights

    monkeypatch.setattr(Recorder, "attend", louder)


def red(image: Any, theme: str = "light") -> float:
    """Return the share of pixels that have the colour of the mark, over light or dark grounds."""
    r, g, b = np.moveaxis(np.asarray(image, np.int64)[..., :3], -1, 0)
    wanted = QColor(THEMES[theme].danger)
    near = np.abs(r - wanted.red()) + np.abs(g - wanted.green()) + np.abs(b - wanted.blue()) < 130
    return float((near & (r > g + 60)).mean())


def pixels(widget: QWidget) -> Any:
    image = picture_of(widget, 1)
    return np.frombuffer(image.constBits(), np.uint8).reshape(image.height(), image.width(), 4)


def picture(room: Any) -> Any:
    """Return the pixels of the stage where its page is."""
    place = room.stage.pages.geometry()
    return pixels(room.stage)[place.top() : place.bottom(), place.left() : place.right()]


def along_the_diagonal(seen: Any) -> float:
    """Return the share of the points from corner to corner, without the ends, that are red."""
    high, wide = seen.shape[:2]
    steps = np.linspace(0.1, 0.9, 200)
    points = seen[(high * (1 - steps)).astype(int), (wide * steps).astype(int)]
    return red(points[None])


@pytest.mark.usefixtures("_tampered")
def test_that_every_page_its_sentence_and_its_exports_say_that_the_run_is_not_the_models(
    open_window: Opener, settle: Settle
) -> None:
    window = open_window(model(text=TEXT))
    settle(window)
    room: Any = window.room
    trace = trace_of(window)
    assert trace.check.beyond_rounding
    assert window.status.badge.isVisible()
    assert window.status.badge.text().startswith(UNTRUE)
    for page in ("overview", "stages", "lines", "text", "compare"):
        room.current_view.propose(page=page)
        settle(window)
        assert room.stage.sentence.text().startswith("Not what the model computes: logits differ by up to"), page
        assert along_the_diagonal(picture(room)) > 0.5, page
    room.current_view.propose(page="overview")
    settle(window)
    heatmap = room.stage.page.close_up
    assert along_the_diagonal(pixels(heatmap)) < 0.1
    with room.stage.across.over(heatmap):
        assert along_the_diagonal(pixels(heatmap)) > 0.5, "the large picture alone has a mark of its own"
    assert along_the_diagonal(picture(room)) > 0.5, "which is back"
    window.actions_["present"].trigger()
    settle(window)
    assert along_the_diagonal(picture(room)) > 0.5
    window.actions_["present"].trigger()


def test_that_a_true_run_has_no_mark(open_window: Opener, settle: Settle) -> None:
    window = open_window(model(text=TEXT + " ran"))
    settle(window)
    room: Any = window.room
    assert not trace_of(window).warning
    assert room.stage.across.isHidden()
    assert red(picture(room)) < 0.001


@pytest.mark.usefixtures("_tampered")
def test_that_figures_films_and_numbers_carry_it(tmp_path: Path) -> None:
    trace = run_to_end(model(text=TEXT + " sang"))
    assert isinstance(trace, ModelTrace)
    assert str(trace.warning).startswith(UNTRUE)
    assert str(trace.warning) in trace.summary()
    for theme in ("light", "dark"):
        write_figure(trace, tmp_path / "x.png", FigureSettings(theme=theme, dpi=80), session=Session(spec=trace.spec))  # type: ignore[arg-type]
        assert red(Image.open(tmp_path / "x.png").convert("RGB"), theme) > 0.02
    film = film_of_stages(trace)
    write_animation(film, tmp_path / "x.apng", AnimationSettings(), Session(spec=trace.spec))
    with Image.open(tmp_path / "x.apng") as frames:
        for number in range(frames.n_frames):
            frames.seek(number)
            assert red(frames.convert("RGB")) > 0.02
    write_npz(trace, tmp_path / "x.npz")
    with np.load(tmp_path / "x.npz") as arrays:
        assert str(arrays["warning"]) == str(trace.warning)
    write_long_table(trace, tmp_path / "x.csv")
    with (tmp_path / "x.csv").open(encoding="utf-8", newline="") as file:
        assert {row["warning"] for row in csv.DictReader(file)} == {str(trace.warning)}
    row = row_of(trace.spec, 0, {"temperature": 2.0}, None)
    assert row["failure"] == str(trace.warning)
    assert row["entropy"] > 0, "its numbers are there"


@pytest.mark.usefixtures("_tampered")
def test_that_the_command_line_says_it(tmp_path: Path) -> None:
    (tmp_path / "x.json").write_text(spec_to_json(model(text=TEXT + " night")), encoding="utf-8")
    done = command("run", str(tmp_path / "x.json"))
    assert UNTRUE in done.out
    assert "attnviz: Not what the model computes: logits differ by up to " in done.err
    assert done.code == 0


def viewed(path: Path, monkeypatch: pytest.MonkeyPatch) -> Spec:
    """Record a model and return the spec of the window that `attnviz.view` opens on the recording."""
    monkeypatch.setattr(view_window, "View", lambda arrays: np.savez(path, **arrays))
    monkeypatch.setattr(view_window, "_check_screen", lambda: None)
    attnviz.view(attnviz.record(tiny(FAMILIES["gpt2"]), inputs_of(FAMILIES["gpt2"])))
    return make_spec({"mechanism": "given", "inputs": {"kind": "file", "path": str(path)}})


@pytest.mark.usefixtures("_tampered")
@pytest.mark.filterwarnings("ignore::attnviz.api.RecordingWarning")
def test_that_a_window_on_a_recording_that_is_not_the_models_is_marked_and_so_is_what_it_exports(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, open_window: Opener, settle: Settle
) -> None:
    spec = viewed(tmp_path / "mine.npz", monkeypatch)
    window = open_window(spec)
    settle(window)
    room: Any = window.room
    assert window.status.badge.text().startswith(UNTRUE)
    for page, layer in (("stages", 0), ("lines", 1), ("compare", 1)):
        room.current_view.propose(page=page, layer=layer)
        settle(window)
        assert room.stage.sentence.text().startswith("Not what the model computes: logits differ by up to"), page
        assert along_the_diagonal(picture(room)) > 0.5, page
    trace = window.controller.shown
    assert isinstance(trace, AttentionTrace)
    warning = str(trace.warning)
    assert trace.warning.translated(translator("zh_CN")).startswith("并非模型所计算的：logit最多相差 ")
    write_figure(trace, tmp_path / "x.png", FigureSettings(dpi=80), session=Session(spec=spec))  # type: ignore[arg-type]
    assert red(Image.open(tmp_path / "x.png").convert("RGB")) > 0.02
    write_npz(trace, tmp_path / "x.npz")
    with np.load(tmp_path / "x.npz") as arrays:
        assert str(arrays["warning"]) == warning
    write_long_table(trace, tmp_path / "x.csv")
    with (tmp_path / "x.csv").open(encoding="utf-8", newline="") as file:
        assert {row["warning"] for row in csv.DictReader(file)} == {warning}
    (tmp_path / "x.json").write_text(spec_to_json(spec), encoding="utf-8")
    done = command("run", str(tmp_path / "x.json"))
    assert warning in done.out
    assert "attnviz: Not what the model computes: logits differ by up to " in done.err


def test_that_a_window_on_a_true_recording_has_no_mark(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, open_window: Opener, settle: Settle
) -> None:
    window = open_window(viewed(tmp_path / "mine.npz", monkeypatch))
    settle(window)
    assert window.controller.shown is not None
    assert not window.controller.shown.warning
    assert window.room.stage.across.isHidden()
    assert red(picture(window.room)) < 0.001


@pytest.mark.parametrize(
    ("dtype", "outputs", "weights", "said"),
    [
        ("float32", 1.1e-3, 0.0, "not what the model computes: logits differ by up to 0.0011"),
        ("float32", 0.9e-3, 0.0, ""),
        ("float32", 0.0, 1.1e-4, "not what the model computes: weights differ by up to 1.1e−4"),
        ("float32", 0.5, 0.2, "not what the model computes: logits and weights differ by up to 0.5"),
        ("bfloat16", 0.9, 0.05, ""),
        ("float32", float("nan"), 0.0, ""),
        ("float32", float("inf"), 0.0, "not what the model computes: logits differ by up to ∞"),
    ],
)
def test_that_the_bound_is_relative_to_the_largest_value(dtype: str, outputs: float, weights: float, said: str) -> None:
    check = Check(
        weights_apart=weights,
        outputs_apart=outputs,
        largest_output=10.0,
        dtype=dtype,
        has_logits=True,
        unexplained=0,
    )
    assert str(check.warning()) == said
    assert check.beyond_rounding == bool(said)
