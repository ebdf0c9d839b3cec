"""The trace of a training: its arrays under their fixed names, and what it says of itself."""

from dataclasses import replace

import numpy as np
import pytest
from trainings import shown_at, train_run

from attnviz.definitions.roles import ROLES
from attnviz.experiment.train.curves import head_curves


def test_that_every_array_has_its_fixed_name_and_shape() -> None:
    trace = shown_at(train_run(steps=12, num_heads=4, probe=list("abcab")))
    arrays = trace.arrays()
    shapes = {name: array.shape for name, array in arrays.items() if not name.startswith("param/")}
    measured = len(arrays["role_steps"])
    assert shapes == {
        "step": (),
        "loss": (12,),
        "accuracy": (12,),
        "roles": (measured, 2, 4, len(ROLES)),
        "role_names": (len(ROLES),),
        "role_steps": (measured,),
        "role_lowest": (measured, 2, 4, len(ROLES)),
        "role_distances": (measured, 2, 4),
        "role_sequences": (15, 8),
        "weights": (2, 4, 5, 5),
        "tokens": (5,),
        "probabilities": (5, 8),
    }
    assert arrays["step"] == trace.step
    assert arrays["role_steps"].tolist() == [0, 4, 8, 12]
    assert arrays["role_names"].tolist() == list(ROLES)
    assert arrays["tokens"].tolist() == list("abcab")
    assert {name for name in arrays if name.startswith("param/")} == {f"param/{name}" for name in trace.parameters}
    assert "param/layers.1.attention.W_o.weight" in arrays
    np.testing.assert_allclose(arrays["probabilities"].sum(axis=-1), 1.0)
    np.testing.assert_allclose(arrays["weights"].sum(axis=-1), 1.0, rtol=1e-6)
    assert not np.triu(arrays["weights"], 1).any(), "no token looks ahead"


def test_that_a_head_that_is_off_is_zero_before_the_output_and_its_weights_stay() -> None:
    run = train_run(steps=6)
    whole, less = shown_at(run), shown_at(train_run(run, steps=6, heads_off=["1.2", "2.1"]))
    layer = less.layers[0]
    assert layer.heads_off == {1}
    assert not layer.heads[0, 1].any()
    assert not layer.merged[0, :, 4:].any()
    np.testing.assert_array_equal(layer.weights, whole.layers[0].weights)
    matrix = whole.parameters["layers.0.attention.W_o.weight"].copy()
    matrix[:, 4:] = 0.0
    expected = whole.layers[0].merged[0] @ matrix.T
    np.testing.assert_allclose(layer.output[0], expected, rtol=1e-5, atol=1e-6)
    assert (str(less.badge), str(whole.badge)) == ("off: 1.2, 2.1", "")


@pytest.mark.parametrize("step", [0, 6])
def test_that_the_random_weights_before_the_first_step_are_called_untrained(step: int) -> None:
    trace = shown_at(train_run(steps=6), step)
    said = "" if step else "Untrained: random weights, seed 0"
    assert trace.untrained_note.text == trace.layers[1].untrained_note.text == said


def test_that_the_roles_of_a_step_are_those_of_the_history_whatever_the_probe_and_follow_heads_that_are_off() -> None:
    run = train_run(steps=8)
    own, other = shown_at(run), shown_at(train_run(run, steps=8, probe=list("abcdefgh")))
    for trace in (own, other, shown_at(run, 4)):
        place = trace.history.role_steps.tolist().index(trace.step)
        np.testing.assert_array_equal(trace.measured.scores, own.history.roles[place])
        np.testing.assert_array_equal(trace.measured.lowest, own.history.role_lowest[place])
        np.testing.assert_array_equal(trace.measured.distances, own.history.role_distances[place])
    less = shown_at(train_run(run, steps=8, heads_off=["1.1"]))
    np.testing.assert_array_equal(less.role_scores[0], own.role_scores[0])
    assert (less.role_scores[1] != own.role_scores[1]).any()


@pytest.mark.parametrize(("watched", "prepared"), [("", [True, True]), ("1", [False, True]), ("9", [False, False])])
def test_that_only_the_layer_on_screen_is_coloured_before_it_is_shown(watched: str, prepared: list[bool]) -> None:
    trace = shown_at(train_run(steps=6))
    trace.prepare(watched)
    assert [("weights", "") in layer._levels for layer in trace.layers] == prepared


def test_that_curves_name_one_distance_for_a_head_the_one_it_has_on_screen_or_none() -> None:
    fixed = list(ROLES).index("fixed_distance")
    run = train_run(to=8)
    trace = shown_at(run, 6)  # roles are measured after 4 and 8 steps
    scores = np.zeros_like(trace.role_scores)
    scores[..., fixed] = 0.7
    history = trace.history

    def curves(until: int, distance: int) -> set[tuple[str, float, float]]:
        """Return what ends the curves, where each head looks two back at the last measured step."""
        of_history = np.broadcast_to(scores, history.roles.shape)[:until]
        twos = np.full_like(history.role_distances, 2)[:until]
        known = replace(history, role_steps=history.role_steps[:until], roles=of_history, role_distances=twos)
        here = replace(trace.measured, scores=scores + 0.1 * (scores > 0), distances=np.full((2, 2), distance))
        found = head_curves(replace(trace, history=known, measured=here))
        return {
            (str(each.role.short_at(each.distance)), int(each.steps[-1]), float(each.scores[-1].round(3)))
            for each in found
        }

    assert curves(2, 3) == {("3 back", 6, 0.8)}, "what is on screen is the last measured"
    assert curves(3, 2) == {("2 back", 8, 0.7)}
    assert curves(3, 3) == {("fixed", 8, 0.7)}, "the picture before them says another"
