import sys
from collections.abc import Iterator
from xml.etree import ElementTree

import pytest

from attnviz.export import formulas
from attnviz.export.lessons import svg
from attnviz.log import log_file

LATEX = r"\mathbf{A} = \text{softmax}\left(\frac{\mathbf{Q}\mathbf{K}^\top}{\sqrt{d}}\right)"
READ = "A = softmax((QKᵀ)/(√(d)))"


@pytest.fixture
def without_ziamath(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Make the import of what typesets fail, as if ziamath or a font of its own were missing."""
    monkeypatch.setitem(sys.modules, "attnviz.export.typesetting", None)
    monkeypatch.delattr("attnviz.export.typesetting", raising=False)
    caches = (formulas._typesetting, formulas._note_once, svg.formula)
    for cached in caches:
        cached.cache_clear()
    yield
    for cached in caches:
        cached.cache_clear()


def text_of(drawing: str) -> str:
    return "".join(ElementTree.fromstring(drawing).itertext())


@pytest.mark.usefixtures("without_ziamath")
def test_that_formulas_are_text_and_logged_once_where_ziamath_is_missing() -> None:
    before = log_file().read_text(encoding="utf-8") if log_file().exists() else ""
    for _ in range(3):
        assert text_of(formulas.drawn(LATEX, "#112233", 15, inline=True).svg) == READ
    assert text_of(svg.formula(LATEX)) == READ
    noted = log_file().read_text(encoding="utf-8").removeprefix(before)
    assert noted.count("formulas are shown as text, because they cannot be typeset: ") == 1


def test_that_formulas_are_text_where_a_file_of_ziamath_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    from attnviz.export import typesetting

    def lost(*_: object, **__: object) -> None:
        raise FileNotFoundError(2, "No such file or directory", "unimathsymbols.txt")

    assert text_of(formulas.drawn(LATEX, "#112233", 15, inline=True).svg) == ""  # outlines
    monkeypatch.setattr(typesetting, "typeset", lost)
    assert text_of(formulas.drawn(LATEX, "#112233", 15, inline=True).svg) == READ


@pytest.mark.parametrize(
    ("latex", "read"),
    [
        (LATEX, READ),
        (r"\textcolor{#112233}{\mathbf{Q}}\mathbf{K}^{\top}", "QKᵀ"),
        (r"\sum_{i=1}^{n} K(x - x_i)\, y_i", "Σ_(i=1)^n K(x - x_i) y_i"),
        (r"\exp\left(-\tfrac{u^2}{2}\right)", "exp(-(u^2)/(2))"),
        (r"\{a\} \text{除非}\ i \le j", "{a} 除非 i ≤ j"),
        (r"\unknown{a", "unknowna"),
    ],
)
def test_that_latex_is_read_as_text(latex: str, read: str) -> None:
    assert formulas.readable(latex) == read
