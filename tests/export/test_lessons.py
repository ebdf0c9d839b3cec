"""Lessons that leave attnviz: what they say and show is of the run, and they need nothing else."""

import re
from collections.abc import Callable
from functools import cache
from html.parser import HTMLParser
from io import BytesIO
from itertools import combinations
from pathlib import Path

import numpy as np
import pytest
from matplotlib import colormaps
from matplotlib.font_manager import FontProperties, findSystemFonts
from matplotlib.textpath import TextPath
from pypdf import PdfReader

from attnviz.__main__ import main
from attnviz.definitions.text import Refused
from attnviz.engine.lessons import LessonRuns
from attnviz.experiment.lessons.lesson import Lesson
from attnviz.experiment.lessons.reading import lesson_named, lesson_of
from attnviz.export.document import read_document
from attnviz.export.figures.type_style import families, figure_style
from attnviz.export.lessons import slides
from attnviz.export.lessons.content import LessonContent, content_of
from attnviz.export.lessons.handout import handout_of
from attnviz.export.lessons.page import page_of
from attnviz.export.lessons.slide_text import Part, lines_of
from attnviz.export.lessons.slides import slides_of
from attnviz.palette import LIGHT

MASKED, POINTS = "04-masked-softmax", "01-averaging-and-weighting"
STEP = '# A\n\n{about}\n\n## {title}\n\n{text}\n\n```attnviz\n{{"preset": "masked-softmax-book"{more}}}\n```\n\n{after}'


def content(lesson: Lesson, language: str = "en") -> LessonContent:
    runs = LessonRuns(lesson)
    return content_of(lesson, [runs.step_shown(step) for step in lesson.steps], language)


@cache
def masked(language: str = "en") -> LessonContent:
    return content(lesson_named(MASKED, language), language)


@cache
def masked_page(language: str = "en") -> str:
    return page_of(masked(language))


def small(text: str = "", more: str = "", after: str = "", title: str = "B", about: str = "") -> LessonContent:
    return content(lesson_of(STEP.format(text=text, more=more, after=after, title=title, about=about), "small"))


