"""Whatever a user's matplotlib is set to, however many heads there are, and whatever tokens hold."""

import io
import re
import warnings
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from made_traces import attention_trace, regression_trace, with_layer
from matplotlib import font_manager
from pictures import cell_axes, trace_of

from attnviz.experiment.files.session import Session
from attnviz.experiment.regression.spec import Overlay
from attnviz.experiment.regression.trace import OverlayCurve
from attnviz.experiment.texts.languages import translator
from attnviz.export.animation.animation import AnimationSettings, write_animation
from attnviz.export.animation.frames import film_of_stages
from attnviz.export.figures import layers as layers_figure
from attnviz.export.figures import type_style
from attnviz.export.figures.figure import figure_bytes, paper_figure
from attnviz.export.figures.grid_layout import check_height, grid_layout
from attnviz.export.figures.settings import FigureSettings
from attnviz.export.figures.type_style import figure_style, without_glyph
from attnviz.palette import LIGHT

CM = 1 / 2.54
HOSTILE = {
    "image.origin": "lower",
    "axes.grid": True,
    "savefig.bbox": "tight",
    "savefig.pad_inches": 2,
    "font.weight": "bold",
    "figure.autolayout": True,
    "text.usetex": True,
    "path.sketch": (1, 100, 2),
    "axes.titlelocation": "left",
    "savefig.transparent": True,
    "lines.marker": "o",
}


def png_of(figure: Any, dpi: float = 72) -> np.ndarray[Any, Any]:
    from PIL import Image

    content = figure_bytes(figure, "png", Session(spec=trace_of("causal-sentence").spec), dpi=dpi)
    with Image.open(io.BytesIO(content)) as png:
        return np.asarray(png.convert("RGB"))


def made(folder: Path) -> list[bytes]:
    """Return a film and the pixels of a figure."""
    trace = trace_of("kernel-average")
    film, settings = film_of_stages(trace), AnimationSettings(width=320, height=200)
    write_animation(film, folder / "film.png", settings, Session(spec=trace.spec))
    figure = paper_figure(trace_of("causal-sentence"), FigureSettings(heads=(1,)))
    return [(folder / "film.png").read_bytes(), png_of(figure).tobytes()]


@pytest.fixture(scope="module")
def plain(tmp_path_factory: pytest.TempPathFactory) -> list[bytes]:
    """What is made where the user has set nothing."""
    return made(tmp_path_factory.mktemp("plain"))


@pytest.mark.parametrize("hostile", [HOSTILE, {"figure.constrained_layout.use": True, "image.origin": "lower"}])
def test_that_no_setting_of_the_users_matplotlib_reaches_a_figure_or_a_film(
    hostile: Any, plain: list[bytes], tmp_path: Path
) -> None:
    import matplotlib as mpl

    backend = mpl.get_backend()
    with mpl.rc_context(hostile), warnings.catch_warnings():
        warnings.simplefilter("error")
        before = dict(mpl.rcParams)
        found = made(tmp_path)
        assert dict(mpl.rcParams) == before
    assert mpl.get_backend() == backend
    assert found == plain


@pytest.mark.parametrize(("count", "width"), [(96, 8.0), (96, 17.0), (48, 8.0), (48, 4.0), (1024, 8.0), (1024, 17.0)])
def test_that_many_heads_make_a_page_no_higher_than_paper_with_panels_that_are_seen(count: int, width: float) -> None:
    trace = attention_trace(np.full((1, count, 2, 2), 0.5))
    layout = grid_layout(trace, count, 0.62, FigureSettings(width_cm=width))
    assert layout.height <= 24 * CM
    assert layout.rows * layout.columns >= count
    assert min(layout.panel) >= 0.3 * CM - 1e-3


def test_that_the_many_matrices_of_a_stage_stand_closer_before_the_page_grows() -> None:
    trace = attention_trace(np.full((1, 40, 4, 4), 0.25))
    assert paper_figure(trace, FigureSettings(stage="split")).get_size_inches()[1] <= 24 * CM


def test_that_a_page_which_no_reader_opens_is_a_sentence_with_the_most_heads_and_the_least_width() -> None:
    trace = attention_trace(np.full((1, 600, 2, 2), 0.5))
    with pytest.raises(ValueError, match=r"nothing opens more than 480; nearest: ") as caught:
        paper_figure(trace, FigureSettings(stage="heads", width_cm=4))
    heads, width = re.findall(r"(\d+) of the heads \(--heads 1-\1\) or a page ([\d.]+) cm wide", str(caught.value))[0]
    assert 100 < int(heads) < 600
    assert 4 < float(width) < 60
    check_height(480 * CM, 4 * CM, 9, lambda *_: False)
    with pytest.raises(ValueError, match=r"9 heads on a page 4 cm wide make it 481 cm high.*nearest: 7 of the heads"):
        check_height(481 * CM, 4 * CM, 9, lambda count, _: count <= 7)


def test_that_a_narrow_page_keeps_no_room_for_labels_that_are_not_there() -> None:
    tokens = tuple(f"{'m' * 13}{place}" for place in range(4))
    trace = with_layer(attention_trace(np.full((1, 2, 4, 4), 0.25)), query_tokens=tokens, key_tokens=tokens)
    for each in (trace, with_layer(trace_of("causal-sentence"), query_tokens=("m" * 13,) * 10)):
        figure = paper_figure(each, FigureSettings(width_cm=4))
        for axes in cell_axes(figure):
            assert not axes.get_yticklabels()
            box = axes.get_window_extent()
            assert box.width / figure.dpi >= 1.4 * CM
            assert box.x0 / figure.dpi <= 0.7 * CM


