import base64
import io
import re
import time
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import numpy as np
import pytest
from made_traces import attention_trace, regression_trace, with_layer
from pictures import cell_axes, found_and_expected, last_trace, trace_of

from attnviz.experiment.attention.trace import AttentionTrace
from attnviz.experiment.colours import DIVERGING, SEQUENTIAL, colours_of_levels, quantise, rgb
from attnviz.experiment.files.session import Session
from attnviz.experiment.files.specs_in_files import preset, presets
from attnviz.experiment.labs import Trace, make_spec, stages_of
from attnviz.experiment.regression.spec import Overlay
from attnviz.experiment.regression.trace import OverlayCurve, RegressionTrace
from attnviz.experiment.train.spec import TrainSpec
from attnviz.export.figures import parts
from attnviz.export.figures.figure import figure_bytes, paper_figure, write_figure
from attnviz.export.figures.settings import Extent, FigureSettings
from attnviz.export.options import checked
from attnviz.palette import DARK, LIGHT, THEMES

CM = 1 / 2.54
NUMBERED = (-0.4, -0.4)
"""A corner of a cell, which numbers leave free."""


def png_of(figure: Any, dpi: float, *, transparent: bool = False) -> np.ndarray[Any, Any]:
    from PIL import Image

    session = Session(spec=preset("causal-sentence").spec)
    content = figure_bytes(figure, "png", session, dpi=dpi, transparent=transparent)
    with Image.open(io.BytesIO(content)) as image:
        return np.asarray(image.convert("RGBA"))


def levels_of(trace: Trace, settings: FigureSettings) -> list[np.ndarray[Any, Any]]:
    """Return the levels of each heatmap of a figure of cells, in order."""
    if isinstance(trace, AttentionTrace):
        levels = trace.levels(settings.stage, settings.contrast_drawn)[settings.item]  # type: ignore[arg-type]
        return [levels[head] for head in settings.heads_of(trace.num_heads)]
    return [trace.contrast_levels if settings.contrast else trace.levels]


@pytest.mark.parametrize(
    ("name", "settings", "dpi"),
    [
        ("causal-sentence", FigureSettings(), 72),
        ("multi-head-random", FigureSettings(theme="dark", colour_map="Reds", item=1, contrast=True), 150),
        ("multi-head-random", FigureSettings(contrast=True, contrast_by="row"), 150),
        ("multi-head-random", FigureSettings(contrast=True, contrast_by="log"), 150),
        ("mask-laboratory", FigureSettings(colour_map="cividis", heads=(2, 0), width_cm=12), 72),
        ("why-root-d", FigureSettings(colour_map="CET-CBL1", theme="dark"), 150),
        ("additive-random", FigureSettings(width_cm=5), 72),
        (
            "kernel-fixed",
            FigureSettings(contrast=True, theme="dark"),
            600,
        ),  # its cells are smaller than a pixel at 72 dpi
    ],
)
def test_that_the_middle_of_every_cell_has_exactly_the_colour_of_its_weight(
    name: str, settings: FigureSettings, dpi: float
) -> None:
    trace = trace_of(name)
    figure = paper_figure(trace, settings)
    pixels = png_of(figure, dpi)
    colours = colours_of_levels(settings.colour_map, settings.palette)
    every = levels_of(trace, settings)
    assert len(cell_axes(figure)) == len(every)
    for axes, levels in zip(cell_axes(figure), every, strict=True):
        at = NUMBERED if axes.texts else (0.0, 0.0)
        found, expected = found_and_expected(figure, axes, pixels, levels, colours, at=at)
        assert len(found)
        assert (found == expected).all()