class Elements(HTMLParser):
    """The elements of a page, each with its attributes, the text of each `section`, and what is never closed."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.found: list[tuple[str, dict[str, str | None]]] = []
        self.sections: list[str] = []
        self.open: list[str] = []
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append((tag, dict(attrs)))
        if tag == "section":
            self.sections.append("")
        if tag not in ("meta", "input", "br", "hr", "image", "path", "use", "rect"):
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append((tag, dict(attrs)))

    def handle_endtag(self, tag: str) -> None:
        if tag in self.open:
            assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        if "section" in self.open:
            self.sections[-1] += data

    def with_class(self, name: str) -> list[dict[str, str | None]]:
        return [attrs for _, attrs in self.found if name in (attrs.get("class") or "").split()]


def test_that_numbers_in_the_page_are_those_of_the_run() -> None:
    lesson, page = lesson_named(MASKED), Elements(masked_page())
    step = lesson.steps[1]
    weights = LessonRuns(lesson).trace_of(step.session).weights
    right = ", ".join(f"{weight:.2f}" for weight in weights[0, 0, 0, :2]) + ", 0, 0"
    assert right in page.sections[1]
    chosen = [("data-right" in attrs) for attrs in page.with_class("choice")][:4]
    assert chosen == [False, False, False, True]
    assert masked().steps[1].question.right == "D"  # type: ignore[union-attr]


def test_that_the_cells_to_mark_are_those_of_the_run() -> None:
    lesson, page = lesson_named(MASKED), Elements(masked_page())
    zero = LessonRuns(lesson).trace_of(lesson.steps[4].session).weights[0, 0] == 0
    marked = [attrs["data-true"] for tag, attrs in page.found if tag == "button" and "data-true" in attrs]
    assert np.array_equal(np.array(marked, int).reshape(zero.shape), zero)


def test_that_a_number_to_predict_is_that_of_the_run() -> None:
    more = ', "predict": {"number": "weights[0, 0, 0, 1]", "within": 0.01}'
    page = Elements(page_of(small(more=more, after="### Predict\nHow much?\n\n### Answer\nSo much.\n")))
    (asked,) = page.with_class("question")
    lesson = lesson_named(MASKED)
    assert float(str(asked["data-number"])) == LessonRuns(lesson).trace_of(lesson.steps[1].session).weights[0, 0, 0, 1]
    assert asked["data-within"] == "0.01"


@pytest.mark.parametrize("name", ["02-kernels-as-attention", "07-many-heads-at-the-cost-of-one"])
def test_that_every_step_has_its_figure_and_the_page_needs_nothing_else(name: str) -> None:
    told = content(lesson_named(name))
    page = page_of(told, notes=True)
    elements = Elements(page)
    assert elements.open == []
    assert len(elements.sections) == len(told.steps)
    for part in page.split("<section")[1:]:
        assert part.count('role="img"') == part.count("<svg aria-hidden") >= 1
    said = [attrs["aria-label"] for _, attrs in elements.found if attrs.get("role") == "img"]
    assert all(said)
    addresses = [attrs.get(name) or "" for _, attrs in elements.found for name in ("href", "src", "xlink:href")]
    assert all(re.match(r"#|data:image/png;base64,|$", address) for address in addresses)
    assert not re.search(r"https?://|url\((?!#)|@import", page)
    assert len(page) < 3_000_000


def test_that_names_inside_figures_differ_and_each_that_is_used_is_there() -> None:
    page = masked_page()
    names = re.findall(r' id="([^"]*)"', page)
    assert len(names) == len(set(names))
    assert set(re.findall(r'href="#([^"0-9][^"]*)"|url\(#([^)]*)\)', page)) <= {(name, "") for name in names} | {
        ("", name) for name in names
    }


def test_that_notes_are_there_only_if_they_are_asked_for() -> None:
    told = small(after="### Notes\nTake a vote.\n")
    assert "Take a vote." not in page_of(told) + handout_of(told, "figures").text
    assert "Take a vote." in page_of(told, notes=True)
    assert "Take a vote." in handout_of(told, "figures", notes=True).text


def test_that_a_handout_tells_no_answer_unless_it_is_to() -> None:
    answer, why, done = "Keys 3 and 4 have weight exactly 0", "the mask is forgotten", "Column 4 of item 2 is open"
    handout = handout_of(masked(), "figures")
    assert not any(text in handout.text for text in (answer, why, done))
    assert not any(name.startswith("figures/step-02") for name in handout.figures)
    told = handout_of(masked(), "figures", answers=True)
    answers = told.text.partition("# Answers")[2]
    assert all(text in answers for text in (answer, why, done))
    assert {"figures/step-02-1.svg", "figures/step-04-done-2.svg"} <= told.figures.keys()
    assert re.findall(r"\]\((figures/[^)]*)\)", told.text) == list(told.figures)
    assert "$e^{-\\infty} = 0$" in told.text


def test_that_a_figure_of_a_handout_reopens_as_the_step_that_it_shows(tmp_path: Path) -> None:
    path = tmp_path / "a.svg"
    path.write_bytes(handout_of(masked(), "figures").figures["figures/step-03-2.svg"])
    session = read_document(path)
    assert session.spec == lesson_named(MASKED).steps[2].spec
    assert session.shown_view.stage == "masked_scores"


def test_that_a_formula_becomes_a_drawing() -> None:
    page = page_of(small("So $e^{-x}$ it is, for 5\\$."))
    assert re.search(r'So <svg style="vertical-align:[^"]*" width="[0-9.]+em"[^>]*><path', page)
    assert "e^{-x}" not in page
    with pytest.raises(Refused, match="cannot be set"):
        page_of(small("$\\frac{1$"))


def test_that_what_looks_like_a_script_is_text() -> None:
    hostile = "<script>alert(1)</script> [x](javascript:alert(1)) [y](https://example.org) <img src=x onerror=alert(1)>"
    page = page_of(small(hostile, title=f"B {hostile}", about=hostile))
    elements = Elements(page)
    assert [tag for tag, _ in elements.found].count("script") == 1
    assert not any(tag in ("img", "iframe") or name.startswith("on") for tag, of in elements.found for name in of)
    assert all((of.get("href") or "#").startswith("#") for tag, of in elements.found if tag == "a")
    assert "default-src &#x27;none&#x27;" in page or "default-src 'none'" in page


def test_that_a_chinese_lesson_is_chinese_throughout() -> None:
    page = masked_page("zh_CN")
    assert '<html lang="zh-CN">' in page
    elements = Elements(page)
    assert "没有意义的键" in elements.sections[0]
    assert "样本 1" in elements.sections[0]
    said = [str(attrs["aria-label"]) for _, attrs in elements.found if attrs.get("role") == "img"]
    assert all(re.search("[\u4e00-\u9fff]", text) for text in said)
    words = re.sub(r"[A-Za-z0-9_ ]*softmax|float16|NaN|inf|1e6", "", " ".join(elements.sections))
    assert not re.search(r"\b(Predict|Check|Show|Hint|Do|item|query|key)\b", words)


def pages_of(lesson: LessonContent, *, answers: bool = False) -> list[str]:
    """The text of each slide, without white space, which a PDF has none of between Chinese signs."""
    pages = PdfReader(BytesIO(slides_of(lesson, answers=answers))).pages
    assert {tuple(map(float, page.mediabox.upper_right)) for page in pages} == {(960.0, 540.0)}
    return ["".join(page.extract_text().split()) for page in pages]


needs_chinese = pytest.mark.skipif(
    not any("CJK" in path for path in findSystemFonts()), reason="fonts-noto-cjk is not here"
)
languages = pytest.mark.parametrize("language", ["en", pytest.param("zh_CN", marks=needs_chinese)])


@languages
def test_that_each_step_is_a_slide_which_tells_no_answer_unless_it_is_to(language: str) -> None:
    lesson = masked(language)
    pages, told = pages_of(lesson), pages_of(lesson, answers=True)
    assert len(pages) == len(lesson.steps)
    assert len(told) == len(pages) + sum(bool(step.question) + bool(step.exercise) for step in lesson.steps)
    for step, page in zip(lesson.steps, pages, strict=True):
        assert page.startswith(f"{step.number}{''.join(step.title.split())}")
        if step.question is not None:
            whys = ["".join(choice.why.split()) for choice in step.question.choices]
            assert not [why for why in whys if why in page]
            assert all(any(why in each for each in told) for why in whys)


def test_that_a_slide_has_the_figure_of_its_run_in_the_colours_of_its_weights() -> None:
    import pypdfium2

    page = pypdfium2.PdfDocument(slides_of(masked()))[0]
    picture = page.render(scale=1).to_numpy()[..., 2::-1]
    weights = LessonRuns(lesson_named(MASKED)).trace_of(lesson_named(MASKED).steps[0].session).weights
    right = picture[:, picture.shape[1] // 2 :].reshape(-1, 3).astype(int)
    for weight in weights.ravel():
        colour = np.array(colormaps["viridis"](float(weight))[:3]) * 255
        assert (np.abs(right - colour).max(axis=1) <= 4).sum() > 200


def test_that_without_a_font_for_them_it_is_said_how_many_signs_are_lost(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(slides, "without_glyph", lambda texts: frozenset("".join(texts)) & frozenset("键值"))
    (tmp_path / "mine.md").write_text(STEP.format(text="键值键", more="", after="", title="B", about=""))
    code, _, err = exported(capsys, str(tmp_path / "mine.md"), "-o", str(tmp_path), "--slides")
    assert code == 0
    assert "2 characters have no glyph on this machine" in err
    (page,) = PdfReader(tmp_path / "mine.pdf").pages
    assert "2 characters have no glyph on this machine" in page.extract_text()


def test_that_what_a_lesson_of_points_speaks_of_is_in_its_figure() -> None:
    step = content(lesson_named(POINTS)).steps[0]
    fit = step.pictures[0].figure().axes[0]
    points, line = fit.lines[:2]
    trace = LessonRuns(lesson_named(POINTS)).trace_of(lesson_named(POINTS).steps[0].session)
    assert "orange" in step.text
    assert points.get_color() == LIGHT.k
    assert list(line.get_xdata()) == [trace.arrays()["x_test"][5]] * 2


def test_that_a_long_text_goes_on_on_another_slide_and_loses_no_word() -> None:
    words = [f"word{number}" for number in range(1400)]
    pages = pages_of(small(" ".join(words)))
    assert len(pages) > 1
    assert all(word in "".join(pages) for word in words)


@languages
def test_that_no_line_of_a_slide_is_wider_than_its_column_or_begins_with_a_comma(language: str) -> None:
    with figure_style(LIGHT):
        lines = lines_of([Part(step.text, mark="A") for step in masked(language).steps], 3.0, 14.0)
        ends = [(line, line.runs[-1]) for line in lines if line.runs[-1].style != "math"]
        assert len(ends) > 20
        for line, last in ends:
            text = TextPath((0, 0), last.text, size=14, prop=FontProperties(family=families()))
            assert last.left + text.get_extents().width / 72 < 3.05
            assert line.runs[0].text[0] not in "，。：；、）"


def test_that_no_line_begins_with_the_comma_behind_a_quotation() -> None:
    with figure_style(LIGHT):
        text = "Heads are named “previous”, “induction”, (“first”) and “itself”; one has none."
        for width in np.linspace(0.8, 4, 60):
            starts = [line.runs[0].text for line in lines_of([Part(text)], float(width), 14.0)]
            assert not [start for start in starts if start[0] in ",;)”"]


def test_that_the_names_of_hidden_cells_do_not_overlap_on_a_slide() -> None:
    from matplotlib.figure import Figure

    words = ["then", "one", "red", "fox", "ran", "home", "and", "one", "red", "fox", "ran"]
    with figure_style(LIGHT):
        paper = Figure((slides.WIDTH, slides.HEIGHT))
        slides._draw_cells(paper, (tuple(words), tuple(words)), slides._Spot(6.0, 0.8, 6.5))
        boxes = [text.get_window_extent() for text in paper.texts]
        assert not [pair for pair in combinations(boxes, 2) if pair[0].overlaps(pair[1])]
        page = paper.bbox
        assert all(page.x0 <= box.x0 and box.x1 <= page.x1 and box.y1 <= page.y1 for box in boxes)


@pytest.mark.parametrize(
    ("text", "more", "words"),
    [
        ("{weights[0, 0, 0, 9]:.2f}", "", "step 1: .*has no value"),
        ("", ', "view": {"page": "compare"}', "step 1: the page 'compare' has no figure; nearest: stages"),
    ],
)
def test_that_what_cannot_be_told_or_drawn_is_refused_with_its_step(text: str, more: str, words: str) -> None:
    with pytest.raises(Refused, match=words):
        small(text, more)


def exported(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    try:
        code = main(["lesson", "export", *arguments])
    except SystemExit as ended:
        code = int(str(ended.code))
    said = capsys.readouterr()
    return code, said.out, said.err


def test_that_the_command_writes_what_is_chosen_and_overwrites_nothing(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path, folder = tmp_path / "mine.md", tmp_path / "new"
    path.write_text(STEP.format(text="", more="", after="", title="B", about=""))
    page = folder / "mine.html"
    code, out, err = exported(capsys, str(path), "-o", str(folder), "--html")
    assert (code, err) == (0, "")
    assert re.fullmatch(rf"wrote {re.escape(str(page))} \([0-9]+ kB\)\n", out)
    assert list(folder.iterdir()) == [page]
    before = page.read_bytes()
    code, _, err = exported(capsys, str(path), "-o", str(folder), "--handout", "--html")
    assert (code, err) == (2, f"attnviz: {page} exists; --force overwrites it\n")
    assert list(folder.iterdir()) == [page]
    code, _, _ = exported(capsys, str(path), "-o", str(folder), "--html", "--force")
    assert (code, page.read_bytes()) == (0, before)


@pytest.mark.parametrize(
    ("write", "code", "words"),
    [
        (lambda text: "# A", 2, "has 1 to 60 steps"),
        (
            lambda text: text.replace('"masked-softmax-book"', '"train-copy", "spec": {"device": "cuda:99"}'),
            1,
            "step 1: ",
        ),
        (lambda text: text + "\n{weights[9]}", 2, "has no value"),
    ],
)
def test_that_a_lesson_that_cannot_be_exported_is_one_line(
    write: Callable[[str], str], code: int, words: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "mine.md"
    path.write_text(write(STEP.format(text="", more="", after="", title="B", about="")))
    found, _, err = exported(capsys, str(path), "-o", str(tmp_path), "--html")
    assert found == code
    assert words in err
    assert len(err.splitlines()) == 1
    assert not (tmp_path / "mine.html").exists()