def test_that_a_page_too_narrow_for_its_panels_is_a_sentence_with_the_nearest_width(monkeypatch: Any) -> None:
    monkeypatch.setattr(layers_figure, "bar_block", lambda _: 1.5)
    with pytest.raises(ValueError, match=r"a page of 4 cm has no room for 2 heads.*nearest: a page \d") as caught:
        paper_figure(attention_trace(np.full((1, 2, 4, 4), 0.25)), FigureSettings(width_cm=4))
    width = float(str(caught.value).partition("nearest: a page ")[2].split()[0])
    assert 4 < width < 8
    paper_figure(attention_trace(np.full((1, 2, 4, 4), 0.25)), FigureSettings(width_cm=width))


def texts_of(figure: Any) -> list[str]:
    return [text.get_text() for text in figure.texts]


@pytest.mark.parametrize(("kind", "height"), [("png", None), ("pdf", 8.0), ("svg", None)])
def test_that_signs_without_a_glyph_are_counted_on_the_page_and_warn_of_nothing(kind: Any, height: Any) -> None:
    tokens = ("a\U0010fffd", "b\U0010fffc\ufe0f", "c\U0010fffd")
    trace = with_layer(attention_trace(np.eye(3)[None, None]), query_tokens=tokens, key_tokens=tokens)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        figure = paper_figure(trace, FigureSettings(height_cm=height))
        assert len(figure_bytes(figure, kind, Session(spec=trace.spec))) > 3000
        assert texts_of(figure)[-1] == "2 characters have no glyph on this machine"
        captioned = paper_figure(attention_trace(np.eye(3)[None, None]), FigureSettings(caption="\U0010fffd"))
        assert texts_of(captioned)[-1] == "1 sign has no glyph on this machine"
    plain = paper_figure(attention_trace(np.eye(3)[None, None]), FigureSettings(height_cm=height))
    assert not any("glyph" in text for text in texts_of(plain))
    if height is not None:
        assert figure.get_size_inches() == pytest.approx(plain.get_size_inches())
    with figure_style(LIGHT):
        low = min(axes.get_tightbbox().y0 for axes in figure.axes)
    assert low >= figure.texts[-1].get_window_extent().y1, "the line covers nothing"


def test_that_the_labels_at_the_corner_of_a_regressions_cells_do_not_touch() -> None:
    figure = paper_figure(trace_of("kernel-estimators"), FigureSettings())
    png_of(figure)
    (axes,) = cell_axes(figure)
    row, column = axes.get_yticklabels()[-1].get_window_extent(), axes.get_xticklabels()[0].get_window_extent()
    assert not row.padded(1).overlaps(column)


def test_that_what_numbers_count_in_stands_at_the_name_of_the_axis() -> None:
    trace = regression_trace(np.full((3, 2), 0.5), y_train=[1e100, -1e100], y_hat=[0, 1e99, 2e99])
    figure = paper_figure(trace, FigureSettings())
    assert figure.axes[0].get_ylabel() == "y (× 1e100)"
    assert figure.axes[0].get_xlabel() == "x"
    png_of(figure)
    assert not figure.axes[0].yaxis.get_offset_text().get_visible()


@pytest.mark.parametrize(
    ("y_hat", "alone"),
    [([5], [0]), ([np.nan, 5, np.nan, 1, 2], [1]), ([5, np.nan, np.nan, np.nan, 3], [0, 4]), ([1, 2, np.nan], [])],
)
def test_that_a_prediction_between_two_gaps_is_marked(y_hat: list[float], alone: list[int]) -> None:
    curve = OverlayCurve(Overlay(), np.array(y_hat, dtype=float), np.nan, np.nan, None)
    gap = np.full(len(y_hat), np.nan)
    trace = regression_trace(np.full((len(y_hat), 2), 0.5), y_train=[1, 2], y_hat=y_hat, y_truth=gap, curves=(curve,))
    lines = paper_figure(trace, FigureSettings()).axes[0].lines
    marked = [line.get_xdata().tolist() for line in lines if line.get_marker() == "D"]
    assert marked == ([trace.x_test[alone].tolist()] * 2 if alone else [])


def test_that_a_font_that_came_after_matplotlibs_first_start_writes_chinese(monkeypatch: pytest.MonkeyPatch) -> None:
    if not any("CJK" in path for path in font_manager.findSystemFonts()):
        pytest.skip("fonts-noto-cjk is not here")
    remembered = [entry for entry in font_manager.fontManager.ttflist if entry.name == "DejaVu Sans"]
    monkeypatch.setattr(font_manager.fontManager, "ttflist", remembered)
    type_style.families.cache_clear()
    type_style._is_there.cache_clear()
    try:
        assert without_glyph(["权重"]) == frozenset()
    finally:
        monkeypatch.undo()
        type_style.families.cache_clear()
        type_style._is_there.cache_clear()


def test_that_a_language_without_a_font_is_said_on_the_page(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(type_style, "_is_there", lambda sign: sign < "一")
    figure = paper_figure(attention_trace(np.eye(3)[None, None]), FigureSettings(language=translator("zh_CN")))
    said = re.sub(r"\d+", "{count}", texts_of(figure)[-1])
    assert said == translator("zh_CN")("{count} characters have no glyph on this machine")