@pytest.mark.parametrize("name", SEQUENTIAL)
@pytest.mark.parametrize("theme", ["light", "dark"])
def test_that_every_level_of_every_map_is_drawn_as_it_is(name: Any, theme: Any) -> None:
    trace = attention_trace(np.linspace(0, 1, 256).reshape(1, 1, 16, 16))
    figure = paper_figure(trace, FigureSettings(colour_map=name, theme=theme))
    colours = colours_of_levels(name, THEMES[theme])
    levels = trace.levels()[0, 0]
    assert len(np.unique(levels)) == 254
    found, expected = found_and_expected(figure, cell_axes(figure)[0], png_of(figure, 200), levels, colours)
    assert (found == expected).all()


@pytest.mark.parametrize("stage", ["scores", "masked_scores"])
def test_that_scores_are_drawn_in_the_diverging_map(stage: str) -> None:
    trace = trace_of("causal-sentence")
    settings = FigureSettings(stage=stage, heads=(5,))
    figure = paper_figure(trace, settings)
    colours = colours_of_levels(DIVERGING, LIGHT)
    (axes,), (levels,) = cell_axes(figure), levels_of(trace, settings)
    found, expected = found_and_expected(figure, axes, png_of(figure, 150), levels, colours, at=NUMBERED)
    assert (found == expected).all()


def test_that_a_rotation_is_drawn_before_and_after_it_for_each_chosen_head() -> None:
    spec = make_spec({"mechanism": "rotary", "num_heads": 3, "num_hiddens": 12, "device": "cpu"})
    trace: Any = last_trace(spec)
    figure = paper_figure(trace, FigureSettings(stage="rotate", heads=(0, 2)))
    arrays = [getattr(trace, name)[0, head] for head in (0, 2) for name in ("unrotated_q", "q", "unrotated_k", "k")]
    titles = [f"{name} of head {head}" for head in (1, 3) for name in ("Q", "R Q", "K", "R K")]
    shown = cell_axes(figure)
    assert [axes.get_title() for axes in shown] == titles
    levels = []
    for before, after in zip(arrays[::2], arrays[1::2], strict=True):
        reach = float(max(np.abs(before).max(), np.abs(after).max()))
        levels += [quantise(each, None, -reach, reach) for each in (before, after)]
    seen, colours = png_of(figure, 150), colours_of_levels(DIVERGING, LIGHT)
    for axes, expected_levels in zip(shown, levels, strict=True):
        found, expected = found_and_expected(figure, axes, seen, expected_levels, colours)
        assert (found == expected).all()


def test_that_masked_cells_and_cells_without_a_number_have_their_own_colours() -> None:
    mask = np.array([[True, False], [True, True]])
    trace = attention_trace([[[[1, 0], [np.nan, 0.5]]]], mask=mask)
    figure = paper_figure(trace, FigureSettings())
    pixels = png_of(figure, 150)[..., :3]
    (axes,) = cell_axes(figure)
    for column, row, colour in ((1, 0, LIGHT.masked), (0, 1, LIGHT.not_finite)):
        box = axes.transData.transform([(column - 0.4, row + 0.4), (column + 0.4, row - 0.4)]) / figure.dpi * 150
        (left, low), (right, high) = box.astype(int)
        cell = pixels[len(pixels) - high : len(pixels) - low, left:right].reshape(-1, 3)
        assert (cell == rgb(colour)).all(axis=-1).mean() > 0.5
        assert (cell != rgb(colour)).any(), "it is hatched, or crossed"


@pytest.mark.parametrize("transparent", [True, False])
def test_that_the_page_is_the_themes_panel_or_transparent(transparent: bool) -> None:
    settings = FigureSettings(theme="dark", transparent=transparent)
    pixels = png_of(paper_figure(trace_of("causal-sentence"), settings), 72, transparent=transparent)
    assert pixels[0, 0].tolist() == ([255, 255, 255, 0] if transparent else [*rgb(DARK.panel), 255])


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        (FigureSettings(heads=(8,)), "head 9 must be in 1..8; nearest: 8"),
        (FigureSettings(heads=(-1,)), "head 0 must be in 1..8; nearest: 1"),
        (FigureSettings(heads=()), "no head is chosen; nearest: head 1"),
        (FigureSettings(item=1), "item 1 must be in 0..0; nearest: 0"),
        (FigureSettings(stage="weight"), "stage 'weight' must be one of"),
        (FigureSettings(stage="weight"), "nearest: weights"),
        (FigureSettings(stage="features"), "stage 'features' must be one of"),
    ],
)
def test_that_what_a_trace_has_not_is_a_sentence_with_the_nearest(settings: FigureSettings, said: str) -> None:
    with pytest.raises(ValueError, match=re.escape(said)):
        paper_figure(trace_of("causal-sentence"), settings)


