"""The figure of a page is its own, or refused in a sentence; none is that of another page."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from calling import attnviz as command
from PIL import Image

from attnviz.engine.run import run_to_end
from attnviz.experiment.files.session import Session
from attnviz.experiment.labs import LABS, make_spec
from attnviz.experiment.model.view import PAGES
from attnviz.experiment.view_settings import NoFigure, PageRecord
from attnviz.export.document import read_document, write_session
from attnviz.export.figures.figure import paper_figure
from attnviz.export.figures.settings import FigureSettings
from attnviz.export.labs import EXPORTS, figure_of_page, study_of_page


def pages_of(lab: str) -> tuple[str, ...]:
    """Return the pages that the view settings of a lab can name."""
    return tuple(LABS[lab].view_type.pages)


EVERY = [(lab, page) for lab in LABS for page in pages_of(lab)]
ALSO_THE_LABS = {
    "attention": {"stages", "policies", "functions"},
    "regression": {"fit"},
    "train": {"train", "learning", "layer"},
    "model": {"overview", "stages"},
}
"""The pages whose contents the figure of the lab has."""


@pytest.mark.parametrize(("lab", "page"), EVERY)
def test_that_every_page_has_its_own_figure_or_refuses_one(lab: str, page: str) -> None:
    spec = make_spec({"lab": lab})
    if isinstance(LABS[lab].view_type.pages[page].figure, NoFigure):
        with pytest.raises(ValueError, match=f"^the page '{page}' has no figure; nearest: "):
            figure_of_page(spec, page)
        return
    own = figure_of_page(spec, page)
    assert (own is EXPORTS[lab].draw) == (page in ALSO_THE_LABS[lab])


@pytest.fixture
def new_page() -> Iterator[str]:
    PAGES.add(PageRecord("new", "New", "A page of a later version", widget="", figure=NoFigure("It is a trial.")))
    yield "new"
    PAGES.remove("new")


@pytest.mark.parametrize("wrong", [{"stage": "wieghts"}, {"offered": True}, {"runs": ()}], ids=str)
def test_that_a_page_of_no_such_stage_or_without_its_functions_cannot_be_made(wrong: dict[str, Any]) -> None:
    with pytest.raises(TypeError, match="the page 'new' has no such stage, or"):
        PageRecord("new", "New", "A page", widget="", figure=NoFigure("It is a trial."), **wrong)


@pytest.mark.parametrize("page", ["new", "text", "compare"])
def test_that_a_document_on_a_page_without_a_figure_is_not_exported_as_another(
    page: str, new_page: str, tmp_path: Path
) -> None:
    spec, out = make_spec({"lab": "model"}), tmp_path / "x.png"
    view: Any = LABS["model"].view_type().changed(page=page)
    write_session(Session(spec=spec, view=view), tmp_path / "x.attnviz")
    done = command("export", str(tmp_path / "x.attnviz"), "-o", str(out))
    assert done.is_one_line(2, f"the page '{page}' has no figure; nearest: overview, stages")
    assert not out.exists()
    done = command("export", str(tmp_path / "x.attnviz"), "-o", str(out), "--page", "overview")
    assert done.code == 0, done.err
    opened = read_document(out).view
    assert getattr(opened, "page", "") == "overview"


def test_that_a_page_of_a_training_and_of_a_study_is_what_is_exported(tmp_path: Path) -> None:
    spec = make_spec({"lab": "regression", "estimator": "parametric", "epochs": 3})
    view: Any = LABS["regression"].view_type()
    pictures = {}
    for page in ("fit", "learning", "kernels"):
        write_session(Session(spec=spec, view=view.changed(page=page)), tmp_path / "x.attnviz")
        done = command("export", str(tmp_path / "x.attnviz"), "-o", str(tmp_path / f"{page}.png"), "--dpi", "60")
        assert done.code == 0, done.err
        with Image.open(tmp_path / f"{page}.png") as image:
            pictures[page] = np.asarray(image.convert("RGB"))
    trace, study = run_to_end(spec), study_of_page(spec, "kernels")
    assert study is not None
    expected = {page: paper_figure(trace, FigureSettings(page=page)) for page in ("fit", "learning")}  # type: ignore[arg-type]
    expected["kernels"] = paper_figure(run_to_end(study), FigureSettings(page="kernels"))  # type: ignore[arg-type]
    for page, figure in expected.items():
        wide, high = figure.get_size_inches() * 60
        assert pictures[page].shape[:2] == (int(high), int(wide)), page
    with pytest.raises(ValueError, match="the page 'kernels' shows a study of its own"):
        paper_figure(trace, FigureSettings(page="kernels"))  # type: ignore[arg-type]
