"""The regression room: curve, weights and read-outs are the trace's."""

import numpy as np
import pytest
from eyes import colours_of, heatmap_colours, is_drawn
from hands import Hands
from PySide6.QtCore import QPoint, QPointF, Qt
from regression_hands import stage_of
from small_specs import independent_trace, regression, training
from windows import At

from attnviz.experiment.regression.data import truth_line
from attnviz.gui.widgets.selection import Selection

KINDS = {
    "average": regression(estimator="average"),
    "gaussian": regression(),
    "boxcar": regression(kernel="boxcar", width=0.15),
    "epanechnikov": regression(kernel="epanechnikov", width=0.4),
    "constant": regression(kernel="constant"),
    "textbook": regression(data={"kind": "book"}),
    "learned": training(),
}


@pytest.mark.parametrize("kind", KINDS)
def test_that_fit_truth_and_weights_on_screen_are_those_of_an_independent_run(kind: str, at: At, hands: Hands) -> None:
    window, trace = at(KINDS[kind]), independent_trace(KINDS[kind])
    stage = stage_of(window)
    assert is_drawn(stage.fit, trace.x_test, trace.y_hat)
    assert is_drawn(stage.fit, *truth_line(trace.spec.data, trace.x_test))
    window.room.selection.lock(Selection(0, 0))
    for levels in (trace.contrast_levels, trace.levels):
        colours = heatmap_colours(stage.heatmap, levels.shape)
        # The frame of the chosen row, the first, reaches into the second where rows are a few pixels high.
        assert (colours[2:] == colours_of(stage.weight_table, levels)[2:]).all()
        stage.contrast.choose("" if stage.contrast.value else "head")
    high = f"{trace.contrast_scale.high:.3g}"
    assert stage.bar.accessibleDescription().startswith(f"0 .. {'1' if high == '1' else high} weight")


def test_that_a_query_without_a_point_in_reach_has_no_prediction_on_screen(at: At) -> None:
    spec = KINDS["boxcar"]
    window, trace = at(spec), independent_trace(spec)
    (query,) = np.flatnonzero(np.isnan(trace.y_hat))[:1]
    window.room.selection.lock(Selection(0, int(query)))
    assert "no training point in reach" in stage_of(window).read_out.text()
    assert window.rooms["regression"].inspector.prediction.texts()[0] == "no point in reach"


def test_that_pointing_at_the_fit_chooses_the_nearest_query_and_a_click_holds_it(at: At, hands: Hands) -> None:
    window, trace = at(regression()), independent_trace(regression())
    room, fit = window.rooms["regression"], stage_of(window).fit
    for query, act in ((7, hands.point), (3, hands.click), (8, hands.point)):
        place = fit.getViewBox().mapViewToScene(QPointF(trace.x_test[query] + 0.1, trace.y_hat[query]))
        act(fit.viewport(), place)
        assert room.selection.current.query == query
        assert room.stage.read_out.text().startswith(f"query x = {trace.x_test[query]:.4g}")
        assert f"f({trace.x_test[query]:.4g}) = {trace.y_hat[query]:.4f}" in room.stage.read_out.text()
    hands.qtbot.mouseMove(window.top_bar, QPoint(1, 1))
    hands.qtbot.waitUntil(lambda: room.selection.current.query == 3)


def test_that_a_cell_of_the_weights_is_read_out_and_let_go(at: At, hands: Hands) -> None:
    window, trace = at(regression()), independent_trace(regression())
    stage, inspector = stage_of(window), window.rooms["regression"].inspector
    hands.click(stage.heatmap, stage.heatmap.rect_of(4, 9))
    words = stage.read_out.text()
    assert f"key x = {trace.x_train[9]:.4g}" in words
    assert f"weight {trace.weights[4, 9]:.4f}" in words
    assert inspector.prediction.texts() == (
        f"{trace.y_hat[4]:.4f}",
        f"{trace.y_truth[4]:.4f}",
        f"{trace.weights[4].sum():.4f}",
    )
    hands.qtbot.mouseMove(window.top_bar, QPoint(1, 1))
    hands.qtbot.keyClick(window, Qt.Key.Key_Escape)
    hands.qtbot.waitUntil(lambda: "weight" not in stage.read_out.text())
    assert stage.read_out.text().startswith(f"query x = {trace.x_test[4]:.4g}")