@pytest.mark.parametrize(
    ("values", "said"),
    [
        ({"width_cm": 2}, "width 2 cm must be in 4..60; nearest: 4"),
        ({"width_cm": float("nan")}, "width nan cm must be in 4..60; nearest: 8"),
        ({"height_cm": 99}, "height 99 cm must be in 4..60; nearest: 60"),
        ({"dpi": 1201}, "dpi 1201 must be in 30..1200; nearest: 1200"),
        ({"dpi": 10**400}, f"dpi {str(10**400)[:77]}... must be in 30..1200; nearest: 1200"),
        ({"dpi": "9999"}, "dpi '9999' must be at most 1200; nearest: 1200"),
        ({"height_cm": float("nan")}, "height nan cm must be in 4..60; nearest: 4"),
        ({"theme": "drak"}, "theme 'drak' must be one of light, dark; nearest: dark"),
        ({"contrast_by": "rows"}, "contrast_by 'rows' must be one of head, row, log, without_first; nearest: row"),
        ({"heads": "3-1"}, "heads '3-1' must be counted from 1, such as 1,3 or 2-4"),
        ({"width": 8}, "there is no field 'width'; nearest: width_cm"),
    ],
)
def test_that_settings_that_cannot_be_are_a_sentence_with_the_nearest(values: dict[str, Any], said: str) -> None:
    with pytest.raises(ValueError, match=re.escape(said)):
        checked(FigureSettings, values)


def test_that_more_heads_than_a_page_has_room_for_is_a_sentence() -> None:
    trace = attention_trace(np.full((1, 1024, 2, 2), 0.5))
    for stage in ("weights", "split"):
        with pytest.raises(ValueError, match=r"a page of 4 × 4 cm has no room for .*1024 heads"):
            paper_figure(trace, FigureSettings(width_cm=4, height_cm=4, stage=stage))


@pytest.mark.parametrize(("dpi", "nearest"), [(0, 1), (-5, 1), (1e9, 6579), (float("nan"), 6579)])
def test_that_more_pixels_than_a_picture_may_have_are_a_sentence(dpi: float, nearest: int) -> None:
    figure = paper_figure(trace_of("causal-sentence"), FigureSettings(width_cm=5, height_cm=8))
    session = Session(spec=preset("causal-sentence").spec)
    with pytest.raises(ValueError, match=rf"must be in 1\.\..* for a page of 5 × 8 cm; nearest: {nearest}$"):
        figure_bytes(figure, "png", session, dpi=dpi)


SVG = "{http://www.w3.org/2000/svg}"
LINK = "{http://www.w3.org/1999/xlink}href"


def svg_of(trace: Trace, settings: FigureSettings) -> ElementTree.Element:
    content = figure_bytes(paper_figure(trace, settings), "svg", Session(spec=trace.spec))
    return ElementTree.fromstring(content)


