"""The figure of the overview coloured by what heads add, or by what their ablation costs, and its file."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from calling import attnviz as command

from attnviz.engine.run import run_to_end
from attnviz.experiment.colours import DIVERGING, colours_of_levels, quantise
from attnviz.experiment.files.session import Session
from attnviz.experiment.labs import LABS, make_spec
from attnviz.experiment.model.residual.attribution import Attribution
from attnviz.experiment.model.studies import HeadsInTurn
from attnviz.experiment.model.view import ModelViewSettings
from attnviz.export.document import read_document, write_session
from attnviz.export.figures.figure import paper_figure
from attnviz.export.figures.parts import CELLS
from attnviz.export.figures.settings import FigureSettings
from attnviz.export.labs import study_of_page
from attnviz.palette import LIGHT

SPEC: Any = make_spec({"lab": "model"})


@pytest.mark.parametrize("study", [Attribution(of=SPEC), HeadsInTurn(of=SPEC)], ids=["adds", "costs"])
def test_that_every_head_has_the_colour_and_the_number_of_the_study(study: Any) -> None:
    found: Any = run_to_end(study)
    values = found.of_kind["self"] if isinstance(study, Attribution) else found.effect
    figure = paper_figure(found, FigureSettings(page="overview"))  # type: ignore[arg-type]
    (axes,) = [each for each in figure.axes if each.get_label() == CELLS]
    reach = np.abs(values).max()
    colours = colours_of_levels(DIVERGING, LIGHT)[quantise(values, None, -reach, reach)]
    drawn = axes.images[0].get_array()
    high, wide = (drawn.shape[at] // values.shape[at] for at in (0, 1))
    np.testing.assert_array_equal(drawn[high // 2 :: high, wide // 2 :: wide], colours)
    assert {text.get_text() for text in axes.texts} == {found.number(value) for value in values.flat}
    if isinstance(study, Attribution):
        said = " ".join(text.get_text().strip() for text in figure.texts)
        assert "Logit of “home” +10.69" in said
        assert "how later parts respond to a head is not counted" in said


def test_that_a_session_coloured_by_a_study_is_exported_with_it(tmp_path: Path) -> None:
    view: Any = ModelViewSettings(by_attribution=True, minus="red")
    assert study_of_page(SPEC, "overview", view) == Attribution(of=SPEC, minus="red")
    assert study_of_page(SPEC, "overview") is None
    assert study_of_page(SPEC, "overview", view.changed(by_attribution=False, by_effect=True)) == HeadsInTurn(of=SPEC)
    write_session(Session(spec=SPEC, view=view), tmp_path / "x.attnviz")
    done = command("export", str(tmp_path / "x.attnviz"), "-o", str(tmp_path / "x.svg"))
    assert done.code == 0, done.err
    assert read_document(tmp_path / "x.svg").view == view
    assert read_document(tmp_path / "x.attnviz").format == 6
    assert Session(spec=SPEC, view=LABS["model"].view_type()).format < 6


def test_that_the_extras_have_the_numbers_of_their_studies(tmp_path: Path) -> None:
    (tmp_path / "spec.json").write_text('{"lab": "model", "heads_off": ["2.1", "2.2"]}', encoding="utf-8")
    out = tmp_path / "x.npz"
    names = "attribution,ablation,random_sets"
    done = command("run", str(tmp_path / "spec.json"), "-o", str(out), "--with", names)
    assert done.code == 0, done.err
    with np.load(out) as arrays:
        numbers = {name: arrays[name] for name in arrays.files}
    parts = ("attribution", "attribution_mlp", "attribution_embedding", "attribution_bias", "attribution_rest")
    assert numbers["attribution"].shape == (2, 4)
    assert numbers["attribution_mlp"].shape == (2,)
    assert sum(numbers[name].sum() for name in parts) == pytest.approx(float(numbers["attribution_logit"]), abs=1e-9)
    assert abs(numbers["attribution_rest"]) <= 1e-4 * abs(numbers["attribution_logit"])
    assert numbers["attribution"][1, 0] == numbers["attribution"][1, 1] == 0
    assert numbers["ablation_probability"].shape == numbers["ablation_logit_lost"].shape == (2, 4)
    assert len(numbers["random_sets"]) == len(numbers["random_sets_lost"]) == numbers["random_sets_possible"] == 5
    assert numbers["random_sets_chosen"] > numbers["random_sets_lost"].max()
    (tmp_path / "plain.json").write_text('{"lab": "model"}', encoding="utf-8")
    done = command("run", str(tmp_path / "plain.json"), "-o", str(tmp_path / "y.npz"), "--with", "random_sets")
    assert done.is_one_line(1, "no head is off (ablated)")
