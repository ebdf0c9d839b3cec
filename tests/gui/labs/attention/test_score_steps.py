"""Query-key norm, soft cap and sink in the window: turned on, taken apart, undone, refused, filmed."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from attention_hands import check_picture, inspector_of, press_stage, stage_of
from eyes import name_of
from hands import Hands, parts
from matplotlib.text import Text
from small_specs import attention, independent_trace
from windows import At, Settle

from attnviz.experiment.files.session import Session
from attnviz.experiment.labs import make_spec
from attnviz.export.animation.frames import film_of_stages
from attnviz.export.figures.figure import paper_figure, write_figure
from attnviz.export.figures.settings import FigureSettings
from attnviz.gui.widgets.buttons import Switch

SPEC = attention(valid_lens=(3, 2))
CAPPED: Any = attention(valid_lens=(3, 2), score_steps={"softcap": {"cap": 2.0}})


def test_that_a_cap_is_turned_on_drawn_and_undone_and_its_stage_goes_with_it(
    on: At, hands: Hands, settle: Settle
) -> None:
    window = on(SPEC)
    window.controller.undo_stack.clear()
    editor = window.room.form.editor("score_steps")
    switch = next(each for each in parts(editor, Switch) if name_of(each) == "Soft cap")
    hands.qtbot.mouseClick(switch, hands.left)
    settle(window)
    assert window.controller.spec == CAPPED
    assert window.controller.undo_stack.text(0) == "Soft cap off → on"
    press_stage(window, "capped_scores", hands)
    check_picture(window, independent_trace(CAPPED), "capped_scores")
    window.actions_["undo"].trigger()
    settle(window)
    assert stage_of(window).view.stage == "scores"
    assert "capped_scores" not in stage_of(window).strip.offered


def test_that_the_inspector_leads_from_the_product_to_the_weight_with_cap_and_sink(on: At, hands: Hands) -> None:
    window = on(attention(valid_lens=(3, 2), score_steps={"softcap": {"cap": 0.7}, "sink": {"logit": 0.5}}))
    stage = stage_of(window)
    hands.click(stage.heatmap, stage.heatmap.rect_of(1, 2))
    trace: Any = stage.trace
    steps = dict(inspector_of(window).cell.steps.steps)
    capped, row = trace.changed_scores["capped_scores"][0, 0, 1, 2], trace.masked_scores[0, 0, 1].astype(float)
    top = max(row.max(), 0.5)
    assert float(steps["0.7 × tanh(score ÷ 0.7)"]) == pytest.approx(capped, abs=1e-5)
    assert float(steps["exp of the sink, 0.5"]) == pytest.approx(np.exp(0.5 - top), abs=1e-5)
    total = np.exp(row - top).sum() + np.exp(0.5 - top)
    assert float(steps["÷ sum of exp over the row and the sink"]) == pytest.approx(total, abs=1e-4)
    assert float(steps["= weight"]) == pytest.approx(np.exp(capped - top) / total, abs=1e-4)
    share = 1 - trace.row_sums[0, 0, 1]
    assert f"sink {share:.4f}" in inspector_of(window).row.facts.texts()[0]
    assert f"the sink takes {share:.3f}" in inspector_of(window).summary


def test_that_figures_and_films_have_the_stage_of_the_cap(tmp_path: Path) -> None:
    trace = independent_trace(make_spec(CAPPED.model_dump()))
    assert str(list(film_of_stages(trace).frames)[3].caption).endswith(": cap")
    for stage in ("capped_scores", "weights"):
        path = tmp_path / f"{stage}.png"
        write_figure(trace, path, FigureSettings(stage=stage), session=Session(spec=trace.spec))
        assert path.stat().st_size > 1000


def test_that_a_figure_of_weights_says_that_the_sink_takes_the_rest() -> None:
    trace = independent_trace(attention(score_steps={"sink": {"logit": 0.5}}))
    said = {
        stage: [text.get_text() for text in paper_figure(trace, FigureSettings(stage=stage)).texts]
        for stage in ("scores", "weights")
    }
    assert "a sink takes\nthe rest of 1" in said["weights"]
    assert not any("sink" in text for text in said["scores"])


def test_that_a_norm_which_the_chosen_module_cannot_have_is_left_out_with_one_click(
    on: At, hands: Hands, settle: Settle
) -> None:
    window = on(attention(valid_lens=(3, 2), score_steps={"query_key_norm": {}, "softcap": {"cap": 2.0}}))
    form = window.room.form
    hands.pick(form.editor("mechanism"), "additive")
    row = form._rows["score_steps"]
    assert "Query-key norm changes the vectors of a dot product" in row.said
    assert window.controller.spec.mechanism == "multi_head", "the last good picture stays"
    row.message.linkActivated.emit(*row._repairs)
    settle(window)
    spec: Any = window.controller.spec
    assert (spec.mechanism, spec.score_steps) == ("additive", {"softcap": {"cap": 2.0}})


def test_that_a_figure_of_the_norm_has_queries_and_keys_before_and_after_it() -> None:
    trace: Any = independent_trace(attention(mechanism="rotary", score_steps={"query_key_norm": {}}))
    figure = paper_figure(trace, FigureSettings(stage="norm", heads=(0,)))
    said = " ".join(text.get_text() for part in (figure, *figure.axes) for text in part.findobj(Text))
    assert all(name in said for name in ("Q", "Q′", "K", "K′"))