@pytest.mark.parametrize(
    ("name", "settings"),
    [
        ("causal-sentence", FigureSettings()),
        ("mask-laboratory", FigureSettings(theme="dark", heads=(3, 1), colour_map="Reds")),
        ("kernel-fixed", FigureSettings(contrast=True)),
    ],
)
def test_that_an_svg_holds_each_heatmap_as_one_image_of_exactly_its_colours(
    name: str, settings: FigureSettings
) -> None:
    from PIL import Image

    trace = trace_of(name)
    every, colours = levels_of(trace, settings), colours_of_levels(settings.colour_map, settings.palette)
    images = list(svg_of(trace, settings).iter(f"{SVG}image"))
    assert len(images) == len(every) + 1, "the heatmaps and one colour bar"
    for image, levels in zip(images, every, strict=False):
        data = base64.b64decode(image.attrib[LINK].partition("base64,")[2])
        with Image.open(io.BytesIO(data)) as picture:
            pixels = np.asarray(picture.convert("RGB"))
        pixels = pixels[::-1] if "scale(1 -1)" in image.attrib.get("transform", "") else pixels
        rows, columns = levels.shape
        assert (pixels.shape[0] % rows, pixels.shape[1] % columns) == (0, 0), "each cell has as many pixels"
        each_row, each_column = pixels.shape[0] // rows, pixels.shape[1] // columns
        whole = colours[levels].repeat(each_row, axis=0).repeat(each_column, axis=1)
        assert (pixels == whole).all()


@pytest.fixture(scope="module")
def sentence_pdf() -> tuple[bytes, Any]:
    figure = paper_figure(trace_of("causal-sentence"), FigureSettings(width_cm=8))
    return figure_bytes(figure, "pdf", Session(spec=preset("causal-sentence").spec)), figure


def test_that_a_rasterised_pdf_shows_every_weight_in_exactly_its_colour(sentence_pdf: tuple[bytes, Any]) -> None:
    import pypdfium2

    content, figure = sentence_pdf
    document = pypdfium2.PdfDocument(content)
    pixels = np.asarray(document[0].render(scale=300 / 72).to_pil().convert("RGB"))
    document.close()
    trace = trace_of("causal-sentence")
    colours = colours_of_levels("viridis", LIGHT)
    for axes, levels in zip(cell_axes(figure), levels_of(trace, FigureSettings()), strict=True):
        found, expected = found_and_expected(figure, axes, pixels, levels, colours)
        assert (found == expected).all()


def test_that_a_pdf_is_8_cm_wide_and_as_high_as_the_figure(sentence_pdf: tuple[bytes, Any]) -> None:
    from pypdf import PdfReader

    content, figure = sentence_pdf
    (page,) = PdfReader(io.BytesIO(content)).pages
    assert float(page.mediabox.width) == pytest.approx(8 * CM * 72, abs=0.5)
    assert float(page.mediabox.height) == pytest.approx(figure.get_size_inches()[1] * 72, abs=0.5)


def test_that_every_font_of_a_pdf_is_in_the_file_and_no_image_is_smoothed(sentence_pdf: tuple[bytes, Any]) -> None:
    from pypdf import PdfReader

    (page,) = PdfReader(io.BytesIO(sentence_pdf[0])).pages
    resources: Any = page["/Resources"]
    fonts = [font.get_object() for font in resources["/Font"].get_object().values()]
    inner = [each.get_object() for font in fonts for each in font.get("/DescendantFonts", [font])]
    assert inner
    for font in inner:
        assert {"/FontFile2", "/FontFile3"} & set(font["/FontDescriptor"].get_object())
    images = [each.get_object() for each in resources["/XObject"].get_object().values()]
    assert sum(each["/Subtype"] == "/Image" for each in images) == 9
    assert not any(each.get("/Interpolate", False) for each in images)


def test_that_the_words_of_a_sentence_can_be_searched_in_a_pdf(sentence_pdf: tuple[bytes, Any]) -> None:
    from pypdf import PdfReader

    text = PdfReader(io.BytesIO(sentence_pdf[0])).pages[0].extract_text()
    trace = trace_of("causal-sentence")
    assert isinstance(trace, AttentionTrace)
    for word in (*trace.key_tokens, *(f"head {head}" for head in range(1, 9)), "queries", "keys", "weight", "masked"):
        assert word in text


