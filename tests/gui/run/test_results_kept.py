"""The worker's runs take from one another what their arguments leave the same."""

from collections.abc import Callable
from typing import Any

import numpy as np
from pytestqt.qtbot import QtBot
from running import bits

from attnviz.engine.run import run
from attnviz.experiment.labs import make_spec


def test_that_a_turned_mask_in_the_window_leaves_the_scores_and_is_that_of_a_fresh_run(
    on: Callable[..., Any], qtbot: QtBot
) -> None:
    large = {"num_heads": 4, "num_hiddens": 64, "num_queries": 512, "num_kvpairs": 512, "batch_size": 1}
    window = on(make_spec({"mechanism": "multi_head", "device": "cpu", **large}))
    controller = window.controller
    first = controller.shown
    controller.propose(first.spec.model_copy(update={"causal": True}))
    qtbot.waitUntil(lambda: controller.shown.spec.causal)
    assert np.shares_memory(controller.shown.scores, first.scores)
    assert not np.shares_memory(controller.shown.weights, first.weights)
    (fresh,) = run(controller.shown.spec)
    assert bits(controller.shown) == bits(fresh)