def test_that_the_callers_own_style_neither_counts_nor_changes() -> None:
    import matplotlib as mpl

    trace, settings = trace_of("causal-sentence"), FigureSettings(heads=(5,))
    plain = png_of(paper_figure(trace, settings), 72)
    with mpl.rc_context({"text.parse_math": True, "font.size": 30, "axes.facecolor": "red", "image.cmap": "jet"}):
        before = dict(mpl.rcParams)
        figure = paper_figure(trace, settings)
        found = png_of(figure, 72)
        for kind in ("pdf", "svg"):
            figure_bytes(figure, kind, Session(spec=trace.spec))  # type: ignore[arg-type]
        assert dict(mpl.rcParams) == before
    assert (found == plain).all()


@pytest.mark.filterwarnings("ignore:Glyph")
@pytest.mark.parametrize("kind", ["png", "pdf", "svg"])
def test_that_no_token_is_read_as_anything_but_text(kind: Any) -> None:
    text = '$ $x_1^2$ \\frac{ } ^ _ %s & < > " 注意力 $\\alpha \\ \U0001f600 supercalifragilisticexpialidocious'
    spec = make_spec({"num_heads": 2, "num_hiddens": 8, "inputs": {"kind": "sentence", "text": text}})
    trace = last_trace(spec)
    assert isinstance(trace, AttentionTrace)
    assert {"$", "_", "^", "\\", "注"} <= set(trace.key_tokens)
    for settings in (FigureSettings(), FigureSettings(stage="split")):
        content = figure_bytes(paper_figure(trace, settings), kind, Session(spec=spec, notes=text))
        assert len(content) > 5000
        if kind == "svg":
            ElementTree.fromstring(content)


@pytest.mark.filterwarnings("ignore:Glyph")
def test_that_dollar_signs_in_a_token_are_not_mathematics() -> None:
    from pypdf import PdfReader

    tokens = ("$x_1^2$", "$\\frac$", "a$b$c")
    trace = with_layer(attention_trace(np.eye(3)[None, None]), query_tokens=tokens, key_tokens=tokens)
    content = figure_bytes(paper_figure(trace, FigureSettings(caption="$y$")), "pdf", Session(spec=trace.spec))
    text = PdfReader(io.BytesIO(content)).pages[0].extract_text()
    for token in (*tokens, "$y$"):
        assert token in text


@pytest.mark.filterwarnings("ignore:Glyph")
@pytest.mark.parametrize("token", ["", " ", "\n", "\t\u3000"])
def test_that_tokens_and_captions_that_show_nothing_are_drawn_too(token: str) -> None:
    trace = with_layer(attention_trace(np.eye(2)[None, None]), query_tokens=(token,) * 2, key_tokens=(token,) * 2)
    assert png_of(paper_figure(trace, FigureSettings(caption=token)), 72).size


STAGES = [
    (name, stage)
    for name in ("causal-sentence", "additive-random", "kernel-fixed")
    for stage in stages_of(preset(name).spec)
]


@pytest.mark.parametrize(("name", "stage"), STAGES)
def test_that_every_stage_is_drawn_on_a_page_of_given_size_with_everything_on_it(name: str, stage: str) -> None:
    crowded = name != "causal-sentence" or stage in ("split", "weights")  # all of its heads: half a second a page
    heads = None if crowded else (0, 5)
    settings = FigureSettings(stage=stage, heads=heads, width_cm=12.5, height_cm=7.8, caption="stage " + stage)
    figure = paper_figure(trace_of(name), settings)
    assert figure.get_size_inches() == pytest.approx((12.5 * CM, 7.8 * CM))
    ink = png_of(figure, 80)[..., :3].astype(int)
    border = np.concatenate([ink[0], ink[-1], ink[:, 0], ink[:, -1]])
    assert (border == rgb(LIGHT.panel)).all(), "nothing is cut off"
    boxes = [axes.get_window_extent() for axes in cell_axes(figure)]
    for index, one in enumerate(boxes):
        assert all(
            one.x1 <= two.x0 or two.x1 <= one.x0 or one.y1 <= two.y0 or two.y1 <= one.y0 for two in boxes[:index]
        )


def test_that_a_caption_that_is_a_little_too_long_is_smaller_and_whole() -> None:
    caption = "off: 1.4 · hidden: red (3) · temperature 1.5 · patched: 1.2"
    figure = parts.new_page(3.1, 2.0, FigureSettings())
    parts.draw_caption(figure, caption, LIGHT)
    assert figure.texts[-1].get_text() == caption
    assert figure.texts[-1].get_window_extent().x1 <= figure.bbox.x1


@pytest.mark.parametrize("name", [name for name in presets() if name != "many-heads"][::4])
def test_that_nothing_of_a_presets_figure_is_cut_off(name: str) -> None:
    spec = preset(name).spec
    trace = last_trace(spec.model_copy(update={"steps": 4})) if isinstance(spec, TrainSpec) else trace_of(name)
    figure = paper_figure(trace, FigureSettings(caption="a caption that is much too long for one line " * 9))
    ink = png_of(figure, 100)[..., :3]
    border = np.concatenate([ink[0], ink[-1], ink[:, 0], ink[:, -1]])
    assert (border == rgb(LIGHT.panel)).all()


REGRESSION_STAGES = {
    "differences": (lambda trace: trace.difference_levels, DIVERGING),
    "kernel": (lambda trace: trace.kernel_levels, "viridis"),
    "weights": (lambda trace: trace.levels, "viridis"),
    "pooling": (lambda trace: trace.contribution_levels, DIVERGING),
}


@pytest.mark.parametrize("stage", REGRESSION_STAGES)
@pytest.mark.parametrize("wide", [True, False], ids=["beside the fit", "below the fit"])
def test_that_each_stage_of_a_regression_stands_by_the_fit_in_its_colours(stage: str, wide: bool) -> None:
    weights = np.random.default_rng(0).random((6, 5))
    trace = regression_trace(weights, y_train=[1, -2, 3, 0.5, -4], y_hat=weights.sum(axis=1))
    figure = paper_figure(trace, FigureSettings(stage=stage, height_cm=5 if wide else None))
    levels_of_stage, colour_map = REGRESSION_STAGES[stage]
    (axes,) = cell_axes(figure)
    assert wide == (axes.get_window_extent().y1 > figure.axes[0].get_window_extent().y0)
    colours = colours_of_levels(colour_map, LIGHT)
    found, expected = found_and_expected(figure, axes, png_of(figure, 100), levels_of_stage(trace), colours)
    assert len(found) == 30
    assert (found == expected).all()


def test_that_the_chosen_heads_of_a_regression_share_a_scale_that_holds_them_all() -> None:
    heads = np.stack([np.full((3, 3), 0.2), np.diag([0.9, 0.5, 0.1])])
    trace = regression_trace(
        heads.mean(axis=0), head_weights=heads, loss=[3], w=[[0.1, 0.2]], w_start=[1, 2], y_train=[1, 2, 3]
    )
    figure = paper_figure(trace, FigureSettings(heads=(1, 0), contrast=True))
    pixels, colours = png_of(figure, 200), colours_of_levels("viridis", LIGHT)
    for axes, head in zip(cell_axes(figure), (1, 0), strict=True):
        levels = quantise(heads[head], None, 0.0, 0.9)
        found, expected = found_and_expected(figure, axes, pixels, levels, colours)
        assert (found == expected).all()


def test_that_the_axes_of_a_fit_reach_over_what_is_asked_for() -> None:
    extent = Extent((-10, 20), (3, 3))
    axes = paper_figure(trace_of("kernel-fixed"), FigureSettings(extent=extent)).axes[0]
    assert (*axes.get_xlim(), *axes.get_ylim()) == pytest.approx((-11.5, 21.5, 2.5, 3.5))


def test_that_a_regression_that_holds_no_numbers_is_drawn_too() -> None:
    gap = np.full(4, np.nan)
    curve = OverlayCurve(Overlay(), gap, np.nan, np.nan, None)
    trace = regression_trace(np.full((4, 3), np.nan), y_hat=gap, y_truth=gap, curves=(curve,))
    for stage in REGRESSION_STAGES:
        for contrast in (True, False):
            assert png_of(paper_figure(trace, FigureSettings(stage=stage, contrast=contrast)), 72).size
    assert isinstance(trace, RegressionTrace)


@pytest.mark.parametrize("ending", ["png", "PDF", "svg"])
def test_that_a_figure_is_written_as_its_ending_says(ending: str, tmp_path: Path) -> None:
    trace = trace_of("multi-head-random")
    path = tmp_path / f"注意 figure.{ending}"
    write_figure(trace, path, FigureSettings(dpi=72), session=Session(spec=trace.spec))
    starts = {"png": b"\x89PNG", "PDF": b"%PDF-", "svg": b"<?xml"}
    assert path.read_bytes().startswith(starts[ending])


@pytest.mark.parametrize("name", ["figure.jpg", "figure", "figure.png.gz"])
def test_that_another_ending_is_a_sentence_with_those_that_there_are(name: str, tmp_path: Path) -> None:
    trace = trace_of("multi-head-random")
    with pytest.raises(ValueError, match=r"(not among|one of) \.png, \.pdf, \.svg"):
        write_figure(trace, tmp_path / name, FigureSettings(), session=Session(spec=trace.spec))
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("kind", ["pdf", "svg", "png"])
def test_that_the_same_figure_is_the_same_file(kind: Any) -> None:
    trace = trace_of("multi-head-random")
    session = Session(spec=trace.spec)
    first, second = (figure_bytes(paper_figure(trace), kind, session) for _ in range(2))
    assert first == second


def test_that_large_weights_are_reduced_and_the_figure_says_so() -> None:
    weights = np.zeros((1, 1, 10, 5000))
    weights[..., ::500] = 1
    start = time.process_time()
    figure = paper_figure(attention_trace(weights), FigureSettings())
    assert "each pixel: the largest of 1 × 3 cells" in [text.get_text() for text in figure.texts]
    assert (png_of(figure, 300) == (*rgb("#fde725"), 255)).all(axis=-1).any()
    assert time.process_time() - start < 10


def test_that_weights_which_dropout_took_are_crossed_out_and_those_alone() -> None:
    spec = make_spec({"num_heads": 2, "num_hiddens": 8, "dropout": 0.5, "training": True, "causal": True})
    trace = last_trace(spec)
    assert isinstance(trace, AttentionTrace)
    (axes,) = cell_axes(paper_figure(trace, FigureSettings(stage="dropped_weights", heads=(1,), item=1)))
    (crosses,) = axes.collections
    centres = {tuple(segment.mean(axis=0).round().astype(int)[::-1].tolist()) for segment in crosses.get_segments()}
    dropped = (trace.weights[1, 1] > 0) & (trace.dropped_weights[1, 1] == 0)
    assert dropped.any()
    assert centres == set(map(tuple, np.argwhere(dropped).tolist()))
    assert not cell_axes(paper_figure(trace, FigureSettings(stage="weights", heads=(1,))))[0].collections


def test_that_a_figure_of_random_weights_says_so_and_one_of_given_or_trained_weights_does_not() -> None:
    random = paper_figure(trace_of("multi-head-random"), FigureSettings(caption="Fig. 1"))
    texts = [text.get_text() for text in random.texts]
    assert any(
        text == f"Fig. 1 · Untrained: random weights, seed {preset('multi-head-random').spec.seed}" for text in texts
    ), texts
    trained = paper_figure(trace_of("kernel-learned"), FigureSettings())
    assert not [text for text in trained.texts if "ntrained" in text.get_text()]


def test_that_the_margin_for_labels_of_equal_length_is_the_same_in_every_process(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    measured: list[str] = []
    monkeypatch.setattr(parts, "width_of", lambda text, size: float(measured.append(text) or len(measured)))
    assert parts.widest([str(number) for number in range(1, 50)]) == 8
    assert measured == [str(number) for number in range(42, 50)]
